/** What may be paid already is paid again only when a person says so of that payment. */

import { describe, expect, it } from 'vitest';
import { approvePlan } from '../builders/library-calls.ts';
import { type Line, openPayroll, type Payroll } from './a-payroll.ts';

const AMA: Line = { account: '0244000001', amount: '50.00', name: 'Ama Mensah' };
const KOFI: Line = { account: '0244000002', amount: '60.00', name: 'Kofi Owusu' };
const YAA: Line = { account: '0244000003', amount: '70.00', name: 'Yaa Asante' };
const NAMES = new Map([AMA, KOFI, YAA].map(({ account, name }) => [account, name]));
const holder = (account: string) => NAMES.get(account);
const why = ['--reason', 'The manager said so'];
const DAY = 24;

async function open(settings = {}): Promise<Payroll> {
  const payroll = await openPayroll(settings);
  payroll.service.holder = holder;
  return payroll;
}

/** How often each account was paid. */
function times({ paid }: Payroll): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const account of paid()) counts[account] = (counts[account] ?? 0) + 1;
  return counts;
}

/** May pays Ama and Kofi; June, within two weeks, has Ama twice and Yaa once. */
async function juneWithTwins(): Promise<Payroll> {
  const payroll = await open();
  payroll.file('may.csv', [AMA, KOFI]);
  await payroll.run('may.csv', 'may');
  payroll.later(7 * DAY);
  payroll.file('june.csv', [AMA, AMA, YAA]);
  await payroll.plan('june.csv', 'june');
  expect(await payroll.stand('june')).toEqual({ held: 2, quoted: 1 });
  return payroll;
}

describe('releasing all rows', () => {
  it('releases no row that may be paid already', async () => {
    const payroll = await juneWithTwins();
    const released = await payroll.payfile('release', 'june', '--all', ...why);
    expect(released.stderr.replace(/\s+/g, ' ')).toMatch(
      /Row 2 did not change: held: May be .*\. “All” leaves such rows: name the row, or the kind repeat\./,
    );
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 1, [KOFI.account]: 1, [YAA.account]: 1 });
    expect(await payroll.stand('june')).toEqual({ held: 2, settled: 1 });
  });

  it('releases no row that may be paid already by the library either', async () => {
    const payroll = await juneWithTwins();
    await payroll.library().rows.release({ batch: 'june', all: true, reason: 'The manager said so' });
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 1, [KOFI.account]: 1, [YAA.account]: 1 });
  });

  it('releases nine name differences and not the possible duplicate among them', async () => {
    const payroll = await open();
    payroll.service.holder = (account) => (account.startsWith('02449') ? 'Somebody Else' : holder(account));
    const unlike = Array.from({ length: 9 }, (_, index) => ({
      ...{ account: `024490000${index}`, amount: `${10 + index}.00`, name: `Person ${'abcdefghi'[index]}` },
    }));
    payroll.file('may.csv', [AMA, AMA, ...unlike]);
    await payroll.plan('may.csv', 'may');
    expect(await payroll.stand('may')).toEqual({ quoted: 1, held: 10 });
    await payroll.payfile('release', 'may', '--all', ...why);
    await payroll.run('may.csv', 'may');
    expect(times(payroll)[AMA.account]).toBe(1);
    expect(await payroll.stand('may')).toEqual({ settled: 10, held: 1 });
  });

  it('releases no row for a person who was paid to another account before', async () => {
    const payroll = await open();
    payroll.service.holder = () => 'Ama Mensah';
    payroll.file('may.csv', [{ ...AMA, reference: 'M-1' }]);
    await payroll.run('may.csv', 'payroll-2026-05');
    payroll.later(30 * DAY);
    payroll.file('june.csv', [{ ...AMA, account: '0244777777', reference: 'J-1' }]);
    await payroll.plan('june.csv', 'payroll-2026-06');
    await payroll.payfile('release', 'payroll-2026-06', '--all', ...why);
    await payroll.run('june.csv', 'payroll-2026-06');
    expect(payroll.paid()).toEqual([AMA.account]);
    await payroll.payfile('release', 'payroll-2026-06', '--all', '--kind', 'other_account', ...why);
    await payroll.run('june.csv', 'payroll-2026-06');
    expect(payroll.paid()).toEqual([AMA.account, '0244777777']);
  });

  it('of one kind releases the repeats that it names, and no other kind', async () => {
    const payroll = await juneWithTwins();
    await payroll.payfile('release', 'june', '--all', '--kind', 'name', ...why);
    expect(await payroll.stand('june')).toEqual({ held: 2, quoted: 1 });
    await payroll.payfile('release', 'june', '--all', '--kind', 'repeat', ...why);
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 3, [KOFI.account]: 1, [YAA.account]: 1 });
  });
});

