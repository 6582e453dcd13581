import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPORT_COLUMNS } from '../../../src/domain/reporting/report-columns.ts';
import { visibleText } from '../../../src/domain/text/printable.ts';
import { escapeFirstCell, escapeFormulas } from '../../../src/files/escape-text.ts';
import { csvText, shownCsv } from '../../../src/files/report/csv-report.ts';
import { aPayoutIn, NOW } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, aRowPerState, HEADERS } from '../../builders/report-rows.ts';
import { bytes, report, text } from './written.ts';

const records = (name: string): string[][] => parse(bytes(name), { bom: true });

it('gives the user’s own columns back with their names, order and text, then ours', async () => {
  await report('plain.csv', aRowPerState());
  const [head, ...rows] = records('plain.csv');
  expect(head).toEqual([...HEADERS, ...REPORT_COLUMNS.map((column) => `payfile_${column}`)]);
  expect(rows.map((row) => Number(row[HEADERS.length]))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  for (const row of rows) expect(row.slice(0, HEADERS.length)).toEqual(aRow(aPayoutIn('held')).cells);
});

it('begins with the mark by which Excel knows UTF-8', async () => {
  await report('mark.csv', [aRow(aPayoutIn('settled'), { cells: { 4: 'Aïssatou Ndiaye' } })]);
  expect([...bytes('mark.csv').subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(text('mark.csv')).toContain('Aïssatou Ndiaye');
});

it('keeps every character of a cell that shows something, whatever it does to CSV', async () => {
  const joined = 'می\u200cروم \u{1f468}\u200d\u{1f469} \u2764\ufe0f';
  const odd = `a "b", c;\nd\te \u200eא\u200f ${joined} \ud83c\uddf0`;
  await report('odd.csv', [aRow(aPayoutIn('settled'), { cells: { 7: odd } })]);
  expect(records('odd.csv')[1]?.[7]).toBe(odd);
});

it('shows by name what a terminal would obey, because people look at a CSV there too', async () => {
  const odd = 'a\r\nb\rc\u0000\u001b[2Jd\u009b31m\u202ee\u2028f';
  await report('obeyed.csv', [aRow(aPayoutIn('settled'), { cells: { 7: odd } })]);
  expect(records('obeyed.csv')[1]?.[7]).toBe('a\nb\\u000dc\\u0000\\u001b[2Jd\\u009b31m\\u202ee\\u2028f');
});

it('puts its own columns anew when a report comes back as the payment file', async () => {
  const headers = [...HEADERS, 'payfile_row', 'payfile_status'];
  const header = aHeader({ batch: aBatch({ file: { ...aBatch().file, headers } }) });
  const row = aRow(aPayoutIn('settled'));
  await report('again.csv', [{ ...row, cells: [...row.cells, '2', 'failed'] }], { header });
  const [head = [], first] = records('again.csv');
  expect(head.filter((name) => name === 'payfile_status')).toHaveLength(1);
  expect(first?.[head.indexOf('payfile_status')]).toBe('settled');
});

it('has an empty cell where a row of the file was shorter than its header', async () => {
  await report('short.csv', [{ ...aRow(aPayoutIn('settled')), cells: ['GH-001'] }]);
  expect(records('short.csv')[1]?.slice(0, 9)).toEqual(['GH-001', '', '', '', '', '', '', '', '2']);
});

describe('is the same to the last byte', () => {
  it('[L38] when the same state is reported twice, at other times', async () => {
    await report('one.csv', aRowPerState());
    await report('two.csv', aRowPerState(), { header: aHeader({ madeAt: (NOW + 5_000) as typeof NOW }) });
    expect(bytes('one.csv').equals(bytes('two.csv'))).toBe(true);
  });
});

it('quotes a lone carriage return, which many readers take for the end of a record', () => {
  expect(csvText([['a\rb', 'c']])).toBe('"a\rb",c\n');
});

it('shows each cell as if it stood alone, however harmless it looks and whatever stands above it', () => {
  const piece = fc.constantFrom(...Array.from('a7 -=+@,;"\'\n\r\t\u001bé(.:'));
  const cell = fc.array(piece, { maxLength: 6 }).map((some) => some.join(''));
  const shown = (text: string, at: number) =>
    (at === 0 ? escapeFirstCell : escapeFormulas)(visibleText(text));
  const repeated = fc.constantFrom('-1', '5, 6', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, repeated), { maxLength: 4 }), (some) => {
      expect(shownCsv(some)).toBe(csvText(some.map((record) => record.map(shown))));
    }),
    { numRuns: 1_000 },
  );
});
