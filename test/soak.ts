/**
 * Runs the tests that take too long for every day, part by part (soak-parts.ts).
 *
 * Usage:   npm run soak [-- --histories 100000 --kills 1000 --seed 1 --only sim,kill]
 *          npm run soak -- --list
 * Exit:    1 when any part found a violation. The last line says how many checks were made and how many failed.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ROOT, type SoakPart, soakPartsOf } from './soak-parts.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

const PARTS = soakPartsOf(values);
if (values.list) {
  for (const { name, covers } of PARTS) console.log(`${name.padEnd(9)} ${covers}`);
  process.exit();
}
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
async function run({ command, tests }: SoakPart): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...(tests.length > 0 ? { SOAK: '1' } : {}) },
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
