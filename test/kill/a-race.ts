/** Starts two processes at the same time, with one ledger for each race. Call it at the top of a test file. */
import { aSeat } from './a-seat.ts';
import { RUN } from './round.ts';
import { openTarget, type Target } from './target.ts';

export const RACES = process.env['SOAK'] === '1' ? 20 : 1;
export const ALLOWED_MS = 30_000 + RACES * 20_000;
export const WORDS = [...RUN, '--deadline', '20s'];
/** For an existing ledger. */
export const KNOWN = WORDS.filter((word) => word !== '--new-ledger');

export function aRace() {
  const seat = aSeat({ rows: 1, latencyMs: 5, concurrency: 4 });
  let number = 0;
  return {
    seen: (accounts: readonly string[]) => seat.service.seen(accounts),
    openTarget: (): Target => openTarget(seat.compiled, seat.service, { PAYFILE_CONCURRENCY: '4' }),
    newAccounts(rows: number): readonly string[] {
      number += 1;
      return Array.from(
        { length: rows },
        (_, row) => `2${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
      );
    },
    async timesExecuted(accounts: readonly string[]): Promise<readonly number[]> {
      const seen = await seat.service.seen(accounts);
      return accounts.map(
        (account) => seen.filter((request) => request.account === account && request.executed).length,
      );
    },
  };
}
