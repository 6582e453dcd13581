/**
 * Everything that takes too long for every day, one after another: simulated histories, real kills, workers killed and
 * stopped with their server, kills on both sides of every boundary, the package installed by npm, the whole sweep over the wire, every moment of
 * failure, big files and long fuzzing, laws tried on thousands of drawn batches, planted bugs, mutants.
 *
 * Usage:   npm run soak [-- --histories 100000 --kills 1000 --seed 1 --only sim,kill,fleet,processes,wire,files,laws,planted,mutation]
 * Exit:    1 when any part found a violation. The last line says how many checks were made and how many failed.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Finds how many checks were made in what the part printed. */
  readonly counted: RegExp;
}

const node = (script: string, ...args: readonly string[]) => [process.execPath, script, ...args];
const vitest = (...paths: readonly string[]) =>
  node('node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...paths);
const TESTS_PASSED = /Tests\s+(?:\d+ failed \| )?(\d+) passed/;

const PARTS: readonly Part[] = [
  {
    name: 'sim',
    command: node('test/simulation/soak.ts', '--histories', values.histories, '--from', values.seed),
    counted: /(\d[\d,]*) histories/,
  },
  {
    name: 'kill',
    command: node('test/kill/soak.ts', '--kills', values.kills, '--seed', values.seed),
    counted: /(\d[\d,]*) kills/,
  },
  {
    name: 'fleet',
    command: node('test/fleet/soak.ts', '--seed', values.seed),
    counted: /(\d[\d,]*) rounds/,
  },
  {
    name: 'processes',
    command: vitest(
      'test/kill',
      'test/use-cases/crashing.test.ts',
      'test/use-cases/canary.test.ts',
      'test/journeys/package.test.ts',
      'test/faces/cli/schedules.test.ts',
      'test/journeys/fleet.test.ts',
    ),
    env: { SOAK: '1' },
    counted: TESTS_PASSED,
  },
  { name: 'wire', command: vitest('test/wire', 'test/failing'), env: { SOAK: '1' }, counted: TESTS_PASSED },
  { name: 'files', command: vitest('test/corpus'), env: { SOAK: '1' }, counted: TESTS_PASSED },
  {
    name: 'laws',
    command: vitest('test/domain', 'test/adapters', 'test/contract', 'test/use-cases/reconciling'),
    env: { SOAK: '1' },
    counted: TESTS_PASSED,
  },
  { name: 'planted', command: node('test/planted/run.ts'), counted: /planted: (\d+) bugs/ },
  {
    name: 'mutation',
    command: node('test/mutation/run.ts', '--seed', values.seed),
    counted: /mutation: (\d+) mutants/,
  },
];

const chosen = values.only?.split(',');
const unknown = chosen?.filter((name) => !PARTS.some((part) => part.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}; there are ${PARTS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(64);
}

const results: { name: string; checks: number; isGood: boolean; seconds: number }[] = [];
for (const part of PARTS) {
  if (chosen?.includes(part.name) === false) continue;
  console.log(`\n=== ${part.name}: ${part.command.slice(1).join(' ')}`);
  const startedMs = performance.now();
  const { code, output } = await run(part);
  const checks = Number((part.counted.exec(output)?.[1] ?? '0').replaceAll(',', ''));
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  // A part that counts nothing has proven nothing, whatever it ends with.
  results.push({ name: part.name, checks, isGood: code === 0 && checks > 0, seconds });
}
console.log(`\nseed ${values.seed}`);
for (const { name, checks, isGood, seconds } of results)
  console.log(
    `${name.padEnd(9)} ${String(checks).padStart(8)} checks  ${isGood ? 'good' : 'VIOLATED'}  ${seconds} s`,
  );
const violations = results.filter(({ isGood }) => !isGood).length;
console.log(`soak: ${results.reduce((sum, { checks }) => sum + checks, 0)} checks, ${violations} violations`);
process.exitCode = violations > 0 || results.length === 0 ? 1 : 0;

/** Shows what the part prints while it prints it, and keeps it for counting. */
async function run({ command, env }: Part): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = command;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  return { code, output };
}
