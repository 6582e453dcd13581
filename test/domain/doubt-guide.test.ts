/** What a person is told to do about rows in doubt: short, whole, and the same whenever it is read. */
import { describe, expect, it } from 'vitest';
import type { Place } from '../../src/domain/next-steps/command.ts';
import { type DoubtFacts, doubtGuide } from '../../src/domain/next-steps/doubt-guide.ts';
import { asTag } from '../../src/domain/payouts/instruction.ts';
import { gapOf, SpanFinder } from '../../src/domain/statement/dates.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { doubtBlocks } from '../../src/operations/outcome-blocks.ts';
import { drawn } from '../builders/drawn.ts';
import { money } from '../builders/payouts.ts';
import { aBatch, aHeader } from '../builders/report-rows.ts';

const at = (text: string) => timestampOf(Date.parse(text));
const facts: DoubtFacts = {
  rows: Array.from({ length: 14 }, (_, index) => index + 6),
  sums: [money('GHS 1568.00')],
  from: at('2026-05-23T00:33:10Z'),
  until: at('2026-05-23T00:34:50Z'),
  tag: asTag('PF-0123ABCD'),
  waiting: 0,
};
const live = { ...aHeader(), environment: 'live' as const };
const paused = { reason: 'too many in doubt', by: 'payfile', at: facts.until };

function linesOf(
  more: Partial<DoubtFacts> = {},
  context: Parameters<typeof doubtGuide>[1] = live,
  place: Place = {},
) {
  return drawn(doubtBlocks(doubtGuide({ ...facts, ...more }, context)), { place });
}

it('says how many, how much, since when, what to get, how to compare and how to go on', () => {
  const text = linesOf().join('\n');
  expect(text).toMatch(/^14 rows in doubt, GHS 1,568\.00, sent 2026-05-23 00:33 to 00:34 UTC: rows 6–19\.$/m);
  expect(text).toContain('PF-0123ABCD');
  expect(text).toContain('payfile reconcile may-2026 --statement FILE');
  expect(text).toContain('payfile settle may-2026');
  expect(text).not.toMatch(/--accept|--paid|--not-paid|reissue|sandbox/);
});

it.each([1, 14, 5_000])('fits a screen for %i rows', (count) => {
  // The worst case of the ranges: no two rows stand beside each other.
  const rows = Array.from({ length: count }, (_, index) => 2 * index + 2);
  const lines = linesOf({ rows, waiting: 300 }, { ...live, batch: { ...aBatch(), pause: paused } });
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.join(' ').split(/\s+/).length).toBeLessThanOrEqual(200);
  expect(lines.join(' ')).toMatch(count > 6 ? /rows 2, 4, 6, 8, 10, 12 and [\d,]+ more/ : /: row 2\./);
});

it.each(['2026-05-23T00:00:00Z', '2026-05-23T14:59:00Z', '2026-05-23T15:01:00Z', '2026-05-23T23:59:00Z'])(
  'asks for days with which a statement proves what was not paid, and for none too many (%s)',
  (sent) => {
    const window = { from: at(sent), until: at(sent) };
    const [, first = '', last = ''] = /from (\S+) to (\S+)\. /.exec(linesOf(window).join(' ')) ?? [];
    const covers = (...days: string[]) => {
      const span = new SpanFinder(undefined, at('2026-07-01T00:00:00Z'));
      for (const day of days) span.add(day);
      return gapOf(span.result(), window) === undefined;
    };
    const next = (day: string, days: number) =>
      new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
    expect(covers(first, last)).toBe(true);
    expect(covers(next(first, 1), last)).toBe(false);
    expect(covers(first, next(last, -1))).toBe(false);
  },
);

describe('how to go on', () => {
  it('sends what waits, and resumes only a batch that is paused and only when the reason is known', () => {
    expect(linesOf({ waiting: 13 }).join('\n')).toContain(
      'send the 13 rows that wait: payfile send may-2026',
    );
    const text = linesOf({ waiting: 13 }, { ...live, batch: { ...aBatch(), pause: paused } }).join('\n');
    expect(text).toMatch(
      /and you know why they came, let the 13 rows that wait go on:\s+payfile resume may-2026/,
    );
    expect(text).toContain('4. Then: payfile send may-2026');
  });

  it('searches by account where payments carry no tag', () => {
    const text = linesOf({ tag: undefined }).join(' ').replace(/\s+/g, ' ');
    expect(text).toContain('with account and amount');
    expect(text).not.toContain('PF-');
  });

  it('names the statement of the sandbox in a rehearsal, with the days of a bank’s statement', () => {
    const place = { sandbox: true, ledger: 'may.db' };
    const text = linesOf({}, { ...live, environment: 'sandbox' }, place)
      .join(' ')
      .replace(/\s+/g, ' ');
    // With the place of the batch's ledger: another ledger has another book.
    expect(text).toContain('The scenario plain-accounts turns that off (--scenario plain-accounts).');
    expect(text).toContain('payfile sandbox --book -o statement.csv --sandbox --ledger may.db');
    expect(text).toContain(
      'With real money this is a statement of your bank, from 2026-05-22 to 2026-05-28:',
    );
  });
});
