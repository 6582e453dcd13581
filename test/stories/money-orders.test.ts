/** What is paid is what the file says now, letter for letter: corrected accounts, withdrawn rows, the same bytes again. */
import { expect, it } from 'vitest';
import { openPayroll } from './a-payroll.ts';

interface Settled {
  readonly account: string;
  readonly status: string;
}

it.each([
  ['GCB Bank', '0244123456', '233244123456'],
  ['GCB Bank', '0244123456', '+233244123456'],
  ['GCB Bank', '233244123456', '0244123456'],
  ['GCB Bank', '12-34-567890', '1234567890'],
  ['GCB Bank', 'john.doe1', 'johndoe1'],
  ['GCB Bank', 'Ama_K7', 'AMA_K7'],
  ['GCB Bank', 'ama-k7', 'amak7'],
] as const)(
  'pays the corrected account and not the planned one: %s, %s → %s',
  async (institution, was, is) => {
    const { service, file, plan, run, payfile, paid } = await openPayroll();
    service.holder = () => 'Ama Mensah';
    const line = { institution, amount: '1200.00', name: 'Ama Mensah', reference: 'R-1' };
    file('may.csv', [{ ...line, account: was }]);
    await plan('may.csv', 'may');
    file('may.csv', [{ ...line, account: is }]);
    await plan('may.csv', 'may');
    const ended = await run('may.csv', 'may');
    expect(ended.code, ended.stderr).toBe(0);
    expect(paid()).toEqual([is]);
    const { stdout } = await payfile('report', 'may', '--format', 'json');
    const { rows } = JSON.parse(stdout) as { rows: readonly Settled[] };
    expect(rows.filter(({ status }) => status === 'settled').map(({ account }) => account)).toEqual([is]);
  },
);

it('can be told the country code that it advises: the account that was not found is replaced', async () => {
  const { service, file, plan, run, paid } = await openPayroll();
  service.holder = (account) => (account === '254712345678' ? 'Wanjiru Kamau' : undefined);
  const line = { country: 'Kenya', institution: 'M-Pesa', amount: '500.00', name: 'Wanjiru Kamau' };
  file('may.csv', [{ ...line, account: '0712345678' }]);
  await plan('may.csv', 'may');
  file('may.csv', [{ ...line, account: '254712345678' }]);
  const ended = await run('may.csv', 'may');
  expect(ended.code, ended.stderr).toBe(0);
  expect(paid()).toEqual(['254712345678']);
});

it('pays two people whose accounts differ by marks alone, each under the name of their own account', async () => {
  const { service, file, run, paid } = await openPayroll();
  service.holder = (account) => (account === 'john.doe1' ? 'John Doe' : 'Josephine Hammond');
  const line = { institution: 'GCB Bank', amount: '75.00' };
  file('may.csv', [
    { ...line, account: 'john.doe1', name: 'John Doe', reference: 'R-1' },
    { ...line, account: 'johndoe1', name: 'Josephine Hammond', reference: 'R-2' },
  ]);
  const ended = await run('may.csv', 'may');
  expect(ended.code, ended.stderr).toBe(0);
  expect([...paid()].sort()).toEqual(['john.doe1', 'johndoe1']);
  expect(service.book.map(({ account, name }) => `${account}: ${name}`).sort()).toEqual([
    'john.doe1: John Doe',
    'johndoe1: Josephine Hammond',
  ]);
});

it('holds a person who was paid to an account that differs by marks alone, until somebody says yes', async () => {
  const { service, file, run, payfile, later, paid } = await openPayroll();
  service.holder = () => 'Ama Mensah';
  const line = { institution: 'GCB Bank', amount: '75.00', name: 'Ama Mensah' };
  file('april.csv', [{ ...line, account: 'ama.k7', reference: 'R-1' }]);
  await run('april.csv', 'payroll-2026-04');
  later(30 * 24);
  file('may.csv', [{ ...line, account: 'amak7', reference: 'R-2' }]);
  const ended = await run('may.csv', 'payroll-2026-05');
  expect(ended.code, ended.stderr).toBe(3);
  expect(paid()).toEqual(['ama.k7']);
  await payfile('release', 'payroll-2026-05', '2', '--reason', 'She told us herself');
  await run('may.csv', 'payroll-2026-05');
  expect(paid()).toEqual(['ama.k7', 'amak7']);
});

