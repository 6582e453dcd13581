/**
 * Passkeys by the WebAuthn standard. Only this file uses @simplewebauthn/server.
 *
 * Refuses a signature if another site embeds our page, because the person saw the address of that site.
 *
 * Why:     payfile does not compare the counter of authenticators. Passkeys that sync between devices leave it at 0.
 *          Also, payfile verifies old signatures again when the counter is already higher.
 */
import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  type Assertion,
  isConsoleOrigin,
  PASSKEY_ALGORITHMS,
  PASSKEY_HOST,
} from '../domain/people/passkey.ts';
import type { Passkeys } from '../ports/passkeys.ts';

const SECRET_BYTES = 24;
const ANSWER_LENGTH_MAX = 64_000;
const RULES = { expectedRPID: PASSKEY_HOST, requireUserVerification: true } as const;

export function createWebAuthnPasskeys(): Passkeys {
  return {
    secret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    async madeBy(answer, { challenge: expectedChallenge, origin }) {
      const response = jsonOf(answer) as RegistrationResponseJSON | undefined;
      const expectedOrigin = originFor(origin, textIn(response?.response, 'clientDataJSON'));
      if (response === undefined || expectedOrigin === undefined) return unusable('it is no passkey');
      const supportedAlgorithmIDs = [...PASSKEY_ALGORITHMS];
      const asked = { response, expectedChallenge, expectedOrigin, supportedAlgorithmIDs, ...RULES };
      const made = await verifyRegistrationResponse(asked).catch(() => undefined);
      const credential = made?.verified === true ? made.registrationInfo.credential : undefined;
      if (credential === undefined) return unusable('it was not made for this link on this page');
      const publicKey = Buffer.from(credential.publicKey).toString('base64url');
      return { kind: 'made', credentialId: credential.id, publicKey };
    },
    read: assertionIn,
    async whyWrong(assertion, { challenge: expectedChallenge, origin, passkey }) {
      const expectedOrigin = originFor(origin, assertion.clientDataJson);
      if (expectedOrigin === undefined || assertion.credentialId !== passkey.credentialId)
        return WRONG_SIGNATURE;
      const publicKey = Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url'));
      const credential = { id: passkey.credentialId, publicKey, counter: 0 };
      const asked = { response: responseOf(assertion), expectedChallenge, expectedOrigin, credential };
      const checked = await verifyAuthenticationResponse({ ...asked, ...RULES }).catch(() => undefined);
      return checked?.verified === true ? undefined : WRONG_SIGNATURE;
    },
  };
}

const WRONG_SIGNATURE = 'the signature does not match what the person saw';

function unusable(why: string) {
  return { kind: 'unusable', why } as const;
}

function responseOf(assertion: Assertion): AuthenticationResponseJSON {
  const { credentialId: id, authenticatorData, clientDataJson: clientDataJSON, signature } = assertion;
  const response = { authenticatorData, clientDataJSON, signature };
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
}

function assertionIn(answer: string): Assertion | undefined {
  const whole = jsonOf(answer);
  const { response } = (whole ?? {}) as { readonly response?: unknown };
  const credentialId = textIn(whole, 'id');
  const authenticatorData = textIn(response, 'authenticatorData');
  const clientDataJson = textIn(response, 'clientDataJSON');
  const signature = textIn(response, 'signature');
  const isWhole = [credentialId, authenticatorData, clientDataJson, signature].every((text) => text !== '');
  return isWhole ? { credentialId, authenticatorData, clientDataJson, signature } : undefined;
}

/** The expected origin; undefined for a foreign origin or an embedded page. */
function originFor(origin: string | undefined, clientDataJson: string): string | undefined {
  const clientData = jsonOf(Buffer.from(clientDataJson, 'base64url').toString());
  const { crossOrigin = false, topOrigin } = (clientData ?? {}) as Readonly<Record<string, unknown>>;
  if (crossOrigin !== false || topOrigin !== undefined) return undefined;
  if (origin !== undefined) return origin;
  const own = textIn(clientData, 'origin');
  return isConsoleOrigin(own) ? own : undefined;
}

function jsonOf(text: string): object | undefined {
  if (text.length > ANSWER_LENGTH_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function textIn(holder: unknown, key: string): string {
  const value = (holder as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === 'string' ? value : '';
}
