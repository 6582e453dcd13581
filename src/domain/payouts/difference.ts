/**
 * A payment that differs from what was asked: whether somebody still has to look, and where its money is.
 * Sums use the amount that the service shows. The rest of the asked amount is not accounted for.
 *
 * Units:   `minor` counts minor units of the currency that was asked for; what is not accounted for is negative where the
 *          service shows more.
 */
import type { OnItsWay, Payout, PayoutState, RestFound, RestRuling, Status, Suspicion } from './payout.ts';
import { cameBack, type ShownPayment, wentOut } from './shown.ts';

/** `over`: more went out than was asked, an incident. `accepted`: a person looked; the mark stays. */
export type Difference = 'open' | 'over' | 'accepted';

/** undefined where nothing differs. */
export function differenceOf(payout: Payout): Difference | undefined {
  const { instruction, state } = payout;
  // The service took back what made it payable again. A person accepts that by paying again with evidence.
  if (state.status === 'failed' || state.status === 'returned')
    return state.unclear === undefined ? undefined : 'open';
  if (!mayDiffer(state) || state.discrepancies.length === 0) return undefined;
  if (isAccepted(state)) return 'accepted';
  return instruction !== undefined && wentOut({ instruction, state }).kind === 'more' ? 'over' : 'open';
}

/** Of a payment that was called unpaid: why that is no longer clear. */
export function unclearText(state: PayoutState): string | undefined {
  return 'unclear' in state && state.unclear !== undefined
    ? `status: the service no longer calls it unpaid. It ${state.unclear}`
    : undefined;
}

/** Sentences about what the service shows otherwise than was asked, or than it said before. */
export function differencesOf(state: PayoutState): readonly string[] {
  const unclear = unclearText(state);
  if (unclear !== undefined) return [unclear];
  return 'discrepancies' in state ? state.discrepancies : [];
}

/** An acceptance covers only the differences that the person saw. */
export function isAccepted(state: OnItsWay & { readonly suspicion?: Suspicion | undefined }): boolean {
  const { acceptedDifference, discrepancies } = state;
  if (acceptedDifference === undefined || isUnconfirmed(state)) return false;
  return acceptedDifference.rest?.is !== 'open' && saysTheSame(acceptedDifference.saw, discrepancies);
}

/** The service has to say it once more. */
export function isUnconfirmed({ suspicion }: { readonly suspicion?: Suspicion | undefined }): boolean {
  return suspicion !== undefined && suspicion.unproven === undefined;
}

/** Somebody still has to look. */
export function isOpenDifference(difference: Difference | undefined): boolean {
  return difference === 'open' || difference === 'over';
}

/** How sums change where the service shows another amount than was asked, or a part came back. */
export interface Moved {
  /** What to add to the sum of each status. */
  readonly shifts: readonly { readonly status: Status; readonly minor: bigint }[];
  readonly unaccountedMinor: bigint;
}

/** undefined where the service shows the amount that was asked for, or a person found the rest; and none of it came back. */
export function movedOf({ instruction, state }: Payout): Moved | undefined {
  if (instruction === undefined || !mayDiffer(state) || state.discrepancies.length === 0) return undefined;
  const { rest, found } = restNow({ instruction, state });
  const [unaccountedMinor, back] = [found === 'delivered' ? 0n : rest, cameBack(state.shown ?? {})];
  if (unaccountedMinor === 0n && back === 0n) return undefined;
  const own = { status: state.status, minor: -unaccountedMinor - back };
  const returned = { status: 'returned', minor: back } as const;
  return { shifts: back === 0n ? [own] : [own, returned], unaccountedMinor };
}

/** Of the amount asked, what is neither shown as gone out nor as come back. Negative where more went out. */
export function restOf(payment: ShownPayment): bigint {
  const asked = payment.instruction.amount.minor;
  const back = cameBack(payment.state.shown ?? {});
  // Nobody knows how much an amount is that cannot be read.
  const { minor: out = 0n } = wentOut(payment);
  return out > back ? asked - out : asked - back;
}

/** The part that is not shown, in minor units of the currency asked, and what a person found out about it. */
export function restNow({ instruction, state }: Pick<Payout, 'instruction' | 'state'>): {
  readonly rest: bigint;
  readonly found: RestFound;
} {
  if (instruction === undefined || !mayDiffer(state)) return { rest: 0n, found: 'open' };
  const rest = restOf({ instruction, state });
  return { rest, found: restFound(rest, state.acceptedDifference?.rest) };
}

/** A ruling is about the rest that there was then; about any other, nobody knows yet. */
export function restFound(rest: bigint, ruling: RestRuling | undefined): RestFound {
  return ruling === undefined || ruling.minor !== rest ? 'open' : ruling.is;
}

function mayDiffer(state: PayoutState): state is Extract<PayoutState, { status: 'accepted' | 'settled' }> {
  return state.status === 'accepted' || state.status === 'settled';
}

/** A service may change the letter case of its words from look to look. */
export function saysTheSame(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.join().toLowerCase() === other.join().toLowerCase();
}
