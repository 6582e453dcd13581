/**
 * What a person has to say before a file can be paid: answers to its questions, and corrections of wrong values, each value
 * once for all its rows. One form saves all of it, and the file is checked again. The file itself stays as it was uploaded.
 */
import { type Answer as FileAnswer, wordKey } from '../../domain/reading/answer.ts';
import { answerText } from '../../domain/reading/answer-text.ts';
import { type Choice, type Question, withText } from '../../domain/reading/question.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { Country } from '../../domain/rows/directory.ts';
import type { Field, RowIssue } from '../../domain/rows/row.ts';
import { counted, countText, rowNumbers, rowsText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { writeCorrected } from '../../operations/file.ts';
import { countries } from '../../operations/lists.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { field, hidden, options, wideTable } from '../page/fields.ts';
import { saidOnPage, wordsOnPage } from '../page/words.ts';
import { download } from '../reports/made-file.ts';
import type { Form } from '../server/form.ts';
import { type Answer, see, seeWhyNot, type Visit } from '../server/route.ts';
import { cellKey, type Edit, type KeptFile } from './kept-files.ts';
import { beingPlanned, isBeingPlanned, type Looked, lookAt, pathOf, say, withFile } from './looking.ts';

/** Of one cell. */
const TEXT_MAX = 500;
const EDITS_MAX = 10_000;
/** With three fields for each value, no more than a form may have. */
const VALUES_SHOWN = 50;
const SAID_SHOWN = 100;

type WrongRow = CheckedRows['wrongRows'][number];

/** A value that is wrong in the same way in all these rows. An account and a reference are of one row each. */
interface WrongValue {
  readonly issue: RowIssue;
  readonly rows: readonly WrongRow[];
  /** undefined: no cell can be corrected, only left out. */
  readonly column: number | undefined;
  readonly text: string;
}

/** Without values that one of the questions is about. */
function wrongValues(rows: readonly WrongRow[], questions: readonly Question[]): readonly WrongValue[] {
  const asked = new Set(
    questions.flatMap(({ choices }) =>
      choices.flatMap(({ answers }) =>
        answers.flatMap((answer) =>
          answer.kind === 'value' ? [`${answer.field} ${wordKey(answer.written)}`] : [],
        ),
      ),
    ),
  );
  const found = new Map<string, WrongValue & { readonly rows: WrongRow[] }>();
  for (const row of rows)
    for (const issue of row.issues) {
      const { kind, field, seen } = issue;
      if (asked.has(`${field} ${wordKey(seen)}`)) continue;
      const column = field === 'replaces' ? undefined : columnOf(issue, row);
      const text = column === undefined ? seen : (row.cells[column] ?? '');
      const isOfOneRow = OF_ONE_ROW.has(field) || (field === 'amount' && text.trim() === '');
      const key = JSON.stringify([kind, column ?? field, text, isOfOneRow ? row.row : '']);
      const value = found.get(key);
      if (value === undefined) found.set(key, { issue, column, text, rows: [row] });
      else value.rows.push(row);
    }
  return [...found.values()];
}

const OF_ONE_ROW: ReadonlySet<Field> = new Set<Field>(['account', 'reference', 'replaces']);

/** undefined: the file itself has no such column. */
function columnOf({ columnLetter }: RowIssue, { cells }: WrongRow): number | undefined {
  if (columnLetter === undefined) return undefined;
  let index = 0;
  for (const letter of columnLetter) index = index * 26 + letter.charCodeAt(0) - 64;
  return index > cells.length ? undefined : index - 1;
}

interface ToFix {
  readonly questions: readonly Question[];
  readonly values: readonly WrongValue[];
  readonly headers: readonly string[];
}

function toFix(looked: Looked): ToFix {
  if (looked.kind === 'under_way') return { questions: [], values: [], headers: [] };
  if (looked.kind === 'refused') return { questions: looked.questions, values: [], headers: [] };
  const { questions, wrongRows, headers } = looked.checked;
  return { questions, values: wrongValues(wrongRows, questions), headers };
}

/** Fields of the form `say`, which stands on the page of the file. */
export async function fixSection(looked: Looked, payfile: Visit['payfile']): Promise<Html> {
  const { questions, values, headers } = toFix(looked);
  const asksCountry = questions.some(({ choices }) => choices.some(({ asksFor }) => asksFor === 'country'));
  const listed = asksCountry ? (await payfile.call(countries, {})).countries : [];
  const shown = values.slice(0, VALUES_SHOWN);
  const left = values.length - shown.length;
  return html`${questions.map((question, at) => questionField(question, at, listed))}${shown.map((value) => valueField(value, headers))}${left > 0 ? html`<p class="note">${counted(left, 'more value')} to fix after these.</p>\n` : NOTHING}`;
}

function questionField(question: Question, at: number, listed: readonly Country[]): Html {
  const { code, text, choices } = question;
  const further = choices.flatMap((choice, which) => (choice.isFurther === true ? [{ choice, which }] : []));
  const more =
    further.length === 0
      ? NOTHING
      : field({
          ...{ name: `more-${at}`, label: 'Or choose from the list' },
          choices: [
            ['', 'All others'],
            ...further.map(({ choice, which }) => [String(which), wordsOnPage(choice.label)] as const),
          ],
        });
  const chosen = chosenFirst(question);
  return html`<fieldset><legend>${saidOnPage(text)}</legend>
${hidden(`code-${at}`, code)}${choices.map((choice, which) => (choice.isFurther === true ? NOTHING : choiceField(choice, { at, which, isChosen: which === chosen, listed })))}${more}</fieldset>
`;
}

/** −1: none. A guess is no answer before a person chose it. */
const chosenFirst = ({ choices, isGuess }: Question) => (isGuess === true && choices.length > 1 ? -1 : 0);

interface Place {
  readonly at: number;
  readonly which: number;
  readonly isChosen: boolean;
  readonly listed: readonly Country[];
}

function choiceField({ label, asksFor }: Choice, { at, which, isChosen, listed }: Place): Html {
  const name = `text-${at}-${which}`;
  const typed =
    asksFor === undefined
      ? NOTHING
      : asksFor === 'country'
        ? html` <select name="${name}" aria-label="${wordsOnPage(label)}">${options([['', 'Choose a country'], ...listed.map(({ iso, name: country }) => [iso, country] as const)], '')}</select>`
        : html` <input name="${name}" aria-label="${wordsOnPage(label)}" maxlength="200">`;
  return html`<label class="choice"><input type="radio" name="answer-${at}" value="${which}"${isChosen ? html` checked` : NOTHING}> ${saidOnPage(label)}</label>${typed}
`;
}

function valueField({ issue, rows, column, text }: WrongValue, headers: readonly string[]): Html {
  const [first] = rows;
  if (first === undefined) return NOTHING;
  const id = keyOf(first, column);
  const others = first.cells.flatMap((cell, at) =>
    at === column || cell.trim() === '' || rows.length > 1
      ? []
      : [
          html`<span class="cell"><span class="quiet">${headers[at] || columnLetters(at)}</span> ${cell}</span> `,
        ],
  );
  const typed =
    column === undefined
      ? NOTHING
      : html`<label for="to-${id}" class="unseen">Correct value</label>
<input id="to-${id}" name="to-${id}" value="${text}" maxlength="${TEXT_MAX}" autocomplete="off" spellcheck="false" aria-invalid="true" aria-describedby="why-${id}">${hidden(`was-${id}`, text)}`;
  const title = issue.column ?? (column === undefined ? issue.field : columnLetters(column));
  const out = rows.length === 1 ? 'Leave this row out' : `Leave these ${rowsText(rows.length)} out`;
  return html`<fieldset id="fix-${id}"><legend>${title}: ${rowNumbers(rows.map(({ row }) => row))}</legend>
${others.length === 0 ? NOTHING : html`<p class="others">${others}</p>\n`}<p class="wrong" id="why-${id}">${whyWrong(issue)}</p>
${typed}<label class="choice"><input type="checkbox" name="out" value="${id}"> ${out}</label></fieldset>
`;
}

const keyOf = ({ row }: WrongRow, column: number | undefined) => `${row}-${column ?? 'row'}`;

/** `“GCB Bnak”; expected an institution of Ghana. Did you mean GCB Bank?` */
function whyWrong({ seen, expected, suggestion = '' }: RowIssue): string {
  const saw = seen.trim() === '' ? 'Empty' : `“${seen}”`;
  return `${saw}; expected ${expected}. ${suggestion.replace(/([^.?!])$/, '$1.')}`.trimEnd();
}

export async function fixFile(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const form = await visit.form();
    if (isBeingPlanned(file, visit)) return beingPlanned(file);
    const to = /^\?[a-z0-9=&]{0,40}#rows$/.test(form.text('to')) ? form.text('to') : undefined;
    const typed = typedIn(form, { file, looked: await lookAt(file, visit, true), isWhole: to === undefined });
    if (typeof typed === 'string') return seeWhyNot(pathOf(file), typed);
    if (!keep(typed, form, file, visit)) return beingPlanned(file);
    const isSilent = to !== undefined && isNothing(typed);
    return see(`${pathOf(file)}${to ?? ''}`, isSilent ? undefined : savedText(typed));
  });
}

