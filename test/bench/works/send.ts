/**
 * Ours: sends approved payouts through the real client and a ledger on disk.
 * Arguments: service JSON, ledger path, rows, concurrency.
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import { createHttpPaymentService } from '../../../src/service/http-payment-service.ts';
import { approveBatch } from '../../../src/use-cases/approve/approve-batch.ts';
import { planFile } from '../../../src/use-cases/plan-file.ts';
import { sendBatch } from '../../../src/use-cases/send/send-batch.ts';
import { benchWorld } from '../bench-world.ts';
import { csvFile } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [serviceJson = '{}', ledgerPath = '', rowsText = '0', concurrencyText = '64'] = process.argv.slice(2);
const { baseUrl, authUrl, id, password, certificateAuthority } = JSON.parse(serviceJson);
const concurrency = Number(concurrencyText);
const HOLDER = { pid: process.pid, host: 'bench', user: 'bench', command: 'bench' };
const log = { write: () => undefined };
const service = createHttpPaymentService(
  {
    baseUrl,
    authUrl,
    id,
    password: new Sensitive(password),
    postTimeoutMs: 120_000,
    answersRefused: [],
    requestsPerSecond: undefined,
    openAhead: concurrency,
    certificateAuthority,
  },
  { clock: systemClock, log },
);
const opened = await benchWorld(ledgerPath, service);
const names = { match: 'ok', close_match: 'ok', no_match: 'ok', not_found: 'ok', unavailable: 'ok' } as const;
const world = { ...opened, policy: { ...opened.policy, concurrency, names, feePercentMax: 100 } };
const path = await csvFile(Number(rowsText));
const read = { open: { path }, source: 'GB' };
const request = { read, name: 'bench', holder: HOLDER, skipInvalid: false };
const { batch, plan: planned } = await planFile(openRows, request, world);
const batchId = batch.id;
await approveBatch(batchId, { by: 'bench', how: 'library', digest: planned?.plan.digest }, world);
const cpuBefore = process.cpuUsage();
const started = performance.now();
const sent = await sendBatch(batchId, world, { holder: HOLDER, leaseLost: new AbortController().signal });
const ms = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
const counts = await world.ledger.counts(batchId);
await service.close();
await world.ledger.close();
const note = `${counts.accepted} accepted, ${counts.in_doubt} in doubt${sent.stop === undefined ? '' : `, stopped: ${sent.stop.kind}`}`;
const cpuEach = Math.round((cpu.user + cpu.system) / Number(rowsText));
printResult({ ms, rows: counts.accepted, cpuEach, note });
