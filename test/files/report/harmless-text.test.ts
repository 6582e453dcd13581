import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeFirstCell, escapeFormulas, unescapeFormulas } from '../../../src/files/escape-text.ts';
import { csvText } from '../../../src/files/report/csv-report.ts';

it.each([
  '=1+1',
  '=HYPERLINK("http://evil","x")',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\tcmd',
  '\rcmd',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '＝1+1',
  '＋1+1',
  '－A1',
  '＠A1',
  '-',
  '+254 712 345',
  '-5%',
  '+1a',
  '"=1+1"',
])('makes %j harmless', (text) => {
  expect(escapeFormulas(text)).toBe(`'${text}`);
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
  expect(escapeFormulas(text)).toBe(text);
});

it.each([
  ['ok;=1+1;y', "ok;'=1+1;y"],
  ['ok,=1+1', "ok,'=1+1"],
  ['ok\t=1+1', "ok\t'=1+1"],
  ['ok|@SUM(A1)', "ok|'@SUM(A1)"],
  ['ok:+cmd|x', "ok:'+cmd|x"],
  ['Ama\n=1+1', "Ama\n'=1+1"],
  ['Ama\r\n  +cmd', "Ama\r\n'  '+cmd"],
  ['Ama\r=1', "Ama\r'=1"],
  ['ok;"=1+1"', 'ok;\'"=1+1"'],
  ['ok;\u00a0=1', "ok;'\u00a0=1"],
  [';＝1', ";'＝1"],
  ['Bank -A1', "Bank '-A1"],
  ['Bank --A1', "Bank '--A1"],
  ['Bank --a1', "Bank '--a1"],
  ['x -r 1', "x '-r 1"],
  ['x -oA1', "x '-oA1"],
  ['x --a;=1', "x --a;'=1"],
  ['  =1', "'  '=1"],
  ['\n=\n', "'\n'=\n"],
  ['x;-5', "x;'-5"],
  ["x;'=1", "x;''=1"],
  ['=1;=2', "'=1;'=2"],
])('makes %j harmless for a program that splits it', (text, shown) => {
  expect(escapeFormulas(text)).toBe(shown);
  expect(unescapeFormulas(shown)).toBe(text);
});

it.each([
  'payfile reissue may 5 --sandbox',
  'run --ledger a.db --json; else: run (--yes).',
  "payfile run may.csv --map 'amount=What they get' --delimiter semicolon --batch may",
  'May - June',
  'a = b',
  '1;-5;3',
  'moved by -2.5 %',
  '2026-05-01 10:00',
  'a;b,c',
  'me@example.com',
])('leaves %j, whose parts are no formulas', (text) => {
  expect(escapeFormulas(text)).toBe(text);
});

it('marks a plain number that begins a line: elsewhere split, it would go on with the next cell', () => {
  expect(escapeFirstCell('-5')).toBe("'-5");
  expect(escapeFirstCell('+254712345678')).toBe("'+254712345678");
  expect(['1200', 'Ama', '=1'].map(escapeFirstCell)).toEqual(['1200', 'Ama', "'=1"]);
});

const PIECES = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  "'",
  '"',
  ' ',
  '\t',
  '\r',
  '\n',
  '\u00a0',
  ';',
  ',',
  '|',
  ':',
  'a',
  '1',
  '.',
  '5,',
  'é',
];
const someText = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((some) => some.join(''));

/** What a program finds that splits the file at this character, whether or not it heeds quotes. */
function fieldsOf(text: string, delimiter: string, heedsQuotes: boolean): string[] {
  const fields: string[] = [];
  let [field, isQuoted] = ['', false];
  for (const character of text) {
    if (character === '"' && heedsQuotes && (isQuoted || /^ *$/.test(field))) isQuoted = !isQuoted;
    else if (!isQuoted && (character === delimiter || character === '\n' || character === '\r')) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}

/** Behind a space a flag of a command stays as it is: as a formula it is a name that no workbook has. A quote ends it, too. */
function isFormula(field: string, delimiter: string): boolean {
  const seen = field.replace(/^[\s"]+/, '');
  if (delimiter === ' ' && /^-(-|-[a-z][a-z-]*|[os])([;,.)"]|$)/.test(seen)) return false;
  return /^[=+\-@＝]/.test(seen) && !/^([=+\-@＝]|[+-]?\d+([.,]\d+)*)\s*$/.test(seen);
}

it.each([',', ';', '\t', '|', ':', ' '])(
  'has no formula in any field of a file that is split at %j',
  (delimiter) => {
    fc.assert(
      fc.property(fc.array(someText, { minLength: 2, maxLength: 4 }), (cells) => {
        const record = cells.map((cell, at) => (at === 0 ? escapeFirstCell(cell) : escapeFormulas(cell)));
        const text = csvText([record, record]);
        for (const heedsQuotes of [true, false])
          expect(
            fieldsOf(text, delimiter, heedsQuotes).filter((field) => isFormula(field, delimiter)),
            JSON.stringify(text),
          ).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  },
);

it('has none where a flag ends a cell that is quoted', () => {
  const text = csvText([['a', `5,' --"`]]);
  expect(fieldsOf(text, ' ', false).filter((field) => isFormula(field, ' '))).toEqual([]);
});

it('takes no longer for a cell that is made to take long', () => {
  const startedAt = performance.now();
  for (const piece of ['\n', ' ', ';', '\u00a0', '"', "'", '; ', ';\n'])
    for (const end of ['=1', 'x-', '\t-1']) {
      const text = piece.repeat(16_000) + end;
      expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
    }
  // Squared, it would be minutes.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it('doubles a quote that was there before, so that what was written comes back', () => {
  expect(escapeFormulas("'=1")).toBe("''=1");
  expect(escapeFormulas("'t Hooft")).toBe("''t Hooft");
});

it('always gives back exactly what was written', () => {
  fc.assert(
    fc.property(someText, (text) => {
      expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
      expect(unescapeFormulas(escapeFirstCell(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
