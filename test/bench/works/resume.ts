/** Ours: from opening the ledger of a staged million-row batch to the first page of rows that are due. Argument: ledger path. */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { planOf } from '../../../src/use-cases/approve/plan-of-batch.ts';
import { recoverBatch } from '../../../src/use-cases/send/recover-batch.ts';
import { benchWorld } from '../bench-world.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [ledgerPath = '', withPlan = ''] = process.argv.slice(2);
const started = performance.now();
const world = await benchWorld(ledgerPath);
const found = await world.ledger.findBatch('bench');
if (found.kind !== 'found') throw new TypeError('Stage first');
const { id } = found.batch;
const HOLDER = { pid: process.pid, host: 'bench', user: 'bench', command: 'bench' };
const lease = await world.ledger.lease(id, HOLDER);
await recoverBatch(id, HOLDER, world);
if (withPlan === 'plan') await planOf(id, world);
const page = await world.ledger.page(id, { statuses: ['planned'], after: undefined, limit: 500 });
const ms = performance.now() - started;
if (lease.kind === 'leased') await lease.release();
await world.ledger.close();
printResult({ ms, rows: page.payouts.length });
