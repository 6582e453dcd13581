/**
 * Rows that are planned to an account to which the last payment failed or came back: nothing was corrected, so they will
 * most likely fail once more. Said, and held by no rule.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import { accountMark } from '../../domain/payouts/concern.ts';
import type { Instruction } from '../../domain/payouts/instruction.ts';
import { type Payout, WAITING } from '../../domain/payouts/payout.ts';
import { daysMs } from '../../domain/policy.ts';
import { reasonOf } from '../../domain/reporting/reason.ts';
import { countText } from '../../domain/text/printable.ts';
import { maskedWords } from '../../domain/text/sensitive.ts';
import { formatTimestamp, plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';

/** The last two months of a payroll. */
const DAYS = 60;
const ROWS_NAMED = 50;

interface Unpaid {
  readonly payout: Payout;
  readonly at: Timestamp;
  readonly word: string;
}

/** Sentences, in the order of the file. */
export async function unpaidBefore(
  batch: Batch,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<readonly string[]> {
  const since = plusMs(clock.now(), -daysMs(DAYS));
  const recent = (await ledger.batches()).filter(
    ({ id, isBound, createdAt }) => id !== batch.id && isBound && createdAt >= since,
  );
  const last = new Map<string, Unpaid>();
  for (const { id } of recent)
    for await (const page of ledger.payouts(id, { statuses: ['failed', 'returned'] }))
      for (const payout of page) keep(unpaidOf(payout), last);
  if (last.size === 0) return [];
  const rows: { readonly rowNumber: number; readonly key: string }[] = [];
  for await (const page of ledger.payouts(batch.id, { statuses: WAITING }))
    for (const { instruction, rowNumber } of page) {
      const key = instruction && keyOf(instruction);
      if (key !== undefined && last.has(key)) rows.push({ rowNumber, key });
    }
  if (rows.length > 0) await forgetPaid(last, recent, ledger);
  const lines = rows.flatMap(({ rowNumber, key }) => {
    const unpaid = last.get(key);
    return unpaid === undefined ? [] : [sentence(rowNumber, unpaid)];
  });
  const more = lines.length - ROWS_NAMED;
  return more <= 0 ? lines : [...lines.slice(0, ROWS_NAMED), `… and ${countText(more)} more rows`];
}

/** An account that was paid afterwards works. Many rows: asked only where a row of the plan has such an account. */
async function forgetPaid(
  last: Map<string, Unpaid>,
  recent: readonly Batch[],
  ledger: Ports['ledger'],
): Promise<void> {
  for (const { id } of recent)
    for await (const page of ledger.payouts(id, { statuses: ['settled'] }))
      for (const { instruction, state } of page) {
        const key = instruction && keyOf(instruction);
        const unpaid = key === undefined ? undefined : last.get(key);
        if (key === undefined || unpaid === undefined || state.status !== 'settled') continue;
        if (state.settledAt >= unpaid.at) last.delete(key);
      }
}

function sentence(row: number, { payout, at, word }: Unpaid): string {
  const why = maskedWords(reasonOf(payout, []));
  const day = formatTimestamp(at).slice(0, 10);
  return `row ${row}: the last payment to this account ${word} on ${day}${why === '' ? '' : ` (${why})`}`;
}

function unpaidOf(payout: Payout): Unpaid | undefined {
  const { state } = payout;
  if (state.status === 'failed') return { payout, at: state.at, word: 'failed' };
  return state.status === 'returned' ? { payout, at: state.returnedAt, word: 'came back' } : undefined;
}

function keep(unpaid: Unpaid | undefined, last: Map<string, Unpaid>): void {
  const instruction = unpaid?.payout.instruction;
  if (unpaid === undefined || instruction === undefined) return;
  const key = keyOf(instruction);
  const before = last.get(key);
  if (before === undefined || before.at <= unpaid.at) last.set(key, unpaid);
}

function keyOf(instruction: Instruction): string {
  return accountMark(instruction, instruction.account.reveal());
}
