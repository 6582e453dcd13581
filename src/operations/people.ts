/**
 * People and their passkeys: roles, tickets, registration, sign-in, and signed approvals. The configuration holds the
 * roles. The ledger keeps who invited whom.
 */
import { z } from 'zod';
import { personCalled } from '../domain/people/person.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { needsPasskey as batchNeedsPasskey } from '../use-cases/approve/lasting-rules.ts';
import { isSameDigest, planOf } from '../use-cases/approve/plan-of-batch.ts';
import { type KnownPerson, passkeysKnown, peopleKnown } from '../use-cases/people/passkeys-known.ts';
import {
  makeTicket,
  passkeyToMake,
  registerPasskey,
  removePasskey as removed,
} from '../use-cases/people/register-passkey.ts';
import { askApproval as askToApprove } from '../use-cases/people/sign-approval.ts';
import { askSignIn as askToSignIn, signIn as signedIn } from '../use-cases/people/sign-in.ts';
import { batch, nonEmptyText } from './fields.ts';
import { planChanged } from './messages.ts';
import { type Input, type Operation, operation } from './operation.ts';

export type { KnownPerson } from '../use-cases/people/passkeys-known.ts';

const LOOK = ['look'] as const;
const ADMINISTER = ['administer'] as const;
/** No role is needed: the ticket or the passkey proves the right. */
const NO_RIGHT_NEEDED = [] as const;

/** A request to the browser, or its answer. Its JSON is the result itself. */
const browserOperation = <Given extends Input, Result extends object>(
  declared: Omit<Operation<Given, Result, Result>, 'json'>,
) => operation<Given, Result, Result>({ ...declared, json: (result) => result });

/** Origin of the page that asks, on localhost. */
const origin = nonEmptyText;
/** The browser's answer as JSON. */
const answer = nonEmptyText;

export const list = operation({
  name: 'people',
  needs: LOOK,
  input: z.strictObject({}),
  async run(_, { people, signingPorts }) {
    const ports = await signingPorts();
    return peopleKnown(people, await passkeysKnown(ports), ports.policy);
  },
  json: (people: readonly KnownPerson[]) => ({
    people: people.map(({ passkeys, ...person }) => ({
      ...person,
      passkeys: passkeys.map(({ registeredAt, ...passkey }) => ({
        ...passkey,
        registeredAt: formatTimestamp(registeredAt),
      })),
    })),
  }),
});

export const invite = operation({
  name: 'invite',
  needs: ADMINISTER,
  changesData: true,
  input: z.strictObject({ person: nonEmptyText }),
  async run({ person: id }, { people, user: by, isTerminal: isFromTerminal, signingPorts }) {
    const person = personCalled(id, people);
    return makeTicket({ person, by, isFromTerminal }, await signingPorts());
  },
  /** payfile shows the ticket once. The ledger keeps its hash. */
  json: ({ until, ...made }) => ({ ...made, until: formatTimestamp(until) }),
});

export const registration = browserOperation({
  name: 'registration',
  needs: NO_RIGHT_NEEDED,
  input: z.strictObject({ ticket: nonEmptyText }),
  run: async ({ ticket: given }, { signedInPerson, signingPorts }) =>
    passkeyToMake({ ticket: given, signedInPerson }, await signingPorts()),
});

export const register = browserOperation({
  name: 'register',
  needs: NO_RIGHT_NEEDED,
  changesData: true,
  input: z.strictObject({
    ticket: nonEmptyText,
    answer,
    origin,
    /** The browser's answer to the options of a result `to_sign`. Send it with the same `answer`. */
    signed: nonEmptyText.optional(),
  }),
  run: async (given, { signedInPerson, signingPorts }) =>
    registerPasskey({ ...given, signedInPerson }, await signingPorts()),
});

export const removePasskey = browserOperation({
  name: 'removePasskey',
  needs: ADMINISTER,
  changesData: true,
  input: z.strictObject({ credentialId: nonEmptyText }),
  async run({ credentialId: id }, { user, signingPorts }) {
    await removed(id, user, await signingPorts());
    return { credentialId: id };
  },
});

export const hasPasskey = browserOperation({
  name: 'hasPasskey',
  needs: NO_RIGHT_NEEDED,
  input: z.strictObject({ credentialId: nonEmptyText }),
  async run({ credentialId: id }, { ledger }) {
    const { passkeys } = await passkeysKnown({ ledger: await ledger() });
    return { isKnown: passkeys.some((each) => each.credentialId === id && each.until === undefined) };
  },
});

export const askSignIn = browserOperation({
  name: 'askSignIn',
  needs: NO_RIGHT_NEEDED,
  input: z.strictObject({ origin }),
  run: async ({ origin: page }, { signingPorts }) => askToSignIn(page, await signingPorts()),
});

export const signIn = browserOperation({
  name: 'signIn',
  needs: NO_RIGHT_NEEDED,
  input: z.strictObject({ nonce: nonEmptyText, answer }),
  run: async (given, { people, signingPorts }) => signedIn(given, people, await signingPorts()),
});

export const needsPasskey = browserOperation({
  name: 'needsPasskey',
  needs: LOOK,
  input: z.strictObject({ batch: batch() }),
  async run({ batch: named }, context) {
    const { id } = await context.batch(named);
    return { isNeeded: await batchNeedsPasskey(id, await context.offlinePorts()) };
  },
});

export const askApproval = browserOperation({
  name: 'askApproval',
  needs: ['approve'],
  input: z.strictObject({
    batch: batch(),
    digest: nonEmptyText,
    origin,
  }),
  async run({ batch: named, digest, origin: page }, context) {
    const { id: batchId } = await context.batch(named);
    const plan = await planOf(batchId, await context.offlinePorts());
    if (!isSameDigest(plan.digest, digest)) throw new RequestRefused(planChanged);
    return askToApprove({ batchId, plan, by: context.user, origin: page }, await context.signingPorts());
  },
});
