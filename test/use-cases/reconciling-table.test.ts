/**
 * The table of a comparison: every row of the batch is in exactly one line of it, whatever became of the row and
 * whatever the statement shows, and its totals are what the ledger counts.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statementNotes } from '../../src/domain/statement/finding-words.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { sumsTable } from '../../src/operations/reconciliation-blocks.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import type { Reconciled } from '../../src/use-cases/reconcile/reconcile-batches.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { aRow } from '../builders/payout-file.ts';
import { around, type Line, lineOf, reconcileWith, sentBatch } from '../builders/statement-file.ts';
import { aWorkplace, HOLDER } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;
const evidence = { by: 'ben', evidence: 'they wrote so' };
const rows = (...numbers: readonly number[]) => ({ kind: 'rows', rows: numbers.map(String) }) as const;

interface TableLine {
  readonly what: string;
  readonly rows: number;
  readonly minor: bigint;
  readonly lines: number;
}

/** The table as it is shown. */
function tableIn(found: Reconciled): readonly TableLine[] {
  return sumsTable(found).rows.map((cells) => {
    const [what = '', rows, sum, lines] = cells.map(String);
    return { what, rows: Number(rows), minor: BigInt((sum ?? '').replace(/\D/g, '')), lines: Number(lines) };
  });
}

const sumOf = (lines: readonly TableLine[]) => ({
  rows: lines.reduce((sum, each) => sum + each.rows, 0),
  minor: lines.reduce((sum, each) => sum + each.minor, 0n),
  lines: lines.reduce((sum, each) => sum + each.lines, 0),
});

/** One row of each kind: settled, in doubt, paid again, planned again, held, withdrawn, unreadable. */
async function ofEveryKind() {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  place.service.names.set('0244123006', 'AKUA OWUSU');
  const file = [1, 2, 3, 4, 5, 6, 7].map((number) => aRow(number, { amount: `${number}00.00` }));
  const kenya = aRow(8, { country: 'Kenya', institution: 'M-Pesa', account: '0712345678', amount: '800' });
  const batch = await place.approved([...file, kenya, aRow(9, { amount: 'half' })], 'may');
  await cancelUnsent(batch, rows(8), { by: 'ben', reason: 'left in April' }, place.world);
  const refuse = { refuse: 'closed account' };
  place.service.turns.push('accept', 'lose_before', refuse, refuse, 'accept', 'accept');
  const at = place.clock.now();
  await place.send(batch);
  await reissue(batch, rows(4), evidence, place.world);
  await place.agree(batch);
  await place.send(batch);
  await place.settle(batch);
  await reissue(batch, rows(5), evidence, place.world);
  expect(await place.stand(batch)).toEqual({
    ...{ settled: 4, in_doubt: 1, planned: 1, held: 1 },
    ...{ canceled: 1, invalid: 1 },
  });
  const lines = place.service.book.map((executed) =>
    lineOf(executed, at, executed.account === '0712345678' ? { Currency: 'KES' } : {}),
  );
  return { place, batch, at, lines };
}

it('has each row in one line, and adds up, whatever a statement shows', async () => {
  const { place, batch, at, lines } = await ofEveryKind();
  const counts = Object.values(await place.ledger.counts(batch)).reduce((sum, count) => sum + count, 0);
  const minor = (await place.ledger.totals(batch)).reduce((sum, total) => sum + total.minor, 0n);
  expect(counts).toBe(9);
  place.clock.advance(12 * DAY);
  const stray = { ...lines[0], Id: 'tr-77', Narration: 'PF-ZZZZZZZZ salary' };
  const refused = { ...lines[0], Id: '', Account: '0244123003', Amount: '300.00', Narration: 'salary' };
  const line = fc
    .record({
      base: fc.constantFrom<Line>(...lines, stray, refused),
      isNamed: fc.boolean(),
      away: fc.constantFrom(-20, 0, 1, 8, undefined),
      Status: fc.constantFrom('Finished', 'Failed'),
    })
    .map(
      ({ base, isNamed, away, Status }): Line => ({
        ...base,
        Status,
        ...(isNamed ? {} : { Narration: 'salary', Id: '' }),
        Date: away === undefined ? '' : new Date(at + away * DAY).toISOString().slice(0, 10),
      }),
    );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (written) => {
      const found = await reconcileWith(place, batch, written);
      const table = tableIn(found);
      const totalAt = table.findIndex(({ what }) => what === 'Total');
      const sums = sumOf(table.slice(0, totalAt));
      expect(sums).toEqual({ rows: counts, minor, lines: written.length });
      expect(sumOf(table.slice(totalAt))).toEqual(sums);
    }),
    { numRuns: 60 },
  );
}, 60_000);

it('counts a row that was paid again once, by what became of it', async () => {
  const { place, batch, at, lines } = await ofEveryKind();
  place.clock.advance(12 * DAY);
  const found = await reconcileWith(place, batch, around(at, lines));
  expect(tableIn(found).map(({ what, rows: count }) => `${what} ${count}`)).toEqual([
    'Proposed: not paid 1',
    'Not expected 3',
    'Not expected 1',
    'Matched 3',
    'Matched 1',
    'No payment of ours 0',
    'Total 7',
    ' 1',
    ' 1',
    'Lines read 0',
  ]);
});

it('counts both payments of a row that was paid twice, and says so', async () => {
  const { place, batch, at } = await sentBatch(['accept', 'accept']);
  const { transaction } = place.service;
  const say = (status: string) => {
    place.service.transaction = async (id, signal) => {
      const asked = await transaction(id, signal);
      if (asked.kind !== 'answered' || id !== 'tr-1') return asked;
      return { kind: 'answered', answer: { ...asked.answer, status } };
    };
  };
  const look = async () =>
    settleSent(await place.batch(batch), { holder: HOLDER, deadlineMs: 0 }, place.world);
  say('Reversed');
  await look();
  place.clock.advance(2 * DAY);
  await reissue(batch, rows(2), evidence, place.world);
  await place.agree(batch);
  await place.send(batch);
  place.clock.advance(DAY);
  await look();
  say('Finished');
  place.clock.advance(2 * DAY);
  await look();
  place.clock.advance(10 * DAY);
  expect(place.service.book).toHaveLength(3);
  const lines = place.service.book.map((executed, nth) =>
    lineOf(executed, nth < 2 ? at : plusMs(at, 8 * DAY)),
  );
  const found = await reconcileWith(place, batch, around(at, lines));
  expect(found.findings).toHaveLength(3);
  const minor = found.findings.reduce((sum, { entry }) => sum + (entry?.amount.minor ?? 0n), 0n);
  expect(tableIn(found).filter(({ what }) => what === 'Total')).toMatchObject([{ rows: 2, minor }]);
  const twice = 'More than one payment went out for row 2. The sums count all of them.';
  expect(statementNotes(found)).toContain(twice);
});
