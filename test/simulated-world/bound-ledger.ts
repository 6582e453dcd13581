/**
 * A ledger as one process sees it: every answer waits for its turn, and once the process is dead none comes. A
 * dead process writes nothing either, not even to the emergency file.
 */
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Lease, LeaseBusy } from '../../src/ports/ledger/leases.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { Move } from '../../src/ports/ledger/moves.ts';
import type { Random } from '../builders/random.ts';
import type { Faults } from './faults.ts';
import type { Actor, Scheduler } from './scheduler.ts';

export interface BoundWorld {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly random: Random;
  readonly parkedReads: number;
  /** The outcome of a transfer is about to be written. */
  readonly outcomeWaits: () => void;
  readonly said: (line: string) => void;
  /** A lease was taken from a process that may live: what that one has on the wire ends in doubt. */
  readonly tookOver: () => void;
  /** What becomes of a move whose answer is lost; `late`: the server writes it after all. */
  readonly losesAnswer: () => 'never' | 'undone' | 'done' | 'late';
}

/** Made anew each time: whoever waits for one that stays would be kept for ever. */
const never = () => new Promise<never>(() => undefined);
const PAGED = new Set(['payouts', 'rowKeys', 'leaves', 'reportRows']);
const READS = new Set([
  'batches',
  'findBatch',
  'batchLike',
  'batchesOfBytes',
  'batch',
  'notes',
  'counts',
  'incidents',
  'totals',
  'page',
  'payout',
  'findPayouts',
  'payoutOfTransfer',
  'payoutOfTag',
  'replacedTransfers',
  'scheduled',
  'repeatsOf',
  'replacementsOf',
  'oldestQuote',
  'journalOf',
  'overlaps',
  'nameRelease',
]);

type Method = (...given: unknown[]) => unknown;

export function boundLedger(ledger: Ledger, process: Actor, world: BoundWorld): Ledger {
  const { faults } = world;
  const call = (name: string, method: Method, given: unknown[]): unknown => {
    if (!process.isAlive()) return PAGED.has(name) ? pages(never()) : never();
    if (name === 'record' && isOutcome(given[0])) world.outcomeWaits();
    if (name === 'record') return whileAlive(recorded(method, given, process, world), process, name, world);
    if (name === 'emergency') return sidecar(method, given, { faults, said: world.said });
    if (PAGED.has(name)) return alivePages(method(...given) as AsyncIterable<unknown>, process);
    const result = READS.has(name) ? parkedRead(method, given, { process, world, name }) : method(...given);
    return result instanceof Promise ? whileAlive(result, process, name, world) : result;
  };
  return new Proxy(ledger, {
    get: (_, key) => {
      const value: unknown = Reflect.get(ledger, key, ledger);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return (...given: unknown[]) => call(key, value.bind(ledger) as Method, given);
    },
  });
}

const OUTCOMES: readonly unknown[] = ['accept', 'refuse', 'doubt', 'turn_away', 'not_sent'];

function isOutcome(move: unknown): boolean {
  return OUTCOMES.includes((move as Partial<Move> | undefined)?.event?.kind);
}

interface Reading {
  readonly process: Actor;
  readonly world: BoundWorld;
  readonly name: string;
}

async function parkedRead(method: Method, given: unknown[], { process, world, name }: Reading) {
  if (world.random.chance(world.parkedReads)) await world.scheduler.park(process, `reads ${name}`);
  return method(...given);
}

/** As on a server that broke off: whoever asked knows nothing, and works on. */
async function recorded(method: Method, given: unknown[], process: Actor, world: BoundWorld) {
  const lost = world.losesAnswer();
  if (lost === 'never') return method(...given);
  if (lost === 'done') await method(...given);
  if (lost === 'late')
    world.scheduler.after(process, world.random.below(5_000), 'is written after all', () => {
      void (method(...given) as Promise<unknown>).then(world.tookOver, () => undefined);
    });
  world.tookOver();
  throw new LedgerError('ledger_unwritable', 'The server of the ledger gave no answer');
}

/** When the file fails as well, the line on the standard error output is all there is. */
function sidecar(method: Method, given: unknown[], world: Pick<BoundWorld, 'faults' | 'said'>): unknown {
  if (!world.faults.strikes('sidecar_fails')) return method(...given);
  world.said(`payfile-emergency ${JSON.stringify(given)}`);
  return undefined;
}

async function whileAlive(result: Promise<unknown>, process: Actor, name: string, world: BoundWorld) {
  try {
    const value = await result;
    if (!process.isAlive()) return never();
    if ((name === 'lease' || name === 'leasePart') && isTakenOver(value)) {
      world.faults.note('lease_taken_over');
      world.tookOver();
    }
    return name === 'lease' ? letGo(value, world) : value;
  } catch (error) {
    if (!process.isAlive()) return never();
    throw error;
  }
}

/** Whoever gives a batch back takes the parts from those who still have one. */
function letGo(value: unknown, world: BoundWorld): unknown {
  const lease = value as Lease | LeaseBusy;
  if (lease.kind === 'busy') return lease;
  let isHandedOut = false;
  return {
    ...lease,
    handOut(parts: number) {
      isHandedOut = true;
      return lease.handOut(parts);
    },
    release() {
      if (isHandedOut) world.tookOver();
      return lease.release();
    },
  } satisfies Lease;
}

function isTakenOver(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tookOver' in value && value.tookOver === true;
}

async function* alivePages(source: AsyncIterable<unknown>, process: Actor) {
  for await (const page of source) {
    if (!process.isAlive()) await never();
    yield page;
  }
}

async function* pages(never: Promise<never>): AsyncGenerator<never> {
  yield await never;
}
