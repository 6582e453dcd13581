/**
 * The old ledger and the new one are asked the same about the same payments of several batches: who is paid to another
 * account, how batches differ, what a file repeats, which payments are of one row. Goes with the old code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { paidBefore, triedBefore } from '../../src/domain/batches/paid-before.ts';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { repeatKeys } from '../../src/domain/payouts/repeat.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { openAt } from '../adapters/ledger/ledger-files.ts';
import { all, batchOf, later, row, walkedTo } from '../builders/ledger-batches.ts';
import { money, NOW } from '../builders/payouts.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { onBoth } from './both-databases.ts';

const WORLDS = process.env['SOAK'] === '1' ? 300 : 4;
const NAMES = [
  'Ama Mensah',
  'MENSAH Ama',
  'Ama K. Mensah',
  'Kofi Owusu',
  'Yaa Asante',
  'Esi Boakye',
  undefined,
];
const GOALS = [
  'planned',
  'quoted',
  'approved',
  'in_doubt',
  'accepted',
  'settled',
  'failed',
  'returned',
  'refused',
] as const;

/** Few people, accounts, references and amounts, so that rows are like each other in every way. */
function someRows(random: Random, count: number, payouts: number): StagedRow[] {
  const references = new Set<string>();
  return Array.from({ length: count }, (_, at) => {
    const said = `R-${random.below(2 * count)}`;
    const reference = random.chance(0.2) || references.has(said) ? undefined : said;
    references.add(said);
    const replaces =
      payouts > 0 && random.chance(0.2) ? asPayoutId(String(1 + random.below(payouts))) : undefined;
    const made = row(at, {
      ...{ reference, replaces, name: random.pick(NAMES) },
      account: `02440000${String(random.below(count)).padStart(2, '0')}`,
      amount: money(`GHS ${1 + random.below(3)}.00`),
    });
    if (made.instruction === undefined) throw new TypeError('a row that can be paid');
    return { ...made, rowNumber: at + 2, keys: { ...made.keys, ...repeatKeys(made.instruction, '') } };
  });
}

/** The same in each of them, as long as what a ledger is told does not depend on what it answered. */
async function fill(ledgers: readonly Ledger[], random: Random): Promise<readonly BatchId[]> {
  const ids: BatchId[] = [];
  let payouts = 0;
  for (let n = 0; n < 4; n += 1) {
    const rows = someRows(random, 10, payouts);
    payouts += rows.length;
    const made = await Promise.all(ledgers.map((ledger) => batchOf(ledger, rows, `b${n}`)));
    expect(new Set(made).size).toBe(1);
    ids.push(...made.slice(0, 1));
    const goals = rows.map(() => (n === 3 ? random.pick(GOALS.slice(0, 2)) : random.pick(GOALS)));
    const at = later(n * 1_000);
    for (const ledger of ledgers)
      for (const [index, payout] of (await all(ledger, made[0] as BatchId)).entries()) {
        const goal = goals[index] ?? 'planned';
        // Of rows that repeat each other some may not go so far.
        if (goal !== 'planned') await walkedTo(ledger, payout, goal, at).catch(() => undefined);
      }
  }
  return ids;
}

async function answers(ledger: Ledger, ids: readonly BatchId[]) {
  const [first, second, third, last] = ids as [BatchId, BatchId, BatchId, BatchId];
  const families = await ledger.familiesAcross(last);
  const earlier = [third, second, first].map((id) => paidBefore(id, last, families));
  const again = triedBefore(last, families);
  const since = timestampOf(NOW + 500);
  const own = await all(ledger, last);
  const differences = [];
  for (const before of earlier)
    differences.push(await ledger.difference(last, before, { jumpPercent: 20, again }));
  const single = { ...paidBefore(first, last, families), batch: undefined };
  return {
    families: await ledger.familiesAcross(),
    differences,
    moved: await ledger.movedAccounts(last, { earlier: [single, ...earlier], again }),
    failed: await ledger.failedBefore(last, [first, second, third]),
    overlaps: (await ledger.overlaps(last, since)).map(({ batch, ...overlap }) => ({
      ...overlap,
      id: batch.id,
    })),
    alike: (await ledger.alike(last, since)).map(({ batch, ...alike }) => ({ ...alike, id: batch.id })),
    twins: await ledger.twins(last),
    above: await ledger.rowsAbove(last),
    repeats: await Promise.all(own.map(({ id }) => ledger.repeatsOf(id))),
    paidBy: await Promise.all(own.map(async ({ id }) => [...(await ledger.batchesPaidBy(id))].sort())),
    totals: await ledger.totals(second),
    principal: await ledger.principalSince(since),
    // The order of the old one within a commit is nobody's.
    moves: new Map(
      (await ledger.planMovesSince(second, 0)).moves.map(({ payout, before }) => [payout.id, before]),
    ),
    begun: (await ledger.begunSince(second, 0, 5)).map(({ id }) => id),
    sent: await sentOf(ledger, second),
  };
}

async function sentOf(ledger: Ledger, id: BatchId) {
  const sent = [];
  for await (const page of ledger.sentPayouts(id)) sent.push(...page);
  return sent.map(({ payout, ...rest }) => ({ ...rest, id: payout.id }));
}

onBoth((place) => {
  it.each(Array.from({ length: WORLDS }, (_, n) => n + 1))(
    'says of the payments of world %i what the old ledger says',
    { timeout: 90_000 },
    async (seed) => {
      const folder = mkdtempSync(join(tmpdir(), 'payfile-as-before-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const old = await openAt(join(folder, 'ledger.db'));
      onTestFinished(() => old.close());
      const { ledger } = await (await place()).open();
      const ids = await fill([old, ledger], randomOf(seed));
      expect(await answers(ledger, ids)).toEqual(await answers(old, ids));
    },
  );
});
