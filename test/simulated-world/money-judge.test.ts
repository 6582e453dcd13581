/** The judge of money is no better than what it notices: each thing that must never happen is shown to it. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { approvePlan, planFile, planShown } from '../builders/library-calls.ts';
import { aRow, type FileRow, sha256Of } from '../builders/payout-file.ts';
import { randomOf } from '../builders/random.ts';
import { sendBatch } from '../simulation/office/decisions.ts';
import { command, type Office } from '../simulation/office/office.ts';
import { CoverageTable } from './coverage.ts';
import { Store } from './disk.ts';
import { foldedGhana } from './money-judge.ts';
import { onlookerOf } from './onlooker.ts';
import { sceneOf, until } from './scene.ts';
import { type ShownPlan, type ShownRow, shownPlan, writtenRows } from './shown-plan.ts';
import type { TransferRequest } from './wire.ts';

const HOUR = 3_600_000;
const ROWS = [aRow(1, { phone: '+233244120001' }), aRow(2, { institution: 'GCB Bank' })];
const HAND = { user: 'ama', random: randomOf(1) };
const MAY = { batch: 'may', file: 'may.csv', rows: ROWS };
const FIRST: TransferRequest = {
  Source: 'c-gb',
  Destination: 'c-gh',
  Amount: 1_200,
  Fi: 'i-mtn',
  Note: 'PF-12345678 May salary',
  AccountNo: '0244123001',
  Name: 'AMA MENSAH',
  Phone: '+233244120001',
};

const store = await Store.make();
let office: Office;
let close: () => void = () => undefined;
beforeEach(async () => {
  close();
  const scene = sceneOf(1, store, {
    coverage: new CoverageTable(),
    keepsLines: false,
    told: {
      plan: { has: () => false, strikes: () => false },
      environment: 'sandbox',
      policy: { ...DEFAULT_POLICY, concurrency: 1, accountChanges: 'warn' },
    },
  });
  scene.money.isOn = true;
  const onlooker = onlookerOf(scene);
  close = () => {
    scene.eyes.close();
    onlooker.close();
  };
  office = {
    ...{
      scene,
      onlooker,
      sheets: [MAY],
      shown: [],
      paidAgain: 0,
      brought: 0,
      isTampered: false,
      habits: {
        agrees: 'in_any_way',
        restless: 'nothing',
        pause: 0,
        rowsMax: 2,
        batchesMax: 4,
        hasPeriods: false,
      },
      accepted: new Map(),
      withdrawn: new Map(),
      hadShas: new Map(),
    },
    files: new Map([[MAY.file, ROWS]]),
    filesBySha: new Map([[sha256Of(ROWS), ROWS]]),
  };
  await until(payMay(), scene);
});
afterAll(() => {
  close();
  store.remove();
});

/** Planned, looked at, approved and sent. */
async function payMay(): Promise<void> {
  await command(office, 'ama', async (payfile) => planFile(payfile, MAY.file, { batch: 'may' }));
  await agreeTo('may');
  await sendBatch(MAY, HAND, office);
}

/** Somebody looks at the plan and approves it. `changes`: in what they saw of each row. */
async function agreeTo(batch: string, changes: Partial<ShownRow> = {}): Promise<ShownPlan | undefined> {
  const seen = await command(office, 'ben', (payfile) => planShown(payfile, batch));
  const digest = seen?.plan.digest ?? '';
  const shown = await shownPlan({ batch, digest }, office.onlooker, office.scene.scheduler);
  await command(office, 'ben', (payfile, deed) => {
    const rows = shown?.rows.map((row) => ({ ...row, ...changes })) ?? [];
    deed.agreement = { rows, maxTotal: undefined };
    return approvePlan(payfile, batch, digest);
  });
  return shown;
}

/** The plan of a file with one row. */
async function plan(batch: string, row: FileRow): Promise<void> {
  (office.files as Map<string, readonly FileRow[]>).set(`${batch}.csv`, [row]);
  await command(office, 'ama', (payfile) => planFile(payfile, `${batch}.csv`, { batch }));
}

const violations = () => office.scene.judge.violations.join('; ');
const sends = (changes: Partial<TransferRequest> = {}) => {
  office.scene.money.sent(1, { ...FIRST, ...changes }, 'nobody');
  return violations();
};

it('has nothing to say of payments that were shown, agreed to and sent', () => {
  expect(office.scene.oracle.book).toHaveLength(2);
  expect(violations()).toBe('');
  expect(sends()).toBe('');
});

describe('sees a request that is otherwise than it was shown', () => {
  it.each<[keyof TransferRequest, Partial<TransferRequest>]>([
    ['AccountNo', { AccountNo: '233244123001' }],
    ['Amount', { Amount: 1_200.01 }],
    ['Phone', { Phone: '' }],
    ['Name', { Name: 'KOFI BOATENG' }],
    ['Note', { Note: 'PF-12345678 Bonus' }],
  ])('by its %s', (_, changes) => {
    expect(sends(changes)).toContain('payout 1 is sent otherwise than it was shown');
  });

  it('by the bank that its id means now', () => {
    const { market } = office.scene.oracle;
    const [mtn, gcb] = market.institutions.map(({ name }) => name);
    office.scene.scheduler.jump(2 * HOUR);
    const list = market.institutions.map((one) => ({ ...one, name: String(one.name === mtn ? gcb : mtn) }));
    const asked = { atMs: office.scene.scheduler.nowMs, to: 'nobody' };
    market.answers.push({ ...asked, kind: 'institutions', countryId: 'c-gh', list });
    expect(sends()).toContain('payout 1 goes to the institution GCB Bank, and MTN Mobile Money was shown');
  });
});

