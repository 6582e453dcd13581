/** What check says of a file besides its issues: which columns it did not use, and what it took for a total. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openRows } from '../../src/files/payout-file.ts';
import type { PaymentService } from '../../src/ports/payment-service.ts';
import { checkFile } from '../../src/use-cases/intake/check-file.ts';
import { optionsOf, SANDBOX_LISTS } from '../corpus/read-corpus.ts';
import { buildZip, workbookParts } from '../files/build-zip.ts';
import { withFile } from '../files/read-file.ts';

const ROW = 'Ghana,GCB Bank,1011130024576,120.50';

const checked = (...lines: readonly string[]) => checkedBy(SANDBOX_LISTS, ...lines);

function checkedBy(paymentService: PaymentService, ...lines: readonly string[]) {
  return withFile(`${lines.join('\n')}\n`, (path) =>
    checkFile(openRows, optionsOf(path, new Map()), {
      paymentService,
      tell: () => undefined,
    }),
  );
}

describe('check', () => {
  it.each([
    ['countries', 'the list of countries'],
    ['institutions', 'the institutions of Ghana'],
  ] as const)('calls an empty list of %s an outage, and no row wrong', async (list, what) => {
    const paymentService = { ...SANDBOX_LISTS, [list]: async () => ({ kind: 'answered', answer: [] }) };
    await expect(checkedBy(paymentService, 'Country,Bank,Account,Amount', ROW)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: `Could not get ${what} from the payment service: the list is empty. Try again.`,
    });
  });

  it('names the columns that it does not use, and says when none of them was taken for the name', async () => {
    const { notes } = await checked('Nickname,Country,Bank,Account,Amount,Team', `Yaw A.,${ROW},Sales`);
    expect(notes).toContain('Not used for the payment, kept for the report: Nickname, Team');
    expect(notes).toContain('no column for the name, so names cannot be compared');
  });

  it('says nothing of columns where all of them are used', async () => {
    const { notes } = await checked('Name,Country,Bank,Account,Amount', `Yaw Acheampong,${ROW}`);
    expect(notes.filter((note) => note.includes('column'))).toEqual([]);
  });

  it('takes a total for one whose label stands in the column of the account', async () => {
    const { rows, invalid, notes } = await checked(
      'Pays,Banque,Compte,Montant',
      ROW,
      ROW.replace('120.50', '79.50'),
      ',,Total général,200.00',
    );
    expect({ rows, invalid }).toEqual({ rows: 2, invalid: 0 });
    expect(notes).toContain('row 4 is a total, 200.00; it agrees with the amounts above it');
  });

  it('[F26] refuses the file where that total is another one', async () => {
    const lines = ['Pays,Banque,Compte,Montant', ROW, ',,Total,200.00'];
    await expect(checked(...lines)).rejects.toThrow('row 3 says that the total is 200.00');
  });

  it.each([
    ['in the column of the name', 'Name', 'Sum Wong'],
    ['in the column of the name, as the sum of what stands above', 'Name', 'Total Energies', '120.50'],
    ['in a column of its own', 'Branch', 'Total Energies'],
  ])('leaves no row out whose label may be a name: %s', async (_, header, label, amount = '77.00') => {
    const wrong = ROW.replace('1011130024576', 'x');
    const { rows, invalid } = await checked(
      `${header},Country,Bank,Account,Amount`,
      `Ama,${ROW}`,
      `${label},,,,${amount}`,
      `Yaw,${wrong}`,
    );
    expect({ rows, invalid }).toEqual({ rows: 3, invalid: 2 });
  });

  it.each([
    ['Total', 'Name'],
    ['Sum', 'Name'],
    ['Soma', 'Team'],
    ['Somme', 'Country'],
  ])(
    'leaves no row out that says %s in the column %s while the rows above it are not all right',
    async (label, header) => {
      const lines = (amount: string, account: string) => [
        'Name,Team,Country,Bank,Account,Amount',
        `Ama,,${ROW.replace('1011130024576', account)}`,
        ['Name', 'Team', 'Country', '', ''].map((each) => (each === header ? label : '')).join(',') +
          `,${amount}`,
      ];
      const wrong = await checked(...lines('77.00', 'x'));
      expect(wrong).toMatchObject({ rows: 2, invalid: 2 });
      expect(wrong.notes.join(' ')).not.toContain('is a total');
      const right = await checked(...lines('120.50', '1011130024576'));
      expect(right).toMatchObject({ rows: 1, invalid: 0 });
      expect(right.notes).toContain('row 3 is a total, 120.50; it agrees with the amounts above it');
    },
  );

  it('refuses the file for a wrong total in the column of names, and the row where it may name somebody', async () => {
    const lines = (label: string) => ['Name,Country,Bank,Account,Amount', `Ama,${ROW}`, `${label},,,,77.00`];
    await expect(checked(...lines('Total'))).rejects.toThrow('row 3 says that the total is 77.00');
    expect(await checked(...lines('Soma'))).toMatchObject({ rows: 2, invalid: 1 });
  });

  it('takes a section’s total for one, also where it cannot be compared', async () => {
    const wrong = ROW.replace('1011130024576', 'x');
    const { rows, notes } = await checked(
      'Team,Country,Bank,Account,Amount',
      `A,${wrong}`,
      'Sub-total A,,,,77.00',
    );
    expect(rows).toBe(1);
    expect(notes.join(' ')).toContain('row 3 is a total, 77.00, not compared');
  });

  it('[F23] finds the merged cells of a long workbook before any row of it counts', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const line = (cells: string) => `<row>${cells.split(',').map(text).join('')}</row>`;
    const lines = Array.from({ length: 10_000 }, (_, at) =>
      line(`${hash('sha256', `${at}`).slice(0, 35)},${ROW}`),
    ).join('');
    const sheet =
      `<sheetData>${line('Reference,Country,Bank,Account,Amount')}${lines}</sheetData>` +
      '<mergeCells><mergeCell ref="C2:C3"/><mergeCell ref="D7:D8"/></mergeCells>';
    const found = await withFile(buildZip(workbookParts({ sheets: { May: sheet } })), (path) =>
      checkFile(openRows, optionsOf(path, new Map()), {
        paymentService: SANDBOX_LISTS,
        tell: () => undefined,
      }),
    );
    expect(found.rows).toBe(10_000);
    expect(found.issues.map(({ row, issues }) => [row, issues[0]?.kind, issues[0]?.field])).toEqual([
      [2, 'cell_merged', 'institution'],
      [3, 'cell_merged', 'institution'],
      [7, 'cell_merged', 'account'],
      [8, 'cell_merged', 'account'],
    ]);
  });

  it('names a reference that two rows have at once with what else is wrong in them, not after that is corrected', async () => {
    const faults = await checked(
      'Ref,Country,Bank,Account,Amount',
      'M1,Ghana,GCB Bank,1011130024576,120.50',
      'M2,Ghana,GCB Bnk,1011130024577,130.50',
      'M2,Ghana,GCB Bnk,1011130024578,half',
      'M3,Ghana,GCB Bnk,1011130024579,half',
      // The same row once more is one that would be held, and no wrong reference.
      'M3,Ghana,GCB Bnk,1011130024579,half',
      'Total,,,,half',
      'Total,,,1011130024579,half',
    );
    const found = faults.issues.flatMap(({ row, issues }) =>
      issues.flatMap(({ kind, seen, expected }) =>
        kind === 'reference_repeated' ? [[row, seen, expected]] : [],
      ),
    );
    expect(found).toEqual([[4, 'M2', 'a reference of its own; row 3 has the same one']]);
  });

  it('explains why a header that names a currency is left for the person to map', async () => {
    const refused = checked('Country,Bank,Account,Net Pay (GHS)', ROW);
    await expect(refused).rejects.toThrow('“Net Pay (GHS)” is not taken by itself');
    await expect(refused).rejects.toMatchObject({
      unmapped: ['amount'],
      questions: [{ choices: [{ answers: [{ kind: 'map', field: 'amount', headers: ['Net Pay (GHS)'] }] }] }],
    });
  });

  it.each([
    [
      'Country,Bank,Account,Salary,Net Pay (GHS)',
      'D “Salary” (120.50) is the amount so far, and E “Net Pay (GHS)” (4000) may be meant',
    ],
    [
      'Country,Bank,Account,Amount,Amount ($)',
      'D “Amount” (120.50) is the amount so far, and E “Amount ($)” (4000) may be meant',
    ],
    [
      'Country,Bank,Account,Amount,USD Amount',
      'D “Amount” (120.50) is the amount so far, and E “USD Amount” (4000) may be meant',
    ],
    [
      'Country,Bank,Account,Amount,Account (new)',
      'C “Account” (••••4576) is used so far, and E “Account (new)” (4000) may be meant',
    ],
  ])('[F27] asks which of two columns counts, where the second is no alias: %s', async (header, said) => {
    await expect(checked(header, `${ROW},4000`)).rejects.toThrow(`${said}.`);
  });

  it.each(['Amount (in words)', 'Montant (en lettres)', 'Net Pay (GHS) (not used)', 'Fee (GHS)'])(
    'takes %s for no second amount',
    async (own) => {
      const { rows, invalid } = await checked(`Country,Bank,Account,Amount,${own}`, `${ROW},Ama`);
      expect({ rows, invalid }).toEqual({ rows: 1, invalid: 0 });
    },
  );
});
