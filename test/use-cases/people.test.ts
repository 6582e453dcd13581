/** What people decide: releases, rulings, paying again, withdrawing. Each is refused where it could pay twice. */

import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { asTransferId } from '../../src/domain/payouts/instruction.ts';
import { approveBatch } from '../../src/use-cases/approve/approve-batch.ts';
import { planOf } from '../../src/use-cases/approve/plan-of-batch.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { explainPayout } from '../../src/use-cases/report/explain-payout.ts';
import { heldRows } from '../../src/use-cases/report/held-rows.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, kindsOf, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const all = { kind: 'all' } as const;
const rows = (...numbers: readonly string[]) => ({ kind: 'rows', rows: numbers }) as const;
const ben = { by: 'ben', reason: 'asked her on the phone' };
/** Repeats are never released together with everything else. */
const repeats = { ...ben, kinds: ['repeat'] as const };
const consent = { by: 'ben', how: 'library', digest: undefined } as const;

describe('a name that was let go', () => {
  it('is sent as the account has it, and not asked about next month', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123001', 'AKUA OWUSU');
    const may = await place.approved([aRow(1)], 'may');
    expect(await place.stand(may)).toEqual({ held: 1 });
    expect(await releaseHeld(may, all, ben, place.world)).toMatchObject({ done: [2], refused: [] });
    await place.agree(may);
    await place.send(may);
    expect(place.service.book).toMatchObject([{ name: 'AKUA OWUSU' }]);
    const june = await place.approved([aRow(1, { reference: 'JUNE-1', note: 'June salary' })], 'june');
    expect(await place.stand(june)).toEqual({ approved: 1 });
  });

  it('is asked about again when another holder, account or written name comes', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123001', 'AKUA OWUSU');
    place.service.names.set('0244123002', 'AKUA OWUSU');
    const may = await place.approved([aRow(1)], 'may');
    await releaseHeld(may, all, ben, place.world);
    const others = [
      aRow(2, { reference: 'A' }),
      aRow(1, { reference: 'B', name: 'Esi Darko', amount: '7.00' }),
    ];
    expect(await place.stand(await place.approved(others, 'others'))).toEqual({ held: 2 });
    place.service.names.set('0244123001', 'YAW ANNAN');
    await place.price(may);
    expect(await place.stand(may)).toEqual({ held: 1 });
  });

  it('is named in a list: a text is no list of its letters', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123001', 'AKUA OWUSU');
    const batch = await place.approved(someRows(3));
    const text = { kind: 'rows', rows: '23' } as never;
    await expect(releaseHeld(batch, text, ben, place.world)).rejects.toThrow('Rows are named in a list');
    expect(await place.stand(batch)).toMatchObject({ held: 1 });
  });

  it('cannot be a row that is not held', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1));
    expect(await releaseHeld(batch, rows('2'), ben, place.world)).toEqual({
      done: [],
      refused: [{ rowNumber: 2, status: 'approved but not sent: only a held row can be released' }],
      released: [],
    });
  });
});

/** The holder of row 2 is Akua, which Ama saw and released, and is Yaw when the row is priced again. */
async function heldAgain() {
  const place = await aWorkplace();
  place.service.names.set('0244123001', 'AKUA OWUSU');
  const may = await place.approved([aRow(1)], 'may');
  const shown = await shownOf(place, may);
  await releaseHeld(may, rows('2'), { by: 'ama', reason: 'married' }, place.world);
  place.service.names.set('0244123001', 'YAW ANNAN');
  await place.price(may);
  expect(await place.stand(may)).toEqual({ held: 1 });
  return { place, may, shown };
}

async function shownOf(place: Workplace, id: BatchId): Promise<string[]> {
  const held = await heldRows(await place.batch(id), place.world);
  return held.rows.map(({ shown }) => shown);
}