it('sees a request that costs more than was shown by any price that is young enough', () => {
  const { scheduler, oracle } = office.scene;
  scheduler.jump(HOUR);
  const asked = { atMs: scheduler.nowMs, to: 'nobody' };
  // 1,200 at 15.5 and 1.02: 78.44 was shown.
  oracle.market.answers.push({ ...asked, kind: 'rate', rate: 15 });
  expect(sends()).toContain('payout 1 costs 81.02, and 78.44 was agreed to');
});

it('sees names, prices and approvals that are too old', () => {
  office.scene.scheduler.jump(25 * HOUR);
  const said = sends();
  for (const text of [
    'after its approval had ended',
    'its holder was not asked for a day or more',
    'at a price that is older than allowed',
  ])
    expect(said).toContain(text);
});

it('sees a row that is sent for another payout, too', () => {
  const { money, watch } = office.scene;
  const [first, second] = [...watch.payouts.keys()];
  expect([first, second]).toEqual([1, 2]);
  money.sent(2, FIRST, 'nobody');
  expect(violations()).toContain('payout 2 is sent for a row that was shown 1 times');
});

it('sees an approval behind which nobody stands', async () => {
  const approve = async () => {
    await plan('june', aRow(7));
    const seen = await command(office, 'ben', (payfile) => planShown(payfile, 'june'));
    await command(office, 'ben', (payfile) => approvePlan(payfile, 'june', seen?.plan.digest));
  };
  await until(approve(), office.scene);
  expect(violations()).toContain('is approved, and nobody agreed to anything');
});

it.each<[string, Partial<ShownRow>]>([
  ['is approved at a cost of 78.44, and 75 was shown', { cost: { fee: 1.02, debit: 75 } }],
  ['is approved for AMA MENSAH, and KOFI BOATENG was shown', { holder: 'KOFI BOATENG' }],
  ['is approved with releases that nobody saw: none', { released: ['["kind","no_quote"]'] }],
])('sees a payout that %s', async (said, changes) => {
  const agree = async () => {
    await plan('june', aRow(7));
    await agreeTo('june', changes);
  };
  await until(agree(), office.scene);
  expect(violations()).toBe(`money: payout 3 ${said}`);
});

it('sees an approval by a ceiling for another institution than the file says', async () => {
  const agree = async () => {
    await plan('june', aRow(7));
    const seen = await command(office, 'ben', (payfile) => planShown(payfile, 'june'));
    await command(office, 'ben', (payfile, deed) => {
      deed.agreement = { rows: writtenRows([aRow(7, { institution: 'GCB Bank' })]), maxTotal: 1_200 };
      return approvePlan(payfile, 'june', seen?.plan.digest);
    });
  };
  await until(agree(), office.scene);
  expect(violations()).toContain('is approved by a ceiling for MTN Mobile Money, and the file says GCB Bank');
});

it('sees two plans with one digest', async () => {
  let shown: ShownPlan | undefined;
  const look = async () => {
    await plan('june', aRow(7));
    shown = await agreeTo('june');
  };
  await until(look(), office.scene);
  const { money } = office.scene;
  const { batch = '', digest = '', rows = [] } = shown ?? {};
  for (const phone of ['', '', '+233244120001'])
    money.shown({ batch, digest, rows: rows.map((row) => ({ ...row, phone })) });
  expect(violations()).toMatch(/^money: two plans of june have one digest: [^;]*$/);
});

it('lets a released repeat pass beside a payment that was approved again since', async () => {
  const planOf = (batch: string) => plan(batch, aRow(7, { note: batch }));
  const pay = async () => {
    await planOf('june');
    await agreeTo('june');
    await planOf('july');
    // The approval of June ends, because its row costs more now. Only then somebody releases the row of July.
    office.scene.oracle.market.rate = 14;
    office.scene.scheduler.jump(HOUR);
    await command(office, 'ama', (payfile) => payfile.send({ batch: 'june' }));
    await command(office, 'ama', (payfile, deed) => {
      deed.release = { kind: 'named_rows' };
      return payfile.rows.release({ batch: 'july', rows: ['2'], reason: 'I asked' });
    });
    await agreeTo('june');
    await planOf('july');
    await agreeTo('july');
  };
  await until(pay(), office.scene);
  const { payouts } = office.scene.watch;
  expect([3, 4].map((id) => payouts.get(id)?.payout.state.status)).toEqual(['approved', 'approved']);
  expect(violations()).toBe('');
});

it.each([
  ['0244123456', '+233 244 123 456'],
  ['john.doe', 'JohnDoe'],
  ['12-34-567890', '1234567890'],
])('takes %s and %s for one account that may be paid already', (one, other) => {
  expect(foldedGhana(one)).toBe(foldedGhana(other));
});
