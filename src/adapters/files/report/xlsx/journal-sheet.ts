/**
 * The sheet Journal: double entry, ready to be imported. One debit and one credit line for everything that happened to a
 * payment's money, on its own day, to the accounts that the sheet Accounts names. Payments that were paid again since
 * stand after those of the file.
 *
 * In a report over days only what is dated in them is booked, so that months imported one after another book everything
 * once. A sheet holds a million lines. Where a batch needs more, each kind of line is summed up per currency, and the
 * sheet says so: nothing is left out.
 */

import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import type { AccountRole, Booking, SentPayout } from '../../../../domain/reporting/booking.ts';
import { GROUP_OF, type Group } from '../../../../domain/reporting/control-totals.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { headerCells } from './cells.ts';
import { DeflatedRows } from './deflated-rows.ts';
import { JOURNAL, JOURNAL_NAMES, packed, sideCells, unpacked } from './journal-lines.ts';
import { groupRules } from './rules.ts';
import { QUIET_STYLE } from './styles.ts';
import type { Sheet } from './xlsx-workbook.ts';

export { JOURNAL } from './journal-lines.ts';

/** Two lines each, below the header and above the last row that a sheet has. */
const PAIRS_MAX = (1_048_576 - 2) / 2;
/** Rows added between two looks at how much waits to be written. */
const SLICE = 500;

/** Debits of one currency; credits are the same by making. */
export interface BookedSum {
  readonly currency: CurrencyCode;
  readonly minor: bigint;
  /** Of payments and their fees whose debit is known. */
  readonly takenMinor: bigint;
  /** Debits less credits. */
  readonly accounts: ReadonlyMap<AccountRole, bigint>;
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
    const sums = new Map<CurrencyCode, BookedSum & { accounts: Map<AccountRole, bigint> }>();
    for (const { booking, minor } of this.#sums.values()) {
      const { kind, isPriced, debit, credit, money } = booking;
      const { currency } = money;
      const sum = sums.get(currency) ?? { currency, minor: 0n, takenMinor: 0n, accounts: new Map() };
      const isTaken = isPriced && (kind === 'payment' || kind === 'fee');
      sum.accounts.set(debit, (sum.accounts.get(debit) ?? 0n) + minor);
      sum.accounts.set(credit, (sum.accounts.get(credit) ?? 0n) - minor);
      const takenMinor = sum.takenMinor + (isTaken ? minor : 0n);
      sums.set(currency, { ...sum, minor: sum.minor + minor, takenMinor });
    }
    return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
  }

  async writeTo(sheet: Sheet, nothing: string): Promise<void> {
    sheet.addRow(headerCells(JOURNAL_NAMES));
    if (this.#isTooLong) this.#writeSums(sheet);
    else await this.#writePairs(sheet);
    const lastRow = sheet.rowCount();
    if (lastRow === 1) {
      sheet.addRow([{ value: nothing, style: QUIET_STYLE }]);
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
      const unnamed = {
        at: undefined,
        row: undefined,
        reference: '',
        transferId: '',
        batch: '',
        voucher: '',
      };
      const pair = { ...booking, ...unnamed, money, group, name };
      sheet.addRow(sideCells(pair, 'debit'));
      sheet.addRow(sideCells(pair, 'credit'));
    }
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
