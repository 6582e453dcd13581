/**
 * The sheet Payments: the only one that is read. Columns are text, so that no leading zero is lost; choices
 * come from the sheet Lists; a drop-down advises and never forbids what payfile itself would accept.
 */
import type { Field } from '../../../domain/rows/row.ts';
import { HEADER_STYLE, TAB, TEXT_STYLE } from '../report/xlsx/styles.ts';
import { LIST_NAMES } from './lists-sheet.ts';
import { FIRST_ROW, LAST_LETTER, LAST_ROW, letterOf, TEMPLATE_COLUMNS } from './template-columns.ts';
import {
  addCellRule,
  addColourRule,
  type CellRule,
  type SheetStyle,
  type TemplateBook,
  type TemplateSheet,
} from './template-workbook.ts';

const AMBER = 'FFFDE68A';
const REQUIRED_STYLE: SheetStyle = {
  ...HEADER_STYLE,
  font: { ...HEADER_STYLE.font, color: { argb: 'FFFFFFFF' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F2937' } },
};
// A third decimal is shown only where it is: some currencies have three.
const AMOUNT_STYLE: SheetStyle = { ...TEXT_STYLE, numFmt: '#,##0.00#', alignment: { vertical: 'top' } };

export function addPayments(book: TemplateBook): void {
  const widths = TEMPLATE_COLUMNS.map(({ width }) => width);
  const sheet = book.sheet('Payments', { frozenRows: 1, widths, tabColor: TAB.data, landscape: true });
  for (const [at, { field, header, isRequired }] of TEMPLATE_COLUMNS.entries()) {
    sheet.getColumn(at + 1).style = field === 'amount' ? AMOUNT_STYLE : TEXT_STYLE;
    const cell = sheet.getCell(1, at + 1);
    cell.value = header;
    cell.style = isRequired ? REQUIRED_STYLE : HEADER_STYLE;
  }
  sheet.getRow(1).height = 24;
  for (const { field, header, letter, help } of TEMPLATE_COLUMNS) {
    addCellRule(sheet, `${letter}${FIRST_ROW}:${letter}${LAST_ROW}`, {
      ...ruleOf(field),
      allowBlank: true,
      showInputMessage: true,
      promptTitle: header.replace(' *', ' (needed)'),
      prompt: help,
    });
  }
  addColours(sheet);
}

function ruleOf(field: Field): CellRule {
  const row = FIRST_ROW;
  switch (field) {
    case 'country':
      return {
        ...listOf(LIST_NAMES.countries),
        ...advice('No country of the list', 'a name, or letters such as KE'),
      };
    case 'institution': {
      const country = `$${letterOf('country')}${row}`;
      const { top, belongsTo } = LIST_NAMES;
      const block = `OFFSET(${top},MATCH(${country},${belongsTo},0),0,COUNTIF(${belongsTo},${country}),1)`;
      return {
        ...listOf(block),
        ...advice('No institution of the list', 'a name, or an id, in the country of the row'),
      };
    }
    case 'currency':
      return {
        ...listOf(LIST_NAMES.currencies),
        ...advice('No currency of the list', 'letters such as GHS'),
      };
    case 'amount':
      return {
        type: 'decimal',
        operator: 'greaterThan',
        formulae: [0],
        showErrorMessage: true,
        errorStyle: 'stop',
        errorTitle: 'Not an amount',
        error: 'Write a number above 0, without a currency sign.',
      };
    case 'reference':
      return noLongerThan(35);
    case 'name':
    case 'note':
      return noLongerThan(140);
    default:
      return noLongerThan(64);
  }
}

function listOf(formula: string): CellRule {
  return { type: 'list', formulae: [formula] };
}

function advice(title: string, expected: string): Partial<CellRule> {
  return {
    showErrorMessage: true,
    errorStyle: 'warning',
    errorTitle: title,
    error: `Only what the service lists can be paid: ${expected}. See the sheet Lists.`,
  };
}

function noLongerThan(most: number): CellRule {
  return {
    type: 'textLength',
    operator: 'lessThanOrEqual',
    formulae: [most],
    showErrorMessage: true,
    errorStyle: 'stop',
    errorTitle: 'Too long',
    error: `At most ${most} characters.`,
  };
}

/** Amber: a needed cell of a started row is empty, an account became a number, a payment stands there twice. */
function addColours(sheet: TemplateSheet): void {
  const account = letterOf('account');
  const amount = letterOf('amount');
  const [first, last] = [FIRST_ROW, LAST_ROW];
  const needed = TEMPLATE_COLUMNS.filter(({ isRequired }) => isRequired).map(({ letter }) => letter);
  const [from = 'A', to = 'A'] = [needed[0], needed.at(-1)];
  const rules: readonly (readonly [range: string, formula: string])[] = [
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
  for (const [at, [range, formula]] of rules.entries()) {
    addColourRule(sheet, range, { formula, argb: AMBER, priority: at + 1 });
  }
}
