/**
 * One list of payments, written in twenty ways, is one batch: the same instructions and the same identity.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchDigest } from '../../src/domain/batches/batch.ts';
import { encodeText } from '../builders/encode-text.ts';
import { buildZip, workbookParts } from '../files/build-zip.ts';
import { readWhole } from './read-corpus.ts';

const FIELDS = ['Reference', 'Country', 'Institution', 'Account', 'Name', 'Amount', 'Note'] as const;
type Line = Readonly<Record<(typeof FIELDS)[number], string>>;
type Marks = { readonly decimal: '.' | ','; readonly thousands: string };

const line = (cells: string): Line => {
  const parts = cells.split('|');
  return Object.fromEntries(FIELDS.map((field, at) => [field, parts[at] ?? ''])) as Line;
};
const LINES: readonly Line[] = [
  line('P-1|Ghana|MTN Mobile Money|0244123456|Ama Serwaa Boateng|1234567.5|Mai, 1ère moitié'),
  line("P-2|Côte d'Ivoire|Orange Money|0707123456|Adjoua Kouamé|25000|"),
  line('P-3|Nigeria|Guaranty Trust Bank|0123456785|Chukwuemeka Okafor|1200.75|Bonus'),
  line('P-4|Sénégal|Ecobank Sénégal|SN0940100100045219873040|Ets "Baobab"|1500000|'),
  line('P-5|Kenya|M-PESA|0712345678|Wanjiru Kamau|0.5|Rückerstattung'),
];

/** `1234567.5` → `1 234 567,50`. */
function written(plain: string, { decimal, thousands }: Marks): string {
  const [whole = '', fraction = ''] = plain.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return fraction === '' ? grouped : `${grouped}${decimal}${fraction.padEnd(2, '0')}`;
}

const PLAIN: Marks = { decimal: '.', thousands: '' };
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

function csv(
  delimiter: string,
  marks: Marks,
  lines = LINES,
  fields: readonly (keyof Line)[] = FIELDS,
): string {
  const rows = lines.map((each) =>
    fields.map((field) => (field === 'Amount' ? written(each.Amount, marks) : each[field])),
  );
  return [fields, ...rows].map((cells) => `${cells.map(quoted).join(delimiter)}\n`).join('');
}

async function byExceljs(format: string, above: readonly string[] = []): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Pay');
  for (const title of above) sheet.addRow([title]);
  sheet.addRow([...FIELDS]);
  for (const each of LINES)
    sheet.addRow(FIELDS.map((field) => (field === 'Amount' ? Number(each.Amount) : each[field])));
  sheet.getColumn(6).numFmt = format;
  return Buffer.from(await book.xlsx.writeBuffer());
}

function byHand(shared: boolean): Buffer {
  const strings: string[] = [];
  const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const cell = (text: string, field: string) => {
    if (field === 'Amount' && text !== 'Amount') return `<c><v>${text}</v></c>`;
    if (!shared) return `<c t="inlineStr"><is><t>${safe(text)}</t></is></c>`;
    strings.push(text);
    return `<c t="s"><v>${strings.length - 1}</v></c>`;
  };
  const row = (cells: readonly string[]) =>
    `<row>${cells.map((text, at) => cell(text, FIELDS[at] ?? '')).join('')}</row>`;
  const rows = [[...FIELDS], ...LINES.map((each) => FIELDS.map((field) => each[field]))].map(row);
  const sharedStrings = strings.map((text) => `<si><t>${safe(text)}</t></si>`).join('');
  const sheets = { Pay: `<sheetData>${rows.join('')}</sheetData>` };
  return buildZip(shared ? workbookParts({ sheets, sharedStrings }).reverse() : workbookParts({ sheets }));
}

const reversed = [...LINES].reverse();
const otherColumns = [...FIELDS].reverse();
const withTotal = `${csv(',', PLAIN)}"Total","","","","","2760768.75",""\n`;
const spaced = csv(',', PLAIN)
  .replaceAll('"Ghana"', '" Ghana\u00a0"')
  .replaceAll('"0244123456"', '"\u00a00244123456 "');

