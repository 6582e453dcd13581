/** A row that somebody edits in the table of the ledger is not sent: what is sent is what the journal says was approved. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Line, openPayroll, type Payroll } from './a-payroll.ts';

const AMA: Line = { account: '0244000001', amount: '50.00', name: 'Ama Mensah', phone: '+233201111111' };
const KOFI: Line = { account: '0244000002', amount: '60.00', name: 'Kofi Owusu' };
const YAA: Line = {
  account: '0244000003',
  amount: '70.00',
  name: 'Yaa Asante',
  institution: 'MTN Mobile Money',
};
const holders = new Map([AMA, KOFI, YAA].map(({ account, name }) => [account, name]));

/** Ama in row 2, Kofi in row 3, and Yaa, who is paid by another institution, in row 4. */
async function planned(
  lines: readonly Line[] = [AMA, KOFI, YAA],
): Promise<Payroll & { readonly digest: string }> {
  const payroll = await openPayroll();
  payroll.service.holder = (account) => holders.get(account);
  payroll.file('may.csv', lines);
  const { digest } = await payroll.plan('may.csv', 'may');
  return { ...payroll, digest };
}

async function approved(lines?: readonly Line[]): Promise<Payroll> {
  const payroll = await planned(lines);
  const { code, stderr } = await payroll.payfile('approve', 'may', '--digest', payroll.digest);
  expect(code, stderr).toBe(0);
  return payroll;
}

/** `UPDATE payouts SET …` by somebody who may write the table. */
function edit({ office }: Payroll, change: string, where: string): void {
  const db = new DatabaseSync(office.at('state/payfile/ledger.db'));
  const { changes } = db.prepare(`UPDATE payouts SET ${change} WHERE ${where}`).run();
  db.close();
  expect(changes).toBe(1);
}

/** Makes a row look approved, with all that it has of its own, as row 3 does. */
function makeApproved({ office }: Payroll, row: number): void {
  const db = new DatabaseSync(office.at('state/payfile/ledger.db'));
  const of = (number: number) => {
    const found = db.prepare('SELECT state, tag FROM payouts WHERE row_number = ?').get(number);
    return { tag: found?.['tag'], state: JSON.parse(String(found?.['state'])) as Record<string, unknown> };
  };
  const own = of(row);
  const tag = String(own.tag ?? 'PF-0000000Z');
  const both = Object.entries(of(3).state).map(([key, value]) => [key, own.state[key] ?? value]);
  const state = { ...Object.fromEntries(both), ...('tag' in of(3).state ? { tag } : {}) };
  const columns =
    "status = 'approved', state = ?, tag = ?, transfer_id = NULL, attempts = 0, living_root = root";
  db.prepare(`UPDATE payouts SET ${columns} WHERE row_number = ?`).run(JSON.stringify(state), tag, row);
  db.close();
}

const copied = (row: number, columns: string) =>
  `(${columns}) = (SELECT ${columns} FROM payouts AS other WHERE other.row_number = ${row})`;
const paidAs = ({ service }: Payroll) =>
  service.book.map(({ account, amount, institution, name, phone }) =>
    [account, amount, institution, name, phone].join(' '),
  );
const KOFI_PAID = '0244000002 60 gh-1 Kofi Owusu ';
const YAA_PAID = '0244000003 70 gh-2 Yaa Asante ';

const EDITS = [
  ['account', "account = '0244666666'"],
  ['amount', 'minor = 500000'],
  ['institution', copied(4, 'route')],
  ['phone', "phone = '+233209999999'"],
  ['note', "note = 'For the house'"],
  ['holder', "name = 'Mallory Grey', state = replace(state, 'Ama Mensah', 'Mallory Grey')"],
] as const;

describe('an approved row', () => {
  it.each(EDITS)('is not sent once its %s was edited in the table, and the others are', async (_, change) => {
    const payroll = await approved();
    edit(payroll, change, 'row_number = 2');
    const ended = await payroll.payfile('send', 'may');
    expect(paidAs(payroll).sort(), ended.stdout + ended.stderr).toEqual([KOFI_PAID, YAA_PAID]);
    expect(ended.code, ended.stdout + ended.stderr).not.toBe(0);
  });
});

