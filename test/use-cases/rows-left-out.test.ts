/** Rows that a person leaves out one by one, the list of rows of a file, and whose accounts they are in the sandbox. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accountName, institutions } from '../../src/operations/lists.ts';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { checkFile, planFile, readingsOf } from '../builders/library-calls.ts';

const FILE = `Reference,Country,Institution,Account,Name,Amount,Note
R-1,Ghana,GCB Bank,1011130024501,Ama Mensah,100.00,May
R-2,Ghana,GCB Bnak,1011130024502,Ben Osei,x,
R-3,Ghana,GCB Bank,1011130990002,Yaw Boateng,300.00,
`;

function aFile(ledger = ':memory:') {
  const folder = mkdtempSync(join(tmpdir(), 'rows-left-out-'));
  const path = join(folder, 'may.csv');
  writeFileSync(path, FILE);
  const open = (): Payfile => {
    const payfile = createPayfile(
      {
        sandbox: true,
        ledger: ledger === ':memory:' ? ledger : join(folder, ledger),
        actor: 'ada',
        source: 'GB',
      },
      { env: { HOME: folder } },
    );
    onTestFinished(() => payfile.close());
    return payfile;
  };
  return { path, open };
}

it('leaves a row out when a person says its number, and says who said it', async () => {
  const { path, open } = aFile();
  const payfile = open();
  const checked = await checkFile(payfile, path, { leaveOutRow: [3] });
  expect([checked.rows, checked.invalid, checked.leftOut.rows]).toEqual([
    2,
    0,
    [{ row: 3, why: 'said', name: 'Ben Osei', amount: 'x', by: 'ada' }],
  ]);
  expect(checked.answers).toMatchObject([{ kind: 'leave_out_row', row: 3, by: 'ada' }]);
  const { plan } = await planFile(payfile, path, { batch: 'may', leaveOutRow: [3] });
  expect(Object.values(plan?.plan.counts ?? {})).toEqual([2]);
});

it('refuses a row that the table does not have', async () => {
  const { path, open } = aFile();
  await expect(checkFile(open(), path, { leaveOutRow: [9] })).rejects.toThrow(/the table has no row 9/);
});

it('never keeps for the next file that a row was left out', async () => {
  const { path, open } = aFile();
  const payfile = open();
  const asked = { leaveOutRow: [3], ignore: ['Note'], saveReading: 'payroll' };
  await checkFile(payfile, path, asked);
  const { readings } = await readingsOf(payfile);
  expect(readings.flatMap(({ answers }) => answers.map(({ kind }) => kind))).toEqual(['ignore']);
});

it('lists the first rows with masked accounts, also those that cannot be paid', async () => {
  const { path, open } = aFile();
  const { firstRows } = await checkFile(open(), path, { keepRows: 2 });
  expect(
    firstRows.map(({ row, name: who, institution, account, isInvalid }) => [
      row,
      who,
      institution,
      account,
      isInvalid,
    ]),
  ).toEqual([
    [2, 'Ama Mensah', 'GCB Bank', '••••4501', false],
    [3, 'Ben Osei', 'GCB Bnak', '••••4502', true],
  ]);
});

it('takes the people of a file for the holders of their accounts, but not where an account rehearses trouble', async () => {
  const { path, open } = aFile('ledger.db');
  const holdersWith = async (payfile: Payfile) => {
    const { institutions: listed } = await payfile.call(institutions, { country: 'GH' });
    const institution = listed.find(({ name: called }) => called === 'GCB Bank')?.id ?? '';
    const asked = ['1011130024501', '1011130990002'].map((account) =>
      payfile.call(accountName, { institution, account }),
    );
    return (await Promise.all(asked)).map((found) => found.name);
  };
  const first = open();
  await checkFile(first, path, { keepRows: 10 });
  const invented = await holdersWith(first);
  expect(JSON.stringify(invented)).not.toContain('Ama Mensah');
  await checkFile(first, path, { keepRows: 10, namesHolders: true });
  const named = JSON.stringify(await holdersWith(first));
  expect(named).toContain('Ama Mensah');
  expect(named).not.toContain('Yaw Boateng');
  await first.close();
  expect(JSON.stringify(await holdersWith(open()))).toBe(named);
});
