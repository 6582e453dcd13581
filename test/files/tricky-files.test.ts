/** Files that are made to harm or to mislead: each is refused, or read as a person reads it, in little memory. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headerFingerprint } from '../../src/domain/reading/reading.ts';
import { fieldOfHeader, isSameHeader } from '../../src/domain/rows/column-names.ts';
import { openRows } from '../../src/files/payout-file.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { readBytes, refusal, withFile } from './read-file.ts';

const HEADER = 'reference,country,institution,account,amount';
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row>${HEADER.split(',').map(text).join('')}</row>`;
const pay = `<row>${['A', 'Ghana', 'GCB Bank', '0123', '5'].map(text).join('')}</row>`;
const sheet = (rows: string, before = '', after = '') =>
  buildZip(workbookParts({ sheets: { May: `${before}<sheetData>${rows}</sheetData>${after}` } }));

describe('a workbook made to fill the memory', () => {
  it('[F7] with a cell in the last column of every row keeps no holes before it', async () => {
    const far = Array.from({ length: 2_000 }, (_, at) => `<row><c r="XFD${at + 3}"><v>${at}</v></c></row>`);
    const { source, rows } = await readBytes(sheet(header + pay + far.join('')));
    expect(rows.length).toBe(2_001);
    expect(source.notes.join()).toContain('to the right of the last header');
  });

  const MERGES = Array.from({ length: 100_001 }, (_, at) => `<mergeCell ref="H${at * 7}:I${at}"/>`).join('');
  const SHEETS = workbookParts({
    sheets: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`S${at}`, ''])),
  });
  const BAD: readonly (readonly [string, Buffer, string])[] = [
    ['merged cells without end', sheet(header + pay, '', MERGES), 'merged'],
    [
      'hidden columns without end',
      sheet(header + pay, '<col hidden="1" min="9"/>'.repeat(16_385)),
      'hides more',
    ],
    ['sheets without end', buildZip(SHEETS), 'more than 500 sheets'],
  ];
  it.each(BAD)('[F7] with %s is refused', async (_, bytes, part) => {
    expect(await refusal(bytes)).toContain(part);
  });

  it('[F7] with one endless comment, or a text in endless pieces, is refused before it is held whole', async () => {
    const noise = randomBytes(4_500_000).toString('hex');
    expect(await refusal(sheet(header + pay, `<!--${noise}-->`))).toContain('more than 8 MB');
    const pieces = (noise.slice(0, 2_000_000).match(/.{100}/g) ?? []).map((each) => `<r><t>${each}</t></r>`);
    const cell = `<row><c t="inlineStr"><is>${pieces.join('')}</is></c></row>`;
    expect(await refusal(sheet(header + pay + cell))).toContain('longer than any cell');
  });
});

describe('an archive whose end lies', () => {
  const whole = sheet(header + pay);
  const end = whole.subarray(whole.length - 22);
  const body = whole.subarray(0, whole.length - 22);

  /** The archive with the record for large ones (zip64), which counts so many parts. */
  function counting(parts: bigint): Buffer {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(parts, 24);
    record.writeBigUInt64LE(parts, 32);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(body.length), 8);
    const last = Buffer.from(end);
    last.writeUInt16LE(0xffff, 10);
    return Buffer.concat([body, record, locator, last]);
  }

  it('[F10] is read where the long count of its parts is true', async () => {
    expect((await readBytes(counting(4n))).rows).toHaveLength(1);
  });

  it.each([2n ** 40n, 2n ** 63n, 4_000_000_000n, 2_001n])(
    '[F10] is refused with a count of %s',
    async (parts) => {
      expect(await refusal(counting(parts))).toBe(
        `payouts.csv says that it has ${parts} parts; at most 2000 are read. Get the file again from whoever made it. Do not open it and save it: a repaired copy may hold other amounts.`,
      );
    },
  );

  it.each([3n, 5n, 2_000n])('[F10] is refused with %s for its four parts', async (parts) => {
    expect(await refusal(counting(parts))).toMatch(/another number of parts|not a complete zip archive/);
  });

  it('[F10] is refused where a second end hides in its comment, which other programs believe', async () => {
    const commented = Buffer.from(end);
    commented.writeUInt16LE(22, 20);
    expect(await refusal(Buffer.concat([body, commented, end]))).toContain('two lists of its parts');
  });
});

