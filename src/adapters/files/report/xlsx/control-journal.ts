/**
 * The checks of the Journal on the sheet Control totals. Per currency: debits equal credits, and payments and fees are
 * those of the sheet Payments and of payments that no line shows; the Journal by day has the same. Per account: what was booked comes to what the
 * ledger's states say.
 */

import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { verdictOf } from '../../../../domain/reporting/control-totals.ts';
import {
  ACCOUNT_USES,
  type AccountCheck,
  type JournalChecks,
  type TakenCheck,
} from '../../../../domain/reporting/journal-checks.ts';
import type { Period } from '../../../../domain/reporting/period.ts';
import { BOOKED_GROUPS, GROUP_WORDS } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import type { Timestamp } from '../../../../domain/timestamp.ts';
import { type Column, column, type Place, type Ranges } from '../../../../views/table-columns.ts';
import { PAYMENT_AND_FEE } from './journal-sheet.ts';
import { anyOf, BLANK, type Block, equalMoney, remarks, sumIfs, sumOfAny, table } from './sheet.ts';

const DAY_MS = 86_400_000;

export interface JournalFacts {
  /** undefined: the ledger gave no payments, so there is nothing to check. */
  readonly checks: JournalChecks | undefined;
  /** Only what is dated in it was booked. */
  readonly period: Period | undefined;
  /** Pairs that are dated outside the period. */
  readonly ofOtherDays: number;
  readonly ranges: Ranges;
}

export function journalBlocks(facts: JournalFacts): readonly Block[] {
  const { checks, ranges, period } = facts;
  if (checks === undefined || checks.taken.length === 0) return [];
  const shared = { headingLines: 2, ranges };
  const taken = checks.taken.map((check) => ({ ...check, period }));
  return [
    table({ columns: TAKEN_COLUMNS, lines: taken, ...shared }),
    BLANK,
    table({ columns: ACCOUNT_COLUMNS, lines: checks.accounts, ...shared }),
    remarks(notesOf(facts)),
    BLANK,
  ];
}

type Taken = TakenCheck & Pick<JournalFacts, 'period'>;

const sumOfSide =
  (side: 'Debit' | 'Credit') =>
  (_: Taken, { journal, cell }: Place) =>
    sumIfs(journal(side), [journal('Currency'), `$${cell('Booked in')}`]);
const sumByDay =
  (side: 'Debit' | 'Credit') =>
  (_: Taken, { days, cell }: Place) =>
    sumIfs(days(side), [days('Currency'), `$${cell('Booked in')}`]);
const takenOf = (key: 'debits' | 'rows' | 'earlier' | 'unpaid' | 'journal') => (check: Taken) => ({
  minor: check[key],
  currency: check.currency,
});

const TAKEN_COLUMNS: readonly Column<Taken>[] = [
  column.text('Booked in', ({ currency }) => currency),
  column.money('Debits, Journal', takenOf('debits'), { formula: sumOfSide('Debit') }),
  // Debit and credit of a pair are one amount.
  column.money('Credits, Journal', takenOf('debits'), { formula: sumOfSide('Credit') }),
  column.check('Check', () => 'ties', {
    formula: ({ currency }, { cell }) =>
      equalMoney(cell('Debits, Journal'), cell('Credits, Journal'), currency),
  }),
  column.money('Debits, Payments', takenOf('rows'), { formula: inPayments }),
  column.money('Paid again since', takenOf('earlier'), { mayGo: true }),
  column.money('Found unpaid', takenOf('unpaid'), { mayGo: true }),
  column.money('Payments and fees, Journal', takenOf('journal'), { formula: inJournal }),
  column.check('Check', gapText, {
    formula: ({ currency }, { cell, sum }) =>
      equalMoney(
        cell('Payments and fees, Journal'),
        sum(['Debits, Payments', 'Paid again since', 'Found unpaid']),
        currency,
      ),
  }),
  column.money('Debits, by day', takenOf('debits'), { formula: sumByDay('Debit') }),
  column.money('Credits, by day', takenOf('debits'), { formula: sumByDay('Credit') }),
  // Both sheets are made of the same entries.
  column.check('Check', () => 'ties', {
    formula: ({ currency }, { cell }) => {
      const [debits = '', credits = ''] = ['Debits', 'Credits'].map((side) =>
        equalMoney(cell(`${side}, Journal`), cell(`${side}, by day`), currency),
      );
      return `IF(${debits}="ties",${credits},${debits})`;
    },
  }),
];

const BOOKED = anyOf(BOOKED_GROUPS.map((group) => GROUP_WORDS[group].word));

function inPayments({ period }: Taken, { payments, cell }: Place): string {
  const mine = [payments('Debit currency'), `$${cell('Booked in')}`] as const;
  const sentAt = payments('Sent at (UTC)');
  const days: readonly (readonly [string, string])[] =
    period === undefined
      ? []
      : [
          [sentAt, `">=${serialOf(period.startsAt)}"`],
          [sentAt, `"<${serialOf(period.endsAt)}"`],
        ];
  return sumOfAny(payments('Debit'), mine, [payments('Counted as'), BOOKED], ...days);
}

/** The number that a spreadsheet keeps for the beginning of a day. */
function serialOf(startOfDay: Timestamp): number {
  return startOfDay / DAY_MS + 25_569;
}

function inJournal(_: Taken, { journal, cell }: Place): string {
  const mine = [journal('Currency'), `$${cell('Booked in')}`] as const;
  return sumOfAny(journal('Credit'), mine, [journal('Kind'), anyOf(PAYMENT_AND_FEE)]);
}

const inAccount = (key: 'before' | 'inDays' | 'later' | 'ledger') => (check: AccountCheck) => ({
  minor: check[key],
  currency: check.currency,
});

const ACCOUNT_COLUMNS: readonly Column<AccountCheck>[] = [
  column.text('Account', ({ role }) => ACCOUNT_USES[role]),
  column.text('Booked in', ({ currency }) => currency),
  column.money('Before these days', inAccount('before'), { mayGo: true }),
  column.money('In these days, Journal', inAccount('inDays'), { formula: bookedFormula }),
  column.money('Later', inAccount('later'), { mayGo: true }),
  column.money('By the ledger now', inAccount('ledger')),
  column.check('Check', gapText, {
    formula: ({ currency }, { cell, sum }) =>
      equalMoney(
        cell('By the ledger now'),
        sum(['Before these days', 'In these days, Journal', 'Later']),
        currency,
      ),
  }),
];

function bookedFormula({ currency }: AccountCheck, { journal, cell }: Place): string {
  const mine = [
    [journal('Used for'), `$${cell('Account')}`],
    [journal('Currency'), `$${cell('Booked in')}`],
  ] as const;
  const [debits, credits] = ['Debit', 'Credit'].map((side) => sumIfs(journal(side), ...mine));
  return `ROUND(${debits}-${credits},${decimalsOf(currency)})`;
}

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
