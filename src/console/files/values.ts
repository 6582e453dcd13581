/**
 * Names of banks and providers that mean nothing to the service: a person says which institution of that country each
 * of them is. It is saved with the columns under a name, for the next file. None is chosen by likeness.
 */
import { counted, rowsText } from '../../domain/text/printable.ts';
import { saveReading } from '../../operations/reading.ts';
import type { Payfile, UnknownInstitution } from '../../payfile.ts';
import { type Html, html, NOTHING, type Piece } from '../../views/html.ts';
import { hidden, wideTable } from '../page/fields.ts';
import { option } from '../page/option.ts';
import { type Answer, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { underWay } from './found.ts';
import type { KeptFile } from './kept-files.ts';
import { beingPlanned, isBeingPlanned, layoutOf, lookAt, pathOf, withFile } from './looking.ts';

const NAMES_SHOWN = 50;

export async function valuesPage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { payfile }) => {
    const looked = await lookAt(file, visit);
    if (looked.kind === 'under_way') return underWay(file, visit);
    if (looked.kind === 'refused') return see(pathOf(file));
    const { unknown, readingName } = looked.checked;
    if (unknown.length === 0)
      return page(
        `Banks: ${file.name}`,
        html`<p>Every bank and provider that the file names is in the list of its country.</p>\n`,
      );
    const shown = unknown.slice(0, NAMES_SHOWN);
    const choices = await institutionsOf(shown, payfile);
    const rows = shown.map((each, at) => choiceRow(each, at, choices.get(each.country.id) ?? []));
    const left = unknown.length - shown.length;
    return page(
      `Banks: ${file.name}`,
      html`<p>The service has no bank or provider of these names. Choose which one is meant, or correct the cells instead. What you do not know, leave open: a wrong bank pays a wrong account.</p>
<form method="post" action="${pathOf(file)}/values" data-keep>
${wideTable({ label: 'Names that are not known', heads: ['Written', 'Country', { count: 'Rows' }, 'It means'], rows })}${left > 0 ? html`<p class="note">… and ${counted(left, 'more name')}, after these.</p>\n` : NOTHING}${nameField(file, readingName)}<button class="main">Save what was chosen</button>
</form>
`,
    );
  });
}

/** `known`: the name under which files of these columns are saved already. */
export function nameField({ name }: KeptFile, known: string | undefined): Html {
  const proposed =
    known ??
    name
      .replace(/\.\w{1,5}$/, '')
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 60);
  const fixed = known === undefined ? NOTHING : html` readonly`;
  return html`<label for="name">Save under the name <span class="under">The next file with the same columns is read in the same way.</span></label>
<input id="name" name="name" value="${proposed}" maxlength="60" required${fixed}>
`;
}

type Institutions = Awaited<ReturnType<Payfile['lists']['institutions']>>['institutions'];

async function institutionsOf(
  unknown: readonly UnknownInstitution[],
  payfile: Payfile,
): Promise<ReadonlyMap<string, Institutions>> {
  const found = new Map<string, Institutions>();
  for (const { country, countryCode } of unknown)
    if (!found.has(country.id))
      found.set(country.id, (await payfile.lists.institutions({ country: countryCode })).institutions);
  return found;
}

function choiceRow(
  { country, countryCode, written, rows, firstRow, suggestions }: UnknownInstitution,
  at: number,
  all: Institutions,
): readonly Piece[] {
  const near = new Set(suggestions.map(({ id }) => id));
  const listed = (which: Institutions) =>
    which.map(({ id, name, currency }) => option(id, `${name} (${currency})`, false));
  const likely = all.filter(({ id }) => near.has(id));
  const others = all.filter(({ id }) => !near.has(id));
  const group =
    likely.length === 0 ? NOTHING : html`<optgroup label="Of a similar name">${listed(likely)}</optgroup>`;
  const where = `${rowsText(rows)}, the first is row ${firstRow}`;
  const choice = html`${hidden(`written-${at}`, written)}${hidden(`country-${at}`, countryCode)}<select id="means-${at}" name="means-${at}"><option value="" selected>Not said yet</option>${group}<optgroup label="All of ${country.name}">${listed(others)}</optgroup></select>`;
  return [
    html`<label for="means-${at}">${written}</label>`,
    country.name,
    html`${rows}<span class="unseen"> (${where})</span>`,
    choice,
  ];
}

export async function saveValues(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile }) => {
    const form = await visit.form();
    if (isBeingPlanned(file, visit)) return beingPlanned(file);
    const values = Array.from({ length: NAMES_SHOWN }, (_, at) => ({
      ...({ kind: 'value', field: 'institution' } as const),
      written: form.all(`written-${at}`)[0] ?? '',
      country: form.text(`country-${at}`),
      means: form.text(`means-${at}`),
    })).filter(({ means }) => means !== '');
    if (values.length === 0)
      return seeWhyNot(`${pathOf(file)}/values`, 'Nothing was chosen, so nothing was saved.');
    const name = form.text('name');
    const found = desk.files.found(file.id);
    const unknown = found?.kind === 'rows' ? found.checked.unknown.length : values.length;
    // What was said of this file alone stays with it.
    await payfile.call(saveReading, { ...layoutOf(file), name, file: file.path, save: values });
    desk.files.forgetFound();
    const said = `Saved as “${name}”: the meaning of ${counted(values.length, 'name')}.`;
    return unknown > values.length ? see(`${pathOf(file)}/values`, said) : see(pathOf(file), said);
  });
}
