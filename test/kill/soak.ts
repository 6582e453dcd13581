/**
 * Kills the real command again and again and lets the service's own book judge.
 *
 *   node test/kill/soak.ts --kills 1000 [--seed 1] [--workers 2]
 *
 * Prints where processes died how often, what was violated, and what a kill cost. Exit code 1 when anything was
 * violated; the folder of such a round is kept and named, and the same seed plays it again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { randomOf } from '../builders/random.ts';
import { compile } from './compiled.ts';
import { drawRound } from './draw-rounds.ts';
import { playRound, type RoundResult } from './round.ts';
import { startService } from './service.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string' }, seed: { type: 'string' }, workers: { type: 'string' } },
});
const kills = Number(values.kills ?? '60');
const seed = Number(values.seed ?? '1');
const workers = Number(values.workers ?? '2');

const compiled = compile();
const service = await startService();
const places = new Map<string, number>();
const sum = { rounds: 0, deaths: 0, doubts: 0, violations: 0 };
const startedMs = performance.now();
try {
  await Promise.all(Array.from({ length: workers }, work));
} finally {
  service.close();
  compiled.remove();
}
tell();
process.exitCode = sum.violations > 0 ? 1 : 0;

async function work(): Promise<void> {
  while (sum.deaths < kills) {
    sum.rounds += 1;
    const number = sum.rounds;
    // Drawn from a number of its own, so that the workers' pace changes nothing.
    const plan = drawRound(randomOf(seed * 1_000_003 + number), number, kills);
    count(await playRound(plan, compiled, service), number);
  }
}

function count(result: RoundResult, number: number): void {
  sum.deaths += result.deaths.length;
  sum.doubts += result.doubts;
  sum.violations += result.violations.length;
  for (const place of result.deaths) places.set(place, (places.get(place) ?? 0) + 1);
  for (const violation of result.violations)
    process.stdout.write(`VIOLATION in round ${number} of seed ${seed}: ${violation} (${result.folder})\n`);
}

function tell(): void {
  const seconds = (performance.now() - startedMs) / 1_000;
  const perKill = (total: number) => (total / Math.max(1, sum.deaths)).toFixed(2);
  for (const [place, times] of [...places].sort()) process.stdout.write(`${place.padEnd(18)} ${times}\n`);
  process.stdout.write(
    `${sum.deaths} kills in ${sum.rounds} rounds (seed ${seed}): ${sum.violations} violations, ${sum.doubts} rows in doubt; ` +
      `${perKill(seconds)} s and ${perKill(childSeconds())} s of a core per kill.\n`,
  );
}

/** What the processes that this one waited for have used, on Linux; in ticks of 10 ms. */
function childSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return Number.NaN;
  }
}
