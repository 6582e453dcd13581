/**
 * Looks up what became of a batch's transfers, under its lease, and says whether anything changed.
 */
import { type Batch, type BatchOutcome, batchLabel, batchOutcome } from '../../domain/batches/batch.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode, stopCodes } from '../../domain/reporting/exit-code.ts';
import { plusMs } from '../../domain/timestamp.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import { doStage } from '../fleet/at-workers.ts';
import type { Ports } from '../ports.ts';
import { besideStatusOf } from '../report/batch-standing.ts';
import { rememberWorkOnError } from '../work-of-error.ts';
import { type SettleResult, settleBatch } from './settle-batch.ts';

interface SettleRequest {
  readonly holder: LeaseHolder;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** A watch (--watch-returns): settled rows are looked at again for this long. undefined: for the days of the policy. */
  readonly watchReturnsMs?: number | undefined;
}

export interface SettledBatch extends SettleResult {
  readonly batch: Batch;
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** A watch in which every look was answered and nothing changed: what the rows came to is no news. */
  readonly ignoresRows: boolean;
  /** The service showed all rows that were due, and none changed since the last look. */
  readonly isUnchanged: boolean;
  /** What the batch came to, where that was known before. */
  readonly knownBefore: BatchOutcome | undefined;
  /** Final rows that were due and of which the service showed nothing: what became of them is not known. */
  readonly unseen: number;
  /** Looks again, where rows got no status or are on their way. */
  readonly lookAgain: Command | undefined;
  /** The same request once more, where the service gave no answer. */
  readonly again: Command | undefined;
}

export async function settleSent(batch: Batch, request: SettleRequest, ports: Ports): Promise<SettledBatch> {
  const { id } = batch;
  const { holder, signal, deadlineMs, watchReturnsMs } = request;
  const asked = { holder, signal, request: { deadlineMs, watchReturnsMs } };
  // Also where no worker does it in the end.
  const deadline = plusMs(ports.clock.now(), deadlineMs);
  const settle = async () => {
    const settled = await settleBatch(id, ports, { deadline, signal, watchReturnsMs, saysNext: true });
    const isWatch = watchReturnsMs !== undefined;
    const counts = await ports.ledger.counts(id);
    const codes: readonly ExitCode[] = [
      ...stopCodes(signal),
      ...(settled.incidents.length > 0 ? [EXIT.inDoubt] : []),
      ...lookCodes(settled),
      // Exceptions of an earlier day were told then; a row that waits for its approval is not paid without it.
      ...(isWatch && counts.quoted + counts.planned > 0 ? [EXIT.needsPerson] : []),
    ];
    const beside = await besideStatusOf(id, ports);
    const outcome = batchOutcome(counts, { ...beside, incidents: 0 });
    const isUnchanged = isWholeLook(settled);
    const isSame = isUnchanged || settled.nextLook !== undefined;
    const isNoNews = isWatch && isSame && outcome.exitCode === EXIT.exceptions && beside.differing === 0;
    const knownBefore = isNoNews ? outcome : undefined;
    const unseen = unseenIn(settled);
    const settleAgain = command('settle', [batchLabel(batch)]);
    const again = isWatch && unseen > 0 ? watchAgain(batch, watchReturnsMs) : settleAgain;
    const lookAgain = unseen > 0 || counts.accepted > 0 ? again : undefined;
    return {
      ...settled,
      batch,
      codes,
      ignoresRows: isNoNews,
      isUnchanged,
      knownBefore,
      unseen,
      lookAgain,
      again: codes.includes(EXIT.serviceUnavailable) ? again : undefined,
    };
  };
  const known = () => ({ batch });
  return rememberWorkOnError(known, () => doStage('settle', batch, asked, ports, settle));
}

/**
 * A daily watch reports a return once, on the day it is seen. “Nothing changed” covers only rows that the service
 * answered about.
 */
function isWholeLook(settled: SettleResult): boolean {
  const { changed, isUnanswered, isWayAsBefore, nextLook, watch } = settled;
  const isSeen = nextLook === undefined && unseenIn(settled) === 0 && !isUnanswered && isWayAsBefore;
  return isSeen && watch.unclear === 0 && changed === 0;
}

function unseenIn({ watch }: SettleResult): number {
  return watch.unanswered + watch.notFound + watch.notReached;
}

const HOUR_MS = 3_600_000;

function watchAgain(batch: Batch, watchReturnsMs: number): Command {
  const hours = Math.max(1, Math.ceil(watchReturnsMs / HOUR_MS));
  const time = hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
  return command('settle', [batchLabel(batch)], [['--watch-returns', time]]);
}

/** “Not found” is an answer: it is asked again, and a day later it is something to look at. */
function lookCodes({ watch, isUnanswered, nextLook, notShown, missing }: SettleResult): readonly ExitCode[] {
  if (isUnanswered || watch.unanswered > 0) return [EXIT.serviceUnavailable];
  // Rows that an earlier look could not ask about, and that are not due yet.
  const isSilent = nextLook !== undefined && (notShown?.count ?? 0) > 0;
  return isSilent || watch.notReached > 0 || watch.notFound > missing ? [EXIT.onItsWay] : [];
}
