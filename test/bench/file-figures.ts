/**
 * Reading, staging and reporting of files. A line shows the median of the rounds and how far they lie apart.
 */
import { join } from 'node:path';
import { anew, type Bench, inTurns, median } from './in-turns.ts';
import { csvFile, xlsxFile } from './payout-data.ts';
import type { Result } from './work-result.ts';

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly shown: string;
}

function measured(results: readonly Result[]): Measured {
  const times = results.map(({ ms }) => ms);
  const [ms, cpuMs] = [median(times), median(results.map((result) => result.cpuMs))];
  const peakMb = Math.max(...results.map((result) => result.peakMb));
  const seconds = (value: number) => (value / 1000).toFixed(2);
  const spread = `${seconds(Math.min(...times))} to ${seconds(Math.max(...times))}`;
  return {
    ms,
    cpuMs,
    peakMb,
    shown: `${seconds(ms)} s (${spread}), CPU ${seconds(cpuMs)} s, peak ${peakMb} MB`,
  };
}

async function measuredInTurns<Name extends string>(
  works: Readonly<Record<Name, () => Result>>,
): Promise<Record<Name, Measured>> {
  const found = Object.entries<Result[]>(await inTurns(works)).map(([name, results]) => [
    name,
    measured(results),
  ]);
  return Object.fromEntries(found) as Record<Name, Measured>;
}

const sizeOf = ({ isSmall }: Bench) => (isSmall ? 100_000 : 1_000_000);

export async function stageCsv(bench: Bench): Promise<void> {
  const { folder, work, print } = bench;
  const rows = sizeOf(bench);
  const path = await csvFile(rows);
  const { parse, plain, ours } = await measuredInTurns({
    parse: () => work('csv-parse-alone', path),
    plain: () => work('plain-insert', path, anew(join(folder, 'plain.db'))),
    ours: () => work('stage', path, anew(join(folder, 'stage.db'))),
  });
  const detail = `ours ${ours.shown}; plain insert ${plain.shown}; csv-parse ${parse.shown}`;
  const ofPlain = ours.ms / plain.ms;
  print(`read + validate + stage ${rows} CSV rows ÷ plain insert`, ofPlain, '≤ 2.5', ofPlain <= 2.5, detail);
  print('the same ÷ csv-parse alone', ours.ms / parse.ms, '≤ 6', ours.ms <= 6 * parse.ms, detail);
  print('peak memory of the same, MB', ours.peakMb, '≤ 300', ours.peakMb <= 300, ours.shown);
}

export async function stageXlsx({ folder, isSmall, work, print }: Bench): Promise<void> {
  const rows = isSmall ? 10_000 : 100_000;
  const path = await xlsxFile(rows);
  const { alone, ours } = await measuredInTurns({
    alone: () => work('exceljs-alone', path),
    ours: () => work('stage', path, anew(join(folder, 'stage-xlsx.db'))),
  });
  const name = `read + validate + stage ${rows} XLSX rows ÷ exceljs`;
  print(
    name,
    ours.ms / alone.ms,
    '≤ 2',
    ours.ms <= 2 * alone.ms,
    `ours ${ours.shown}; exceljs ${alone.shown}`,
  );
}

export async function reportCsv(bench: Bench): Promise<void> {
  const { folder, work, print } = bench;
  const rows = sizeOf(bench);
  const ledger = anew(join(folder, 'report.db'));
  work('stage', await csvFile(rows), ledger);
  const { alone, ours } = await measuredInTurns({
    alone: () => work('csv-stringify-alone', rows, join(folder, 'alone.csv')),
    ours: () => work('report', ledger, join(folder, 'report.csv')),
  });
  const detail = `ours ${ours.shown}; csv-stringify ${alone.shown}`;
  print(
    `report of ${rows} rows to CSV ÷ csv-stringify`,
    ours.ms / alone.ms,
    '≤ 2',
    ours.ms <= 2 * alone.ms,
    detail,
  );
  print('peak memory of the same, MB', ours.peakMb, '≤ 300', ours.peakMb <= 300, ours.shown);
}

/** The proof of a staged ledger: its whole chain, every row and payout. */
export async function proof(bench: Bench): Promise<void> {
  const { folder, work, print } = bench;
  const rows = sizeOf(bench);
  const ledger = anew(join(folder, 'proof.db'));
  work('stage', await csvFile(rows), ledger);
  const { ours } = await measuredInTurns({ ours: () => work('verify', ledger) });
  print(`verify of ${rows} staged rows, s`, ours.ms / 1000, '≤ 60', ours.ms <= 60_000, ours.shown);
}

/** What a row costs in a small file and in a large one. */
export async function growth(bench: Bench): Promise<void> {
  const { folder, work, print } = bench;
  const ledger = join(folder, 'growth.db');
  const sizes = [1_000, 10_000, 100_000, ...(bench.isSmall ? [] : [1_000_000])];
  const staged = new Map<number, Measured>();
  const reported = new Map<number, Measured>();
  for (const rows of sizes) {
    const path = await csvFile(rows);
    const { stage, report } = await measuredInTurns({
      stage: () => work('stage', path, anew(ledger)),
      report: () => work('report', ledger, join(folder, 'growth.csv')),
    });
    staged.set(rows, stage);
    reported.set(rows, report);
  }
  for (const [name, found] of [
    ['stage', staged],
    ['report', reported],
  ] as const) {
    const perRow = (rows: number) => ((found.get(rows)?.ms ?? 0) * 1_000) / rows;
    const peak = (rows: number) => found.get(rows)?.peakMb ?? 0;
    const detail = sizes
      .map((rows) => `${rows} rows ${perRow(rows).toFixed(1)} µs each, ${peak(rows)} MB`)
      .join('; ');
    const [last = 0] = sizes.slice(-1);
    const ratio = perRow(last) / perRow(10_000);
    print(`${name}: a row of ${last} ÷ a row of 10000`, ratio, '≤ 1.2', ratio <= 1.2, detail);
    const memory = peak(last) / peak(100_000);
    print(`${name}: peak memory of ${last} rows ÷ 100000`, memory, '≤ 1.3', memory <= 1.3, detail);
  }
}
