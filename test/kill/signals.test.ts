/** Processes that are told to stop, are stopped, lose their listeners or break: what is in flight is not lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import type { Running } from '../builders/office.ts';
import { type Compiled, compile } from './compiled.ts';
import { RUN } from './round.ts';
import { type Service, startService } from './service.ts';
import { openTarget, payoutFile, type Target } from './target.ts';
import { linesOf, violations } from './verdict.ts';

const WORDS = [...RUN, '--report', 'may.json', '--deadline', '20s'];
const ROWS = 9;

let compiled: Compiled;
let service: Service;
let target: Target;
let accounts: readonly string[] = [];
let number = 0;
beforeAll(async () => {
  compiled = compile(commandPath());
  service = await startService({ latencyMs: 250 });
});
afterAll(() => {
  service?.close();
  compiled?.remove();
});
beforeEach(() => {
  number += 1;
  target = openTarget(compiled, service, { PAYFILE_CONCURRENCY: '2' });
  accounts = Array.from(
    { length: ROWS },
    (_, row) => `1${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
  );
  writeFileSync(join(target.folder, 'may.csv'), payoutFile(accounts));
});
afterEach(() => target.close());

const statuses = () => linesOf(target, 'may.json').map(({ status }) => status);
const count = (status: string) => statuses().filter((each) => each === status).length;
const executed = async () => (await service.seen(accounts)).filter((request) => request.executed).length;

/** Until the service has seen so many transfers of this batch. */
async function seenBy(running: Running, transfers: number): Promise<void> {
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await service.seen(accounts)).length < transfers) await wait(20);
}

async function finishes(doubtsMax: number): Promise<void> {
  const last = await target.run(WORDS);
  expect([3, 5], last.stderr).toContain(last.code);
  const seen = await service.seen(accounts);
  expect(await violations(target, { accounts, seen, doubtsMax, report: 'may.json' })).toEqual([]);
}

/** All three in the soak. Every day one, and SIGINT below. */
const STOPS =
  process.env['SOAK'] === '1' ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGTERM'] as const);

it.each(STOPS)(
  '[L12] %s starts nothing new, waits for what is in flight, and puts no row in doubt',
  async (name) => {
    const running = target.start(WORDS);
    await seenBy(running, 3);
    running.child.kill(name);
    const ended = await running.ended;
    // Rows that are still approved come before the signal: run again.
    expect(ended.code, ended.stderr).toBe(6);
    expect(ended.stderr).toContain('Stopping: nothing new is started');
    expect(count('approved')).toBeGreaterThan(0);
    expect(count('in_doubt')).toBe(0);
    expect(count('settled') + count('accepted')).toBe(await executed());
    await finishes(0);
  },
  60_000,
);

it('[L12] a second SIGINT ends at once, saying how many rows are left in flight, and those are in doubt later', async () => {
  const running = target.start(WORDS);
  await seenBy(running, 3);
  running.child.kill('SIGINT');
  await wait(30);
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(130);
  const left = Number(/(\d+) rows? left in flight/.exec(ended.stderr)?.[1]);
  expect(left).toBeGreaterThan(0);
  await finishes(left);
  expect(count('in_doubt')).toBe(left);
}, 60_000);

it('[L12] a closed terminal (EPIPE on both outputs) does not disturb the payments', async () => {
  const running = target.start(WORDS);
  running.child.stdout?.destroy();
  running.child.stderr?.destroy();
  await seenBy(running, ROWS - 1);
  running.child.kill('SIGWINCH');
  await new Promise((resolve) => running.child.once('exit', resolve));
  expect(running.child.exitCode).toBe(3);
  expect(count('settled')).toBe(ROWS - 1);
  await finishes(0);
}, 60_000);

it('[L13] an error that nobody caught stops new rows and waits for those in flight', async () => {
  const ended = await target.run(WORDS, {
    kind: 'boundary',
    label: 'J4',
    when: 'after',
    nth: 2,
    act: 'throw',
  });
  expect(ended.stderr).toContain('This is a bug of payfile: a bug planted by the test');
  expect(ended.code, ended.stderr).toBe(1);
  expect(count('approved')).toBeGreaterThan(0);
  expect(count('in_doubt')).toBe(0);
  await finishes(0);
}, 60_000);

it('[L14] a process that runs out of memory leaves at most what was in flight in doubt', async () => {
  target.env['NODE_OPTIONS'] = `${compiled.preload} --max-old-space-size=60`;
  const ended = await target.run(WORDS, {
    kind: 'boundary',
    label: 'J5',
    when: 'before',
    nth: 2,
    act: 'out_of_memory',
  });
  expect(ended.stderr).toContain('heap out of memory');
  await finishes(2);
}, 60_000);

it('[L15] a process stopped between intent and bytes for more than 2 s does not write them; the row goes out once', async () => {
  const running = target.start(WORDS, { kind: 'boundary', label: 'J4', when: 'after', nth: 1, act: 'stop' });
  while (!target.trace().includes('stop J4 after')) await wait(20);
  await wait(2_300);
  expect(await service.seen(accounts)).toEqual([]);
  running.child.kill('SIGCONT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(3);
  const lines = linesOf(target, 'may.json') as unknown as readonly { status: string; attempts: number }[];
  expect(lines.map(({ attempts }) => attempts).filter((attempts) => attempts > 1)).toEqual([2]);
  await finishes(0);
}, 60_000);

it('[L15] a process stopped for minutes, whose batch another took over, sends nothing when it wakes', async () => {
  const running = target.start(WORDS, { kind: 'boundary', label: 'J4', when: 'after', nth: 3, act: 'stop' });
  while (!target.trace().includes('stop J4 after')) await wait(20);
  // As if it had been silent for minutes.
  const raw = new DatabaseSync(target.ledgerPath);
  raw.exec('UPDATE leases SET heartbeat_at = heartbeat_at - 600000');
  raw.close();
  const other = await target.run(WORDS);
  expect(other.code, other.stderr).toBe(5);
  await wait(2_100);
  const before = (await service.seen(accounts)).length;
  running.child.kill('SIGCONT');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).not.toBe(0);
  expect((await service.seen(accounts)).length).toBe(before);
  await finishes(2);
}, 60_000);
