/**
 * A statement against a batch: what agrees, what is proposed, what is loud. Nothing is ruled without `accept`, and
 * nothing that leaves a doubt is ruled with it.
 */
import { describe, expect, it } from 'vitest';
import { SET_BACK_REASON } from '../../src/domain/batches/batch.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { tagOf } from '../../src/domain/payouts/narration.ts';
import type { Timestamp } from '../../src/domain/timestamp.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { reconcileBatches } from '../../src/use-cases/reconcile/reconcile-batches.ts';
import { reconcileEnd } from '../../src/use-cases/reconcile/reconcile-end.ts';
import { standingOf } from '../../src/use-cases/report/batch-standing.ts';
import { summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { askWith } from '../../src/use-cases/user-questions.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import {
  accept,
  around,
  lineOf,
  openStatement,
  reconcileWith,
  sentBatch,
  told,
} from '../builders/statement-file.ts';
import { aWorkplace, readingPorts, type Workplace } from '../builders/workplace.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const bookLines = (place: Workplace, at: Timestamp) =>
  around(
    at,
    place.service.book.map((executed) => lineOf(executed, at)),
  );

describe('a statement that shows everything', () => {
  it('agrees with every settled row, and says nothing of lines that are not ours', async () => {
    const { place, batch, at } = await sentBatch(['accept', 'accept']);
    const reconciled = await reconcileWith(place, batch, bookLines(place, at));
    expect(told(reconciled.findings)).toEqual(['matched 2', 'matched 3']);
    expect(reconciled).toMatchObject({ lines: { foreign: 2, ofOtherBatches: 0 } });
  });

  it('proposes “paid” for a row in doubt, rules nothing by itself, and with accept only what the service confirms', async () => {
    const { place, batch, at } = await sentBatch(['accept', 'lose_after']);
    const reconciled = await reconcileWith(place, batch, bookLines(place, at));
    expect(reconciled.findings).toMatchObject([
      { kind: 'matched' },
      { kind: 'propose_paid', by: 'tag', transferId: 'tr-2', weakness: undefined },
    ]);
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 1 });
    expect(await accept(place, reconciled, 'not_paid')).toEqual([]);
    expect(await accept(place, reconciled)).toMatchObject([{ outcome: 'ruled' }]);
    await place.settle(batch);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
    const ruling = (await place.ledger.journalOf((await place.row(batch, 3)).id)).find(
      ({ kind }) => kind === 'rule_paid',
    );
    expect(JSON.stringify(ruling?.body)).toContain('statement may.csv (SHA-256 ');
  });

  it.each([
    ['describes the transfer otherwise', '5.00'],
    ['does not show its amount', undefined],
  ])('is not believed where the service %s', async (_, amount) => {
    const { place, batch, at } = await sentBatch(['accept', 'lose_after']);
    const { transaction } = place.service;
    place.service.transaction = async (id) => {
      const asked = await transaction(id);
      return asked.kind === 'answered' ? { ...asked, answer: { ...asked.answer, amount } } : asked;
    };
    const accepted = await accept(place, await reconcileWith(place, batch, bookLines(place, at)));
    expect(accepted).toMatchObject([{ outcome: 'refused', reason: expect.stringContaining('amount') }]);
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 1 });
  });

  it('counts payments of other batches apart', async () => {
    const { place, batch, at } = await sentBatch(['accept']);
    place.service.names.set('0244123007', 'KOFI OWUSU');
    const other = await place.approved([aRow(7, { name: 'Kofi Owusu' })], 'june');
    await place.send(other);
    const reconciled = await reconcileWith(place, batch, bookLines(place, at));
    expect(told(reconciled.findings)).toEqual(['matched 2']);
    expect(reconciled.lines.ofOtherBatches).toBe(1);
  });
});

