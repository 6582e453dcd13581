/** Bugs in reading a file: a row that gets lost, an amount or an account that is read as something else. */
import type { PlantedBug } from '../planted-bug.ts';

const READ = 'src/application/read-rows.ts';
const CSV = 'src/adapters/files/csv-source.ts';
const XLSX = 'src/adapters/files/xlsx-source.ts';
const MONEY = 'src/domain/money.ts';
const AMOUNT = 'src/domain/parse-amount.ts';
const STYLE = 'src/domain/amount-style.ts';
const ACCOUNT = 'src/domain/account-number.ts';
const TEXT = 'src/domain/validate-text.ts';
const DUPLICATES = 'src/domain/duplicates-in-file.ts';
const CSV_TEST = 'test/adapters/files/csv.test.ts';
const XLSX_TEST = 'test/adapters/files/xlsx.test.ts';
const AMOUNT_TEST = 'test/domain/amount.test.ts';
const THREE_DIGITS_TEST = 'test/domain/three-digits.test.ts';
const JUDGING_TEST = 'test/domain/statement-judging.test.ts';
const NUMBER_STYLE = 'test/journeys/number-style.test.ts';
const MONEY_TEST = 'test/domain/money.test.ts';
const ROW_TEST = 'test/domain/validate-row.test.ts';
const KEYS_TEST = 'test/domain/accounts-and-keys.test.ts';
const OLDER_TEST = 'test/application/older-readings.test.ts';
const CORPUS = 'test/corpus/corpus.test.ts';
const PLACING = 'test/application/placing.test.ts';

