/** What nobody looked at may cost: a ceiling agrees to what the first plan showed, and a released fee to that fee. */
import { describe, expect, it } from 'vitest';
import type { ChangingService } from '../fakes/changing-service.ts';
import { type Line, openPayroll, type Payroll } from './a-payroll.ts';

const NAMES = ['Ama Mensah', 'Kofi Owusu', 'Yaa Asante'];
const rows = (...amounts: readonly string[]): Line[] =>
  amounts.map((amount, index) => ({
    account: `024412345${index}`,
    amount,
    name: NAMES[index] ?? '',
    reference: `R-${index + 1}`,
  }));
const holder = (account: string) => NAMES[Number(account.at(-1))];

async function planned(lines: readonly Line[], settings = {}): Promise<Payroll> {
  const payroll = await openPayroll(settings);
  payroll.service.holder = holder;
  payroll.file('may.csv', lines);
  await payroll.plan('may.csv', 'may');
  return payroll;
}

/** Somebody pauses the batch while its first payment is under way, and lifts the pause later. */
async function payOne({ service, library, run, payfile, stand }: Payroll, ...words: string[]): Promise<void> {
  const other = library();
  service.afterPaying = async () =>
    void (await other.batches.pause({ batch: 'may', reason: 'to look at it' }));
  await run('may.csv', 'may', ...words);
  service.afterPaying = () => undefined;
  await other.batches.resume({ batch: 'may' });
  await payfile('settle', 'may');
  expect((await stand('may'))['settled']).toBe(1);
}

const MOVED: readonly (readonly [what: string, change: (service: ChangingService) => unknown])[] = [
  ['costs three times as much', (service) => Object.assign(service, { rate: 2 / 3 })],
  ['costs two per cent more', (service) => Object.assign(service, { rate: 1.96 })],
  ['has a fee of 5 in the place of 1', (service) => Object.assign(service, { fee: () => 5 })],
];

