/**
 * The one writer: parts of many callers share commits, none sees another's half, and what fails undoes itself alone. A commit
 * whose answer is lost ends all writing.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Database, q, StorageError } from '../../src/ledger/sql.ts';
import { eventsTo, moveOf, row } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, payoutsIn } from './new-ledgers.ts';

const IS_SOAK = process.env['SOAK'] === '1';
const FAILS = new Error('a part that fails half-way');

/** Reads a number, lets others go on, writes the next one: an update of two at once would be lost. */
function counting({ parts }: Opened, at: number): Promise<number> {
  return parts.writer.write(async ({ sql, add }) => {
    const last = Number((await sql.get(q`SELECT last FROM counters WHERE name = 'routes'`))?.['last']);
    await sql.run(q`UPDATE counters SET last = ${last + 1} WHERE name = 'routes'`);
    await Promise.resolve();
    // Both counters are one at the end of each part, so whoever reads them otherwise has read a half.
    await sql.run(q`UPDATE counters SET last = ${last + 1} WHERE name = 'batches'`);
    if (at % 3 === 0) throw FAILS;
    add({ batch: 1, payout: null, at: NOW, kind: 'counted', body: `{"v":1,"at":${at}}` });
    return last + 1;
  });
}

onBoth((place, dialect) => {
  it('is seen by every question at once, also while another one has rows left to give, and after somebody left it', async () => {
    const { parts } = await (await place()).open();
    const { read, writer } = parts;
    const last = async () => (await read.get(q`SELECT last FROM counters WHERE name = 'routes'`))?.['last'];
    const set = (to: number) =>
      writer.write(({ sql }) => sql.run(q`UPDATE counters SET last = ${to} WHERE name = 'routes'`));
    const many = q`WITH RECURSIVE n(one) AS (SELECT 1 UNION ALL SELECT one + 1 FROM n WHERE one < 5000)
      SELECT n.one, c.last FROM n, counters c WHERE c.name = 'routes'`;
    await set(1);
    for await (const rows of read.each(many)) {
      await set(2);
      expect([rows[0]?.['last'], await last()]).toEqual([1n, 2n]);
      break;
    }
    await set(3);
    expect(await last()).toBe(3n);
  });

  it('keeps thousands of interleaved parts apart, a third of which fail half-way', async () => {
    const PARTS = IS_SOAK ? 12_000 : dialect === 'pg' ? 600 : 6_000;
    const opened = await (await place()).open();
    const { read } = opened.parts;
    let torn = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        const rows = await read.all(q`SELECT last FROM counters WHERE name IN ('routes', 'batches')`);
        if (rows[0]?.['last'] !== rows[1]?.['last']) torn += 1;
        await turn();
      }
    })();
    const [done, failed]: [number[], unknown[]] = [[], []];
    const answers: Promise<unknown>[] = [];
    for (let at = 0; at < PARTS; at += 1) {
      const answer = counting(opened, at);
      answers.push(
        answer.then(
          (value) => done.push(value),
          (error: unknown) => failed.push(error),
        ),
      );
      if (at % 100 === 0) await turn();
    }
    await Promise.all(answers);
    isOver = true;
    await watching;
    expect(failed).toHaveLength(PARTS / 3);
    expect(new Set(failed)).toEqual(new Set([FAILS]));
    expect(new Set(done).size).toBe((PARTS / 3) * 2);
    expect(Math.max(...done)).toBe((PARTS / 3) * 2);
    expect(torn).toBe(0);
    const written = await read.all(q`SELECT seq, body FROM journal ORDER BY seq`);
    expect(written).toHaveLength((PARTS / 3) * 2);
    expect(written.some(({ body }) => JSON.parse(String(body)).at % 3 === 0)).toBe(false);
    // Far fewer commits than parts.
    expect(opened.heads.length).toBeLessThan(PARTS / 5);
  });

  it('writes nothing more once the answer to a commit was lost', async () => {
    const at = await place();
    let losesNext = false;
    const losing = (db: Database): Database => ({
      ...db,
      get shard() {
        return db.shard;
      },
      async commit() {
        await db.commit();
        if (!losesNext) return;
        throw new StorageError('ledger_unreachable', 'no answer', { isFinal: true, isUnknown: true });
      },
    });
    const opened = await at.open({ db: losing });
    const id = await batchIn(opened, [row(1), row(2)]);
    const [one, two] = await payoutsIn(opened, id);
    if (one === undefined || two === undefined) throw new TypeError('no rows');
    const price = (payout: typeof one) =>
      moveOf(payout, eventsTo('quoted', payout, opened.ledger)[0] as never);
    losesNext = true;
    const lost = opened.ledger.record(price(one));
    await expect(lost).rejects.toMatchObject({ code: 'ledger_unreachable' });
    losesNext = false;
    await expect(opened.ledger.record(price(two))).rejects.toMatchObject({ code: 'ledger_unreachable' });
    expect(opened.parts.writer.isOver).toBe(true);
    // Opened anew, the ledger says what became of it.
    const again = await at.open();
    expect((await payoutsIn(again, id)).map(({ state }) => state.status)).toEqual(['quoted', 'planned']);
  });

  it('tells a commit that the storage refused to all who were in it, and goes on', async () => {
    const at = await place();
    let refuses = 1;
    const opened = await at.open({
      db: (db) => ({
        ...db,
        get shard() {
          return db.shard;
        },
        commit: async () => {
          refuses -= 1;
          if (refuses < 0) return db.commit();
          throw new StorageError('ledger_unwritable', 'the disk is full');
        },
      }),
    });
    const first = await Promise.allSettled([counting(opened, 1), counting(opened, 2)]);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await counting(opened, 4)).toBe(1);
    expect((await opened.parts.read.all(q`SELECT seq FROM journal`)).length).toBe(1);
  });

  it('lets several processes write side by side, and none loses what another wrote', async () => {
    const at = await place();
    const processes = [await at.open(), await at.open(), await at.open()];
    const counted = await Promise.all(
      processes.flatMap((opened) => Array.from({ length: 60 }, (_, n) => counting(opened, 3 * n + 1))),
    );
    expect(new Set(counted).size).toBe(180);
  });
});
