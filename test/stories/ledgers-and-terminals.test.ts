/** Stories about forgotten ledgers, old approvals and two people: who remembers what was paid. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { GOOD, payrollCsv, type Row } from '../builders/office.ts';
import { openShop, runWords, type Shop, toldIn } from './a-shop.ts';

const STORY_MS = 180_000;
const ONCE = Object.fromEntries(GOOD.slice(0, 3).map((account) => [account, 1]));
const rows: readonly Row[] = GOOD.slice(0, 3).map(
  (account, index) => [account, `${50 + index}.00`, `P-${index}`] as const,
);

let shop: Shop;
afterEach(() => shop.close());

const ledger = (...more: string[]) => join(shop.office.folder, 'state', 'payfile', 'ledger.db', ...more);

async function openWithMay(): Promise<void> {
  shop = await openShop();
  shop.office.file('may.csv', payrollCsv(rows));
}

// A tool whose memory is a file beside it pays the whole payroll again where that file is gone.
it(
  'a ledger that was deleted is not made anew behind anybody’s back',
  async () => {
    await openWithMay();
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    for (const ending of ['', '-wal', '-shm', '.emergency']) rmSync(`${ledger()}${ending}`, { force: true });
    for (const words of [
      runWords('may.csv', 'may'),
      [...runWords('may.csv', 'may'), '--new-ledger'],
      ['init'],
    ]) {
      const again = await shop.payfile(...words);
      expect(again.code, again.stderr).toBe(78);
      expect(toldIn(again)).toContain(`The ledger ${ledger()} is gone, and with it what was paid from it.`);
      expect(toldIn(again)).not.toContain('payfile init');
    }
    expect(shop.received()).toEqual(ONCE);
  },
  STORY_MS,
);

// A tool that trusts whatever memory it finds sends what that memory still calls unsent.
it(
  '[L25] a ledger that was restored from yesterday sends nothing',
  async () => {
    await openWithMay();
    const planned = await shop.payfile('plan', 'may.csv', '--batch', 'may', '--json');
    const { digest } = planned.json()['plan'] as { digest: string };
    expect((await shop.payfile('approve', 'may', '--digest', digest)).code).toBe(0);
    const backup = join(shop.office.folder, 'backup.db');
    copyFileSync(ledger(), backup);
    shop.later(20);
    expect((await shop.run('may.csv', 'may')).code).toBe(0);
    expect(shop.received()).toEqual(ONCE);

    for (const ending of ['-wal', '-shm']) rmSync(`${ledger()}${ending}`, { force: true });
    copyFileSync(backup, ledger());
    for (const words of [runWords('may.csv', 'may'), ['send', 'may'], ['resume', 'may']]) {
      const refused = await shop.payfile(...words);
      expect(refused.code, refused.stderr).toBe(78);
      expect(toldIn(refused)).toContain('payfile verify --accept-rollback');
    }
    expect(shop.received()).toEqual(ONCE);

    const checked = await shop.payfile('verify');
    expect([checked.code, toldIn(checked)]).toEqual([78, expect.stringContaining('older than this machine')]);
    const accepted = await shop.payfile('verify', '--accept-rollback');
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(toldIn(accepted)).toContain('payfile reconcile may --statement FILE --accept');
    for (const words of [runWords('may.csv', 'may'), ['send', 'may']]) {
      const waiting = await shop.payfile(...words);
      expect(waiting.code, waiting.stderr).toBe(6);
      expect(toldIn(waiting)).toContain('the ledger was set back');
    }
    expect(shop.received()).toEqual(ONCE);
  },
  STORY_MS,
);

// A tool that sends whatever was approved once pays what was settled by hand in the meantime.
it(
  'an approval that is a week old sends nothing until somebody agrees once more',
  async () => {
    await openWithMay();
    const planned = await shop.payfile('plan', 'may.csv', '--batch', 'may', '--json');
    const { digest } = planned.json()['plan'] as { digest: string };
    expect((await shop.payfile('approve', 'may', '--digest', digest)).code).toBe(0);
    shop.later(7 * 24);
    const sent = await shop.payfile('send', 'may');
    expect(sent.code, toldIn(sent)).toBe(10);
    expect(toldIn(sent)).toContain('payfile approve may');
    expect(shop.received()).toEqual({});
    const explained = await shop.payfile('explain', 'may', '2');
    expect(toldIn(explained)).toContain('the approval is older than 24 h');
  },
  STORY_MS,
);

// A tool that looks for repeats only while it plans finds none here, and sends both.
it(
  '[L22] two batches with the same rows, planned before either is sent, pay each row once',
  async () => {
    await openWithMay();
    shop.office.file('copy.csv', payrollCsv(rows.toReversed()));
    for (const [file, name] of [
      ['may.csv', 'may'],
      ['copy.csv', 'wages'],
    ] as const) {
      const planned = await shop.payfile('plan', file, '--batch', name, '--json');
      expect(planned.code, planned.stderr).toBe(0);
    }
    const at = [
      ['may.csv', 'may'],
      ['copy.csv', 'wages'],
    ] as const;
    const both = await Promise.all(at.map(([file, name]) => shop.run(file, name)));
    expect(shop.received()).toEqual(ONCE);
    // Rows that are held meanwhile change the plan: nothing of it is approved then, and it is run again.
    for (const [index, [file, name]] of at.entries())
      if (both[index]?.code === 10) both[index] = await shop.run(file, name);
    expect(shop.received()).toEqual(ONCE);
    const codes = both.map(({ code }) => code);
    for (const code of codes) expect([0, 3]).toContain(code);
    expect(codes).toContain(3);
    expect(both.map(toldIn).join(' ')).toMatch(/May be the same payment as row \d of batch (may|wages)/);
  },
  STORY_MS,
);

// Two copies of a tool read the same file, and each sends what it read.
it(
  '[B9][L21] the same file, run by two people on two terminals at the same moment, is paid once',
  async () => {
    await openWithMay();
    await shop.office.payfile('init');
    mkdirSync(join(shop.office.folder, 'ben'));
    shop.office.file('ben/may.csv', payrollCsv(rows.toReversed()));
    const both = await Promise.all([shop.run('may.csv', 'may'), shop.run('ben/may.csv', 'may')]);
    expect(shop.received()).toEqual(ONCE);
    const codes = both.map(({ code }) => code);
    expect(codes).toContain(0);
    const other = both.find(({ code }) => code !== 0);
    if (other !== undefined) {
      expect(other.code, other.stderr).toBe(75);
      expect(toldIn(other)).toMatch(/process \d+/);
    }
    const late = await shop.run('ben/may.csv', 'may');
    expect(late.code).toBe(0);
    expect(toldIn(late)).toContain('Nothing to send');
    expect(shop.received()).toEqual(ONCE);
  },
  STORY_MS,
);
