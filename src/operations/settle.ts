/**
 * Looks up what became of the transfers until all are final or the deadline comes. If the time is over, the rows stay on
 * their way (exit code 4).
 *
 * Every settled row that is not too old gets one look when it is due, without waiting: run by cron, it finds what came
 * back. With `watchReturns` a batch that ended with exceptions ends with 3 if something changed, else with 0. A row that
 * differs from what was asked keeps its batch at 3 until a person accepts the difference. A row that failed, came back or
 * newly differs ends it with 3, also while other rows are on their way.
 * If the service did not show every row that was due, it says so: 69 if no answer came, 4 if the deadline came or the
 * service did not show a transfer.
 */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { command } from '../domain/next-steps/command.ts';
import { counted, countText, printable, rowsText } from '../domain/text/printable.ts';
import { minuteOf, plusMs, type Timestamp } from '../domain/timestamp.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import type { SettledBatch } from '../use-cases/settle/settle-sent.ts';
import type { WithEnd } from '../use-cases/with-end.ts';
import { endingIn } from './batch-end-blocks.ts';
import { timeJson } from './batch-json.ts';
import { type Block, joined, line } from './block.ts';
import type { Context } from './context.ts';
import { batch } from './fields.ts';
import { operation } from './operation.ts';
import { DEADLINE_MS, deadline, reports, watchReturns, withReports } from './working-fields.ts';

const input = z.strictObject({ batch: batch(), ...reports, deadline, watchReturns });

export interface Settled extends SettledBatch {
  readonly isWatch: boolean;
}

export const settle = operation({
  name: 'settle',
  needs: (given) => withReports('send', given),
  acts: true,
  input,
  run: settled,
  ...endingIn((result: WithEnd<Settled>) => {
    const { changes, changed, watch, knownBefore } = result;
    const named = notShownText(result);
    const unseen = joined([unseenText(result) || (named && nothingDueText(result)), named]);
    return {
      before: result.isWatch ? changeBlocks(result) : [],
      sentence: knownBefore && [`Known before: ${knownBefore.sentence}.`],
      unseen: unseen === '' ? undefined : unseen,
      /** The first thousand changes; `differs` is empty if a row no longer differs. */
      json: { changes, changed, watch, notShown: notShownJson(result) },
    };
  }),
  again: ({ batch: named }) => command('settle', [named]),
});

async function settled(given: z.output<typeof input>, context: Context): Promise<WithEnd<Settled>> {
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

/** Rows that have another status since the last look, or that differ now. */
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
      ? [`… and ${counted(left, 'more row', 'more rows')} changed; the JSON answer names ${named}.`]
      : []),
  ];
  return [
    ...(nothingDue === undefined ? [] : [line(nothingDue)]),
    ...(isUnchanged ? [line('Nothing changed since the last look.')] : []),
    ...rows.map((text) => ({ ...line(text), isAlways: true as const })),
  ];
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
function notShownText({ batch: of, notShown }: SettledBatch): string | undefined {
  if (notShown === undefined || notShown.count === 0) return undefined;
  const { count, rows } = notShown;
  const named = rows
    .slice(0, NAMED)
    .map(
      ({ rowNumber, dueAt }) =>
        `row ${rowNumber} (next look ${dueAt === undefined ? 'now' : untilText(dueAt)})`,
    );
  const more = count - named.length;
  const list = joined([...named, more > 0 && `and ${countText(more)} more`], ', ');
  return `Batch ${batchLabel(of)}: no status came for ${list}.`;
}

/** `dueAt`: when payfile asks about the row next; null: now. The first thousand rows. */
function notShownJson({ notShown }: SettledBatch) {
  const { count, rows } = notShown ?? { count: 0, rows: [] };
  return { count, rows: rows.map(({ rowNumber, dueAt }) => ({ rowNumber, dueAt: timeJson(dueAt) })) };
}

function unseenText({ watch, isUnanswered }: SettledBatch): string {
  const { due, unanswered, notFound, notReached } = watch;
  const unasked = unanswered + notReached;
  const whys = [
    unanswered > 0 && `${countText(unanswered)} got no answer from the service`,
    notReached > 0 && `the waiting ended before ${countText(notReached)}`,
  ];
  const [why, asked] = [joined(whys, ', '), `${countText(unasked)} of ${rowsText(due)}`];
  return joined([
    isUnanswered &&
      unasked === 0 &&
      'The service gave no answer: nothing new is known of the rows on their way.',
    unasked > 0 && `${asked} could not be asked about (${why}): what became of them is not known.`,
    notFound > 0 && `The service did not show the transfer of ${countText(notFound)} of ${rowsText(due)}.`,
  ]);
}
