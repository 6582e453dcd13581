/** Lists as people lay them out: groups with headings and totals, and other things below the list. */
import { expect, it } from 'vitest';
import { openRows } from '../../src/files/payout-file.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { checkFile } from '../../src/use-cases/intake/check-file.ts';
import { optionsOf, SANDBOX_LISTS } from '../corpus/read-corpus.ts';
import { withFile } from '../files/read-file.ts';

const PORTS = { paymentService: SANDBOX_LISTS, tell: () => undefined };

/** Row numbers: those with issues, and why others are left out (text, total, second table). */
function outcome(lines: readonly string[]) {
  const width = lines[0]?.split('|').length ?? 0;
  const text = lines.map((line) => [...line.split('|'), ...Array<string>(width)].slice(0, width).join('|'));
  return withFile(`${text.join('\n')}\n`, async (path) => {
    try {
      const found = await checkFile(openRows, optionsOf(path, new Map()), PORTS);
      const left = found.leftOut.rows.map(({ row, why }) => `${row}${why[0]}`).join(' ');
      const pays = `pays ${found.rows - found.invalid}`;
      return [pays, left, found.issues.map(({ row }) => row).join(' ')].join('; ').replace(/[; ]+$/, '');
    } catch (error) {
      if (error instanceof FileRefused) return error.message;
      throw error;
    }
  });
}

const HEADER = 'No|Name|Country|Bank|Account No|Net Pay';
const YAW = '1|Yaw Acheampong|Ghana|GCB Bank|1011130024576|1450';
const EFUA = '2|Efua Quaye|Ghana|Stanbic Bank Ghana|9040006712384|1699.75';
const AMA = '3|Ama Serwaa Boateng|Ghana|MTN Mobile Money|0244123456|300';
const PETER = '4|Peter Mwangi|Kenya|KCB Bank Kenya|1182345670|48250';
const OKELLO = '1|Peter Okello|Uganda|Stanbic Bank Uganda|9030001234567|1,903,000/=';
const AUMA = '2|Jane Auma|Uganda|MTN Mobile Money|0772123456|2,000,000/=';
const LIST = [HEADER, YAW, EFUA, AMA];

