/** Statements: what their columns are called, what a line says, how far they reach. */
import { describe, expect, it } from 'vitest';
import { gapOf, SpanFinder } from '../../src/domain/statement/dates.ts';
import { type Payments, SignCounter, signsText } from '../../src/domain/statement/direction.ts';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import {
  bindStatement,
  type StatementMap,
  statementFieldOf,
} from '../../src/domain/statement/statement-columns.ts';
import { IN_A_PROGRAM, textOf } from '../../src/domain/text/message.ts';

const bound = (headers: readonly string[]) => {
  const found = bindStatement(headers, new Map());
  if (found.kind === 'unusable') throw new TypeError('the columns are known');
  return found.columns;
};
const line = (cells: Readonly<Record<string, string>>, payments?: Payments) =>
  readStatementLine(
    { rowNumber: 2, cells: Object.values(cells) },
    bound(Object.keys('Details' in cells || 'Account' in cells ? { ...cells, Amount: '' } : cells)),
    payments,
  );

describe('the columns of a statement', () => {
  it.each([
    ['Date', 'date'],
    ['Booking date', 'date'],
    ["Date d'opération", 'date'],
    ['Date de l’opération', 'date'],
    ['DATE VALEUR', 'date'],
    ['Data do movimento', 'date'],
    ['Libellé de l’opération', 'narration'],
    ['N° de compte', 'account'],
    ['Montant débité', 'debit'],
    ['VALOR', 'amount'],
    ['Numéro de compte', 'account'],
    ['Libellé', 'narration'],
    ['Descrição', 'narration'],
    ['Transaction ID', 'transfer_id'],
    ['Estado', 'status'],
    ['Buchungstag', 'date'],
    ['Valuta', 'date'],
    ['Betrag', 'amount'],
    ['Soll', 'debit'],
    ['Haben', 'credit'],
    ['Soll/Haben', 'side'],
    ['S/H', 'side'],
    ['Verwendungszweck', 'narration'],
    ['Währung', 'currency'],
    ['Montant', 'amount'],
    ['Débit', 'debit'],
    ['Crédit', 'credit'],
    ['Data', 'date'],
    ['Montante', 'amount'],
    ['Débito', 'debit'],
    ['Crédito', 'credit'],
    ['Descritivo', 'narration'],
    ['Debits', 'debit'],
    ['Debit (NGN)', 'debit'],
    ['Débit en EUR', 'debit'],
    ['Amount (NGN)', 'amount'],
    ['Amount(₦)', 'amount'],
    ['Withdrawal(Dr)', 'debit'],
    ['DR', 'debit'],
    ['Debit Amt', 'debit'],
    ['Payments', 'debit'],
    ['Money out', 'debit'],
    ['Paid out', 'debit'],
    ['Deposit(Cr)', 'credit'],
    ['Credit (NGN)', 'credit'],
    ['Dr/Cr', 'side'],
    ['Amount to pay', undefined],
    ['Account (NGN)', undefined],
    ['Balance', 'balance'],
    ['Saldo', 'balance'],
    ['Solde', 'balance'],
  ])('know “%s” as %s', (header, field) => {
    expect(statementFieldOf(header, new Map())).toBe(field);
  });

  it('are what the person mapped, and nothing else is taken for it', () => {
    const map = new Map([['amount', 'Sent']] as const);
    expect(statementFieldOf('sent', map)).toBe('amount');
    expect(statementFieldOf('Amount', map)).toBeUndefined();
    expect(bindStatement(['Date', 'Amount'], map)).toMatchObject({ kind: 'unusable' });
  });

  it('of payments alone replace a column of all amounts, and the other way round', () => {
    const headers = ['Date', 'Amount', 'Paid out', 'Paid in'];
    const bound = (map: StatementMap) => bindStatement(headers, map);
    const said = (map: StatementMap) => {
      const found = bound(map);
      return found.kind === 'unusable' ? textOf(found.why.pieces, IN_A_PROGRAM) : '';
    };
    expect(said(new Map())).toBe(
      '“Amount” and “Paid out” and “Paid in” may all hold the payments. Name the columns that do, with map: amount=COLUMN (one column, for payments and what came in), map: debit=COLUMN (payments), map: credit=COLUMN (what came in)',
    );
    expect(bound(new Map([['debit', 'paid out']]))).toMatchObject({
      columns: {
        at: new Map([
          ['date', [0]],
          ['debit', [2]],
          ['credit', [3]],
        ]),
      },
    });
    expect(bound(new Map([['amount', 'Amount']]))).toMatchObject({
      columns: {
        at: new Map([
          ['date', [0]],
          ['amount', [1]],
        ]),
      },
    });
    expect(said(new Map([['debit', 'Sent']]))).toBe(
      'no column is called “Sent”, which was said to hold debit',
    );
  });

  it.each([
    [['Date', 'Sum', 'Narration'], '“Date”, “Sum”, “Narration”'],
    [['Date', 'Money in', 'Narration'], '“Date”, “Money in”, “Narration”'],
  ])('are refused if none holds payments: %j', (headers, seen) => {
    const found = bindStatement(headers, new Map());
    const text = found.kind === 'unusable' ? textOf(found.why.pieces, IN_A_PROGRAM) : '';
    expect(text).toContain(
      `no column is known to hold the amounts of payments. It has ${seen}. Name the column`,
    );
  });

  it.each([
    [{ 'Debit (NGN)': '1,200.00' }, 'NGN', ['1200']],
    [{ 'Debit (NGN)': '₦1,200.00' }, 'NGN', ['1200']],
    [{ 'Debit (NGN)': '$1,200.00' }, undefined, []],
    [{ 'Debit (NGN)': '2E4' }, undefined, []],
    [{ 'Debit (NGN)': '20k' }, undefined, []],
  ])('name the currency of their amounts: %j', (cells, currency, amounts) => {
    expect(line({ ...cells, Date: '' })).toMatchObject({ currency, amounts });
  });
});

