/**
 * Which payouts a person means: spreadsheet row numbers, references, tags, or all of them.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import { readAgain, reportCommand } from '../../domain/next-steps/file-commands.ts';
import { asPayoutId, type BatchId } from '../../domain/payouts/instruction.ts';
import { type Payout, pricingIn } from '../../domain/payouts/payout.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { leftOutText } from '../../domain/rows/lines-left-out.ts';
import { foldWords, isCalled } from '../../domain/text/fold.ts';
import { PayfileError } from '../../domain/text/message.ts';
import { counted, printable, rowsText } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { Ports } from '../ports.ts';
import { findMove, type MovedRow } from './moved-rows.ts';

export type Choice =
  | { readonly kind: 'all' }
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  /** The very payouts that were looked at: a newer file gives their rows other numbers. */
  | { readonly kind: 'payouts'; readonly payouts: readonly string[] };

/** A row that names no payout, or more than one. Exit code 64. */
export class RowNotFound extends PayfileError {
  override readonly name = 'RowNotFound';
  readonly code = 'row_not_found';
  readonly next = undefined;
  /** What makes the row a single one. */
  readonly andThen: Command | undefined;
  constructor(message: string, andThen?: Command) {
    super(message);
    this.andThen = andThen;
  }
}

export async function choosePayout(
  batchId: BatchId,
  row: string,
  ports: Pick<Ports, 'ledger'>,
): Promise<Payout> {
  const found = await ports.ledger.findPayouts(batchId, row);
  const [payout] = found;
  if (payout === undefined)
    throw new RowNotFound(
      (await leftOutRow(batchId, row, ports)) ??
        `No row “${row}” in this batch. Give a spreadsheet row number, a reference or a tag.`,
    );
  if (found.length > 1) throw ambiguous(row, found, await ports.ledger.batch(batchId));
  return payout;
}

/** A row of the file that is no payment, by its number or name, and why; undefined: there is none. */
async function leftOutRow(
  batchId: BatchId,
  row: string,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<string | undefined> {
  const { rows = [] } = (await ledger.notes(batchId, 'lines_left_out')).at(-1)?.body ?? {};
  const words = foldWords(row);
  const line =
    rows.find((each) => String(each.row) === row.trim()) ??
    (words.length === 0 ? undefined : rows.find(({ name = '' }) => isCalled(name, words)));
  return (
    line &&
    `Row ${line.row} of the file is left out, so it is not a payment of this batch: ${leftOutText(line)}.`
  );
}

/** Of a file that was read only in part a row may stand there twice, as it was and as it was corrected. */
function ambiguous(row: string, found: readonly Payout[], batch: Batch | undefined): RowNotFound {
  const rows = [...new Set(found.map(({ rowNumber }) => rowNumber))];
  const fits = `“${printable(row)}” fits ${counted(found.length, 'row')} (${rows.join(', ')})`;
  const readFirst = batch && readAgain(batch);
  return readFirst === undefined
    ? new RowNotFound(`${fits}. Give the spreadsheet row number.`)
    : new RowNotFound(
        `${fits}: a newer file was read only in part. Read the file to its end first.`,
        readFirst,
      );
}

/**
 * Calls back for every chosen payout in file order. With `all`, only those in the given statuses. Returns rows
 * that a newer file moved and that were not named by their tags: `visit` is not called for them.
 */
export async function eachChosen(
  batchId: BatchId,
  choice: Choice,
  statuses: readonly Payout['state']['status'][],
  ports: Pick<Ports, 'ledger'>,
  visit: (payout: Payout) => Promise<void>,
): Promise<readonly MovedRow[]> {
  if (choice.kind === 'all') {
    for await (const page of ports.ledger.payouts(batchId, { statuses }))
      for (const payout of page) await visit(payout);
    return [];
  }
  // All are found before the first is decided: a row that names none stops everything.
  const payouts: Payout[] = [];
  const moved: MovedRow[] = [];
  if (choice.kind === 'payouts')
    for (const id of choice.payouts) {
      const payout = await ports.ledger.payout(asPayoutId(id));
      if (payout?.batchId === batchId) payouts.push(payout);
    }
  else
    for (const row of listOf(choice.rows)) {
      const payout = await choosePayout(batchId, row, ports);
      const move = await findMove(payout, row, ports);
      if (move === undefined) payouts.push(payout);
      else moved.push(move);
    }
  for (const payout of payouts) await visit(payout);
  return moved;
}

/** A text is a list of letters in plain JavaScript: '23' would be rows 2 and 3. */
export function listOf(rows: readonly string[]): readonly string[] {
  if (Array.isArray(rows)) return rows;
  throw new RequestRefused("Rows are named in a list, such as ['2', '3']. Nothing was done.");
}

/**
 * The row whose story is asked for: by row number, reference or tag, else by the beneficiary's name or a part of it, which
 * is what somebody on the telephone gives.
 */

const LISTED_MAX = 20;

/** Errors: RequestRefused when no row, or more than one, is meant. */
export async function findPayoutByText(
  batch: Batch,
  text: string,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<Payout> {
  try {
    return await choosePayout(batch.id, text, { ledger });
  } catch (error) {
    if (!(error instanceof RowNotFound) || (await ledger.findPayouts(batch.id, text)).length > 0) throw error;
  }
  const { found, count } = await named(batch, text, ledger);
  const [only] = found;
  const label = batchLabel(batch);
  if (only === undefined)
    throw new RequestRefused(
      (await leftOutRow(batch.id, text, { ledger })) ??
        `No row, reference or name “${printable(text)}” in batch ${batchLabel(batch)}. Give a spreadsheet row number, a reference, or a part of the name.`,
      reportCommand(batch),
    );
  if (count === 1) return only;
  const more = count > found.length ? `; and ${rowsText(count - found.length)} more` : '';
  throw new RequestRefused(
    `“${printable(text)}” fits ${rowsText(count)}: ${found.map(shownAs).join('; ')}${more}. Give the row number.`,
    command('explain', [label, only.rowNumber]),
  );
}

/** Every word that was typed begins a word of the name, as written or as the institution has it. */
async function named(batch: Batch, text: string, ledger: Ledger) {
  const words = foldWords(text);
  const found: Payout[] = [];
  let count = 0;
  if (words.length === 0) return { found, count };
  for await (const page of ledger.payouts(batch.id)) {
    for (const payout of page) {
      if (!namesOf(payout).some((name) => isCalled(name, words))) continue;
      count += 1;
      if (found.length < LISTED_MAX) found.push(payout);
    }
  }
  return { found, count };
}

function namesOf({ instruction, state }: Payout): readonly string[] {
  const pricing = pricingIn(state);
  return [instruction?.name, pricing?.nameCheck.resolved].filter((name) => name !== undefined);
}

function shownAs(payout: Payout): string {
  const { rowNumber, instruction, state } = payout;
  const sum = instruction === undefined ? '' : `, ${formatMoney(instruction.amount)}`;
  const [name] = namesOf(payout);
  return `row ${rowNumber} (${printable(name ?? '')}${sum}, ${STATUS_WORDS[state.status].counted})`;
}
