/** The chain proves the journal and the rows, of one process and of several side by side, also after what is personal was erased. */
import { expect, it } from 'vitest';
import { headOf, lineText, rowsHashOf, sealOf } from '../../src/ledger/chain.ts';
import { CONTENT, CURRENCY, rowSeal, rowText } from '../../src/ledger/rows.ts';
import { numberOf, q, type Row, type Sql } from '../../src/ledger/sql.ts';
import { row, walkedTo } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, payoutsIn, settledSideBySide } from './new-ledgers.ts';

const textOf = (value: unknown) => (value === null ? null : String(value));

function sealIn({ personal, salt, seal }: Row): string | null {
  if (seal !== null) return String(seal);
  return personal === null ? null : sealOf(String(salt), String(personal));
}

/** The commits whose heads do not follow from what is stored. */
async function wrongCommits(sql: Sql): Promise<readonly number[]> {
  const heads = new Map<number, Map<number, string>>();
  const wrong: number[] = [];
  for (const commit of await sql.all(q`SELECT * FROM commits ORDER BY seq`)) {
    const [seq, batch, shard] = [numberOf(commit['seq']), numberOf(commit['batch']), Number(commit['shard'])];
    const [first, last, events] = [Number(commit['first']), Number(commit['last']), Number(commit['events'])];
    const entries = await sql.all(
      q`SELECT * FROM journal WHERE seq BETWEEN ${first} AND ${last} AND batch = ${batch} ORDER BY seq`,
    );
    const lines = entries.map((entry) =>
      lineText({
        seq: numberOf(entry['seq']),
        payout: entry['payout'] === null ? null : numberOf(entry['payout']),
        at: numberOf(entry['at']),
        kind: String(entry['kind']),
        body: String(entry['body']),
        seal: sealIn(entry),
      }),
    );
    const seals = await rowSeals(sql, entries);
    const rowsHash = rowsHashOf(seals);
    const own = heads.get(batch) ?? new Map<number, string>();
    heads.set(batch, own);
    const before =
      shard === 0
        ? [...own].sort(([one], [other]) => one - other).map(([, head]) => head)
        : [own.get(shard) ?? own.get(0) ?? []].flat();
    const head = headOf(before, { seq, batch, first, last, events, rowsHash }, lines.join(''));
    if (head !== commit['head'] || entries.length !== events || rowsHash !== textOf(commit['rows_hash']))
      wrong.push(seq);
    if (shard === 0) own.clear();
    own.set(shard, String(commit['head']));
  }
  return wrong;
}

async function rowSeals(sql: Sql, entries: readonly Row[]): Promise<string[]> {
  const seals: string[] = [];
  for (const { payout, kind } of entries) {
    if (kind !== 'imported') continue;
    const found = await sql.get(q`SELECT ${CONTENT}, ${CURRENCY}, salt, seal
      FROM payouts WHERE id = ${payout ?? null}`);
    if (found === undefined) throw new TypeError('no row');
    seals.push(rowText(found, String(found['seal'] ?? rowSeal(String(found['salt']), found))));
  }
  return seals;
}

async function settledBatch(opened: Opened, rows: number) {
  const id = await batchIn(
    opened,
    Array.from({ length: rows }, (_, n) => row(n + 1)),
  );
  for (const payout of await payoutsIn(opened, id)) await walkedTo(opened.ledger, payout, 'settled');
  return id;
}

onBoth((place, dialect) => {
  it('extends one head with each commit, and shows every change of an entry or a row', async () => {
    const at = await place();
    const opened = await at.open();
    await settledBatch(opened, 3);
    const { read } = opened.parts;
    expect(await wrongCommits(read)).toEqual([]);
    await at.exec("UPDATE journal SET at = at + 1 WHERE kind = 'settle'");
    expect((await wrongCommits(read)).length).toBe(3);
    await at.exec("UPDATE journal SET at = at - 1 WHERE kind = 'settle'");
    await at.exec("UPDATE payouts SET account = '1' WHERE row_number = 3");
    expect((await wrongCommits(read)).length).toBe(1);
  });

  it('still proves everything when what is personal was erased', async () => {
    const at = await place();
    const opened = await at.open();
    const id = await settledBatch(opened, 2);
    const { read } = opened.parts;
    const personal = await read.all(q`SELECT seq, personal, salt FROM journal WHERE personal IS NOT NULL`);
    expect(personal.length).toBeGreaterThan(0);
    for (const { seq, personal: words, salt } of personal)
      await at.exec(`UPDATE journal SET personal = NULL, salt = NULL,
        seal = '${sealOf(String(salt), String(words))}' WHERE seq = ${seq}`);
    for (const found of await read.all(q`SELECT ${CONTENT}, salt FROM payouts`))
      await at.exec(`UPDATE payouts SET account = '', name = NULL, cells = '[]', salt = NULL,
        seal = '${rowSeal(String(found['salt']), found)}' WHERE id = ${found['id']}`);
    expect(await wrongCommits(read)).toEqual([]);
    const [first] = await payoutsIn(opened, id);
    const story = await opened.ledger.journalOf(first?.id ?? ('1' as never));
    expect(story[1]).toMatchObject({
      kind: 'price',
      body: { pricing: { wireName: '', countryName: 'Ghana' } },
    });
    expect(JSON.stringify(story)).not.toContain('Mensah');
  });

  it('joins the chains of processes that wrote side by side', async () => {
    const { read } = (await settledSideBySide(await place(), 30)).parts;
    const shards = await read.all(q`SELECT DISTINCT shard FROM commits`);
    expect(shards.length).toBe(dialect === 'pg' ? 4 : 1);
    expect(await wrongCommits(read)).toEqual([]);
  });
});
