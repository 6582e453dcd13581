/**
 * What looks like a payment of another batch but has a reference of its own: nothing is held for it, and whoever
 * agrees to the plan is told.
 *
 * --json: alike: [{batch: {id, name}, count, rows, lastAt}].
 */
import type { World } from '../application/world.ts';
import type { Batch } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { Plan } from '../domain/plan.ts';
import { daysMs } from '../domain/policy.ts';
import { printable } from '../domain/printable.ts';
import { formatTimestamp, plusMs } from '../domain/timestamp.ts';
import type { AlikePayments } from '../ports/ledger.ts';

const BATCHES_MAX = 5;

/** Asked only where somebody is to agree to something. */
export async function alikeFor(
  plan: Plan,
  { id }: Pick<Batch, 'id'>,
  { ledger, clock, policy }: Pick<World, 'ledger' | 'clock' | 'policy'>,
): Promise<readonly AlikePayments[]> {
  const { quoted = 0, held = 0 } = plan.counts;
  if (quoted + held === 0) return [];
  return ledger.alike(id, plusMs(clock.now(), -daysMs(policy.duplicateWindowDays)));
}

export function alikeLines(alike: readonly AlikePayments[]): readonly string[] {
  if (alike.length === 0) return [];
  const lines = alike.slice(0, BATCHES_MAX).map(({ batch, count, rows, lastAt }) => {
    const named = `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
    const what = counted(count, 'row pays', 'rows pay');
    const day = formatTimestamp(lastAt).slice(0, 10);
    return `To look at: ${what} the same account the same amount as batch ${printable(batch.name ?? batch.id)} on ${day}, under other references (${named})`;
  });
  const more = alike.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and as ${counted(more, 'more batch', 'more batches')}`] : []), ''];
}

export function alikeJson(alike: readonly AlikePayments[]): unknown {
  return alike.map(({ batch, count, rows, lastAt }) => ({
    batch: { id: batch.id, name: batch.name ?? null },
    count,
    rows,
    lastAt: formatTimestamp(lastAt),
  }));
}
