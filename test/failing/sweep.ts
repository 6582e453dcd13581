/**
 * Plays a scenario in the simulated world with one fault at one moment after another: the person types the command
 * that met it again, goes on, and finishes the work; then the judge is asked.
 */
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { CoverageTable } from '../simulated-world/coverage.ts';
import { Store } from '../simulated-world/disk.ts';
import { checkEnd, finishWork } from '../simulated-world/end-check.ts';
import type { FaultName, FaultPlan } from '../simulated-world/faults.ts';
import { isPaid } from '../simulated-world/oracle.ts';
import { type Scene, sceneOf, troubleProcesses, until } from '../simulated-world/scene.ts';
import { personIn } from './person.ts';
import type { Person, Scenario } from './scenario.ts';

/** What can be hit: a fault of the world, or a bug in the program itself. */
type Target = FaultName | 'bug_of_ours';

interface Instrument {
  readonly name: string;
  /** The first opportunity of any of them counts as 1. */
  readonly hits: readonly Target[];
  /** Until the process ends that met it. */
  readonly lasts?: true;
  /** Whether the service itself says no to a question, so that a row may wait for a person. */
  readonly mayHold?: true;
}

const QUESTIONS = ['questions_unavailable', 'status_unavailable'] as const;
const UNSENT = ['connect_fails', 'login_fails', 'dies_before_write'] as const;

export const INSTRUMENTS: readonly Instrument[] = [
  { name: 'a ledger that is busy', hits: ['ledger_busy'] },
  { name: 'a disk that is full from then on', hits: ['ledger_full'], lasts: true },
  { name: 'a disk that breaks in a commit', hits: ['ledger_io_error'] },
  { name: 'a commit whose answer is lost', hits: ['ambiguous_commit'] },
  { name: 'a process killed before a commit', hits: ['crash_before_commit'] },
  { name: 'a process killed after a commit', hits: ['crash_after_commit'] },
  { name: 'a process killed between two steps', hits: ['crash'] },
  { name: 'a process that stands still', hits: ['suspended'] },
  { name: 'a person who stops the command', hits: ['interrupted'] },
  { name: 'an answer lost after the money moved', hits: ['answer_lost', ...QUESTIONS] },
  { name: 'an answer lost before the money moved', hits: ['request_lost'] },
  { name: 'an answer that proves nothing', hits: ['odd_answer'] },
  { name: 'a token that ended', hits: ['token_revoked'] },
  { name: 'a connection that fails before the first byte', hits: UNSENT },
  {
    name: 'a question that the service says no to',
    hits: ['credentials_refused', 'quote_declined', 'name_differs'],
    mayHold: true,
  },
  { name: 'an outage that begins', hits: [...UNSENT, 'answer_lost', ...QUESTIONS], lasts: true },
  { name: 'a bug of ours', hits: ['bug_of_ours'] },
];

const IS_SOAK = process.env['SOAK'] === '1';
/** SOAK=1 tries up to so many moments of each pair of scenario and instrument; else one is tried, each pair its own. */
const MOMENTS_MOST = IS_SOAK ? 60 : 1;
/** And every day a scenario meets every eighth instrument, the next scenarios the others. */
const INSTRUMENTS_STEP = IS_SOAK ? 1 : 8;
const SEED = 11;

/** The scenario's own script, and the one thing that goes wrong beside it. */
export class Sweep implements FaultPlan {
  /** What the scenario itself has planned for the next transfer of a payout. */
  script: (payout: number) => FaultName | undefined = () => undefined;
  /** Aborts when the person stops the command. */
  stopping = new AbortController();
  isArmed = false;
  /** Opportunities so far, by kind, while it is armed. */
  readonly counted = new Map<Target, number>();
  readonly #instrument: Instrument | undefined;
  readonly #at: number;
  readonly #hasEmergencyFile: boolean;
  #count = 0;
  #struck: Target | undefined;

  constructor(scenario: Scenario, instrument?: Instrument, at = Number.POSITIVE_INFINITY) {
    this.#instrument = instrument;
    this.#at = at;
    this.#hasEmergencyFile = scenario.hasEmergencyFile === true;
  }

  /** What was hit; undefined while nothing was. */
  get struck(): Target | undefined {
    return this.#struck;
  }

  has(): boolean {
    return false;
  }

