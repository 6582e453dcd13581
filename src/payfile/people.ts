/**
 * What can be done about people: who may do what, tickets and passkeys, coming in with a passkey, and signing an approval.
 */
import {
  type CreationOptions,
  entryChallenge,
  type Passkey,
  requestOptions,
} from '../domain/people/passkey.ts';
import { type Person, personCalled } from '../domain/people/person.ts';
import { needsPasskey } from '../use-cases/approve/lasting-rules.ts';
import { isSameDigest, type Planning, planOf } from '../use-cases/approve/plan-of-batch.ts';
import { passkeysKnown, passkeysOf } from '../use-cases/people/passkeys-known.ts';
import {
  type MadeTicket,
  makeTicket,
  type PeoplePorts,
  passkeyToMake,
  type RegisteredPasskey,
  registerPasskey,
  removePasskey,
  requireConsoleOrigin,
} from '../use-cases/people/register-passkey.ts';
import { askApproval, type PasskeyAnswer, type PasskeyAsked } from '../use-cases/people/sign-approval.ts';
import type { SignedQuestions } from '../use-cases/people/signed-questions.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import type { Door } from './door.ts';

export interface KnownPerson extends Person {
  /** The user of this machine, who comes in with a link instead of a passkey. */
  readonly isUser: boolean;
  /** With which this person may sign now. */
  readonly passkeys: readonly Pick<Passkey, 'credentialId' | 'registeredAt' | 'ticketBy'>[];
}

export interface PeopleMethods {
  /** Everybody who may do anything, and whoever has a passkey still. */
  people(): Promise<readonly KnownPerson[]>;
  /**
   * Lets this person register one passkey, once, within minutes. What is given back is shown once and kept nowhere. For a
   * person who has no passkey any more the terminal makes the ticket.
   */
  makeTicket(person: string): Promise<MadeTicket>;
  /** Whose ticket it is, and what the browser makes the passkey with (`parseCreationOptionsFromJSON`). */
  passkeyToMake(ticket: string): Promise<{ readonly person: string; readonly options: CreationOptions }>;
  /**
   * `answer`: the JSON of the browser's new credential; `origin`: of the page on localhost that asked for it. `signed`:
   * where it comes back `to_sign`, the answer to its options, given with the same `answer`.
   */
  registerPasskey(
    ticket: string,
    answer: string,
    origin: string,
    signed?: string | undefined,
  ): Promise<RegisteredPasskey>;
  /** From now on it signs nothing; what it signed before stays proven. */
  removePasskey(credentialId: string): Promise<void>;
  /** What a browser signs to say who sits before it (`parseRequestOptionsFromJSON`). */
  passkeyToEnter(origin: string): Promise<PasskeyAsked>;
  /** Who signed, and with which passkey. Errors: RequestRefused. */
  enterWithPasskey(given: PasskeyAnswer): Promise<{ readonly person: Person; readonly credentialId: string }>;
  /** Whether this passkey still lets its person in: it may have been removed meanwhile. */
  isPasskey(credentialId: string): Promise<boolean>;
  /** Whether this batch is approved with a passkey and in no other way. */
  needsPasskey(batch: string): Promise<boolean>;
  /** What the browser signs to approve the plan with this digest: the plan and its totals. Answered in `approve`. */
  passkeyToApprove(batch: string, digest: string, origin: string): Promise<PasskeyAsked>;
}

export type SigningParts = PeoplePorts & Planning & { readonly questions: SignedQuestions };

export async function signingParts({ parts, settings, ledger, questions }: Door): Promise<SigningParts> {
  const passkeys = await parts.passkeys();
  return { ledger: await ledger(), clock: parts.clock, policy: settings.policy, passkeys, questions };
}

export function peopleMethods(door: Door): PeopleMethods {
  const { user, owner, entered } = door;
  const called = (id: string) => personCalled(id, { roster: door.settings.people, user: owner });
  return {
    people: () => people(door),
    makeTicket: async (person) =>
      makeTicket(
        { person: called(person), by: user, isFromTerminal: door.isTerminal },
        await signingParts(door),
      ),
    passkeyToMake: async (ticket) => passkeyToMake({ ticket, entered }, await signingParts(door)),
    registerPasskey: async (ticket, answer, origin, signed) =>
      registerPasskey({ ticket, answer, origin, signed, entered }, await signingParts(door)),
    removePasskey: async (credentialId) => removePasskey(credentialId, user, await signingParts(door)),
    async passkeyToEnter(origin) {
      requireConsoleOrigin(origin);
      const { ledger, clock, passkeys, questions } = await signingParts(door);
      const nonce = passkeys.secret();
      const challenge = entryChallenge(nonce, ledger.identity.id);
      questions.ask(nonce, { kind: 'entry', origin, challenge }, clock.now());
      return { nonce, options: requestOptions(challenge, []) };
    },
    async enterWithPasskey(given) {
      const passkey = await signerOf(given, await signingParts(door));
      const person = passkey && called(passkey.person);
      if (passkey === undefined || person === undefined)
        throw new RequestRefused('This passkey lets nobody in here.');
      return { person, credentialId: passkey.credentialId };
    },
    async isPasskey(credentialId) {
      const { passkeys } = await passkeysKnown({ ledger: await door.ledger() });
      return passkeys.some((each) => each.credentialId === credentialId && each.until === undefined);
    },
    async needsPasskey(text) {
      const ports = await door.offlinePorts({});
      return needsPasskey((await door.batch(text)).id, ports);
    },
    async passkeyToApprove(text, digest, origin) {
      const { id: batchId } = await door.batch(text);
      const parts = await signingParts(door);
      const plan = await planOf(batchId, parts);
      if (!isSameDigest(plan.digest, digest))
        throw new RequestRefused('The plan changed since it was shown. Look at it again before you sign.');
      return askApproval({ batchId, plan, by: user, origin }, parts);
    },
  };
}

async function people({ settings, owner, ledger }: Door): Promise<readonly KnownPerson[]> {
  const { people: roster } = settings;
  const known = await passkeysKnown({ ledger: await ledger() });
  const signers = known.passkeys.filter(({ until }) => until === undefined).map(({ person }) => person);
  return [...new Set([owner, ...roster.keys(), ...signers])].map((id) => ({
    ...(personCalled(id, { roster, user: owner }) ?? { id, name: id, roles: [] }),
    isUser: id === owner,
    passkeys: passkeysOf(id, known).map(({ credentialId, registeredAt, ticketBy }) => ({
      ...{ credentialId, registeredAt, ticketBy },
    })),
  }));
}

/** undefined: the answer is to no question of ours, or nobody's. */
async function signerOf(
  { nonce, answer }: PasskeyAnswer,
  { ledger, clock, passkeys, questions }: SigningParts,
): Promise<Passkey | undefined> {
  const question = questions.take(nonce, clock.now());
  const assertion = passkeys.read(answer);
  if (question?.kind !== 'entry' || assertion === undefined) return undefined;
  const known = await passkeysKnown({ ledger });
  const passkey = known.passkeys.find(
    ({ credentialId, until }) => credentialId === assertion.credentialId && until === undefined,
  );
  if (passkey === undefined) return undefined;
  const why = await passkeys.whyWrong(assertion, { ...question, passkey });
  return why === undefined ? passkey : undefined;
}
