/** Advice is true: a cell that is changed as its message says is accepted. Wrong cell, words of the advice, changed cell. */
import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../src/domain/rows/directory.ts';
import { FIELDS, type WrittenMark } from '../../src/domain/rows/row.ts';
import { createRowValidator } from '../../src/domain/rows/validate-row.ts';
import { expectations } from './expectation.ts';
import { SANDBOX_LISTS } from './read-corpus.ts';
import { type Row, readRow } from './read-row.ts';

const GOOD: Row = {
  ...{ reference: 'A-1', country: 'Ghana', institution: 'GCB Bank', account: '1011130024576' },
  ...{ name: 'Yaw Acheampong', amount: '1200.00' },
};
const WALLET: Row = { country: 'Kenya', institution: 'M-PESA', account: '0712345678' };
const NIGERIA: Row = { country: 'Nigeria', institution: 'Zenith Bank', account: '1004829134' };
/** The row is taken out. */
const OUT = undefined;

const ADVICE: readonly (readonly [kind: string, wrong: Row, words: string, followed: Row | undefined])[] = [
  ['country_missing', { country: '' }, 'Fill in the country', { country: 'Ghana' }],
  ['country_unknown', { country: 'Gahna' }, 'Did you mean Ghana (GH)?', { country: 'Ghana' }],
  ['country_unknown', { country: 'Gahna' }, 'Did you mean Ghana (GH)?', { country: 'GH' }],
  ['country_unknown', { country: '250' }, 'Did you mean Rwanda (RW) or France (FR)?', { country: 'GH' }],
  ['institution_missing', { institution: '' }, 'Fill in the institution', { institution: 'GCB Bank' }],
  [
    'institution_unknown',
    { institution: 'GCB Bnak' },
    'Did you mean GCB Bank (id',
    { institution: 'GCB Bank' },
  ],
  ['account_missing', { account: ' ' }, 'take the row out', OUT],
  [
    'account_placeholder',
    { account: 'CASH' },
    'Ask the beneficiary for the account',
    { account: '1011130024576' },
  ],
  ['account_placeholder', { account: 'NO_PHONE' }, 'take the row out', OUT],
  [
    'account_more_than_one',
    { account: '1011130024576 / 1011130024577' },
    'Write the one account',
    { account: '1011130024576' },
  ],
  [
    'account_more_than_one',
    { account: 'A/C 1011130024576' },
    'Write the one account',
    { account: '1011130024576' },
  ],
  [
    'account_marks',
    { account: '101-113-0024576' },
    'Write it without them (10111…576)',
    { account: '1011130024576' },
  ],
  [
    'account_characters',
    { account: "'1011130024576" },
    'Write the account alone',
    { account: '1011130024576' },
  ],
  [
    'account_characters',
    { ...WALLET, account: 'KE0712345678' },
    'Write the account alone',
    { account: '0712345678' },
  ],
  ['account_look_alike', { account: '1O11130024576' }, 'type it again', { account: '1011130024576' }],
  ['account_look_alike', { account: '١٠١١١٣' }, 'find each of the other digits', { account: '101113' }],
  [
    'account_look_alike',
    { account: '1０١1130024576' },
    'type the account again by hand',
    { account: '1011130024576' },
  ],
  ['account_scientific', { account: '1.01113E+12' }, 'enter the account again', { account: '1011130024576' }],
  [
    'account_not_whole',
    { account: '1011130024576.0' },
    'enter the account again',
    { account: '1011130024576' },
  ],
  ['account_date', { account: '12/05/2026' }, 'enter the account again', { account: '12052026' }],
  ['account_too_long', { account: '12'.repeat(40) }, 'enter the account again', { account: '1011130024576' }],
  [
    'account_wrong_length',
    { ...WALLET, account: '345678' },
    'enter the account again',
    { account: '0712345678' },
  ],
  [
    'account_wrong_length',
    { ...NIGERIA, account: '10048' },
    'Take the account from its source again',
    { account: '1004829134' },
  ],
  [
    'account_zero_lost',
    { ...NIGERIA, institution: 'Guaranty Trust Bank', account: '123456785' },
    'write the account with its leading 0',
    { account: '0123456785' },
  ],
  [
    'invisible_characters',
    { account: '10111\u200b30024576' },
    'type the value again',
    { account: '1011130024576' },
  ],
  ['name_without_letters', { name: '123' }, 'leave the cell empty', { name: '' }],
  ['name_too_long', { name: 'y'.repeat(141) }, 'Shorten it', { name: 'y'.repeat(140) }],
  ['garbled_text', { name: 'KouamÃ©' }, 'Perhaps “Kouamé” was meant', { name: 'Kouamé' }],
  ['look_alike_letters', { name: 'Yаw Acheampong' }, 'type the text again', { name: 'Yaw Acheampong' }],
  ['reference_too_long', { reference: 'r'.repeat(36) }, 'Shorten it', { reference: 'r'.repeat(35) }],
  ['note_too_long', { note: 'n'.repeat(141) }, 'Shorten it', { note: 'n'.repeat(140) }],
  ['cell_error', { account: '#N/A' }, 'Mend the formula', { account: '1011130024576' }],
  ['currency_unknown', { currency: 'GHC' }, 'Write GHS', { currency: 'GHS' }],
  ['currency_unknown', { currency: 'pieces' }, 'Write GHS, if the amount is in GHS', { currency: 'GHS' }],
  ['currency_mismatch', { currency: 'USD' }, 'Write GHS if the amount is in GHS', { currency: 'GHS' }],
  [
    'currency_mismatch',
    { currency: 'USD', amount: '100' },
    'Else write both in GHS',
    { currency: 'GHS', amount: '1214' },
  ],
  ['source_unknown', { source: 'Untied Kingdom' }, 'Did you mean United Kingdom (GB)?', { source: 'GB' }],
  ['replaces_malformed', { replaces: 'x' }, 'Leave the cell as our report wrote it', { replaces: '12' }],
  ['amount_missing', { amount: '' }, 'Write the amount, or take the row out', OUT],
  ['amount_zero', { amount: '0.00' }, 'Write the amount, or take the row out', { amount: '5.00' }],
  ['amount_negative', { amount: '-5.00' }, 'Take out rows that are refunds', OUT],
  [
    'amount_too_large',
    { amount: '1234567890123456' },
    'Check that this is not an account',
    { amount: '1234' },
  ],
  ['amount_too_precise', { amount: '1.2345' }, 'Write the exact amount', { amount: '1.23' }],
  ['amount_scientific', { amount: '2E+04' }, 'enter the amount again', { amount: '20000' }],
  ['amount_shortened', { amount: '12.5K' }, 'with all its digits', { amount: '12500' }],
  ['amount_with_currency', { amount: '500 pieces' }, 'in GHS, without words', { amount: 'GHS 500' }],
  [
    'amount_with_currency',
    { country: 'Namibia', institution: 'Bank Windhoek', amount: '$500' },
    'write NAD in place of “$”',
    { amount: 'NAD500' },
  ],
  ['amount_other_currency', { amount: '€500' }, 'Find out how much is meant in GHS', { amount: '6500' }],
  ['amount_other_digits', { amount: '٣٬٤٠٠' }, 'find each of the other digits and marks', { amount: '3400' }],
  [
    'amount_other_digits',
    { amount: '٣٬٤٠٠' },
    'find each of the other digits and marks',
    { amount: '3,400.00' },
  ],
  ['amount_leading_zero', { amount: '012.50' }, 'write it without the zeros', { amount: '12.50' }],
  ['amount_is_account', { amount: '1,011,130,024,576.00' }, 'write the amount', { amount: '1200.00' }],
  ['amount_is_account', { ...WALLET, amount: '712345678' }, 'columns are not mixed up', { amount: '5000' }],
  ['amount_grouping', { amount: '12 34' }, 'without thousands marks', { amount: '1234' }],
  ['amount_unfinished', { amount: '12.' }, 'Write all digits', { amount: '12.0' }],
  ['amount_percent', { amount: '15%' }, 'Write the amount itself', { amount: '150' }],
  ['amount_formula', { amount: '=5+5' }, 'or write the amount', { amount: '10' }],
  ['amount_date', { amount: '12/05/2026' }, 'enter the amount again', { amount: '12.05' }],
  ['amount_look_alike', { amount: '1O0' }, 'type it again', { amount: '100' }],
  ['amount_not_a_number', { amount: 'half' }, 'Write the amount alone, in digits', { amount: '600' }],
  ['amount_ambiguous', { amount: '1,500' }, 'write 1,50 if 1.500 is meant', { amount: '1,50' }],
  ['amount_ambiguous', { amount: '1,500' }, 'decimal mark is a point if 1500 is meant', { amount: '1500' }],
  [
    'row_without_payment',
    { country: '', institution: '', account: '', name: 'Soma', reference: '' },
    'take it out of the sheet',
    OUT,
  ],
];