describe('a row that is held again for something else', () => {
  it.each([
    ['by its number', rows('2'), {}],
    ['together with all', all, { isElsewhere: true }],
  ])('is not released %s by whoever saw only the first reason', async (_, choice, more) => {
    const { place, may } = await heldAgain();
    const { done, refused } = await releaseHeld(may, choice, ben, place.world);
    expect(done).toEqual([]);
    const status = expect.stringMatching(
      /^held again after a release: .*“YAW ANNAN”.*\. To release it for this, name the kind: name$/,
    );
    expect(refused).toEqual([{ rowNumber: 2, status, isNotYet: true, ...more }]);
    expect(await place.stand(may)).toEqual({ held: 1 });
  });

  it('is released by whoever names the kind, and says what it was released for', async () => {
    const { place, may } = await heldAgain();
    const named = await releaseHeld(may, rows('2'), { ...ben, kinds: ['name'] }, place.world);
    const reasons = [expect.stringContaining('the account belongs to “YAW ANNAN”')];
    expect(named).toEqual({ done: [2], refused: [], released: [{ rowNumber: 2, reasons }] });
  });

  it('is released only for what was shown, where that comes with the decision', async () => {
    const { place, may, shown } = await heldAgain();
    const late = await releaseHeld(may, rows('2'), { ...ben, shown }, place.world);
    expect(late).toMatchObject({ done: [], refused: [{ rowNumber: 2, isNotYet: true }] });
    expect(late.refused[0]?.status).toMatch(/^held now for other reasons than were shown: .*“YAW ANNAN”/);
    const now = await shownOf(place, may);
    expect(now).not.toEqual(shown);
    expect((await releaseHeld(may, rows('2'), { ...ben, shown: now }, place.world)).done).toEqual([2]);
  });

  it('is released by its number for what an earlier release left open', async () => {
    const place = await aWorkplace();
    place.service.names.set('0244123001', 'AKUA OWUSU');
    const twice = aRow(1, { reference: '' });
    const { batch } = await place.place([twice, twice], 'twins');
    await place.price(batch.id);
    expect(kindsOf(await place.row(batch.id, 3))).toEqual(['name', 'repeat']);
    expect((await releaseHeld(batch.id, all, ben, place.world)).done).toEqual([2, 3]);
    await place.price(batch.id);
    expect(kindsOf(await place.row(batch.id, 3))).toEqual(['repeat']);
    expect((await releaseHeld(batch.id, rows('3'), ben, place.world)).done).toEqual([3]);
  });
});

describe('a repeat that was let go', () => {
  const twice = aRow(1, { reference: '' });
  const sameAgain = async (place: Workplace, name: string) => {
    const batch = await place.approved([{ ...twice, note: name }], name);
    expect(await place.stand(batch)).toEqual({ held: 1 });
    expect((await releaseHeld(batch, all, ben, place.world)).done).toEqual([]);
    await releaseHeld(batch, all, repeats, place.world);
    await place.agree(batch);
    expect(await place.stand(batch)).toEqual({ approved: 1 });
    return batch;
  };

  it('[B6] lets go the payment that the person saw, and no other that was made since', async () => {
    const place = await aWorkplace();
    await place.send(await place.approved([twice], 'first'));
    const second = await sameAgain(place, 'second');
    const third = await sameAgain(place, 'third');
    await place.send(third);
    expect(place.service.book).toHaveLength(2);
    await place.send(second);
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(second)).toEqual({ held: 1 });
    await releaseHeld(second, all, repeats, place.world);
    await place.agree(second);
    await place.send(second);
    expect(place.service.book).toHaveLength(3);
  });

  it('[B5] lets a twin of the same file go, and no equal payment of another batch', async () => {
    const place = await aWorkplace();
    const twins = async (name: string) => {
      const { batch } = await place.place(
        [twice, twice].map((row) => ({ ...row, note: name })),
        name,
      );
      await place.price(batch.id);
      await releaseHeld(batch.id, all, repeats, place.world);
      await place.agree(batch.id);
      return batch.id;
    };
    const first = await twins('first');
    expect(await place.stand(first)).toEqual({ approved: 2 });
    const other = await sameAgain(place, 'other');
    await place.send(other);
    await place.send(first);
    expect(place.service.book).toHaveLength(1);
    expect(await place.stand(first)).toEqual({ held: 2 });
    const alone = await aWorkplace();
    const { batch } = await alone.place([twice, twice], 'alone');
    await alone.price(batch.id);
    await releaseHeld(batch.id, all, repeats, alone.world);
    await alone.agree(batch.id);
    await alone.send(batch.id);
    expect(alone.service.book).toHaveLength(2);
  });
});

