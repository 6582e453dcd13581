/**
 * Rows that a newer file gave other numbers. A person who looked at the old file may mean another payment by the
 * same number. The tag of a payment never changes, so it names such a row.
 */
import { asTag, type Tag } from '../../domain/payouts/instruction.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import type { EventKind } from '../../domain/payouts/payout-event.ts';
import { EVENT_KINDS, MOVES } from '../../domain/payouts/payout-machine.ts';
import type { JournalEntry } from '../../ports/ledger/payouts.ts';
import type { Ports } from '../ports.ts';

export interface MovedRow {
  readonly rowNumber: number;
  /** The row's number when the payment got its present state. */
  readonly numberBefore: number;
  readonly tag: Tag;
}

/**
 * Finds a payment whose row number changed after it got its present state, unless `text` is its tag. A payment that was
 * never approved has no tag, and no money can have moved for it.
 */
export async function findMove(
  payout: Payout,
  text: string,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<MovedRow | undefined> {
  const { tag, numberBefore } = pastOf(await ledger.journalOf(payout.id));
  const { rowNumber } = payout;
  if (tag === undefined || numberBefore === undefined || numberBefore === rowNumber) return undefined;
  return text.trim().toUpperCase() === tag ? undefined : { rowNumber, numberBefore, tag };
}

export function movedText({ numberBefore, tag }: MovedRow): string {
  return `it was row ${numberBefore} before a newer file moved it. If you mean this payment, give its tag: ${tag}`;
}

function pastOf(journal: readonly JournalEntry[]) {
  let status: Status = 'planned';
  let tag: Tag | undefined;
  let number: number | undefined;
  let numberBefore: number | undefined;
  for (const { kind, body } of journal) {
    if (kind === 'approve') tag = asTag(String(body['tag']));
    const next: Status = isEvent(kind) ? (MOVES[status][kind] ?? status) : status;
    if (next !== status) numberBefore = number;
    status = next;
    if (isEvent(kind) || body['row'] === undefined) continue;
    number = Number(body['row']);
    if (kind !== 'imported' && kind !== 'replacement') continue;
    status = (body['status'] ?? 'planned') as Status;
    numberBefore = number;
  }
  return { tag, numberBefore };
}

function isEvent(kind: string): kind is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(kind);
}