describe('a cell that is changed as its message says', () => {
  it.each(ADVICE)('%s: %o, “%s”', async (kind, wrong, words, followed) => {
    const { issues } = await readRow({ ...GOOD, ...wrong });
    expect(issues.map((issue) => [issue.kind, issue.suggestion])).toContainEqual([
      kind,
      expect.stringContaining(words),
    ]);
    if (followed !== undefined)
      expect((await readRow({ ...GOOD, ...wrong, ...followed })).issues).toEqual([]);
  });

  it('names no other way to write amounts than the one that the file proves', async () => {
    const others = [
      { ...GOOD, reference: 'A-2', amount: '12.50' },
      { ...GOOD, reference: 'A-3', amount: '13.50' },
    ];
    const { issues } = await readRow({ ...GOOD, amount: '20,50' }, others);
    expect(issues).toMatchObject([
      { kind: 'amount_other_style', suggestion: expect.stringContaining('in one way') },
    ]);
    expect((await readRow({ ...GOOD, amount: '20.50' }, others)).issues).toEqual([]);
  });
});

const MARKED: readonly (readonly [
  kind: string,
  field: (typeof FIELDS)[number],
  mark: WrittenMark['kind'],
  words: string,
])[] = [
  ['account_digits_lost', 'account', 'number', 'enter the account again'],
  ['amount_shown_otherwise', 'amount', 'shown_rounded', 'round the amounts'],
  ['cell_error', 'amount', 'error_value', 'Mend the formula'],
  ['cell_merged', 'institution', 'merged', 'Unmerge the cells'],
  ['cell_not_text', 'name', 'date', 'Format the column as text'],
  ['cell_shown_otherwise', 'account', 'shown_text', 'Format the column as text'],
  ['formula_external', 'amount', 'formula_external', 'paste it as values'],
  ['formula_without_value', 'amount', 'formula_without_value', 'let it calculate'],
];

