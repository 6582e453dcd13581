/** What spreadsheets, exports and keyboards do to a cell is seen and named; nothing that is sound is accused of it. */
import { describe, expect, it } from 'vitest';
import { accountFault } from '../../src/domain/accounts/account-faults.ts';
import { hasNubanCheckDigit, nubanCode } from '../../src/domain/accounts/account-form.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { currenciesNamed } from '../../src/domain/money/currency-words.ts';
import { parseDecimal } from '../../src/domain/money/money.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import { TotalRows } from '../../src/domain/rows/total-rows.ts';
import { isDateLike, letterForDigit, mixesAlphabets, ungarbled } from '../../src/domain/text/likeness.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { numberFormat, pictured } from '../../src/files/xlsx/number-format.ts';
import { FIXED_ACCOUNTS } from '../../src/sandbox/accounts.ts';
import { createAccountProver } from '../../src/use-cases/intake/prove-account.ts';
import { SANDBOX_LISTS } from '../corpus/read-corpus.ts';

describe('dates', () => {
  it.each([
    '12/05/2026',
    '5.12.26',
    '2026-05-31',
    '2026-05-31 00:00:00',
    '1-Feb',
    '01-mai',
    'May-26',
    '3 March 2026',
    '12-05-2026',
  ])('%s is one', (text) => {
    expect(isDateLike(text)).toBe(true);
  });
  it.each([
    '0244123456',
    '1.250',
    '12.50',
    '12-3456-78',
    'market-12',
    '5-marie',
    '1/2',
    '99/99/2026',
    '01-1234-56',
    'SN0120102000',
  ])('%s is none', (text) => {
    expect(isDateLike(text)).toBe(false);
  });
});

