/**
 * The sheet Control totals: the tie-outs as live formulas with both sides in sight, each with the result that
 * it had when the report was made.
 *
 * A sum that a double cannot hold exactly is written as text beside a check made by us, never as a formula.
 */

import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import {
  type ControlTotals,
  type CurrencyTotal,
  GROUP_WORDS,
  GROUPS,
  type Group,
  groupedTotals,
  type Sum,
  unreadableText,
} from '../../../../domain/reporting/control-totals.ts';
import {
  columnLetter,
  headerCells,
  isExactNumber,
  moneyCell,
  numberOf,
  overNumbers,
  textCell,
} from './cells.ts';
import { checkCell, differsText, equalMoney } from './check-cells.ts';
import { type DebitFacts, debitChecks, debitRowCount, writeDebits } from './debit-checks.ts';
import { type JournalFacts, journalChecks, writeJournalChecks } from './journal-checks.ts';
import { PAYMENTS, paymentsRange } from './payments-sheet.ts';
import { checkRules } from './rules.ts';
import { amountStyle, BOLD_STYLE, CHECK_STYLE, COUNT_STYLE, PLAIN_STYLE, QUIET_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

export const CONTROL = {
  name: 'Control totals',
  widths: [27, 17, 18, 18, 18, 17, 17, 15, 15, 15, 15, 15, 16, 24],
  /** The cell that says whether everything ties. */
  overall: "'Control totals'!$B$2",
} as const;

type Writer = { readonly sheet: Sheet; readonly totals: ControlTotals; readonly lastRow: number };

/** What other parts of the sheet are made from. */
export interface ControlFacts extends JournalFacts, DebitFacts {}

export function writeControlTotals(sheet: Sheet, totals: ControlTotals, facts: ControlFacts): void {
  const writer = { sheet, totals, lastRow: totals.linesOut + 1 };
  const plan = layoutOf(totals, facts);
  sheet.addRow([bold('Control totals'), quiet('Every row of the file stands in exactly one group.')]);
  sheet.addRow([bold('All checks'), overallCell(plan, totals)]);
  sheet.addRow([]);
  sheet.addRow(headerCells(['Rows', overNumbers('In the ledger'), overNumbers('In this report'), 'Check']));
  sheet.addRow(rowsCells(writer));
  sheet.addRow([]);
  sheet.addRow(
    headerCells([
      'Currency',
      ...['Payments', 'Requested', ...GROUPS.map((group) => GROUP_WORDS[group].word), 'Sum'].map(overNumbers),
      'Check',
    ]),
  );
  for (const total of totals.currencies) sheet.addRow(currencyCells(total, writer, plan.groupsHeader));
  sheet.addRow([]);
  sheet.addRow(
    headerCells([
      'Group',
      'Currency',
      overNumbers('Payments, ledger'),
      overNumbers('Payments, report'),
      overNumbers('Amount, ledger'),
      overNumbers('Amount, report'),
      'Check',
    ]),
  );
  for (const pair of plan.pairs) sheet.addRow(pairCells(pair, writer));
  sheet.addRow([]);
  writeDebits(sheet, facts);
  writeJournalChecks(sheet, totals, facts);
  for (const text of remarks(totals)) sheet.addRow([quiet(text)]);
  for (const range of ['B2:B2', ...plan.checks]) sheet.rule(range, checkRules(range.split(':')[0] ?? ''));
}

interface Layout {
  readonly groupsHeader: number;
  readonly checks: readonly string[];
  readonly pairs: readonly Pair[];
}

interface Pair {
  readonly group: Group;
  readonly currency: CurrencyCode;
}

/** Row numbers are known before writing, because the check of all checks stands above them. */
function layoutOf(totals: ControlTotals, facts: ControlFacts): Layout {
  const groupsHeader = 7;
  const lastGroups = groupsHeader + totals.currencies.length;
  const pairs = pairsOf(totals);
  const firstPair = lastGroups + 3;
  const checks = ['D5:D5'];
  if (totals.currencies.length > 0) checks.push(`N${groupsHeader + 1}:N${lastGroups}`);
  if (pairs.length > 0) checks.push(`G${firstPair}:G${firstPair + pairs.length - 1}`);
  const firstDebit = firstPair + pairs.length + 1;
  checks.push(...debitChecks(facts, firstDebit));
  checks.push(...journalChecks(totals, facts, firstDebit + debitRowCount(facts)));
  return { groupsHeader, checks, pairs };
}

/** Invalid rows are left out: the ledger keeps no money of theirs, so their number is compared as rows only. */
function pairsOf(totals: ControlTotals): readonly Pair[] {
  const currencies = new Set<CurrencyCode>();
  for (const { currency } of [...totals.ledger, ...totals.byStatus]) {
    if (currency !== undefined) currencies.add(currency);
  }
  return [...currencies].sort().flatMap((currency) =>
    GROUPS.filter((group) => group !== 'invalid').flatMap((group) => {
      const sums = [totals.ledger, totals.byStatus].map((side) => groupedTotals(side, currency, group));
      return sums.some((sum) => sum.count > 0) ? [{ group, currency }] : [];
    }),
  );
}

function overallCell(plan: Layout, totals: ControlTotals): Cell {
  const failing = plan.checks.map((range) => `COUNTIF(${range},"differs*")`).join('+');
  const verdict = totals.ties ? 'ties' : 'differs';
  // What was found while the report was made (a row given twice) cannot be seen by adding up; it stays found.
  const formula = `IF(${failing}${totals.ties ? '' : '+1'}=0,"ties","differs")`;
  return { value: { formula, result: verdict }, style: CHECK_STYLE };
}

function rowsCells({ totals, lastRow }: Writer): readonly Cell[] {
  const { rowsIn, linesOut } = totals;
  const counted = { formula: `COUNT(${paymentsRange(PAYMENTS.letters.row, lastRow)})`, result: linesOut };
  const formula = 'IF(B5=C5,"ties","differs by "&(C5-B5))';
  return [
    { value: 'All', style: PLAIN_STYLE },
    { value: rowsIn, style: COUNT_STYLE },
    { value: counted, style: COUNT_STYLE },
    checkCell(formula, rowsIn === linesOut ? 'ties' : `differs by ${linesOut - rowsIn}`),
  ];
}

function currencyCells(total: CurrencyTotal, writer: Writer, header: number): readonly Cell[] {
  const { currency, requested, groups } = total;
  const at = writer.sheet.rowCount() + 1;
  const sum = GROUPS.reduce((minor, group) => minor + groups[group].minor, 0n);
  const count = countif(`F`, `$A${at}`, writer.lastRow);
  const cells: Cell[] = [
    textCell(currency),
    { value: { formula: count, result: requested.count }, style: COUNT_STYLE },
  ];
  if (!isExactNumber(requested.minor)) {
    const texts = [requested.minor, ...GROUPS.map((group) => groups[group].minor), sum];
    return [
      ...cells,
      ...texts.map((minor) => moneyCell({ minor, currency })),
      { value: sum === requested.minor ? 'ties' : 'differs', style: CHECK_STYLE },
    ];
  }
  const style = amountStyle(decimalsOf(currency));
  const money = (formula: string, minor: bigint): Cell => ({
    value: { formula, result: numberOf(minor, currency) },
    style,
  });
  cells.push(money(sumifs([['F', `$A${at}`]], writer.lastRow), requested.minor));
  for (const [nth, group] of GROUPS.entries()) {
    const heading = `${columnLetter(nth + 4)}$${header}`;
    const criteria = [
      ['F', `$A${at}`],
      ['G', heading],
    ] as const;
    cells.push(money(sumifs(criteria, writer.lastRow), groups[group].minor));
  }
  cells.push(money(`SUM(D${at}:L${at})`, sum));
  cells.push(equalMoney(`C${at}`, `M${at}`, { currency, difference: sum - requested.minor }));
  return cells;
}

function pairCells({ group, currency }: Pair, { sheet, totals, lastRow }: Writer): readonly Cell[] {
  const at = sheet.rowCount() + 1;
  const ours: Sum = groupedTotals(totals.ledger, currency, group);
  const theirs: Sum = groupedTotals(totals.byStatus, currency, group);
  const criteria = [
    ['F', `$B${at}`],
    ['G', `$A${at}`],
  ] as const;
  const counted = `COUNTIFS(${criteria.map(([letter, cell]) => `${paymentsRange(letter, lastRow)},${cell}`).join(',')})`;
  const isExact = isExactNumber(ours.minor) && isExactNumber(theirs.minor);
  const written: Cell = isExact
    ? {
        value: { formula: sumifs(criteria, lastRow), result: numberOf(theirs.minor, currency) },
        style: amountStyle(decimalsOf(currency)),
      }
    : moneyCell({ minor: theirs.minor, currency });
  const equalCounts = ours.count === theirs.count;
  const difference = theirs.minor - ours.minor;
  const verdict = equalCounts
    ? differsText({ currency, difference })
    : `differs by ${theirs.count - ours.count} rows`;
  const amounts = isExact ? `ROUND(E${at}-F${at},${decimalsOf(currency)})=0` : 'TRUE';
  const formula = `IF(C${at}<>D${at},"differs by "&(D${at}-C${at})&" rows",IF(${amounts},"ties","differs by "&TEXT(F${at}-E${at},"0.00")))`;
  return [
    { value: GROUP_WORDS[group].word, style: PLAIN_STYLE },
    textCell(currency),
    { value: ours.count, style: COUNT_STYLE },
    { value: { formula: counted, result: theirs.count }, style: COUNT_STYLE },
    moneyCell({ minor: ours.minor, currency }),
    written,
    isExact ? checkCell(formula, verdict) : { value: verdict, style: CHECK_STYLE },
  ];
}

function countif(letter: string, cell: string, lastRow: number): string {
  return `COUNTIF(${paymentsRange(letter, lastRow)},${cell})`;
}

function sumifs(criteria: readonly (readonly [string, string])[], lastRow: number): string {
  const conditions = criteria.map(([letter, cell]) => `${paymentsRange(letter, lastRow)},${cell}`).join(',');
  return `SUMIFS(${paymentsRange(PAYMENTS.letters.amount, lastRow)},${conditions})`;
}

function remarks(totals: ControlTotals): readonly string[] {
  const unreadable = unreadableText(totals);
  return unreadable === undefined ? totals.parts : [...totals.parts, unreadable];
}

function bold(value: string): Cell {
  return { value, style: BOLD_STYLE };
}

function quiet(value: string): Cell {
  return { value, style: QUIET_STYLE };
}
