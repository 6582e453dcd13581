/**
 * Kills and stops the workers of a fleet, and its server, again and again; the service's own book judges.
 *
 *   node test/fleet/soak.ts --workers 300 --server 50 --network 20 [--seed 1] [--sites 2] [--together 3] [--only 17]
 *
 * Prints what happened how often, what was violated, and how long the recovery took. Exit code 1 when anything was
 * violated; the traces of such a round are kept and named, and the same seed draws it again.
 */
import { parseArgs } from 'node:util';
import { randomOf } from '../builders/random.ts';
import { compile } from '../kill/compiled.ts';
import { drawFleetRound, type Kind } from './draw-faults.ts';
import { judgeSite, playFleetRound, type RoundResult } from './round.ts';
import { Site } from './site.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '300' },
    server: { type: 'string', default: '50' },
    network: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    sites: { type: 'string', default: '2' },
    together: { type: 'string', default: '3' },
    only: { type: 'string' },
    first: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const VERIFY_EVERY = 5;
const TOGETHER = Number(values.together);

interface Drawn {
  readonly number: number;
  readonly kind: Kind;
}

const drawn: Drawn[] = (['workers', 'server', 'network'] as const)
  .flatMap((kind) => Array.from({ length: Number(values[kind]) }, () => kind))
  .map((kind, index) => ({ number: index + 1, kind }))
  .filter(({ number }) =>
    values.only === undefined ? number >= Number(values.first) : number === Number(values.only),
  );

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const compiled = compile();
const tally = new Map<string, number>();
const codes = new Map<string, number>();
const recoveries: number[] = [];
const lengths: number[] = [];
const sum = { rounds: 0, doubts: 0, doubtsMax: 0, violations: 0, rows: 0, quiet: 0 };
const startedMs = performance.now();
try {
  await Promise.all(
    Array.from({ length: Number(values.sites) }, (_, index) => workAt(index % 2 === 0 ? 2 : 4)),
  );
} finally {
  compiled.remove();
}
tell();
process.exitCode = sum.violations > 0 ? 1 : 0;

/** One site after another: a new one when something was wrong. */
async function workAt(workers: number): Promise<void> {
  while (drawn.length > 0) {
    const site = await Site.open(compiled, { workers, latencyMs: workers === 2 ? 25 : 40 });
    const isGood = await workOn(site).catch((error: unknown) => {
      violated(0, String(error), site);
      return false;
    });
    await site.close({ keep: !isGood });
  }
}

/** Some rounds side by side: what happens in one meets the batches of all. */
async function workOn(site: Site): Promise<boolean> {
  let isGood = true;
  const lane = async () => {
    for (let played = 0; isGood && played < VERIFY_EVERY; played += 1) {
      const next = drawn.shift();
      if (next === undefined) return;
      const { number, kind } = next;
      // Drawn from a number of its own, so that the sites' pace changes nothing.
      const round = drawFleetRound(randomOf(seed * 1_000_003 + number), kind, site.size);
      const result = await playFleetRound(round, number, site);
      count(result, kind, number, round.rows);
      for (const violation of result.violations) violated(number, violation, site);
      isGood = isGood && result.violations.length === 0;
    }
  };
  while (isGood && drawn.length > 0) {
    await Promise.all(Array.from({ length: TOGETHER }, lane));
    isGood = !(await check(site)) && isGood;
  }
  return isGood;
}

/** True when something is wrong. */
async function check(site: Site): Promise<boolean> {
  const verified = await site.office.start(['verify']).ended;
  const found = judgeSite(site);
  if (verified.code !== 0) found.push(`verify ended ${verified.code}: ${verified.stdout}${verified.stderr}`);
  for (const violation of found) violated(0, violation, site);
  return found.length > 0;
}

function violated(number: number, violation: string, site: Site): void {
  sum.violations += 1;
  const where = `${site.size} workers, ${site.office.folder}`;
  process.stdout.write(`VIOLATION in round ${number} of seed ${seed}: ${violation} (${where})\n`);
}

function count(result: RoundResult, kind: Kind, number: number, rows: number): void {
  const { happened, recoveryMs, ms, doubts, doubtsMax } = result;
  sum.rounds += 1;
  sum.rows += rows;
  sum.doubts += doubts;
  sum.doubtsMax += doubtsMax;
  lengths.push(ms);
  if (recoveryMs !== undefined) recoveries.push(recoveryMs);
  if (happened.length === 0) sum.quiet += 1;
  for (const what of happened) add(tally, what.replaceAll(/ (of )?\d+( for \d+ ms)?| for \d+ ms/g, ''));
  for (const code of result.codes) add(codes, String(code));
  const secs = (each: number | undefined) => (each === undefined ? '-' : (each / 1_000).toFixed(1));
  process.stdout.write(
    `${kind} ${number}: ${happened.join(', ') || 'nothing'}; ${doubts}/${doubtsMax} in doubt, codes ${result.codes.join(' ')}, ` +
      `recovered in ${secs(recoveryMs)} s, ${secs(ms)} s\n`,
  );
}

function add(to: Map<string, number>, name: string): void {
  to.set(name, (to.get(name) ?? 0) + 1);
}

function tell(): void {
  const spread = (list: number[]) => {
    const sorted = [...list].sort((one, other) => one - other);
    const at = (share: number) => ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1_000).toFixed(1);
    return `median ${at(0.5)} s, 95 % ${at(0.95)} s, longest ${at(1)} s`;
  };
  for (const [what, times] of [...tally].sort()) process.stdout.write(`${what.padEnd(22)} ${times}\n`);
  process.stdout.write(`exit codes: ${[...codes].map(([code, times]) => `${code}: ${times}`).join(', ')}\n`);
  process.stdout.write(`recovery: ${spread(recoveries)}; rounds: ${spread(lengths)}\n`);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  process.stdout.write(
    `${sum.rounds} rounds (seed ${seed}) with ${sum.rows} rows: ${sum.violations} violations, ${sum.doubts} rows in doubt of ` +
      `${sum.doubtsMax} that could be, ${sum.quiet} rounds without a fault, ${seconds} s\n`,
  );
}
