/**
 * The lines of the sheet Journal: its columns, the two lines of a pair, and a pair packed away until its sheet is written.
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
import { GROUP_OF, GROUP_WORDS, GROUPS, type Group } from '../../../../domain/reporting/control-totals.ts';
import { printable } from '../../../../domain/text/printable.ts';
import { timestampOf } from '../../../../domain/timestamp.ts';
import { accountFormulas, accountUse } from './accounts-sheet.ts';
import { columnLetter, dayCell, lineCell, moneyCell, overNumbers, textCell } from './cells.ts';
import type { PackedRow } from './deflated-rows.ts';
import { PLAIN_STYLE, ROW_STYLE } from './styles.ts';
import type { Cell } from './xlsx-workbook.ts';

export const JOURNAL_NAMES = [
  'Date (UTC)',
  overNumbers('Row'),
  'Account code',
  'Account name',
  overNumbers('Debit'),
  overNumbers('Credit'),
  'Currency',
  'Kind',
  'Counted as',
  'Name',
  'Reference',
  'Transfer id',
  'Batch',
  'Voucher',
  'Used for',
];

export const JOURNAL = {
  name: 'Journal',
  widths: [12, 7, 14, 30, 15, 15, 10, 26, 13, 24, 17, 26, 14, 16, 20],
  lastLetter: columnLetter(JOURNAL_NAMES.length),
  letters: { debit: 'E', credit: 'F', currency: 'G', kind: 'H', use: 'O' },
} as const;

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

export function kindWord({ kind, isPriced }: Pick<Booking, 'kind' | 'isPriced'>): string {
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

export function sideCells(pair: Pair, side: 'debit' | 'credit'): readonly Cell[] {
  const { code, name } = accountFormulas(pair[side]);
  const amount = moneyCell(pair.money);
  return [
    dayCell(pair.at),
    { value: pair.row, style: ROW_STYLE },
    { value: code, style: PLAIN_STYLE },
    { value: name, style: PLAIN_STYLE },
    side === 'debit' ? amount : EMPTY,
    side === 'credit' ? amount : EMPTY,
    textCell(pair.money.currency),
    { value: kindWord(pair), style: PLAIN_STYLE },
    { value: GROUP_WORDS[pair.group].word, style: PLAIN_STYLE },
    lineCell(pair.name),
    textCell(pair.reference),
    textCell(pair.transferId),
    textCell(pair.batch),
    textCell(pair.voucher),
    { value: accountUse(pair[side]), style: PLAIN_STYLE },
  ];
}

const EMPTY: Cell = { value: undefined, style: PLAIN_STYLE };

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
