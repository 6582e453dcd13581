/**
 * The plan: what will be paid, what it will cost and what is left out, before anyone agrees to it. The digest
 * is what is agreed to: change one payment and it is another digest.
 *
 * Units:   sums are Money per destination currency; fees and debits per source currency.
 */
import { createHash } from 'node:crypto';
import type { Batch } from '../batches/batch.ts';
import type { CurrencyCode } from '../money/currency.ts';
import { debitOf, feeOf } from '../money/decimal.ts';
import { type Money, MoneySums } from '../money/money.ts';
import { type NameResult, nameTold } from '../names/name-check.ts';
import { type ConcernKind, gravestFirst, type Release } from '../payouts/concern.ts';
import { asDigest, type Digest, type PayoutId } from '../payouts/instruction.ts';
import { leafOf, type Narration } from '../payouts/order.ts';
import { isIn, LIVE, type Payout, type Status } from '../payouts/payout.ts';
import type { Said } from '../reading/answer.ts';
import type { Timestamp } from '../timestamp.ts';

/** Payments in one currency whose cost is known, or those whose cost nobody knows: a sum is never the cost of more rows. */
export interface PlanLine {
  readonly currency: CurrencyCode;
  readonly count: number;
  readonly sum: Money;
  /** Per source currency; empty where the cost is not known. */
  readonly fees: readonly Money[];
  readonly debits: readonly Money[];
  readonly speedSecondsMax: number;
  /** Distinct quoted rates of the line, at most 5. */
  readonly rates: readonly string[];
}

/** What a batch is going to pay, before somebody agrees. `digest` changes with every payment of it. */
export interface Plan {
  readonly digest: Digest;
  /** Payouts that wait for approval, per destination currency, those of unknown cost behind the others. */
  readonly toApprove: readonly PlanLine[];
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** Sums of payouts that are already approved or later (this batch, all runs), per destination currency. */
  readonly committed: readonly Money[];
  /** What payouts that are approved or later cost, fees included, per source currency. */
  readonly committedDebits: readonly Money[];
  /** Sums of held payouts per destination currency. */
  readonly held: readonly Money[];
  /** Each held row counts once, as what is gravest of it. */
  readonly holdReasons: ReadonlyMap<ConcernKind, number>;
  /** Rows that are held for more than their name, the first ones in file order. */
  readonly heldRows: readonly HeldRow[];
  readonly names: PlanNames;
  /** The same money under two references: in this batch, and in others of the last days. No concern, but part of the digest. */
  readonly sameMoney: SameMoney;
  /** What people said of the file. Whoever approves agrees to it, so it is part of the digest. */
  readonly answers: readonly Said[];
}

/** Rows that wait and are no repeats: a written reference tells them from the payments that they look like. */
export interface AlikePayments {
  readonly batch: Batch;
  readonly count: number;
  /** The first few, by row number. */
  readonly rows: readonly number[];
  /** When the newest of the other payments was approved or sent. */
  readonly lastAt: Timestamp;
}

export interface SameMoney {
  readonly twins: readonly string[];
  readonly alike: readonly AlikePayments[];
}

export interface HeldRow {
  readonly rowNumber: number;
  readonly reasons: readonly { readonly kind: ConcernKind; readonly text: string }[];
}

/** Adds payouts one by one, in flat memory. */
export class PlanBuilder {
  readonly #lines = new Map<string, LineDraft>();
  readonly #counts: Partial<Record<Status, number>> = {};
  readonly #committed = new MoneySums();
  readonly #held = new MoneySums();
  readonly #holdReasons = new Map<ConcernKind, number>();
  readonly #heldRows: HeldRow[] = [];
  readonly #names = new PlanNamesBuilder();
  readonly #leaves = new Map<PayoutId, string>();
  readonly #committedDebits = new MoneySums();
  readonly #narration: Narration;

  constructor(narration: Narration) {
    this.#narration = narration;
  }

