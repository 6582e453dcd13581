/**
 * Earlier payments to the accounts of a plan that are not made: the last one failed or came back, so that this one will most
 * likely fail once more; or one of another batch waits, approved or not, or is in doubt, so that two go to one account. Said,
 * and held by no rule.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { accountMark } from '../../domain/payouts/concern.ts';
import type { Instruction } from '../../domain/payouts/instruction.ts';
import { isUnknown, type Payout, type Status, WAITING } from '../../domain/payouts/payout.ts';
import { daysMs } from '../../domain/policy.ts';
import { reasonOf } from '../../domain/reporting/reason.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, printable, rowsText } from '../../domain/text/printable.ts';
import { maskedWords } from '../../domain/text/sensitive.ts';
import { formatTimestamp, plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';

/** The last two months of a payroll. */
const DAYS = 60;
const ROWS_NAMED = 50;
/** Of one other batch. More of them are one sentence. */
const OF_BATCH_NAMED = 5;
const OPEN: readonly Status[] = [...WAITING, 'approved', 'sending', 'in_doubt'];

interface Unpaid {
  /** When the payment ended; undefined: it has not. */
  readonly endedAt: Timestamp | undefined;
  readonly text: string;
  /** The other batch, of a payment that has not ended. */
  readonly openIn?: string;
}
type UnpaidByAccount = Map<string, { last?: Unpaid; readonly open: Unpaid[] }>;

/** Sentences, in the order of the file. */
export async function unpaidBefore(
  batch: Batch,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<readonly string[]> {
  const since = plusMs(clock.now(), -daysMs(DAYS));
  const recent = (await ledger.batches()).filter(
    ({ id, createdAt }) => id !== batch.id && createdAt >= since,
  );
  const found: UnpaidByAccount = new Map();
  for (const other of recent)
    for await (const page of ledger.payouts(other.id, { statuses: ['failed', 'returned', ...OPEN] }))
      for (const payout of page) keep(payout, other, found);
  if (found.size === 0) return [];
  const rows: { readonly rowNumber: number; readonly key: string }[] = [];
  for await (const page of ledger.payouts(batch.id, { statuses: WAITING }))
    for (const { instruction, rowNumber } of page) {
      const key = instruction && keyOf(instruction);
      if (key !== undefined && found.has(key)) rows.push({ rowNumber, key });
    }
  if (rows.length > 0) await forgetPaid(found, recent, ledger);
  const lines = rows.flatMap(({ rowNumber, key }) => {
    const { last, open = [] } = found.get(key) ?? {};
    return [...(last === undefined ? [] : [last]), ...open].map((unpaid) => ({ rowNumber, ...unpaid }));
  });
  const byBatch = [...Map.groupBy(lines, ({ openIn }) => openIn)];
  const many = byBatch.filter(([of, { length }]) => of !== undefined && length > OF_BATCH_NAMED);
  const together = many.map(([of, its]) => alsoIn(of ?? '', new Set(its.map((each) => each.rowNumber)).size));
  const single = lines.filter(({ openIn }) => !many.some(([of]) => of === openIn));
  const more = single.length - ROWS_NAMED;
  const named = single.slice(0, ROWS_NAMED).map(({ rowNumber, text }) => `row ${rowNumber}: ${text}`);
  return [...together, ...named, ...(more <= 0 ? [] : [`… and ${countText(more)} more rows`])];
}

const alsoIn = (batch: string, rows: number) =>
  `${rowsText(rows)}: batch ${batch} pays the same accounts, and has not paid them yet`;

/** An account that was paid afterwards works. Many rows: asked only where a row of the plan has such an account. */
async function forgetPaid(
  found: UnpaidByAccount,
  recent: readonly Batch[],
  ledger: Ports['ledger'],
): Promise<void> {
  for (const { id } of recent)
    for await (const page of ledger.payouts(id, { statuses: ['settled'] }))
      for (const { instruction, state } of page) {
        const unpaid = instruction && found.get(keyOf(instruction));
        if (unpaid?.last?.endedAt === undefined || state.status !== 'settled') continue;
        if (state.settledAt >= unpaid.last.endedAt) delete unpaid.last;
      }
}

function keep(payout: Payout, batch: Batch, found: UnpaidByAccount): void {
  if (payout.instruction === undefined) return;
  const key = keyOf(payout.instruction);
  const known = found.get(key) ?? { open: [] };
  found.set(key, known);
  const unpaid = unpaidOf(payout, batch);
  if (unpaid.endedAt === undefined) known.open.push(unpaid);
  else if (known.last?.endedAt === undefined || known.last.endedAt <= unpaid.endedAt) known.last = unpaid;
}

function unpaidOf(payout: Payout, batch: Batch): Unpaid {
  const { state, rowNumber, instruction } = payout;
  if (state.status === 'failed') return endedAt(state.at, 'failed', payout);
  if (state.status === 'returned') return endedAt(state.returnedAt, 'came back', payout);
  const amount = instruction === undefined ? '' : ` (${formatMoney(instruction.amount)})`;
  const stands = isUnknown(state)
    ? 'is in doubt: it may have been paid'
    : `is not paid yet and ${WAITS[state.status] ?? STATUS_WORDS[state.status].counted}`;
  const openIn = printable(batchLabel(batch));
  const text = `row ${rowNumber} of ${openIn} to the same account${amount} ${stands}`;
  return { endedAt: undefined, text, openIn };
}

const WAITS: Partial<Record<Status, string>> = {
  planned: 'has no fee yet',
  quoted: 'waits for approval',
  held: 'is held',
  approved: 'is approved: it will be sent',
};

function endedAt(at: Timestamp, word: string, payout: Payout): Unpaid {
  const why = maskedWords(reasonOf(payout, []));
  const day = formatTimestamp(at).slice(0, 10);
  const text = `the last payment to this account ${word} on ${day}${why === '' ? '' : ` (${why})`}`;
  return { endedAt: at, text };
}

function keyOf(instruction: Instruction): string {
  return accountMark(instruction, instruction.account.reveal());
}
