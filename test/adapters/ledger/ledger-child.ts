/**
 * A process that works with a ledger, for tests that kill it. Arguments: what, ledger path, batch or payout id.
 * Prints one line per thing that was promised to it.
 */
import { writeSync } from 'node:fs';
import { asBatchId, asPayoutId } from '../../../src/domain/payouts/instruction.ts';
import {
  again,
  all,
  batchOf,
  eventsTo,
  HOLDER,
  importOf,
  moveOf,
  row,
  sealOf,
} from '../../builders/ledger-batches.ts';
import { NOW } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';

const [what, path = '', batch = '1', known] = process.argv.slice(2);
const say = (line: string) => writeSync(1, `${line}\n`);
const ledger = await openAt(path, known === undefined ? {} : { knownLedgersPath: known });
const id = asBatchId(batch);

if (what === 'record') {
  const walk = async (first: number) => {
    for (const payout of (await all(ledger, id)).filter((_, index) => index % 8 === first)) {
      let now = payout;
      for (const event of eventsTo('settled', payout, ledger).slice(payout.version)) {
        const recorded = await ledger.record(moveOf(now, event));
        if (recorded.kind !== 'recorded') throw new TypeError(JSON.stringify(recorded));
        now = recorded.payout;
        say(`${now.id} ${now.version}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, first) => walk(first)));
}
if (what === 'race') {
  const payouts = await all(ledger, id);
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.unref();
  const walk = payouts.map(async (payout) => {
    const [price] = eventsTo('quoted', payout, ledger);
    if (price !== undefined && (await ledger.record(moveOf(payout, price))).kind === 'recorded')
      say(payout.id);
  });
  await Promise.all(walk);
}
if (what === 'revise') {
  const importId = await importOf(
    ledger,
    Array.from({ length: 3_000 }, (_, n) => row(n + 500)),
  );
  const seal = await sealOf(ledger, importId);
  say(importId);
  await ledger.revise(id, importId, { by: 'ama', at: NOW, seal });
}
if (what === 'lease') {
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const lease = await ledger.lease(id, { ...HOLDER, pid: process.pid });
  say(lease.kind);
  setInterval(() => undefined, 1_000);
  await new Promise(() => undefined);
}
if (what === 'emergency') {
  const payout = await again(ledger, asPayoutId(batch));
  const accept = eventsTo('accepted', payout, ledger).at(-1);
  if (accept !== undefined) ledger.emergency(payout.id, payout.attempts, accept);
}
if (what === 'quiet') await batchOf(ledger, [row(1)]);
await ledger.close();
