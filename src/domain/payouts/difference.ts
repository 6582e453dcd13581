/**
 * A payment that differs from what was asked: whether somebody still has to look, and where its money is.
 * Sums use the amount that the service shows. The rest of the asked amount is not accounted for.
 *
 * Units:   `minor` counts minor units of the currency that was asked for; what is not accounted for is negative where the
 *          service shows more.
 */
import type { OnItsWay, Payout, PayoutState, Status, Suspicion } from './payout.ts';
import { cameBack, wentOut } from './shown.ts';

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
  return saysTheSame(acceptedDifference.saw, discrepancies);
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

/** undefined where the service shows the amount that was asked for, and none of it came back. */
export function movedOf({ instruction, state }: Payout): Moved | undefined {
  if (instruction === undefined || !mayDiffer(state) || state.discrepancies.length === 0) return undefined;
  const asked = instruction.amount.minor;
  const back = cameBack(state.shown ?? {});
  // Nobody knows how much an amount is that cannot be read.
  const { minor: out = 0n } = wentOut({ instruction, state });
  if (out === asked && back === 0n) return undefined;
  const stays = out > back ? out - back : 0n;
  const own = { status: state.status, minor: stays - asked };
  const returned = { status: 'returned', minor: back } as const;
  return { shifts: back === 0n ? [own] : [own, returned], unaccountedMinor: asked - stays - back };
}

function mayDiffer(state: PayoutState): state is Extract<PayoutState, { status: 'accepted' | 'settled' }> {
  return state.status === 'accepted' || state.status === 'settled';
}

/** A service may change the letter case of its words from look to look. */
export function saysTheSame(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.join().toLowerCase() === other.join().toLowerCase();
}
