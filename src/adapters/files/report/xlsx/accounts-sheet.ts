/**
 * The sheet Accounts: which account of your books each side of the Journal goes to. Write your own codes and names
 * here once; every line of the Journal follows.
 */
import { ACCOUNT_ROLES, type AccountRole } from '../../../../domain/reporting/booking.ts';
import { headerCells, textCell, wordsCell } from './cells.ts';
import { blankRule } from './rules.ts';
import { BOLD_STYLE, INPUT_STYLE, PLAIN_STYLE, QUIET_STYLE } from './styles.ts';
import type { Formula, Sheet } from './xlsx-workbook.ts';

export const ACCOUNTS = { name: 'Accounts', widths: [26, 16, 34, 96] } as const;

interface Account {
  readonly used: string;
  readonly code: string;
  readonly name: string;
  readonly what: string;
}

const TABLE: Readonly<Record<AccountRole, Account>> = {
  owed: {
    used: 'Owed to the payees',
    code: '2100',
    name: 'Payments owed',
    what: 'What was owed and is paid now: salaries, suppliers, other payables.',
  },
  paying: {
    used: 'The account that pays',
    code: '1010',
    name: 'Account at the payment service',
    what: 'Payments and their fees leave it when the service finishes them; returns come back to it.',
  },
  fees: {
    used: 'Fees of transfers',
    code: '6800',
    name: 'Transfer fees',
    what: 'The fee that was quoted for each payment.',
  },
  on_its_way: {
    used: 'On its way',
    code: '1090',
    name: 'Payments on their way',
    what: 'From the day of sending to the day of finishing; also the other side of a payment in doubt.',
  },
  suspense: {
    used: 'In doubt',
    code: '1999',
    name: 'Suspense, outcome not known',
    what: 'The money may have moved. The day of the answer or of the ruling books it out.',
  },
};

const FIRST_ROW = 4;

export function writeAccounts(sheet: Sheet): void {
  sheet.addRow([{ value: 'Accounts of the Journal', style: BOLD_STYLE }]);
  const how = 'Write your own codes and names over these in the columns B and C: the sheet Journal follows.';
  sheet.addRow([{ value: how, style: QUIET_STYLE }]);
  sheet.addRow(headerCells(['Used for', 'Account code', 'Account name', 'What is booked there']));
  for (const role of ACCOUNT_ROLES) {
    const { used, code, name, what } = TABLE[role];
    sheet.addRow([
      { value: used, style: PLAIN_STYLE },
      { ...textCell(code), style: INPUT_STYLE },
      { ...textCell(name), style: INPUT_STYLE },
      wordsCell(what),
    ]);
  }
  sheet.rule(`B${FIRST_ROW}:C${FIRST_ROW + ACCOUNT_ROLES.length - 1}`, blankRule(`B${FIRST_ROW}`));
}

/** Cells that show what the sheet Accounts says of a role. */
export function accountFormulas(role: AccountRole): { readonly code: Formula; readonly name: Formula } {
  return FORMULAS[role];
}

/** Its name for people; stays the same whatever the codes are. */
export function accountUse(role: AccountRole): string {
  return TABLE[role].used;
}

const FORMULAS = Object.fromEntries(
  ACCOUNT_ROLES.map((role, at) => {
    const row = FIRST_ROW + at;
    const { code, name } = TABLE[role];
    return [
      role,
      {
        code: { formula: `${ACCOUNTS.name}!$B$${row}`, result: code },
        name: { formula: `${ACCOUNTS.name}!$C$${row}`, result: name },
      },
    ];
  }),
) as Readonly<Record<AccountRole, { readonly code: Formula; readonly name: Formula }>>;
