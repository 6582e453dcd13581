/**
 * A process that dies at its k-th call to the ledger or the service, before the call reached the other side or
 * after it took effect.
 */
import { crashAt, withFreeLease } from '../fakes/crash.ts';
import { type Fault, type Instrument, NO_SIGNAL } from './fault.ts';

export const CRASHES: readonly Instrument[] = (['before', 'after'] as const).map((moment) => ({
  name: `a process killed ${moment} its call`,
  counts: 'calls',
  arm: (at, concurrency) => armed(at, moment, concurrency),
}));

function armed(at: number, moment: 'before' | 'after', concurrency: number): Fault {
  const crash = crashAt(at, moment);
  const doubts = { doubtsMost: concurrency, doubtsMostBesideFile: concurrency };
  const strike = { what: `call ${at}`, ...doubts, mayHold: false };
  return {
    ledger: (ledger) => crash.wrap(withFreeLease(ledger)),
    service: (service) => crash.wrap(service),
    signal: NO_SIGNAL,
    died: crash.happened,
    counted: crash.calls,
    struck: () => (crash.calls() >= at ? strike : undefined),
  };
}
