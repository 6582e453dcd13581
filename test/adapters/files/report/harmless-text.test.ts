import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asWritten, harmless } from '../../../../src/adapters/files/harmless-text.ts';

it.each([
  '=1+1',
  '=HYPERLINK("http://evil","x")',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\tcmd',
  '\rcmd',
  '  =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '＝1+1',
  '＋1+1',
  '－A1',
  '＠A1',
  'Ama\n=1+1',
  'Ama\r\n  +cmd',
  'Ama\r=1',
  '-',
  '+254 712 345',
  '-5%',
  '+1a',
])('makes %j harmless', (text) => {
  expect(harmless(text)).toBe(`'${text}`);
});

it.each([
  '-12.50',
  '+12',
  '-1,250.00',
  '-1.250,00',
  '+254712345678',
  '0244123456',
  '1200',
  '12-3',
  'a=b',
  ' Ama',
  '',
])('leaves %j as it is', (text) => {
  expect(harmless(text)).toBe(text);
});

it('doubles a quote that was there before, so that what was written comes back', () => {
  expect(harmless("'=1")).toBe("''=1");
  expect(harmless("'t Hooft")).toBe("''t Hooft");
});

it('always gives back exactly what was written', () => {
  const pieces = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    "'",
    ' ',
    '\t',
    '\r',
    '\n',
    '\u00a0',
    '＝',
    'a',
    '1',
    '.',
    'é',
  );
  fc.assert(
    fc.property(
      fc.array(pieces).map((some) => some.join('')),
      (text) => {
        expect(asWritten(harmless(text))).toBe(text);
      },
    ),
  );
});
