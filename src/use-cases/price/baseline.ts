/**
 * The baseline of a batch: what an amount costs in the first plan of its corridor, or as a person approved it since. A
 * ceiling agrees to nothing that costs notably more, however often the batch is planned again. It outlives rows that were
 * withdrawn; only a person moves it.
 *
 * Why:     otherwise a rate could rise a little with each plan, and no person would ever agree to the sum. The service may
 *          have another rate for another amount, so no amount speaks for all.
 * Rule:    an amount that joins in a later plan has the best rate that the others have. It speaks for no other.
 */
import { debitOf, risePercent } from '../../domain/money/decimal.ts';
import { formatMoney } from '../../domain/money/money.ts';
import type { BatchId, Instruction, Quote } from '../../domain/payouts/instruction.ts';
import { isAbove } from '../../domain/payouts/objection.ts';
import { isIn, type PayoutIn, placeNames } from '../../domain/payouts/payout.ts';
import type { Notes } from '../../ports/ledger/notes.ts';
import type { Ports } from '../ports.ts';

type Keeping = Pick<Ports, 'ledger' | 'clock'>;
type Priced = Pick<Quote, 'rate' | 'fee' | 'sourceCurrency'>;
const NOTE_KIND = 'baseline';

export interface BaselinePrice extends Priced {
  readonly from: Notes['baseline']['from'];
}

/** By amount in minor units. */
type Prices = Map<bigint, BaselinePrice>;

export type Baseline = Awaited<ReturnType<typeof baselineOf>>;

export async function baselineOf(batchId: BatchId, { ledger, clock }: Keeping) {
  const corridors = new Map<string, Prices>();
  const learn = (corridor: string, minor: bigint, price: BaselinePrice) => {
    const prices = corridors.get(corridor) ?? new Map();
    corridors.set(corridor, prices.set(minor, price));
  };
  for (const { body } of await ledger.notes(batchId, NOTE_KIND))
    learn(body.corridor, BigInt(body.minor), { ...body, sourceCurrency: body.sourceCurrency });
  // What comes to them from now on joins.
  const best = new Map([...corridors].map(([corridor, prices]) => [corridor, cheapestOf(prices)]));
  const known = (instruction: Instruction): BaselinePrice | undefined =>
    corridors.get(corridorOf(instruction))?.get(instruction.amount.minor);
  const note = async (instruction: Instruction, { rate, fee, sourceCurrency, from }: BaselinePrice) => {
    const [corridor, { minor }] = [corridorOf(instruction), instruction.amount];
    learn(corridor, minor, { rate, fee, sourceCurrency, from });
    const paidIn = sourceCurrency === undefined ? {} : { sourceCurrency };
    const body = { corridor, minor: minor.toString(), rate, fee, ...paidIn, from };
    await ledger.note(batchId, NOTE_KIND, body, clock.now());
  };
  return {
    of: known,
    /** Keeps what is not known yet. Before the payout is priced, so that no crash loses it. */
    async keep(instruction: Instruction, quote: Priced): Promise<void> {
      if (known(instruction) !== undefined) return;
      const cheapest = best.get(corridorOf(instruction));
      if (cheapest === undefined) return note(instruction, { ...quote, from: 'first_plan' });
      const { rate, sourceCurrency } = cheaper(cheapest, quote);
      return note(instruction, { rate, sourceCurrency, fee: quote.fee, from: 'later_plan' });
    },
    /** A person approved a payment at this price. */
    async set(instruction: Instruction, quote: Priced): Promise<void> {
      const now = known(instruction);
      const isKnown =
        now?.rate === quote.rate && now.fee === quote.fee && now.sourceCurrency === quote.sourceCurrency;
      if (!isKnown) await note(instruction, { ...quote, from: 'approval' });
    },
  };
}

/** Of the amounts that the first plan had, or a person approved. */
function cheapestOf(prices: Prices): Priced | undefined {
  const planned: Priced[] = [...prices.values()].filter(({ from }) => from !== 'later_plan');
  return planned.length === 0 ? undefined : planned.reduce(cheaper);
}

/** The second one only where it is sure to be. */
function cheaper(one: Priced, other: Priced): Priced {
  const isCheaper = one.sourceCurrency === other.sourceCurrency && risePercent(one.rate, other.rate) < 0;
  return isCheaper ? other : one;
}

export function corridorOf({ sourceId, destinationId, amount }: Instruction): string {
  return `${sourceId} ${destinationId} ${amount.currency}`;
}

/** A waiting row that no ceiling agrees to. */
export type Moved =
  | {
      readonly kind: 'costs_more';
      readonly rowNumber: number;
      readonly was: string;
      readonly is: string;
      /** What says so. */
      readonly from: BaselinePrice['from'];
    }
  /** It was approved before, and is not as it was. */
  | { readonly kind: 'is_other'; readonly rowNumber: number }
  /** A country or its institution has another name than when the file was read. */
  | { readonly kind: 'renamed'; readonly rowNumber: number; readonly was: string; readonly is: string };

/**
 * The first row that is not as it was approved or read, or costs more than its baseline and so many percent. undefined: a
 * ceiling may agree.
 */
export async function firstMoved(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger' | 'clock' | 'policy'>,
): Promise<Moved | undefined> {
  const baseline = await baselineOf(batchId, ports);
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['quoted'] }))
    for (const payout of page) {
      if (!isIn(payout, 'quoted')) continue;
      const moved = otherThanSeen(payout) ?? aboveBaseline(payout, baseline, ports.policy.driftPercent);
      if (moved !== undefined) return moved;
    }
  return undefined;
}

function otherThanSeen({ instruction, rowNumber, state }: PayoutIn<'quoted'>): Moved | undefined {
  if (state.isOther === true) return { kind: 'is_other', rowNumber };
  const { source, country, institution } = placeNames(instruction, state.pricing);
  const { sourceName, destinationName, institutionName } = instruction;
  if (institution !== institutionName)
    return { kind: 'renamed', rowNumber, was: institutionName, is: institution };
  if (source !== sourceName) return { kind: 'renamed', rowNumber, was: sourceName, is: source };
  return country === destinationName
    ? undefined
    : { kind: 'renamed', rowNumber, was: destinationName, is: country };
}

function aboveBaseline(payout: PayoutIn<'quoted'>, baseline: Baseline, percent: number): Moved | undefined {
  const { instruction, rowNumber, state } = payout;
  const { quote } = state.pricing;
  const first = baseline.of(instruction);
  if (quote === undefined || first === undefined) return undefined;
  const [was, is] = [debitOf(instruction.amount, first), debitOf(instruction.amount, quote)];
  const { from } = first;
  if (was === undefined || is === undefined)
    return first.rate === quote.rate && first.fee === quote.fee
      ? undefined
      : { kind: 'costs_more', rowNumber, was: `rate ${first.rate}`, is: `rate ${quote.rate}`, from };
  return isAbove(is, was, percent)
    ? { kind: 'costs_more', rowNumber, was: formatMoney(was), is: formatMoney(is), from }
    : undefined;
}

/** A person approved these payouts as they are priced. */
export async function setBaseline(batchId: BatchId, ports: Keeping): Promise<void> {
  const baseline = await baselineOf(batchId, ports);
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['quoted'] }))
    for (const payout of page)
      if (isIn(payout, 'quoted') && payout.state.pricing.quote !== undefined)
        await baseline.set(payout.instruction, payout.state.pricing.quote);
}
