/**
 * The sheet Fees and FX: per corridor what was paid out, what it cost, which rates were quoted. A corridor is the
 * currency that pays, the country that is paid, and the currency it is paid in.
 *
 * All of it is as quoted: the service shows no account of what it took.
 */

import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { AverageRate } from '../../../../domain/money/decimal.ts';
import type { Money } from '../../../../domain/money/money.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import {
  BOOKED_GROUPS,
  GROUP_OF,
  GROUP_WORDS,
  type Group,
  SENT_GROUPS,
} from '../../../../domain/reporting/status-words.ts';
import { counted } from '../../../../domain/text/printable.ts';
import { type Column, column, type Place, type Ranges } from '../../../../views/table-columns.ts';
import {
  addRows,
  anyOf,
  BLANK,
  type Block,
  rangesOf,
  remarks,
  stack,
  sumIfs,
  sumOfAny,
  TableSheet,
  tableLines,
  widthsOf,
} from './sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

const NOTES = [
  'As quoted before sending: settled, on its way, in doubt and returned payments. What earlier payments of rows took that were paid again since is on the sheet Summary.',
];
const MOVED_NOTES = [
  'From “Debit, sent” on: without those in doubt. The sheet Control totals says why planned and actual debit differ.',
];

/** More corridors than countries times currencies can only be a broken file. */
const CORRIDORS_MAX = 2_000;

interface Corridor {
  readonly source: CurrencyCode;
  readonly country: string;
  readonly currency: CurrencyCode;
  count: number;
  amountMinor: bigint;
  feeMinor: bigint;
  debitMinor: bigint;
  sentMinor: bigint;
  atSendMinor: bigint;
  lowest: string;
  highest: string;
  readonly average: AverageRate;
}

const NO_SUMS = { count: 0, amountMinor: 0n, feeMinor: 0n, debitMinor: 0n, sentMinor: 0n, atSendMinor: 0n };

/** Counts corridors line by line. */
export class Fees {
  readonly #corridors = new Map<string, Corridor>();
  /** Payments of corridors beyond that limit. */
  #left = 0;

