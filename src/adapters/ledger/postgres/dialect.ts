/**
 * The ledger's statements in the words of PostgreSQL. They are written once, in the SQL that both databases understand as
 * far as there is one; what is left is turned here, word by word, and what it needs is defined in postgres/schema.ts.
 *
 * Only for the statements of this folder: no general translator.
 */

/** A NUL anywhere in a document (an answer of the service, a cell) would keep the server from reading any part of it. */
export const readable = (of: string | undefined) => `replace(${of}, '\\u0000', '\\ufffd')::json`;

/** Each replaces one thing, in this order. */
const WORDS: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/\bINDEXED BY \w+/g, ''],
  // Keeps SQLite from an index.
  [/(?<=[ (])\+(?=[a-z])/g, ''],
  [/\bCROSS JOIN\b/g, 'JOIN'],
  [/\bLIKE\b/g, 'ILIKE'],
  [/\bAS INTEGER\)/g, 'AS bigint)'],
  [/\btemp\.(?=\w)/g, 'pg_temp.'],
  [/CREATE INDEX pg_temp\.(\w+) ON (\w+)/g, 'CREATE INDEX $1 ON pg_temp.$2'],
  // A list of ids, then any other list.
  [/\(SELECT value FROM json_each\((\?\d*)\)\)/g, '(SELECT value::bigint FROM each_of($1))'],
  [/\bjson_each\(([^(),]+), '\$\.(\w+)'\)/g, (_all, of, path) => `each_of(${readable(of)} #>> '{${path}}')`],
  [/\bjson_each\(/g, 'each_of('],
  [
    /\bjson_extract\(([^(),]+), '\$\.([\w.]+)'\)/g,
    (_all, of, path) => `(${readable(of)} #>> '{${path?.replaceAll('.', ',')}}')`,
  ],
  [/\bjson_extract\(([^(),]+), '\$\[(\d+)\]'\)/g, (_all, of, path) => `(${readable(of)} #>> '{${path}}')`],
  [/\bINTEGER\b/g, 'bigint'],
  [/\bBLOB\b/g, 'bytea'],
  [/\bTEXT\b/g, 'text COLLATE "C"'],
  [/\bCAST\(([^()]+) AS text COLLATE "C"\)/g, 'CAST($1 AS text)'],
  [/\) STRICT(, WITHOUT ROWID)?;/g, ');'],
  [/ PRIMARY KEY AUTOINCREMENT/g, ' PRIMARY KEY'],
];

const IMMEDIATE = /^BEGIN IMMEDIATE$/;
/** One writer at a time, as in a file. Readers go on. */
const ALONE = 'BEGIN; LOCK TABLE ledger IN EXCLUSIVE MODE';

export function postgresSql(text: string): string {
  if (IMMEDIATE.test(text)) return ALONE;
  const isOrIgnore = text.includes('INSERT OR IGNORE');
  let turned = isOrIgnore ? `${text.replace('INSERT OR IGNORE', 'INSERT')} ON CONFLICT DO NOTHING` : text;
  for (const [from, to] of WORDS) turned = turned.replace(from, to as string);
  return numbered(turned);
}

/** `?` and `?3` become `$1` and `$3`, by SQLite's rule: one without a number follows the largest before it. */
function numbered(text: string): string {
  let last = 0;
  return text.replace(/'(?:[^']|'')*'|\?(\d*)(\+)?/g, (all, digits?: string, counts?: string) => {
    if (all.startsWith("'")) return all;
    const number = digits === undefined || digits === '' ? last + 1 : Number(digits);
    last = Math.max(last, number);
    return counts === undefined ? `$${number}` : `$${number}::bigint+`;
  });
}