  strikes(kind: FaultName, payout: number | undefined): boolean {
    if (kind === 'sidecar_fails') return !this.#hasEmergencyFile;
    if (payout !== undefined && this.script(payout) === kind) return true;
    return this.hits(kind);
  }

  hits(target: Target): boolean {
    if (!this.isArmed) return false;
    this.counted.set(target, (this.counted.get(target) ?? 0) + 1);
    if (this.#instrument?.hits.includes(target) !== true) return false;
    this.#count += 1;
    const isHit = this.#count === this.#at || (this.#count > this.#at && this.#instrument.lasts === true);
    if (isHit) this.#struck ??= target;
    return isHit;
  }
}

interface Played {
  readonly sweep: Sweep;
  /** Rows in doubt at the end. */
  readonly doubts: number;
  /** Rows that could be on the wire at once. */
  readonly concurrency: number;
  readonly complaints: readonly string[];
}

/** The simulated world of a scenario, and its person. */
export function begin(scenario: Scenario, store: Store, sweep: Sweep) {
  const scene = sceneOf(SEED, store, {
    ...{ coverage: new CoverageTable(), keepsLines: false },
    told: {
      plan: sweep,
      environment: scenario.environment ?? 'sandbox',
      policy: { ...POLICY, ...scenario.policy },
    },
  });
  const person = personIn(scene, scenario, sweep);
  scenario.service?.(person.service);
  const end = () => {
    for (const process of scene.processes) process.die();
    scene.eyes.close();
  };
  return { scene, person, end };
}

async function play(scenario: Scenario, store: Store, instrument?: Instrument, at?: number): Promise<Played> {
  const sweep = new Sweep(scenario, instrument, at);
  const { scene, person, end } = begin(scenario, store, sweep);
  const { judge, faults } = scene;
  let doubts = 0;
  try {
    await until(playSteps(scenario, person, { scene, sweep }), scene, () => trouble(scene, sweep));
    faults.heal();
    await until(finishWork(scene, { bringsAgain: false, repeated: person.repeated }), scene);
    await judgeEnd(scenario, { scene, person }, sweep.struck !== undefined && instrument?.mayHold === true);
    const rows = Object.keys(scenario.ends).flatMap((name) => person.payouts(name));
    doubts = rows.filter(({ state }) => state.status === 'in_doubt').length;
  } catch (error) {
    judge.violation(`the history broke: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    end();
  }
  const where = `${scenario.name} × ${instrument?.name ?? 'nothing'} at ${at} (${sweep.struck})`;
  const { concurrency } = scene.policy;
  return {
    sweep,
    doubts,
    concurrency,
    complaints: judge.violations.map((violation) => `${where}: ${violation}`),
  };
}

/** All that the judge of the world looks at, and that each row and each account ends as the scenario says. */
export async function judgeEnd(
  scenario: Scenario,
  { scene, person }: { scene: Scene; person: Person },
  mayHold: boolean,
): Promise<void> {
  await until(checkEnd(scene), scene);
  for (const text of [...endsOtherwise(scenario, person, mayHold), ...paidTwice(scenario, scene)])
    scene.judge.violation(text);
}

const POLICY = {
  ...DEFAULT_POLICY,
  concurrency: 2,
  pollMinMs: 250,
  pollMaxMs: 20_000,
  failConfirmMs: 1_000,
  outageWaitMs: 2_000,
  postTimeoutMs: 5_000,
  // Everybody has one name here.
  accountChanges: 'warn' as const,
};
/** After so long nobody else can still hold the batch. */
const LEASE_OVER_MS = 3 * 60_000;

/** The command that the fault met is typed again in a whole process, and so are all after it. */
async function playSteps(
  { before = [], steps }: Scenario,
  person: Person,
  { scene, sweep }: { scene: Scene; sweep: Sweep },
): Promise<void> {
  for (const step of before) await step(person);
  sweep.isArmed = true;
  for (const step of steps) {
    await step(person).catch((error: unknown) => {
      if (sweep.struck === undefined) throw error;
    });
    if (sweep.struck === undefined || !sweep.isArmed) continue;
    sweep.isArmed = false;
    sweep.stopping = new AbortController();
    for (const process of scene.processes) process.goOn();
    scene.scheduler.jump(LEASE_OVER_MS);
    await step(person);
  }
}

/** What befalls a process between any two steps; and the person may press Ctrl-C. */
function trouble(scene: Scene, sweep: Sweep): void {
  troubleProcesses(scene);
  const isRunning = scene.processes.some((process) => process.isAlive());
  if (isRunning && scene.faults.strikes('interrupted')) sweep.stopping.abort(new Error('interrupted'));
}

/** Each row is where the scenario says, or in doubt, or waits for a person whom the fault itself called. */
function endsOtherwise({ ends }: Scenario, person: Person, mayHold: boolean): string[] {
  return Object.entries(ends).flatMap(([name, text]) => {
    const rows = person.payouts(name);
    const wanted = text.split(' ');
    if (wanted.length !== rows.length) return [`${name}: ${rows.length} rows, not ${wanted.length}`];
    return rows.flatMap(({ rowNumber, state: { status } }, index) => {
      const allowed = [...(wanted[index]?.split('|') ?? []), 'in_doubt', ...(mayHold ? ['held'] : [])];
      return allowed.includes(status) ? [] : [`${name} row ${rowNumber} is ${status}, not ${wanted[index]}`];
    });
  });
}

/** What reached each account and stayed there. Knows nothing of instructions, tags or states. */
function paidTwice({ pays = {} }: Scenario, { oracle }: Scene): string[] {
  const received = new Map<string, number>();
  for (const execution of oracle.book)
    if (isPaid(execution)) received.set(execution.account, (received.get(execution.account) ?? 0) + 1);
  return [...received]
    .filter(([account, times]) => times > (pays[account] ?? 1))
    .map(([account, times]) => `A: account …${account.slice(-3)} was paid ${times} times`);
}

/** All of 1…count, or as many as are allowed, spread evenly; each pair begins elsewhere. */
function moments(count: number, offset: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (count <= MOMENTS_MOST) return all;
  const stride = count / MOMENTS_MOST;
  const start = (offset * 0.37) % 1;
  return Array.from({ length: MOMENTS_MOST }, (_, index) => 1 + Math.floor((index + start) * stride));
}

/** Plays the scenario whole first; what that already gets wrong is no work of a fault. */
async function playAll(scenario: Scenario, store: Store, first: number) {
  const whole = await play(scenario, store);
  const complaints = [...whole.complaints];
  let [histories, struck] = [1, 0];
  for (const [number, instrument] of INSTRUMENTS.entries()) {
    if (number % INSTRUMENTS_STEP !== first) continue;
    const count = instrument.hits.reduce((sum, target) => sum + (whole.sweep.counted.get(target) ?? 0), 0);
    for (const at of moments(count, number + scenario.name.length)) {
      const one = await play(scenario, store, instrument, at);
      histories += 1;
      if (one.sweep.struck !== undefined) struck += 1;
      complaints.push(...one.complaints);
      // One fault takes no more outcomes with it than can be on the wire at once: nothing new is sent after it.
      if (one.doubts > whole.doubts + one.concurrency)
        complaints.push(`${scenario.name} × ${instrument.name} at ${at}: ${one.doubts} rows in doubt`);
    }
  }
  return { histories, struck, complaints };
}

/** The tests of a file: every scenario with every instrument, and proof that they hit something. */
export function sweepAll(scenarios: readonly Scenario[]): void {
  let histories = 0;
  let struck = 0;
  it.each(scenarios.map((scenario, number) => [scenario.name, scenario, number % INSTRUMENTS_STEP] as const))(
    'pays no row twice and loses none, whatever fails and whenever: %s',
    async (_, scenario, first) => {
      const store = await Store.make();
      try {
        const played = await playAll(scenario, store, first);
        histories += played.histories;
        struck += played.struck;
        expect(played.complaints.slice(0, 5)).toEqual([]);
      } finally {
        store.remove();
      }
    },
    IS_SOAK ? 1_800_000 : 90_000,
  );
  it('has played enough histories for that to mean something', () => {
    if (IS_SOAK) console.log(`${scenarios.length} scenarios: ${histories} histories`);
    // Every moment that was aimed at was met; only the whole histories have no fault.
    expect(struck).toBe(histories - scenarios.length);
    expect(struck).toBeGreaterThan((scenarios.length * INSTRUMENTS.length * 0.9) / INSTRUMENTS_STEP);
  });
}
