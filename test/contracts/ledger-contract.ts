/**
 * What every ledger promises, whatever it is built on. Run by each implementation against its own storage.
 */
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { asPayoutId, asTransferId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import {
  again,
  all,
  approvalOf,
  batchOf,
  eventsTo,
  HEADER,
  HOLDER,
  importOf,
  invalidRow,
  later,
  moved,
  moveOf,
  only,
  row,
  STYLE_READ,
  sealOf,
  someTag,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { anEvent, anInstruction, evidence, money, NOW, SENDER } from '../builders/payouts.ts';
import { choosing, it } from './chosen-tests.ts';
import { agreedContract } from './ledger-agreed-contract.ts';
import { decisionsContract } from './ledger-decisions-contract.ts';
import { importContract } from './ledger-import-contract.ts';
import { moneyContract } from './ledger-money-contract.ts';
import { pagesContract } from './ledger-pages-contract.ts';
import { peopleContract } from './ledger-people-contract.ts';
import { revisionContract } from './ledger-revision-contract.ts';
import { watchContract } from './ledger-watch-contract.ts';

export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Opens the same ledger again; undefined when it does not outlive its process. */
  reopen(): Promise<Ledger | undefined>;
  end(): Promise<void>;
}

/** The tests of these titles alone; undefined: all of them. */
export function ledgerContract(
  name: string,
  open: () => Promise<LedgerUnderTest>,
  titles?: readonly string[],
): void {
  describe(`the ledger on ${name}`, () => {
    let test: LedgerUnderTest;
    const ledger = () => test.ledger;
    beforeEach(async () => {
      test = await open();
    });
    afterEach(async () => {
      expect((await test.ledger.verify()).problems).toEqual([]);
      await test.end();
    });
    choosing(titles, () => {
      importing(ledger);
      importContract(ledger);
      batches(ledger);
      payouts(ledger);
      moves(ledger);
      leases(ledger);
      moneyContract(ledger);
      agreedContract(ledger);
      peopleContract(ledger, () => test.reopen());
      revisionContract(ledger);
      watchContract(ledger);
      decisionsContract(ledger);
      pagesContract(ledger);
      reopening(() => test);
    });
  });
}

function reopening(test: () => LedgerUnderTest): void {
  it('gives back after reopening what it held before', async () => {
    const { ledger } = test();
    const id = await batchOf(ledger, [row(1), row(2), invalidRow(3)], 'may');
    await walkedTo(ledger, await only(ledger, id, 2), 'settled');
    const before = await all(ledger, id);
    const reopened = await test().reopen();
    if (reopened === undefined) return;
    expect(await all(reopened, id)).toStrictEqual(before);
    expect(await reopened.batch(id)).toMatchObject({ name: 'may', isBound: true });
  });
}

function importing(ledger: () => Ledger): void {
  it('keeps every row of a file as it was written, in file order', async () => {
    const rows = [row(1), invalidRow(2), row(3, { reference: undefined, note: 'Prime « été »\nligne 2' })];
    const id = await batchOf(ledger(), rows);
    const found = await all(ledger(), id);
    expect(found.map((payout) => payout.rowNumber)).toEqual([2, 3, 4]);
    expect(found.map((payout) => payout.state)).toStrictEqual(rows.map(({ state }) => state));
    expect(found[2]?.instruction).toStrictEqual(rows[2]?.instruction);
    expect(found[2]?.instruction?.account.reveal()).toBe('0244000003');
    expect(found[1]?.instruction).toBeUndefined();
    const report = [];
    for await (const page of ledger().reportRows(id)) report.push(...page);
    expect(report.map(({ cells, position }) => [position, ...cells])).toEqual(
      rows.map(({ cells }, at) => [at + 1, ...cells]),
    );
  });

  it('shows an import as importing until it is sealed, and lists it newest first', async () => {
    const first = await batchOf(ledger(), [row(1)]);
    const second = await importOf(ledger(), [row(2)], {}, 'june');
    expect((await ledger().batches()).map(({ id, isImporting }) => [id, isImporting])).toEqual([
      [second, true],
      [first, false],
    ]);
    await ledger().seal(second, await sealOf(ledger(), second));
    const sealed = await ledger().batch(second);
    expect(sealed).toMatchObject({
      name: 'june',
      isImporting: false,
      isBound: false,
      revision: 1,
      maker: 'ama',
    });
    // How the amounts were read is known after the last row only, and kept for reports that are made later.
    expect(sealed?.file).toStrictEqual({
      ...HEADER.file,
      sha256: 'f'.repeat(64),
      amountStyle: STYLE_READ,
    });
  });

  it('takes no rows for a batch that is sealed', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    await expect(ledger().stage(id, [row(2)])).rejects.toThrow('is open, not being imported');
    expect(await all(ledger(), id)).toHaveLength(1);
  });

  it('forgets a dropped import with its rows, and never gives its ids out again', async () => {
    const id = await importOf(
      ledger(),
      Array.from({ length: 2_500 }, (_, n) => row(n + 1)),
    );
    const before = await all(ledger(), id);
    await ledger().dropImport(id);
    expect(await ledger().batches()).toEqual([]);
    expect(await all(ledger(), id)).toEqual([]);
    const next = await batchOf(ledger(), [row(1)]);
    const ids = new Set(before.map((payout) => payout.id));
    expect(ids.has((await only(ledger(), next, 2)).id)).toBe(false);
  });

  it('keeps nothing of a chunk with a row it cannot take', async () => {
    const id = await importOf(ledger(), [row(1)]);
    const tooBig = row(2, { amount: { ...money('GHS 1.00'), minor: 2n ** 70n } });
    await expect(ledger().stage(id, [row(3), tooBig])).rejects.toThrow();
    await ledger().stage(id, [row(4)]);
    expect((await all(ledger(), id)).map((payout) => payout.rowNumber)).toEqual([2, 5]);
    await ledger().seal(id, await sealOf(ledger(), id));
  });

  it('hands out the row keys of all rows in ascending order', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => row(n + 1));
    const id = await batchOf(ledger(), rows);
    const keys: string[] = [];
    for await (const page of ledger().rowKeys(id))
      keys.push(...page.map((key) => Buffer.from(key).toString('hex')));
    expect(keys).toEqual(rows.map(({ keys: { rowKey } }) => Buffer.from(rowKey).toString('hex')).sort());
  });
}

