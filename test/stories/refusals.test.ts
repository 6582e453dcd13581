/** Stories in which the service refuses: what is sent again, and what is not. */
import { afterEach, expect, it } from 'vitest';
import { GOOD, payrollCsv, type Row } from '../builders/office.ts';
import { openShop, runWords, type Shop, toldIn } from './a-shop.ts';

const STORY_MS = 180_000;
const [AMA = '', KOFI = '', ESI = ''] = GOOD;
const REFUSED_BY_CODE_1 = '1011130990021';
const EMPTIES_THE_BALANCE = '1011130990024';

let shop: Shop;
afterEach(() => shop.close());

const sends = () => shop.requests.filter((line) => /^POST \S*\btransfer\b/.test(line)).length;

// A tool that takes code 1 for a session that ended logs in and posts again, for every refusal there is.
it(
  'a service that refuses everything with code 1 is asked once for each row',
  async () => {
    shop = await openShop();
    shop.service.setScenario({ everyRefusalIsCode1: true });
    const rows: readonly Row[] = [
      [AMA, '50.00'],
      [REFUSED_BY_CODE_1, '60.00'],
      ['1011130990020', '70.00'],
      [KOFI, '80.00'],
    ];
    shop.office.file('may.csv', payrollCsv(rows));
    const run = await shop.run('may.csv', 'may');
    expect(run.code, run.stderr).toBe(3);
    expect(toldIn(run)).toMatch(/Row 3 ✖ Failed\. The service refused it/);
    expect(toldIn(run)).toContain('payfile reissue may');
    expect(shop.received()).toEqual({ [AMA]: 1, [KOFI]: 1 });
    expect(sends()).toBe(4);
    await shop.run('may.csv', 'may');
    expect(sends()).toBe(4);
  },
  STORY_MS,
);

// A tool whose run failed half-way is started once more with the whole file when the balance is filled.
it(
  '[E15] a balance that runs empty in the middle of a payroll pays nobody twice when it is filled',
  async () => {
    shop = await openShop();
    const csv = [
      'Reference,Country,Institution,Account,Amount',
      `R-1,GH,GCB Bank,${AMA},50.00`,
      `R-2,GH,GCB Bank,${EMPTIES_THE_BALANCE},60.00`,
      `R-3,GH,Ecobank Ghana,${KOFI},70.00`,
      `R-4,GH,GCB Bank,${ESI},80.00`,
      `R-5,GH,GCB Bank,${GOOD[3]},90.00`,
      `R-6,GH,GCB Bank,${GOOD[4]},95.00`,
    ].join('\n');
    shop.office.file('may.csv', csv);
    const stopped = await shop.run('may.csv', 'may');
    expect(stopped.code, stopped.stderr).toBe(6);
    expect(toldIn(stopped)).toContain('refused alike');
    expect(toldIn(stopped)).toContain('payfile resume may');
    expect(shop.received()).toEqual({ [AMA]: 1 });
    expect(sends()).toBe(4);

    shop.service.reset();
    shop.service.setScenario({ scenarioAccounts: false });
    // The whole file once more, as a person would: paused means paused.
    expect((await shop.payfile(...runWords('may.csv', 'may'))).code).toBe(6);
    expect((await shop.payfile('resume', 'may')).code).toBe(0);
    expect((await shop.run('may.csv', 'may')).code).toBe(3);
    expect((await shop.payfile('reissue', 'may', '--all-failed')).code).toBe(0);
    const last = await shop.run('may.csv', 'may');
    expect(last.code, last.stderr).toBe(0);
    expect(Object.values(shop.received())).toEqual([1, 1, 1, 1, 1, 1]);
  },
  STORY_MS,
);
