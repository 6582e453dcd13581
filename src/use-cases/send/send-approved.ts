/**
 * Sends the approved rows of a batch and nothing else. Takes the lease, and first recovers rows that an earlier process
 * left in flight.
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
import type { PartWorkers } from './hand-out.ts';
import { type SendBatchResult, sendBatch } from './send-batch.ts';

export interface SendRequest extends Ceilings {
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  /** Number of canary rows; undefined keeps that of an earlier request, 0 ends the canary. */
  readonly canary?: number | undefined;
  /** How long the canary may take to settle. */
  readonly deadlineMs: number;
  /** Workers that send parts under this lease; undefined: this process, or the workers of `ports.fleet`. */
  readonly partWorkers?: ((lease: Lease) => Promise<PartWorkers>) | undefined;
}

export interface SentBatch extends SendBatchResult {
  readonly batch: Batch;
  /** Set if the batch pays more than its ceilings allow. Then nothing was sent. */
  readonly overCeiling: OverCeiling | undefined;
  /** Rows were, or may have been, sent, so the host shows a table. */
  readonly hasTable: boolean;
  /** Exit codes in addition to those of the rows. */
  readonly codes: readonly ExitCode[];
  /** The exit code ignores the states of the rows, for example because nothing was sent. */
  readonly ignoresRows: boolean;
  /** Next command, if it differs from that of the rows. */
  readonly next: Command | undefined;
}

/** Opens the service only if rows may be sent. */
export async function sendApproved(
  batch: Batch,
  request: SendRequest,
  { open, ...offline }: Planning & { readonly open: () => Promise<Ports> },
): Promise<SentBatch> {
  const known = () => ({ begun: NOTHING_BEGUN, intended: async () => batch });
  return rememberWorkOnError(known, async () => {
    const over = await overCeilingNow(batch, request, offline);
    return over === undefined ? sendNow(batch, request, await open()) : notSent(batch, over);
  });
}

/** Builds the plan only if there are bounds, because that reads all rows. */
async function overCeilingNow(
  batch: Batch,
  bounds: Ceilings,
  ports: Planning,
): Promise<OverCeiling | undefined> {
  if (bounds.ceilings === undefined && bounds.maxDebits === undefined) return undefined;
  return overCeiling(await planOf(batch.id, ports), bounds);
}

export async function sendNow(batch: Batch, request: SendRequest, opened: Ports): Promise<SentBatch> {
  const { id } = batch;
  const { holder, signal, ceilings, maxDebits, canary: rows, deadlineMs } = request;
  const asked = { holder, signal, request: { ceilings, maxDebits, canary: rows, deadlineMs } };
  return whileSending(opened, async ({ ports, startBatch }) => {
    await startBatch(batch);
    return doStage('send', batch, asked, ports, async (leaseLost, lease) => {
      // People may have approved more rows since the first check. Under the lease they cannot.
      const over = await overCeilingNow(batch, request, ports);
      if (over !== undefined) return notSent(batch, over);
      const deadline = () => plusMs(ports.clock.now(), deadlineMs);
      const canary = { rows, by: holder.user, deadline };
      const partWorkers = await request.partWorkers?.(lease);
      const options = { holder, signal, leaseLost, maxDebits, canary, partWorkers };
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
  const end = { codes, ignoresRows: isSilent || isOverDebit, hasTable: true, next };
  return { ...sent, ...end, batch, overCeiling: undefined };
}

function notSent(batch: Batch, overCeilings: OverCeiling): SentBatch {
  const why = { overCeiling: overCeilings, codes: [EXIT.needsPerson], hasTable: false };
  return { ...NOTHING_SENT, ...why, doubts: 0, batch, ignoresRows: true, next: undefined };
}

/** Exit codes of a sending, without those of an interruption. */
function sendCodes({ stop, moved }: SendBatchResult): readonly ExitCode[] {
  const isOverDebit = stop?.kind === 'over_debit';
  const isStopped = stop !== undefined && stop.kind !== 'interrupted' && !isOverDebit;
  return [
    ...(isStopped ? [EXIT.stopped] : []),
    ...(moved.length > 0 || isOverDebit ? [EXIT.needsPerson] : []),
  ];
}

/** For a bad canary, explain its row. For a slow one, send again. */
function canaryNext(batch: Batch, { stop }: SendBatchResult): Command | undefined {
  if (stop?.kind !== 'canary') return undefined;
  const label = batchLabel(batch);
  return stop.row === undefined ? command('send', [label]) : command('explain', [label, stop.row]);
}
