/** One payfile in a program that goes on: it listens, looks first and works later, and closes while work goes on. */

import { copyFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { run } from '../../src/operations/run.ts';
import { createPayfile, type Payfile, type PayfileOptions } from '../../src/payfile.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { stateOf, summaryOf } from '../builders/batch-state.ts';
import { planFile } from '../builders/library-calls.ts';
import {
  clock,
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';

const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
const END_OF_PATIENCE = { clock: clock.withPauses(30_000) };

let service: LiveService;
let office: Office;
let opened: Payfile[] = [];
afterEach(async () => {
  for (const payfile of opened) await payfile.close();
  opened = [];
  await service.sandbox.close();
  office.close();
});

async function program(options: SandboxOptions = {}) {
  service = await startLiveService(options);
  office = openOffice(service.env);
  office.file('may.csv', payrollCsv(GOOD.map((account) => [account, '50.00'])));
}

function open(more: Partial<PayfileOptions> = {}): Payfile {
  const { baseUrl, authUrl, credentials } = service.sandbox;
  const own = { ledger: office.at('ledger.db'), createLedger: true, actor: 'ada', source: 'GB' };
  const options = { service: { baseUrl, authUrl, ...credentials }, ...own, ...more };
  const payfile = createPayfile(options, {
    ...END_OF_PATIENCE,
    env: { HOME: office.folder },
    cwd: office.folder,
  });
  opened.push(payfile);
  return payfile;
}

const counts = async (payfile: Payfile) => (await summaryOf(payfile, 'may')).totals.counts;

it('waits for the answer that is on its way, and writes it down', async () => {
  let closing: Promise<void> | undefined;
  // The service writes this line when a request was executed, and answers later.
  const log = () => {
    if (service.sandbox.book.size > 0) closing ??= payfile.close();
  };
  await program({ latencyMs: 50, log });
  const payfile = open();
  const { end } = await payfile.call(run, { file: 'may.csv', batch: 'may', consent });
  await closing;
  await payfile.close();
  expect(end.kind).toBe('interrupted');
  expect(await counts(open())).toMatchObject({ accepted: 1, approved: GOOD.length - 1 });
  expect(service.sandbox.book.entries()).toHaveLength(1);
});

it('refuses everything after it was closed, and nothing is sent', async () => {
  await program();
  const payfile = open();
  await payfile.close();
  const { environment: _environment, close: _close, as: _as, ...methods } = payfile;
  const flat = Object.values(methods).flatMap((each) =>
    typeof each === 'object' ? Object.values(each) : [each],
  );
  for (const method of flat as (() => Promise<unknown>)[])
    await expect(method()).rejects.toMatchObject({ name: 'PayfileClosed', code: 'closed' });
});

it('sends nothing when nobody has agreed yet, and waits for no answer', async () => {
  await program();
  const payfile = open();
  let closing: Promise<void> | undefined;
  const never = () => {
    closing = payfile.close();
    return new Promise<never>(() => undefined);
  };
  const running = payfile.call(run, { file: 'may.csv', batch: 'may', consent: never });
  await expect(running).rejects.toMatchObject({ name: 'PayfileClosed' });
  await closing;
  expect(service.sandbox.book.entries()).toEqual([]);
});

it.each(['throws', 'rejects', 'changes what it is shown'])(
  'pays all the same when a listener %s',
  async (what) => {
    await program();
    const wrong = (shown?: object) => {
      if (what === 'throws') throw new Error('a mistake of the caller');
      if (what === 'rejects') return Promise.reject(new Error('a mistake of the caller')) as never;
      if (shown === undefined || !('payout' in shown)) return;
      const { payout } = shown as { payout: { state: { status: string }; instruction: { account: object } } };
      Object.assign(payout.instruction.account, { reveal: () => '1011130024599' });
      payout.state.status = 'approved';
    };
    const payfile = open({ log: { write: () => wrong() }, onProgress: wrong });
    const { end } = await payfile.call(run, { file: 'may.csv', batch: 'may', consent });
    expect(end.kind).toBe('sent');
    expect(await counts(payfile)).toMatchObject({ settled: GOOD.length });
    expect(service.sandbox.book.entries()).toHaveLength(GOOD.length);
  },
);

it('works after it only looked', async () => {
  await program();
  await planFile(open(), 'may.csv', { batch: 'may' });
  await opened[0]?.close();
  const payfile = open();
  expect((await stateOf(payfile, 'may')).batch.name).toBe('may');
  expect((await payfile.ledger.verify()).problems).toEqual([]);
  expect((await payfile.batches.pause({ batch: 'may' })).pause).toBeDefined();
  expect((await stateOf(payfile, 'may')).batch.pause).toBeDefined();
  await payfile.batches.resume({ batch: 'may' });
  expect((await payfile.call(run, { file: 'may.csv', batch: 'may', consent })).end.kind).toBe('sent');
});

it('accepts a ledger after it only looked at it', async () => {
  await program();
  await planFile(open(), 'may.csv', { batch: 'may' });
  await opened[0]?.close();
  copyFileSync(office.at('ledger.db'), office.at('copy.db'));
  const payfile = open({ ledger: office.at('copy.db') });
  await stateOf(payfile, 'may');
  await expect(payfile.batches.pause({ batch: 'may' })).rejects.toMatchObject({ code: 'ledger_unknown' });
  expect((await payfile.ledger.verify()).unknownHere).toBeDefined();
  expect((await payfile.ledger.verify({ acceptLedger: true })).accepted).toBeDefined();
  expect((await payfile.ledger.verify()).unknownHere).toBeUndefined();
  expect((await payfile.batches.pause({ batch: 'may' })).pause).toBeDefined();
});
