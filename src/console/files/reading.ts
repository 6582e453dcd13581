/**
 * How a file is read, where it does not say so by itself: the sheet, the row of headers, decimals, the country of origin.
 */
import { type Html, html, NOTHING } from '../../views/html.ts';
import { option } from '../page/option.ts';
import { FormRefused } from '../server/form.ts';
import { type Answer, see, type Visit } from '../server/route.ts';
import type { KeptFile, Reading } from './kept-files.ts';
import { beingPlanned, pathOf, say, withFile } from './looking.ts';

/** `isNeeded`: nothing can be done with the file otherwise. */
export function readingForm({ reading, ...file }: Pick<KeptFile, 'id' | 'reading'>, isNeeded = false): Html {
  const { sheet = '', headerRow, delimiter = '', decimal, source = '' } = reading;
  const marks: readonly (readonly [string, string])[] = [
    ['', 'as the file writes them'],
    ['point', 'with a point: 1,250.00'],
    ['comma', 'with a comma: 1.250,00'],
  ];
  return html`<details${isNeeded ? html` open` : NOTHING}><summary>Read it in another way</summary>
<form method="post" action="${pathOf(file)}/reading">
<label for="sheet">Sheet <span class="under">By its name. Empty: the one that has the table.</span></label>
<input id="sheet" name="sheet" value="${sheet}" maxlength="200">
<label for="headerRow">Row with the names of the columns <span class="under">Empty: it is looked for.</span></label>
<input id="headerRow" name="headerRow" inputmode="numeric" pattern="[0-9]{1,7}" value="${headerRow}">
<label for="delimiter">Mark between the cells <span class="under">Of a .csv file.</span></label>
<select id="delimiter" name="delimiter">${MARKS_BETWEEN.map(([value, text]) => option(value, text, value === delimiter))}</select>
<label for="decimal">Decimals of amounts</label>
<select id="decimal" name="decimal">${marks.map(([value, text]) => option(value, text, value === (decimal ?? '')))}</select>
<label for="source">Country that the money comes from <span class="under">Where a row names none. Empty: as the configuration says.</span></label>
<input id="source" name="source" value="${source}" maxlength="100">
<button>Read it so</button>
</form></details>
<form method="post" action="${pathOf(file)}/remove"><button>Throw this file away</button></form>
`;
}

const MARKS_BETWEEN: readonly (readonly [string, string])[] = [
  ['', 'as the file writes them'],
  ['comma', 'comma'],
  ['semicolon', 'semicolon'],
  ['tab', 'tab'],
  ['pipe', 'upright line'],
];

export async function readOtherwise(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const form = await visit.form();
    // A sheet's name may begin with a space.
    const typed = (name: string) => form.text(name) || undefined;
    const sheet = form.text('sheet') === '' ? undefined : form.all('sheet')[0];
    const row = typed('headerRow');
    if (row !== undefined && !/^[1-9]\d{0,6}$/.test(row))
      throw new FormRefused('The row with the names of the columns is a number, such as 4.');
    const mark = typed('decimal');
    const said: Reading = {
      sheet,
      headerRow: row === undefined ? undefined : Number(row),
      delimiter: MARKS_BETWEEN.find(([value]) => value === typed('delimiter'))?.[0],
      decimal: mark === 'point' || mark === 'comma' ? mark : undefined,
      source: typed('source'),
    };
    if (!say(file, visit, ({ reading }) => ({ reading: { ...reading, ...said } }))) return beingPlanned(file);
    return see(pathOf(file));
  });
}
