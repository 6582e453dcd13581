/** A live service calls a transfer failed: what a person is shown until that is confirmed, and when it is. */
import { afterEach, expect, it } from 'vitest';
import { clock, GOOD, openOffice, payrollCsv, startLiveService } from '../builders/office.ts';

const FAILED_LATER = '1011130990012';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

it('is named with what the service says and when it is asked again, and never advised to be paid again before', async () => {
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
  const said = run.stdout.replace(/\s+/g, ' ');
  const told =
    /To look at: Row 3 ! On its way, called failed\. The service says “Failed”, first at (\S+ \S+) UTC\. That is not confirmed yet, so the row is still on its way\. A run that is going asks again at (\S+ \S+) UTC; if none is, ask from then on: payfile settle may$/;
  expect(said.trimEnd()).toMatch(told);
  const [, firstAt = '', askedAt = ''] = told.exec(said.trimEnd()) ?? [];
  const at = (minute: string) => Date.parse(`${minute.replace(' ', 'T')}Z`);
  // Rounded up to the minute.
  expect([600_000, 660_000]).toContain(at(askedAt) - at(firstAt));
  expect(run.stderr).toMatch(/^Next: payfile settle may$/m);
  const status = await payfile('status', 'may', '--json');
  expect(status.json().attention).toMatchObject([{ row: 3, status: 'accepted', suspected: true }]);
  expect((await payfile('explain', 'may', '3')).stdout).toContain('That is not confirmed yet');
  clock.advance(601_000);
  const settled = await payfile('settle', 'may', '--deadline', '1m');
  expect(settled.code, settled.stderr).toBe(3);
  expect(settled.stdout).toMatch(/Row 3\s+✖ Failed\. The service took it and later called it failed/);
}, 60_000);

function openOfficeOf(service: Awaited<ReturnType<typeof startLiveService>>) {
  const office = openOffice({ ...service.env, PAYFILE_POLL_MIN_MS: '1000' });
  open.push(service.sandbox, office);
  return office;
}
