/** Amounts in thousands, references that are narrations, and words for currencies. */
import { describe, expect, it } from 'vitest';
import { currencyOfHeader } from '../../../src/domain/rows/header-currency.ts';
import { answers, asked, codes, words } from './asked.ts';

const sheet = (amount: string) => [
  `Name;Country;Bank;Account;${amount}`,
  'Ann;Kenya;KCB;1182345670;48.25',
  'Ben;Kenya;KCB;1182345671;12',
];

describe('amounts in thousands', () => {
  it.each([
    'All amounts in KES ’000',
    "Payroll November (UGX '000)",
    'in thousands of shillings',
    'Montants en milliers de FCFA',
    'Valores em milhares de meticais',
    'Amounts in 000s',
    'x 1,000',
  ])('are asked about by the title “%s”', (title) => {
    const questions = asked(sheet('Amount'), { above: ['Tumaini Trust', title] });
    expect(codes(questions)).toEqual(['in_thousands']);
    expect(words(questions)).toContain(`“${title}” says so`);
    expect(answers(questions)).toEqual([
      [{ kind: 'scale', header: 'Amount', factor: 1000 }],
      [{ kind: 'scale', header: 'Amount', factor: 1 }],
    ]);
  });

  it.each(["Amount ('000)", 'Net Pay (000s)', 'Amount in thousands', 'Montant (en milliers)', 'KES 000'])(
    'are asked about by the header “%s”, also when it was named',
    (header) => {
      const said = [{ kind: 'map', field: 'amount', headers: [header] } as const];
      expect(codes(asked(sheet(header), { said }))).toEqual(['in_thousands']);
      const known = { kind: 'scale', header, factor: 1 } as const;
      expect(codes(asked(sheet(header), { said: [...said, known] }))).toEqual([]);
    },
  );

  it.each(['Payroll 2026, 12,000 employees', 'Order 4000', 'Budget line 000123', 'Thousand Oaks Ltd'])(
    'are not seen in the title “%s”',
    (title) => {
      expect(codes(asked(sheet('Amount'), { above: [title] }))).toEqual([]);
    },
  );

  it('are not multiplied where they are in millions', () => {
    expect(answers(asked(sheet('Amount'), { above: ['Amounts in millions of UGX'] }))).toEqual([
      [{ kind: 'scale', header: 'Amount', factor: 1 }],
      [],
    ]);
  });
});

describe('a reference that many rows have', () => {
  const references = (...cells: readonly string[]) => [
    'Name;Country;Bank;Account;Amount;Payment Reference',
    ...cells.map((cell, at) => `P${at};Kenya;KCB;118234567${at};5;${cell}`),
  ];

  it('is offered as the note', () => {
    const questions = asked(references('NOV 2026 SALARY', 'NOV 2026 SALARY', 'NOV 2026 SALARY'));
    expect(questions).toMatchObject([{ code: 'same_reference', isOffer: true }]);
    expect(answers(questions)?.[0]).toEqual([{ kind: 'map', field: 'note', headers: ['Payment Reference'] }]);
  });

  it('is offered where a few texts stand in all rows', () => {
    expect(codes(asked(references('SALARY HQ', 'SALARY HQ', 'SALARY FIELD', 'SALARY FIELD')))).toEqual([
      'same_reference',
    ]);
  });

  it('is none where single rows have it twice, or one row stands alone', () => {
    expect(codes(asked(references('A-1', 'A-2', 'A-2')))).toEqual([]);
    expect(codes(asked(references('A-1')))).toEqual([]);
  });
});

describe('words for currencies', () => {
  const currencies = (...cells: readonly string[]) => [
    'Name;Country;Bank;Account;Amount;Currency',
    ...cells.map((cell, at) => `P${at};Kenya;KCB;118234567${at};5;${cell}`),
  ];

  it.each([
    ['KSH', 'KES'],
    ['Kshs.', 'KES'],
    ['Naira', 'NGN'],
    ['GHC', 'GHS'],
    ['GH₵', 'GHS'],
    ['FCFA', 'XOF'],
    ['USHS', 'UGX'],
  ])('are bound once: %s is %s', (written, means) => {
    const questions = asked(currencies(written, written), { currency: means });
    expect(questions).toMatchObject([{ code: 'currency_words', isOffer: true }]);
    expect(answers(questions)).toEqual([[{ kind: 'value', field: 'currency', written, means }]]);
    const said = answers(questions)?.[0] ?? [];
    expect(codes(asked(currencies(written, written), { currency: means, said }))).toEqual([]);
  });

  it.each([
    ['Naira', 'NGN'],
    ['FCFA', 'XOF'],
  ])('are offered where no row can be paid before: %s is %s', (written, means) => {
    expect(answers(asked(currencies(written, written)))).toEqual([
      [{ kind: 'value', field: 'currency', written, means }],
    ]);
  });

  it('are not offered where too many countries call their currency so', () => {
    expect(codes(asked(currencies('SH', 'SH')))).toEqual([]);
  });

  it.each(['KES', 'kes', 'USD', 'Dollars', 'unknown'])(
    'are no words for the currency of the rows: %s',
    (written) => {
      expect(codes(asked(currencies(written, written), { currency: 'KES' }))).toEqual([]);
    },
  );
});

it.each([
  ['Amount (USD)', 'USD'],
  ['Send Amount £', 'GBP'],
  ['entitlement_usd', 'USD'],
  ['amountUSD', 'USD'],
  ['Montant en FCFA', 'XOF'],
  ['Amount in dollars', 'USD'],
  ['Net Pay (KSh)', 'KES'],
  ['Amount (N)', 'NGN'],
  ['AMOUNT KES', 'KES'],
  ['Top up amount', undefined],
  ['Amount all', undefined],
  ['Amount (local currency)', undefined],
  ['Amount P', undefined],
])('the header “%s” is in %s', (header, currency) => {
  expect(currencyOfHeader(header)).toBe(currency);
});
