/** What a person is told of the way in which the amounts of a file were read. */
import { expect, it } from 'vitest';
import type { AmountStyle } from '../../src/domain/money/amount-style.ts';
import { styleText } from '../../src/domain/money/amount-style.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { createAmountValidator } from '../../src/domain/rows/validate-amount.ts';

type Cell = string | { readonly number: string };

/** A file of GHS, its first amount on row 2. */
function told(cells: readonly Cell[], style: AmountStyle = { kind: 'proving' }): string {
  const validator = createAmountValidator(style);
  for (const [at, cell] of cells.entries()) {
    const isNumber = typeof cell !== 'string';
    const text = isNumber ? cell.number : cell;
    validator.check({ rowNumber: at + 2, text, isNumber, currency: parseCurrency('GHS') });
  }
  const verdict = validator.verdict();
  return verdict.kind === 'again' ? told(cells, verdict.style) : styleText(validator.styleRead());
}

const COMMA = { kind: 'declared', decimal: 'comma' } as const;

it.each<readonly [string, readonly Cell[], AmountStyle | undefined, string]>([
  [
    'one that proves it',
    ['7', '12,50'],
    undefined,
    'decimal comma, proven by the amounts of the file; row 3: “12,50” is read as 12.50',
  ],
  [
    'above all one that has another reading',
    ['12,50', '1.234,50', '27.500'],
    undefined,
    'decimal comma, proven by the amounts of the file; row 4: “27.500” is read as 27500',
  ],
  [
    'even above the row that proves it',
    ['27.500', '12,50'],
    undefined,
    'decimal comma, proven by the amounts of the file; row 2: “27.500” is read as 27500',
  ],
  ['as declared', ['27.500'], COMMA, 'decimal comma, as declared; row 2: “27.500” is read as 27500'],
  [
    'as declared, of amounts without marks',
    ['300'],
    COMMA,
    'decimal comma, as declared; row 2: “300” is read as 300',
  ],
  ['declared, and none can be read', ['x'], COMMA, 'decimal comma, as declared'],
  [
    'none, where no amount needs a style',
    ['1 250', '300'],
    undefined,
    'read the same with a decimal point and with a decimal comma; row 2: “1 250” is read as 1250',
  ],
  [
    'none, where an amount has two readings',
    ['1.500', '300'],
    undefined,
    'no amount shows which mark is the decimal mark; row 3: “300” is read as 300',
  ],
  [
    'the one of most amounts',
    ['1.00', '2.00', '3,00'],
    undefined,
    'decimal point, as most amounts show; some show the other one; row 2: “1.00” is read as 1.00',
  ],
  [
    'both equally often',
    ['1.00', '3,00', '7'],
    undefined,
    'decimal points and decimal commas, equally often; row 4: “7” is read as 7',
  ],
  [
    'numbers of a workbook',
    [{ number: '1250.5' }, { number: '7' }],
    undefined,
    'numbers of the spreadsheet; row 2: “1250.5” is read as 1250.5',
  ],
  [
    'texts among numbers',
    [{ number: '1250.5' }, '12,50'],
    undefined,
    'decimal comma, proven by the amounts of the file; row 3: “12,50” is read as 12.50',
  ],
])('%s', (_, cells, style, expected) => {
  expect(told(cells, style)).toBe(expected);
});
