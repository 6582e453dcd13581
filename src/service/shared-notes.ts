/**
 * A state that several processes read and replace. A change is computed from the state that was read, and tried again if
 * another process replaced it meanwhile.
 */
import type { Clock } from '../ports/clock.ts';
import { RecordLost, type SharedRecord } from '../ports/service-access.ts';

/** Each try loses only to a change that succeeded. */
const TRIES_MAX = 100;

export interface Seen<State> {
  readonly state: State;
  /** By the clock that all of them share. */
  readonly nowMs: number;
  replace(state: State): Promise<boolean>;
}

export class Notes<State> {
  readonly #record: SharedRecord;
  /** In use until the record is made. */
  readonly #own: SharedRecord;
  readonly #first: State;

  constructor(record: SharedRecord, first: State, clock: Pick<Clock, 'monotonicMs'>) {
    this.#record = record;
    this.#own = memoryRecord(clock);
    this.#first = first;
  }

  async read(): Promise<Seen<State>> {
    const seen = (await this.#record.read()) ?? (await this.#own.read());
    if (seen === undefined) throw new RecordLost('nothing keeps the record');
    const { text, nowMs } = seen;
    const state = text === undefined ? this.#first : (JSON.parse(text) as State);
    return { state, nowMs, replace: (next) => seen.replace(JSON.stringify(next)) };
  }

  /** `work` may be called several times. Resolves with what it made of the last state. */
  async change(work: (state: State, nowMs: number) => State): Promise<Pick<Seen<State>, 'state' | 'nowMs'>> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const { state, nowMs, replace } = await this.read();
      const next = work(state, nowMs);
      if (await replace(next)) return { state: next, nowMs };
    }
    throw new RecordLost('other processes replace the record all the time');
  }
}

/** The record of a process that shares its login with no other one. */
export function memoryRecord(clock: Pick<Clock, 'monotonicMs'>): SharedRecord {
  let kept: string | undefined;
  return {
    read: async () => {
      const text = kept;
      return {
        ...{ text, nowMs: clock.monotonicMs() },
        async replace(next) {
          if (kept !== text) return false;
          kept = next;
          return true;
        },
      };
    },
  };
}
