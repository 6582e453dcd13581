/** What answers make of the rows of a file. */
import { describe, expect, it } from 'vitest';
import type { Answer, Said } from '../../../src/domain/reading/answer.ts';
import { bindColumns } from '../../../src/domain/reading/bind-columns.ts';
import { nameWithoutNumber } from '../../../src/domain/reading/names-without-numbers.ts';
import { answersFor } from '../../../src/domain/reading/reading.ts';
import type { Field, WrittenMark, WrittenRow } from '../../../src/domain/rows/row.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';

interface Row {
  readonly cells: readonly string[];
  readonly marks?: readonly WrittenMark[];
}

/** What each row holds for the field, or why it is left out. */
function read(field: Field, headers: string, answers: readonly Answer[], rows: readonly (string | Row)[]) {
  return changed(headers, answers, rows).map((row) =>
    'why' in row
      ? row.why
      : (row.cells[bindColumns(headers.split(','), answers).columns.get(field) ?? -1] ?? ''),
  );
}

function changed(headers: string, answers: readonly Answer[], rows: readonly (string | Row)[]) {
  const binding = bindColumns(headers.split(','), answers);
  const steps = binding.changes.map((change) => change.start(binding));
  return rows.map((row, at) => {
    const { cells, marks } = typeof row === 'string' ? { cells: row.split(','), marks: undefined } : row;
    const written: WrittenRow =
      marks === undefined ? { rowNumber: at + 2, cells } : { rowNumber: at + 2, cells, marks };
    let result: ReturnType<(typeof steps)[number]> = written;
    for (const step of steps) if (!('why' in result)) result = step(result);
    return result;
  });
}

describe('columns that make one field together', () => {
  const RIB: Answer = {
    kind: 'map',
    field: 'account',
    headers: ['Code Banque', 'Code Guichet', 'N° Compte', 'Clé RIB'],
  };

  it('join an account without a space, in the order that the person gave', () => {
    const headers = 'Clé RIB,Pays,N° Compte,Banque,Code Guichet,Code Banque,Montant';
    const rows = ['07,SN,001234567890,CBAO,01020,SN012,350000'];
    expect(read('account', headers, [RIB], rows)).toEqual(['SN0120102000123456789007']);
  });

  it('make no account where one part is missing', () => {
    const headers = 'Code Banque,Code Guichet,N° Compte,Clé RIB';
    expect(read('account', headers, [RIB], ['SN012,,001234567890,07', ',,,'])).toEqual(['', '']);
  });

  it('join words with a space, and leave out those that are missing', () => {
    const note: Answer = { kind: 'map', field: 'note', headers: ['Period', 'Reason'] };
    expect(read('note', 'Period,Reason', [note], ['Nov 2026,Wages', ',Bonus'])).toEqual([
      'Nov 2026 Wages',
      'Bonus',
    ]);
  });

  it('pass on what is odd about their cells, but not that a part of it is a number', () => {
    const marks: readonly WrittenMark[] = [
      { column: 1, kind: 'formula' },
      { column: 3, kind: 'number' },
    ];
    const [row] = changed(
      'Code Banque,Code Guichet,N° Compte,Clé RIB',
      [RIB],
      [{ cells: ['SN012', '01020', '001234567890', '7'], marks }],
    );
    expect(row).toMatchObject({ marks: [...marks, { column: 4, kind: 'formula' }] });
  });
});

describe('a field in one of several columns', () => {
  const headers = 'Payment Method,Bank Name,Account No,Mobile Number,Net Pay';
  const answers: readonly Answer[] = [
    { kind: 'first_filled', field: 'institution', headers: ['Bank Name', 'Payment Method'] },
    { kind: 'first_filled', field: 'account', headers: ['Account No', 'Mobile Number'] },
  ];

  it.each([
    ['a bank', 'Bank,KCB,118,0711,5', 'KCB', '118'],
    ['a bank by another word', 'Virement,KCB,118,0711,5', 'KCB', '118'],
    ['a wallet', 'M-PESA,,,0712,5', 'M-PESA', '0712'],
    ['a bank without its account: not the wallet instead', 'Bank,KCB,,0712,5', 'KCB', ''],
    ['an account without its bank: not the method instead', 'M-PESA,,118,0712,5', ' / M-PESA', '118'],
    ['a wallet by the method, and a bank beside it', 'M-PESA,KCB,118,0712,5', 'KCB / M-PESA', '118'],
    ['nobody', ',,,,5', '', ''],
  ])('is read side by side: %s', (_, row, institution, account) => {
    expect(read('institution', headers, answers, [row])).toEqual([institution]);
    expect(read('account', headers, answers, [row])).toEqual([account]);
  });

  it('takes the bank where two pairs are filled and no column says which', () => {
    const pairs: readonly Answer[] = [
      { kind: 'first_filled', field: 'institution', headers: ['Bank', 'Wallet provider'] },
      { kind: 'first_filled', field: 'account', headers: ['Bank account', 'Wallet'] },
    ];
    const rows = ['KCB,118,Airtel,0733', ',,Airtel,0733'];
    expect(read('account', 'Bank,Bank account,Wallet provider,Wallet', pairs, rows)).toEqual(['118', '0733']);
  });
});

