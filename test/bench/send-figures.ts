/**
 * Sending, and a whole run, against what the service's latency or a bare loop of requests allows. A line shows the median of
 * the rounds and how far they lie apart.
 */
import { join } from 'node:path';
import { anew, type Bench, inTurns, median, type WithService } from './in-turns.ts';
import type { Result } from './work-result.ts';

interface SendBench extends Bench {
  readonly withService: WithService;
}

const AT_ONCE = 64;
const LATENCY_MS = 50;

export async function sendAtLatency(bench: SendBench): Promise<void> {
  const rows = bench.isSmall ? 2_000 : 10_000;
  const { ours } = await inTurns({ ours: () => sent(bench, LATENCY_MS, rows) });
  const limit = (AT_ONCE * 1_000) / LATENCY_MS;
  const ratio = median(ours.map(rateOf)) / limit;
  const name = `send at latency ${LATENCY_MS} ms, ${AT_ONCE} at once ÷ concurrency ÷ latency`;
  bench.print(name, ratio, '≥ 0.95', ratio >= 0.95, `${shown(ours)}; limit ${limit}/s`);
}

export async function sendWithoutLatency(bench: SendBench): Promise<void> {
  const rows = bench.isSmall ? 2_000 : 10_000;
  const { bare, ours } = await inTurns({
    bare: () => bench.withService(0, (service) => bench.work('got-loop', service, rows, AT_ONCE)),
    ours: () => sent(bench, 0, rows),
  });
  const ratio = median(ours.map(rateOf)) / median(bare.map(rateOf));
  const name = `send at latency 0, ${AT_ONCE} at once, durable ÷ bare got loop`;
  bench.print(name, ratio, '≥ 1.5', ratio >= 1.5, `ours ${shown(ours)}; got ${shown(bare)}`);
}

export async function wholeRun({ folder, isSmall, work, print, withService }: SendBench): Promise<void> {
  const rows = isSmall ? 1_000 : 3_000;
  const ledger = join(folder, 'whole-run.db');
  const { ours } = await inTurns({
    ours: () => withService(LATENCY_MS, (service) => work('whole-run', service, anew(ledger), rows, AT_ONCE)),
  });
  const ratioOf = ({ requests = 0, ms }: Result) => (requests * LATENCY_MS) / AT_ONCE / ms;
  const ratio = median(ours.map(ratioOf));
  const name = `a whole run, ${rows} rows at ${LATENCY_MS} ms, ${AT_ONCE} at once ÷ limit`;
  print(name, ratio, '≥ 0.85', ratio >= 0.85, shown(ours));
}

function sent({ folder, work, withService }: SendBench, latencyMs: number, rows: number): Promise<Result> {
  const ledger = anew(join(folder, 'send.db'));
  return withService(latencyMs, (service) => work('send', service, ledger, rows, AT_ONCE));
}

const rateOf = ({ rows = 0, ms }: Result) => rows / (ms / 1_000);

function shown(results: readonly Result[]): string {
  const rates = results.map(rateOf);
  const peakMb = Math.max(...results.map((result) => result.peakMb));
  const spread = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`;
  const notes = results.map(({ note = '' }) => note).join(' | ');
  return `${median(rates).toFixed(0)}/s (${spread}), peak ${peakMb} MB${notes === '' ? '' : `; ${notes}`}`;
}
