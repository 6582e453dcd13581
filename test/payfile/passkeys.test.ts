/** Who may let whom in, what a passkey signs, and what an approval with one is worth: at the door, as pages use it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Role } from '../../src/domain/people/person.ts';
import { look, overview } from '../../src/operations/status.ts';
import { createPayfile, openFor, type Payfile, payfileOf } from '../../src/payfile.ts';
import { type Authenticator, anAuthenticator } from '../builders/authenticator.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { approvePlan, planFile } from '../builders/library-calls.ts';
import { NO_HOME } from '../builders/no-home.ts';
import { contextOf } from '../builders/process-context.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const ORIGIN = 'http://localhost:4870';
const PEOPLE: Readonly<Record<string, readonly Role[]>> = {
  ben: ['maker'],
  eve: ['approver'],
  max: ['approver', 'maker'],
};

const clock = createBriskClock();
let ada: Payfile;
function open(policy = {}, people = PEOPLE): Payfile {
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  ada = createPayfile(
    { ...options, people, policy },
    { env: { HOME: NO_HOME }, clock: clock.withPauses(60_000) },
  );
  return ada;
}
afterEach(() => ada.close());

/** `signer`: a passkey that the person has, where there is one. */
async function registered(person: string, by = ada, signer?: Authenticator): Promise<Authenticator> {
  const key = anAuthenticator();
  const { ticket } = await by.people.invite({ person });
  const { options } = await ada.people.registration({ ticket });
  const answer = key.make(options, ORIGIN);
  const made = await ada.people.register({ ticket, answer, origin: ORIGIN });
  if (made.kind === 'to_sign')
    await ada.people.register({ ticket, answer, origin: ORIGIN, signed: signer?.sign(made.options, ORIGIN) });
  return key;
}

async function agreed(): Promise<number> {
  return (await ada.call(overview, {})).batches.reduce((sum, { counts }) => sum + counts.approved, 0);
}

async function planned(batch = 'may', by = ada): Promise<string> {
  await planFile(by, 'samples/suppliers.csv', { batch, repeats: 'may' });
  return (await stateOf(ada, batch)).plan?.digest ?? '';
}

describe('what a person may do', () => {
  it('is what the configuration says, and the user of the machine may do everything', async () => {
    open();
    const [ben, eve, mallory] = [ada.as('ben'), ada.as('eve'), ada.as('mallory')];
    await planFile(ben, 'samples/suppliers.csv', { batch: 'may' });
    const digest = (await stateOf(eve, 'may')).plan?.digest ?? '';
    const denied = { code: 'not_allowed' };
    await expect(approvePlan(ben, 'may', digest)).rejects.toMatchObject(denied);
    await expect(ben.people.invite({ person: 'ben' })).rejects.toMatchObject(denied);
    await expect(planFile(eve, 'samples/suppliers.csv', { batch: 'june' })).rejects.toMatchObject(denied);
    await expect(eve.send({ batch: 'may' })).rejects.toMatchObject(denied);
    await expect(eve.rows.reissue({ batch: 'may', allFailed: true })).rejects.toMatchObject(denied);
    await expect(eve.ledger.verify({ acceptLedger: true })).rejects.toMatchObject(denied);
    await expect(batchesOf(mallory)).rejects.toThrow('mallory may not do this here');
    expect((await approvePlan(eve, 'may', digest)).kind).toBe('approved');
    expect((await ada.send({ batch: 'may' })).batch.name).toBe('may');
  });

  it('is shown of everybody, with their passkeys', async () => {
    open();
    const key = await registered('eve');
    const { people } = await ada.people.list();
    expect(people.map(({ id, isUser, passkeys }) => [id, isUser, passkeys.length])).toEqual([
      ['ada', true, 0],
      ['ben', false, 0],
      ['eve', false, 1],
      ['max', false, 0],
    ]);
    expect(people[2]?.passkeys).toMatchObject([{ credentialId: key.credentialId, ticketBy: 'ada' }]);
  });
});