function batches(ledger: () => Ledger): void {
  it('finds a batch by id, by name and by a unique prefix, and never guesses', async () => {
    const may = await batchOf(ledger(), [row(1)], 'payroll-may');
    const june = await batchOf(ledger(), [row(2)], 'payroll-june');
    expect(await ledger().findBatch(may)).toMatchObject({ kind: 'found', batch: { id: may } });
    expect(await ledger().findBatch('payroll-june')).toMatchObject({ kind: 'found', batch: { id: june } });
    expect(await ledger().findBatch('payroll-j')).toMatchObject({ kind: 'found', batch: { id: june } });
    expect(await ledger().findBatch('payroll')).toMatchObject({ kind: 'ambiguous', candidates: [{}, {}] });
    expect(await ledger().findBatch('august')).toEqual({ kind: 'none' });
    const namedAsId = await importOf(ledger(), [row(3)], {}, may);
    expect(await ledger().seal(namedAsId, await sealOf(ledger(), namedAsId))).toBe('name_is_id');
  });

  it('gives a name to one batch alone', async () => {
    const id = await batchOf(ledger(), [row(1)], 'may');
    const other = await importOf(ledger(), [row(2)], {}, 'may');
    expect(await ledger().seal(other, await sealOf(ledger(), other))).toBe('name_taken');
    expect((await ledger().batchNamed('may'))?.id).toBe(id);
  });

  it('tells a batch that is called exactly so from one that a person takes for it', async () => {
    const id = await batchOf(ledger(), [row(1)], 'May pay');
    await importOf(ledger(), [row(2)], {}, 'june');
    const { batchNamed, batchLike } = ledger();
    const asked = ['May pay', 'MAY  PAY', 'May\u00a0pay', 'May', id, '', 'june'];
    const isLike = [true, true, true, false, false, false, false];
    expect((await Promise.all(asked.map(batchLike))).map((batch) => batch?.id === id)).toEqual(isLike);
    expect((await Promise.all(asked.map(batchNamed))).map((batch) => batch?.id)).toEqual([id, ...Array(6)]);
  });

  it('finds batches by the bytes of any of their files, where they pay something', async () => {
    const sealed = async (name: string, sha: string, rows = [row(1)]) => {
      const id = await importOf(ledger(), rows, {}, name);
      const corrected = { receivedSha256: 'received', cells: 1, by: ['ama'], firstAt: NOW, lastAt: NOW };
      const seal = { ...(await sealOf(ledger(), id)), fileSha256: sha };
      await ledger().seal(id, sha === 'corrected' ? { ...seal, corrected } : seal);
      return id;
    };
    const found = async (sha: string) => (await ledger().batchesOfBytes(sha)).map(({ name }) => name);
    const may = await sealed('may', 'one');
    await sealed('june', 'one', [row(2)]);
    await sealed('july', 'corrected', [row(3)]);
    await importOf(ledger(), [row(4)]);
    expect(await found('one')).toEqual(['june', 'may']);
    expect([await found('received'), await found('corrected'), await found('')]).toEqual([['july'], [], []]);
    const newer = await importOf(ledger(), [row(1), row(5)]);
    const seal = { ...(await sealOf(ledger(), newer)), fileSha256: 'two' };
    await ledger().revise(may, newer, { by: 'ama', at: NOW, seal });
    expect([await found('one'), await found('two')]).toEqual([['june', 'may'], ['may']]);
    for (const payout of await all(ledger(), may)) await moved(ledger(), payout, anEvent('cancel'));
    expect([await found('one'), await found('two')]).toEqual([['june'], []]);
  });

  it('keeps name, pause, resume and approval of a batch', async () => {
    const id = await batchOf(ledger(), [row(1)], 'may');
    await ledger().pause(id, { reason: 'lunch', by: 'ben', at: NOW });
    expect(await ledger().batch(id)).toMatchObject({
      name: 'may',
      pause: { reason: 'lunch', by: 'ben', at: NOW },
    });
    await ledger().resume(id, 'ama', later(5));
    expect(await ledger().batch(id)).toMatchObject({ pause: undefined, resumedAt: later(5), isBound: false });
    const digest = (await ledger().batch(id))?.digest;
    if (digest === undefined) throw new TypeError('A sealed batch has a digest');
    const approval = { digest, by: 'ama', at: NOW, how: 'approve_command', count: 1 } as const;
    await ledger().recordApproval(id, approval);
    expect(await ledger().batch(id)).toMatchObject({ isBound: true, approval });
  });

  it('refuses values that it could not read again, and keeps nothing of them', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const before = await ledger().batch(id);
    const [wrong, digest] = [5 as never, 'd' as never];
    const changes = [
      () => ledger().beginImport({ ...HEADER, name: wrong }),
      () => ledger().pause(id, { reason: wrong, by: 'ben', at: NOW }),
      () => ledger().pause(id, { reason: 'lunch', by: undefined as never, at: NOW }),
      () => ledger().recordApproval(id, { digest, by: 'ama', at: NOW, how: 'bogus' as never, count: 1 }),
      () => ledger().beginImport({ ...HEADER, maker: wrong }),
      async () => importOf(ledger(), [{ ...row(2), state: { status: 'planned', releases: [wrong] } }]),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject({ name: 'NotStorable' });
    expect(await ledger().batch(id)).toEqual(before);
    expect((await ledger().verify()).problems).toEqual([]);
  });

  it('keeps remarks about a batch apart by kind', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const incident = { payout: asPayoutId('1'), row: 2, what: 'paid after all' };
    await ledger().note(id, 'incident', incident, NOW);
    await ledger().note(id, 'four_eyes', { by: 'ama' }, NOW);
    expect(await ledger().notes(id, 'incident')).toMatchObject([{ body: incident, at: NOW }]);
    expect(await ledger().notes(id, 'canary')).toEqual([]);
    const other = await batchOf(ledger(), [row(2)]);
    await ledger().note(other, 'four_eyes', { by: 'kofi' }, NOW);
    const all = await ledger().notesOfAll('four_eyes');
    expect(all.map(({ body }) => body.by).toSorted()).toEqual(['ama', 'kofi']);
    expect(await ledger().notesOfAll('canary')).toEqual([]);
  });

  it('remembers a name let go once, for exactly this account and these two names', async () => {
    const release = {
      ...anInstruction(),
      account: '0244123456',
      writtenName: 'A. Mensah',
      resolvedName: 'Ama M.',
    };
    await ledger().rememberNameRelease({ ...release, by: 'ben', at: NOW, reason: 'HR said so' });
    await ledger().rememberNameRelease({ ...release, by: 'ben', at: NOW, reason: 'HR said so' });
    expect(await ledger().nameRelease(release)).toEqual({ by: 'ben', at: NOW, reason: 'HR said so' });
    expect(await ledger().nameRelease({ ...release, resolvedName: 'Ama N.' })).toBeUndefined();
    expect(await ledger().nameRelease({ ...release, account: '0244123457' })).toBeUndefined();
  });
}

