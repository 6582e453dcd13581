/**
 * Sends what is approved of a batch, and nothing else: under its lease, after recovering what an earlier process left on
 * the wire.
 */
import { type Batch, batchLabel, isMoved } from '../../domain/batches/batch.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import { type Ceilings, type OverCeiling, overCeiling } from '../../domain/plan/limits.ts';
import { EXIT, type ExitCode, stopCodes } from '../../domain/reporting/exit-code.ts';
import { plusMs } from '../../domain/timestamp.ts';
import type { Lease, LeaseHolder } from '../../ports/ledger/leases.ts';
import { type Planning, planOf } from '../approve/plan-of-batch.ts';
import { doStage } from '../fleet/at-workers.ts';
import type { Ports } from '../ports.ts';
import { NOTHING_BEGUN, rememberWorkOnError, whileSending } from '../work-of-error.ts';
import { NOTHING_SENT } from './finish-sending.ts';
import type { Crew } from './hand-out.ts';
import { type SendBatchResult, sendBatch } from './send-batch.ts';

export interface SendRequest extends Ceilings {
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** How many rows go alone and settle first; undefined: as an earlier request asked, 0: none. */
  readonly canary?: number | undefined;
  /** How long the canary may take to settle. */
  readonly deadlineMs: number;
  /** Who sends parts of it, under this lease; undefined: this process alone, or whoever is asked by `ports.fleet`. */
  readonly crew?: ((lease: Lease) => Promise<Crew>) | undefined;
}

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
    const over = await overNow(batch, request, offline);
    return over === undefined ? sendNow(batch, request, await open()) : notSent(batch, over);
  });
}

/** A plan is made of all rows, and only its bounds need it. */
async function overNow(batch: Batch, bounds: Ceilings, ports: Planning): Promise<OverCeiling | undefined> {
  if (bounds.ceilings === undefined && bounds.maxDebits === undefined) return undefined;
  return overCeiling(await planOf(batch.id, ports), bounds);
}

export async function sendNow(batch: Batch, request: SendRequest, opened: Ports): Promise<SentBatch> {
  const { id } = batch;
  const { holder, signal, ceilings, maxDebits, canary: rows, deadlineMs } = request;
  const asked = { holder, signal, request: { ceilings, maxDebits, canary: rows, deadlineMs } };
  return whileSending(opened, async ({ ports, on }) => {
    await on(batch);
    return doStage('send', batch, asked, ports, async (leaseLost, lease) => {
      // Somebody may have approved more since the first look; under the lease nobody does.
      const over = await overNow(batch, request, ports);
      if (over !== undefined) return notSent(batch, over);
      const deadline = () => plusMs(ports.clock.now(), deadlineMs);
      const canary = { rows, by: holder.user, deadline };
      const crew = await request.crew?.(lease);
      const options = { holder, signal, leaseLost, maxDebits, canary, crew };
      return endOf(batch, await sendBatch(id, ports, options), signal, ports);
    });
  });
}

async function endOf(
  batch: Batch,
  sent: SendBatchResult,
  signal: AbortSignal | undefined,
  { silence, ledger }: Ports,
): Promise<SentBatch> {
  const isSilent = silence?.ended() !== undefined && !isMoved(await ledger.counts(batch.id));
  const known: readonly ExitCode[] = isSilent
    ? [EXIT.serviceUnavailable]
    : [...sendCodes(sent), ...(sent.incidents.length > 0 ? [EXIT.inDoubt] : [])];
  const codes = [...stopCodes(signal), ...known];
  const next = canaryNext(batch, sent);
  const isOverDebit = sent.stop?.kind === 'over_debit' && sent.doubts === 0;
  const end = { codes, isDoneBefore: isSilent || isOverDebit, hasTable: true, next };
  return { ...sent, ...end, batch, overCeiling: undefined };
}

function notSent(batch: Batch, overCeilings: OverCeiling): SentBatch {
  const why = { overCeiling: overCeilings, codes: [EXIT.needsPerson], hasTable: false };
  return { ...NOTHING_SENT, ...why, doubts: 0, batch, isDoneBefore: true, next: undefined };
}

/** What sending says of a batch, apart from who interrupted it. */
function sendCodes({ stop, moved }: SendBatchResult): readonly ExitCode[] {
  const isOverDebit = stop?.kind === 'over_debit';
  const isStopped = stop !== undefined && stop.kind !== 'interrupted' && !isOverDebit;
  return [
    ...(isStopped ? [EXIT.stopped] : []),
    ...(moved.length > 0 || isOverDebit ? [EXIT.needsPerson] : []),
  ];
}

/** A canary that is no good is looked at first; one that was only slow is waited for again. */
function canaryNext(batch: Batch, { stop }: SendBatchResult): Command | undefined {
  if (stop?.kind !== 'canary') return undefined;
  const label = batchLabel(batch);
  return stop.row === undefined ? command('send', [label]) : command('explain', [label, stop.row]);
}
