/** A ruling “paid” that was wrong: it stays, whatever is asked, and the person is told what to do instead. */
import { expect, it } from 'vitest';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { type RulingRequest, resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const paid = (transferId: string) =>
  ({ kind: 'paid', transferId, by: 'ben', evidence: 'the dashboard' }) as const;
const notPaid: RulingRequest = { kind: 'not_paid', by: 'cleo', evidence: 'it was another payment' };

/** Row 2 was never executed, and is ruled paid by a transfer that somebody else made. */
async function wronglyRuled(word: string) {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const batch = await place.approved(someRows(1), 'may');
  place.service.turns.push('lose_before');
  await place.send(batch);
  place.clock.advance(HOUR);
  const unknown = { institution: undefined, destination: undefined, date: undefined };
  const answer = {
    id: asTransferId('tr-77'),
    status: word,
    amount: '5.00',
    receiver: 'K. Owusu',
    ...unknown,
  };
  place.service.transaction = async () => ({ kind: 'answered', answer });
  expect((await resolveDoubt(await place.row(batch, 2), paid('tr-77'), place.world)).kind).toBe('ruled');
  await place.settle(batch);
  return { place, batch };
}

it.each([
  ['accepted', 'Processing'],
  ['settled', 'Finished'],
])('is refused in plain words while the row is %s, and cannot make it payable', async (status, word) => {
  const { place, batch } = await wronglyRuled(word);
  const before = await place.row(batch, 2);
  expect(before.state.status).toBe(status);
  for (const request of [notPaid, paid('tr-78')]) {
    const resolved = await resolveDoubt(before, request, place.world);
    expect(resolved).toMatchObject({ kind: 'refused', differences: [] });
    const reason = resolved.kind === 'refused' ? resolved.reason : '';
    expect(reason).toMatch(/^Row 2 was ruled paid at 20\S+Z, as transfer tr-77, and is /);
    expect(reason).toMatch(/never taken back.*by its tag \(PF-[0-9A-Z]{8}\).*a row of a new file/);
  }
  const again = await reissue(
    batch,
    { kind: 'rows', rows: ['2'] },
    { by: 'cleo', evidence: 'x' },
    place.world,
  );
  expect(again).toMatchObject({ done: [], refused: [{}] });
  await place.send(batch);
  expect(await place.row(batch, 2)).toEqual(before);
  expect(place.service.calls.filter((call) => call.startsWith('send'))).toHaveLength(1);
});

it('is followed by paying in a new file: under the same reference it waits for a person, under its own it is planned', async () => {
  const { place } = await wronglyRuled('Finished');
  const rows = [
    aRow(1),
    aRow(1, { reference: 'GH-001 again', note: 'row 2 of may was ruled paid by mistake' }),
  ];
  const { batch } = await place.place(rows, 'mended');
  await place.price(batch.id);
  expect(await place.stand(batch.id)).toEqual({ held: 1, quoted: 1 });
});

it('says no word of a ruling for a row that nobody ruled on', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  await place.send(batch);
  await place.settle(batch);
  const resolved = await resolveDoubt(await place.row(batch, 2), notPaid, place.world);
  expect(resolved).toMatchObject({ reason: 'Row 2 is settled; only a row in doubt is ruled on.' });
});