it('an approved row whose account was edited is asked about anew: it shows the holder of that account', async () => {
  const payroll = await approved();
  const { service } = payroll;
  service.holder = (account) => holders.get(account) ?? 'Mallory Grey';
  edit(payroll, "account = '0244666666'", 'row_number = 2');
  await payroll.payfile('send', 'may');
  const shown = (await payroll.payfile('explain', 'may', '2')).stdout;
  expect(shown).toContain('Mallory Grey');
  await payroll.plan('may.csv', 'may');
  expect(await payroll.stand('may')).toMatchObject({ held: 1 });
});

describe('a ceiling, with nobody there to look', () => {
  it.each([
    ['amount', 'minor = 4000'],
    ['phone', "phone = '+233209999999'"],
    ['note', "note = 'For the house'"],
  ])('never agrees to an approved row whose %s was edited, however often it runs', async (_, change) => {
    const payroll = await approved();
    edit(payroll, change, 'row_number = 2');
    for (let time = 1; time <= 3; time += 1) {
      const ended = await payroll.run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      payroll.later(1);
    }
    expect(paidAs(payroll).sort()).toEqual([KOFI_PAID, YAA_PAID]);
    const { digest } = await payroll.plan('may.csv', 'may');
    expect((await payroll.payfile('explain', 'may', '2')).stdout).toContain('not as it was approved');
    expect((await payroll.payfile('approve', 'may', '--digest', digest)).code).toBe(0);
  });

  it('never agrees to one either that goes back with others because the rate moved', async () => {
    const payroll = await approved();
    edit(payroll, 'minor = 4000', 'row_number = 2');
    Object.assign(payroll.service, { rate: 1.96 });
    payroll.later(1);
    await payroll.run('may.csv', 'may');
    Object.assign(payroll.service, { rate: 2 });
    payroll.later(1);
    const ended = await payroll.run('may.csv', 'may');
    expect(ended.stdout + ended.stderr).toContain('Row 2 is not as it was approved.');
    expect(payroll.paid()).toEqual([]);
  });
});

describe('a row that was edited while it waited', () => {
  it.each(EDITS)(
    'is agreed to by no ceiling once its %s was edited, and the text names verify',
    async (name, change) => {
      const payroll = await planned();
      edit(payroll, change, 'row_number = 2');
      const ended = await payroll.run('may.csv', 'may');
      expect(ended.code, ended.stdout + ended.stderr).toBe(10);
      // Of an edited institution its name says it before.
      if (name !== 'institution')
        expect((ended.stdout + ended.stderr).replace(/\s+/g, ' ')).toMatch(
          /changed by hand .*payfile verify may/,
        );
      expect(payroll.paid()).toEqual([]);
      expect((await payroll.payfile('verify', 'may')).code).not.toBe(0);
    },
  );

  it('is agreed to by no ceiling where a newer file brought it', async () => {
    const payroll = await planned([AMA, KOFI]);
    payroll.file('may.csv', [AMA, KOFI, YAA]);
    await payroll.plan('may.csv', 'may');
    edit(payroll, "account = '0244666666'", 'row_number = 4');
    const ended = await payroll.run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(payroll.paid()).toEqual([]);
  });

  it('is agreed to by no ceiling when it was held, and somebody wrote a release into its state', async () => {
    const payroll = await planned([{ ...AMA, name: 'Somebody Else' }, KOFI]);
    expect(await payroll.stand('may')).toEqual({ held: 1, quoted: 1 });
    const db = new DatabaseSync(payroll.office.at('state/payfile/ledger.db'));
    const found = db.prepare('SELECT state FROM payouts WHERE row_number = 2').get();
    const { v, pricing, reasons } = JSON.parse(String(found?.['state'])) as Record<string, unknown>;
    const saw = (reasons as { concern: unknown }[]).map(({ concern }) => concern);
    const forged = { v, pricing, releases: [{ by: 'cfo', at: 1, reason: 'fine', saw }] };
    db.prepare("UPDATE payouts SET status = 'quoted', state = ? WHERE row_number = 2").run(
      JSON.stringify(forged),
    );
    db.close();
    const ended = await payroll.run('may.csv', 'may');
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(payroll.paid()).toEqual([]);
  });
});

