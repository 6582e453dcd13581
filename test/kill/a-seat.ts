/** One ledger, one file and one service for each test of a killed process. Call it at the top of a test file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { commandPath } from '../builders/command.ts';
import type { Running } from '../builders/office.ts';
import { type Compiled, compile } from './compiled.ts';
import { RUN } from './round.ts';
import { type Service, startService } from './service.ts';
import { openTarget, payoutFile, type Target } from './target.ts';
import { linesOf, violations } from './verdict.ts';

/** A run whose report is `may.json`. */
export const WORDS = [...RUN, '--report', 'may.json', '--deadline', '20s'];

export interface Seat {
  readonly compiled: Compiled;
  readonly service: Service;
  readonly target: Target;
  readonly accounts: readonly string[];
  /** Replaces the file of the test with a file of this many rows. */
  file(rows: number): void;
  /** Transfers of this file that the service executed. */
  executed(): Promise<number>;
  /** Rows of the report in this status. */
  count(status: string): number;
  /** Waits until the service has seen this many transfers of the file, or the run is over. */
  seenBy(running: Running, transfers: number): Promise<void>;
  /** Runs the command again. It pays each row once, loses none, and leaves at most `doubtsMax` rows in doubt. */
  finishes(doubtsMax: number): Promise<void>;
}

export function aSeat({
  rows,
  latencyMs,
  concurrency,
}: Record<'rows' | 'latencyMs' | 'concurrency', number>): Seat {
  let compiled: Compiled;
  let service: Service;
  let target: Target;
  let accounts: readonly string[] = [];
  let number = 0;
  beforeAll(async () => {
    compiled = compile(commandPath());
    service = await startService({ latencyMs });
  });
  afterAll(() => {
    service?.close();
    compiled?.remove();
  });
  const file = (length: number) => {
    number += 1;
    accounts = Array.from(
      { length },
      (_, row) => `1${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
    );
    writeFileSync(join(target.folder, 'may.csv'), payoutFile(accounts));
  };
  beforeEach(() => {
    target = openTarget(compiled, service, { PAYFILE_CONCURRENCY: String(concurrency) });
    file(rows);
  });
  afterEach(() => target.close());
  return {
    get compiled() {
      return compiled;
    },
    get service() {
      return service;
    },
    get target() {
      return target;
    },
    get accounts() {
      return accounts;
    },
    file,
    executed: async () => (await service.seen(accounts)).filter((request) => request.executed).length,
    count: (status) => linesOf(target, 'may.json').filter((line) => line.status === status).length,
    async seenBy(running, transfers) {
      let isOver = false;
      void running.ended.then(() => {
        isOver = true;
      });
      while (!isOver && (await service.seen(accounts)).length < transfers)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async finishes(doubtsMax) {
      const last = await target.run(WORDS);
      expect([3, 5], last.stderr).toContain(last.code);
      const seen = await service.seen(accounts);
      expect(await violations(target, { accounts, seen, doubtsMax, report: 'may.json' })).toEqual([]);
    },
  };
}
