/** A statement that shows the payment by which another batch paid a row again: nothing went wrong with the row. */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { reconcileEnd } from '../../src/use-cases/reconcile/reconcile-end.ts';
import { aRow } from '../builders/payout-file.ts';
import { accept, around, type Line, lineOf, reconcileWith, told } from '../builders/statement-file.ts';
import { aWorkplace } from '../builders/workplace.ts';
import type { Executed, Script } from '../fakes/scripted-payment-service.ts';

const DAY = 24 * 3_600_000;
const UNTAGGED = { Id: '', Narration: 'MOMO' };

/** Row 3 of may is refused and goes out again in batch redo, so many days later. */
async function paidAgain({
  daysLater = 1,
  redo = 'accept',
}: {
  readonly daysLater?: number;
  readonly redo?: Script;
} = {}) {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 }, environment: 'live' });
  const batch = await place.approved([aRow(1), aRow(2)], 'may');
  const at = place.clock.now();
  place.service.turns.push('accept', { refuse: 'closed' });
  await place.send(batch);
  await place.settle(batch);
  const { id: replaces } = await place.row(batch, 3);
  place.clock.advance(daysLater * DAY);
  const again = await place.approved([aRow(2, { replaces })], 'redo');
  place.service.turns.push(redo);
  await place.send(again);
  await place.settle(again);
  place.clock.advance(9 * DAY);
  const [first, ...others] = place.service.book as [Executed, ...Executed[]];
  const paid = lineOf(others.at(-1) ?? first, plusMs(at, daysLater * DAY));
  const compared = async (...lines: readonly Line[]) =>
    reconcileWith(place, batch, around(at, [lineOf(first, at), ...lines]), { keepsLines: true });
  return { place, batch, at, paid, compared };
}

describe('a row that was refused and that another batch paid again', () => {
  it.each([
    ['with its tag', {}],
    ['with its transfer id alone', { Narration: '' }],
    ['by account, amount and date', UNTAGGED],
  ])('is no incident where the statement shows that payment %s', async (_, changes) => {
    const { place, batch, paid, compared } = await paidAgain();
    const reconciled = await compared({ ...paid, ...changes });
    expect(told(reconciled.findings)).toEqual(['matched 2']);
    expect(reconciled.lines).toMatchObject({ ofRows: 1, ofOtherBatches: 1, foreign: 2 });
    expect(reconciled.kept.map(({ kind }) => kind)).toEqual(['read', 'read', 'of_other_batch', 'read']);
    expect(await accept(place, reconciled)).toEqual([]);
    expect(await place.ledger.notes(batch, 'incident')).toEqual([]);
    const batches = [{ batch: await place.batch(batch) }];
    const end = { batches, reconciled, accepted: [], accept: 'paid' } as const;
    expect(reconcileEnd(end).exitCode).toBe(EXIT.done);
  });

  it.each([
    ['beside that payment’s own line', (paid: Line) => [paid, { ...paid, ...UNTAGGED }]],
    [
      'after a first one like it',
      (paid: Line) => [
        { ...paid, ...UNTAGGED },
        { ...paid, ...UNTAGGED },
      ],
    ],
  ])('may have been paid itself where a line has its account and amount %s', async (_, linesOf) => {
    const { place, batch, paid, compared } = await paidAgain();
    const reconciled = await compared(...linesOf(paid));
    expect(reconciled.findings).toMatchObject([
      { kind: 'matched' },
      { kind: 'unclear', isPressing: true, entry: { rowNumber: 3 }, lines: [{ rowNumber: 5 }] },
    ]);
    expect(await accept(place, reconciled)).toEqual([]);
    expect(await place.ledger.notes(batch, 'incident')).toEqual([]);
  });

  it('may have been paid itself by a line from before that payment', async () => {
    const { at, paid, compared } = await paidAgain({ daysLater: 5 });
    const early = { ...paid, ...UNTAGGED, Date: new Date(at).toISOString().slice(0, 10) };
    expect(told((await compared(early)).findings)).toEqual(['matched 2', 'unclear 3']);
  });

  it.each([
    ['came back', { Status: 'Reversed' }],
    ['failed', { Status: 'Failed' }],
  ])('keeps a line of a payment that %s', async (_, changes) => {
    const { paid, compared } = await paidAgain();
    const { findings, lines } = await compared({ ...paid, ...UNTAGGED, ...changes });
    expect(told(findings)).toEqual(['matched 2', 'matched 3']);
    expect(lines.ofOtherBatches).toBe(0);
  });

  it('is not explained by a payment in doubt', async () => {
    const { paid, compared } = await paidAgain({ redo: 'lose_after' });
    expect(told((await compared({ ...paid, ...UNTAGGED })).findings)).toEqual(['matched 2', 'unclear 3']);
  });
});
