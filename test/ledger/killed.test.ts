/** A process may be killed at any instant: what was answered is there, nothing is half done, and the next one goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { asBatchId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { HOLDER, row, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { DIALECTS, onBoth } from './both-databases.ts';
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

/** Processes that wait to be told; `say(n)` is their n-th line. */
function started(place: Place, id: BatchId, what: string) {
  const where = JSON.stringify(place.server ?? place.path);
  const child = spawn(NODE, [CHILD, where, id, what], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  const seen = async (count: number) => {
    while (lines.length < count) await once(reader, 'line', { signal: AbortSignal.timeout(30_000) });
  };
  return { child, lines, ended, seen, errors: () => errors };
}

onBoth((place) => {
  it('[L21] of processes that start a batch at the same moment exactly one gets it, and the next when that is killed', async () => {
    const at = await place();
    const opened = await at.open();
    const id = await batchIn(opened, [row(1)]);
    const runs = [1, 2, 3].map(() => started(at, id, 'lease'));
    await Promise.all(runs.map(({ seen }) => seen(1)));
    for (const { child } of runs) child.stdin.write('go\n');
    await Promise.all(runs.map(({ seen }) => seen(2)));
    expect(runs.map(({ lines }) => lines[1]).toSorted()).toEqual(['busy', 'busy', 'leased']);
    const winner = runs.find(({ lines }) => lines[1] === 'leased');
    const { pid } = winner?.child ?? {};
    expect(await opened.ledger.lease(id, HOLDER)).toMatchObject({ kind: 'busy', holder: { pid } });
    for (const { child, ended } of runs) {
      child.kill('SIGKILL');
      await ended;
    }
    expect(await opened.ledger.lease(id, HOLDER)).toMatchObject({ kind: 'leased', tookOver: true });
  });

  it('lets two processes share payouts without one of them moving twice, and without a word on stderr', async () => {
    const at = await place();
    const opened = await at.open();
    const rows = Array.from({ length: 100 }, (_, n) => row(n + 1));
    const id = await batchIn(opened, rows);
    const runs = [started(at, id, 'race'), started(at, id, 'race')];
    await Promise.all(runs.map(({ seen }) => seen(1)));
    for (const { child } of runs) child.stdin.write('go\n');
    await Promise.all(runs.map(({ ended }) => ended));
    const moved = runs.flatMap(({ lines }) => lines.slice(1, -1));
    expect([moved.length, new Set(moved).size]).toEqual([100, 100]);
    // So that cron has nothing to mail.
    expect(runs.map(({ errors }) => errors())).toEqual(['', '']);
    expect((await opened.ledger.verify()).problems).toEqual([]);
  });

  it('[L1] leaves a long revision that can be taken up again, with nothing lost or doubled', async () => {
    const at = await place();
    const opened = await at.open();
    const { ledger } = opened;
    const id = await batchIn(
      opened,
      Array.from({ length: 3_000 }, (_, n) => row(n + 1)),
    );
    const run = started(at, id, 'revise');
    await run.seen(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    run.child.kill('SIGKILL');
    await run.ended;
    const importId = asBatchId(run.lines[0] ?? '');
    expect((await ledger.verify()).problems).toEqual([]);
    if ((await ledger.batch(importId))?.mergedInto === undefined) {
      const { unchanged, added } = await ledger.compare(id, importId);
      expect([unchanged, added]).toEqual([2_501, 499]);
      await ledger.revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger, importId) });
    }
    expect((await payoutsIn(opened, id)).map(({ rowNumber }) => rowNumber)).toEqual(
      Array.from({ length: 3_000 }, (_, n) => n + 501),
    );
    expect((await ledger.verify()).problems).toEqual([]);
  });

  it('leaves an erasure of persons that the next one ends, with nothing erased by halves', async () => {
    const at = await place();
    const opened = await at.open();
    const count = 1_000;
    const rows = Array.from({ length: count }, (_, n) => row(n + 1));
    const id = await batchIn(opened, rows);
    const payouts = await payoutsIn(opened, id);
    await Promise.all(payouts.map((payout) => walkedTo(opened.ledger, payout, 'refused')));
    const before = timestampOf(NOW + 1);
    // Each run is killed a little later, so that some of them are in the middle of a commit.
    for (const waitMs of [5, 20, 60, 120]) {
      const run = started(at, id, 'erase');
      await run.seen(1);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      run.child.kill('SIGKILL');
      await run.ended;
      const { problems } = await opened.ledger.verify();
      expect(problems).toEqual([]);
      // A row has all of its person or nothing.
      const half = (await payoutsIn(opened, id)).filter(
        ({ instruction }) => (instruction?.name === undefined) !== (instruction?.account.reveal() === ''),
      );
      expect(half).toEqual([]);
    }
    const { rows: left } = await opened.ledger.erasable(before);
    expect((await opened.ledger.erase({ before, by: 'ada' })).rows).toBe(left);
    expect(await opened.ledger.erasable(before)).toMatchObject({ rows: 0 });
    expect((await opened.ledger.verify()).problems).toEqual([]);
  });

  it('[L8] has every move that was answered before a kill', async () => {
    const at = await place();
    const opened = await at.open();
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: ROWS }, (_, n) => row(1_000 * round + n));
      const id = await batchIn(opened, rows, `round ${round}`);
      const promised = await killedAfter(1 + ((round * 131) % (ROWS * 5)), at, id);
      await judge(await at.open(), id, promised);
    }
  });
}, DIALECTS);
