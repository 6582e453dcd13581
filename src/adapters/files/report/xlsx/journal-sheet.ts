/**
 * The sheet Journal: double entry, ready to be imported. One debit and one credit line for everything that happened to a
 * payment's money, on its own day, to the accounts that the sheet Accounts names. Payments that were paid again since
 * stand after those of the file.
 *
 * In a report over days only what is dated in them is booked, so that months imported one after another book everything
 * once. A sheet holds a million lines. Where a batch needs more, each kind of line is summed up per currency, and the
 * sheet says so: nothing is left out.
 *
 * The sheet Accounts says which account of your books each side goes to; every line of the Journal follows it.
 */

import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import {
  ACCOUNT_ROLES,
  type AccountRole,
  BOOKING_KINDS,
  type Booking,
  type BookingKind,
  type SentPayout,
} from '../../../../domain/reporting/booking.ts';
import { ACCOUNT_USES, type BookedSum, bookedSums } from '../../../../domain/reporting/journal-checks.ts';
import { GROUP_OF, GROUP_WORDS, GROUPS, type Group } from '../../../../domain/reporting/status-words.ts';
import { countText, printable } from '../../../../domain/text/printable.ts';
import { timestampOf } from '../../../../domain/timestamp.ts';
import { type Column, column } from '../table-columns.ts';
import { boldCell, quietCell } from './cells.ts';
import { addRows, rows, stack, TableSheet, table, widthsOf } from './sheet.ts';
import { amberRule, groupRules } from './styles.ts';
import { DeflatedRows, type PackedRow, type Sheet } from './xlsx-workbook.ts';

interface Account {
  readonly role: AccountRole;
  readonly code: string;
  readonly name: string;
  readonly what: string;
}

const ACCOUNTS_USED: Readonly<Record<AccountRole, Omit<Account, 'role'>>> = {
  owed: {
    code: '2100',
    name: 'Payments owed',
    what: 'What was owed and is paid now: salaries, suppliers, other payables.',
  },
  paying: {
    code: '1010',
    name: 'Account at the payment service',
    what: 'Payments and their fees leave it when the service finishes them; returns come back to it.',
  },
  fees: { code: '6800', name: 'Transfer fees', what: 'The fee that was quoted for each payment.' },
  on_its_way: {
    code: '1090',
    name: 'Payments on their way',
    what: 'From the day of sending to the day of finishing; also the other side of a payment in doubt.',
  },
  suspense: {
    code: '1999',
    name: 'Suspense, outcome not known',
    what: 'The money may have moved. The day of the answer or of the ruling books it out.',
  },
};

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  column.plain('Used for', ({ role }) => ACCOUNT_USES[role], { width: 26 }),
  column.input('Account code', ({ code }) => code, { width: 16 }),
  column.input('Account name', ({ name }) => name, { width: 34 }),
  column.words('What is booked there', ({ what }) => what, { width: 96 }),
];

export const ACCOUNTS = { name: 'Accounts', widths: widthsOf(ACCOUNT_COLUMNS) };

const HOW = 'Write your own codes and names over these in the columns B and C: the sheet Journal follows.';
const FIRST_ROW = 4;

export function writeAccounts(sheet: Sheet): void {
  const lines = ACCOUNT_ROLES.map((role) => ({ role, ...ACCOUNTS_USED[role] }));
  const above = rows([boldCell('Accounts of the Journal')], [quietCell(HOW)]);
  addRows(sheet, stack([above, table({ columns: ACCOUNT_COLUMNS, lines })]));
  sheet.rule(`B${FIRST_ROW}:C${FIRST_ROW + lines.length - 1}`, amberRule(`LEN(TRIM(B${FIRST_ROW}))=0`));
}

/** What the sheet says of a role, and the cell that says it. */
export function accountOf(role: AccountRole, what: 'code' | 'name'): { text: string; cell: string } {
  const row = FIRST_ROW + ACCOUNT_ROLES.indexOf(role);
  return { text: ACCOUNTS_USED[role][what], cell: `${ACCOUNTS.name}!$${what === 'code' ? 'B' : 'C'}$${row}` };
}

const KIND_WORDS: Readonly<Record<BookingKind, string>> = {
  payment: 'Payment',
  fee: 'Fee',
  finished: 'Finished',
  found_paid: 'Doubt ended, paid',
  found_unpaid: 'Doubt ended, not paid',
  failed: 'Failed at the service',
  return: 'Return',
  paid_after_all: 'Paid after all',
};

/** What the checks of other sheets look for. */
export const PAYMENT_AND_FEE = [KIND_WORDS.payment, KIND_WORDS.fee];

function kindWord({ kind, isPriced }: Side): string {
  return isPriced ? KIND_WORDS[kind] : `${KIND_WORDS[kind]}, debit unknown`;
}

export interface Pair extends Omit<Booking, 'at'> {
  readonly at: Booking['at'] | undefined;
  readonly group: Group;
  readonly row: number | undefined;
  readonly name: string;
  readonly reference: string;
  readonly transferId: string;
  readonly batch: string;
}

/** One line of a pair. */
interface Side extends Pair {
  readonly side: 'debit' | 'credit';
}

const account = (what: 'code' | 'name') => ({
  value: (line: Side) => accountOf(line[line.side], what).text,
  formula: (line: Side) => accountOf(line[line.side], what).cell,
});
const amountOf = (side: Side['side']) => (line: Side) => (line.side === side ? line.money : undefined);

