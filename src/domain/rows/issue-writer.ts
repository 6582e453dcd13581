/**
 * Writes issues of one file: knows which column holds which field and how much of a cell may be shown.
 */
import { cutText, namedText } from '../text/printable.ts';
import { maskedWords, maskOf } from '../text/sensitive.ts';
import { columnLetters, type FileColumns } from './column-names.ts';
import { type Field, isOfWords, type RowIssue } from './row.ts';

export interface IssueText {
  readonly kind: string;
  readonly field: Field;
  /** The column of that text, if it is not the field's own. */
  readonly at?: number | undefined;
  /** The cell's text. */
  readonly seen: string;
  readonly expected: string;
  readonly suggestion?: string | undefined;
}

type IssueWriter = (text: IssueText) => RowIssue;

export function createIssueWriter(file: FileColumns): IssueWriter {
  return ({ kind, field, at, seen, expected, suggestion }) => {
    return {
      ...{ kind, field },
      ...columnOf(at ?? file.columns.get(field), file),
      seen:
        (field === 'account' && !NO_ACCOUNT.has(kind)) || isAccountByMistake(kind, seen)
          ? maskedAccount(seen)
          : shownOf(field, seen),
      expected,
      suggestion,
    };
  };
}

/** One that is made from others is called by these: the file has no other. */
function columnOf(
  index: number | undefined,
  { headers, madeFrom }: FileColumns,
): Pick<RowIssue, 'column' | 'columnLetter'> {
  if (index === undefined) return { column: undefined, columnLetter: undefined };
  const from = madeFrom?.get(index) ?? [index];
  if (from.length === 0) return { column: headers[index], columnLetter: undefined };
  return {
    column: from.map((at) => headers[at]).join(' + '),
    columnLetter: from.map(columnLetters).join('+'),
  };
}

// What stands in the cell is no account, and is what the person has to see.
const NO_ACCOUNT = new Set(['account_date', 'account_placeholder', 'cell_error', 'cell_not_text']);

const MOST_SHOWN = 80;
const LEAST_MASKED = 7;

function shownOf(field: Field, text: string): string {
  return isOfWords(field) ? maskedWords(shown(text)) : shown(text);
}

/** An amount with a leading zero is most likely an account or phone in the wrong column, unless it is as short as `012.50`. */
function isAccountByMistake(kind: string, text: string): boolean {
  return kind === 'amount_leading_zero' && text.replace(/\D/g, '').length >= LEAST_MASKED;
}

function maskedAccount(text: string): string {
  return text.length >= LEAST_MASKED ? maskOf(shown(text)) : shown(text);
}

function shown(text: string): string {
  return namedText(cutText(text, MOST_SHOWN));
}
