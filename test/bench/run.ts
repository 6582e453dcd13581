/**
 * Benchmarks: every line is a ratio within one run, against a yardstick measured beside it. Nothing here is an
 * assertion; a missed target is printed as missed. A JSON file in the temporary folder says the same.
 *
 * Usage:   npm run bench            the sizes that the targets name (several minutes)
 *          npm run bench -- --small a tenth of the rows
 *          npm run bench -- send    only lines whose name contains the word
 *          npm run bench -- server --rows=100000   so many rows in a ledger on PostgreSQL and in a file
 *          npm run bench -- million [--rows=100000] rows really paid, from the file to the last status (an hour)
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { withWork } from './beside.ts';
import { consoleFigures, livePageFigures } from './console-figures.ts';
import { sendFarAway } from './far-figures.ts';
import { growth, proof, reportCsv, stageCsv, stageXlsx } from './file-figures.ts';
import { fleetFigures, fleetPace } from './fleet-figures.ts';
import { inTurns, median, type WithService } from './in-turns.ts';
import { millionFigures } from './million-figures.ts';
import { csvFile } from './payout-data.ts';
import { questionFigures } from './question-figures.ts';
import { scaleFigures } from './scale-figures.ts';
import { sendAtLatency, sendWithoutLatency, wholeRun } from './send-figures.ts';
import { serverFigures } from './server-figures.ts';
import { sharingFigures } from './sharing-figures.ts';
import type { Result } from './work-result.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isSmall = process.argv.includes('--small');
const rowsCsv = isSmall ? 100_000 : 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'payfile-bench-'));
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

const lines: (() => Promise<void> | void)[] = [];
const line = (name: string, measure: () => Promise<void> | void) => {
  if (words.length === 0 || words.some((word) => name.includes(word))) lines.push(measure);
};

/** Works that read or write large files, with the threads that they begin: where types are stripped, that takes memory too. */
const COMPILED = ['stage', 'report', 'verify'];
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
await build({
  input: [
    ...COMPILED.map((name) => join(here, 'works', `${name}.ts`)),
    ...['src/ledger/chain-thread.ts', 'src/files/xlsx/sheet-thread.ts'].map((path) => join(root, path)),
  ],
  platform: 'node',
  external: /^[a-z@]/i,
  output: { dir: join(folder, 'works'), format: 'esm' },
});

function work(name: string, ...given: (string | number)[]): Result {
  const path = COMPILED.includes(name)
    ? join(folder, 'works', `${name}.js`)
    : join(here, 'works', `${name}.ts`);
  const args = ['--disable-warning=ExperimentalWarning', path, ...given.map(String)];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const last = child.stdout.trim().split('\n').at(-1) ?? '';
  if (child.status !== 0)
    throw new Error(`${name} ended with ${child.status}: ${child.stderr.slice(-2_000)}`);
  return JSON.parse(last) as Result;
}

const figures: Readonly<Record<string, string | number | boolean>>[] = [];

function print(name: string, ratio: number, target: string, isMet: boolean, detail: string): void {
  figures.push({ name, ratio, target, isMet, detail });
  console.log(
    `${isMet ? 'met   ' : 'MISSED'}  ${name}: ${ratio.toFixed(2)} (target ${target})\n        ${detail}`,
  );
}

const say = (results: readonly Result[]) => {
  const times = results.map(({ ms }) => ms / 1000);
  const spread = `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}`;
  return `${median(times).toFixed(2)} s (${spread}), peak ${Math.max(...results.map(({ peakMb }) => peakMb))} MB`;
};

const files = { folder, isSmall, work, print };
line('stage csv', () => stageCsv(files));
line('stage xlsx', () => stageXlsx(files));
line('report', () => reportCsv(files));
line('growth', () => growth(files));
line('verify', () => proof(files));

line('resume', async () => {
  const path = await csvFile(rowsCsv);
  const ledger = join(folder, 'resume.db');
  work('stage', path, ledger);
  const { first, plan } = await inTurns({
    first: () => work('resume', ledger),
    plan: () => work('resume', ledger, 'plan'),
  });
  const ms = median(first.map((result) => result.ms));
  print(
    `resume a ${rowsCsv}-row batch to its first due row, s`,
    ms / 1000,
    '≤ 5',
    ms <= 5_000,
    `${say(first)}; with the whole plan read: ${say(plan)}`,
  );
});

const withService: WithService = (latencyMs, use) => withWork('sandbox-server', [latencyMs], use);

const services = { folder, isSmall, work, print, withService };
line('send latency 50', () => sendAtLatency(services));
line('send latency 0', () => sendWithoutLatency(services));
line('send tls', () => sendFarAway(services));
line('whole run', () => wholeRun(services));

line('questions', () => questionFigures(files));

line('fleet', () => fleetFigures({ folder, isSmall, print, withService }));
line('fleet pace', () => fleetPace({ folder, isSmall, print }));

/** Median wall time of a whole process, in ms. */
function wall(args: readonly string[], runs: number, env: NodeJS.ProcessEnv = process.env): number {
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    return performance.now() - started;
  }).sort((one, other) => one - other);
  return times[Math.floor(runs / 2)] ?? 0;
}

/** The command as it is published: compiled, so that no types are stripped at its start. */
function builtBin(): string {
  const built = spawnSync(process.execPath, [join(root, 'build.ts'), join(folder, 'dist')], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The build failed: ${built.stdout}${built.stderr}`);
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  return join(folder, 'dist/cli/bin.js');
}

line('start', async () => {
  const bin = builtBin();
  const bare = wall(['-e', '0'], 11);
  const version = wall([bin, '--version'], 11);
  print(
    'payfile --version ÷ node -e 0',
    version / bare,
    '≤ 2.5',
    version <= 2.5 * bare,
    `${version.toFixed(0)} ms and ${bare.toFixed(0)} ms, median of 11`,
  );
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  const check = wall([bin, 'check', await csvFile(1_000), '--sandbox', '--source', 'GB'], 5, env);
  const more = (check - bare) / 1000;
  print(
    'payfile check of 1,000 rows in the sandbox, s more than node',
    more,
    '≤ 0.5',
    more <= 0.5,
    `${check.toFixed(0)} ms, median of 5`,
  );
  const status = wall([bin, 'status', '--sandbox'], 5, env) / 1000;
  print('payfile status, s', status, '≤ 0.2', status <= 0.2, 'of no batch, median of 5');
});

line('console', () =>
  withService(20, (service) => consoleFigures({ service, folder, isSmall, work, print })),
);

line('console live', () =>
  withService(20, (service) => {
    const own = mkdtempSync(join(folder, 'live-'));
    return livePageFigures({ service, folder: own, isSmall, work, print });
  }),
);

line('scale', () => scaleFigures(services));

line('sharing', () => sharingFigures({ isSmall, print }));

const typed = process.argv.find((word) => word.startsWith('--rows='))?.slice('--rows='.length);
const rows = typed === undefined ? rowsCsv : Number(typed);
// Only where it is asked for: an hour.
if (words.includes('million'))
  line('million', () => millionFigures({ folder, rows, work, print, withService }));

line('server', () => {
  return serverFigures({ rows, rounds: rows > 100_000 ? 1 : 3, folder, work, print });
});

try {
  for (const measure of lines) await measure();
  const path = join(tmpdir(), 'payfile-bench.json');
  writeFileSync(
    path,
    `${JSON.stringify({ node: process.version, cpus: cpus().length, figures }, null, 2)}\n`,
  );
  console.log(`The same as JSON: ${path}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
