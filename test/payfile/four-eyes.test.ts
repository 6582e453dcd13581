/** Four eyes ask of everybody who shaped what a batch pays, in whatever way: at the door, with several people. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { personOfLogin, type Role } from '../../src/domain/people/person.ts';
import { samePersonSentence } from '../../src/domain/plan/typed-totals.ts';
import { printable } from '../../src/domain/text/printable.ts';
import { run } from '../../src/operations/run.ts';
import { look as lookNow } from '../../src/operations/status.ts';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { type Authenticator, anAuthenticator } from '../builders/authenticator.ts';
import { stateOf } from '../builders/batch-state.ts';
import {
  approvePlan,
  forgetReading,
  planFile,
  priceBatch,
  readingsOf,
  saveReading,
} from '../builders/library-calls.ts';

const ORIGIN = 'http://localhost:4870';
const FILE = 'R,Land,Bank,Account,Amount\nR-1,Ghana,GCB Bnak,1011130024576,500.00\n';
const VALUES = { value: [{ written: 'GH/GCB Bnak', means: 'GCB Bank' }] };
const COLUMNS = new Map([
  ['reference', 'R'],
  ['country', 'Land'],
  ['institution', 'Bank'],
] as const);

function opened(content = FILE, more: Readonly<Record<string, readonly Role[]>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'four-eyes-'));
  const path = join(folder, 'may.csv');
  writeFileSync(path, content);
  const all = ['maker', 'approver', 'operator', 'administrator'] as const;
  const people = { ben: all, eve: all, boss: all, chief: all, ...more };
  const own = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB', people } as const;
  const ada = createPayfile({ ...own, policy: { fourEyes: true } }, { env: { HOME: folder } });
  onTestFinished(async () => {
    await ada.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ada, path };
}

async function approvedBy(who: Payfile, key?: Authenticator) {
  const digest = (await stateOf(who, 'may')).plan?.digest ?? '';
  if (key === undefined) return approvePlan(who, 'may', digest);
  const { nonce, options } = await who.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
  return approvePlan(who, 'may', digest, { passkey: { nonce, answer: key.sign(options, ORIGIN) } });
}

/** By a ticket of the boss. */
async function passkeyOf(person: string, ada: Payfile, by = 'boss'): Promise<Authenticator> {
  const key = anAuthenticator();
  const { ticket } = await ada.as(by).people.invite({ person });
  const { options } = await ada.people.registration({ ticket });
  await ada.people.register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN });
  return key;
}

/** What every program that names its users runs as: a maker of all that it brings. */
const LOGIN = personOfLogin(userInfo().username, process.getuid?.());

it('take no text for a second person: a program approves with a passkey alone', async () => {
  const { ada } = opened();
  const ben = await passkeyOf('ben', ada);
  const consent = async () => ({ kind: 'agreed', how: 'library', by: 'ben' }) as const;
  const ended = await ada.as('eve').call(run, { file: 'samples/suppliers.csv', batch: 'may', consent });
  expect(ended.run?.notAgreed).toMatchObject({ kind: 'approval', result: { kind: 'same_person' } });
  const again = await ada.as('ben').call(run, { file: 'samples/suppliers.csv', batch: 'may', consent });
  expect(again.run?.notAgreed).toMatchObject({ kind: 'approval', result: { kind: 'passkey_missing' } });
  const refused = await approvedBy(ada.as('ben'));
  expect(refused).toMatchObject({
    kind: 'passkey_missing',
    end: { exitCode: 10, next: { verb: 'console' } },
  });
  expect((await stateOf(ada, 'may')).totals.counts).toMatchObject({ approved: 0, settled: 0 });
  for (const text of ['Ben', 'ben ', '\u0431en', 'b\u200ben', ''])
    expect(() => ada.as(text)).toThrow(`as: person is “${printable(text)}”; expected 1 to 64 small letters`);
  expect((await approvedBy(ada.as('ben'), ben)).kind).toBe('approved');
});

it('keep whoever runs the program from approving, whatever maker it names', async () => {
  const { ada } = opened(FILE, { [LOGIN]: ['approver'] });
  const key = await passkeyOf(LOGIN, ada);
  await planFile(ada.as('eve'), 'samples/suppliers.csv', { batch: 'may' });
  const why = { kind: 'same_person', maker: LOGIN, as: 'program' } as const;
  const look = await ada.as(LOGIN).call(lookNow, { batch: 'may' });
  expect(look.whyNotApprove).toEqual(why);
  expect(samePersonSentence(why, look.batch)).toContain(`${LOGIN} ran the program that made this plan`);
  expect(await approvedBy(ada.as(LOGIN), key)).toMatchObject(why);
});