describe('the wrong file', () => {
  it('[B7] that was written to is noticed also when its time of writing was set back', async () => {
    await withFile(`${HEADER}\nA,Ghana,GCB Bank,0123,5\n`, async (path) => {
      const source = await openRows({ path });
      const { atime, mtime } = statSync(path);
      writeFileSync(path, `${HEADER}\nA,Ghana,GCB Bank,0123,9\n`);
      utimesSync(path, atime, mtime);
      await expect(Array.fromAsync(source.rows())).rejects.toThrow('changed while');
      await source.close();
    });
  });

  it('that is a pipe nobody writes to is refused instead of waited for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-pipe-'));
    try {
      const path = join(folder, 'may.csv');
      execFileSync('mkfifo', [path]);
      await expect(openRows({ path })).rejects.toThrow('is not a file');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('[F27] whose header is cut off by the first look at the file is not read by half of it', async () => {
    const wanted = 'country,institution,account,amount';
    const title = 'y'.repeat(256 * 1024 - wanted.length - 1);
    await withFile(`${title}\n${wanted} in dollars\nGhana,GCB Bank,1,5\n`, async (path) => {
      appendFileSync(path, '');
      await expect(openRows({ path })).rejects.toThrow('no header row');
    });
  });
});

describe('a table whose headers are all unknown', () => {
  const refusalOf = async (text: string): Promise<string> => {
    let said = '';
    await withFile(text, async (path) => {
      said = await openRows({ path }).then(String, (error: Error) => error.message);
    });
    return said;
  };

  it('has the row shown that may be its header, and says how its columns are named', async () => {
    const said = await refusalOf(
      'Payroll May\nNation;Pay via;Wallet no;Net\nGH;GCB Bank;1011130024576;5.00\n',
    );
    expect(said).toContain('row 2 may be the header');
    expect(said).toContain('A “Nation”, B “Pay via”, C “Wallet no”, D “Net”');
    expect(said).toContain('with map');
  });

  it('goes by letters where its first row is a payment, which is no header then', async () => {
    await withFile('GH;GCB Bank;1011130024576;5.00\n', async (path) => {
      const { headers, headerRow, columns } = await openRows({ path });
      expect([headers, headerRow, columns.size]).toEqual([['A', 'B', 'C', 'D'], 0, 0]);
    });
  });

  it('shows no row that may be a payment', async () => {
    const said = await refusalOf('Payroll;;;\nGH;GCB Bank;1011130024576;5.00\n');
    expect(said).toContain('no header row');
    expect(said).not.toContain('1011130024576');
  });
});

describe('a row or a column thinner than a pixel', () => {
  it.each([
    ['a column', sheet(header + pay, '<col min="4" max="4" width="0.05" customWidth="1"/>')],
    ['a row', sheet(header + pay.replace('<row>', '<row ht="0.25" customHeight="1">'))],
  ])('[F24] is hidden: %s', async (_, bytes) => {
    const { rows } = await readBytes(bytes);
    expect(rows[0]?.marks?.map(({ kind }) => kind)).toEqual(['hidden']);
  });
});

describe('rows above the header', () => {
  it('[F27] that may be payments under a header that nobody knows are counted and said', async () => {
    const above = 'cty,inst,acc,amt,x\nGhana,GCB Bank,0123,5,x\n';
    const { source, rows } = await readBytes(`${above}${HEADER}\nA,Ghana,GCB Bank,0124,6\n`);
    expect(rows).toHaveLength(1);
    expect(source.notes).toContain(
      'rows above the header that look like rows of a table and are not read: 2',
    );
  });
});

describe('a header with a sign of money', () => {
  it('[F27] is no amount of the destination, and not the same as one with another sign', () => {
    expect(['Amount ($)', 'Amount €', 'Montant %', 'Amount'].map(fieldOfHeader)).toEqual([
      undefined,
      undefined,
      undefined,
      'amount',
    ]);
    expect(isSameHeader('Amount ($)', 'AMOUNT $')).toBe(true);
    expect(isSameHeader('Amount ($)', 'Amount (€)')).toBe(false);
    expect(headerFingerprint(['Account', 'Amount ($)'])).not.toBe(
      headerFingerprint(['Account', 'Amount (€)']),
    );
  });
});