describe('a ticket', () => {
  it('registers one passkey of the person whom it names, once', async () => {
    open();
    const { ticket, person } = await ada.people.invite({ person: 'eve' });
    expect(ticket).toMatch(/^[\w-]{32}$/);
    const { options, ...asked } = await ada.people.registration({ ticket });
    expect([person, asked.person]).toEqual(['eve', 'eve']);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'eve' },
      authenticatorSelection: { userVerification: 'required' },
    });
    const [first, second] = [anAuthenticator(), anAuthenticator()];
    const made = [first, second].map((key) =>
      ada.people
        .register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN })
        .catch((error: unknown) => error),
    );
    const ends = await Promise.all(made);
    expect(ends.filter((end) => end instanceof Error)).toHaveLength(1);
    expect(ends.find((end) => end instanceof Error)).toMatchObject({
      message: expect.stringContaining('used before'),
    });
    await expect(ada.people.registration({ ticket })).rejects.toThrow('used before');
  });

  it('is worth nothing late, and unknown ones never were', async () => {
    open();
    const { ticket } = await ada.people.invite({ person: 'eve' });
    await expect(ada.people.registration({ ticket: `${ticket}x` })).rejects.toThrow('unknown or expired');
    clock.advance(16 * 60_000);
    await expect(ada.people.registration({ ticket })).rejects.toThrow('unknown or expired');
  });

  it('is for nobody whom the configuration does not know', async () => {
    open();
    await expect(ada.people.invite({ person: 'mallory' })).rejects.toThrow('Nobody with this name');
  });

  it('is opened by no other person who has entered: nobody enrols as his own checker', async () => {
    open();
    const { ticket } = await ada.people.invite({ person: 'eve' });
    const { options } = await ada.people.registration({ ticket });
    const answer = anAuthenticator().make(options, ORIGIN);
    for (const other of [ada.as('ben'), ada.as('ada')]) {
      await expect(other.people.registration({ ticket })).rejects.toThrow('This link is for eve');
      await expect(other.people.register({ ticket, answer, origin: ORIGIN })).rejects.toThrow(
        'This link is for eve',
      );
    }
    expect(await ada.as('eve').people.register({ ticket, answer, origin: ORIGIN })).toMatchObject({
      person: 'eve',
    });
  });

  it('is made by nobody for himself with four eyes', async () => {
    const people = { ...PEOPLE, max: ['administrator', 'approver'] } as const;
    open({ fourEyes: true }, people);
    await expect(ada.as('max').people.invite({ person: 'max' })).rejects.toThrow(
      'cannot make a link for yourself',
    );
    await expect(ada.people.invite({ person: 'ada' })).rejects.toThrow('cannot make a link for yourself');
    expect(await ada.people.invite({ person: 'max' })).toMatchObject({ person: 'max' });
    await ada.close();
    open({}, people);
    expect(await ada.people.invite({ person: 'ada' })).toMatchObject({ person: 'ada' });
  });

  it('takes no passkey that was made from another page, for another host or question, or unverified', async () => {
    open();
    const { ticket } = await ada.people.invite({ person: 'eve' });
    const { options } = await ada.people.registration({ ticket });
    const key = anAuthenticator();
    for (const bent of [
      { origin: 'http://localhost:9999' },
      { host: 'evil.example' },
      { challenge: 'AAAA' },
      { isUnverified: true },
      { crossOrigin: true },
      { crossOrigin: true, topOrigin: 'https://evil.example' },
      { topOrigin: 'http://localhost:4870' },
    ])
      await expect(
        ada.people.register({ ticket, answer: key.make(options, ORIGIN, bent), origin: ORIGIN }),
      ).rejects.toThrow('was not registered');
    // These attempts did not use the ticket up.
    expect(
      await ada.people.register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN }),
    ).toMatchObject({
      person: 'eve',
    });
  });

  it('takes no passkey for a page that is not on localhost', async () => {
    open();
    const { ticket } = await ada.people.invite({ person: 'eve' });
    const { options } = await ada.people.registration({ ticket });
    const answer = anAuthenticator().make(options, 'https://evil.example');
    await expect(ada.people.register({ ticket, answer, origin: 'https://evil.example' })).rejects.toThrow(
      'on http://localhost',
    );
  });
});

