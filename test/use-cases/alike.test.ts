/** One person under two references: never held, and never unseen. */
import { expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { planBlocks } from '../../src/operations/plan-blocks.ts';
import { alikeSentences } from '../../src/operations/words/plan.ts';
import { planOf, planToSee } from '../../src/use-cases/approve/plan-of-batch.ts';
import { checkFile } from '../../src/use-cases/intake/check-file.ts';
import { recordEvent } from '../../src/use-cases/record-event.ts';
import { drawn } from '../builders/drawn.ts';
import { aRow, type FileRow, openRowsOf, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;
const numberedAnew = (count: number, first: string): FileRow[] =>
  someRows(count).map((row, at) => ({ ...row, reference: `${first}-${at + 1}` }));

async function linesFor(place: Workplace, rows: readonly FileRow[], name: string) {
  const { batch } = await place.place(rows, name);
  await place.price(batch.id);
  const plan = await planOf(batch.id, place.world);
  return { lines: alikeSentences((await planToSee(plan, batch, place.world)).plan.sameMoney.alike), plan };
}

it('tells in check which rows of a file look like one payment, and holds none of them', async () => {
  const place = await aWorkplace();
  const rows = [aRow(1), aRow(2), { ...aRow(1), reference: 'NEW-7' }];
  const open = { open: { path: 'pay.csv' }, source: 'GB' };
  const checked = await checkFile(openRowsOf(rows), open, place.world);
  expect(checked.held).toBe(0);
  expect(checked.notes).toContain('Rows 2 and 4: same account and amount, other references');
});

it('tells in the plan, above the total, which rows of the file look like one payment, and holds none of them', async () => {
  const place = await aWorkplace();
  const canceled = { ...aRow(2), reference: 'NEW-8' };
  const { batch } = await place.place(
    [aRow(1), aRow(2), { ...aRow(1), reference: 'NEW-7' }, canceled],
    'may',
  );
  await place.price(batch.id);
  const row = await place.row(batch.id, 5);
  await recordEvent(row, { kind: 'cancel', by: 'ama', reason: 'left', at: place.clock.now() }, place.world);
  const plan = await planOf(batch.id, place.world);
  expect(plan.counts).toMatchObject({ quoted: 3 });
  const seen = await planToSee(plan, batch, place.world);
  const lines = drawn(planBlocks(seen));
  const at = lines.indexOf('Rows 2 and 4: same account and amount, other references');
  expect(at).toBeGreaterThan(0);
  expect(lines.findIndex((line) => line.startsWith('Total') || line.startsWith('GHS'))).toBeGreaterThan(at);
  expect(seen.plan.sameMoney.twins).toHaveLength(1);
});

it('tells in the plan which rows another batch paid under other references, and holds none of them', async () => {
  const place = await aWorkplace();
  const may = await place.approved(someRows(8), 'may');
  await place.send(may);
  place.clock.advance(3 * DAY);
  const { lines, plan } = await linesFor(place, numberedAnew(7, 'X'), 'may-again');
  expect(plan.counts).toEqual({ quoted: 7 });
  expect(lines).toEqual([
    'To look at: 7 rows pay the same amount to the same account as batch may on 2026-05-25, under other references (rows 2, 3, 4, 5, 6, …)',
  ]);
});

it('tells nothing of payments beyond the window, of another amount, or of none', async () => {
  const place = await aWorkplace();
  await place.send(await place.approved(someRows(2), 'may'));
  place.clock.advance(2 * DAY);
  const other = numberedAnew(2, 'Y').map((row) => ({ ...row, amount: '1.00' }));
  expect((await linesFor(place, other, 'small')).lines).toEqual([]);
  place.clock.advance(13 * DAY);
  expect((await linesFor(place, numberedAnew(2, 'Z'), 'june')).lines).toEqual([]);
});

it.each([
  ['before', ['bravo', 'alpha']],
  ['after', ['alpha', 'bravo']],
] as const)(
  'tells of the newest payment, which was planned %s the others, and the plan has another digest then',
  async (_, names) => {
    const place = await aWorkplace();
    const batches = new Map<string, BatchId>();
    for (const name of names) batches.set(name, (await place.place(numberedAnew(1, name), name)).batch.id);
    const pay = async (name: string) => {
      const batchId = batches.get(name);
      if (batchId === undefined) throw new TypeError(`${name} is placed`);
      await place.agree(batchId);
      await place.send(batchId);
    };
    await pay('alpha');
    place.clock.advance(3 * DAY);
    const seen = await linesFor(place, numberedAnew(1, 'C'), 'charlie');
    expect(seen.lines[0]).toContain('as batch alpha on 2026-05-25');
    await pay('bravo');
    const now = await linesFor(place, numberedAnew(1, 'C'), 'charlie');
    expect(now.lines[0]).toContain('as batch bravo on 2026-05-28');
    expect(now.plan.digest).not.toBe(seen.plan.digest);
  },
);