describe('a row that repeats another payment', () => {
  const twice = aRow(1, { reference: '' });

  it('is let go while that payment is in doubt only by whoever says that it may be paid already', async () => {
    const place = await aWorkplace();
    const first = await place.approved([twice], 'first');
    place.service.script = () => 'lose_after';
    await place.send(first);
    expect(await place.stand(first)).toEqual({ in_doubt: 1 });
    const second = await place.approved([{ ...twice, note: 'x' }], 'second');
    const asked = await releaseHeld(second, rows('2'), ben, place.world);
    expect(asked).toMatchObject({ done: [], refused: [{ isNotYet: true, isMaybePaid: true }] });
    expect(asked.refused[0]?.status).toContain('may be paid already: row 2 of batch first is in doubt');
    expect((await releaseHeld(second, rows('2'), { ...ben, mayBePaid: true }, place.world)).done).toEqual([
      2,
    ]);
  });

  it('says where that payment stands now, and not only where it stood', async () => {
    const place = await aWorkplace();
    const first = await place.approved([twice], 'first');
    const second = await place.approved([{ ...twice, note: 'x' }], 'second');
    await cancelUnsent(first, all, ben, place.world);
    const told = await explainPayout(await place.row(second, 2), place.world);
    expect(told.reason).toMatch(
      /May be the same payment as row 2 of batch first, approved .*; it is canceled now/,
    );
  });

  it('says that the equal row of its own file was withdrawn', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place([twice, twice], 'twins');
    await place.price(batch.id);
    const before = await explainPayout(await place.row(batch.id, 3), place.world);
    expect(before.reason).not.toContain('now');
    await cancelUnsent(batch.id, rows('2'), ben, place.world);
    const told = await explainPayout(await place.row(batch.id, 3), place.world);
    expect(told.reason).toContain('as row 2 of batch twins, above it in this file; it is canceled now');
  });
});

describe('a plan', () => {
  it('is approved only under the digest that the person saw', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(2), 'may');
    await place.price(batch.id);
    const seen = (await planOf(batch.id, place.world)).digest;
    await cancelUnsent(batch.id, rows('3'), ben, place.world);
    const late = await approveBatch(batch.id, { ...consent, digest: seen }, place.world);
    expect(late).toMatchObject({ kind: 'changed' });
    expect(await place.stand(batch.id)).toEqual({ quoted: 1, canceled: 1 });
    const now = (await planOf(batch.id, place.world)).digest.slice(0, 32);
    expect(await approveBatch(batch.id, { ...consent, digest: now }, place.world)).toMatchObject({
      count: 1,
    });
    expect((await approveBatch(batch.id, consent, place.world)).kind).toBe('nothing_to_approve');
  });

  it('is not approved by a few letters of a digest', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(someRows(1), 'may');
    await place.price(batch.id);
    const { digest } = await planOf(batch.id, place.world);
    for (const short of ['', digest.slice(0, 31)])
      expect((await approveBatch(batch.id, { ...consent, digest: short }, place.world)).kind).toBe('changed');
  });

  it('needs another person where four eyes are asked for', async () => {
    const place = await aWorkplace({ policy: { fourEyes: true } });
    const { batch } = await place.place(someRows(1), 'may');
    await place.price(batch.id);
    expect(await approveBatch(batch.id, { ...consent, by: 'ama' }, place.world)).toEqual({
      kind: 'same_person',
      maker: 'ama',
    });
    expect((await approveBatch(batch.id, consent, place.world)).kind).toBe('approved');
  });
});

async function inDoubt(script: 'lose_after' | 'lose_before'): Promise<{ place: Workplace; batch: BatchId }> {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  const batch = await place.approved(someRows(2), 'may');
  place.service.turns.push('accept', script);
  await place.send(batch);
  expect(await place.stand(batch)).toEqual({ accepted: 1, in_doubt: 1 });
  return { place, batch };
}

