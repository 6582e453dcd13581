/**
 * Sending, and a whole run, against what the service's latency or a bare loop of requests allows. A line shows the median of
 * the rounds and how far they lie apart.
 */
import { join } from 'node:path';
import { anew, type Bench, inTurns, median, type WithService } from './in-turns.ts';
import type { Result } from './work-result.ts';

export interface SendBench extends Bench {
  readonly withService: WithService;
}

const AT_ONCE = 64;
const LATENCY_MS = 50;

export async function sendAtLatency(bench: SendBench): Promise<void> {
  const rows = bench.isSmall ? 2_000 : 10_000;
  const { bare, ours } = await inTurns({
    bare: () => gotLoop(bench, LATENCY_MS, rows, 'kept'),
    ours: () => sent(bench, LATENCY_MS, rows),
  });
  const limit = (AT_ONCE * 1_000) / LATENCY_MS;
  const ratio = median(ours.map(rateOf)) / limit;
  const name = `send at latency ${LATENCY_MS} ms, ${AT_ONCE} at once ÷ concurrency ÷ latency`;
  const beside = `${shown(ours)}; limit ${limit}/s; got without a ledger ${shown(bare)}`;
  bench.print(name, ratio, '≥ 0.95', ratio >= 0.95, beside);
  const cpu = cpuOf(ours) / cpuOf(bare);
  const detail = `${cpuOf(ours)} and ${cpuOf(bare)} µs`;
  bench.print('CPU of a sent row ÷ CPU of a got request', cpu, '≤ 1.0', cpu <= 1, detail);
}

export async function sendWithoutLatency(bench: SendBench): Promise<void> {
  const rows = bench.isSmall ? 2_000 : 10_000;
  const { single, kept, ours } = await inTurns({
    single: () => gotLoop(bench, 0, rows, 'single'),
    kept: () => gotLoop(bench, 0, rows, 'kept'),
    ours: () => sent(bench, 0, rows),
  });
  const ratio = median(ours.map(rateOf)) / median(single.map(rateOf));
  const name = `send at latency 0, ${AT_ONCE} at once, durable ÷ got loop with a connection for each request`;
  const detail = `ours ${shown(ours)}; got ${shown(single)}; got that keeps connections ${shown(kept)}`;
  bench.print(name, ratio, '≥ 1.0', ratio >= 1, detail);
}

export async function wholeRun(bench: SendBench): Promise<void> {
  const { folder, isSmall, work, print, withService } = bench;
  const rows = isSmall ? 1_000 : 10_000;
  const ledger = join(folder, 'whole-run.db');
  const { bare, ours } = await inTurns({
    bare: () => gotLoop(bench, LATENCY_MS, rows, 'kept'),
    ours: () => withService(LATENCY_MS, (service) => work('whole-run', service, anew(ledger), rows, AT_ONCE)),
  });
  const ratioOf = ({ requests = 0, ms }: Result) => (requests * LATENCY_MS) / AT_ONCE / ms;
  const ratio = median(ours.map(ratioOf));
  const name = `a whole run, ${rows} rows at ${LATENCY_MS} ms, ${AT_ONCE} at once ÷ limit`;
  print(name, ratio, '≥ 0.90', ratio >= 0.9, shown(ours));
  const perRow = median(ours.map(({ requests = 0 }) => requests)) / rows;
  const cpu = cpuOf(ours) / (perRow * cpuOf(bare));
  const detail = `${cpuOf(ours)} µs a row of ${perRow.toFixed(2)} requests; got ${cpuOf(bare)} µs a request`;
  print(
    'CPU of a row in a whole run ÷ its requests × CPU of a got request',
    cpu,
    '≤ 1.15',
    cpu <= 1.15,
    detail,
  );
}

const cpuOf = (results: readonly Result[]) => median(results.map(({ cpuEach = 0 }) => cpuEach));

function gotLoop({ work, withService }: SendBench, latencyMs: number, count: number, how: 'kept' | 'single') {
  return withService(latencyMs, (service) => work('got-loop', service, count, AT_ONCE, how));
}

function sent({ folder, work, withService }: SendBench, latencyMs: number, rows: number): Promise<Result> {
  const ledger = anew(join(folder, 'send.db'));
  return withService(latencyMs, (service) => work('send', service, ledger, rows, AT_ONCE));
}

export const rateOf = ({ rows = 0, ms }: Result) => rows / (ms / 1_000);

export function shown(results: readonly Result[]): string {
  const rates = results.map(rateOf);
  const peakMb = Math.max(...results.map((result) => result.peakMb));
  const spread = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`;
  const notes = results.flatMap(({ note }) => note ?? []).join(' | ');
  const cpu = results.some(({ cpuEach }) => cpuEach !== undefined) ? `, ${cpuOf(results)} µs CPU each` : '';
  return `${median(rates).toFixed(0)}/s (${spread}), peak ${peakMb} MB${cpu}${notes === '' ? '' : `; ${notes}`}`;
}