describe('a released repeat', () => {
  it('releases its own row and no row beside it', async () => {
    const payroll = await juneWithTwins();
    await payroll.payfile('release', 'june', '2', ...why);
    await payroll.run('june.csv', 'june');
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 2, [KOFI.account]: 1, [YAA.account]: 1 });
  });

  it('covers no payment that came in between', async () => {
    const payroll = await juneWithTwins();
    await payroll.payfile('release', 'june', '2', ...why);
    payroll.file('bonus.csv', [AMA]);
    await payroll.plan('bonus.csv', 'bonus');
    await payroll.payfile('release', 'bonus', '2', ...why);
    const bonus = await payroll.run('bonus.csv', 'bonus');
    expect(bonus.code, bonus.stdout + bonus.stderr).toBe(0);
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 2, [KOFI.account]: 1, [YAA.account]: 1 });
  });

  it('covers no payment that has become doubtful since', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA]);
    const { digest } = await payroll.plan('may.csv', 'may');
    await payroll.payfile('approve', 'may', '--digest', digest);
    payroll.file('june.csv', [{ ...AMA, note: 'June' }]);
    await payroll.plan('june.csv', 'june');
    expect(await payroll.stand('june')).toEqual({ held: 1 });
    await payroll.payfile('release', 'june', '2', ...why);
    payroll.service.fate = () => 'answer_lost';
    await payroll.payfile('send', 'may');
    expect(await payroll.stand('may')).toEqual({ in_doubt: 1 });
    payroll.service.fate = () => 'accepted';
    await payroll.run('june.csv', 'june');
    expect(times(payroll)).toEqual({ [AMA.account]: 1 });
  });
});

describe('a payment that the service just called failed', () => {
  it.each([
    ['a copy in another batch', [{ ...AMA, note: 'June' }]],
    ['a copy with a new reference', [{ ...AMA, reference: 'J-1' }]],
  ])('stops %s until it could be paid again itself', async (_, lines) => {
    const payroll = await open();
    payroll.service.shown = () => ({ Status: 'Failed' });
    payroll.file('may.csv', [{ ...AMA, reference: 'M-1' }]);
    // A failure is believed once a later look says the same.
    await payroll.run('may.csv', 'may', '--deadline', '10s');
    payroll.later(1);
    await payroll.payfile('settle', 'may', '--deadline', '10s');
    expect(await payroll.stand('may')).toEqual({ failed: 1 });
    payroll.service.shown = () => ({});
    payroll.file('june.csv', lines);
    await payroll.run('june.csv', 'june');
    expect(await payroll.stand('june')).toEqual({ held: 1 });
    expect(times(payroll)).toEqual({ [AMA.account]: 1 });
    payroll.later(2 * DAY);
    payroll.file('later.csv', [...lines, KOFI]);
    await payroll.run('later.csv', 'later');
    expect(times(payroll)).toEqual({ [AMA.account]: 2, [KOFI.account]: 1 });
  });
});

describe('a released twin of the same file', () => {
  it('is not paid once the other one is in doubt', async () => {
    const payroll = await open();
    payroll.service.fate = (_account, nth) => (nth === 1 ? 'answer_lost' : 'accepted');
    payroll.file('may.csv', [AMA, AMA, KOFI]);
    await payroll.plan('may.csv', 'may');
    await payroll.payfile('release', 'may', '3', ...why);
    await payroll.run('may.csv', 'may', '--concurrency', '1');
    await payroll.run('may.csv', 'may', '--concurrency', '1');
    expect(times(payroll)).toEqual({ [AMA.account]: 1, [KOFI.account]: 1 });
  });

  it('is not paid once the other one is in doubt, in a batch that repeats another on purpose', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA, AMA, KOFI]);
    await payroll.plan('may.csv', 'may');
    await payroll.payfile('release', 'may', '3', ...why);
    await payroll.run('may.csv', 'may');
    payroll.later(2 * DAY);
    await payroll.plan('may.csv', 'june', '--repeats', 'may');
    await payroll.payfile('release', 'june', '3', ...why);
    payroll.service.fate = (_account, nth) => (nth === 4 ? 'answer_lost' : 'accepted');
    await payroll.run('may.csv', 'june', '--repeats', 'may', '--concurrency', '1');
    await payroll.run('may.csv', 'june', '--repeats', 'may', '--concurrency', '1');
    expect(times(payroll)).toEqual({ [AMA.account]: 3, [KOFI.account]: 2 });
  });
});