describe('a ruling', () => {
  const paid = (transferId: string, evidence?: string) =>
    ({ kind: 'paid', transferId, by: 'ben', evidence }) as const;
  const notPaid = (evidence = 'ticket 12') => ({ kind: 'not_paid', by: 'ben', evidence }) as const;

  it('that it was paid is checked against the service and then settles', async () => {
    const { place, batch } = await inDoubt('lose_after');
    const ruled = await resolveDoubt(await place.row(batch, 3), paid('tr-2'), place.world);
    expect(ruled).toMatchObject({ kind: 'ruled', differences: [] });
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
  });

  it.each([
    ['a transfer that another row has', 'tr-1', /already belongs to row 2 of batch may\.$/],
    ['a transfer that the service does not know', 'tr-77', /does not show transfer tr-77: .+[^.]\.$/],
    ['no transfer at all', '  ', /empty/],
  ])('that names %s is refused', async (_, transferId, reason) => {
    const { place, batch } = await inDoubt('lose_after');
    const ruled = await resolveDoubt(await place.row(batch, 3), paid(transferId), place.world);
    expect(ruled.kind === 'refused' && ruled.reason).toMatch(reason);
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 1 });
  });

  it('that names another row’s transfer by its other id is refused', async () => {
    const { place, batch } = await inDoubt('lose_before');
    const { transaction } = place.service;
    const first = (await place.row(batch, 2)).state;
    place.service.transaction = (id) =>
      transaction(
        'transferId' in first && id === 'alias-1' && first.transferId !== undefined ? first.transferId : id,
      );
    const ruled = await resolveDoubt(await place.row(batch, 3), paid('alias-1'), place.world);
    expect(ruled.kind === 'refused' && ruled.reason).toMatch(/already belongs to row 2/);
  });

  it('that names a transfer with another amount needs a word of evidence', async () => {
    const { place, batch } = await inDoubt('lose_after');
    const { transaction } = place.service;
    place.service.transaction = async (id) => {
      const asked = await transaction(id);
      return asked.kind === 'answered' ? { ...asked, answer: { ...asked.answer, amount: '5.00' } } : asked;
    };
    const row = await place.row(batch, 3);
    expect(await resolveDoubt(row, paid('tr-2'), place.world)).toMatchObject({
      kind: 'refused',
      differences: [expect.stringContaining('amount')],
    });
    expect((await resolveDoubt(row, paid('tr-2', 'support confirmed'), place.world)).kind).toBe('ruled');
  });

  it('that it was not paid waits until no answer can come any more, and needs evidence', async () => {
    const { place, batch } = await inDoubt('lose_before');
    const row = await place.row(batch, 3);
    expect((await resolveDoubt(row, notPaid(), place.world)).kind).toBe('refused');
    // The patience for an answer, and as long as a late one is still listened for.
    place.clock.advance(place.world.policy.postTimeoutMs);
    expect((await resolveDoubt(row, notPaid(), place.world)).kind).toBe('refused');
    place.clock.advance(60_000);
    expect((await resolveDoubt(row, notPaid(' '), place.world)).kind).toBe('refused');
    expect((await resolveDoubt(row, notPaid(), place.world)).kind).toBe('ruled');
    expect((await place.row(batch, 3)).state).toMatchObject({
      status: 'failed',
      basis: 'ruled',
      reason: 'ticket 12',
    });
  });

  const dated = (place: Workplace, date: string) => {
    const { transaction } = place.service;
    place.service.transaction = async (id) => {
      const asked = await transaction(id);
      return asked.kind === 'answered' ? { ...asked, answer: { ...asked.answer, date } } : asked;
    };
  };

  it('[E11] that names a transfer of another day, or of no day that can be read, needs a word of evidence', async () => {
    for (const date of ['01/01/2020 10:00 am', 'last week']) {
      const { place, batch } = await inDoubt('lose_after');
      dated(place, date);
      const row = await place.row(batch, 3);
      expect(await resolveDoubt(row, paid('tr-2'), place.world)).toMatchObject({
        kind: 'refused',
        differences: [expect.stringContaining(`date: the service shows “${date}”`)],
      });
      expect((await resolveDoubt(row, paid('tr-2', 'support confirmed'), place.world)).kind).toBe('ruled');
    }
  });

  it('that it was not paid is taken back by a transfer that fits and is finished, as an incident', async () => {
    const { place, batch } = await inDoubt('lose_after');
    place.clock.advance(HOUR);
    await resolveDoubt(await place.row(batch, 3), notPaid(), place.world);
    const shown = await resolveDoubt(await place.row(batch, 3), paid('tr-2'), place.world);
    expect(shown).toMatchObject({
      kind: 'incident',
      payout: { state: { status: 'settled', incident: true } },
    });
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('that it was not paid stands against a transfer that is not finished, but the row is not paid again', async () => {
    const { place, batch } = await inDoubt('lose_after');
    place.clock.advance(HOUR);
    await resolveDoubt(await place.row(batch, 3), notPaid(), place.world);
    place.service.statusOf = () => 'Processing';
    expect(await resolveDoubt(await place.row(batch, 3), paid('tr-2'), place.world)).toMatchObject({
      kind: 'incident',
      reason: expect.stringContaining('Processing'),
    });
    expect((await place.row(batch, 3)).state.status).toBe('failed');
    const again = await reissue(batch, rows('3'), { by: 'ben', evidence: 'x' }, place.world);
    expect(again).toMatchObject({ done: [], refused: [{ status: expect.stringContaining('incident') }] });
  });

  it('that a refused row was paid is no ruling at all', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1), 'may');
    place.service.turns.push({ refuse: 'limit reached' });
    await place.send(batch);
    expect((await resolveDoubt(await place.row(batch, 2), paid('tr-1'), place.world)).kind).toBe('refused');
  });

  it('is made on a row in doubt alone, and once', async () => {
    const { place, batch } = await inDoubt('lose_after');
    const row = await place.row(batch, 3);
    expect((await resolveDoubt(await place.row(batch, 2), paid('tr-2'), place.world)).kind).toBe('refused');
    expect((await resolveDoubt(row, paid('tr-2'), place.world)).kind).toBe('ruled');
    place.clock.advance(HOUR);
    expect(await resolveDoubt(row, notPaid(), place.world)).toMatchObject({ kind: 'refused' });
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
  });
});

