/**
 * Erases persons from rows that ended, and from the notes of batches of which every row was erased. A salted hash (the seal)
 * takes the place of what was erased, and the salt goes with it: nobody can find the text by trying.
 *
 * The journal keeps which rows were erased. The chain goes on proving their numbers, which stand beside the seal in its texts.
 * The state of a row is made anew from its entries, so that `verify` finds the same. Keys that lead to an account are erased
 * too; the key of the row becomes a part of its seal.
 * Units:   a commit erases 200 rows.
 */
import type { Timestamp } from '../domain/timestamp.ts';
import type { Erasable, Erased, ErasingLedger } from '../ports/ledger/erasing.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import { type Commit, sealOf } from './chain.ts';
import { stateText } from './codec.ts';
import { encodeBody } from './codec-json.ts';
import type { LedgerParts } from './parts.ts';
import { Routes } from './routes.ts';
import { CONTENT, erasedKey } from './rows.ts';
import { ERASED, LATER, LEDGER_CHAIN } from './schema.ts';
import { type Database, ids, numberOf, q, type Row, type Sql } from './sql.ts';
import { sealsOfBirths, WHOLE_ENTRY } from './verify-chain.ts';
import { differencesIn, entriesIn, replay, STORED } from './verify-payouts.ts';

const ROWS = 200;

/** Ended, with nothing left to look at; and what is left of files that were not kept or that a newer one took the place of. */
const HAS_ENDED = q`(p.beside IS NULL AND p.concern IS NULL
  AND p.status IN ('settled','failed','returned','canceled','invalid')
  OR p.batch IN (SELECT id FROM batches WHERE state IN ('dropped','merged')))`;
const begunBefore = (before: number) => q`p.seal IS NULL
  AND (SELECT at FROM journal j WHERE j.seq = p.born) < ${before}`;
const endedBefore = (before: number) => q`${begunBefore(before)} AND ${HAS_ENDED}
  AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.payout = p.id AND ${LATER} AND j.at >= ${before})`;

type Parts = Pick<LedgerParts, 'read' | 'writer' | 'clock'> & { readonly db: Pick<Database, 'scrub'> };

export function erasing({ read, writer, clock, db }: Parts): ErasingLedger {
  return {
    erasable: (before) => erasable(read, before),
    async erase({ before, by, signal }) {
      const erased = { rows: 0, entries: 0 };
      for (;;) {
        signal?.throwIfAborted();
        const slice = await writer.write((commit) => eraseSlice(commit, { before, by, at: clock.now() }));
        if (slice.rows + slice.entries === 0) break;
        erased.rows += slice.rows;
        erased.entries += slice.entries;
      }
      // Also if nothing was left to erase: an earlier call may have ended before this.
      if (!(await db.scrub())) throw stillRead();
      return erased;
    },
  };
}

async function erasable(sql: Sql, before: number): Promise<Erasable> {
  const count = async (of: ReturnType<typeof q>) =>
    numberOf((await sql.get(q`SELECT count(*) AS n FROM payouts p WHERE ${of}`))?.['n']);
  const rows = await count(endedBefore(before));
  return { rows, kept: (await count(begunBefore(before))) - rows };
}

interface Erasing {
  readonly before: Timestamp;
  readonly by: string;
  readonly at: Timestamp;
}

async function eraseSlice({ sql, add }: Commit, { before, by, at }: Erasing): Promise<Erased> {
  const rows = await sql.all(
    q`SELECT ${STORED}, ${CONTENT}, salt, seal FROM payouts p WHERE ${endedBefore(before)} ORDER BY id LIMIT ${ROWS}`,
  );
  const entries = rows.length > 0 ? await eraseRows(sql, rows) : await eraseNotes(sql, before);
  if (rows.length + entries > 0) {
    const erased = rows.map((row) => numberOf(row['id']));
    const body = { by, before: new Date(before).toISOString(), rows: erased, entries };
    add({ batch: LEDGER_CHAIN, payout: null, at, kind: ERASED, ...encodeBody(ERASED, body) });
  }
  return { rows: rows.length, entries };
}

