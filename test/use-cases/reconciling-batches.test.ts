/** One statement beside several batches: each line counts once, and each row is said with its batch. */
import { expect, it } from 'vitest';
import type { Batch } from '../../src/domain/batches/batch.ts';
import { compareByCurrency } from '../../src/domain/statement/comparison.ts';
import { findingText } from '../../src/domain/statement/finding-words.ts';
import { comparisonBlocks } from '../../src/operations/reconciliation-blocks.ts';
import { batchesOfDays } from '../../src/use-cases/reconcile/batches-of-days.ts';
import {
  compareWithStatement,
  ruleByStatement,
} from '../../src/use-cases/reconcile/compare-with-statement.ts';
import { aRow } from '../builders/payout-file.ts';
import { around, type Line, lineOf, openStatement } from '../builders/statement-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';
import type { Script } from '../fakes/scripted-payment-service.ts';

const DAY = 24 * 3_600_000;

const NAMES = ['Ama', 'Kofi', 'Yaa', 'Kwame', 'Esi', 'Abena'];

/** Batches of one row each, or more, sent one after the other on one day. */
async function sent(...scripts: readonly (readonly Script[])[]) {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const at = place.clock.now();
  const batches: Batch[] = [];
  for (const [index, turns] of scripts.entries()) {
    const rows = turns.map((_, row) =>
      aRow(index * 10 + row + 1, {
        ...{ amount: `${index + 1}${row}0.00`, name: `${NAMES[index * 2 + row]} Mensah` },
      }),
    );
    for (const { name, account } of rows) place.service.names.set(`${account}`, `${name}`.toUpperCase());
    const id = await place.approved(rows, `batch-${index + 1}`);
    place.service.turns.push(...turns);
    await place.send(id);
    await place.settle(id);
    batches.push(await place.batch(id));
  }
  place.clock.advance(8 * DAY);
  const lines = place.service.book.map((executed) => lineOf(executed, at));
  return { place, at, batches, lines };
}

function statementOf(lines: readonly Line[]) {
  const evidence = 'the bank says that it is whole';
  const options = { open: { path: 'bank.csv' }, map: new Map(), dateOrder: undefined, evidence };
  return { openRows: openStatement(lines), options };
}

const compare = (place: Workplace, batches: readonly Batch[], lines: readonly Line[]) =>
  compareWithStatement(batches, statementOf(lines), { by: 'ada', ports: place.world });

it('matches each line once over all batches, in one table for each currency', async () => {
  const { place, at, batches, lines } = await sent(['accept', 'accept'], ['accept'], ['accept']);
  const { reconciled } = await compare(place, batches, around(at, lines));
  expect(reconciled.findings.map((finding) => findingText(finding).replace(/,.*/, ''))).toEqual([
    'Row 2 of batch-1',
    'Row 3 of batch-1',
    'Row 2 of batch-2',
    'Row 2 of batch-3',
  ]);
  expect(reconciled.findings.map(({ kind }) => kind)).toEqual(Array(4).fill('matched'));
  expect(reconciled.lines).toMatchObject({ ofRows: 4, ofOtherBatches: 0, foreign: 2 });
  // 100.00 + 110.00 + 200.00 + 300.00.
  expect(compareByCurrency(reconciled.findings)).toMatchObject([
    { currency: 'GHS', lines: 71_000n, booked: 71_000n, open: 0n, rows: { length: 4 } },
  ]);
});

it('leaves a line that fits payments of two batches to neither, though each alone would take it', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const at = place.clock.now();
  const batches: Batch[] = [];
  for (const name of ['one', 'two']) {
    const id = await place.approved([aRow(1, { reference: name })], name);
    place.service.turns.push('accept');
    await place.send(id);
    await place.settle(id);
    batches.push(await place.batch(id));
  }
  place.clock.advance(8 * DAY);
  const [first] = place.service.book;
  if (first === undefined) throw new TypeError('one was executed');
  const written = around(at, [lineOf(first, at, { Id: '', Narration: 'MOMO' })]);
  for (const batch of batches)
    expect((await compare(place, [batch], written)).reconciled.findings).toMatchObject([{ kind: 'matched' }]);
  const both = await compare(place, batches, written);
  expect(both.reconciled.findings).toMatchObject([{ kind: 'unclear' }, { kind: 'unclear' }]);
});

