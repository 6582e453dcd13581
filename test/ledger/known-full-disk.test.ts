/** What is remembered of a ledger, where the disk has no room for it: nothing half-made stays that stops later commands. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Known, knownLedgers } from '../../src/ledger/known.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { DISK_FAULTS, type FailingDisk, failingDisk } from '../failing/failing-disk.ts';
import { LIVE } from './ledger-files.ts';

let folder: string;
let disk: FailingDisk;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-known-full-'));
  disk = failingDisk();
});
afterEach(() => {
  disk.restore();
  rmSync(folder, { recursive: true, force: true });
});

const HEAD = { commits: 1, hash: 'of the first commit' };

function aKnown(nth: number): { readonly known: Known; readonly memory: string } {
  const memory = join(folder, String(nth));
  const identity = { ...LIVE, id: 'a', path: '/ledger.db', salt: '', timeZone: 'UTC' };
  const place = identity.path;
  return {
    memory,
    known: new Known({ folder: memory, identity, place, now: Date.now, machine: THIS_MACHINE }),
  };
}

it.each(DISK_FAULTS.map((fault) => [fault.name, fault] as const))(
  'can be read and written later, wherever it met %s',
  (_, fault) => {
    let hits = 0;
    for (; ; hits += 1) {
      const { known, memory } = aKnown(hits);
      disk.arm(fault, hits + 1);
      try {
        known.write(HEAD);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ledger_unwritable' });
      }
      const struck = disk.struck();
      disk.arm(undefined, 0);
      known.close();
      if (struck === undefined) break;
      expect(knownLedgers(memory).length, struck).toBeLessThanOrEqual(1);
      const later = aKnown(hits).known;
      later.write(HEAD);
      later.close();
      expect(knownLedgers(memory), struck).toMatchObject([{ id: 'a', head: HEAD }]);
      expect(readdirSync(memory), struck).toEqual(['a.json']);
    }
    expect(hits).toBeGreaterThan(3);
  },
);