it('a row that was edited and withdrawn is not paid again as it was edited', async () => {
  const payroll = await approved();
  edit(payroll, "account = '0244666666'", 'row_number = 2');
  await payroll.payfile('cancel', 'may', '2', '--reason', 'She left in April');
  const ended = await payroll.payfile('reissue', 'may', '2');
  expect(ended.code, ended.stdout + ended.stderr).toBe(10);
  expect(ended.stderr.replace(/\s+/g, ' ')).toContain('changed by hand: payfile verify says where');
  await payroll.run('may.csv', 'may');
  expect(paidAs(payroll).sort()).toEqual([KOFI_PAID, YAA_PAID]);
});

describe('a row that is edited to look approved', () => {
  it('is not sent when it was quoted', async () => {
    const payroll = await approved([{ ...AMA, name: 'Somebody Else' }, KOFI]);
    await payroll.payfile('release', 'may', '2', '--reason', 'She is known by this name');
    await payroll.plan('may.csv', 'may');
    expect(await payroll.stand('may')).toEqual({ quoted: 1, approved: 1 });
    makeApproved(payroll, 2);
    await payroll.payfile('send', 'may');
    expect(paidAs(payroll)).toEqual([KOFI_PAID]);
  });

  it.each(['held', 'canceled'] as const)('is not sent when it was %s', async (state) => {
    const payroll = await approved([{ ...AMA, name: 'Somebody Else' }, KOFI]);
    if (state === 'canceled') await payroll.payfile('cancel', 'may', '2', '--reason', 'She left in April');
    expect(await payroll.stand('may')).toEqual({ [state]: 1, approved: 1 });
    makeApproved(payroll, 2);
    await payroll.payfile('send', 'may');
    expect(paidAs(payroll)).toEqual([KOFI_PAID]);
  });

  it.each(['settled', 'accepted', 'in_doubt', 'failed'] as const)(
    'is not sent again when it was %s and is put back as it was approved',
    async (state) => {
      const payroll = await approved([AMA, KOFI]);
      const { service, office, payfile, stand } = payroll;
      const db = new DatabaseSync(office.at('state/payfile/ledger.db'));
      const before = db.prepare('SELECT status, state, attempts FROM payouts WHERE row_number = 2').get();
      const fates = {
        settled: 'accepted',
        accepted: 'accepted',
        in_doubt: 'answer_lost',
        failed: 'refused',
      } as const;
      service.fate = (account) => (account === AMA.account ? fates[state] : 'accepted');
      if (state === 'accepted') service.shown = () => ({ Status: 'Processing' });
      await payfile('send', 'may');
      if (state !== 'accepted') await payfile('settle', 'may');
      expect((await stand('may'))[state]).toBeGreaterThanOrEqual(1);
      const orders = () => service.asked.filter((path) => path === 'transfer').length;
      const sent = orders();
      service.fate = () => 'accepted';
      const columns = 'status = ?, state = ?, attempts = ?, transfer_id = NULL';
      const { status, state: json, attempts } = before ?? {};
      db.prepare(`UPDATE payouts SET ${columns} WHERE row_number = 2`).run(
        ...[status ?? '', json ?? '', attempts ?? 0],
      );
      db.close();
      await payfile('send', 'may');
      expect(orders()).toBe(sent);
    },
  );
});

describe('an edit before the approval', () => {
  it.each(EDITS)('of the %s is not approved by the digest of before', async (_, change) => {
    const payroll = await planned();
    edit(payroll, change, 'row_number = 2');
    const ended = await payroll.payfile('approve', 'may', '--digest', payroll.digest);
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    await payroll.payfile('send', 'may');
    expect(payroll.paid()).toEqual([]);
  });
});