describe('coming in', () => {
  it('is for the owner of a passkey, by one signature', async () => {
    open();
    const key = await registered('eve');
    const { nonce, options } = await ada.people.askSignIn({ origin: ORIGIN });
    const answer = key.sign(options, ORIGIN);
    expect(await ada.people.signIn({ nonce, answer })).toEqual({
      person: { id: 'eve', name: 'eve', roles: ['approver'] },
      credentialId: key.credentialId,
      exitCode: 0,
    });
    await expect(ada.people.signIn({ nonce, answer })).rejects.toThrow('Nobody can sign in');
    const stranger = await ada.people.askSignIn({ origin: ORIGIN });
    const foreign = { nonce: stranger.nonce, answer: anAuthenticator().sign(stranger.options, ORIGIN) };
    await expect(ada.people.signIn(foreign)).rejects.toThrow('Nobody can sign in');
    await expect(ada.people.signIn({ nonce, answer: 'nothing' })).rejects.toThrow('Nobody can sign in');
  });

  it('ends for a passkey that was removed', async () => {
    open();
    const key = await registered('eve');
    await ada.people.removePasskey({ credentialId: key.credentialId });
    const { nonce, options } = await ada.people.askSignIn({ origin: ORIGIN });
    await expect(ada.people.signIn({ nonce, answer: key.sign(options, ORIGIN) })).rejects.toThrow(
      'Nobody can sign in',
    );
    await expect(ada.people.removePasskey({ credentialId: key.credentialId })).rejects.toThrow(
      'unknown or was removed',
    );
  });
});

async function approvedWith(key: Authenticator, who: Payfile, digest: string) {
  const { nonce, options } = await who.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
  return approvePlan(who, 'may', digest, { passkey: { nonce, answer: key.sign(options, ORIGIN) } });
}

describe('a further passkey', () => {
  const further = async (by = ada) => {
    const key = anAuthenticator();
    const { ticket } = await by.people.invite({ person: 'eve' });
    const { options } = await ada.people.registration({ ticket });
    const answer = key.make(options, ORIGIN);
    const made = await ada.people.register({ ticket, answer, origin: ORIGIN });
    return { key, ticket, answer, toSign: made.kind === 'to_sign' ? made.options : expect.unreachable() };
  };
  const passkeysNow = async () =>
    (await ada.people.list()).people.flatMap(({ passkeys }) =>
      passkeys.map(({ credentialId }) => credentialId),
    );

  it('is registered by a signature with one that the person has, and not by a ticket alone', async () => {
    open();
    const own = await registered('eve');
    const { key, ticket, answer, toSign } = await further();
    expect(await passkeysNow()).toEqual([own.credentialId]);
    expect(toSign).toMatchObject({ allowCredentials: [{ id: own.credentialId }] });
    const signed = own.sign(toSign, ORIGIN);
    expect(await ada.people.register({ ticket, answer, origin: ORIGIN, signed })).toMatchObject({
      kind: 'registered',
    });
    expect(await passkeysNow()).toEqual([own.credentialId, key.credentialId]);
  });

  it('is registered by no other signature: of itself, of another person, for another key or another page', async () => {
    open();
    const [own, other] = [await registered('eve'), await registered('max')];
    const [one, two] = [await further(), await further()];
    const signatures = [
      one.key.sign(one.toSign, ORIGIN),
      other.sign(one.toSign, ORIGIN),
      own.sign(two.toSign, ORIGIN),
      own.sign((await ada.people.askSignIn({ origin: ORIGIN })).options, ORIGIN),
      own.sign(one.toSign, ORIGIN, { origin: 'http://localhost:9999' }),
      own.sign(one.toSign, ORIGIN, { isUnverified: true }),
      own.sign(one.toSign, ORIGIN, { crossOrigin: true }),
      '{}',
    ];
    for (const signed of signatures)
      await expect(
        ada.people.register({ ticket: one.ticket, answer: one.answer, origin: ORIGIN, signed }),
      ).rejects.toThrow('The passkey was not registered');
    expect(await passkeysNow()).toEqual([own.credentialId, other.credentialId]);
  });

  it('is registered for nobody whose passkeys were removed, nor signed with a removed one', async () => {
    open();
    const own = await registered('eve');
    const { ticket, answer, toSign } = await further();
    await ada.people.removePasskey({ credentialId: own.credentialId });
    const signed = own.sign(toSign, ORIGIN);
    const only = 'Only the terminal makes a link';
    await expect(ada.people.register({ ticket, answer, origin: ORIGIN, signed })).rejects.toThrow(only);
    await expect(ada.people.invite({ person: 'eve' })).rejects.toThrow(only);
    await expect(ada.as('ada').people.invite({ person: 'eve' })).rejects.toThrow(only);
    expect(await passkeysNow()).toEqual([]);
  });

  it('is registered by a ticket of the terminal alone, and not by one of a session that came from there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terminal-ticket-'));
    const place = contextOf({ folder, env: { HOME: folder } });
    const listeners = { onProgress: () => undefined, warn: () => undefined, say: () => undefined };
    const request = { sandbox: true, ledger: ':memory:', reads: [], writes: [] };
    const context = { ...place, user: 'ada', command: 'payfile console' };
    const door = await openFor(request, context, { ...listeners, onEnd: () => undefined });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    ada = payfileOf(door);
    const own = await registered('ada');
    await ada.people.removePasskey({ credentialId: own.credentialId });
    await expect(ada.as('ada').people.invite({ person: 'ada' })).rejects.toThrow(
      'Only the terminal makes a link',
    );
    const key = await registered('ada');
    expect(await passkeysNow()).toEqual([key.credentialId]);
    const { ticket } = await ada.as('ada').people.invite({ person: 'ada' });
    const { options } = await ada.people.registration({ ticket });
    const answer = anAuthenticator().make(options, ORIGIN);
    expect((await ada.people.register({ ticket, answer, origin: ORIGIN })).kind).toBe('to_sign');
  });
});

