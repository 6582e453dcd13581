/**
 * Verifies the chain: every commit's head is computed again from the journal and the rows as they were written, and every entry
 * belongs to exactly one commit.
 */
import { statSync } from 'node:fs';
import { LedgerError } from '../ports/ledger/errors.ts';
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
import { turnOfOthers } from './payouts.ts';
import { CONTENT, CURRENCY, isErased, rowSeal, rowText } from './rows.ts';
import { LATER } from './schema.ts';
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
import type { Found, Walk } from './verify-payouts.ts';

/** Commits that are read together, and so many entries of them, at least of one. */
const [SLICE, SLICE_ENTRIES] = [100, 3_000];

/** What was proven: so many entries, up to this head of the batch or the ledger. */
export interface Proven {
  readonly entries: number;
  readonly head: string;
}

/** And of the whole ledger that its file is sound, and no commit is missing. */
export async function verifyChain(walk: Walk): Promise<Proven> {
  const { sql, batch, found } = walk;
  if (batch === undefined) {
    for (const { said } of await sql.all(q`${damageOfPages}`)) found(`the file itself: ${said}`);
    for (const { seq } of await sql.all(q`${missingCommits}`)) found(`commit ${seq} is missing`);
    return verifyChains(walk);
  }
  const { head, entries } = await verifyChains(walk);
  let all = entries;
  for (const file of await filesOf(sql, batch)) all += (await verifyChains({ ...walk, batch: file })).entries;
  return { head, entries: all };
}

/** Newer files of a batch: each has a chain of its own, which proves the rows that it brought. */
async function filesOf(sql: Sql, batch: number): Promise<readonly number[]> {
  const rows = await sql.all(q`SELECT id FROM batches WHERE state = 'merged'
    AND ${jsonText('facts', 'mergedInto')} = ${String(batch)}`);
  return rows.map(({ id }) => numberOf(id));
}

/** Lets other work run, and looks at the size of the file's log; a server has none that is ours to mind. */
export function besideLog(path: string, logMax: number): Walk['turn'] {
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

async function verifyChains(walk: Walk): Promise<Proven> {
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
    for await (const { commit, lines } of withLines(walk, page.map(commitOf))) {
      const { before, after } = headsWith(heads.get(commit.batch) ?? NO_HEADS, commit);
      if (before.some(({ last }) => commit.first <= last)) found(`${nameOf(commit)} overlaps an earlier one`);
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

async function* withLines(walk: Walk, commits: readonly CommitRow[]) {
  for (let from = 0; from < commits.length; ) {
    let [to, events] = [from, 0];
    while (to < commits.length && events < SLICE_ENTRIES) events += commits[to++]?.events ?? 0;
    const slice = commits.slice(from, to);
    const linesOf = await linesIn(walk, slice);
    for (const commit of slice) yield { commit, lines: linesOf(commit) };
    from = to;
  }
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
