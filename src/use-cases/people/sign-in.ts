/** Signing in with a passkey: the question for the browser, and who signed its answer. */
import { entryChallenge, type Passkey, requestOptions } from '../../domain/people/passkey.ts';
import { type PeopleHere, type Person, personCalled } from '../../domain/people/person.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { passkeysKnown } from './passkeys-known.ts';
import { requireConsoleOrigin } from './register-passkey.ts';
import type { PasskeyAnswer, PasskeyAsked, SigningPorts } from './sign-approval.ts';

/** Errors: RequestRefused. */
export async function askSignIn(
  origin: string,
  { ledger, clock, passkeys, questions }: SigningPorts,
): Promise<PasskeyAsked> {
  requireConsoleOrigin(origin);
  const nonce = passkeys.secret();
  const challenge = entryChallenge(nonce, ledger.identity.id);
  questions.ask(nonce, { kind: 'entry', origin, challenge }, clock.now());
  return { nonce, options: requestOptions(challenge, []) };
}

export interface SignedInPerson {
  readonly person: Person;
  readonly credentialId: string;
}

/** Errors: RequestRefused. */
export async function signIn(
  given: PasskeyAnswer,
  here: PeopleHere,
  ports: SigningPorts,
): Promise<SignedInPerson> {
  const passkey = await signerOf(given, ports);
  const person = passkey && personCalled(passkey.person, here);
  if (passkey === undefined || person === undefined)
    throw new RequestRefused('Nobody can sign in with this passkey here.');
  return { person, credentialId: passkey.credentialId };
}

/** undefined: it answers no question of ours, or the passkey is nobody's. */
async function signerOf(
  { nonce, answer }: PasskeyAnswer,
  { ledger, clock, passkeys, questions }: SigningPorts,
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
