/**
 * A server that takes bytes and gives none while a run has rows on the wire: a proxy before it hangs. What the service answers
 * meanwhile must not be lost, and whoever stops the run waits for no server.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { type CuttingProxy, startProxy } from '../builders/cutting-proxy.ts';
import { payrollOf, type someMachines, until } from '../builders/machines.ts';
import type { Ended, Running } from '../builders/office.ts';

const DELAY = fileURLToPath(new URL('../builders/loop-delay.ts', import.meta.url));
const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000', '--concurrency', '2'];
const ROWS = 4;
/** Long enough for the server to hang before the first two answers come, on a busy machine, too. */
const LATENCY_MS = 500;
/** Two on an idle machine. */
const STOPPED_MS_MAX = 5_000;

export type Hang = 'the whole server' | 'one connection, in a commit';
export const HANGS: readonly Hang[] = ['the whole server', 'one connection, in a commit'];

/** A run with two rows on the wire at a server that hangs. `beside`: a worker sends them. */
export async function aRunThatHangs(machines: ReturnType<typeof someMachines>, how: Hang, beside = false) {
  let made: CuttingProxy | undefined;
  const behind = async (port: number) => {
    made = await startProxy(port);
    return made.port;
  };
  const { office, service, place, worker } = await machines(LATENCY_MS, { behind });
  const proxy = made ?? (await startProxy(0));
  onTestFinished(async () => void (await proxy.close()));
  const client = await connectPg(place);
  onTestFinished(() => client.end());
  office.file('may.csv', payrollOf(ROWS));
  const start = (): Running =>
    office.start(RUN, { NODE_OPTIONS: `--import=${DELAY}`, LOOP_DELAY_FILE: office.at('delay') });
  const sender = beside ? await worker('--concurrency', '2', '--lanes', '2') : undefined;
  const running = start();
  const sent = () => service.requests.filter((line) => line.startsWith('POST /v1/transfer')).length;
  await Promise.race([until(() => sent() >= 2), running.ended]);
  await (how === 'the whole server' ? proxy.freeze(true) : proxy.hang('COMMIT'));
  return {
    ...{ running, sender, start, sent },
    async goOn() {
      await proxy.freeze(false);
      await proxy.release();
    },
    /** As the server has it. */
    async heartbeat(): Promise<number> {
      const { rows } = await client.query('SELECT max(heartbeat_at) AS at FROM leases');
      return Number(rows[0]?.at ?? 0);
    },
    executed: () => service.sandbox.book.size,
    async counts(): Promise<Readonly<Record<string, number>>> {
      return (await office.start(['status', 'may', '--json']).ended).json().counts ?? {};
    },
    /** For how long nothing else had its turn in the process that ended last, in milliseconds. */
    loopDelay(): number {
      const path = office.at('delay');
      return existsSync(path) ? Number(readFileSync(path, 'utf8')) : Number.NaN;
    },
  };
}

type Hanging = Awaited<ReturnType<typeof aRunThatHangs>>;

/** What was answered while the server hung is recorded when it is back, and the run, or the next one, pays the rest. */
export async function outlasts(hanging: Hanging, how: Hang, hangsMs: number): Promise<void> {
  const before = await hanging.heartbeat();
  const on = hanging.sent();
  await wait(hangsMs);
  const beats = (await hanging.heartbeat()) - before;
  // Of the rows on the wire at most one more began: its intent was in the ledger already.
  expect(hanging.sent() - on).toBeLessThanOrEqual(2);
  await hanging.goOn();
  const ended = await hanging.running.ended;
  const delay = hanging.loopDelay();
  process.stderr.write(
    `${how} hangs ${hangsMs} ms: ended with ${ended.code}, loop delay ${delay.toFixed(0)} ms, last heartbeat ${beats} ms later\n`,
  );
  // Who waits standing still waits as long as the server hangs; a busy machine takes a second at the most.
  expect(delay).toBeLessThan(Math.min(hangsMs / 2, 5_000));
  expect(await hanging.counts()).toMatchObject({ in_doubt: 0, sending: 0 });
  if (how !== 'the whole server') expect(beats).toBeGreaterThan(hangsMs - 4_000);
  // After ten seconds without a sign of life another process may have the batch: the next run goes on.
  if (ended.code !== 0) await all(hanging.start());
  else await all(hanging.running);
  expect(hanging.executed()).toBe(ROWS);
}

async function all({ ended }: Running): Promise<void> {
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
}

/** Ctrl-C ends both whoever watches and whoever sends for it, and the next run pays the rest. */
export async function areStopped(hanging: Hanging): Promise<void> {
  const { running, sender = running } = hanging;
  await wait(LATENCY_MS + 500);
  const began = performance.now();
  const both = [running, sender].map(async ({ child, ended }) => {
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    return { code, stderr, ms: performance.now() - began };
  });
  const [watching, sending] = await Promise.all(both);
  process.stderr.write(
    `at a worker: the run ended with ${watching?.code} after ${watching?.ms.toFixed(0)} ms, the worker with ${sending?.code} after ${sending?.ms.toFixed(0)} ms\n`,
  );
  for (const each of [watching, sending]) expect(each?.ms, each?.stderr).toBeLessThan(STOPPED_MS_MAX);
  expect(watching?.code).toBe(69);
  expect(watching?.stderr).toContain('Workers may have sent rows.');
  expect(sending?.code).toBe(130);
  await hanging.goOn();
  // The queue takes the job of whoever left for lost after a while.
  for (let tries = 0; hanging.executed() < ROWS && tries < 20; tries += 1) {
    await hanging.start().ended;
    await wait(2_000);
  }
  expect(hanging.executed()).toBe(ROWS);
  expect(await hanging.counts()).toMatchObject({ in_doubt: 0, sending: 0 });
}

/** Ctrl-C ends it although the server still hangs; nothing that the service answered is in doubt, or paid again. */
export async function isStopped(hanging: Hanging, how: Hang): Promise<Ended> {
  // Both rows are answered.
  await wait(LATENCY_MS + 500);
  const began = performance.now();
  hanging.running.child.kill('SIGINT');
  const ended = await hanging.running.ended;
  const ms = performance.now() - began;
  process.stderr.write(`${how} hangs: ended with ${ended.code}, ${ms.toFixed(0)} ms after Ctrl-C\n`);
  expect(ms).toBeLessThan(STOPPED_MS_MAX);
  const executed = hanging.executed();
  await hanging.goOn();
  await all(hanging.start());
  expect(executed).toBeLessThan(ROWS);
  expect(hanging.executed()).toBe(ROWS);
  expect(await hanging.counts()).toMatchObject({ in_doubt: 0, sending: 0 });
  return ended;
}
