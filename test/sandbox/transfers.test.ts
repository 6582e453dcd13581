/** What the sandbox refuses, and that it pays twice whoever asks twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { institutionIdOf } from '../../src/sandbox/directory.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { aTransfer, idOf, pay, type SessionHeaders, sessionOf, transferIdOf } from './a-client.ts';

let sandbox: Sandbox;
let session: SessionHeaders;
beforeAll(async () => {
  sandbox = await startSandbox();
  session = await sessionOf(sandbox);
});
afterAll(() => sandbox.close());

const WAVE_SENEGAL = institutionIdOf('SN', 'Wave');
const toSenegal = { Destination: idOf('SN'), Fi: WAVE_SENEGAL, AccountNo: '764419025' };

it.each<[string, Record<string, unknown>, number]>([
  ['an unknown source', { Source: 'GB' }, 20],
  ['no source', { Source: undefined }, 20],
  ['an unknown destination', { Destination: 'GH' }, 21],
  ['a destination nothing is paid in', { Destination: idOf('GB') }, 25],
  ['an unknown institution', { Fi: 'mtn' }, 23],
  ['an institution of another country', { Fi: WAVE_SENEGAL }, 24],
  ['no amount', { Amount: undefined }, 30],
  ['an amount in quotes', { Amount: '150.50' }, 30],
  ['an amount of zero', { Amount: 0 }, 30],
  ['a negative amount', { Amount: -1 }, 30],
  ['thousandths of a cedi', { Amount: 1.005 }, 31],
  ['half a franc', { ...toSenegal, Amount: 10.5 }, 31],
  ['no account', { AccountNo: undefined }, 32],
  ['an account of spaces', { AccountNo: '   ' }, 32],
  ['an account that is a number', { AccountNo: 244123456 }, 36],
  ['an account too short', { AccountNo: '024' }, 33],
  ['an account with a slash', { AccountNo: '0244/123456' }, 33],
  ['no name for an account that does not resolve', { AccountNo: '0244990003', Name: '' }, 35],
  ['a note longer than 255 characters', { Note: 'x'.repeat(256) }, 37],
])('refuses a transfer with %s and executes nothing', async (_, changes, code) => {
  const before = sandbox.book.size;
  const { status, json } = await pay(sandbox, session, aTransfer(changes));
  expect([json.status, json.data, json.code]).toEqual(['failed', {}, code]);
  expect([200, 422]).toContain(status);
  expect(json.fetched).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
  expect(sandbox.book.size).toBe(before);
});

it('refuses an amount with an exponent', async () => {
  const body = JSON.stringify(aTransfer({ Amount: 0 })).replace('"Amount":0', '"Amount":1e3');
  expect((await pay(sandbox, session, body)).json.code).toBe(30);
});

it('pays the same body twice when it is asked twice', async () => {
  const before = sandbox.book.size;
  const body = aTransfer({ Note: 'asked twice' });
  const ids = [
    transferIdOf(await pay(sandbox, session, body)),
    transferIdOf(await pay(sandbox, session, body)),
  ];
  expect(ids[0]).not.toBe(ids[1]);
  const entries = sandbox.book.entries().slice(before);
  expect(entries.map(({ id, amount, note }) => [id, amount, note])).toEqual([
    [ids[0], '150.5', 'asked twice'],
    [ids[1], '150.5', 'asked twice'],
  ]);
});

it('takes a transfer without name, note and phone when the account resolves', async () => {
  const changes = { Name: undefined, Note: undefined, Phone: undefined };
  const id = transferIdOf(await pay(sandbox, session, aTransfer(changes)));
  expect(sandbox.book.find(id)).toMatchObject({ name: 'Ama Serwaa Boateng', note: '', phone: '' });
});

it('takes trailing zeros for the zeros they are', async () => {
  const body = JSON.stringify(aTransfer({ ...toSenegal, Amount: 0 })).replace(
    '"Amount":0',
    '"Amount":2500.00',
  );
  const id = transferIdOf(await pay(sandbox, session, body));
  expect(sandbox.book.find(id)).toMatchObject({ amount: '2500.00', currency: 'XOF' });
});

it('writes down everything that it was asked to pay', async () => {
  const id = transferIdOf(await pay(sandbox, session, aTransfer()));
  expect(sandbox.book.find(id)).toEqual({
    id,
    at: expect.any(Number),
    source: idOf('GB'),
    destination: idOf('GH'),
    institution: institutionIdOf('GH', 'MTN Mobile Money'),
    account: '0244123456',
    name: 'Ama Serwaa Boateng',
    phone: '+233244123456',
    amount: '150.5',
    currency: 'GHS',
    note: 'PF-7K2M9QXD May salary',
    transitions: [
      { status: 'Processing', at: expect.any(Number) },
      { status: 'Finished', at: expect.any(Number) },
    ],
  });
});
