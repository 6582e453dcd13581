/**
 * A process that moves payouts until it is killed. Arguments: the place as JSON (a path, or a server), the batch. Prints a line
 * for each move that was answered.
 */
import { writeSync } from 'node:fs';
import { asBatchId } from '../../src/domain/payouts/instruction.ts';
import type { ServerPlace } from '../../src/ledger/pg-connection.ts';
import { eventsTo, moveOf } from '../builders/ledger-batches.ts';
import { fileAt, payoutsIn, serverAt } from './new-ledgers.ts';

const [where = '""', batch = '1'] = process.argv.slice(2);
const place = JSON.parse(where) as string | ServerPlace;
const opened = await (typeof place === 'string' ? fileAt(place, []) : serverAt(place, [])).open();
const payouts = await payoutsIn(opened, asBatchId(batch));
await Promise.all(
  payouts.map(async (payout) => {
    let now = payout;
    for (const event of eventsTo('settled', payout, opened.ledger).slice(payout.version)) {
      const recorded = await opened.ledger.record(moveOf(now, event));
      if (recorded.kind !== 'recorded') throw new TypeError(JSON.stringify(recorded));
      now = recorded.payout;
      writeSync(1, `${now.id} ${now.version}\n`);
    }
  }),
);
writeSync(1, 'all\n');
await opened.db.close();
