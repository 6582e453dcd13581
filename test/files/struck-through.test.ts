/** Rows and cells that a person struck through: they are held, as hidden ones are. */
import { expect, it } from 'vitest';
import { openRows } from '../../src/files/payout-file.ts';
import { checkFile } from '../../src/use-cases/intake/check-file.ts';
import { optionsOf, SANDBOX_LISTS } from '../corpus/read-corpus.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { withFile } from './read-file.ts';

const HEADER = ['Country', 'Bank', 'Account', 'Amount', 'Team'];
const ROW = ['Ghana', 'GCB Bank', '1011130024576', '120.50', 'Sales'];
const STYLES =
  '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
  '<cellStyleXfs><xf fontId="0"/><xf fontId="1"/></cellStyleXfs>' +
  '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/><xf xfId="1"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs>';
const run = (text: string, isStruck: boolean) =>
  `<r>${isStruck ? '<rPr><strike/></rPr>' : ''}<t xml:space="preserve">${text}</t></r>`;
const STRINGS = `<si>${run('Ghana', false)}</si><si>${run('Gha', false)}${run('na', true)}</si>`;
const cell = (text: string, style = 0) => `<c t="inlineStr" s="${style}"><is><t>${text}</t></is></c>`;
const cells = (style: (at: number) => number) => ROW.map((text, at) => cell(text, style(at)));

it.each<readonly [what: string, row: readonly string[], held: readonly string[]]>([
  ['all of its cells', cells(() => 1), ['the row is struck through in the sheet']],
  [
    'all that are used, by a named style',
    cells((at) => (at < 4 ? 3 : 0)),
    ['the row is struck through in the sheet'],
  ],
  ['its amount', cells((at) => (at === 3 ? 1 : 0)), ['the value in column D “Amount” is struck through']],
  ['a column that is not used', cells((at) => (at === 4 ? 1 : 0)), []],
  ['nothing: the font says no', cells(() => 2), []],
  ['nothing of its texts', ['<c t="s"><v>0</v></c>', ...cells(() => 0).slice(1)], []],
  [
    'a part of its country',
    ['<c t="s"><v>1</v></c>', ...cells(() => 0).slice(1)],
    ['the value in column A “Country” is struck through'],
  ],
  [
    'a part of its bank',
    [
      cell('Ghana'),
      `<c t="inlineStr"><is>${run('GCB', true)}${run(' Bank', false)}</is></c>`,
      ...cells(() => 0).slice(2),
    ],
    ['the value in column B “Bank” is struck through'],
  ],
])('a row that has struck through %s', async (_, row, held) => {
  const sheet = `<sheetData><row>${HEADER.map((text) => cell(text)).join('')}</row><row>${row.join('')}</row></sheetData>`;
  const parts = workbookParts({ sheets: { May: sheet }, sharedStrings: STRINGS, styles: STYLES });
  const found = await withFile(buildZip(parts), (path) =>
    checkFile(openRows, optionsOf(path, new Map()), { paymentService: SANDBOX_LISTS, tell: () => undefined }),
  );
  expect([found.invalid, found.holds.flatMap(({ reasons }) => reasons)]).toEqual([0, held]);
});
