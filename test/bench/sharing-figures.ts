/**
 * What processes that share a login over a ledger on PostgreSQL ask of the service: how often they log in, and how evenly
 * they keep one rate. Counted by the service itself.
 */
import { setTimeout } from 'node:timers/promises';
import { openServerLedger } from '../../src/ledger/server.ts';
import { parseScenario } from '../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { startPostgres } from '../builders/servers.ts';
import { startSharing } from '../builders/sharing-processes.ts';
import { SANDBOX as BINDING } from '../ledger/ledger-files.ts';

interface Bench {
  readonly isSmall: boolean;
  readonly print: (name: string, ratio: number, target: string, isMet: boolean, detail: string) => void;
}

const PROCESSES = 4;

export async function sharingFigures({ isSmall, print }: Bench): Promise<void> {
  const server = await startPostgres();
  try {
    const rate = 100;
    const paced = await watched(server.place, 'rate', {
      ...{ seconds: isSmall ? 15 : 60, rate, concurrency: 8, scenario: 'plain-accounts', latencyMs: 20 },
    });
    const [tens, ones] = [windows(paced.requests, 10_000), windows(paced.requests, 1_000)];
    const worst = Math.max(...tens.map((count) => Math.abs(count / (10 * rate) - 1)));
    print(
      `${PROCESSES} processes at ${rate} a second: farthest from it in any ten seconds`,
      worst,
      '≤ 0.02',
      worst <= 0.02,
      `ten seconds ${Math.min(...tens)} to ${Math.max(...tens)}, one second ${Math.min(...ones)} to ${Math.max(...ones)}; ${told(paced.results)}`,
    );
    const seconds = isSmall ? 30 : 120;
    const { logins, results } = await watched(server.place, 'one_session', {
      ...{ seconds, rate: 0, concurrency: 4, scenario: 'one-session,short-sessions', latencyMs: 20 },
    });
    // Sessions are renewed at four fifths of their five to six seconds.
    const most = Math.ceil(seconds / 4) + 1;
    print(
      `${PROCESSES} processes, one session of 5 s: logins in ${seconds} s ÷ sessions that ended`,
      logins.length / most,
      '≤ 1',
      logins.length <= most && results.every(({ others, unsent }) => others.length + unsent === 0),
      `${logins.length} logins; ${told(results)}`,
    );
  } finally {
    await server.stop();
  }
}

interface Watched {
  readonly seconds: number;
  readonly rate: number;
  readonly concurrency: number;
  readonly scenario: string;
  readonly latencyMs: number;
}

async function watched(
  place: Awaited<ReturnType<typeof startPostgres>>['place'],
  schema: string,
  { seconds, rate, concurrency, scenario, latencyMs }: Watched,
) {
  await (await openServerLedger({ place: { ...place, schema }, binding: BINDING, create: true })).close();
  let [requests, logins]: [number[], number[]] = [[], []];
  const log = (line: string) => {
    const at = performance.now();
    requests.push(at);
    if (line.startsWith('POST /auth/login')) logins.push(at);
  };
  const sandbox = await startSandbox({ scenario: parseScenario(scenario), latencyMs, log });
  const sharing = Array.from({ length: PROCESSES }, () =>
    startSharing(sandbox, { ...place, schema }, { rate, concurrency }),
  );
  await Promise.all(sharing.map(({ ready }) => ready));
  await setTimeout(2_000);
  [requests, logins] = [[], []];
  await setTimeout(seconds * 1_000);
  const seen = { requests, logins };
  [requests, logins] = [[], []];
  const results = await Promise.all(sharing.map((process) => process.end()));
  await sandbox.close();
  return { ...seen, results };
}

/** How many fall into each window that begins with one of them. */
export function windows(at: readonly number[], ms: number): readonly number[] {
  const last = at.at(-1) ?? 0;
  let end = 0;
  return at.flatMap((start, index) => {
    while (end < at.length && (at[end] ?? 0) < start + ms) end += 1;
    return start + ms > last ? [] : [end - index];
  });
}

function told(results: Awaited<ReturnType<typeof watched>>['results']): string {
  const sum = (what: 'accepted' | 'turnedAway' | 'unsent') =>
    results.reduce((total, result) => total + result[what], 0);
  const others = results.flatMap((result) => result.others);
  return `${sum('accepted')} accepted, ${sum('turnedAway')} turned away, ${sum('unsent')} not sent, tries of one order at most ${Math.max(...results.map(({ triesMax }) => triesMax))}${others.length === 0 ? '' : `, ${others.join(', ')}`}`;
}
