/** camt.052, camt.053, camt.054 and MT940 as lines; damaged and hostile files are refused whole. */
import { describe, expect, it } from 'vitest';
import { BalanceCheck } from '../../src/domain/statement/balances.ts';
import { readStatementLine, type StatementLine } from '../../src/domain/statement/line.ts';
import { bindStatement, statementFieldOf } from '../../src/domain/statement/statement-columns.ts';
import { type BankStatement, camt, mt940 } from '../builders/bank-files.ts';
import { readBytes, refusal } from './read-file.ts';

const words = {
  named: (header: string) => statementFieldOf(header, new Map()),
  expected: 'date, amount, account',
  isStatement: true,
} as const;

async function read(bytes: Buffer | string) {
  const { source, rows } = await readBytes(bytes, { words });
  const bound = bindStatement(source.headers, new Map());
  if (bound.kind === 'unusable') throw new TypeError('the columns are known');
  const lines = rows.map((row) => readStatementLine(row, bound.columns));
  const parts = source.statement?.parts() ?? [];
  const check = new BalanceCheck((row) => parts.findLastIndex(({ firstRow }) => firstRow <= row));
  for (const line of lines) check.add(line, false);
  return { format: source.statement?.format, lines, parts, completeness: check.result(parts) };
}

/** 1,000.00 − 78.44 + 20.00 − 1.02 = 940.54. */
const STATEMENT: BankStatement = {
  opening: '1000.00',
  closing: '940.54',
  bookings: [
    { amount: '-78.44', text: 'PF-2AAAAAAA salary', id: 'tr-2', bankReference: 'B-1', account: '0244123456' },
    { amount: '20.00', text: 'customer', date: '2026-11-21' },
    { amount: '-1.02', text: 'Fee PF-2AAAAAAA', bankReference: 'B-2' },
  ],
};
const shown = ({ rowNumber, amounts, direction, currency, tags, ids, dateTexts }: StatementLine) =>
  [rowNumber, direction, currency, amounts.join(), tags.join(), ids.join(), dateTexts.join()].join(' ');
const LINES = [
  '1 out GBP 78.44 PF-2AAAAAAA tr-2 2026-11-20,2026-11-20',
  '2 in GBP 20   2026-11-21,2026-11-21',
  '3 out GBP 1.02 PF-2AAAAAAA  2026-11-20,2026-11-20',
];
const PROVEN = { kind: 'proven', balances: [{ currency: 'GBP', opening: '1000.00', closing: '940.54' }] };
const VERSIONS = ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13'];

