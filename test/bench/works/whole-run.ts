/**
 * Ours: a whole run of a file (names, quotes, sending, settling) through the real client and a ledger on disk.
 * Arguments: service JSON, ledger path, rows, concurrency.
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import { createHttpPaymentService } from '../../../src/service/http-payment-service.ts';
import { runFile } from '../../../src/use-cases/run.ts';
import { benchWorld } from '../bench-world.ts';
import { csvFile } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [serviceJson = '{}', ledgerPath = '', rowsText = '0', concurrencyText = '64'] = process.argv.slice(2);
const { baseUrl, authUrl, id, password } = JSON.parse(serviceJson);
const concurrency = Number(concurrencyText);
const rows = Number(rowsText);
const HOLDER = { pid: process.pid, host: 'bench', user: 'bench', command: 'bench' };
let requests = 0;
const log = {
  write: (_level: string, event: string) => {
    if (event === 'service_answered' || event === 'transfer_answered') requests += 1;
  },
};
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
  },
  { clock: systemClock, log },
);
const stages: { readonly stage: string; readonly atMs: number }[] = [];
const opened = await benchWorld(ledgerPath, service);
const names = { match: 'ok', close_match: 'ok', no_match: 'ok', not_found: 'ok', unavailable: 'ok' } as const;
const world = {
  ...opened,
  policy: { ...defaultPolicy({ isSandbox: true }), concurrency, names, feePercentMax: 100 },
  tell: (event: { readonly kind: string; readonly stage?: string }) => {
    if (event.kind === 'stage') stages.push({ stage: event.stage ?? '', atMs: performance.now() });
  },
};
const path = await csvFile(rows);
const read = { open: { path }, source: 'GB' };
const request = {
  read,
  name: 'bench',
  holder: HOLDER,
  skipInvalid: false,
  yes: true,
  deadlineMs: 24 * 3_600_000,
};
const cpuBefore = process.cpuUsage();
const started = performance.now();
const { batch } = await runFile(openRows, request, world);
const ended = performance.now();
const cpu = process.cpuUsage(cpuBefore);
const { settled } = await world.ledger.counts(batch.id);
await service.close();
await world.ledger.close();
const took = Object.fromEntries(
  stages.map(({ stage, atMs }, index) => [stage, (stages[index + 1]?.atMs ?? ended) - atMs]),
);
const perStage = Object.entries(took).map(([stage, ms]) => `${stage} ${(ms / 1000).toFixed(2)} s`);
printResult({
  ms: ended - started,
  rows: settled,
  requests,
  stages: took,
  cpuEach: Math.round((cpu.user + cpu.system) / rows),
  note: `${requests} requests, ${perStage.join(', ')}`,
});
