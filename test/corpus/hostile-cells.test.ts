/** Cells and file names that somebody made to do harm are data like any other. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIELDS, type Field } from '../../src/domain/rows/row.ts';
import { createRowValidator } from '../../src/domain/rows/validate-row.ts';
import { loadDirectory, loadInstitutions } from '../../src/use-cases/intake/directory-lists.ts';
import { readWhole, SANDBOX_LISTS } from './read-corpus.ts';

const NASTY = [
  '0',
  '1,',
  '1 ',
  "1'",
  '-',
  'E+',
  'a ',
  'É',
  'Ã©',
  'А',
  '"[$',
  '(',
  '0O',
  '1/1/',
  '=',
  '#N/A',
  '.',
  'jan-',
  '\u0301',
];
const LONGEST = 32_767;

describe('a cell', () => {
  it('[F32] of the greatest length takes no time in any field, whatever it is made of', async () => {
    const world = { paymentService: SANDBOX_LISTS, tell: () => undefined };
    const directory = await loadDirectory(world);
    const ghana = directory.findCountry('GH');
    if (ghana.kind !== 'found') throw new Error('Ghana');
    await loadInstitutions(directory, ghana.item.id, world);
    const good: Readonly<Partial<Record<Field, string>>> = {
      country: 'Ghana',
      institution: 'GCB Bank',
      account: '1011130024576',
      amount: '5.00',
    };
    const validator = createRowValidator({
      salt: '',
      directory,
      columns: new Map(FIELDS.map((field, at) => [field, at])),
      headers: FIELDS,
      source: ghana.item,
      amountStyle: { kind: 'proving' },
    });
    const slow: string[] = [];
    for (const field of FIELDS) {
      for (const piece of NASTY) {
        const text = piece.repeat(Math.floor(LONGEST / piece.length));
        const cells = FIELDS.map((each) => (each === field ? text : (good[each] ?? '')));
        let ms = Number.POSITIVE_INFINITY;
        for (const end of ['', 'x', '!']) {
          const ended = cells.map((cell) => (cell === text ? cell + end : cell));
          const started = performance.now();
          validator.validate({ rowNumber: 2, cells: ended });
          ms = Math.min(ms, performance.now() - started);
        }
        if (ms > 50) slow.push(`${field} of ${JSON.stringify(piece)}: ${ms.toFixed(0)} ms`);
      }
    }
    expect(slow).toEqual([]);
  });
});

describe('a file name', () => {
  const NAMES = [
    'a\nb.csv',
    '; rm -rf x.csv',
    '$(id).csv',
    '\u202egpj.csv',
    `${'n'.repeat(240)}.csv`,
    '..csv',
    '-',
    '--yes',
    '\u001b[2Jx.csv',
  ];
  it('[F31] of any kind is read as a file, and shown without what a terminal would obey', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-names-'));
    try {
      mkdirSync(join(folder, 'sub'));
      for (const name of NAMES) {
        const path = join(folder, 'sub', name);
        writeFileSync(path, 'Country,Institution,Account,Amount\nGhana,GCB Bank,1011130024576,5.00\n');
        expect(
          (await readWhole(path, new Map())).seen.map(({ what }) => what),
          name,
        ).toEqual(['pays 2 | GH | 1011130024576 | 5.00 GHS |']);
        writeFileSync(path, 'no header here\n');
        const [refused] = (await readWhole(path, new Map())).seen;
        expect(refused?.what).toBe('refused');
        expect(refused?.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
