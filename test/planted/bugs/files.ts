/** Bugs in what a file is taken for: its encoding, its delimiter, its sheet, its columns. */
import type { PlantedBug } from '../planted-bug.ts';

const CORPUS = 'test/corpus/corpus.test.ts';
const FILES = 'src/adapters/files';
const XLSX = `${FILES}/xlsx-source.ts`;
const ZIP = `${FILES}/zip-entries.ts`;
const CSV_TEST = 'test/adapters/files/csv.test.ts';
const XLSX_TEST = 'test/adapters/files/xlsx.test.ts';
const FORMS_TEST = 'test/adapters/files/workbook-forms.test.ts';
const EXCELJS_TEST = 'test/adapters/files/against-exceljs.test.ts';
const SHOWN_TEST = 'test/adapters/files/shown-otherwise.test.ts';
const FORMAT = `${FILES}/number-format.ts`;
const SHEET = `${FILES}/sheet-rows.ts`;
const onCorpus = (tag: string) => [{ test: CORPUS, title: `[${tag}]` }];

export const FILE_BUGS: readonly PlantedBug[] = [
  {
    id: 'mark-of-utf16-ignored',
    bug: 'The byte order mark of UTF-16 is not heeded.',
    file: `${FILES}/encoding.ts`,
    find: '  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xfe])))',
    replace: '  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xff])))',
    caughtBy: onCorpus('F1'),
  },
  {
    id: 'bytes-replaced',
    bug: 'Bytes that are no UTF-8 become replacement characters.',
    file: `${FILES}/byte-survey.ts`,
    find: '      if (!isUtf8(whole.subarray(0, end)))',
    replace: '      if (end < 0)',
    caughtBy: onCorpus('F2'),
  },
  {
    id: 'accents-of-two-kinds',
    bug: 'A letter written as letter and accent is another letter.',
    file: 'src/domain/text-fold.ts',
    find: "    .normalize('NFKD')\n",
    replace: '',
    also: [
      {
        file: 'src/domain/instruction-keys.ts',
        find: "instruction.reference?.normalize('NFC');",
        replace: 'instruction.reference;',
      },
      {
        file: 'src/domain/account-reading.ts',
        find: "written.normalize('NFC').replace(SPACE, ' ')",
        replace: "written.replace(SPACE, ' ')",
      },
    ],
    caughtBy: onCorpus('F4'),
  },
  {
    id: 'delimiter-guessed',
    bug: 'Of two delimiters that fit equally well one is taken.',
    file: `${FILES}/csv-shape.ts`,
    find: '  if (rivals.length > 1) {',
    replace: '  if (rivals.length > 9) {',
    also: [
      {
        file: `${FILES}/csv-shape.ts`,
        find: "const CANDIDATES = [',', ';', '\\t', '|'];",
        replace: "const CANDIDATES = [',', ';'];",
      },
    ],
    caughtBy: onCorpus('F5'),
  },
  {
    id: 'any-kind-is-csv',
    bug: 'What is no workbook is read as CSV, whatever it is.',
    file: `${FILES}/file-kind.ts`,
    find: '  if (foreign) throw new FileRefused(',
    replace: '  if (foreign === null) throw new FileRefused(',
    caughtBy: onCorpus('F12'),
  },
  {
    id: 'formula-never-calculated',
    bug: 'A formula without a result is an empty cell.',
    file: `${FILES}/cell-value.ts`,
    find: "mark(value === undefined ? 'formula_without_value' : 'formula');",
    replace: "mark('formula');",
    caughtBy: onCorpus('F13'),
  },
  {
    id: 'first-sheet-taken',
    bug: 'Of two sheets with a header the first is taken.',
    file: `${FILES}/sheet-choice.ts`,
    find: '  if (first !== undefined && second !== undefined) {',
    replace: '  if (first === undefined && second !== undefined) {',
    caughtBy: onCorpus('F25'),
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
    id: 'totals-not-compared',
    bug: 'Declared counts and totals are not compared.',
    file: 'src/cli/place-file.ts',
    find: '  return unexpectedTotals({ count: flags.expectCount, totals: flags.expectTotal ?? [] }, read);',
    replace: '  return unexpectedTotals({ count: undefined, totals: [] }, { ...read, ...flags, ...read });',
    caughtBy: [
      { test: 'test/journeys/exit-codes.test.ts', title: 'keeps nothing of a file that does not come to' },
    ],
  },
  {
    id: 'totals-compared-loosely',
    bug: 'A declared total that is a little off passes.',
    file: 'src/domain/expected-totals.ts',
    find: '  if (minor === expected.minor) return [];',
    replace: '  if (minor / 100n === expected.minor / 100n) return [];',
    caughtBy: [{ test: 'test/domain/expected-totals.test.ts', title: '[F28]' }],
  },
  {
    id: 'whole-file-in-memory',
    bug: 'All rows of a file are kept before the first is checked.',
    file: `${FILES}/row-chunks.ts`,
    find: 'const CHUNK_ROWS = 1_000;',
    replace: 'const CHUNK_ROWS = 10_000_000;',
    caughtBy: [
      { test: 'test/adapters/files/csv.test.ts', title: 'comes in chunks of a thousand rows at the most' },
    ],
  },
  {
    id: 'nothing-is-a-batch',
    bug: 'A header without rows is a batch of nothing.',
    file: `${FILES}/row-chunks.ts`,
    find: '  if (isEmpty)\n',
    replace: '  if (isEmpty && waiting.length > 0)\n',
    also: [
      {
        file: 'src/application/import-file.ts',
        find: '    if (importId === undefined || stager.rows === 0) {',
        replace: '    if (importId === undefined) {',
      },
    ],
    caughtBy: onCorpus('F30'),
  },
  {
    id: 'file-name-speaks',
    bug: 'The name of a file reaches the terminal with whatever it holds.',
    file: `${FILES}/payout-file.ts`,
    find: "  return text.replace(/[\\p{Cc}\\p{Cf}]/gu, '\\ufffd');",
    replace: '  return text;',
    caughtBy: [{ test: 'test/planted/guards.test.ts', title: '[F31]' }],
  },
  {
    id: 'slow-expression',
    bug: 'An amount is looked at with an expression that tries every way to read it.',
    file: 'src/domain/parse-amount.ts',
    find: '  if (text.length > LONGEST)\n',
    replace:
      '  if (/^(?:\\d+,?)+x$/.test(text.slice(0, 28))) return wrong(faultOf(text));\n  if (text.length > LONGEST)\n',
    caughtBy: [{ test: 'test/domain/amount.test.ts', title: '[F32]' }],
  },
  {
    id: 'merged-cells-taken',
    bug: 'Merged cells among the rows are read as one value and empty neighbours.',
    file: XLSX,
    find: '  if (merged === undefined) return;',
    replace: '  if (merged?.address !== undefined || merged === undefined) return;',
    caughtBy: [
      { test: XLSX_TEST, title: 'merged cells among its rows' },
      { test: CORPUS, title: '[F23]' },
    ],
  },
  {
    id: 'zip-bomb-unpacked',
    bug: 'An archive unpacks to whatever it likes.',
    file: ZIP,
    find: '    if (isBomb || bytes > LARGEST_ENTRY || others + bytes > LARGEST_TOTAL) {',
    replace: '    if (isBomb && others < 0) {',
    caughtBy: [{ test: XLSX_TEST, title: 'a zip bomb' }],
  },
  {
    id: 'checksum-not-compared',
    bug: 'The checksum of a part is not compared.',
    file: ZIP,
    find: '  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32 >>> 0)',
    replace: '  if (bytes < 0)',
    caughtBy: [
      { test: XLSX_TEST, title: 'a wrong checksum' },
      { test: CORPUS, title: '[F10]' },
    ],
  },
  {
    id: 'doctype-read',
    bug: 'A workbook with a document type is read.',
    file: 'src/adapters/files/xml-events.ts',
    find: "  parser.on('doctype', () => refuse('it has a document type, which no workbook needs'));\n",
    replace: '',
    caughtBy: [
      { test: XLSX_TEST, title: 'a document type' },
      { test: CORPUS, title: '[F11]' },
    ],
  },
  {
    id: 'text-behind-a-number',
    bug: 'A cell with a number and a text of its own is read as both, one behind the other.',
    file: SHEET,
    find: "    if (inline.isTwo || (inline.text !== '' && (stored ?? '') !== ''))\n",
    replace:
      "    if (inline.text !== '' && (stored ?? '') !== '') return (stored ?? '') + inline.text;\n    if (inline.isTwo)\n",
    caughtBy: [{ test: FORMS_TEST, title: 'a number before its own text' }],
  },
  {
    id: 'second-text-counts-too',
    bug: 'Of two texts in one cell both are read, one behind the other.',
    file: `${FILES}/rich-text.ts`,
    find: '    this.isTwo ||= ',
    replace: '    this.isTwo &&= ',
    caughtBy: [
      { test: FORMS_TEST, title: 'two texts in one run' },
      { test: FORMS_TEST, title: 'a shared text' },
    ],
  },
  {
    id: 'sound-is-text',
    bug: 'How a text is pronounced is read as part of it.',
    file: `${FILES}/rich-text.ts`,
    find: "    if (name === 'rPh') this.#isInPhonetic = true;",
    replace: "    if (name === 'rPh') this.#isInPhonetic = false;",
    caughtBy: [
      { test: FORMS_TEST, title: 'how it is pronounced' },
      { test: EXCELJS_TEST, title: 'raw XML of every kind of cell' },
    ],
  },
  {
    id: 'shared-text-by-its-first-digits',
    bug: 'A shared text is found by whatever digits begin its number.',
    file: `${FILES}/cell-value.ts`,
    find: '/^\\s*\\d+\\s*$/.test(text)',
    replace: "text !== ''",
    caughtBy: [{ test: FORMS_TEST, title: 'a shared text that is no number' }],
  },
  {
    id: 'cells-of-other-programs',
    bug: 'Elements of another namespace are read as rows and cells, which no other program shows.',
    file: 'src/adapters/files/xml-events.ts',
    find: '    const isOwn = namespace === undefined || namespace === this.#own;',
    replace: '    const isOwn = namespace === undefined || this.#own !== undefined;',
    caughtBy: [{ test: FORMS_TEST, title: 'with cells of another program' }],
  },
  {
    id: 'second-list-of-rows',
    bug: 'A second list of rows in a sheet is paid, which other programs do not show.',
    file: SHEET,
    find: '    if (this.#hadData || this.#outer !== 1) throw',
    replace: '    if (this.#outer < 1) throw',
    caughtBy: [{ test: FORMS_TEST, title: 'in a second list of rows' }],
  },
  {
    id: 'path-is-no-other-file',
    bug: 'A formula that names another file by its path is taken for one of this workbook.',
    file: `${FILES}/cell-value.ts`,
    find: 'if (IN_PATHS.test(place) || isFile(',
    replace: 'if (isFile(',
    caughtBy: [{ test: FORMS_TEST, title: 'takes its value from there' }],
  },
  {
    id: 'styles-not-missed',
    bug: 'A workbook without the part that says how numbers are shown is read without it: 45% pays 0.45.',
    file: `${FILES}/workbook-parts.ts`,
    find: '  if (styles !== undefined && !zip.names.has(styles)) throw noStyles(styles, name);\n',
    replace: '',
    also: [
      {
        file: `${FILES}/workbook-parts.ts`,
        find: 'formats: styles === undefined ? []',
        replace: 'formats: styles === undefined || !zip.names.has(styles) ? []',
      },
    ],
    caughtBy: [{ test: FORMS_TEST, title: 'without the one that says how numbers are shown' }],
  },
  {
    id: 'hidden-rows-by-attribute-lost',
    bug: 'A row that is hidden is read as one that everybody saw.',
    file: SHEET,
    find: 'isHidden: isShut || isTrue(hidden) };',
    replace: 'isHidden: isShut };',
    caughtBy: [
      { test: FORMS_TEST, title: 'that is written down is visible' },
      { test: EXCELJS_TEST, title: 'raw XML of every kind of cell' },
    ],
  },
  {
    id: 'nested-without-end',
    bug: 'Elements in one another without end fill the memory.',
    file: 'src/adapters/files/xml-events.ts',
    find: '    if (names.depth > MOST_LEVELS)',
    replace: '    if (names.depth < 0)',
    caughtBy: [{ test: FORMS_TEST, title: 'nested more than 64 levels deep' }],
  },
  {
    id: 'count-of-parts-believed',
    bug: "An archive's count of its parts is believed, whatever it is.",
    file: ZIP,
    find: '  if (parts > MOST_ENTRIES)\n',
    replace: '  if (parts < 0)\n',
    caughtBy: [{ test: XLSX_TEST, title: 'too many parts' }],
  },
  {
    id: 'file-changes-while-read',
    bug: 'A file that is written to while it is read is taken as it comes.',
    file: 'src/adapters/files/payout-file.ts',
    find: 'now.size === first.size && now.mtimeNs === first.mtimeNs && now.ctimeNs === first.ctimeNs;',
    replace: 'now.size >= 0n;',
    caughtBy: [{ test: CSV_TEST, title: 'when it is written to while it is read' }],
  },
  {
    id: 'format-of-a-text-ignored',
    bug: 'A text is paid as it is, whatever its number format shows: "1250" that is shown as 12500.',
    file: `${FILES}/cell-value.ts`,
    find: "  if (ofText !== 'same') marks.push(",
    replace: '  if (ofText === undefined) marks.push(',
    caughtBy: [{ test: SHOWN_TEST, title: 'is not paid' }],
  },
  {
    id: 'section-for-texts-not-found',
    bug: 'The fourth section of a number format is not known to be the one for texts.',
    file: FORMAT,
    find: 'shown[TEXT_SECTION] ?? shown.find(',
    replace: 'shown.find(',
    caughtBy: [{ test: SHOWN_TEST, title: 'is not paid' }],
  },
  {
    id: 'shown-text-is-no-issue',
    bug: 'A cell whose format shows another text is no issue.',
    file: 'src/domain/validate-text.ts',
    find: "  if (cells.isMarked(field, 'shown_text')) {",
    replace: "  if (cells.isMarked(field, 'shown_text') && field === 'account') {",
    caughtBy: [{ test: SHOWN_TEST, title: 'is an issue in every column that is used' }],
  },
  {
    id: 'digits-in-a-sign-of-money',
    bug: 'Digits that a format writes as a sign of money are not seen: 1250 that is shown as 12500.',
    file: FORMAT,
    find: "(literal ?? sign ?? '');",
    replace: "(literal ?? '');",
    caughtBy: [{ test: SHOWN_TEST, title: 'shows another one' }],
  },
  {
    id: 'digits-behind-other-marks',
    bug: 'Digits that a format writes behind other marks are not seen: 1250 that is shown as 1250 x10.',
    file: FORMAT,
    find: '/[%‰\\p{N}]/u.test(behind)',
    replace: '/^\\s*[%‰\\d]/.test(behind)',
    caughtBy: [{ test: SHOWN_TEST, title: 'shows another one' }],
  },
  {
    id: 'marks-in-the-number',
    bug: 'A mark of its own between the places is not seen: 1250 that is shown as 12$50.',
    file: FORMAT,
    find: '  return !THOUSANDS.test(whole) || ',
    replace: '  return ',
    caughtBy: [{ test: SHOWN_TEST, title: 'shows another one' }],
  },
  {
    id: 'named-style-forgotten',
    bug: 'A cell that has its number format from a named style has none: 45% pays 0.45.',
    file: `${FILES}/workbook-parts.ts`,
    find: 'id ?? lists.cellStyleXfs[styleAt]?.id ?? 0',
    replace: 'id ?? 0',
    caughtBy: [{ test: SHOWN_TEST, title: 'by its named style alone' }],
  },
  {
    id: 'second-amount-passed-over',
    bug: 'Of “Salary” and “Net Pay (GHS)” the first is paid without a question.',
    file: `${FILES}/header-map.ts`,
    find: '|| !MONEY_FIELDS.has(field)) continue;',
    replace: '|| MONEY_FIELDS.has(field)) continue;',
    caughtBy: [{ test: 'test/application/checking.test.ts', title: 'asks which of two columns counts' }],
  },
];