  add({ status, amount, fee, debit, debitAtSend, country, texts }: ReportLine): void {
    const group: Group = GROUP_OF[status];
    const isSent = BOOKED_GROUPS.some((booked) => booked === group);
    if (!isSent || amount === undefined || debit === undefined) return;
    const key = `${debit.currency} ${amount.currency} ${country}`;
    const { rate } = texts;
    const about = { source: debit.currency, country, currency: amount.currency, lowest: rate, highest: rate };
    const corridor: Corridor = this.#corridors.get(key) ?? {
      ...about,
      ...NO_SUMS,
      average: new AverageRate(),
    };
    if (corridor.count === 0 && this.#corridors.size >= CORRIDORS_MAX) {
      this.#left += 1;
      return;
    }
    this.#corridors.set(key, corridor);
    corridor.count += 1;
    corridor.amountMinor += amount.minor;
    corridor.average.add(amount.minor, rate);
    corridor.feeMinor += fee?.minor ?? 0n;
    corridor.debitMinor += debit.minor;
    if (debitAtSend !== undefined) {
      corridor.sentMinor += debit.minor;
      corridor.atSendMinor += debitAtSend.minor;
    }
    if (Number(rate) < Number(corridor.lowest)) corridor.lowest = rate;
    if (Number(rate) > Number(corridor.highest)) corridor.highest = rate;
  }

  writeTo(sheet: Sheet, ranges: Ranges): void {
    const corridors = [...this.#corridors]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, each]) => each);
    const hasMoved = corridors.some(({ sentMinor, atSendMinor }) => sentMinor !== atSendMinor);
    const columns = hasMoved ? [...COLUMNS, ...MOVED_COLUMNS] : COLUMNS;
    const table = new TableSheet(sheet, columns, { headingLines: 2, ranges });
    for (const corridor of corridors) table.add(corridor);
    table.end('Nothing was sent with a known debit.');
    if (corridors.length === 0) return;
    const totals = totalRows(columns, corridors, sheet.rowCount());
    const more = `… and ${counted(this.#left, 'payment')} of further corridors, on the sheet Payments.`;
    const blocks = [
      remarks(this.#left > 0 ? [more] : []),
      BLANK,
      totals,
      BLANK,
      remarks(hasMoved ? [...NOTES, ...MOVED_NOTES] : NOTES),
    ];
    addRows(sheet, stack(blocks, sheet.rowCount() + 1));
  }
}

const source = (minor: bigint, corridor: Corridor): Money => ({ minor, currency: corridor.source });

const BOOKED = anyOf(BOOKED_GROUPS.map((group) => GROUP_WORDS[group].word));
const SENT = anyOf(SENT_GROUPS.map((group) => GROUP_WORDS[group].word));

const criteria = ({ payments, cell }: Place, groups: string) => [
  ...[
    ['Debit currency', 'Paid from'],
    ['Country', 'Country'],
    ['Currency', 'Currency'],
  ].map(([theirs = '', own = '']) => [payments(theirs), `$${cell(own)}`] as const),
  [payments('Counted as'), groups] as const,
];
const sum = (header: string, groups: string) => (corridor: Corridor, place: Place) =>
  isPlainName(corridor.country) ? sumOfAny(place.payments(header), ...criteria(place, groups)) : undefined;
const count = (corridor: Corridor, place: Place) =>
  isPlainName(corridor.country)
    ? `SUMPRODUCT(COUNTIFS(${criteria(place, BOOKED).flat().join(',')}))`
    : undefined;

const COLUMNS: readonly Column<Corridor>[] = [
  column.text('Paid from', (each) => each.source, { width: 12 }),
  column.text('Country', (each) => each.country, { width: 19 }),
  column.text('Currency', (each) => each.currency, { width: 10 }),
  column.count('Payments', (each) => each.count, { hasTotal: true, width: 10, formula: count }),
  column.money('Paid out', ({ amountMinor: minor, currency }) => ({ minor, currency }), {
    width: 16,
    formula: sum('Amount', BOOKED),
  }),
  column.money('Without fees', (each) => source(each.debitMinor - each.feeMinor, each), {
    hasTotal: true,
    width: 15,
    formula: (_, { cell }) => `${cell('Debit')}-${cell('Fees')}`,
  }),
  column.money('Fees', (each) => source(each.feeMinor, each), { hasTotal: true, width: 12 }),
  column.money('Debit', (each) => source(each.debitMinor, each), {
    hasTotal: true,
    width: 15,
    formula: sum('Debit', BOOKED),
  }),
  column.percent('Fees in %', (each) => shareOf(each.feeMinor, each.debitMinor), {
    width: 10,
    formula: (_, { cell }) => shareFormula(cell('Fees'), cell('Debit')),
  }),
  column.rate('Lowest rate', (each) => each.lowest, { width: 12 }),
  column.rate('Highest rate', (each) => each.highest, { width: 12 }),
  // No formula: the debits are rounded, and their quotient may be outside the rates.
  column.rate('Average rate', (each) => each.average.value(), { width: 12 }),
];

/** What rates that moved before sending made of the debit. */
const MOVED_COLUMNS: readonly Column<Corridor>[] = [
  column.money('Debit, sent', (each) => source(each.sentMinor, each), {
    hasTotal: true,
    width: 15,
    formula: sum('Debit', SENT),
  }),
  column.money('At the rate of sending', (each) => source(each.atSendMinor, each), {
    hasTotal: true,
    width: 16,
    formula: sum('Debit when sent', SENT),
  }),
  column.money('Rate moved', (each) => source(each.atSendMinor - each.sentMinor, each), {
    hasTotal: true,
    width: 12,
    formula: (each, { cell }) =>
      `ROUND(${cell('At the rate of sending')}-${cell('Debit, sent')},${decimalsOf(each.source)})`,
  }),
  column.percent('Rate moved, in %', (each) => shareOf(each.atSendMinor - each.sentMinor, each.sentMinor), {
    width: 12,
    formula: (_, { cell }) => shareFormula(cell('Rate moved'), cell('Debit, sent')),
  }),
];
export const FEES = { name: 'Fees and FX', widths: widthsOf([...COLUMNS, ...MOVED_COLUMNS]) };

function totalRows(
  columns: readonly Column<Corridor>[],
  corridors: readonly Corridor[],
  lastRow: number,
): Block {
  const own = rangesOf(columns, lastRow);
  const totals = columns.map((whole): Column<Corridor> => {
    const { header } = whole;
    if (header === 'Paid from')
      return { ...whole, style: 'plain', value: (each) => `All from ${each.source}`, isBold: () => true };
    if (whole.hasTotal !== true) return column.text('', () => '');
    return { ...whole, formula: (each) => sumIfs(own(header), [own('Paid from'), `"${each.source}"`]) };
  });
  const lines = [...new Set(corridors.map((each) => each.source))].map((currency) =>
    corridors.filter((each) => each.source === currency).reduce(added),
  );
  return tableLines({ columns: totals, lines });
}

function added(sum: Corridor, corridor: Corridor): Corridor {
  return {
    ...sum,
    count: sum.count + corridor.count,
    amountMinor: 0n,
    feeMinor: sum.feeMinor + corridor.feeMinor,
    debitMinor: sum.debitMinor + corridor.debitMinor,
    sentMinor: sum.sentMinor + corridor.sentMinor,
    atSendMinor: sum.atSendMinor + corridor.atSendMinor,
  };
}

/** A name that a formula would read as a pattern is counted by us alone. */
function isPlainName(country: string): boolean {
  return /^[\p{L}\p{M}\p{N} .,'’()-]+$/u.test(country) && !/^[-.]/.test(country);
}

function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

function shareFormula(part: string, whole: string): string {
  return `IF(${whole}=0,0,${part}/${whole})`;
}
