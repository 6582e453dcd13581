/**
 * A place to work in: the real ledger in memory, a scripted payment service and a virtual clock, and the
 * stages of the application as a person would call them.
 */
import { hostname } from 'node:os';
import { onTestFinished } from 'vitest';
import type { Batch } from '../../src/domain/batches/batch.ts';
import type { ConcernKind } from '../../src/domain/payouts/concern.ts';
import type { BatchId, TransferId } from '../../src/domain/payouts/instruction.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/domain/policy.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { openLedger } from '../../src/ledger/file.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { Recorded } from '../../src/ports/ledger/moves.ts';
import type { Transaction } from '../../src/ports/payment-service.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { narrationIn } from '../../src/use-cases/approve/plan-of-batch.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import { importFile } from '../../src/use-cases/intake/import-file.ts';
import { type Placed, placeImport } from '../../src/use-cases/intake/place-import.ts';
import type { Ports, ProgressEvent } from '../../src/use-cases/ports.ts';
import { type Priced, pricePayouts } from '../../src/use-cases/price/price-payouts.ts';
import { type Run, type RunOptions, runBatch } from '../../src/use-cases/run.ts';
import { recoverBatch } from '../../src/use-cases/send/recover-batch.ts';
import {
  type SendBatchOptions,
  type SendBatchResult,
  sendBatch,
} from '../../src/use-cases/send/send-batch.ts';
import { type SettleResult, settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { createKeptLog, type KeptLog } from '../fakes/kept-log.ts';
import {
  createScriptedPaymentService,
  type ScriptedPaymentService,
} from '../fakes/scripted-payment-service.ts';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock.ts';
import { moveOf, rulesOf } from './ledger-batches.ts';
import { type FileRow, openRowsOf } from './payout-file.ts';

/** A process id that nobody has: a workplace that was abandoned counts as a process that died. */
export const HOLDER = { pid: 4_194_303, host: hostname(), user: 'ama', command: 'test' };

export interface Workplace {
  readonly world: Ports;
  readonly ledger: Ledger;
  readonly service: ScriptedPaymentService;
  readonly clock: VirtualClock;
  readonly log: KeptLog;
  readonly told: ProgressEvent[];
  /** Reads a file and decides what it is. Without a name it has one of its own. No two names have the same bytes. */
  place(rows: readonly FileRow[], name?: string, file?: string): Promise<Placed>;
  /** A new batch, priced and approved. */
  approved(rows: readonly FileRow[], name?: string): Promise<BatchId>;
  /** Prices and approves what waits in a batch. */
  agree(batchId: BatchId): Promise<void>;
  price(batchId: BatchId): Promise<Priced>;
  /** Recovers and sends, as the command does. */
  send(batchId: BatchId, options?: Partial<SendBatchOptions>): Promise<SendBatchResult>;
  settle(batchId: BatchId, deadlineMs?: number): Promise<SettleResult>;
  run(batchId: BatchId, options?: Partial<RunOptions>): Promise<Run>;
  payouts(batchId: BatchId): Promise<Payout[]>;
  /** `{ settled: 2, in_doubt: 1 }`. */
  stand(batchId: BatchId): Promise<Partial<Record<Status, number>>>;
  row(batchId: BatchId, rowNumber: number): Promise<Payout>;
  batch(batchId: BatchId): Promise<Batch>;
}

export interface WorkplaceOptions {
  readonly policy?: Partial<Policy>;
  readonly environment?: 'live' | 'sandbox';
  /** In which the ledger cuts days. */
  readonly timeZone?: string;
}

const noSink = async () => {
  throw new TypeError('No report is written');
};
/** Ports for reading batches without writing a file. */
export function readingPorts({ world }: Pick<Workplace, 'world'>): Ports & {
  readonly openSink: () => Promise<never>;
  readonly temporaryFolder: string;
  readonly user: string;
  readonly namesPeople: boolean;
} {
  return { ...world, openSink: noSink, temporaryFolder: '/tmp', user: 'ada', namesPeople: false };
}

/** Records an event as another process on the ledger would, which the service tells what it said before. */
export function recordIn(
  { ledger, world }: Workplace,
  before: Payout,
  event: PayoutEvent,
): Promise<Recorded> {
  return ledger.record(moveOf(before, event, rulesOf(before, event, narrationIn(world))));
}

/** What a payout waits for; nothing where it is not held. */
export function kindsOf({ state }: Payout): readonly ConcernKind[] {
  return state.status === 'held' ? state.reasons.map(({ concern }) => concern.kind) : [];
}

/** Look-ups show this of each transfer from now on. Returns what ends that. */
export function lookUpsShow(
  { service }: Pick<Workplace, 'service'>,
  change: (seen: Transaction, asked: TransferId) => Partial<Transaction>,
): () => void {
  const { transaction } = service;
  service.transaction = async (id, signal) => {
    const asked = await transaction(id, signal);
    if (asked.kind !== 'answered') return asked;
    return { ...asked, answer: { ...asked.answer, ...change(asked.answer, id) } };
  };
  return () => {
    service.transaction = transaction;
  };
}

/** A lease that is never lost. */
export const KEPT: AbortSignal = new AbortController().signal;

export async function aWorkplace({
  policy,
  environment = 'sandbox',
  timeZone,
}: WorkplaceOptions = {}): Promise<Workplace> {
  const clock = createVirtualClock();
  const binding = { environment, baseUrl: 'https://pay.example', loginId: 'shop' };
  const ledger = await aLedger({ binding, create: true, clock, timeZone });
  return workplaceOn({
    ledger,
    clock,
    service: createScriptedPaymentService(clock),
    policy: { ...DEFAULT_POLICY, concurrency: 4, ...policy },
  });
}

const SERVER = process.env['TEST_LEDGER_SERVER'];
let ledgers = 0;
/** In memory, or on the server that the whole run was given (test/on-postgres.ts). */
async function aLedger(options: Omit<Parameters<typeof openLedger>[0], 'path'>): Promise<Ledger> {
  if (SERVER === undefined) return openLedger({ path: ':memory:', ...options });
  ledgers += 1;
  const place = { ...(JSON.parse(SERVER) as ServerPlace), schema: `test_${process.pid}_${ledgers}` };
  const ledger = await openServerLedger({ place, ...options });
  try {
    onTestFinished(() => ledger.close());
  } catch {
    // Made before the tests of a file: closed with the process.
  }
  return ledger;
}

/** Another process on the same ledger and the same service. */
export function workplaceOn(parts: {
  readonly ledger: Ledger;
  readonly clock: VirtualClock;
  readonly service: ScriptedPaymentService;
  readonly policy: Policy;
}): Workplace {
  const { ledger, clock, service, policy } = parts;
  const log = createKeptLog();
  const told: ProgressEvent[] = [];
  const world: Ports = {
    ledger,
    paymentService: service,
    clock,
    log,
    policy,
    tell: (event) => told.push(event),
    hasOwnLogin: true,
  };
  let unnamed = 0;
  const ownName = () => {
    unnamed += 1;
    return `pay ${unnamed}`;
  };
  const place: Workplace['place'] = async (rows, name = ownName(), file = 'pay.csv') => {
    const open = { path: file };
    const options = { open, name, source: 'GB', maker: 'ama' };
    const imported = await importFile(openRowsOf(rows, name), options, world);
    return placeImport({ imported, name, holder: HOLDER }, world);
  };
  const price: Workplace['price'] = (batchId) => pricePayouts(batchId, world, {});
  const agree: Workplace['agree'] = async (batchId) => {
    await price(batchId);
    await approveBatch(batchId, { by: 'ben', how: 'library', digest: undefined }, world);
  };
  const payouts: Workplace['payouts'] = async (batchId) => {
    const all: Payout[] = [];
    for await (const page of ledger.payouts(batchId)) all.push(...page);
    return all;
  };
  const run: Workplace['run'] = async (batchId, options) => {
    const asked: RunOptions = {
      consent: async () => ({ kind: 'agreed', how: 'library' }),
      skipInvalid: false,
      ceilings: undefined,
      deadlineMs: 15 * 60_000,
      holder: HOLDER,
      ...options,
    };
    return runBatch(await findBatch(batchId, ledger), asked, world);
  };
  return {
    ...{ world, ledger, service, clock, log, told, place, agree, price, payouts, run },
    async approved(rows, name) {
      const { batch } = await place(rows, name);
      await agree(batch.id);
      return batch.id;
    },
    async send(batchId, options) {
      await recoverBatch(batchId, HOLDER, world);
      return sendBatch(batchId, world, { holder: HOLDER, leaseLost: KEPT, ...options });
    },
    settle: (batchId, deadlineMs = 15 * 60_000) =>
      settleBatch(batchId, world, { deadline: plusMs(clock.now(), deadlineMs) }),
    async stand(batchId) {
      const counts = Object.entries(await ledger.counts(batchId)).filter(([, count]) => count > 0);
      return Object.fromEntries(counts);
    },
    async row(batchId, rowNumber) {
      const payout = (await payouts(batchId)).find((one) => one.rowNumber === rowNumber);
      if (payout === undefined) throw new TypeError(`Batch ${batchId} has no row ${rowNumber}`);
      return payout;
    },
    async batch(batchId) {
      const batch = await ledger.batch(batchId);
      if (batch === undefined) throw new TypeError(`There is no batch ${batchId}`);
      return batch;
    },
  };
}
