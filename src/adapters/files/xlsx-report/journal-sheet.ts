/**
 * The sheet Journal: double entry, ready to be imported. One debit and one credit line per payment, per fee and per
 * return, in file order, to the accounts that the sheet Accounts names.
 *
 * In a report over days only what is dated in them is booked, so that nobody who imports month after month books a
 * payment twice. A sheet holds a million lines. Where a batch needs more, each kind of line is summed up per currency, and the
 * sheet says so: nothing is left out.
 */

import {
  ACCOUNT_ROLES,
  type AccountRole,
  BOOKING_KINDS,
  type Booking,
  type BookingKind,
  bookingsOf,
} from '../../../domain/booking.ts';
import { GROUP_OF, GROUPS, type Group } from '../../../domain/control-totals.ts';
import { countText } from '../../../domain/counted.ts';
import type { CurrencyCode } from '../../../domain/currency.ts';
import { isDated, type Period } from '../../../domain/period.ts';
import type { ReportLine } from '../../../domain/report-line.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import { accountFormulas } from './accounts-sheet.ts';
import { columnLetter, dayCell, headerCells, lineCell, moneyCell, overNumbers, textCell } from './cells.ts';
import { DeflatedRows, type PackedRow } from './deflated-rows.ts';
import { batchText, GROUP_WORDS } from './payments-sheet.ts';
import { groupRules } from './rules.ts';
import { PLAIN_STYLE, QUIET_STYLE, ROW_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

const NAMES = [
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
];

export const JOURNAL = {
  name: 'Journal',
  widths: [12, 7, 14, 30, 15, 15, 10, 23, 13, 24, 17, 26, 14],
  lastLetter: columnLetter(NAMES.length),
  letters: { debit: 'E', credit: 'F', currency: 'G', kind: 'H' },
} as const;

/** Two lines each, below the header and above the last row that a sheet has. */
const PAIRS_MAX = (1_048_576 - 2) / 2;
/** Rows added between two looks at how much waits to be written. */
const SLICE = 500;

export const KIND_WORDS: Readonly<Record<BookingKind, string>> = {
  payment: 'Payment',
  fee: 'Fee',
  return: 'Return',
  payment_unpriced: 'Payment, debit unknown',
  return_unpriced: 'Return, debit unknown',
};

/** Debits of one currency; credits are the same by making. */
export interface BookedSum {
  readonly currency: CurrencyCode;
  readonly minor: bigint;
  /** Of payments and fees that the sheet Payments shows a debit of. */
  readonly pricedMinor: bigint;
}

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
  readonly #period: Period | undefined;
  #isTooLong = false;
  #ofOtherDays = 0;

  constructor(period: Period | undefined, pairsMax = PAIRS_MAX) {
    this.#period = period;
    this.#pairsMax = pairsMax;
  }

  add(line: ReportLine): void {
    const group = GROUP_OF[line.status];
    for (const booking of bookingsOf(line)) {
      if (this.#period !== undefined && !isDated(booking.at, this.#period)) {
        this.#ofOtherDays += 1;
        continue;
      }
      this.#sum(booking, group);
      if (this.#kept.count < this.#pairsMax) this.#kept.add(packed(line, booking));
      else this.#isTooLong = true;
    }
  }

  /** Payments, fees and returns of its lines that are dated outside the days of the report. */
  get ofOtherDays(): number {
    return this.#ofOtherDays;
  }

  packed(): Promise<void> {
    return this.#kept.packed();
  }

  /** Per currency, for the checks beside the sheet. */
  sums(): readonly BookedSum[] {
    const sums = new Map<CurrencyCode, { currency: CurrencyCode; minor: bigint; pricedMinor: bigint }>();
    for (const { booking, minor } of this.#sums.values()) {
      const { currency } = booking.money;
      const sum = sums.get(currency) ?? { currency, minor: 0n, pricedMinor: 0n };
      sum.minor += minor;
      if (booking.kind === 'payment' || booking.kind === 'fee') sum.pricedMinor += minor;
      sums.set(currency, sum);
    }
    return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
  }

  async writeTo(sheet: Sheet): Promise<void> {
    sheet.addRow(headerCells(NAMES));
    if (this.#isTooLong) this.#writeSums(sheet);
    else await this.#writePairs(sheet);
    const lastRow = sheet.rowCount();
    if (lastRow === 1) {
      const when = this.#period === undefined ? '' : ' on these days';
      const value = `Nothing was sent${when}, so there is nothing to book.`;
      sheet.addRow([{ value, style: QUIET_STYLE }]);
      return;
    }
    sheet.filter(`A1:${JOURNAL.lastLetter}${lastRow}`);
    sheet.rule(`A2:${JOURNAL.lastLetter}${lastRow}`, groupRules('$I2'));
  }

  async #writePairs(sheet: Sheet): Promise<void> {
    let written = 0;
    for await (const row of this.#kept.rows()) {
      const pair = unpacked(row);
      sheet.addRow(sideCells(pair, 'debit'));
      sheet.addRow(sideCells(pair, 'credit'));
      written += 1;
      if (written % SLICE === 0) await sheet.drained();
    }
  }

  #writeSums(sheet: Sheet): void {
    for (const { booking, group, count, minor } of this.#sums.values()) {
      const name = `Sum of ${countText(count)}: a sheet cannot hold them all`;
      const money = { minor, currency: booking.money.currency };
      const pair = {
        ...booking,
        money,
        group,
        row: undefined,
        name,
        reference: '',
        transferId: '',
        batch: '',
      };
      sheet.addRow(sideCells(pair, 'debit'));
      sheet.addRow(sideCells(pair, 'credit'));
    }
  }

  #sum(booking: Booking, group: Group): void {
    const key = `${booking.kind} ${group} ${booking.money.currency}`;
    const sum = this.#sums.get(key) ?? { booking: { ...booking, at: undefined }, group, count: 0, minor: 0n };
    sum.count += 1;
    sum.minor += booking.money.minor;
    this.#sums.set(key, sum);
  }
}

