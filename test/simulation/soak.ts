/**
 * Many histories of both kinds (any-history.ts) in several processes, and what they showed.
 *
 *   node test/simulation/soak.ts [--histories N] [--from SEED] [--workers N] [--sums FILE]
 *
 * Ctrl-C ends it early, with the sums of what was done; with `--sums` the same
 * command goes on from there. Exit code 1 when any history shows a violation.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CoverageTable, coverageText, thinCells } from '../simulated-world/coverage.ts';
import { playedAs } from './any-history.ts';
import { replayOf } from './history.ts';
import { addTallies, emptyTally, medianRows, type SoakSums, sumsIn, type Tally } from './tally.ts';

export interface SoakOptions {
  readonly histories: number;
  readonly from: number;
  readonly workers: number;
  readonly say: (line: string) => void;
  /** When aborted, no more histories are begun; those under way are finished and counted. */
  readonly signal?: AbortSignal;
  /** Keeps what was done, and goes on from there when it was stopped before. */
  readonly sums?: SoakSums | undefined;
}

const PORTION = 50;
const SAY_EVERY_MS = 10_000;
/** Each cell of the table wants this many moves in 100,000 histories. */
const CELL_WANTED = 500 / 100_000;

export async function soak({ histories, from, workers, say, signal, sums }: SoakOptions): Promise<Tally> {
  const before = sums?.load() ?? { done: [], tally: emptyTally() };
  let total = before.tally;
  const done = new Set(before.done);
  const started = performance.now();
  let saidAt = started;
  const end = from + histories;
  const left = Array.from({ length: Math.ceil(histories / PORTION) }, (_, index) => from + index * PORTION);
  const portions = left.filter((first) => !done.has(first)).values();
  const portion = (): number[] => {
    const first = signal?.aborted === true ? undefined : portions.next().value;
    if (first === undefined) return [];
    return Array.from({ length: Math.min(PORTION, end - first) }, (_, index) => first + index);
  };
  const take = (tally: Tally, first: number) => {
    total = addTallies(total, tally);
    done.add(first);
    for (const { seed, violations, hash, again } of tally.failures) {
      say(`seed ${seed} (${hash}): ${violations.join('; ')}`);
      say(`  at once again: ${again.hash}, ${again.violations} violations\n  ${replayOf(playedAs(seed))}`);
    }
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    sums?.save({ done: [...done], tally: total });
    const rate = (total.histories - before.tally.histories) / ((saidAt - started) / 1000);
    say(
      `${total.histories} of ${histories} histories, ${total.violations} violations, ${rate.toFixed(1)} a second`,
    );
  };
  await Promise.all(Array.from({ length: workers }, () => oneWorker(portion, take)));
  sums?.save({ done: [...done], tally: total });
  return total;
}

function oneWorker(portion: () => number[], take: (tally: Tally, first: number) => void): Promise<void> {
  // One thread each: those of the collector and the compiler would only be in the way of the other workers.
  const execArgv = [...process.execArgv, '--single-threaded', '--max-semi-space-size=64'];
  const child: ChildProcess = fork(fileURLToPath(new URL('./soak-worker.ts', import.meta.url)), { execArgv });
  let first = 0;
  return new Promise((resolve, reject) => {
    const more = () => {
      const seeds = portion();
      first = seeds[0] ?? 0;
      if (seeds.length > 0) child.send(seeds);
      else child.disconnect();
    };
    child.on('message', (tally: Tally) => {
      take(tally, first);
      more();
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with ${code}`))));
    more();
  });
}

/** What was seen, for people. */
export function soakText(tally: Tally, from: number): string {
  const { histories, faulty, executions, deliveredIds, violations, apart } = tally;
  const wanted = Math.ceil(histories * CELL_WANTED);
  const table = new CoverageTable(tally);
  const thin = thinCells(table, wanted);
  const share = ((100 * faulty) / Math.max(1, histories)).toFixed(1);
  return [
    coverageText(table, wanted, 'together'),
    '',
    coverageText(table, wanted, 'direct'),
    '',
    `seeds ${from} to ${from + histories - 1}: ${histories} histories, median ${medianRows(tally)} rows, a fault in ${share} % of them`,
    `${executions} executions, ${deliveredIds} transfer ids delivered in whole answers`,
    `counted apart: ${JSON.stringify(apart)}`,
    `cells below ${wanted}: ${thin.length === 0 ? 'none' : thin.map(({ kind, move, count }) => `${kind} × ${move} (${count})`).join(', ')}`,
    `violations: ${violations}`,
    ...tally.failures.map(({ seed }) => `  ${replayOf(playedAs(seed))}`),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { histories: text, from: text, workers: text, sums: text } });
  const from = Number(values.from ?? 1);
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  const options = {
    signal: stopping.signal,
    sums: values.sums === undefined ? undefined : sumsIn(values.sums),
    histories: Number(values.histories ?? 100_000),
    from,
    workers: Number(values.workers ?? availableParallelism()),
    say: (line: string) => console.error(line),
  };
  const tally = await soak(options);
  console.log(soakText(tally, from));
  process.exitCode = tally.violations > 0 ? 1 : 0;
}
