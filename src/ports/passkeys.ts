/**
 * Passkeys as browsers answer with them: whether an answer holds a good passkey, or a good signature.
 *
 * Errors:  none. What cannot be used is a value that says why, as the end of a sentence.
 */
import type { Assertion, Passkey } from '../domain/people/passkey.ts';

export interface Passkeys {
  /** A word of 192 bits that nobody can guess. */
  secret(): string;
  /** `answer`: the JSON of `PublicKeyCredential.toJSON()` after creating. */
  madeBy(
    answer: string,
    asked: Asked,
  ): Promise<MadePasskey | { readonly kind: 'unusable'; readonly why: string }>;
  /** `answer`: the same after getting. undefined when it is no such JSON. */
  read(answer: string): Assertion | undefined;
  /** Why it does not prove that the owner of the passkey signed this challenge; undefined: it does. */
  whyWrong(
    assertion: Assertion,
    asked: Asked & { readonly passkey: PasskeyKey },
  ): Promise<string | undefined>;
}

interface Asked {
  readonly challenge: string;
  /** undefined: of any console on this machine. */
  readonly origin: string | undefined;
}

type PasskeyKey = Pick<Passkey, 'credentialId' | 'publicKey'>;

export interface MadePasskey extends PasskeyKey {
  readonly kind: 'made';
}
