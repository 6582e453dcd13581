/**
 * What many rows a day need, on paper: rows, processes, cores, a disk and a service as events in time, with the unit costs of
 * scale-units.json. scale-page.ts prints what it finds.
 *
 * Model:   a row takes a place, waits for its turn of the process, for the commits that it shares with others, and for the
 *          service; it gives its place to the next when the service has answered. A ledger file stops its process while the
 *          disk writes. On a server each process has one writing connection.
 * Units:   ms, bytes, and rows a second.
 */
import type { Case, Units } from './scale-units.ts';

/** Everything on one machine with two cores; or each worker on its own, and the ledger's server and the service too. */
export type Machines = { readonly cores: number; readonly isShared: boolean; readonly networkMs: number };
const MEASURED: Machines = { cores: 2, isShared: true, networkMs: 0 };
const TRIPS = 5;
/** For so long another process has a core before it is the turn of one of ours. */
const SLICE_MS = 4;
const TOGETHER_MAX = 500;
/** Commits that a row waits for, before the service is asked and after. */
const COMMITS = { price: [0, 2], send: [1, 1], settle: [0, 1] } as const;

type Then = () => void;

class Time {
  ms = 0;
  readonly #events: { readonly at: number; readonly then: Then }[] = [];

  after(ms: number, then: Then): void {
    const at = this.ms + ms;
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, { at, then });
  }

  run(): void {
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      this.ms = event.at;
      event.then();
    }
  }
}

/** So many at a time, in the order in which they came. */
class Places {
  readonly #waiting: ((free: Then) => void)[] = [];
  #left: number;
  constructor(places: number) {
    this.#left = places;
  }
  take(start: (free: Then) => void): void {
    this.#waiting.push(start);
    this.#next();
  }
  #next(): void {
    while (this.#left > 0 && this.#waiting.length > 0) {
      this.#left -= 1;
      this.#waiting.shift()?.(() => {
        this.#left += 1;
        this.#next();
      });
    }
  }
}

/** Rows a second in the middle of many; commits a row; how many cores of the ledger's server are busy. */
export function rateOf(asked: Case, units: Units, machines = MEASURED) {
  const { on, stage, workers, inFlight, latencyMs, others = 0 } = asked;
  const unit = units[on][stage];
  const [before, after] = COMMITS[stage];
  const time = new Time();
  const cores = new Places(machines.cores);
  const coreOf = (isHere: boolean) => (machines.isShared || isHere ? cores : new Places(1));
  const service = new Places(machines.isShared ? 1 : 1_000);
  const rows = Math.max(2_000, 40 * workers * inFlight);
  const ended: number[] = [];
  let [commits, serverMs, begun] = [0, 0, 0];
  const work = (place: Places, core: Places, ms: number, then: Then, stillMs = 0) =>
    place.take((free) =>
      core.take((freeCore) =>
        time.after(ms, () => {
          freeCore();
          time.after(stillMs, () => {
            free();
            then();
          });
        }),
      ),
    );
  const worker = () => {
    const [thread, places, own, backend] = [
      new Places(1),
      new Places(inFlight),
      coreOf(false),
      new Places(1),
    ];
    const waiting: Then[] = [];
    let isWriting = false;
    const write = () => {
      const group = waiting.splice(0, TOGETHER_MAX);
      isWriting = group.length > 0;
      if (!isWriting) return;
      commits += 1;
      const share = group.length / (before + after);
      const written = () => {
        for (const then of group) then();
        time.after(0, write);
      };
      const ms = unit.commitMs + (share * unit.rowMs) / 2;
      if (on === 'file') {
        work(thread, own, ms, written, units.flushMs);
        return;
      }
      const there = unit.serverCommitMs + share * unit.serverRowMs;
      serverMs += there;
      const wait = units.flushMs + TRIPS * machines.networkMs;
      work(thread, own, ms, () => work(backend, coreOf(true), there, written, wait));
    };
    const commit = (times: number, then: Then): void => {
      if (times === 0) {
        then();
        return;
      }
      waiting.push(() => commit(times - 1, then));
      if (!isWriting) time.after(0, write);
      isWriting = true;
    };
    const row = (free: Then) =>
      work(thread, own, unit.rowMs / 4, () =>
        commit(before, () =>
          time.after(latencyMs, () =>
            work(service, coreOf(false), units.serviceMs * unit.requests, () => {
              free();
              work(thread, own, unit.rowMs / 4, () => commit(after, () => ended.push(time.ms)));
            }),
          ),
        ),
      );
    const next = () => {
      if (begun >= rows) return;
      begun += 1;
      places.take((free) => {
        row(free);
        next();
      });
    };
    next();
  };
  // It takes a core whenever it has used less than it did when that was measured.
  const other = (share: number, usedMs = 0): void =>
    cores.take((free) =>
      time.after(SLICE_MS, () => {
        free();
        const used = usedMs + SLICE_MS;
        if (ended.length < rows) time.after(Math.max(0, used / share - time.ms), () => other(share, used));
      }),
    );
  for (let core = 0; core < others; core += 1) other(Math.min(1, others - core));
  for (let count = 0; count < workers; count += 1) worker();
  time.run();
  const [from, to] = [Math.floor(rows * 0.2), Math.floor(rows * 0.8)];
  const rate = (1_000 * (to - from)) / ((ended[to] ?? 0) - (ended[from] ?? 0));
  return { rate, commits: commits / rows, serverCores: (serverMs / rows) * (rate / 1_000) };
}
