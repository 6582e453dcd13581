/** A batch of which something was sent, and a service that is away when it is run again: what is said, and the exit code. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  ANSWER_LOST,
  GOOD,
  NEVER_FINISHES,
  openOffice,
  payrollCsv,
  REFUSED,
  type Row,
  startLiveService,
} from '../builders/office.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const CEILING = ['--max-total', 'GHS=9999'];
const good = (count: number): Row[] => GOOD.slice(0, count).map((account) => [account, '100.00']);

/** Runs a file once, and takes the service away. */
async function runOnce(rows: readonly Row[], ...flags: readonly string[]) {
  const service = await startLiveService();
  const office = openOffice(service.env);
  open.push(office);
  office.file('may.csv', payrollCsv(rows));
  const run = (...more: readonly string[]) =>
    office.payfile('run', 'may.csv', '--batch', 'may', ...CEILING, ...more);
  const first = await run('--new-ledger', ...flags);
  await service.sandbox.close();
  return { ...office, run, first };
}

describe('running a half-sent batch again while the service is away', () => {
  it('says how many rows were sent before and how many wait, and ends with 6', async () => {
    const { run, payfile, first } = await runOnce([[REFUSED, '50.00'], ...good(2)], '--canary', '1');
    expect(first.code, first.stderr).toBe(6);
    const again = await run();
    expect(again.code, again.stderr).toBe(6);
    expect(again.stdout).toContain('3 payments: 1 failed, 2 approved');
    expect(again.stderr).toContain(
      'This command sent nothing. Earlier commands sent 1 row. 2 rows were not sent. Could not get',
    );
    expect(again.stderr).toContain('Next: payfile run may.csv --batch may\n');
    const json = (await run('--json')).json();
    expect(json).toMatchObject({ exitCode: 6, counts: { failed: 1, approved: 2 } });
    expect(json['error']).toMatchObject({ code: 'service_unavailable' });
    const sent = await payfile('send', 'may');
    expect(sent.code, sent.stderr).toBe(6);
    expect(sent.stderr).not.toContain('Nothing was sent');
  });

  it('says that a row may have been paid, and ends with 5', async () => {
    const { run, first } = await runOnce([[ANSWER_LOST, '50.00'], ...good(1)], '--canary', '1');
    expect(first.code, first.stderr).toBe(5);
    const again = await run();
    expect(again.code, again.stderr).toBe(5);
    expect(again.stderr).toContain('This command sent nothing. 1 row may have been paid. The ledger has no');
    expect(again.stderr).toContain('Next: payfile explain may 2\n');
  });

  it('ends with 6 while a payment is on its way', async () => {
    const { run, first } = await runOnce([[NEVER_FINISHES, '50.00']], '--deadline', '1s');
    expect(first.code, first.stderr).toBe(4);
    const again = await run();
    expect(again.code, again.stderr).toBe(6);
    expect(again.stderr).toContain('Earlier commands sent 1 row.');
  });
});

it('ends with 69 where all that was sent has its outcome, and does not call it nothing', async () => {
  const { run, first } = await runOnce(good(2));
  expect(first.code, first.stderr).toBe(0);
  const again = await run();
  expect(again.code, again.stderr).toBe(69);
  expect(again.stderr).toContain('This command sent nothing. Earlier commands sent 2 rows.');
  expect(again.stderr).not.toContain('Nothing was sent');
});
