/**
 * The baseline of a batch: what its payments cost when they were planned first. A ceiling agrees to nothing that costs
 * notably more, however often the batch was planned again. It outlives rows that were withdrawn; only a person moves it.
 *
 * Why:     otherwise a rate that moves a little with each plan would be agreed to by nobody, step by step.
 */
import { debitOf } from '../../domain/money/decimal.ts';
import { formatMoney } from '../../domain/money/money.ts';
import type { BatchId, Instruction, Quote } from '../../domain/payouts/instruction.ts';
import { isAbove } from '../../domain/payouts/objection.ts';
import { isIn, type PayoutIn, placeNames } from '../../domain/payouts/payout.ts';
import type { Ports } from '../ports.ts';

type Keeping = Pick<Ports, 'ledger' | 'clock'>;
type Priced = Pick<Quote, 'rate' | 'fee'>;
const NOTE_KIND = 'baseline';

export interface Baseline {
  /** Of the first plan, or of what a person approved since: the corridor's rate and the amount's fee. */
  of(instruction: Instruction): Priced | undefined;
  /** Keeps what is not known yet. Before the payout is priced, so that no crash loses it. */
  keep(instruction: Instruction, quote: Priced): Promise<void>;
  /** A person approved a payment at this price. */
  set(instruction: Instruction, quote: Priced): Promise<void>;
}

export async function baselineOf(batchId: BatchId, { ledger, clock }: Keeping): Promise<Baseline> {
  const rates = new Map<string, string>();
  const fees = new Map<string, string>();
  const learn = (corridor: string, minor: string, { rate, fee }: Priced, isSet: boolean) => {
    const amount = `${corridor}\n${minor}`;
    if (isSet || !rates.has(corridor)) rates.set(corridor, rate);
    if (isSet || !fees.has(amount)) fees.set(amount, fee);
  };
  for (const { body } of await ledger.notes(batchId, NOTE_KIND))
    learn(body.corridor, body.minor, body, body.approved === true);
  const known = (instruction: Instruction): Priced | undefined => {
    const corridor = corridorOf(instruction);
    const [rate, fee] = [rates.get(corridor), fees.get(`${corridor}\n${instruction.amount.minor}`)];
    return rate === undefined || fee === undefined ? undefined : { rate, fee };
  };
  const note = async (instruction: Instruction, { rate, fee }: Priced, isSet: boolean) => {
    const [corridor, minor] = [corridorOf(instruction), instruction.amount.minor.toString()];
    learn(corridor, minor, { rate, fee }, isSet);
    const approved = isSet ? { approved: true as const } : {};
    await ledger.note(batchId, NOTE_KIND, { corridor, minor, rate, fee, ...approved }, clock.now());
  };
  return {
    of: known,
    async keep(instruction, quote) {
      if (known(instruction) === undefined) await note(instruction, quote, false);
    },
    async set(instruction, quote) {
      const now = known(instruction);
      if (now?.rate !== quote.rate || now.fee !== quote.fee) await note(instruction, quote, true);
    },
  };
}

export function corridorOf({ sourceId, destinationId, amount }: Instruction): string {
  return `${sourceId} ${destinationId} ${amount.currency}`;
}

/** A waiting row that no ceiling agrees to. */
export type Moved =
  | { readonly kind: 'costs_more'; readonly rowNumber: number; readonly was: string; readonly is: string }
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
  const costOf = ({ rate, fee }: Priced) => debitOf(instruction.amount, { ...quote, rate, fee });
  const [was, is] = [costOf(first), costOf(quote)];
  if (was === undefined || is === undefined)
    return first.rate === quote.rate && first.fee === quote.fee
      ? undefined
      : { kind: 'costs_more', rowNumber, was: `rate ${first.rate}`, is: `rate ${quote.rate}` };
  return isAbove(is, was, percent)
    ? { kind: 'costs_more', rowNumber, was: formatMoney(was), is: formatMoney(is) }
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