describe('paying again', () => {
  const again = (place: Workplace, batch: BatchId, evidence?: string) =>
    reissue(batch, rows('2'), { by: 'ben', evidence }, place.world);

  it('happens once where two people ask for it at once', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(1), 'may');
    place.service.turns.push({ refuse: 'limit reached' });
    await place.send(batch);
    const both = await Promise.all([again(place, batch), again(place, batch)]);
    expect(both.flatMap(({ done }) => done)).toEqual([2]);
    expect(both.flatMap(({ refused }) => refused)).toMatchObject([{ rowNumber: 2 }]);
  });

  it('is a new instruction of its own, priced and approved again', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    place.service.turns.push({ refuse: 'limit reached' });
    await place.send(batch);
    expect(await again(place, batch)).toEqual({ done: [2], refused: [] });
    expect(await place.stand(batch)).toEqual({ planned: 1, accepted: 1 });
    await place.agree(batch);
    await place.run(batch);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
    expect(place.service.book).toHaveLength(2);
    const notes = place.service.book.map(({ note }) => note.slice(0, 11));
    expect(new Set(notes).size).toBe(2);
  });

  it('waits a day after the service called it failed, or needs evidence', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    await place.send(batch);
    place.service.statusOf = () => 'Declined';
    await place.settle(batch, HOUR);
    expect(await again(place, batch)).toMatchObject({
      done: [],
      refused: [{ status: expect.stringContaining('wait until') }],
    });
    expect(await again(place, batch, 'bank letter')).toMatchObject({ done: [2] });
    expect(await place.ledger.notes(batch, 'reissue_evidence')).toHaveLength(1);
  });

  it('needs no waiting once the day is over', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    await place.send(batch);
    place.service.statusOf = () => 'Declined';
    await place.settle(batch, HOUR);
    place.clock.advance(24 * HOUR);
    expect(await again(place, batch)).toMatchObject({ done: [2] });
  });

  it.each([
    ['in doubt', 'lose_after', /rule on it first/],
    ['accepted', 'accept', /only what is proven unpaid/],
  ] as const)('is refused for a row that is %s', async (_, script, status) => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    place.service.turns.push(script);
    await place.send(batch);
    const refused = (await again(place, batch, 'please')).refused[0];
    expect(refused?.status).toMatch(status);
  });

  it('[E12] is refused for a row whose earlier instruction turned out paid, also when its replacement is withdrawn', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    await place.send(batch);
    place.service.statusOf = () => 'Declined';
    await place.settle(batch, HOUR);
    await again(place, batch, 'bank letter');
    place.service.statusOf = () => 'Finished';
    place.clock.advance(HOUR);
    expect(await place.settle(batch)).toMatchObject({ incidents: [2] });
    expect(await place.stand(batch)).toEqual({ settled: 1 });
    expect(await again(place, batch, 'please')).toMatchObject({
      done: [],
      refused: [{ status: expect.stringContaining('paying it again would pay twice') }],
    });
  });

  it('[N13] is refused for a row that was ruled not paid and that the service accepted late', async () => {
    const { place, batch } = await inDoubt('lose_after');
    place.clock.advance(HOUR);
    const row = await place.row(batch, 3);
    await resolveDoubt(row, { kind: 'not_paid', by: 'ben', evidence: 'a call' }, place.world);
    const body = { payout: row.id, row: 3, transferId: asTransferId('tr-2'), status: 'failed' } as const;
    await place.ledger.note(batch, 'late_acceptance_not_applied', body, place.clock.now());
    const options = { by: 'ben', evidence: 'x' };
    expect(await reissue(batch, rows('3'), options, place.world)).toMatchObject({
      done: [],
      refused: [{ status: expect.stringContaining('accepted it late, as transfer tr-2'), isNotYet: true }],
    });
  });

  it('is stopped at the last moment by an incident that was only noted, even if the withdrawal was lost', async () => {
    const { place, batch } = await inDoubt('lose_after');
    place.clock.advance(HOUR);
    const row = await place.row(batch, 3);
    await resolveDoubt(row, { kind: 'not_paid', by: 'ben', evidence: 'a call' }, place.world);
    await reissue(batch, rows('3'), { by: 'ben', evidence: undefined }, place.world);
    await place.agree(batch);
    const body = { payout: row.id, row: 3, what: 'a statement shows it' };
    await place.ledger.note(batch, 'incident', body, place.clock.now());
    expect(await place.send(batch)).toMatchObject({ incidents: [3] });
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(batch)).toEqual({ accepted: 1, failed: 1 });
  });

  it('is possible for a payment that came back a day ago, and for one that was withdrawn', async () => {
    const place = await aWorkplace();
    const back = await place.approved([aRow(1)], 'back');
    await place.send(back);
    place.service.statusOf = () => 'Returned';
    await place.settle(back);
    expect(await again(place, back)).toMatchObject({
      done: [],
      refused: [{ status: expect.stringContaining('recent: wait until'), isNotYet: true }],
    });
    place.clock.advance(24 * HOUR);
    expect(await again(place, back)).toMatchObject({ done: [2] });
    const { batch } = await place.place([aRow(2)], 'withdrawn');
    await cancelUnsent(batch.id, all, ben, place.world);
    expect(await again(place, batch.id)).toMatchObject({ done: [2] });
  });
});

