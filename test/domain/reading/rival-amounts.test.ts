/** Which column is to be paid: asked where more than one could be meant, and not where one says so. */
import { describe, expect, it } from 'vitest';
import { amountSense } from '../../../src/domain/reading/amount-sense.ts';
import { answers, asked, codes, words } from './asked.ts';

/** A sheet of two people with these columns beside their names, banks and accounts. */
const sheet = (headers: string, ...rows: readonly string[]): readonly string[] => [
  `Name;Country;Bank;Account Number;${headers}`,
  ...rows.map((row, at) => `Person ${at};Kenya;KCB Bank Kenya;118234567${at};${row}`),
];

describe('a second amount', () => {
  it.each([
    ['Salary;Net', 'Net'],
    ['Amount;Take home', 'Take home'],
    ['Amount;Amount after WHT', 'Amount after WHT'],
    ['Amount;Balance', 'Balance'],
    ['Amount;Outstanding', 'Outstanding'],
    ['Amount;Approved amount', 'Approved amount'],
    ['Amount;Approved', 'Approved'],
    ['Net Pay;Net Pay + Arrears', 'Net Pay + Arrears'],
    ['Net Pay;Revised net', 'Revised net'],
    ['Net Pay;Amount to send', 'Amount to send'],
    ['Net salary;Payable', 'Payable'],
    ['Amount;Amount in USD', 'Amount in USD'],
    ['Amount;Gross amount', 'Gross amount'],
    ['Amount;Share', 'Share'],
    ['Montant;Reste à payer', 'Reste à payer'],
    ['Salaire;Net', 'Net'],
    ['Montant;Montant après retenue', 'Montant après retenue'],
    ['Valor;Valor em dívida', 'Valor em dívida'],
    ['Salário;Líquido', 'Líquido'],
    ['Montante;Saldo', 'Saldo'],
    ['Amount;netPayable', 'netPayable'],
  ])('is asked about: %s', (headers, rival) => {
    const questions = asked(sheet(headers, '82000.00;62849.25', '61000.00;49400.00'));
    const [used = ''] = headers.split(';');
    expect(codes(questions)).toEqual(['which_amount']);
    expect(words(questions)).toContain(`“${used}” (82000.00; 61000.00)`);
    expect(words(questions)).toContain(`“${rival}” (62849.25; 49400.00)`);
    expect(answers(questions)).toEqual([
      [{ kind: 'map', field: 'amount', headers: [used] }],
      [{ kind: 'map', field: 'amount', headers: [rival] }],
    ]);
  });

  it.each([
    'Net Pay;Gross Pay',
    'Net Pay;Basic Salary',
    'Net Pay;PAYE',
    'Net Pay;Total Deductions',
    'Net Pay;Overtime',
    'Net Pay;Loan balance',
    'Net Pay;Tax payable',
    'Net Pay;Days paid',
    'Net Pay;Pension',
    'Amount;Rate',
    'Amount;Hours',
    'Amount;Year',
    'Amount;Age',
    'Amount;Employee number',
    'Amount;Invoice date no',
    'Amount;Household size',
    'Amount;Sort Code',
    'Amount;Previous month net',
    'Net Pay;Prev. Net Pay',
    'Net Pay;Diff',
    'Amount;Basic',
    'Montant net;Salaire brut',
    'Montant net;Taux',
    'Valor líquido;Salário base',
    'Valor líquido;Dias',
  ])('is none in another column of numbers: %s', (headers) => {
    expect(words(asked(sheet(headers, '48250.00;12', '39400.00;15')))).toBe('');
  });

  it.each(['Amount;Paid', 'Net Pay;Amount paid', 'Montant net;Déjà versé', 'Valor;Já pago'])(
    'is never the part that was paid before: %s',
    (headers) => {
      const questions = asked(sheet(headers, '1000;400', '500;0'));
      const [used = ''] = headers.split(';');
      expect(words(questions)).toContain('or say that a part was paid before');
      expect(answers(questions)).toEqual([[{ kind: 'map', field: 'amount', headers: [used] }], []]);
    },
  );

  it('is asked about with all columns that may be meant', () => {
    const [question] = asked(sheet('Amount Payable;Amount;Paid to date', '950;1000;0', '1900;2000;500'));
    expect(question?.headers).toEqual(['Amount Payable', 'Amount', 'Paid to date']);
  });

  it('is none where the column holds no numbers', () => {
    expect(codes(asked(sheet('Amount;Paid', '48250.00;No', '39400.00;No')))).toEqual([]);
    expect(
      codes(asked(sheet('Amount;Amount in words', '48250.00;forty-eight', '39400.00;thirty-nine'))),
    ).toEqual([]);
    expect(codes(asked(sheet('Amount;Net', '48250.00;', '39400.00;')))).toEqual([]);
  });

  it('is none where nothing was paid before', () => {
    expect(codes(asked(sheet('Amount;Paid', '48250.00;0.00', '39400.00;0')))).toEqual([]);
    expect(codes(asked(sheet('Amount;Balance', '48250.00;0.00', '39400.00;0')))).toEqual(['which_amount']);
  });

  it('is asked about an invoice with a tax on top of its net amount', () => {
    const rows = ['1000.00;160.00;1160.00', '500.00;80.00;580.00'];
    expect(codes(asked(sheet('Net amount;VAT;Gross amount', ...rows)))).toEqual(['which_amount']);
    expect(codes(asked(sheet('Montant;TVA;Montant TTC', ...rows)))).toEqual(['which_amount']);
  });

  it('may be a few corrected amounts', () => {
    const questions = asked(sheet('Amount;Corrected amount', '100;', '200;250'));
    expect(answers(questions)?.at(-1)).toEqual([
      { kind: 'first_filled', field: 'amount', headers: ['Corrected amount', 'Amount'] },
    ]);
  });

  it('is not asked about where a person named the column, or took the other one out', () => {
    const lines = sheet('Salary;Net', '82000.00;62849.25');
    expect(codes(asked(lines, { said: [{ kind: 'map', field: 'amount', headers: ['Salary'] }] }))).toEqual(
      [],
    );
    expect(codes(asked(lines, { said: [{ kind: 'ignore', header: 'Net' }] }))).toEqual([]);
  });
});

