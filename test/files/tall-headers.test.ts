/** Headers of two rows: merged cells, a band of groups, and titles that are no headers. */
import { expect, it } from 'vitest';
import { buildZip, workbookParts } from './build-zip.ts';
import { readBytes } from './read-file.ts';

const BAND = ['No|Name|Bank details|||Net Pay', '||Country|Bank Name|Account No|'];
const ROW = 'T-01|Yaw Acheampong|Ghana|GCB Bank|1011130024576|1450';

const asCsv = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);

function asWorkbook(lines: readonly string[], merges: readonly string[]) {
  const rows = lines.map(
    (line) =>
      `<row>${line
        .split('|')
        .map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
        .join('')}</row>`,
  );
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const sheet = `<sheetData>${rows.join('')}</sheetData>${merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`}`;
  return buildZip(workbookParts({ sheets: { May: sheet } }));
}

it.each<readonly [what: string, file: Buffer, headers: string]>([
  [
    'cells merged over both rows',
    asWorkbook([...BAND, ROW], ['A1:A2', 'B1:B2', 'C1:E1', 'F1:F2']),
    '2: No|Name|Country|Bank Name|Account No|Net Pay',
  ],
  ['the same in CSV', asCsv([...BAND, ROW]), '2: No|Name|Country|Bank Name|Account No|Net Pay'],
  [
    'a tall cell beside single ones',
    asWorkbook(['Name|||||Amount', '|No|Country|Bank|Account|', ROW], ['A1:A2', 'F1:F2']),
    '2: Name|No|Country|Bank|Account|Amount',
  ],
  [
    'below a title',
    asWorkbook(['Payroll May', ...BAND, ROW], ['A1:F1', 'A2:A3', 'B2:B3', 'F2:F3', 'C2:E2']),
    '3: No|Name|Country|Bank Name|Account No|Net Pay',
  ],
  [
    'a title above a column without a header',
    asCsv(['Name||||', '|Country|Bank|Account|Amount', ROW.slice(5)]),
    '2: |Country|Bank|Account|Amount',
  ],
  [
    'a merged cell above the last column, whatever its header names',
    asWorkbook(
      ['List of May|||||Status', 'Name|Country|Bank|Account|Amount|', `${ROW.slice(5)}|PAID`],
      ['F1:F2'],
    ),
    '2: Name|Country|Bank|Account|Amount|Status',
  ],
  [
    'a cell that is merged over three rows',
    asWorkbook(
      ['|Stop?||||', '||Bank details|||', 'Name||Country|Bank|Account|Amount', ROW],
      ['B1:B3', 'C2:E2'],
    ),
    '3: Name|Stop?|Country|Bank|Account|Amount',
  ],
  [
    'a label and its value above the header',
    asCsv(['Name|May 2026|||', '|Country|Bank|Account|Amount', ROW.slice(5)]),
    '2: |Country|Bank|Account|Amount',
  ],
])('are read: %s', async (_, file, headers) => {
  const { source } = await readBytes(file);
  expect(`${source.headerRow}: ${source.headers.join('|')}`).toBe(headers);
});

it.each([
  ['in a workbook', asWorkbook(['||||Amount||', 'Name|Country|Bank|Account||Cuts|Sent', 'x'], ['E1:G1'])],
  ['in CSV', asCsv(['||||Amount||', 'Name|Country|Bank|Account||Cuts|Sent', `${ROW}|`])],
])('takes no band of groups for the header of its first column: %s', async (_, file) => {
  expect([...(await readBytes(file)).source.columns.keys()]).not.toContain('amount');
});
