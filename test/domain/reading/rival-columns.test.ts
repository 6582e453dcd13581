/** A second account, country, bank or name, and a destination that may be that of a trip. */
import { describe, expect, it } from 'vitest';
import { answers, asked, codes, words } from './asked.ts';

describe('a second account', () => {
  const sheet = (used: string, other: string, cells = ['0711000001', '0711000002']) => [
    `Name;Country;Bank;${used};${other};Net Pay`,
    ...cells.map((cell, at) => `Person ${at};Kenya;KCB Bank Kenya;118234567${at};${cell};100`),
  ];

  it.each([
    ['Account Number', 'New account'],
    ['Account Number', 'Corrected account'],
    ['Account Number', 'Receiver account'],
    ['Account Number', 'Account Number 2'],
    ['Account', 'Debit account'],
    ['Account', 'Our account no'],
    ['Account', 'Bank A/C No'],
    ['Account Number', 'Alternative account'],
    ['Compte', 'Nouveau compte'],
    ['Compte', 'Compte rectifié'],
    ['Conta', 'Conta corrigida'],
    ['Conta', 'Conta 2'],
    ['accountNumber', 'receiverAccount'],
  ])('is asked about: %s and %s', (used, other) => {
    const questions = asked(sheet(used, other));
    expect(codes(questions)).toEqual(['which_account']);
    expect(words(questions)).toContain(`“${used}” (••••5670; ••••5671)`);
    expect(words(questions)).toContain(`“${other}” (••••0001; ••••0002)`);
    expect(JSON.stringify(questions)).not.toContain('0711000001');
  });

  it.each([
    ['Beneficiary account', 'Debit account'],
    ['Account Number', 'Account name'],
    ['Account Number', 'Account type'],
    ['Account Number', 'Old account'],
    ['Account Number', 'GL account'],
    ['Account Number', 'Account code'],
    ['Account Number', 'Account manager'],
    ['Compte', 'Type de compte'],
    ['Compte', 'Ancien compte'],
    ['Conta', 'Tipo de conta'],
  ])('is none: %s and %s', (used, other) => {
    expect(codes(asked(sheet(used, other))).filter((code) => code !== 'which_name')).toEqual([]);
  });

  it('is none in a column of other texts', () => {
    expect(codes(asked(sheet('Account Number', 'New account', ['Yes', 'No'])))).toEqual([]);
  });

  it('may be a few new accounts', () => {
    expect(answers(asked(sheet('Account Number', 'New account', ['', '0711000002'])))?.at(-1)).toEqual([
      { kind: 'first_filled', field: 'account', headers: ['New account', 'Account Number'] },
    ]);
  });

  it('is asked about beside the account of a book', () => {
    const questions = asked([
      'Account;Payee;Country;Bank;Bank A/C No;Amount',
      '5010 Salaries;Ann;Kenya;KCB;1182345670;5',
      '5010 Salaries;Ben;Kenya;KCB;1182345671;6',
    ]);
    expect(words(questions)).toContain('“Account” (5010 Salaries)');
    expect(answers(questions)?.[1]).toEqual([{ kind: 'map', field: 'account', headers: ['Bank A/C No'] }]);
  });
});

describe('a second country or bank', () => {
  const sheet = (headers: string, ...rows: readonly string[]) => [
    `Name;Account;Amount;${headers}`,
    ...rows.map((row, at) => `Person ${at};118234567${at};5;${row}`),
  ];

  it.each([
    ['which_country', 'Country;Bank;Country of residence', 'Kenya;KCB;Uganda'],
    ['which_country', 'Pays;Banque;Pays de la banque', 'Sénégal;CBAO;Mali'],
    ['which_country', 'País;Banco;País do banco', 'Angola;BAI;Portugal'],
    ['which_country', 'Country;Bank;New country', 'Kenya;KCB;Uganda'],
    ['which_country', 'Country;Bank;Country 2', 'Kenya;KCB;Uganda'],
    ['which_institution', 'Country;Bank;Bank 2', 'Kenya;KCB;Equity'],
    ['which_institution', 'Country;Bank;New bank', 'Kenya;KCB;Equity'],
    ['which_institution', 'Country;Bank;Mobile network', 'Kenya;KCB;M-PESA'],
    ['which_institution', 'Pays;Banque;Nouvelle banque', 'Sénégal;CBAO;Ecobank'],
    ['which_institution', 'País;Banco;Banco 2', 'Angola;BAI;BFA'],
    ['which_institution', 'Country;Bank;FSP', 'Senegal;CBAO;Wave'],
  ])('is asked about as %s: %s', (code, headers, row) => {
    const questions = asked(sheet(headers, row, row.replace('Kenya', 'Ghana')));
    expect(codes(questions)).toEqual([code]);
    expect(words(questions)).toContain(`“${headers.split(';').at(-1)}” (${row.split(';').at(-1)})`);
  });

  it.each([
    ['Country;Bank;Nationality', 'Kenya;KCB;Ugandan'],
    ['Country;Bank;Country of birth', 'Kenya;KCB;Uganda'],
    ['Country;Bank;Country calling code', 'Kenya;KCB;254'],
    ['Country;Bank;Bank branch', 'Kenya;KCB;Moi Avenue'],
    ['Country;Bank;Bank code', 'Kenya;KCB;01'],
    ['Country;Bank;SWIFT', 'Kenya;KCB;KCBLKENX'],
    ['Country;Bank;Bank charges', 'Kenya;KCB;OUR'],
    ['Country;Bank;Previous bank', 'Kenya;KCB;Equity'],
    ['Country;Bank;Bank country', 'Kenya;KCB;Kenya'],
  ])('is none: %s', (headers, row) => {
    expect(words(asked(sheet(headers, row, row)))).toBe('');
  });
});

