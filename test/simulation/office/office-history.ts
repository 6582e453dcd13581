/**
 * One history of an office that pays files, drawn from a seed. Few faults, many decisions: the judge compares what left
 * for the service with what somebody was shown (money-judge.ts).
 */

import { NO_LIMITS } from '../../../src/domain/plan/limits.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/domain/policy.ts';
import { type Random, randomOf } from '../../builders/random.ts';
import { FAULT_NAMES, type FaultName, type FaultPlan } from '../../simulated-world/faults.ts';
import { onlookerOf } from '../../simulated-world/onlooker.ts';
import { sceneOf, troubleProcesses, until } from '../../simulated-world/scene.ts';
import type { History, HistoryWorld } from '../history.ts';
import {
  approveAll,
  approveByDigest,
  approveByTotals,
  readPlan,
  runBySchedule,
  runFile,
} from './approvers.ts';
import { correct, newSheet, planFile, redoSheet } from './clerks.ts';
import {
  acceptDifference,
  isToLookAt,
  payAgain,
  releaseRows,
  resumeBatch,
  ruleRows,
  sendBatch,
  settleBatch,
  withdrawRows,
} from './decisions.ts';
import { type Habits, habitsOf } from './habits.ts';
import { someLimits, somethingChanges, timePasses } from './nature.ts';
import { type Hand, type Office, pass, payoutsOf, type Sheet } from './office.ts';
import { endOffice } from './office-end.ts';

const SALT = 0x6f_66_66_69;
const HOUR = 3_600_000;
const NAMES = ['may', 'june', 'copy', 'bonus'];