describe('a line of a statement', () => {
  it('gives every tag that stands in any cell, in any letter case, and no word that only looks like one', () => {
    expect(line({ Details: 'salary pf-7ajf9dpf; was PF-00000001', Other: '' }).tags).toEqual([
      'PF-7AJF9DPF',
      'PF-00000001',
    ]);
    expect(line({ Details: 'XPF-7AJF9DPF PF-7AJF9DPF2 PF-7AJF9DPI PF-7AJF9DP', Other: '' }).tags).toEqual([]);
  });

  it.each([
    ['VIR 0001234 PF-7AJF', ['PF-7AJF']],
    ['VIR 0001234 PF-', ['PF-']],
    ['pf-7ajf 9DPF salary', ['PF-7AJF']],
    ['PF-7AJF9DPF salary', []],
    ['PF-LUNCH, PF 12, XPF-7A', []],
  ])('gives the beginning of a tag that the bank cut off: “%s”', (Details, cutTags) => {
    expect(line({ Details, Other: '' }).cutTags).toEqual(cutTags);
  });

  it.each([
    ['1,200.50', ['1200.5'], 'none'],
    ['-1.200,50', ['1200.5'], 'minus'],
    ['1.200,50-', ['1200.5'], 'minus'],
    ['+1.200,50', ['1200.5'], 'plus'],
    ['(70.00)', ['70'], 'minus'],
    ['GHS 70.00 DR', ['70'], 'none'],
    ['1,500', ['1500'], 'none'],
    ['-27.500', ['27500'], 'minus'],
    ['1234,500', ['1234.5'], 'none'],
    ['0.125', ['0.125'], 'none'],
    ['GHS1,200.50', ['1200.5'], 'none'],
    ['1 200,50 GHS', ['1200.5'], 'none'],
    ['GH₵ -70.00', ['70'], 'minus'],
    ['KSh.500', ['500'], 'none'],
    ['seventy', [], 'none'],
    ['', [], 'none'],
    // A power of ten, thousands, a footnote, a percentage, a unit, two numbers, two signs, half a bracket.
    ['2E4', [], 'none'],
    ['2e+4', [], 'none'],
    ['-2.5E3', [], 'minus'],
    ['20k', [], 'none'],
    ['20 K', [], 'none'],
    ['1.2M', [], 'none'],
    ['1,200.00*', [], 'none'],
    ['~1,200.00', [], 'none'],
    ['1,200.00 %', [], 'none'],
    ['1200 pcs', [], 'none'],
    ['1,200.00 / 78.44', [], 'none'],
    ['-1,200.00-', [], 'minus'],
    ['(1,200.00', [], 'none'],
    ['–1,200.00', [], 'minus'],
    ['١٢٠٠', [], 'none'],
    // A sign of several currencies, and a word of none.
    ['$1,315.79', [], 'none'],
    ['20 F', [], 'none'],
    ['pieces 70.00', [], 'none'],
    ['GHS 70.00 USD', [], 'none'],
  ])('reads the amount “%s” as files to pay are read', (Amount, amounts, sign) => {
    const read = line({ Amount, Date: '' });
    expect(read.amounts).toEqual(amounts);
    expect(read.sign).toBe(sign);
  });

  it.each([
    ['USD 1,315.79', '', ['1315.79'], 'USD'],
    ['€1,210.55', '', ['1210.55'], 'EUR'],
    ['USD 1,315.79', 'usd', ['1315.79'], 'USD'],
    ['$1,315.79', 'USD', ['1315.79'], 'USD'],
    ['K20', 'ZMW', ['20'], 'ZMW'],
    ['1,210.55', '€', ['1210.55'], 'EUR'],
    ['USD 1,315.79', 'GHS', [], undefined],
    ['€1,210.55', 'ZAR', [], undefined],
    ['20k', 'ZMW', [], undefined],
    ['1,210.55', 'pieces', [], undefined],
    ['1,210.55', '$', [], undefined],
  ])(
    'takes the currency of “%s” beside “%s” only if it is one, and the column’s',
    (Amount, Currency, amounts, currency) => {
      expect(line({ Amount, Currency, Date: '' })).toMatchObject({ amounts, currency });
    },
  );

  it('takes the words that a workbook writes around a number for a part of it', () => {
    const read = (words: string, text = '-27.13') =>
      readStatementLine(
        {
          rowNumber: 2,
          cells: [text, ''],
          marks: [
            { column: 0, kind: 'number' },
            { column: 0, kind: 'shown_words', words },
          ],
        },
        bound(['Amount', 'Date']),
      );
    expect(read('€')).toMatchObject({ amounts: ['27.13'], currency: 'EUR', sign: 'minus' });
    expect(read('DR')).toMatchObject({ amounts: ['27.13'], direction: 'out', isDirectionWritten: true });
    expect(read('k')).toMatchObject({ amounts: [] });
  });

  it('does not say which way the money went by a mark beside an amount that it cannot read', () => {
    expect(line({ Amount: '20k CR', Date: '' })).toMatchObject({
      direction: 'out',
      isDirectionWritten: false,
    });
    expect(line({ Debit: '', Credit: '-20k' })).toMatchObject({ direction: 'open' });
    expect(line({ Debit: '', Credit: '20k' })).toMatchObject({ direction: 'in' });
  });

  it('keeps what a bank with three decimals would mean beside it, and takes a number of a workbook as it is', () => {
    expect(line({ Amount: '27,500', Date: '' })).toMatchObject({
      amounts: ['27500'],
      otherAmounts: ['27.5'],
    });
    expect(line({ Amount: '27,50', Date: '' }).otherAmounts).toEqual([]);
    const marks = [{ column: 0, kind: 'number' }] as const;
    const numeric = readStatementLine(
      { rowNumber: 2, cells: ['-27.125', ''], marks },
      bound(['Amount', 'Date']),
    );
    expect(numeric).toMatchObject({ amounts: ['27.125'], otherAmounts: [], sign: 'minus' });
  });

  it.each([
    ['70.00 DR', 'out'],
    ['70.00Cr', 'in'],
    ['CR 70.00', 'in'],
    ['70,00 S', 'out'],
    ['70,00 H', 'in'],
    ['CRC 70.00', undefined],
  ])('knows which way the money went by a mark beside it: “%s”', (Amount, direction) => {
    const read = line({ Amount, Date: '' });
    expect(read.isDirectionWritten ? read.direction : undefined).toBe(direction);
  });

  it.each([
    ['S', 'out'],
    ['Soll', 'out'],
    ['-', 'out'],
    ['Débit', 'out'],
    ['DBIT', 'out'],
    ['H', 'in'],
    ['Haben', 'in'],
    ['+', 'in'],
    ['Crédito', 'in'],
    ['RD', 'in'],
    ['RC', 'open'],
    ['', 'open'],
  ])('knows it by a column that says it: “%s”', (side, direction) => {
    expect(line({ 'Soll/Haben': side, Betrag: '70,00', Datum: '' })).toMatchObject({
      direction,
      isDirectionWritten: true,
    });
  });

  it('knows money that came in by its own column', () => {
    expect(line({ Debit: '', Credit: '70.00' })).toMatchObject({ direction: 'in', amounts: ['70'] });
    expect(line({ Debit: '', Credit: '-70.00' })).toMatchObject({ direction: 'open' });
    expect(line({ Debit: '70.00', Credit: '' })).toMatchObject({ direction: 'out', amounts: ['70'] });
    expect(line({ Debit: '', Credit: '' }).direction).toBe('open');
    expect(line({ Debit: '70.00', Credit: '5.00' })).toMatchObject({ amounts: [], amountText: '70.00' });
  });

  it.each<[string, Payments | undefined, string]>([
    ['70.00', undefined, 'out'],
    ['-70.00', undefined, 'out'],
    ['-70.00', 'minus', 'out'],
    ['70.00', 'minus', 'in'],
    ['+70.00', 'plus', 'out'],
    ['70.00', 'plus', 'out'],
    ['(70.00)', 'plus', 'in'],
    ['x', 'plus', 'open'],
    ['70.00 CR', 'plus', 'in'],
  ])('reads “%s” by what the person says of payments, %j: %s', (Amount, payments, direction) => {
    expect(line({ Amount, Date: '' }, payments).direction).toBe(direction);
  });

  it.each([
    ['****4501', '4501', true],
    ['XXXXXX4501', '4501', true],
    ['••••4501', '4501', true],
    ['0241 234 501', '0241234501', false],
    ['GH12-3456-7890', 'GH1234567890', false],
  ])('reads the account “%s” as %s', (Account, text, isMasked) => {
    expect(line({ Account, Date: '' }).account).toEqual({ text, isMasked });
  });
});

