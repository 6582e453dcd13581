/**
 * What a person rules about a row: a doubt, or a difference.
 */
import type { EvidenceGiven } from '../ports/evidence.ts';
import { acceptDifference } from '../use-cases/decide/accept-difference.ts';
import { type Ruled, ruleOnDoubt, type Unconfirmed } from '../use-cases/decide/rule-on-doubt.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import type { Door } from './door.ts';

export type RulingGiven =
  /** `evidence` excuses differences between the transfer and what was asked. */
  | { readonly kind: 'paid'; readonly transferId: string; readonly evidence?: EvidenceGiven | undefined }
  | { readonly kind: 'not_paid'; readonly evidence: EvidenceGiven };

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

export interface DecisionMethods {
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
}

export function decisionMethods(door: Door): DecisionMethods {
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

async function requestOf(given: RulingGiven, { parts, user: by }: Door) {
  if (given.kind === 'not_paid')
    return { kind: 'not_paid', by, evidence: await parts.readEvidence(given.evidence) } as const;
  const { transferId, evidence: written } = given;
  const evidence = written === undefined ? undefined : await parts.readEvidence(written);
  return { kind: 'paid', transferId, by, evidence } as const;
}
