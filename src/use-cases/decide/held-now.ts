/**
 * What a person has to know of a held row before it is let go on: why it waits as of now, and whether a payment that it may
 * repeat has an outcome that nobody knows.
 */
import { hash } from 'node:crypto';
import { concernText } from '../../domain/payouts/concern.ts';
import type { HoldReason } from '../../domain/payouts/payout.ts';
import { isIn, isUnknown, type Payout, type PayoutIn, WAITING } from '../../domain/payouts/payout.ts';
import { placeOf, wordOf } from '../../domain/payouts/repeat.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';

type Reading = { readonly ledger: Pick<Ledger, 'payout' | 'livingRelative'> };

/** Why nobody can release it: another payment of the row still lives, or was made. */
export async function blockedBy(
  { id, state: { reasons } }: Pick<PayoutIn<'held'>, 'id' | 'state'>,
  { ledger }: Reading,
): Promise<string | undefined> {
  const blocking = reasons.find(({ concern }) => concern.kind === 'same_row');
  if (blocking === undefined || (await ledger.livingRelative(id)) === undefined) return undefined;
  return `held: ${blocking.text}. Only one payment of a row is made: withdraw this one (payfile cancel), or wait until the other one has ended unpaid`;
}

/** The same payout; of a held one with its reasons as of now. */
export async function withReasonsNow(payout: Payout, ports: Reading): Promise<Payout> {
  if (!isIn(payout, 'held')) return payout;
  const reasons: HoldReason[] = [];
  for (const reason of payout.state.reasons) reasons.push(await asOfNow(reason, ports));
  return { ...payout, state: { ...payout.state, reasons } };
}

/** A mark of the reasons that hold a payout now. A release with this mark answers exactly these reasons. */
export function markOf({ id, state }: Pick<PayoutIn<'held'>, 'id' | 'state'>): string {
  const concerns = state.reasons.map(({ concern }) => concernText(concern)).sort();
  return hash('sha256', JSON.stringify([id, concerns])).slice(0, 32);
}

/** The payment that the reason names may have been withdrawn, sent or paid since the row was held. */
async function asOfNow(reason: HoldReason, { ledger }: Reading): Promise<HoldReason> {
  const { concern, pointer, text } = reason;
  if (pointer === undefined || concern.kind === 'other_account') return reason;
  const state = (await ledger.payout(pointer.payoutId))?.state;
  if (state === undefined) return reason;
  const { status } = state;
  const isMoved =
    status !== pointer.status && !(WAITING.includes(status) && WAITING.includes(pointer.status));
  // One that waits, was withdrawn or was called failed may have been paid, as the ledger found when the row was held.
  const now =
    concern.kind === 'repeat'
      ? { ...concern, isUnknown: isUnknown(state) || (concern.isUnknown && !isMoved) }
      : concern;
  return {
    concern: now,
    text: isMoved ? `${text}; it is ${STATUS_WORDS[status].counted} now` : text,
    pointer: { ...pointer, status },
  };
}

/** Why a release has to be meant twice; undefined where nothing that is repeated is in doubt. `reasons`: as of now. */
export function mayBePaidAlready(reasons: readonly HoldReason[]): string | undefined {
  const others = reasons.flatMap(({ concern, pointer }) =>
    concern.kind === 'repeat' && concern.isUnknown && pointer !== undefined ? [pointer] : [],
  );
  if (others.length === 0) return undefined;
  const named = others.map((other) => `${placeOf(other)} is ${wordOf(other)}`).join(', ');
  return `held, and may be paid already: ${named}. Find out what became of that payment first`;
}
