/**
 * What people call the columns, in English, French and Portuguese (data/column-names.json).
 *
 * Matching is exact after folding (case, spaces, accents, punctuation), never fuzzy: a wrong column pays a
 * wrong account. A header with a currency in it (`Amount (USD)`, `Amount €`) is left alone on purpose: it may be
 * another currency than the institution's, so the user has to say that it is meant.
 */
import columnNames from '../../data/column-names.json' with { type: 'json' };
import nameColumns from '../../data/name-columns.json' with { type: 'json' };
import { parseCurrency } from '../money/currency.ts';
import { foldText } from '../text/fold.ts';
import type { Field } from './row.ts';

/** What a file calls its columns, and which of them hold a field. */
export interface FileColumns {
  readonly columns: ReadonlyMap<Field, number>;
  readonly headers: readonly string[];
  /** Of each column that an answer adds behind those of the file: the columns that it is made from. */
  readonly madeFrom?: ReadonlyMap<number, readonly number[]> | undefined;
}

export const REQUIRED_FIELDS: readonly Field[] = ['country', 'institution', 'account', 'amount'];

const COLUMN_NAMES: Readonly<Record<Field, readonly string[]>> = columnNames;

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  (Object.keys(COLUMN_NAMES) as Field[]).flatMap((field) =>
    COLUMN_NAMES[field].map((name) => [foldText(name), field] as const),
  ),
);

/** The field that a header names; undefined for a column of the user's own. */
export function fieldOfHeader(header: string): Field | undefined {
  const field = FIELD_OF.get(foldText(withoutRemark(header)));
  return field === 'amount' && signsIn(header) !== '' ? undefined : field;
}

function withoutRemark(header: string): string {
  return header.replace(/\((?:required|optional|obligatoire|facultatif|obrigatório|opcional)\)/i, '');
}

/** Of two headers of one field, below zero where the first is the better known name of it; zero for the same name. */
export function comparedAsNames(field: Field, one: string, other: string): number {
  const rank = (header: string) =>
    COLUMN_NAMES[field].findIndex((name) => foldText(name) === foldText(withoutRemark(header)));
  return rank(one) - rank(other);
}

/**
 * The field that a person may mean by a header that is not used for it: `Net Pay (GHS)`, `Amount USD`,
 * `Account (new)`. Where another column is used for the field, somebody has to say which of the two counts.
 */
export function fieldMaybeMeant(header: string): Field | undefined {
  if (fieldOfHeader(header) !== undefined || NOT_USED.test(header)) return undefined;
  const bare = header
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\p{Sc}/gu, ' ')
    .trim();
  const [first = '', ...others] = bare.split(/\s+/);
  const last = others.at(-1) ?? '';
  const isCode = (word: string) => /^[A-Z]{3}$/.test(word) && parseCurrency(word) !== undefined;
  const named = isCode(last) ? [first, ...others.slice(0, -1)] : isCode(first) ? others : [first, ...others];
  return fieldOfHeader(named.join(' '));
}

/** The column that a workbook gets behind its own for comments on its cells. */
export const COMMENTS_COLUMN = 'Cell comments';

/** What a redo file calls a column that was not used. */
export const PASSED_OVER = '(not used)';
/** A column with the amount in words is not a second amount. */
const NOT_USED = /\((?:not used|in (?:words|letters)|en (?:toutes )?lettres|por extenso)\)\s*$/i;

/** Currency and percent signs, which folding leaves out: `Amount ($)` is not `Amount`. */
export function signsIn(header: string): string {
  return (header.match(/[\p{Sc}%‰]/gu) ?? []).join('');
}

/** Two headers are the same to a person: case, accents, spaces and punctuation do not count, signs of money do. */
export function isSameHeader(left: string, right: string): boolean {
  if (signsIn(left) !== signsIn(right)) return false;
  const folded = foldText(left);
  return folded === '' ? left.trim() === right.trim() : folded === foldText(right);
}

/** `0` → `A`, `26` → `AA`. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/**
 * A name in several columns: first, middle and last, joined in this order wherever the columns stand. `Nom` beside
 * `Prénom`, and `Nome` beside `Apelido`, is a part of the name; alone it is the whole name.
 */

type NamePart = 'first' | 'middle' | 'last';
const NAME_PARTS: readonly NamePart[] = ['first', 'middle', 'last'];

const PART_OF: ReadonlyMap<string, NamePart> = new Map(
  NAME_PARTS.flatMap((part) => nameColumns[part].map((name) => [foldText(name), part] as const)),
);
const LAST_BESIDE_FIRST = new Set(nameColumns.last_beside_first.map(foldText));
const FIRST_BESIDE_LAST = new Set(nameColumns.first_beside_last.map(foldText));

/** Which columns hold which part of a name; empty where no header names one. */
export function namePartsOf(headers: readonly string[]): ReadonlyMap<number, NamePart> {
  const folded = headers.map((header) => foldText(withoutRemark(header)));
  const parts = new Map(folded.flatMap((header, at) => one(at, PART_OF.get(header))));
  const known = new Set(parts.values());
  folded.forEach((header, at) => {
    if (LAST_BESIDE_FIRST.has(header) && known.has('first') && !known.has('last')) parts.set(at, 'last');
    if (FIRST_BESIDE_LAST.has(header) && known.has('last') && !known.has('first')) parts.set(at, 'first');
  });
  return parts;
}

function one(at: number, part: NamePart | undefined): readonly (readonly [number, NamePart])[] {
  return part === undefined ? [] : [[at, part]];
}

/** The columns that a name is joined from, in the order of the name; empty where one column holds it whole. */
export function nameColumnsOf({ headers, columns }: FileColumns): readonly number[] {
  if (columns.has('name')) return [];
  const taken = new Set(columns.values());
  const parts = [...namePartsOf(headers)].filter(([at]) => !taken.has(at));
  return NAME_PARTS.flatMap((part) => parts.flatMap(([at, of]) => (of === part ? [at] : [])));
}

/** Every column that is used, and for what. */
export function usedColumns(file: FileColumns): ReadonlyMap<number, Field> {
  const used = new Map([...file.columns].map(([field, at]) => [at, field]));
  for (const at of nameColumnsOf(file)) used.set(at, 'name');
  return used;
}