it.each<readonly [what: string, lines: readonly string[], comesTo: string]>([
  [
    'a heading and a total for each department',
    [
      HEADER,
      'Sales',
      YAW,
      EFUA,
      'Total Sales|||||3149.75',
      'Stores',
      AMA,
      'Total for Stores|||||300',
      'TOTAL|||||3449.75',
    ],
    'pays 3; 2n 5t 6n 8t 9t',
  ],
  [
    'a department’s total that does not agree',
    [HEADER, 'Sales', YAW, EFUA, 'Total Sales|||||3100', 'TOTAL|||||3149.75'],
    'row 5 says that the total is 3100.00',
  ],
  [
    'a total of all that does not agree, below totals that do',
    [
      HEADER,
      'Sales',
      YAW,
      'Sales Total|||||1450',
      'Stores',
      AMA,
      'Stores Total|||||300',
      'Grand Total|||||1800',
    ],
    'row 8 says that the total is 1800.00',
  ],
  [
    'headings and totals in the column of names',
    [HEADER, '|Sales', YAW, EFUA, '|Total Sales||||3149.75', '|Grand Total||||3149.75'],
    'pays 2; 2n 5t 6t',
  ],
  [
    'a total of a month in the column of names',
    [HEADER, YAW, EFUA, '|Total for November||||3149.75', '|Total Nov 2026||||3149.75'],
    'pays 2; 4t 5t',
  ],
  [
    'a total of a month that does not agree, which may be about somebody',
    [HEADER, YAW, EFUA, '|Total for November||||3000'],
    'pays 2; ; 4',
  ],
  [
    'a total that counts its rows in the column of banks',
    [HEADER, YAW, EFUA, '||Total|2||3149.75'],
    'pays 2; 4t',
  ],
  [
    'a second table with its own header, which counts in the column of banks',
    [
      ...LIST,
      '||Total|||3449.75',
      'Summary',
      '|Bank||Staff||Amount',
      '|GCB Bank||1||1450',
      '|Total||3||3449.75',
    ],
    'pays 3; 5t 6n 7s 8s 9t',
  ],
  [
    'other sums that name nobody, below the total of the list',
    [
      ...LIST,
      '||Total|||3449.75',
      'Deductions',
      '||PAYE|||900',
      '||SSNIT|||410',
      '||Total deductions|||1310',
    ],
    'pays 3; 5t 6n 7s 8s 9s',
  ],
  [
    'a sum that names nobody, below a total of a part',
    [HEADER, YAW, '||Total|||1450', '||Bonus|||900', EFUA],
    'pays 2; 3t; 4',
  ],
  [
    'somebody without an account below the total of the list',
    [...LIST, '||Total|||3449.75', 'Late claims', '|Kofi Mensah||||500'],
    'pays 3; 5t 6n; 7',
  ],
  [
    'a company that is called Total, without its account',
    [HEADER, YAW, '2|Total Energies||||1450', AMA],
    'pays 2; ; 3',
  ],
  [
    'totals that a spreadsheet put below each bank',
    [HEADER, YAW, '|||GCB Bank Total||1450', AMA, '|||MTN Mobile Money Total||300', '|||Grand Total||1750'],
    'pays 2; 3t 5t 6t',
  ],
  [
    'banks as headings of their own',
    [HEADER, '|||GCB Bank', YAW, '|||MTN Mobile Money', AMA],
    'pays 2; 2n 4n',
  ],
  [
    'a summary with its own header and total, and signatures',
    [
      ...LIST,
      '|Grand Total||||3449.75',
      '',
      'Summary by bank',
      'Bank||Staff|||Amount',
      'GCB Bank||1|||1450',
      'Stanbic||1|||1699.75',
      'MTN||1|||300',
      'Total||3|||3449.75',
      '',
      'Prepared by: ______|||Approved by: ______',
      'Date: ______||||Signature: ______|30/11/2026',
    ],
    'pays 3; 5t 7n 8s 9s 10s 11s 12t 14n 15n',
  ],
  [
    'a summary whose total does not agree',
    [...LIST, 'Bank||Staff|||Amount', 'GCB Bank||1|||1450', 'Others||2|||1999.75', 'Total||3|||3500'],
    'row 8 says that the total is 3500.00',
  ],
  [
    'a summary without a header that adds up to the list',
    [...LIST, '', 'Summary', '|Head office||||3149.75', '|Kumasi||||300'],
    'pays 3; 6n 7s 8s',
  ],
  [
    'people who are paid in cash, below a title: they do not add up to the list',
    [...LIST, '', 'In cash', '|Kofi Mensah||||200', '|Abena Darko||||250'],
    'pays 3; 6n; 7 8',
  ],
  [
    'a total that counts people without an account',
    [...LIST, 'In cash', '|Kofi Mensah||||200', 'Total|||||3649.75'],
    'pays 3; 5n 7t; 6',
  ],
  [
    'deductions with a header and a total of their own',
    [...LIST, 'Deduction|||||Amount', 'PAYE|||||410', 'SSNIT|||||90.5', 'Total|||||500.50'],
    'pays 3; 5s 6s 7s 8t',
  ],
  ['a second list with accounts, below its header', [...LIST, 'Late', HEADER, AMA], 'pays 4; 5n; 6'],
  ['a payment whose account and bank are missing', [...LIST, '4|Kofi Mensah|Ghana|||250'], 'pays 3; ; 5'],
  ['a person and a country alone', [...LIST, '4|Kofi Mensah|Ghana'], 'pays 3; ; 5'],
  ['money that nobody explains', [...LIST, 'Bank charges|||||25'], 'pays 3; ; 5'],
  ['a number below the list that is its sum', [...LIST, '|||||3449.75'], 'pays 3; 5t'],
  ['a number below the list that is not its sum', [...LIST, '|||||3400'], 'pays 3; ; 5'],
  ['a total without an amount', [...LIST, 'Total'], 'pays 3; 5n'],
  ['a total of zero', [...LIST, 'Total|||||0'], 'pays 3; ; 5'],
  ['a remark between the rows', [HEADER, YAW, '*** new staff from here ***', EFUA], 'pays 2; 3n'],
  [
    'an account without a bank, and a bank with money',
    [...LIST, '||||0244000001', '|||GCB Bank||90'],
    'pays 3; ; 5 6',
  ],
  [
    'a total of each of two currencies, between which the rows change',
    [HEADER, YAW, PETER, EFUA, 'Total GHS|||||3149.75', 'Total|||||KES 48,250.00'],
    'pays 3; 5t 6t',
  ],
  [
    'totals beside their currencies',
    [HEADER, YAW, PETER, EFUA, 'Total||GHS|||3149.75', 'Total||KES|||48250'],
    'pays 3; 5t 6t',
  ],
  [
    'a total of one of two currencies that does not agree',
    [HEADER, YAW, PETER, EFUA, 'Total|||||GHS 3149.70'],
    'row 5 says that the total is 3149.70',
  ],
  ['a total of shillings without cents', [HEADER, OKELLO, AUMA, 'TOTAL||UGX|||3,903,000/='], 'pays 2; 4t'],
  [
    'a row for signatures in the cells of a payment',
    [HEADER, YAW, 'Prepared by|Ada Mensah|Approved by|Ben Osei||27/11/2026'],
    'pays 1; 3n',
  ],
  ['nothing but a title', [HEADER, 'No payments this month'], 'no row below the header has an account'],
])('%s', async (_, lines, comesTo) => {
  const found = await outcome(lines);
  if (comesTo.startsWith('pays')) expect(found).toBe(comesTo);
  else expect(found).toContain(comesTo);
});

it.each([
  'Prepared by|||Ada Mensah|Finance|',
  '|Ada Mensah|Accountant|Prepared by|Ben Osei|Approved by',
  '|Prepared by:|Ada Mensah|Signature|____|',
])(
  'a place to sign with a name in the cell for the account is one fault, not one for each cell: %s',
  async (line) => {
    const found = await withFile(`${[HEADER, YAW, line].join('\n')}\n`, (path) =>
      checkFile(openRows, optionsOf(path, new Map()), PORTS),
    );
    expect(found.issues.map(({ row, issues }) => [row, issues.map(({ kind }) => kind)])).toEqual([
      [3, ['row_without_payment']],
    ]);
  },
);

it('a payment that lacks account and amount is no place to sign, whatever a remark says', async () => {
  const lines = [`${HEADER}|Remarks`, `${YAW}|`, '2|Efua Quaye|Ghana|Stanbic Bank Ghana|||Approved by: Ben'];
  expect(await outcome(lines)).toBe('pays 1; ; 3');
});