describe('the destination of a trip', () => {
  const sheet = (headers: string, row: string) => [
    `Account;Provider;Amount;${headers}`,
    `0733218560;Airtel Money;5;${row}`,
  ];

  it.each([
    ['Destination;Days;Rate', 'Uganda;3;4500'],
    ['Destination;Nights', 'Uganda;2'],
    ['Destination;Departure;Return date', 'Uganda;01/11/2026;04/11/2026'],
    ['Destination;Mileage', 'Uganda;120'],
    ['Destino;Dias', 'Angola;4'],
    ['Destination;Per diem rate', 'Tanzania;4500'],
  ])('is asked about: %s', (headers, row) => {
    const questions = asked(sheet(headers, row));
    expect(codes(questions)).toEqual(['destination_of_a_trip']);
    expect(questions[0]?.choices.map(({ asksFor }) => asksFor)).toEqual([undefined, 'country']);
  });

  it('is asked about where the title speaks of a trip', () => {
    const lines = sheet('Destination', 'Uganda');
    expect(codes(asked(lines, { above: ['Per diem November 2026'] }))).toEqual(['destination_of_a_trip']);
    expect(codes(asked(lines, { above: ['Payroll November 2026'] }))).toEqual([]);
  });
});

describe('a column of names that no header is known for', () => {
  const sheet = (headers: string, ...rows: readonly string[]) => [
    `Country;Bank;Account;Amount;${headers}`,
    ...rows.map((row, at) => `Kenya;KCB;118234567${at};5;${row}`),
  ];

  it.each([
    'Employee Names',
    'collector_name',
    'Contractor',
    'Name of\nEmployee',
    'beneficiaryName (as on ID)',
    'Names of participants',
    'Consultant',
    'Noms des agents',
    'Nom de l’enseignant',
    'Nome do professor',
    'Company',
    'Account holder (full name)',
    'Worker name',
  ])('is asked about: %s', (header) => {
    const questions = asked(sheet(header, 'Peter Mwangi', 'Amina Juma'));
    expect(codes(questions)).toEqual(['which_name']);
    expect(answers(questions)?.[0]).toEqual([{ kind: 'map', field: 'name', headers: [header] }]);
    expect(answers(questions)?.at(-1)).toEqual([{ kind: 'ignore', header }]);
  });

  it.each([
    ['Branch name', 'Moi Avenue', 'Westlands'],
    ['Project name', 'Water', 'Health'],
    ['Contact person name', 'Ann', 'Ben'],
    ['Name of next of kin', 'Ann', 'Ben'],
    ['Nickname', 'Peter', 'Amina'],
    ['Employee ID', 'EMP-001', 'EMP-002'],
    ['Staff No', 'S1', 'S2'],
    ['Company', 'Tumaini', 'Tumaini'],
    ['Username', 'pmwangi', 'ajuma'],
    ['First approver', 'Ann', 'Ben'],
  ])('is none: %s', (header, ...names) => {
    expect(words(asked(sheet(header, ...names)))).toBe('');
  });

  it('may be two columns', () => {
    const headers = 'First Name of Bank Account Holder;Last Name of Bank Account Holder';
    expect(answers(asked(sheet(headers, 'Ngozi;Eze', 'Yaw;Acheampong')))?.[0]).toEqual([
      { kind: 'map', field: 'name', headers: headers.split(';') },
    ]);
  });

  it('is not asked about beside names, or once it was said', () => {
    expect(codes(asked(sheet('Name;Contractor', 'Ann;Bo', 'Ben;Cy')))).toEqual([]);
    expect(
      codes(asked(sheet('Contractor', 'Ann', 'Ben'), { said: [{ kind: 'ignore', header: 'Contractor' }] })),
    ).toEqual([]);
  });
});