/** Of a workbook: what is entered again as text has no mark any more. */
async function marked(row: Row, marks: readonly WrittenMark[]) {
  const listed = await SANDBOX_LISTS.countries();
  const directory = createDirectory(listed.kind === 'answered' ? listed.answer : []);
  const ghana = directory.findCountry('GH');
  if (ghana.kind !== 'found') throw new Error('GH');
  const lists = await SANDBOX_LISTS.institutions(ghana.item.id);
  directory.addInstitutions(ghana.item.id, lists.kind === 'answered' ? lists.answer : []);
  const validator = createRowValidator({
    ...{ directory, source: ghana.item, salt: '', headers: FIELDS, amountStyle: { kind: 'proving' } },
    columns: new Map(FIELDS.map((field, at) => [field, at])),
  });
  const validated = validator.validate({
    rowNumber: 2,
    cells: FIELDS.map((field) => row[field] ?? ''),
    marks,
  });
  return validated.kind === 'invalid' ? validated.issues : [];
}

it.each(MARKED)('%s of %s, marked %s: “%s”', async (kind, field, mark, words) => {
  const row = kind === 'account_digits_lost' ? { ...GOOD, account: '1234567890123456' } : GOOD;
  const issues = await marked(row, [{ column: FIELDS.indexOf(field), kind: mark, words: 'B5:B9' }]);
  expect(issues).toMatchObject([{ kind, suggestion: expect.stringContaining(words) }]);
  expect(await marked(row, [])).toEqual([]);
});

it('is tried for every kind of issue that the files of the corpus have', () => {
  const tried = new Set([...ADVICE, ...MARKED].map(([kind]) => kind));
  const kinds = expectations().flatMap(({ facts }) =>
    facts.flatMap(({ what }) => /^bad \d+ \w+ (\w+)/.exec(what)?.[1] ?? []),
  );
  const elsewhere = ['amount_other_style', 'header_repeated', 'reference_repeated'];
  expect([...new Set(kinds)].filter((kind) => !tried.has(kind) && !elsewhere.includes(kind))).toEqual([]);
});
