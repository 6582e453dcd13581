/**
 * Writes the input template: Payments to fill in, Check with live sums, Example, and the Lists behind the
 * drop-downs.
 *
 * Errors:  ReportUnwritable, also when a file is there already: it may be filled in.
 */
import type { Writable } from 'node:stream';
import { decimalsOf, parseCurrency } from '../../domain/money/currency.ts';
import type { Field } from '../../domain/rows/row.ts';
import { said } from '../../domain/text/message.ts';
import type { OutputGuard, TemplateContent } from '../../ports/outputs.ts';
import { type Column, column } from '../../views/table-columns.ts';
import { createOutputGuard, NOTHING_KEPT } from '../output-guard.ts';
import { writeReportFile } from '../report/report-file.ts';
import { cell, textCell } from '../report/xlsx/cells.ts';
import { addRows, beside, rows, table } from '../report/xlsx/sheet.ts';
import { amberRule, amountStyle, LOOK, TAB } from '../report/xlsx/styles.ts';
import type { Cell, CellStyle } from '../report/xlsx/xlsx-workbook.ts';
import {
  addPayments,
  FIRST_ROW,
  LAST_LETTER,
  LAST_ROW,
  LIST_NAMES,
  letterOf,
  PAYMENTS,
  TEMPLATE_COLUMNS,
} from './form-sheet.ts';
import { newTemplateBook, type TemplateBook } from './template-workbook.ts';

export async function writeTemplate(
  path: string,
  content: TemplateContent,
  stdout?: Writable,
  guard: OutputGuard = createOutputGuard(NOTHING_KEPT),
): Promise<void> {
  await guard.check(path, 'template');
  const book = newTemplateBook({ title: 'Payments', madeAt: content.madeAt });
  addPayments(book);
  await addCheck(book, content);
  addExample(book, content);
  await addLists(book, content);
  const bytes = await book.bytes();
  const written = { what: 'template', advice: said`Name another place: payfile template -o FILE` };
  const mayWrite = (place: string) => guard.check(place, 'template');
  await writeReportFile(path, bytes, { stdout, written, mayWrite });
}

const live = (formula: string, style: CellStyle): Cell => ({ value: { formula }, style });

/**
 * The sheet Lists: what the drop-downs offer, as the service lists it. Institutions stand sorted by country, so that
 * those of one country are a block; unlike names made of country names, that survives spaces, accents and hyphens.
 */
const LISTS = { name: 'Lists', widths: [28, 8, 3, 28, 36, 10, 12, 44, 3, 12] };

interface Listed {
  readonly country: string;
  readonly label: string;
  readonly currency: string;
  readonly id: string;
}

// None of these headings names a field of a payout file: this sheet must never look like one with rows to pay.
const COUNTRY_COLUMNS: readonly Column<TemplateContent['countries'][number]>[] = [
  column.text('Countries', ({ label }) => label),
  column.text('ISO', ({ country }) => country.iso),
];
const INSTITUTION_COLUMNS: readonly Column<Listed>[] = [
  column.text('Belongs to', ({ country }) => country),
  column.text('Institutions', ({ label }) => label),
  column.text('Pays in', ({ currency }) => currency),
  column.quiet('Id', ({ id }) => id),
  column.quiet('Key', ({ country, label }) => `${country}|${label}`),
];
const CURRENCY_COLUMNS: readonly Column<string>[] = [column.text('Currencies', (currency) => currency)];

async function addLists(book: TemplateBook, content: TemplateContent): Promise<void> {
  const sheet = book.addSheet({ ...LISTS, frozen: { rows: 1, columns: 0 }, tabColor: TAB.info });
  const { countries } = content;
  const institutions = countries.flatMap((each) =>
    each.institutions.map(({ label, institution: { id, currency } }) => ({
      country: each.label,
      label,
      currency,
      id,
    })),
  );
  const currencies = currenciesOf(content);
  addRows(
    sheet,
    beside(
      [0, table({ columns: COUNTRY_COLUMNS, lines: countries })],
      [3, table({ columns: INSTITUTION_COLUMNS, lines: institutions })],
      [9, table({ columns: CURRENCY_COLUMNS, lines: currencies })],
    ),
  );
  const down = (letter: string, { length }: readonly unknown[]) =>
    `Lists!$${letter}$2:$${letter}$${Math.max(2, length + 1)}`;
  book.name(LIST_NAMES.countries, down('A', countries));
  book.name(LIST_NAMES.isos, down('B', countries));
  book.name(LIST_NAMES.currencies, down('J', currencies));
  book.name(LIST_NAMES.top, 'Lists!$E$1');
  book.name(LIST_NAMES.belongsTo, down('D', institutions));
  book.name(LIST_NAMES.keys, down('H', institutions));
  book.name(LIST_NAMES.ids, down('G', institutions));
  book.name(LIST_NAMES.paysIn, down('F', institutions));
  await sheet.protect();
}

