/**
 * The sheet Example: filled-in rows as they should look, and what each column is for. Never read: its column
 * headings carry numbers, so that it cannot be taken for rows to pay.
 */
import type { TemplateContent } from '../../../ports/outputs.ts';
import {
  BOLD_STYLE,
  HEADER_STYLE,
  PLAIN_STYLE,
  QUIET_STYLE,
  TAB,
  TEXT_STYLE,
} from '../report/xlsx/styles.ts';
import { LAST_ROW, TEMPLATE_COLUMNS } from './template-columns.ts';
import type { SheetStyle, TemplateBook, TemplateSheet } from './template-workbook.ts';

const AMOUNT_STYLE: SheetStyle = { ...TEXT_STYLE, numFmt: '#,##0.00#', alignment: { vertical: 'top' } };
const MOST_EXAMPLES = 4;
// Invented people and accounts.
const PEOPLE = [
  ['PAY-001', 'Ama Mensah', '0011223344556', 1_250.5, 'Salary May'],
  ['PAY-002', 'Joseph Otieno', '0712345678', 48_000, 'Salary May'],
  ['INV-4310', 'Baobab Supplies', '0098765432100', 310_000, 'Invoice 4310'],
  ['INV-4317', 'Traoré et Fils', '0770123456', 96_000, 'Transport'],
] as const;

export function addExample(book: TemplateBook, content: TemplateContent): void {
  const widths = TEMPLATE_COLUMNS.map(({ width }) => width);
  const sheet = book.sheet('Example', { frozenRows: 0, widths, tabColor: TAB.info, landscape: true });
  const put = (row: number, column: number, value: string | number, style: SheetStyle) => {
    const cell = sheet.getCell(row, column);
    cell.value = value;
    cell.style = style;
  };
  put(1, 1, 'An example. Only the sheet Payments is read.', BOLD_STYLE);
  for (const [at, { header }] of TEMPLATE_COLUMNS.entries()) {
    put(3, at + 1, `${at + 1} ${header}`, HEADER_STYLE);
  }
  const shown = content.countries.slice(0, MOST_EXAMPLES);
  for (const [at, { label, institutions }] of shown.entries()) {
    const [person, institution] = [PEOPLE[at], institutions[at % institutions.length]];
    if (person === undefined || institution === undefined) continue;
    const [reference, name, account, amount, note] = person;
    const currency = institution.institution.currency;
    const cells = [reference, name, label, institution.label, account, amount, currency, '', note];
    for (const [column, value] of cells.entries())
      if (value !== '') put(4 + at, column + 1, value, typeof value === 'number' ? AMOUNT_STYLE : TEXT_STYLE);
  }
  addExplanations(sheet, 6 + shown.length, content, put);
}

function addExplanations(
  sheet: TemplateSheet,
  first: number,
  content: TemplateContent,
  put: (row: number, column: number, value: string, style: SheetStyle) => void,
): void {
  let row = first;
  put(row, 1, 'How to fill it in', BOLD_STYLE);
  for (const [at, { header, help }] of TEMPLATE_COLUMNS.entries()) {
    row += 1;
    put(row, 1, `${at + 1} ${header}`, PLAIN_STYLE);
    put(row, 2, help, PLAIN_STYLE);
  }
  const day = new Date(content.madeAt).toISOString().slice(0, 10);
  const origin =
    content.environment === 'sandbox'
      ? 'of the sandbox: made for trying out, no real money'
      : 'of the payment service';
  row += 2;
  const remarks = [
    'Headings marked * are needed in every row. Columns of your own may stand to the right; they come back in the report.',
    `The drop-downs and the sheet Check cover the rows up to ${LAST_ROW}; more rows are read all the same.`,
    'The sheet Check counts, sums and points at what is missing. It warns; payfile decides.',
    `The lists are those ${origin}, as of ${day}. Make a new template when they change.`,
    'When it is filled in: payfile check FILE',
  ];
  for (const remark of remarks) {
    put(row, 1, remark, QUIET_STYLE);
    row += 1;
  }
  sheet.getRow(1).height = 20;
}
