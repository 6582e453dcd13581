/**
 * Instants as a clock on the wall shows them, and the days that it cuts. Times in files for programs are UTC.
 *
 * Source:  the zones of Intl (IANA names, such as `Africa/Nairobi`).
 */
import { formatTimestamp, type Timestamp, timestampOf } from './timestamp.ts';

/** Zones change their offset on a quarter of an hour only. */
const QUARTER_MS = 900_000;
/** More than any change of summer time. */
const CHANGE_MS = 12 * QUARTER_MS;

/** The instant at which a clock in UTC shows its midnight. undefined: `2026-02-30` is no day. */
export function dayNumber(day: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? undefined : at;
}

export function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

export class WallClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  #quarter = Number.NaN;
  #offsetMs = 0;

  /** Without a zone: that of the machine. */
  constructor(zone?: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    this.zone = this.#format.resolvedOptions().timeZone;
  }

  /** The instant at which a clock in UTC shows what this clock shows now. */
  shown(at: Timestamp): Timestamp {
    const quarter = Math.floor(at / QUARTER_MS);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#offsetMs = this.zone === 'UTC' ? 0 : this.#offsetAt(quarter * QUARTER_MS);
    }
    return timestampOf(at + this.#offsetMs);
  }

  /** `2026-05-25`. */
  day(at: Timestamp): string {
    return formatTimestamp(this.shown(at)).slice(0, 10);
  }

  /** `2026-05-25 09:15`; whoever shows it names the zone. */
  minute(at: Timestamp): string {
    return formatTimestamp(this.shown(at)).slice(0, 16).replace('T', ' ');
  }

  /** The first instant of the day. Errors: RangeError for a text that is no day (`dayNumber`). */
  startOf(day: string): Timestamp {
    const wall = dayNumber(day);
    if (wall === undefined) throw new RangeError(`Not a day: ${day}`);
    let at = timestampOf(wall - this.#offsetAt(wall) - CHANGE_MS);
    while (this.shown(at) < wall) at = timestampOf(at + QUARTER_MS);
    return at;
  }

  #offsetAt(at: number): number {
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return wall + part('second') * 1_000 - at;
  }
}
