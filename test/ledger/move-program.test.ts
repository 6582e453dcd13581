/**
 * A ledger file goes to a server: all of it, at once or not at all, and at no instant are there two ledgers.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reading } from '../../src/ledger/file.ts';
import { connectPg, shownPlace } from '../../src/ledger/pg-connection.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { q } from '../../src/ledger/sql.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { all, batchOf, HOLDER, moved, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { aPostgres } from './a-postgres.ts';
import { LIVE } from './ledger-files.ts';
import { type LedgerToMove, ledgerToMove, refusal } from './ledger-to-move.ts';

const server = aPostgres();

async function exec(at: ServerPlace, words: string) {
  const client = await connectPg(at);
  return client.query(words).finally(() => client.end());
}

/** Indexes and constraints, in which nothing names the schema. */
async function guardsOf(at: ServerPlace): Promise<unknown> {
  const { rows } = await exec(
    at,
    `SELECT replace(pg_get_indexdef(indexrelid), current_schema() || '.', '') AS guard FROM pg_index
       JOIN pg_class c ON c.oid = indrelid WHERE relnamespace = current_schema()::regnamespace
     UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  return rows;
}

describe('a ledger that was moved', () => {
  let there: LedgerToMove;
  let result: Awaited<ReturnType<LedgerToMove['move']>>;
  beforeAll(async () => {
    there = ledgerToMove(server.place());
    await there.fill();
    // Ben worked with the file too.
    cpSync(there.known(), there.known('ben'), { recursive: true });
    result = await there.move();
  });
  afterAll(() => there.end());

  it('is the same there to the last byte, with its ids and heads', async () => {
    expect(result).toMatchObject({
      ledger: { to: there.to, batches: 2 },
      recovered: 1,
      wasLeft: false,
    });
    expect(await there.onServer()).toEqual(await there.inFile());
  });

  it('keeps there the indexes and constraints of one that was made there', async () => {
    const made = server.place();
    await (await openServerLedger({ place: made, binding: LIVE, create: true })).close();
    expect(await guardsOf(there.place)).toEqual(await guardsOf(made));
    expect(JSON.stringify(await guardsOf(there.place))).toContain('payouts_batch_fkey');
  });

  it('is refused in its file for ever, by every program, and can be read there', async () => {
    for (const options of [{}, { acceptRollback: true, acceptLedger: true }]) {
      const refused = await refusal(there.openFile(options));
      expect(refused).toMatchObject({ code: 'ledger_moved', movedTo: there.to });
      expect(refused?.message).not.toContain('secret');
    }
    const looking = await there.openFile({ readOnly: true });
    expect(await looking.batches()).toHaveLength(2);
    expect((await looking.verify()).problems).toEqual([]);
    await expect(looking.pause((await looking.batches())[0]?.id as never, {} as never)).rejects.toThrow(
      'reading only',
    );
    await looking.close();
    const version = await reading(there.path, (sql) => sql.get(q`PRAGMA user_version`));
    expect(Number(version?.['user_version'])).toBeGreaterThan(1_000_000);
  });

  it('is known to another user who worked with the file, and to nobody else', async () => {
    expect(await refusal(there.openServer('ben'))).toBeUndefined();
    expect(await refusal(there.openServer('eve'))).toMatchObject({ code: 'ledger_unknown' });
  });

  it('is not moved once more to another place', async () => {
    const other = shownPlace(server.place());
    await expect(there.move(there.path, other)).rejects.toMatchObject({ code: 'ledger_moved' });
  });

  it('goes on there', async () => {
    const ledger = await there.openServer();
    const [june, may] = await ledger.batches();
    expect([may?.name, june?.name].sort()).toEqual(['june', 'may']);
    const id = (await ledger.batchNamed('may'))?.id ?? june?.id;
    if (id === undefined) throw new TypeError('no batch');
    expect(await ledger.counts(id)).toMatchObject({
      in_doubt: 2,
      approved: 1,
      settled: 1,
      canceled: 1,
      held: 1,
    });
    const approved = (await all(ledger, id)).find(({ state }) => state.status === 'approved');
    if (approved === undefined) throw new TypeError('no approved row');
    await moved(ledger, approved, {
      ...{ kind: 'begin_attempt', attempt: 1, bodyDigest: 'd', at: NOW },
      sender: { ...ledger.writer, patienceMs: 1 },
    });
    const lease = await ledger.lease(id, HOLDER);
    expect(lease.kind).toBe('leased');
    await batchOf(ledger, [row(50)], 'july');
    expect((await ledger.verify()).problems).toEqual([]);
    await ledger.close();
  });

  it('is not copied again when the server lost it: the file does not know what was paid since', async () => {
    await exec(there.place, `DROP SCHEMA ${there.place.schema} CASCADE`);
    await expect(there.move()).rejects.toThrow(/not copied again/);
    expect(await refusal(there.openFile())).toMatchObject({ code: 'ledger_moved' });
  });
});

describe('a ledger stays in its file', () => {
  let there: LedgerToMove;
  beforeEach(() => {
    there = ledgerToMove(server.place());
  });
  afterEach(() => there.end());

  it('when it holds a NUL, and goes on there', async () => {
    const ledger = await there.openFile({ create: true });
    const id = await batchOf(ledger, [row(1, { name: 'a\0b' })], 'may');
    await ledger.close();
    await expect(there.move()).rejects.toMatchObject({
      code: 'ledger_unsupported',
      message: expect.stringContaining('holds a NUL'),
    });
    const still = await there.openFile();
    await walkedTo(still, await only(still, id, 2), 'settled');
    await still.close();
  });

  it('while another process has the file open, even one that only reads', async () => {
    await there.fill();
    const reading = await there.openFile({ readOnly: true });
    await reading.batches();
    await expect(there.move()).rejects.toMatchObject({ code: 'ledger_busy' });
    await reading.close();
    const working = await there.openFile();
    const [batch] = await working.batches();
    await working.lease(batch?.id as never, { ...HOLDER, command: 'payfile run' });
    const busy = await there.move().catch((error: unknown) => error);
    expect(busy).toMatchObject({
      message: expect.stringMatching(/open in another process.*At work with it: .*payfile run/),
    });
    await working.close();
    await there.move();
  });

  it('when another ledger has the place, or when it is a copy', async () => {
    await there.fill();
    const options = { binding: LIVE, create: true, knownLedgersPath: there.known('eve') };
    await (await openServerLedger({ ...options, place: there.place })).close();
    await expect(there.move()).rejects.toMatchObject({ code: 'ledger_present' });
    expect(await refusal(there.openFile())).toBeUndefined();
    const copy = join(there.folder, 'copy.db');
    copyFileSync(there.path, copy);
    const other = shownPlace(server.place());
    await expect(there.move(copy, other)).rejects.toMatchObject({ code: 'ledger_unknown' });
    await there.move(there.path, other);
  });

  it('when the copy is not the same', async () => {
    await there.fill();
    const opened = there.payfile();
    const onProgress = (event: { readonly kind: string; readonly step?: { readonly doing: string } }) => {
      if (event.kind !== 'move' || event.step?.doing !== 'verify_copy') return;
      // The copy is compared as soon as this returns.
      const script = `
        import { connectPg } from ${JSON.stringify(new URL('../../src/ledger/pg-connection.ts', import.meta.url).href)};
        const client = await connectPg(${JSON.stringify(there.place)});
        await client.query("UPDATE payouts SET account = account || '1' WHERE id = 2");
        await client.end();`;
      spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    };
    await expect(opened.ledger.move({ to: there.to }, { onProgress })).rejects.toThrow(
      'its table payouts is another',
    );
    await opened.close();
    expect(await refusal(there.openServer())).toMatchObject({ code: 'ledger_moved' });
    expect(await refusal(there.openFile())).toBeUndefined();
    expect((await there.move()).wasLeft).toBe(false);
  });
});
