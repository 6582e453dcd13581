/**
 * Differences from what was asked that the look before did not show. A run warns about each once, and names the row.
 */
import { differenceOf, saysTheSame } from '../../domain/payouts/difference.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { meaningOf } from '../../domain/payouts/service-status.ts';
import { counted } from '../../domain/text/printable.ts';
import type { Ports } from '../ports.ts';

/** A look that shows more than was asked for the first time is an incident. */
export function lookedAt(payout: Payout, differs: readonly string[] | undefined) {
  if (differs === undefined) return { kind: 'looked' } as const;
  const kind = differenceOf(payout) === 'over' ? ('incident' as const) : ('looked' as const);
  return { kind, differs };
}

/** undefined where the last look showed the same, or nothing differs now. */
export function newDifferences(
  { state: was }: Payout,
  { state: now }: Payout,
): readonly string[] | undefined {
  if (!('discrepancies' in now) || now.discrepancies.length === 0) return undefined;
  const known = 'discrepancies' in was ? was.discrepancies : [];
  return saysTheSame(known, now.discrepancies) ? undefined : now.discrepancies;
}

/** Warns about a settled payment, once for each word and each difference. */
export function tellDifference(
  payout: Payout,
  differs: readonly string[],
  { policy, tell }: Pick<Ports, 'policy' | 'tell'>,
): void {
  const { rowNumber } = payout;
  if (!isIn(payout, 'settled')) return;
  const { serviceStatus = '', suspicion } = payout.state;
  const says = `Row ${rowNumber}: the service says “${serviceStatus}” after Finished`;
  const text =
    suspicion?.unproven !== undefined
      ? `${says}. That does not count, because the service ${suspicion.unproven.join(' and ')}.`
      : suspicion !== undefined
        ? `${says}. That counts once the service says it again${laterText(policy.failConfirmMs)}.`
        : meaningOf(serviceStatus, policy) === 'pending'
          ? `${says}. If the word means paid, add it to statuses.finished.`
          : `Row ${rowNumber} differs from what was asked: ${differs.join('; ')}.`;
  tell({ kind: 'warning', text });
}

function laterText(ms: number): string {
  return ms === 0 ? '' : `, at least ${counted(Math.ceil(ms / 60_000), 'minute')} later`;
}
