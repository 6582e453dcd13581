/** Looking up a transfer and being shown somebody else's: no word about it makes a payment payable again. */
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/domain/policy.ts';
import { reasonOf } from '../../src/domain/reporting/reason.ts';
import type { Asked, Transaction } from '../../src/ports/payment-service.ts';
import { openDecisions } from '../../src/use-cases/decide/open-decisions.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, lookUpsShow, readingPorts } from '../builders/workplace.ts';

type Named = { readonly name: string };
const MINUTE = 60_000;
/** Another amount, receiver and institution than any row of the file has. */
const ANOTHERS = { amount: '77.00', receiver: 'KOFI BOATENG', institution: 'GCB Bank' };

/** One row that was sent, and what the service shows for its transfer from then on. */
async function sentRow(shown: Partial<Transaction>, policy: Partial<Policy> = {}) {
  const place = await aWorkplace({ policy });
  const batch = await place.approved(someRows(1), 'may');
  await place.send(batch);
  const undo = lookUpsShow(place, () => shown);
  return { place, batch, undo };
}

const row2 = { kind: 'rows', rows: ['2'] } as const;
const ben = { by: 'ben', evidence: undefined };
const EVIDENCE = { by: 'ben', evidence: 'their desk says that nobody was paid' };

describe('a word that says paid', () => {
  it('counts by the id alone, and every difference stands in the report', async () => {
    const { place, batch } = await sentRow(ANOTHERS);
    await place.settle(batch, MINUTE);
    const row = await place.row(batch, 2);
    expect(row.state.status).toBe('settled');
    expect(reasonOf(row, [])).toMatch(/amount: the service shows 77\.00.+GCB Bank.+KOFI BOATENG/);
  });

  it('makes a failure an incident, whoever the look-up shows', async () => {
    const { place, batch, undo } = await sentRow({});
    place.service.statusOf = () => 'Declined';
    await place.settle(batch, 60 * MINUTE);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
    undo();
    lookUpsShow(place, () => ({ ...ANOTHERS, status: 'Finished' }));
    place.clock.advance(60 * MINUTE);
    expect((await place.settle(batch, MINUTE)).incidents).toEqual([2]);
  });
});

describe('a ruling “paid” without evidence', () => {
  const paid = { kind: 'paid', transferId: 'tr-2', by: 'ben', evidence: undefined } as const;
  async function inDoubt(shown: Partial<Transaction>, policy: Partial<Policy> = {}) {
    const place = await aWorkplace({ policy: { ...policy, concurrency: 1 } });
    const batch = await place.approved(someRows(2), 'may');
    place.service.turns.push('accept', 'lose_after');
    await place.send(batch);
    lookUpsShow(place, () => shown);
    return { place, row: await place.row(batch, 3) };
  }

  it.each<[string, Partial<Transaction>, readonly string[]]>([
    ['no amount', { amount: undefined }, ['amount: the service does not show it']],
    ['no institution', { institution: '' }, ['institution: the service does not show it']],
    ['an empty receiver', { receiver: ' ' }, ['receiver: the service does not show it']],
    [
      'a receiver who is only like the one that was paid',
      { receiver: 'AMA MENSA' },
      ['receiver: the service shows “AMA MENSA”, asked was “AMA MENSAH”'],
    ],
    [
      'a status alone',
      { amount: undefined, receiver: undefined, institution: undefined, destination: undefined },
      [
        'amount: the service does not show it',
        'institution: the service does not show it',
        'receiver: the service does not show it',
      ],
    ],
  ])('does not count for a transfer with %s; evidence makes it count', async (_, shown, differences) => {
    const { place, row } = await inDoubt(shown);
    expect(await resolveDoubt(row, paid, place.world)).toMatchObject({ kind: 'refused', differences });
    expect((await place.ledger.payout(row.id))?.state.status).toBe('in_doubt');
    const ruled = await resolveDoubt(row, { ...paid, evidence: 'their desk wrote' }, place.world);
    expect(ruled).toMatchObject({ kind: 'ruled', differences });
  });

  it.each<[Policy['lookUpFields'], string]>([
    [['amount'], 'the service shows this transfer with the same amount'],
    [['amount', 'institution'], 'the service shows this transfer with the same amount and institution'],
    [
      ['amount', 'institution', 'receiver', 'destination'],
      'the service shows this transfer with the same amount, institution and receiver',
    ],
    [['destination'], 'the service shows this transfer, without amount, institution and receiver'],
  ])('names in the journal what a service that shows %j has shown', async (lookUpFields, evidence) => {
    const hidden = (['amount', 'institution', 'receiver'] as const).filter(
      (field) => !lookUpFields.includes(field),
    );
    const shown = Object.fromEntries(hidden.map((field) => [field, undefined]));
    const { place, row } = await inDoubt(shown, { lookUpFields });
    expect(await resolveDoubt(row, paid, place.world)).toMatchObject({ kind: 'ruled', differences: [] });
    const journal = await place.ledger.journalOf(row.id);
    expect(journal.findLast(({ kind }) => kind === 'rule_paid')?.body).toMatchObject({
      ruling: { evidence },
    });
  });
});

