/**
 * A remembered text for every row counts only while the rows agree with it: files with the same columns may come from several
 * countries. What one row in ten contradicts, or a thousand, is asked anew; a few rows are wrong themselves, and nothing is paid for them.
 */

import type { Directory } from '../rows/directory.ts';
import type { RowIssue, RowIssues } from '../rows/row.ts';
import { type Message, message, said as text } from '../text/message.ts';
import { printable } from '../text/printable.ts';
import type { Answer, Said } from './answer.ts';
import { saidText } from './answer-text.ts';
import { countriesMeant } from './countries-meant.ts';
import type { Look } from './look.ts';
import type { Question } from './question.ts';

type SaidOfAll = Extract<Said, { kind: 'set' }>;

export interface Doubt {
  readonly answer: SaidOfAll;
  /** The row or the column that contradicts it, as a sentence. */
  readonly because: Message;
}

/** Texts that decide where the money goes. */
const PLACES: ReadonlySet<string> = new Set(['country', 'institution', 'currency']);
/** What a row says that another country, institution or currency would explain. */
const TELLING: ReadonlySet<string> = new Set([...PLACES, 'account', 'phone']);

interface Rows {
  readonly look: Look;
  readonly issues: readonly RowIssues[];
}

/** `remembered`: those that nobody said now. */
export function doubtsOf(
  remembered: readonly Said[],
  { look, issues }: Rows,
  directory: Directory,
): readonly Doubt[] {
  const places = remembered.flatMap((answer) =>
    answer.kind === 'set' && PLACES.has(answer.field) ? [answer] : [],
  );
  if (places.length === 0) return [];
  const because = contradiction(issues, look.rows);
  if (because !== undefined) return places.map((answer) => ({ answer, because }));
  return places.flatMap((answer) => {
    const elsewhere = otherCountry(answer, look, directory);
    return elsewhere === undefined ? [] : [{ answer, because: elsewhere }];
  });
}

/** Cells of other columns say that all rows are for another country. What headers say was there before. */
function otherCountry({ field, text }: SaidOfAll, look: Look, directory: Directory): Message | undefined {
  const remembered = directory.findCountry(text);
  if (field !== 'country' || remembered.kind !== 'found') return undefined;
  const columns = look.columns.map((column) => ({ ...column, header: '' }));
  const other = countriesMeant({ ...look, columns }, directory).find(
    ({ country }) => country !== remembered.item,
  );
  return other && message('other_country')`${printable(other.country.name)}: ${other.why}.`;
}

const [ONE_IN, MANY] = [10, 1_000];

function contradiction(wrong: readonly RowIssues[], rows: number): Message | undefined {
  const telling = wrong.flatMap(({ rowNumber, issues }) => {
    const issue = issues.find(isTelling);
    return issue === undefined ? [] : [{ rowNumber, issue }];
  });
  const [first] = telling;
  if (first === undefined || telling.length < Math.min(rows / ONE_IN, MANY)) return undefined;
  const { rowNumber, issue } = first;
  return text`${`Row ${rowNumber}${columnOf(issue)}: saw “${printable(issue.seen)}”; expected ${printable(issue.expected)}.`}`;
}

const isTelling = ({ kind, field, seen }: RowIssue) =>
  seen !== '' && (TELLING.has(field) || kind === 'amount_other_currency');

const columnOf = ({ column }: RowIssue) => (column === undefined ? '' : `, ${printable(column)}`);

/** The question about the field, if there is one, with what was said before as the first choice. */
export function askDoubts(doubts: readonly Doubt[], questions: readonly Question[]): readonly Question[] {
  const asked = doubts.map(({ answer: remembered, because }): Question => {
    const { field, text: before } = remembered;
    const missing = questions.find(({ code }) => code === `no_${field}`);
    const answer: Answer = { kind: 'set', field, text: before };
    const other = {
      label: text`Another ${field} for every row`,
      answers: [{ ...answer, text: '' }],
      asksFor: field,
    };
    const choices = (missing?.choices ?? [other]).filter(({ answers: [first] }) => !isSame(first, answer));
    return {
      code: `still_${field}`,
      text: text`Remembered: ${saidText(remembered)}. This file does not agree: ${because.pieces} Which ${field} is it in this file?`,
      headers: missing?.headers ?? [],
      choices: [{ label: text`${printable(before)} in every row, as before`, answers: [answer] }, ...choices],
    };
  });
  const replaced = new Set(doubts.map(({ answer: { field } }) => `no_${field}`));
  return [...asked, ...questions.filter(({ code }) => !replaced.has(code))];
}

const isSame = (one: Answer | undefined, other: Answer): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