describe('one amount column for each currency', () => {
  const answer: Answer = { kind: 'first_filled', field: 'amount', headers: ['Amount KES', 'Amount (UGX)'] };
  it.each([
    ['48250.00,', 'KES 48250.00'],
    [',1250000', 'UGX 1250000'],
    ['0,1250000', 'UGX 1250000'],
    ['-,1250000', 'UGX 1250000'],
    ['0.00,0', 'KES 0.00'],
    ['48250.00,1250000', 'KES 48250.00 / UGX 1250000'],
    [',KSh 500', 'KSh 500'],
    [',', ''],
  ])('“%s” is %s', (row, amount) => {
    expect(read('amount', 'Amount KES,Amount (UGX)', [answer], [row])).toEqual([amount]);
  });
});

describe('a text that stands once for the rows below it', () => {
  const down: Answer = { kind: 'fill_down', fields: ['country', 'institution'] };
  const headers = 'Country,Bank,Account,Amount';

  it('is filled down to rows with an account, and to no others', () => {
    const rows = ['Kenya,KCB,1,5', ',,2,5', ',Equity,3,5', ',,4,5', 'Ghana,GCB,5,5', ',,,20'];
    expect(read('country', headers, [down], rows)).toEqual(['Kenya', 'Kenya', 'Kenya', 'Kenya', 'Ghana', '']);
    expect(read('institution', headers, [down], rows)).toEqual(['KCB', 'KCB', 'Equity', 'Equity', 'GCB', '']);
  });

  it('comes from a heading, and from a row that is left out', () => {
    const left: Answer = { kind: 'leave_out', header: 'Status', words: ['Paid'] };
    const rows = ['Kenya,,,,', ',KCB,1,5,', 'Ghana,GCB,2,5,paid', ',,3,5,'];
    expect(read('country', `${headers},Status`, [down, left], rows)).toEqual([
      'Kenya',
      'Kenya',
      'said',
      'Ghana',
    ]);
  });

  it('has nothing above the first row', () => {
    expect(read('country', headers, [down], [',KCB,1,5', 'Kenya,,2,5'])).toEqual(['', 'Kenya']);
  });

  it('unmerges the cells of these columns alone', () => {
    const merged = (column: number): WrittenMark => ({ column, kind: 'merged', words: 'A2:A3' });
    const rows = [
      { cells: ['Kenya', 'KCB', '1', '5'], marks: [merged(0), merged(3)] },
      { cells: ['', '', '2', ''], marks: [merged(0), merged(3)] },
    ];
    expect(changed(headers, [down], rows)).toEqual([
      { rowNumber: 2, cells: ['Kenya', 'KCB', '1', '5'], marks: [merged(3)] },
      { rowNumber: 3, cells: ['Kenya', 'KCB', '2', ''], marks: [merged(3)] },
    ]);
  });
});

describe('amounts of zero', () => {
  it.each(['0', '0.00', '0,00', ' 0 ', 'KES 0.00', '0/=', '-', '–', '٠', '0 FCFA'])(
    '“%s” pays nothing',
    (amount) => {
      expect(read('amount', 'Amount', [{ kind: 'skip_zero' }], [{ cells: [amount] }])).toEqual(['zero']);
    },
  );
  it.each(['', '0.01', '10', '100', 'nil', 'zero', '0 or 500', '-5', '00712'])(
    '“%s” is looked at',
    (amount) => {
      expect(read('amount', 'Amount', [{ kind: 'skip_zero' }], [{ cells: [amount] }])).toEqual([amount]);
    },
  );
});