describe('the signs of a statement', () => {
  const seen = (amounts: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const counter = new SignCounter();
    for (const [at, Amount] of amounts.entries())
      counter.add({ ...line({ Amount, Date: '', ...more }), rowNumber: at + 2 });
    return counter.result();
  };

  it.each([
    ['no sign', ['70.00', '5.00']],
    ['a minus throughout', ['-70.00', '(5.00)']],
    ['one sign, and zeros', ['-70.00', '0.00', '']],
    ['marks that say it', ['70.00 DR', '-5.00 CR']],
  ])('leave no question where there is %s', (_, amounts) => {
    expect(seen(amounts)).toBeUndefined();
  });

  it('leave none where a column says it', () => {
    expect(seen(['70.00', '-5.00'], { 'Soll/Haben': 'S' })).toBeUndefined();
  });

  it.each([
    [
      ['70.00', '-5.00', '-6.00'],
      '2 amounts have a minus (line 3: -5.00), 1 amount has a plus or no sign (line 2: 70.00)',
    ],
    [['+70.00', '+5.00'], '2 amounts have a plus or no sign (line 2: +70.00)'],
    [['+70.00', '5.00'], '2 amounts have a plus or no sign (line 2: +70.00)'],
  ])('have to be explained where they are %j', (amounts, text) => {
    const signs = seen(amounts);
    expect(signs && signsText(signs)).toBe(text);
  });
});