function payouts(ledger: () => Ledger): void {
  it('counts and sums what a batch holds, beyond what 64 bits hold', async () => {
    const huge = { ...money('GHS 1.00'), minor: 9_000_000_000_000_000_000n };
    const rows = [
      row(1, { amount: huge }),
      row(2, { amount: huge }),
      row(3, { amount: money('XOF 150') }),
      invalidRow(4),
    ];
    const id = await batchOf(ledger(), rows);
    await walkedTo(ledger(), await only(ledger(), id, 4), 'accepted');
    expect(await ledger().counts(id)).toMatchObject({ planned: 2, accepted: 1, invalid: 1, settled: 0 });
    expect(await ledger().counts(id, ['accepted', 'settled'])).toMatchObject({
      planned: 0,
      accepted: 1,
      settled: 0,
    });
    expect(await ledger().totals(id)).toEqual([
      { status: 'invalid', currency: undefined, count: 1, minor: 0n },
      { status: 'planned', currency: 'GHS', count: 2, minor: 18_000_000_000_000_000_000n },
      { status: 'accepted', currency: 'XOF', count: 1, minor: 150n },
    ]);
  });

  it('gives pages in file order with a cursor that goes on where the last page ended', async () => {
    const id = await batchOf(
      ledger(),
      Array.from({ length: 7 }, (_, n) => row(n + 1)),
    );
    await walkedTo(ledger(), await only(ledger(), id, 3), 'approved');
    const seen: number[] = [];
    let after: number | undefined;
    do {
      const page = await ledger().page(id, { statuses: ['planned', 'approved'], after, limit: 3 });
      seen.push(...page.payouts.map((payout) => payout.rowNumber));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8]);
    const approved = await ledger().page(id, { statuses: ['approved'], after: undefined, limit: 3 });
    expect(approved).toMatchObject({ payouts: [{ rowNumber: 3 }], next: undefined });
  });

  it('gives only what is due, and an accepted payout without a schedule at once', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3), row(4)]);
    const [one, two, three, four] = await all(ledger(), id);
    if (!one || !two || !three || !four) throw new TypeError('Four rows were staged');
    await walkedTo(ledger(), one, 'accepted');
    const second = await moved(ledger(), two, ...eventsTo('sending', two, ledger()));
    const [accept] = eventsTo('accepted', two, ledger()).slice(-1);
    if (!accept) throw new TypeError('accept is the last event');
    await ledger().record(moveOf(second, accept, { dueAt: later(100) }));
    await walkedTo(ledger(), three, 'failed');
    await walkedTo(ledger(), four, 'accepted');
    await ledger().schedule(four.id, later(5), { at: later(1), times: 2 });
    const due = async (ms: number, statuses: readonly Status[] = ['accepted', 'failed']) =>
      (await ledger().page(id, { statuses, dueBy: later(ms), after: undefined, limit: 10 })).payouts.map(
        ({ rowNumber }) => rowNumber,
      );
    expect(await due(0)).toEqual([2]);
    expect(await due(5)).toEqual([2, 5]);
    expect(await due(100)).toEqual([2, 3, 5]);
    await ledger().schedule(three.id, later(1), { at: later(1), times: 1 });
    expect(await due(100, ['failed'])).toEqual([4]);
  });

  it('finds payouts by row number and by reference, in the current file only', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3, { reference: '2' })]);
    expect((await ledger().findPayouts(id, 'R-2')).map(({ rowNumber }) => rowNumber)).toEqual([3]);
    expect((await ledger().findPayouts(id, '2')).map(({ rowNumber }) => rowNumber)).toEqual([2, 4]);
    expect(await ledger().findPayouts(id, 'nobody')).toEqual([]);
  });

  it('says nothing is there for ids that it never gave out', async () => {
    expect(await ledger().payout(asPayoutId('99'))).toBeUndefined();
    expect(await ledger().payout(asPayoutId("1' OR 1=1"))).toBeUndefined();
    expect(await ledger().batch('77' as BatchId)).toBeUndefined();
    expect(await ledger().payoutOfTransfer(asTransferId('tr-none'))).toBeUndefined();
  });

  it('knows the oldest quote of the payouts in a status', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    expect(await ledger().oldestQuote(id, 'quoted')).toBeUndefined();
    for (const payout of await all(ledger(), id)) await walkedTo(ledger(), payout, 'quoted');
    expect(await ledger().oldestQuote(id, 'quoted')).toBe(NOW);
    expect(await ledger().oldestQuote(id, 'approved')).toBeUndefined();
  });
}

