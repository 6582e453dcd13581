/** Bugs in reading a file: a row that gets lost, an amount or an account that is read as something else. */
import type { PlantedBug } from '../planted-bug.ts';

const READ = 'src/use-cases/intake/read-rows.ts';
const CHECKING = 'test/use-cases/checking.test.ts';
const PLACING = 'test/use-cases/placing.test.ts';
const DUPLICATES = 'src/domain/rows/repeats-in-file.ts';
const KEYS_TEST = 'test/domain/accounts-and-keys.test.ts';
const CORPUS = 'test/corpus/corpus.test.ts';
const TEXT = 'src/domain/rows/validate-cells.ts';
const ROW_TEST = 'test/domain/validate-row.test.ts';
const CSV = 'src/adapters/files/csv/csv-source.ts';
const XLSX = 'src/adapters/files/xlsx/xlsx-source.ts';
const XLSX_TEST = 'test/adapters/files/xlsx.test.ts';
const MONEY = 'src/domain/money/money.ts';
const AMOUNT_TEST = 'test/domain/amount.test.ts';
const MONEY_TEST = 'test/domain/money.test.ts';
const AMOUNT = 'src/domain/money/read-amount.ts';
const STYLE = 'src/domain/money/amount-style.ts';
const THREE_DIGITS_TEST = 'test/domain/three-digits.test.ts';
const NUMBER_STYLE = 'test/journeys/number-style.test.ts';
const ACCOUNT = 'src/domain/accounts/account-faults.ts';
const CSV_TEST = 'test/adapters/files/csv.test.ts';
const FILES = 'src/adapters/files';
const onCorpus = (tag: string) => [{ test: CORPUS, title: `[${tag}]` }];
const FORMS_TEST = 'test/adapters/files/workbook-forms.test.ts';
const SHOWN_TEST = 'test/adapters/files/shown-otherwise.test.ts';

