/** Every bad day that can be rehearsed: what the client sees, and what the book says really happened. */
import { afterEach, describe, expect, it } from 'vitest';
import { institutionIdOf } from '../../src/sandbox/directory.ts';
import {
  GLOBAL_SCENARIOS,
  parseScenario,
  SandboxScenarioError,
  SCENARIOS,
  USUAL_SCENARIO,
} from '../../src/sandbox/scenarios.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import {
  aTransfer,
  get,
  login,
  pay,
  profile,
  type SessionHeaders,
  sessionOf,
  transferIdOf,
} from './a-client.ts';

const NOW = Date.UTC(2026, 4, 29, 12, 0, 0);
let now = NOW;
let sandbox: Sandbox;
let session: SessionHeaders;

async function start(options: SandboxOptions = {}): Promise<void> {
  now = NOW;
  sandbox = await startSandbox({ clock: () => now, speedFactor: 1, ...options });
  session = await sessionOf(sandbox);
}
const payTo = (ending: string, changes: Record<string, unknown> = {}) =>
  pay(sandbox, session, aTransfer({ AccountNo: `0244${ending}`, ...changes }));
const nameOf = (ending: string) =>
  get(sandbox, `/fisit/${institutionIdOf('GH', 'MTN Mobile Money')}/0244${ending}`, session);
const statusesAt = async (id: string, seconds: readonly number[]) => {
  const statuses: string[] = [];
  for (const second of seconds) {
    now = NOW + second * 1000;
    const { data } = (await get(sandbox, `/transaction/${id}`, session)).json;
    statuses.push((data as { Status: string }).Status);
  }
  return statuses;
};
afterEach(() => sandbox.close());

describe('accounts whose name lookup has a bad day', () => {
  it('resolves somebody else, and pays', async () => {
    await start();
    expect((await nameOf('990002')).json.data).toEqual({ name: 'Theophilus Quansah-Ocloo' });
    expect((await payTo('990002')).json.code).toBe(0);
  });

  it('finds no name, and pays when a name is given', async () => {
    await start();
    const { status, json } = await nameOf('990003');
    expect([status, json.status, json.code]).toEqual([200, 'failed', '34']);
    expect((await payTo('990003')).json.code).toBe(0);
  });

  it('answers HTTP 503 to the lookup only, and pays when a name is given', async () => {
    await start();
    const { status, json } = await nameOf('990004');
    expect([status, json.status]).toEqual([503, 'failed']);
    expect((await payTo('990004')).json.code).toBe(0);
    expect((await payTo('990004', { Name: '' })).json.code).toBe(35);
  });
});

describe('accounts whose transfer goes another way (quoted speed: 30 seconds)', () => {
  it.each([
    ['990010', [0, 30, 449, 450], ['Processing', 'Processing', 'Processing', 'Finished']],
    ['990011', [0, 30, 900], ['Processing', 'Processing', 'Processing']],
    ['990012', [29, 30, 900], ['Processing', 'Failed', 'Failed']],
    ['990013', [29, 30, 59, 60], ['Processing', 'Finished', 'Finished', 'Reversed']],
  ])('%s', async (ending, seconds, statuses) => {
    await start();
    const id = transferIdOf(await payTo(ending));
    expect(await statusesAt(id, seconds)).toEqual(statuses);
  });

  it('pays half of what was asked', async () => {
    await start();
    const id = transferIdOf(await payTo('990014'));
    const { data } = (await get(sandbox, `/transaction/${id}`, session)).json;
    expect((data as { amount: number }).amount).toBe(75.25);
    expect(sandbox.book.find(id)?.amount).toBe('75.25');
  });
});

