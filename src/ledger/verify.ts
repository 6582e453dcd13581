/**
 * Verifies the ledger in one moment: the chain of all entries (verify-chain.ts), then batches, routes and payouts
 * (verify-payouts.ts), which are replayed from them. Other work goes on meanwhile and does not change what is compared.
 *
 * Errors:  LedgerError when the ledger cannot be read to its end now; that says nothing about it.
 */
import { isDeepStrictEqual } from 'node:util';
import { batchDigest } from '../domain/batches/batch.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerIdentity, TellChain, VerifyResult } from '../ports/ledger/ledger.ts';
import { ledgerHead } from './chain.ts';
import { ENTRY_COLUMNS } from './codec.ts';
import { bodyOf } from './codec-json.ts';
import { rowKeysOf } from './imports.ts';
import type { LedgerParts } from './parts.ts';
import { type BesideProof, proveBeside } from './prove-beside.ts';
import { routeOfRow } from './routes.ts';
import { ERASED, LEDGER_CHAIN, NOTE } from './schema.ts';
import { jsonText, numberOf, optionalNumber, q, type Row, type Sql, text } from './sql.ts';
import { besideLog, verifyChain, WHOLE_ENTRY } from './verify-chain.ts';
import { type Found, verifyPayouts, type Walk } from './verify-payouts.ts';

const PROBLEMS_MAX = 100;
/** Fewer payouts are verified before another thread has begun. */
const BESIDE_FROM = 20_000;
/** While the moment is kept, no page of a file's log can be used again: it grows with whatever a run writes. */
const LOG_GROWTH_MAX = 256 * 1024 * 1024;

type Verified = Omit<VerifyResult, 'unknownHere' | 'accepted'>;

type Parts = Pick<LedgerParts, 'still' | 'identity'>;

interface Options {
  /** Is given every text of the chain, of which the next hash is made. */
  readonly tell?: TellChain | undefined;
  /** Bytes that the log may grow by. */
  readonly logMax?: number;
  /** The chain of a file with so many payouts is proven beside the rest. */
  readonly besideFrom?: number;
}

export function verifyLedger(
  parts: Parts,
  batch?: number,
  { tell, logMax = LOG_GROWTH_MAX, besideFrom = BESIDE_FROM }: Options = {},
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
    let beside: BesideProof | undefined;
    try {
      const isWhole = batch === undefined && tell === undefined && sql.dialect === 'sqlite';
      if (isWhole && (await payoutsIn(sql)) >= besideFrom)
        beside = proveBeside({ path: identity.path, moment: await ledgerHead(sql), logMax });
      if (beside === undefined) Object.assign(result, await verifyChain(walk));
      result.batches = await verifyRest(walk, identity);
      // What stands in the way there is met and told here.
      if (beside !== undefined) Object.assign(result, (await beside.proven) ?? (await verifyChain(walk)));
    } catch (error) {
      // Busy, or a server that broke off: nothing is known of the ledger then.
      if (error instanceof LedgerError && error.code !== 'ledger_damaged') throw error;
      found(
        `the ledger cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      await beside?.end();
    }
    if (count > PROBLEMS_MAX) problems.push(`… and ${count - PROBLEMS_MAX} more`);
    return { ...result, problems };
  });
}

async function payoutsIn(sql: Sql): Promise<number> {
  const row = await sql.get(q`SELECT last FROM counters WHERE name = 'payouts'`);
  return optionalNumber(row?.['last']) ?? 0;
}

/** How many batches there are. */
async function verifyRest(walk: Walk, identity: LedgerIdentity): Promise<number> {
  await verifyIdentity(walk, identity);
  const batches = await verifyFacts(walk);
  await verifyRoutes(walk);
  await verifyPayouts(walk);
  await verifyErased(walk);
  await verifyDigests(walk);
  return batches;
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
