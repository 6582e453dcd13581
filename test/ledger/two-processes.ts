/**
 * One ledger file and two processes on it, of which the second is told when its commits have their turn.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { openLedger } from '../../src/ledger/file.ts';
import { type Machine, THIS_MACHINE } from '../../src/ledger/machine.ts';
import type { FileRow } from '../builders/payout-file.ts';
import { workplaceOn } from '../builders/workplace.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';
import { SANDBOX } from './ledger-files.ts';

/** A workplace on a ledger file with one batch, `may`, and how another process comes to work there. */
export async function twoProcesses(rows: readonly FileRow[]) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-two-processes-'));
  const clock = createVirtualClock();
  const open = (own: typeof clock, machine: Partial<Machine> = {}) =>
    openLedger({
      ...{ path: join(folder, 'ledger.db'), binding: SANDBOX, create: true, clock: own },
      machine: { ...THIS_MACHINE, ...machine },
    });
  const ledger = await open(clock);
  const world = { service: createScriptedPaymentService(clock), clock, policy: DEFAULT_POLICY };
  const place = workplaceOn({ ...world, ledger });
  const { batch } = await place.place(rows, 'may');
  const other = async (machine: Partial<Machine>) => {
    const theirs = await open(createVirtualClock(), machine);
    return { theirs, theirPlace: workplaceOn({ ...world, ledger: theirs }) };
  };
  const remove = async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ledger, clock, place, batch, other, remove };
}
