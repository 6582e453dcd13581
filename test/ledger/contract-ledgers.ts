/** Ledgers for the contracts, opened as a program opens them: in a file, in memory and on a server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openLedger } from '../../src/ledger/file.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import type { LedgerUnderTest } from '../contracts/ledger-contract.ts';
import type { ProcessesUnderTest } from '../contracts/ledger-parts-contract.ts';
import { SANDBOX } from './ledger-files.ts';

/** Where a ledger is: a path or a place on a server. */
export type Where = string | ServerPlace;

const SYSTEM = { now: () => timestampOf(Date.now()) };

/** A file in a folder that goes with the test. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.db');
}

export function openAtPlace(where: Where, clock: Pick<Clock, 'now'> = SYSTEM): Promise<Ledger> {
  const options = { binding: SANDBOX, create: true, clock };
  return typeof where === 'string'
    ? openLedger({ ...options, path: where })
    : openServerLedger({ ...options, place: where });
}

export async function ledgerAt(where: Where): Promise<LedgerUnderTest> {
  let ledger = await openAtPlace(where);
  return {
    get ledger() {
      return ledger;
    },
    async reopen() {
      if (where === ':memory:') return undefined;
      await ledger.close();
      ledger = await openAtPlace(where);
      return ledger;
    },
    end: () => ledger.close(),
  };
}

/** Three processes with one clock. */
export async function processesAt(where: Where): Promise<ProcessesUnderTest> {
  let now = Date.now();
  const clock = { now: () => timestampOf(now) };
  const open = () => openAtPlace(where, clock);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ledgers: [await open(), await open(), await open()], pass };
}
