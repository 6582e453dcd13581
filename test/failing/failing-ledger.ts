/**
 * A ledger whose k-th write fails: before it took effect, after it (the answer of the commit was lost), or half
 * done; once, or from then on until the process ends, as a full or broken disk does.
 */

import { LedgerError } from '../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { withFreeLease } from '../fakes/crash.ts';
import { type Fault, type Instrument, NEVER, NO_SIGNAL, type Strike } from './fault.ts';

type Write = keyof Ledger;

const WRITES: readonly Write[] = [
  'beginImport',
  'stage',
  'seal',
  'dropImport',
  'revise',
  'nameBatch',
  'pause',
  'resume',
  'recordApproval',
  'note',
  'record',
  'recordAll',
  'schedule',
  'addReplacement',
  'rememberNameRelease',
];

interface Kind {
  readonly effect: 'none' | 'whole' | 'half';
  readonly lasts: 'once' | 'until_restart';
  readonly error: () => LedgerError;
}

const busy = () => new LedgerError('ledger_busy', 'The ledger is locked by another process.');
const full = () => new LedgerError('ledger_unwritable', 'The ledger cannot be written: the disk is full.');
const broken = () => new LedgerError('ledger_unwritable', 'The ledger cannot be written: disk error.');

export const LEDGER_FAULTS: readonly Instrument[] = [
  failing('a ledger that is busy', { effect: 'none', lasts: 'once', error: busy }),
  failing('a disk that is full from then on', { effect: 'half', lasts: 'until_restart', error: full }),
  failing('a disk that breaks after the commit', { effect: 'whole', lasts: 'until_restart', error: broken }),
  failing('a commit whose answer is lost', { effect: 'whole', lasts: 'once', error: broken }),
];

function failing(name: string, kind: Kind): Instrument {
  return { name, counts: 'writes', arm: (at, concurrency) => armed(kind, at, concurrency) };
}

function armed(kind: Kind, at: number, concurrency: number): Fault {
  let writes = 0;
  let strike: Strike | undefined;

  const written = async (write: Write, given: readonly unknown[], run: Run): Promise<unknown> => {
    writes += 1;
    if (writes < at || (writes > at && kind.lasts === 'once')) return run(given);
    const isFirst = writes === at;
    if (isFirst) strike = strikeOf(kind, whatOf(write, given), concurrency);
    const effect = isFirst ? kind.effect : 'none';
    if (effect === 'whole') await run(given);
    if (effect === 'half' && write === 'recordAll') await run([halfOf(given[0])]);
    throw kind.error();
  };

  return {
    ledger: (ledger) =>
      new Proxy(withFreeLease(ledger), {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          const run: Run = (given) => Promise.resolve(Reflect.apply(value, target, given));
          if (!WRITES.some((write) => write === key)) return value;
          return (...given: unknown[]) => written(key as Write, given, run);
        },
      }),
    service: (service) => service,
    signal: NO_SIGNAL,
    died: NEVER,
    counted: () => writes,
    struck: () => strike,
  };
}

type Run = (given: readonly unknown[]) => Promise<unknown>;

function whatOf(write: Write, [first]: readonly unknown[]): string {
  const move = write === 'record' ? first : undefined;
  const isMove = typeof move === 'object' && move !== null && 'event' in move;
  return isMove ? `record ${(move.event as { kind: string }).kind}` : write;
}

/**
 * An outcome that was not written leaves its row in doubt, and so does an intent that was. What fails for good
 * takes the outcomes of all that were in flight with it.
 */
function strikeOf({ effect, lasts }: Kind, what: string, concurrency: number): Strike {
  const isOutcome = /^record (accept|refuse|doubt|not_sent|turn_away)$/.test(what);
  const isIntent = what === 'record begin_attempt';
  const own = (isOutcome && effect !== 'whole') || (isIntent && effect === 'whole') ? 1 : 0;
  const doubtsMost = lasts === 'once' ? own : concurrency;
  return { what, doubtsMost, doubtsMostBesideFile: isIntent && effect === 'whole' ? 1 : 0, mayHold: false };
}

function halfOf(moves: unknown): unknown {
  return Array.isArray(moves) ? moves.slice(0, Math.floor(moves.length / 2)) : moves;
}
