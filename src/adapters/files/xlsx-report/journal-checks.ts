/**
 * The checks of the Journal on the sheet Control totals, per currency: debits equal credits, and payments with their
 * fees come to the debits that the sheet Payments shows; in a report over days, of the payments sent in them.
 */

import { BOOKED_GROUPS } from '../../../domain/booking.ts';
import { countText } from '../../../domain/counted.ts';
import { decimalsOf } from '../../../domain/currency.ts';
import type { Period } from '../../../domain/period.ts';
import type { Timestamp } from '../../../domain/timestamp.ts';
import { headerCells, isExactNumber, moneyCell, numberOf, overNumbers, textCell } from './cells.ts';
import { checkCell, equalMoney } from './check-cells.ts';
import { type BookedSum, JOURNAL, KIND_WORDS } from './journal-sheet.ts';
import { GROUP_WORDS, PAYMENTS, paymentsRange } from './payments-sheet.ts';
import { amountStyle, QUIET_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

const DAY_MS = 86_400_000;

export interface JournalFacts {
  readonly sums: readonly BookedSum[];
  readonly lastRow: number;
  readonly paymentsLastRow: number;
  /** Only what is dated in it was booked, and so much was not. */
  readonly period: Period | undefined;
  readonly ofOtherDays: number;
}

/** Rows that the part takes, and the ranges of its checks when it begins on that row. */
export function journalChecks(facts: JournalFacts, firstRow: number): readonly string[] {
  if (facts.sums.length === 0) return [];
  const [from, to] = [firstRow + 1, firstRow + facts.sums.length];
  return [`D${from}:D${to}`, `G${from}:G${to}`];
}

export function writeJournalChecks(sheet: Sheet, facts: JournalFacts): void {
  writeSums(sheet, facts);
  if (facts.ofOtherDays === 0) return;
  const many = `Payments, fees and returns dated on other days, which the Journal leaves to the report of those days: ${countText(facts.ofOtherDays)}.`;
  const again = 'Make that report again where it was made before they settled.';
  for (const value of [many, again]) sheet.addRow([{ value, style: QUIET_STYLE }]);
}

function writeSums(sheet: Sheet, facts: JournalFacts): void {
  if (facts.sums.length === 0) return;
  const numbers = ['Debits, Journal', 'Credits, Journal'].map(overNumbers);
  const priced = ['As quoted, Journal', 'Debits, Payments'].map(overNumbers);
  sheet.addRow(headerCells(['Booked in', ...numbers, 'Check', ...priced, 'Check']));
  for (const sum of facts.sums) sheet.addRow(sumCells(sum, sheet.rowCount() + 1, facts));
  sheet.addRow([]);
}

const PRICED = `{"${KIND_WORDS.payment}";"${KIND_WORDS.fee}"}`;
const BOOKED = `{${BOOKED_GROUPS.map((group) => `"${GROUP_WORDS[group]}"`).join(';')}}`;

function sumCells(sum: BookedSum, at: number, facts: JournalFacts): readonly Cell[] {
  const { currency, minor, pricedMinor } = sum;
  const total = { minor, currency };
  const priced = { minor: pricedMinor, currency };
  if (!isExactNumber(minor)) {
    // Debit and credit of a pair are one amount, so beyond what a double holds there is nothing to compare.
    const [whole, part, ties] = [moneyCell(total), moneyCell(priced), checkCell('"ties"', 'ties')];
    return [textCell(currency), whole, whole, ties, part, part, ties];
  }
  const { debit, credit, kind } = JOURNAL.letters;
  const mine = `${journalRange(JOURNAL.letters.currency, facts)},$A${at}`;
  const { letters } = PAYMENTS;
  const shown = [
    paymentsRange(letters.debit, facts.paymentsLastRow),
    `${paymentsRange(letters.source, facts.paymentsLastRow)},$A${at}`,
    `${paymentsRange(letters.group, facts.paymentsLastRow)},${BOOKED}`,
    ...sentInDays(facts),
  ].join(',');
  const style = amountStyle(decimalsOf(currency));
  const live = (formula: string, value: bigint): Cell => ({
    value: { formula, result: numberOf(value, currency) },
    style,
  });
  const none = { currency, difference: 0n };
  return [
    textCell(currency),
    live(`SUMIFS(${journalRange(debit, facts)},${mine})`, minor),
    live(`SUMIFS(${journalRange(credit, facts)},${mine})`, minor),
    equalMoney(`B${at}`, `C${at}`, none),
    live(
      `SUMPRODUCT(SUMIFS(${journalRange(credit, facts)},${mine},${journalRange(kind, facts)},${PRICED}))`,
      pricedMinor,
    ),
    live(`SUMPRODUCT(SUMIFS(${shown}))`, pricedMinor),
    equalMoney(`E${at}`, `F${at}`, none),
  ];
}

function sentInDays({ period, paymentsLastRow }: JournalFacts): readonly string[] {
  if (period === undefined) return [];
  const sentAt = paymentsRange(PAYMENTS.letters.sentAt, paymentsLastRow);
  return [`${sentAt},">=${serialOf(period.startsAt)}"`, `${sentAt},"<${serialOf(period.endsAt)}"`];
}

/** The number that a spreadsheet keeps for the beginning of a day. */
function serialOf(startOfDay: Timestamp): number {
  return startOfDay / DAY_MS + 25_569;
}

function journalRange(letter: string, { lastRow }: JournalFacts): string {
  return `${JOURNAL.name}!$${letter}$2:$${letter}$${Math.max(2, lastRow)}`;
}