describe('four eyes and whoever made the ticket', () => {
  const LET_IN = { kind: 'let_in_by_maker', maker: 'ada', by: 'eve' };
  const withBoss = () => open({ fourEyes: true }, { ...PEOPLE, boss: ['administrator'] });

  it('let nobody approve who came in with a passkey of a ticket of the maker', async () => {
    withBoss();
    const other = await registered('eve', ada.as('boss'));
    const own = await registered('eve', ada, other);
    const digest = await planned();
    const eve = ada.as('eve', { cameWith: own.credentialId });
    expect((await eve.call(look, { batch: 'may' })).whyNotApprove).toEqual(LET_IN);
    expect(await approvePlan(eve, 'may', digest)).toMatchObject({ ...LET_IN, end: { exitCode: 10 } });
    expect(await agreed()).toBe(0);
    const good = ada.as('eve', { cameWith: other.credentialId });
    expect((await good.call(look, { batch: 'may' })).whyNotApprove).toBeUndefined();
    expect(await approvedWith(other, good, digest)).toMatchObject({ kind: 'approved' });
  });

  it('let nobody sign with such a passkey, with whatever he came in', async () => {
    withBoss();
    const other = await registered('eve', ada.as('boss'));
    const own = await registered('eve', ada, other);
    const digest = await planned();
    const eve = ada.as('eve', { cameWith: other.credentialId });
    expect(await approvedWith(own, eve, digest)).toMatchObject(LET_IN);
    expect(await agreed()).toBe(0);
    expect(await approvedWith(other, eve, digest)).toMatchObject({ kind: 'approved' });
  });

  it('follow tickets back: whom the maker let in lets nobody else in for him', async () => {
    withBoss();
    const boss = await registered('boss');
    const late = await registered('eve', ada.as('boss', { cameWith: boss.credentialId }));
    await ada.people.removePasskey({ credentialId: boss.credentialId });
    const after = await registered('max', ada.as('boss'));
    const digest = await planned();
    expect(await approvedWith(late, ada.as('eve'), digest)).toMatchObject(LET_IN);
    expect(await approvedWith(after, ada.as('max'), digest)).toMatchObject({ kind: 'approved' });
  });

  it('follow signatures back: a passkey that the maker let in lets none in that is better', async () => {
    withBoss();
    const own = await registered('eve');
    const further = await registered('eve', ada.as('boss'), own);
    const digest = await planned();
    expect(await approvedWith(further, ada.as('eve'), digest)).toMatchObject(LET_IN);
    expect(await agreed()).toBe(0);
  });

  it('ask of those alone who brought what waits, and of nobody without the rule', async () => {
    withBoss();
    const key = await registered('eve');
    const digest = await planned('may', ada.as('ben'));
    expect(await approvedWith(key, ada.as('eve'), digest)).toMatchObject({ kind: 'approved' });
    await ada.close();
    open();
    const { credentialId } = await registered('eve');
    const own = await planned();
    const eve = ada.as('eve', { cameWith: credentialId });
    expect(await approvePlan(eve, 'may', own)).toMatchObject({ kind: 'approved' });
  });

  it('take no passkey for one that came in which the ledger does not know as that person’s', async () => {
    withBoss();
    const { credentialId } = await registered('max', ada.as('boss'));
    const digest = await planned();
    for (const cameWith of ['unknown', credentialId])
      await expect(approvePlan(ada.as('eve', { cameWith }), 'may', digest)).rejects.toThrow(
        'no passkey of eve',
      );
    expect(() => ada.as('eve', { cameWith: '' })).toThrow('as: cameWith');
  });
});

