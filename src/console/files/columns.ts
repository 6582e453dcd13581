/**
 * Which column of a file holds what: a person says it where the names of the columns do not. It counts for this file, and
 * for every file with the same columns once it is saved under a name.
 */

import type { Answer as FileAnswer } from '../../domain/reading/answer.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import { FIELDS, type Field } from '../../domain/rows/row.ts';
import { columns } from '../../operations/file.ts';
import { saveReading } from '../../operations/reading.ts';
import { type FileColumns, FileRefused, type Payfile } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { problemText } from '../page/errors.ts';
import { hidden, refusal, wideTable } from '../page/fields.ts';
import { option } from '../page/option.ts';
import { type Answer, page, see, type Visit } from '../server/route.ts';
import type { KeptFile } from './kept-files.ts';
import {
  beingPlanned,
  changedMeanwhile,
  isAsReadNow,
  isBeingPlanned,
  layoutOf,
  pathOf,
  say,
  withFile,
} from './looking.ts';
import { readingForm } from './reading.ts';
import { nameField } from './values.ts';

/** What a person can choose; which payment a row replaces is our own column. */
const CHOICES = FIELDS.filter((field) => field !== 'replaces');

function fieldText(field: Field): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

export async function columnsPage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => shown(file, payfile));
}

/** Or why no table is found in it. */
async function lookAtColumns(
  file: KeptFile,
  payfile: Payfile,
): Promise<FileColumns | { readonly why: string }> {
  try {
    return await payfile.call(columns, { ...layoutOf(file), file: file.path });
  } catch (error) {
    if (error instanceof FileRefused) return { why: problemText(error) };
    throw error;
  }
}

async function shown(file: KeptFile, payfile: Payfile, wrong?: string): Promise<Answer> {
  const seen = await lookAtColumns(file, payfile);
  const title = `Columns: ${file.name}`;
  if ('why' in seen) return page(title, html`<p class="alarm">${seen.why}</p>\n${readingForm(file, true)}`);
  const isRefused = seen.refusal !== undefined;
  const alarm = wrong ?? seen.refusal;
  const status = wrong === undefined ? {} : ({ status: 422 } as const);
  return page(
    title,
    html`${alarm === undefined ? NOTHING : refusal(alarm)}<form method="post" action="${pathOf(file)}/columns" data-keep>
${sheetChoice(seen)}${rowChoice(seen)}${seen.columns.length === 0 ? NOTHING : table(seen)}</form>
${isRefused ? NOTHING : saving(file, seen)}${isRefused ? readingForm(file) : NOTHING}`,
    status,
  );
}

function sheetChoice({ sheets, sheet }: FileColumns): Html {
  if (sheets.length < 2) return NOTHING;
  const options = sheets.map((name) => option(name, name, name === sheet));
  return html`<label for="sheet">Sheet with the payments</label>
<select id="sheet" name="sheet">${sheet === undefined ? option('', 'Not said yet', true) : NOTHING}${options}</select>
<button name="take" value="sheet">Look at this sheet</button>
`;
}

const ROWS_SHOWN = 8;
const CELLS_SHOWN = 20;

/** Closed where the names were found. */
function rowChoice({ firstRows, headerRow = 1, refusal }: FileColumns): Html {
  const shown = firstRows.filter(
    ({ row, cells }) =>
      (row <= ROWS_SHOWN || row <= headerRow + 2) && cells.some((cell) => cell.trim() !== ''),
  );
  if (shown.length === 0) return NOTHING;
  const width = Math.min(CELLS_SHOWN, Math.max(...shown.map(({ cells }) => cells.length)));
  const letters = Array.from({ length: width }, (_, at) => columnLetters(at));
  const rows = shown.map(({ row, cells }) => [
    html`<label class="choice"><input type="radio" name="headerRow" value="${row}"${row === headerRow ? html` checked` : NOTHING}> Row ${row}</label>`,
    ...letters.map((_, at) => cells[at] ?? ''),
  ]);
  return html`<details${refusal === undefined ? NOTHING : html` open`}><summary>Which row holds the names of the columns?</summary>
${wideTable({ label: 'First rows of the sheet', heads: ['Names', ...letters], rows })}<button name="take" value="row">Take the names from this row</button>
</details>
${hidden('shownRow', String(headerRow))}`;
}

function table({ columns, missing, reading, headerRow }: FileColumns): Html {
  const rows = columns.map(({ letter, header, field, isDoubled, values }, at) => {
    const name = header === '' ? html`<span class="quiet">no name</span>` : header;
    const choice =
      header === '' || field === 'replaces'
        ? html`<span class="quiet">${header === '' ? 'Not used: give it a name first.' : 'The payment that the row pays again, as payfile wrote it.'}</span>`
        : html`<select id="field-${at}" name="field-${at}"${isDoubled ? html` aria-invalid="true" aria-describedby="twice-${at}"` : NOTHING}>${option('', 'A column of your own', field === undefined)}${CHOICES.map((each) => option(each, fieldText(each), each === field))}</select>${isDoubled ? html`<span class="wrong under" id="twice-${at}">Another column means the same: choose one.</span>` : NOTHING}`;
    return [
      html`<label for="field-${at}">${name}</label>`,
      letter,
      values.map((value) => html`<code>${value}</code> `),
      choice,
    ];
  });
  const known = reading === undefined ? '' : ` They are known, as “${reading}”.`;
  const needed = missing.length === 0 ? '' : ` Still needed: ${missing.map(fieldText).join(', ')}.`;
  return html`<p>The names of the columns stand in row ${headerRow}.${known}${needed} What does each column hold? Long numbers are masked here.</p>
${wideTable({ label: 'Columns of the file', heads: ['Name', 'Column', 'For example', 'Holds'], rows })}<button class="main">Read the file so</button>
`;
}

