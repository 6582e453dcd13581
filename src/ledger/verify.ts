/**
 * Verifies the ledger in one walk and one moment: every commit's head is computed again from the journal and the rows, and
 * every entry belongs to exactly one commit. Then batches, routes and payouts (verify-payouts.ts) are replayed from their
 * entries. Other work goes on meanwhile and does not change what is compared.
 *
 * Errors:  LedgerError when the ledger cannot be read to its end now; that says nothing about it.
 */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { batchDigest } from '../domain/batches/batch.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerIdentity, TellChain, VerifyResult } from '../ports/ledger/ledger.ts';
import {
  type CommitNumbers,
  headOf,
  headText,
  lineText,
  NO_HEAD,
  rowsHashOf,
  rowsText,
  sealOf,
} from './chain.ts';
import { ENTRY_COLUMNS } from './codec.ts';
import { bodyOf } from './codec-json.ts';
import { rowKeysOf } from './imports.ts';
import type { LedgerParts } from './parts.ts';
import { turnOfOthers } from './payouts.ts';
import { routeOfRow } from './routes.ts';
import { CONTENT, CURRENCY, isErased, rowSeal, rowText } from './rows.ts';
import { ERASED, LATER, LEDGER_CHAIN, NOTE } from './schema.ts';
import {
  damageOfPages,
  ids,
  jsonText,
  missingCommits,
  numberOf,
  q,
  type Row,
  type Sql,
  text,
} from './sql.ts';
import { type Found, verifyPayouts, type Walk } from './verify-payouts.ts';

const PROBLEMS_MAX = 100;
/** Commits whose entries are read together. */
const SLICE = 100;
/** While the moment is kept, no page of a file's log can be used again: it grows with whatever a run writes. */
const LOG_GROWTH_MAX = 256 * 1024 * 1024;

type Verified = Omit<VerifyResult, 'unknownHere' | 'accepted'>;

type Parts = Pick<LedgerParts, 'still' | 'identity'>;