describe('a ceiling', () => {
  it.each(MOVED)('does not agree to a payment that %s than the first plan showed', async (_, change) => {
    const { service, run, later, paid } = await planned(rows('100.00', '50.00'));
    change(service);
    later(1);
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
  });

  describe.each([
    ['an hour', 1],
    ['two days', 48],
  ] as const)('%s after the first half was paid', (_, hours) => {
    it.each(MOVED)('does not agree to the other half that %s', async (_what, change) => {
      const payroll = await planned(rows('100.00', '50.00', '60.00'));
      const { service, run, later, paid } = payroll;
      await payOne(payroll);
      change(service);
      later(hours);
      await run('may.csv', 'may');
      const ended = await run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      expect(paid()).toHaveLength(1);
    });
  });

  it.each(MOVED.slice(0, 2))(
    'does not agree to rows that were corrected after the first half was paid: each %s',
    async (_, change) => {
      const payroll = await planned(rows('100.00', '50.00', '60.00'));
      const { service, file, run, payfile, later, paid } = payroll;
      await payOne(payroll);
      await payfile('cancel', 'may', '3', '4', '--reason', 'They are corrected');
      change(service);
      later(1);
      file('may.csv', rows('100.00', '55.00', '66.00'));
      const ended = await run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      expect(paid()).toHaveLength(1);
    },
  );

  it('remembers what the first plan showed although its rows were withdrawn', async () => {
    const { service, file, plan, run, later, paid } = await planned(rows('100.00', '50.00'));
    file('may.csv', rows('101.00', '51.00'));
    await plan('may.csv', 'may');
    service.rate = 2 / 3;
    later(1);
    file('may.csv', rows('102.00', '52.00'));
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
  });

  const renameSource = (service: ChangingService) => {
    service.countries = service.countries.map((one) =>
      one.id === 'ZA' ? { ...one, name: 'Zanzibar' } : one,
    );
  };
  const [AMA] = NAMES;
  const UNNAMED: Line[] = [{ account: '0244123450', amount: '50.00', reference: 'R-1', institution: 'gh-1' }];
  const RENAMED: readonly (readonly [what: string, change: (service: ChangingService) => unknown])[] = [
    ['holder', (service) => Object.assign(service, { holder: () => 'Ebo Thief' })],
    [
      'institution',
      (service) => {
        const [bank, ...others] = service.institutions['GH'] ?? [];
        if (bank !== undefined) service.institutions = { GH: [{ ...bank, name: 'Another Bank' }, ...others] };
      },
    ],
    [
      'country',
      (service) => {
        service.countries = service.countries.map((one) =>
          one.id === 'GH' ? { ...one, name: 'West Ghana' } : one,
        );
      },
    ],
    ['source country', renameSource],
  ];

  it.each(RENAMED)('does not agree to another %s than a person approved', async (_, change) => {
    const payroll = await openPayroll({ nameHours: 2 });
    const { service, file, plan, run, payfile, later, paid } = payroll;
    service.holder = () => AMA;
    file('may.csv', UNNAMED);
    const { digest } = await plan('may.csv', 'may');
    await payfile('approve', 'may', '--digest', digest);
    change(service);
    later(3);
    expect((await payfile('send', 'may')).code).toBe(10);
    for (let time = 1; time <= 2; time += 1) {
      const ended = await run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      expect(paid()).toEqual([]);
      later(1);
    }
  });

  it('does not agree to another source country than the file was read with', async () => {
    const { service, run, later, paid } = await planned(rows('50.00'));
    renameSource(service);
    later(1);
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(ended.stderr).toContain(
      'Row 2 was read with “South Africa”, which the service calls “Zanzibar” now',
    );
    expect(paid()).toEqual([]);
  });

  it('sends nothing at the price of a quote that the service declines to give again', async () => {
    const { service, plan, payfile, later, paid, stand } = await planned(rows('50.00'));
    const { digest } = await plan('may.csv', 'may');
    await payfile('approve', 'may', '--digest', digest);
    service.isDeclined = (path) => path.startsWith('rates/');
    later(20);
    expect((await payfile('send', 'may')).code).toBe(6);
    expect(paid()).toEqual([]);
    expect(await stand('may')).toEqual({ approved: 1 });
    service.isDeclined = () => false;
    // The first transfer of the ledger is looked up at once, and is settled.
    expect((await payfile('send', 'may')).code).toBe(0);
    expect(paid()).toHaveLength(1);
  });

  it('does not agree to many small moves that are a large one together', async () => {
    const { service, plan, run, later, paid } = await planned(rows('100.00', '50.00'));
    for (const rate of [1.985, 1.97, 1.955]) {
      service.rate = rate;
      later(1);
      await plan('may.csv', 'may');
    }
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
  });

  it('agrees to a move of half a per cent, and to a payment that became cheaper', async () => {
    const { service, run, later, paid } = await planned(rows('100.00', '50.00'));
    service.rate = 1.99;
    later(1);
    await run('may.csv', 'may');
    expect(paid()).toHaveLength(2);
    const cheaper = await planned(rows('100.00', '50.00'));
    cheaper.service.rate = 4;
    cheaper.later(1);
    await cheaper.run('may.csv', 'may');
    expect(cheaper.paid()).toHaveLength(2);
  });

  it('agrees to what a person agreed to last: a row that joins later costs as much', async () => {
    const { service, file, plan, payfile, run, later, paid } = await planned(rows('100.00', '50.00'));
    service.rate = 1;
    later(1);
    const { digest } = await plan('may.csv', 'may');
    expect((await payfile('approve', 'may', '--digest', digest)).code).toBe(0);
    await run('may.csv', 'may');
    file('may.csv', rows('100.00', '50.00', '60.00'));
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(paid()).toHaveLength(3);
  });

  it.each([
    ['75.99', 10, 0],
    ['77.00', 0, 2],
  ] as const)(
    'of ZAR %s on what is taken stops with %i: the payments and their fees take ZAR 77.00',
    async (most, code, payments) => {
      const { run, paid } = await planned(rows('100.00', '50.00'));
      const ended = await run('may.csv', 'may', '--max-debit', `ZAR=${most}`);
      expect(ended.code, ended.stdout + ended.stderr).toBe(code);
      expect(paid()).toHaveLength(payments);
    },
  );

  it('on what is taken alone agrees to nothing, and says what does', async () => {
    const { payfile, paid } = await planned(rows('100.00', '50.00'));
    const ended = await payfile('run', 'may.csv', '--batch', 'may', '--max-debit', 'ZAR=77.00');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(ended.stderr.replace(/\s+/g, ' ')).toContain(
      'Nobody agreed to this plan. Add --max-total GHS=AMOUNT',
    );
    expect(paid()).toEqual([]);
  });

  it('on what is taken in another currency asks for the one that is missing', async () => {
    const { run, paid } = await planned(rows('100.00', '50.00'));
    const ended = await run('may.csv', 'may', '--max-debit', 'USD=5');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(ended.stderr.replace(/\s+/g, ' ')).toContain(
      'there is no --max-debit for ZAR. This command sent nothing. Add --max-debit ZAR=AMOUNT, or give no --max-debit',
    );
    expect(paid()).toEqual([]);
  });

  it('on what is taken is asked again before the rest is sent', async () => {
    const payroll = await planned(rows('100.00', '50.00'));
    const { service, payfile, later, paid } = payroll;
    await payOne(payroll, '--max-debit', 'ZAR=77.00');
    service.rate = 1.99;
    later(1);
    const ended = await payfile('send', 'may', '--max-debit', 'ZAR=77.00');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toHaveLength(1);
  });
});

