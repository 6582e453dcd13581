/**
 * Files that were damaged at random: never a crash, never a hang, never more memory than a reading needs, and what
 * is paid is what a careful person reads in the file. `SOAK=1` throws for minutes
 * (SOAK_MS for each test), from a new seed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAmount } from '../../src/domain/money/read-amount.ts';
import { encodeText } from '../builders/encode-text.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { buildZip, workbookParts } from '../files/build-zip.ts';
import { carefulAmounts, carefulCsv, carefulDisplay, tidyDecimal } from './careful-reader.ts';
import { CORPUS, expectations } from './expectation.ts';
import { readWhole, type WholeReading } from './read-corpus.ts';
import { wounded } from './wounded.ts';

const IS_SOAK = process.env.SOAK === '1';
const BUDGET_MS = IS_SOAK ? Number.parseInt(process.env.SOAK_MS ?? '120000', 10) : 500;
/** However slow the machine is. */
const CASES_MIN = 25;
const SLOWEST_MS = 8_000;
const SEED = IS_SOAK ? Date.now() : 20_260_531;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Throws until the time is up; the seed of a case that fails stands in the message. */
async function untilTimeIsUp(one: (thrown: Random, seed: number) => Promise<void>): Promise<number> {
  const end = Date.now() + BUDGET_MS;
  let cases = 0;
  while (Date.now() < end || cases < CASES_MIN) {
    const seed = SEED + cases;
    const started = Date.now();
    try {
      await one(randomOf(seed), seed);
    } catch (cause) {
      throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    expect(Date.now() - started, `seed ${seed} took too long`).toBeLessThan(SLOWEST_MS);
    cases += 1;
  }
  return cases;
}

async function readBytes(bytes: Buffer): Promise<WholeReading> {
  const path = join(folder, 'pay');
  writeFileSync(path, bytes);
  return readWhole(path, new Map());
}

function payments({ rows }: WholeReading) {
  return rows.flatMap((read) =>
    read.kind === 'valid'
      ? [
          {
            rowNumber: read.row.rowNumber,
            account: read.instruction.account.reveal(),
            minor: read.instruction.amount.minor,
            cells: read.row.cells,
          },
        ]
      : [],
  );
}

describe('a damaged file', () => {
  it('[F6][F7][F32] in CSV is read or refused, and pays only what stands in its cells', {
    timeout: 600_000,
  }, async () => {
    const files = expectations()
      .filter(({ file }) => file.endsWith('.csv'))
      .map(({ file }) => readFileSync(join(CORPUS, file)))
      .filter((bytes) => bytes.length > 0 && bytes.length < 20_000);
    const cases = await untilTimeIsUp(async (thrown) => {
      const bytes = wounded(thrown.pick(files), thrown);
      const paid = payments(await readBytes(bytes));
      if (paid.length === 0) return;
      // Only UTF-8 is judged by the second reader; UTF-16 is compared elsewhere.
      const text = bytes.toString('utf8').replace(/^\ufeff/, '');
      if (text.includes('\0') || text.includes('\ufffd')) return;
      const readings = [',', ';', '\t', '|'].flatMap((delimiter) => {
        const rows = carefulCsv(text, delimiter);
        return rows === undefined ? [] : [rows];
      });
      for (const { rowNumber, cells } of paid) {
        const found = readings.some((rows) => rows[rowNumber - 1]?.join('\u0000') === cells.join('\u0000'));
        expect(found, `row ${rowNumber} is not the row of the file: ${JSON.stringify(cells)}`).toBe(true);
      }
    });
    expect(cases).toBeGreaterThan(20);
  });

  it('[F9][F10][F11] that is a workbook is read or refused, with its XML or its archive damaged', {
    timeout: 600_000,
  }, async () => {
    const parts = workbookParts({
      sheets: {
        May: sheetXml([
          ['0244123456', '<c><v>1200.5</v></c>'],
          ['0551230987', '<c s="1"><f>A1*2</f><v>12</v></c>'],
        ]),
      },
      sharedStrings: '<si><t>Ghana</t></si><si><r><t>G</t></r><r><t>H</t></r></si>',
      styles:
        '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>',
    });
    const whole = buildZip(parts);
    const before = process.memoryUsage().rss;
    const cases = await untilTimeIsUp(async (thrown) => {
      const isArchive = thrown.below(3) === 0;
      const hurt = thrown.below(parts.length);
      const bytes = isArchive
        ? wounded(whole, thrown)
        : buildZip(
            parts.map((part, at) =>
              at === hurt ? { ...part, content: wounded(Buffer.from(part.content), thrown) } : part,
            ),
          );
      await readBytes(bytes);
    });
    expect(cases).toBeGreaterThan(20);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(250);
  });
});

const MARKS = ['.', ',', ' ', "'", '\u00a0', '\u202f', '-', '%', 'E', '+', 'O', '$', '١', ''];

/** Digits and marks as people and programs mix them. */
function anAmount({ below, pick }: Random): string {
  let text = '';
  for (let groups = 1 + below(4); groups > 0; groups -= 1) {
    const length = pick([0, 1, 2, 3, 3, 3, 3, 4, 6]);
    for (let digits = length; digits > 0; digits -= 1) text += String(below(10));
    if (groups > 1 || below(4) === 0) text += pick(MARKS);
  }
  return text.trim();
}

describe('an amount', () => {
  it('[F18][F19] is never read as anything but what a careful person reads', {
    timeout: 600_000,
  }, async () => {
    let read = 0;
    await untilTimeIsUp(async (thrown) => {
      for (let times = 0; times < 500; times += 1) {
        const text = anAmount(thrown);
        const reading = readAmount(text);
        const careful = carefulAmounts(text);
        if (reading.kind === 'one_way') expect([...careful], text).toEqual([tidyDecimal(reading.plain)]);
        if (reading.kind === 'three_digits') {
          const readings = [reading.asThousands, reading.asDecimal].filter((each) => each !== undefined);
          expect(careful, text).toEqual(new Set(readings.map(tidyDecimal)));
        }
        if (reading.kind !== 'wrong') read += 1;
      }
    });
    expect(read).toBeGreaterThan(1_000);
  });

  it('[F18][F20] of a workbook is paid as its cell shows it, or not at all', {
    timeout: 600_000,
  }, async () => {
    const formats = ['General', '0', '0.00', '#,##0', '#,##0.00', '0000000000'];
    const xml = (code: string, at: number) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`;
    const styles = `<numFmts>${formats.map(xml).join('')}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs>`;
    let paid = 0;
    await untilTimeIsUp(async (thrown) => {
      const cells = Array.from({ length: 20 }, () => {
        const whole = String(thrown.below(10 ** thrown.pick([1, 3, 6, 9])));
        const fraction = thrown.pick(['', '', '.5', '.25', '.125', `.${thrown.below(1_000)}`]);
        return { raw: whole + fraction, style: thrown.below(formats.length) };
      });
      const rows = cells.map(
        ({ raw, style }, at) => [`0244${100_000 + at}`, `<c s="${style}"><v>${raw}</v></c>`] as const,
      );
      for (const { rowNumber, minor } of payments(
        await readBytes(buildZip(workbookParts({ sheets: { May: sheetXml(rows) }, styles }))),
      )) {
        const { raw = '', style = 0 } = cells[rowNumber - 2] ?? {};
        const shown = carefulDisplay(raw, formats[style] ?? '');
        const digits = minor.toString().padStart(3, '0');
        const amount = tidyDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
        expect(tidyDecimal(shown.replaceAll(',', '')), `${raw} as ${formats[style]}`).toBe(amount);
        paid += 1;
      }
    });
    expect(paid).toBeGreaterThan(20);
  });
});

function sheetXml(rows: readonly (readonly [account: string, amount: string])[]): string {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const header = `<row>${['Country', 'Institution', 'Account', 'Name', 'Amount'].map(text).join('')}</row>`;
  const cells = rows.map(
    ([account, amount]) =>
      `<row>${[text('Ghana'), text('MTN Mobile Money'), text(account), text('Ama Mensah'), amount].join('')}</row>`,
  );
  return `<sheetData>${header}${cells.join('')}</sheetData>`;
}

describe('an account', () => {
  it('[F3][F14] is paid exactly as its cell shows it, but for its spaces', {
    timeout: 600_000,
  }, async () => {
    const pieces = [
      '0244',
      '123456',
      ' ',
      '-',
      'E+',
      '.0',
      "'",
      'O',
      '０',
      '\u200b',
      '\u00a0',
      'А',
      '+',
      '=',
      '/',
      '#',
      'x',
      '9'.repeat(16),
    ];
    let paid = 0;
    await untilTimeIsUp(async (thrown) => {
      const accounts = Array.from({ length: 20 }, () =>
        Array.from({ length: 1 + thrown.below(4) }, () => thrown.pick(pieces)).join(''),
      );
      const lines = accounts.map((account, at) => `Ghana,GCB Bank,"${account}",Yaw Acheampong,${at + 1}.00`);
      const text = `Country,Institution,Account,Name,Amount\n${lines.join('\n')}\n`;
      const bytes = thrown.below(2) === 0 ? Buffer.from(text) : encodeText(`\ufeff${text}`, 'utf-16le');
      for (const { rowNumber, account } of payments(await readBytes(bytes))) {
        expect(account).toBe((accounts[rowNumber - 2] ?? '').replaceAll(' ', '').replaceAll('\u00a0', ''));
        expect(account, 'only characters that look like what they are').toMatch(/^[\x21-\x7e]+$/);
        paid += 1;
      }
    });
    expect(paid).toBeGreaterThan(20);
  });
});