describe('withdrawing', () => {
  it('takes what was not sent, and leaves what may have moved money', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const batch = await place.approved(someRows(3), 'may');
    place.service.turns.push('accept', 'lose_after', { refuse: 'closed' });
    await place.send(batch);
    const decided = await cancelUnsent(batch, rows('2', '3', '4'), ben, place.world);
    expect(decided.done).toEqual([]);
    expect(decided.refused.map(({ status }) => status)).toEqual(
      ['on its way', 'in doubt', 'failed'].map(
        (status) => `${status}: only a row that was not sent can be withdrawn`,
      ),
    );
    const other = await place.approved([aRow(8), aRow(9)], 'other');
    expect((await cancelUnsent(other, all, ben, place.world)).done).toEqual([2, 3]);
    await place.send(other);
    expect(place.service.book).toHaveLength(2);
  });

  it('and sending at the same moment end in one of the two, never both', async () => {
    const place = await aWorkplace({ policy: { concurrency: 2 } });
    const batch = await place.approved(someRows(20), 'may');
    await Promise.all([place.send(batch), cancelUnsent(batch, all, ben, place.world)]);
    const { accepted = 0, canceled = 0 } = await place.stand(batch);
    expect(accepted + canceled).toBe(20);
    expect(place.service.book).toHaveLength(accepted);
  });
});
