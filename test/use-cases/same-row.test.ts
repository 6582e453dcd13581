/** One row in two batches, each of which would pay it again: one goes, and the other waits until that one ended unpaid. */
import { describe, expect, it } from 'vitest';
import { shownSteps, shownText } from '../../src/domain/next-steps/command.ts';
import { commandsFor, nextStepOf } from '../../src/domain/next-steps/next-step.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { aRow } from '../builders/payout-file.ts';
import { aWorkplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const all = { kind: 'all' } as const;
const ben = { by: 'ben', reason: 'two salaries are due' };

/** A row that the service refused, and files that pay it again: without references, so that nothing else stops them. */
async function aRefusedRow() {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const may = await place.approved([aRow(1, { reference: '' })], 'may');
  place.service.turns.push({ refuse: 'closed' });
  await place.send(may);
  const { id: replaces } = await place.row(may, 2);
  const redo = (name: string, amount: string) =>
    place.approved([aRow(1, { reference: '', amount, replaces })], name);
  return { place, redo };
}

async function twoOfARow() {
  const { place, redo } = await aRefusedRow();
  const [first, second] = [await redo('redo', '1200.00'), await redo('other', '1200.00')];
  expect(await place.stand(first)).toEqual({ approved: 1 });
  expect(await place.stand(second)).toEqual({ held: 1 });
  return { place, redo, first, second };
}

describe('a row that says which payment it pays again', () => {
  const others = { account: '0244123777', amount: '50.00' };
  it.each([
    ['its reference alone', 'GH-001', { reference: 'GH-001', ...others }, 'planned'],
    ['its account alone', 'GH-001', { reference: 'X-1', amount: '50.00' }, 'planned'],
    ['its amount, and no reference', '', { reference: '', account: '0244123777' }, 'planned'],
    [
      'its amount, and a reference that was added',
      '',
      { reference: 'X-1', account: '0244123777' },
      'planned',
    ],
    ['its amount, and another reference', 'GH-001', { reference: 'X-1', account: '0244123777' }, 'invalid'],
    ['nothing of it', '', { reference: '', ...others }, 'invalid'],
  ])('with %s', async (_, reference, changes, expected) => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const may = await place.approved([aRow(1, { reference })], 'may');
    place.service.turns.push({ refuse: 'closed' });
    await place.send(may);
    const { id: replaces } = await place.row(may, 2);
    const { batch } = await place.place([aRow(1, { replaces, ...changes })], 'redo');
    expect((await place.row(batch.id, 2)).state).toMatchObject(
      expected === 'planned' ? { status: 'planned' } : { issues: [{ kind: 'replaces_unknown' }] },
    );
  });
});

describe('a row that another batch pays as well', () => {
  it('is held at the approval with the other batch and row, and the commands to go on', async () => {
    const { place, second } = await twoOfARow();
    const held = await place.row(second, 2);
    const text = 'Another payment of this row is approved (2026-05-25): row 2 of batch redo';
    expect(held.state).toMatchObject({ reasons: [{ concern: { kind: 'same_row' }, text }] });
    const batch = await place.batch(second);
    const step = nextStepOf(held, commandsFor({ batch, environment: 'live', reissueAfterMs: 0 }));
    expect(shownText(shownSteps(step, {}))).toBe(
      'Only one payment of a row is sent; when the other one was withdrawn or has ended unpaid: ' +
        'payfile release other 2 --reason TEXT; otherwise: payfile cancel other 2 --reason TEXT',
    );
  });

  it('is not let go beside the other one; when that is withdrawn it goes out, once', async () => {
    const { place, first, second } = await twoOfARow();
    expect(await releaseHeld(second, all, ben, place.world)).toEqual({
      done: [],
      released: [],
      refused: [
        {
          rowNumber: 2,
          status:
            'held: Another payment of this row is approved (2026-05-25): row 2 of batch redo. Only one payment of a row ' +
            'is made: withdraw this one (payfile cancel), or wait until the other one has ended unpaid',
          isNotYet: true,
        },
      ],
    });
    await place.agree(second);
    expect([await place.stand(first), await place.stand(second)]).toEqual([{ approved: 1 }, { held: 1 }]);
    await cancelUnsent(first, all, ben, place.world);
    expect((await releaseHeld(second, all, ben, place.world)).done).toEqual([2]);
    await place.agree(second);
    await place.send(second);
    await place.send(second);
    await place.send(first);
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(second)).toEqual({ accepted: 1 });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it.each([
    ['on its way', 'Processing'],
    ['settled', 'Finished'],
  ])('is not let go while the other one is %s', async (word, serviceStatus) => {
    const { place, first, second } = await twoOfARow();
    place.service.statusOf = () => serviceStatus;
    await place.send(first);
    await place.settle(first);
    const { done, refused } = await releaseHeld(second, all, ben, place.world);
    expect(done).toEqual([]);
    expect(refused[0]?.status).toContain(`row 2 of batch redo; it is ${word} now`);
    expect(refused[0]?.status).toContain('or wait until the other one has ended unpaid');
    expect(await place.stand(second)).toEqual({ held: 1 });
  });

  it('is not let go while the other one is in doubt, and goes out when that is ruled not paid', async () => {
    const { place, first, second } = await twoOfARow();
    place.service.turns.push('lose_before');
    await place.send(first);
    expect(await place.stand(first)).toEqual({ in_doubt: 1 });
    const refused = (await releaseHeld(second, all, ben, place.world)).refused[0];
    expect(refused?.status).toContain('row 2 of batch redo; it is in doubt now');
    place.clock.advance(HOUR);
    const ruling = { kind: 'not_paid', evidence: 'statement of June', by: 'ben' } as const;
    const doubt = await place.row(first, 2);
    expect((await resolveDoubt(doubt, ruling, place.world)).kind).toBe('ruled');
    expect((await releaseHeld(second, all, ben, place.world)).done).toEqual([2]);
    await place.agree(second);
    await place.send(second);
    expect(await place.stand(second)).toEqual({ accepted: 1 });
  });

  it('is held again when it is another one that lives by then', async () => {
    const { place, redo, first, second } = await twoOfARow();
    await cancelUnsent(first, all, ben, place.world);
    await releaseHeld(second, all, ben, place.world);
    // Another amount and no reference: only the row that both replace shows that they are one.
    const third = await redo('third', '1250.00');
    expect(await place.stand(third)).toEqual({ approved: 1 });
    await place.agree(second);
    expect((await place.row(second, 2)).state).toMatchObject({
      reasons: [{ text: expect.stringContaining('row 2 of batch third') }],
    });
    expect((await releaseHeld(second, all, ben, place.world)).done).toEqual([]);
  });
});
