/**
 * What can be done with a batch: send it, settle it.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { Money } from '../domain/money/money.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { type SentBatch, sendApproved } from '../use-cases/send/send-approved.ts';
import { type SettledBatch, settleSent } from '../use-cases/settle/settle-sent.ts';
import { NOTHING_BEGUN, rememberWorkOnError } from '../use-cases/work-of-error.ts';
import { DEADLINE_MS, type Door, knownLedger } from './door.ts';
import { requireOwnPlaces } from './outputs.ts';
import { type WantedReports, type WithEnd, wanted, withEnd } from './reports.ts';

export interface SendOptions extends Dialogue, WantedReports {
  /** Principal per destination currency, whole batch, all runs: above it nothing is sent. */
  readonly maxTotals?: readonly Money[] | undefined;
  /** What is taken per source currency, fees included, whole batch, all runs: above it nothing is sent. */
  readonly maxDebits?: readonly Money[] | undefined;
  readonly canary?: number | undefined;
  /** How long a canary may take to settle, and the longest wait for a service that is away. */
  readonly deadlineMs?: number | undefined;
}

export interface SettleBatchOptions extends Dialogue, WantedReports {
  /** How long to wait for transfers to become final; 15 minutes unless told. */
  readonly forMs?: number | undefined;
  /** Settled rows are looked at again for this long: some come back. */
  readonly watchReturnsMs?: number | undefined;
}

export interface BatchMethods {
  /** Sends what is approved, and nothing else. */
  send(batch: string, options?: SendOptions): Promise<WithEnd<SentBatch>>;
  /** Looks transfers up until all are final or the time is over. */
  settle(batch: string, options?: SettleBatchOptions): Promise<WithEnd<SettledBatch>>;
  batches(): Promise<readonly Batch[]>;
}

export function batchMethods(door: Door): BatchMethods {
  const { holder } = door;
  return {
    send: (text, options = {}) => send(text, options, door),
    async settle(text, options = {}) {
      door.requireService();
      await requireOwnPlaces(options, door);
      const batch = await door.batch(text);
      const { forMs: deadlineMs = DEADLINE_MS, watchReturnsMs, signal } = options;
      const ports = await door.ports(options, options.forMs);
      const settled = await settleSent(batch, { holder, deadlineMs, watchReturnsMs, signal }, ports);
      return withEnd(settled, { ...settled, ...wanted(options) }, door);
    },
    batches: async () => (await door.ledger()).batches(),
  };
}

async function send(text: string, options: SendOptions, door: Door): Promise<WithEnd<SentBatch>> {
  const meant = async () => findBatch(text, await knownLedger(door));
  const sent = await rememberWorkOnError(
    () => ({ begun: NOTHING_BEGUN, meant }),
    async () => {
      door.requireService();
      for (const report of options.reports ?? []) await door.parts.requireReportPlace(report);
      await requireOwnPlaces(options, door);
      const batch = await door.batch(text);
      const { maxTotals: ceilings, maxDebits, canary, deadlineMs = DEADLINE_MS, signal } = options;
      const open = () => door.ports(options, options.deadlineMs);
      return sendApproved(
        batch,
        { holder: door.holder, ceilings, maxDebits, canary, deadlineMs, signal },
        { ...(await door.offlinePorts(options)), open },
      );
    },
  );
  return withEnd(sent, { ...sent, ...wanted(options) }, door);
}