export const READING_BUGS: readonly PlantedBug[] = [
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
    id: 'account-keeps-its-spaces',
    bug: 'Accounts go out with the spaces between their digits.',
    file: 'src/domain/account-reading.ts',
    find: "  return /[^!-~]/.test(written) ? written.replace(SPACES, '') : written;",
    replace: '  return written;',
    caughtBy: [
      { test: ROW_TEST, title: 'without the spaces that are no part of it' },
      { test: OLDER_TEST, title: 'is asked for and paid without them' },
    ],
  },
  {
    id: 'older-approval-sent',
    bug: 'An account that an earlier version read otherwise is sent on the approval of then.',
    file: 'src/application/send-batch.ts',
    find: '  const readAnew = whyReadAnew(payout);',
    replace: '  const readAnew = payout.rowNumber > 0 ? undefined : whyReadAnew(payout);',
    caughtBy: [{ test: OLDER_TEST, title: 'is not sent by “send” alone' }],
  },
  {
    id: 'older-payment-forgotten',
    bug: 'A payment to an account with an invisible character is not known again without the character.',
    file: 'src/adapters/ledger/memory-sql.ts',
    find: '    for (const { id: other, isSamePayment, isSameReference } of this.#older.alsoKeyed(...keys)) {',
    replace:
      '    for (const { id: other, isSamePayment, isSameReference } of this.#older.alsoKeyed(...keys).slice(1)) {',
    caughtBy: [{ test: OLDER_TEST, title: 'is known again without the invisible character' }],
  },
  {
    id: 'same-file-is-new-batch',
    bug: 'A file whose rows read otherwise than they did is a new batch, and paid again.',
    file: 'src/application/place-import.ts',
    find: '    (await sameFile(imported, world)) ??\n',
    replace: '',
    caughtBy: [{ test: OLDER_TEST, title: 'is known again in the unchanged file' }],
  },
  {
    id: 'account-with-decimal-paid',
    bug: 'An account with a decimal in it is paid.',
    file: 'src/domain/account-text.ts',
    find: '  if (DECIMAL.test(text)) {',
    replace: "  if (DECIMAL.test(text) && text.endsWith('0')) {",
    caughtBy: [{ test: KEYS_TEST, title: '[F14][F15][F16] damage to an account' }],
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
    id: 'zero-lost-paid-without-name',
    bug: 'An account that may have lost its zero is paid although no name proves it.',
    file: 'src/domain/price-decision.ts',
    find: "  if (length === undefined || (check.result === 'match' && instruction.name !== undefined)) return [];",
    replace: "  if (length === undefined || check.result === 'match') return [];",
    caughtBy: [
      {
        test: 'test/domain/price-decision.test.ts',
        title: 'waits for a person where',
      },
    ],
  },
  {
    id: 'blank-rule-drops-csv-row',
    mustCatch: 'blank_rule_drops_row',
    bug: 'A row whose first cell is empty is passed over as blank.',
    file: CSV,
    find: "  return !record.some((cell, at) => cell !== '' && at !== fixColumn && cell.trim() !== '');",
    replace: "  return (record[0] ?? '').trim() === '';",
    caughtBy: [
      { test: 'test/planted/guards.test.ts', title: '[F26] keeps a row of which only the first cell' },
    ],
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
        test: 'test/planted/guards.test.ts',
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
    find: '  if (!ONLY_DIGITS_AND_SEPARATORS.test(text)) return wrong(faultOf(text));',
    replace:
      "  if (!ONLY_DIGITS_AND_SEPARATORS.test(text) && Number.isFinite(Number(text)))\n    return { kind: 'one_way', plain: String(Number(text)), proves: undefined };\n  if (!ONLY_DIGITS_AND_SEPARATORS.test(text)) return wrong(faultOf(text));",
    caughtBy: [
      { test: AMOUNT_TEST, title: 'is read as a person would' },
      { test: AMOUNT_TEST, title: 'never reads a digit that was not written' },
      { test: CORPUS, title: '[F19]' },
    ],
  },
  {
    id: 'comma-guessed',
    bug: 'An amount with two readings is read with a decimal point.',
    file: STYLE,
    find: '  if (isSettled && style.decimal !== mark && asThousands !== undefined)',
    replace: "  if ((isSettled ? style.decimal !== mark : mark === 'comma') && asThousands !== undefined)",
    caughtBy: [
      { test: AMOUNT_TEST, title: 'without a proof a row with two readings is not read' },
      { test: THREE_DIGITS_TEST, title: 'a mark with three digits after it is no decimal mark' },
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
    id: 'three-digits-by-flag',
    bug: 'With --decimal comma 2,500 is paid as 2.50, and 25,000 in a currency without decimals as 25.',
    file: STYLE,
    find: "  if (style.kind === 'declared' && style.decimal === mark && decimals === DECIMALS_IN_DOUBT)",
    replace: "  if (style.kind === 'declared' && style.decimal === mark)",
    caughtBy: [
      { test: THREE_DIGITS_TEST, title: 'a mark with three digits after it is no decimal mark' },
      { test: CORPUS, title: '[F18]' },
    ],
  },
  {
    id: 'three-digits-behind-thousands',
    bug: 'With two marks the last one is a decimal mark, however many digits stand after it.',
    file: AMOUNT,
    find: '  return fraction.length === 3\n',
    replace: "  return fraction.length === 3 && group === ''\n",
    caughtBy: [{ test: THREE_DIGITS_TEST, title: 'a mark with three digits after it is no decimal mark' }],
  },
  {
    id: 'flag-offered-for-nothing',
    bug: 'A person is told to declare a decimal comma for an amount that no such file may pay.',
    file: 'src/domain/three-digits.ts',
    find: '  if (decimalsOf(currency) === 3) {',
    replace: '  if (decimalsOf(currency) >= 0) {',
    caughtBy: [
      { test: THREE_DIGITS_TEST, title: 'never offers a flag with which the amount would not be read' },
    ],
  },
  {
    id: 'misread-sent',
    bug: 'Rows that an older program read as 27.50 for 27,500, and somebody approved, are sent.',
    file: 'src/application/send-batch.ts',
    find: '  await holdMisread(batchId, world);\n',
    replace: '',
    also: [
      {
        file: 'src/application/send-batch.ts',
        find: "import { holdMisread } from './hold-misread.ts';\n",
        replace: '',
      },
    ],
    caughtBy: [
      {
        test: 'test/application/misread.test.ts',
        title: 'are not sent, although the older program let somebody approve them',
      },
    ],
  },
  {
    id: 'style-not-kept',
    bug: 'How the amounts were read is forgotten with the process, so that no later report shows it.',
    file: 'src/adapters/ledger/imports-sql.ts',
    find: '  return { ...file, sha256: fileSha256, amountStyle };',
    replace:
      '  return { ...file, sha256: fileSha256, ...(amountStyle === undefined ? { amountStyle } : {}) };',
    caughtBy: [
      { test: NUMBER_STYLE, title: 'also one that is made later' },
      {
        test: 'test/adapters/ledger/sqlite-ledger.test.ts',
        title: 'shows an import as importing until it is sealed',
      },
    ],
  },
  {
    id: 'statement-in-both-readings',
    bug: 'A line of a statement that shows 27,500 is taken for the payment of 27.50.',
    file: 'src/domain/statement-line.ts',
    find: '    : { amounts: [asThousands], otherAmounts: [asDecimal] };',
    replace: '    : { amounts: [asThousands, asDecimal], otherAmounts: [] };',
    caughtBy: [{ test: JUDGING_TEST, title: 'is no line of 27.50' }],
  },
  {
    id: 'statement-reads-thousands-only',
    bug: 'A payment is ruled not paid although a line may show it with three decimals.',
    file: 'src/domain/statement-line.ts',
    find: '    : { amounts: [asThousands], otherAmounts: [asDecimal] };',
    replace: '    : { amounts: [asThousands], otherAmounts: [] };',
    caughtBy: [{ test: JUDGING_TEST, title: 'so nobody rules that one not paid' }],
  },
  {
    id: 'typed-thousands-as-decimals',
    bug: 'A person who types --expect-total GHS=27.500 confirms a file of 27.50.',
    file: MONEY,
    find: '  return /\\.\\d{3}$/.test(text) && decimalsOf(currency) !== 3 ? undefined : parseDecimal(text, currency);',
    replace: '  return parseDecimal(text, currency);',
    caughtBy: [
      { test: 'test/cli/flags.test.ts', title: 'a ceiling' },
      { test: NUMBER_STYLE, title: 'is not misread in what a person types as a flag either' },
    ],
  },
  {
    id: 'sign-told-away',
    bug: 'A person is told to take the dollar sign off, and pays so many cedis.',
    file: 'src/domain/validate-amount.ts',
    find: '  if (meant.includes(currency))\n    return issue(text, kind',
    replace: '  if (meant.length > 0)\n    return issue(text, kind',
    caughtBy: [
      { test: THREE_DIGITS_TEST, title: 'nobody is told to leave the sign out' },
      { test: CORPUS, title: '[F19]' },
    ],
  },
  {
    id: 'damage-saved-again',
    bug: 'A person is told to open a damaged workbook and save it again, which makes other amounts of it.',
    file: 'src/adapters/files/zip-entries.ts',
    find: 'advice = FROM_ITS_MAKER',
    replace: 'advice = FROM_ITS_MAKER && SAVED_AGAIN',
    caughtBy: [{ test: CORPUS, title: '[F10]' }],
  },
  {
    id: 'style-not-proven',
    bug: 'Rows that prove two number styles are read each in its own.',
    file: STYLE,
    find: '  if (proofs.point > 0 && proofs.comma > 0) {',
    replace: '  if (proofs.point < 0 && proofs.comma > 0) {',
    caughtBy: [{ test: AMOUNT_TEST, title: 'the number style of a whole file' }],
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
    id: 'currencies-added',
    bug: 'Two currencies may be added.',
    file: MONEY,
    find: '  if (left.currency !== right.currency) {',
    replace: '  if (left.currency === undefined) {',
    caughtBy: [{ test: MONEY_TEST, title: 'never adds two currencies' }],
  },
  {
    id: 'zeros-padded-silently',
    bug: 'An account that lost its leading zero passes.',
    file: ACCOUNT,
    find: '  if (length === undefined || text.length === length || (code === undefined && text.length > length))\n    return undefined;',
    replace: '  if (length !== -1 || code === undefined) return undefined;',
    caughtBy: [
      { test: KEYS_TEST, title: 'damage to an account' },
      { test: CORPUS, title: '[F14]' },
    ],
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
    id: 'sixteenth-digit-lost',
    bug: 'A number of sixteen digits and more passes as an account.',
    file: ACCOUNT,
    find: "  if (isNumber && text.replace(/\\D/g, '').length > EXACT_DIGITS) {",
    replace: "  if (isNumber && text.replace(/\\D/g, '').length > LONGEST) {",
    caughtBy: [
      { test: KEYS_TEST, title: 'damage to an account' },
      { test: CORPUS, title: '[F16]' },
    ],
  },
  {
    id: 'invisible-characters-paid',
    bug: 'An account with a zero-width character in it passes.',
    file: TEXT,
    find: "  if (!(field === 'note' ? INVISIBLE_IN_NOTE : INVISIBLE).test(text)) return undefined;",
    replace:
      "  if (field !== 'note' || !INVISIBLE.test(text) || !INVISIBLE_IN_NOTE.test(text)) return undefined;",
    caughtBy: [
      { test: ROW_TEST, title: 'every issue is named' },
      { test: CORPUS, title: '[F3]' },
    ],
  },
  {
    id: 'dates-as-text',
    bug: 'A date where text was meant is read as its number or its text.',
    file: TEXT,
    find: '  if (NO_DATES.has(field) && (',
    replace: '  if (NO_DATES.size < 0 && (',
    caughtBy: [
      { test: ROW_TEST, title: 'a row that cannot be paid' },
      { test: CORPUS, title: '[F17]' },
    ],
  },
  {
    id: 'currency-not-compared',
    bug: 'An amount in one currency is paid in another one.',
    file: TEXT,
    find: '  if (institution === undefined || currency === institution.currency) return undefined;',
    replace: '  if (institution === undefined || currency !== undefined) return undefined;',
    caughtBy: [
      { test: ROW_TEST, title: 'every issue is named' },
      { test: CORPUS, title: '[F21]' },
    ],
  },
  {
    id: 'ragged-row-taken',
    bug: 'A row with a cell too many is read all the same, its columns shifted.',
    file: CSV,
    find: '        else if (record.length !== width) throw await otherWidths(reading);\n',
    replace: '',
    caughtBy: [
      { test: CSV_TEST, title: 'a row with a cell too many' },
      { test: CSV_TEST, title: 'a row with a cell too few' },
      { test: CORPUS, title: '[F6]' },
    ],
  },
  {
    id: 'huge-cell-taken',
    bug: 'A cell of any length is taken.',
    file: CSV,
    find: '    if (cell.length > LONGEST_CELL) {',
    replace: '    if (cell.length < 0) {',
    caughtBy: [
      { test: CSV_TEST, title: 'a cell beyond what a spreadsheet holds' },
      { test: CORPUS, title: '[F7]' },
    ],
  },
];
