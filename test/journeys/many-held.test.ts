/** Many names that do not match: the screen stays in proportion, and says how to let them go on. */
import { expect, it } from 'vitest';
import { officesFor } from '../builders/offices.ts';

const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

async function held(
  rows: number,
  cells = (at: number) => `Ghana,GCB Bank,10111300245${at + 11},15${at}.50,Nobody ${at}`,
) {
  const office = newOffice();
  const lines = Array.from({ length: rows }, (_, at) => cells(at));
  office.file('may.csv', ['country,institution,account,amount,name', ...lines, ''].join('\n'));
  const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
  return { sandbox, ended: await sandbox('run', 'may.csv', '--yes', '--batch', 'may') };
}

it('shows what to do once, a few reasons, and one command for all of them', async () => {
  const { sandbox, ended } = await held(12);
  expect(ended.code, ended.stderr).toBe(3);
  // Nobody is asked to agree, so no plan is printed that would say it.
  expect(ended.stderr).toContain('The sandbox makes up a holder for each account.');
  const list = ended.stdout.slice(ended.stdout.indexOf('To look at:'));
  expect(list.split('\n').length).toBeLessThanOrEqual(18);
  expect(list.match(/payfile release may 2 /g)).toHaveLength(1);
  expect(list).toContain('… and 9 more like row 2: payfile status may --sandbox');
  expect(list.replace(/\s+/g, ' ')).toContain(
    'All 12 held rows at once, once each of them is known to be right: payfile release may --all --reason TEXT --sandbox',
  );
  const { stdout } = await sandbox('status', 'may');
  expect(stdout.match(/^Row \d+ /gm)).toHaveLength(12);
  expect(stdout.match(/To\s+do:\s+as\s+for\s+row\s+2\./g)).toHaveLength(11);
  expect(stdout).not.toMatch(/[^.!?]\s+To\s+do:/);
  const released = await sandbox('release', 'may', '--all', '--reason', 'HR confirmed the names');
  expect(released.stdout).toContain('Released: 12 rows');
}, 30_000);

it('calls a batch finished only where no row of it waits for a person', async () => {
  const name = (at: number) => (at === 0 ? '' : 'Nobody');
  const { sandbox } = await held(2, (at) => `Ghana,GCB Bank,10111300245${at + 11},15${at}.50,${name(at)}`);
  const one = await sandbox('status', 'may');
  expect(one.stdout).toContain('Batch may waits for a person: 2 payments: 1 settled, 1 held.');
  expect((await sandbox('status')).stdout).toMatch(/ may .* waits for a person +1 settled, 1 held/);
  expect((await sandbox('status', 'may', '--json')).json()['status']).toBe('finished');
  await sandbox('cancel', 'may', '3', '--reason', 'left');
  expect((await sandbox('status', 'may')).stdout).toContain('Batch may is finished: 2 payments');
}, 30_000);

it('prices a released row before anybody approves the rest', async () => {
  const { file, payfile } = newOffice();
  const lines = ['11,150.50,Nobody', '12,151.50,'].map((end) => `Ghana,GCB Bank,10111300245${end}`);
  file('may.csv', ['country,institution,account,amount,name', ...lines, ''].join('\n'));
  await payfile('plan', 'may.csv', '--batch', 'may', '--sandbox');
  expect((await payfile('status', 'may', '--sandbox')).stderr).toContain('payfile approve may ');
  await payfile('release', 'may', '2', '--reason', 'HR confirmed', '--sandbox');
  const { stdout, stderr } = await payfile('status', 'may', '--sandbox');
  expect(stdout).toContain('1 waiting for approval, 1 not priced yet');
  expect(stderr).toMatch(/Next: payfile run \S*may\.csv --batch may --sandbox\n/);
}, 30_000);

it('names no command for all of them where a row may be paid twice', async () => {
  const { ended } = await held(3, (at) => `Ghana,GCB Bank,1011130024511,150.50,Nobody ${at}`);
  expect(ended.stdout).toContain('To look at:');
  expect(ended.stdout).not.toContain('release may --all');
}, 30_000);

it('says that --names changes no row that is held already', async () => {
  const { sandbox } = await held(2);
  const run = ['run', 'may.csv', '--batch', 'may', '--yes'];
  const said = 'rows were held for their names before.';
  expect((await sandbox(...run, '--names', 'no_match=warn')).stderr).toContain(`2 ${said}`);
  expect((await sandbox(...run)).stderr).not.toContain(said);
}, 30_000);
