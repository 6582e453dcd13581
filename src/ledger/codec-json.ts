/**
 * Stored JSON, whatever its shape: its version, what a text may not hold, and how what tells of persons is kept apart from
 * the facts.
 *
 * Every text begins with its version. What may be undefined is stored as null, so that a decoded value has
 * exactly the keys that the domain gives it. A bigint is stored as its digits.
 * Persons: in an entry of the journal names, accounts and the service's own words are replaced by marks (`§0`, `§1`, …), and
 *          stand beside it as a list, which can be erased. Then they are read as empty texts.
 * Errors:  a text that does not fit throws StoredShapeError; the caller knows which payout it was. What could not be read
 *          again is not encoded: NotStorable.
 */
import type { z } from 'zod';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Row } from './sql.ts';

const VERSION = 1;

/** Text of the ledger that does not fit: the ledger is damaged. */
export class StoredShapeError extends LedgerError {
  constructor(what: string, cause?: unknown) {
    const text =
      `The ledger is damaged: ${what}. Keep it. A backup does not know what was paid after it was made: compare every ` +
      'batch since then with a statement of the service before you pay anything.';
    super('ledger_damaged', text, { cause });
  }
}

/** The value has a part of another type than its declaration says. Nothing was written. */
export class NotStorable extends TypeError {
  override readonly name = 'NotStorable';
  readonly code = 'not_storable';
}

/** The body of an entry, and what was taken out of it. */
export interface Stored {
  readonly body: string;
  readonly personal?: string;
}

const OF_CONCERN = ['account', 'written', 'holder', 'from', 'to', 'evidence', 'text'];
const OF_PRICING = ['wireName', 'resolved', 'reason', 'notes'];
const OF_ISSUE = ['seen', 'suggestion'];
const OF_ANSWER = ['message', 'fragment'];
const OF_LOOK = ['discrepancies', 'unproven', 'receiver', 'earlier'];
const OF_STATE = [...OF_CONCERN, ...OF_PRICING, ...OF_ISSUE];

/** By the kind of the entry: what is a person's, wherever in the body it stands. What staff typed is none of it. */
const PERSONAL: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    hold: [...OF_CONCERN, ...OF_PRICING],
    price: OF_PRICING,
    invalidate: OF_ISSUE,
    release: OF_CONCERN,
    unapprove: ['reason'],
    turn_away: OF_ANSWER,
    refuse: OF_ANSWER,
    doubt: OF_ANSWER,
    accept: OF_ANSWER,
    progress: OF_LOOK,
    suspect: OF_LOOK,
    settle: OF_LOOK,
    fail: OF_LOOK,
    return: OF_LOOK,
    accept_difference: ['saw'],
    imported: OF_STATE,
    replacement: OF_STATE,
    kept: OF_STATE,
    put_back: ['after'],
    rewritten: [...OF_STATE, 'before', 'after'],
    'note:cell_corrected': ['was', 'text'],
    'note:lines_left_out': ['name', 'amount', 'says'],
    'note:terms_moved': ['was', 'now'],
    'note:incident': ['what'],
    'note:emergency_not_applied': [...OF_STATE, ...OF_ANSWER, ...OF_LOOK],
  }).map(([kind, keys]) => [kind, new Set(keys)]),
);

const MARK = '§';
const MARKED = /"§(\d+)"/g;

/** The body of an entry, of any shape. */
export function encodeBody(kind: string, value: object): Stored {
  const keys = PERSONAL.get(kind);
  if (keys === undefined) return { body: encode(value) };
  const personal: string[] = [];
  const lists = new Set<unknown>();
  const body = encode(value, (key, part, holder) => {
    if (Array.isArray(part) && keys.has(key)) lists.add(part);
    const isPersonal =
      typeof part === 'string' && (keys.has(key) || lists.has(holder) || part.startsWith(MARK));
    return isPersonal && part !== '' ? `${MARK}${personal.push(part) - 1}` : part;
  });
  return personal.length === 0 ? { body } : { body, personal: JSON.stringify(personal) };
}

/** The whole body of an entry. A mark is a whole text of the JSON: within a longer text its quotes would be escaped. */
export function bodyOf({ body, personal = null, seal = null }: Row): Readonly<Record<string, unknown>> {
  if (personal === null && seal === null) return parsed(String(body));
  const list = personal === null ? [] : (JSON.parse(String(personal)) as readonly string[]);
  return parsed(String(body).replace(MARKED, (_, place) => JSON.stringify(list[Number(place)] ?? '')));
}

/** Keys that the domain leaves out instead of holding undefined. */
const LEFT_OUT = new Set([
  'httpStatus',
  'code',
  'message',
  'fragment',
  'errorCode',
  'localPort',
  'pointer',
  'quoteAtSend',
]);

export function encode(
  value: object,
  change: (key: string, part: unknown, holder: unknown) => unknown = (_, part) => part,
): string {
  return JSON.stringify({ v: VERSION, ...value }, function replace(this: unknown, key, part: unknown) {
    if (typeof part === 'bigint') return part.toString();
    return part === undefined && !LEFT_OUT.has(key) ? null : change(key, part, this);
  });
}

const HEAD = `{"v":${VERSION}`;

/** Without its version. Throws StoredShapeError for what is no JSON of a version that is known here. */
export function parsed(stored: string): Readonly<Record<string, unknown>> {
  const rest = stored.slice(HEAD.length);
  if (!stored.startsWith(HEAD) || !(rest.startsWith(',') || rest === '}'))
    throw new StoredShapeError('a stored text has no version that is known here');
  try {
    return JSON.parse(`{${rest.replace(',', '')}`) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new StoredShapeError('a stored text is not JSON', error);
  }
}

type Columns = Readonly<Record<string, unknown>>;

/** Throws StoredShapeError. `columns` are what the row has beside the text. */
export const decode = <T>(shape: z.ZodType<T>, stored: string, columns: Columns = {}): T =>
  shaped(shape, Object.assign(parsed(stored), columns));

export const decodeEntry = <T>(shape: z.ZodType<T>, row: Row, columns: Columns = {}): T =>
  shaped(shape, Object.assign(bodyOf(row), columns));

function shaped<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value);
  if (!result.success) throw new StoredShapeError('a stored text has another shape', result.error);
  return result.data;
}

/** Once it was read again. Errors: NotStorable. */
export function encodeAs(shape: z.ZodType<unknown>, value: object, columns?: Columns): string {
  const stored = encode(value);
  requireReadable(shape, stored, columns);
  return stored;
}

/** A mark is a text where a text was, so that the body is read again as it is stored. */
export function encodeEntry(
  shape: z.ZodType<unknown>,
  kind: string,
  value: object,
  columns?: Columns,
): Stored {
  const stored = encodeBody(kind, value);
  requireReadable(shape, stored.body, columns);
  return stored;
}

function requireReadable(shape: z.ZodType<unknown>, stored: string, columns?: Columns): void {
  try {
    decode(shape, stored, columns);
  } catch (cause) {
    const text = 'A value has another type than the ledger can read again; it was not written';
    throw new NotStorable(text, { cause });
  }
}
