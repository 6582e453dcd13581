/**
 * A scenario: what the service is like, what a person does, and how each row may stand at the end. The same
 * script is played whole, and with every fault at every moment.
 */

import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import type { Policy } from '../../src/domain/policy.ts';
import type { Choice } from '../../src/use-cases/decide/choose-payouts.ts';
import type { FileRow } from '../builders/payout-file.ts';
import type { Workplace } from '../builders/workplace.ts';
import type { ScriptedPaymentService } from '../fakes/scripted-payment-service.ts';

export interface Scenario {
  readonly name: string;
  readonly policy?: Partial<Policy>;
  readonly environment?: 'live' | 'sandbox';
  /** The ledger is a file, with the emergency file beside it. */
  readonly isOnDisk?: boolean;
  /** How the service behaves from the start. */
  readonly service?: (service: ScriptedPaymentService) => void;
  /** What was done before, without faults. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /** Per batch name: the states that each row may end in, in file order, `settled failed|canceled`. */
  readonly ends: Readonly<Record<string, string>>;
  /** Rows whose answer the service itself loses. */
  readonly lost?: number;
  /** How often an account is meant to be paid where it is not once. */
  readonly pays?: Readonly<Record<string, number>>;
  /** The batch repeats another one on purpose: name → name of the other. */
  readonly repeats?: Readonly<Record<string, string>>;
}

/** One command of a person, or something that happens in the world. It can be done again at any time. */
export type Step = (person: Person) => Promise<unknown>;

/** The commands, as a person types them. Each starts from what the ledger says. */
export interface Person {
  /** What the world is like: the service, the clock, the ledger, untouched by any fault. */
  readonly world: Pick<Workplace, 'service' | 'clock' | 'ledger'>;
  place(rows: readonly FileRow[], name: string): Promise<unknown>;
  approve(name: string): Promise<void>;
  send(name: string): Promise<unknown>;
  settle(name: string): Promise<unknown>;
  run(name: string): Promise<unknown>;
  release(name: string, choice?: Choice): Promise<unknown>;
  cancel(name: string, ...rows: readonly string[]): Promise<unknown>;
  reissue(name: string, evidence?: string): Promise<unknown>;
  /** Rules on every row in doubt as the service's book has it, or as the person wrongly believes. */
  rule(name: string, belief?: 'as_it_is' | 'not_paid'): Promise<unknown>;
  pause(name: string): Promise<void>;
  resume(name: string): Promise<void>;
  batch(name: string): Promise<BatchId>;
  payouts(name: string): Promise<readonly Payout[]>;
}

/** Time passes; nobody does anything. */
export const hours =
  (count: number): Step =>
  async ({ world }) =>
    world.clock.advance(count * 3_600_000);
export const minutes = (count: number): Step => hours(count / 60);
