/** All that only the owner of a file knows is asked in the first round: columns, words, the decimal mark and the encoding. */
import { expect, it } from 'vitest';
import { checked, settled } from './a-file-brought.ts';

const LINES = [
  'Employé;Bank;Account Number;Salary;Net;Status;Cur',
  'Abena Konadu;CalBank;1011130024576;1.900;1.450;;GHS',
  'Yaw Acheampong;GCB Bank;1011130024577;1.100;1.020;Paid;GHS',
];

it('asks in one round, and pays by one set of flags', async () => {
  const file = { name: 'nov.csv', bytes: Buffer.from(LINES.join('\n'), 'latin1') };
  const { questions, offered, text } = await checked(file);
  expect(questions, text).toEqual([
    ...['text_encoding', 'which_amount', 'rows_not_to_pay', 'no_country', 'decimal_mark'],
    'institution_unknown',
  ]);
  const flags = [
    ...['--encoding', 'windows-1252', '--map', 'amount=Net', '--leave-out', 'Status=Paid'],
    ...['--set', 'country=GH', '--decimal', 'comma', '--value', 'GH/CalBank=GCB Bank'],
  ];
  const all = offered.join(' ').replaceAll("'", '');
  for (const flag of flags) expect(all).toContain(flag);
  const { paid } = await settled(file, [...flags, '--map', 'name=Employé'], true);
  expect(paid.map(([row, , amount]) => [row, amount])).toEqual([[2, '1450']]);
});

it('asks about nothing that follows from a guess', async () => {
  const lines = ['Name;Bank;Account;Amount', 'Abena Konadu;Some Bank;1011130024576;1.900'];
  const { questions } = await checked({ name: 'nov.csv', lines });
  expect(questions).toEqual(['no_country']);
});
