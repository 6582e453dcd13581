/**
 * What is in flight, for whoever stops the work at once: rows that this process has on the wire, or those of the workers
 * that do the work for it.
 */
import { countTransfers } from '../domain/payouts/transfers-begun.ts';
import type { News } from './dialogue.ts';
import type { ProgressEvent } from './ports.ts';

export interface InFlight {
  /** At most so many rows. */
  readonly rows: number;
  /** `at_work`: nobody told them to stop, so more rows may follow. undefined: no worker does it. */
  readonly workers: 'at_work' | 'stopped' | undefined;
}

export function countInFlight() {
  const transfers = countTransfers();
  let workers: InFlight['workers'];
  let atWorkers = 0;
  return {
    hear(event: ProgressEvent | News): void {
      if (event.kind === 'moved') transfers.moved(event.from, event.payout.state.status);
      if (event.kind !== 'at_workers') return;
      workers = event.stand === 'ended' ? undefined : event.stand;
      atWorkers = event.stand === 'stopped' ? event.inFlight : 0;
    },
    now: (): InFlight => ({ rows: transfers.onTheWire() + atWorkers, workers }),
  };
}

/** Of several works at once. */
export function inFlightOf(all: readonly InFlight[]): InFlight {
  const stands = all.map(({ workers }) => workers);
  const workers = (['at_work', 'stopped'] as const).find((stand) => stands.includes(stand));
  return { rows: all.reduce((sum, { rows }) => sum + rows, 0), workers };
}