export async function runOffice(
  seed: number,
  { store, coverage, keepsLines = false, hasWorkers = false }: HistoryWorld,
): Promise<History> {
  const random = randomOf(seed ^ SALT);
  const habits = habitsOf(random.fork());
  const isLive = habits.agrees === 'by_schedule' || random.chance(0.6);
  const drawn = {
    plan: planOf(random.fork()),
    environment: isLive ? 'live' : 'sandbox',
    policy: policyOf(random),
  } as const;
  const scene = sceneOf(seed, store, { coverage, keepsLines, hasWorkers, told: drawn });
  scene.money.isOn = true;
  scene.judge.leavesRepeats = true;
  const onlooker = onlookerOf(scene);
  const files = { files: new Map(), filesBySha: new Map(), withdrawn: new Map() };
  const office: Office = {
    scene,
    habits,
    onlooker,
    sheets: [],
    shown: [],
    paidAgain: 0,
    brought: 0,
    isTampered: false,
    accepted: new Map(),
    ...files,
  };
  const { judge } = scene;
  try {
    await until(work(office, random), scene, () => troubleProcesses(scene));
    scene.faults.heal();
    for (const process of scene.processes) process.goOn();
    await until(endOffice(office), scene);
  } catch (error) {
    judge.violation(`the history broke: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    for (const process of scene.processes) process.die();
    scene.eyes.close();
    onlooker.close();
  }
  return historyOf(seed, hasWorkers, office);
}

function historyOf(seed: number, hasWorkers: boolean, { scene, sheets }: Office): History {
  const { scheduler, trace, oracle, judge, faults } = scene;
  return {
    ...{ seed, kind: 'office', hasWorkers, steps: scheduler.steps, hash: trace.hash(), lines: trace.lines() },
    rows: sheets.reduce((most, { rows }) => Math.max(most, rows.length), 0),
    executions: oracle.book.length,
    deliveredIds: judge.delivered.length,
    struck: [...faults.struck()],
    apart: Object.fromEntries(judge.apart),
    violations: judge.violations,
  };
}

/** Two people at work beside each other, and what happens outside. */
async function work(office: Office, random: Random): Promise<void> {
  const one: Hand = { user: 'ama', random: random.fork() };
  const two: Hand = { user: 'ben', random: random.fork() };
  newSheet('may', one, office);
  await Promise.all([
    acts(one, office, random.between(6, 14)),
    random.chance(0.7) ? acts(two, office, random.between(3, 12)) : undefined,
  ]);
}

async function acts(hand: Hand, office: Office, times: number): Promise<void> {
  const { random } = hand;
  for (let time = 0; time < times; time += 1) {
    const sheet = random.pick(office.sheets);
    await act(sheet, hand, office);
    if (random.chance(CHANGING[office.habits.restless] ?? 0.5)) somethingChanges(hand, office);
    if (random.chance(office.habits.pause)) await timePasses(hand, office);
    else await pass(office.scene, random.below(3_000));
  }
}

/** How often something changes after what somebody did, where it is not every other time. */
const CHANGING: Partial<Record<Habits['restless'], number>> = { nothing: 0.35, tables: 0.8 };

type Act = (sheet: Sheet, hand: Hand, office: Office) => Promise<unknown>;

const correctAndPlan: Act = async (sheet, hand, office) => {
  correct(sheet, hand, office);
  await (hand.random.chance(0.7) ? planFile : runFile)(sheet, hand, office);
};
const bringAnother: Act = async (_sheet, hand, office) => {
  const name = NAMES[office.sheets.length];
  if (name === undefined) return;
  await planFile(newSheet(name, hand, office), hand, office);
};

const redo: Act = async (sheet, hand, office) => {
  const name = NAMES[office.sheets.length];
  const made = name === undefined ? undefined : await redoSheet(name, sheet, hand, office);
  if (made !== undefined) await planFile(made, hand, office);
};
const planAndRead: Act = async (sheet, hand, office) => {
  await planFile(sheet, hand, office);
  await readPlan(sheet, hand, office);
};
/** A schedule pays hours after somebody saw that the file is in order. */
const planForTonight: Act = async (sheet, hand, office) => {
  await planFile(sheet, hand, office);
  if (hand.random.chance(0.5)) somethingChanges(hand, office);
  await pass(office.scene, hand.random.between(2, 14) * HOUR);
  await runBySchedule(sheet, hand, office);
};
/** The same people are paid once more, a day or two after the last time. */
const payNextPeriod: Act = async (_sheet, hand, office) => {
  const name = NAMES[office.sheets.length];
  if (name === undefined) return;
  await pass(office.scene, hand.random.between(25, 60) * HOUR);
  for (const each of office.sheets) await settleBatch(each, hand, office);
  await runFile(newSheet(name, hand, office), hand, office);
};
/** All batches at once, each by a process of its own. */
const sendAll: Act = async (_sheet, hand, office) => {
  await Promise.all(office.sheets.map((each) => sendBatch(each, hand, office)));
};

interface Agreeing {
  readonly always: readonly Act[];
  /** Of rows that wait for approval. */
  readonly quoted: readonly Act[];
}

/** What people do to agree. */
const AGREEING: Readonly<Record<Habits['agrees'], Agreeing>> = {
  in_any_way: {
    always: [runFile, runBySchedule],
    quoted: [
      ...[planFile, planFile, approveByDigest, approveByDigest, approveByDigest, approveAll],
      ...[approveByTotals, approveByTotals],
    ],
  },
  by_schedule: {
    always: [planForTonight, planForTonight, runBySchedule],
    quoted: [planForTonight, runBySchedule, approveByDigest, approveByTotals],
  },
  by_older_plan: {
    always: [planAndRead],
    quoted: [planAndRead, planAndRead, readPlan, approveByDigest, approveByDigest, approveByDigest],
  },
};

/** What there is to do about a batch as it stands, the likelier more than once. */
async function act(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { habits, sheets } = office;
  const payouts = payoutsOf(sheet.batch, office);
  const has = (...statuses: readonly string[]) =>
    payouts.some(({ payout }) => statuses.includes(payout.state.status));
  const { always, quoted } = AGREEING[habits.agrees];
  const menu: Act[] = [correctAndPlan, ...always];
  if (sheets.length < habits.batchesMax) menu.push(bringAnother);
  if (habits.hasPeriods && has('settled')) menu.push(payNextPeriod, payNextPeriod, payNextPeriod);
  if (payouts.length === 0) menu.push(planFile, planFile, planFile, planFile);
  if (has('planned')) menu.push(planFile, planFile);
  if (has('quoted')) menu.push(...quoted);
  if (has('held')) menu.push(releaseRows, releaseRows, releaseRows, releaseRows);
  if (has('held', 'quoted', 'approved')) menu.push(withdrawRows);
  if (has('approved')) menu.push(sendBatch, sendBatch, sendBatch, sendBatch, sendAll, resumeBatch);
  if (has('accepted', 'settled')) menu.push(settleBatch);
  if (has('failed', 'returned')) menu.push(payAgain, payAgain, redo);
  if (has('canceled')) menu.push(hand.random.chance(0.5) ? payAgain : redo);
  if (has('in_doubt')) menu.push(ruleRows);
  if (payouts.some(({ payout }) => isToLookAt(payout))) menu.push(acceptDifference);
  const next = hand.random.pick(menu);
  office.scene.trace.add(office.scene.scheduler.nowMs, hand.user, `${next.name} ${sheet.batch}`);
  await next(sheet, hand, office);
}

/** How often each fault strikes where it can; what is left out never does. */
const RATES: Partial<Record<FaultName, number>> = {
  request_lost: 0.03,
  answer_lost: 0.05,
  server_error_executed: 0.02,
  refused: 0.05,
  foreign_id: 0.03,
  status_fails: 0.08,
  returned: 0.05,
  questions_unavailable: 0.01,
  connect_fails: 0.02,
  crash: 0.0008,
  crash_before_commit: 0.002,
  crash_after_commit: 0.002,
  ambiguous_commit: 0.002,
};

function planOf(random: Random): FaultPlan {
  const calm = random.chance(0.4);
  const rates = new Map(
    FAULT_NAMES.flatMap((kind) => (RATES[kind] === undefined || calm ? [] : [[kind, RATES[kind]]])),
  );
  // Of most services nobody ever hears that. With others it is the matter of the whole history.
  if (random.chance(0.25)) rates.set('contradicts', 0.7);
  return {
    has: (kind) => rates.has(kind),
    strikes: (kind, _payout, times) => random.chance(Math.min(1, (rates.get(kind) ?? 0) * times)),
  };
}

function policyOf(random: Random): Policy {
  return {
    ...DEFAULT_POLICY,
    limits: random.chance(0.5) ? NO_LIMITS : someLimits(random),
    concurrency: random.pick([1, 4]),
    quoteMinutes: random.pick([5, 30]),
    failConfirmMs: 2_000,
    reissueAfterHours: random.pick([1, 24]),
    accountChanges: random.pick(['hold', 'warn']),
    pollMinMs: 2_000,
    pollMaxMs: 20_000,
    outageWaitMs: 2_000,
    postTimeoutMs: 5_000,
  };
}