it('gives the line of a payment that another of the batches made again to that payment', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 }, environment: 'live' });
  const may = await place.approved([aRow(1)], 'may');
  const at = place.clock.now();
  place.service.turns.push({ refuse: 'closed' });
  await place.send(may);
  const { id: replaces } = await place.row(may, 2);
  const redo = await place.approved([aRow(1, { replaces })], 'redo');
  place.service.turns.push('accept');
  await place.send(redo);
  await place.settle(redo);
  place.clock.advance(8 * DAY);
  const paid = place.service.book.at(-1);
  if (paid === undefined) throw new TypeError('one was executed');
  const written = around(at, [lineOf(paid, at, { Id: '', Narration: 'MOMO' })]);
  const batches = [await place.batch(may), await place.batch(redo)];
  const { reconciled } = await compare(place, batches, written);
  expect(reconciled.findings).toMatchObject([{ kind: 'not_expected' }, { kind: 'matched' }]);
});

it('keeps the comparison in the journal of each batch, with the figures of its own rows', async () => {
  const { place, at, batches, lines } = await sent(['accept', 'accept'], ['accept', 'lose_before']);
  await compare(place, batches, around(at, lines));
  const notes = await Promise.all(
    batches.map(async ({ id }) =>
      (await place.ledger.notes(id, 'statement_compared')).map(({ body }) => body),
    ),
  );
  expect(notes).toMatchObject([
    [{ by: 'ada', name: 'bank.csv', matched: 2, open: 0 }],
    [{ by: 'ada', name: 'bank.csv', matched: 1, open: 1 }],
  ]);
});

it('rules rows of several batches, and shows how all stands after it', async () => {
  const { place, at, batches, lines } = await sent(
    ['accept', 'lose_after'],
    ['accept', 'lose_before'],
    ['lose_before'],
  );
  const holder = { user: 'ada', pid: 1, host: 'here', command: 'payfile reconcile' };
  const rule = (accept: 'paid' | 'not_paid') =>
    ruleByStatement(
      batches,
      statementOf(around(at, lines)),
      { ...{ accept, by: 'ada', holder }, ledger: place.ledger },
      place.world,
    );
  const paid = await rule('paid');
  expect(paid.accepted.map(({ finding, outcome }) => [finding.entry?.batchName, outcome])).toEqual([
    ['batch-1', 'ruled'],
  ]);
  expect(paid.reconciled.findings.map(({ kind }) => kind)).toEqual([
    ...['matched', 'matched', 'matched', 'propose_not_paid', 'propose_not_paid'],
  ]);
  const shown = JSON.stringify(comparisonBlocks(paid));
  expect(shown).toContain('Decided: paid:');
  expect(shown).not.toContain('not explained');
  expect(shown).not.toContain('compared before');
  // Nothing of the third batch has its tag in the statement, so that it is ruled by hand.
  const unpaid = await rule('not_paid');
  expect(unpaid.accepted.map(({ finding, outcome }) => [finding.entry?.batchName, outcome])).toEqual([
    ['batch-2', 'ruled'],
  ]);
  expect(unpaid.reconciled.findings.map(({ kind }) => kind)).toEqual([
    ...['matched', 'matched', 'matched', 'not_expected', 'propose_not_paid'],
  ]);
  expect(unpaid.end.exitCode).toBe(5);
});

it('rules nothing while another process runs one of the batches, and names it', async () => {
  const { place, at, batches, lines } = await sent(['lose_after'], ['lose_after']);
  const [, second] = batches;
  if (second === undefined) throw new TypeError('there are two');
  const holder = { user: 'ada', pid: 1, host: 'here', command: 'payfile send' };
  const lease = await place.ledger.lease(second.id, holder);
  const ruling = { accept: 'paid' as const, by: 'ada', holder, ledger: place.ledger };
  await expect(ruleByStatement(batches, statementOf(around(at, lines)), ruling, place.world)).rejects.toThrow(
    'Another process runs batch batch-2: “payfile send” of ada',
  );
  for (const { id } of batches) expect(await place.stand(id)).toEqual({ in_doubt: 1 });
  if (lease.kind !== 'busy') await lease.release();
});

it('finds the batches with a payment in the days', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const day = () => new Date(place.clock.now()).toISOString().slice(0, 10);
  const days: string[] = [];
  for (const number of [1, 2, 3]) {
    days.push(day());
    const id = await place.approved(
      [aRow(1, { amount: `${number}00.00`, reference: `r-${number}` })],
      `b-${number}`,
    );
    place.service.turns.push('accept');
    await place.send(id);
    await place.settle(id);
    place.clock.advance(20 * DAY);
  }
  const [one = '', two = '', three = ''] = days;
  const names = async (from: string, to: string) =>
    (await batchesOfDays({ from, to }, place.ledger)).map(({ name }) => name);
  expect(await names(one, two)).toEqual(['b-1', 'b-2']);
  expect(await names(three, three)).toEqual(['b-3']);
  expect(await names('2020-01-01', '2020-01-31')).toEqual([]);
});
