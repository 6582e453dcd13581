/** Whatever is changed behind the ledger's back is found: in a row, in the journal, in a head. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import {
  all,
  batchOf,
  importOf,
  invalidRow,
  only,
  row,
  sealOf,
  walkedTo,
} from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';

let folder: string;
let path: string;

/** A small ledger in which something of everything happened. */
async function build(): Promise<void> {
  const ledger = await openAt(path);
  const twin = { reference: undefined, account: '0244000009', note: undefined };
  const id = await batchOf(ledger, [row(1), row(2), invalidRow(3), row(4, twin), row(5)], 'may');
  await walkedTo(ledger, await only(ledger, id, 2), 'settled');
  const failed = await walkedTo(ledger, await only(ledger, id, 3), 'failed');
  await ledger.schedule(failed.id, NOW, { at: NOW, times: 3 });
  await ledger.addReplacement(failed.id, 'ben', NOW);
  await walkedTo(ledger, await only(ledger, id, 5), 'in_doubt');
  const moved = { ...row(1), cells: ['R-1', 'written otherwise'] };
  const importId = await importOf(ledger, [moved, row(2), row(4, twin), row(6)]);
  await ledger.revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger, importId) });
  await ledger.dropImport(await importOf(ledger, [row(8)]));
  await ledger.note(id, 'four_eyes', { by: 'ama' }, NOW);
  await ledger.rememberNameRelease({
    institutionId: 'i' as never,
    account: '1',
    writtenName: 'A',
    resolvedName: 'B',
    by: 'ben',
    at: NOW,
    reason: 'asked her',
  });
  await ledger.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-verify-'));
  path = join(folder, 'ledger.db');
  await build();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Empty when the ledger is sound; a refusal to open or to read counts as found. */
async function problems(): Promise<readonly string[]> {
  try {
    const ledger = await openAt(path, { readOnly: true });
    try {
      return (await ledger.verify()).problems;
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (error instanceof LedgerError) return [error.message];
    throw error;
  }
}

function flipped(value: unknown): unknown {
  if (typeof value === 'bigint') return value ^ 1n;
  if (typeof value === 'string')
    return value === ''
      ? 'x'
      : value.slice(0, -1) + String.fromCharCode(value.charCodeAt(value.length - 1) ^ 1);
  if (value instanceof Uint8Array) return value.map((byte, index) => (index === 3 ? byte ^ 8 : byte));
  return 1n;
}

describe('verify', () => {
  it('finds nothing wrong where nothing is', async () => {
    expect(await problems()).toEqual([]);
    const ledger = await openAt(path);
    const result = await ledger.verify();
    expect(result.entries).toBeGreaterThan(20);
    expect(result.head).toMatch(/^[0-9a-f]{64}$/);
    const [batch] = await ledger.batches();
    if (batch === undefined) throw new TypeError('There is a batch');
    // Two imports were merged or dropped: they are no batches.
    expect(result.batches).toBe(1);
    expect(await ledger.verify(batch.id)).toMatchObject({ batches: 1, problems: [] });
    await ledger.close();
  });

  it('finds sums that are not what the rows come to', async () => {
    for (const change of ['count = count + 1', 'low = low - 1', 'high = high + 1', "status = 'returned'"]) {
      const whole = readFileSync(path);
      const raw = new DatabaseSync(path);
      raw.exec(`UPDATE sums SET ${change} WHERE batch = 1 AND status = 'settled'`);
      raw.close();
      expect((await problems()).join(), change).toContain('the sums kept of its rows');
      writeFileSync(path, whole);
    }
  });

  it('finds any change of any column of any row', async () => {
    const missed: string[] = [];
    let tried = 0;
    const columns = new Set<string>();
    const whole = readFileSync(path);
    for (const table of ['payouts', 'journal', 'commits', 'batches', 'routes', 'ledger']) {
      const raw = new DatabaseSync(path, { readBigInts: true });
      const rows = raw.prepare(`SELECT rowid AS rid, * FROM ${table}`).all();
      raw.close();
      for (const found of rows) {
        for (const [column, value] of Object.entries(found)) {
          if (column === 'rid' || `${table}.${column}` === 'ledger.created_at') continue;
          tried += 1;
          // Every day each column in one row, and every tenth of the others; all of them with SOAK=1.
          const isFirst = !columns.has(`${table}.${column}`);
          columns.add(`${table}.${column}`);
          if (!isFirst && tried % 10 !== 0 && process.env['SOAK'] !== '1') continue;
          const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
          // What is changed here has to survive no loss of power.
          db.exec('PRAGMA synchronous = OFF');
          db.exec('DROP TRIGGER IF EXISTS journal_as_written; DROP TRIGGER IF EXISTS commits_as_written');
          try {
            db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(
              flipped(value) as never,
              found.rid as never,
            );
          } catch {
            // The database itself refuses this change (unique, not null): nobody can make it unnoticed.
            db.close();
            writeFileSync(path, whole);
            continue;
          }
          db.close();
          if ((await problems()).length === 0) missed.push(`${table}.${column} of ${String(found.rid)}`);
          writeFileSync(path, whole);
        }
      }
    }
    expect(missed.join('\n')).toBe('');
    expect(tried).toBeGreaterThan(400);
  }, 120_000);

  it.each([
    ['the last entry of the journal', 'DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)'],
    ['a payout', 'DELETE FROM payouts WHERE id = 1'],
    ['a commit', 'DELETE FROM commits WHERE seq = 3'],
    ['a whole chain', 'DELETE FROM journal WHERE batch = 1; DELETE FROM commits WHERE batch = 1'],
  ])('finds that %s was removed', async (_what, sql) => {
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    db.exec(`DROP TRIGGER journal_stays; DROP TRIGGER commits_stay; ${sql}`);
    db.close();
    expect((await problems()).length).toBeGreaterThan(0);
  });

  it('[L23] finds or survives any flipped bit in the file: no payout is ever read differently', async () => {
    const whole = readFileSync(path);
    const read = async () => {
      const ledger = await openAt(path, { readOnly: true });
      try {
        const [batch] = await ledger.batches();
        return batch === undefined ? [] : await all(ledger, batch.id);
      } finally {
        await ledger.close();
      }
    };
    const before = JSON.stringify(await read(), show);
    let found = 0;
    for (let at = 3; at < whole.length; at += 1_997) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      if ((await problems()).length > 0) found += 1;
      else expect(JSON.stringify(await read(), show)).toBe(before);
    }
    expect(found).toBeGreaterThan(5);
  }, 60_000);
});

const show = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('the journal', () => {
  it.each([
    'UPDATE journal SET kind = 1',
    'DELETE FROM journal',
    'UPDATE commits SET head = 1',
    'DELETE FROM commits',
  ])('refuses “%s” from any program', (sql) => {
    const db = new DatabaseSync(path);
    expect(() => db.exec(sql)).toThrow('append-only');
    db.close();
  });
});
