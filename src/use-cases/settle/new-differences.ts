/**
 * Differences from what was asked that the look before did not show. A run warns about each once, and names the row. An
 * unknown word after Finished is a warning once for each batch.
 */
import { differenceOf, differencesOf, saysTheSame } from '../../domain/payouts/difference.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { meaningOf, type Words } from '../../domain/payouts/service-status.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import type { Ports } from '../ports.ts';

/** A look that shows more than was asked for the first time is an incident. */
export function lookedAt(payout: Payout, differs: readonly string[] | undefined, words: Words) {
  if (differs === undefined) return { kind: 'looked' } as const;
  const kind = differenceOf(payout) === 'over' ? ('incident' as const) : ('looked' as const);
  const unknownWord = unknownWordOf(payout, words);
  return { kind, differs, ...(unknownWord === undefined ? {} : { unknownWord }) };
}

/** What the service says after Finished, where no setting has the word for paid, failed or returned. */
function unknownWordOf(payout: Payout, words: Words): string | undefined {
  if (!isIn(payout, 'settled') || payout.state.suspicion !== undefined) return undefined;
  const { serviceStatus = '' } = payout.state;
  return meaningOf(serviceStatus, words) === 'pending' ? serviceStatus : undefined;
}

/** undefined: the last look showed the same. Empty: the row no longer differs and has the same status. */
export function newDifferences(
  { state: was }: Payout,
  { state: now }: Payout,
): readonly string[] | undefined {
  const [known, found] = [differencesOf(was), differencesOf(now)];
  const isOver = found.length === 0 && was.status !== now.status;
  return isOver || saysTheSame(known, found) ? undefined : found;
}

/** Warns about a settled payment, once for each difference. `UnknownWords` warns where only the word differs. */
export function tellDifference(
  payout: Payout,
  differs: readonly string[],
  { policy, tell }: Pick<Ports, 'policy' | 'tell'>,
): void {
  const { rowNumber } = payout;
  if (!isIn(payout, 'settled') || differs.length === 0) return;
  const isWordAlone = differs.length === 1 && unknownWordOf(payout, policy) !== undefined;
  if (isWordAlone) return;
  const { serviceStatus = '', suspicion } = payout.state;
  const says = `Row ${rowNumber}: the service says “${serviceStatus}” after Finished`;
  const text =
    suspicion?.unproven !== undefined
      ? `${says}. That does not count, because the service ${suspicion.unproven.join(' and ')}.`
      : suspicion !== undefined
        ? `${says}. That counts once the service says it again${laterText(policy.failConfirmMs)}.`
        : `Row ${rowNumber} differs from what was asked: ${differs.join('; ')}.`;
  tell({ kind: 'warning', text });
}

const NOTE_KIND = 'unknown_word_told';

/** Unknown words that a run saw first, each with its rows. */
export class UnknownWords {
  readonly #rows = new Map<string, { readonly word: string; count: number; first: number }>();

  add(word: string | undefined, rowNumber: number): void {
    if (word === undefined) return;
    const found = this.#rows.get(folded(word)) ?? { word, count: 0, first: rowNumber };
    found.count += 1;
    found.first = Math.min(found.first, rowNumber);
    this.#rows.set(folded(word), found);
  }

  /** Warns about each word once in the life of the batch. */
  async tell(
    batchId: BatchId,
    { ledger, clock, tell }: Pick<Ports, 'ledger' | 'clock' | 'tell'>,
  ): Promise<void> {
    if (this.#rows.size === 0) return;
    const told = new Set((await ledger.notes(batchId, NOTE_KIND)).map(({ body }) => folded(body.word)));
    for (const [key, { word, count, first }] of this.#rows) {
      if (told.has(key)) continue;
      const rows = count === 1 ? `Row ${first}` : `${rowsText(count)}, the first is row ${first}`;
      const text = `${rows}: the service says “${word}” after Finished. If the word means paid, add it to statuses.finished.`;
      tell({ kind: 'warning', text });
      await ledger.note(batchId, NOTE_KIND, { word }, clock.now());
    }
  }
}

function folded(word: string): string {
  return word.trim().toLowerCase();
}

function laterText(ms: number): string {
  return ms === 0 ? '' : `, at least ${counted(Math.ceil(ms / 60_000), 'minute')} later`;
}