it('pays no other holder by a release of somebody who saw the limit alone', async () => {
  const { service, file, plan, run, payfile, paid, stand } = await openPayroll({
    limits: { rowMax: { GHS: '50' } },
  });
  service.holder = () => 'Ama Mensah';
  file('may.csv', [{ account: '0244000001', amount: '75.00', name: 'Ama Mensah', reference: 'R-1' }]);
  await plan('may.csv', 'may');
  const shown = await payfile('explain', 'may', '2');
  expect(shown.stdout).toContain('over the limit');
  const first = await payfile('release', 'may', '2', '--reason', 'The limit is fine');
  expect(first.stderr.replaceAll(/\s+/g, ' ')).toMatch(/Row 2 is released for: GHS 75\.00 is over the limit/);
  service.holder = () => 'Kofi Boateng';
  await plan('may.csv', 'may');
  const second = await payfile('release', 'may', '2', '--reason', 'The amount is right');
  expect(second.code).toBe(10);
  expect(second.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /Row 2 did not change: held again after a release: .*“Kofi Boateng”\. .*name the kind: name\./,
  );
  await run('may.csv', 'may');
  expect(paid()).toEqual([]);
  expect(await stand('may')).toEqual({ held: 1 });
  const named = await payfile(
    'release',
    'may',
    '2',
    '--kind',
    'name',
    '--reason',
    'Kofi is her agent',
    '--json',
  );
  expect(named.code, named.stderr).toBe(0);
  const { released } = JSON.parse(named.stdout) as { released: readonly unknown[] };
  expect(released).toEqual([{ rowNumber: 2, reasons: [expect.stringContaining('“Kofi Boateng”')] }]);
  await run('may.csv', 'may');
  expect(paid()).toEqual(['0244000001']);
});

const THREE = ['0244000001', '0244000002', '0244000003'].map((account, index) => ({
  account,
  amount: `${50 + index}.00`,
  reference: `R-${index + 1}`,
}));

it.each([
  ['unchanged', (lines: typeof THREE) => lines],
  ['in another order', (lines: typeof THREE) => lines.toReversed()],
  [
    'with another amount of another row',
    ([one, two, three]: typeof THREE) => [{ ...one, amount: '99.00' }, two, three],
  ],
] as const)(
  'leaves a row that a person cancelled unpaid when cron brings the file again, %s',
  async (_, again) => {
    const { service, file, plan, run, payfile, paid } = await openPayroll();
    service.holder = () => 'Ama Mensah';
    file('may.csv', THREE);
    await plan('may.csv', 'may');
    await payfile('cancel', 'may', 'R-2', '--reason', 'She left in April');
    file('may.csv', again(THREE) as typeof THREE);
    const planned = await plan('may.csv', 'may');
    expect(planned.text).toMatch(/cancell?ed/i);
    await run('may.csv', 'may');
    await run('may.csv', 'may');
    expect([...paid()].sort()).toEqual(['0244000001', '0244000003']);
  },
);

it('leaves a cancelled row unpaid when it left the file for a while and comes back', async () => {
  const { service, file, plan, run, payfile, paid } = await openPayroll();
  service.holder = () => 'Ama Mensah';
  file('may.csv', THREE);
  await plan('may.csv', 'may');
  await payfile('cancel', 'may', 'R-2', '--reason', 'She left in April');
  file('may.csv', [THREE[0], THREE[2]] as typeof THREE);
  await plan('may.csv', 'may');
  file('may.csv', THREE);
  await run('may.csv', 'may');
  await run('may.csv', 'may');
  expect([...paid()].sort()).toEqual(['0244000001', '0244000003']);
});

it('leaves a cancelled row unpaid when the others were paid before the file comes again', async () => {
  const { service, file, plan, run, payfile, paid } = await openPayroll();
  service.holder = () => 'Ama Mensah';
  file('may.csv', THREE);
  await plan('may.csv', 'may');
  await payfile('cancel', 'may', '3', '--reason', 'She left in April');
  await run('may.csv', 'may');
  await run('may.csv', 'may');
  expect([...paid()].sort()).toEqual(['0244000001', '0244000003']);
});

const TWO_AMOUNTS = [
  'Country,Institution,Account,Net,Gross',
  'Ghana,GCB Bank,0244000001,50.00,60.00',
  'Ghana,GCB Bank,0244000002,70.00,80.00',
  '',
].join('\n');

it.each([
  ['another column of amounts', ['--map', 'amount=Gross'], 1],
  ['another column of amounts, long after', ['--map', 'amount=Gross'], 60 * 24],
  ['the same mapping', ['--map', 'amount=Net'], 1],
  ['the same mapping, long after', ['--map', 'amount=Net'], 60 * 24],
] as const)('asks before the same bytes are paid under another name, with %s', async (_, mapping, hours) => {
  const { service, office, run, payfile, later, paid } = await openPayroll();
  service.holder = () => 'Ama Mensah';
  office.file('may.csv', TWO_AMOUNTS);
  const first = await run('may.csv', 'may', '--map', 'amount=Net');
  expect(first.code, first.stderr).toBe(0);
  later(hours);
  const named = office.file('copy of may.csv', TWO_AMOUNTS);
  const second = await run(named, 'bonus', ...mapping);
  expect(second.code, second.stderr).toBe(10);
  expect(second.stdout + second.stderr).toMatch(/batch may|--repeats may/);
  expect(paid()).toHaveLength(2);
  const planned = await payfile('plan', named, '--batch', 'bonus', ...mapping);
  expect(planned.code, planned.stderr).toBe(10);
});