describe('accounts that are refused', () => {
  it.each([
    ['990001', 200, 50],
    ['990020', 422, 51],
    ['990021', 200, 1],
  ])('%s, every time, and executes nothing', async (ending, httpStatus, code) => {
    await start();
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await payTo(ending);
      expect([status, json.status, json.data, json.code]).toEqual([httpStatus, 'failed', {}, code]);
    }
    expect((await profile(sandbox, session)).json.code).toBe(0);
    expect(sandbox.book.size).toBe(0);
  });

  it('turns a transfer away once with HTTP 429 and Retry-After, then executes it', async () => {
    await start();
    const first = await payTo('990022');
    expect([first.status, first.headers['retry-after'], first.json.status]).toEqual([429, '1', 'failed']);
    expect(sandbox.book.size).toBe(0);
    expect((await payTo('990022')).json.code).toBe(0);
    expect(sandbox.book.size).toBe(1);
  });

  it('ends the session once instead of executing, then executes in a new one', async () => {
    await start();
    const first = await payTo('990023');
    expect([first.status, first.json.code, sandbox.book.size]).toEqual([401, 1, 0]);
    expect((await profile(sandbox, session)).status).toBe(401);
    session = await sessionOf(sandbox);
    expect((await payTo('990023')).json.code).toBe(0);
    expect(sandbox.book.size).toBe(1);
  });

  it('refuses everything once the balance is empty', async () => {
    await start();
    expect((await payTo('123456')).json.code).toBe(0);
    expect((await payTo('990024')).json.code).toBe(41);
    expect((await payTo('123456')).json.code).toBe(41);
    expect(sandbox.book.size).toBe(1);
  });
});

describe('accounts whose answer goes astray', () => {
  it.each([
    ['990030', 1, 'money moved'],
    ['990031', 0, 'nothing moved'],
  ])('%s breaks the connection without an answer; %i executed', async (ending, executed) => {
    await start();
    await expect(payTo(ending)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sandbox.book.size).toBe(executed);
    await expect(payTo(ending)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sandbox.book.size).toBe(executed * 2);
  });

  it('cuts the answer in the middle after executing', async () => {
    await start();
    await expect(payTo('990032')).rejects.toMatchObject({ message: 'aborted' });
    expect(sandbox.book.size).toBe(1);
  });

  it('lets a gateway answer HTTP 502 with a page after executing', async () => {
    await start();
    const { status, headers, text } = await payTo('990033');
    expect([status, headers['content-type'], text.includes('502 Bad Gateway')]).toEqual([
      502,
      'text/html',
      true,
    ]);
    expect(sandbox.book.size).toBe(1);
  });
});