describe('what may be taken off an amount or added to it, where no column says what is paid in all,', () => {
  it.each([
    ['Amount;WHT 5%', 'taken off'],
    ['Salary;PAYE', 'taken off'],
    ['Amount;Advance taken', 'taken off'],
    ['Montant;Retenue', 'taken off'],
    ['Valor;Desconto', 'taken off'],
    ['Amount;Bonus', 'a part of'],
    ['Salary;Arrears', 'a part of'],
    ['Amount;Transport allowance', 'a part of'],
    ['Amount;VAT', 'a part of'],
    ['Montant;Rappel', 'a part of'],
    ['Valor;Subsídio', 'a part of'],
  ])('is asked about: %s', (headers, way) => {
    const questions = asked(sheet(headers, '1000;50', '2000;100'));
    const [used = '', other = ''] = headers.split(';');
    expect(codes(questions)).toEqual(['amount_in_parts']);
    expect(words(questions)).toContain(`“${other}” (50; 100) already ${way} `);
    expect(answers(questions)).toEqual([[{ kind: 'map', field: 'amount', headers: [used] }], []]);
  });

  it('is asked about in one question', () => {
    const questions = asked(sheet('Salary;Overtime;Loan;Leave', '1000;50;20;0', '2000;100;0;0'));
    expect(words(questions)).toBe(
      'Are G “Loan” (20; 0) and F “Overtime” (50; 100) already taken off or a part of E “Salary” (1000; 2000)? No column says what is to be paid in all.',
    );
  });

  it('is no question where it is nothing, or where the amount follows from other columns', () => {
    expect(codes(asked(sheet('Amount;Advance taken', '1000;0', '2000;0.00')))).toEqual([]);
    expect(codes(asked(sheet('Amount;NSSF', '1000;2001234567', '2000;2001234568')))).toEqual([]);
    expect(codes(asked(sheet('Basic pay;Bonus;Amount', '900;100;1000', '2000;0;2000')))).toEqual([]);
  });
});

it.each([
  ['Tax payable', 'deducted'],
  ['Less: advance', 'deducted'],
  ['Amount less advance', 'clear'],
  ['Net taxable pay', 'before'],
  ['Net pay (3 days)', 'clear'],
  ['Share %', 'none'],
])('“%s” is %s', (header, sense) => {
  expect(amountSense(header)).toBe(sense);
});
