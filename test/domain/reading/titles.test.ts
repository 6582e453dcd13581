/** What a title or a note under the list says of all rows. */
import { describe, expect, it } from 'vitest';
import { asked, codes, words } from './asked.ts';

const LIST = ['Name;Country;Bank;Account;Amount', 'Joy;Kenya;KCB;1182345670;850'];
const under = (title: string) => asked(LIST, { above: [title], currency: 'KES' });
const ofSheet = (sheet: string) => asked(LIST, { sheet, currency: 'KES' });
const ofFile = (file: string) => asked(LIST, { file, currency: 'KES' });

describe('a title, or a note under the list', () => {
  it.each([
    ['PAYMENT LIST NOVEMBER 2026 - ALL AMOUNTS IN USD', 'ALL AMOUNTS IN USD'],
    ['Amounts in US dollars', 'Amounts in US dollars'],
    ['PAID ON 25 NOVEMBER 2026', 'PAID ON 25 NOVEMBER 2026'],
    ['List of November, do not pay again', 'do not pay again'],
    ['Payroll November (USD)', 'USD'],
    ['Field staff - UGX', 'UGX'],
  ])('“%s” is asked about', (title, said) => {
    const questions = under(title);
    expect(codes(questions)).toEqual(['title_against_paying']);
    expect(words(questions)).toBe(`The file says “${said}”. Are its rows to be paid all the same, in KES?`);
  });

  it.each([
    'Salaries November, amounts in KES',
    'USD account of Dollar Stores Ltd',
    'Amounts in KES, at 129 for USD 1',
    'To be paid by 30 November',
  ])('“%s” is not', (title) => {
    expect(under(title)).toEqual([]);
  });

  it.each([
    ['Uganda November', ', in KES, to Kenya?'],
    ['UG', ', in KES, to Kenya?'],
    ["Payroll Côte d'Ivoire 2026", ', in KES, to Kenya?'],
    ['USD Nov', ', in KES?'],
    ['Nov UGX staff', ', in KES?'],
    ['Paid', ', in KES?'],
    ['On hold', ', in KES?'],
  ])('of a sheet or file called “%s” is asked about', (name, end) => {
    const question = `The file says “${name}”. Are its rows to be paid all the same${end}`;
    expect(words(ofSheet(name))).toBe(question);
    expect(words(ofFile(name))).toBe(name === 'Paid' || name === 'On hold' ? '' : question);
  });

  it.each([
    'Kenya',
    'Kenya and Uganda',
    'KE',
    'KES Nov',
    'Sheet1',
    'Payroll Nov 2026',
    'to be paid',
    'HR',
    'Mombasa',
  ])('of a sheet or file called “%s” is not', (name) => {
    expect([...ofSheet(name), ...ofFile(name)]).toEqual([]);
  });

  it('of a sheet may say that its amounts are in thousands', () => {
    expect(codes(ofSheet("Payroll (KES '000)"))).toEqual(['in_thousands']);
  });

  it('that names a country is asked about with the countries of the rows', () => {
    const questions = under('ACME Uganda, field office');
    expect(words(questions)).toBe(
      'The file says “ACME Uganda”. Are its rows to be paid all the same, in KES, to Kenya?',
    );
  });

  it('is passed over once a person said so', () => {
    const said = [{ kind: 'pay_anyway', header: 'Amount' }] as const;
    expect(asked(LIST, { above: ['DO NOT PAY'], currency: 'KES', said })).toEqual([]);
  });
});

describe('other columns', () => {
  it.each([
    ['Amount;First Half;Second Half', '100;50;50'],
    ['Amount;Account Title', '100;Joy Wanjiru'],
  ])('“%s” is asked about', (headers, cells) => {
    const questions = asked([`Country;Bank;Account;${headers}`, `Kenya;KCB;1182345670;${cells}`], {
      currency: 'KES',
    });
    expect(codes(questions)).toEqual([headers.includes('Half') ? 'which_amount' : 'which_name']);
  });
});
