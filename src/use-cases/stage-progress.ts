/**
 * How far a stage of work is: which moves of payouts are its work, how they ended, and how much money that is.
 */
import type { Money } from '../domain/money/money.ts';
import type { Payout, Status } from '../domain/payouts/payout.ts';
import type { Stage } from './ports.ts';

export interface StageProgress {
  readonly stage: Stage;
  /** Rows that the stage began with; more may come. */
  readonly total: number;
  readonly done: number;
  readonly outcomes: ReadonlyMap<Status, number>;
  /** Of each currency, where money goes or went. */
  readonly money: ReadonlyMap<string, Money>;
}

export function beginStage(stage: Stage, total = 0): StageProgress {
  return { stage, total, done: 0, outcomes: new Map(), money: new Map() };
}

/** The same progress where the move is no work of the stage. */
export function afterMove(progress: StageProgress, from: Status, payout: Payout): StageProgress {
  const to = payout.state.status;
  if (!isWorkOf(progress.stage, from, to)) return progress;
  const outcomes = new Map(progress.outcomes).set(to, (progress.outcomes.get(to) ?? 0) + 1);
  const amount = payout.instruction?.amount;
  const money =
    amount === undefined || !carriesMoney(to) ? progress.money : withMoney(progress.money, amount);
  return { ...progress, done: progress.done + 1, outcomes, money };
}

/** Where others do the work, as the ledger counts it. */
export function seenElsewhere(progress: StageProgress, outcomes: ReadonlyMap<Status, number>): StageProgress {
  return { ...progress, outcomes, done: [...outcomes.values()].reduce((sum, count) => sum + count, 0) };
}

/** A row that comes back to be sent again is not done. */
function isWorkOf(stage: Stage, from: Status, to: Status): boolean {
  if (stage === 'price') return from === 'planned';
  if (stage === 'send') return from === 'sending' && to !== 'approved';
  return stage === 'settle' && from === 'accepted' && to !== 'accepted';
}

/** Whether `money` counts rows that ended so. */
export function carriesMoney(status: Status): boolean {
  return status === 'quoted' || status === 'accepted' || status === 'settled';
}

function withMoney(sums: ReadonlyMap<string, Money>, amount: Money): ReadonlyMap<string, Money> {
  const sum = sums.get(amount.currency);
  return new Map(sums).set(amount.currency, { ...amount, minor: amount.minor + (sum?.minor ?? 0n) });
}
