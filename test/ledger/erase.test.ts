/** What was erased is in no byte of the ledger any more, and what is left is proven as before. */
import { existsSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { q, text } from '../../src/ledger/sql.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { importOf, invalidRow, row, sealOf, walkedTo } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, type Place, payoutAt, payoutsIn } from './new-ledgers.ts';

const AFTER = timestampOf(NOW + 1);
const TABLES = ['payouts', 'journal', 'batches', 'routes', 'commits', 'ledger', 'name_releases'];
/** Of the rows that ended: name, phone, note, account, reference and cells. Three letters would stand in a hash by chance. */
const WORDS = [
  'Zawadi',
  '+254700',
  'Zawadi rent',
  '0244000002',
  'REF-2021-0002',
  'row 2',
  'written otherwise',
  'Nia',
  '0244000004',
];
/** Of the row in doubt. */
const KEPT = ['Baraka', '0244000005', 'R-5'];

/** Settled after it was rewritten, invalid, failed and replaced, in doubt, and one that waits. */
async function built(opened: Opened) {
  const zawadi = {
    name: 'Zawadi Otieno',
    phone: '+254700111222',
    note: 'Zawadi rent',
    reference: 'REF-2021-0002',
  };
  const rows = [
    row(1),
    row(2, zawadi),
    invalidRow(3),
    row(4, { name: 'Nia Boateng' }),
    row(5, { name: 'Baraka' }),
  ];
  const id = await batchIn(opened, rows);
  const { ledger } = opened;
  const importId = await importOf(ledger, [
    row(1),
    { ...row(2, zawadi), cells: ['REF-2021-0002', 'written otherwise'] },
    ...rows.slice(2),
  ]);
  await ledger.revise(id, importId, { by: 'ama', at: NOW, seal: await sealOf(ledger, importId) });
  const [, second, , fourth, fifth] = await payoutsIn(opened, id);
  if (second === undefined || fourth === undefined || fifth === undefined) throw new TypeError('no rows');
  await walkedTo(ledger, second, 'settled');
  const failed = await walkedTo(ledger, fourth, 'refused');
  await walkedTo(ledger, fifth, 'in_doubt');
  await ledger.note(id, 'terms_moved', { currency: 'GHS', what: 'holder', was: 'Zawadi', now: 'Nia' }, NOW);
  return { id, settled: second.id, failed: failed.id, doubt: fifth.id };
}

/** All that a thief of the disk would read: the file with its log, or all rows of a server. */
async function bytesOf({ path, server }: Place): Promise<string> {
  if (server === undefined)
    return [path, `${path}-wal`]
      .map((each) => (existsSync(each) ? readFileSync(each, 'latin1') : ''))
      .join('\n');
  const client = await connectPg(server);
  const texts: string[] = [];
  for (const table of TABLES)
    texts.push(
      inspect((await client.query(`SELECT * FROM ${table}`)).rows, {
        maxArrayLength: null,
        maxStringLength: null,
      }),
    );
  await client.end();
  return texts.join('\n');
}

const wordsIn = async (at: Place, words: readonly string[]) => {
  const bytes = await bytesOf(at);
  return words.filter((word) => bytes.includes(word));
};
const erase = ({ ledger }: Opened, before: Timestamp = AFTER) => ledger.erase({ before, by: 'ada' });
const problems = async ({ parts }: Opened) => (await verifyLedger(parts)).problems;

onBoth((place, dialect) => {
  it('erases rows that ended, keeps those in doubt, and proves the rest', async () => {
    const at = await place();
    const opened = await at.open();
    const { id, settled, doubt } = await built(opened);
    expect(await wordsIn(at, WORDS)).toEqual(WORDS);
    expect(await opened.ledger.erasable(AFTER)).toEqual({ rows: 8, kept: 2 });
    // The three that ended, and the five of the file that the newer one took the place of.
    expect((await erase(opened)).rows).toBe(8);
    expect(
      await wordsIn(at, [
        ...WORDS.filter((word) => word !== 'Zawadi' && word !== 'Nia'),
        'Otieno',
        'Boateng',
      ]),
    ).toEqual([]);
    expect(await wordsIn(at, KEPT)).toEqual(KEPT);
    expect(await problems(opened)).toEqual([]);
    const payout = await payoutAt(opened, settled);
    expect(payout?.state.status).toBe('settled');
    expect(payout?.instruction).toMatchObject({
      amount: { minor: 120_000n },
      name: undefined,
      reference: undefined,
    });
    expect((await payoutAt(opened, doubt))?.instruction?.name).toBe('Baraka');
    expect((await payoutsIn(opened, id)).length).toBe(5);
    const said = await opened.parts.read.all(q`SELECT body FROM journal WHERE kind = 'persons_erased'`);
    expect(JSON.parse(String(said[0]?.['body']))).toMatchObject({
      by: 'ada',
      rows: [2, 3, 4, 6, 7, 8, 9, 10],
      before: new Date(AFTER).toISOString(),
    });
  });

  it('erases notes of a batch once no row of it names a person', async () => {
    const at = await place();
    const opened = await at.open();
    const id = await batchIn(opened, [row(1, { name: 'Zawadi Otieno' })]);
    const [only] = await payoutsIn(opened, id);
    if (only === undefined) throw new TypeError('no row');
    await opened.ledger.note(
      id,
      'terms_moved',
      { currency: 'GHS', what: 'holder', was: 'Zawadi', now: 'Nia' },
      NOW,
    );
    await erase(opened);
    expect(await wordsIn(at, ['Zawadi', 'Nia'])).toEqual(['Zawadi', 'Nia']);
    await walkedTo(opened.ledger, only, 'settled');
    await erase(opened);
    expect(await wordsIn(at, ['Zawadi', 'Nia'])).toEqual([]);
    expect(await problems(opened)).toEqual([]);
  });

  it('goes on where it was broken off, and does nothing twice', async () => {
    const at = await place();
    const opened = await at.open();
    const id = await batchIn(
      opened,
      Array.from({ length: 230 }, (_, n) => row(n + 1)),
    );
    for (const payout of await payoutsIn(opened, id)) await walkedTo(opened.ledger, payout, 'settled');
    const stop = new AbortController();
    const broken = opened.ledger.erase({ before: AFTER, by: 'ada', signal: stop.signal });
    stop.abort();
    await expect(broken).rejects.toThrow();
    expect(await problems(opened)).toEqual([]);
    const left = (await opened.ledger.erasable(AFTER)).rows;
    expect((await erase(opened)).rows).toBe(left);
    expect(await erase(opened)).toEqual({ rows: 0, entries: 0 });
    expect(await problems(opened)).toEqual([]);
    expect(await wordsIn(at, ['0244000', 'Mensah'])).toEqual([]);
  });

  it('keeps rows that ended on that day or later', async () => {
    const opened = await (await place()).open();
    await built(opened);
    expect(await opened.ledger.erasable(NOW)).toEqual({ rows: 0, kept: 0 });
    expect(await erase(opened, NOW)).toEqual({ rows: 0, entries: 0 });
  });

  it('never pays an erased row again', async () => {
    const opened = await (await place()).open();
    const { failed } = await built(opened);
    await erase(opened);
    await expect(opened.ledger.addReplacement(failed, 'ben', NOW)).rejects.toMatchObject({
      code: 'not_replaceable',
    });
  });

  it.each([
    ['account', "UPDATE payouts SET account = '0244999999' WHERE seal IS NOT NULL"],
    ['name', "UPDATE payouts SET name = 'Eve' WHERE seal IS NOT NULL"],
    ['amount', 'UPDATE payouts SET minor = minor + 1 WHERE seal IS NOT NULL'],
    ['seal', "UPDATE payouts SET seal = 'x' WHERE seal IS NOT NULL"],
    ['cells', `UPDATE payouts SET cells = '["Eve"]' WHERE seal IS NOT NULL AND cells = '[]'`],
    ['entry', `UPDATE journal SET personal = '["Eve"]' WHERE seal IS NOT NULL`],
    ['seal of an entry', "UPDATE journal SET seal = 'x' WHERE seal IS NOT NULL"],
  ])('finds what was put in the place of an erased %s', async (_what, words) => {
    const at = await place();
    const opened = await at.open();
    await built(opened);
    await erase(opened);
    expect(await problems(opened)).toEqual([]);
    await at.exec(words);
    expect((await problems(opened)).length).toBeGreaterThan(0);
  });

  it('erases nothing of a row that is not what its journal says', async () => {
    const at = await place();
    const opened = await at.open();
    await built(opened);
    await at.exec("UPDATE payouts SET attempts = 7 WHERE status = 'settled'");
    await expect(erase(opened)).rejects.toMatchObject({ code: 'ledger_damaged' });
    expect(
      await opened.parts.read.all(q`SELECT 1 AS it FROM ${text('journal')} WHERE kind = 'persons_erased'`),
    ).toEqual([]);
  });

  it.runIf(dialect === 'sqlite')('says that a reader keeps the log, and the next call ends it', async () => {
    const at = await place();
    const [opened, other] = [await at.open(), await at.open()];
    await built(opened);
    await other.ledger.atOneMoment(async () => {
      await expect(erase(opened)).rejects.toMatchObject({ code: 'ledger_busy' });
    });
    await erase(opened);
    expect(await wordsIn(at, ['Otieno', '0244000002'])).toEqual([]);
  });
});
