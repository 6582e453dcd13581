/** One thing has one name, whoever shows it: the terminal, the workbook, the page. */
import { expect, it } from 'vitest';
import { LineCounter } from '../../src/domain/reporting/control-totals.ts';
import { GROUPS } from '../../src/domain/reporting/status-words.ts';
import { SUMMARY } from '../../src/files/report/xlsx/summary-sheet.ts';
import { totalsBlocks } from '../../src/operations/outcome-blocks.ts';
import { drawn } from '../builders/drawn.ts';
import { aPayoutIn, money, NOW } from '../builders/payouts.ts';
import { aLine, aRow, aRowPerState } from '../builders/report-rows.ts';
import { report, sheetOf, text, workbook } from '../files/report/written.ts';

const WORDS = ['Settled', 'On its way', 'In doubt', 'Failed', 'Returned', 'Held', 'Canceled', 'Not yet sent'];
const UNREADABLE =
  '1 row invalid with an amount or a currency that is not certain: counted as a row, in no sum of money.';

it('calls every group of payments the same on a terminal, in a workbook and on a page', async () => {
  const counter = new LineCounter();
  for (const row of aRowPerState()) counter.add(aLine(row));
  const terminal = drawn(totalsBlocks(counter.result([]))).join('\n');
  await report('words.xlsx', aRowPerState());
  await report('words.html', aRowPerState());
  const book = await workbook('words.xlsx');
  const sheets = [SUMMARY.name, 'Payments'].map((name) =>
    JSON.stringify(sheetOf(book, name).getSheetValues()),
  );
  // Nothing in these rows is invalid with a sum of money.
  expect(WORDS).toHaveLength(GROUPS.length - 1);
  for (const word of WORDS) {
    expect(terminal).toContain(word);
    for (const sheet of sheets) expect(sheet).toContain(`"${word}"`);
    // The page has one column for all that was not sent; its rows tell these apart.
    expect(text('words.html').toLowerCase()).toContain(
      word.toLowerCase().replace('not yet sent', 'not sent'),
    );
  }
  for (const place of [terminal, sheets[0], text('words.html')]) expect(place).toContain(UNREADABLE);
});

it('says everywhere in one sentence what is not accounted for, more or less, also after it was accepted', async () => {
  const shows = (amount: string, more: object = {}) => {
    const discrepancies = [`amount: the service shows ${amount}`];
    const acceptedDifference = { by: 'ben', reason: 'their fee', saw: discrepancies, at: NOW };
    const state = { discrepancies, shown: { amount }, acceptedDifference };
    return aRow(aPayoutIn('settled', { rowNumber: 2, state, ...more }));
  };
  const xof = { rowNumber: 3, instruction: { amount: money('XOF 150000') } };
  const rows = [shows('1150.00'), shows('170000', xof)];
  const counter = new LineCounter();
  for (const row of rows) counter.add(aLine(row));
  await report('unaccounted.xlsx', rows);
  await report('unaccounted.html', rows);
  const sheets = await workbook('unaccounted.xlsx');
  const places = [
    drawn(totalsBlocks(counter.result([]))).join('\n'),
    ...[SUMMARY.name].map((name) => JSON.stringify(sheetOf(sheets, name).getSheetValues())),
    text('unaccounted.html'),
  ];
  const stays = 'This line stays until somebody finds out that the rest was delivered.';
  for (const place of places) {
    expect(place).toContain(`Not accounted for: GHS 50.00 of what was asked, in 1 row. ${stays}`);
    expect(place).toContain(
      'Not accounted for: XOF 20,000 more than was asked, in 1 row. This line stays after a person accepts the difference.',
    );
  }
});
