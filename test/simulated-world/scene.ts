/**
 * Everything that one history is made of, put together from its seed: the disk, the service, the faults, the
 * judge, and the processes that live on it.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { DEFAULT_POLICY, lateAnswerMs, type Policy } from '../../src/domain/policy.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { ServeEvent } from '../../src/use-cases/fleet/serve.ts';
import type { FileRow } from '../builders/payout-file.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { Questions } from './answers.ts';
import { told } from './commands.ts';
import type { CoverageTable } from './coverage.ts';
import { type Environment, readingDatabase, START_MS, type Store } from './disk.ts';
import { DurableWatch } from './durable-watch.ts';
import { type FaultName, type FaultPlan, Faults, letsSend, swarm } from './faults.ts';
import { Judge } from './judge.ts';
import { MoneyJudge } from './money-judge.ts';
import { Oracle } from './oracle.ts';
import { type Actor, Scheduler, Trace } from './scheduler.ts';
import { SimFleet } from './sim-fleet.ts';
import { SimProcess } from './sim-process.ts';
import type { TransferRequest } from './wire.ts';

/** A file that people work with, under its name. */
export interface Paper {
  readonly name: string;
  batchId: BatchId | undefined;
  /** What the batch is known to hold. */
  rows: readonly FileRow[];
  /** What somebody tried to make of it, and nobody knows yet whether it worked. */
  trying: readonly FileRow[] | undefined;
}

export interface Scene {
  readonly seed: number;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly faults: Faults;
  readonly oracle: Oracle;
  readonly judge: Judge;
  readonly money: MoneyJudge;
  readonly store: Store;
  readonly identity: LedgerIdentity;
  readonly questions: Questions;
  readonly watch: DurableWatch;
  readonly eyes: DatabaseSync;
  /** Whose limits may change while people work. */
  readonly policy: Policy & { limits: Policy['limits'] };
  readonly environment: Environment;
  readonly wall: { offMs: number };
  readonly processes: SimProcess[];
  readonly papers: Paper[];
  /** The rows of every file that was read, by the number of its import. */
  readonly imported: Map<number, readonly FileRow[]>;
  /** How readily people agree to a plan. */
  readonly agrees: number;
  /** Something happened by which the outcome of all that is on the wire may stay unknown. */
  readonly mayDoubt: () => void;
  /** The next process. */
  readonly start: (command: string) => SimProcess;
  readonly fleet: SimFleet | undefined;
}

const SERVER = 0x73_65_72_76;
const STEPS_MAX = 60_000;
/** So that histories without workers stay as they were. */
const WORKERS = 0x77_6f_72_6b;
const STOPS = [500, 3_000, 20_000, 600_000, 7_200_000] as const;
const CLOCK_STEPS = [-86_400_000, -3_600_000, -30_000, 30_000, 3_600_000, 86_400_000] as const;
export interface SceneOptions {
  readonly coverage: CoverageTable;
  readonly keepsLines: boolean;
  /** Workers share the ledger, whose server loses answers. */
  readonly hasWorkers?: boolean | undefined;
  /** What is told instead of drawn. */
  readonly told?: {
    readonly plan: FaultPlan;
    readonly environment: Environment;
    readonly policy: Policy;
  };
}

const WORLD: Actor = { name: 'service', isAlive: () => true, isStopped: () => false };