describe('a statement that does not show a row in doubt', () => {
  const without = async (scripts: readonly Script[] = ['accept', 'lose_before']) => {
    const { place, batch, at } = await sentBatch(scripts);
    return { place, batch, at, lines: bookLines(place, at) };
  };

  it('proposes “not paid” where it covers the time for certain and shows such payments', async () => {
    const { place, batch, lines } = await without();
    const reconciled = await reconcileWith(place, batch, lines);
    expect(told(reconciled.findings)).toEqual(['matched 2', 'propose_not_paid 3']);
    expect(await accept(place, reconciled, 'paid')).toEqual([]);
    expect(await accept(place, reconciled, 'not_paid')).toMatchObject([{ outcome: 'ruled' }]);
    expect((await place.row(batch, 3)).state).toMatchObject({
      status: 'failed',
      basis: 'ruled',
      reason: expect.stringMatching(/not in statement may\.csv \(SHA-256 [0-9a-f]{64}\), 3 lines from/),
    });
  });

  it('proves nothing where a line with the same account and amount may be the payment', async () => {
    const rows = [aRow(1), aRow(2), aRow(2, { reference: 'GH-002b' })];
    const { place, batch, at } = await sentBatch(['accept', 'lose_after', 'lose_before'], { rows });
    const lines = place.service.book.map((executed) => lineOf(executed, at, { Id: '' }));
    const untagged = lines.map((line, index) => (index === 0 ? line : { ...line, Narration: '' }));
    const reconciled = await reconcileWith(place, batch, around(at, untagged));
    const doubts = reconciled.findings.filter(({ kind }) => kind !== 'matched');
    expect(doubts.every(({ kind }) => kind === 'still_in_doubt' || kind === 'propose_paid')).toBe(true);
    expect(await accept(place, reconciled, 'not_paid')).toEqual([]);
  });
});

describe('a statement without tags', () => {
  const untagged = async (changes: Readonly<Record<string, string>>, scripts: readonly Script[]) => {
    const { place, batch, at } = await sentBatch(scripts);
    const lines = place.service.book.map((executed) => lineOf(executed, at, { Narration: '', ...changes }));
    return { place, batch, at, lines };
  };

  it('is matched by transfer id, else by account, amount and date', async () => {
    const byId = await untagged({}, ['accept', 'accept']);
    const found = await reconcileWith(byId.place, byId.batch, around(byId.at, byId.lines));
    expect(found.findings).toMatchObject([{ by: 'transfer_id' }, { by: 'transfer_id' }]);
    const byAccount = await untagged({ Id: '' }, ['accept', 'lose_after']);
    const seen = await reconcileWith(byAccount.place, byAccount.batch, around(byAccount.at, byAccount.lines));
    expect(seen.findings).toMatchObject([
      { kind: 'matched', by: 'account' },
      {
        kind: 'propose_paid',
        by: 'account',
        weakness: expect.stringContaining('only a tag or a transfer id'),
      },
    ]);
    expect(await accept(byAccount.place, seen)).toEqual([]);
  });

  it('that shows the end of an account only is a hint for a person, never accepted', async () => {
    const { place, batch, at, lines } = await untagged({}, ['lose_after']);
    const hidden = lines.map((line) => ({ ...line, Account: `****${line.Account?.slice(-4)}` }));
    const reconciled = await reconcileWith(place, batch, around(at, hidden));
    expect(reconciled.findings).toMatchObject([
      { kind: 'propose_paid', by: 'masked_account', weakness: expect.stringContaining('only a tag') },
    ]);
    expect(await accept(place, reconciled)).toEqual([]);
    expect(await place.stand(batch)).toEqual({ in_doubt: 1 });
  });
});

describe('a statement is loud', () => {
  it('when it has a tag of ours that this ledger never gave', async () => {
    const { place, batch, at } = await sentBatch(['accept']);
    const [first] = place.service.book;
    if (first === undefined) throw new TypeError('one was executed');
    const stray = lineOf(first, at, { Id: 'tr-77', Narration: 'PF-ZZZZZZZZ salary' });
    const { findings } = await reconcileWith(place, batch, around(at, [lineOf(first, at), stray]));
    expect(told(findings)).toEqual(['matched 2', 'theirs_only']);
  });

  it('[L25] when it shows a row that this ledger believes unsent, which then is not sent', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(1), 'may');
    const { state } = await place.row(batch, 2);
    const tag = 'tag' in state ? state.tag : '';
    const executed = { transferId: 'tr-5', account: '0244123001', amount: '1200.00', note: tag, name: '' };
    const line = lineOf(executed as Parameters<typeof lineOf>[0], place.clock.now());
    const reconciled = await reconcileWith(place, batch, around(place.clock.now(), [line]));
    expect(reconciled.findings).toMatchObject([{ kind: 'theirs_only', entry: { rowNumber: 2 } }]);
    const compared = { batches: [{ batch: { id: batch, name: 'may' } }], reconciled, accepted: [] };
    const end = reconcileEnd({ ...compared, accept: undefined });
    expect(end).toMatchObject({ mayAccept: 'paid', next: { verb: 'explain' } });
    const accepted = await accept(place, reconciled);
    expect(reconcileEnd({ ...compared, accepted, accept: 'paid' }).mayAccept).toBeUndefined();
    await place.send(batch);
    expect(place.service.book).toEqual([]);
    expect(await place.stand(batch)).toEqual({ held: 1 });
  });
});