export const READING_BUGS: readonly PlantedBug[] = [
  {
    id: 'soma-taken-for-a-total',
    bug: 'A row of somebody whose name is a word for a total leaves the batch as a wrong total.',
    file: 'src/domain/rows/total-rows.ts',
    find: 'return !SUM.test(foldText(cell.trim()));',
    replace: 'return true;',
    caughtBy: [{ test: CHECKING, title: 'and the row where it may name somebody' }],
  },
  {
    id: 'named-total-left-out-unseen',
    bug: 'A row whose name is Total is left out although nothing can be compared with it.',
    file: 'src/domain/rows/total-rows.ts',
    find: " || (label === 'likely' && unknown !== undefined)",
    replace: '',
    caughtBy: [{ test: CHECKING, title: 'leaves no row out that says' }],
  },
  {
    id: 'dedupe-drops-row',
    mustCatch: 'dedupe_drops_row',
    bug: 'The second of two equal rows is left out without a word.',
    file: READ,
    find: '      read.push(result);',
    replace:
      "      const isTwin = result.kind === 'valid' && result.holds.some(({ kind }) => kind === 'duplicate_in_file');\n      if (!isTwin) read.push(result);",
    caughtBy: [{ test: PLACING, title: 'holds the second of two equal rows and pays the first' }],
  },
  {
    id: 'twin-not-held',
    bug: 'Equal rows without a reference all go out.',
    file: DUPLICATES,
    find: '      if (keys.referenceKey === undefined) {\n',
    replace: '      if (keys.referenceKey === undefined) {\n        if (rowNumber > 0) return undefined;\n',
    caughtBy: [
      { test: KEYS_TEST, title: 'two equal payments without references: the later one waits' },
      { test: CORPUS, title: '[F22]' },
    ],
  },
  {
    id: 'merged-cells-of-long-sheet-unseen',
    bug: 'A long sheet is not read again when merged cells are named behind its rows, and its rows are paid.',
    file: READ,
    find: '      if (file.mustReadAgain?.() === true) {',
    replace: '      if (file.mustReadAgain === undefined) {',
    caughtBy: [{ test: 'test/use-cases/checking.test.ts', title: 'merged cells of a long workbook' }],
  },
  {
    id: 'phone-read-as-amount',
    bug: 'A phone number in the column of amounts is paid as an amount.',
    file: AMOUNT,
    find: "  if (text.startsWith('+') && isPhoneLike(bare)) return wrong('amount_not_a_number');\n",
    replace: '',
    caughtBy: [{ test: AMOUNT_TEST, title: '+233 244 123 456' }],
  },
  {
    id: 'other-currency-read-as-own',
    bug: 'The code of another currency in the amount is left out, and as much of the row’s currency is paid.',
    file: 'src/domain/rows/validate-amount.ts',
    find: '(currency ?? code) === code ?',
    replace: '(code ?? currency) === code ?',
    caughtBy: [{ test: THREE_DIGITS_TEST, title: 'is said to be so' }],
  },
  {
    id: 'account-with-invisible-character-paid',
    bug: 'An invisible character behind an account makes it another account, and it is paid again.',
    file: TEXT,
    find: '\\p{Zp}\\p{DI}\\u2800',
    replace: '\\p{Zp}\\u200b-\\u200f\\u2800',
    caughtBy: [{ test: ROW_TEST, title: 'a row that cannot be paid' }],
  },
  {
    id: 'blank-rule-drops-csv-row',
    mustCatch: 'blank_rule_drops_row',
    bug: 'A row whose first cell is empty is passed over as blank.',
    file: CSV,
    find: "  return !record.some((cell, at) => cell !== '' && at !== fixColumn && cell.trim() !== '');",
    replace: "  return (record[0] ?? '').trim() === '';",
    caughtBy: [{ test: 'test/guards.test.ts', title: '[F26] keeps a row of which only the first cell' }],
  },
  {
    id: 'blank-rule-drops-faulty-row',
    mustCatch: 'blank_rule_drops_row',
    bug: 'A row of a workbook in which a formula failed is passed over as blank.',
    file: XLSX,
    find: '  return !row.marks.some((mark) => isUnseenValue(mark.kind));',
    replace: '  return isUnseenValue !== undefined;',
    caughtBy: [
      {
        test: 'test/guards.test.ts',
        title: 'keeps a row in which nothing but a formula without a result stands',
      },
    ],
  },
  {
    id: 'hidden-rows-skipped',
    mustCatch: 'hidden_rows_skipped',
    bug: 'Rows that are hidden in the sheet are not read.',
    file: XLSX,
    find: '      if (isBlank(row, header)) {',
    replace: '      if (row.isHidden || isBlank(row, header)) {',
    caughtBy: [{ test: XLSX_TEST, title: 'marks rows that nobody can see' }],
  },
  {
    id: 'hidden-rows-paid',
    bug: 'Rows that are hidden in the sheet are paid like any other.',
    file: XLSX,
    find: "  if (row.isHidden || wasHidden === true) marks.push({ column: -1, kind: 'hidden' });\n",
    replace: '',
    caughtBy: [
      { test: XLSX_TEST, title: 'marks rows that nobody can see' },
      { test: CORPUS, title: '[F24]' },
    ],
  },
  {
    id: 'rounding',
    mustCatch: 'rounding',
    bug: 'An amount with more decimals than its currency has is rounded.',
    file: MONEY,
    find: '  if (fraction.length > decimals) return undefined;\n',
    replace: '',
    also: [
      {
        file: MONEY,
        find: "fraction.padEnd(decimals, '0')), currency };",
        replace: "fraction.slice(0, decimals).padEnd(decimals, '0')), currency };",
      },
    ],
    caughtBy: [
      { test: MONEY_TEST, title: 'as nothing rather than as something else' },
      { test: AMOUNT_TEST, title: 'is exact or refused' },
      { test: CORPUS, title: '[F20]' },
    ],
  },
  {
    id: 'amount-by-number',
    mustCatch: 'empty_amount_is_zero',
    bug: 'Text that no rule knows goes through Number, which reads 0x10, 1e3 and nothing at all.',
    file: AMOUNT,
    find: '  if (!ONLY_DIGITS_AND_SEPARATORS.test(bare)) return wrong(faultOf(text));',
    replace:
      "  if (!ONLY_DIGITS_AND_SEPARATORS.test(bare) && Number.isFinite(Number(text)))\n    return { kind: 'one_way', plain: String(Number(text)), proves: undefined };\n  if (!ONLY_DIGITS_AND_SEPARATORS.test(bare)) return wrong(faultOf(text));",
    caughtBy: [
      { test: AMOUNT_TEST, title: 'is read as a person would' },
      { test: AMOUNT_TEST, title: 'never reads a digit that was not written' },
      { test: CORPUS, title: '[F19]' },
    ],
  },
  {
    id: 'three-digits-by-proof',
    bug: 'A lone 27,500 is paid as 27.50 once another cell proves a decimal comma.',
    file: STYLE,
    find: "  if (style.kind === 'declared' && style.decimal === mark && decimals === DECIMALS_IN_DOUBT)",
    replace: '  if (isSettled && style.decimal === mark)',
    caughtBy: [
      { test: THREE_DIGITS_TEST, title: 'a mark with three digits after it is no decimal mark' },
      { test: CORPUS, title: '[F18]' },
      { test: NUMBER_STYLE, title: 'makes no 27.50 of 27,500' },
    ],
  },
  {
    id: 'amount-as-double',
    bug: 'An amount goes through a double, which holds no eighteen digits.',
    file: MONEY,
    find: "BigInt((match[1] ?? '0') + fraction.padEnd(decimals, '0'))",
    replace: 'BigInt(Math.round(Number(text) * 10 ** decimals))',
    caughtBy: [{ test: MONEY_TEST, title: 'plain decimals' }],
  },
  {
    id: 'scientific-account-paid',
    bug: 'An account such as 1.23E+10 passes.',
    file: ACCOUNT,
    find: '  if (SCIENTIFIC.test(text)) {',
    replace: '  if (text === SCIENTIFIC.source) {',
    caughtBy: [
      { test: KEYS_TEST, title: 'damage to an account' },
      { test: CORPUS, title: '[F15]' },
    ],
  },
  {
    id: 'currency-not-compared',
    bug: 'An amount in one currency is paid in another one.',
    file: TEXT,
    find: '  if (institution === undefined || currency === institution.currency) return undefined;',
    replace: '  if (institution === undefined || currency !== undefined) return undefined;',
    caughtBy: [{ test: CORPUS, title: '[F21]' }],
  },
  {
    id: 'ragged-row-taken',
    bug: 'A row with a cell too many is read all the same, its columns shifted.',
    file: CSV,
    find: '        else if (record.length !== width) throw await otherWidths(reading);\n',
    replace: '',
    caughtBy: [
      { test: CSV_TEST, title: 'a row with a cell too few' },
      { test: CORPUS, title: '[F6]' },
    ],
  },
  {
    id: 'last-column-of-a-name-wins',
    bug: 'Of two columns for one field the last one counts.',
    file: `${FILES}/header-map.ts`,
    find: '    if (other === undefined) {\n      columns.set(field, index);',
    replace: '    if (other === undefined || other >= 0) {\n      columns.set(field, index);',
    caughtBy: onCorpus('F27'),
  },
  {
    id: 'formula-never-calculated',
    bug: 'A formula without a result is an empty cell.',
    file: `${FILES}/xlsx/read-cells.ts`,
    find: "mark(value === undefined ? 'formula_without_value' : 'formula');",
    replace: "mark('formula');",
    caughtBy: onCorpus('F13'),
  },
  {
    id: 'styles-not-missed',
    bug: 'A workbook without the part that says how numbers are shown is read without it: 45% pays 0.45.',
    file: `${FILES}/xlsx/workbook-parts.ts`,
    find: '  if (styles !== undefined && !zip.names.has(styles)) throw noStyles(styles, name);\n',
    replace: '',
    also: [
      {
        file: `${FILES}/xlsx/workbook-parts.ts`,
        find: 'formats: styles === undefined ? []',
        replace: 'formats: styles === undefined || !zip.names.has(styles) ? []',
      },
    ],
    caughtBy: [{ test: FORMS_TEST, title: 'without the one that says how numbers are shown' }],
  },
  {
    id: 'format-of-a-text-ignored',
    bug: 'A text is paid as it is, whatever its number format shows: "1250" that is shown as 12500.',
    file: `${FILES}/xlsx/read-cells.ts`,
    find: "  if (ofText !== 'same') marks.push(",
    replace: '  if (ofText === undefined) marks.push(',
    caughtBy: [{ test: SHOWN_TEST, title: 'is not paid' }],
  },
];