export function sceneOf(seed: number, store: Store, options: SceneOptions): Scene {
  const random = randomOf(seed);
  const trace = new Trace(options.keepsLines);
  const scheduler = new Scheduler(random.fork(), trace);
  const ofWorkers = randomOf(seed ^ WORKERS);
  const drawn = options.told?.plan ?? swarm(random.fork());
  const plan = options.hasWorkers ? letsSend(drawn, ofWorkers.fork()) : drawn;
  const faults = new Faults(plan, (kind, payout) =>
    trace.add(scheduler.nowMs, 'fault', `${kind}${payout === undefined ? '' : ` #${payout}`}`),
  );
  const environment = options.told?.environment ?? (random.chance(0.3) ? 'live' : 'sandbox');
  const identity = store.reset(environment);
  const policy = options.told?.policy ?? policyOf(random);
  const oracle = new Oracle(faults, random.fork(), () => scheduler.nowMs);
  const judge = new Judge({
    oracle,
    scheduler,
    faults,
    trace,
    coverage: options.coverage,
    postTimeoutMs: policy.postTimeoutMs,
    quietMs: environment === 'live' ? 10 * 60_000 : 0,
    failConfirmMs: policy.failConfirmMs,
  });
  const eyes = readingDatabase(store);
  /** Whose commit the watch reads. */
  let committing = '';
  const watch = new DurableWatch(eyes, {
    moved(moved, known) {
      judge.moved(moved, known);
      money.moved(moved, known, committing);
    },
    violation: (text) => judge.violation(text),
  });
  judge.looksThrough(watch);
  const money = new MoneyJudge({
    nowMs: () => scheduler.nowMs,
    ...{ watch, market: oracle.market, executions: (id) => oracle.byId(id) },
    violation: (text) => judge.violation(text),
    rules: {
      ...{ driftPercent: policy.driftPercent, feePercentMax: policy.feePercentMax },
      ...{ quoteMs: policy.quoteMinutes * 60_000, approvalMs: policy.approvalHours * 3_600_000 },
    },
  });
  const wall = { offMs: 0 };
  const processes: SimProcess[] = [];
  const questions = new Questions({
    ...{ oracle, faults, random: random.fork() },
    nowMs: () => START_MS + scheduler.nowMs,
    payoutOf: (tag) => watch.ofTag(tag)?.id,
    tokenLifeMs: random.pick([60_000, 10 * 60_000, 3_600_000]),
  });
  const processRandom = random.fork();
  const parkedReads = random.pick([0.02, 0.02, 0.3, 1]);
  const betweenStatements = options.hasWorkers ? randomOf(seed ^ SERVER).pick([0, 0.05, 0.3, 1]) : 0;
  const start = (command: string): SimProcess => {
    const pid = processes.length + 1;
    const process = new SimProcess(pid, command, {
      ...{ scheduler, faults, oracle, questions, wall, policy, store, identity },
      ...{ parkedReads, betweenStatements },
      random: processRandom.fork(),
      service: WORLD,
      watch: wireWatch(judge, money, watch),
      postTimeoutMs: policy.postTimeoutMs,
      lateAnswerMs: lateAnswerMs(policy.postTimeoutMs),
      isRunning: (other) => processes[other - 1]?.isAlive() === true,
      committed() {
        committing = process.name;
        watch.look();
      },
      mayDoubt: () => markUnclear(watch, judge),
      said: (line) => judge.said.push(line),
      fleet: () => fleet,
    });
    processes.push(process);
    return process;
  };
  const asFleet = { random: ofWorkers, scheduler, faults, start };
  const fleet = options.hasWorkers
    ? new SimFleet({
        ...asFleet,
        told: (ended) => told({ trace, scheduler, judge }, ended),
        say: ({ name }, event) => {
          if (event.kind !== 'seen') trace.add(scheduler.nowMs, name, sentenceOf(event));
        },
      })
    : undefined;
  return {
    ...{
      seed,
      random,
      scheduler,
      trace,
      faults,
      oracle,
      judge,
      money,
      store,
      identity,
      watch,
      questions,
      eyes,
      policy,
      environment,
      wall,
      processes,
    },
    papers: [],
    imported: new Map(),
    agrees: random.pick([1, 0.9, 0.9, 0.3]),
    mayDoubt: () => markUnclear(watch, judge),
    ...{ start, fleet },
  };
}

function wireWatch(judge: Judge, money: MoneyJudge, watch: DurableWatch) {
  return {
    payoutOf: (tag: string) => watch.ofTag(tag)?.id,
    writing(tag: string, request: TransferRequest, process: Actor) {
      const payout = judge.writing(tag);
      money.sent(payout, request, process.name);
      return payout;
    },
    executed: (...given: Parameters<Judge['executed']>) => judge.executed(...given),
    idDelivered: (...given: Parameters<Judge['idDelivered']>) => judge.idDelivered(...given),
    unclear: (payout: number) => void judge.unclear.add(payout),
    limited: (payout: number, waitMs: number) => judge.limited(payout, waitMs),
  };
}

function sentenceOf(event: ServeEvent): string {
  if (!('queue' in event)) return event.kind;
  const { queue, job } = event;
  const part = job.part === undefined ? '' : `, part ${job.part.index + 1} of ${job.part.of}`;
  const why = 'reason' in event ? `: ${event.reason}` : '';
  return `${event.kind} ${queue} of ${job.work.batchId}${part}${why}`;
}

/** Whatever is on the wire now may end in doubt, and rightly so. */
function markUnclear(watch: DurableWatch, judge: Judge): void {
  for (const { id, payout } of watch.payouts.values())
    if (payout.state.status === 'sending') judge.unclear.add(id);
}

export function policyOf(random: Random): Policy {
  return {
    ...DEFAULT_POLICY,
    concurrency: random.pick([1, 2, 3, 4, 8, 16]),
    amountIn: random.chance(0.8) ? 'destination' : 'source',
    approvalHours: random.pick([1, 24]),
    quoteMinutes: random.pick([1, 5, 30]),
    failConfirmMs: random.pick([2_000, 2_000, 60_000]),
    reissueAfterHours: random.pick([1, 24]),
    maxInDoubt: random.pick([undefined, undefined, 2, 50]),
    names: { ...DEFAULT_POLICY.names, unavailable: random.pick(['ok', 'warn', 'hold']) },
    fourEyes: random.chance(0.1),
    pollMinMs: random.pick([250, 2_000]),
    pollMaxMs: 20_000,
    outageWaitMs: random.pick([2_000, 30_000]),
    postTimeoutMs: random.pick([5_000, 20_000]),
  };
}

/** Steps until the work is done; a history that neither ends nor moves is a violation of its own. */
export async function until(
  work: Promise<void>,
  scene: Scene,
  beforeStep: () => void = () => undefined,
): Promise<void> {
  let isDone = false;
  let failure: { readonly error: unknown } | undefined;
  void work
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isDone = true;
    });
  for (let steps = 0; !isDone; steps += 1) {
    beforeStep();
    const isMoving = await scene.scheduler.step(() => isDone);
    if (isDone) break;
    if (!isMoving) throw new Error('Nothing moves any more, and the work is not done');
    if (steps > STEPS_MAX) throw new Error('The work does not end');
  }
  if (failure !== undefined) throw failure.error;
}

/** What may befall a process, or the clock of its machine, between any two steps. */
export function troubleProcesses(scene: Scene): void {
  const { faults, processes, random, wall } = scene;
  const running = processes.filter((process) => process.isAlive() && !process.isStopped());
  if (running.length > 0 && faults.strikes('crash')) struckAll(scene, 'crash', random.pick(running)).die();
  const left = running.filter((process) => process.isAlive());
  if (left.length > 0 && faults.strikes('suspended'))
    struckAll(scene, 'suspended', random.pick(left)).stop(random.pick(STOPS));
  if (faults.strikes('clock_step')) wall.offMs += random.pick(CLOCK_STEPS);
}

/** Such a fault strikes every row on the wire. */
function struckAll({ faults, watch }: Scene, kind: FaultName, process: SimProcess): SimProcess {
  for (const { id, payout } of watch.payouts.values())
    if (payout.state.status === 'sending') faults.hit(kind, id);
  return process;
}
