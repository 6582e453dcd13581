/**
 * A process that works with a ledger, for tests that kill it. Arguments: the place as JSON (a path, or a server), the batch, what
 * it does. It prints a line for each thing that was promised to it.
 */
import { writeSync } from 'node:fs';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { eventsTo, HOLDER, importOf, moveOf, row, sealOf } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { fileAt, payoutsIn, serverAt } from './new-ledgers.ts';

const [where = '""', batch = '1', what = 'settle'] = process.argv.slice(2);
const place = JSON.parse(where) as string | ServerPlace;
const opened = await (typeof place === 'string' ? fileAt(place, []) : serverAt(place, [])).open();
const { ledger } = opened;
const id = asBatchId(batch);
const payouts = await payoutsIn(opened, id);
const say = (line: string) => writeSync(1, `${line}\n`);
const told = () => new Promise((resolve) => process.stdin.once('data', resolve));

if (what === 'settle')
  await Promise.all(
    payouts.map(async (payout) => {
      let now = payout;
      for (const event of eventsTo('settled', payout, ledger).slice(payout.version)) {
        const recorded = await ledger.record(moveOf(now, event));
        if (recorded.kind !== 'recorded') throw new TypeError(JSON.stringify(recorded));
        now = recorded.payout;
        say(`${now.id} ${now.version}`);
      }
    }),
  );
if (what === 'race') {
  say('ready');
  await told();
  await Promise.all(
    payouts.map(async (payout) => {
      const [price] = eventsTo('quoted', payout, ledger);
      if (price !== undefined && (await ledger.record(moveOf(payout, price))).kind === 'recorded')
        say(payout.id);
    }),
  );
}
if (what === 'lease') {
  say('ready');
  await told();
  const lease = await ledger.lease(id, { ...HOLDER, pid: process.pid });
  say(lease.kind);
  setInterval(() => undefined, 1_000);
  await new Promise(() => undefined);
}
if (what === 'revise') {
  const rows = Array.from({ length: 3_000 }, (_, n) => row(n + 500));
  const importId = await importOf(ledger, rows);
  const seal = await sealOf(ledger, importId);
  say(importId);
  await ledger.revise(id, importId, { by: 'ama', at: NOW, seal });
}
if (what === 'erase') {
  say('ready');
  await ledger.erase({ before: timestampOf(NOW + 1), by: 'ada' });
}
say('all');
await opened.db.close();
process.exit();
