/**
 * Payments that the service called unpaid, and no longer calls so. The reason is kept on the payment, and on the one that
 * replaced it: a person has to look at the row, and nothing is paid again without evidence.
 */
import { given } from '../../domain/given.ts';
import { isIn, type LastLook, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { EARLIER, earlierText } from '../../domain/payouts/shown.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { relativesOf } from '../decide/relatives.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import type { LookResult } from './look-result.ts';
import { newDifferences } from './new-differences.ts';
import { transferIn } from './still-unpaid.ts';

type Keeping = Pick<Ports, 'ledger' | 'clock' | 'tell'>;
type Ended = PayoutIn<'failed' | 'returned'> & Payout;

interface Unclear {
  /** It finishes the sentence “The service …”; undefined: it calls the payment unpaid. */
  readonly unclear: string | undefined;
  /** False: it says so of this look alone. */
  readonly isKept: boolean;
  readonly dueAt: Timestamp;
  readonly look: LastLook;
}

export async function keepUnclear(
  payout: Ended,
  { unclear, isKept, ...kept }: Unclear,
  ports: Keeping,
): Promise<Omit<LookResult, 'answer'>> {
  const { id, rowNumber, state } = payout;
  const { status, serviceStatus } = state;
  const what = unclear === undefined ? {} : { unclear };
  const event = {
    kind: 'progress',
    serviceStatus,
    discrepancies: [],
    ...what,
    at: ports.clock.now(),
  } as const;
  const hasChanged = isKept && state.unclear !== unclear;
  const recorded = hasChanged ? await recordEvent(payout, event, ports, kept) : undefined;
  if (!hasChanged) await ports.ledger.schedule(id, kept.dueAt, kept.look);
  if (isKept && (hasChanged || unclear !== undefined)) await markReplacements(payout, unclear, ports);
  const differs = recorded?.kind === 'recorded' ? newDifferences(payout, recorded.payout) : undefined;
  const found = { status, ...(differs === undefined ? {} : { differs }) };
  if (unclear === undefined) return { ...found, kind: 'looked' };
  const why = `The service ${unclear}. That is about ${transferIn(payout)}`;
  if (recorded?.kind !== 'recorded') return { kind: 'unclear', status, why };
  ports.tell({
    kind: 'warning',
    text: `Row ${rowNumber}: the service no longer calls transfer ${state.transferId} unpaid. It ${unclear}. A person must look.`,
  });
  return { ...found, kind: 'unclear', why };
}

/** A payment that was paid only after that shows the same of the earlier payments of its row. */
export async function markFromEarlier(payout: Payout, ports: Keeping): Promise<void> {
  if (payout.instruction?.replaces === undefined) return;
  for (const earlier of await relativesOf(payout, ports)) {
    if (!isIn(earlier, 'failed') && !isIn(earlier, 'returned')) continue;
    if (earlier.state.unclear !== undefined) await markReplacements(earlier, earlier.state.unclear, ports);
  }
}

/** Where the row was paid again, its newer payment shows why somebody has to look. */
async function markReplacements(payout: Ended, unclear: string | undefined, ports: Keeping): Promise<void> {
  const of = earlierText(payout.state.transferId, '');
  for (const relative of await relativesOf(payout, ports)) {
    if (!isIn(relative, 'accepted') && !isIn(relative, 'settled')) continue;
    const { shown = {}, discrepancies, serviceStatus, suspicion } = relative.state;
    const { earlier = [] } = shown;
    const others = earlier.filter((text) => !text.startsWith(of));
    const now = unclear === undefined ? others : [...others, `${of}${unclear}`];
    // The look that settles the suspicion comes first; the mark is set by the look after it.
    if (now.join() === earlier.join() || suspicion !== undefined) continue;
    const own = discrepancies.filter((text) => !text.startsWith(EARLIER));
    const event = {
      kind: 'progress',
      serviceStatus,
      discrepancies: [...own, ...now],
      shown: given({ ...shown, earlier: now.length === 0 ? undefined : now }),
      at: ports.clock.now(),
    } as const;
    await recordEvent(relative, event, ports);
  }
}
