/** Each comparison leaves a trace: in the journal, in the status of the batch, and as a file that can be kept. */
import { expect, it } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import { formatMoney } from '../../src/domain/money/money.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { bookingsOf } from '../../src/domain/reporting/booking.ts';
import { compareWithStatement } from '../../src/use-cases/reconcile/compare-with-statement.ts';
import { statusOf } from '../../src/use-cases/report/batch-view.ts';
import { sentPayouts } from '../../src/use-cases/report/report-batch.ts';
import { around, type Line, openStatement, sentBatch } from '../builders/statement-file.ts';
import { readingPorts, type Workplace } from '../builders/workplace.ts';

async function compare(place: Workplace, id: BatchId, lines: readonly Line[], by: string) {
  const batch = await place.ledger.batch(id);
  if (batch === undefined) throw new TypeError('the batch is there');
  const options = { open: { path: 'bank.csv' }, map: new Map(), dateOrder: undefined };
  const statement = { openRows: openStatement(lines), options };
  return compareWithStatement([batch], statement, { by, ports: place.world });
}

it('keeps each comparison in the journal, shows the last one, and notices the same statement', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'accept', 'lose_before']);
  const written = around(at, lines);
  const state = async () => (await statusOf('may', readingPorts(place))).compared?.body;
  expect(await state()).toBeUndefined();
  const first = await compare(place, batch, written, 'ada');
  expect(first.batches[0]?.before).toBeUndefined();
  const shown = { by: 'ada', name: 'bank.csv', lines: 4, isComplete: false, matched: 2, open: 1 };
  expect(await state()).toMatchObject({ ...shown, sha256: first.reconciled.sha256 });
  expect((await compare(place, batch, written, 'ben')).batches[0]?.before).toMatchObject({
    by: 'ada',
    name: 'bank.csv',
  });
  expect((await compare(place, batch, written.slice(1), 'ben')).batches[0]?.before).toBeUndefined();
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

it('books what the bank’s lines show otherwise, once, on the day of the comparison', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'accept']);
  // The quote said GBP 77.42 and a fee of 1.02. The bank has a line for each, and took 1.50 for the first.
  const [one = {}, two = {}] = lines.map((line) => ({ ...line, Amount: '77.42', Currency: 'GBP' }));
  const fee = (line: Line, amount: string) => ({
    ...{ ...line, Id: '', Status: '' },
    ...{ Amount: amount, Narration: `transfer fee ${line['Narration']}` },
  });
  const statement = around(at, [one, fee(one, '1.50'), two, fee(two, '1.02')]);
  const booked = async () => {
    const found: string[] = [];
    for await (const page of sentPayouts({ id: batch, name: 'may' }, place.ledger))
      for (const sent of page)
        for (const { kind, at: day, money, debit, credit } of bookingsOf(sent).slice(3))
          found.push(`${sent.payout.rowNumber} ${kind} ${formatMoney(money)} ${debit} ${credit} ${day - at}`);
    return found;
  };
  expect(await booked()).toEqual([]);
  await compare(place, batch, statement, 'ada');
  const once = [`2 bank_fee GBP 0.48 fees paying ${place.clock.now() - at}`];
  expect(await booked()).toEqual(once);
  place.clock.advance(1000);
  await compare(place, batch, statement, 'ben');
  expect(await booked()).toEqual(once);
});
