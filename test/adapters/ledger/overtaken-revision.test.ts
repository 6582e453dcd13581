/**
 * A process that stands still in the middle of a revision (a laptop's lid, SIGSTOP) may find, when it goes on, that
 * another one took the batch over and revised it too. It must change no more of it.
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

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The same ledger as a process sees it that stands still before its commit of this number, until told to go on. */
function standingStillAt(commit: number, path: string, ledger: Ledger) {
  const stands = Promise.withResolvers<void>();
  let commits = 0;
  let goOn = () => stands.resolve();
  const later = (run: () => void) => {
    commits += 1;
    if (commits !== commit) return void setImmediate(run);
    goOn = () => void setImmediate(run);
    stands.resolve();
  };
  const db = new DatabaseSync(path, { readBigInts: true, enableForeignKeyConstraints: true, timeout: 1_000 });
  const slow = new StoredLedger(db, ledger.identity, {
    path,
    emergencyPath: undefined,
    fileMode: 0o600,
    clock: createVirtualClock(),
    // It sends no sign of life while it stands still.
    machine: { ...THIS_MACHINE, later, every: () => () => undefined },
  });
  return { slow, stands: stands.promise, goOn: () => goOn() };
}

it('[T6] leaves the batch as whoever took it over made it, at whatever commit it stood still', async () => {
  const old = someRows(8);
  const fresh = [...someRows(8).toReversed().slice(0, 5), ...someRows(2, { note: 'June' })];
  let refusals = 0;
  for (let commit = 1; commit <= 16; commit += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-overtaken-'));
    folders.push(folder);
    const path = join(folder, 'ledger.db');
    const ledger = await openAt(path);
    const clock = createVirtualClock();
    const service = createScriptedPaymentService(clock);
    const place = workplaceOn({ ledger, service, clock, policy: DEFAULT_POLICY });
    const { batch } = await place.place(old, 'may');
    const { slow, stands, goOn } = standingStillAt(commit, path, ledger);
    const sleeper = workplaceOn({ ledger: slow, service, clock, policy: DEFAULT_POLICY });
    const placing = sleeper.place(fresh, 'may').then(
      ({ kind }) => kind,
      (error: { code?: string }) => error.code,
    );
    await Promise.race([stands, placing]);
    clock.advance(60_000);
    const [overtaking] = [await place.place([...old.slice(1), ...someRows(1, { note: 'July' })], 'may')];
    goOn();
    const ended = await placing;
    const rows = (await place.payouts(batch.id)).map(({ rowNumber }) => rowNumber);
    if (ended === 'ledger_busy') refusals += 1;
    expect({ commit, overtaking: overtaking.kind, rows }).toEqual({
      ...{ commit, overtaking: 'revision' },
      // Whose file it is now: of seven rows where the sleeper came last in good order, else of eight.
      rows: Array.from(
        { length: ended === 'revision' && rows.length === 7 ? 7 : 8 },
        (_, index) => index + 2,
      ),
    });
    expect((await ledger.verify()).problems).toEqual([]);
    await slow.close();
    await ledger.close();
  }
  expect(refusals).toBeGreaterThan(3);
});
