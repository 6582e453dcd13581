/**
 * Operators: each types one command after another, waits, and begins anew when a process died. Several work at
 * once on one batch where the history says so.
 */
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { Placed } from '../../src/use-cases/intake/place-import.ts';
import type { Random } from '../builders/random.ts';
import { placedAs, placeOnly, type RunFile, run, runOf, stageOf, told } from '../simulated-world/commands.ts';
import type { Paper, Scene } from '../simulated-world/scene.ts';
import { type Actor, sleep } from '../simulated-world/scheduler.ts';
import { aFile, withAllowedEdits, withForbiddenEdit } from './files.ts';
import { decisionAbout } from './people.ts';

const PERSON: Actor = { name: 'person', isAlive: () => true, isStopped: () => false };
const MINUTE = 60_000;
const AGREED = ['approved', 'sending', 'in_doubt', 'accepted', 'settled', 'failed', 'returned'];

/** Resolves when all of them have gone home. */
export async function operate(scene: Scene): Promise<void> {
  const { random, faults } = scene;
  const first: Paper = {
    name: random.chance(0.8) ? 'may' : 'june',
    batchId: undefined,
    rows: [],
    trying: aFile(random),
  };
  scene.papers.push(first);
  const hands = [workOn(first, scene, random.fork(), random.between(2, 5))];
  if (faults.isOn('second_process')) hands.push(secondHand(first, scene, random.fork()));
  hands.push(decide(first, scene, random.fork()));
  if (faults.isOn('second_batch')) hands.push(copyOf(first, scene, random.fork()));
  await Promise.all(hands);
}

async function workOn(paper: Paper, scene: Scene, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times && !scene.faults.isHealed(); time += 1) {
    await command(paper, scene, random);
    await pass(scene, waiting(random));
  }
}

async function secondHand(paper: Paper, scene: Scene, random: Random): Promise<void> {
  for (let time = random.between(1, 3); time > 0 && !scene.faults.isHealed(); time -= 1) {
    await pass(scene, random.below(20_000));
    scene.faults.note('second_process');
    await command(paper, scene, random);
  }
}

async function copyOf(paper: Paper, scene: Scene, random: Random): Promise<void> {
  if (!scene.faults.strikes('second_batch')) return;
  await pass(scene, random.pick([5_000, 20_000, 3 * MINUTE]) * random.next());
  const rows = paper.rows.length > 0 ? paper.rows : (paper.trying ?? []);
  const copy: Paper = {
    name: 'copy',
    batchId: undefined,
    rows: [],
    trying: random.chance(0.7) ? rows : rows.slice(1),
  };
  if (copy.trying === undefined || copy.trying.length === 0) return;
  scene.papers.push(copy);
  await workOn(copy, scene, random, random.between(1, 2));
}

async function decide(paper: Paper, scene: Scene, random: Random): Promise<void> {
  for (let time = random.between(3, 9); time > 0 && !scene.faults.isHealed(); time -= 1) {
    await pass(scene, random.pick([500, 2_000, 30_000, MINUTE, 10 * MINUTE]) * random.next());
    const { batchId } = paper;
    const decision = batchId === undefined ? undefined : decisionAbout(batchId, { ...scene, random });
    if (decision === undefined) continue;
    told(scene, await scene.start('decides').run(decision));
  }
}

async function command(paper: Paper, scene: Scene, random: Random): Promise<void> {
  const process = scene.start('runs');
  const { signal, deadlineMs } = await patience(scene, random);
  const { batchId } = paper;
  const settings = {
    agrees: random.chance(scene.agrees),
    skipsInvalid: random.chance(0.9),
    deadlineMs,
    signal,
  };
  if (batchId !== undefined && paper.trying === undefined && random.chance(0.5)) {
    if (random.chance(0.5)) return told(scene, await process.run(resumedRun(batchId, settings)));
    const stage = random.pick(['price', 'approve', 'send', 'settle', 'settle'] as const);
    return told(scene, await process.run(stageOf(batchId, stage, signal, { deadlineMs })));
  }
  const rows = rowsOf(paper, scene, random);
  const onPlaced = (placed: Placed) => placedAs(paper, scene.papers, rows, placed);
  const onImported = (id: BatchId) => void scene.imported.set(Number(id), rows);
  const file = { ...settings, rows, name: paper.name, onImported, onPlaced };
  told(scene, await process.run(random.chance(0.15) ? placeOnly(file) : run(file)));
}

/** Whoever runs a batch by its name has read why it was paused. */
function resumedRun(batchId: BatchId, settings: Parameters<typeof runOf>[1]): ReturnType<typeof runOf> {
  return async (world, process) => {
    const { ledger, clock } = world;
    if ((await ledger.batch(batchId))?.pause !== undefined) await ledger.resume(batchId, 'ama', clock.now());
    return runOf(batchId, settings)(world, process);
  };
}

/** The file as it is brought this time. */
function rowsOf(paper: Paper, { faults, watch }: Scene, random: Random): RunFile['rows'] {
  if (paper.trying !== undefined) return paper.trying;
  const current = [...watch.payouts.values()].filter(({ batch }) => batch === Number(paper.batchId));
  const rowsIn = (isAgreed: boolean) =>
    current
      .filter(({ payout }) => AGREED.includes(payout.state.status) === isAgreed)
      .map(({ payout }) => payout.rowNumber);
  if (faults.strikes('edited_file')) {
    const agreed = new Set(rowsIn(true));
    const mayChange = new Set(rowsIn(false).filter((row) => !agreed.has(row)));
    paper.trying = withAllowedEdits(paper.rows, mayChange, random);
    return paper.trying;
  }
  const agreed = rowsIn(true);
  if (agreed.length > 0 && faults.strikes('forbidden_edit')) {
    paper.trying = withForbiddenEdit(paper.rows, random.pick(agreed), random);
    return paper.trying;
  }
  faults.note('same_file_again');
  return paper.rows;
}

async function patience(scene: Scene, random: Random) {
  const stopping = new AbortController();
  if (scene.faults.strikes('interrupted')) {
    const isSoon = random.chance(0.7);
    scene.scheduler.after(PERSON, random.below(isSoon ? 3_000 : 30_000), 'presses Ctrl-C', () =>
      stopping.abort(new Error('interrupted')),
    );
  }
  return { signal: stopping.signal, deadlineMs: random.pick([0, 2_000, 6_000, 90_000]) };
}

function pass(scene: Scene, milliseconds: number): Promise<void> {
  return sleep(PERSON, scene.scheduler, milliseconds);
}

function waiting(random: Random): number {
  return random.pick([0, 1_000, 30_000, 10 * MINUTE, 40 * MINUTE, 26 * 60 * MINUTE]) * random.next();
}
