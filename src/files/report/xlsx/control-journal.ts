/**
 * The checks of the Journal on the sheet Summary. Per currency: payments and fees equal those of the sheet
 * Payments and of payments without a line. Per account: the sum booked equals the sum of the ledger's states.
 */

import type { CurrencyCode } from '../../../domain/money/currency.ts';
import { verdictOf } from '../../../domain/reporting/control-totals.ts';
import {
  ACCOUNT_USES,
  type AccountCheck,
  type JournalChecks,
  type TakenCheck,
} from '../../../domain/reporting/journal-checks.ts';
import type { Period } from '../../../domain/reporting/period.ts';
import { countText } from '../../../domain/text/printable.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { BLANK, remarks, type SheetRow, table } from './sheet.ts';

export interface JournalFacts {
  /** undefined: the ledger gave no payments, so there is nothing to check. */
  readonly checks: JournalChecks | undefined;
  /** Only what is dated in it was booked. */
  readonly period: Period | undefined;
  /** Pairs that are dated outside the period. */
  readonly ofOtherDays: number;
}

export function journalBlocks(facts: JournalFacts): readonly (readonly SheetRow[])[] {
  const { checks } = facts;
  if (checks === undefined || checks.taken.length === 0) return [];
  return [
    table({ columns: TAKEN_COLUMNS, lines: checks.taken, headingLines: 2 }),
    BLANK,
    table({ columns: ACCOUNT_COLUMNS, lines: checks.accounts, headingLines: 2 }),
    remarks(notesOf(facts)),
    BLANK,
  ];
}

const takenOf = (key: 'debits' | 'rows' | 'earlier' | 'unpaid' | 'journal') => (check: TakenCheck) => ({
  minor: check[key],
  currency: check.currency,
});

const TAKEN_COLUMNS: readonly Column<TakenCheck>[] = [
  column.text('Booked in', ({ currency }) => currency),
  // Debit and credit of a pair are one amount.
  column.money('Debits, Journal', takenOf('debits')),
  column.money('Credits, Journal', takenOf('debits')),
  column.money('Debits, Payments', takenOf('rows')),
  column.money('Paid again since', takenOf('earlier'), { mayGo: true }),
  column.money('Found unpaid', takenOf('unpaid'), { mayGo: true }),
  column.money('Payments and fees, Journal', takenOf('journal')),
  column.check('Check', gapText),
];

const inAccount = (key: 'before' | 'inDays' | 'later' | 'ledger') => (check: AccountCheck) => ({
  minor: check[key],
  currency: check.currency,
});

const ACCOUNT_COLUMNS: readonly Column<AccountCheck>[] = [
  column.text('Account', ({ role }) => ACCOUNT_USES[role]),
  column.text('Booked in', ({ currency }) => currency),
  column.money('Before these days', inAccount('before'), { mayGo: true }),
  column.money('In these days, Journal', inAccount('inDays')),
  column.money('Later', inAccount('later'), { mayGo: true }),
  column.money('By the ledger now', inAccount('ledger')),
  column.check('Check', gapText),
];

function gapText({ gap, currency }: { readonly gap: bigint; readonly currency: CurrencyCode }): string {
  return verdictOf({ count: 0, minor: gap }, currency);
}

function notesOf({ period, ofOtherDays }: JournalFacts): readonly string[] {
  const how =
    'Debits count up, credits down. Paid again since: earlier payments of rows, which no line shows. Found unpaid: sent, then failed or ruled not paid.';
  if (period === undefined) return [how];
  const left = `Dated on other days, which the Journal leaves to the report of those days: ${countText(ofOtherDays)} pairs. Once its days are over, a report books the same whenever it is made.`;
  return [how, left];
}