/** Ama twice in one file, both agreed to and paid. */
async function mayWithTwins(): Promise<Payroll> {
  const payroll = await open();
  payroll.file('may.csv', [AMA, AMA, KOFI]);
  await payroll.plan('may.csv', 'may');
  await payroll.payfile('release', 'may', '3', ...why);
  await payroll.run('may.csv', 'may');
  expect(times(payroll)).toEqual({ [AMA.account]: 2, [KOFI.account]: 1 });
  return payroll;
}

describe('a file that repeats a batch on purpose', () => {
  it.each([
    ['under another name', 'may.csv'],
    ['with other bytes', 'again.csv'],
  ] as const)('pays no twin within the file, %s', async (_, name) => {
    const payroll = await mayWithTwins();
    payroll.later(2 * DAY);
    payroll.file('again.csv', [AMA, AMA, { ...KOFI, note: 'again' }]);
    await payroll.run(name, 'again', '--repeats', 'may');
    expect(times(payroll)).toEqual({ [AMA.account]: 3, [KOFI.account]: 2 });
  });

  it.each([
    ['one payment is in doubt', 'answer_lost'],
    ['one payment that was not made is in doubt', 'unpaid_answer_lost'],
  ] as const)('is refused while %s', async (_, fate) => {
    const payroll = await open();
    payroll.service.fate = (account) => (account === KOFI.account ? fate : 'accepted');
    payroll.file('may.csv', [AMA, KOFI]);
    await payroll.run('may.csv', 'may');
    payroll.service.fate = () => 'accepted';
    payroll.later(2 * DAY);
    const before = payroll.paid().length;
    payroll.file('again.csv', [{ ...AMA, note: 'again' }, KOFI]);
    const ended = await payroll.run('again.csv', 'again', '--repeats', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(payroll.paid()).toHaveLength(before);
  });

  it.each([
    ['first', 1],
    ['second', 2],
  ] as const)('is refused while the %s of two released twins is in doubt', async (_, doubtful) => {
    const payroll = await open();
    payroll.service.fate = (_account, nth) => (nth === doubtful ? 'answer_lost' : 'accepted');
    payroll.file('may.csv', [AMA, AMA, KOFI]);
    await payroll.plan('may.csv', 'may');
    await payroll.payfile('release', 'may', '3', ...why);
    await payroll.run('may.csv', 'may', '--concurrency', '1');
    payroll.service.fate = () => 'accepted';
    payroll.later(2 * DAY);
    const before = payroll.paid();
    for (const name of ['again', 'once more']) {
      const ended = await payroll.run('may.csv', name, '--repeats', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    }
    expect(payroll.paid()).toEqual(before);
  });

  it('is refused while a payment is on its way', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA, KOFI]);
    payroll.service.shown = ({ account }) => (account === KOFI.account ? { Status: 'Processing' } : {});
    await payroll.run('may.csv', 'may', '--deadline', '10s');
    payroll.later(2 * DAY);
    payroll.file('again.csv', [{ ...AMA, note: 'again' }, KOFI]);
    const ended = await payroll.run('again.csv', 'again', '--repeats', 'may', '--deadline', '10s');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(payroll.paid()).toHaveLength(2);
  });

  it('is refused while a row of that batch is held', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA, { ...KOFI, name: 'Somebody Else' }]);
    await payroll.run('may.csv', 'may');
    payroll.later(2 * DAY);
    payroll.file('again.csv', [{ ...AMA, note: 'again' }]);
    const ended = await payroll.run('again.csv', 'again', '--repeats', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(payroll.paid()).toEqual([AMA.account]);
  });

  it('is refused on the day of that batch, and says how to go on with that', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA, KOFI]);
    await payroll.run('may.csv', 'may');
    payroll.later(19);
    payroll.file('again.csv', [{ ...AMA, note: 'again' }, KOFI]);
    const ended = await payroll.run('again.csv', 'again', '--repeats', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(ended.stdout + ended.stderr).toMatch(/payfile run \S+ --batch may/);
    expect(payroll.paid()).toHaveLength(2);
    payroll.later(2);
    await payroll.run('again.csv', 'again', '--repeats', 'may');
    expect(payroll.paid()).toHaveLength(4);
  });

  it('pays the file of a third month once, although the second was paid as a repeat of the first', async () => {
    const payroll = await mayWithTwins();
    payroll.later(2 * DAY);
    await payroll.run('may.csv', 'june', '--repeats', 'may');
    const paidInJune = times(payroll);
    expect(paidInJune).toEqual({ [AMA.account]: 3, [KOFI.account]: 2 });
    // Both months hold what the third repeats; it names one of them.
    await payroll.run('may.csv', 'july', '--repeats', 'may');
    expect(times(payroll)).toEqual(paidInJune);
  });

  it('pays again nothing of a third batch', async () => {
    const payroll = await open();
    payroll.file('may.csv', [AMA]);
    payroll.file('bonus.csv', [KOFI]);
    await payroll.run('may.csv', 'may');
    await payroll.run('bonus.csv', 'bonus');
    payroll.later(2 * DAY);
    payroll.file('again.csv', [AMA, KOFI]);
    await payroll.run('again.csv', 'again', '--repeats', 'may');
    expect(times(payroll)).toEqual({ [AMA.account]: 2, [KOFI.account]: 1 });
  });
});

