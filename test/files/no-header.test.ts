/** Words below an empty header cell: beside the table, inside it, and in its last rows alone. */
import { expect, it } from 'vitest';
import { openRows } from '../../src/files/payout-file.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { withFile } from './read-file.ts';

const HEADER = 'Name|Country|Bank|Account|Amount';
const row = (name: string) => `${name}|Ghana|GCB Bank|1011130024576|1450`;
const asCsv = (lines: readonly string[]) => `${lines.join('\n').replaceAll('|', ',')}\n`;

function asWorkbook(lines: readonly string[]): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = lines.map((line) => `<row>${line.split('|').map(cell).join('')}</row>`);
  return buildZip(workbookParts({ sheets: { May: `<sheetData>${rows.join('')}</sheetData>` } }));
}

/** Its headers, and the cells of its last row, as often as it asks to be read. */
async function readTwice(bytes: Buffer | string, asked: readonly string[] = []) {
  const answers = asked.map((header) => ({ kind: 'ignore', header, by: 'you', at: 0 as never }) as const);
  return withFile(bytes, async (path) => {
    const source = await openRows({ path, asked: { answers, edits: [], kept: [] } });
    let [reads, last]: [number, readonly string[]] = [0, []];
    try {
      do {
        reads += 1;
        for await (const rows of source.rows()) last = rows.at(-1)?.cells ?? last;
      } while (source.nameColumns?.() === true);
      return { reads, headers: source.headers.join('|'), last: last.join('|') };
    } finally {
      await source.close();
    }
  });
}

const MANY = Array.from({ length: 40 }, (_, at) => row(`Person ${at}`));

it.each<readonly [what: string, file: Buffer | string, headers: string]>([
  ['beside the table', asWorkbook([HEADER, row('Yaw'), `${row('Esi')}||PAID`]), `${HEADER}||G (no header)`],
  ['far below', asWorkbook([HEADER, ...MANY, `${row('Esi')}|hold`]), `${HEADER}|F (no header)`],
  [
    'before the table',
    asCsv([`|${HEADER}`, `|${row('Yaw')}`, `stop|${row('Esi')}`]),
    `A (no header)|${HEADER}`,
  ],
])('is read as a column of its own: %s', async (_, file, headers) => {
  const read = await readTwice(file);
  expect(read.headers).toBe(headers);
  expect(read.last.split('|')).toHaveLength(headers.split('|').length);
  expect(read.reads).toBe(2);
});

it('is not read again where a column without a header is empty, or was named before', async () => {
  const spaced = asCsv([`${HEADER}|`, `${row('Esi')}|`]);
  expect(await readTwice(spaced)).toMatchObject({ reads: 1, headers: `${HEADER}|` });
  const said = await readTwice(asWorkbook([HEADER, `${row('Esi')}|hold`]), ['F (no header)']);
  expect(said).toMatchObject({ reads: 1, headers: `${HEADER}|F (no header)` });
});