/** What a person said of the file with a form. */
interface Typed {
  readonly cells: readonly Cell[];
  readonly answers: readonly FileAnswer[];
  readonly undone: readonly string[];
}

interface OfForm {
  readonly file: KeptFile;
  readonly looked: Looked;
  /** The form was sent to be saved. Else it counts what a person changed in it, and no answer that was chosen before. */
  readonly isWhole: boolean;
}

/** A sentence: why nothing of it can be kept. */
export function typedIn(form: Form, { file, looked, isWhole }: OfForm): Typed | string {
  const { questions, values } = toFix(looked);
  const answers = answersIn(form, questions, isWhole);
  if (answers === undefined) return 'Choose or type the text for each answer.';
  const out = rowsOut(form, values);
  const cells = cellsIn(form, values, file).filter(({ row }) => !out.has(row));
  if (cells.some(({ text }) => text.length > TEXT_MAX))
    return `Nothing was saved. A value has at most ${TEXT_MAX} characters.`;
  if (cells.length + file.edits.length > EDITS_MAX)
    return `Nothing was saved. At most ${countText(EDITS_MAX)} cells can be corrected here. Correct the others in the file.`;
  const left = [...out].map((row): FileAnswer => ({ kind: 'leave_out_row', row }));
  return { cells, answers: [...answers, ...left], undone: form.all('undo') };
}

