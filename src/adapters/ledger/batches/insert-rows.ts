/**
 * Inserting payouts, many per statement: on a server all in one go. In a file the usual row (planned, its own family, next to its neighbour) gives
 * only what differs; the statement counts up the rest by itself. Binding a value costs the most.
 */
import { PLANNED } from '../payouts/payout-codec.ts';
import type { RowContent } from '../payouts/stored-payout.ts';
import { addSums } from '../reports/kept-sums.ts';
import type { Sql } from '../storage/sql-statements.ts';

/** A payouts row as it is first written. */
export interface NewRow {
  readonly content: RowContent;
  readonly batch: number;
  readonly position: number;
  readonly rowNumber: number;
  readonly status: string;
  readonly state: string;
  readonly born: number;
}

type Values = (string | number | bigint | Uint8Array | null)[];

const TOGETHER = 20;
const OWN =
  'row_number, route, account, minor, reference, name, phone, note, replaces, cells, row_key, reference_key, payment_key';
const COUNTED = 'id, position, root, born, batch';
const FIXED = 'status, state, version, attempts';
const INTO = `INSERT INTO payouts(${COUNTED}, ${FIXED}, ${OWN}) VALUES`;
const OWN_COUNT = OWN.split(',').length;
const COLUMNS = `${COUNTED}, ${FIXED}, ${OWN}`.split(', ');

const ANY = `${INTO} (${Array(5 + 4 + OWN_COUNT)
  .fill('?')
  .join(',')})`;
const usual = (own: string) =>
  `${INTO} ${Array.from({ length: TOGETHER }, (_, index) => usualPlaces(index, own)).join(',')}`;
const USUAL = usual(Array(OWN_COUNT).fill('?').join(','));
/** Without a phone and another payment to replace, as most files are. */
const PLAIN = usual('?,?,?,?,?,?,NULL,?,NULL,?,?,?,?');

export function insertRows(sql: Sql, rows: readonly NewRow[]): void {
  if (sql.addRows !== undefined) {
    sql.addRows('payouts', COLUMNS, rows.map(wholeOf));
    return;
  }
  addSums(sql, rows);
  const values: Values = [];
  for (let at = 0; at < rows.length; ) {
    const count = isUsualRun(rows, at) ? TOGETHER : 1;
    const first = rows[at];
    if (first === undefined) return;
    if (count === 1) pushWhole(values, first);
    else values.push(first.content.id, first.position, first.born, first.batch);
    const isPlain = count > 1 && isPlainRun(rows, at);
    for (let row = at; row < at + count; row += 1)
      (isPlain ? pushPlain : pushOwn)(values, rows[row] ?? first);
    sql(count === 1 ? ANY : isPlain ? PLAIN : USUAL).run(...values);
    values.length = 0;
    at += count;
  }
}

/**
 * `?1` to `?4` are id, position, journal entry and batch of the first row; each row's own values follow without
 * a number, because SQLite looks through all numbered ones whenever a value is bound.
 */
function usualPlaces(index: number, own: string): string {
  return `(?1+${index}, ?2+${index}, ?1+${index}, ?3+${index}, ?4, 'planned', '${PLANNED}', 0, 0, ${own})`;
}

function isUsualRun(rows: readonly NewRow[], at: number): boolean {
  const first = rows[at];
  if (first === undefined || at + TOGETHER > rows.length) return false;
  for (let index = 0; index < TOGETHER; index += 1) {
    const row = rows[at + index];
    if (row === undefined || row.state !== PLANNED || row.content.root !== row.content.id) return false;
    if (row.born !== first.born + index || row.position !== first.position + index) return false;
  }
  return true;
}

function isPlainRun(rows: readonly NewRow[], at: number): boolean {
  for (let index = at; index < at + TOGETHER; index += 1) {
    const { phone, replaces } = rows[index]?.content ?? {};
    if (phone !== null || replaces !== null) return false;
  }
  return true;
}

function wholeOf(row: NewRow): Values {
  const values: Values = [];
  pushWhole(values, row);
  pushOwn(values, row);
  return values;
}

function pushWhole(values: Values, { content, batch, position, status, state, born }: NewRow): void {
  values.push(content.id, position, content.root, born, batch, status, state, 0, 0);
}

function pushPlain(values: Values, { content, rowNumber }: NewRow): void {
  const { route, account, minor, reference, name, note, cells } = content;
  values.push(rowNumber, route, account, minor, reference, name, note, cells);
  values.push(content.row_key, content.reference_key, content.payment_key);
}

function pushOwn(values: Values, { content, rowNumber }: NewRow): void {
  const { route, account, minor, reference, name, phone, note, replaces, cells } = content;
  values.push(rowNumber, route, account, minor, reference, name, phone, note, replaces, cells);
  values.push(content.row_key, content.reference_key, content.payment_key);
}