const WAYS: Readonly<Record<string, () => Promise<Buffer> | Buffer | string>> = {
  'UTF-8': () => csv(',', PLAIN),
  'UTF-8 with its mark': () => `\ufeff${csv(',', PLAIN)}`,
  'UTF-16, low byte first': () => encodeText(`\ufeff${csv(',', PLAIN)}`, 'utf-16le'),
  'UTF-16, high byte first': () => encodeText(`\ufeff${csv('\t', PLAIN)}`, 'utf-16be'),
  'windows-1252 as declared': () => encodeText(csv(';', PLAIN), 'windows-1252'),
  'iso-8859-1 as declared': () => encodeText(csv(';', PLAIN), 'iso-8859-1'),
  'CRLF line ends': () => csv(',', PLAIN).replaceAll('\n', '\r\n'),
  'CR line ends': () => csv(',', PLAIN).replaceAll('\n', '\r'),
  'a sep= line and pipes': () => `sep=|\n${csv('|', PLAIN)}`,
  'decimal commas and points between thousands': () => csv(';', { decimal: ',', thousands: '.' }),
  'decimal points and commas between thousands': () => csv(';', { decimal: '.', thousands: ',' }),
  'narrow spaces between thousands': () => csv('\t', { decimal: ',', thousands: '\u202f' }),
  'apostrophes between thousands': () => csv(',', { decimal: '.', thousands: "'" }),
  'other order of rows and columns': () => csv(',', PLAIN, reversed, otherColumns),
  'accents in the other normal form': () => csv(',', PLAIN).normalize('NFD'),
  'hard spaces around cells': () => spaced,
  'a title above and blank rows between': () =>
    `Acme,,,,,,\n,,,,,,\n${csv(',', PLAIN).replaceAll('"P-3"', ',,,,,,\n"P-3"')}`,
  'its own total below': () => withTotal,
  'another amount': () => csv(',', PLAIN).replace('"25000"', '"250001"'),
  'a workbook of exceljs': () => byExceljs('#,##0.00'),
  'a workbook with a title and another format': () => byExceljs('_-* #,##0.00_-;-* #,##0.00_-', ['Acme', '']),
  'a workbook with shared texts, parts in reverse': () => byHand(true),
  'a workbook with inline texts': () => byHand(false),
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-ways-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Batch {
  readonly digest: string;
  readonly payments: readonly string[];
}

async function batchOf(way: string): Promise<Batch> {
  const path = join(folder, 'pay');
  writeFileSync(path, (await WAYS[way]?.()) ?? '');
  const encoding = /^(\S+) as declared$/.exec(way)?.[1];
  const { seen, rows } = await readWhole(
    path,
    new Map(encoding === undefined ? [] : [['encoding', encoding]]),
  );
  const strange = seen.filter(({ what }) => !what.startsWith('pays') && !what.startsWith('blank'));
  expect(strange, way).toEqual([]);
  const keys = rows.map(({ keys: { rowKey } }) => rowKey).sort(Buffer.compare);
  async function* pages() {
    yield keys;
  }
  const payments = seen
    .map(({ what }) => what.replace(/^pays \d+ /, ''))
    .filter((what) => !what.startsWith('blank'));
  return { digest: await batchDigest(pages()), payments: payments.sort() };
}

const EXPECTED = [
  '| CI | 0707123456 | 25000 XOF | Adjoua Kouamé',
  '| GH | 0244123456 | 1234567.50 GHS | Ama Serwaa Boateng',
  '| KE | 0712345678 | 0.50 KES | Wanjiru Kamau',
  '| NG | 0123456785 | 1200.75 NGN | Chukwuemeka Okafor',
  '| SN | SN0940100100045219873040 | 1500000 XOF | Ets "Baobab"',
];

describe('the same payments', () => {
  it('[B2][F1][F4][F5][F18][F25][F26] are one batch, however a program writes them', async () => {
    const { digest } = await batchOf('UTF-8');
    for (const way of Object.keys(WAYS).filter((each) => each !== 'another amount')) {
      const batch = await batchOf(way);
      expect(batch.payments, way).toEqual(EXPECTED);
      expect(batch.digest, way).toBe(digest);
    }
    expect((await batchOf('another amount')).digest).not.toBe(digest);
  });
});