/** How many entries of the journal were erased with them. */
async function eraseRows(sql: Sql, rows: readonly Row[]): Promise<number> {
  const all = (column: 'id' | 'born') => ids(rows.map((row) => numberOf(row[column])));
  const born = await sql.all(q`SELECT ${WHOLE_ENTRY} FROM journal WHERE seq IN ${all('born')}`);
  const later = await sql.all(
    q`SELECT ${WHOLE_ENTRY} FROM journal WHERE payout IN ${all('id')} AND ${LATER}`,
  );
  // Before an entry is erased: the first cells of a row that was rewritten stand in one.
  const sealOfBirth = await sealsOfBirths(sql, born);
  const bySeq = new Map([...born, ...later].map((entry) => [entry['seq'], entry]));
  const erased = await eraseEntries(sql, [...bySeq.values()]);
  const entriesOf = await entriesIn(sql, rows);
  const routes = new Routes();
  await routes.load(sql, rows);
  const bornOf = new Map(born.map((entry) => [entry['seq'], entry]));
  for (const row of rows) {
    const entry = bornOf.get(row['born'] ?? null);
    if (entry === undefined) throw notAsWritten(row, ['its first entry']);
    await eraseRow(sql, row, { ...sealOfBirth(entry), entries: entriesOf(row), routes });
  }
  return erased;
}

interface RowToErase {
  readonly seal: string;
  /** Already erased. */
  readonly entries: readonly (Row | undefined)[];
  readonly routes: Routes;
}

async function eraseRow(sql: Sql, row: Row, { seal, entries, routes }: RowToErase): Promise<void> {
  const empty: Row = {
    ...row,
    account: row['account'] === null ? null : '',
    reference: null,
    name: null,
    phone: null,
    note: null,
  };
  const { payout, cells = '[]' } = replay(empty, entries, routes);
  const erased: Row = { ...empty, cells, state: stateText(payout.state) };
  const others = differencesIn(erased, entries, routes);
  if (others.length > 0) throw notAsWritten(row, others);
  await sql.run(q`UPDATE payouts SET account = ${erased['account'] ?? null}, reference = NULL, name = NULL, phone = NULL,
    note = NULL, cells = ${cells}, state = ${erased['state'] ?? null}, row_key = ${erasedKey(seal)},
    reference_key = NULL, payment_key = NULL, salt = NULL, seal = ${seal} WHERE id = ${row['id'] ?? null}`);
}

/** Notes of batches without a row that still names a person. */
async function eraseNotes(sql: Sql, before: number): Promise<number> {
  const notes =
    await sql.all(q`SELECT ${WHOLE_ENTRY} FROM journal j WHERE payout IS NULL AND personal IS NOT NULL
    AND at < ${before} AND batch <> ${LEDGER_CHAIN}
    AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.batch = j.batch AND p.seal IS NULL) LIMIT ${ROWS}`);
  return eraseEntries(sql, notes);
}

async function eraseEntries(sql: Sql, entries: readonly Row[]): Promise<number> {
  const personal = entries.filter((entry) => entry['personal'] !== null);
  for (const { seq = null, salt, personal: list } of personal) {
    const seal = sealOf(String(salt), String(list));
    await sql.run(q`UPDATE journal SET personal = NULL, salt = NULL, seal = ${seal} WHERE seq = ${seq}`);
  }
  return personal.length;
}

function stillRead(): LedgerError {
  const words =
    'The rows are erased, but another process reads the ledger, so the log of its file still holds what they said. When ' +
    'that process has ended, run the same command again.';
  return new LedgerError('ledger_busy', words);
}

function notAsWritten({ id, row_number: rowNumber }: Row, others: readonly string[]): LedgerError {
  const words =
    `Payout ${id} (row ${rowNumber}) is not what its journal says (${others.join(', ')}). It and later rows were not ` +
    'erased. Run payfile verify.';
  return new LedgerError('ledger_damaged', words);
}
