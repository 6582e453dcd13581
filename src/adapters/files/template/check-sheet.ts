/**
 * The sheet Check: formulas that count and sum what stands in Payments while it is being filled in.
 *
 * On the right one line per row of Payments, on the left the sums of those lines. Account numbers are compared
 * as text, by SUMPRODUCT: COUNTIF takes them for numbers and sees two that differ after digit 15 as one.
 */
import { decimalsOf, parseCurrency } from '../../../domain/money/currency.ts';
import type { TemplateContent } from '../../../ports/outputs.ts';
import {
  amountStyle,
  BOLD_STYLE,
  COUNT_STYLE,
  HEADER_STYLE,
  NUMBER_HEADER_STYLE,
  PLAIN_STYLE,
  QUIET_STYLE,
  TAB,
} from '../report/xlsx/styles.ts';
import { currenciesOf, LIST_NAMES } from './lists-sheet.ts';
import { FIRST_ROW, LAST_LETTER, LAST_ROW, letterOf } from './template-columns.ts';
import {
  addColourRule,
  type FormulaValue,
  protect,
  type SheetStyle,
  type TemplateBook,
  type TemplateSheet,
} from './template-workbook.ts';

const WIDTHS = [34, 12, 20, 3, 8, 10, 60];
const NOT_KNOWN = 'not known';
/** Each column of the lines covers the rows of Payments, in the same rows here. */
const LINES = {
  row: `$E$${FIRST_ROW}:$E$${LAST_ROW}`,
  paysIn: `$F$${FIRST_ROW}:$F$${LAST_ROW}`,
  wrong: `$G$${FIRST_ROW}:$G$${LAST_ROW}`,
} as const;
const AMOUNTS = `Payments!$${letterOf('amount')}$${FIRST_ROW}:$${letterOf('amount')}$${LAST_ROW}`;
const COUNT_ROW = 3;
const WRONG_ROW = 4;

export async function addCheck(book: TemplateBook, content: TemplateContent): Promise<void> {
  const sheet = book.sheet('Check', { frozenRows: 1, widths: WIDTHS, tabColor: TAB.look, landscape: true });
  const put = (address: string, value: string, style: SheetStyle) => {
    const cell = sheet.getCell(address);
    cell.value = value;
    cell.style = style;
  };
  const count = (address: string, formula: string, style: SheetStyle = COUNT_STYLE) => {
    const cell = sheet.getCell(address);
    cell.value = uncalculated(formula);
    cell.style = style;
  };
  put('A1', 'What stands in Payments now', BOLD_STYLE);
  put(`A${COUNT_ROW}`, 'Rows filled in', PLAIN_STYLE);
  count(`B${COUNT_ROW}`, `COUNT(${LINES.row})`);
  put(`A${WRONG_ROW}`, 'Rows to look at (listed on the right)', PLAIN_STYLE);
  count(`B${WRONG_ROW}`, `SUMPRODUCT(--(LEN(${LINES.wrong})>0))`);
  put('A6', 'Pays in', HEADER_STYLE);
  put('B6', 'Rows', NUMBER_HEADER_STYLE);
  put('C6', 'Sum', NUMBER_HEADER_STYLE);
  const currencies = [...currenciesOf(content), NOT_KNOWN];
  for (const [at, currency] of currencies.entries()) {
    const row = 7 + at;
    put(`A${row}`, currency, currency === NOT_KNOWN ? QUIET_STYLE : BOLD_STYLE);
    count(`B${row}`, `COUNTIF(${LINES.paysIn},$A${row})`);
    count(`C${row}`, `SUMIF(${LINES.paysIn},$A${row},${AMOUNTS})`, sumStyle(currency));
  }
  const after = 8 + currencies.length;
  put(`A${after}`, 'payfile stops when the file that it reads is another one:', QUIET_STYLE);
  put(`A${after + 1}`, '--expect-count ROWS --expect-total CURRENCY=SUM', QUIET_STYLE);
  addLines(sheet);
  addColourRule(sheet, `B${WRONG_ROW}`, { formula: `$B$${WRONG_ROW}>0`, argb: 'FFFDE68A', priority: 1 });
  // exceljs puts a `$` before each letter only.
  sheet.pageSetup.printArea = `A$1:C$${after + 1}`;
  await protect(sheet);
}

/** Without a result, so that every program calculates on opening: LibreOffice trusts a result that it finds. */
function uncalculated(formula: string): FormulaValue {
  return { formula, date1904: false };
}

function sumStyle(code: string): SheetStyle {
  const currency = parseCurrency(code);
  return amountStyle(currency === undefined ? 2 : decimalsOf(currency));
}

function addLines(sheet: TemplateSheet): void {
  for (const [letter, heading] of [
    ['E', 'Row'],
    ['F', 'Pays in'],
    ['G', 'What to look at'],
  ] as const) {
    const cell = sheet.getCell(`${letter}1`);
    cell.value = heading;
    cell.style = HEADER_STYLE;
  }
  for (let row = FIRST_ROW; row <= LAST_ROW; row += 1) {
    const formulas = lineFormulas(row);
    for (const [letter, formula] of Object.entries(formulas)) {
      const cell = sheet.getCell(`${letter}${row}`);
      cell.value = uncalculated(formula);
      cell.style = letter === 'G' ? PLAIN_STYLE : QUIET_STYLE;
    }
  }
}

function lineFormulas(row: number): Readonly<Record<'E' | 'F' | 'G', string>> {
  const cell = (field: Parameters<typeof letterOf>[0]) => `Payments!$${letterOf(field)}${row}`;
  const all = (field: Parameters<typeof letterOf>[0]) => {
    const letter = letterOf(field);
    return `Payments!$${letter}$${FIRST_ROW}:$${letter}$${LAST_ROW}`;
  };
  const [country, institution, account, amount] = [
    cell('country'),
    cell('institution'),
    cell('account'),
    cell('amount'),
  ];
  const [currency, reference] = [cell('currency'), cell('reference')];
  const known = `INDEX(${LIST_NAMES.paysIn},MATCH(${country}&"|"&${institution},${LIST_NAMES.keys},0))`;
  const samePayment = `SUMPRODUCT((${all('account')}=${account})*(${all('amount')}=${amount}))>1`;
  const findings: readonly (readonly [condition: string, words: string])[] = [
    [`${country}=""`, 'no country'],
    [`${institution}=""`, 'no institution'],
    [`${account}=""`, 'no account'],
    [`ISNUMBER(${account})`, 'the account is a number: leading zeros are lost'],
    [`${amount}=""`, 'no amount'],
    [`ISTEXT(${amount})`, 'the amount is text'],
    [`AND(${currency}<>"",$F${row}<>${currency})`, 'another currency than the institution pays in'],
  ];
  const parts = findings.map(([condition, words]) => `IF(${condition},"; ${words}","")`);
  const sameReference = `IF(${reference}="","",IF(SUMPRODUCT(--(${all('reference')}=${reference}))>1,"; the same reference as another row",""))`;
  const repeated = `IF(OR(${account}="",${amount}=""),"",IF(${samePayment},"; the same account and amount as another row",""))`;
  return {
    E: `IF(COUNTA(Payments!$A${row}:$${LAST_LETTER}${row})=0,"",ROW(Payments!$A${row}))`,
    F: `IF($E${row}="","",IFERROR(${known},IF(${currency}="","${NOT_KNOWN}",${currency})))`,
    G: `IF($E${row}="","",MID(${[...parts, sameReference, repeated].join('&')},3,200))`,
  };
}
