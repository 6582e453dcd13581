/**
 * Columns that say when a row is to be paid (`Date to Send`, `Value date`), and dates in them that are still to come.
 */
import lists from '../../data/pay-date-words.json' with { type: 'json' };
import { foldWords } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import { type DateOrder, monthOf, readDate } from '../text/written-date.ts';

const PAY_DATE = wordList(lists.payDate);
const OTHER_DATE = wordList(lists.otherDate);
const LONGEST = 40;

/** Dates of invoices, births and contracts are not when the row is to be paid. */
export function saysWhenToPay(header: string): boolean {
  const words = spacedWords(header);
  return PAY_DATE.isIn(words) && !OTHER_DATE.isIn(words);
}

/** For an answer: dates after this day, in the order that the column proves. */
export function afterDay(day: string, order: DateOrder | undefined): string {
  return `after ${day}${order === undefined ? '' : order === 'day_first' ? ' day first' : ' month first'}`;
}

/** Whether a cell has a date that the answer means; undefined for any other word. */
export function isAfterDay(word: string): ((cell: string) => boolean) | undefined {
  const [, day, first] = /^\s*after (\d{4}-\d{2}-\d{2})(?: (day|month) first)?\s*$/i.exec(word) ?? [];
  if (day === undefined) return undefined;
  const orders = first === undefined ? ORDERS : ([first === 'day' ? 'day_first' : 'month_first'] as const);
  return (cell) => datesIn(cell).some(({ date, order }) => date > day && orders.includes(order));
}

/** Counts dates that are still to come, cell by cell. */
export class LaterDates {
  readonly #today: string;
  readonly #known = new Map<string, readonly ReadDate[]>();
  readonly #proven = new Set<DateOrder>();
  readonly #later = new Map<DateOrder | 'either', { rows: number; example: string }>();

  /** `2026-11-27` */
  constructor(today: string) {
    this.#today = today;
  }

  see(cell: string): void {
    const dates = this.#datesOf(cell);
    const orders = new Set(dates.map(({ order }) => order));
    if (orders.size === 1) for (const order of orders) this.#proven.add(order);
    const later = dates.flatMap(({ date, order }) => (date > this.#today ? [order] : []));
    for (const order of later) this.#add(order, cell);
    if (later.length > 0) this.#add('either', cell);
  }

  /** An order that nothing proves is read both ways: a date that may be later is asked about. */
  found(): { readonly rows: number; readonly example: string; readonly order?: DateOrder } | undefined {
    const [order, ...others] = this.#proven;
    if (order === undefined || others.length > 0) return this.#later.get('either');
    const found = this.#later.get(order);
    return found === undefined ? undefined : { ...found, order };
  }

  #add(order: DateOrder | 'either', cell: string): void {
    const before = this.#later.get(order);
    this.#later.set(order, { rows: (before?.rows ?? 0) + 1, example: before?.example ?? cell.trim() });
  }

  /** Most rows have one of a few dates. */
  #datesOf(cell: string): readonly ReadDate[] {
    const known = this.#known.get(cell);
    if (known !== undefined) return known;
    const dates = datesIn(cell);
    if (this.#known.size < MOST_KNOWN) this.#known.set(cell, dates);
    return dates;
  }
}

interface ReadDate {
  /** `2026-11-27` */
  readonly date: string;
  readonly order: DateOrder;
}

const MOST_KNOWN = 1_000;
const ORDERS: readonly DateOrder[] = ['day_first', 'month_first'];

/** A date that says itself which of its numbers is the month is one in each order. */
function datesIn(cell: string): readonly ReadDate[] {
  const text = cell.trim();
  if (text.length > LONGEST || !/\d/.test(text)) return [];
  const read = ORDERS.flatMap((order) => {
    const date = readDate(text, order);
    return date === undefined ? [] : [{ order, date: dayOf(date.from) }];
  });
  return read.length > 0 ? read : worded(text).flatMap((date) => ORDERS.map((order) => ({ order, date })));
}

/** `15 March 2027`, `15-Mar-27`, `March 15, 2027`. */
function worded(text: string): string[] {
  const words = foldWords(text.replace(/(?<=\d)(?:st|nd|rd|th|er)\b/gi, '')).filter((word) => word !== 'de');
  const month = words.map(monthOf).find((each) => each !== undefined);
  const [day, year] = words.filter((word) => /^\d{1,4}$/.test(word)).map(Number);
  if (month === undefined || day === undefined || year === undefined || day > 31) return [];
  return [dayOf(Date.UTC(year < 100 ? 2000 + year : year, Number(month) - 1, day))];
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
