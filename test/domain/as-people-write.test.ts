/** Cells as people write them: one reading is taken and said, a second one is asked about, and a word in place of a value pays nobody. */
import { describe, expect, it } from 'vitest';
import { accountForm } from '../../src/domain/accounts/account-form.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { currenciesNamed, isWordFor } from '../../src/domain/money/currency-words.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import { foldText } from '../../src/domain/text/fold.ts';
import { inLatinDigits } from '../../src/domain/text/likeness.ts';
import { COUNTRIES } from '../../src/sandbox/directory.ts';
import { type Row, readRow } from '../corpus/read-row.ts';

const KENYA: Row = { country: 'Kenya', institution: 'M-PESA', account: '0712345678', amount: '1200' };
const BANK: Row = { ...KENYA, institution: 'KCB Bank Kenya', account: '1182345670' };
const NIGERIA: Row = {
  country: 'Nigeria',
  institution: 'Zenith Bank',
  account: '1004829134',
  amount: '1200',
};
const SENEGAL: Row = { country: 'Senegal', institution: 'Wave', account: '764419025', amount: '1200' };
const UGANDA: Row = { ...KENYA, country: 'Uganda', institution: 'Airtel Money', account: '0752331805' };
const GHANA: Row = { ...KENYA, country: 'Ghana', institution: 'GCB Bank', account: '1011130024576' };
const ZAMBIA: Row = { ...KENYA, country: 'Zambia', institution: 'MTN Mobile Money', account: '0962345678' };
const NAMIBIA: Row = { ...KENYA, country: 'Namibia', institution: 'Bank Windhoek', account: '8001234567' };

/** What the row pays, or the kinds of its issues. */
async function outcome(row: Row, changes: Partial<Record<Field, string>>): Promise<string> {
  const { paid, issues } = await readRow({ ...row, ...changes });
  return paid === undefined ? issues.map(({ kind }) => kind).join(' ') : paid;
}

it('knows every wallet of the sandbox as one with phone numbers, and no bank', () => {
  const ofKind = COUNTRIES.flatMap(({ iso, institutions }) =>
    institutions.map(({ kind, name }) => ({
      kind,
      name,
      form: accountForm({ iso, institution: foldText(name) }),
    })),
  );
  expect(ofKind.filter(({ kind, form }) => (form === 'unknown') === (kind === 'wallet'))).toEqual(
    ofKind.filter(({ kind, form }) => kind === 'bank' && form === 'ten_digits'),
  );
  expect(ofKind.filter(({ kind, form }) => kind === 'bank' && form === 'phone')).toEqual([]);
});

