/**
 * Big files and files that unpack to big ones, each checked in a process of its own whose memory is measured.
 * `SOAK=1` adds the full sizes: 100,000 rows of a workbook, 1,000,000 rows of CSV, 4,000,001 shared texts. It also adds
 * every place for a zip bomb.
 */
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip, workbookParts, type ZipPart } from '../files/build-zip.ts';

const IS_SOAK = process.env.SOAK === '1';
const MOST_MB = 300;
const CHILD = fileURLToPath(new URL('size-child.ts', import.meta.url));
const run = promisify(execFile);

interface Checked {
  readonly files: readonly {
    readonly rows?: number;
    readonly invalid?: number;
    readonly blankRows?: number;
    readonly refused?: string;
  }[];
  readonly maxRssMb: number;
  readonly ms: number;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-size-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** One process for all of them; the files are removed. */
async function checked(names: readonly string[]): Promise<Checked> {
  const paths = names.map((name) => join(folder, name));
  const { stdout } = await run(process.execPath, [CHILD, ...paths], { timeout: 280_000 });
  for (const path of paths) rmSync(path);
  const found = JSON.parse(stdout) as Checked;
  if (IS_SOAK) console.log(names.join(', '), found);
  return found;
}

function kept(name: string, bytes: Buffer): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}

const HEADER = ['Reference', 'Country', 'Institution', 'Account', 'Name', 'Amount'];

