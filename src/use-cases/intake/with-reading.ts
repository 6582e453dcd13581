/**
 * A file as it reads with what a person said of it: its columns, its rows, and what is still to be asked. Its hash covers
 * the corrections of its cells, so that the same file with others is another file.
 *
 * Errors:  FileRefused for an answer about a column that is not there, for a correction whose cell holds another text, or
 *          says which payment a row pays again.
 */
import { createHash } from 'node:crypto';
import type { Answer, Said } from '../../domain/reading/answer.ts';
import { rememberedText } from '../../domain/reading/answer-text.ts';
import { bindColumns, type HeaderFault } from '../../domain/reading/bind-columns.ts';
import { rowsLeftOut } from '../../domain/reading/leave-out.ts';
import { Looker } from '../../domain/reading/look.ts';
import {
  answersFor,
  NOTHING_SAID,
  proposedBy,
  type Reading,
  type ReadingAsked,
} from '../../domain/reading/reading.ts';
import type { RowOut } from '../../domain/reading/row-change.ts';
import { named } from '../../domain/reading/shown-column.ts';
import { type CellEdit, editedRow } from '../../domain/rows/cell-edit.ts';
import { columnLetters, fieldOfHeader } from '../../domain/rows/column-names.ts';
import type { Field, WrittenRow } from '../../domain/rows/row.ts';
import { input, said } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { maskedWords } from '../../domain/text/sensitive.ts';
import { FileRefused, type RowSource } from '../../ports/row-source.ts';

export interface FileWithReading {
  /** With the columns that answers add, and hashed with its corrections. Its rows are as in the file: apply `begin`. */
  readonly file: RowSource;
  /** All that counts, said now or before. */
  readonly answers: readonly Said[];
  /** The kept reading, and how many of its answers count. */
  readonly kept: { readonly reading: Reading; readonly answers: readonly Said[] } | undefined;
  /** What was left out the last time: proposed, and asked again. */
  readonly proposed: readonly Answer[];
  /** Columns of the file that hold a field, also as a part of it. */
  readonly used: ReadonlyMap<number, Field>;
  /** Columns that a person took out. */
  readonly ignored: ReadonlySet<number>;
  /** Why no row can be validated. */
  readonly faults: readonly HeaderFault[];
  /** For one pass over all rows. */
  begin(): RowPass;
  /** `file`: its name. */
  looker(today: string | undefined, file: string): Looker;
}

export interface RowPass {
  /** The row as it is read then; or why it is left out, and how it was read up to there. */
  readonly change: (row: WrittenRow) => WrittenRow | { readonly out: RowOut; readonly read: WrittenRow };
  /** After the last row. */
  end(): void;
}

interface Corrections extends RowPass {
  readonly change: (row: WrittenRow) => WrittenRow;
}

/** `opened` can be given again, with other answers. */
export function withReading(opened: RowSource, asked: ReadingAsked = NOTHING_SAID): FileWithReading {
  const { reading } = opened;
  const answers = answersFor(reading, asked);
  const bound = bindColumns(opened.headers, answers);
  const wrong = bound.faults.find((fault) => fault.kind === 'not_there');
  if (wrong !== undefined) throw notThere(wrong, opened);
  requireOwnColumn(opened, bound.columns);
  requireNoOther(opened, answers, bound.ignored);
  const cut = asked.edits.find(({ column }) => column === bound.columns.get('replaces'));
  if (cut !== undefined) throw cutLink(cut);
  opened.useColumns?.(bound.used);
  const kept = answers.filter((answer) => !asked.answers.includes(answer));
  return {
    file: readSource(opened, asked.edits, {
      ...bound,
      notes: [...(kept.length === 0 ? [] : [rememberedText(kept)]), ...bound.notes],
    }),
    answers,
    kept: reading === undefined ? undefined : { reading, answers: kept },
    proposed: proposedBy(reading),
    used: bound.used,
    ignored: bound.ignored,
    faults: bound.faults,
    begin() {
      const corrections = correcting(asked.edits);
      const changes = bound.changes.map((change) => change.start(bound));
      if (changes.length === 0) return corrections;
      const unseen = new Set(rowsLeftOut(answers));
      const change: RowPass['change'] = (row) => {
        let now: WrittenRow = corrections.change(row);
        unseen.delete(row.rowNumber);
        for (const each of changes) {
          const next = each(now);
          if ('why' in next) return { out: next, read: now };
          now = next;
        }
        return now;
      };
      const end = () => {
        corrections.end();
        for (const row of unseen) throw noSuchRow(row);
      };
      return { change, end };
    },
    looker: (today = NO_DAY_IS_LATER, file) =>
      new Looker(bound, {
        isSaid: (field) => bound.said.has(field),
        ignored: bound.ignored,
        sheet: opened.sheet,
        file,
        above: textsAbove(opened),
        proposed: proposedBy(reading),
        today,
      }),
  };
}

const NO_DAY_IS_LATER = '9999-12-31';

/** Such as the title of the table, and a comment on a header. */
function textsAbove({ firstRows = [], headerRow, headComments = [] }: RowSource): readonly string[] {
  const above = firstRows.filter(({ rowNumber }) => rowNumber < headerRow);
  const titles = above.flatMap(({ cells }) => cells.map((cell) => cell.trim()));
  return [...titles, ...headComments].filter((text) => text !== '');
}

