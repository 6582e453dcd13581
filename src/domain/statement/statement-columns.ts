/**
 * What the columns of a statement or of a dashboard export are called, in English, French, German and Portuguese.
 *
 * Matching is exact after folding, as for payout files. Several columns may mean the same thing where more text
 * does no harm (narration, ids, dates); two columns of amounts have to be told apart by the person.
 */
import columnNames from '../../data/statement-columns.json' with { type: 'json' };
import { isSameHeader } from '../rows/column-names.ts';
import { foldText } from '../text/fold.ts';
import type { Payments } from './direction.ts';

export const STATEMENT_FIELDS = [
  'date',
  'amount',
  'credit',
  'side',
  'currency',
  'account',
  'receiver',
  'narration',
  'transfer_id',
  'status',
] as const;
export type StatementField = (typeof STATEMENT_FIELDS)[number];

const COLUMN_NAMES: Readonly<Record<StatementField, readonly string[]>> = columnNames;

const FIELD_OF: ReadonlyMap<string, StatementField> = new Map(
  STATEMENT_FIELDS.flatMap((field) => COLUMN_NAMES[field].map((name) => [foldText(name), field] as const)),
);

export type StatementMap = ReadonlyMap<StatementField, string>;
/** Index into the headers, one or more for each field that the statement has. */
export type StatementColumns = ReadonlyMap<StatementField, readonly number[]>;

/** The field that a header names; undefined for any other column. What the person mapped comes first. */
export function statementFieldOf(header: string, map: StatementMap): StatementField | undefined {
  for (const [field, mapped] of map) if (isSameHeader(header, mapped)) return field;
  const field = FIELD_OF.get(foldText(header));
  return field === undefined || map.has(field) ? undefined : field;
}

type BoundColumns =
  | { readonly kind: 'bound'; readonly columns: StatementColumns }
  | { readonly kind: 'unusable'; readonly why: string };

/** What the person says of columns: those of `--map`, and the one of the payments. */
export function withPayments(map: StatementMap, payments: Payments | undefined): StatementMap {
  return typeof payments === 'object' ? new Map([...map, ['amount', payments.column]]) : map;
}

export function bindStatement(
  headers: readonly string[],
  map: StatementMap,
  payments?: Payments,
): BoundColumns {
  const columns = new Map<StatementField, number[]>();
  const named = withPayments(map, payments);
  for (const [index, header] of headers.entries()) {
    const field = statementFieldOf(header, named);
    if (field !== undefined) columns.set(field, [...(columns.get(field) ?? []), index]);
  }
  const lost = [...named].find(([field]) => !columns.has(field));
  if (lost !== undefined) {
    const [field, header] = lost;
    return { kind: 'unusable', why: `no column is called “${header}”, which was said to hold ${field}` };
  }
  for (const field of ['amount', 'credit', 'side', 'currency', 'account'] as const) {
    const [first, second] = columns.get(field) ?? [];
    if (first === undefined || second === undefined) continue;
    const both = [first, second].map((at) => `“${headers[at]}”`).join(' and ');
    return {
      kind: 'unusable',
      why: `${both} both mean ${field}; say which column holds it`,
    };
  }
  return { kind: 'bound', columns };
}
