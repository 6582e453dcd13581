/** Each of the nine endpoints, byte for byte where it matters: letter case, form of code, dates, numbers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { institutionIdOf } from '../../src/sandbox/directory.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  aTransfer,
  get,
  idOf,
  login,
  pay,
  profile,
  type SessionHeaders,
  sessionOf,
  transferIdOf,
} from './a-client.ts';

// 20 November 2026, 13:05:09 UTC; two minutes past two in the afternoon an hour further east.
const NOW = Date.UTC(2026, 10, 20, 13, 5, 9, 400);

let now = NOW;
let sandbox: Sandbox;
let session: SessionHeaders;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now, seed: 7, speedFactor: 1 });
  session = await sessionOf(sandbox);
});
afterAll(() => sandbox.close());

describe('login', () => {
  it('gives token, id and an expiry 20 minutes ahead in the service’s zone', async () => {
    const { status, json } = await login(sandbox);
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'success',
      data: {
        token: expect.stringMatching(/^[0-9a-z]{32}$/),
        id: expect.stringMatching(/^acct-/),
        expiry: '20/11/2026 14:25:10',
      },
      message: 'Login successful',
      code: 0,
    });
  });

  it('says of an unknown user that the user does not exist, with code 1 and empty data', async () => {
    const { json } = await login(sandbox, { id: 'nobody', password: 'x' });
    expect(json).toEqual({ status: 'failed', data: {}, message: 'User does not exist', code: 1 });
  });

  it('refuses a wrong password with code 1', async () => {
    const { json } = await login(sandbox, { ...sandbox.credentials, password: 'guess' });
    expect(json).toEqual({ status: 'failed', data: {}, message: 'Wrong password', code: 1 });
  });
});

describe('transfer and transaction', () => {
  it('answers a transfer with Success in upper case, code as a number, and fetched', async () => {
    const { status, json, headers } = await pay(sandbox, session, aTransfer());
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(json).toEqual({
      status: 'Success',
      data: { id: expect.stringMatching(/^trf-[0-9a-z]{20}$/) },
      message: 'Transfer posted successfully',
      code: 0,
      fetched: '20/11/2026 14:05:09',
    });
  });

  it('shows the seven fields of a transaction, in their letter case, with code as a string', async () => {
    const id = transferIdOf(await pay(sandbox, session, aTransfer()));
    const { json, text } = await get(sandbox, `/transaction/${id}`, session);
    expect(json).toEqual({
      status: 'Success',
      data: {
        id,
        amount: 150.5,
        receiver: 'Ama Serwaa Boateng',
        Date: '20/11/2026 02:05 pm',
        Status: 'Processing',
        Bank: 'MTN Mobile Money',
        destination: 'Ghana',
      },
      message: 'Transaction found',
      code: '0',
    });
    expect(text).not.toContain('fetched');
  });

  it('finishes a transfer when its speed has passed, not before', async () => {
    const id = transferIdOf(await pay(sandbox, session, aTransfer()));
    const statusIn = async (ms: number) => {
      now = NOW + ms;
      const { data } = (await get(sandbox, `/transaction/${id}`, session)).json;
      now = NOW;
      return (data as { Status: string }).Status;
    };
    expect([await statusIn(29_999), await statusIn(30_000), await statusIn(600_000)]).toEqual([
      'Processing',
      'Finished',
      'Finished',
    ]);
  });

  it('keeps every digit of an amount that a double would round', async () => {
    const body = JSON.stringify(aTransfer({ Amount: 0 })).replace(
      '"Amount":0',
      '"Amount":900719925474099.31',
    );
    const id = transferIdOf(await pay(sandbox, session, body));
    const { text } = await get(sandbox, `/transaction/${id}`, session);
    expect(text).toContain('"amount":900719925474099.31,');
    expect(sandbox.book.find(id)?.amount).toBe('900719925474099.31');
  });

  it('does not know a transfer that never was', async () => {
    const { status, json } = await get(sandbox, '/transaction/trf-00000000000000000000', session);
    expect([status, json.status, json.data, json.code]).toEqual([404, 'failed', {}, '60']);
  });
});

describe('rates and fees', () => {
  it('estimates rate, speed and fees with code as a string and fetched', async () => {
    const { json, text } = await get(sandbox, `/rates/${idOf('GB')}/${idOf('GH')}/1000`, session);
    expect(json).toEqual({
      status: 'success',
      data: { rate: 16.0752, speed: 30, fees: 0.81 },
      message: 'Estimate successful',
      code: '0',
      fetched: '20/11/2026 14:05:09',
    });
    // 1000 ÷ 16.0752 = 62.2076; one per cent of it and a flat 0.1888.
    expect(text).toContain('"fees":0.81');
  });

  it('gives the exchange rate in the destination currency with code as a number', async () => {
    const { json } = await get(sandbox, `/rates/${idOf('US')}/${idOf('NG')}`, session);
    expect(json).toEqual({
      status: 'success',
      data: { rate: 1532.5 },
      message: 'Rate found',
      code: 0,
      fetched: '20/11/2026 14:05:09',
    });
  });

  it('writes fees in whole francs for money from Senegal, and tiny rates without an exponent', async () => {
    const { text } = await get(sandbox, `/rates/${idOf('SN')}/${idOf('TN')}/10.125`, session);
    expect(text).toContain('"rate":0.0051681,');
    expect(text).toContain('"fees":161}');
  });

  it.each([
    ['zero', '0', 30],
    ['negative', '-5', 30],
    ['words', 'ten', 30],
    ['an exponent', '1e3', 30],
    ['more decimals than cedis have', '1.005', 31],
  ])('refuses to estimate %s', async (_, amount, code) => {
    const { status, json } = await get(sandbox, `/rates/${idOf('GB')}/${idOf('GH')}/${amount}`, session);
    expect([status, json.status, json.data, json.code]).toEqual([422, 'failed', {}, String(code)]);
  });

  it('refuses countries by ISO code: its ids are its own', async () => {
    expect((await get(sandbox, '/rates/GB/GH', session)).json.code).toBe(22);
  });
});

describe('lists', () => {
  it('lists countries with id, name, phone, iso and rate', async () => {
    const { json } = await get(sandbox, '/countries', session);
    expect([json.status, json.code, json.fetched]).toEqual(['Success', 0, undefined]);
    expect(json.data).toContainEqual({
      id: idOf('KE'),
      name: 'Kenya',
      phone: '254',
      iso: 'KE',
      rate: 129.24,
    });
  });

  it('lists institutions with Logo, Charges and Currency in upper case, code as a string', async () => {
    const { json } = await get(sandbox, `/fis/${idOf('GH')}`, session);
    expect([json.status, json.code]).toEqual(['Success', '0']);
    expect(json.data).toHaveLength(8);
    const id = institutionIdOf('GH', 'Telecel Cash');
    expect(json.data).toContainEqual({
      id,
      name: 'Telecel Cash',
      Logo: `https://logos.sandbox.invalid/${id}.png`,
      Charges: expect.any(Number),
      Currency: 'GHS',
    });
  });

  it('lists nothing for a country that money only comes from, and fails for an unknown one', async () => {
    expect((await get(sandbox, `/fis/${idOf('GB')}`, session)).json.data).toEqual([]);
    const unknown = await get(sandbox, '/fis/GH', session);
    expect([unknown.status, unknown.json.status, unknown.json.data]).toEqual([404, 'failed', {}]);
  });
});

describe('names', () => {
  const fi = institutionIdOf('SN', 'Orange Money') ?? '';

  it('resolves a fixed account, with the success word in lower case and code as a string', async () => {
    const { json } = await get(sandbox, `/fisit/${fi}/771234567`, session);
    expect(json).toEqual({
      status: 'success',
      data: { name: 'Aminata Diop' },
      message: 'Account name found',
      code: '0',
    });
  });

  it('takes one wallet for one wallet, however its number is written', async () => {
    const names = ['771234567', '221771234567', '%2B221771234567'].map(async (account) => {
      return (await get(sandbox, `/fisit/${fi}/${account}`, session)).json.data;
    });
    expect(await Promise.all(names)).toEqual(Array(3).fill({ name: 'Aminata Diop' }));
  });

  it.each(['123', '77 123 45 67', '7712345*7', '1'.repeat(40)])('finds no name for %s', async (account) => {
    const { json } = await get(sandbox, `/fisit/${fi}/${encodeURIComponent(account)}`, session);
    expect(json).toEqual({ status: 'failed', data: {}, message: 'Account name not found', code: '34' });
  });

  it('knows no institution of another service', async () => {
    expect((await get(sandbox, '/fisit/GCB/771234567', session)).json.code).toBe('23');
  });
});

describe('profile', () => {
  it('is asked by GET with an empty JSON object as body', async () => {
    const { json } = await profile(sandbox, session);
    expect([json.status, json.code, json.data]).toEqual([
      'success',
      0,
      { id: session.id, name: 'Sandbox Business', sandbox: true, paymentInstrument: 'configured' },
    ]);
  });

  it('is refused without that body', async () => {
    const { status, json } = await get(sandbox, '/profile', session);
    expect([status, json.status]).toEqual([415, 'failed']);
  });
});

it('answers unknown paths and wrong methods with failed envelopes', async () => {
  const unknown = await get(sandbox, '/transfers', session);
  expect([unknown.status, unknown.json.status, unknown.json.data]).toEqual([404, 'failed', {}]);
  const wrong = await get(sandbox, '/transfer', session);
  expect([wrong.status, wrong.json.status, wrong.json.data]).toEqual([405, 'failed', {}]);
  expect((await get(sandbox, '/fis/%E0%A4%A', session)).status).toBe(404);
});