interface Pair extends Booking {
  readonly group: Group;
  readonly row: number | undefined;
  readonly name: string;
  readonly reference: string;
  readonly transferId: string;
  readonly batch: string;
}

function sideCells(pair: Pair, side: 'debit' | 'credit'): readonly Cell[] {
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
    { value: KIND_WORDS[pair.kind], style: PLAIN_STYLE },
    { value: GROUP_WORDS[pair.group], style: PLAIN_STYLE },
    lineCell(pair.name),
    textCell(pair.reference),
    textCell(pair.transferId),
    textCell(pair.batch),
  ];
}

const EMPTY: Cell = { value: undefined, style: PLAIN_STYLE };

function packed(line: ReportLine, booking: Booking): PackedRow {
  const { kind, at, debit, credit, money } = booking;
  return [
    line.row,
    BOOKING_KINDS.indexOf(kind),
    GROUPS.indexOf(GROUP_OF[line.status]),
    ACCOUNT_ROLES.indexOf(debit),
    ACCOUNT_ROLES.indexOf(credit),
    at ?? '',
    money.minor.toString(),
    money.currency,
    line.name === '' ? line.texts.account_name : line.name,
    line.reference,
    line.texts.transfer_id,
    batchText(line),
  ];
}

function unpacked(row: PackedRow): Pair {
  const [rowNumber, kind, group, debit, credit, at, minor, currency, name, reference, transferId, batch] =
    row;
  return {
    row: Number(rowNumber),
    kind: BOOKING_KINDS[Number(kind)] ?? 'payment',
    group: GROUPS[Number(group)] ?? 'in_doubt',
    debit: roleAt(debit),
    credit: roleAt(credit),
    at: at === '' ? undefined : timestampOf(Number(at)),
    money: { minor: BigInt(minor ?? 0), currency: currency as CurrencyCode },
    name: String(name),
    reference: String(reference),
    transferId: String(transferId),
    batch: String(batch),
  };
}

function roleAt(index: string | number | undefined): AccountRole {
  return ACCOUNT_ROLES[Number(index)] ?? 'suspense';
}
