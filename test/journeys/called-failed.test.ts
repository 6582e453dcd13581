/** A live service calls a transfer failed: what a person is shown until that is confirmed, and when it is. */
import { afterEach, expect, it } from 'vitest';
import { clock, GOOD, openOffice, payrollCsv, startLiveService } from '../builders/office.ts';

const FAILED_LATER = '1011130990012';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

it('is on its way (4) until the failure is confirmed, and payfile suggests no second payment before', async () => {
  const service = await startLiveService();
  const { payfile, file } = openOfficeOf(service);
  file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '50.00'],
      [FAILED_LATER, '70.00'],
    ]),
  );
  const limits = ['--max-total', 'GHS=999', '--deadline', '1m'];
  const run = await payfile('run', 'may.csv', '--batch', 'may', '--new-ledger', ...limits);
  expect(run.code, run.stderr).toBe(4);
  expect(run.stderr).toMatch(/^Next: payfile settle may$/m);
  const status = await payfile('status', 'may', '--json');
  expect(status.json().attention).toMatchObject([{ row: 3, status: 'accepted', suspected: true }]);
  expect(run.stdout + (await payfile('explain', 'may', '3')).stdout).not.toContain('payfile reissue');
  clock.advance(601_000);
  const settled = await payfile('settle', 'may', '--deadline', '1m', '--json');
  expect(settled.code, settled.stderr).toBe(3);
  expect(settled.json().counts).toMatchObject({ settled: 1, failed: 1 });
}, 60_000);

function openOfficeOf(service: Awaited<ReturnType<typeof startLiveService>>) {
  const office = openOffice({ ...service.env, PAYFILE_POLL_MIN_MS: '1000' });
  open.push(service.sandbox, office);
  return office;
}
