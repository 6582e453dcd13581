/**
 * What was taken from the account that pays, as quoted, on the sheet Summary: per group of rows, then what no row shows
 * any more (earlier payments of rows that were paid again, and what was sent and found unpaid), and the sum, which is
 * that of the Journal's payments and fees. In a report over days, which part of it is dated in them.
 *
 * Quoted, not billed: the service shows no account of what it took.
 */

import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import type { BookedTotal, Taken } from '../../../../domain/reporting/booking.ts';
import { type CostTotal, GROUP_WORDS, keptOf } from '../../../../domain/reporting/control-totals.ts';
import { headerCells, isExactNumber, moneyCell, overNumbers, textCell } from './cells.ts';
import { differsText, equalMoney } from './check-cells.ts';
import { JOURNAL, PAYMENT_AND_FEE } from './journal-lines.ts';
import type { BookedSum } from './journal-sheet.ts';
import { BOLD_STYLE, CHECK_STYLE, COUNT_STYLE, PLAIN_STYLE, QUIET_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

export interface CostFacts {
  readonly costs: readonly CostTotal[];
  readonly booked: BookedTotal;
  readonly sums: readonly BookedSum[];
  readonly isOverDays: boolean;
  readonly isBooked: boolean;
}

interface Cost {
  readonly what: string;
  readonly count: number;
  readonly feeMinor: bigint;
  readonly debitMinor: bigint;
  /** What came back, or was never taken. */
  readonly backMinor: bigint;
  readonly daysCount: number;
  readonly daysMinor: bigint;
}

/** The ranges of its checks. */
export function addCosts(sheet: Sheet, facts: CostFacts): readonly string[] {
  const sums = facts.booked.taken.map(({ currency }) => currency);
  const currencies = [...new Set([...facts.costs.map(({ currency }) => currency), ...sums])].sort();
  if (currencies.length === 0) return [];
  const columns = ['Payments', 'Fees', 'Debit with fees', 'Came back', 'Stays taken'];
  const days = facts.isOverDays ? ['Of these days', 'Debit, these days', 'Debit, other days'] : [];
  sheet.addRow(headerCells(['As quoted, taken from', ...[...columns, ...days].map(overNumbers), 'Group']));
  const checks = currencies.map((currency) => addCurrency(sheet, currency, facts));
  const what = facts.isOverDays ? 'dated in these days ' : '';
  const text = `Every sum ${what}is that of the payments and fees in the Journal: the cell behind it says so.`;
  sheet.addRow([{ value: text, style: QUIET_STYLE }]);
  sheet.addRow([]);
  return checks;
}

function addCurrency(sheet: Sheet, currency: CurrencyCode, facts: CostFacts): string {
  const costs = costsOf(currency, facts);
  for (const cost of costs) sheet.addRow(costCells(textCell(currency), currency, cost, facts.isOverDays));
  const sum = costs.reduce(added, { ...NOTHING, what: 'Sum' });
  const at = sheet.rowCount() + 1;
  const cells = costCells({ value: currency, style: BOLD_STYLE }, currency, sum, facts.isOverDays);
  const [letter, checkLetter] = facts.isOverDays ? ['H', 'K'] : ['D', 'H'];
  const check = facts.isBooked ? [checkCellOf(`${letter}${at}`, currency, sum, facts)] : [];
  sheet.addRow([...cells, ...check]);
  return `${checkLetter}${at}:${checkLetter}${at}`;
}

/** The Journal's own payments and fees, counted by the workbook. */
function checkCellOf(cell: string, currency: CurrencyCode, { daysMinor }: Cost, { sums }: CostFacts): Cell {
  const booked = sums.find((sum) => sum.currency === currency)?.takenMinor ?? 0n;
  const difference = booked - daysMinor;
  if (!isExactNumber(booked) || !isExactNumber(daysMinor))
    return { value: differsText({ currency, difference }), style: CHECK_STYLE };
  const { credit, currency: code, kind } = JOURNAL.letters;
  const range = (letter: string) => `${JOURNAL.name}!$${letter}:$${letter}`;
  const kinds = `{${PAYMENT_AND_FEE.map((word) => `"${word}"`).join(';')}}`;
  const journal = `SUMPRODUCT(SUMIFS(${range(credit)},${range(code)},"${currency}",${range(kind)},${kinds}))`;
  return equalMoney(cell, journal, { currency, difference });
}

function costsOf(currency: CurrencyCode, { costs, booked }: CostFacts): readonly Cost[] {
  const mine = costs.filter((cost) => cost.currency === currency);
  const shown = mine.map((cost): Cost => {
    const { group, count, feeMinor, debitMinor, daysCount, daysMinor } = cost;
    const backMinor = debitMinor - keptOf(cost);
    return { what: GROUP_WORDS[group].word, count, feeMinor, debitMinor, backMinor, daysCount, daysMinor };
  });
  const taken = booked.taken.find((each) => each.currency === currency);
  return [...shown, ...(taken === undefined ? [] : hiddenCosts(taken))].filter(({ count }) => count > 0);
}

function hiddenCosts({ earlier, unpaid }: Taken): readonly Cost[] {
  return [
    { ...earlier, what: 'Paid again since', backMinor: earlier.returnedMinor },
    { ...unpaid, what: 'Found unpaid', backMinor: unpaid.debitMinor },
  ];
}

const NOTHING: Cost = {
  what: '',
  count: 0,
  feeMinor: 0n,
  debitMinor: 0n,
  backMinor: 0n,
  daysCount: 0,
  daysMinor: 0n,
};

function added(sum: Cost, cost: Cost): Cost {
  return {
    what: sum.what,
    count: sum.count + cost.count,
    feeMinor: sum.feeMinor + cost.feeMinor,
    debitMinor: sum.debitMinor + cost.debitMinor,
    backMinor: sum.backMinor + cost.backMinor,
    daysCount: sum.daysCount + cost.daysCount,
    daysMinor: sum.daysMinor + cost.daysMinor,
  };
}

function costCells(first: Cell, currency: CurrencyCode, cost: Cost, isOverDays: boolean): readonly Cell[] {
  const { what, count, feeMinor, debitMinor, backMinor, daysCount, daysMinor } = cost;
  const money = (minor: bigint) => moneyCell({ minor, currency });
  const days = [{ value: daysCount, style: COUNT_STYLE }, money(daysMinor), money(debitMinor - daysMinor)];
  return [
    first,
    { value: count, style: COUNT_STYLE },
    ...[feeMinor, debitMinor, backMinor, debitMinor - backMinor].map(money),
    ...(isOverDays ? days : []),
    { value: what, style: PLAIN_STYLE },
  ];
}
