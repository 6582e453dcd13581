/** A workplace with workers on a queue in memory. */

import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { openLedger } from '../../src/ledger/file.ts';
import type { Fleet, NewWorker } from '../../src/ports/fleet.ts';
import { serve } from '../../src/use-cases/fleet/serve.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { MemoryFleet } from '../fakes/memory-fleet.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';
import { HOLDER, type Workplace, workplaceOn } from './workplace.ts';

const QUEUES = ['price', 'send-head', 'send', 'settle', 'recover'] as const;
export const worker = (pid: number, all = 4): NewWorker => ({
  ...{ host: 'here', pid, user: 'ama', queues: QUEUES, lanes: { all, own: 8 } },
});

export interface Yard extends Workplace {
  readonly queue: MemoryFleet;
  readonly fleet: Fleet;
}

export async function aYard(): Promise<Yard> {
  const clock = createVirtualClock();
  const began = clock.now();
  const binding = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'shop' } as const;
  // Of the leases: time that jumps over pauses would end them.
  const still = { now: () => began };
  const ledger = await openLedger({ path: ':memory:', binding, create: true, clock: still });
  const policy = { ...DEFAULT_POLICY, concurrency: 2 };
  const place = workplaceOn({ ledger, clock, service: createScriptedPaymentService(clock), policy });
  const queue = new MemoryFleet(place.clock.monotonicMs);
  return { ...place, queue, fleet: queue.as() };
}

/** As a process that asks sees it. */
export const asking = ({ world, fleet }: Yard): Ports => ({ ...world, fleet: async () => fleet });

export function handsOf({ world, clock }: Yard, signal: AbortSignal = new AbortController().signal) {
  return { lanes: 4, holder: HOLDER, ports: async () => world, signal, clock };
}

/** Runs until it is told to end. */
export function atWork(yard: Yard, pid: number, { all = 4, own = 8, labelTurns = 0 } = {}) {
  const ending = new AbortController();
  const { fleet, clock, log } = yard;
  const serving = {
    ...handsOf(yard, ending.signal),
    worker: { ...worker(pid), lanes: { all, own } },
    once: false,
    tell: () => {},
    labelOf: async () => {
      for (let turn = 0; turn < labelTurns; turn += 1) await clock.sleep(1);
      return 'may';
    },
  };
  return { ending, ended: serve({ fleet, clock, log }, serving) };
}