function readSource(
  opened: RowSource,
  edits: readonly CellEdit[],
  { headers, columns, madeFrom, notes }: Pick<RowSource, 'headers' | 'columns' | 'madeFrom' | 'notes'>,
): RowSource {
  // Not spread: other sources have getters.
  const source = Object.create(opened, {
    // Reading a sheet adds notes behind these.
    notes: { get: () => [...notes, ...opened.notes] },
    headers: { value: headers },
  }) as RowSource;
  return Object.assign(source, {
    columns,
    madeFrom,
    fileSha256: () => (edits.length === 0 ? opened.fileSha256() : editedSha256(opened.fileSha256(), edits)),
    receivedSha256: () => opened.fileSha256(),
  });
}

function correcting(edits: readonly CellEdit[]): Corrections {
  if (edits.length === 0) return { change: (row) => row, end: () => undefined };
  const left: Map<number, readonly CellEdit[]> = Map.groupBy(edits, ({ row }) => row);
  return {
    change: (row) => withOwn(row, left),
    end() {
      const [gone] = [...left.values()].flat();
      if (gone !== undefined) throw refusal(gone);
    },
  };
}

function withOwn(row: WrittenRow, left: Map<number, readonly CellEdit[]>): WrittenRow {
  const own = left.get(row.rowNumber);
  if (own === undefined) return row;
  left.delete(row.rowNumber);
  const result = editedRow(row, own);
  if ('odd' in result) throw refusal(result.odd);
  return result;
}

function refusal(edit: CellEdit): FileRefused {
  return new FileRefused(
    `${cellOf(edit)}: a correction is of “${maskedWords(printable(edit.was))}”, and the file does not hold that there as it is read now. Undo the correction.`,
  );
}

function cellOf({ row, column }: CellEdit): string {
  return `Row ${row}, column ${columnLetters(Math.max(0, column))}`;
}

/** Without its link, or with another one, a row that was paid again would be a payment of its own. */
function cutLink(edit: CellEdit): FileRefused {
  return new FileRefused(
    `${cellOf(edit)}: which payment a row pays again cannot be corrected here. Undo the correction, and write the file of unpaid rows again.`,
  );
}

/** Whoever corrected it, and when, makes no other file. */
function editedSha256(file: string, edits: readonly CellEdit[]): string {
  const sorted = edits
    .map(({ row, column, text }) => [row, column, text] as const)
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return createHash('sha256')
    .update(JSON.stringify([file, sorted]), 'utf8')
    .digest('hex');
}

/** Read as anything else, a row that was paid again would be a payment of its own. */
function requireOwnColumn({ headers }: RowSource, columns: RowSource['columns']): void {
  const own = headers.findIndex((header) => /^payfile_replaces$/i.test(header));
  if (own === -1 || columns.get('replaces') === own) return;
  const what =
    'The column “payfile_replaces” says which payment a row pays again, and it is said to hold something else.';
  throw new FileRefused(said`${what} Take it out of ${input('map')}, or out of the reading.`, {
    onPage: `${what} Choose the columns again.`,
  });
}

/** One text for all rows would pay a row otherwise than its own cell says. */
function requireNoOther(
  { headers }: RowSource,
  answers: readonly Said[],
  ignored: ReadonlySet<number>,
): void {
  for (const answer of answers) {
    if (answer.kind !== 'set' || answer.field === 'note') continue;
    const other = headers.findIndex(
      (header, at) => !ignored.has(at) && fieldOfHeader(header) === answer.field,
    );
    if (other === -1) continue;
    const what = `The column ${columnLetters(other)} “${printable(headers[other] ?? '')}” holds the ${answer.field} of each row.`;
    throw new FileRefused(
      said`${input('set', `${answer.field}=${printable(answer.text)}`)}: ${what} Leave it out, or say that the column is not used: ${input('ignore', `"${printable(headers[other] ?? '')}"`)}.`,
      { onPage: `${what} Say that the column is not used, or choose again.` },
    );
  }
}

const noSuchRow = (row: number) =>
  new FileRefused(
    said`${input('leaveOutRow', String(row))}: the table has no row ${row}. Count the rows as the file does, with its header.`,
    { onPage: `The table has no row ${row}, which was to be left out.` },
  );

const MOST_NAMED = 20;

function notThere(
  { answer, header, found }: Extract<HeaderFault, { kind: 'not_there' }>,
  { headers }: RowSource,
): FileRefused {
  const where =
    found.length > 1 ? `stands in columns ${found.map(columnLetters).join(' and ')}` : 'is not in the file';
  const present = headers.flatMap((each, at) => (each === '' ? [] : [`${columnLetters(at)} ${named(each)}`]));
  const listed = present.slice(0, MOST_NAMED).join(', ') + (present.length > MOST_NAMED ? ' …' : '');
  const has = `Found: ${present.length === 0 ? 'no headers' : listed}.`;
  const what = `The column “${printable(header)}” ${where}. ${has}`;
  const todo =
    found.length > 1
      ? `Name it by its letter, ${found.map(columnLetters).join(' or ')}.`
      : 'Write the header whole, as it stands there, and not its letter.';
  return new FileRefused(said`${input(INPUT_OF[answer.kind])}: ${what} ${todo}`, {
    onPage: `${what} Choose the columns again.`,
  });
}

const INPUT_OF: Readonly<Record<Answer['kind'], string>> = {
  map: 'map',
  first_filled: 'map',
  set: 'set',
  value: 'value',
  leave_out: 'leaveOut',
  leave_out_row: 'leaveOutRow',
  pay_anyway: 'payAnyway',
  ignore: 'ignore',
  fill_down: 'fillDown',
  skip_zero: 'skipZero',
  latin_digits: 'digits',
  scale: 'scale',
  names_without_numbers: 'namesWithoutNumbers',
  decimal: 'decimal',
  encoding: 'encoding',
};
