/** A ledger that another process keeps: whoever waits gives up in the end, and is told who is at work. */
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { batchOf, HOLDER, row } from '../builders/ledger-batches.ts';
import { onBoth } from './both-databases.ts';
import { heldBy } from './held-ledger.ts';

onBoth((place) => {
  it('[L20] gives up after some seconds, naming who is at work with the ledger, and goes on afterwards', async () => {
    const at = await place();
    const { ledger } = await at.open();
    const here = { ...HOLDER, host: hostname() };
    const id = await batchOf(ledger, [row(1)]);
    await ledger.lease(id, here);
    const giveBack = await heldBy(at);
    const refusal = await ledger.resume(id, 'ama', timestampOf(1)).catch((error: unknown) => error);
    await giveBack();
    expect(refusal).toMatchObject({ code: 'ledger_busy' });
    expect(String(refusal)).toContain(`process ${here.pid} of ama on ${here.host} (payfile run)`);
    await ledger.resume(id, 'ama', timestampOf(1));
    expect(await ledger.batch(id)).toMatchObject({ resumedAt: 1 });
  });
});
