/**
 * Switches off one rule of money at a time in a copy of the sources, and plays histories until the simulation finds it. The
 * sources as they are come first: there it has to find nothing.
 *
 * Usage:   node test/simulation/try-switches.ts [--only ID[,ID…]] [--histories N] [--from SEED] [--workers N]
 * Exit:    1 if a rule that was off was not found, or something was found with all rules on.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applyMutation } from '../mutation/named-mutation.ts';
import { copyTree } from '../mutation/test-tree.ts';
import type { Found } from './find-violation.ts';
import { SWITCHES, type Switch } from './switches.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { only: text, histories: text, from: text, workers: text } });
const { only, histories = '2000', from = '1', workers = '2' } = values;

const ALL_ON: Switch = { id: 'none', fact: '', off: 'Every rule is on.', changes: [] };
const chosen = only?.split(',');
const waiting = [ALL_ON, ...SWITCHES].filter(({ id }) => chosen?.includes(id) !== false);
const unknown = chosen?.filter((id) => !waiting.some((each) => each.id === id)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no switch ${unknown.join(', ')}.`);
  process.exit(64);
}

// An interrupt ends this process in order, so that its copies are removed.
process.once('SIGINT', () => process.exit(130));
const base = copyTree();
let count = 0;
const missed: string[] = [];
await Promise.all(
  Array.from({ length: Number(workers) }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tryOne(next);
  }),
);
base.remove();
console.log(
  `switches: ${count} tried, ${missed.length} otherwise than expected${missed.length === 0 ? '' : ': '}${missed.join(', ')}`,
);
process.exitCode = missed.length > 0 || count === 0 ? 1 : 0;

async function tryOne(one: Switch): Promise<void> {
  const startedMs = performance.now();
  const tree = copyTree(base.path);
  try {
    for (const changed of applyMutation(one, base.path))
      writeFileSync(join(tree.path, changed.file), changed.text);
    const found = await findIn(tree.path);
    const isGood = (found.seed === undefined) === (one === ALL_ON);
    if (!isGood) missed.push(one.id);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const how =
      found.seed === undefined
        ? `nothing in ${found.histories} histories`
        : `seed ${found.seed}, after ${found.histories}: ${found.violation?.split('\n')[0]}`;
    console.log(`${isGood ? '      ' : 'MISSED'} ${one.id.padEnd(24)} ${one.fact.padEnd(3)} ${one.off}`);
    console.log(`         ${how} (${seconds} s)`);
  } catch (error) {
    missed.push(one.id);
    console.log(`MISSED ${one.id}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    count += 1;
    tree.remove();
  }
}

/** In a process of its own, so that it loads the changed sources. */
async function findIn(path: string): Promise<Found> {
  const args = ['--single-threaded', join(path, 'test/simulation/find-violation.ts'), histories, from];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  process.off('exit', kill);
  if (code !== 0) throw new Error(`the histories ended with ${code}`);
  return JSON.parse(output) as Found;
}