describe('how far a statement reaches', () => {
  const NOW = Date.UTC(2026, 10, 30);
  const span = (dates: readonly string[], order?: 'day_first' | 'month_first') => {
    const finder = new SpanFinder(order, NOW);
    for (const date of dates) finder.add(date);
    return finder.result();
  };
  const noon = { from: Date.UTC(2026, 10, 20, 12), until: Date.UTC(2026, 10, 20, 12, 2) };

  it.each([
    // Four days after 12:02 of the 20th, and 15 hours for the zone: 03:02 of the 25th.
    ['2026-11-18', '2026-11-26', undefined],
    ['2026-11-18', '2026-11-25 03:02', undefined],
    ['2026-11-18', '2026-11-25 03:01', 'ends'],
    ['2026-11-18', '2026-11-25', 'ends'],
    ['2026-11-18', '2026-11-23', 'ends'],
    ['2026-11-19', '2026-11-26', undefined],
    ['2026-11-20', '2026-11-26', 'begins'],
    // 12:02 of the 20th, and 15 hours for the zone: 03:02 of the 21st.
    ['2026-11-21 03:02', '2026-11-26', 'begins'],
    ['2026-11-21 03:03', '2026-11-26', 'begins_after_it'],
  ])('covers a request only from before it to four days after it: %s to %s', (first, last, gap) => {
    expect(gapOf(span([first, last]), noon)).toBe(gap);
  });

  it.each([
    ['a line without a date', ['2026-11-18', '', '2026-11-23'], /no date that can be read/],
    ['no dates at all', [''], /no dates/],
    ['dates that can be read both ways', ['01/02/2026', '12/11/2026'], /say which comes first/],
    ['dates of both kinds', ['18/11/2026', '11/23/2026'], /others month first/],
    ['dates in the future', ['18/11/2026', '23/12/2026'], /future/],
  ])('proves nothing with %s', (_, dates, why) => {
    const found = span(dates);
    expect(found.doubt).toMatch(why);
    expect(gapOf(found, { from: Date.UTC(2026, 5, 1), until: Date.UTC(2026, 5, 1) })).toBe('doubt');
  });

  it('is the lesser of its booking and its value dates, and a line without one of them has the other', () => {
    const finder = new SpanFinder(undefined, NOW);
    finder.add('2026-11-16', '2026-11-18');
    finder.add('2026-11-20');
    finder.add('2026-11-24', '2026-11-27');
    expect(finder.result()).toMatchObject({
      first: '2026-11-18',
      last: '2026-11-24',
      doubt: undefined,
      lines: 3,
    });
  });

  it('is known once a single date proves the order, or the person names it', () => {
    expect(span(['01/02/2026', '23/11/2026'])).toMatchObject({ order: 'day_first', doubt: undefined });
    expect(span(['01/02/2026', '11/23/2026'])).toMatchObject({ order: 'month_first', doubt: undefined });
    expect(span(['01/02/2026', '11/10/2026'], 'month_first')).toMatchObject({ doubt: undefined });
    expect(span(['01/02/2026', '23/11/2026'], 'month_first').doubt).toMatch(/order that was said/);
  });
});
