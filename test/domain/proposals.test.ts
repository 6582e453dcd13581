/** What is said of a name, an amount or a line that is no payment helps the person who wrote it. */
import { describe, expect, it } from 'vitest';
import type { AmountStyle } from '../../src/domain/money/amount-style.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { fieldOfHeader } from '../../src/domain/rows/column-names.ts';
import {
  asCountryId,
  asInstitutionId,
  type Country,
  createDirectory,
  type Institution,
} from '../../src/domain/rows/directory.ts';
import type { Field, RowIssue } from '../../src/domain/rows/row.ts';
import { createRowValidator } from '../../src/domain/rows/validate-row.ts';
import { closest } from '../../src/domain/text/likeness.ts';

const GHANA: Country = { id: asCountryId('c-gh'), name: 'Ghana', iso: 'GH', callingCode: '233' };
const UK: Country = { id: asCountryId('c-gb'), name: 'United Kingdom', iso: 'GB', callingCode: '44' };

function bank(): Institution {
  const currency = parseCurrency('GHS');
  if (currency === undefined) throw new Error('GHS');
  return { id: asInstitutionId('i-gcb'), name: 'GCB Bank', currency, charges: undefined };
}

const HEADERS = ['No.', 'Country', 'Bank', 'Account', 'Amount'];
const COLUMNS = new Map<Field, number>([
  ['country', 1],
  ['institution', 2],
  ['account', 3],
  ['amount', 4],
]);

function readRow(cells: readonly string[], amountStyle: AmountStyle) {
  const directory = createDirectory([GHANA, UK]);
  directory.addInstitutions(GHANA.id, [bank()]);
  const validator = createRowValidator({
    salt: '',
    directory,
    columns: COLUMNS,
    headers: HEADERS,
    source: UK,
    amountStyle,
  });
  return validator.validate({ rowNumber: 9, cells });
}

function firstIssue(cells: readonly string[], amountStyle: AmountStyle): RowIssue | undefined {
  const validated = readRow(cells, amountStyle);
  return validated.kind === 'invalid' ? validated.issues[0] : undefined;
}

describe('what is proposed for a name', () => {
  const LISTED = [
    'Banco Comercial e de Investimentos',
    'Banco de Fomento Angola',
    'CBAO Groupe Attijariwafa Bank',
    'Ecobank Ghana',
    'GCB Bank',
    'Kenya',
    'Benin',
  ];
  it.each([
    ['BCI', ['Banco Comercial e de Investimentos']],
    ['BFA', ['Banco de Fomento Angola']],
    ['CBAO', ['CBAO Groupe Attijariwafa Bank']],
    // GCB Bank is three letters away, which is no help beside the bank that was written.
    ['Ecobank', ['Ecobank Ghana']],
    ['Kenia', ['Kenya']],
    ['Atlantis', []],
  ])('for “%s” is %j', (written, proposed) => {
    expect(closest(written, LISTED, (name) => name)).toEqual(proposed);
  });
});

describe('an amount in the other number style', () => {
  const row = ['1', 'Ghana', 'GCB Bank', '1011130024576', '1.250,00'];

  it('is not said to differ from the file where a flag decided', () => {
    const issue = firstIssue(row, { kind: 'declared', decimal: 'point' });
    expect(issue?.expected).toBe('a decimal point, as you said, such as 1,250.00');
    expect(issue?.suggestion).toBe('Correct the amount, or what you said of it.');
  });

  it('is not sent to a flag that cannot settle a file of both styles', () => {
    const issue = firstIssue(row, { kind: 'mixed', decimal: 'point' });
    expect(issue?.expected).toContain('as elsewhere in the file');
    expect(issue?.suggestion).not.toContain('--decimal');
  });
});

