/**
 * What a person decides about rows and batches: release, withdraw, pay again, rule on a doubt, pause and resume.
 */
import { type Batch, batchLabel, isPausedForStatement } from '../domain/batches/batch.ts';
import { type Command, command } from '../domain/next-steps/command.ts';
import type { EvidenceGiven } from '../ports/evidence.ts';
import { acceptDifference } from '../use-cases/decide/accept-difference.ts';
import type { Choice } from '../use-cases/decide/choose-payouts.ts';
import { decideRows, type RowDecision, type RowsDecided } from '../use-cases/decide/decide-rows.ts';
import { type Ruled, ruleOnDoubt, type Unconfirmed } from '../use-cases/decide/rule-on-doubt.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { type Door, withFileFromHere } from './door.ts';

export type RulingGiven =
  /** `evidence` excuses differences between the transfer and what was asked. */
  | { readonly kind: 'paid'; readonly transferId: string; readonly evidence?: EvidenceGiven | undefined }
  | { readonly kind: 'not_paid'; readonly evidence: EvidenceGiven };

export type DecisionGiven =
  | Exclude<RowDecision, { kind: 'reissue' }>
  /** `evidence`: needed to pay again soon after the service reported a failure. */
  | { readonly kind: 'reissue'; readonly evidence?: EvidenceGiven | undefined };

export interface RulingDialogue extends Dialogue {
  /** False: the question `ruling` is asked first. True unless told. */
  readonly isSure?: boolean;
}

export interface AcceptanceDialogue extends RulingDialogue {
  /** True: nothing is asked. Otherwise `ask` is asked first, where it is given. */
  readonly isSure?: boolean;
  /** The differences that the person saw, as in `discrepancies`. Only these are accepted. undefined: all of now. */
  readonly saw?: readonly string[] | undefined;
}

export interface Paused {
  /** As it is now. */
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly wasPaused: boolean;
  readonly next?: Command | undefined;
  /** Of a batch that is paused: after a person looked. */
  readonly andThen?: Command | undefined;
}

export interface Resumed {
  readonly batches: readonly Batch[];
  readonly environment: 'live' | 'sandbox';
}

export interface DecisionMethods {
  /** Releases held rows, withdraws unsent rows, or pays rows again that are proven unpaid. The journal keeps who and why. */
  decide(batch: string, choice: Choice, decision: DecisionGiven): Promise<RowsDecided>;
  /**
   * A person's ruling on a row in doubt, by row number, reference or tag. Evidence is words, or the path of a file, whose
   * name, size and SHA-256 are kept. Ruling “not paid” needs the batch for itself.
   */
  resolve(batch: string, row: string, ruling: RulingGiven): Promise<Ruled>;
  resolve(
    batch: string,
    row: string,
    ruling: RulingGiven,
    dialogue: RulingDialogue,
  ): Promise<Ruled | Unconfirmed>;
  /** Accepts that a row differs from what was asked. The alarm ends; the difference stays in every report. */
  acceptDifference(batch: string, row: string, reason: string): Promise<Ruled>;
  acceptDifference(
    batch: string,
    row: string,
    reason: string,
    dialogue: AcceptanceDialogue,
  ): Promise<Ruled | Unconfirmed>;
  /** Nothing new is sent; what is in flight ends by itself. A run never lifts a pause. */
  pause(batch: string, reason?: string): Promise<Paused>;
  /** In a ledger that was accepted and not compared yet, a batch stays paused for that after a pause of its own. */
  resume(batch: string): Promise<Paused>;
  /**
   * For a ledger that was accepted, after every batch was compared with a statement: ends the pauses that accepting it
   * made, and new batches are no longer paused.
   */
  resumeAll(): Promise<Resumed>;
}

