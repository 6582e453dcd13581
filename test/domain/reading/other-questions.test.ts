/** Questions about layouts and about cells that are odd in every row. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/domain/reading/answer.ts';
import { bindColumns } from '../../../src/domain/reading/bind-columns.ts';
import { Looker } from '../../../src/domain/reading/look.ts';
import type { Asks, Question } from '../../../src/domain/reading/question.ts';
import { askAccountParts } from '../../../src/domain/reading/questions/account-in-parts.ts';
import { askAmountPerCurrency } from '../../../src/domain/reading/questions/amount-per-currency.ts';
import { askBankOrMobile } from '../../../src/domain/reading/questions/bank-or-mobile.ts';
import {
  askFillDown,
  askNumberedNames,
  askOtherDigits,
  askZeros,
} from '../../../src/domain/reading/questions/odd-cells.ts';
import { IN_A_PROGRAM, textOf } from '../../../src/domain/text/message.ts';
import { DIRECTORY } from './asked.ts';

/** Lines of cells between semicolons, the header first. */
function asked(asks: Asks, lines: readonly string[], said: readonly Answer[] = []): readonly Question[] {
  const [headers = [], ...rows] = lines.map((line) => line.split(';'));
  const binding = bindColumns(headers, said);
  const looker = new Looker(binding, {
    isSaid: (field) => binding.said.has(field),
    ignored: binding.ignored,
    today: '2026-11-27',
  });
  for (const [at, cells] of rows.entries()) looker.see({ rowNumber: at + 2, cells }, undefined);
  return asks(looker.look(), said, DIRECTORY);
}

const words = (questions: readonly Question[]) =>
  questions.map(({ text }) => textOf(text.pieces, IN_A_PROGRAM)).join('\n');
const answers = ([question]: readonly Question[]) => question?.choices.map((choice) => choice.answers);

describe('an account in several columns', () => {
  it.each([
    ['Pays;Code Banque;Code Guichet;N° Compte;Clé RIB', 'SN;SN012;01020;001234567890;07'],
    ['Pays;Clé;Compte;Guichet;Code établissement', 'CI;71;111234567890;01111;CI008'],
    [
      'País;Código do banco;Código da agência;Número da conta;Dígitos de controlo',
      'AO;0040;0000;12345678901;01',
    ],
    ['Country;Account number;RIB key', 'MA;001234567890;07'],
  ])('is asked about: %s', (header, row) => {
    const questions = asked(askAccountParts, [header, row, row]);
    expect(questions).toMatchObject([{ code: 'account_in_parts', settles: ['account'] }]);
    for (const named of questions[0]?.headers ?? []) expect(words(questions)).toContain(`“${named}”`);
  });

  it('is joined in the order bank, branch, number, key, and its number is not shown', () => {
    const questions = asked(askAccountParts, [
      'Clé RIB;N° Compte;Code Guichet;Code Banque',
      '07;001234567890;01020;SN012',
    ]);
    const headers = ['Code Banque', 'Code Guichet', 'N° Compte', 'Clé RIB'];
    expect(answers(questions)).toEqual([
      [{ kind: 'map', field: 'account', headers }],
      [{ kind: 'map', field: 'account', headers: ['N° Compte'] }],
    ]);
    expect(JSON.stringify(questions)).not.toContain('1234567890');
    expect(words(questions)).toContain('“Code Banque” (SN012)');
  });

  it.each([
    ['Bank;Sort Code;Account No', 'KCB;01100;1182345670'],
    ['Bank;Bank Code;Branch Name;Account No', 'KCB;01;Moi Avenue;1182345670'],
    ['Banque;RIB', 'CBAO;SN0120102000123456789007'],
    ['Bank;Key;Account No', 'KCB;A long text;1182345670'],
  ])('is not seen in other columns: %s', (header, row) => {
    expect(asked(askAccountParts, [header, row])).toEqual([]);
  });

  it('is not asked about where a person said which column it is', () => {
    const said: Answer = { kind: 'map', field: 'account', headers: ['N° Compte'] };
    expect(asked(askAccountParts, ['N° Compte;Clé RIB', '001234567890;07'], [said])).toEqual([]);
  });
});