describe('a failure or a return does not count', () => {
  const CASES: readonly (readonly [string, Partial<Transaction>, string])[] = [
    ['another receiver', { receiver: 'KOFI BOATENG' }, 'shows another receiver: “KOFI BOATENG”'],
    ['a receiver who is only like it', { receiver: 'AMA MENSA' }, 'shows another receiver: “AMA MENSA”'],
    ['another amount', { amount: '7700.00' }, 'shows another amount: “7700.00”'],
    ['another institution', { institution: 'GCB Bank' }, 'shows another institution: “GCB Bank”'],
    ['another destination', { destination: 'Kenya' }, 'shows another destination: “Kenya”'],
    ['no receiver', { receiver: undefined }, 'does not show the receiver'],
    ['an empty receiver', { receiver: ' ' }, 'does not show the receiver'],
    ['no amount', { amount: undefined }, 'does not show the amount'],
    ['no institution', { institution: '' }, 'does not show the institution'],
    [
      'nothing but the id',
      { amount: undefined, receiver: undefined, institution: undefined },
      'does not show the amount and does not show the institution and does not show the receiver',
    ],
  ];
  const words = ['Failed', 'Reversed'] as const;

  it.each(words.flatMap((word) => CASES.map((each) => [word, ...each] as const)))(
    'if “%s” comes with %s: nobody is paid twice',
    async (status, _, changes, why) => {
      const { place, batch } = await sentRow({ ...changes, status });
      await place.settle(batch, MINUTE);
      place.clock.advance(48 * 60 * MINUTE);
      await place.settle(batch, 0);
      const row = await place.row(batch, 2);
      expect(row.state).toMatchObject({
        status: 'accepted',
        suspicion: { word: status, unproven: why.split(' and ') },
      });
      expect(reasonOf(row, [])).toMatch(
        new RegExp(
          `^The service says “${status}”, first at .+ UTC\\. That does not count, because the service `,
        ),
      );
      expect(reasonOf(row, [])).toContain(why);
      const asked = await reissue(batch, row2, ben, place.world);
      expect(asked.done).toEqual([]);
      expect(asked.refused).toMatchObject([{ rowNumber: 2, isNotYet: true }]);
      expect(asked.refused[0]?.status).toContain(why);
      const all = await reissue(batch, { kind: 'all' }, EVIDENCE, place.world);
      expect(all, 'a person names such a row').toEqual({ done: [], refused: [] });
      await place.send(batch);
      expect(place.service.book).toHaveLength(1);
      expect((await place.ledger.verify()).problems).toEqual([]);
    },
  );

  it.each(['Failed', 'Reversed'])(
    '“%s” counts with the names that were approved, also where the file was read with others',
    async (status) => {
      const place = await aWorkplace();
      const { batch } = await place.place(someRows(1), 'may');
      const { countries, institutions } = place.service;
      const renamed = (names: Readonly<Record<string, string>>) => (asked: Asked<readonly Named[]>) =>
        asked.kind === 'answered'
          ? { ...asked, answer: asked.answer.map((one) => ({ ...one, name: names[one.name] ?? one.name })) }
          : asked;
      const now = renamed({ Ghana: 'Republic of Ghana', 'MTN Mobile Money': 'MTN MoMo' });
      place.service.countries = async (...asked) => now(await countries(...asked)) as never;
      place.service.institutions = async (...asked) => now(await institutions(...asked)) as never;
      await place.agree(batch.id);
      await place.send(batch.id);
      lookUpsShow(place, () => ({ institution: 'MTN MoMo', destination: 'Republic of Ghana', status }));
      await place.settle(batch.id, 60 * MINUTE);
      expect(await place.stand(batch.id)).toEqual({ [status === 'Failed' ? 'failed' : 'returned']: 1 });
    },
  );

  it('and the row names the way on, for everybody who looks', async () => {
    const { place, batch } = await sentRow({ receiver: 'KOFI BOATENG', status: 'Reversed' });
    await place.settle(batch, MINUTE);
    const { attention } = await summaryOf(await place.batch(batch), readingPorts(place));
    expect(attention).toMatchObject([
      {
        row: 2,
        suspected: true,
        steps: [
          { command: { verb: 'reissue', words: ['may', 2], flags: [['--evidence', { fillIn: 'TEXT' }]] } },
        ],
      },
    ]);
    const row = await place.row(batch, 2);
    expect(await openDecisions(row, place.world)).toMatchObject({ payAgain: 'with_evidence' });
  });

  it.each(words)('after “%s” until a person gives evidence: then it is paid again, once', async (status) => {
    const { place, batch } = await sentRow({ receiver: undefined, status });
    await place.settle(batch, MINUTE);
    expect(await reissue(batch, row2, EVIDENCE, place.world)).toEqual({ done: [2], refused: [] });
    await place.agree(batch);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('but makes the payment an incident if it is called Finished after that', async () => {
    const { place, batch, undo } = await sentRow({ receiver: undefined, status: 'Failed' });
    await place.settle(batch, MINUTE);
    await reissue(batch, row2, EVIDENCE, place.world);
    await place.agree(batch);
    undo();
    expect(await place.send(batch)).toMatchObject({ incidents: [2] });
    expect(place.service.book).toHaveLength(1);
  });

  it('for a settled row: it stays settled, differs, and the run says why', async () => {
    const { place, batch, undo } = await sentRow({});
    await place.settle(batch, MINUTE);
    undo();
    lookUpsShow(place, () => ({ receiver: 'KOFI BOATENG', status: 'Returned' }));
    place.clock.advance(60 * MINUTE);
    const watched = { deadline: place.clock.now(), watchReturnsMs: 24 * 60 * MINUTE };
    const { changes } = await settleBatch(batch, place.world, watched);
    expect(changes).toMatchObject([
      { rowNumber: 2, to: 'settled', differs: [expect.anything(), expect.anything()] },
    ]);
    expect(await place.stand(batch)).toEqual({ settled: 1 });
    expect(place.told).toContainEqual({
      kind: 'warning',
      text: 'Row 2: the service says “Returned” after Finished. That does not count, because the service shows another receiver: “KOFI BOATENG”.',
    });
  });

  it('and keeps a replacement from going out, even if the first answer was about the payment itself', async () => {
    const { place, batch, undo } = await sentRow({ status: 'Failed' });
    await place.settle(batch, 60 * MINUTE);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
    place.clock.advance(25 * 60 * MINUTE);
    await reissue(batch, row2, ben, place.world);
    await place.agree(batch);
    undo();
    lookUpsShow(place, () => ({ receiver: 'KOFI BOATENG', status: 'Failed' }));
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ held: 1 });
    expect(place.service.book).toHaveLength(1);
  });
});