it('rows that stay out are never left out from memory', () => {
  const said = { by: 'ama', at: timestampOf(0) };
  const kept: readonly Said[] = [
    { kind: 'skip_zero', ...said },
    { kind: 'leave_out', header: 'Status', words: ['Paid'], ...said },
    { kind: 'fill_down', fields: ['country'], ...said },
  ];
  const reading = { name: 'wards', headers: ['Country', 'Status'], answers: kept };
  expect(answersFor(reading, { answers: [] }).map(({ kind }) => kind)).toEqual(['fill_down']);
});

describe('digits of other scripts', () => {
  it('are read in numbers, and left in names and notes', () => {
    const [row] = changed('Account,Name,Amount,Note', [{ kind: 'latin_digits' }], ['٠١٠١,منى ٢,١٢٥٠٫٥٠,٣']);
    expect(row).toMatchObject({ cells: ['0101', 'منى ٢', '1250.50', '٣'] });
  });
  it('stay where they have two readings', () => {
    const rows = ['١٢٫٥٠٠', '१२३٤'];
    expect(read('amount', 'Amount', [{ kind: 'latin_digits' }], rows)).toEqual(rows);
  });
});

describe('employee numbers in names', () => {
  it.each([
    ['0117 - Yaw Acheampong', 'Yaw Acheampong'],
    ['0117 Yaw Acheampong', 'Yaw Acheampong'],
    ['EMP/0231: Okafor Chukwuemeka', 'Okafor Chukwuemeka'],
    ['HR-EMP-00011 : Peter Mwangi', 'Peter Mwangi'],
    ['[12] Amina Juma', 'Amina Juma'],
    ['#204, Kofi Mensah', 'Kofi Mensah'],
    ['1. Abena Darko', 'Abena Darko'],
    ['OKAFOR C. (EMP 0231)', 'OKAFOR C.'],
    ['Adeyemi, F. (Staff No. 12/044)', 'Adeyemi, F.'],
    ['Moussa Ndiaye - Matricule 1044', 'Moussa Ndiaye'],
    ['Fatou Sarr / A12-04', 'Fatou Sarr'],
    ['Prossy Namukasa 0042', 'Prossy Namukasa'],
    ['E0042_Prossy Namukasa', 'Prossy Namukasa'],
  ])('“%s” is %s', (written, name) => {
    expect(nameWithoutNumber(written)).toBe(name);
  });
  it.each([
    '3M Kenya',
    '7UP Bottling',
    '0117',
    '0117 - ',
    'Ama Serwaa',
    'Route 66 Motors 12 Ltd',
    'Okafor (the 2nd)',
  ])('“%s” stays', (written) => {
    expect(nameWithoutNumber(written)).toBe(written);
  });
  it('are taken from the one column, or from the parts of a name', () => {
    const answers: readonly Answer[] = [{ kind: 'names_without_numbers' }];
    expect(read('name', 'Name,Note', answers, ['0117 - Yaw,0117 - x'])).toEqual(['Yaw']);
    expect(changed('First name,Last name', answers, ['0117 Yaw,Darko'])).toMatchObject([
      { cells: ['Yaw', 'Darko'] },
    ]);
  });
});

describe('amounts in thousands', () => {
  const thousands: Answer = { kind: 'scale', header: 'Amount', factor: 1000 };
  it.each([
    ['12.5', '12500'],
    ['48.25', '48250'],
    ['0.0125', '12.5'],
    ['12,50', '12500'],
    ['350', '350000'],
    ['KES 12.5', 'KES 12500'],
    ['1.234,56', '1234560'],
    ['1,250', '1,250K'],
    ['', ''],
    ['n/a', 'n/a'],
  ])('“%s” is %s', (written, amount) => {
    expect(read('amount', 'Amount', [thousands], [{ cells: [written] }])).toEqual([amount]);
  });
  it('of a number of the spreadsheet have one reading', () => {
    const row = { cells: ['1.25'], marks: [{ column: 0, kind: 'number' }] as const };
    expect(read('amount', 'Amount', [thousands], [row, { ...row, cells: ['1.125'] }])).toEqual([
      '1250',
      '1125',
    ]);
  });
  it('stay as written where the person said so', () => {
    expect(read('amount', 'Amount', [{ ...thousands, factor: 1 }], ['350'])).toEqual(['350']);
  });
});
