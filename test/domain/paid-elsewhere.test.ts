/** A line without a tag, where another batch paid a failed row again, and other rows have the same account and amount. */
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import { StatementIndex } from '../../src/domain/statement/match.ts';
import { PaidElsewhere } from '../../src/domain/statement/paid-elsewhere.ts';
import { bindStatement } from '../../src/domain/statement/statement-columns.ts';
import { aRow, doubt, refused, ruledUnpaid } from '../builders/judged-statement.ts';

const HEADERS = ['Date', 'Amount', 'Account', 'Narration'];
const CELLS = ['2026-11-21', '1200.00', '0244123456', 'MOMO'];
const again = aRow(9, 21);

/** Whose the line is; another batch paid row 2 again, and its payment is `again`. */
function whose(rows: readonly StatementEntry[], cells = CELLS) {
  const bound = bindStatement(HEADERS, new Map());
  if (bound.kind === 'unusable') throw new TypeError('the columns are known');
  const line = readStatementLine({ rowNumber: 2, cells }, bound.columns, undefined);
  const row2 = rows.slice(0, 1).map(({ payoutId }) => payoutId);
  const elsewhere = new PaidElsewhere([{ entry: again, rows: row2 }], DEFAULT_POLICY);
  const index = new StatementIndex({ elsewhere });
  for (const row of rows) index.add(row);
  index.placeNamed(line);
  return { whose: index.placeLoose(line, 'day_first'), isHinted: index.isHinted(line) };
}

it.each<[string, readonly StatementEntry[], 'elsewhere' | 'row']>([
  ['a refused row', [refused(2, 20)], 'elsewhere'],
  ['a row that was ruled not paid', [ruledUnpaid(2, 20)], 'elsewhere'],
  ['and another row in doubt, whose payment it may be', [refused(2, 20), doubt(3, 20)], 'row'],
  ['and another row that was made', [refused(2, 20), aRow(3, 20)], 'row'],
  ['and another refused row, which that batch did not pay', [refused(2, 20), refused(3, 20)], 'row'],
  ['a row in doubt itself', [doubt(2, 20)], 'row'],
  ['a row that settled itself', [aRow(2, 20)], 'row'],
])('is the payment elsewhere or not where it fits %s', (_, rows, expected) => {
  expect(whose(rows).whose).toBe(expected);
});

it('is the payment elsewhere, and may be a late one of a row in doubt all the same', () => {
  expect(whose([refused(2, 20), doubt(3, 10)])).toEqual({ whose: 'elsewhere', isHinted: true });
});

it.each([
  ['another day', ['2026-11-19', '1200.00', '0244123456', 'MOMO']],
  ['the beginning of a tag', ['2026-11-21', '1200.00', '0244123456', 'MOMO PF-2AAA']],
  ['the payment’s own tag', ['2026-11-21', '1200.00', '0244123456', 'PF-9AAAAAAA']],
])('is not taken for the payment elsewhere with %s', (_, cells) => {
  expect(whose([refused(2, 18)], cells).whose).toBe('row');
});