/** `tell`: is given every text of the chain, of which the next hash is made. `logMax`: bytes that the log may grow by. */
export function verifyLedger(
  parts: Parts,
  batch?: number,
  { tell, logMax = LOG_GROWTH_MAX }: { readonly tell?: TellChain | undefined; readonly logMax?: number } = {},
): Promise<Verified> {
  const { still, identity } = parts;
  const problems: string[] = [];
  let count = 0;
  const found = (problem: string) => {
    count += 1;
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  return still(async (sql) => {
    const walk = { sql, batch, found, tell, turn: besideLog(identity.path, logMax) };
    const result = { batches: 0, entries: 0, head: '' };
    try {
      await verifyAll(walk, identity, result);
    } catch (error) {
      // Busy, or a server that broke off: nothing is known of the ledger then.
      if (error instanceof LedgerError && error.code !== 'ledger_damaged') throw error;
      found(
        `the ledger cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (count > PROBLEMS_MAX) problems.push(`… and ${count - PROBLEMS_MAX} more`);
    return { ...result, problems };
  });
}

async function verifyAll(
  walk: Walk,
  identity: LedgerIdentity,
  result: { batches: number; entries: number; head: string },
): Promise<void> {
  const { sql, batch, found } = walk;
  if (batch === undefined) {
    for (const { said } of await sql.all(q`${damageOfPages}`)) found(`the file itself: ${said}`);
    for (const { seq } of await sql.all(q`${missingCommits}`)) found(`commit ${seq} is missing`);
  }
  await verifyIdentity(walk, identity);
  for (const each of batch === undefined ? [undefined] : [batch, ...(await filesOf(sql, batch))]) {
    const { entries, head } = await verifyChains({ ...walk, batch: each });
    result.entries += entries;
    if (each === batch) result.head = head;
  }
  result.batches = await verifyFacts(walk);
  await verifyRoutes(walk);
  await verifyPayouts(walk);
  await verifyErased(walk);
  await verifyDigests(walk);
}

/** Newer files of a batch: each has a chain of its own, which proves the rows that it brought. */
async function filesOf(sql: Sql, batch: number): Promise<readonly number[]> {
  const rows = await sql.all(q`SELECT id FROM batches WHERE state = 'merged'
    AND ${jsonText('facts', 'mergedInto')} = ${String(batch)}`);
  return rows.map(({ id }) => numberOf(id));
}

/** Lets other work run, and looks at the size of the file's log; a server has none that is ours to mind. */
function besideLog(path: string, logMax: number): Walk['turn'] {
  const sizeNow = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const first = sizeNow();
  return async () => {
    await turnOfOthers();
    if (sizeNow() - first > logMax) throw logGrown(path);
  };
}

function logGrown(path: string): LedgerError {
  const text =
    `The ledger ${path} was not checked to its end: a run writes to it, and its log grew too much meanwhile. Nothing ` +
    'wrong was found so far. Check it again when the run has ended; or make a backup now, which is checked when it is ' +
    'made.';
  return new LedgerError('ledger_busy', text);
}

async function verifyIdentity({ sql, found }: Walk, identity: LedgerIdentity): Promise<void> {
  const first = await sql.get(
    q`SELECT ${WHOLE_ENTRY} FROM journal WHERE batch = ${LEDGER_CHAIN} AND payout IS NULL ORDER BY seq LIMIT 1`,
  );
  const { path: _, ...made } = identity;
  // With another salt no payment would look like one that was made.
  if (first === undefined || !isDeepStrictEqual(bodyOf(first), made))
    found('the ledger does not name the service it was made for');
  const forged = await sql.all(q`SELECT r.key FROM name_releases r WHERE NOT EXISTS (SELECT 1 FROM journal j
    WHERE j.seq = r.entry AND j.kind = 'name_released' AND ${jsonText('j.body', 'key')} = r.key)`);
  if (forged.length > 0) found('a remembered name was not released by anyone');
}

export const WHOLE_ENTRY = q`seq, batch, payout, salt, ${text(ENTRY_COLUMNS)}`;

interface CommitRow extends CommitNumbers {
  readonly head: string;
  /** 0: of a writer that worked alone, and joined the chains of all others. */
  readonly shard: number;
}

/** By shard. */
type BatchHeads = ReadonlyMap<number, { readonly head: string; readonly last: number }>;
const NO_HEADS: BatchHeads = new Map();

/** What the commit builds on, and how the chains of its batch stand after it. */
function headsWith(heads: BatchHeads, commit: CommitRow) {
  const { shard } = commit;
  if (shard !== 0) {
    const own = heads.get(shard) ?? heads.get(0);
    return { before: own === undefined ? [] : [own], after: new Map([...heads, [shard, commit]]) };
  }
  const before = [...heads].sort(([one], [other]) => one - other).map(([, head]) => head);
  return { before, after: new Map([[0, commit]]) };
}

async function verifyChains(walk: Walk): Promise<{ readonly entries: number; readonly head: string }> {
  const { sql, batch, found, turn, tell } = walk;
  const ofBatch = batch === undefined ? q`` : q`AND batch = ${batch}`;
  const heads = new Map<number, BatchHeads>();
  const gone = await sql.all(q`SELECT id FROM batches WHERE state = 'dropped'`);
  const dropped = new Set(gone.map(({ id }) => numberOf(id)));
  let [seq, entries, head] = [0, 0, NO_HEAD];
  for (;;) {
    const page = await sql.all(
      q`SELECT * FROM commits WHERE seq > ${seq} ${ofBatch} ORDER BY seq LIMIT ${SLICE}`,
    );
    const commits = page.map(commitOf);
    const linesOf = await linesIn(walk, commits);
    for (const commit of commits) {
      const { before, after } = headsWith(heads.get(commit.batch) ?? NO_HEADS, commit);
      if (before.some(({ last }) => commit.first <= last)) found(`${nameOf(commit)} overlaps an earlier one`);
      const lines = linesOf(commit);
      const built = before.map((each) => each.head);
      checkCommit(commit, built, { found, isDropped: dropped.has(commit.batch), ...lines });
      if (lines.rows.length > 0) await tell?.(rowsText(lines.rows));
      await tell?.(headText(built, commit, lines.texts.join('')));
      heads.set(commit.batch, after);
      entries += commit.events;
      ({ seq, head } = commit);
    }
    if (page.length < SLICE) break;
    await turn();
  }
  const { n } = (await sql.get(q`SELECT count(*) AS n FROM journal WHERE seq > 0 ${ofBatch}`)) ?? {};
  const counted = numberOf(n);
  if (counted !== entries) found(`the journal has ${counted} entries, its commits name ${entries}`);
  return { entries: counted, head };
}

function commitOf(row: Row): CommitRow {
  const { rows_hash: rowsHash } = row;
  const number = (column: string) => Number(row[column]);
  return {
    ...{ seq: number('seq'), batch: number('batch'), first: number('first'), last: number('last') },
    ...{ events: number('events'), shard: number('shard'), head: String(row['head']) },
    rowsHash: rowsHash === null ? null : String(rowsHash),
  };
}

const nameOf = ({ seq, batch }: CommitRow) => `commit ${seq} of batch ${batch}`;

/** What stands in the ledger of one commit. */
interface Lines {
  readonly texts: string[];
  /** That begin with it. */
  readonly rows: string[];
}

/** Entries of these commits, each read once: their numbers lie in one range, with few of others in between. */
async function linesIn(walk: Walk, commits: readonly CommitRow[]): Promise<(commit: CommitRow) => Lines> {
  const { sql, batch } = walk;
  const [first, last] = [
    Math.min(...commits.map((commit) => commit.first)),
    Math.max(...commits.map((commit) => commit.last)),
  ];
  const byBatch = Map.groupBy(commits, (commit) => commit.batch);
  const lines = new Map<CommitRow, Lines>(commits.map((commit) => [commit, { texts: [], rows: [] }]));
  const ofBatch = batch === undefined ? q`` : q`AND batch = ${batch}`;
  const ranged = q`SELECT ${WHOLE_ENTRY} FROM journal WHERE seq BETWEEN ${first} AND ${last} ${ofBatch} ORDER BY seq`;
  if (commits.length > 0)
    for await (const block of sql.each(ranged)) {
      const sealOfBirth = await sealsOfBirths(sql, block);
      for (const row of block) {
        const seq = Number(row['seq']);
        const own = byBatch.get(Number(row['batch']))?.find((each) => each.first <= seq && seq <= each.last);
        const into = own && lines.get(own);
        into?.texts.push(lineText(lineOf(row)));
        if (isBirth(row)) into?.rows.push(sealOfBirth(row).text);
      }
      await walk.turn();
    }
  return (commit) => lines.get(commit) ?? { texts: [], rows: [] };
}

const isBirth = ({ kind, payout }: Row) => payout !== null && (kind === 'imported' || kind === 'replacement');

function lineOf(row: Row) {
  const { seq, payout, at, kind, body } = row;
  return {
    ...{ seq: Number(seq), payout: payout === null ? null : Number(payout), at: Number(at) },
    ...{ kind: String(kind), body: String(body), seal: sealIn(row) },
  };
}

/** The seal of what was erased counts only where nothing stands in its place: else anything could. */
function sealIn({ personal, salt, seal }: Row): string | null {
  if (personal !== null && salt !== null && seal === null) return sealOf(String(salt), String(personal));
  return personal === null && salt === null ? (seal as string | null) : 'neither there nor erased';
}

/** Of the rows that begin in these entries. */
export async function sealsOfBirths(
  sql: Sql,
  block: readonly Row[],
): Promise<(entry: Row) => { readonly text: string; readonly seal: string }> {
  const born = block.filter(isBirth).map(({ payout }) => numberOf(payout));
  if (born.length === 0) return () => NO_ROW;
  const rows = await sql.all(
    q`SELECT ${CONTENT}, ${CURRENCY}, salt, seal FROM payouts WHERE id IN ${ids(born)}`,
  );
  const byId = new Map(rows.map((row) => [row['id'], row]));
  const rewritten = await sql.all(q`SELECT payout, ${text(ENTRY_COLUMNS)} FROM journal
    WHERE payout IN ${ids(born)} AND ${LATER} AND kind = 'rewritten' ORDER BY payout, seq DESC`);
  // Of several the earliest, which comes last: before it the cells were as they were imported.
  const earliest = new Map(rewritten.map((entry) => [entry['payout'], entry]));
  return ({ payout }) => {
    const row = byId.get(payout ?? null);
    if (row === undefined) return NO_ROW;
    const entry = earliest.get(payout ?? null);
    const seal = rowSealIn(row, entry === undefined ? row : { ...row, cells: cellsBefore(entry) });
    return { text: rowText(row, seal), seal };
  };
}

const NO_ROW = { text: 'no row', seal: '' };

const cellsBefore = (entry: Row) => JSON.stringify(bodyOf(entry)['before'] ?? []);

function rowSealIn(row: Row, content: Row): string {
  const { salt, seal } = row;
  if (salt !== null && seal === null) return rowSeal(String(salt), content);
  return salt === null && seal !== null && isErased(row) ? String(seal) : 'neither there nor erased';
}

function checkCommit(
  commit: CommitRow,
  before: readonly string[],
  { texts, rows, isDropped, found }: Lines & { readonly isDropped: boolean; readonly found: Found },
): void {
  const { events, rowsHash, head } = commit;
  const name = nameOf(commit);
  if (texts.length !== events) found(`${name} has ${texts.length} entries in the journal, not ${events}`);
  if (headOf(before, commit, texts.join('')) !== head)
    found(`${name}: its head does not follow from its entries; something was changed or removed`);
  // Rows of a dropped import are gone on purpose; what they were is still part of the heads.
  if (!isDropped && rowsHashOf(rows) !== rowsHash)
    found(`${name}: rows of the file (instruction or cells) are not as they were written`);
}

/** Rows were erased by an entry of the journal that names them. What is left of them, the chain proves. */
async function verifyErased({ sql, found }: Walk): Promise<void> {
  const entries = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal
    WHERE batch = ${LEDGER_CHAIN} AND payout IS NULL AND kind = ${ERASED}`);
  const named = new Set(entries.flatMap((entry) => bodyOf(entry)['rows'] as readonly number[]));
  const erased = await sql.all(q`SELECT id FROM payouts WHERE seal IS NOT NULL`);
  const unnamed = erased.filter(({ id }) => !named.has(numberOf(id)));
  if (unnamed.length > 0 || erased.length !== named.size)
    found(`${erased.length} rows are erased, the journal names ${named.size}`);
}

/** Facts of batches as their entries say; how many there are. */
async function verifyFacts({ sql, batch, found }: Walk): Promise<number> {
  const rows = await sql.all(
    batch === undefined ? q`SELECT * FROM batches` : q`SELECT * FROM batches WHERE id = ${batch}`,
  );
  for (const row of rows) await checkFacts(sql, row, found);
  // An import that was merged into a batch, dropped or never finished is a chain of its own, and no batch.
  return rows.filter(({ state }) => state === 'open').length;
}

async function checkFacts(sql: Sql, row: Row, found: Found): Promise<void> {
  const entries = await sql.all(q`SELECT ${text(ENTRY_COLUMNS)} FROM journal
    WHERE batch = ${numberOf(row['id'])} AND payout IS NULL ORDER BY seq`);
  let facts: Readonly<Record<string, unknown>> = {};
  for (const entry of entries) {
    // A remark of the application may have any body; it changes no fact.
    if (String(entry['kind']).startsWith(NOTE)) continue;
    facts = { ...facts, ...(bodyOf(entry)['set'] as object | undefined) };
  }
  const stored = bodyOf({ body: row['facts'] ?? null });
  const columns = { state: row['state'], name: row['name'], digest: row['digest'] };
  const expected = {
    state: facts['state'],
    name: facts['name'],
    digest: facts['digest'] ?? null,
  };
  if (!isDeepStrictEqual(stored, facts) || !isDeepStrictEqual(columns, expected))
    found(`batch ${row['id']}: what it is differs from what its journal says`);
}

async function verifyRoutes({ sql, found }: Walk): Promise<void> {
  const stored = new Map((await sql.all(q`SELECT * FROM routes`)).map((row) => [numberOf(row['id']), row]));
  for (const entry of await sql.all(
    q`SELECT ${text(ENTRY_COLUMNS)} FROM journal WHERE payout IS NULL AND kind = 'route'`,
  )) {
    const { id, ...route } = bodyOf(entry);
    const row = stored.get(Number(id));
    if (row === undefined || !isDeepStrictEqual({ ...routeOfRow(row) }, route))
      found(`route ${id} is not as it was written`);
    stored.delete(Number(id));
  }
  for (const id of stored.keys()) found(`route ${id} was not written by anyone`);
}

/** The rows of the current file add up to the digest that was bound. Keys of erased rows are other ones. */
async function verifyDigests({ sql, batch, found, turn }: Walk): Promise<void> {
  const ofBatch = batch === undefined ? q`` : q`AND id = ${batch}`;
  // While a revision is under way its rows stand between two files; the next revision settles that.
  const rows = await sql.all(q`SELECT id, digest FROM batches WHERE state = 'open'
    AND ${jsonText('facts', 'merging')} IS NULL ${ofBatch}
    AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.batch = batches.id AND p.seal IS NOT NULL)`);
  for (const { id = null, digest } of rows) {
    if ((await batchDigest(rowKeysOf(sql, numberOf(id)))) !== digest)
      found(`batch ${id}: its rows do not add up to its digest`);
    await turn();
  }
}
