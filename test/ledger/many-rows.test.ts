/**
 * Many rows on both databases: what a file holds stands there whole or not at all, and long answers come a block at a time, of
 * one moment.
 */
import { expect, it } from 'vitest';
import { q } from '../../src/ledger/sql.ts';
import { startProxy } from '../builders/cutting-proxy.ts';
import { HEADER, importOf, invalidRow, row, sealOf } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, payoutsIn, serverAt } from './new-ledgers.ts';

const ODD = "tab\tline\r\nback\\slash \\N \\. “quoted” ' 😀";
/** More than go into one statement, of all kinds. */
const ROWS = [
  ...Array.from({ length: 45 }, (_, n) => row(n + 1)),
  row(60, { name: ODD, reference: ODD, note: ODD, phone: undefined }),
  invalidRow(61),
  row(62, { reference: undefined, name: undefined }),
];

onBoth((place) => {
  it('keeps each row as it was written, whatever characters it has, also behind an import that was dropped', async () => {
    const opened = await (await place()).open();
    const { ledger } = opened;
    await batchIn(opened, [row(90)], 'june');
    await ledger.dropImport(await importOf(ledger, ROWS));
    const id = await batchIn(opened, ROWS);
    const payouts = await payoutsIn(opened, id);
    expect(payouts.map(({ instruction, state }) => ({ instruction, state }))).toStrictEqual(
      ROWS.map(({ instruction, state }) => ({ instruction, state })),
    );
    const cells = (await Array.fromAsync(ledger.reportRows(id))).flat().map((each) => each.cells);
    expect(cells).toEqual(ROWS.map((each) => each.cells));
    expect((await ledger.verify()).problems).toEqual([]);
  });

  it('gives a long answer a block at a time, of one moment, and forgets it when whoever reads it stops', async () => {
    const opened = await (await place()).open();
    const { read, writer } = opened.parts;
    const batch = await opened.ledger.beginImport(HEADER);
    for (let from = 0; from < 3_000; from += 1_000)
      await opened.ledger.stage(
        batch,
        Array.from({ length: 1_000 }, (_, n) => row(from + n + 1)),
      );
    const all = q`SELECT id FROM payouts ORDER BY id`;
    let [count, blocks] = [0, 0];
    for await (const rows of read.each(all)) {
      if (blocks === 0) await opened.ledger.stage(batch, [row(9_001)]);
      count += rows.length;
      blocks += 1;
    }
    expect(count).toBe(3_000);
    expect(blocks).toBeGreaterThan(1);
    // More often than there are connections that read.
    for (let time = 0; time < 8; time += 1)
      for await (const rows of read.each(all)) {
        expect(rows.length).toBeLessThan(3_000);
        break;
      }
    await writer.write(async ({ sql }) => sql.run(q`UPDATE counters SET last = last WHERE name = 'batches'`));
    expect(await read.get(q`SELECT count(*) AS n FROM payouts`)).toEqual({ n: 3_001n });
  });
});

onBoth(
  (place) => {
    it('leaves nothing of a chunk when the line breaks in the middle of it, and the file can be read again', async () => {
      const at = await place();
      if (at.server === undefined) throw new TypeError('no server');
      const proxy = await startProxy(at.server.port);
      const ends: (() => Promise<unknown>)[] = [];
      const { ledger } = await serverAt({ ...at.server, port: proxy.port }, ends).open();
      const id = await ledger.beginImport(HEADER);
      await proxy.swallowAnswerTo('INSERT INTO payouts');
      await expect(ledger.stage(id, ROWS)).rejects.toMatchObject({ code: 'ledger_unreachable' });
      for (const end of ends.reverse()) await end().catch(() => undefined);
      expect(await proxy.cuts()).toBe(1);
      await proxy.close();
      const opened = await at.open();
      expect(await opened.parts.read.get(q`SELECT count(*) AS n FROM payouts`)).toEqual({ n: 0n });
      const again = await importOf(opened.ledger, ROWS, {}, 'again');
      expect(await opened.ledger.seal(again, await sealOf(opened.ledger, again))).toBe('sealed');
    });
  },
  ['pg'],
);