describe('a batch that waits for a statement, because its ledger was set back', () => {
  const setBack = async (place: Workplace, batch: BatchId, reason = SET_BACK_REASON) =>
    place.ledger.pause(batch, { reason, by: 'payfile', at: place.clock.now() });
  const [first, second] = someRows(2);
  /** The lost ledger paid the row to this account, with a tag of its own. */
  const lineTo = (place: Workplace, account: string, note: string) => {
    const executed = { transferId: 'tr-5', account, amount: '1200.00', note, name: '' };
    return lineOf(executed as Parameters<typeof lineOf>[0], place.clock.now());
  };
  /** The tag that every life of the ledger gives the row. */
  const tagIn = async (place: Workplace, batch: BatchId, rowNumber: number) =>
    tagOf(place.ledger.identity.id, (await place.row(batch, rowNumber)).id);
  const rows = [{ ...first, amount: '222.00' }, second] as Parameters<Workplace['approved']>[0];

  it.each(['another tag', 'the tag of another row', 'no tag'])(
    'holds the row that a line with %s shows as paid, and the row of the tag, and leaves the others free',
    async (which) => {
      const place = await aWorkplace();
      const batch = await place.approved(rows, 'may');
      await setBack(place, batch);
      const tags = { 'another tag': 'PF-ZZZZZZZZ', 'the tag of another row': await tagIn(place, batch, 2) };
      const line = lineTo(place, '0244123002', { ...tags, 'no tag': 'salary' }[which] ?? '');
      const reconciled = await reconcileWith(place, batch, around(place.clock.now(), [line]));
      const isStray = which === 'the tag of another row';
      expect(reconciled.findings).toMatchObject([
        { kind: isStray ? 'theirs_only' : 'not_expected', entry: { rowNumber: 2 } },
        { kind: 'theirs_only', entry: { rowNumber: 3 }, by: 'account', lines: [{ rowNumber: 3 }] },
      ]);
      expect(reconciled.lines).toMatchObject({ ofRows: 1, ofUnknownTags: 0, foreign: 2, unnamed: 0 });
      const held = { outcome: 'noted' };
      expect(await accept(place, reconciled)).toMatchObject(isStray ? [held, held] : [held]);
      expect((await place.row(batch, 2)).state.status).toBe(isStray ? 'held' : 'approved');
      expect((await place.row(batch, 3)).state).toMatchObject({
        status: 'held',
        reasons: [{ text: expect.stringContaining('a payment with its account and amount') }],
      });
    },
  );

  it('holds a row that nobody approved yet', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(rows, 'may');
    await setBack(place, batch.id);
    const lines = around(place.clock.now(), [lineTo(place, '0244123002', 'salary')]);
    await accept(place, await reconcileWith(place, batch.id, lines));
    expect(await place.stand(batch.id)).toEqual({ planned: 1, held: 1 });
  });

  it('holds such a row by its tag alone', async () => {
    const place = await aWorkplace();
    const { batch } = await place.place(rows, 'may');
    await setBack(place, batch.id);
    const line = { ...lineTo(place, '', await tagIn(place, batch.id, 3)), Amount: '80.00', Currency: 'GBP' };
    const reconciled = await reconcileWith(place, batch.id, around(place.clock.now(), [line]));
    expect(reconciled.findings).toMatchObject([
      { kind: 'not_expected' },
      { kind: 'theirs_only', entry: { rowNumber: 3 }, by: 'tag' },
    ]);
    await accept(place, reconciled);
    expect(await place.stand(batch.id)).toEqual({ planned: 1, held: 1 });
  });

  it('takes no money that came in for a payment, and lines of other batches for none', async () => {
    const place = await aWorkplace();
    const april = await place.approved([second, first] as typeof rows, 'april');
    const tag = await tagIn(place, april, 2);
    await place.send(april);
    const batch = await place.approved(rows, 'may');
    await setBack(place, batch);
    const cameIn = { ...lineTo(place, '0244123002', 'salary'), Amount: '-1200.00' };
    const lines = around(place.clock.now(), [lineTo(place, '0244123002', tag), cameIn]);
    const reconciled = await reconcileWith(place, batch, lines, { payments: 'plus' });
    expect(told(reconciled.findings)).toEqual([]);
    expect(reconciled.lines).toMatchObject({ ofOtherBatches: 1, foreign: 3 });
  });

  it('holds a row by account and amount beside a tag that another batch has for another payment', async () => {
    const place = await aWorkplace();
    const april = await place.approved([aRow(3, { amount: '333.00' })], 'april');
    const batch = await place.approved(rows, 'may');
    await setBack(place, batch);
    const line = lineTo(place, '0244123002', await tagIn(place, april, 2));
    const reconciled = await reconcileWith(place, batch, around(place.clock.now(), [line]));
    expect(reconciled.findings).toMatchObject([
      { kind: 'not_expected' },
      { kind: 'theirs_only', entry: { rowNumber: 3 }, by: 'account' },
    ]);
    expect(reconciled.lines).toMatchObject({ ofRows: 1, ofOtherBatches: 0, foreign: 2, unnamed: 0 });
  });

  it.each(['0244123002', '0001112223'])(
    'calls no row in doubt unpaid beside a payment of %s with a tag that nobody here has',
    async (account) => {
      const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
      await setBack(place, batch);
      const again = { ...lines[0], Id: 'tr-9', Account: account, Narration: 'PF-ZZZZZZZZ salary' };
      const reconciled = await reconcileWith(place, batch, around(at, [...lines, again]));
      expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3', 'theirs_only']);
      expect(await accept(place, reconciled, 'not_paid')).toEqual([]);
      expect(reconciled.lines).toMatchObject({ ofRows: 1, ofUnknownTags: 1, foreign: 2, unnamed: 0 });
    },
  );

  it('counts a line once that is an unsent row’s and may be that of a row in doubt', async () => {
    const held = aRow(2, { name: 'Somebody Else', reference: 'GH-002b' });
    const sent = await sentBatch(['accept', 'lose_before'], { rows: [...someRows(2), held] });
    const { place, batch, at, lines } = sent;
    await setBack(place, batch);
    const again = ['salary', 'PF-ZZZZZZZZ'].map((Narration) => ({
      ...lines[0],
      ...{ Id: '', Account: '0244123002', Narration },
      Date: new Date(at + 5 * 24 * 3_600_000).toISOString().slice(0, 10),
    }));
    const reconciled = await reconcileWith(place, batch, around(at, [...lines, ...again]));
    expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3', 'theirs_only']);
    expect(reconciled.lines).toMatchObject({ ofRows: 3, ofUnknownTags: 0, foreign: 2, unnamed: 0 });
  });

  describe('that is held for its name', () => {
    const heldRow = async () => {
      const place = await aWorkplace();
      const other = aRow(2, { name: 'Somebody Else' });
      const batch = await place.approved([first, other] as typeof rows, 'may');
      await setBack(place, batch);
      const line = lineTo(place, '0244123002', await tagIn(place, batch, 3));
      const accepting = async (changes: Readonly<Record<string, string>> = {}) =>
        accept(
          place,
          await reconcileWith(place, batch, around(place.clock.now(), [{ ...line, ...changes }])),
        );
      return { place, batch, accepting };
    };

    it('is an incident by its tag, noted once, and no release pays it', async () => {
      const { place, batch, accepting } = await heldRow();
      await accepting();
      expect(await accepting()).toMatchObject([{ outcome: 'noted' }]);
      expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
      const decision = { by: 'ben', reason: 'his married name' };
      await releaseHeld(batch, { kind: 'rows', rows: ['3'] }, decision, place.world);
      await place.ledger.resume(batch, 'ben', place.clock.now());
      await place.agree(batch);
      await place.send(batch);
      expect(place.service.book.map(({ account }) => account)).toEqual(['0244123001']);
      expect((await place.row(batch, 3)).state).toMatchObject({
        status: 'held',
        reasons: [{ concern: { kind: 'maybe_paid' }, text: expect.stringContaining('Incident') }],
      });
      await setBack(place, batch);
      expect(await accepting()).toMatchObject([{ outcome: 'refused', reason: 'it is held already' }]);
    });

    it.each([
      ['account and amount', { Narration: 'salary' }],
      ['a tag that all else contradicts', { Account: '0559876543', Amount: '700.00' }],
      ['a payment that failed', { Status: 'Failed' }],
    ])('is none by %s, and it is said that it must not be released unseen', async (_, changes) => {
      const { place, batch, accepting } = await heldRow();
      expect(await accepting(changes)).toMatchObject([
        { outcome: 'refused', reason: expect.stringContaining('do not release it') },
      ]);
      expect(await place.ledger.notes(batch, 'incident')).toEqual([]);
    });
  });

  it('and only such a batch: else account and amount say nothing of a row that was never sent', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(rows, 'may');
    await setBack(place, batch, 'wait for the boss');
    const lines = around(place.clock.now(), [lineTo(place, '0244123002', 'salary')]);
    expect(told((await reconcileWith(place, batch, lines)).findings)).toEqual([]);
  });
});

