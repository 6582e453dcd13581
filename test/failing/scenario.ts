/**
 * A scenario: what the service is like, what a person does, and how each row may stand at the end. The same
 * script is played whole, and with every fault at every moment.
 */
import type { ConcernKind } from '../../src/domain/payouts/concern.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import type { Policy } from '../../src/domain/policy.ts';
import { type FileRow, someRows } from '../builders/payout-file.ts';
import type { FaultName } from '../simulated-world/faults.ts';
import type { Fate } from '../simulated-world/oracle.ts';

export interface Scenario {
  readonly name: string;
  readonly policy?: Partial<Policy>;
  readonly environment?: 'live' | 'sandbox';
  /** Whether the emergency file can be written; without it what no commit took is lost for good. */
  readonly hasEmergencyFile?: boolean;
  /** How the service behaves from the start. */
  readonly service?: (service: Service) => void;
  /** What was done before, without faults. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /** Per batch name: the states that each row may end in, in file order, `settled failed|canceled`. */
  readonly ends: Readonly<Record<string, string>>;
  /** How often an account is meant to be paid where it is not once. */
  readonly pays?: Readonly<Record<string, number>>;
  /** The batch repeats another one on purpose: name → name of the other. */
  readonly repeats?: Readonly<Record<string, string>>;
}

/** What a scenario tells the service to do; everything else goes well. */
export interface Service {
  /** What befalls a transfer to the account, by its attempt, beginning with 1. */
  transfer: (account: string, attempt: number) => FaultName | undefined;
  name(account: string, holder: string): void;
  /** Of the first transfer to the account. */
  becomes(account: string, fate: Fate): void;
  rate(rate: number): void;
}

/** One command of a person, or something that happens in the world. It can be done again at any time. */
export type Step = (person: Person) => Promise<unknown>;

/** The commands, as a person types them. Each starts from what the ledger says. */
export interface Person {
  readonly service: Service;
  /** Time passes for everybody. */
  waits(milliseconds: number): void;
  place(rows: readonly FileRow[], name: string): Promise<unknown>;
  approve(name: string): Promise<unknown>;
  send(name: string): Promise<unknown>;
  settle(name: string): Promise<unknown>;
  run(name: string): Promise<unknown>;
  /** Every held row, or what rows are held for by these kinds. */
  release(name: string, ...kinds: readonly ConcernKind[]): Promise<unknown>;
  cancel(name: string, ...rows: readonly string[]): Promise<unknown>;
  reissue(name: string): Promise<unknown>;
  /** Rules on every row in doubt as the service's book has it, or as the person wrongly believes. */
  rule(name: string, belief?: 'as_it_is' | 'not_paid'): Promise<unknown>;
  pause(name: string): Promise<unknown>;
  resume(name: string): Promise<unknown>;
  batch(name: string): BatchId;
  /** The batch that this one repeats on purpose. */
  repeated(batch: { readonly name: string | undefined }): BatchId | undefined;
  payouts(name: string): readonly Payout[];
}

export const FIRST = '0244123001';
export const SECOND = '0244123002';
export const THIRD = '0244123003';

/** Behaves by account, so that a fault elsewhere changes nothing of it. */
export function byAccount(
  scripts: Readonly<Record<string, FaultName | ((attempt: number) => FaultName | undefined)>>,
): (service: Service) => void {
  return (service) => {
    service.transfer = (account, attempt) => {
      const script = scripts[account];
      return typeof script === 'function' ? script(attempt) : script;
    };
  };
}

export const once = (kind: FaultName) => (attempt: number) => (attempt === 1 ? kind : undefined);

export const inService =
  (change: (service: Service) => void): Step =>
  async ({ service }) =>
    change(service);

export const allGoesWell = inService((service) => {
  service.transfer = () => undefined;
});

/** Time passes; nobody does anything. */
export const hours =
  (count: number): Step =>
  async (person) =>
    person.waits(count * 3_600_000);

export const placeMay: Step = (person) => person.place(someRows(3), 'may');
export const approveMay: Step = (person) => person.approve('may');
export const sendMay: Step = (person) => person.send('may');
export const runMay: Step = (person) => person.run('may');
export const reissueMay: Step = (person) => person.reissue('may');
