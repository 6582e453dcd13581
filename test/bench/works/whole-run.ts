/**
 * Ours: a whole run of a file (names, quotes, sending, settling) through the real client and a ledger on disk.
 * Arguments: service JSON, ledger (a path, or a place on a server as JSON), rows, concurrency.
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import { createHttpPaymentService } from '../../../src/service/http-payment-service.ts';
import { runFile } from '../../../src/use-cases/run.ts';
import { benchWorld } from '../bench-world.ts';
import { othersCpu } from '../machine-cpu.ts';
import { csvFile } from '../payout-data.ts';
import { printResult, type StageCost } from '../work-result.ts';

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
interface Mark extends StageCost {
  readonly stage: string;
}
/** What was used since the start of the process, when a stage began. */
const marks: Mark[] = [];
function mark(stage: string): void {
  const { user, system } = process.cpuUsage();
  const { server, beside, machine } = othersCpu(process.ppid);
  marks.push({
    stage,
    ms: performance.now(),
    cpuMs: (user + system) / 1_000,
    serverMs: server,
    besideMs: beside,
    machineMs: machine,
    requests,
  });
}
const opened = await benchWorld(ledgerPath, service);
const names = { match: 'ok', close_match: 'ok', no_match: 'ok', not_found: 'ok', unavailable: 'ok' } as const;
const world = {
  ...opened,
  policy: { ...defaultPolicy({ isSandbox: true }), concurrency, names, feePercentMax: 100 },
  tell: (event: { readonly kind: string; readonly stage?: string }) => {
    if (event.kind === 'stage') mark(event.stage ?? '');
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
mark('read');
const { batch } = await runFile(openRows, request, world);
mark('end');
const { settled } = await world.ledger.counts(batch.id);
await service.close();
await world.ledger.close();
const costs = Object.fromEntries(
  marks.slice(0, -1).map((from, index) => [from.stage, between(from, marks[index + 1] ?? from)]),
);
const whole = between(marks[0] as Mark, marks.at(-1) as Mark);
const took = Object.fromEntries(Object.entries(costs).map(([stage, { ms }]) => [stage, ms]));
const perStage = Object.entries(took).map(([stage, ms]) => `${stage} ${(ms / 1000).toFixed(2)} s`);
printResult({
  ms: whole.ms,
  rows: settled,
  requests,
  stages: took,
  costs,
  cpuEach: Math.round((whole.cpuMs * 1_000) / rows),
  note: `${requests} requests, ${perStage.join(', ')}`,
});

function between(from: Mark, to: Mark): StageCost {
  return {
    ms: to.ms - from.ms,
    cpuMs: to.cpuMs - from.cpuMs,
    serverMs: to.serverMs - from.serverMs,
    besideMs: to.besideMs - from.besideMs,
    machineMs: to.machineMs - from.machineMs,
    requests: to.requests - from.requests,
  };
}
