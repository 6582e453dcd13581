/**
 * People who decide about single rows: they pause, withdraw, let go, rule and pay again; rightly or wrongly, as
 * the history has it. What is true they know from the service's book, as from a statement.
 */
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { type Payout, type PayoutState, STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import type { Choice } from '../../src/use-cases/decide/choose-payouts.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { type RulingRequest, resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import type { Random } from '../builders/random.ts';
import type { DurableWatch } from '../simulated-world/durable-watch.ts';
import type { FaultName, Faults } from '../simulated-world/faults.ts';
import type { Judge } from '../simulated-world/judge.ts';
import { isPaid, type Oracle } from '../simulated-world/oracle.ts';

export interface PeopleWorld {
  readonly faults: Faults;
  readonly random: Random;
  readonly oracle: Oracle;
  readonly judge: Judge;
  readonly watch: DurableWatch;
}

export type Decision = (world: Ports) => Promise<string>;

const DECIDING = [
  'pauses',
  'cancels',
  'releases',
  'rules_right',
  'rules_wrong',
  'reissues',
] as const satisfies readonly FaultName[];

/** What somebody does about the batch now, if there is anything to do and anybody to do it. */
export function decisionAbout(batchId: BatchId, people: PeopleWorld): Decision | undefined {
  const { faults, random } = people;
  const open = DECIDING.filter((kind) => faults.isOn(kind) && hasRowsFor(batchId, kind, people));
  const pressing = open.filter((kind) => PRESSING.includes(kind));
  if (open.length === 0) return undefined;
  const kind = random.pick(pressing.length > 0 && random.chance(0.6) ? pressing : open);
  switch (kind) {
    case 'pauses':
      return (world) => pauseOrResume(batchId, world, people);
    case 'cancels':
      return (world) => withdraw(batchId, world, people);
    case 'releases':
      return (world) => releaseRows(batchId, world, people);
    case 'reissues':
      return (world) => payAgain(batchId, world, people);
    default:
      return (world) => rule(batchId, kind === 'rules_right', world, people);
  }
}

/** What people see to first. */
const PRESSING: readonly FaultName[] = ['rules_right', 'rules_wrong', 'reissues', 'releases'];
const UNSENT = ['planned', 'held', 'quoted', 'approved'] as const;
const ABOUT: Readonly<Record<(typeof DECIDING)[number], readonly Status[]>> = {
  pauses: STATUSES,
  cancels: UNSENT,
  releases: ['held'],
  rules_right: ['in_doubt', 'failed'],
  rules_wrong: ['in_doubt'],
  reissues: ['failed'],
};

function hasRowsFor(batchId: BatchId, kind: (typeof DECIDING)[number], { watch }: PeopleWorld): boolean {
  return [...watch.payouts.values()].some(
    ({ batch, payout: { state } }) =>
      batch === Number(batchId) && ABOUT[kind].includes(state.status) && isWorth(kind, state),
  );
}

/** Of failed rows only those that somebody ruled are ruled on again. */
function isWorth(kind: (typeof DECIDING)[number], state: PayoutState): boolean {
  return kind !== 'rules_right' || state.status !== 'failed' || state.basis === 'ruled';
}

export async function withdraw(
  batchId: BatchId,
  world: Ports,
  { faults, random }: Pick<PeopleWorld, 'faults' | 'random'>,
): Promise<string> {
  const choice = await chosen(batchId, UNSENT, world, random);
  if (choice === undefined) return 'nothing to withdraw';
  faults.note('cancels');
  const { done } = await cancelUnsent(batchId, choice, { by: 'ama', reason: 'not this month' }, world);
  return `withdrew ${done.join()}`;
}

async function releaseRows(batchId: BatchId, world: Ports, { faults, random }: PeopleWorld): Promise<string> {
  const choice = await chosen(batchId, ['held'], world, random);
  if (choice === undefined) return 'nothing held';
  faults.note('releases');
  const { done } = await releaseHeld(batchId, choice, { by: 'ama', reason: 'I asked them' }, world);
  return `let go ${done.join()}`;
}

async function payAgain(batchId: BatchId, world: Ports, { faults, random }: PeopleWorld): Promise<string> {
  const choice = await chosen(batchId, ['failed'], world, random);
  if (choice === undefined) return 'nothing failed';
  faults.note('reissues');
  const evidence = random.chance(0.7) ? 'the statement does not show it' : undefined;
  const { done } = await reissue(batchId, choice, { by: 'ama', evidence }, world);
  return `pays again ${done.join()}`;
}

async function pauseOrResume(batchId: BatchId, world: Ports, { faults }: PeopleWorld): Promise<string> {
  const at = world.clock.now();
  const batch = await world.ledger.batch(batchId);
  if (batch?.pause !== undefined) {
    await world.ledger.resume(batchId, 'ama', at);
    return 'resumes';
  }
  faults.note('pauses');
  await world.ledger.pause(batchId, { reason: 'wait a moment', by: 'ama', at });
  return 'pauses';
}

async function chosen(
  batchId: BatchId,
  statuses: readonly Status[],
  world: Ports,
  random: Random,
): Promise<Choice | undefined> {
  const rows: string[] = [];
  for await (const page of world.ledger.payouts(batchId, { statuses }))
    for (const { rowNumber } of page) rows.push(String(rowNumber));
  if (rows.length === 0) return undefined;
  if (random.chance(0.3)) return { kind: 'all' };
  return { kind: 'rows', rows: rows.filter((row) => row === rows[0] || random.chance(0.4)) };
}

async function rule(batchId: BatchId, isRight: boolean, world: Ports, people: PeopleWorld): Promise<string> {
  const doubts: Payout[] = [];
  const statuses = ['in_doubt', 'failed'] as const;
  for await (const page of world.ledger.payouts(batchId, { statuses }))
    doubts.push(...page.filter(({ state }) => isForRuling(state, isRight)));
  let ruled = 0;
  for (const payout of doubts) {
    if (people.random.chance(0.3)) continue;
    const request = isRight ? rightRuling(payout, people) : wrongRuling(payout, people);
    if (request === undefined) continue;
    people.faults.note(isRight ? 'rules_right' : 'rules_wrong', Number(payout.id));
    const resolved = await resolveDoubt(payout, request, world);
    if (resolved.kind === 'ruled') ruled += 1;
  }
  return `rules on ${ruled} of ${doubts.length} ${isRight ? 'rightly' : 'wrongly'}`;
}

/** Who is right also mends what somebody ruled wrongly. */
function isForRuling(state: PayoutState, isRight: boolean): boolean {
  return state.status === 'in_doubt' || (isRight && state.status === 'failed' && state.basis === 'ruled');
}

function rightRuling(payout: Payout, { judge }: PeopleWorld): RulingRequest | undefined {
  const [execution] = judge.executionsOf(Number(payout.id));
  if (execution === undefined && payout.state.status === 'failed') return undefined;
  if (execution === undefined)
    return { kind: 'not_paid', by: 'ama', evidence: 'the statement has no such line' };
  if (!isPaid(execution)) return undefined;
  return { kind: 'paid', transferId: execution.id, by: 'ama', evidence: 'the statement shows it' };
}

function wrongRuling(payout: Payout, { judge, oracle, random }: PeopleWorld): RulingRequest | undefined {
  const isExecuted = judge.executionsOf(Number(payout.id)).length > 0;
  if (isExecuted && random.chance(0.7)) return { kind: 'not_paid', by: 'ama', evidence: 'I think so' };
  const amount = String(Number(payout.instruction?.amount.minor ?? 0n) / 100);
  const other =
    random.chance(0.5) || oracle.book.length === 0 ? oracle.foreign(amount) : random.pick(oracle.book);
  const evidence = random.chance(0.5) ? 'it looks alike' : undefined;
  return { kind: 'paid', transferId: other.id, by: 'ama', evidence };
}