/** GHS 1,000 and more cost twice as much each: GHS 100.00 is ZAR 51.00, and GHS 5,000.00 is ZAR 5,001.00. */
const byAmount = (amount: number) => (amount < 1_000 ? 2 : 1);
const ORDERS = [
  ['before', ['100.00', '5000.00']],
  ['after', ['5000.00', '100.00']],
] as const;

async function plannedByAmount(amounts: readonly string[], settings = {}): Promise<Payroll> {
  const payroll = await openPayroll(settings);
  payroll.service.holder = holder;
  payroll.service.rateOf = byAmount;
  payroll.file('may.csv', rows(...amounts));
  await payroll.plan('may.csv', 'may');
  return payroll;
}

describe('a ceiling, where a large amount has another rate than a small one', () => {
  it.each(ORDERS)('agrees in the first plan to a small amount %s a large one', async (_, amounts) => {
    const { run, paid } = await plannedByAmount(amounts);
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(paid()).toHaveLength(2);
  });

  it.each(ORDERS)(
    'does not agree to a small amount %s a large one that costs ZAR 101.00 in the place of ZAR 51.00',
    async (_, amounts) => {
      const { service, run, later, paid } = await plannedByAmount(amounts);
      service.rateOf = () => 1;
      later(1);
      const row = amounts.indexOf('100.00') + 2;
      for (let time = 1; time <= 2; time += 1) {
        const ended = await run('may.csv', 'may');
        expect(ended.code, ended.stdout + ended.stderr).toBe(10);
        expect(ended.stderr.replace(/\s+/g, ' ')).toContain(
          `Row ${row} costs ZAR 101.00 now. The first plan of this batch shows ZAR 51.00 for its amount.`,
        );
      }
      expect(paid()).toEqual([]);
    },
  );

  it('does not agree to it after a person approved the large amount and the small one at their rates', async () => {
    const payroll = await plannedByAmount(['100.00', '5000.00'], { approvalHours: 2 });
    const { service, plan, payfile, run, later, paid } = payroll;
    const { digest } = await plan('may.csv', 'may');
    expect((await payfile('approve', 'may', '--digest', digest)).code).toBe(0);
    later(3);
    service.rateOf = () => 1;
    for (let time = 1; time <= 3; time += 1) {
      const ended = await run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    }
    expect(paid()).toEqual([]);
  });

  it.each([
    ['GHS 101.00, which is nearest to GHS 100.00', '101.00'],
    ['GHS 4,000.00, which lies between two amounts', '4000.00'],
    ['GHS 90.00, which is smaller than all', '90.00'],
  ] as const)('does not agree to half the rate for an amount that joins later: %s', async (_, amount) => {
    const { service, file, run, later, paid } = await plannedByAmount(['100.00', '5000.00']);
    service.rateOf = () => 1;
    later(1);
    file('may.csv', rows('5000.00', amount));
    for (let time = 1; time <= 2; time += 1) {
      const ended = await run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      expect(ended.stderr.replace(/\s+/g, ' ')).toContain('The earlier rates of this batch give ZAR');
    }
    expect(paid()).toEqual([]);
  });

  it('agrees to an amount that joins later at the best rate of the others, and to no worse one', async () => {
    const { file, run, paid } = await plannedByAmount(['100.00', '5000.00']);
    file('may.csv', rows('100.00', '90.00', '6000.00'));
    expect((await run('may.csv', 'may')).code).toBe(10);
    expect(paid()).toEqual([]);
    file('may.csv', rows('100.00', '90.00'));
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(paid()).toHaveLength(2);
  });

  it('does not agree to small moves, each with another amount, that are a large one together', async () => {
    const { service, file, plan, run, later, paid } = await planned(rows('100.00'));
    for (const [amount, rate] of [
      ['101.00', 1.985],
      ['102.00', 1.97],
      ['103.00', 1.955],
    ] as const) {
      service.rate = rate;
      later(1);
      file('may.csv', rows(amount));
      await plan('may.csv', 'may');
    }
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(paid()).toEqual([]);
  });

  it('says what a person approved where that costs less', async () => {
    const payroll = await planned(rows('100.00'), { approvalHours: 2 });
    const { service, plan, payfile, run, later } = payroll;
    service.rate = 1;
    later(1);
    const { digest } = await plan('may.csv', 'may');
    expect((await payfile('approve', 'may', '--digest', digest)).code).toBe(0);
    later(3);
    service.rate = 0.5;
    await run('may.csv', 'may');
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(ended.stderr.replace(/\s+/g, ' ')).toContain(
      'Row 2 costs ZAR 201.00 now. A person approved ZAR 101.00 for its amount.',
    );
  });
});

