/**
 * Bits of a ledger file that flip: each is found (at opening, at reading or by verify), or changes nothing of any
 * payment. Never is a payment read differently, or missed, without a word.
 *
 *   node test/kill/bit-flips.ts --flips 10000 [--seed 1]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openLedger } from '../../src/ledger/file.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { all, batchOf, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { type Random, randomOf } from '../builders/random.ts';

export interface Flips {
  readonly found: number;
  readonly harmless: number;
  /** Silent losses: there may be none. */
  readonly silent: readonly string[];
}

const clock = { now: () => timestampOf(Date.now()) };
const BINDING = { environment: 'sandbox', baseUrl: 'https://pay.example', loginId: 'ama' } as const;

export async function flipBits(times: number, seed: number): Promise<Flips> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-flips-'));
  const path = join(folder, 'ledger.db');
  try {
    await build(path);
    const whole = readFileSync(path);
    const expected = await paymentsOf(path);
    const random = randomOf(seed);
    const result = { found: 0, harmless: 0, silent: [] as string[] };
    for (let n = 0; n < times; n += 1) {
      const at = offsetIn(whole, random);
      const bit = random.below(8);
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, damaged);
      const verdict = await verdictOf(path, expected);
      if (verdict === 'silent') result.silent.push(`byte ${at}, bit ${bit}`);
      else result[verdict] += 1;
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Most of a small ledger is empty space, where a flip changes nothing: four in five are aimed at what is written. */
function offsetIn(whole: Buffer, random: Random): number {
  const isAimed = random.chance(0.8);
  for (;;) {
    const at = random.below(whole.length);
    if (!isAimed || whole[at] !== 0) return at;
  }
}

async function verdictOf(path: string, expected: string): Promise<'found' | 'harmless' | 'silent'> {
  try {
    const ledger = await open(path, true);
    try {
      if ((await ledger.verify()).problems.length > 0) return 'found';
    } finally {
      await ledger.close();
    }
    return (await paymentsOf(path)) === expected ? 'harmless' : 'silent';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 'found';
    throw error;
  }
}

function open(path: string, readOnly: boolean): Promise<Ledger> {
  return openLedger({ path, binding: BINDING, create: !readOnly, readOnly, clock });
}

/** A payment in each state that may have moved money, and some that did not. */
async function build(path: string): Promise<void> {
  const ledger = await open(path, false);
  const rows = Array.from({ length: 8 }, (_, n) => row(n + 1));
  const id = await batchOf(ledger, rows, 'may');
  const goals = ['approved', 'sending', 'in_doubt', 'accepted', 'settled', 'failed'] as const;
  for (const [index, goal] of goals.entries())
    await walkedTo(ledger, await only(ledger, id, index + 2), goal);
  await ledger.close();
}

async function paymentsOf(path: string): Promise<string> {
  const ledger = await open(path, true);
  try {
    const payments = [];
    for (const batch of await ledger.batches()) payments.push(batch, await all(ledger, batch.id));
    return JSON.stringify(payments, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  } finally {
    await ledger.close();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { flips: { type: 'string' }, seed: { type: 'string' } } });
  const { found, harmless, silent } = await flipBits(
    Number(values.flips ?? '10000'),
    Number(values.seed ?? '1'),
  );
  process.stdout.write(
    `${found} found, ${harmless} changed nothing, ${silent.length} silent ${silent.join('; ')}\n`,
  );
  process.exitCode = silent.length === 0 ? 0 : 1;
}
