/**
 * The sheet Lists: what the drop-downs offer, as the service lists it. Ranges are named, so that rules on
 * other sheets work in every spreadsheet program.
 *
 * Institutions stand sorted by country, so that those of one country are a block that OFFSET can cut out;
 * unlike names made of country names, that survives spaces, accents and hyphens.
 */
import type { TemplateContent } from '../../../ports/outputs.ts';
import { HEADER_STYLE, PLAIN_STYLE, QUIET_STYLE, TAB, TEXT_STYLE } from '../report/xlsx/styles.ts';
import { protect, type TemplateBook } from './template-workbook.ts';

export const LIST_NAMES = {
  countries: 'payfile_countries',
  currencies: 'payfile_currencies',
  /** The cell above the first institution, for OFFSET. */
  top: 'payfile_institutions_top',
  /** Country of each institution, beside its name. */
  belongsTo: 'payfile_institution_country',
  /** `country|institution`, to look its currency up. */
  keys: 'payfile_institution_key',
  paysIn: 'payfile_institution_currency',
} as const;

// None of these words names a field of a payout file: this sheet must never look like one with rows to pay.
const HEADINGS = [
  'Countries',
  'ISO',
  '',
  'Belongs to',
  'Institutions',
  'Pays in',
  'Id',
  'Key',
  '',
  'Currencies',
];
const WIDTHS = [28, 8, 3, 28, 36, 10, 12, 44, 3, 12];

export async function addLists(book: TemplateBook, content: TemplateContent): Promise<void> {
  const sheet = book.sheet('Lists', { frozenRows: 1, widths: WIDTHS, tabColor: TAB.info, landscape: true });
  for (const [at, heading] of HEADINGS.entries()) {
    const cell = sheet.getCell(1, at + 1);
    cell.value = heading === '' ? null : heading;
    cell.style = heading === '' ? PLAIN_STYLE : HEADER_STYLE;
  }
  const write = (row: number, column: number, text: string, style = TEXT_STYLE) => {
    const cell = sheet.getCell(row, column);
    cell.value = text;
    cell.style = style;
  };
  const { countries } = content;
  for (const [at, { label, country }] of countries.entries()) {
    write(at + 2, 1, label);
    write(at + 2, 2, country.iso);
  }
  const institutions = countries.flatMap((each) =>
    each.institutions.map((item) => ({ ...item, country: each.label })),
  );
  for (const [at, { country, label, institution }] of institutions.entries()) {
    write(at + 2, 4, country);
    write(at + 2, 5, label);
    write(at + 2, 6, institution.currency);
    write(at + 2, 7, institution.id, QUIET_STYLE);
    write(at + 2, 8, `${country}|${label}`, QUIET_STYLE);
  }
  const currencies = currenciesOf(content);
  for (const [at, currency] of currencies.entries()) write(at + 2, 10, currency);
  const down = (letter: string, length: number) => `Lists!$${letter}$2:$${letter}$${Math.max(2, length + 1)}`;
  book.name(LIST_NAMES.countries, down('A', countries.length));
  book.name(LIST_NAMES.currencies, down('J', currencies.length));
  book.name(LIST_NAMES.top, 'Lists!$E$1');
  book.name(LIST_NAMES.belongsTo, down('D', institutions.length));
  book.name(LIST_NAMES.keys, down('H', institutions.length));
  book.name(LIST_NAMES.paysIn, down('F', institutions.length));
  await protect(sheet);
}

export function currenciesOf({ countries }: TemplateContent): readonly string[] {
  const all = countries.flatMap(({ institutions }) => institutions.map((each) => each.institution.currency));
  return [...new Set(all)].sort();
}
