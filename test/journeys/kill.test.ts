/**
 * kill -9 at arbitrary moments, then the same command again: every row ends in exactly one state, no row is sent
 * twice, and no more rows are in doubt than were in flight. The service's own book is the judge.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type Desk, type LiveService, openDesk, payrollCsv, startLiveService } from './a-desk.ts';

const ROWS = 30;
const CONCURRENCY = 4;

let service: LiveService | undefined;
let desk: Desk | undefined;
afterEach(async () => {
  desk?.close();
  await service?.sandbox.close();
});

// Delays after the batch was placed: while names are asked, while quotes are, in the middle of sending, in settling.
it.each([0, 60, 130, 210, 300, 420, 560, 700])(
  'survives two kills, the first %i ms after the batch was placed',
  async (delayMs) => {
    service = await startLiveService({ latencyMs: 15, speedFactor: 200 });
    desk = openDesk({ ...service.env, PAYFILE_CONCURRENCY: String(CONCURRENCY) });
    const rows = Array.from(
      { length: ROWS },
      (_, index) => [`10111300${24_000 + index}`, `${50 + index}.00`] as const,
    );
    desk.file('may.csv', payrollCsv(rows));
    const words = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=99999', '--report', 'may.json'];
    await desk.payfile('init');
    for (const pause of [delayMs, delayMs + 90]) {
      const run = desk.start(...words);
      await Promise.race([run.saw('atch may'), run.ended]);
      await wait(pause);
      run.child.kill('SIGKILL');
      await run.ended;
    }
    const last = await desk.payfile(...words);
    expect([0, 5], last.stderr).toContain(last.code);

    const executed = new Map<string, number>();
    for (const { account } of service.sandbox.book.entries())
      executed.set(account, (executed.get(account) ?? 0) + 1);
    expect([...executed.values()].every((times) => times === 1)).toBe(true);

    const report = JSON.parse(readFileSync(join(desk.folder, 'may.json'), 'utf8'));
    const statuses: { status: string; account: string }[] = report.rows.map(
      (row: { status: string; original: { Account: string } }) => ({
        status: row.status,
        account: row.original.Account,
      }),
    );
    expect(statuses).toHaveLength(ROWS);
    const doubts = statuses.filter(({ status }) => status === 'in_doubt');
    expect(doubts.length).toBeLessThanOrEqual(2 * CONCURRENCY);
    expect(last.code).toBe(doubts.length > 0 ? 5 : 0);
    for (const { status, account } of statuses) {
      expect(['settled', 'in_doubt']).toContain(status);
      if (status === 'settled') expect(executed.get(account)).toBe(1);
    }
    const verified = await desk.payfile('verify');
    expect(verified.code, verified.stdout).toBe(0);
  },
  60_000,
);
