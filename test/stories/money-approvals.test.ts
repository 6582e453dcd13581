/** An approval agrees to what was seen: cost, phone, holder, and what the ids of countries and institution mean. Nothing else is sent. */

import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../src/domain/money/money.ts';
import { askWith } from '../../src/payfile.ts';
import { approvePlan } from '../builders/library-calls.ts';
import type { ChangingService, CountryListed, InstitutionListed } from '../fakes/changing-service.ts';
import { type Line, openPayroll, type Payroll } from './a-payroll.ts';

const AMA: Line = { account: '0244123456', amount: '1200.00', name: 'Ama Mensah', phone: '+233201111111' };
const KOFI: Line = { account: '0244123457', amount: '50.00', name: 'Kofi Owusu' };
const holder = (account: string) => (account === AMA.account ? 'Ama Mensah' : 'Kofi Owusu');

/** Ama and Kofi are planned; the digest is what somebody saw: ZAR 601.00 and ZAR 26.00. */
async function seen(settings = {}): Promise<Payroll & { readonly digest: string }> {
  const payroll = await openPayroll(settings);
  payroll.service.holder = holder;
  payroll.file('may.csv', [AMA, KOFI]);
  const { digest } = await payroll.plan('may.csv', 'may');
  return { ...payroll, digest };
}

async function approved(settings = {}): Promise<Payroll> {
  const payroll = await seen(settings);
  const { code, stderr } = await payroll.payfile('approve', 'may', '--digest', payroll.digest);
  expect(code, stderr).toBe(0);
  return payroll;
}

const bankMeans = (service: ChangingService, id: string, name: string) => {
  const all: readonly InstitutionListed[] = service.institutions['GH'] ?? [];
  service.institutions = { GH: all.map((one) => (one.id === id ? { ...one, name } : one)) };
};
const countryMeans = (service: ChangingService, id: string, changes: Partial<CountryListed>) => {
  service.countries = service.countries.map((one) => (one.id === id ? { ...one, ...changes } : one));
};

/** What is different an hour later, and a word by which it is told. */
type Changed = readonly [what: string, change: (payroll: Payroll) => unknown, told: RegExp];
const COSTS: readonly Changed[] = [
  ['the rate moved threefold', ({ service }) => Object.assign(service, { rate: 2 / 3 }), /rate|cost|debit/i],
  [
    'the rate moved by two per cent',
    ({ service }) => Object.assign(service, { rate: 1.96 }),
    /rate|cost|debit/i,
  ],
  ['each fee went from 1 to 5', ({ service }) => Object.assign(service, { fee: () => 5 }), /fee|cost|debit/i],
  [
    'the fee of the large amount went up',
    ({ service }) => Object.assign(service, { fee: (amount: number) => (amount > 100 ? 60 : 1) }),
    /fee|cost|debit/i,
  ],
];
const FILES: readonly Changed[] = [
  [
    'the file has another phone',
    ({ file }) => file('may.csv', [{ ...AMA, phone: '+233209999999' }, KOFI]),
    /phone/i,
  ],
  ['the file has a phone no more', ({ file }) => file('may.csv', [{ ...AMA, phone: '' }, KOFI]), /phone/i],
  ['the file has another note', ({ file }) => file('may.csv', [{ ...AMA, note: 'June' }, KOFI]), /note/i],
];
type Meaning = readonly [what: string, change: (payroll: Payroll) => unknown];
const MEANINGS: readonly Meaning[] = [
  ['the id of the bank means another bank', ({ service }) => bankMeans(service, 'gh-1', 'Fidelity Bank')],
  [
    'the ids of two institutions are swapped',
    ({ service }) => {
      bankMeans(service, 'gh-1', 'MTN Mobile Money');
      bankMeans(service, 'gh-2', 'GCB Bank');
    },
  ],
  [
    'the id of the country means another country',
    ({ service }) => countryMeans(service, 'GH', { name: 'Guinea-Bissau', iso: 'GW' }),
  ],
  [
    'the id of the source country means another country of its currency',
    ({ service }) => countryMeans(service, 'ZA', { name: 'Zanzibar' }),
  ],
];

