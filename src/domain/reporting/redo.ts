/**
 * Which rows go into a file that pays again: those that failed or came back, each naming the instruction that it replaces.
 * So does a row that is to be paid again and became invalid. A row that a person withdrew goes in only when that is asked for; one that is still open in its batch never.
 *
 * Rule:    failed, returned and canceled are final; paying again is a new instruction.
 */
import type { Batch } from '../batches/batch.ts';
import { formatDecimal, type Money, parseDecimal } from '../money/money.ts';
import { type FamilyMember, isPaid } from '../payouts/family.ts';
import type { NotedIncident } from '../payouts/incident.ts';
import type { PayoutId } from '../payouts/instruction.ts';
import { calledUnpaidAt, type Status } from '../payouts/payout.ts';
import { amountSense } from '../reading/amount-sense.ts';
import {
  fieldMaybeMeant,
  fieldOfHeader,
  nameColumnsOf,
  namePartsOf,
  PASSED_OVER,
} from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';
import { foldText } from '../text/fold.ts';
import { printable } from '../text/printable.ts';
import type { Timestamp } from '../timestamp.ts';
import { ownColumns } from './report-columns.ts';
import { incidentsOf, type LineSource } from './report-line.ts';
import { STATUS_WORDS } from './status-words.ts';

export interface RedoRow {
  /** The user's own columns, in their order. */
  readonly cells: readonly string[];
  /** Id of the instruction that it pays again. */
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
  readonly incidents: ReadonlyMap<PayoutId, NotedIncident>;
  readonly paidAgain: ReadonlyMap<PayoutId, FamilyMember>;
  /** Rows that a person withdrew go in as well. */
  readonly withCanceled: boolean;
  /** Only this row, with other texts in some of its cells. */
  readonly only?: CorrectedRow | undefined;
}

/** An unpaid row that a person corrects. A field without a column cannot be corrected. */
export interface CorrectedRow {
  readonly row: number;
  readonly cells: Readonly<Partial<Record<Field, string>>>;
}

type RedoFile = RedoContext['file'];

/**
 * The header of the redo file, without the column of replaced instructions. The file is read without the options of the
 * first reading: a column that only an option named gets the name of its field, one that an option left out says so, and
 * the source country has a column.
 */
export function redoHeaders({ headers, columns }: RedoFile): readonly string[] {
  const fields = new Map([...columns].map(([field, at]) => [at, field]));
  const parts = namePartsOf(headers);
  const joined = nameColumnsOf({ headers, columns });
  const partOf = (at: number) => (joined.includes(at) ? 'counts' : parts.has(at) ? 'unused' : undefined);
  const own = ownColumns(headers).map((at) => headerOf(headers[at] ?? '', fields.get(at), partOf(at)));
  return columns.has('source') ? own : [...own, SOURCE];
}

/** `part`: the header names a part of a name, which counts unless another column holds the whole name. */
function headerOf(header: string, field: Field | undefined, part: 'counts' | 'unused' | undefined): string {
  if (part === 'counts') return header;
  const read = part === undefined ? fieldOfHeader(header) : undefined;
  if (part === 'unused' && field === undefined) return `${header} ${PASSED_OVER}`;
  if (field === undefined || field === 'replaces')
    return (read ?? fieldMaybeMeant(header)) === undefined && !mayBeToPay(header)
      ? header
      : `${header} ${PASSED_OVER}`;
  return read === field ? header : field;
}

/** Which of two amounts is paid was decided when the rows were first read. */
const mayBeToPay = (header: string) => ['clear', 'plain', 'gross'].includes(amountSense(header));

const SOURCE: Field = 'source';

export function redoOf(source: LineSource, context: RedoContext): Redo {
  const { payout } = source;
  const { status } = payout.state;
  const why = whyNotUnpaid(source, context);
  if (why !== undefined) return { kind: 'left_out', status, why };
  const { headers, columns } = context.file;
  const own = ownColumns(headers).map((at) => cellAt(source, at, context));
  const cells = columns.has(SOURCE) ? own : [...own, sourceOf(source)];
  return { kind: 'unpaid', status, row: { cells, replaces: earlierOf(source) ?? payout.id } };
}

/** What an invalid row stands for: a newer file of the batch cannot correct it, and it was never a payment itself. */
function earlierOf({ payout: { state, instruction } }: LineSource): PayoutId | undefined {
  return state.status === 'invalid' ? instruction?.replaces : undefined;
}

function whyNotUnpaid(source: LineSource, context: RedoContext): string | undefined {
  const { state, id } = source.payout;
  if (state.status === 'settled') return 'already paid';
  if (incidentsOf(source, context.incidents).length > 0) return 'an incident: it was paid after all';
  const other = context.paidAgain.get(id);
  if (other !== undefined)
    return `${isPaid(other) ? 'paid again in' : 'taken over by'} batch ${printable(other.batchName)}`;
  switch (state.status) {
    case 'accepted':
      return 'on the way';
    case 'sending':
    case 'in_doubt':
      return 'perhaps paid';
    case 'invalid':
      return earlierOf(source) === undefined
        ? 'not readable: correct it in the file and run the batch again'
        : undefined;
    case 'planned':
    case 'held':
    case 'quoted':
      return 'still open in the batch';
    case 'approved':
      return 'approved, and paid by the next send';
    case 'failed':
    case 'returned': {
      if (state.unclear !== undefined) return 'no longer called unpaid by the service';
      const calledAt = calledUnpaidAt(state);
      return calledAt !== undefined && context.asOf - calledAt < context.reissueAfterMs
        ? `called ${STATUS_WORDS[state.status].counted} by the service too recently`
        : undefined;
    }
    case 'canceled':
      return context.withCanceled
        ? undefined
        : 'withdrawn by a person (written too if canceled rows are included)';
  }
}

/**
 * The cell as it was written, unless it would be read differently without the options of the first reading: an amount that
 * needs the rest of the file (`1.500` for a thousand and a half) is the plain decimal that it meant, an institution that
 * only a reading knows goes by its name in the list, and an empty source is the one that was taken.
 */
function cellAt(source: LineSource, at: number, context: RedoContext): string {
  const { columns } = context.file;
  const [, corrected] =
    Object.entries(context.only?.cells ?? {}).find(([field]) => columns.get(field as Field) === at) ?? [];
  if (corrected !== undefined) return corrected;
  const text = source.cells[at] ?? '';
  const { instruction } = source.payout;
  if (at === columns.get(SOURCE) && text.trim() === '') return sourceOf(source);
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
function sourceOf({ payout }: LineSource): string {
  return payout.instruction?.sourceId ?? '';
}
