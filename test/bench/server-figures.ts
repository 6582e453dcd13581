/**
 * A large file on a ledger on PostgreSQL, beside the same on a ledger file: staged, verified, reported; and the file's
 * ledger moved to the server. File and server in turns, so that what else runs on the machine slows both.
 */
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../builders/servers.ts';
import type { Bench } from './in-turns.ts';
import { csvFile } from './payout-data.ts';
import type { Result } from './work-result.ts';

interface ServerBench extends Omit<Bench, 'isSmall'> {
  readonly rows: number;
  readonly rounds: number;
}

/** Of each work: how many times as long the server may take, and its peak memory in MB. */
const TARGETS = { stage: [3, 400], verify: [3.5, 400], report: [2.5, 300] } as const;
const MOVE_TARGETS = [3, 400] as const;

type Work = keyof typeof TARGETS;

export async function serverFigures({ rows, rounds, folder, work, print }: ServerBench): Promise<void> {
  const csv = await csvFile(rows);
  const server = await startPostgres();
  const found = new Map<string, Result[]>();
  const run = (name: string, on: string, ...given: string[]) => {
    const result = work(name, ...given);
    found.set(`${name} ${on}`, [...(found.get(`${name} ${on}`) ?? []), result]);
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const at = (name: string) => JSON.stringify({ ...server.place, schema: `${name}_${round}` });
      const [file, there] = [join(folder, `server-${round}.db`), at('staged')];
      run('stage', 'file', csv, file);
      run('stage', 'server', csv, there);
      run('verify', 'file', file);
      run('verify', 'server', there);
      run('report', 'file', file, join(folder, 'file.csv'));
      run('report', 'server', there, join(folder, 'server.csv'));
      run('move', 'server', file, at('moved'));
      rmSync(file, { force: true });
    }
  } finally {
    await server.stop();
  }
  const of = (name: string, on: string) => medianOf(found.get(`${name} ${on}`) ?? []);
  const load = `load ${loadavg()[0]?.toFixed(1)}`;
  const tell = (
    name: string,
    [ours, beside]: readonly [Result, Result],
    [ratioMax, mbMax]: readonly number[],
  ) => {
    const detail = `server ${say(ours)}; file ${say(beside)}; ${load}`;
    const ratio = ours.ms / beside.ms;
    print(name, ratio, `≤ ${ratioMax}`, ratio <= Number(ratioMax), detail);
    print('peak memory of the same, MB', ours.peakMb, `≤ ${mbMax}`, ours.peakMb <= Number(mbMax), say(ours));
  };
  for (const name of Object.keys(TARGETS) as Work[])
    tell(
      `${name} ${rows} rows on a server ÷ in a file`,
      [of(name, 'server'), of(name, 'file')],
      TARGETS[name],
    );
  tell(
    `move ${rows} rows to a server ÷ verify them in a file`,
    [of('move', 'server'), of('verify', 'file')],
    MOVE_TARGETS,
  );
}

function medianOf(results: readonly Result[]): Result {
  const sorted = [...results].sort((one, other) => one.ms - other.ms);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new TypeError('Nothing was measured');
  return median;
}

function say({ ms, rows = 0, peakMb, note = '' }: Result): string {
  return `${(ms / 1000).toFixed(1)} s, ${Math.round((rows / ms) * 1000)}/s, peak ${peakMb} MB, ${note}`;
}