/** The fee takes 22 % of the debit: ZAR 7.00 of ZAR 32.00. */
async function feeReleased(): Promise<Payroll> {
  const payroll = await openPayroll();
  payroll.service.holder = holder;
  payroll.service.fee = () => 7;
  payroll.file('may.csv', rows('50.00'));
  await payroll.plan('may.csv', 'may');
  expect(await payroll.stand('may')).toEqual({ held: 1 });
  await payroll.payfile('release', 'may', '2', '--reason', 'The fee is agreed');
  return payroll;
}

describe('a fee that was released', () => {
  it.each([
    ['250 %', 62.5],
    ['a cent', 7.01],
  ] as const)('is asked about again when it is more by %s', async (_, fee) => {
    const { service, run, later, stand, paid } = await feeReleased();
    service.fee = () => fee;
    later(1);
    await run('may.csv', 'may');
    expect(paid()).toEqual([]);
    expect(await stand('may')).toEqual({ held: 1 });
  });

  it('is not asked about again when it is less', async () => {
    const { service, run, later, paid } = await feeReleased();
    service.fee = () => 6.5;
    later(1);
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(paid()).toHaveLength(1);
  });

  it('was released for its amount alone', async () => {
    const { file, run, stand, paid } = await feeReleased();
    file('may.csv', rows('49.00'));
    await run('may.csv', 'may');
    expect(paid()).toEqual([]);
    expect(await stand('may')).toMatchObject({ held: 1 });
  });
});