  add(payout: Payout): void {
    const { status } = payout.state;
    if (isIn(payout, 'quoted')) this.#leaves.set(payout.id, leafOf(payout, this.#narration));
    this.#counts[status] = (this.#counts[status] ?? 0) + 1;
    this.#names.add(payout);
    const amount = payout.instruction?.amount;
    if (amount === undefined) return;
    if (LIVE.includes(status)) {
      this.#committed.add(amount);
      const debit = agreedDebit(payout);
      if (debit !== undefined) this.#committedDebits.add(debit);
    }
    if (payout.state.status === 'held') {
      this.#held.add(amount);
      const reasons = payout.state.reasons.map(({ concern: { kind }, text }) => ({ kind, text }));
      const others = reasons.filter(({ kind }) => kind !== 'name');
      if (others.length > 0 && this.#heldRows.length < MOST_OF_A_KIND)
        this.#heldRows.push({ rowNumber: payout.rowNumber, reasons: others });
      const [kind] = gravestFirst(payout.state.reasons);
      if (kind !== undefined) this.#holdReasons.set(kind, (this.#holdReasons.get(kind) ?? 0) + 1);
    }
    if (payout.state.status === 'quoted') this.#addQuoted(amount, payout.state.pricing);
  }

  /** What the plan shows of each payout that waits. */
  get leaves(): ReadonlyMap<PayoutId, string> {
    return this.#leaves;
  }

  finish(sameMoney: SameMoney, answers: readonly Said[]): Plan {
    return {
      digest: planDigest([...this.#leaves.values()], { ...sameMoney, answers }),
      ...{ sameMoney, answers },
      toApprove: [...this.#lines.values()]
        .map(lineOf)
        .sort((one, other) => (lineKey(one) < lineKey(other) ? -1 : 1)),
      counts: { ...this.#counts },
      committed: this.#committed.all(),
      committedDebits: this.#committedDebits.all(),
      held: this.#held.all(),
      holdReasons: this.#holdReasons,
      heldRows: this.#heldRows.toSorted((one, other) => one.rowNumber - other.rowNumber),
      names: this.#names.finish(),
    };
  }

  #addQuoted(amount: Money, pricing: Extract<Payout['state'], { status: 'quoted' }>['pricing']): void {
    const { quote } = pricing;
    const debit = quote && debitOf(amount, quote);
    const key = lineKey({ currency: amount.currency, debits: debit === undefined ? [] : [debit] });
    const line = this.#lines.get(key) ?? newLine(amount.currency);
    this.#lines.set(key, line);
    line.count += 1;
    line.minor += amount.minor;
    if (quote === undefined) return;
    line.speedSecondsMax = Math.max(line.speedSecondsMax, quote.speedSeconds);
    if (line.rates.size < 5) line.rates.add(quote.rate);
    const fee = feeOf(quote);
    if (debit !== undefined) line.debits.add(debit);
    if (fee !== undefined) line.fees.add(fee);
  }
}

/** By the quote of the sending where there is one, else by the one that was agreed to. */
export function agreedDebit({ instruction, state }: Payout): Money | undefined {
  if (instruction === undefined || !('tag' in state)) return undefined;
  const quote = state.quoteAtSend ?? state.pricing.quote;
  return quote && debitOf(instruction.amount, quote);
}

/**
 * Over the leaves of all payouts that wait for approval, sorted: the same payments in any file order give the same digest.
 * An unchanged row of a revision stays approved, and the person sees exactly what is new.
 */
export function planDigest(
  leaves: readonly string[],
  { twins, alike, answers }: SameMoney & Pick<Plan, 'answers'>,
): Digest {
  const hash = createHash('sha256').update('payfile plan 3\n');
  for (const leaf of [...leaves].sort()) hash.update(leaf);
  const others = alike.map(({ batch, count, rows }) => [batch.id, count, rows]);
  const said = answers.map((answer) => Object.entries(answer).sort());
  if (leaves.length > 0) hash.update(JSON.stringify([twins, others, said]));
  return asDigest(hash.digest('hex'));
}

function lineKey({ currency, debits }: Pick<PlanLine, 'currency' | 'debits'>): string {
  return `${currency} ${debits.length === 0 ? 'unknown' : 'known'}`;
}

function newLine(currency: CurrencyCode) {
  return {
    ...{ currency, count: 0, minor: 0n, speedSecondsMax: 0 },
    ...{ fees: new MoneySums(), debits: new MoneySums(), rates: new Set<string>() },
  };
}

type LineDraft = ReturnType<typeof newLine>;

function lineOf({ currency, minor, fees, debits, rates, ...draft }: LineDraft): PlanLine {
  const sum = { minor, currency };
  return { ...draft, currency, sum, fees: fees.all(), debits: debits.all(), rates: [...rates] };
}

/**
 * What the name checks of a plan found, for whoever approves: how many of each result, and both names of the rows that
 * do not match. Flat memory: the first rows of each result are kept, the rest is counted.
 */

/** Rows that were sent before and are paid, or on their way. */
export function sentBefore({ counts: { settled = 0, accepted = 0 } }: Pick<Plan, 'counts'>): number {
  return settled + accepted;
}

export interface NameToSee {
  readonly payoutId: PayoutId;
  readonly rowNumber: number;
  /** `quoted`: paid when the plan is approved as it stands. */
  readonly status: 'quoted' | 'held';
  readonly result: NameResult;
  /** The name in the file and the account holder's as the service gave it. */
  readonly written: string | undefined;
  readonly resolved: string | undefined;
  readonly reason: string;
  /** Who let it go on, for this payment or one before with the same account and names; undefined where nobody had to. */
  readonly released?: Pick<Release, 'by' | 'at'> & { readonly reason?: string | undefined };
}

export interface PlanNames {
  readonly counts: Readonly<Partial<Record<NameResult, number>>>;
  /** Of the matches: rows without a name in the file, to which nothing was compared. */
  readonly unnamed: number;
  /** When the service gave the oldest of the names; undefined: no row has a name check. */
  readonly askedSince: Timestamp | undefined;
  /** Whom the accounts of these rows belong to, in file order; the first so many, the rest is counted. */
  readonly holders: readonly Omit<NameToSee, 'written' | 'reason' | 'payoutId' | 'released'>[];
  /** What would be paid first, then what is held; in file order. */
  readonly toSee: readonly NameToSee[];
}

const MOST_OF_A_KIND = 100;
const MOST_HOLDERS = 500;

export class PlanNamesBuilder {
  readonly #counts: Partial<Record<NameResult, number>> = {};
  readonly #toSee = new Map<string, NameToSee[]>();
  readonly #holders: PlanNames['holders'][number][] = [];
  #unnamed = 0;
  #askedSince: Timestamp | undefined;

  add({ id: payoutId, rowNumber, state, instruction }: Payout): void {
    if (state.status !== 'quoted' && state.status !== 'held') return;
    const { nameCheck: check, nameCheckedAt: at } = state.pricing ?? {};
    if (check === undefined || at === undefined) return;
    if (at < (this.#askedSince ?? Number.POSITIVE_INFINITY)) this.#askedSince = at;
    const { result, resolved, reason } = check;
    this.#counts[result] = (this.#counts[result] ?? 0) + 1;
    if (nameTold(check, instruction?.name) === 'no_name') {
      this.#unnamed += 1;
      const { status } = state;
      if (this.#holders.length < MOST_HOLDERS) this.#holders.push({ rowNumber, status, result, resolved });
    }
    if (result === 'match') return;
    const kind = `${state.status} ${result}`;
    const rows = this.#toSee.get(kind) ?? [];
    this.#toSee.set(kind, rows);
    if (rows.length >= MOST_OF_A_KIND) return;
    const { status, releases } = state;
    const of = { payoutId, rowNumber, status, result, written: instruction?.name, resolved, reason };
    const released = releases.findLast(({ saw }) => saw.some(({ kind }) => kind === 'name'));
    rows.push(released === undefined ? of : { ...of, released });
  }

  finish(): PlanNames {
    const rows = [...this.#toSee.values()].flat();
    const rank = (row: NameToSee) => (row.status === 'quoted' ? 0 : 1);
    return {
      counts: { ...this.#counts },
      unnamed: this.#unnamed,
      askedSince: this.#askedSince,
      holders: this.#holders,
      toSee: rows.sort((one, other) => rank(one) - rank(other) || one.rowNumber - other.rowNumber),
    };
  }
}
