/**
 * A date as a service or a statement writes it, without or with a time, mostly without a zone.
 *
 * Which of day and month comes first in `05/12/2026` is decided by the whole file, never by one line; ISO dates and names
 * of months (English, French, Portuguese) are clear. A year of two digits is of this century.
 * Units:   `from` and `until` are milliseconds of the written fields read in UTC; what lies between is what the
 *          text leaves open (a day, a minute). Without a zone the instant is up to ZONE_SLACK_MS away.
 */
import { foldText } from './fold.ts';

export type DateOrder = 'day_first' | 'month_first';

export interface WrittenDate {
  readonly from: number;
  /** The end of the day, minute or second that is written; itself no longer in it. */
  readonly until: number;
  /** The text names its zone; `from` and `until` are instants then. */
  readonly hasZone: boolean;
}

/** Zones in use reach from −12 h to +14 h; one more for clocks that are wrong. */
export const ZONE_SLACK_MS = 15 * 3_600_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const TIME = String.raw`(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap])?(?:\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}$`, 'i');
const COMPACT = new RegExp(String.raw`^((?:19|20)\d{2})(\d{2})(\d{2})${TIME}$`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})${TIME}$`, 'i');
/** `25 Sep 2026`, `25-Sep-26`, `1er septembre 2026`, `25 de setembro de 2026`. */
const DAY_AND_NAME = new RegExp(
  String.raw`^(\d{1,2})(?:er|st|nd|rd|th)?[-/. ]*(?:de\s+)?(\p{L}{3,10})\.?[-/., ]*(?:de\s+)?(\d{4}|\d{2})${TIME}$`,
  'iu',
);
/** `Sep 25, 2026` */
const NAME_AND_DAY = new RegExp(
  String.raw`^(\p{L}{3,10})\.?[- ](\d{1,2})(?:st|nd|rd|th)?(?:,? |-)(\d{4})${TIME}$`,
  'iu',
);
// Folded: without accents. A name that is cut to three letters or more means the same month.
const MONTHS = [
  ['january', 'janvier', 'janeiro'],
  ['february', 'fevrier', 'fevereiro'],
  ['march', 'mars', 'marco'],
  ['april', 'avril', 'abril'],
  ['may', 'mai', 'maio'],
  ['june', 'juin', 'junho'],
  ['july', 'juillet', 'julho'],
  ['august', 'aout', 'agosto'],
  ['september', 'septembre', 'setembro'],
  ['october', 'octobre', 'outubro'],
  ['november', 'novembre', 'novembro'],
  ['december', 'decembre', 'dezembro'],
] as const;
const LONGEST = 40;

/** undefined for anything that is not a date of the calendar. */
export function readDate(text: string, order: DateOrder): WrittenDate | undefined {
  const written = text.trim();
  if (written.length > LONGEST) return undefined;
  const iso = YEAR_FIRST.exec(written) ?? COMPACT.exec(written);
  if (iso !== null) {
    const [, year, month, day, ...time] = iso;
    return dateOf({ year, month, day }, time);
  }
  const named = namedDate(written);
  if (named !== undefined) return named;
  const [, first, second, year, ...time] = YEAR_LAST.exec(written) ?? [];
  if (year === undefined) return undefined;
  const [day, month] = order === 'day_first' ? [first, second] : [second, first];
  return dateOf({ year, month, day }, time);
}

function namedDate(written: string): WrittenDate | undefined {
  if (!/\p{L}{3}/u.test(written)) return undefined;
  const [, day, name, year, ...time] = DAY_AND_NAME.exec(written) ?? [];
  if (name !== undefined) return dateOf({ year, month: monthOf(name), day }, time);
  const [, first, second, last, ...rest] = NAME_AND_DAY.exec(written) ?? [];
  return first === undefined ? undefined : dateOf({ year: last, month: monthOf(first), day: second }, rest);
}

/** undefined for any other word, and for one that begins several months: `ju`, `juil` is clear. */
export function monthOf(name: string): string | undefined {
  const folded = foldText(name);
  const meant = MONTHS.flatMap((names, at) => (names.some((one) => one.startsWith(folded)) ? [at + 1] : []));
  const [month, other] = meant;
  return folded.length >= 3 && other === undefined && month !== undefined ? String(month) : undefined;
}

/** Which order a text can only be read in; undefined when it can be read in both, or in none. */
export function provenOrder(text: string): DateOrder | 'either' | undefined {
  const dayFirst = readDate(text, 'day_first');
  const monthFirst = readDate(text, 'month_first');
  if (dayFirst === undefined && monthFirst === undefined) return undefined;
  if (dayFirst === undefined) return 'month_first';
  if (monthFirst === undefined) return 'day_first';
  return dayFirst.from === monthFirst.from ? 'either' : undefined;
}

interface DayFields {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
}

function dateOf(fields: DayFields, time: readonly (string | undefined)[]): WrittenDate | undefined {
  const century = fields.year?.length === 2 ? 2000 : 0;
  const [year, month, day] = [century + Number(fields.year), Number(fields.month), Number(fields.day)];
  const midnight = Date.UTC(year, month - 1, day);
  const read = new Date(midnight);
  // Date.UTC rolls 31/02 over into March.
  if (year < 1970 || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return undefined;
  const [hourText, minute, second, half, zone] = time;
  if (hourText === undefined) return { from: midnight, until: midnight + DAY, hasZone: false };
  const hour = hourOf(Number(hourText), half);
  if (hour === undefined || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const from = midnight + hour * 60 * MINUTE + Number(minute) * MINUTE + Number(second ?? 0) * SECOND;
  const offset = offsetOf(zone);
  const span = second === undefined ? MINUTE : SECOND;
  return { from: from - (offset ?? 0), until: from - (offset ?? 0) + span, hasZone: offset !== undefined };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  return sign === '-' ? -offset : offset;
}