function currenciesOf({ countries }: TemplateContent): readonly string[] {
  const all = countries.flatMap(({ institutions }) => institutions.map((each) => each.institution.currency));
  return [...new Set(all)].sort();
}

/**
 * The sheet Check: formulas that count and sum what stands in Payments while it is being filled in. On the right one
 * line per row of Payments, on the left the sums of those lines.
 */
const CHECK = { name: 'Check', widths: [34, 12, 20, 3, 8, 10, 60] };
const LINES_FROM = 4;
const NOT_KNOWN = 'not known';
const WRONG_ROW = 4;

/** All prepared rows of a column of Payments, or of the lines of Check, which stand in the same rows. */
const allOf = (letter: string) => `$${letter}$${FIRST_ROW}:$${letter}$${LAST_ROW}`;

async function addCheck(book: TemplateBook, content: TemplateContent): Promise<void> {
  const sheet = book.addSheet({ ...CHECK, frozen: { rows: 1, columns: 0 }, tabColor: TAB.look });
  const sums = sumRows(content);
  const heading = ['Row', 'Pays in', 'What to look at'].map((value) => cell('header', value));
  const lines = Array.from({ length: LAST_ROW - FIRST_ROW + 1 }, (_, at) => lineCells(FIRST_ROW + at));
  addRows(sheet, beside([0, rows(...sums)], [LINES_FROM, rows(heading, ...lines)]));
  sheet.rule(`B${WRONG_ROW}`, amberRule(`$B$${WRONG_ROW}>0`));
  sheet.printOnly(`A$1:C$${sums.length}`);
  await sheet.protect();
}

function sumRows(content: TemplateContent): readonly (readonly Cell[])[] {
  const amounts = `Payments!${allOf(letterOf('amount'))}`;
  const currencies = [...currenciesOf(content), NOT_KNOWN].map((currency, at) => {
    const row = 7 + at;
    return [
      cell(currency === NOT_KNOWN ? 'quiet' : 'bold', currency),
      live(`COUNTIF(${allOf('F')},$A${row})`, LOOK.count),
      live(`SUMIF(${allOf('F')},$A${row},${amounts})`, sumStyle(currency)),
    ];
  });
  return [
    [cell('bold', 'What the sheet Payments holds now')],
    [],
    [cell('plain', 'Rows filled in'), live(`COUNT(${allOf('E')})`, LOOK.count)],
    [
      cell('plain', 'Rows to look at (listed on the right)'),
      live(`SUMPRODUCT(--(LEN(${allOf('G')})>0))`, LOOK.count),
    ],
    [],
    [cell('header', 'Pays in'), ...['Rows', 'Sum'].map((value) => cell('numberHeader', value))],
    ...currencies,
    [],
    [cell('quiet', 'payfile stops when the file that it reads is another one:')],
    [cell('quiet', 'give it these rows and sums as what you expect.')],
  ];
}

function sumStyle(code: string): CellStyle {
  const currency = parseCurrency(code);
  return amountStyle(currency === undefined ? 2 : decimalsOf(currency));
}

/** Account numbers are compared as text, by SUMPRODUCT: COUNTIF sees two that differ after digit 15 as one. */
function lineCells(row: number): readonly Cell[] {
  const its = (field: Field) => `Payments!$${letterOf(field)}${row}`;
  const all = (field: Field) => `Payments!${allOf(letterOf(field))}`;
  const [country, institution, account] = [its('country'), its('institution'), its('account')];
  const [amount, currency, reference] = [its('amount'), its('currency'), its('reference')];
  const at = (text: string, list: string) => `MATCH(${text},${list},0)`;
  // A country may be given by its code, and an institution by its id.
  const label = `IFERROR(INDEX(${LIST_NAMES.countries},${at(country, LIST_NAMES.isos)}),${country})`;
  const listed = `IFERROR(${at(`${label}&"|"&${institution}`, LIST_NAMES.keys)},${at(`${institution}&""`, LIST_NAMES.ids)})`;
  const known = `INDEX(${LIST_NAMES.paysIn},${listed})`;
  const isCountry = `ISNUMBER(${at(label, LIST_NAMES.countries)})`;
  // 7.12346E+08 as text: a spreadsheet has shortened the number.
  const beforeExponent = `MID(${account},SEARCH("E+",${account})-1,1)`;
  const samePayment = `SUMPRODUCT((${all('account')}=${account})*(${all('amount')}=${amount}))>1`;
  const findings: readonly (readonly [condition: string, words: string])[] = [
    [`${country}=""`, 'no country'],
    [`AND(${country}<>"",NOT(${isCountry}))`, 'the country is not in the list'],
    [`${institution}=""`, 'no institution'],
    [
      `AND(${institution}<>"",${isCountry},NOT(ISNUMBER(${listed})))`,
      'the institution is not in the list of the country',
    ],
    [`${account}=""`, 'no account'],
    [`ISNUMBER(${account})`, 'the account is a number: leading zeros are lost'],
    [`ISNUMBER(VALUE(${beforeExponent}))`, 'the account has lost digits'],
    [`${amount}=""`, 'no amount'],
    [`ISTEXT(${amount})`, 'the amount is text'],
    [`AND(${currency}<>"",$F${row}<>${currency})`, 'another currency than the institution pays in'],
  ];
  const parts = findings.map(([condition, words]) => `IF(${condition},"; ${words}","")`);
  const sameReference = `IF(${reference}="","",IF(SUMPRODUCT(--(${all('reference')}=${reference}))>1,"; the same reference as another row",""))`;
  const repeated = `IF(OR(${account}="",${amount}=""),"",IF(${samePayment},"; the same account and amount as another row",""))`;
  const wrong = [...parts, sameReference, repeated].join('&');
  return [
    live(`IF(COUNTA(Payments!$A${row}:$${LAST_LETTER}${row})=0,"",ROW(Payments!$A${row}))`, LOOK.quiet),
    live(`IF($E${row}="","",IFERROR(${known},IF(${currency}="","${NOT_KNOWN}",${currency})))`, LOOK.quiet),
    live(`IF($E${row}="","",MID(${wrong},3,200))`, LOOK.plain),
  ];
}