function moves(ledger: () => Ledger): void {
  const one = async (): Promise<Payout> => only(ledger(), await batchOf(ledger(), [row(1)]), 2);

  it('moves a payout with its event, and tells its whole story', async () => {
    const start = await one();
    const settled = await walkedTo(ledger(), start, 'settled');
    expect(await again(ledger(), start.id)).toStrictEqual(settled);
    expect(settled).toMatchObject({ version: 5, attempts: 1, state: { status: 'settled', incident: false } });
    const story = await ledger().journalOf(start.id);
    expect(story.map(({ kind }) => kind)).toEqual([
      'imported',
      'price',
      'approve',
      'begin_attempt',
      'accept',
      'settle',
    ]);
    expect(story[4]?.body).toMatchObject({ transferId: `tr-${start.id}` });
    expect(await ledger().payoutOfTransfer(asTransferId(`tr-${start.id}`))).toStrictEqual(settled);
  });

  it('lets exactly one of two movers of the same payout win', async () => {
    const start = await one();
    const approved = await walkedTo(ledger(), start, 'approved');
    const begin = moveOf(approved, {
      kind: 'begin_attempt',
      attempt: 1,
      bodyDigest: 'd',
      sender: SENDER,
      at: NOW,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ledger().record(begin)));
    expect(answers.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'stale')).toHaveLength(19);
    expect((await again(ledger(), start.id)).version).toBe(3);
  });

  it('answers many moves one by one, in order', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    const payoutsOf = await all(ledger(), id);
    const price = payoutsOf.map((payout) => moveOf(payout, eventsTo('quoted', payout, ledger())[0] as never));
    await ledger().record(price[1] as never);
    expect((await Promise.all(price.map((move) => ledger().record(move)))).map(({ kind }) => kind)).toEqual([
      'recorded',
      'stale',
      'recorded',
    ]);
  });

  it('gives a transfer id to one payout only, and says which one has it', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const first = await walkedTo(ledger(), await only(ledger(), id, 2), 'accepted');
    const second = await walkedTo(ledger(), await only(ledger(), id, 3), 'sending');
    const accept = {
      kind: 'accept',
      transferId: asTransferId(`tr-${first.id}`),
      evidence: evidence(),
      at: NOW,
    } as const;
    expect(await ledger().record(moveOf(second, accept))).toMatchObject({
      kind: 'taken',
      what: 'transfer_id',
      by: { payoutId: first.id, rowNumber: 2, status: 'accepted', batchId: id },
    });
    expect(await again(ledger(), second.id)).toStrictEqual(second);
  });

  it('gives a tag to one payout only', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const [one, two] = await all(ledger(), id);
    if (!one || !two) throw new TypeError('Two rows were staged');
    const approve = (payout: Payout) => ({ ...approvalOf(payout, ledger()), tag: someTag });
    await moved(ledger(), await walkedTo(ledger(), one, 'quoted'), approve(one));
    const other = await walkedTo(ledger(), two, 'quoted');
    expect(await ledger().record(moveOf(other, approve(other)))).toMatchObject({
      kind: 'taken',
      what: 'tag',
      by: { payoutId: one.id },
    });
  });

  it('goes on with the others when one of many waiting moves is refused', async () => {
    const id = await batchOf(ledger(), [row(1), row(2), row(3)]);
    const quoted = [];
    for (const payout of await all(ledger(), id)) quoted.push(await walkedTo(ledger(), payout, 'quoted'));
    const tagged = quoted.map((payout, at) => {
      const approve = approvalOf(payout, ledger());
      return moveOf(payout, at < 2 ? { ...approve, tag: someTag } : approve);
    });
    expect((await Promise.all(tagged.map((move) => ledger().record(move)))).map(({ kind }) => kind)).toEqual([
      'recorded',
      'taken',
      'recorded',
    ]);
  });
}

function leases(ledger: () => Ledger): void {
  it('[B9][L21] lets one runner have a batch, names it to the next, and lets go', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const lease = await ledger().lease(id, HOLDER);
    expect(lease).toMatchObject({ kind: 'leased', tookOver: false });
    expect(await ledger().lease(id, { ...HOLDER, command: 'second' })).toMatchObject({
      kind: 'busy',
      holder: HOLDER,
    });
    if (lease.kind === 'leased') await lease.release();
    const next = await ledger().lease(id, HOLDER);
    expect(next).toMatchObject({ kind: 'leased', tookOver: false });
    if (next.kind === 'leased') await next.release();
  });
}
