/**
 * What the columns of a statement or of a dashboard export are called, in English, French, German and Portuguese.
 *
 * Matching is exact after folding, as for payout files. The header of an amount may name the currency: `Debit (NGN)`.
 * Several columns may mean the same thing where more text does no harm (narration, ids, dates). A person has to tell
 * two columns apart that may both hold the payments.
 */
import columnNames from '../../data/statement-columns.json' with { type: 'json' };
import type { CurrencyCode } from '../money/currency.ts';
import { currenciesNamed } from '../money/currency-words.ts';
import { isSameHeader } from '../rows/column-names.ts';
import { foldText } from '../text/fold.ts';
import { input, type Message, said } from '../text/message.ts';

export const STATEMENT_FIELDS = [
  'date',
  'amount',
  'debit',
  'credit',
  'side',
  'currency',
  'account',
  'receiver',
  'narration',
  'transfer_id',
  'bank_reference',
  'status',
  'balance',
  'count',
] as const;
export type StatementField = (typeof STATEMENT_FIELDS)[number];

const COLUMN_NAMES: Readonly<Record<StatementField, readonly string[]>> = columnNames;

const FIELD_OF: ReadonlyMap<string, StatementField> = new Map(
  STATEMENT_FIELDS.flatMap((field) => COLUMN_NAMES[field].map((name) => [foldText(name), field] as const)),
);

export type StatementMap = ReadonlyMap<StatementField, string>;

export interface StatementColumns {
  /** Index into the headers, one or more for each field that the statement has. */
  readonly at: ReadonlyMap<StatementField, readonly number[]>;
  /** Currencies that headers of amounts name, by the index of the column. */
  readonly currencies: ReadonlyMap<number, CurrencyCode>;
}

const AMOUNTS: ReadonlySet<StatementField | undefined> = new Set([
  ...(['amount', 'debit', 'credit', 'balance'] as const),
]);
/** `Debit (NGN)`, `Amount NGN`, `Montant en EUR`. */
const WITH_CURRENCY = /^(.*?)[\s([]+(?:(?:in|en|em)\s+)?([^\s()[\]]+)[)\]]?\s*$/i;

interface NamedColumn {
  readonly field: StatementField;
  readonly currency: CurrencyCode | undefined;
}

function columnOf(header: string): NamedColumn | undefined {
  const [, name = '', written = ''] = WITH_CURRENCY.exec(header) ?? [];
  const named = written === '' ? undefined : currenciesNamed(written);
  const before = FIELD_OF.get(foldText(name));
  const field = FIELD_OF.get(foldText(header));
  if (named === undefined || !AMOUNTS.has(before)) return field && { field, currency: undefined };
  return before && { field: before, currency: named.length === 1 ? named[0] : undefined };
}

/** The field that a header names; undefined for any other column. What the person mapped comes first. */
export function statementFieldOf(header: string, map: StatementMap): StatementField | undefined {
  for (const [field, mapped] of map) if (isSameHeader(header, mapped)) return field;
  const field = columnOf(header)?.field;
  return field === undefined || isReplaced(field, map) ? undefined : field;
}

/** A person who names the amounts names the payments: by one column with signs, or by one for each direction. */
function isReplaced(field: StatementField, map: StatementMap): boolean {
  if (map.has('amount') && (field === 'debit' || field === 'credit')) return true;
  return map.has(field) || (field === 'amount' && (map.has('debit') || map.has('credit')));
}

type BoundColumns =
  | { readonly kind: 'bound'; readonly columns: StatementColumns }
  | { readonly kind: 'unusable'; readonly why: Message };

export function bindStatement(headers: readonly string[], map: StatementMap): BoundColumns {
  const at = new Map<StatementField, number[]>();
  const currencies = new Map<number, CurrencyCode>();
  for (const [index, header] of headers.entries()) {
    const field = statementFieldOf(header, map);
    if (field === undefined) continue;
    at.set(field, [...(at.get(field) ?? []), index]);
    const currency = columnOf(header)?.currency;
    if (AMOUNTS.has(field) && currency !== undefined) currencies.set(index, currency);
  }
  const why = whyUnusable(headers, at, map);
  return why === undefined ? { kind: 'bound', columns: { at, currencies } } : { kind: 'unusable', why };
}

const HOLDS_AMOUNTS = [
  said`${input('map', 'amount=COLUMN')} (one column, for payments and what came in)`,
  said`${input('map', 'debit=COLUMN')} (payments)`,
  said`${input('map', 'credit=COLUMN')} (what came in)`,
].flatMap(({ pieces }, index) => (index === 0 ? pieces : [', ', ...pieces]));

const SINGLE_FIELDS = [
  'amount',
  'debit',
  'credit',
  'side',
  'currency',
  'account',
  'balance',
  'count',
] as const;

function whyUnusable(
  headers: readonly string[],
  at: ReadonlyMap<StatementField, readonly number[]>,
  map: StatementMap,
): Message | undefined {
  const quoted = (indexes: readonly number[], between: string) =>
    indexes.map((index) => `“${headers[index]}”`).join(between);
  for (const [field, header] of map)
    if (!at.has(field)) return said`no column is called “${header}”, which was said to hold ${field}`;
  for (const field of SINGLE_FIELDS) {
    const both = at.get(field) ?? [];
    if (both.length > 1)
      return said`${quoted(both.slice(0, 2), ' and ')} both mean ${field}; say which column holds it`;
  }
  const amount = at.get('amount') ?? [];
  const apart = [...(at.get('debit') ?? []), ...(at.get('credit') ?? [])];
  if (amount.length > 0 && apart.length > 0)
    return said`${quoted([...amount, ...apart], ' and ')} may all hold the payments. Name the columns that do, with ${HOLDS_AMOUNTS}`;
  if (amount.length > 0 || at.has('debit')) return undefined;
  return said`no column is known to hold the amounts of payments. It has ${quoted([...headers.keys()], ', ')}. Name the column, with ${HOLDS_AMOUNTS}`;
}
