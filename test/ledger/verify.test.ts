/** Whatever is changed behind the ledger's back is found: in a row, in the journal, in a head. */
import { expect, it } from 'vitest';
import { ledgerHead } from '../../src/ledger/chain.ts';
import { proveBeside } from '../../src/ledger/prove-beside.ts';
import { type Dialect, q, type Row } from '../../src/ledger/sql.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { importOf, invalidRow, row, sealOf as sealOfImport, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, payoutsIn, settledSideBySide } from './new-ledgers.ts';

const IS_SOAK = process.env['SOAK'] === '1';

/** A small ledger in which something of everything happened. */
async function built(opened: Opened) {
  const twin = { reference: undefined, account: '0244000009', note: undefined };
  const id = await batchIn(opened, [row(1), row(2), invalidRow(3), row(4, twin), row(5)]);
  const [, second, , fourth, fifth] = await payoutsIn(opened, id);
  if (second === undefined || fourth === undefined || fifth === undefined) throw new TypeError('no rows');
  const { ledger } = opened;
  await walkedTo(ledger, second, 'settled');
  const failed = await walkedTo(ledger, fourth, 'failed');
  await ledger.schedule(failed.id, NOW, { at: NOW, times: 3 });
  await ledger.addReplacement(failed.id, 'ben', NOW);
  await walkedTo(ledger, fifth, 'in_doubt');
  const rewritten = { ...row(2), cells: ['R-2', 'written otherwise'] };
  const importId = await importOf(ledger, [rewritten, row(4, twin), row(5), row(6)]);
  await ledger.revise(id, importId, { by: 'ama', at: NOW, seal: await sealOfImport(ledger, importId) });
  await ledger.dropImport(await importOf(ledger, [row(8)]));
  await ledger.note(id, 'four_eyes', { by: 'ama' }, NOW);
  const names = { institutionId: 'i' as never, account: '1', writtenName: 'A', resolvedName: 'B' };
  await ledger.rememberNameRelease({ ...names, by: 'ben', at: NOW, reason: 'asked her' });
  return id;
}

async function problems({ parts }: Opened): Promise<readonly string[]> {
  try {
    return (await verifyLedger(parts)).problems;
  } catch (error) {
    if (error instanceof LedgerError) return [error.message];
    throw error;
  }
}

/** As an SQL word of either database, other than the value. */
function flipped(value: unknown, column: string, dialect: Dialect): string {
  if (typeof value === 'bigint') return String(value ^ 1n);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.map((byte, at) => (at === 3 ? byte ^ 8 : byte))).toString('hex');
    return dialect === 'pg' ? `'\\x${hex}'` : `x'${hex}'`;
  }
  if (typeof value !== 'string') return WORDS.has(column) ? "'x'" : '1';
  const last = String.fromCharCode(value.charCodeAt(value.length - 1) ^ 1);
  return value === '' ? "'x'" : `'${(value.slice(0, -1) + last).replaceAll("'", "''")}'`;
}

/** Columns of texts that may be empty. */
const WORDS = new Set(
  [
    'account',
    'reference',
    'name',
    'phone',
    'note',
    'replaces',
    'salt',
    'seal',
    'tag',
    'transfer_id',
    'look',
  ].concat(['other_id', 'personal', 'rows_hash', 'digest']),
);
/** Of an only chain its number says nothing: what a commit builds on shows in its head. */
const NOT_SEEN = new Set(['ledger.created_at', 'commits.shard']);
const KEYS = { payouts: 'id', journal: 'seq', commits: 'seq', batches: 'id', routes: 'id', ledger: 'one' };

