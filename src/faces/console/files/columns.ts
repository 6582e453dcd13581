/**
 * Which column of a file holds what: a person says it where the names of the columns do not. It counts for this file, and
 * for every file with the same columns once it is saved under a name.
 */
import { FIELDS, type Field } from '../../../domain/rows/row.ts';
import type { FileColumns, Payfile } from '../../../payfile.ts';
import { type Html, html, NOTHING } from '../../../views/html.ts';
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

export function fieldText(field: Field): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

export async function columnsPage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => shown(file, payfile));
}

async function shown(file: KeptFile, payfile: Payfile, wrong?: string): Promise<Answer> {
  const seen = await payfile.columns(file.path, layoutOf(file));
  const alarm = wrong ?? seen.refusal;
  const status = wrong === undefined ? {} : ({ status: 422 } as const);
  return page(
    `Columns: ${file.name}`,
    html`${alarm === undefined ? NOTHING : html`<p class="alarm" id="wrong" role="alert">${alarm}</p>\n`}${seen.columns.length === 0 ? NOTHING : table(file, seen)}${seen.refusal === undefined ? saving(file, seen) : NOTHING}<p><a class="button" href="${pathOf(file)}">Back to the file</a></p>
${seen.refusal === undefined ? NOTHING : readingForm(file, seen.sheets)}`,
    status,
  );
}

function table(file: KeptFile, { columns, missing, mapping, headerRow }: FileColumns): Html {
  const rows = columns.map(({ letter, header, field, isDoubled, values }, at) => {
    const name = header === '' ? html`<span class="quiet">no name</span>` : header;
    const choice =
      header === ''
        ? html`<span class="quiet">Not used: give it a name first.</span>`
        : html`<select id="field-${at}" name="field-${at}"${isDoubled ? html` aria-invalid="true" aria-describedby="twice-${at}"` : NOTHING}>${option('', 'A column of your own', field === undefined)}${CHOICES.map((each) => option(each, fieldText(each), each === field))}</select>${isDoubled ? html`<span class="wrong under" id="twice-${at}">Another column means the same: choose one.</span>` : NOTHING}`;
    return html`<tr><td>${letter}</td><th scope="row"><label for="field-${at}">${name}</label></th><td>${values.map((value) => html`<code>${value}</code> `)}</td><td>${choice}</td></tr>\n`;
  });
  const known = mapping === undefined ? '' : ` They are known, as “${mapping}”.`;
  const needed = missing.length === 0 ? '' : ` Still needed: ${missing.map(fieldText).join(', ')}.`;
  return html`<p>The names of the columns stand in row ${headerRow}.${known}${needed} Long numbers are masked here.</p>
<form method="post" action="${pathOf(file)}/columns" data-keep>
<div class="wide" role="region" aria-label="Columns of the file" tabindex="0"><table>
<thead><tr><th scope="col">Column</th><th scope="col">Name</th><th scope="col">For example</th><th scope="col">Holds</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<button class="main">Read it so</button>
</form>
`;
}

function saving(file: KeptFile, { mapping }: FileColumns): Html {
  return html`<form method="post" action="${pathOf(file)}/mapping">
${nameField(file, mapping)}<button>Save the columns</button>
</form>
`;
}

export async function sayColumns(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => {
    const form = await visit.form();
    const seen = await payfile.columns(file.path, layoutOf(file));
    const said = mapOf(seen, (at) => form.text(`field-${at}`), file.reading.map);
    if (typeof said === 'string') return shown(file, payfile, said);
    if (!isAsReadNow(file, visit)) return changedMeanwhile(file);
    if (!say(file, visit, ({ reading }) => ({ reading: { ...reading, map: said } })))
      return beingPlanned(file);
    const now = await payfile.columns(file.path, { ...layoutOf(file), map: said });
    return see(now.refusal === undefined ? pathOf(file) : `${pathOf(file)}/columns`);
  });
}

type Said = NonNullable<KeptFile['reading']['map']>;

/** What was said of the columns, or what cannot be meant. What nobody changed is found as before. */
function mapOf(
  { columns }: FileColumns,
  chosenOf: (at: number) => string,
  before: Said | undefined,
): Said | string {
  const map = new Map(before ?? []);
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
    const name = (await visit.form()).text('mapping');
    if (isBeingPlanned(file, visit)) return beingPlanned(file);
    await payfile.saveMapping(name, file.path, layoutOf(file));
    desk.files.forgetFound();
    return see(pathOf(file), `The columns are saved as “${name}”.`);
  });
}