const BANK = /bank|banco|banque/i;
const WALLET = /money|momo|pesa|wave|cash/i;
/** Invented people and accounts, the country where each may be at home, and where such an account is held. */
const PEOPLE = [
  ['GH', BANK, 'PAY-001', 'Ama Mensah', '0011223344556', 1_250.5, 'Salary May'],
  ['KE', WALLET, 'PAY-002', 'Joseph Otieno', '0712345678', 48_000, 'Salary May'],
  ['NG', BANK, 'INV-4310', 'Baobab Supplies', '0098765432', 310_000, 'Invoice 4310'],
  ['CI', WALLET, 'INV-4317', 'Traoré et Fils', '0770123456', 96_000, 'Transport'],
] as const;

/**
 * The sheet Example: filled-in rows as they should look, and what each column is for. Never read: its column
 * headings carry numbers, so that it cannot be taken for rows to pay.
 */
function addExample(book: TemplateBook, content: TemplateContent): void {
  const { widths } = PAYMENTS;
  const sheet = book.addSheet({
    name: 'Example',
    widths,
    frozen: { rows: 0, columns: 0 },
    tabColor: TAB.info,
  });
  const numbered = TEMPLATE_COLUMNS.map(({ header, help }, at) => ({ header: `${at + 1} ${header}`, help }));
  const blocks = rows(
    [cell('bold', 'An example. Only the sheet Payments is read.')],
    [],
    numbered.map(({ header }) => cell('header', header)),
    ...exampleRows(content),
    [],
    [],
    [cell('bold', 'How to fill it in')],
    ...numbered.map(({ header, help }) => [cell('plain', header), cell('plain', help)]),
    [],
    ...remarksOn(content).map((remark) => [cell('quiet', remark)]),
  );
  addRows(sheet, blocks);
}

/** Each person in a country of the template: at home where it is one of them. */
function exampleRows({ countries }: TemplateContent): readonly (readonly (Cell | undefined)[])[] {
  const homes = PEOPLE.map(([iso]) => countries.find(({ country }) => country.iso === iso));
  const others = countries.filter((country) => !homes.includes(country));
  return PEOPLE.flatMap(([, kind, reference, name, account, amount, note], at) => {
    const home = homes[at] ?? others.shift();
    const institution = home?.institutions.find(({ label }) => kind.test(label)) ?? home?.institutions[0];
    if (home === undefined || institution === undefined) return [];
    const texts = [reference, name, home.label, institution.label, account].map(textCell);
    const { currency } = institution.institution;
    const value = decimalsOf(currency) === 0 ? Math.trunc(amount) : amount;
    return [[...texts, { value, style: sumStyle(currency) }, textCell(currency), undefined, textCell(note)]];
  });
}

function remarksOn({ environment, madeAt }: TemplateContent): readonly string[] {
  const day = new Date(madeAt).toISOString().slice(0, 10);
  const origin =
    environment === 'sandbox'
      ? 'of the sandbox: made for trying out, no real money'
      : 'of the payment service';
  return [
    'Headings marked * are needed in every row. Columns of your own may stand to the right; they come back in the report.',
    `The drop-downs and the sheet Check cover the rows up to ${LAST_ROW}; more rows are read too.`,
    'The sheet Check counts, sums and points at what is missing. It warns; payfile decides.',
    `The lists are those ${origin}, as of ${day}. Make a new template when they change.`,
    'When it is filled in: payfile check FILE',
  ];
}