describe('an account', () => {
  it.each([
    ...[
      'NO_PHONE',
      'no phone',
      'CASH',
      'TBC',
      'To be advised',
      'N/A',
      'n.a.',
      'pending',
      '0000000000',
      '000-000-0000',
    ],
    ...['999999999', '+254000000000', '-', '???', 'SANS NUMERO', 'néant', 'Nil', 'see HR', 'Ａ'],
    ...['À venir', 'sem conta', 'xxxxxxx', 'cheque', 'NOT PROVIDED', 'same', '#'],
  ])('“%s” stands for none, at a wallet and at a bank', async (account) => {
    for (const row of [KENYA, BANK, NIGERIA, SENEGAL, GHANA])
      expect(await outcome(row, { account })).toMatch(/^account_(?:placeholder|look_alike|characters)$/);
  });

  it.each([
    [KENYA, '0712-345-678', '0712345678'],
    [KENYA, '(0712) 345 678', '0712345678'],
    [KENYA, '0712.345.678', '0712345678'],
    [KENYA, '+254-712-345678', '+254712345678'],
    [KENYA, '+(254) 712–345–678', '+254712345678'],
    [KENYA, '00254 712 345 678', '00254712345678'],
    [SENEGAL, '76-441-90-25', '764419025'],
    [UGANDA, '0752 331 805', '0752331805'],
    [NIGERIA, '100-482-9134', '1004829134'],
    [NIGERIA, '1004.829.134', '1004829134'],
    [BANK, '118 234 5670', '1182345670'],
    [GHANA, 'jane.doe@wallet', 'jane.doe@wallet'],
  ])('%# “%s” is sent as its digits', async (row, account, sent) => {
    const { paid, notes } = await readRow({ ...row, account });
    expect(paid).toMatch(new RegExp(`^${RegExp.escape(sent)} `));
    const said = notes.filter((note) => note.startsWith('Accounts are written with'));
    expect(said).toHaveLength(account === sent ? 0 : 1);
  });

  it.each([
    ...['118-234-5670', '118.234.5670', '1,182,345,670', '118–234–5670'].map(
      (text) => [BANK, text, 'marks|characters'] as const,
    ),
    [SENEGAL, '0712.345678', 'not_whole'],
    [KENYA, '12-05-2026', 'date'],
    [KENYA, '0712/345678', 'characters'],
    [KENYA, '345678', 'wrong_length'],
    [KENYA, '07123456780722904417', 'wrong_length'],
    [KENYA, 'KE0712345678', 'characters'],
    [KENYA, 'O712345678', 'look_alike'],
    [NIGERIA, 'ZEN1004829134', 'characters'],
    [NIGERIA, '100-482-91', 'zero_lost|wrong_length'],
  ] as const)('%# “%s” is asked about: account_%s', async (row, account, kind) => {
    expect(await outcome(row, { account })).toMatch(new RegExp(`^account_(?:${kind})$`));
  });

  it.each([
    ...[
      '0712345678 / 0722904417',
      '0712345678/0722904417',
      '0712345678, 0722904417',
      '0712345678 0722904417',
    ],
    ...[
      '0712345678 - 0722904417',
      '0712345678 or 0722904417',
      '0712345678 & 0722904417',
      '+254 (0) 712 345678',
    ],
    ...[
      '0733218560 (Faith)',
      '0733218560 (M-PESA)',
      'Faith 0733218560',
      '0733218560 FAITH',
      'M-PESA 0733218560',
    ],
    ...[
      'A/C 1182345670',
      'A/C1182345670',
      'A/c No. 1182345670',
      'Acct: 1182345670',
      'N° 1182345670',
      'Tel. 0733218560',
    ],
    ...[
      'Equity 0170199384756',
      'EQUITY 0170199384756',
      '0170199384756 Equity',
      'IBAN: SN0120102000123456789007',
    ],
    ...['Till 123456', 'Paybill 247247 acc 123456', '0170199384756 KB', '1182345670 (old)'],
  ])('“%s” is more than one account', async (account) => {
    for (const row of [KENYA, BANK, NIGERIA])
      expect(await outcome(row, { account })).toBe('account_more_than_one');
  });

  it.each([
    'GB29 NWBK 6016 1331 9268 19',
    'SN 012 01020 001234567890 07',
    'CI0080111101112345678971',
    '01J 2022334500',
  ])('%s is one account in groups', async (account) => {
    expect(await outcome(GHANA, { account })).toMatch(/ GHS$/);
  });
});

describe('an amount', () => {
  it.each([
    [UGANDA, '350,000/=; 1.50', '350000'],
    [KENYA, '15,000/-; 1.50', '15000.00'],
    [KENYA, 'Ksh 22,500.00', '22500.00'],
    [KENYA, 'KES 15,000/=; 1.50', '15000.00'],
    [KENYA, 'Kshs. 1,250.50', '1250.50'],
    [KENYA, '1250.50 shillings', '1250.50'],
    [UGANDA, 'USh 90000', '90000'],
    [UGANDA, 'Shs.90000/=', '90000'],
    [SENEGAL, '150 000 FCFA', '150000'],
    [SENEGAL, '85 000 F CFA', '85000'],
    [SENEGAL, '1.250.000 F', '1250000'],
    [SENEGAL, 'CFA 60000', '60000'],
    [NIGERIA, '₦185,000.00', '185000.00'],
    [NIGERIA, 'N185,000.00', '185000.00'],
    [NIGERIA, '=N=185,000.00', '185000.00'],
    [NIGERIA, '5000 Naira', '5000.00'],
    [GHANA, 'GH₵ 1,450.00', '1450.00'],
    [GHANA, '1450.00 GH¢', '1450.00'],
    [GHANA, 'GHC1450', '1450.00'],
    [GHANA, '+GHS 1450', '1450.00'],
    [ZAMBIA, 'K20', '20.00'],
  ])('%# “%s” is %s of the row’s own currency, and it is said once', async (row, texts, amount) => {
    const [text = '', proof] = texts.split('; ');
    const { paid, notes } = await readRow(
      { ...row, amount: text },
      proof === undefined ? [] : [{ ...KENYA, amount: proof }],
    );
    expect(paid).toMatch(new RegExp(` ${RegExp.escape(amount)} [A-Z]{3}$`));
    expect(notes.filter((note) => note.includes("the row's own currency"))).toHaveLength(
      text.includes('GHS') ? 0 : 1,
    );
  });

  it.each([
    [KENYA, 'UGX 15,000/=', 'other_currency'],
    [UGANDA, 'KSh 15,000/=', 'other_currency'],
    [GHANA, '15,000/-', 'other_currency'],
    [GHANA, '₦5000', 'other_currency'],
    [KENYA, '$500', 'other_currency'],
    [KENYA, '500 €', 'other_currency'],
    [KENYA, '500 F CFA', 'other_currency'],
    [NAMIBIA, '$500', 'with_currency'],
    [GHANA, '500 pieces', 'with_currency'],
    ...['12.5K', '12.5k', 'KES 12.5K', '2 million', '1.2M', '3 mil', '5 thousand KES', '20K'].map(
      (text) => [KENYA, text, 'shortened'] as const,
    ),
    [ZAMBIA, '20K', 'shortened'],
    [KENYA, '2E+04', 'scientific'],
    [KENYA, 'Ksh 2E+04', 'scientific'],
    [KENYA, '-15,000/-', 'negative'],
    [KENYA, '15,000-', 'negative'],
    [KENYA, '(15,000/=)', 'negative'],
    [KENYA, '15000.-', 'unfinished|not_a_number'],
    [SENEGAL, 'FCFA', 'not_a_number'],
    [KENYA, '=K20', 'formula'],
  ] as const)('%# “%s” is not read: amount_%s', async (row, amount, kind) => {
    expect(await outcome(row, { amount })).toMatch(new RegExp(`^amount_(?:${kind})$`));
  });
});

