/**
 * Workers of a history: real ones (use-cases/fleet/serve.ts), each a process of its own, on a queue in memory. They come
 * when something is asked for, are told to end, die and stand still as every process does, and go when nothing waits.
 */
import { type Fleet, WORKER_QUEUES } from '../../src/ports/fleet.ts';
import { type ServeEvent, serve } from '../../src/use-cases/fleet/serve.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import type { Random } from '../builders/random.ts';
import { MemoryFleet, type Troubles } from '../fakes/memory-fleet.ts';
import type { Faults } from './faults.ts';
import { type Actor, type Scheduler, sleep } from './scheduler.ts';
import type { Ended, SimProcess } from './sim-process.ts';

export interface FleetWorld {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly start: (command: string) => SimProcess;
  readonly told: (ended: Ended<unknown>) => void;
  /** What a worker says of a job. */
  readonly say: (process: SimProcess, event: ServeEvent) => void;
}

const WORLD: Actor = { name: 'fleet', isAlive: () => true, isStopped: () => false };
/** Afterwards nobody comes any more, and whoever asked does it. */
const WORKERS_MAX = 60;
const IDLE_MS = 2_000;
const never = () => new Promise<never>(() => undefined);

export class SimFleet {
  readonly #world: FleetWorld;
  readonly #queue: MemoryFleet;
  readonly #working = new Map<SimProcess, AbortController>();
  readonly #atOnce: number;
  readonly #lanes: { readonly all: number; readonly own: number };
  readonly #isLossy: boolean;
  #came = 0;
  #coming = 0;

  constructor(world: FleetWorld) {
    const { random, scheduler } = world;
    this.#world = world;
    this.#atOnce = random.between(1, 4);
    this.#lanes = { all: random.between(1, 4), own: random.between(1, 4) };
    this.#isLossy = random.chance(0.5);
    this.#queue = new MemoryFleet(() => scheduler.nowMs, this.#troubles());
  }

  /** For a process that asks: with workers there, mostly. */
  async for(process: SimProcess): Promise<Fleet> {
    const { random, scheduler } = this.#world;
    if (random.chance(0.9)) this.#call();
    for (let tries = 0; tries < 10 && this.#coming + this.#working.size > 0; tries += 1) {
      if ((await this.#queue.as(process).workersOf('send-head')) > 0) break;
      await sleep(process, scheduler, 300);
    }
    return bound(this.#queue.as(process), process);
  }

  /** The answer to a write of the ledger is lost, whether or not it was written. */
  losesAnswer(): 'never' | 'undone' | 'done' | 'late' {
    const { random } = this.#world;
    if (!this.#strikes(0.006)) return 'never';
    return random.pick(['undone', 'done', 'late']);
  }

  #strikes(rate: number): boolean {
    const { random, faults } = this.#world;
    return this.#isLossy && !faults.isHealed() && random.chance(rate);
  }

  #troubles(): Troubles {
    const { random, faults } = this.#world;
    const isTwice = random.chance(0.5) ? 0.05 : 0;
    const late = random.pick([0, 0.1, 0.4]);
    return {
      lateMs: () => (!faults.isHealed() && random.chance(late) ? random.pick([500, 5_000, 40_000]) : 0),
      isTwice: () => !faults.isHealed() && random.chance(isTwice),
      lost: () => (this.#strikes(0.004) ? random.pick(['undone', 'done']) : 'never'),
    };
  }

  #call(): void {
    const { random, scheduler } = this.#world;
    while (this.#working.size + this.#coming < this.#atOnce && this.#came < WORKERS_MAX) {
      this.#came += 1;
      this.#coming += 1;
      scheduler.after(WORLD, random.pick([0, 0, 200, 3_000]), 'a worker comes', () => {
        this.#coming -= 1;
        void this.#work();
      });
    }
  }

  async #work(): Promise<void> {
    const { random, scheduler, start, told } = this.#world;
    const process = start('works');
    const ending = new AbortController();
    this.#working.set(process, ending);
    const end = () => ending.abort(new Error('Told to end'));
    if (random.chance(0.2)) scheduler.after(process, random.below(20_000), 'is told to end', end);
    this.#endWhenIdle(process, end);
    told(await process.run((world) => this.#serve(world, process, ending)));
    this.#working.delete(process);
    if (this.#queue.isBusy() && random.chance(0.8)) this.#call();
  }

  async #serve(world: Ports, process: SimProcess, ending: AbortController): Promise<string> {
    const { clock, log } = world;
    const { host, pid, user } = process.holder;
    const worker = { host, pid, user, queues: WORKER_QUEUES, lanes: this.#lanes };
    const { fleet: _, ...alone } = world;
    const ports = async () => alone;
    const { signal } = ending;
    const tell = (event: ServeEvent) => {
      this.#world.say(process, event);
      // With a connection that broke off nothing more is done; here a new process is a new connection.
      if (event.kind === 'gave_back' && event.reason.includes('input or output error')) ending.abort();
    };
    const labelOf = async (id: string) => id;
    const serving = { worker, ports, signal, once: false, tell, labelOf, holder: process.holder };
    await serve({ fleet: bound(this.#queue.as(process), process), clock, log }, serving);
    return 'worked';
  }

  #endWhenIdle(process: SimProcess, end: () => void): void {
    this.#world.scheduler.after(process, IDLE_MS, 'looks for work', () => {
      if (!this.#queue.isBusy()) end();
      else this.#endWhenIdle(process, end);
    });
  }
}

/** A dead process is answered nothing. */
function bound<Server extends object>(server: Server, process: SimProcess): Server {
  return new Proxy(server, {
    get: (_, key) => {
      const value: unknown = Reflect.get(server, key, server);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (!process.isAlive()) return never();
        const answer: unknown = await value.apply(server, given);
        if (!process.isAlive()) return never();
        return isServer(answer) ? bound(answer, process) : answer;
      };
    },
  });
}

/** A member, a lane or a job: asked again later. */
function isServer(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && Object.values(answer).some(isFunction);
}

const isFunction = (value: unknown) => typeof value === 'function';