const JOURNAL_COLUMNS: readonly Column<Side>[] = [
  column.day('Date (UTC)', ({ at }) => at, { width: 12 }),
  column.row('Row', ({ row }) => row, { width: 7 }),
  { header: 'Account code', width: 14, style: 'plain', ...account('code') },
  { header: 'Account name', width: 30, style: 'plain', ...account('name') },
  column.money('Debit', amountOf('debit'), { width: 15 }),
  column.money('Credit', amountOf('credit'), { width: 15 }),
  column.text('Currency', ({ money }) => money.currency, { width: 10 }),
  column.plain('Kind', kindWord, { width: 26 }),
  column.plain('Counted as', ({ group }) => GROUP_WORDS[group].word, { width: 13 }),
  column.plain('Name', ({ name }) => name, { width: 24 }),
  column.text('Reference', ({ reference }) => reference, { width: 17 }),
  column.text('Transfer id', ({ transferId }) => transferId, { width: 26 }),
  column.text('Batch', ({ batch }) => batch, { width: 14 }),
  column.text('Voucher', ({ voucher }) => voucher, { width: 16 }),
  column.plain('Used for', (line) => ACCOUNT_USES[line[line.side]], { width: 20 }),
];

export const JOURNAL = { name: 'Journal', columns: JOURNAL_COLUMNS, widths: widthsOf(JOURNAL_COLUMNS) };

export function packed({ payout, batch }: SentPayout, booking: Booking): PackedRow {
  const { kind, at, debit, credit, money, isPriced, voucher } = booking;
  const { instruction, state, rowNumber } = payout;
  const owner = 'pricing' in state ? state.pricing?.nameCheck.resolved : undefined;
  return [
    rowNumber,
    BOOKING_KINDS.indexOf(kind),
    GROUPS.indexOf(GROUP_OF[state.status]),
    ACCOUNT_ROLES.indexOf(debit),
    ACCOUNT_ROLES.indexOf(credit),
    at,
    money.minor.toString(),
    money.currency,
    isPriced ? 1 : 0,
    voucher,
    instruction?.name ?? printable(owner ?? ''),
    instruction?.reference ?? '',
    'transferId' in state ? printable(state.transferId ?? '') : '',
    batch === undefined ? '' : (batch.name ?? batch.id),
  ];
}

export function unpacked(row: PackedRow): Pair {
  const [rowNumber, kind, group, debit, credit, at, minor, currency, isPriced, voucher, ...words] = row;
  const [name = '', reference = '', transferId = '', batch = ''] = words;
  return {
    row: Number(rowNumber),
    kind: BOOKING_KINDS[Number(kind)] ?? 'payment',
    group: GROUPS[Number(group)] ?? 'in_doubt',
    debit: roleAt(debit),
    credit: roleAt(credit),
    at: timestampOf(Number(at)),
    money: { minor: BigInt(minor ?? 0), currency: currency as CurrencyCode },
    isPriced: isPriced === 1,
    voucher: String(voucher),
    name: String(name),
    reference: String(reference),
    transferId: String(transferId),
    batch: String(batch),
  };
}

function roleAt(index: string | number | undefined): AccountRole {
  return ACCOUNT_ROLES[Number(index)] ?? 'suspense';
}

/** Two lines each, below the header and above the last row that a sheet has. */
const PAIRS_MAX = (1_048_576 - 2) / 2;
/** Rows added between two looks at how much waits to be written. */
const SLICE = 500;

interface Summed {
  readonly booking: Booking;
  readonly group: Group;
  count: number;
  minor: bigint;
}

export class Journal {
  readonly #kept = new DeflatedRows();
  readonly #sums = new Map<string, Summed>();
  readonly #pairsMax: number;
  #isTooLong = false;

  constructor(pairsMax = PAIRS_MAX) {
    this.#pairsMax = pairsMax;
  }

  add(sent: SentPayout, booking: Booking): void {
    this.#sum(booking, GROUP_OF[sent.payout.state.status]);
    if (this.#kept.count < this.#pairsMax) this.#kept.add(packed(sent, booking));
    else this.#isTooLong = true;
  }

  packed(): Promise<void> {
    return this.#kept.packed();
  }

  /** Per currency, for the checks beside the sheet. */
  sums(): readonly BookedSum[] {
    return bookedSums(this.#sums.values());
  }

  async writeTo(sheet: Sheet, nothing: string): Promise<void> {
    const table = new TableSheet(sheet, JOURNAL.columns);
    const add = (pair: Pair) => {
      table.add({ ...pair, side: 'debit' });
      table.add({ ...pair, side: 'credit' });
    };
    if (this.#isTooLong) for (const sum of this.#sums.values()) add(summedPair(sum));
    else {
      let written = 0;
      for await (const row of this.#kept.rows()) {
        add(unpacked(row));
        written += 1;
        if (written % SLICE === 0) await sheet.drained();
      }
    }
    table.end(nothing, (letter) => groupRules(`$${letter('Counted as')}2`));
  }

  #sum(booking: Booking, group: Group): void {
    const { kind, debit, credit, isPriced, money } = booking;
    const key = `${kind} ${debit} ${credit} ${isPriced} ${group} ${money.currency}`;
    const sum = this.#sums.get(key) ?? { booking, group, count: 0, minor: 0n };
    sum.count += 1;
    sum.minor += money.minor;
    this.#sums.set(key, sum);
  }
}

function summedPair({ booking, group, count, minor }: Summed): Pair {
  const name = `Sum of ${countText(count)}: a sheet cannot hold them all`;
  const money = { minor, currency: booking.money.currency };
  const unnamed = { at: undefined, row: undefined, reference: '', transferId: '', batch: '', voucher: '' };
  return { ...booking, ...unnamed, money, group, name };
}