describe('a line that pays nobody, wherever its text stands', () => {
  const read = (cells: readonly string[]) => readRow(cells, { kind: 'proving' });
  const wrong = (cells: readonly string[]) => {
    const line = read(cells);
    return line.kind === 'line' ? line.orElse.issues[0] : firstIssue(cells, { kind: 'proving' });
  };
  it.each([
    [
      ['Prepared by: G. Addo', '', '', '', ''],
      'No.',
      'country, institution, account and amount are all empty',
    ],
    [['', 'Prepared by: G. Addo', '', '', ''], 'Country', 'institution, account and amount are all empty'],
    [['', '', 'Approved by', '', ''], 'Bank', 'country, account and amount are all empty'],
    [['', '', '', '', '1,200.00'], 'Amount', 'country, institution and account are all empty'],
  ])('is one issue where it is not left out: %j', (cells, column, expected) => {
    expect(wrong(cells)).toMatchObject({ kind: 'row_without_payment', column });
    expect(wrong(cells)?.expected).toContain(expected);
  });
  it.each([
    ['Total', 'certain', ''],
    ['Sub-total Sales', 'certain', 'sales'],
    ['TOTAL SALES TEAM GHANA', 'possible', 'salesteamghana'],
    ['Ghana total', 'possible', 'ghana'],
    ['Total for Rift Valley Packaging & Sons Ltd', 'possible', 'riftvalleypackagingsonsltd'],
    ['Sous-total Sénégal', 'certain', 'senegal'],
    ['Totally Fine Foods Limited Ghana', 'possible', ''],
    ['Bonus', 'possible', ''],
  ])('may be a total by its label: %s', (label, is, heading) => {
    expect(read([label, '', '', '', '10.00'])).toMatchObject({
      line: { label: is, heading },
      plain: '10.00',
    });
  });
  it('is a payment as soon as an account stands in it', () => {
    expect(wrong(['Total Ghana', '', '', '1011130024576', '10.00'])?.kind).toBe('country_missing');
  });
});

describe('what is said of a cell', () => {
  const row = (country: string, amount: string) => ['1', country, 'GCB Bank', '1011130024576', amount];
  it.each([
    ['12.', 'amount_unfinished', 'digits after the decimal mark, or no mark at the end'],
    ['12.50+', 'amount_not_a_number', 'an amount without a sign behind it, such as 1250.00'],
    ['-', 'amount_missing', 'an amount such as 1250.00; a dash is none'],
    ['–', 'amount_missing', 'an amount such as 1250.00; a dash is none'],
  ])('fits the amount “%s”', (amount, kind, expected) => {
    expect(firstIssue(row('Ghana', amount), { kind: 'proving' })).toMatchObject({ kind, expected });
  });
  it('shows an amount with a leading zero, unless it is as long as an account', () => {
    const seen = (amount: string) => firstIssue(row('Ghana', amount), { kind: 'proving' })?.seen;
    expect(seen('GHS 012.50')).toBe('GHS 012.50');
    expect(seen('0244123456')).toBe('••••3456');
  });
  it('proposes no country for one that is like none', () => {
    expect(firstIssue(row('Wakanda', '1.00'), { kind: 'proving' })?.suggestion).toBe(
      'Take the name from the list of the service (on a terminal: payfile countries).',
    );
    expect(firstIssue(row('Gahna', '1.00'), { kind: 'proving' })?.suggestion).toBe(
      'Did you mean Ghana (GH)?',
    );
  });
});

describe('headers of real payrolls', () => {
  it.each([
    ['Nom et prénom', 'name'],
    ['Nom & Prénoms', 'name'],
    ['Nome do colaborador', 'name'],
    ['Banque / Opérateur', 'institution'],
    ['Bank / MoMo', 'institution'],
    ['Nº de conta', 'account'],
    ['Nº de conta / IBAN', 'account'],
    ['Vencimento líquido', 'amount'],
    // Which currency is meant is for the person to say.
    ['Net Pay (GHS)', undefined],
    ['Montant net (FCFA)', undefined],
  ])('“%s” is the column of %s', (header, field) => {
    expect(fieldOfHeader(header)).toBe(field);
  });
});
