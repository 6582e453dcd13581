/**
 * One ledger file and two processes on it, of which the second is told when its commits have their turn.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmergencyFile } from '../../../src/adapters/ledger/storage/emergency.ts';
import { type Machine, THIS_MACHINE } from '../../../src/adapters/ledger/storage/this-machine.ts';
import { StoredLedger } from '../../../src/adapters/ledger/stored-ledger.ts';
import { DEFAULT_POLICY } from '../../../src/domain/policy.ts';
import type { FileRow } from '../../builders/payout-file.ts';
import { workplaceOn } from '../../builders/workplace.ts';
import { createScriptedPaymentService } from '../../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { openAt } from './ledger-files.ts';

/** A workplace on a ledger file with one batch, `may`, and how another process comes to work there. */
export async function twoProcesses(rows: readonly FileRow[]) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-two-processes-'));
  const path = join(folder, 'ledger.db');
  const ledger = await openAt(path);
  const clock = createVirtualClock();
  const world = { service: createScriptedPaymentService(clock), clock, policy: DEFAULT_POLICY };
  const place = workplaceOn({ ...world, ledger });
  const { batch } = await place.place(rows, 'may');
  const other = (machine: Partial<Machine>) => {
    const db = new DatabaseSync(path, {
      readBigInts: true,
      enableForeignKeyConstraints: true,
      timeout: 1_000,
    });
    const theirs = new StoredLedger(db, ledger.identity, {
      path,
      emergency: new EmergencyFile(undefined, ledger.identity.id),
      clock: createVirtualClock(),
      machine: { ...THIS_MACHINE, ...machine },
    });
    return { theirs, theirPlace: workplaceOn({ ...world, ledger: theirs }) };
  };
  const remove = async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ledger, clock, place, batch, other, remove };
}