describe('a failure counts', () => {
  it('only from two equal answers about the payment itself, ten minutes apart', async () => {
    const { place, batch, undo } = await sentRow({ receiver: undefined, status: 'Failed' });
    await place.settle(batch, 20 * MINUTE);
    undo();
    lookUpsShow(place, () => ({ status: 'Failed' }));
    place.clock.advance(5 * MINUTE);
    await place.settle(batch, 0);
    expect((await place.row(batch, 2)).state).toMatchObject({ status: 'accepted' });
    expect((await place.row(batch, 2)).state).not.toHaveProperty('suspicion.unproven');
    await place.settle(batch, 20 * MINUTE);
    expect(await place.stand(batch)).toEqual({ failed: 1 });
  });

  it.each([
    ['the receiver', { receiver: undefined }, ['amount', 'institution']],
    ['the institution', { institution: undefined }, ['amount', 'receiver', 'destination']],
  ] as const)(
    'without %s if a person said that this service never shows it',
    async (_, changes, lookUpFields) => {
      const { place, batch } = await sentRow({ ...changes, status: 'Failed' }, { lookUpFields });
      await place.settle(batch, 60 * MINUTE);
      expect(await place.stand(batch)).toEqual({ failed: 1 });
    },
  );

  it('never by another receiver, whatever a person said that the service shows', async () => {
    const shown = { receiver: 'KOFI BOATENG', status: 'Reversed' };
    const { place, batch } = await sentRow(shown, { lookUpFields: ['amount', 'institution'] });
    await place.settle(batch, MINUTE);
    expect(await place.stand(batch)).toEqual({ accepted: 1 });
  });

  it('with the name that was sent, and with the holder whom the service had named', async () => {
    for (const receiver of ['Mensah Ama', 'AMA MENSAH']) {
      const { place, batch } = await sentRow({ receiver, status: 'Reversed' });
      await place.settle(batch, 60 * MINUTE);
      expect(await place.stand(batch)).toEqual({ returned: 1 });
    }
  });
});

describe('an answer in which amount, receiver and institution are all shown and all differ', () => {
  it('does not prove the first transfer of a ledger', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const batch = await place.approved(someRows(3));
    lookUpsShow(place, () => ANOTHERS);
    expect((await place.send(batch)).stop).toMatchObject({
      kind: 'paused',
      reason: expect.stringMatching(/^the first transfer \(row 2\) differs from what was asked: amount: /),
    });
    expect(place.service.book).toHaveLength(1);
  });
});
