/**
 * Approving with a passkey: the person signs a digest of exactly what was shown, and the signature is kept. What is asked
 * for is one batch of one ledger, its plan and the totals; an answer to anything else is worth nothing.
 */

import type { BatchId } from '../../domain/payouts/instruction.ts';
import {
  type ApprovalProof,
  type ApprovalSaid,
  approvalChallenge,
  figuresOf,
  type RequestOptions,
  requestOptions,
} from '../../domain/people/passkey.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { KeptApproval } from '../../ports/ledger/batches.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { Passkeys } from '../../ports/passkeys.ts';
import { type PasskeysKnown, passkeysKnown, passkeysOf } from './passkeys-known.ts';
import { type PeoplePorts, requireConsoleOrigin } from './register-passkey.ts';
import type { SignedQuestion, SignedQuestions } from './signed-questions.ts';

export type SigningPorts = PeoplePorts & { readonly questions: SignedQuestions };

export interface PasskeyAsked {
  /** Names the question in the answer. */
  readonly nonce: string;
  readonly options: RequestOptions;
}

/** What the person's browser signs to approve this plan. Errors: RequestRefused when there is no passkey to sign with. */
export async function askApproval(
  { batchId, plan, by, origin }: Asking,
  { ledger, clock, passkeys, questions }: SigningPorts,
): Promise<PasskeyAsked> {
  requireConsoleOrigin(origin);
  const own = passkeysOf(by, await passkeysKnown({ ledger }));
  if (own.length === 0)
    throw new RequestRefused('You have no passkey here. Ask an administrator for a link to register one.');
  const nonce = passkeys.secret();
  const said = {
    nonce,
    ledgerId: ledger.identity.id,
    batchId,
    digest: plan.digest,
    figures: figuresOf(plan),
  };
  const challenge = approvalChallenge(said);
  questions.ask(nonce, { kind: 'approval', person: by, origin, challenge, said }, clock.now());
  return { nonce, options: requestOptions(challenge, own) };
}

interface Asking {
  readonly batchId: BatchId;
  readonly plan: Plan;
  readonly by: string;
  readonly origin: string;
}

/** A browser's answer to a question with this nonce: the JSON of `PublicKeyCredential.toJSON()`. */
export interface PasskeyAnswer {
  readonly nonce: string;
  readonly answer: string;
}

export interface PasskeyRefused {
  readonly kind: 'passkey_refused';
  /** The end of a sentence. */
  readonly why: string;
}

type Proven =
  | { readonly kind: 'proven'; readonly proof: ApprovalProof }
  /** The plan is not the one that was signed. */
  | { readonly kind: 'changed' }
  | PasskeyRefused;

/** Whether the answer proves that this person agreed to this plan as it stands. */
export type ProveApproval = (batchId: BatchId, plan: Plan, by: string) => Promise<Proven>;

/** Uses the question up at once: an answer that fails is no second try. */
export function proveWith(given: PasskeyAnswer, ports: SigningPorts): ProveApproval {
  const question = ports.questions.take(given.nonce, ports.clock.now());
  return async (batchId, plan, by) => {
    if (question?.kind !== 'approval')
      return refused('it is not known here, was used before, or came more than five minutes late');
    const { person, said } = question;
    if (person !== by) return refused('somebody else was asked to sign');
    if (said.batchId !== batchId) return refused('it was asked for another batch');
    const now = { ...said, digest: plan.digest, figures: figuresOf(plan) };
    if (approvalChallenge(now) !== question.challenge) return { kind: 'changed' };
    return signed(given, { question, said, by }, ports);
  };
}

async function signed(
  { answer }: PasskeyAnswer,
  { question, said, by }: { question: SignedQuestion; said: ApprovalSaid; by: string },
  { ledger, passkeys }: SigningPorts,
): Promise<Proven> {
  const assertion = passkeys.read(answer);
  if (assertion === undefined) return refused('it is no answer of a browser');
  const own = passkeysOf(by, await passkeysKnown({ ledger }));
  const passkey = own.find(({ credentialId }) => credentialId === assertion.credentialId);
  if (passkey === undefined) return refused('it is not signed with a passkey of yours');
  const { challenge, origin } = question;
  const why = await passkeys.whyWrong(assertion, { challenge, origin, passkey });
  if (why !== undefined) return refused(why);
  return { kind: 'proven', proof: { ...assertion, nonce: said.nonce, figures: said.figures } };
}

function refused(why: string): PasskeyRefused {
  return { kind: 'passkey_refused', why };
}

/**
 * Signed approvals, checked again from the journal alone. A whole chain can be written anew by whoever can write the file;
 * a signature cannot.
 */
export async function approvalProblems(
  batchId: BatchId | undefined,
  { ledger, passkeys }: { readonly ledger: Ledger; readonly passkeys: () => Promise<Passkeys> },
): Promise<readonly string[]> {
  const problems: string[] = [];
  const nonces = new Set<string>();
  const known = await passkeysKnown({ ledger });
  for (const approval of await ledger.approvals()) {
    const { proof, batchId: of } = approval;
    const isRepeated = proof !== undefined && nonces.has(proof.nonce);
    if (proof !== undefined) nonces.add(proof.nonce);
    if (batchId !== undefined && of !== batchId) continue;
    const why = isRepeated
      ? 'what was signed was used for another approval before'
      : await whyNotProven(approval, { ledger, passkeys, known });
    if (why !== undefined)
      problems.push(
        `batch ${of}, entry ${approval.seq}: the approval of ${approval.by} is not proven: ${why}`,
      );
  }
  return problems;
}

async function whyNotProven(
  { seq, batchId, by, digest, count, proof }: KeptApproval,
  { ledger, passkeys, known }: Parameters<typeof approvalProblems>[1] & { readonly known: PasskeysKnown },
): Promise<string | undefined> {
  if (proof === undefined) {
    const isNeeded = (await ledger.notes(batchId, 'approval_passkey')).some((note) => note.seq < seq);
    return isNeeded && ledger.identity.environment === 'live' ? 'the batch needs a passkey' : undefined;
  }
  const { nonce, figures } = proof;
  const passkey = known.passkeys.find(
    ({ credentialId, person, since, until = Number.POSITIVE_INFINITY }) =>
      credentialId === proof.credentialId && person === by && since < seq && seq < until,
  );
  if (passkey === undefined) return `the passkey is not one of ${by} at that time`;
  if (figures.rows !== count) return 'it is about another number of rows';
  const challenge = approvalChallenge({ nonce, ledgerId: ledger.identity.id, batchId, digest, figures });
  return (await passkeys()).whyWrong(proof, { challenge, origin: undefined, passkey });
}
