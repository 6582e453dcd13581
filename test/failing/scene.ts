/**
 * The scene of a scenario: one ledger, one service, one clock; and the processes that a person starts on them,
 * the first with a fault in it, all later ones whole.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLedger } from '../../src/adapters/ledger/sqlite-ledger.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/domain/policy.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import {
  createScriptedPaymentService,
  type ScriptedPaymentService,
} from '../fakes/scripted-payment-service.ts';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock.ts';
import type { Fault } from './fault.ts';
import { personAt } from './person.ts';
import type { Person, Scenario } from './scenario.ts';

export interface Scene {
  readonly service: ScriptedPaymentService;
  readonly clock: VirtualClock;
  readonly policy: Policy;
  /** The ledger as it is now; another object after a restart where it is on disk. */
  readonly ledger: () => Ledger;
  /** A process; with a fault in it or whole. */
  person(fault?: Fault): Person;
  /** The process ends and another one opens the ledger. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function aScene(scenario: Scenario): Promise<Scene> {
  const clock = createVirtualClock();
  const service = createScriptedPaymentService(clock);
  service.estimateAnswer = { kind: 'answered', answer: { rate: '15.5', fee: '1.02', speedSeconds: 0 } };
  scenario.service?.(service);
  const policy = {
    ...DEFAULT_POLICY,
    concurrency: 2,
    pollMinMs: 250,
    failConfirmMs: 1_000,
    // Everybody has one name here.
    accountChanges: 'warn' as const,
    ...scenario.policy,
  };
  const folder = scenario.isOnDisk === true ? mkdtempSync(join(tmpdir(), 'payfile-failing-')) : undefined;
  const environment = scenario.environment ?? 'sandbox';
  const open = () => openLedger(folder, environment, clock);
  let ledger = await open();
  return {
    ...{ service, clock, policy },
    ledger: () => ledger,
    person: (fault) => personAt({ ledger, service, clock, policy, fault, repeats: scenario.repeats ?? {} }),
    async restart() {
      if (folder === undefined) return;
      await ledger.close();
      ledger = await open();
    },
    async close() {
      await ledger.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openLedger(
  folder: string | undefined,
  environment: 'live' | 'sandbox',
  clock: VirtualClock,
): Promise<Ledger> {
  const binding = { environment, baseUrl: 'https://pay.example', loginId: 'shop' };
  const path = folder === undefined ? ':memory:' : join(folder, 'ledger.db');
  const ledger = await openSqliteLedger({ path, binding, create: true, clock });
  return folder === undefined ? withoutEmergencyFile(ledger) : ledger;
}

/** The worst case: what no commit took is lost for good. */
function withoutEmergencyFile(ledger: Ledger): Ledger {
  return new Proxy(ledger, {
    get(target, key) {
      if (key === 'emergency') return () => undefined;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