export const isNothing = ({ cells, answers, undone }: Typed) =>
  cells.length + answers.length + undone.length === 0;

/** And the name of the batch. False while the file is being planned. */
export function keep(typed: Typed, form: Form, file: KeptFile, visit: Visit): boolean {
  const { cells, answers, undone } = typed;
  visit.desk.files.change(file.id, ({ batch }) => ({ batch: form.text('batch') || batch }));
  if (isNothing(typed)) return true;
  return say(file, visit, (now) => ({
    edits: withCells(now, cells, visit).filter((edit) => !undone.includes(cellKey(edit))),
    reading: {
      ...now.reading,
      answers: [
        ...(now.reading.answers ?? []).filter((answer) => !undone.includes(JSON.stringify(answer))),
        ...answers,
      ],
    },
  }));
}

export function savedText({ cells, answers, undone }: Typed): string {
  const left = answers.filter(({ kind }) => kind === 'leave_out_row').length;
  const saved = [
    ...(cells.length > 0 ? [counted(cells.length, 'cell')] : []),
    ...(answers.length > left ? [counted(answers.length - left, 'answer')] : []),
  ];
  const said = [
    ...(saved.length > 0 ? [`${saved.join(' and ')} saved.`] : []),
    ...(left > 0 ? [`${rowsText(left)} left out.`] : []),
    ...(saved.length + left === 0 && undone.length > 0 ? ['Undone.'] : []),
  ];
  return said.length === 0 ? 'Nothing was changed.' : `${said.join(' ')} The file was checked again.`;
}