describe('a bank or a wallet', () => {
  const header = 'Country;Payment Method;Bank Name;Account No;Mobile Number;Net Pay';
  const rows = ['KE;Bank;KCB Bank Kenya;1182345670;0711000001;5', 'KE;M-PESA;;;0712345678;5', 'KE;Cash;;;;5'];

  it('is one question, answered for both', () => {
    const questions = asked(askBankOrMobile, [header, ...rows]);
    expect(questions).toMatchObject([{ code: 'bank_or_mobile', isOffer: true }]);
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'first_filled', field: 'institution', headers: ['Bank Name', 'Payment Method'] },
      { kind: 'first_filled', field: 'account', headers: ['Account No', 'Mobile Number'] },
    ]);
    expect(words(questions)).not.toContain('1182345670');
  });

  it('may have a column of providers, and two columns that are both called accounts', () => {
    const questions = asked(askBankOrMobile, [
      'Bank Name;Bank Account;Mobile Network;MoMo Number;Amount',
      'GCB Bank;1011130024576;;;5',
      ';;MTN;0244123456;5',
    ]);
    expect(questions[0]?.isOffer).toBeUndefined();
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'first_filled', field: 'institution', headers: ['Bank Name', 'Mobile Network'] },
      { kind: 'first_filled', field: 'account', headers: ['Bank Account', 'MoMo Number'] },
    ]);
  });

  it('may have all institutions in one column', () => {
    const questions = asked(askBankOrMobile, [
      'Bank;Account No;Mobile Money No;Amount',
      'GCB Bank;1011130024576;;5',
      'MTN Mobile Money;;0244123456;5',
    ]);
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'first_filled', field: 'account', headers: ['Account No', 'Mobile Money No'] },
    ]);
  });

  it.each([
    [
      'a telephone beside every account',
      'Bank;Account No;Phone;Amount',
      'KCB;1182345670;0711000001;5',
      'KCB;1182345671;0711000002;5',
    ],
    [
      'one account that was forgotten',
      'Bank;Account No;Phone;Amount',
      'KCB;1182345670;0711000001;5',
      'KCB;;0711000002;5',
    ],
    [
      'a method that is the bank’s own',
      'Bank;Payment Method;Account No;Phone;Amount',
      'KCB;EFT;1182345670;0711000001;5',
      ';Cash;;0711000002;5',
    ],
  ])('is not seen in %s', (_, ...lines) => {
    expect(asked(askBankOrMobile, lines)).toEqual([]);
  });
});

describe('an amount column for each currency', () => {
  it('is one question with both columns', () => {
    const questions = asked(askAmountPerCurrency, ['Amount KES;Amount UGX', '48250.00;', ';1250000']);
    expect(questions).toMatchObject([{ code: 'amount_per_currency', headers: ['Amount KES', 'Amount UGX'] }]);
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'first_filled', field: 'amount', headers: ['Amount KES', 'Amount UGX'] },
    ]);
    expect(words(questions)).toContain('A “Amount KES” (48250.00) and B “Amount UGX” (1250000)');
  });

  it.each(['Net Pay (GHS);Net Pay (NGN)', 'KES;UGX', 'Montant FCFA;Montant GNF', 'Amount ₦;Amount GH₵'])(
    'may be called %s',
    (header) => {
      expect(asked(askAmountPerCurrency, [header, '5;', ';7'])).toHaveLength(1);
    },
  );

  it('is not proposed where both columns of a row are filled', () => {
    const questions = asked(askAmountPerCurrency, ['Amount KES;Amount USD', '110000;850', '55000;425']);
    expect(answers(questions)).toHaveLength(2);
  });

  it.each(['Amount;Amount USD', 'Amount KES;Rate UGX', 'Amount KES;Amount KES 2'])(
    'is not seen in %s',
    (header) => {
      expect(asked(askAmountPerCurrency, [header, '5;', ';7'])).toEqual([]);
    },
  );
});

describe('what one answer settles for all rows', () => {
  it('zeros', () => {
    const lines = ['Amount;Note', '450.00;', '0;', '0.00;', ';'];
    expect(asked(askZeros, lines)).toMatchObject([{ isOffer: true, headers: ['Amount'] }]);
    expect(words(asked(askZeros, lines))).toContain('2 rows');
    expect(asked(askZeros, lines, [{ kind: 'skip_zero' }])).toEqual([]);
    expect(asked(askZeros, ['Amount', '450', ''])).toEqual([]);
  });

  it('cells that mean “as above”', () => {
    const lines = ['Country;Bank;Account', 'Kenya;KCB;1', ';;2', ';Equity;3', 'Ghana;GCB;4'];
    expect(answers(asked(askFillDown, lines))).toEqual([
      [{ kind: 'fill_down', fields: ['country', 'institution'] }],
    ]);
    const country: Answer = { kind: 'fill_down', fields: ['country'] };
    expect(answers(asked(askFillDown, lines, [country]))).toEqual([
      [{ kind: 'fill_down', fields: ['institution'] }],
    ]);
  });

  it('but not one cell of many that was forgotten, nor rows without an account', () => {
    const rows = Array.from({ length: 9 }, (_, at) => `KE;KCB;${at}`);
    expect(asked(askFillDown, ['Country;Bank;Account', ...rows, ';KCB;9'])).toEqual([]);
    expect(asked(askFillDown, ['Country;Bank;Account', 'KE;KCB;1', ';;', ';;'])).toEqual([]);
  });

  it('digits of other scripts', () => {
    const questions = asked(askOtherDigits, ['Account;Amount;Note', '٠١٠٠١٢٣٤٥٦٧;١٢٥٠٫٥٠;٣']);
    expect(questions).toMatchObject([{ headers: ['Account', 'Amount'] }]);
    expect(words(questions)).not.toContain('٠١٠٠١٢٣٤٥٦٧');
    expect(asked(askOtherDigits, ['Account;Amount;Note', '0100;12;٣'])).toEqual([]);
  });

  it('employee numbers in all names', () => {
    expect(asked(askNumberedNames, ['Name', '0117 - Yaw', 'OKAFOR C. (EMP 0231)'])).toHaveLength(1);
    expect(asked(askNumberedNames, ['Name', '0117 - Yaw', 'Okafor C.'])).toEqual([]);
    expect(asked(askNumberedNames, ['Name', 'Studio 54'])).toEqual([]);
  });
});
