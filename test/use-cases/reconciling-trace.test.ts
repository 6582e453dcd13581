/** Each comparison leaves a trace: in the journal, in the status of the batch, and as a file that can be kept. */
import { expect, it } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { compareWithStatement } from '../../src/use-cases/reconcile/compare-with-statement.ts';
import { statusOf } from '../../src/use-cases/report/batch-view.ts';
import { around, type Line, openStatement, sentBatch } from '../builders/statement-file.ts';
import { readingPorts, type Workplace } from '../builders/workplace.ts';

async function compare(place: Workplace, id: BatchId, lines: readonly Line[], by: string) {
  const batch = await place.ledger.batch(id);
  if (batch === undefined) throw new TypeError('the batch is there');
  const options = { open: { path: 'bank.csv' }, map: new Map(), dateOrder: undefined };
  const statement = { openRows: openStatement(lines), options };
  return compareWithStatement(batch, statement, { by, ports: place.world });
}

it('keeps each comparison in the journal, shows the last one, and notices the same statement', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'accept', 'lose_before']);
  const written = around(at, lines);
  const state = async () => (await statusOf('may', readingPorts(place))).compared?.body;
  expect(await state()).toBeUndefined();
  const first = await compare(place, batch, written, 'ada');
  expect(first.before).toBeUndefined();
  const shown = { by: 'ada', name: 'bank.csv', lines: 4, isComplete: false, matched: 2, open: 1 };
  expect(await state()).toMatchObject({ ...shown, sha256: first.reconciled.sha256 });
  expect((await compare(place, batch, written, 'ben')).before).toMatchObject({ by: 'ada', name: 'bank.csv' });
  expect((await compare(place, batch, written.slice(1), 'ben')).before).toBeUndefined();
  expect(await place.stand(batch)).toEqual({ settled: 2, in_doubt: 1 });
  const told = decisionsOf((await place.ledger.decisions(batch, 100)).entries).filter(
    ({ kind }) => kind === 'statement_compared',
  );
  expect(told.map(({ by, why }) => `${by}: ${why}`)).toEqual([
    expect.stringMatching(/^ada: bank\.csv \(SHA-256 [0-9a-f]{12}…\): 2 payments matched, 1 to look at$/),
    expect.stringMatching(/^ben: bank\.csv/),
    expect.stringMatching(/^ben: bank\.csv/),
  ]);
});