describe('an approval of what was seen before', () => {
  it.each([...COSTS, ...FILES])('approves nothing when %s, and says what', async (_, change, told) => {
    const payroll = await seen();
    const { digest, plan, payfile, later, stand, paid } = payroll;
    change(payroll);
    later(1);
    await plan('may.csv', 'may');
    const ended = await payfile('approve', 'may', '--digest', digest);
    expect(ended.code, ended.stderr).toBe(10);
    expect(ended.stdout + ended.stderr).toMatch(told);
    expect((await stand('may'))['approved']).toBeUndefined();
    await payfile('send', 'may');
    expect(paid()).toEqual([]);
  });

  it.each(MEANINGS)('pays nobody when %s by now', async (_, change) => {
    const payroll = await seen();
    const { digest, plan, payfile, later, paid } = payroll;
    change(payroll);
    later(1);
    await plan('may.csv', 'may');
    await payfile('approve', 'may', '--digest', digest);
    await payfile('send', 'may');
    expect(paid()).toEqual([]);
  });

  it('approves nothing when the holder is somebody else by now', async () => {
    const { service, digest, plan, payfile, later, stand, paid } = await seen();
    service.holder = () => 'Kwesi Boateng';
    later(25);
    await plan('may.csv', 'may');
    const ended = await payfile('approve', 'may', '--digest', digest);
    expect(ended.code, ended.stderr).toBe(10);
    expect((await stand('may'))['approved']).toBeUndefined();
    expect(paid()).toEqual([]);
  });

  it.each(COSTS)('takes no typed total when %s while it was typed', async (_, change) => {
    const payroll = await seen();
    const { library, plan, payfile, later, stand, paid } = payroll;
    const ask = askWith({
      async totals({ totals }) {
        change(payroll);
        later(1);
        await plan('may.csv', 'may');
        return totals.map((total) => formatDecimal(total));
      },
    });
    const { kind, end } = await approvePlan(library('ben'), 'may', undefined, { ask });
    expect(kind).not.toBe('approved');
    expect(end.exitCode).toBe(10);
    expect((await stand('may'))['approved']).toBeUndefined();
    await payfile('send', 'may');
    expect(paid()).toEqual([]);
  });
});

describe('an approved row', () => {
  it.each([...COSTS.map(([what, change]): Meaning => [what, change]), ...MEANINGS])(
    'is not sent when %s, and is asked about once with its corridor',
    async (_, change) => {
      const payroll = await approved();
      const { payfile, later, stand, paid } = payroll;
      change(payroll);
      later(1);
      const ended = await payfile('send', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      expect(paid()).toEqual([]);
      expect(await stand('may')).toEqual({ quoted: 2 });
    },
  );

  it.each(MEANINGS)('is not sent when %s within the minutes of its quote', async (_, change) => {
    const payroll = await approved();
    const { payfile, stand, paid } = payroll;
    change(payroll);
    const ended = await payfile('send', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
    expect(await stand('may')).toEqual({ quoted: 2 });
  });

  it('is paid once a person approved the source country that the id means now', async () => {
    const { service, digest, plan, payfile, paid } = await seen();
    await payfile('approve', 'may', '--digest', digest);
    countryMeans(service, 'ZA', { name: 'Zanzibar' });
    await payfile('send', 'may');
    const { stdout } = await payfile('explain', 'may', '2');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'the source country was “South Africa” and is “Zanzibar” now',
    );
    const now = await plan('may.csv', 'may');
    const refused = await payfile('approve', 'may', '--digest', digest);
    expect(refused.stdout + refused.stderr).toContain('source country “South Africa” → “Zanzibar”');
    await payfile('approve', 'may', '--digest', now.digest);
    const ended = await payfile('send', 'may');
    expect(paid(), ended.stderr).toHaveLength(2);
  });

  it('is paid when the rate moved by half a per cent', async () => {
    const { service, payfile, later, paid } = await approved();
    service.rate = 1.99;
    later(1);
    const ended = await payfile('send', 'may');
    expect(paid(), ended.stderr).toHaveLength(2);
  });

  it.each([
    ['another person holds the account by now', 'Kwesi Boateng'],
    ['nobody holds the account any more', undefined],
  ] as const)('is not sent when %s', async (_, now) => {
    const { service, payfile, later, paid } = await approved({ approvalHours: 72 });
    service.holder = () => now;
    later(30);
    const ended = await payfile('send', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
  });

  it('is paid in the approved name when its holder is only spelt in another way', async () => {
    const { service, payfile, later } = await approved({ approvalHours: 72 });
    service.holder = (account) => holder(account).toUpperCase().split(' ').reverse().join(' ');
    later(30);
    const ended = await payfile('send', 'may');
    expect(service.book.map(({ name }) => name).sort(), ended.stderr).toEqual(['Ama Mensah', 'Kofi Owusu']);
  });

  it('waits when the holder has to be asked for again and the service gives no answer', async () => {
    const { service, payfile, later, stand, paid } = await approved({ approvalHours: 72 });
    service.isUnanswered = (path) => path.startsWith('fisit/');
    later(30);
    const waiting = await payfile('send', 'may');
    expect(waiting.code, waiting.stderr).toBe(6);
    expect(await stand('may')).toEqual({ approved: 2 });
    service.isUnanswered = () => false;
    await payfile('send', 'may');
    expect(paid()).toHaveLength(2);
  });
});

describe('a plan of last month', () => {
  it.each([
    ['somebody else holds', 'Kwesi Boateng'],
    ['nobody holds', undefined],
  ] as const)('pays nobody under a ceiling when %s the account by now', async (_, holder) => {
    const { service, run, later, paid } = await seen();
    service.holder = () => holder;
    later(30 * 24);
    await run('may.csv', 'may');
    expect(paid()).toEqual([]);
  });
});