describe('an approval with a passkey', () => {
  it('is the owner’s, is kept with what was signed, and is proven again', async () => {
    open({ fourEyes: true });
    const digest = await planned('may', ada.as('ben'));
    const eve = ada.as('eve');
    const key = await registered('eve');
    const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: key.credentialId }] });
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    const approved = await approvePlan(eve, 'may', digest, { passkey, how: 'typed_total' });
    expect(approved).toMatchObject({ kind: 'approved', batch: { name: 'may' } });
    expect((await batchesOf(ada))[0]?.approval).toMatchObject({ by: 'eve', how: 'typed_total' });
    expect((await ada.ledger.verify()).problems).toEqual([]);
  });

  it('of whoever brought the file is refused where four eyes are asked for', async () => {
    open({ fourEyes: true });
    const max = ada.as('max');
    await planFile(max, 'samples/suppliers.csv', { batch: 'may' });
    const digest = (await stateOf(ada, 'may')).plan?.digest ?? '';
    const key = await registered('max');
    const { nonce, options } = await max.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    expect(await approvePlan(max, 'may', digest, { passkey })).toMatchObject({
      kind: 'same_person',
      maker: 'max',
    });
    expect(await agreed()).toBe(0);
  });

  it('is not lost where others ask to come in, however often; nor to what others sign', async () => {
    open();
    const digest = await planned();
    const [eve, key] = [ada.as('eve'), await registered('eve')];
    await registered('max');
    const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    for (let asked = 0; asked < 1_010; asked += 1) await ada.people.askSignIn({ origin: ORIGIN });
    await ada.as('max').people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    expect(await approvePlan(eve, 'may', digest, { passkey })).toMatchObject({ kind: 'approved' });
  });

  it('is open for one question of a person about a batch: the newest', async () => {
    open();
    const digest = await planned();
    const [eve, key] = [ada.as('eve'), await registered('eve')];
    const first = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    const second = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    const answered = ({ nonce, options }: typeof first) =>
      approvePlan(eve, 'may', digest, { passkey: { nonce, answer: key.sign(options, ORIGIN) } });
    expect(await answered(first)).toMatchObject({ kind: 'passkey_refused' });
    expect(await answered(second)).toMatchObject({ kind: 'approved' });
  });

  it('takes each question once, also where the answer was refused', async () => {
    open();
    const digest = await planned();
    const [eve, key] = [ada.as('eve'), await registered('eve')];
    const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    const wrong = { nonce, answer: key.sign(options, ORIGIN, { challenge: 'AAAA' }) };
    expect(await approvePlan(eve, 'may', digest, { passkey: wrong })).toMatchObject({
      kind: 'passkey_refused',
    });
    const good = { nonce, answer: key.sign(options, ORIGIN) };
    expect(await approvePlan(eve, 'may', digest, { passkey: good })).toMatchObject({
      kind: 'passkey_refused',
      why: expect.stringContaining('used before'),
    });
    expect(await agreed()).toBe(0);
  });

  it('comes within five minutes', async () => {
    open();
    const digest = await planned();
    const [eve, key] = [ada.as('eve'), await registered('eve')];
    const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    clock.advance(6 * 60_000);
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    expect(await approvePlan(eve, 'may', digest, { passkey })).toMatchObject({ kind: 'passkey_refused' });
  });

  it('is worth nothing for another person, batch or key, nor signed otherwise', async () => {
    open();
    const digest = await planned();
    const other = await planned('june');
    const [eve, max] = [ada.as('eve'), ada.as('max')];
    const [key, foreign] = [await registered('eve'), await registered('max')];
    const why = async (
      approving: Payfile,
      batch: string,
      named: string,
      answer: (nonce: string) => string,
    ) => {
      const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
      const passkey = { nonce, answer: answer(JSON.stringify(options)) };
      const result = await approvePlan(approving, batch, named, { passkey });
      return result.kind === 'passkey_refused' ? result.why : result.kind;
    };
    const signed =
      (how = {}, by = key) =>
      (options: string) =>
        by.sign(JSON.parse(options), ORIGIN, how);
    expect(await why(max, 'may', digest, signed())).toBe('somebody else was asked to sign');
    expect(await why(eve, 'june', other, signed())).toBe('it was asked for another batch');
    expect(await why(eve, 'may', digest, signed({}, foreign))).toBe(
      'it is not signed with a passkey of yours',
    );
    expect(await why(eve, 'may', digest, signed({}, anAuthenticator()))).toBe(
      'it is not signed with a passkey of yours',
    );
    expect(await why(eve, 'may', digest, () => '{}')).toBe('it is no answer of a browser');
    for (const bent of [
      { origin: 'http://localhost:4871' },
      { host: 'evil.example' },
      { challenge: 'AAAA' },
      { isUnverified: true },
      { crossOrigin: true },
      { crossOrigin: true, topOrigin: 'https://evil.example' },
      { topOrigin: 'http://localhost:4870' },
    ])
      expect(await why(eve, 'may', digest, signed(bent))).toBe(
        'the signature does not match what the person saw',
      );
    expect(await agreed()).toBe(0);
    expect(await why(eve, 'may', digest, signed())).toBe('approved');
  });

  it('of a plan that changed since it was shown is refused, and says what changed', async () => {
    open();
    const digest = await planned();
    const [eve, key] = [ada.as('eve'), await registered('eve')];
    const { nonce, options } = await eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
    await ada.rows.cancel({ batch: 'may', rows: ['2'], reason: 'left the company' });
    const passkey = { nonce, answer: key.sign(options, ORIGIN) };
    const result = await approvePlan(eve, 'may', digest, { passkey });
    expect(result).toMatchObject({ kind: 'changed', changes: { moves: [{ payout: { rowNumber: 2 } }] } });
    expect(await agreed()).toBe(0);
    await expect(eve.people.askApproval({ batch: 'may', digest, origin: ORIGIN })).rejects.toThrow(
      'The plan changed',
    );
  });

  it('is for the plan of one digest', async () => {
    open();
    await planned();
    const passkey = { nonce: 'n', answer: 'a' };
    await expect(approvePlan(ada, 'may', undefined, { passkey })).rejects.toThrow(
      'Say which: digest: DIGEST.',
    );
  });

  it('asks nobody without a passkey to sign', async () => {
    open();
    const digest = await planned();
    await expect(ada.as('eve').people.askApproval({ batch: 'may', digest, origin: ORIGIN })).rejects.toThrow(
      'You have no passkey here',
    );
  });
});
