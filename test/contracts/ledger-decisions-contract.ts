/** What every ledger promises about decisions: who decided what stays known, for reports that show it. */
import { expect } from 'vitest';
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import { asDigest } from '../../src/domain/payouts/instruction.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { batchOf, later, moved, only, row } from '../builders/ledger-batches.ts';
import { anEvent, NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

export function decisionsContract(ledger: () => Ledger): void {
  it('tells what people decided about a batch, oldest first, and nothing of other batches', async () => {
    const other = await batchOf(ledger(), [row(9)], 'other');
    await ledger().pause(other, { reason: 'elsewhere', by: 'ben', at: NOW });
    const id = await batchOf(ledger(), [row(1), row(2)], 'may');
    const digest = asDigest('d9');
    await ledger().recordApproval(id, { digest, by: 'kofi', at: NOW, how: 'typed_total', count: 2 });
    await ledger().pause(id, { reason: 'lunch', by: 'ama', at: NOW });
    await ledger().resume(id, 'ama', later(1));
    await moved(ledger(), await only(ledger(), id, 2), anEvent('cancel'));
    const second = (await only(ledger(), id, 3)).id;
    await ledger().note(id, 'incident', { payout: second, row: 3, what: 'paid after all' }, later(2));
    const { entries, more } = await ledger().decisions(id, 100);
    expect(more).toBe(0);
    expect(decisionsOf(entries).map(({ what, by, rows, why }) => [what, by, rows, why])).toEqual([
      ['File read', 'ama', [], 'may.csv'],
      ['Approved', 'kofi', [], '2 payments, by typing the total; digest d9'],
      ['Paused', 'ama', [], 'lunch'],
      ['Resumed', 'ama', [], ''],
      ['Withdrawn', 'ama', [2], 'left the company'],
      ['Incident', '', [3], 'paid after all'],
    ]);
  });

  it('counts the decisions beyond the limit', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    for (const reason of ['one', 'two', 'three']) await ledger().pause(id, { reason, by: 'ama', at: NOW });
    const { entries, more } = await ledger().decisions(id, 2);
    expect([entries.length, more]).toEqual([2, 2]);
  });

  it('gives the head of the batch, which every further event changes', async () => {
    const id = await batchOf(ledger(), [row(1)]);
    const { head } = await ledger().decisions(id, 10);
    expect(head).toMatch(/^[0-9a-f]{64}$/);
    expect((await ledger().decisions(id, 10)).head).toBe(head);
    await ledger().pause(id, { reason: 'lunch', by: 'ama', at: NOW });
    expect((await ledger().decisions(id, 10)).head).not.toBe(head);
  });
}
