/** A CSV file gives exactly the rows it holds, or is refused with the place and the remedy. */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRows, openRowsFrom } from '../../src/files/payout-file.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { encodeText } from '../builders/encode-text.ts';
import { said, saidMaps } from '../builders/said.ts';
import { readBytes, refusal, withFile } from './read-file.ts';

const HEADER = 'Reference,Country,Institution,Account,Amount';
const ROW = 'A-1,Ghana,GCB Bank,0123456789,10.50';
const CELLS = ROW.split(',');

describe('a CSV file', () => {
  it('gives its rows with the numbers that a spreadsheet shows, blank lines counted', async () => {
    const { rows, source } = await readBytes(`${HEADER}\n\n${ROW}\n,,,,\n ,,,,\n${ROW}\n\n`);
    expect(rows.map((row) => row.rowNumber)).toEqual([3, 6]);
    expect(source.blankRows()).toBe(4);
    expect(rows[0]?.cells).toEqual(CELLS);
    expect(Object.fromEntries(source.columns)).toEqual({
      reference: 0,
      country: 1,
      institution: 2,
      account: 3,
      amount: 4,
    });
  });

  it.each([
    ['="0123456789"', '0123456789'],
    ['"=""0123456789"""', '0123456789'],
    ['"=""0123,456"""', '0123,456'],
    ['"=""a """"b"""" c"""', 'a "b" c'],
    ['=""', ''],
    ['="é"', 'é'],
    ['"x,=""1"""', 'x,="1"'],
    ['"a,="', 'a,='],
    ['"a,="",b"', undefined],
    ['="1"2"', undefined],
    ['=1+1', '=1+1'],
  ])('reads %s as the text %s', async (cell, text) => {
    for (const delimiter of [',', ';'])
      for (const end of ['\n', '\r', '']) {
        const lines = [HEADER.replaceAll(',', delimiter), ['A-1', cell, 'x', cell, '1'].join(delimiter)];
        const file = `${lines.join(end || '\r\n')}${end}`;
        if (text === undefined && delimiter === ',') expect(await refusal(file)).toContain('quote');
        else if (text !== undefined)
          expect((await readBytes(file)).rows[0]?.cells).toEqual(['A-1', text, 'x', text, '1']);
      }
  });

  it.each([
    ['Num\x8ero de compte;Banque;Pays;Montant\n1;x;x;1', ['macintosh']],
    ['Num\xe9ro de compte;Banque;Pays;Montant\n1;x;x;1', ['windows-1252']],
    ['Account;Bank;Country;Amount\r1;Banque g\x8en\x8erale;x;1', ['windows-1252', 'macintosh']],
  ])('in an old encoding is offered the one that its headers are known in: %j', async (text, offered) => {
    const bytes = Buffer.from(text, 'latin1');
    const { choices = [] } = (await readBytes(bytes)).source.question ?? {};
    const named = choices.flatMap(({ answers: [answer] }) =>
      answer?.kind === 'encoding' ? [answer.name] : [],
    );
    expect(named).toEqual(offered);
    const asked = said({ kind: 'encoding', name: named[0] ?? '' });
    expect((await readBytes(bytes, { asked })).source.question).toBeUndefined();
  });

  it('is known by the SHA-256 of its bytes', async () => {
    const text = `${HEADER}\n${ROW}\n`;
    const { source } = await readBytes(text);
    expect(source.fileSha256()).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('is read again from the start when it is asked for its rows again', async () => {
    await withFile(`${HEADER}\n${ROW}\n\n${ROW}\n`, async (path) => {
      const source = await openRows({ path });
      for (const _ of [1, 2]) {
        let count = 0;
        for await (const rows of source.rows()) count += rows.length;
        expect([count, source.blankRows()]).toEqual([2, 1]);
      }
      await source.close();
    });
  });

  it('stops without a word when the signal aborts', async () => {
    await withFile(`${HEADER}\n${`${ROW}\n`.repeat(5_000)}`, async (path) => {
      const source = await openRows({ path });
      const stop = new AbortController();
      let count = 0;
      for await (const rows of source.rows(stop.signal)) {
        count += rows.length;
        stop.abort();
      }
      expect(count).toBeLessThan(5_000);
      await source.close();
    });
  });

  it('[F8] comes in chunks of a thousand rows at the most', async () => {
    await withFile(`${HEADER}\n${`${ROW}\n`.repeat(2_500)}`, async (path) => {
      const source = await openRows({ path });
      const sizes: number[] = [];
      for await (const rows of source.rows()) sizes.push(rows.length);
      expect([Math.max(...sizes), sizes.reduce((sum, size) => sum + size)]).toEqual([1_000, 2_500]);
      await source.close();
    });
  });

  it('is read from standard input as from a file', async () => {
    const stdin = Readable.from([Buffer.from(`${HEADER}\n`), Buffer.from(`${ROW}\n`)]);
    const source = await openRowsFrom({ path: '-' }, stdin);
    for await (const rows of source.rows()) expect(rows[0]?.cells).toEqual(CELLS);
    await source.close();
  });

  it('has its quotes of old reports taken off only where payfile columns stand', async () => {
    const own = await readBytes(`${HEADER},payfile_row,Note\n${ROW},2,'=1+1\n${ROW},3,''tis\n`);
    expect(own.cells.map((cells) => cells.at(-1))).toEqual(['=1+1', "'tis"]);
    const foreign = await readBytes(`${HEADER},Note\n${ROW},'=1+1\n`);
    expect(foreign.cells[0]?.at(-1)).toBe("'=1+1");
  });
});

describe('any rows, written in any dialect of CSV', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'a",;|\t\n\r \'é0'.split('')), maxLength: 8 }),
  );
  // A first cell that is not blank, so that no row is.
  const row = fc.tuple(fc.stringMatching(/^[A-Z0-9]{1,5}$/), cell, cell, cell, cell);
  const dialect = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    quoteAll: fc.boolean(),
    encoding: fc.constantFrom('utf-8', 'bom', 'utf-16le', 'utf-16be'),
    sep: fc.boolean(),
  });

  it('come back cell by cell as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), dialect, async (rows, how) => {
        const clean = rows.map((cells) =>
          cells.map((text) => text.replace(/[\0\ufeff\ufffd]|[\ud800-\udfff]/g, '')),
        );
        const quoted = (text: string) =>
          how.quoteAll || /[",;|\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const line = (cells: readonly string[]) => cells.map(quoted).join(how.delimiter) + how.end;
        const sep = how.sep ? `sep=${how.delimiter}${how.end}` : '';
        const text = sep + [HEADER.split(','), ...clean].map(line).join('');
        const { cells } = await readBytes(encoded(text, how.encoding));
        expect(cells).toEqual(clean);
      }),
      { numRuns: 60 },
    );
  });

  function encoded(text: string, encoding: string): Buffer {
    if (encoding === 'utf-8') return Buffer.from(text);
    if (encoding === 'bom') return Buffer.from(`\ufeff${text}`);
    return encodeText(`\ufeff${text}`, encoding);
  }
});

