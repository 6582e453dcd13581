/**
 * The sheet Payments of the template: the only one that is read. Columns are text, so that no leading zero is lost;
 * choices come from the sheet Lists; a drop-down advises and never forbids what payfile itself would accept.
 *
 * Limits:  Excel refuses an input message whose title is longer than 32 characters or whose text is longer
 *          than 255.
 */
import { columnLetters } from '../../domain/rows/column-names.ts';
import type { Field } from '../../domain/rows/row.ts';
import { amberRule, LOOK, TAB } from '../report/xlsx/styles.ts';
import type { CellStyle } from '../report/xlsx/xlsx-workbook.ts';
import type { CellRule, TemplateBook } from './template-workbook.ts';

/** Named cells of the sheet Lists, so that rules on other sheets work in every spreadsheet program. */
export const LIST_NAMES = {
  countries: 'payfile_countries',
  /** The ISO code of each country, beside its name. */
  isos: 'payfile_country_iso',
  currencies: 'payfile_currencies',
  /** The cell above the first institution, for OFFSET. */
  top: 'payfile_institutions_top',
  /** Country of each institution, beside its name. */
  belongsTo: 'payfile_institution_country',
  /** `country|institution`, to look its currency up. */
  keys: 'payfile_institution_key',
  ids: 'payfile_institution_id',
  paysIn: 'payfile_institution_currency',
} as const;

interface TemplateColumn {
  readonly field: Field;
  readonly header: string;
  readonly isRequired?: true;
  readonly width: number;
  /** What a person reads on selecting a cell. */
  readonly help: string;
  readonly rule: CellRule;
}

/** Rows that are prepared; payfile reads more, but the drop-downs and the sheet Check end here. */
export const FIRST_ROW = 2;
export const LAST_ROW = 2_001;

const ABOVE_ZERO: CellRule = {
  type: 'decimal',
  operator: 'greaterThan',
  formulae: [0],
  errorTitle: 'Not an amount',
  error: 'Write a number above 0, without a currency sign.',
};

function noLongerThan(most: number): CellRule {
  return {
    type: 'textLength',
    operator: 'lessThanOrEqual',
    formulae: [most],
    errorTitle: 'Too long',
    error: `At most ${most} characters.`,
  };
}

/** A drop-down that warns. */
function fromList(list: string, what: string, expected: string): CellRule {
  return {
    type: 'list',
    formulae: [list],
    errorStyle: 'warning',
    errorTitle: `No ${what} of the list`,
    error: `Only what the service lists can be paid: ${expected}. See the sheet Lists.`,
  };
}

/** Those of the country in column C: institutions stand sorted by country, a block that OFFSET can cut out. */
const INSTITUTIONS = `OFFSET(${LIST_NAMES.top},MATCH($C${FIRST_ROW},${LIST_NAMES.belongsTo},0),0,COUNTIF(${LIST_NAMES.belongsTo},$C${FIRST_ROW}),1)`;

export const TEMPLATE_COLUMNS: readonly TemplateColumn[] = [
  {
    field: 'reference',
    header: 'Reference',
    width: 18,
    help: 'Your own number for this payment, at most 35 characters, different in each row. It comes back in the report.',
    rule: noLongerThan(35),
  },
  {
    field: 'name',
    header: 'Name',
    width: 26,
    help: 'Who holds the account, as the bank knows them. The service is asked whether it is so. Needed where it cannot look names up.',
    rule: noLongerThan(140),
  },
  {
    field: 'country',
    header: 'Country *',
    isRequired: true,
    width: 20,
    help: 'Where the money goes. Choose from the list; the list of banks follows it.',
    rule: fromList(LIST_NAMES.countries, 'country', 'a name, or letters such as KE'),
  },
  {
    field: 'institution',
    header: 'Institution *',
    isRequired: true,
    width: 30,
    help: 'Bank or mobile money provider. Choose the country first, then from the list. Sheet Lists shows them all, with their ids.',
    rule: fromList(INSTITUTIONS, 'institution', 'a name, or an id, in the country of the row'),
  },
  {
    field: 'account',
    header: 'Account *',
    isRequired: true,
    width: 22,
    help: 'Account or wallet number, all digits with leading zeros. The column is text, so none gets lost. When pasting, paste values only.',
    rule: noLongerThan(64),
  },
  {
    field: 'amount',
    header: 'Amount *',
    isRequired: true,
    width: 16,
    help: 'What the beneficiary gets, in the currency of the institution. A number above 0, without a currency sign.',
    rule: ABOVE_ZERO,
  },
  {
    field: 'currency',
    header: 'Currency',
    width: 13,
    help: 'May stay empty. If you fill it in, it has to be the currency of the institution.',
    rule: fromList(LIST_NAMES.currencies, 'currency', 'letters such as GHS'),
  },
  {
    field: 'phone',
    header: 'Phone',
    width: 18,
    help: 'Phone of the beneficiary, such as +254712345678. May stay empty.',
    rule: noLongerThan(64),
  },
  {
    field: 'note',
    header: 'Note',
    width: 30,
    help: 'What the payment is for. A short tag of ours goes in front of it. May stay empty.',
    rule: noLongerThan(140),
  },
];

