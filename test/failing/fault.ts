/**
 * A fault: one thing that goes wrong at the k-th event of a kind. It is armed in the process that a person
 * started; the process that the person starts afterwards is whole again.
 */
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ScriptedPaymentService } from '../fakes/scripted-payment-service.ts';

export interface Fault {
  ledger(ledger: Ledger): Ledger;
  service(service: ScriptedPaymentService): ScriptedPaymentService;
  /** What the person's command is started with: aborts when the person stops it. */
  readonly signal: AbortSignal;
  /** Resolves when the process is dead; a fault that kills nobody never resolves. */
  readonly died: Promise<void>;
  /** Events of the kind so far. */
  readonly counted: () => number;
  /** What was hit; undefined while nothing was. */
  readonly struck: () => Strike | undefined;
}

export interface Strike {
  /** `record begin_attempt`, `send`, `transaction`: what the fault hit. */
  readonly what: string;
  /** Rows that may be in doubt because of it, beyond those whose answer the service lost. */
  readonly doubtsMost: number;
  /** The same where outcomes that no commit took wait in the emergency file. */
  readonly doubtsMostBesideFile: number;
  /** Whether the service itself said no to a question, so that a row may wait for a person. */
  readonly mayHold: boolean;
}

export interface Instrument {
  readonly name: string;
  /** What it counts; instruments that count the same count equally many in a run without faults. */
  readonly counts: 'writes' | 'events' | 'calls';
  arm(at: number, concurrency: number): Fault;
}

export const NEVER = new Promise<never>(() => {});
export const NO_SIGNAL = new AbortController().signal;
