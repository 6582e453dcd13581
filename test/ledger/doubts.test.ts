/** Which batches somebody has to be told of: rows in doubt, and rows that a dead process left on the wire. */
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { batchOf, HOLDER, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';

onBoth((place) => {
  it('tells of rows in doubt in any batch, and of rows on the wire once nobody living has their batch', async () => {
    const { ledger } = await (await place()).open();
    await batchOf(ledger, [row(1)]);
    const doubtful = await batchOf(ledger, [row(2), row(3), row(4)], 'may');
    for (const rowNumber of [4, 5])
      await walkedTo(ledger, await only(ledger, doubtful, rowNumber), 'in_doubt');
    const atWork = await batchOf(ledger, [row(5)], 'june');
    await walkedTo(ledger, await only(ledger, atWork, 6), 'sending');
    const lease = await ledger.lease(atWork, { ...HOLDER, host: hostname() });
    const inDoubt = { batchId: doubtful, name: 'may', inDoubt: 2, leftInFlight: 0, firstRow: 4 };
    expect(await ledger.openDoubts()).toEqual([inDoubt]);

    if (lease.kind !== 'leased') throw new Error('the batch is taken');
    await lease.release();
    const left = { batchId: atWork, name: 'june', inDoubt: 0, leftInFlight: 1, firstRow: undefined };
    expect(await ledger.openDoubts()).toEqual([left, inDoubt]);
  });
});
