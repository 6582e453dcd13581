/**
 * The old ledger and the new one are given the same files for a batch, among them equal rows, hidden ones and withdrawn ones:
 * both compare them alike and keep the same rows. Goes with the old code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { openAt } from '../adapters/ledger/ledger-files.ts';
import { all, importOf, invalidRow, moved, row, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { anEvent, aReason, NOW } from '../builders/payouts.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { onBoth } from './both-databases.ts';

const HISTORIES = process.env['SOAK'] === '1' ? 300 : 12;
const FILES = 6;

/** `payouts`: so many may be named as paid again; 0 where the file has no column for it. */
function someRow(random: Random, at: number, payouts: number): StagedRow {
  const rowNumber = at + 2;
  if (random.chance(0.05)) return { ...invalidRow(random.below(3)), rowNumber };
  const replaces =
    payouts > 0 && random.chance(0.2) ? asPayoutId(String(1 + random.below(payouts))) : undefined;
  const one = row(1 + random.below(9), {
    ...(random.chance(0.4) ? { reference: undefined, account: '0244000001' } : {}),
    replaces,
  });
  const cells = ['a', `b ${' '.repeat(random.below(2))}c`, String(random.below(4))];
  const reasons = [aReason({ kind: 'hidden_row', account: 'x' }, 'hidden')];
  const held = { status: 'held', reasons, releases: [], pricing: undefined } as const;
  return { ...one, rowNumber, cells, ...(random.chance(0.15) ? { state: held } : {}) };
}

/** On both alike, for both give out the same ids. */
async function goOn(ledgers: readonly Ledger[], id: BatchId, random: Random): Promise<void> {
  const [first] = ledgers;
  if (first === undefined) return;
  for (const { id: payoutId } of await all(first, id)) {
    const way = random.pick([
      'cancel',
      'release',
      'approved',
      'settled',
      'failed',
      'turned away',
      'none',
      'none',
    ] as const);
    for (const ledger of ledgers) {
      const payout = await ledger.payout(payoutId);
      const status = payout?.state.status;
      if (payout === undefined || way === 'none') continue;
      if (way === 'release' && payout.state.status === 'held') {
        const saw = payout.state.reasons.map(({ concern }) => concern);
        const release = { saw, by: 'ben', reason: 'meant', at: NOW };
        await moved(ledger, payout, { kind: 'release', release, at: NOW });
      } else if (way === 'cancel' && (status === 'planned' || status === 'held'))
        await moved(ledger, payout, anEvent('cancel'));
      else if (way === 'turned away' && status === 'planned')
        await walkedTo(ledger, payout, 'sending')
          .then((sending) => moved(ledger, sending, anEvent('turn_away')))
          .catch(() => undefined);
      // A repeat of another row is refused alike.
      else if ((way === 'approved' || way === 'settled' || way === 'failed') && status === 'planned')
        await walkedTo(ledger, payout, way).catch(() => undefined);
    }
  }
}

async function rowsOf(ledger: Ledger, id: BatchId) {
  const entries = [];
  for (const payout of await all(ledger, id))
    for (const { kind, body } of await ledger.journalOf(payout.id)) entries.push({ kind, body });
  return { payouts: await all(ledger, id), entries };
}

onBoth((place) => {
  it('compares and takes newer files as the old ledger did', async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'payfile-files-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const old = await openAt(join(folder, 'ledger.db'), { newId: () => 'test' });
      const { ledger } = await (await place()).open();
      const both = [old, ledger] as const;
      const random = randomOf(seed);
      const imported = async (name: string, payouts: number) => {
        const named = random.chance(0.5) ? payouts : 0;
        const rows = Array.from({ length: 3 + random.below(12) }, (_, at) => someRow(random, at, named));
        const columns = new Map(named > 0 ? [['replaces', 0] as const] : []);
        const ids = [];
        for (const one of both) ids.push(await importOf(one, rows, { columns }, name));
        expect(ids[1]).toBe(ids[0]);
        return ids[0] as BatchId;
      };
      const batch = await imported('may', 0);
      for (const one of both) await one.seal(batch, await sealOf(one, batch));
      for (let n = 0; n < FILES; n += 1) {
        await goOn(both, batch, random);
        const id = await imported(`file ${n}`, (await all(old, batch)).length);
        const [before, now] = [await old.compare(batch, id), await ledger.compare(batch, id)];
        expect(now, `seed ${seed}, file ${n}`).toStrictEqual(before);
        for (const [what, count] of Object.entries(now))
          if (typeof count === 'number') seen.set(what, (seen.get(what) ?? 0) + count);
        // Also where rows differ that must stay: what came to stand for a payment since the comparison stays in the file.
        const revised = both.map(async (one) =>
          one.revise(batch, id, { by: 'ama', at: NOW, seal: await sealOf(one, id) }),
        );
        const answers = (await Promise.allSettled(revised)).map(({ status }) => status);
        expect(answers[1]).toBe(answers[0]);
        seen.set('refused', (seen.get('refused') ?? 0) + Number(answers[0] === 'rejected'));
        expect(await rowsOf(ledger, batch), `seed ${seed}, file ${n}`).toStrictEqual(
          await rowsOf(old, batch),
        );
      }
      await old.close();
    }
    for (const what of ['unchanged', 'added', 'removed', 'staysCanceled', 'conflictCount', 'refused'])
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(0);
  }, 120_000);
});
