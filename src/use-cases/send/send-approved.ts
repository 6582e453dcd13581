/**
 * Sends what is approved of a batch, and nothing else: under its lease, after recovering what an earlier process left on
 * the wire.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { Money } from '../../domain/money/money.ts';
import type { Command } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { plusMs } from '../../domain/timestamp.ts';
import type { Lease, LeaseHolder } from '../../ports/ledger/leases.ts';
import { type Planning, planOf } from '../approve/plan-of-batch.ts';
import { atWorkers } from '../fleet/at-workers.ts';
import { type Ports, tellStage, withLease } from '../ports.ts';
import { type NotAgreed, overCeiling } from '../run-batch.ts';
import { canaryNext, hasMoved, sendCodes, stopCodes } from '../run-end.ts';
import { NOTHING_BEGUN, rememberWorkOnError, whileSending } from '../work-of-error.ts';
import { NOTHING_SENT } from './finish-sending.ts';
import type { Crew } from './hand-out.ts';
import { recoverBatch } from './recover-batch.ts';
import { type SendBatchResult, sendBatch } from './send-batch.ts';

export interface SendRequest {
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Principal per destination currency, whole batch, all runs; undefined: no ceiling. */
  readonly ceilings?: readonly Money[] | undefined;
  /** What may be taken per source currency, fees included, whole batch, all runs; undefined: no bound. */
  readonly maxDebits?: readonly Money[] | undefined;
  /** How many rows go alone and settle first; undefined: as an earlier request asked, 0: none. */
  readonly canary?: number | undefined;
  /** How long the canary may take to settle. */
  readonly deadlineMs: number;
  /** Who sends parts of it, under this lease; undefined: this process alone, or whoever is asked by `ports.fleet`. */
  readonly crew?: ((lease: Lease) => Promise<Crew>) | undefined;
}

export type OverCeiling = Extract<NotAgreed, { kind: 'over_ceiling' }>;

export interface SentBatch extends SendBatchResult {
  readonly batch: Batch;
  /** Nothing was sent because the batch pays more than its ceilings allow. */
  readonly overCeiling: OverCeiling | undefined;
  /** Something of it was, or may have been, sent: the rows are worth a table. */
  readonly hasTable: boolean;
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** The service said nothing, and nothing of the batch ever went out: its rows are no news. */
  readonly isDoneBefore: boolean;
  /** What to do next, where that is not what the rows ask for. */
  readonly next: Command | undefined;
}

/** The service is reached only when something may be sent. */
export async function sendApproved(
  batch: Batch,
  request: SendRequest,
  { open, ...offline }: Planning & { readonly open: () => Promise<Ports> },
): Promise<SentBatch> {
  const known = () => ({ begun: NOTHING_BEGUN, meant: async () => batch });
  return rememberWorkOnError(known, async () => {
    const over = overCeiling(await planOf(batch.id, offline), request);
    return over === undefined ? sendNow(batch, request, await open()) : notSent(batch, over);
  });
}

async function sendNow(batch: Batch, request: SendRequest, opened: Ports): Promise<SentBatch> {
  const { id } = batch;
  const { holder, signal, ceilings, maxDebits, canary: rows, deadlineMs } = request;
  const asked = { batchId: id, holder, signal, request: { ceilings, maxDebits, canary: rows, deadlineMs } };
  return whileSending(opened, async ({ ports, on }) => {
    await on(batch);
    const elsewhere = await atWorkers<Omit<SentBatch, 'batch'>>('send', asked, ports);
    if (elsewhere !== undefined) return { ...elsewhere, batch };
    const { over, sent } = await withLease(id, holder, ports, async (leaseLost, lease) => {
      await recoverBatch(id, holder, ports);
      // Somebody may have approved more since the first look; under the lease nobody does.
      const over = overCeiling(await planOf(id, ports), request);
      if (over !== undefined) return { over, sent: undefined };
      await tellStage('send', id, ports);
      const deadline = () => plusMs(ports.clock.now(), deadlineMs);
      const canary = { rows, by: holder.user, deadline };
      const crew = await request.crew?.(lease);
      const options = { holder, signal, leaseLost, maxDebits, canary, crew };
      return { sent: await sendBatch(id, ports, options) };
    });
    if (over !== undefined) return notSent(batch, over);
    const isSilent = ports.silence?.ended() !== undefined && !(await hasMoved(id, ports.ledger));
    const known: readonly ExitCode[] = isSilent
      ? [EXIT.serviceUnavailable]
      : [...sendCodes(sent), ...(sent.incidents.length > 0 ? [EXIT.inDoubt] : [])];
    const codes = [...stopCodes(signal), ...known];
    const next = canaryNext(batch, sent);
    const isOverDebit = sent.stop?.kind === 'over_debit' && sent.doubts === 0;
    const end = { codes, isDoneBefore: isSilent || isOverDebit, hasTable: true, next };
    return { ...sent, ...end, batch, overCeiling: undefined };
  });
}

function notSent(batch: Batch, overCeilings: OverCeiling): SentBatch {
  const why = { overCeiling: overCeilings, codes: [EXIT.needsPerson], hasTable: false };
  return { ...NOTHING_SENT, ...why, doubts: 0, batch, isDoneBefore: true, next: undefined };
}