describe('the same money under two references', () => {
  it.each([1, 8])('is paid each month as it was agreed to, with %i at once', async (atOnce) => {
    const payroll = await open();
    const child = { ...AMA, amount: '30.00', note: 'School' };
    const month = (name: string) => [
      { ...child, reference: `${name}-ESI` },
      { ...child, reference: `${name}-YAW` },
      { ...KOFI, reference: `${name}-KOFI` },
    ];
    for (const name of ['may', 'june', 'july']) {
      payroll.file(`${name}.csv`, month(name));
      const { digest } = await payroll.plan(`${name}.csv`, name);
      const approved = await payroll.payfile('approve', name, '--digest', digest);
      expect(approved.code, approved.stderr).toBe(0);
      const ended = await payroll.run(`${name}.csv`, name, '--concurrency', `${atOnce}`);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      payroll.later(10 * DAY);
    }
    expect(times(payroll)).toEqual({ [AMA.account]: 6, [KOFI.account]: 3 });
  });

  it.each([1, 8])(
    'is paid as two invoices of one amount, also beside a third in another file, with %i at once',
    async (atOnce) => {
      const payroll = await open();
      const invoice = (reference: string) => ({ ...AMA, amount: '400.00', reference });
      payroll.file('one.csv', [invoice('INV-7'), invoice('INV-8')]);
      payroll.file('two.csv', [invoice('INV-9'), invoice('INV-10'), { ...YAA, reference: 'INV-11' }]);
      for (const name of ['one', 'two']) {
        const ended = await payroll.run(`${name}.csv`, name, '--concurrency', `${atOnce}`);
        expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      }
      expect(times(payroll)).toEqual({ [AMA.account]: 4, [YAA.account]: 1 });
    },
  );

  it('waits for a person while one of the two is in doubt', async () => {
    const payroll = await open();
    payroll.file('one.csv', [{ ...AMA, reference: 'INV-7' }]);
    payroll.service.fate = () => 'answer_lost';
    await payroll.run('one.csv', 'one');
    payroll.service.fate = () => 'accepted';
    payroll.file('two.csv', [{ ...AMA, reference: 'INV-8' }]);
    await payroll.run('two.csv', 'two');
    expect(times(payroll)).toEqual({ [AMA.account]: 1 });
  });
});

describe('two batches with one payment', () => {
  it.each([
    [
      'the reference',
      { ...AMA, reference: 'R-1' },
      { ...AMA, account: '0244999999', reference: 'R-1', name: '' },
    ],
    ['the money without a reference', AMA, { ...AMA, note: 'again' }],
    ['the money, one of them without a reference', { ...AMA, reference: 'R-1' }, { ...AMA, note: 'again' }],
    ['the account at an institution of another name', AMA, { ...AMA, institution: 'MTN Mobile Money' }],
    ['the account with the country code', AMA, { ...AMA, account: '233244000001', name: '' }],
  ] as const)('pay it once, known by %s', async (_, one, other) => {
    const payroll = await open();
    payroll.file('one.csv', [one]);
    payroll.file('other.csv', [other]);
    payroll.service.holder = () => 'Ama Mensah';
    const digests = [await payroll.plan('one.csv', 'one'), await payroll.plan('other.csv', 'other')];
    const [first, second] = [payroll.library('ada'), payroll.library('ben')];
    await Promise.all([
      approvePlan(first, 'one', digests[0]?.digest).then(() => first.send({ batch: 'one' })),
      approvePlan(second, 'other', digests[1]?.digest).then(() => second.send({ batch: 'other' })),
    ]);
    expect(payroll.paid()).toHaveLength(1);
  });

  it('pay it once where both were approved before either is sent', async () => {
    const payroll = await open();
    payroll.file('one.csv', [AMA, KOFI]);
    payroll.file('other.csv', [AMA, YAA]);
    for (const name of ['one', 'other']) {
      const { digest } = await payroll.plan(`${name}.csv`, name);
      await payroll.payfile('approve', name, '--digest', digest);
    }
    await Promise.all([
      payroll.library('ada').send({ batch: 'one' }),
      payroll.library('ben').send({ batch: 'other' }),
    ]);
    expect(times(payroll)).toMatchObject({ [AMA.account]: 1, [KOFI.account]: 1 });
  });
});
