/**
 * `payfile settle BATCH`: looks up what became of the transfers until all are final or the deadline comes.
 * Running out of time is not a failure: the rows stay on their way (exit code 4).
 *
 * Every settled row that is not too old gets one look when it is due, without waiting: run by cron, it finds what came
 * back. With --watch-returns a batch that ended with exceptions ends with 3 when something changed, else with 0. A row that
 * differs from what was asked keeps its batch at 3 until a person accepts the difference.
 * A row that failed, came back or newly differs ends it with 3, also while other rows are on their way.
 * It says so when the service did not show every row that was due: 69 where no answer came, 4 where the deadline came or
 * the service did not show a transfer.
 * --json: as show/batch.ts says, and changes: [{rowNumber, from, to, differs}] (the first thousand; `differs` is empty where
 * a row no longer differs), changed: how many, watch: {due, unanswered, notFound, unclear, notReached}, notShown: {count,
 * rows: [{rowNumber, dueAt}]}: rows whose status is not known (the first thousand). `dueAt`: when payfile asks about the row
 * next; null: now. Where no row was due, a sentence says when the next look is.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { command } from '../../domain/next-steps/command.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted, countText, printable, rowsText } from '../../domain/text/printable.ts';
import { formatTimestamp, minuteOf, plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { SettledBatch, WithEnd } from '../../payfile.ts';
import { argument, type Call, type Opened } from '../call.ts';
import { refuseSameOutputs, refuseUnknownFormats } from '../check-outputs.ts';
import { endOfWork } from '../failure.ts';
import { openParts } from '../open-parts.ts';
import { showEnded } from '../show/batch.ts';

const CHANGES_SHOWN = 50;

export async function settle(call: Call): Promise<ExitCode> {
  refuseUnknownFormats(call);
  const opened = await openParts(call);
  await refuseSameOutputs(opened, call);
  const { deadline: forMs, watchReturns: watchReturnsMs, report: reports, fullAccounts } = call.flags;
  const options = { forMs, watchReturnsMs, reports, fullAccounts, signal: call.stopping.signal };
  const work = () => opened.payfile.settle(argument(call, 0), options);
  return endOfWork(work, (settled) => show(settled, opened, call), {
    opened,
    call,
    again: command('settle', [argument(call, 0)]),
  });
}

function show(settled: WithEnd<SettledBatch>, opened: Opened, call: Call): ExitCode {
  const { changes, changed, watch, knownBefore, batchEnd } = settled;
  if (call.flags.watchReturns !== undefined) tellChanges(settled, call);
  const named = notShownText(settled);
  const unseen = [unseenText(settled) ?? (named && nothingDueText(settled)), named];
  const json = { changes, changed, watch, notShown: notShownJson(settled) };
  const sentence = knownBefore && `Known before: ${knownBefore.sentence}.`;
  const texts = unseen.filter((text) => text !== undefined);
  const asked = { sentence, unseen: texts.length === 0 ? undefined : texts.join(' '), json };
  return showEnded(batchEnd, asked, { opened, call });
}

/** Rows that have another status since the last look, or that differ now. */
function tellChanges(settled: SettledBatch, { terminal }: Call): void {
  const { changes, changed, isUnchanged } = settled;
  const nothingDue = nothingDueText(settled);
  if (nothingDue !== undefined && notShownText(settled) === undefined) terminal.result(nothingDue);
  if (isUnchanged) terminal.result('Nothing changed since the last look.');
  for (const { rowNumber, from, to, differs } of changes.slice(0, CHANGES_SHOWN))
    terminal.print(`Row ${rowNumber}: ${from === to ? to : `${from} → ${to}`}${differsText(differs)}`);
  if (changed > CHANGES_SHOWN) {
    const named = changes.length < changed ? `the first ${countText(changes.length)}` : 'them';
    terminal.print(
      `… and ${counted(changed - CHANGES_SHOWN, 'more row', 'more rows')} changed (--json names ${named}).`,
    );
  }
}

function differsText(differs: readonly string[] | undefined): string {
  if (differs === undefined) return '';
  return differs.length === 0 ? ', no longer differs' : `, differs (${printable(differs.join('; '))})`;
}

/** A look that found no row due learned nothing, and must not read like an answer. */
function nothingDueText({ nextLook }: SettledBatch): string | undefined {
  if (nextLook === undefined) return undefined;
  const { dueAt } = nextLook;
  const next =
    dueAt === undefined ? 'No other look is planned.' : `The next look is due at ${untilText(dueAt)}.`;
  return `No row was due for a look. ${next}`;
}

/** The next full minute: a command that is typed a minute too early asks nothing. */
function untilText(dueAt: Timestamp): string {
  return `${minuteOf(plusMs(dueAt, 59_999))} UTC`;
}

const NAMED = 10;

/** The first rows whose status is not known, each with the time of its next look. */
function notShownText({ batch, notShown }: SettledBatch): string | undefined {
  if (notShown === undefined || notShown.count === 0) return undefined;
  const { count, rows } = notShown;
  const named = rows
    .slice(0, NAMED)
    .map(
      ({ rowNumber, dueAt }) =>
        `row ${rowNumber} (next look ${dueAt === undefined ? 'now' : untilText(dueAt)})`,
    );
  const more = count - named.length;
  const list = [...named, ...(more > 0 ? [`and ${countText(more)} more`] : [])];
  return `Batch ${batchLabel(batch)}: no status came for ${list.join(', ')}.`;
}

function notShownJson({ notShown }: SettledBatch) {
  const { count, rows } = notShown ?? { count: 0, rows: [] };
  const named = rows.map(({ rowNumber, dueAt }) => ({
    rowNumber,
    dueAt: dueAt === undefined ? null : formatTimestamp(dueAt),
  }));
  return { count, rows: named };
}

function unseenText({ watch, isUnanswered }: SettledBatch): string | undefined {
  const { due, unanswered, notFound, notReached } = watch;
  const unasked = unanswered + notReached;
  const why = [
    ...(unanswered > 0 ? [`${countText(unanswered)} got no answer from the service`] : []),
    ...(notReached > 0 ? [`the waiting ended before ${countText(notReached)}`] : []),
  ].join(', ');
  const isAllSilent = isUnanswered && unasked === 0;
  const told = [
    ...(isAllSilent ? ['The service gave no answer: nothing new is known of the rows on their way.'] : []),
    ...(unasked > 0
      ? [
          `${countText(unasked)} of ${rowsText(due)} could not be asked about (${why}): what became of them is not known.`,
        ]
      : []),
    ...(notFound > 0
      ? [`The service did not show the transfer of ${countText(notFound)} of ${rowsText(due)}.`]
      : []),
  ];
  return told.length === 0 ? undefined : told.join(' ');
}
