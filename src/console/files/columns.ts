/** How a file is read: its sheet and header row, what each column holds, and what is the same for every row. */
import type { Answer as FileAnswer } from '../../domain/reading/answer.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import { FIELDS, type Field } from '../../domain/rows/row.ts';
import { columns } from '../../operations/file.ts';
import { countries } from '../../operations/lists.ts';
import { type FileColumns, FileRefused } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { field, hidden, wideTable } from '../page/fields.ts';
import { option } from '../page/option.ts';
import { labelOf } from '../page/words.ts';
import { FormRefused } from '../server/form.ts';
import { type Answer, see, seeWhyNot, type Visit } from '../server/route.ts';
import type { KeptFile, Reading } from './kept-files.ts';
import { beingPlanned, changedMeanwhile, isAsReadNow, pathOf, say, withFile } from './looking.ts';

/** Which payment a row pays again is a column of payfile itself. */
const CHOICES = FIELDS.filter((of) => of !== 'replaces');
/** Fields that may be the same for every row. */
const SAME = ['country', 'currency', 'note'] as const;

const ROWS_SHOWN = 8;
const CELLS_SHOWN = 20;

/** undefined: the file has no table that can be shown. */
async function columnsOf(
  { reading, path }: KeptFile,
  payfile: Visit['payfile'],
): Promise<FileColumns | undefined> {
  const { sheet, headerRow, delimiter, answers } = reading;
  try {
    return await payfile.call(columns, { sheet, headerRow, delimiter, answers, file: path });
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

/** `isOpen`: nothing can be done with the file otherwise. */
export async function columnsSection(file: KeptFile, isOpen: boolean, { payfile }: Visit): Promise<Html> {
  const seen = await columnsOf(file, payfile);
  const { countries: listed } = await payfile.call(countries, {});
  const same = new Map(
    (file.reading.answers ?? []).flatMap((answer) =>
      answer.kind === 'set' ? [[answer.field, answer.text] as const] : [],
    ),
  );
  const country = same.get('country') ?? '';
  const isListed = country === '' || listed.some(({ iso }) => iso === country);
  return html`<details id="columns"${isOpen ? html` open` : NOTHING}><summary>Columns, sheet and decimals</summary>
<form method="post" action="${pathOf(file)}/columns" data-keep>
${seen === undefined ? placeFields(file.reading) : html`${sheetChoice(seen)}${headerRows(seen)}${columnChoices(seen)}`}<fieldset><legend>The same for every row</legend>
<label for="same-country">Country</label>
<select id="same-country" name="same-country">${option('', 'Each row has its own', country === '')}${isListed ? NOTHING : option(country, country, true)}${listed.map(({ iso, name }) => option(iso, name, iso === country))}</select>
${field({ name: 'same-currency', label: 'Currency', hint: 'Such as KES. Empty: as each row says.', value: same.get('currency') ?? '' })}${field({ name: 'same-note', label: 'Note', hint: 'Empty: as each row says.', value: same.get('note') ?? '' })}</fieldset>
${layoutFields(file.reading)}<button class="${isOpen ? 'main' : 'plain'}">Read the file this way</button>
</form></details>
`;
}

/** Where no table is found to choose from. */
const placeFields = ({ sheet = '', headerRow }: Reading): Html =>
  html`${field({ name: 'sheet', label: 'Sheet', hint: 'Empty: the one with the table.', value: sheet })}${field({ name: 'headerRow', label: 'Header row', hint: 'Its number. Empty: payfile looks for it.', value: String(headerRow ?? '') })}`;

function sheetChoice({ sheets, sheet }: FileColumns): Html {
  if (sheets.length < 2) return NOTHING;
  const options = sheets.map((name) => option(name, name, name === sheet));
  return html`<label for="sheet">Sheet with the payments</label>
<select id="sheet" name="sheet">${sheet === undefined ? option('', 'Choose a sheet', true) : NOTHING}${options}</select>
`;
}

function headerRows({ firstRows, headerRow = 1 }: FileColumns): Html {
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
  return html`<h3>Header row</h3>
${wideTable({ label: 'First rows of the sheet', heads: ['Header', ...letters], rows })}${hidden('shownRow', String(headerRow))}`;
}

function columnChoices({ columns: all }: FileColumns): Html {
  if (all.length === 0) return NOTHING;
  const rows = all.map(({ letter, header, field: is, isDoubled, values }, at) => {
    const doubled = isDoubled
      ? html`<span class="wrong under" id="twice-${at}">Another column means the same. Choose one.</span>`
      : NOTHING;
    const choice =
      header === '' || is === 'replaces'
        ? html`<span class="quiet">${header === '' ? 'Not used: it has no header' : 'The payment that the row pays again'}</span>`
        : html`<select id="field-${at}" name="field-${at}"${isDoubled ? html` aria-invalid="true" aria-describedby="twice-${at}"` : NOTHING}>${option('', 'Not used', is === undefined)}${CHOICES.map((each) => option(each, labelOf(each), each === is))}</select>${doubled}`;
    const name = header === '' ? html`<span class="quiet">no header</span>` : header;
    return [
      html`<label for="field-${at}">${name}</label>`,
      letter,
      values.map((value) => html`<code>${value}</code> `),
      choice,
    ];
  });
  return html`<h3>What each column holds</h3>
${wideTable({ label: 'Columns of the file', heads: ['Header', 'Column', 'For example', 'Holds'], rows })}`;
}

const DELIMITERS = [
  ['', 'as the file has it'],
  ['comma', 'comma'],
  ['semicolon', 'semicolon'],
  ['tab', 'tab'],
  ['pipe', 'vertical bar'],
] as const;
const DECIMALS = [
  ['', 'as the file has it'],
  ['point', 'point: 1,250.00'],
  ['comma', 'comma: 1.250,00'],
] as const;

function layoutFields({ delimiter = '', decimal, source = '' }: Reading): Html {
  const listed = (all: readonly (readonly [string, string])[], chosen: string) =>
    all.map(([value, text]) => option(value, text, value === chosen));
  return html`<label for="decimal">Decimal mark of amounts</label>
<select id="decimal" name="decimal">${listed(DECIMALS, decimal ?? '')}</select>
<label for="delimiter">Cell separator of a .csv file</label>
<select id="delimiter" name="delimiter">${listed(DELIMITERS, delimiter)}</select>
${field({ name: 'source', label: 'Country that the money comes from', hint: 'Empty: as the settings say.', value: source })}`;
}

export async function sayColumns(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => {
    const form = await visit.form();
    const seen = await columnsOf(file, payfile);
    const shownRow = form.text('shownRow');
    if (shownRow !== '' && shownRow !== String(seen?.headerRow)) return changedMeanwhile(file);
    const place = otherPlace(seen, form.all('sheet')[0], form.text('headerRow'));
    const said = place === undefined ? answersSaid(file, seen, form.text) : [];
    if (typeof said === 'string') return seeWhyNot(`${pathOf(file)}#columns`, said);
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    // A header row that is only guessed is what the person saw and confirmed.
    const headerRow = seen?.refusal === undefined ? file.reading.headerRow : seen.headerRow;
    const next = ({ reading }: KeptFile) => ({
      reading: {
        ...{ ...reading, headerRow, ...place, answers: said },
        decimal: DECIMALS.find(([value]) => value === form.text('decimal'))?.[0] || undefined,
        delimiter: DELIMITERS.find(([value]) => value === form.text('delimiter'))?.[0] || undefined,
        source: form.text('source') || undefined,
      },
    });
    return say(file, visit, next) ? see(pathOf(file)) : beingPlanned(file);
  });
}

/** Another sheet or header row than was shown. What was said of the columns before says nothing of these. */
function otherPlace(
  seen: FileColumns | undefined,
  sheet: string | undefined,
  rowSaid: string,
): Pick<Reading, 'sheet' | 'headerRow'> | undefined {
  if (!/^(?:[1-9]\d{0,6})?$/.test(rowSaid)) throw new FormRefused('A header row is a number, such as 4.');
  const headerRow = rowSaid === '' ? undefined : Number(rowSaid);
  if (seen === undefined) return { sheet: sheet || undefined, headerRow };
  const isListed = sheet !== undefined && seen.sheets.includes(sheet);
  if (isListed && sheet !== seen.sheet) return { sheet, headerRow: undefined };
  return headerRow === undefined || headerRow === (seen.headerRow ?? 1) ? undefined : { headerRow };
}

/** Answers about columns are replaced; the others stay. A sentence: what cannot be meant. */
function answersSaid(
  { reading: { answers: before = [] } }: KeptFile,
  seen: FileColumns | undefined,
  typed: (name: string) => string,
): readonly FileAnswer[] | string {
  const isAboutColumn = (answer: FileAnswer) =>
    (answer.kind === 'map' && answer.headers.length === 1) ||
    answer.kind === 'ignore' ||
    answer.kind === 'set';
  const stay = before.filter((answer) => !isAboutColumn(answer));
  const set = SAME.flatMap((of): readonly FileAnswer[] => {
    const text = typed(`same-${of}`);
    return text === '' ? [] : [{ kind: 'set', field: of, text }];
  });
  const own = before.filter((answer) => answer.kind === 'set' && !SAME.some((of) => of === answer.field));
  const columnAnswers = seen === undefined ? before.filter(isAboutColumn) : columnsSaid(seen, before, typed);
  return typeof columnAnswers === 'string' ? columnAnswers : [...stay, ...own, ...set, ...columnAnswers];
}

function columnsSaid(
  { columns: all }: FileColumns,
  before: readonly FileAnswer[],
  typed: (name: string) => string,
): readonly FileAnswer[] | string {
  const chosenOf = (at: number): Field | undefined => CHOICES.find((each) => each === typed(`field-${at}`));
  const said: FileAnswer[] = [];
  const taken = new Map<Field, string>();
  for (const [at, { header, field: is, isDoubled }] of all.entries()) {
    if (header === '' || is === 'replaces') continue;
    const chosen = chosenOf(at);
    const wasSaid = before.some(
      (answer) =>
        (answer.kind === 'map' && answer.headers.length === 1 && answer.headers[0] === header) ||
        (answer.kind === 'ignore' && answer.header === header),
    );
    if (chosen === undefined) {
      const isElsewhere = all.some((_, other) => other !== at && chosenOf(other) === is);
      if (is === undefined ? wasSaid : !isElsewhere) said.push({ kind: 'ignore', header });
      continue;
    }
    const isNew = chosen !== is || isDoubled || wasSaid;
    const other = taken.get(chosen);
    if (other !== undefined && isNew)
      return `“${other}” and “${header}” cannot both hold the ${chosen}. Choose one.`;
    taken.set(chosen, header);
    if (isNew) said.push({ kind: 'map', field: chosen, headers: [header] });
  }
  return said;
}
