/**
 * Passkeys: what people sign with, so that a decision is theirs and not that of whoever sits at their machine.
 *
 * A browser signs a challenge. Ours is a digest of what the person was shown, so that the signature is worth nothing for
 * anything else: other rows, other totals, another batch, another ledger.
 * Units:   texts are base64url without padding; instants in milliseconds.
 */
import { createHash } from 'node:crypto';
import type { Money } from '../money/money.ts';
import type { Plan } from '../plan/plan.ts';
import { totalsToType } from '../plan/typed-totals.ts';
import type { Timestamp } from '../timestamp.ts';

/** Passkeys are bound to this host: browsers refuse them on 127.0.0.1. */
export const PASSKEY_HOST = 'localhost';

/** How long a person may take to answer: with a fingerprint; to open a ticket. */
export const QUESTION_MS = 5 * 60_000;
export const TICKET_MS = 15 * 60_000;

const ORIGIN = /^http:\/\/localhost(:\d{1,5})?$/;

/** A console's own address, as a browser writes it. */
export function isConsoleOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

export interface Passkey {
  readonly credentialId: string;
  /** COSE, as the authenticator gave it. */
  readonly publicKey: string;
  readonly person: string;
  readonly registeredAt: Timestamp;
  /** Who made the ticket that it was registered with. */
  readonly ticketBy: string;
  /** The entries of the journal that made the ticket, that registered the passkey, and that removed it. */
  readonly ticketSince: number;
  /** The passkey of the same person that allowed this one by a signature; undefined: the ticket alone did. */
  readonly allowedWith?: string | undefined;
  readonly since: number;
  readonly until?: number | undefined;
}

/** A browser's answer: what was signed, with what. */
export interface Assertion {
  readonly credentialId: string;
  readonly authenticatorData: string;
  readonly clientDataJson: string;
  readonly signature: string;
}

/** What stands in the ledger beside an approval, so that it can be checked for ever. */
export interface ApprovalProof extends Assertion {
  readonly nonce: string;
  readonly figures: PlanFigures;
}

/** What a person reads before agreeing, as texts such as `GHS 125000` in minor units. */
export interface PlanFigures {
  readonly rows: number;
  readonly beneficiariesGet: readonly string[];
  readonly wePay: readonly string[];
}

export function figuresOf(plan: Pick<Plan, 'toApprove' | 'counts'>): PlanFigures {
  return {
    rows: plan.counts.quoted ?? 0,
    beneficiariesGet: plan.toApprove.map(({ sum }) => figure(sum)),
    wePay: totalsToType(plan).map(figure),
  };
}

const figure = ({ currency, minor }: Money) => `${currency} ${minor}`;

/** All that an approval says. Two that differ in anything never have the same text. */
export interface ApprovalSaid {
  readonly nonce: string;
  readonly ledgerId: string;
  readonly batchId: string;
  readonly digest: string;
  readonly figures: PlanFigures;
}

export function approvalChallenge({ nonce, ledgerId, batchId, digest, figures }: ApprovalSaid): string {
  const { rows, beneficiariesGet, wePay } = figures;
  return challengeOf('approval', [nonce, ledgerId, batchId, digest, rows, beneficiariesGet, wePay]);
}

/** The ticket is part of it: nobody without the ticket can have a passkey made for it. */
export function registrationChallenge(ticket: string, ledgerId: string, person: string): string {
  return challengeOf('registration', [ticket, ledgerId, person]);
}

/** One passkey allows another one of the same person. Ticket and key are part of it: nothing else is allowed by the signature. */
export function furtherChallenge({ ticketHash, ledgerId, person, ...made }: FurtherPasskey): string {
  return challengeOf('further passkey', [ticketHash, ledgerId, person, made.credentialId, made.publicKey]);
}

export interface FurtherPasskey extends Pick<Passkey, 'person' | 'credentialId' | 'publicKey'> {
  readonly ticketHash: string;
  readonly ledgerId: string;
}

export function entryChallenge(nonce: string, ledgerId: string): string {
  return challengeOf('entry', [nonce, ledgerId]);
}

/** JSON of a list is the same text for the same values, and for no others. */
function challengeOf(
  what: 'approval' | 'registration' | 'further passkey' | 'entry',
  said: readonly unknown[],
): string {
  return createHash('sha256')
    .update(`payfile ${what} 1\n${JSON.stringify(said)}`)
    .digest('base64url');
}

/** Of a ticket; the ticket itself is kept nowhere. */
export function ticketHash(ticket: string): string {
  return createHash('sha256').update(`payfile ticket 1\n${ticket}`).digest('hex');
}

interface KnownCredential {
  readonly type: 'public-key';
  readonly id: string;
}

/** Ed25519, P-256, RSA: COSE's numbers. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export type CreationOptions = ReturnType<typeof creationOptions>;

export function creationOptions(
  person: string,
  challenge: string,
  { ledgerId, known }: { readonly ledgerId: string; readonly known: readonly Passkey[] },
) {
  // One person on one machine may have passkeys of several ledgers; an authenticator keeps one for each user id.
  const id = createHash('sha256')
    .update(JSON.stringify([ledgerId, person]))
    .digest('base64url');
  return {
    challenge,
    rp: { id: PASSKEY_HOST, name: 'payfile' },
    user: { id, name: person, displayName: person },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    timeout: QUESTION_MS,
    excludeCredentials: credentialsOf(known),
  } as const;
}

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export type RequestOptions = ReturnType<typeof requestOptions>;

export function requestOptions(challenge: string, known: readonly Passkey[]) {
  return {
    challenge,
    rpId: PASSKEY_HOST,
    userVerification: 'required',
    timeout: QUESTION_MS,
    /** Empty: whichever the person chooses. */
    allowCredentials: credentialsOf(known),
  } as const;
}

function credentialsOf(known: readonly Passkey[]): readonly KnownCredential[] {
  return known.map(({ credentialId: id }) => ({ type: 'public-key', id }));
}
