/**
 * Which rows may go into a file that pays again: only those proven unpaid, each naming the instruction that
 * it replaces.
 *
 * Rule:    failed, returned and canceled are final; paying again is a new instruction.
 */
import type { Batch } from '../batches/batch.ts';
import { formatDecimal, type Money, parseDecimal } from '../money/money.ts';
import type { Payout, Status } from '../payouts/payout.ts';
import { fieldMaybeMeant, fieldOfHeader, PASSED_OVER } from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import type { Timestamp } from '../timestamp.ts';
import { ownColumns } from './report-columns.ts';
import { cellOf, type LineSource } from './report-line.ts';

export interface RedoRow {
  /** The user's own columns, in their order. */
  readonly cells: readonly string[];
  /** Id of the failed or returned instruction; empty for a row that was never sent. */
  readonly replaces: string;
}

export type Redo =
  | { readonly kind: 'unpaid'; readonly row: RedoRow; readonly status: Status }
  /** Paid, on its way, or not known; `why` is a clause, such as “already paid”. */
  | { readonly kind: 'left_out'; readonly status: Status; readonly why: string };

interface RedoContext {
  readonly file: Pick<Batch['file'], 'headers' | 'columns'>;
  readonly asOf: Timestamp;
  readonly reissueAfterMs: number;
  /** Where the batch's money comes from, for rows that could not be read. */
  readonly source?: string | undefined;
}

type RedoFile = RedoContext['file'];

/**
 * The header of the redo file, without the column of replaced instructions. The file is read without the options of the
 * first reading: a column that only an option named gets the name of its field, one that an option left out says so, and
 * the source country has a column.
 */
export function redoHeaders({ headers, columns }: RedoFile): readonly string[] {
  const fields = new Map([...columns].map(([field, at]) => [at, field]));
  const own = ownColumns(headers).map((at) => headerOf(headers[at] ?? '', fields.get(at)));
  return columns.has('source') ? own : [...own, SOURCE];
}

function headerOf(header: string, field: Field | undefined): string {
  const read = fieldOfHeader(header);
  if (field === undefined || field === 'replaces')
    return (read ?? fieldMaybeMeant(header)) === undefined ? header : `${header} ${PASSED_OVER}`;
  return read === field ? header : field;
}

const SOURCE: Field = 'source';

export function redoOf(source: LineSource, context: RedoContext): Redo {
  const { status } = source.payout.state;
  const why = whyNotUnpaid(source.payout, context) ?? earlierNotUnpaid(source);
  if (why !== undefined) return { kind: 'left_out', status, why };
  const { headers, columns } = context.file;
  const own = ownColumns(headers).map((at) => cellAt(source, at, context));
  const cells = columns.has(SOURCE) ? own : [...own, sourceOf(source, context)];
  return { kind: 'unpaid', status, row: { cells, replaces: replacedBy(source, context) } };
}

function whyNotUnpaid(payout: Payout, context: RedoContext): string | undefined {
  const { state } = payout;
  switch (state.status) {
    case 'settled':
      return 'already paid';
    case 'accepted':
      return 'on the way';
    case 'sending':
    case 'in_doubt':
      return 'perhaps paid';
    case 'planned':
    case 'held':
    case 'quoted':
      return payout.instruction?.replaces === undefined ? undefined : 'reissued, and waiting in the batch';
    case 'approved':
      return 'approved, and paid by the next send';
    case 'failed':
      return state.basis === 'service_status' && context.asOf - state.at < context.reissueAfterMs
        ? 'called failed by the service too short a time ago'
        : undefined;
    default:
      return undefined;
  }
}

/** An earlier instruction that turned out to be paid after all makes the row a paid one. */
function earlierNotUnpaid(source: LineSource): string | undefined {
  const paid = source.replaced.some(
    ({ state }) => !['failed', 'returned', 'canceled'].includes(state.status),
  );
  return paid ? 'perhaps paid by an earlier instruction' : undefined;
}

function replacedBy(source: LineSource, context: RedoContext): string {
  const { payout, cells } = source;
  if (payout.state.status === 'failed' || payout.state.status === 'returned') return payout.id;
  if (payout.instruction === undefined) return cellOf(cells, context.file.columns, 'replaces');
  return payout.instruction.replaces ?? '';
}

/**
 * The cell as it was written, unless it would be read differently without the options of the first reading: an amount that
 * needs the rest of the file (`1.500` for a thousand and a half) is the plain decimal that it meant, an institution that
 * only a saved mapping knows goes by its name in the list, and an empty source is the one that was taken.
 */
function cellAt(source: LineSource, at: number, context: RedoContext): string {
  const text = source.cells[at] ?? '';
  const { columns } = context.file;
  const { instruction } = source.payout;
  if (at === columns.get(SOURCE) && text.trim() === '') return sourceOf(source, context);
  if (instruction === undefined) return text;
  const { amount, institutionId, institutionName } = instruction;
  if (at === columns.get('amount'))
    return parseDecimal(text.trim(), amount.currency)?.minor === amount.minor && !endsInThree(text.trim())
      ? text
      : plainAmount(amount);
  if (at !== columns.get('institution') || text.trim() === institutionId) return text;
  return foldText(text) === foldText(institutionName) ? text : institutionName;
}

/** With a fourth decimal in a currency of three, because `27.500` is read in no file that does not declare its style. */
function plainAmount(amount: Money): string {
  const text = formatDecimal(amount);
  return endsInThree(text) ? `${text}0` : text;
}

function endsInThree(text: string): boolean {
  return /\.\d{3}$/.test(text);
}

/** The id of the country, as the service has it. */
function sourceOf({ payout }: LineSource, context: RedoContext): string {
  return payout.instruction?.sourceId ?? context.source ?? '';
}