describe('letters and alphabets', () => {
  it.each([
    ['O244123456', 'O'],
    ['02441l3456', 'l'],
    ['1O0.00', 'O'],
  ])('%s has the letter %s where a digit is meant', (text, letter) => {
    expect(letterForDigit(text)?.letter).toBe(letter);
  });
  it.each(['0244123456', 'GH0244123456', 'ollie', 'OIl', 'SN01'])('%s is taken as it stands', (text) => {
    expect(letterForDigit(text)).toBeUndefined();
  });
  it('a word of two alphabets is seen, a name in one alphabet is not accused', () => {
    expect(['Аma', 'Αma Mensah', 'О244'].map(mixesAlphabets)).toEqual([true, true, true]);
    expect(['Мария Иванова', 'Ama Иванова', 'Ama Mensah', 'አማ መንሳህ'].map(mixesAlphabets)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('garbled accents', () => {
  it.each([
    ['KouamÃ©', 'Kouamé'],
    ['Koffi â€“ chef', 'Koffi – chef'],
    ['FranÃ§ois', 'François'],
    ['Î‘Î»Î­Î¾', 'Αλέξ'],
  ])('%s was %s', (garbled, meant) => {
    expect(ungarbled(garbled)).toBe(meant);
  });
  it.each(['Kouamé', 'François', 'Ünal', 'São Tomé', 'Ada', 'Ãngela', 'Âme', 'Иванова'])(
    '%s is as it was written',
    (text) => {
      expect(ungarbled(text)).toBeUndefined();
    },
  );
});

describe('Nigerian account numbers', () => {
  it('[F14] have the check digit of their bank, and one wrong digit is always seen', () => {
    const known = FIXED_ACCOUNTS.filter(({ iso, institution }) => iso === 'NG' && institution !== 'OPay');
    for (const { institution, account } of known) {
      const folded = institution.toLowerCase().replace(/[^a-z]/g, '');
      const code = nubanCode({ iso: 'NG', institution: folded }) ?? '';
      expect(hasNubanCheckDigit(account, code), institution).toBe(true);
      for (let at = 0; at < 10; at += 1) {
        const wrong = account.slice(0, at) + String((Number(account[at]) + 1) % 10) + account.slice(at + 1);
        expect(hasNubanCheckDigit(wrong, code)).toBe(false);
      }
    }
    expect(known.length).toBeGreaterThan(5);
  });
  it('[F14] that are too short or too long for a bank are not paid; a wallet may count otherwise', () => {
    const kind = (text: string, institution: string) =>
      accountFault({ text, isNumber: false, iso: 'NG', institution })?.kind;
    expect(kind('123456785', 'guarantytrustbank')).toBe('account_zero_lost');
    expect(kind('12345', 'guarantytrustbank')).toBe('account_wrong_length');
    expect(kind('01234567850', 'zenithbankplc')).toBe('account_wrong_length');
    expect(kind('08031234567', 'opay')).toBeUndefined();
    expect(kind('0123456785', 'guarantytrustbank')).toBeUndefined();
  });
});

describe('number formats', () => {
  it.each([
    ['0000000000', '244123456', '0244123456'],
    ['000\\ 000\\ 0000', '244123456', '024 412 3456'],
    ['"0"#########', '244123456', '0244123456'],
    ['"+"0', '233244123456', '+233244123456'],
    ['000-00-0000', '12345678', '012-34-5678'],
    ['00000', '1234567', '1234567'],
    ['0##', '5', '005'],
  ])('[F14] %s shows %s as %s', (code, digits, shown) => {
    const { picture } = numberFormat(code);
    expect(picture && pictured(digits, picture)).toBe(shown);
  });
  it.each([
    ['General', {}],
    ['0', { decimals: 0 }],
    ['#,##0.00', { decimals: 2 }],
    ['_-* #,##0.00_-;-* #,##0.00_-', { decimals: 2 }],
    ['0%', { isPercent: true }],
    ['#,##0,', { isScaled: true, decimals: 0 }],
    ['0.0,,"M"', { isScaled: true, decimals: 1, words: 'M' }],
    ['0.00E+00', { isScaled: true }],
    [';;;', { showsNothing: true }],
    ['[$€-407] #,##0.00', { decimals: 2, words: '€' }],
    ['[$-409]#,##0.00', { decimals: 2 }],
    ['"KSh" #,##0;[Red]-"KSh" #,##0', { decimals: 0, words: 'KSh' }],
    ['[Red]0.0', { decimals: 1 }],
    ['@', {}],
    ['0_ ;\\-0\\ ', { decimals: 0 }],
    ['['.repeat(100_000), {}],
  ])('[F18] %s does to a number: %o', (code, does) => {
    const { isPercent, isScaled, decimals, words, showsNothing } = numberFormat(code);
    const found = { isPercent, isScaled, decimals, words, showsNothing };
    const nothing = {
      isPercent: false,
      isScaled: false,
      decimals: undefined,
      words: undefined,
      showsNothing: false,
    };
    expect(found).toEqual({ ...nothing, ...does });
  });
  it('[F21] currencies are known by their signs where a sign means few, and other words mean none', () => {
    expect(currenciesNamed('GH₵')).toEqual(['GHS']);
    expect(currenciesNamed('FCFA')).toEqual(['XOF', 'XAF']);
    expect(currenciesNamed('US$')).toEqual(['USD']);
    expect(currenciesNamed('ngn')).toEqual(['NGN']);
    expect(currenciesNamed('pieces')).toBeUndefined();
  });
});

const money = (code: string, plain: string) => {
  const currency = parseCurrency(code);
  const parsed = currency && parseDecimal(plain, currency);
  if (!parsed) throw new Error(`${code} ${plain}`);
  return parsed;
};

describe('totals in the sheet', () => {
  it('[F28] are compared exactly, across currencies of any decimals', () => {
    const totals = new TotalRows();
    for (const amount of [
      money('GHS', '0.10'),
      money('GHS', '0.20'),
      money('XOF', '5'),
      money('TND', '1.005'),
    ])
      totals.add(amount);
    totals.total(6, '6.305');
    expect([totals.faults, totals.notes]).toEqual([
      [],
      ['row 6 is a total, 6.305; it agrees with the amounts above it'],
    ]);
    totals.total(7, '6.3050000000001');
    expect(totals.faults[0]).toContain(
      'a number with many decimals, but the amounts above it add up to 6.305',
    );
  });
  it('[F28] are compared since the last row whose amount is not known', () => {
    const totals = new TotalRows();
    totals.leaveOut(3);
    totals.total(4, '8');
    totals.add(money('GHS', '10'));
    totals.total(6, '10');
    totals.total(7, '18');
    expect(totals.notes.map((note) => note.includes('not compared'))).toEqual([true, false, true]);
  });
});

describe('a guess at lost zeros', () => {
  const DECLINED = { kind: 'declined', code: '44', message: 'no such account' } as const;
  const issue = {
    kind: 'account_zero_lost',
    field: 'account',
    column: 'Account',
    columnLetter: 'D',
    seen: '••••3456',
    expected: '10 digits',
    suggestion: 'Write the zero.',
  } as const;
  const row = (name: string) => ({
    kind: 'invalid' as const,
    issues: [issue],
    keys: { rowKey: new Uint8Array(16) },
    guess: { institutionId: asInstitutionId('i-mtn'), padded: new Sensitive('0244123456'), name },
  });
  const service = (answer: string | undefined) => ({
    paymentService: {
      ...SANDBOX_LISTS,
      accountName: async () => (answer === undefined ? DECLINED : { kind: 'answered' as const, answer }),
    },
  });
  const said = async (name: string, answer: string | undefined) =>
    (await createAccountProver(service(answer)).prove(row(name), undefined)).issues[0]?.suggestion;

  it('[F14] is called proven only when the service knows that account by the name in the row', async () => {
    expect(await said('Ama Boateng', 'BOATENG, AMA')).toContain('as that of Ama Boateng');
    expect(await said('Ama Boateng', 'Kofi Mensah')).toBe('Write the zero.');
    expect(await said('Ama Boateng', undefined)).toBe('Write the zero.');
  });
  it('[F14] is asked about for a few rows only, and never by check', async () => {
    let questions = 0;
    const accountName = async () => {
      questions += 1;
      return DECLINED;
    };
    const prover = createAccountProver({ paymentService: { ...SANDBOX_LISTS, accountName } });
    for (let times = 0; times < 100; times += 1) await prover.prove(row('Ama'), undefined);
    expect(questions).toBe(25);
    expect((await createAccountProver(undefined).prove(row('Ama'), undefined)).issues).toEqual([issue]);
  });
});
