/**
 * The table of corridors on the sheet Summary: the amount and the cost per corridor. A corridor is a source currency,
 * a country and the currency paid there.
 *
 * All sums are as quoted, because the service does not report the real debit.
 */

import type { CurrencyCode } from '../../../domain/money/currency.ts';
import type { ReportLine } from '../../../domain/reporting/report-line.ts';
import { BOOKED_GROUPS, GROUP_OF, type Group } from '../../../domain/reporting/status-words.ts';
import { counted } from '../../../domain/text/printable.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { remarks, type SheetRow, table } from './sheet.ts';

/** Bounds the memory. A real batch has fewer pairs of country and currency. */
const CORRIDORS_MAX = 2_000;

interface Corridor {
  readonly source: CurrencyCode;
  readonly country: string;
  readonly currency: CurrencyCode;
  count: number;
  amountMinor: bigint;
  feeMinor: bigint;
  debitMinor: bigint;
}

const NO_SUMS = { count: 0, amountMinor: 0n, feeMinor: 0n, debitMinor: 0n };

/** Counts corridors line by line. */
export class Corridors {
  readonly #corridors = new Map<string, Corridor>();
  /** Payments of corridors beyond `CORRIDORS_MAX`. */
  #left = 0;

  add({ status, amount, fee, debit, country }: ReportLine): void {
    const group: Group = GROUP_OF[status];
    const isBooked = BOOKED_GROUPS.some((booked) => booked === group);
    if (!isBooked || amount === undefined || debit === undefined) return;
    const key = `${debit.currency} ${amount.currency} ${country}`;
    const about = { source: debit.currency, country, currency: amount.currency };
    const corridor: Corridor = this.#corridors.get(key) ?? { ...about, ...NO_SUMS };
    if (corridor.count === 0 && this.#corridors.size >= CORRIDORS_MAX) {
      this.#left += 1;
      return;
    }
    this.#corridors.set(key, corridor);
    corridor.count += 1;
    corridor.amountMinor += amount.minor;
    corridor.feeMinor += fee?.minor ?? 0n;
    corridor.debitMinor += debit.minor;
  }

  /** Empty if no payment with a known debit was sent. */
  rows(): readonly SheetRow[] {
    if (this.#corridors.size === 0) return [];
    const lines = [...this.#corridors]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, corridor]) => corridor);
    const more = `… and ${counted(this.#left, 'payment')} of more corridors, on the sheet Payments.`;
    return [...table({ title: TITLE, columns: COLUMNS, lines }), ...remarks(this.#left > 0 ? [more] : [])];
  }
}

const TITLE = 'By corridor, as quoted: settled, on its way, in doubt and returned payments';

const COLUMNS: readonly Column<Corridor>[] = [
  column.text('Country', ({ country }) => country),
  column.count('Payments', ({ count }) => count),
  column.money('Paid out', ({ amountMinor: minor, currency }) => ({ minor, currency })),
  column.text('Currency', ({ currency }) => currency),
  column.money('Fees', ({ feeMinor: minor, source: currency }) => ({ minor, currency })),
  column.money('Debit with fees', ({ debitMinor: minor, source: currency }) => ({ minor, currency })),
  column.text('Debited in', ({ source }) => source),
];
