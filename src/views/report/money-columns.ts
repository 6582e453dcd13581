/** The tables of money, the same in the workbook and on the page: by currency, and what is to be posted. */
import type { CurrencyCode } from '../../domain/money/currency.ts';
import { UNACCOUNTED } from '../../domain/reporting/currency-totals.ts';
import type { GroupLine } from '../../domain/reporting/group-totals.ts';
import {
  ACCOUNT_ROLES,
  type AccountMovement,
  type AccountRole,
} from '../../domain/reporting/journal-accounts.ts';
import { ACCOUNT_USES, type BookedSum } from '../../domain/reporting/journal-checks.ts';
import { MATRIX_PARTS, type MatrixLine } from '../../domain/reporting/money-matrix.ts';
import { printable } from '../../domain/text/printable.ts';
import { type Column, column } from '../table-columns.ts';

export const MATRIX_COLUMNS: readonly Column<MatrixLine>[] = [
  column.plain('Currency', ({ name }) => name, { isBold: ({ isTotal }) => isTotal }),
  column.count('Payments', ({ count }) => count),
  column.money('Requested', ({ requested }) => requested),
  ...MATRIX_PARTS.map(
    (name, at): Column<MatrixLine> => column.money(name, ({ parts }) => parts[at], { mayGo: true }),
  ),
  column.money(UNACCOUNTED, ({ unaccounted }) => unaccounted, { mayGo: true }),
  column.coined('Fees', ({ fees }) => fees, { mayGo: true }),
  column.coined('Cost', ({ cost }) => cost, { mayGo: true }),
];

/** Of a group of payments by a column of the file. */
export const groupColumns = (named: string): readonly Column<GroupLine>[] => [
  column.plain(printable(named), ({ value }) => value),
  ...MATRIX_COLUMNS,
];

/** What the journal does to one account in all. */
export interface Posting {
  /** undefined: the sum. */
  readonly role: AccountRole | undefined;
  /** Of the account in the books. */
  readonly code: string;
  readonly currency: CurrencyCode;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Over days each account of the books has a line; of one batch each role has one account. */
export function postings(
  sums: readonly BookedSum[],
  codeOf: (role: AccountRole, currency: CurrencyCode) => string,
  overDays?: readonly AccountMovement[],
): readonly Posting[] {
  const ofRoles = sums.flatMap(({ currency, accounts }) =>
    ACCOUNT_ROLES.map((role) => ({
      ...{ role, currency, code: codeOf(role, currency), minor: accounts.get(role) ?? 0n },
    })),
  );
  const ofAccounts = overDays?.map(({ role, currency, account: { code }, debit, credit }) => ({
    ...{ role, currency, code, minor: debit - credit },
  }));
  const used = (ofAccounts ?? ofRoles).filter(({ minor }) => minor !== 0n);
  return [...Map.groupBy(used, ({ currency }) => currency)].flatMap(([currency, list]) => {
    const lines = list.map(({ minor, ...line }) => ({
      ...{ ...line, debit: minor > 0n ? minor : 0n, credit: minor < 0n ? -minor : 0n },
    }));
    const sum = (side: 'debit' | 'credit') => lines.reduce((all, line) => all + line[side], 0n);
    return [...lines, { role: undefined, code: '', currency, debit: sum('debit'), credit: sum('credit') }];
  });
}

const side =
  (key: 'debit' | 'credit') =>
  ({ role, currency, ...sums }: Posting) =>
    role !== undefined && sums[key] === 0n ? undefined : { minor: sums[key], currency };

export const POSTING_COLUMNS: readonly Column<Posting>[] = [
  column.plain('To be posted', ({ role }) => (role === undefined ? 'Total' : ACCOUNT_USES[role]), {
    isBold: ({ role }) => role === undefined,
  }),
  column.text('Account code', ({ code }) => code, { mayGo: true }),
  column.money('Debit', side('debit')),
  column.money('Credit', side('credit')),
  column.text('Currency', ({ currency }) => currency),
];