describe('camt.053', () => {
  it.each(VERSIONS)('version %s is read with its balances', async (version) => {
    const found = await read(camt([STATEMENT], { message: `053.001.${version}` }));
    expect(found.format).toBe('camt.053');
    expect(found.lines.map(shown)).toEqual(LINES);
    expect(found.completeness).toMatchObject(PROVEN);
    expect(found.parts).toMatchObject([
      {
        name: 'statement S-1',
        account: 'GB29NWBK60161331926819',
        dates: expect.arrayContaining(['2026-11-30']),
      },
    ]);
  });

  it('is read with a prefix, and keeps account, bank’s reference and all lines of the narration', async () => {
    const long = `${'invoice 4711 '.repeat(11)}PF-2AAAAAAA`;
    const bookings = [{ ...STATEMENT.bookings[0], amount: '-78.44', text: long }];
    const { lines } = await read(camt([{ ...STATEMENT, bookings }], { prefix: 'ns2' }));
    expect(lines).toMatchObject([
      { account: { text: '0244123456' }, bankReference: 'B-1', narration: [expect.anything(), long] },
    ]);
    expect(lines[0]?.tags).toEqual(['PF-2AAAAAAA']);
  });

  it('is refused as incomplete where opening and entries are not the closing balance', async () => {
    const { completeness } = await read(camt([{ ...STATEMENT, closing: '900.54' }]));
    expect(completeness).toEqual({
      kind: 'broken',
      why: 'statement S-1 opens with 1000.00, its entries add up to -59.46, and it closes with 900.54: entries of -40.00 are missing',
    });
  });

  it('shows the payments of one entry by themselves where their amounts add up to it', async () => {
    const payments = [
      { amount: '50.00', text: 'PF-2AAAAAAA', id: 'tr-2' },
      { amount: '28.44', text: 'PF-3AAAAAAA', id: 'tr-3' },
    ];
    const one = (more: object) =>
      camt([{ ...STATEMENT, bookings: [{ amount: '-78.44', text: 'BULK', payments, ...more }] }]);
    const { lines } = await read(one({}));
    expect(lines.map(shown)).toEqual([
      '1 out GBP 50 PF-2AAAAAAA tr-2 2026-11-20,2026-11-20',
      '2 out GBP 28.44 PF-3AAAAAAA tr-3 2026-11-20,2026-11-20',
    ]);
    const whole = await read(one({ amount: '-78.45' }));
    expect(whole.lines.map(shown)).toEqual([
      '1 out GBP 78.45 PF-2AAAAAAA,PF-3AAAAAAA  2026-11-20,2026-11-20',
    ]);
    expect(whole.lines[0]?.payments).toBe(2);
  });

  it('finds the payments of one entry by their ids where it says no amount of each', async () => {
    const payments = ['PF-2AAAAAAA', 'PF-3AAAAAAA'].map((id) => ({ amount: '', text: 'salary', id }));
    const bookings = [{ amount: '-78.44', text: 'BULK', payments }];
    const { lines } = await read(camt([{ ...STATEMENT, bookings }]));
    expect(lines.map(shown)).toEqual(['1 out GBP 78.44 PF-2AAAAAAA,PF-3AAAAAAA  2026-11-20,2026-11-20']);
  });

  it('says how many payments a batch booking holds, and which entries are pending', async () => {
    const bookings = [
      { amount: '-3600.00', text: 'SALARIES', count: 3 },
      { amount: '-5.00', text: 'card', status: 'PDNG' },
    ];
    const { lines, completeness } = await read(
      camt([{ opening: '4000.00', closing: '400.00', bookings }], { message: '053.001.08' }),
    );
    expect(lines).toMatchObject([{ payments: 3, isPending: false }, { isPending: true }]);
    expect(completeness.kind).toBe('proven');
  });

  it('reads a point as a decimal mark, and no exponent', async () => {
    const bookings = ['-27.500', '-1E3', '-20k'].map((amount) => ({ amount, text: 'x' }));
    const { lines, completeness } = await read(camt([{ ...STATEMENT, bookings }]));
    expect(lines.map(({ amounts }) => amounts)).toEqual([['27.5'], [], []]);
    expect(completeness.kind).not.toBe('proven');
  });

  it('proves nothing by balances that cannot be read', async () => {
    const { completeness } = await read(camt([{ opening: '1 000.00', closing: '1 000.00', bookings: [] }]));
    expect(completeness).toEqual({
      kind: 'unproven',
      why: 'the opening or the closing balance of statement S-1 cannot be read',
    });
  });

  it('may have no entries at all', async () => {
    const { lines, completeness } = await read(camt([{ opening: '5.00', closing: '5.00', bookings: [] }]));
    expect(lines).toEqual([]);
    expect(completeness).toMatchObject({ kind: 'proven', balances: [{ closing: '5.00' }] });
  });
});

it.each(['052', '054'])('camt.%s is read too', async (message) => {
  const found = await read(camt([STATEMENT], { message: `${message}.001.08` }));
  expect(found.format).toBe(`camt.${message}`);
  expect(found.lines.map(shown)).toEqual(LINES);
});