/** undefined: a text is missing that a choice needs. What is left open is asked again. */
function answersIn(
  form: Form,
  questions: readonly Question[],
  isWhole: boolean,
): readonly FileAnswer[] | undefined {
  const said: FileAnswer[] = [];
  for (const [at, question] of questions.entries()) {
    const { code, choices } = question;
    // A text that is typed chooses where nothing else is chosen.
    const typed = choices.findIndex((_, each) => form.text(`text-${at}-${each}`) !== '');
    const which = form.text(`more-${at}`) || form.text(`answer-${at}`) || (typed === -1 ? '' : String(typed));
    const isChanged = isWhole || which !== String(chosenFirst(question));
    const isSaid = form.text(`code-${at}`) === code && which !== '' && isChanged;
    const choice = isSaid ? choices[Number(which)] : undefined;
    const answers = choice === undefined ? [] : withText(choice, form.text(`text-${at}-${which}`));
    if (answers === undefined) return undefined;
    said.push(...answers);
  }
  return said;
}

function rowsOut(form: Form, values: readonly WrongValue[]): ReadonlySet<number> {
  const whole = new Set(form.all('out'));
  const ofValues = values
    .filter(({ rows: [first], column }) => first !== undefined && whole.has(keyOf(first, column)))
    .flatMap(({ rows }) => rows.map(({ row }) => row));
  const single = form.all('row').flatMap((text) => (/^[1-9]\d{0,6}$/.test(text) ? [Number(text)] : []));
  return new Set([...ofValues, ...single]);
}

type Cell = Pick<Edit, 'row' | 'column' | 'was' | 'text'>;

/** Only cells that are wrong, and only where something else was typed than the page showed. */
function cellsIn(form: Form, values: readonly WrongValue[], { edits }: KeptFile): readonly Cell[] {
  return values.flatMap(({ rows, column, text: now }) => {
    const [first] = rows;
    if (first === undefined || column === undefined) return [];
    const id = keyOf(first, column);
    const [text] = form.all(`to-${id}`);
    const [shown = now] = form.all(`was-${id}`);
    // A browser gives a line back without its ends of lines.
    if (text === undefined || inOneLine(text) === inOneLine(shown)) return [];
    return rows.map(({ row }) => {
      const before = edits.find((edit) => edit.row === row && edit.column === column);
      return { row, column, was: before?.was ?? now, text };
    });
  });
}

const inOneLine = (text: string) => text.replaceAll(/[\r\n]/g, '');

/** One correction for each cell; what is put back as it was is none. */
function withCells(file: KeptFile, cells: readonly Cell[], { desk, person }: Visit): readonly Edit[] {
  const edits = new Map(file.edits.map((edit) => [cellKey(edit), edit]));
  for (const cell of cells) {
    edits.delete(cellKey(cell));
    if (cell.text !== cell.was)
      edits.set(cellKey(cell), { ...cell, by: person.id, at: timestampOf(desk.now()) });
  }
  return [...edits.values()];
}

/** All that was said of the file, each with a button that takes it back. */
export function saidSection({ edits, reading: { answers = [] } }: KeptFile): Html {
  const undo = (value: string, what: string) =>
    html`<button form="say" name="undo" value="${value}" aria-label="Undo: ${what}">Undo</button>`;
  const lines = [
    ...edits.map((edit) => {
      const cell = `${columnLetters(edit.column)}${edit.row}`;
      const text = `“${edit.was}” → “${edit.text}”`;
      return [cell, text, undo(cellKey(edit), cell)];
    }),
    ...answers.map((answer) => [
      'Answer',
      answerText(answer),
      undo(JSON.stringify(answer), answerText(answer)),
    ]),
  ].reverse();
  if (lines.length === 0) return NOTHING;
  const left = lines.length - SAID_SHOWN;
  const heads = ['Where', 'What you changed', html`<span class="unseen">Undo</span>`];
  return html`<h2 id="said">Your changes</h2>
${wideTable({ label: 'Your changes', heads, rows: lines.slice(0, SAID_SHOWN) })}${left > 0 ? html`<p class="note">… and ${counted(left, 'earlier one')}.</p>\n` : NOTHING}`;
}

export async function corrected(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile, signal }) =>
    download(visit, 'xlsx', async (to) => {
      const asked = { ...file.reading, file: file.path, edits: file.edits, output: to };
      await payfile.call(writeCorrected, asked, { signal });
      return `${file.name.replace(/\.\w{1,5}$/, '')}-corrected`;
    }),
  );
}
