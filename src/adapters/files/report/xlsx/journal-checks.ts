/**
 * The checks of the Journal on the sheet Control totals. Per currency: debits equal credits; and the payments and fees
 * that it books are those of the sheet Payments, of payments that were paid again since, and of those that were found
 * unpaid afterwards. Per account: what was booked, on other days too, comes to what the states of the ledger's payments say.
 */

import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { formatMoney } from '../../../../domain/money/money.ts';
import {
  type Balance,
  BOOKED_GROUPS,
  type BookedTotal,
  type Taken,
} from '../../../../domain/reporting/booking.ts';
import { type ControlTotals, GROUP_WORDS } from '../../../../domain/reporting/control-totals.ts';
import type { Period } from '../../../../domain/reporting/period.ts';
import { countText } from '../../../../domain/text/printable.ts';
import type { Timestamp } from '../../../../domain/timestamp.ts';
import { accountUse } from './accounts-sheet.ts';
import { headerCells, isExactNumber, moneyCell, numberOf, overNumbers, textCell } from './cells.ts';
import { checkCell, differsText, equalMoney } from './check-cells.ts';
import { JOURNAL, PAYMENT_AND_FEE } from './journal-lines.ts';
import type { BookedSum } from './journal-sheet.ts';
import { PAYMENTS, paymentsRange } from './payments-sheet.ts';
import { amountStyle, QUIET_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

const DAY_MS = 86_400_000;

export interface JournalFacts {
  readonly sums: readonly BookedSum[];
  readonly booked: BookedTotal;
  /** The ledger gave its payments; otherwise there is nothing to check. */
  readonly isBooked: boolean;
  readonly lastRow: number;
  readonly paymentsLastRow: number;
  /** Only what is dated in it was booked. */
  readonly period: Period | undefined;
}

/** Of one currency: what was taken, by the lines of the report and by the ledger, beside the Journal's payments and fees. */
interface TakenRow {
  readonly currency: CurrencyCode;
  readonly debits: bigint;
  readonly rows: bigint;
  readonly earlier: bigint;
  readonly unpaid: bigint;
  readonly journal: bigint;
}

interface AccountRow extends Balance {
  readonly inDays: bigint;
}

/** Rows that the part takes, and the ranges of its checks when it begins on that row. */
export function journalChecks(
  totals: ControlTotals,
  facts: JournalFacts,
  firstRow: number,
): readonly string[] {
  const [taken, accounts] = [takenRows(totals, facts), accountRows(facts)];
  if (taken.length === 0) return [];
  const from = firstRow + 1;
  const to = firstRow + taken.length;
  const below = to + 3;
  const both = [`D${from}:D${to}`, `I${from}:I${to}`];
  return accounts.length === 0 ? both : [...both, `G${below}:G${below + accounts.length - 1}`];
}

/** One sentence per place where Journal and ledger part. */
export function journalParts(totals: ControlTotals, facts: JournalFacts): readonly string[] {
  const text = (minor: bigint, currency: CurrencyCode) => formatMoney({ minor, currency });
  const taken = takenRows(totals, facts).flatMap((row) => {
    const wanted = row.rows + row.earlier + row.unpaid;
    if (wanted === row.journal) return [];
    const { currency, journal } = row;
    return [
      `Journal, payments and fees in ${currency}: the payments have ${text(wanted, currency)}, the Journal ${text(journal, currency)}.`,
    ];
  });
  const accounts = accountRows(facts).flatMap((row) => {
    const { role, currency, ledger } = row;
    const booked = row.before + row.inDays + row.later;
    if (booked === ledger) return [];
    return [
      `Journal, ${accountUse(role)}: the ledger comes to ${text(ledger, currency)}, the Journal to ${text(booked, currency)}.`,
    ];
  });
  return [...taken, ...accounts];
}

export function writeJournalChecks(sheet: Sheet, totals: ControlTotals, facts: JournalFacts): void {
  const taken = takenRows(totals, facts);
  if (taken.length === 0) return;
  const numbers = ['Debits, Journal', 'Credits, Journal'].map(overNumbers);
  const sides = ['Debits, Payments', 'Paid again since', 'Found unpaid', 'Payments and fees, Journal'];
  sheet.addRow(headerCells(['Booked in', ...numbers, 'Check', ...sides.map(overNumbers), 'Check']), 2);
  for (const row of taken) sheet.addRow(takenCells(row, sheet.rowCount() + 1, facts));
  sheet.addRow([]);
  const days = ['Before these days', 'In these days, Journal', 'Later', 'By the ledger now'];
  sheet.addRow(headerCells(['Account', 'Booked in', ...days.map(overNumbers), 'Check']), 2);
  for (const row of accountRows(facts)) sheet.addRow(accountCells(row, sheet.rowCount() + 1, facts));
  for (const value of notesOf(facts)) sheet.addRow([{ value, style: QUIET_STYLE }]);
  sheet.addRow([]);
}

function notesOf({ period, booked: { ofOtherDays } }: JournalFacts): readonly string[] {
  const how =
    'Debits count up, credits down. Paid again since: earlier payments of rows, which no line shows. Found unpaid: sent, then failed or ruled not paid.';
  if (period === undefined) return [how];
  const left = `Dated on other days, which the Journal leaves to the report of those days: ${countText(ofOtherDays)} pairs. Once its days are over, a report books the same whenever it is made.`;
  return [how, left];
}

function takenRows(totals: ControlTotals, { sums, booked, isBooked }: JournalFacts): readonly TakenRow[] {
  if (!isBooked) return [];
  const costs = totals.costs.map(({ currency }) => currency);
  const sent = booked.taken.map(({ currency }) => currency);
  const every = new Set([...sums.map(({ currency }) => currency), ...costs, ...sent]);
  return [...every].sort().map((currency) => {
    const sum = sums.find((each) => each.currency === currency);
    const taken: Taken | undefined = booked.taken.find((each) => each.currency === currency);
    const mine = totals.costs.filter((cost) => cost.currency === currency);
    return {
      currency,
      debits: sum?.minor ?? 0n,
      rows: mine.reduce((all, { daysMinor }) => all + daysMinor, 0n),
      earlier: taken?.earlier.daysMinor ?? 0n,
      unpaid: taken?.unpaid.daysMinor ?? 0n,
      journal: sum?.takenMinor ?? 0n,
    };
  });
}

/** Accounts that nothing was ever booked to and that hold nothing are left out. */
function accountRows({ sums, booked }: JournalFacts): readonly AccountRow[] {
  const found = new Map<string, AccountRow>();
  for (const balance of booked.balances)
    found.set(`${balance.currency} ${balance.role}`, { ...balance, inDays: 0n });
  for (const { currency, accounts } of sums) {
    for (const [role, inDays] of accounts) {
      const key = `${currency} ${role}`;
      const known = found.get(key) ?? { role, currency, before: 0n, later: 0n, ledger: 0n };
      found.set(key, { ...known, inDays });
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const rowsOf = (words: readonly string[]) => `{${words.map((word) => `"${word}"`).join(';')}}`;
const PRICED = rowsOf(PAYMENT_AND_FEE);
const BOOKED = rowsOf(BOOKED_GROUPS.map((group) => GROUP_WORDS[group].word));

function takenCells(row: TakenRow, at: number, facts: JournalFacts): readonly Cell[] {
  const { currency, debits, rows, earlier, unpaid, journal } = row;
  const difference = rows + earlier + unpaid - journal;
  const money = (minor: bigint) => moneyCell({ minor, currency });
  if (![debits, rows, journal].every(isExactNumber)) {
    // Debit and credit of a pair are one amount, so beyond what a double holds there is nothing to compare.
    const sides = [debits, debits].map(money);
    const verdict = differsText({ currency, difference });
    const parts = [rows, earlier, unpaid, journal].map(money);
    return [textCell(currency), ...sides, verdictCell('ties'), ...parts, verdictCell(verdict)];
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
  const live = (formula: string, minor: bigint) => calculated(formula, minor, currency);
  return [
    textCell(currency),
    live(`SUMIFS(${journalRange(debit, facts)},${mine})`, debits),
    live(`SUMIFS(${journalRange(credit, facts)},${mine})`, debits),
    equalMoney(`B${at}`, `C${at}`, { currency, difference: 0n }),
    live(`SUMPRODUCT(SUMIFS(${shown}))`, rows),
    money(earlier),
    money(unpaid),
    live(
      `SUMPRODUCT(SUMIFS(${journalRange(credit, facts)},${mine},${journalRange(kind, facts)},${PRICED}))`,
      journal,
    ),
    equalMoney(`H${at}`, `SUM(E${at}:G${at})`, { currency, difference }),
  ];
}

function accountCells(row: AccountRow, at: number, facts: JournalFacts): readonly Cell[] {
  const { role, currency, before, inDays, later, ledger } = row;
  const difference = before + inDays + later - ledger;
  const money = (minor: bigint) => moneyCell({ minor, currency });
  const name = textCell(accountUse(role));
  if (![before, inDays, later, ledger].every(isExactNumber)) {
    const verdict = differsText({ currency, difference });
    return [name, textCell(currency), ...[before, inDays, later, ledger].map(money), verdictCell(verdict)];
  }
  const { use, debit, credit } = JOURNAL.letters;
  const mine = `${journalRange(use, facts)},$A${at},${journalRange(JOURNAL.letters.currency, facts)},$B${at}`;
  const side = (letter: string) => `SUMIFS(${journalRange(letter, facts)},${mine})`;
  const booked = `ROUND(${side(debit)}-${side(credit)},${decimalsOf(currency)})`;
  return [
    name,
    textCell(currency),
    money(before),
    calculated(booked, inDays, currency),
    money(later),
    money(ledger),
    equalMoney(`F${at}`, `SUM(C${at}:E${at})`, { currency, difference }),
  ];
}

function calculated(formula: string, minor: bigint, currency: CurrencyCode): Cell {
  return { value: { formula, result: numberOf(minor, currency) }, style: amountStyle(decimalsOf(currency)) };
}

function verdictCell(text: string): Cell {
  return checkCell(`"${text}"`, text);
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