describe('the table of scenario accounts', () => {
  it('says of each account truly whether its first transfer moves money', async () => {
    for (const { ending, executes } of SCENARIOS) {
      await start();
      await payTo(ending).catch(() => undefined);
      expect([ending, sandbox.book.size > 0]).toEqual([ending, executes]);
      await sandbox.close();
    }
  });

  it('gives every ending one meaning and one sentence', () => {
    expect(new Set(SCENARIOS.map(({ ending }) => ending)).size).toBe(SCENARIOS.length);
    for (const { ending, sentence } of SCENARIOS) {
      expect(ending).toMatch(/^99\d{4}$/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('leaves scenario accounts alone when told to', async () => {
    await start({ scenario: parseScenario('plain-accounts') });
    for (const { ending } of SCENARIOS) expect((await payTo(ending)).json.code).toBe(0);
    expect(sandbox.book.size).toBe(SCENARIOS.length);
  });
});

describe('scenarios for the whole sandbox', () => {
  it('refuses every transfer while no payment instrument is configured', async () => {
    await start({ scenario: parseScenario('no-instrument') });
    expect((await payTo('123456')).json).toMatchObject({ status: 'failed', data: {}, code: 40 });
    expect((await profile(sandbox, session)).json.data).toMatchObject({ paymentInstrument: 'missing' });
    sandbox.setScenario({});
    expect((await payTo('123456')).json.code).toBe(0);
    expect(sandbox.book.size).toBe(1);
  });

  it('gives every refusal code 1', async () => {
    await start({ scenario: parseScenario('code-1-for-everything') });
    expect((await payTo('990001')).json.code).toBe(1);
    expect((await nameOf('990003')).json.code).toBe('1');
    expect((await payTo('123456')).json.code).toBe(0);
  });

  it('loses every third answer after executing', async () => {
    await start({ scenario: parseScenario('lose-every-nth:3') });
    const outcomes: string[] = [];
    for (let nth = 1; nth <= 6; nth += 1) {
      outcomes.push(
        await payTo('123456').then(
          () => 'answered',
          () => 'lost',
        ),
      );
    }
    expect(outcomes).toEqual(['answered', 'answered', 'lost', 'answered', 'answered', 'lost']);
    expect(sandbox.book.size).toBe(6);
  });

  it('finishes everything late', async () => {
    await start({ scenario: parseScenario('slow') });
    const id = transferIdOf(await payTo('123456'));
    expect(await statusesAt(id, [30, 449, 450])).toEqual(['Processing', 'Processing', 'Finished']);
  });

  it('limits requests per second, and forgives in the next second', async () => {
    await start({ scenario: parseScenario('rate-limit:2-per-second') });
    const statuses = [await payTo('123456'), await payTo('123456'), await payTo('123456')].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 429]);
    now += 1000;
    expect((await payTo('123456')).status).toBe(200);
    expect(sandbox.book.size).toBe(3);
  });

  it('is out of order after so many transfers', async () => {
    await start({ scenario: parseScenario('outage-after:2') });
    const statuses = [await payTo('123456'), await payTo('123456'), await payTo('123456')].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 503]);
    expect([(await profile(sandbox, session)).status, (await login(sandbox)).status]).toEqual([503, 503]);
    expect(sandbox.book.size).toBe(2);
  });

  it('ends sessions after five seconds, or as many as told', async () => {
    await start({ scenario: parseScenario('short-sessions') });
    expect(session.expiry).toBe('29/05/2026 13:00:05');
    now += 5_001;
    expect((await payTo('123456')).status).toBe(401);
    sandbox.setScenario(parseScenario('short-sessions:90'));
    expect((await sessionOf(sandbox)).expiry).toBe('29/05/2026 13:01:36');
  });

  it('keeps one session: a login ends every earlier token', async () => {
    await start({ scenario: parseScenario('one-session,short-sessions') });
    expect((await profile(sandbox, session)).status).toBe(200);
    const second = await sessionOf(sandbox);
    expect((await payTo('123456')).status).toBe(401);
    expect((await profile(sandbox, second)).status).toBe(200);
    expect([second.expiry, sandbox.book.size]).toEqual(['29/05/2026 13:00:05', 0]);
  });

  it('writes every code as a number, or every code as a string', async () => {
    await start({ scenario: parseScenario('numeric-codes') });
    expect((await nameOf('123456')).json.code).toBe(0);
    sandbox.setScenario(parseScenario('string-codes'));
    expect((await payTo('123456')).json.code).toBe('0');
    expect((await payTo('990020')).json.code).toBe('51');
  });

  it('lets rates fall', async () => {
    await start({ scenario: parseScenario('rate-fell:10') });
    const [us, ng] = [aTransfer().Source, aTransfer().Destination];
    expect((await get(sandbox, `/rates/${us}/${ng}`, session)).json.data).toEqual({ rate: 14.4677 });
  });
});

describe('names of scenarios', () => {
  it('can be combined', async () => {
    await start();
    expect(parseScenario('slow, lose-every-nth:10')).toEqual({
      ...USUAL_SCENARIO,
      slow: true,
      loseEveryNth: 10,
    });
    expect(parseScenario('usual')).toEqual(USUAL_SCENARIO);
  });

  it.each(['', 'sloow', 'slow,', 'lose-every-nth', 'lose-every-nth:0', 'rate-limit:5'])(
    'refuses "%s" and lists what there is',
    async (text) => {
      await start();
      expect(() => parseScenario(text)).toThrow(SandboxScenarioError);
      for (const { form } of GLOBAL_SCENARIOS) expect(() => parseScenario(text)).toThrow(form);
    },
  );
});
