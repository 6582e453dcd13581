/**
 * When most rows repeat one earlier batch, that is one question about the batch and not one hold per row. The
 * answer is kept in the journal, so that it is asked once.
 *
 * The answer is about repeats alone: a changed account stays held, and so does a row whose earlier payment is in doubt
 * or on the wire. The command under `Then:` leaves the batch for the person to fill in, so that nobody agrees by pasting.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { asBatchId, type BatchId } from '../../domain/payouts/instruction.ts';
import { type HoldReason, isUnknown } from '../../domain/payouts/payout.ts';
import { type Command, command } from '../../domain/steps/command.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { Overlap } from '../../ports/ledger/imports.ts';
import { releaseHeld } from '../../use-cases/decide/release-held.ts';
import { findBatch } from '../../use-cases/find-batch.ts';
import type { World } from '../../use-cases/world.ts';
import { type Call, typed, userName } from './call.ts';
import { askName } from './place-file.ts';
import { askChoice, mayAsk } from './terminal/ask.ts';
import { batchFlag, fileCommand } from './words/file-words.ts';

export type RepeatAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'released'; readonly of: BatchId }
  /** Nobody answered; the rows are held with pointers, and this sentence says what to do. */
  | { readonly kind: 'open'; readonly sentence: string; readonly next: Command; readonly andThen: Command }
  | { readonly kind: 'show_report'; readonly of: Batch }
  | { readonly kind: 'canceled' };

const SHARE_PERCENT = 80;
const ROWS_LEAST = 5;
const NOTE = 'repeats_released';
const REPEATS: readonly HoldReason['kind'][] = ['duplicate_payment', 'reference_paid', 'batch_repeated'];

/** The answer given before, for the commands that go on with a batch. */
export async function repeatsReleasedBefore(
  batchId: BatchId,
  world: Pick<World, 'ledger'>,
): Promise<BatchId | undefined> {
  const of = (await world.ledger.notes(batchId, NOTE)).at(-1)?.body['of'];
  return typeof of === 'string' ? asBatchId(of) : undefined;
}

export interface RepeatQuestion {
  readonly batch: Batch;
  readonly rows: number;
  readonly overlaps: readonly Overlap[];
  /** Said already, when the file was placed. */
  readonly said: Batch | undefined;
}

export async function askRepeats(question: RepeatQuestion, call: Call, world: World): Promise<RepeatAnswer> {
  const { batch, said } = question;
  const before = await repeatsReleasedBefore(batch.id, world);
  if (before !== undefined) return { kind: 'released', of: before };
  const { repeats } = call.flags;
  const named = repeats === undefined ? said : await findBatch(repeats, world.ledger);
  if (named !== undefined) return release(batch.id, named.id, { call, world });
  const most = question.overlaps.find((overlap) => overlap.batch.id !== batch.id);
  if (most === undefined || question.rows < ROWS_LEAST || most.rows * 100 < question.rows * SHARE_PERCENT)
    return { kind: 'none' };
  const sentence = `${most.rows} of ${rowsText(question.rows)} ${most.rows === 1 ? 'repeats' : 'repeat'} payments of batch ${batchLabel(most.batch)}.`;
  if (!mayAsk(call)) {
    const cancel = typed(
      call,
      command('cancel', [batchLabel(batch)], [['--all'], ['--reason', { fillIn: 'TEXT' }]]),
    );
    return {
      kind: 'open',
      sentence: `${sentence} They are held, and nothing of them is sent. Look at that batch first. If this file is the same payment again, withdraw it: ${cancel}. If it is one more payment, say which batch it repeats.`,
      next: command('status', [batchLabel(most.batch)]),
      andThen: repeating(call, batch),
    };
  }
  const choice = await askChoice(call, `${sentence} What is this file?`, [
    { value: 'show', label: 'The same payment: show how it went' },
    { value: 'again', label: 'A new period: pay it as well' },
    { value: 'stop', label: 'Stop here' },
  ]);
  if (choice === 'show') return { kind: 'show_report', of: most.batch };
  if (choice !== 'again') return { kind: 'canceled' };
  if (batch.name === undefined) {
    const name = await askName(call);
    if (name === undefined) return { kind: 'canceled' };
    await world.ledger.nameBatch(batch.id, name.trim());
  }
  return release(batch.id, most.batch.id, { call, world });
}

/** Which batch is paid once more is for a person to say: a command that names it pays everyone twice when it is pasted. */
function repeating(call: Call, { name }: Batch): Command {
  return fileCommand(call, call.command === 'plan' ? 'plan' : 'run', {
    more: [...batchFlag(name), ['--repeats', { fillIn: 'BATCH' }]],
  });
}

async function release(
  batchId: BatchId,
  of: BatchId,
  { call, world }: { readonly call: Call; readonly world: World },
): Promise<RepeatAnswer> {
  const by = userName(call);
  await world.ledger.note(batchId, NOTE, { of, by }, world.clock.now());
  const rows = await heldForRepeating(batchId, of, world);
  const reason = `pays batch ${of} once more on purpose`;
  await releaseHeld(batchId, { kind: 'rows', rows }, { by, reason }, world);
  return { kind: 'released', of };
}

/** Rows that wait for nothing but this question. */
async function heldForRepeating(batchId: BatchId, of: BatchId, world: World): Promise<string[]> {
  const rows: string[] = [];
  for await (const page of world.ledger.payouts(batchId, { statuses: ['held'] })) {
    for (const { rowNumber, state } of page) {
      if (state.status !== 'held') continue;
      if (await isAsked(state.reasons, of, world)) rows.push(String(rowNumber));
    }
  }
  return rows;
}

/** A changed account points at a payment too and is another question; so is a payment that may or may not be made. */
async function isAsked(reasons: readonly HoldReason[], of: BatchId, { ledger }: World): Promise<boolean> {
  for (const { kind, pointer } of reasons) {
    if (pointer?.batchId !== of || !REPEATS.includes(kind)) return false;
    const repeated = await ledger.payout(pointer.payoutId);
    if (repeated === undefined || isUnknown(repeated.state)) return false;
  }
  return true;
}