function csvOf(rows: number): string {
  const file = openSync(join(folder, 'big.csv'), 'w');
  writeSync(file, `${HEADER.join(',')}\n`);
  for (let from = 0; from < rows; from += 10_000) {
    let text = '';
    for (let at = from; at < Math.min(from + 10_000, rows); at += 1) {
      const digits = String(at).padStart(7, '0');
      text += `R-${digits},Ghana,GCB Bank,101${digits}456,Ama Serwaa Boateng,${at + 1}.50\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
  return 'big.csv';
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (cells: readonly string[]) => `<row>${cells.join('')}</row>`;
const ama = (at: number) =>
  row([
    ...[`R-${at}`, 'Ghana', 'GCB Bank', `101${1_000_000 + at}456`, 'Ama Serwaa Boateng'].map(text),
    `<c><v>${at + 1}.5</v></c>`,
  ]);
const sheetOf = (inner: string): Buffer => buildZip(workbookParts({ sheets: { May: inner } }));
const workbookOf = (rows: number): Buffer => {
  const cells = Array.from({ length: rows }, (_, at) => ama(at)).join('');
  return sheetOf(`<sheetData>${row(HEADER.map(text))}${cells}</sheetData>`);
};

describe('a big file', () => {
  it('[F8] of CSV is checked in flat memory', { timeout: 300_000 }, async () => {
    const rows = IS_SOAK ? 1_000_000 : 40_000;
    const { files, maxRssMb } = await checked([csvOf(rows)]);
    expect(files).toEqual([{ rows, invalid: 0, blankRows: 0 }]);
    expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
  });

  it('[F8] of a workbook is checked in flat memory', { timeout: 300_000 }, async () => {
    const rows = IS_SOAK ? 100_000 : 8_000;
    const { files, maxRssMb } = await checked([kept('big.xlsx', workbookOf(rows))]);
    expect(files).toEqual([{ rows, invalid: 0, blankRows: 0 }]);
    expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
  });

  it('[F26] with formatted blank rows to the end of the sheet pays its few rows and counts the others', {
    timeout: 120_000,
  }, async () => {
    // As spreadsheets write it when a whole column was formatted; it packs to almost nothing, like a bomb.
    const last = IS_SOAK ? 1_048_576 : 40_000;
    const blank = Array.from(
      { length: last - 3 },
      (_, at) => `<row r="${at + 4}" s="1"><c r="A${at + 4}" s="1"/><c r="F${at + 4}" s="1"/></row>`,
    );
    const inner = `<sheetData>${row(HEADER.map(text))}${ama(1)}${ama(2)}${blank.join('')}</sheetData>`;
    const { files, maxRssMb } = await checked([kept('blank.xlsx', sheetOf(inner))]);
    expect(files).toEqual([{ rows: 2, invalid: 0, blankRows: last - 3 }]);
    expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
  });

  it('[F7] of one endless line, or one endless quote, is refused before it fills the memory', {
    timeout: 120_000,
  }, async () => {
    const start = Buffer.from('Country,Institution,Account,Amount\n');
    const endless = kept('endless.csv', Buffer.concat([start, Buffer.alloc(30_000_000, 'x')]));
    const quoted = kept(
      'quoted.csv',
      Buffer.concat([start, Buffer.from('"'), Buffer.alloc(30_000_000, 'x\n')]),
    );
    const { files, maxRssMb } = await checked([endless, quoted]);
    expect(files[0]?.refused).toMatch(/row 2.*(?:8 MB|characters)/);
    expect(files[1]?.refused).toMatch(/row 2.*(?:8 MB|never closed)/);
    expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
  });
});

/** Packed zeros and spaces: what a small archive can hold. */
function bomb(size: number, name = 'xl/worksheets/anything0.xml', more: Partial<ZipPart> = {}): ZipPart {
  return { name, content: Buffer.alloc(size, ' '), ...more };
}

describe('an archive made to unpack without end', () => {
  const parts = workbookParts({ sheets: { May: '' } });
  const withBomb = (part: ZipPart) => buildZip([...parts.filter(({ name }) => name !== part.name), part]);
  const BOMBS: readonly (readonly [string, () => Buffer])[] = [
    ['in its sheet', () => withBomb(bomb(20_000_000))],
    ['in its sheet, with a small size declared', () => withBomb(bomb(20_000_000, undefined, { size: 100 }))],
    [
      'in its shared texts',
      () =>
        buildZip([
          ...workbookParts({ sheets: { May: '<sheetData/>' }, sharedStrings: '' }).filter(
            ({ name }) => name !== 'xl/sharedStrings.xml',
          ),
          bomb(20_000_000, 'xl/sharedStrings.xml'),
        ]),
    ],
    [
      'in its styles',
      () =>
        buildZip([
          ...workbookParts({ sheets: { May: '<sheetData/>' }, styles: '' }).filter(
            ({ name }) => name !== 'xl/styles.xml',
          ),
          bomb(20_000_000, 'xl/styles.xml'),
        ]),
    ],
    ['in its list of sheets', () => withBomb(bomb(20_000_000, 'xl/workbook.xml'))],
    ['in its relations', () => withBomb(bomb(20_000_000, '_rels/.rels'))],
    [
      'packed twice',
      () =>
        withBomb({ name: 'xl/worksheets/anything0.xml', content: deflateRawSync(Buffer.alloc(80_000_000)) }),
    ],
  ];
  it('[F9] is refused soon and in little memory, wherever the bomb lies', { timeout: 120_000 }, async () => {
    const bombs = BOMBS.filter((_, at) => IS_SOAK || at % 3 === 0);
    const { files, maxRssMb } = await checked(
      bombs.map(([where, made]) => kept(`bomb ${where}.xlsx`, made())),
    );
    for (const [at, [where]] of bombs.entries())
      expect(files[at]?.refused, where).toMatch(/unpacks to more data|damaged|XML/);
    expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
  });
});

describe('a workbook made to fill the memory of whoever reads its XML', () => {
  const FEW_MB = 250;
  const around = workbookParts({ sheets: { May: '<sheetData/>' }, sharedStrings: '', styles: '' });
  const withContent = (name: string, content: string) =>
    buildZip(around.map((part) => (part.name === name ? { ...part, content } : part)));
  /** Names that differ, so that the archive is as large as what it holds. */
  const elements = Array.from({ length: 300_000 }, (_, at) => `<n${(at * 2_654_435_761) >>> 0}>`).join('');

  it('[F7] is refused before that, with elements in one another without end', {
    timeout: 120_000,
  }, async () => {
    const all = ['xl/worksheets/anything0.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml'];
    const parts = IS_SOAK ? all : all.slice(0, 2);
    const { files, maxRssMb } = await checked(
      parts.map((name, at) => kept(`deep${at}.xlsx`, withContent(name, `<worksheet>${elements}`))),
    );
    for (const [at, name] of parts.entries())
      expect(files[at]?.refused, name).toContain('nested more than 64 levels deep');
    expect(maxRssMb).toBeLessThanOrEqual(FEW_MB);
  });

  it('[F7] is refused before that, with more texts or formats than any sheet has use for', {
    timeout: 120_000,
  }, async () => {
    // So many texts take as long as all other tests here: every day the formats stand for both.
    const texts = Array.from(
      { length: IS_SOAK ? 4_000_001 : 0 },
      (_, at) => `<si><t>${at.toString(36)}</t></si>`,
    ).join('');
    const formats = Array.from({ length: 70_001 }, (_, at) => `<xf numFmtId="${at}"/>`).join('');
    const { files, maxRssMb } = await checked([
      kept('texts.xlsx', withContent('xl/sharedStrings.xml', `<sst>${texts}</sst>`)),
      kept('formats.xlsx', withContent('xl/styles.xml', `<s><cellXfs>${formats}</cellXfs></s>`)),
    ]);
    if (IS_SOAK) expect(files[0]?.refused).toContain('more than 4000000 shared texts');
    expect(files[1]?.refused).toContain('more than 70000 cell formats');
    expect(maxRssMb).toBeLessThanOrEqual(2 * FEW_MB);
  });
});
