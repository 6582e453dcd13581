/** A row is paid as written or not at all, and a row that cannot be paid says everything that is wrong with it. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { columnLetters, fieldOfHeader } from '../../src/domain/rows/column-names.ts';
import {
  asCountryId,
  asInstitutionId,
  type Country,
  createDirectory,
  findSource,
  type Institution,
} from '../../src/domain/rows/directory.ts';
import type { WrittenMark } from '../../src/domain/rows/row.ts';
import { FIELDS, type Field } from '../../src/domain/rows/row.ts';
import { createRowValidator } from '../../src/domain/rows/validate-row.ts';
import { foldText } from '../../src/domain/text/fold.ts';
import { editDistance } from '../../src/domain/text/likeness.ts';

const country = (id: string, name: string, iso: string, callingCode: string): Country => ({
  id: asCountryId(id),
  name,
  iso,
  callingCode,
});
const institution = (id: string, name: string, code: string): Institution => {
  const currency = parseCurrency(code);
  if (currency === undefined) throw new Error(code);
  return { id: asInstitutionId(id), name, currency, charges: undefined };
};

const GHANA = country('c-gh', 'Ghana', 'GH', '233');
const COUNTRIES = [
  GHANA,
  country('c-ke', 'Kenya', 'KE', '254'),
  country('c-ci', "Côte d'Ivoire", 'CI', '225'),
  country('c-cd', 'Democratic Republic of the Congo', 'CD', '243'),
  country('c-gb', 'United Kingdom', 'GB', '44'),
];
const LISTS: Readonly<Record<string, readonly Institution[]>> = {
  'c-gh': [
    institution('i-mtn', 'MTN Mobile Money', 'GHS'),
    institution('i-gcb', 'GCB Bank', 'GHS'),
    institution('i-tw1', 'Twin Bank', 'GHS'),
    institution('i-tw2', 'TWIN-BANK', 'GHS'),
    institution('i-gtb', 'Guaranty Trust Bank', 'GHS'),
  ],
  'c-ke': [institution('i-mpesa', 'M-PESA', 'KES'), institution('i-eq', 'Equity Bank Kenya', 'KES')],
};

function directory() {
  const made = createDirectory(COUNTRIES);
  for (const [id, list] of Object.entries(LISTS)) made.addInstitutions(asCountryId(id), list);
  return made;
}

const COLUMNS = new Map<Field, number>(FIELDS.map((field, index) => [field, index]));
const GOOD: Readonly<Partial<Record<Field, string>>> = {
  reference: 'MAY-1',
  country: 'Ghana',
  institution: 'MTN Mobile Money',
  account: '0244123456',
  amount: '120.50',
};
type Cells = Readonly<Partial<Record<Field, string>>>;

function validate(changes: Cells, marks?: Readonly<Partial<Record<Field, WrittenMark['kind']>>>) {
  const validator = createRowValidator({
    salt: '',
    directory: directory(),
    columns: COLUMNS,
    headers: FIELDS.map((field) => `My ${field}`),
    source: COUNTRIES[4],
    amountStyle: { kind: 'declared', decimal: 'point' },
  });
  const written: Cells = { ...GOOD, ...changes };
  const cells = FIELDS.map((field) => written[field] ?? '');
  const list = Object.entries(marks ?? {}).map(([field, kind]) => ({
    column: COLUMNS.get(field as Field) ?? -1,
    kind,
  }));
  return validator.validate(
    list.length === 0 ? { rowNumber: 7, cells } : { rowNumber: 7, cells, marks: list },
  );
}

function kinds(
  changes: Cells,
  marks?: Readonly<Partial<Record<Field, WrittenMark['kind']>>>,
): readonly string[] {
  const validated = validate(changes, marks);
  return validated.kind === 'invalid' ? validated.issues.map((issue) => issue.kind) : [validated.kind];
}

describe('a good row', () => {
  it('becomes the instruction that was written, without the spaces that are no part of it', () => {
    const validated = validate({
      account: ' 0244\u2009123 456\u00a0',
      name: ' Ama \u00a0Boateng ',
      reference: 'Re\u0301f\u00a01',
      note: 'May\nsalary',
    });
    expect(validated.kind).toBe('valid');
    if (validated.kind !== 'valid') return;
    const { instruction } = validated;
    expect(instruction.account.reveal()).toBe('0244123456');
    expect(instruction).toMatchObject({
      sourceId: 'c-gb',
      destinationId: 'c-gh',
      institutionId: 'i-mtn',
      amount: { minor: 12_050n, currency: 'GHS' },
      name: 'Ama Boateng',
      reference: 'R\u00e9f 1',
      phone: undefined,
      note: 'May\nsalary',
      replaces: undefined,
    });
  });

  const UNDERSTOOD: readonly (readonly [string, Cells])[] = [
    ['an ISO code and another letter case', { country: 'gh', institution: 'mtn mobile money' }],
    ['service ids', { country: 'c-gh', institution: 'i-mtn' }],
    ['another language', { country: 'GANA', institution: 'MTN-Mobile-Money' }],
    ['its own source', { source: 'Royaume-Uni' }],
  ];
  it.each(UNDERSTOOD)('pays the same with %s, and is another row', (_, changes) => {
    const [plain, other] = [validate({}), validate(changes)];
    if (plain.kind !== 'valid' || other.kind !== 'valid') throw new Error(other.kind);
    expect(other.instruction).toEqual(plain.instruction);
    expect(Buffer.from(other.keys.rowKey)).not.toEqual(Buffer.from(plain.keys.rowKey));
  });

  const SAME: readonly (readonly [string, Cells])[] = [
    ['spaces around the cells', { country: ' Ghana ', note: '  ' }],
    ['spaces in its account', { account: '0244 123 456' }],
    ['the amount in another style', { amount: '120.5' }],
    ['the currency left out', { currency: '' }],
  ];
  it.each(SAME)('is the same row with %s', (_, changes) => {
    const keyOf = (cells: Cells) => {
      const validated = validate(cells);
      if (validated.kind !== 'valid') throw new Error(validated.kind);
      return Buffer.from(validated.keys.rowKey).toString('hex');
    };
    expect(keyOf(changes)).toBe(keyOf({}));
  });

  it('holds accents as one character each, as the service is told them', () => {
    const validated = validate({ name: 'Zoe\u0301 Mensah', note: 'Prime d\u2019e\u0301te\u0301' });
    expect(validated).toMatchObject({
      instruction: { name: 'Zo\u00e9 Mensah', note: 'Prime d\u2019\u00e9t\u00e9' },
    });
  });

  it('asks for the institutions of its country when they are not known yet', () => {
    expect(validate({ country: "Cote d'Ivoire", institution: 'Wave' })).toEqual({
      kind: 'needs_institutions',
      countryId: 'c-ci',
    });
  });

  it('waits when it is hidden in the sheet', () => {
    expect(validate({}, { note: 'hidden' })).toMatchObject({
      kind: 'valid',
      holds: [{ concern: { kind: 'hidden_row' } }],
    });
  });

  it('carries a warning when its account is a number', () => {
    const validated = validate({ institution: 'GCB Bank', account: '1011130024576' }, { account: 'number' });
    expect(validated).toMatchObject({ kind: 'valid', notes: [expect.stringContaining('number')] });
  });
});

describe('a row that cannot be paid', () => {
  const CASES: readonly (readonly [string, Cells, readonly string[]])[] = [
    ['country missing', { country: '' }, ['country_missing']],
    ['country unknown', { country: 'Atlantis' }, ['country_unknown']],
    ['a name of two countries, though only one is served', { country: 'Congo' }, ['country_unknown']],
    ['institution missing', { institution: '' }, ['institution_missing']],
    ['institution of another country', { institution: 'M-PESA' }, ['institution_unknown']],
    ['institution nearly right', { institution: 'GCB Bnk' }, ['institution_unknown']],
    ['two institutions of one name', { institution: 'twin bank' }, ['institution_ambiguous']],
    ['account missing', { account: '\u00a0' }, ['account_missing']],
    ...['\u034f', '\ufe0f', '\u3164', '\u115f', '\uffa0', '\u17b4', '\u2800'].map(
      (mark): [string, Cells, readonly string[]] => [
        `U+${mark.charCodeAt(0).toString(16)} behind an account and a reference`,
        { account: `0244123456${mark}`, reference: `MAY-1${mark}` },
        ['invisible_characters', 'invisible_characters'],
      ],
    ),
    ...['\u200b', '\u00ad', '\u3164', '\ufffe', '\ue000', '\u{e0041}', '\ufe0f', '\u2066', '\u200d'].map(
      (mark): [string, Cells, readonly string[]] => [
        `U+${mark.codePointAt(0)?.toString(16)} in a name and a note`,
        { name: `Ama${mark}Mensah`, note: `May${mark}salary` },
        ['invisible_characters', 'invisible_characters'],
      ],
    ),
    ['an amount that a double does not count', { amount: '90071992547409.93' }, ['amount_too_large']],
    ['a combining accent behind an account', { account: '0244123456\u0301' }, ['account_characters']],
    [
      'two telephone numbers for an account',
      { account: '0244123456 / 0244123457' },
      ['account_more_than_one'],
    ],
    ['the same without spaces', { account: '0244123456/0244123457' }, ['account_more_than_one']],
    ['a word beside the account', { account: '0244123456 or bank' }, ['account_more_than_one']],
    ['a date with spaces for an account', { account: '5 May 2026' }, ['account_date']],
    ['line break in the reference', { reference: 'A\nB' }, ['invisible_characters']],
    ['reference too long', { reference: 'x'.repeat(36) }, ['reference_too_long']],
    ['name too long', { name: 'x'.repeat(141) }, ['name_too_long']],
    ['note too long', { note: 'x'.repeat(141) }, ['note_too_long']],
    ['unknown source', { source: 'Narnia' }, ['source_unknown']],
    [
      'many things at once',
      { country: 'Kenia', account: '', amount: '-1', reference: 'x'.repeat(36) },
      ['reference_too_long', 'country_unknown', 'account_missing', 'amount_negative'],
    ],
  ];
  it.each(CASES)('%s: every issue is named', (_, changes, expected) => {
    expect(kinds(changes)).toEqual(expected);
  });

  it('names the greatest amount where one is above it', () => {
    const validated = validate({ amount: '99999999999999.00' });
    expect(validated.kind === 'invalid' && validated.issues[0]).toMatchObject({
      kind: 'amount_too_large',
      seen: '99999999999999.00',
      expected: 'at most GHS 90,071,992,547,409.92',
    });
    for (const amount of ['90071992547409.91', '90071992547409.92'])
      expect(validate({ amount }).kind).toBe('valid');
  });

  it('keeps a note in several lines, with joiners of its script and pictures', () => {
    for (const note of ['May\r\nsalary', 'حقوق می\u200cروم', '\u2764\ufe0f \u{1f468}\u200d\u{1f469}'])
      expect(validate({ note }).kind).toBe('valid');
  });

  it('says where, what was seen, what was expected and what to do', () => {
    const validated = validate({ institution: 'GCB Bnk' });
    expect(validated.kind === 'invalid' && validated.issues[0]).toEqual({
      kind: 'institution_unknown',
      field: 'institution',
      column: 'My institution',
      columnLetter: 'C',
      seen: 'GCB Bnk',
      expected: 'an institution of Ghana, by name or id',
      suggestion: expect.stringContaining('GCB Bank (id i-gcb)'),
    });
  });

  it('masks an account that stands in the place of a name', () => {
    const validated = validate({ name: '1011130045678' });
    expect(validated.kind === 'invalid' && validated.issues.map(({ seen }) => seen)).toEqual(['••••5678']);
  });

  it('proposes an institution by its initials and never binds it', () => {
    const validated = validate({ institution: 'GTBank' });
    expect(validated.kind === 'invalid' && validated.issues[0]?.suggestion).toContain('Guaranty Trust Bank');
  });

  it('asks for the id where two institutions share a name', () => {
    const validated = validate({ institution: 'Twin Bank' });
    const suggestion = validated.kind === 'invalid' ? validated.issues[0]?.suggestion : '';
    expect(suggestion).toContain('i-tw1');
    expect(suggestion).toContain('i-tw2');
  });

  it('never shows a whole account number', () => {
    const validated = validate({ account: '1.01113002E+12' });
    const text = JSON.stringify(validated.kind === 'invalid' ? validated.issues : '');
    expect(text).not.toContain('1.01113002');
    expect(text).toContain('••••E+12');
  });

  const MARKS: readonly (readonly [
    string,
    Cells,
    Readonly<Partial<Record<Field, WrittenMark['kind']>>>,
    readonly string[],
  ])[] = [
    ['a date for a reference, which is fine', { reference: '2026-05-01' }, { reference: 'date' }, ['valid']],
    ['an amount from a formula, which is fine', { amount: '120.5' }, { amount: 'formula' }, ['valid']],
  ];
  it.each(MARKS)('%s', (_, changes, marks, expected) => {
    expect(kinds(changes, marks)).toEqual(expected);
  });
});

describe('headers', () => {
  const HEADERS: readonly (readonly [string, Field | undefined])[] = [
    ['Account No.', 'account'],
    ['A/C number', 'account'],
    ['N° de compte', 'account'],
    ['Número da conta', 'account'],
    ['NUMERO DE COMPTE', 'account'],
    ['Bank / Wallet', 'institution'],
    ['Banque', 'institution'],
    ['Amount *', 'amount'],
    ['Montant à payer', 'amount'],
    ['Valor', 'amount'],
    ['Amount (USD)', undefined],
    ['Pays', 'country'],
    ['País de destino', 'country'],
    ['Bénéficiaire', 'name'],
    ['Payment reference (optional)', 'reference'],
    ['payfile_replaces', 'replaces'],
    ['payfile_currency', undefined],
    ['payfile_amount', undefined],
    ['Department', undefined],
    ['', undefined],
  ];
  it.each(HEADERS)('“%s” is the column of %s', (header, field) => {
    expect(fieldOfHeader(header)).toBe(field);
  });

  it('have letters as in a spreadsheet, past Z too', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
    ]);
  });
});

describe('the originating country', () => {
  it('is found like any other, or the message says what to write', () => {
    expect(findSource(directory(), 'uk')).toMatchObject({ kind: 'found', country: { iso: 'GB' } });
    expect(findSource(directory(), 'Gahna')).toMatchObject({
      message: expect.stringContaining('Ghana (GH)'),
    });
  });
});

describe('likeness', () => {
  it.each([
    ['mpesa', 'mpesa', 0],
    ['gahna', 'ghana', 1],
    ['kenia', 'kenya', 1],
    ['', 'abc', 3],
  ])('%s and %s are %i apart', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  it.each([
    ["CÔTE D'IVOIRE", 'cotedivoire'],
    ['Co\u0302te d’Ivoire', 'cotedivoire'],
    ['São Tomé', 'saotome'],
    ['n°', 'n'],
    ['№ 5', 'no5'],
  ])('%s folds to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});
