/** Lines without quotes are split by us and the rest by csv-parse: the records are those of csv-parse alone, wherever bytes part. */
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CsvFault, type CsvShape, recordsOf } from '../../../src/adapters/files/csv/csv-rows.ts';

type Read =
  | { readonly records: readonly (readonly string[])[] }
  | { readonly faultAfter: number; readonly line: number | undefined };

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function ours(text: string, size: number, shape: CsvShape): Promise<Read> {
  const records: (readonly string[])[] = [];
  try {
    for await (const some of recordsOf(inParts(Buffer.from(text), size), shape)) records.push(...some);
    return { records };
  } catch (error) {
    if (error instanceof CsvFault) return { faultAfter: error.recordsBefore, line: error.line };
    throw error;
  }
}

function byCsvParse(text: string, { delimiter, hasCarriageReturn }: CsvShape): Read {
  const records: string[][] = [];
  const record_delimiter = hasCarriageReturn ? ['\r\n', '\n', '\r'] : ['\n'];
  const on_record = (record: string[]) => {
    records.push(record);
    return null;
  };
  try {
    parse(text, { delimiter, record_delimiter, relax_column_count: true, on_record });
    return { records };
  } catch (error) {
    if (error instanceof CsvError) return { faultAfter: records.length, line: Number(error['lines']) };
    throw error;
  }
}

const pieces = fc.constantFrom(
  'a',
  'é',
  '7',
  ' ',
  ',',
  ';',
  '\n',
  '\r',
  '\r\n',
  '\n',
  ',',
  '"',
  '"b,c"',
  '""',
);

it('reads what csv-parse reads, whatever the line ends, quotes and parts', async () => {
  const texts = fc.array(pieces, { maxLength: 30 }).map((some) => some.join(''));
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(',', ';'),
      async (text, size, delimiter) => {
        const shape = { delimiter, hasCarriageReturn: text.includes('\r') };
        expect(await ours(text, size, shape)).toEqual(byCsvParse(text, shape));
      },
    ),
    { numRuns: 500 },
  );
});

it('leaves a line that never ends to the limit of csv-parse', async () => {
  const text = `a,b\n${'c'.repeat(9 * 1024 * 1024)}`;
  const read = await ours(text, 128 * 1024, { delimiter: ',', hasCarriageReturn: false });
  expect(read).toMatchObject({ faultAfter: 1 });
});