describe('a row that was ruled not paid and stands in the statement', () => {
  const wronglyRuled = async () => {
    const { place, batch, at } = await sentBatch(['accept', 'lose_after']);
    const request = { kind: 'not_paid', by: 'ben', evidence: 'a phone call' } as const;
    expect((await resolveDoubt(await place.row(batch, 3), request, place.world)).kind).toBe('ruled');
    return { place, batch, at };
  };
  const payAgain = (place: Workplace, batch: BatchId) =>
    reissue(batch, { kind: 'rows', rows: ['3'] }, { by: 'ben', evidence: 'x' }, place.world);
  const outcomeOf = async (place: Workplace, batch: BatchId) => {
    const { outcome } = await summaryOf(await place.batch(batch), readingPorts(place));
    const { incidents } = await standingOf(await place.batch(batch), place.ledger);
    return { outcome, incidents };
  };

  it('is an incident; accepted, it becomes settled by the service’s own word and exit code 5 for ever', async () => {
    const { place, batch, at } = await wronglyRuled();
    const reconciled = await reconcileWith(place, batch, bookLines(place, at));
    expect(told(reconciled.findings)).toEqual(['matched 2', 'incident 3']);
    expect(await place.stand(batch)).toEqual({ settled: 1, failed: 1 });
    expect(await accept(place, reconciled)).toMatchObject([{ outcome: 'noted' }]);
    expect((await place.row(batch, 3)).state).toMatchObject({
      status: 'settled',
      incident: true,
      transferId: 'tr-2',
    });
    expect(await outcomeOf(place, batch)).toMatchObject({ outcome: { exitCode: 5, word: 'incident' } });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('without a transfer id is written down: reported with 5, and never paid again', async () => {
    const { place, batch, at } = await wronglyRuled();
    const lines = bookLines(place, at).map((line) => ({ ...line, Id: '' }));
    const reconciled = await reconcileWith(place, batch, lines);
    await accept(place, reconciled);
    await accept(place, reconciled);
    expect(await place.ledger.notes(batch, 'incident')).toHaveLength(1);
    const reported = await outcomeOf(place, batch);
    expect(reported.outcome).toMatchObject({ exitCode: 5, word: 'incident' });
    expect(reported.incidents).toMatchObject([{ rowNumber: 3, noted: expect.stringContaining('statement') }]);
    expect(await payAgain(place, batch)).toMatchObject({
      done: [],
      refused: [{ status: expect.stringContaining('incident') }],
    });
  });

  it('stops a replacement that was approved and not yet sent', async () => {
    const { place, batch, at } = await wronglyRuled();
    expect(await payAgain(place, batch)).toMatchObject({ done: [3] });
    await place.agree(batch);
    expect(await place.stand(batch)).toEqual({ settled: 1, approved: 1 });
    const reconciled = await reconcileWith(place, batch, bookLines(place, at));
    expect(told(reconciled.findings)).toEqual(['matched 2', 'incident 3']);
    await accept(place, reconciled);
    await place.send(batch);
    expect(place.service.book).toHaveLength(2);
    expect(await place.stand(batch)).toEqual({ settled: 2 });
    expect(await outcomeOf(place, batch)).toMatchObject({ outcome: { exitCode: 5 } });
    expect(await payAgain(place, batch)).toMatchObject({ done: [] });
  });
});

it('refuses a statement whose columns leave open which amount counts', async () => {
  const { place, batch } = await sentBatch(['accept']);
  const batches = [await place.batch(batch)];
  const options = { open: { path: 's.csv' }, map: new Map(), dateOrder: undefined };
  const openRows = openStatement([{ Date: '2026-05-01', Amount: '1', Debit: '2' }]);
  await expect(reconcileBatches(batches, { openRows, options }, place.world)).rejects.toThrow(FileRefused);
  const unknown = openStatement([{ Date: '2026-05-01', Sum: '1', Narration: 'PF-00000001' }]);
  await expect(reconcileBatches(batches, { openRows: unknown, options }, place.world)).rejects.toThrow(
    's.csv, header on row 1: no column is known to hold the amounts of payments. It has “Date”, “Sum”, “Narration”.',
  );
});

describe('a statement with both signs', () => {
  const mixed = async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
    const minus = lines.map((line) => ({ ...line, Amount: `-${line['Amount']}` }));
    return { place, batch, lines: around(at, minus) };
  };

  it('is refused while nobody says which sign a payment has: flag, counts and examples are named', async () => {
    const { place, batch, lines } = await mixed();
    const refusal = reconcileWith(place, batch, lines);
    await expect(refusal).rejects.toThrow(FileRefused);
    await expect(refusal).rejects.toThrow(
      'may.csv does not show which amounts are payments: 2 amounts have a minus (line 3: -1200.00), ' +
        '2 amounts have a plus or no sign (line 2: 5.00). Say which sign a payment has, with payments: minus',
    );
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 1 });
  });

  it('is read by what the person says with the flag, or answers to the question', async () => {
    const { place, batch, lines } = await mixed();
    const said = await reconcileWith(place, batch, lines, { payments: 'minus' });
    expect(told(said.findings)).toEqual(['matched 2', 'propose_paid 3']);
    expect(said.signs).toBe('minus_pays');
    const asked: unknown[] = [];
    const ask = askWith({
      payments: async ({ signs }) => {
        asked.push(signs.minus.count);
        return 'minus';
      },
    });
    const answered = await reconcileWith(place, batch, lines, { ask });
    expect(answered).toEqual(said);
    expect(asked).toEqual([2]);
    for (const answer of [undefined, 'stop', false, null, true]) {
      const gone = askWith({ payments: async () => answer as undefined });
      await expect(reconcileWith(place, batch, lines, { ask: gone })).rejects.toThrow(FileRefused);
    }
  });

  it('is refused where the column that the person named has both', async () => {
    const { place, batch, lines } = await mixed();
    const map = new Map([['amount', 'Amount']] as const);
    await expect(reconcileWith(place, batch, lines, { map })).rejects.toThrow(
      'may.csv does not show which amounts are payments',
    );
  });

  it('is read by the column of the payments, where they have one', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
    const columns = lines.map(({ Amount = '', ...rest }) => ({ ...rest, Balance: '10', Sent: Amount }));
    const written = around(at, columns).map(({ Amount, ...rest }) => ({ ...rest, Got: Amount ?? '' }));
    await expect(reconcileWith(place, batch, written)).rejects.toThrow(/“Sent”, “Got”|“Got”, .*“Sent”/);
    const map = new Map([['debit', 'Sent']] as const);
    const { findings } = await reconcileWith(place, batch, written, { map });
    expect(findings).toMatchObject([
      { kind: 'matched' },
      { kind: 'propose_paid', by: 'tag', weakness: undefined },
    ]);
  });
});
