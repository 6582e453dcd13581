/** A process is killed inside its groups of moves: what was answered is there, and each payout stands where its journal says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { row } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, type Place, payoutsIn } from './new-ledgers.ts';

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url));
const NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const ROUNDS = process.env['SOAK'] === '1' ? 100 : 4;
const ROWS = 150;
const KINDS = ['imported', 'price', 'approve', 'begin_attempt', 'accept', 'settle'];

/** Kills the child after so many answers; the newest answered version of each payout. */
async function killedAfter(answers: number, place: Place, id: BatchId): Promise<ReadonlyMap<string, number>> {
  const where = JSON.stringify(place.server ?? place.path);
  const child = spawn(NODE, [CHILD, where, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  const promised = new Map<string, number>();
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [payout = '', version] = line.split(' ');
    if (version === undefined) continue;
    promised.set(payout, Number(version));
    seen += 1;
    if (seen === answers) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return promised;
}

async function judge(opened: Opened, id: BatchId, promised: ReadonlyMap<string, number>): Promise<void> {
  for (const payout of await payoutsIn(opened, id)) {
    expect(payout.version).toBeGreaterThanOrEqual(promised.get(payout.id) ?? 0);
    const story = (await opened.ledger.journalOf(payout.id)).map(({ kind }) => kind);
    expect(story).toEqual(KINDS.slice(0, payout.version + 1));
  }
}

onBoth((place) => {
  it('has every move that was answered before a kill', async () => {
    const at = await place();
    const opened = await at.open();
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: ROWS }, (_, n) => row(1_000 * round + n));
      const id = await batchIn(opened, rows, `round ${round}`);
      const promised = await killedAfter(1 + ((round * 131) % (ROWS * 5)), at, id);
      await judge(await at.open(), id, promised);
    }
  });
});
