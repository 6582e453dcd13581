/** How a file is read: its sheet and header row, what each column holds, and what is the same for every row. */
import type { Answer as FileAnswer } from '../../domain/reading/answer.ts';
import { columnLetters } from '../../domain/rows/column-names.ts';
import { FIELDS, type Field } from '../../domain/rows/row.ts';
import { columns } from '../../operations/file.ts';
import { countries } from '../../operations/lists.ts';
import { type FileColumns, FileRefused } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { type Field as FormField, field, form, hidden, options, wideTable } from '../page/fields.ts';
import { labelOf } from '../page/words.ts';
import { FormRefused } from '../server/form.ts';
import { type Answer, see, seeWhyNot, type Visit } from '../server/route.ts';
import type { KeptFile, Reading } from './kept-files.ts';
import { beingPlanned, changedMeanwhile, isAsReadNow, pathOf, say, withFile } from './looking.ts';

/** Which payment a row pays again is a column of payfile itself. */
const FIELDS_SAID = FIELDS.filter((of) => of !== 'replaces');
const CHOICES = [['', 'Not used'] as const, ...FIELDS_SAID.map((of) => [of, labelOf(of)] as const)];
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
  const said = (file.reading.answers ?? []).flatMap((answer) =>
    answer.kind === 'set' ? [[answer.field, answer.text] as const] : [],
  );
  const same = new Map<string, string>(said);
  const chosen = same.get('country') ?? '';
  const known = listed.map(({ iso, name }) => [iso, name] as const);
  const other = known.some(([iso]) => iso === chosen) || chosen === '' ? [] : [[chosen, chosen] as const];
  const choices = [['', 'Each row has its own'] as const, ...other, ...known];
  const sameFields: readonly FormField[] = [
    { name: 'country', label: 'Country', choices },
    { name: 'currency', label: 'Currency', hint: 'Such as KES. Empty: as each row says.' },
    { name: 'note', label: 'Note', hint: 'Empty: as each row says.' },
  ];
  const fields = html`${seen === undefined ? placeFields(file.reading) : html`${sheetChoice(seen)}${headerRows(seen)}${columnChoices(seen)}`}<fieldset><legend>The same for every row</legend>
${sameFields.map((of) => field({ ...of, name: `same-${of.name}`, value: same.get(of.name) }))}</fieldset>
${layoutFields(file.reading)}`;
  return html`<details id="columns"${isOpen ? html` open` : NOTHING}><summary>Columns, sheet and decimals</summary>
${form({ action: `${pathOf(file)}/columns`, fields, button: 'Read the file this way', look: isOpen ? 'main' : 'plain' })}</details>
`;
}

/** Where no table is found to choose from. */
const placeFields = ({ sheet = '', headerRow }: Reading): Html =>
  html`${field({ name: 'sheet', label: 'Sheet', hint: 'Empty: the one with the table.', value: sheet })}${field({ name: 'headerRow', label: 'Header row', hint: 'Its number. Empty: payfile looks for it.', value: String(headerRow ?? '') })}`;

function sheetChoice({ sheets, sheet }: FileColumns): Html {
  if (sheets.length < 2) return NOTHING;
  const open = sheet === undefined ? [['', 'Choose a sheet'] as const] : [];
  const choices = [...open, ...sheets.map((name) => [name, name] as const)];
  return field({ name: 'sheet', label: 'Sheet with the payments', choices, value: sheet });
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
        : html`<select id="field-${at}" name="field-${at}"${isDoubled ? html` aria-invalid="true" aria-describedby="twice-${at}"` : NOTHING}>${options(CHOICES, is ?? '')}</select>${doubled}`;
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

const layoutFields = ({ delimiter, decimal, source }: Reading): readonly Html[] => [
  field({ name: 'decimal', label: 'Decimal mark of amounts', choices: DECIMALS, value: decimal }),
  field({ name: 'delimiter', label: 'Cell separator of a .csv file', choices: DELIMITERS, value: delimiter }),
  field({
    ...{ name: 'source', label: 'Country that the money comes from', value: source },
    hint: 'Empty: as the settings say.',
  }),
];

export async function sayColumns(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => {
    const sent = await visit.form();
    const seen = await columnsOf(file, payfile);
    const shownRow = sent.text('shownRow');
    if (shownRow !== '' && shownRow !== String(seen?.headerRow)) return changedMeanwhile(file);
    const place = otherPlace(seen, sent.all('sheet')[0], sent.text('headerRow'));
    const said = place === undefined ? answersSaid(file, seen, sent.text) : [];
    if (typeof said === 'string') return seeWhyNot(`${pathOf(file)}#columns`, said);
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    // A header row that is only guessed is what the person saw and confirmed.
    const headerRow = seen?.refusal === undefined ? file.reading.headerRow : seen.headerRow;
    const next = ({ reading }: KeptFile) => ({
      reading: {
        ...{ ...reading, headerRow, ...place, answers: said },
        decimal: DECIMALS.find(([value]) => value === sent.text('decimal'))?.[0] || undefined,
        delimiter: DELIMITERS.find(([value]) => value === sent.text('delimiter'))?.[0] || undefined,
        source: sent.text('source') || undefined,
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
  const chosenOf = (at: number): Field | undefined =>
    FIELDS_SAID.find((each) => each === typed(`field-${at}`));
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
