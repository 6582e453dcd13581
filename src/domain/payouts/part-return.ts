/**
 * A payment of which the service shows that only a part came back. A replacement pays the whole amount, so it is planned
 * only if the evidence says in fixed words that the whole amount came back.
 */
import { formatMoney, type Money } from '../money/money.ts';
import type { Payout } from './payout.ts';
import { cameBack } from './shown.ts';

export interface PartReturn {
  /** The amount of the payment, and of its replacement. */
  readonly asked: Money;
  readonly back: Money;
  /** What did not come back. */
  readonly rest: Money;
}

/** undefined where no part came back. */
export function partReturnOf({ instruction, state }: Payout): PartReturn | undefined {
  if (instruction === undefined || !('shown' in state) || state.shown?.back === undefined) return undefined;
  const { amount: asked } = instruction;
  const { currency } = asked;
  const back = cameBack(state.shown);
  return { asked, back: { minor: back, currency }, rest: { minor: asked.minor - back, currency } };
}

/** A sentence without its full stop. */
export function partReturnText({ asked, back, rest }: PartReturn): string {
  const [all, part, left] = [asked, back, rest].map(formatMoney);
  return `${part} of ${all} came back, and the beneficiary still has ${left}, as far as the service shows`;
}

/** How the evidence must begin. */
export function wholeBackWords({ asked }: PartReturn): string {
  return `${formatMoney(asked)} came back`;
}

export function saysWholeBack(evidence: string, part: PartReturn): boolean {
  const folded = (text: string) => text.replace(/[\s,]/g, '').toLowerCase();
  return folded(evidence).startsWith(folded(wholeBackWords(part)));
}
