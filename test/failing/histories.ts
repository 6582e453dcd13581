/**
 * Plays a scenario with one fault at one moment after another, heals it, lets the person run again until nothing
 * is left to do, and asks the judge.
 */
import { inspect } from 'node:util';
import { CRASHES } from './crashing-process.ts';
import { LEDGER_FAULTS } from './failing-ledger.ts';
import { NETWORK_FAULTS, PlantedBug } from './failing-network.ts';
import type { Fault, Instrument } from './fault.ts';
import { judge } from './judge.ts';
import type { Person, Scenario, Step } from './scenario.ts';
import { aScene, type Scene } from './scene.ts';

export const INSTRUMENTS: readonly Instrument[] = [...LEDGER_FAULTS, ...NETWORK_FAULTS, ...CRASHES];

/** SOAK=1 tries every moment; else each pair of scenario and instrument is tried at this many. */
const MOMENTS_MOST = process.env['SOAK'] === '1' ? Number.POSITIVE_INFINITY : 2;
const HANGS_MS = 10_000;
const RUNS_AGAIN_MOST = 6;

export interface Played {
  readonly histories: number;
  readonly struck: number;
  readonly complaints: readonly string[];
}

/** Plays the scenario whole first; what that already gets wrong is no work of a fault. */
export async function playAll(scenario: Scenario): Promise<Played> {
  const complaints: string[] = [];
  let [histories, struck] = [0, 0];
  const counted = new Map<Instrument['counts'], number>();
  for (const [number, instrument] of INSTRUMENTS.entries()) {
    if (!counted.has(instrument.counts)) {
      const whole = await play(scenario, instrument, Number.POSITIVE_INFINITY);
      histories += 1;
      complaints.push(...whole.complaints);
      counted.set(instrument.counts, whole.counted);
    }
    for (const at of moments(counted.get(instrument.counts) ?? 0, number + scenario.name.length)) {
      const one = await play(scenario, instrument, at);
      histories += 1;
      if (one.isStruck) struck += 1;
      complaints.push(...one.complaints);
    }
  }
  return { histories, struck, complaints };
}

/** All of 1…count, or as many as are allowed, spread evenly; each pair begins elsewhere. */
function moments(count: number, offset: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (count <= MOMENTS_MOST) return all;
  const stride = count / MOMENTS_MOST;
  const start = (offset * 0.37) % 1;
  return Array.from({ length: MOMENTS_MOST }, (_, index) => 1 + Math.floor((index + start) * stride));
}

interface One {
  readonly counted: number;
  readonly isStruck: boolean;
  readonly complaints: readonly string[];
}

async function play(scenario: Scenario, instrument: Instrument, at: number): Promise<One> {
  const scene = await aScene(scenario);
  const fault = instrument.arm(at, scene.policy.concurrency);
  const where = () =>
    `${scenario.name} × ${instrument.name} at ${at} (${fault.struck()?.what ?? 'not struck'})`;
  try {
    for (const step of scenario.before ?? []) await step(scene.person());
    await withinTime(playSteps(scenario.steps, fault, scene));
    const strike = fault.struck();
    await withinTime(finish(scenario, scene));
    const complaints = await judge(scenario, scene, strike);
    return {
      counted: fault.counted(),
      isStruck: strike !== undefined,
      complaints: complaints.map((complaint) => `${where()}: ${complaint}`),
    };
  } catch (error) {
    return { counted: fault.counted(), isStruck: true, complaints: [`${where()}: ${inspect(error)}`] };
  } finally {
    await scene.close();
  }
}

/** The command that the fault met is typed again in a whole process, and so are all after it. */
async function playSteps(steps: readonly Step[], fault: Fault, scene: Scene): Promise<void> {
  let person: Person = scene.person(fault);
  let isHealed = false;
  for (const step of steps) {
    if (isHealed) {
      await step(person);
      continue;
    }
    await Promise.race([step(person), fault.died]).catch((error: unknown) => {
      if (!isForeseen(error)) throw error;
    });
    if (fault.struck() === undefined) continue;
    isHealed = true;
    await scene.restart();
    person = scene.person();
    await step(person);
  }
}

/** Errors that a command ends with in words and an exit code of its own; anything else is a bug. */
const FORESEEN = ['LedgerError', 'CredentialsRefused', 'ServiceUnavailable', 'FileRefused', 'AbortError'];

function isForeseen(error: unknown): boolean {
  return error instanceof PlantedBug || (error instanceof Error && FORESEEN.includes(error.name));
}

/** A person runs what is left, and lifts a pause, until nothing is left to do. */
async function finish({ ends }: Scenario, scene: Scene): Promise<void> {
  await scene.restart();
  const person = scene.person();
  const ledger = scene.ledger();
  for (let again = 0; again < RUNS_AGAIN_MOST; again += 1) {
    let open = 0;
    for (const { id, name, pause, isImporting } of await ledger.batches()) {
      const { planned, quoted, approved, sending, accepted } = await ledger.counts(id);
      const left = planned + quoted + approved + sending + accepted;
      if (name === undefined || ends[name] === undefined || isImporting || left === 0) continue;
      open += left;
      if (pause !== undefined) await person.resume(name);
      await person.run(name);
    }
    if (open === 0) return;
  }
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Hangs: not done after ${HANGS_MS} ms`)), HANGS_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
