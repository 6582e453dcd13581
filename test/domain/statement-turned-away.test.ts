/**
 * Rows that the service turned away, and that wait or were withdrawn since: the service may have paid them anyway.
 * Tables by hand; the days are those of November 2026.
 */
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, day, doubt, judged, type Line, told } from '../builders/judged-statement.ts';

const tried = { transferId: undefined, turnedAway: 2, window: { from: day(18), until: day(20) } };
const waiting = aRow(2, 20, { ...tried, status: 'approved' });
const withdrawn = aRow(2, 20, { ...tried, status: 'canceled', debit: undefined, principal: undefined });
const line = (changes: Line = {}): Line => ({ date: '2026-11-19', ...changes });
const tag = 'PF-2AAAAAAA salary';

describe('a row that was turned away and waits', () => {
  it.each<[string, readonly Line[], string]>([
    ['its tag', [line({ text: tag })], 'theirs_only 2@2'],
    ['its account and amount, during its tries', [line()], 'theirs_only 2@2'],
    ['its account and amount, four days after the last', [line({ date: '2026-11-24' })], 'theirs_only 2@2'],
    ['the same twice', [line(), line()], 'theirs_only 2@2,3'],
    ['a payment and its return', [line({ text: tag }), line({ status: 'Failed' })], 'theirs_only 2@2,3'],
    ['its account and amount, and the id of another row', [line({ id: 'tr-3' })], 'unclear 2@2'],
  ])('is not paid again without a look, if a line has %s', (_, lines, expected) => {
    expect(told(judged([waiting, aRow(3, 12, { account: '0559876543' })], lines))).toContain(expected);
  });

  it.each<[string, StatementEntry, Line]>([
    ['a line before its tries', waiting, line({ date: '2026-11-10' })],
    ['a later line', waiting, line({ date: '2026-11-28' })],
    ['another amount', waiting, line({ amount: '600.00' })],
    [
      'a line at its time, if no request went out',
      { ...waiting, turnedAway: 0, window: undefined },
      line({ date: '' }),
    ],
  ])('is not held for %s', (_, row, each) => {
    expect(judged([row], [each])).not.toMatchObject([{ kind: 'theirs_only' }]);
  });

  it('takes no line away from another row, and is told that it may have been paid', () => {
    const found = judged([waiting, aRow(3, 20)], [line({ date: '2026-11-20' })]);
    expect(told(found)).toEqual(['theirs_only 2@2', 'matched 3@2']);
    const text =
      'line 2 with its account and amount; the service turned it away 2 times, and may have paid it anyway';
    expect(found[0]).toMatchObject({ text });
  });

  it('weakens no ruling on another row while no line is near it', () => {
    const shown = line({ date: '2026-11-12', text: 'PF-5AAAAAAA', account: '' });
    const rows = [waiting, doubt(3, 20, { account: '0559876543' }), aRow(5, 12)];
    expect(judged(rows, [shown])[1]).toMatchObject({ kind: 'propose_not_paid', weakness: undefined });
  });
});

describe('a row that was turned away and then withdrawn', () => {
  it.each<[string, readonly Line[], object]>([
    [
      'an incident if a line has its tag',
      [line({ text: tag })],
      { kind: 'incident', text: 'withdrawn, but the statement shows it as paid (line 2), found by its tag' },
    ],
    [
      'an incident if two lines have its tag',
      [line({ text: tag }), line({ text: tag })],
      { kind: 'incident' },
    ],
    [
      'for a person to look at, if account and amount alone suggest it: it may have been paid by hand',
      [line()],
      {
        kind: 'unclear',
        isPressing: true,
        text: 'line 2, found by account, amount and date; the service turned it away 2 times, and may have paid it anyway',
      },
    ],
    ['for a person to look at, if two lines do', [line(), line()], { kind: 'unclear', isPressing: true }],
    [
      'for a person to look at, if the line with its tag is another payment',
      [line({ text: tag, account: '0559876543', amount: '700.00' })],
      { kind: 'unclear', isPressing: true },
    ],
    [
      'matched if its tag shows a payment that failed',
      [line({ text: tag, status: 'Failed' })],
      { kind: 'matched' },
    ],
    ['not expected anywhere else', [], { kind: 'not_expected' }],
  ])('is %s', (_, lines, expected) => {
    expect(judged([withdrawn], lines)).toMatchObject([expected]);
  });
});