it('keep whoever corrected a cell from approving what another one planned', async () => {
  const { ada, path } = opened(
    'Reference,Country,Institution,Account,Amount\nR,Ghana,GCB Bank,1011130024576,x\n',
  );
  const edit = { row: 2, column: 4, was: 'x', text: '500.00', by: 'eve' };
  await planFile(ada, path, { batch: 'may', edits: [edit] });
  const [eve, ben] = [ada.as('eve'), ada.as('ben')];
  const why = { kind: 'same_person', maker: 'eve', as: 'corrector' } as const;
  const look = await eve.call(lookNow, { batch: 'may' });
  expect(look.whyNotApprove).toEqual(why);
  expect(samePersonSentence(why, look.batch)).toContain('eve corrected a cell of this file, another person');
  expect(await approvedBy(eve)).toMatchObject({ ...why, end: { exitCode: 10 } });
  expect((await approvedBy(ben, await passkeyOf('ben', ada))).kind).toBe('approved');
});

it('keep everybody who said how a file is read from approving it', async () => {
  const { ada, path } = opened();
  const [eve, ben, boss] = [ada.as('eve'), ada.as('ben'), ada.as('boss')];
  await saveReading(eve, 'ours', path, { map: COLUMNS });
  await saveReading(ben, 'ours', path, VALUES);
  const [kept] = (await readingsOf(ada)).readings;
  expect([...new Set(kept?.answers.map(({ by }) => by))]).toEqual(['eve', 'ben']);
  await planFile(ada, path, { batch: 'may' });
  for (const maker of ['eve', 'ben'])
    expect(await approvedBy(ada.as(maker))).toMatchObject({ kind: 'same_person', maker, as: 'reader' });
  // The batch was read by it, whatever becomes of it.
  await forgetReading(ada, 'ours');
  expect(await approvedBy(eve)).toMatchObject({ as: 'reader' });
  expect((await boss.call(lookNow, { batch: 'may' })).whyNotApprove).toBeUndefined();
  expect((await approvedBy(boss, await passkeyOf('boss', ada, 'chief'))).kind).toBe('approved');
  expect((await ada.ledger.verify()).problems).toEqual([]);
});

it('ask nothing of a reading that the file was not read by', async () => {
  const { ada, path } = opened();
  const eve = ada.as('eve');
  await saveReading(eve, 'ours', path, { map: COLUMNS, ...VALUES });
  await planFile(ada, 'samples/suppliers.csv', { batch: 'may' });
  expect((await approvedBy(eve, await passkeyOf('eve', ada))).kind).toBe('approved');
});

it('keep whoever let the maker in from approving, where the maker came in by that', async () => {
  const { ada } = opened();
  const boss = ada.as('boss');
  const { credentialId: cameWith } = await passkeyOf('ben', ada);
  const ben = ada.as('ben', { cameWith });
  await planFile(ben, 'samples/suppliers.csv', { batch: 'may' });
  const why = { kind: 'let_maker_in', maker: 'ben', by: 'boss' } as const;
  const look = await boss.call(lookNow, { batch: 'may' });
  expect(look.whyNotApprove).toEqual(why);
  expect(samePersonSentence(why, look.batch)).toContain('boss may be ben');
  expect(await approvedBy(boss)).toMatchObject(why);
  const key = await passkeyOf('eve', ada, 'chief');
  expect((await approvedBy(ada.as('eve'), key)).kind).toBe('approved');
});

it('do not ask it of a maker who came in by a login of his own', async () => {
  const { ada } = opened();
  const boss = ada.as('boss');
  await passkeyOf('ben', ada);
  await planFile(ada.as('ben'), 'samples/suppliers.csv', { batch: 'may' });
  expect((await approvedBy(boss, await passkeyOf('boss', ada, 'chief'))).kind).toBe('approved');
});

it('keep whoever let in who said how a file is read from approving a file of another one', async () => {
  const { ada, path } = opened();
  const boss = ada.as('boss');
  const ben = ada.as('ben', { cameWith: (await passkeyOf('ben', ada)).credentialId });
  await saveReading(ben, 'ours', path, { map: COLUMNS, ...VALUES });
  await planFile(ada, path, { batch: 'may' });
  expect(await approvedBy(boss)).toMatchObject({ kind: 'let_maker_in', maker: 'ben', as: 'reader' });
  const key = await passkeyOf('eve', ada, 'chief');
  expect((await approvedBy(ada.as('eve'), key)).kind).toBe('approved');
});

it('let whoever releases a row approve it: others made it', async () => {
  const small = 'Reference,Country,Institution,Account,Amount\nR-1,Ghana,GCB Bank,1011130024576,5.00\n';
  const { ada, path } = opened(small);
  await planFile(ada, path, { batch: 'may' });
  const eve = ada.as('eve');
  const reason = 'the fee is agreed';
  expect((await eve.rows.release({ batch: 'may', all: true, reason })).done).toEqual([2]);
  await priceBatch(eve, 'may');
  const key = await passkeyOf('eve', ada);
  expect(await approvedBy(eve, key)).toMatchObject({ kind: 'approved', count: 1 });
});