/** `C` for the column of countries. */
export function letterOf(field: Field): string {
  const at = TEMPLATE_COLUMNS.findIndex((each) => each.field === field);
  if (at < 0) throw new TypeError(`The template has no column for ${field}`);
  return columnLetters(at);
}

export const LAST_LETTER = columnLetters(TEMPLATE_COLUMNS.length - 1);

const REQUIRED_STYLE: CellStyle = {
  ...LOOK.header,
  font: { ...LOOK.header.font, color: { argb: 'FFFFFFFF' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F2937' } },
};
// A third decimal is shown only where it is: some currencies have three.
const AMOUNT_STYLE: CellStyle = { ...LOOK.text, numFmt: '#,##0.00#', alignment: { vertical: 'top' } };
const HEADING_LINES = 1.6;

export const PAYMENTS = { name: 'Payments', widths: TEMPLATE_COLUMNS.map(({ width }) => width) };

export function addPayments(book: TemplateBook): void {
  const sheet = book.addSheet({ ...PAYMENTS, frozen: { rows: 1, columns: 0 }, tabColor: TAB.data });
  const headings = TEMPLATE_COLUMNS.map(({ header, isRequired }) => ({
    value: header,
    style: isRequired === true ? REQUIRED_STYLE : LOOK.header,
  }));
  for (const [at, { field, header, help, rule }] of TEMPLATE_COLUMNS.entries()) {
    const letter = columnLetters(at);
    sheet.styleColumn(at + 1, field === 'amount' ? AMOUNT_STYLE : LOOK.text);
    sheet.validate(`${letter}${FIRST_ROW}:${letter}${LAST_ROW}`, {
      // What a rule does not only warn of cannot be typed in.
      errorStyle: 'stop',
      ...rule,
      ...{ allowBlank: true, showErrorMessage: true },
      showInputMessage: true,
      promptTitle: header.replace(' *', ' (needed)'),
      prompt: help,
    });
  }
  sheet.addRow(headings, HEADING_LINES);
  for (const [range, formula] of doubtful()) sheet.rule(range, amberRule(formula));
}

/** A needed cell of a started row is empty, an account became a number, a payment stands there twice. */
function doubtful(): readonly (readonly [range: string, formula: string])[] {
  const [first, last] = [FIRST_ROW, LAST_ROW];
  const [account, amount] = [letterOf('account'), letterOf('amount')];
  const needed = TEMPLATE_COLUMNS.filter(({ isRequired }) => isRequired === true).map(({ field }) =>
    letterOf(field),
  );
  const [from = 'A', to = 'A'] = [needed[0], needed.at(-1)];
  return [
    [`${from}${first}:${to}${last}`, `AND(COUNTA($A${first}:$${LAST_LETTER}${first})>0,${from}${first}="")`],
    [`${account}${first}:${account}${last}`, `ISNUMBER($${account}${first})`],
    [`${amount}${first}:${amount}${last}`, `ISTEXT($${amount}${first})`],
    [
      `${account}${first}:${amount}${last}`,
      `AND($${account}${first}<>"",$${amount}${first}<>"",` +
        `SUMPRODUCT(($${account}$${first}:$${account}$${last}=$${account}${first})*` +
        `($${amount}$${first}:$${amount}$${last}=$${amount}${first}))>1)`,
    ],
  ];
}
