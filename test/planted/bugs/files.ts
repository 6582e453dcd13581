/** Bugs in what a file is taken for: its encoding, its delimiter, its sheet, its columns. */
import type { PlantedBug } from '../planted-bug.ts';

const CORPUS = 'test/corpus/corpus.test.ts';
const FILES = 'src/adapters/files';
const XLSX = `${FILES}/xlsx-source.ts`;
const ZIP = `${FILES}/zip-entries.ts`;
const CSV_TEST = 'test/adapters/files/csv.test.ts';
const XLSX_TEST = 'test/adapters/files/xlsx.test.ts';
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
    id: 'file-changes-while-read',
    bug: 'A file that is written to while it is read is taken as it comes.',
    file: 'src/adapters/files/payout-file.ts',
    find: 'now.size === first.size && now.mtimeNs === first.mtimeNs && now.ctimeNs === first.ctimeNs;',
    replace: 'now.size >= 0n;',
    caughtBy: [{ test: CSV_TEST, title: 'when it is written to while it is read' }],
  },
];
