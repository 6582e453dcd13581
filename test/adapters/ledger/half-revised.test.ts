/**
 * A process that dies in the middle of a revision leaves rows in places of two files. Whatever file comes next,
 * also the old one again, brings them in order.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { THIS_MACHINE } from '../../../src/adapters/ledger/machine.ts';
import { StoredLedger } from '../../../src/adapters/ledger/stored-ledger.ts';
import { DEFAULT_POLICY } from '../../../src/domain/policy.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { someRows } from '../../builders/payout-file.ts';
import { workplaceOn } from '../../builders/workplace.ts';
import { createScriptedPaymentService } from '../../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { openAt } from './ledger-files.ts';

const ROWS = 8;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The same ledger as a process sees it that dies before its commit of this number; `died` is told then. */
function dyingAt(
  commit: number,
  path: string,
  { ledger, died }: { ledger: Ledger; died: () => void },
): Ledger {
  let commits = 0;
  const later = (run: () => void) => {
    commits += 1;
    if (commits < commit) setImmediate(run);
    else died();
  };
  const db = new DatabaseSync(path, { readBigInts: true, enableForeignKeyConstraints: true, timeout: 1_000 });
  return new StoredLedger(db, ledger.identity, {
    path,
    emergencyPath: undefined,
    fileMode: 0o600,
    clock: createVirtualClock(),
    machine: { ...THIS_MACHINE, later },
  });
}

it('is repaired by the old file as by the new one, at every commit of the revision', async () => {
  const old = someRows(ROWS);
  const fresh = [...someRows(ROWS).toReversed().slice(0, 5), ...someRows(2, { note: 'June' })];
  let halves = 0;
  for (let commit = 1; commit <= 24; commit += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-half-revised-'));
    folders.push(folder);
    const path = join(folder, 'ledger.db');
    const ledger = await openAt(path);
    const clock = createVirtualClock();
    const service = createScriptedPaymentService(clock);
    const place = workplaceOn({ ledger, service, clock, policy: DEFAULT_POLICY });
    const { batch } = await place.place(old, 'may');
    await new Promise<void>((died, failed) => {
      const dying = dyingAt(commit, path, { ledger, died });
      const doomed = workplaceOn({ ledger: dying, service, clock, policy: DEFAULT_POLICY });
      doomed.place(fresh, 'may').then(() => died(), failed);
    });
    const again = await place.place(old, 'may');
    expect(again.kind).toBe('revision');
    if ('comparison' in again && again.comparison.isHalfRevised) halves += 1;
    const rows = (await place.payouts(batch.id)).map(({ rowNumber, instruction }) => [
      rowNumber,
      instruction?.reference,
    ]);
    expect(rows).toEqual(old.map((row, index) => [index + 2, row.reference]));
    await ledger.close();
  }
  // The loop is worth something only if some of the deaths were in the middle.
  expect(halves).toBeGreaterThan(1);
});
