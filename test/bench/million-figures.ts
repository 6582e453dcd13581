/**
 * Rows really paid, from the file to the last status and the proof of the ledger: what a row costs in each stage of a large
 * file and of a small one. The service has no latency, so that nothing but the work itself is seen.
 */
import { join } from 'node:path';
import type { Bench, WithService } from './in-turns.ts';
import type { Result } from './work-result.ts';

interface MillionBench extends Omit<Bench, 'isSmall'> {
  /** Of the large file. */
  readonly rows: number;
  readonly withService: WithService;
}

const AT_ONCE = 64;

export async function millionFigures({
  folder,
  rows,
  work,
  print,
  withService,
}: MillionBench): Promise<void> {
  const runs = new Map<number, Result>();
  for (const size of [10_000, 100_000, rows]) {
    const ledger = join(folder, `paid-${size}.db`);
    const run = await withService(0, (service) => work('whole-run', service, ledger, size, AT_ONCE));
    if (run.rows !== size) throw new Error(`${run.rows} of ${size} rows were settled`);
    const proof = work('verify', ledger);
    const report = work('report', ledger, join(folder, `paid-${size}.csv`));
    console.log(
      `        ${size} rows paid in ${(run.ms / 1000).toFixed(1)} s (${(size / (run.ms / 1000)).toFixed(0)}/s), peak ` +
        `${run.peakMb} MB, ${run.note}; verified in ${(proof.ms / 1000).toFixed(1)} s with ${proof.peakMb} MB: ` +
        `${proof.rows} entries, ${proof.note}; report in ${(report.ms / 1000).toFixed(1)} s: ${report.note}`,
    );
    runs.set(size, run);
  }
  const [small, middle, large] = [...runs.values()];
  for (const [stage, ms] of Object.entries(large?.stages ?? {})) {
    const [ofLarge, ofSmall] = [(ms * 1_000) / rows, ((small?.stages?.[stage] ?? 0) * 1_000) / 10_000];
    const ratio = ofLarge / ofSmall;
    const detail = `${ofLarge.toFixed(0)} µs and ${ofSmall.toFixed(0)} µs a row`;
    print(`${stage}: a row of ${rows} ÷ a row of 10000`, ratio, '≤ 1.2', ratio <= 1.2, detail);
  }
  const memory = (large?.peakMb ?? 0) / (middle?.peakMb ?? 1);
  print(
    `whole run: peak memory of ${rows} rows ÷ 100000`,
    memory,
    '≤ 1.3',
    memory <= 1.3,
    `${large?.peakMb} MB`,
  );
}