function saving(file: KeptFile, { reading }: FileColumns): Html {
  return html`<form method="post" action="${pathOf(file)}/keep">
${nameField(file, reading)}<button>Save the columns</button>
</form>
`;
}

export async function sayColumns(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => {
    const form = await visit.form();
    const seen = await lookAtColumns(file, payfile);
    if ('why' in seen) return shown(file, payfile);
    const asShown = form.text('shownRow');
    if (asShown !== '' && asShown !== String(seen.headerRow)) return changedMeanwhile(file);
    const place = otherPlace(seen, (name) => form.all(name)[0]);
    if (place !== undefined)
      return say(file, visit, ({ reading }) => ({ reading: { ...reading, ...place, answers: [] } }))
        ? see(`${pathOf(file)}/columns`)
        : beingPlanned(file);
    const said = mapOf(seen, (at) => form.text(`field-${at}`), mapsIn(file.reading.answers));
    if (typeof said === 'string') return shown(file, payfile, said);
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    // A row that is only guessed is what the person saw, and agreed to.
    const { headerRow } = seen.refusal === undefined ? file.reading : seen;
    const answers = withMaps(file.reading.answers, said);
    const changed = { ...file.reading, headerRow, answers };
    if (!say(file, visit, ({ reading }) => ({ reading: { ...reading, headerRow, answers } })))
      return beingPlanned(file);
    const now = await lookAtColumns({ ...file, reading: changed }, payfile);
    return see('why' in now || now.refusal !== undefined ? `${pathOf(file)}/columns` : pathOf(file));
  });
}

/** Another sheet, or another row of names, than the columns that were shown; what was said of those says nothing of these. */
function otherPlace(
  { sheet, sheets, headerRow = 1 }: FileColumns,
  typed: (name: string) => string | undefined,
): Pick<KeptFile['reading'], 'sheet' | 'headerRow'> | undefined {
  const wanted = sheets.find((name) => name === typed('sheet'));
  if (wanted !== undefined && wanted !== sheet) return { sheet: wanted, headerRow: undefined };
  const row = Number(typed('headerRow') ?? headerRow);
  return Number.isInteger(row) && row > 0 && row !== headerRow ? { headerRow: row } : undefined;
}

type Said = ReadonlyMap<Field, string>;
type Answers = readonly FileAnswer[] | undefined;
const isMap = (answer: FileAnswer) => answer.kind === 'map' && answer.headers.length === 1;

function mapsIn(answers: Answers = []): Said {
  return new Map(
    answers.flatMap((answer) =>
      answer.kind === 'map' && isMap(answer) ? [[answer.field, answer.headers[0] ?? '']] : [],
    ),
  );
}

function withMaps(answers: Answers = [], said: Said): readonly FileAnswer[] {
  const maps = [...said].map(([field, header]): FileAnswer => ({ kind: 'map', field, headers: [header] }));
  return [...answers.filter((answer) => !isMap(answer)), ...maps];
}

/** What was said of the columns, or what cannot be meant. What nobody changed is found as before. */
function mapOf({ columns }: FileColumns, chosenOf: (at: number) => string, before: Said): Said | string {
  const map = new Map(before);
  const held = new Map<Field, string>();
  for (const [at, { header, field, isDoubled }] of columns.entries()) {
    const chosen = CHOICES.find((each) => each === chosenOf(at));
    if (header === '') continue;
    if (chosen === undefined) {
      if (field === undefined || isDoubled || field === 'replaces') continue;
      if (map.get(field) !== header) {
        const isElsewhere = columns.some((_, other) => other !== at && chosenOf(other) === field);
        if (!isElsewhere)
          return `“${header}” is read as ${field} by its name. Choose another column for that, or change the name in the file.`;
      } else map.delete(field);
      continue;
    }
    const isSame = chosen === field && !isDoubled;
    if (isSame && !held.has(chosen)) held.set(chosen, header);
    if (isSame) continue;
    const other = columns.find(
      (each, where) => where !== at && chosenOf(where) === chosen && each.header !== '',
    );
    if (other !== undefined)
      return `“${header}” and “${other.header}” cannot both hold ${chosen}. Choose one.`;
    map.set(chosen, header);
  }
  return map;
}

export async function saveColumns(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile }) => {
    const name = (await visit.form()).text('name');
    if (isBeingPlanned(file, visit)) return beingPlanned(file);
    await payfile.call(saveReading, { ...layoutOf(file), name, file: file.path });
    desk.files.forgetFound();
    return see(pathOf(file), `The columns are saved as “${name}”.`);
  });
}
