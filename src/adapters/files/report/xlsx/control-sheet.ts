/**
 * The sheet Control totals: every check as a live formula that shows both sides, with the result that it had when the
 * report was made. domain/reporting counts the checks; this file has the formulas.
 *
 * A sum that a double cannot hold exactly is written as text beside our own answer, never as a formula.
 */

import { decimalsOf } from '../../../../domain/money/currency.ts';
import type { Money } from '../../../../domain/money/money.ts';
import {
  type ControlTotals,
  type CurrencyTotal,
  type GroupCheck,
  groupChecks,
  groupsMinor,
  sumDifference,
  unreadableText,
  verdictOf,
} from '../../../../domain/reporting/control-totals.ts';
import {
  agreedOf,
  atSendOf,
  DEBIT_WORDS,
  type DebitPair,
  type DebitReport,
  debitChange,
  debitGap,
  debitTexts,
  hasNoDebits,
} from '../../../../domain/reporting/debit-report.ts';
import { type BatchShare, leftOutCount, shareGap, shareName } from '../../../../domain/reporting/left-out.ts';
import { GROUP_WORDS, GROUPS, SENT_GROUPS, statusLabel } from '../../../../domain/reporting/status-words.ts';
import { type Column, column, type Place, type Ranges } from '../../../../views/table-columns.ts';
import { boldCell, quietCell } from './cells.ts';
import { type JournalFacts, journalBlocks } from './control-journal.ts';
import {
  addRows,
  anyOf,
  BLANK,
  type Block,
  checkRanges,
  equalMoney,
  remarks,
  stack,
  sumIfs,
  sumOfAny,
  table,
} from './sheet.ts';
import { CHECK_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

export const CONTROL = {
  name: 'Control totals',
  widths: [27, 17, 18, 18, 18, 17, 17, 15, 15, 15, 15, 15, 16, 24],
  /** The cell that says whether everything ties. */
  overall: "'Control totals'!$B$2",
} as const;

interface ControlFacts extends JournalFacts {
  readonly totals: ControlTotals;
  /** undefined: nobody asked the ledger. */
  readonly debits: DebitReport | undefined;
  /** In a report over days. */
  readonly shares: readonly BatchShare[] | undefined;
}

export function writeControlTotals(sheet: Sheet, facts: ControlFacts): void {
  const { totals, ranges } = facts;
  const unreadable = unreadableText(totals);
  const blocks = [
    BLANK,
    table({ columns: ROW_COLUMNS, lines: [totals], ranges }),
    BLANK,
    table({ columns: CURRENCY_COLUMNS, lines: totals.currencies, ranges }),
    BLANK,
    table({ columns: GROUP_COLUMNS, lines: groupChecks(totals), ranges }),
    BLANK,
    ...shareBlocks(facts.shares, ranges),
    ...debitBlocks(facts.debits, ranges),
    ...journalBlocks(facts),
    remarks(unreadable === undefined ? totals.parts : [...totals.parts, unreadable]),
  ];
  const below = stack(blocks, 3);
  addRows(sheet, [
    { cells: [boldCell('Control totals'), quietCell(facts.shares === undefined ? OF_FILE : OF_DAYS)] },
    { cells: [boldCell('All checks'), overallCell(checkRanges(below, 3), totals.ties)] },
    ...below,
  ]);
}

const OF_FILE = 'Every row of the file is in exactly one group.';
const OF_DAYS =
  'Every row of this report is in exactly one group. Summary names the rows of its batches that are not in it.';

/** What was found while the report was made (a row given twice) cannot be seen by adding up; it stays found. */
function overallCell(ranges: readonly string[], ties: boolean): Cell {
  const failing = ranges.map((range) => `COUNTIF(${range},"differs*")`).join('+');
  const formula = `IF(${failing}${ties ? '' : '+1'}=0,"ties","differs")`;
  return { value: { formula, result: ties ? 'ties' : 'differs' }, style: CHECK_STYLE };
}

const ROW_COLUMNS: readonly Column<ControlTotals>[] = [
  column.plain('Rows', () => 'All'),
  column.count('In the ledger', ({ rowsIn }) => rowsIn),
  column.count('In this report', ({ linesOut }) => linesOut, {
    formula: (_, { payments }) => `COUNT(${payments('Row')})`,
  }),
  column.check(
    'Check',
    ({ rowsIn, linesOut }) => (rowsIn === linesOut ? 'ties' : `differs by ${linesOut - rowsIn}`),
    {
      formula: (_, { cell }) =>
        `IF(${cell('In the ledger')}=${cell('In this report')},"ties","differs by "&(${cell('In this report')}-${cell('In the ledger')}))`,
    },
  ),
];

/** Per currency: the groups come to what was requested; those in which nothing is are left out. */
const ofCurrency = ({ cell, payments }: Place) => [payments('Currency'), `$${cell('Currency')}`] as const;
const money = ({ currency }: CurrencyTotal, minor: bigint): Money => ({ minor, currency });

const CURRENCY_COLUMNS: readonly Column<CurrencyTotal>[] = [
  column.text('Currency', ({ currency }) => currency),
  column.count('Payments', ({ requested }) => requested.count, {
    formula: (_, place) => `COUNTIF(${ofCurrency(place).join(',')})`,
  }),
  column.money('Requested', (total) => money(total, total.requested.minor), {
    formula: (_, place) => sumIfs(place.payments('Amount'), ofCurrency(place)),
  }),
  ...GROUPS.map(
    (group): Column<CurrencyTotal> =>
      column.money(GROUP_WORDS[group].word, (total) => money(total, total.groups[group].minor), {
        formula: (_, place) =>
          sumIfs(place.payments('Amount'), ofCurrency(place), [
            place.payments('Counted as'),
            place.heading(GROUP_WORDS[group].word),
          ]),
        mayGo: true,
      }),
  ),
  column.money('Sum', (total) => money(total, groupsMinor(total)), {
    formula: (_, { sum }) => sum(GROUPS.map((group) => GROUP_WORDS[group].word)),
  }),
  column.check(
    'Check',
    (total) => verdictOf({ count: 0, minor: groupsMinor(total) - total.requested.minor }, total.currency),
    { formula: ({ currency }, { cell }) => equalMoney(cell('Requested'), cell('Sum'), currency) },
  ),
];

/** Per group and currency: number and amount by the ledger and by the report. */
const ofGroup = (place: Place) =>
  [ofCurrency(place), [place.payments('Counted as'), `$${place.cell('Group')}`]] as const;

const GROUP_COLUMNS: readonly Column<GroupCheck>[] = [
  column.plain('Group', ({ group }) => GROUP_WORDS[group].word),
  column.text('Currency', ({ currency }) => currency),
  column.count('Payments, ledger', ({ ledger }) => ledger.count),
  column.count('Payments, report', ({ report }) => report.count, {
    formula: (_, place) => `COUNTIFS(${ofGroup(place).flat().join(',')})`,
  }),
  column.money('Amount, ledger', ({ ledger, currency }) => ({ minor: ledger.minor, currency })),
  column.money('Amount, report', ({ report, currency }) => ({ minor: report.minor, currency }), {
    formula: (_, place) => sumIfs(place.payments('Amount'), ...ofGroup(place)),
  }),
  column.check(
    'Check',
    ({ ledger, report, currency }) => verdictOf(sumDifference(ledger, report), currency, 'rows'),
    { formula: groupFormula },
  ),
];

function groupFormula({ currency }: GroupCheck, { cell }: Place) {
  const [count, counted, amount, summed] = [
    'Payments, ledger',
    'Payments, report',
    'Amount, ledger',
    'Amount, report',
  ].map(cell);
  const rows = `"differs by "&(${counted}-${count})&" rows"`;
  const sums = `IF(ROUND(${amount}-${summed},${decimalsOf(currency)})=0,"ties","differs by "&TEXT(${summed}-${amount},"0.00"))`;
  return `IF(${count}<>${counted},${rows},${sums})`;
}

function shareBlocks(shares: readonly BatchShare[] | undefined, ranges: Ranges): readonly Block[] {
  if (shares === undefined || shares.length === 0) return [];
  return [table({ columns: SHARE_COLUMNS, lines: shares, ranges }), BLANK];
}

/** Per batch: its rows are in this report or left out of it. */
const SHARE_COLUMNS: readonly Column<BatchShare>[] = [
  column.plain('Batch', shareName),
  column.count('In the ledger', ({ allRows }) => allRows),
  column.count('In this report', ({ rows }) => rows, {
    // Not COUNTIF, which would read a name as a pattern, or as a date. Older ledgers may have two batches of one name.
    formula: ({ batch }, { payments, cell }) =>
      batch.isCalledLikeAnother === true
        ? undefined
        : `SUMPRODUCT(--EXACT(${payments('Batch')},${cell('Batch')}))`,
  }),
  column.count('Left out', leftOutCount),
  column.check('Check', (share) => differsBy(shareGap(share)), {
    formula: (_, { cell }) => {
      const gap = `${cell('In this report')}+${cell('Left out')}-${cell('In the ledger')}`;
      return `IF(${gap}=0,"ties","differs by "&(${gap}))`;
    },
  }),
];

function differsBy(gap: number): string {
  return gap === 0 ? 'ties' : `differs by ${gap}`;
}

/**
 * Planned and actual debit, per currency paid and debited: what was agreed to, by the ledger, beside what became of it on
 * the sheet Payments; and what was sent at the rates of sending, by both. A moved rate is no error: it has a
 * column of its own.
 */
function debitBlocks(debits: DebitReport | undefined, ranges: Ranges): readonly Block[] {
  if (debits === undefined || hasNoDebits(debits)) return [];
  const { title } = DEBIT_WORDS;
  const pairs = table({
    title,
    columns: DEBIT_COLUMNS,
    lines: debits.pairs,
    headingLines: 2,
    ranges,
  });
  return [pairs, remarks(debitTexts(debits)), BLANK];
}

const ofCorridor = ({ cell, payments }: Place) =>
  [
    [payments('Currency'), `$${cell('Paid in')}`],
    [payments('Debit currency'), `$${cell('Debited in')}`],
  ] as const;
const sumIn = (header: 'Counted as' | 'Status', word: string) => (_: DebitPair, place: Place) =>
  sumIfs(place.payments('Debit'), ...ofCorridor(place), [place.payments(header), `"${word}"`]);
const SENT = anyOf(SENT_GROUPS.map((group) => GROUP_WORDS[group].word));
const sumSent = (header: string) => (_: DebitPair, place: Place) =>
  sumOfAny(place.payments(header), ...ofCorridor(place), [place.payments('Counted as'), SENT]);
const { agreed, failed, inDoubt, unsent, sent, moved, atSend } = DEBIT_WORDS;

const DEBIT_COLUMNS: readonly Column<DebitPair>[] = [
  column.text('Paid in', ({ currency }) => currency),
  column.text('Debited in', ({ from }) => from),
  column.money(`${agreed}, ledger`, ({ ledger }) => agreedOf(ledger).planned),
  column.money(failed, ({ report }) => report.failed.planned, {
    formula: sumIn('Counted as', failed),
    mayGo: true,
  }),
  column.money(inDoubt, ({ report }) => report.inDoubt.planned, {
    formula: sumIn('Counted as', inDoubt),
    mayGo: true,
  }),
  column.money(unsent, ({ report }) => report.unsent.planned, {
    // What was only quoted counts as not yet sent, too; it was never agreed to.
    formula: sumIn('Status', statusLabel('approved')),
    mayGo: true,
  }),
  column.money(sent, ({ report }) => report.sent.planned, { formula: sumSent('Debit') }),
  column.check(
    'Check',
    ({ ledger, report, from }) => verdictOf(debitGap(agreedOf(ledger), agreedOf(report)), from),
    {
      formula: ({ ledger, report, from }, { cell, sum }) =>
        debitGap(agreedOf(ledger), agreedOf(report)).count === 0
          ? equalMoney(cell(`${agreed}, ledger`), sum([failed, inDoubt, unsent, sent]), from)
          : undefined,
    },
  ),
  column.money(moved, ({ report }) => debitChange(report), {
    formula: ({ from }, { cell }) => `ROUND(${cell(atSend)}-${cell(sent)},${decimalsOf(from)})`,
    mayGo: true,
  }),
  column.money(atSend, ({ report }) => report.sent.atSend, { formula: sumSent('Debit when sent') }),
  column.money('The same, ledger', ({ ledger }) => ledger.sent.atSend),
  column.check(
    'Check',
    ({ ledger, report, from }) => verdictOf(debitGap(atSendOf(ledger), atSendOf(report)), from),
    {
      // Where payments are missing or too many, their sums do not matter.
      formula: ({ ledger, report, from }, { cell }) =>
        debitGap(atSendOf(ledger), atSendOf(report)).count === 0
          ? equalMoney(cell('The same, ledger'), cell(atSend), from)
          : undefined,
    },
  ),
  column.percent(`${moved}, in %`, movedShare, {
    formula: (_, { cell }) => `IF(${cell(sent)}=0,0,${cell(moved)}/${cell(sent)})`,
    mayGo: true,
  }),
];

function movedShare({ report }: DebitPair): number {
  const planned = report.sent.planned.minor;
  return planned === 0n ? 0 : Number(debitChange(report).minor) / Number(planned);
}
