/**
 * Looks up transfers until all are final or the deadline passes. After the deadline, the rest stay on their way.
 *
 * With `watchReturns`, also looks up each recent settled row once, if it is due. Run by cron, it finds returned
 * transfers.
 *
 * Exit codes: 3 if a row failed, came back or newly differs, even if other rows are on their way. 3 also while a
 * difference is not accepted. 4 after the deadline, or if the service did not show a transfer. 69 if no answer came for
 * a row that was due. With `watchReturns`, a batch that has only old exceptions exits with 0.
 */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { command } from '../domain/next-steps/command.ts';
import { counted, countText, printable, rowsText } from '../domain/text/printable.ts';
import { minuteOf, plusMs, type Timestamp } from '../domain/timestamp.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import type { SettledBatch } from '../use-cases/settle/settle-sent.ts';
import type { WithEnd } from '../use-cases/with-end.ts';
import { presentBatchEnd } from './batch-end-blocks.ts';
import { timeJson } from './batch-json.ts';
import { type Block, joinTexts, line } from './block.ts';
import type { Context } from './context.ts';
import { batch } from './fields.ts';
import { operation } from './operation.ts';
import { DEADLINE_MS, deadline, reports, watchReturns, withReports } from './working-fields.ts';

const input = z.strictObject({ batch: batch(), ...reports, deadline, watchReturns });

export interface SettledWithWatch extends SettledBatch {
  readonly isWatch: boolean;
}

export const settle = operation({
  name: 'settle',
  needs: (given) => withReports('send', given),
  changesData: true,
  input,
  run: settleRows,
  ...presentBatchEnd((result: WithEnd<SettledWithWatch>) => {
    const { changes, changed, watch, knownBefore } = result;
    const named = notShownText(result);
    const unanswered = joinTexts([notLookedUpText(result) || (named && nothingDueText(result)), named]);
    return {
      before: result.isWatch ? changeBlocks(result) : [],
      sentence: knownBefore && [`Already known: ${knownBefore.sentence}.`],
      unanswered: unanswered === '' ? undefined : unanswered,
      /** The first 1,000 changes. `differs` is empty if a row no longer differs. */
      json: { changes, changed, watch, notShown: notShownJson(result) },
    };
  }),
  again: ({ batch: named }) => command('settle', [named]),
});

async function settleRows(
  given: z.output<typeof input>,
  context: Context,
): Promise<WithEnd<SettledWithWatch>> {
  const [{ settleSent }, { withEnd }] = await Promise.all([
    import('../use-cases/settle/settle-sent.ts'),
    import('../use-cases/with-end.ts'),
  ]);
  const { report, fullAccounts, watchReturns: watchReturnsMs } = given;
  context.requireService();
  await requireOwnPlaces({ reports: report }, context);
  const found = await context.batch(given.batch);
  const waits = {
    deadlineMs: given.deadline ?? DEADLINE_MS,
    watchReturnsMs,
    signal: context.dialogue.signal,
  };
  const ports = await context.ports(given.deadline);
  const done = await settleSent(found, { holder: context.holder, ...waits }, ports);
  const isWatch = watchReturnsMs !== undefined;
  return withEnd({ ...done, isWatch }, { ...done, reports: report, fullAccounts }, context);
}

const CHANGES_SHOWN = 50;

/** Rows whose status changed since the last look-up, or that newly differ. */
function changeBlocks(result: SettledBatch): readonly Block[] {
  const { changes, changed, isUnchanged } = result;
  const nothingDue = notShownText(result) === undefined ? nothingDueText(result) : undefined;
  const left = changed - CHANGES_SHOWN;
  const named = changes.length < changed ? `the first ${countText(changes.length)}` : 'them';
  const rows = [
    ...changes
      .slice(0, CHANGES_SHOWN)
      .map(
        ({ rowNumber, from, to, differs }) =>
          `Row ${rowNumber}: ${from === to ? to : `${from} → ${to}`}${differsText(differs)}`,
      ),
    ...(left > 0
      ? [`… and ${counted(left, 'more row', 'more rows')} changed. The JSON output lists ${named}.`]
      : []),
  ];
  return [
    ...(nothingDue === undefined ? [] : [line(nothingDue)]),
    ...(isUnchanged ? [line('Nothing changed since the last look-up.')] : []),
    ...rows.map((text) => ({ ...line(text), isAlways: true as const })),
  ];
}

function differsText(differs: readonly string[] | undefined): string {
  if (differs === undefined) return '';
  return differs.length === 0 ? ', no longer differs' : `, differs (${printable(differs.join('; '))})`;
}

/** Says that no row was due, so that “nothing changed” does not look like an answer. */
function nothingDueText({ nextLook }: SettledBatch): string | undefined {
  if (nextLook === undefined) return undefined;
  const { dueAt } = nextLook;
  const next =
    dueAt === undefined ? 'No other look-up is planned.' : `The next look-up is due at ${untilText(dueAt)}.`;
  return `No row was due for a look-up. ${next}`;
}

/** Rounds up to the next full minute, because a command that runs too early looks up nothing. */
function untilText(dueAt: Timestamp): string {
  return `${minuteOf(plusMs(dueAt, 59_999))} UTC`;
}

const ROWS_NAMED_MAX = 10;

/** The first rows without a known status, with the time of the next look-up. */
function notShownText({ batch: of, notShown }: SettledBatch): string | undefined {
  if (notShown === undefined || notShown.count === 0) return undefined;
  const { count, rows } = notShown;
  const named = rows
    .slice(0, ROWS_NAMED_MAX)
    .map(
      ({ rowNumber, dueAt }) =>
        `row ${rowNumber} (next look-up ${dueAt === undefined ? 'now' : untilText(dueAt)})`,
    );
  const more = count - named.length;
  const list = joinTexts([...named, more > 0 && `and ${countText(more)} more`], ', ');
  return `Batch ${batchLabel(of)}: no status came for ${list}.`;
}

/** The first 1,000 rows. `dueAt`: time of the next look-up; null means now. */
function notShownJson({ notShown }: SettledBatch) {
  const { count, rows } = notShown ?? { count: 0, rows: [] };
  return { count, rows: rows.map(({ rowNumber, dueAt }) => ({ rowNumber, dueAt: timeJson(dueAt) })) };
}

function notLookedUpText({ watch, isUnanswered }: SettledBatch): string {
  const { due, unanswered, notFound, notReached } = watch;
  const unasked = unanswered + notReached;
  const causes = [
    unanswered > 0 && `${countText(unanswered)} got no answer from the service`,
    notReached > 0 && `${countText(notReached)} not reached before the deadline`,
  ];
  const [why, asked] = [joinTexts(causes, ', '), `${countText(unasked)} of ${rowsText(due)}`];
  return joinTexts([
    isUnanswered &&
      unasked === 0 &&
      'The service did not answer. The state of the rows on their way is unchanged.',
    unasked > 0 && `${asked} could not be looked up (${why}). Their state is not known.`,
    notFound > 0 && `The service did not show the transfer of ${countText(notFound)} of ${rowsText(due)}.`,
  ]);
}
