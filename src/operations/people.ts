/**
 * People and their passkeys: who may do what, tickets, registering, signing in, and signing an approval. Roles stand in the
 * configuration. The ledger keeps who let whom in.
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
import { batch, filled } from './fields.ts';
import { planChanged } from './messages.ts';
import { type Input, type Operation, operation } from './operation.ts';

export type { KnownPerson } from '../use-cases/people/passkeys-known.ts';

const LOOK = ['look'] as const;
const ADMINISTER = ['administer'] as const;
/** The right to it is a ticket, or the passkey itself. */
const ANYBODY = [] as const;

/** A question to a browser, or its answer. */
const forBrowsers = <Given extends Input, Result extends object>(
  declared: Omit<Operation<Given, Result, Result>, 'json'>,
) => operation<Given, Result, Result>({ ...declared, json: (result) => result });

/** Of the page that asks. It is on localhost. */
const origin = filled;
/** JSON of what the browser answered. */
const answer = filled;

export const list = operation({
  name: 'people',
  needs: LOOK,
  input: z.strictObject({}),
  run: async (_, { people, ledger }) => peopleKnown(people, await passkeysKnown({ ledger: await ledger() })),
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
  acts: true,
  input: z.strictObject({ person: filled }),
  async run({ person: id }, { people, user: by, isTerminal: isFromTerminal, signing }) {
    const person = personCalled(id, people);
    return makeTicket({ person, by, isFromTerminal }, await signing());
  },
  /** The ticket is shown once. The ledger keeps its hash. */
  json: ({ until, ...made }) => ({ ...made, until: formatTimestamp(until) }),
});

export const registration = forBrowsers({
  name: 'registration',
  needs: ANYBODY,
  input: z.strictObject({ ticket: filled }),
  run: async ({ ticket: given }, { entered, signing }) =>
    passkeyToMake({ ticket: given, entered }, await signing()),
});

export const register = forBrowsers({
  name: 'register',
  needs: ANYBODY,
  acts: true,
  input: z.strictObject({
    ticket: filled,
    answer,
    origin,
    /** The answer to the options of `to_sign`, beside the same `answer`. */
    signed: filled.optional(),
  }),
  run: async (given, { entered, signing }) => registerPasskey({ ...given, entered }, await signing()),
});

export const removePasskey = forBrowsers({
  name: 'removePasskey',
  needs: ADMINISTER,
  acts: true,
  input: z.strictObject({ credentialId: filled }),
  async run({ credentialId: id }, { user, signing }) {
    await removed(id, user, await signing());
    return { credentialId: id };
  },
});

export const hasPasskey = forBrowsers({
  name: 'hasPasskey',
  needs: ANYBODY,
  input: z.strictObject({ credentialId: filled }),
  async run({ credentialId: id }, { ledger }) {
    const { passkeys } = await passkeysKnown({ ledger: await ledger() });
    return { isKnown: passkeys.some((each) => each.credentialId === id && each.until === undefined) };
  },
});

export const askSignIn = forBrowsers({
  name: 'askSignIn',
  needs: ANYBODY,
  input: z.strictObject({ origin }),
  run: async ({ origin: page }, { signing }) => askToSignIn(page, await signing()),
});

export const signIn = forBrowsers({
  name: 'signIn',
  needs: ANYBODY,
  input: z.strictObject({ nonce: filled, answer }),
  run: async (given, { people, signing }) => signedIn(given, people, await signing()),
});

export const needsPasskey = forBrowsers({
  name: 'needsPasskey',
  needs: LOOK,
  input: z.strictObject({ batch: batch() }),
  async run({ batch: named }, context) {
    const { id } = await context.batch(named);
    return { isNeeded: await batchNeedsPasskey(id, await context.offlinePorts()) };
  },
});

export const askApproval = forBrowsers({
  name: 'askApproval',
  needs: ['approve'],
  input: z.strictObject({
    batch: batch(),
    digest: filled,
    origin,
  }),
  async run({ batch: named, digest, origin: page }, context) {
    const { id: batchId } = await context.batch(named);
    const plan = await planOf(batchId, await context.offlinePorts());
    if (!isSameDigest(plan.digest, digest)) throw new RequestRefused(planChanged);
    return askToApprove({ batchId, plan, by: context.user, origin: page }, await context.signing());
  },
});
