/**
 * What separates the cells of a CSV file: declared, written in a `sep=` line, or found by its header.
 */
import { FileRefused } from '../../ports/row-source.ts';
import { firstRecords } from './csv-rows.ts';
import { countFields, HEADER_WITHIN, type HeaderChoice, type HeaderRow, likelyHeader } from './header-map.ts';

export interface CsvHead {
  readonly delimiter: string;
  /** undefined: no row looks like a header. */
  readonly header: HeaderRow | undefined;
}

export interface CsvStart {
  /** The beginning of the file, decoded; it may be cut off. */
  readonly text: string;
  readonly hasCarriageReturn: boolean;
  readonly declared: string | undefined;
  readonly choice: HeaderChoice;
  readonly name: string;
}

const CANDIDATES = [',', ';', '\t', '|'];
const SEP_LINE = /^"?sep=([^\r\n])"?[\r\n]/i;

export function findShape(start: CsvStart): CsvHead {
  const declared =
    start.declared === undefined ? SEP_LINE.exec(start.text)?.[1] : oneCharacter(start.declared);
  const heads = (declared === undefined ? CANDIDATES : [declared]).map((delimiter) =>
    headWith(delimiter, start),
  );
  const best = heads.reduce((left, right) => (right.score > left.score ? right : left));
  const rivals = heads.filter((head) => head.score === best.score && best.fields > 0);
  if (rivals.length > 1) {
    throw new FileRefused(
      `${start.name}: the header reads equally well with ${rivals.map((head) => shownDelimiter(head.delimiter)).join(' and ')} ` +
        'between the cells. Say which it is with --delimiter.',
    );
  }
  return best;
}

export function shownDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `“${delimiter}”`;
}

function headWith(delimiter: string, { text, hasCarriageReturn, choice }: CsvStart) {
  const most = Math.max(HEADER_WITHIN, choice.headerRow ?? 0);
  const records = firstRecords(text, { delimiter, hasCarriageReturn }, most);
  const header = likelyHeader(
    records.map((cells, index) => ({ rowNumber: index + 1, cells })),
    choice,
  );
  const fields = header ? countFields(header, choice) : 0;
  // With no known header at all, the widest reading is shown to the user in the refusal.
  return { delimiter, header, fields, score: fields * 1_000 + (header?.cells.length ?? 0) };
}

function oneCharacter(declared: string): string {
  const known = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' }[declared.toLowerCase()];
  const delimiter = known ?? declared;
  if (delimiter.length === 1 && !/["\r\n\w]/.test(delimiter)) return delimiter;
  throw new FileRefused(
    `--delimiter ${JSON.stringify(declared)} is not a delimiter; expected one character such as , ; | or the word tab.`,
  );
}