describe('MT940', () => {
  it('is read with its balances', async () => {
    const found = await read(mt940([STATEMENT]));
    expect(found.format).toBe('MT940');
    expect(found.lines.map(shown)).toEqual(LINES);
    expect(found.completeness).toMatchObject(PROVEN);
    expect(found.parts).toMatchObject([
      { name: 'statement 1/1', account: '60161331926819', currency: 'GBP' },
    ]);
  });

  it('finds a tag that the bank broke over two lines', async () => {
    const text = `${'X'.repeat(40)} PF-2AAAAAAA salary`;
    const { lines } = await read(
      mt940([{ ...STATEMENT, bookings: [{ amount: '-78.44', text, id: 'tr-2' }] }]),
    );
    expect(mt940([{ ...STATEMENT, bookings: [{ amount: '-78.44', text, id: 'tr-2' }] }])).not.toContain(
      'PF-2AAAAAAA',
    );
    expect(lines[0]?.tags).toEqual(['PF-2AAAAAAA']);
  });

  const message = (...fields: readonly string[]) =>
    [':20:X', ':25:DE1/2', ':28C:7/1', ':60F:C261031EUR100,', ...fields, ':62F:C261130EUR90,00', '-'].join(
      '\n',
    );

  it('reads numbered parts, reversals, and entries around the end of a year', async () => {
    const file = message(
      ':61:2611201120D12,5NTRFNONREF//B-7',
      ':86:177?00UEBERWEISUNG?20EREF+tr-9?21SVWZ+PF-2AAA?22AAAA salary?30BIC?310244123456?32KOFI ?33MENSAH',
      ':61:2701021231RD2,50NTRFREF-1',
      ':61:261121RC0,NCHGX',
    );
    const { lines, completeness } = await read(file);
    expect(lines.map(shown)).toEqual([
      '1 out EUR 12.5 PF-2AAAAAAA tr-9 2026-11-20,2026-11-20',
      '2 in EUR 2.5   2026-12-31,2027-01-02',
      '3 out EUR 0   2026-11-21,2026-11-21',
    ]);
    expect(lines[0]?.account?.text).toBe('0244123456');
    expect(completeness.kind).toBe('proven');
  });

  it('keeps a line that cannot be read as one that nobody can compare', async () => {
    const { lines, completeness } = await read(message(':61:261120D1E3NTRFNONREF'));
    expect(lines).toMatchObject([{ amounts: [], amountText: '261120D1E3NTRFNONREF', direction: 'open' }]);
    expect(completeness.kind).not.toBe('proven');
  });

  it('keeps entries of a statement that lost its beginning, which proves nothing', async () => {
    const file = mt940([STATEMENT, { opening: '940.54', closing: '940.54', bookings: [] }]);
    const { lines, completeness } = await read(file.slice(file.indexOf(':61:')));
    expect(lines.map(shown)).toEqual(LINES.map((line) => line.replace('GBP', '')));
    expect(completeness).toEqual({
      kind: 'unproven',
      why: 'statement 1 lacks its opening or its closing balance',
    });
  });

  it('that is cut lacks its closing balance, and proves nothing', async () => {
    const whole = mt940([STATEMENT]);
    const { completeness } = await read(whole.slice(0, whole.indexOf(':62F:')));
    expect(completeness).toEqual({
      kind: 'unproven',
      why: 'statement 1/1 lacks its opening or its closing balance',
    });
  });
});

describe('a damaged or hostile statement', () => {
  const whole = camt([STATEMENT]);
  const deep = `${'<X>'.repeat(80)}${'</X>'.repeat(80)}`;
  it.each<[string, string, RegExp]>([
    [
      'with a document type',
      whole.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'),
      /document type, which no statement needs/,
    ],
    ['with an entity of its own', whole.replace('customer', '&customer;'), /XML is damaged/],
    [
      'in an envelope',
      whole.replace('<Document', '<Envelope><Document').replace('</Document>', '</Document></Envelope>'),
      /has no statement in it; expected one in the elements of camt\.053/,
    ],
    ['that is cut', whole.slice(0, whole.indexOf('</Ntry>') + 7), /XML is damaged/],
    [
      'nested too deep',
      whole.replace('<GrpHdr>', `<GrpHdr>${deep}`),
      /nested more than 64 levels deep, as in no statement/,
    ],
    [
      'with a text without an end',
      whole.replace('customer', 'x'.repeat(9_000_000)),
      /text or a comment of more than 8 MB/,
    ],
    ['in another encoding', whole.replace('UTF-8', 'UTF-16'), /its XML is in UTF-16, not UTF-8/],
    [
      'of a version that is not known',
      camt([STATEMENT], { message: '053.001.14' }),
      /camt\.053\.001\.14; expected camt\.052, camt\.053 or camt\.054, versions 02 to 13/,
    ],
    [
      'of another message',
      whole.replaceAll('camt.053.001.02', 'camt.029.001.09'),
      /camt\.029\.001\.09; expected/,
    ],
    ['that is another XML', '<?xml version="1.0"?><invoice/>', /web page or XML/],
  ])('%s is refused', async (_, text, why) => {
    expect(await refusal(text, { words })).toMatch(why);
  });
});
