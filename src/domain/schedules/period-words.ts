/**
 * The period of a scheduled run, in the names of its file and its batch: `payroll-{yyyy-mm}.csv`.
 *
 * Why:     the date is the one on which the run was due, in the zone of its schedule. A run that was missed in May and
 *          is made up for in June pays May's file under May's name.
 */
import type { Timestamp } from '../timestamp.ts';

/** A day of the calendar as numbers. */
interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** Parts of a date that stand alone have no word for the one before: `{yyyy}-{mm}` of it could name two years. */
const WORDS: Readonly<Record<string, (day: Day) => string>> = {
  'yyyy-mm-dd': isoDay,
  yyyymmdd: (day) => isoDay(day).replaceAll('-', ''),
  'yyyy-mm': (day) => isoDay(day).slice(0, 7),
  yyyymm: (day) => isoDay(day).slice(0, 7).replace('-', ''),
  yyyy: (day) => isoDay(day).slice(0, 4),
  mm: (day) => isoDay(day).slice(5, 7),
  dd: (day) => isoDay(day).slice(8),
  'previous yyyy-mm-dd': (day) => isoDay(before(day)),
  'previous yyyymmdd': (day) => isoDay(before(day)).replaceAll('-', ''),
  'previous yyyy-mm': (day) => isoDay(monthBefore(day)).slice(0, 7),
  'previous yyyymm': (day) => isoDay(monthBefore(day)).slice(0, 7).replace('-', ''),
};

export const PERIOD_WORDS: readonly string[] = Object.keys(WORDS).map((word) => `{${word}}`);

/** What stands in braces and is no word of a period, as it is written. */
export function unknownPeriodWords(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([whole, word = '']) =>
    Object.hasOwn(WORDS, word) ? [] : [whole],
  );
}

/** Words that are not known stay as they are. `zone`: an IANA name. Throws RangeError for a zone that is not known. */
export function withPeriod(text: string, at: Timestamp, zone: string): string {
  const day = dayIn(at, zone);
  return text.replace(
    /\{([^{}]*)\}/g,
    (whole, word: string) => (Object.hasOwn(WORDS, word) ? WORDS[word]?.(day) : undefined) ?? whole,
  );
}

/** Whether the runtime knows the zone. A name of the zone list; an offset such as +03:00 has no summer and is refused. */
export function isZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && dayIn(0 as Timestamp, zone).year > 0;
  } catch {
    return false;
  }
}

function dayIn(at: Timestamp, zone: string): Day {
  const parts = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    ...{ timeZone: zone, year: 'numeric', month: 'numeric', day: 'numeric' },
  }).formatToParts(at);
  const part = (type: 'year' | 'month' | 'day') => Number(parts.find((each) => each.type === type)?.value);
  return { year: part('year'), month: part('month'), day: part('day') };
}

function isoDay({ year, month, day }: Day): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function before({ year, month, day }: Day): Day {
  const at = new Date(Date.UTC(year, month - 1, day - 1));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

function monthBefore({ year, month }: Day): Day {
  return month === 1 ? { year: year - 1, month: 12, day: 1 } : { year, month: month - 1, day: 1 };
}