onBoth((place, dialect) => {
  it('finds nothing wrong where nothing is, in the ledger and in a batch of it', async () => {
    const opened = await (await place()).open();
    const id = await built(opened);
    await batchIn(opened, [row(7)], 'june');
    const result = await verifyLedger(opened.parts);
    expect(result).toMatchObject({ problems: [], batches: 2 });
    expect(result.entries).toBeGreaterThan(20);
    expect(result.head).toBe(opened.heads.at(-1)?.hash);
    expect(await verifyLedger(opened.parts, Number(id))).toMatchObject({ batches: 1, problems: [] });
  });

  it('finds nothing wrong in chains of processes that wrote side by side', async () => {
    const { parts } = await settledSideBySide(await place(), 12);
    expect((await verifyLedger(parts)).problems).toEqual([]);
  });

  // The same program verifies both; here a row takes long to change on a server.
  it.runIf(dialect === 'sqlite' || IS_SOAK)(
    'finds any change of any column of any row',
    async () => {
      const at = await place();
      const opened = await at.open();
      await built(opened);
      const missed: string[] = [];
      let tried = 0;
      const seen = new Set<string>();
      for (const [table, key] of Object.entries(KEYS))
        for (const found of await opened.parts.read.all(
          q`SELECT * FROM ${() => ({ text: table, values: [] })}`,
        ))
          for (const [column, value] of Object.entries(found)) {
            if (column === key || NOT_SEEN.has(`${table}.${column}`)) continue;
            // Each column in one row, with a value and without, and every seventh of the others; all of them with SOAK=1.
            tried += 1;
            const name = `${table}.${column} ${value === null}`;
            if (seen.has(name) && tried % 7 !== 0 && !IS_SOAK) continue;
            seen.add(name);
            if (!(await isNoticed(found, { table, key, column }))) missed.push(`${name} of ${found[key]}`);
          }
      expect(missed.join('\n')).toBe('');
      expect(tried).toBeGreaterThan(400);

      /** Changed, looked at, and put back. */
      async function isNoticed(
        found: Row,
        { table, key, column }: Record<'table' | 'key' | 'column', string>,
      ) {
        const where = `WHERE ${key} = ${found[key]}`;
        const copy = `${table}_copy`;
        const set = (value: string) => `UPDATE ${table} SET ${column} = ${value} ${where}`;
        await at.exec(
          `DROP TABLE IF EXISTS ${copy}; CREATE TABLE ${copy} AS SELECT * FROM ${table} ${where}`,
        );
        // What the database itself refuses (unique, not null) nobody can do unnoticed.
        const isDone = await at.exec(set(flipped(found[column], column, dialect))).then(
          () => true,
          () => false,
        );
        const again = table === 'ledger' ? await at.open() : opened;
        const identity = { ...again.parts.identity, ...(table === 'ledger' && (await ownerIn(again))) };
        const isSeen =
          !isDone || (await problems({ ...again, parts: { ...again.parts, identity } })).length > 0;
        await at.exec(`${set(`(SELECT ${column} FROM ${copy})`)}; DROP TABLE ${copy}`);
        return isSeen;
      }
    },
    400_000,
  );

  async function ownerIn({ parts }: Opened) {
    const found = await parts.read.get(q`SELECT * FROM ledger`);
    const { id, environment, base_url: baseUrl, login_id: loginId, salt, time_zone: timeZone } = found ?? {};
    return { id, environment, baseUrl, loginId, salt, timeZone } as object;
  }

  it.each([
    ['the last entry of the journal', 'DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)'],
    ['a payout', 'DELETE FROM payouts WHERE id = 1'],
    [
      'a commit',
      'DELETE FROM commits WHERE seq = (SELECT seq FROM commits ORDER BY seq DESC LIMIT 1 OFFSET 2)',
    ],
    ['a whole chain', 'DELETE FROM journal WHERE batch = 1; DELETE FROM commits WHERE batch = 1'],
    [
      'an entry that nobody wrote',
      "INSERT INTO journal(seq, batch, at, kind, body) VALUES (5, 1, 1, 'note:x', '{}')",
    ],
    ['a name that nobody released', "INSERT INTO name_releases VALUES ('forged', 1)"],
    ['a route that nobody wrote', "INSERT INTO routes VALUES (99, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'XOF')"],
  ])('finds %s', async (_what, words) => {
    const at = await place();
    const opened = await at.open();
    await built(opened);
    await at.exec(words);
    expect((await problems(opened)).length).toBeGreaterThan(0);
  });

  it('finds nothing wrong while others take back what they had begun, and while it sends itself', async () => {
    const at = await place();
    const [writing, reading] = [await at.open(), await at.open()];
    await built(writing);
    const [left, again] = [
      await importOf(writing.ledger, [row(101), row(102)]),
      await importOf(writing.ledger, [row(103)]),
    ];
    const whole = await verifyLedger(reading.parts);
    expect(whole.problems).toEqual([]);
    // Of one moment: what is dropped meanwhile is not seen.
    const [beside] = await Promise.all([verifyLedger(reading.parts), writing.ledger.dropImport(left)]);
    expect(beside.problems).toEqual([]);
    expect((await verifyLedger(reading.parts)).entries).toBe(whole.entries + 1);
    const [own] = await Promise.all([verifyLedger(writing.parts), writing.ledger.dropImport(again)]);
    expect(own.problems).toEqual([]);
  });

  it('says the same where the chain of a file is proven by another thread', async () => {
    const at = await place();
    const opened = await at.open();
    await built(opened);
    const whole = await verifyLedger(opened.parts);
    expect(await verifyLedger(opened.parts, undefined, { besideFrom: 0 })).toEqual(whole);
    if (dialect === 'sqlite') {
      const moment = await ledgerHead(opened.db.read);
      const asked = { path: at.path, moment, logMax: 1_000_000 };
      const { entries, head } = whole;
      expect(await proveBeside(asked).proven).toEqual({ entries, head });
      const later = { ...moment, commits: moment.commits + 1 };
      expect(await proveBeside({ ...asked, moment: later }).proven).toBeUndefined();
    }
    await at.exec("UPDATE journal SET body = replace(body, 'ama', 'eve') WHERE body LIKE '%\"ama\"%'");
    const changed = await verifyLedger(opened.parts, undefined, { besideFrom: 0 });
    expect(changed.problems).toContainEqual(expect.stringContaining('its head does not follow'));
    expect(changed.problems.toSorted()).toEqual((await verifyLedger(opened.parts)).problems.toSorted());
  });

  it('says nothing of a ledger that cannot be read now', async () => {
    const opened = await (await place()).open();
    await built(opened);
    await batchIn(
      opened,
      Array.from({ length: 120 }, (_, n) => row(n + 10)),
      'june',
    );
    const gone = new LedgerError('ledger_unreachable', 'gone');
    const still = <T>(work: Parameters<typeof opened.parts.still<T>>[0]) =>
      opened.parts.still<T>((sql) =>
        work({
          ...sql,
          all: async () => {
            throw gone;
          },
        }),
      );
    await expect(verifyLedger({ ...opened.parts, still })).rejects.toBe(gone);
    if (dialect === 'sqlite') {
      const growing = verifyLedger(opened.parts, undefined, { logMax: -1 });
      await expect(growing).rejects.toMatchObject({ code: 'ledger_busy' });
    }
  });
});