describe('digits of another script', () => {
  it.each([
    ['١٢٥٠٫٥٠', '1250.50'],
    ['٣٬٤٠٠', "3'400"],
    ['٠١٠٠١٢٣٤٥٦٧', '01001234567'],
    ['۱۲۳', '123'],
    ['१२५.५०', '125.50'],
    ['１２０', '120'],
    ['𝟙𝟚', '12'],
    ['3٬400', "3'400"],
    ['١,٢٥٠', '1,250'],
    ['1250', undefined],
    ['1２', undefined],
    ['١۲', undefined],
    ['١٫٢٥٠', undefined],
  ])('%s is %s where it has one reading', (text, latin) => {
    expect(inLatinDigits(text)).toBe(latin);
  });
});

describe('a currency', () => {
  it.each([
    [KENYA, 'KSH Kshs. shillings /='],
    [GHANA, 'GHC cedis ₵ GH₵'],
    [NIGERIA, 'Naira ₦ naira'],
    [SENEGAL, 'FCFA F.CFA CFA'],
    [UGANDA, 'USHS Ush Shs'],
  ])('%# is named by its words %s, and the issue says so', async (row, words) => {
    for (const currency of words.split(' ')) {
      const { issues } = await readRow({ ...row, currency });
      expect(issues).toMatchObject([
        { kind: 'currency_unknown', expected: expect.stringContaining('this word means it') },
      ]);
    }
  });

  it('that another one is named by is never one to write over', async () => {
    const said = async (row: Row, currency: string) =>
      (await readRow({ ...row, currency })).issues.map(({ kind }) => kind);
    expect(await said(GHANA, 'Naira')).toEqual(['currency_mismatch']);
    expect(await said(KENYA, 'Dollars')).toEqual(['currency_mismatch']);
    expect(await said(KENYA, 'pieces')).toEqual(['currency_unknown']);
    const nad = parseCurrency('NAD');
    expect(nad && [isWordFor('$', nad), isWordFor('N$', nad), currenciesNamed('$')?.[0]]).toEqual([
      false,
      true,
      'USD',
    ]);
  });
});

describe('a country', () => {
  it.each([
    ['+254', 'KES'],
    ['254', 'KES'],
    ['00254', 'KES'],
    ['(+254)', 'KES'],
    ['+ 254', 'KES'],
  ])('%s is read: as a calling code', async (country, currency) => {
    expect(await outcome(KENYA, { country })).toMatch(new RegExp(`${currency}$`));
  });

  it.each([
    ['250', 'calling code of Rwanda'],
    ['231', 'calling code of Liberia'],
    ['+1', 'calling code of United States and other countries'],
    ['+61', 'calling code of a country that the service does not list'],
  ])('%s is asked about, and named: %s', async (country, words) => {
    const { issues } = await readRow({ ...KENYA, country });
    expect(issues.find(({ field }) => field === 'country')?.expected).toContain(words);
  });
});

it('a phone that is none stops no row, and the file says how many there are', async () => {
  for (const phone of ['12345', '2.33244E+11', 'call me', '#N/A', '0712345678\u200b', 'x'.repeat(40)]) {
    const { paid, notes } = await readRow({ ...KENYA, phone }, [{ ...UGANDA, phone: '0752331805' }]);
    expect(paid, phone).toBe('0712345678 1200.00 KES');
    expect(notes).toContain('The phone is left out in row 2: it is no phone number of the country.');
  }
});