describe('a CSV file that cannot be trusted is refused whole', () => {
  const BAD: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
    [
      'a row with a cell too few, after a quoted line break',
      `${HEADER}\n"A\nB",Ghana,B,1,2\nA,B\n`,
      ['line 4 (row 3) has 2'],
    ],
    [
      'a quote that is never closed, in a later part of a large file',
      `${HEADER}\n${`${ROW}\n`.repeat(10_000)}"A-2,Ghana,B,1,2\n`,
      ['row 10002', 'near line 10002'],
    ],
    ['text after a closing quote', `${HEADER}\n"A"2,Ghana,B,1,2\n`, ['row 2', 'closing quote']],
    ['a PDF', '%PDF-1.7 …', ['PDF']],
  ];
  it.each(BAD)('%s', async (_, bytes, parts) => {
    const message = await refusal(bytes);
    for (const part of parts) expect(message).toContain(part);
  });

  it('names the line of a bad byte in the middle of a large file, whatever the chunks', async () => {
    const before = 20_000;
    const text = `${HEADER}\n${`${ROW.replace('GCB', 'GCB é')}\n`.repeat(before)}`;
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0x41, 0xff, 0x0a])]);
    expect(await refusal(bytes)).toMatch(new RegExp(`line ${before + 2}: .*0xFF`));
  });

  it('[B7] when it is written to while it is read', async () => {
    await withFile(`${HEADER}\n${`${ROW}\n`.repeat(3_000)}`, async (path) => {
      const source = await openRows({ path });
      const reading = async () => {
        for await (const _rows of source.rows()) appendFileSync(path, `${ROW}\n`);
      };
      await expect(reading()).rejects.toThrow('changed while it was being read');
      await source.close();
    });
  });

  it('when it is not there, with its own code', async () => {
    await expect(openRows({ path: '/nonexistent/pay.csv' })).rejects.toMatchObject({
      code: 'file_missing',
      message: expect.stringContaining('/nonexistent/pay.csv'),
    });
    await expect(openRows({ path: '/' })).rejects.toBeInstanceOf(FileRefused);
  });
});

describe('flags for reading', () => {
  it('--map binds a column that no alias knows, and overrules an alias', async () => {
    const { source } = await readBytes('Account,Ghanaian account,Land,Bank,Amount (GHS)\n1,2,Ghana,B,5\n', {
      asked: saidMaps([
        ['account', 'ghanaian account'],
        ['country', 'Land'],
        ['amount', 'Amount (GHS)'],
      ]),
    });
    expect(Object.fromEntries(source.columns)).toEqual({ account: 1, country: 2, institution: 3, amount: 4 });
  });

  it('--header-row takes the row it is told', async () => {
    const { source } = await readBytes(`${HEADER}\n${HEADER}\n${ROW}\n`, { headerRow: 2 });
    expect(source.headerRow).toBe(2);
  });

  it('--delimiter is taken at its word, and tab may be written out', async () => {
    const { cells } = await readBytes(`${HEADER}\n${ROW}\n`.replaceAll(',', '\t'), { delimiter: 'tab' });
    expect(cells).toEqual([CELLS]);
    expect(await refusal(`${HEADER}\n${ROW}\n`, { delimiter: 'ab' })).toContain('delimiter: "ab" is not');
  });

  it('--encoding that nobody knows is refused', async () => {
    expect(await refusal(`${HEADER}\n${ROW}\n`, { encoding: 'klingon' })).toContain(
      'encoding: klingon is not',
    );
  });
});
