/** Erases persons from rows that ended years ago. Shows the plan first; a person agrees to the number of rows. */
import { z } from 'zod';
import { lastDayToErase } from '../domain/batches/retention.ts';
import { command } from '../domain/next-steps/command.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { dayNumber, WallClock } from '../domain/time-zone.ts';
import type { Erasable, Erased } from '../ports/ledger/erasing.ts';
import { aside, type Block, line, when } from './block.ts';
import { text, wholeNumber } from './fields.ts';
import { eraseTooEarly, otherRowsToErase } from './messages.ts';
import { field, operation } from './operation.ts';

const DAY = 'a day of the calendar such as 2019-01-01';
const isDay = (typed: string) => dayNumber(typed) !== undefined;
const ROWS_MAX = 1_000_000_000;

export const erase = operation({
  name: 'erase',
  needs: ['administer'],
  changesData: true,
  input: z.strictObject({
    before: field(text.refine(isDay, { error: DAY }), {
      ...{ help: 'erase rows that ended before this day', value: 'day', expected: DAY },
      read: (typed) => (isDay(typed) ? typed : undefined),
    }),
    rows: wholeNumber([0, ROWS_MAX], {
      help: 'how many rows the plan showed; then payfile erases them without a question',
    }),
  }),
  async run({ before, rows }, context): Promise<ErasureResult> {
    const { ledger, policy } = await context.offlinePorts();
    const { timeZone, environment, path } = ledger.identity;
    const clock = new WallClock(timeZone);
    const last = lastDayToErase(context.now(), policy, clock);
    if (before > last)
      throw new RequestRefused(
        eraseTooEarly(before, last, policy.retentionYears),
        command('erase', [], [['--before', last]]),
      );
    const start = clock.startOf(before);
    const plan = await ledger.erasable(start);
    const { ask, signal } = context.dialogue;
    const agreed =
      rows ?? (plan.rows === 0 ? 0 : Number(await ask?.({ kind: 'erase', rows: plan.rows, before })));
    const result = { before, plan, environment, path };
    if (rows === undefined && Number.isNaN(agreed)) return result;
    if (agreed !== plan.rows)
      throw new RequestRefused(
        otherRowsToErase(agreed, plan.rows),
        command('erase', [], [['--before', before]]),
      );
    return { ...result, erased: await ledger.erase({ before: start, by: context.user, signal }) };
  },
  view: (result) => [...planBlocks(result), ...when(result.erased, erasedBlocks)],
  json: ({ environment, before, plan, erased }) => ({ environment, before, plan, erased: erased ?? null }),
  next: ({ before, plan, erased }) =>
    erased === undefined
      ? {
          andThen: command(
            'erase',
            [],
            [
              ['--before', before],
              ['--rows', String(plan.rows)],
            ],
          ),
        }
      : { next: command('verify') },
  exit: ({ erased }) => (erased === undefined ? EXIT.needsPerson : EXIT.done),
});

export interface ErasureResult {
  readonly before: string;
  readonly plan: Erasable;
  readonly environment: 'live' | 'sandbox';
  readonly path: string;
  /** undefined: nobody agreed, and nothing was erased. */
  readonly erased?: Erased;
}

const UNREACHED =
  'payfile cannot reach other copies. Delete them yourself: files that you paid from, reports, statements, backups, logs, ' +
  'and what a database server keeps of its own (WAL archive, replicas, dumps).';

function planBlocks({ path, before, plan: { rows, kept } }: ErasureResult): readonly Block[] {
  return [
    line(`${path}: ${rowsText(rows)} ended before ${before} and can be erased.`),
    ...when(kept > 0, () => [
      aside(
        `${counted(kept, 'older row stays', 'older rows stay')}: in doubt, not finished, or ended later.`,
      ),
    ]),
    aside(
      'payfile erases names, accounts, phones, notes, references and cells. Amounts, states, days and hashes stay.',
    ),
    aside(UNREACHED),
  ];
}

const erasedBlocks = ({ rows, entries }: Erased): readonly Block[] => [
  line(
    `Erased ${rowsText(rows)} and ${counted(entries, 'journal entry', 'journal entries')}. The journal says who did it.`,
  ),
];
