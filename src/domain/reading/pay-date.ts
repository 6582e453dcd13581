/**
 * Columns that say when a row is to be paid (`Date to Send`, `Value date`), and dates in them that are still to come.
 *
 * An order of day and month that nothing proves is read both ways: a date that may be later is asked about.
 */
import lists from '../../data/pay-date-words.json' with { type: 'json' };
import { foldWords } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import { readDate } from '../text/written-date.ts';

const PAY_DATE = wordList(lists.payDate);
const OTHER_DATE = wordList(lists.otherDate);
const MONTH_OF = new Map(lists.months.flatMap((words, at) => words.split(' ').map((word) => [word, at + 1])));
const SHORT_YEAR = /^(\d{1,2}[-/. ]\d{1,2}[-/. ])(\d{2})$/;
const LONGEST = 40;

/** Dates of invoices, births and contracts are not when the row is to be paid. */
export function saysWhenToPay(header: string): boolean {
  const words = spacedWords(header);
  return PAY_DATE.isIn(words) && !OTHER_DATE.isIn(words);
}

/** For an answer: dates after this day. */
export const afterDay = (day: string): string => `after ${day}`;

export function dayAfter(word: string): string | undefined {
  return /^\s*after (\d{4}-\d{2}-\d{2})\s*$/i.exec(word)?.[1];
}

/** `today` and the result: `2026-11-27`; undefined where no date stands, or none after today. */
export function laterDate(cell: string, today: string): string | undefined {
  const dates = datesIn(cell).filter((date) => date > today);
  return dates.sort()[0];
}

function datesIn(cell: string): string[] {
  const text = cell.trim().replace(SHORT_YEAR, '$120$2');
  if (text.length > LONGEST || !/\d/.test(text)) return [];
  const read = (['day_first', 'month_first'] as const).flatMap((order) => readDate(text, order) ?? []);
  return read.length > 0 ? read.map(({ from }) => dayOf(from)) : worded(text);
}

/** `15 March 2027`, `15-Mar-27`, `March 15, 2027`. */
function worded(text: string): string[] {
  const words = foldWords(text.replace(/(?<=\d)(?:st|nd|rd|th)\b/gi, '')).filter((word) => word !== 'de');
  const month = words.flatMap((word) => MONTH_OF.get(word) ?? [])[0];
  const [day, year] = words.filter((word) => /^\d{1,4}$/.test(word)).map(Number);
  if (month === undefined || day === undefined || year === undefined || day > 31) return [];
  return [dayOf(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day))];
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
