/** The same payments are the same batch, whatever file they come in; and the samples are what they say. */
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchDigest } from '../../../src/domain/batches/batch.ts';
import type { AmountStyle } from '../../../src/domain/money/amount-style.ts';
import { parseCurrency } from '../../../src/domain/money/currency.ts';
import {
  asCountryId,
  asInstitutionId,
  createDirectory,
  type Directory,
} from '../../../src/domain/rows/directory.ts';
import { createDuplicateFinder } from '../../../src/domain/rows/repeats-in-file.ts';
import { createRowValidator, type Validated } from '../../../src/domain/rows/validate-row.ts';
import { FIXED_ACCOUNTS } from '../../../src/sandbox/accounts.ts';
import { COUNTRIES } from '../../../src/sandbox/directory.ts';
import { encodeText } from '../../builders/encode-text.ts';
import { type ReadFile, readBytes, readPath } from './read-file.ts';

function directory(): Directory {
  const made = createDirectory(COUNTRIES.map((country) => ({ ...country, id: asCountryId(country.id) })));
  for (const country of COUNTRIES) {
    const list = country.institutions.flatMap(({ id, name, currency: code, charges }) => {
      const currency = parseCurrency(code);
      return currency === undefined ? [] : [{ id: asInstitutionId(id), name, currency, charges }];
    });
    made.addInstitutions(asCountryId(country.id), list);
  }
  return made;
}

interface Checked {
  readonly rowNumber: number;
  readonly result: Validated;
  /** `held` or an issue of the duplicate finder. */
  readonly repeated: string | undefined;
  readonly lastCell: string;
}

function check(
  { source, rows }: ReadFile,
  amountStyle: AmountStyle = { kind: 'proving' },
): readonly Checked[] {
  const known = directory();
  const britain = known.findCountry('GB');
  const { columns, headers } = source;
  const options = { directory: known, columns, headers, amountStyle };
  const validator = createRowValidator({
    ...options,
    source: britain.kind === 'found' ? britain.item : undefined,
  });
  const duplicates = createDuplicateFinder(source);
  const checked = rows.map((row) => {
    const result = validator.validate(row);
    const again =
      result.kind === 'valid'
        ? duplicates.look({
            rowNumber: row.rowNumber,
            keys: result.keys,
            reference: result.instruction.reference,
          })
        : undefined;
    const repeated = again?.kind === 'invalid' ? again.issue.kind : again?.kind;
    return { rowNumber: row.rowNumber, result, repeated, lastCell: row.cells.at(-1) ?? '' };
  });
  const verdict = validator.amountVerdict();
  return verdict.kind === 'again' ? check({ source, rows, cells: [] }, verdict.style) : checked;
}

async function digestOf(file: ReadFile): Promise<string> {
  const keys = check(file).map(({ result }) =>
    result.kind === 'needs_institutions' || result.kind === 'total'
      ? new Uint8Array(16)
      : result.keys.contentKey,
  );
  async function* pages() {
    yield keys.sort(Buffer.compare);
  }
  return batchDigest(pages());
}

type Row = Readonly<Record<string, string>>;

const row: fc.Arbitrary<Row> = fc
  .record({
    place: fc.constantFrom(...FIXED_ACCOUNTS),
    whole: fc.integer({ min: 1, max: 99_999 }),
    reference: fc.option(fc.stringMatching(/^[A-Z]{2}-[0-9]{1,6}$/), { nil: '' }),
    note: fc.constantFrom('', 'Salary', 'Café, "May"', 'a; b'),
    isBroken: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ place, whole, reference, note, isBroken }) => ({
    Reference: reference,
    Country: place.iso,
    Institution: place.institution,
    Account: isBroken === 0 ? '' : place.account,
    Amount: String(whole),
    Note: note,
  }));

const csv = (rows: readonly Row[], columns: readonly string[], delimiter = ',') =>
  [columns, ...rows.map((each) => columns.map((column) => each[column] ?? ''))]
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\n`)
    .join('');

async function xlsx(rows: readonly Row[], columns: readonly string[]): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Pay');
  sheet.addRow(['A title']);
  sheet.addRow(columns);
  for (const each of rows) {
    sheet.addRow(
      columns.map((column) => (column === 'Amount' ? Number(each[column]) : (each[column] ?? ''))),
    );
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

describe('the same rows', () => {
  const COLUMNS = ['Reference', 'Country', 'Institution', 'Account', 'Amount', 'Note'];

  it('[B2] are one batch as CSV or workbook, in any order of rows and columns, in any encoding', async () => {
    const shuffled = <Item>(items: readonly Item[]) =>
      fc.shuffledSubarray([...items], { minLength: items.length });
    const files = fc
      .array(row, { minLength: 1, maxLength: 12 })
      .chain((rows) =>
        fc.record({ rows: fc.constant(rows), other: shuffled(rows), columns: shuffled(COLUMNS) }),
      );
    await fc.assert(
      fc.asyncProperty(files, async ({ rows, other, columns }) => {
        const digest = await digestOf(await readBytes(csv(rows, COLUMNS)));
        expect(await digestOf(await readBytes(csv(other, columns, ';')))).toBe(digest);
        expect(await digestOf(await readBytes(encodeText(`\ufeff${csv(other, columns)}`, 'utf-16le')))).toBe(
          digest,
        );
        expect(await digestOf(await readBytes(await xlsx(other, columns)))).toBe(digest);
        const more = rows.map((each, index) => (index === 0 ? { ...each, Amount: `${each.Amount}1` } : each));
        expect(await digestOf(await readBytes(csv(more, COLUMNS)))).not.toBe(digest);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the samples', () => {
  const sample = (name: string) =>
    readPath(fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url)));

  it('payroll.xlsx: 24 people whom the sandbox knows by these names, but one by a longer one', async () => {
    const checked = check(await sample('payroll.xlsx'));
    const differing = checked.flatMap(({ result }) => {
      if (result.kind !== 'valid') return ['a row that cannot be paid'];
      const { account, name } = result.instruction;
      const holder = FIXED_ACCOUNTS.find((each) => each.account === account.reveal())?.name;
      return holder === name ? [] : [`${name} for ${holder}`];
    });
    expect(checked).toHaveLength(24);
    expect(differing).toEqual(['Kwame Owusu for Kwame Owusu-Ansah']);
    expect(checked.filter(({ repeated }) => repeated !== undefined)).toEqual([]);
  });

  it('suppliers.csv: twelve rows that can be paid', async () => {
    const checked = check(await sample('suppliers.csv'));
    expect(checked.map(({ result }) => result.kind)).toEqual(Array.from({ length: 12 }, () => 'valid'));
  });

  it('every-fault.csv: one good row, and every other row has a fault of its own', async () => {
    const checked = check(await sample('every-fault.csv'));
    const sound = checked.filter(({ result, repeated }) => result.kind === 'valid' && repeated === undefined);
    expect(sound.map(({ lastCell }) => lastCell)).toEqual(['nothing: this row can be paid']);
    const kinds = checked.flatMap(({ result, repeated }) => [
      ...(result.kind === 'invalid' ? result.issues.map((issue) => issue.kind) : []),
      ...(repeated === undefined ? [] : [repeated]),
    ]);
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(30);
  });
});