export function decisionMethods(door: Door): DecisionMethods {
  const { user: by } = door;
  return {
    ...rulingMethods(door),
    async decide(text, choice, decision) {
      if (decision.kind !== 'reissue') requireReason(decision.reason);
      const kept = decision.kind === 'reissue' ? await withEvidence(decision, door) : decision;
      const ports = await door.offlinePorts({});
      const decided = await decideRows(await door.batch(text), choice, { ...kept, by }, ports);
      return { ...decided, next: withFileFromHere(decided.next, door) };
    },
    pause: (text, reason = `asked for by ${by}`) =>
      changePause(text, door, async (batch) => {
        const ledger = await door.ledger();
        await ledger.pause(batch.id, { reason, by, at: door.parts.clock.now() });
        return 'resume';
      }),
    resume: (text) =>
      changePause(text, door, async (batch) => {
        const ledger = await door.ledger();
        if (batch.pause !== undefined) await ledger.resume(batch.id, by, door.parts.clock.now());
        return (await ledger.batch(batch.id))?.pause === undefined ? 'send' : 'status';
      }),
    async resumeAll() {
      const ledger = await door.ledger();
      const batches = (await ledger.batches()).filter(isPausedForStatement);
      await ledger.resumeAll(by, door.parts.clock.now());
      return { batches, environment: ledger.identity.environment };
    },
  };
}

function rulingMethods(door: Door): Pick<DecisionMethods, 'resolve' | 'acceptDifference'> {
  const { user: by, holder } = door;
  async function resolve(text: string, row: string, given: RulingGiven): Promise<Ruled>;
  async function resolve(
    text: string,
    row: string,
    given: RulingGiven,
    dialogue: RulingDialogue,
  ): Promise<Ruled | Unconfirmed>;
  async function resolve(
    text: string,
    row: string,
    given: RulingGiven,
    { isSure = true, ...dialogue }: RulingDialogue = {},
  ): Promise<Ruled | Unconfirmed> {
    const request = await requestOf(given, door);
    const ledger = await door.ledger();
    const batch = await door.batch(text);
    const ask = untilStopped(dialogue.ask, dialogue.signal);
    return ruleOnDoubt({ batch, row, request }, { isSure, ask, holder }, () => door.ports(dialogue), {
      ledger,
    });
  }
  async function accept(text: string, row: string, reason: string): Promise<Ruled>;
  async function accept(
    text: string,
    row: string,
    reason: string,
    dialogue: AcceptanceDialogue,
  ): Promise<Ruled | Unconfirmed>;
  async function accept(
    text: string,
    row: string,
    reason: string,
    { isSure, saw, ...dialogue }: AcceptanceDialogue = {},
  ): Promise<Ruled | Unconfirmed> {
    requireReason(reason);
    const ask = isSure === true ? undefined : untilStopped(dialogue.ask, dialogue.signal);
    const ports = await door.offlinePorts({});
    return acceptDifference({ batch: await door.batch(text), row, by, reason, ask, saw }, ports);
  }
  return { resolve, acceptDifference: accept };
}

function requireReason(reason: string): void {
  if (reason.trim() === '')
    throw new RequestRefused('A decision about rows needs a reason: it is kept for whoever asks later.');
}

async function withEvidence(
  { kind, evidence }: Extract<DecisionGiven, { kind: 'reissue' }>,
  { parts }: Door,
): Promise<RowDecision> {
  return { kind, evidence: evidence === undefined ? undefined : await parts.readEvidence(evidence) };
}

async function requestOf(given: RulingGiven, { parts, user: by }: Door) {
  if (given.kind === 'not_paid')
    return { kind: 'not_paid', by, evidence: await parts.readEvidence(given.evidence) } as const;
  const { transferId, evidence: written } = given;
  const evidence = written === undefined ? undefined : await parts.readEvidence(written);
  return { kind: 'paid', transferId, by, evidence } as const;
}

async function changePause(
  text: string,
  door: Door,
  change: (batch: Batch) => Promise<'resume' | 'send' | 'status'>,
): Promise<Paused> {
  const ledger = await door.ledger();
  const before = await door.batch(text);
  const verb = await change(before);
  const { environment } = ledger.identity;
  const batch = (await ledger.batch(before.id)) ?? before;
  const wasPaused = before.pause !== undefined;
  const step = command(verb, [batchLabel(batch)]);
  return { batch, environment, wasPaused, ...(verb === 'resume' ? { andThen: step } : { next: step }) };
}
