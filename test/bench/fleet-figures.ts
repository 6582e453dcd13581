/**
 * Workers that share a ledger on PostgreSQL: what four send against what one sends, and one against the same in a file. Real
 * processes of the command, a service of its own process, 50 ms away. The rate is that of the middle of each sending, by the
 * journal: between the fifth and the last fifth of the answers. And how evenly four keep one pace, by the service's arrivals.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parseScenario } from '../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { type RunningPostgres, startPostgres } from '../builders/servers.ts';
import { windows } from './sharing-figures.ts';

interface Bench {
  readonly folder: string;
  readonly isSmall: boolean;
  readonly print: (name: string, ratio: number, target: string, isMet: boolean, detail: string) => void;
  readonly withService: <Result>(
    latencyMs: number,
    use: (service: string) => Promise<Result>,
  ) => Promise<Result>;
}

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const ROUNDS = 5;

export async function fleetFigures({ folder, isSmall, print, withService }: Bench): Promise<void> {
  const server = await startPostgres();
  let ledgers = 0;
  /** Transfers a second. */
  const measured = (asked: Omit<Asked, 'ledger' | 'folder' | 'password'>, onServer = true) => {
    ledgers += 1;
    const home = join(folder, `fleet-${ledgers}`);
    mkdirSync(home);
    const { user, host, port, database, password = '' } = server.place;
    const ledger = onServer
      ? `postgres://${user}@${host}:${port}/${database}?schema=bench_${ledgers}`
      : join(home, 'ledger.db');
    return withService(50, (service) => rateOf({ ...asked, ledger, folder: home, password }, service));
  };
  const each = isSmall ? 400 : 1_000;
  const rounds = isSmall ? 1 : ROUNDS;
  try {
    for (const inFlight of [4, 8]) {
      const [ones, fours]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        ones.push(await measured({ workers: 1, inFlight, rows: each }));
        fours.push(await measured({ workers: 4, inFlight, rows: each * 4 }));
      }
      const ratios = fours.map((four, index) => four / (ones[index] ?? Number.NaN));
      const isTarget = inFlight === 4;
      print(
        `four workers ÷ one, 50 ms, ${inFlight} in flight each`,
        median(ratios),
        isTarget ? '≥ 3.6' : 'told',
        !isTarget || median(ratios) >= 3.6,
        `one ${shown(ones)}/s, four ${shown(fours)}/s, ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
      );
    }
    const [onServer, inFile]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      inFile.push(await measured({ workers: 0, inFlight: 8, rows: each }, false));
      onServer.push(await measured({ workers: 1, inFlight: 8, rows: each }));
    }
    const ratio = median(onServer) / median(inFile);
    const told = `server ${shown(onServer)}/s, file ${shown(inFile)}/s`;
    print('one worker on a server ÷ a file, 8 in flight', ratio, '≥ 1', ratio >= 1, told);
  } finally {
    await server.stop();
  }
}

/** Transfers a second of so many workers, 50 ms away, on a server that runs already. */
export async function fleetRate({
  folder,
  server: { place },
  withService,
  workers,
  inFlight,
  rows,
}: Pick<Bench, 'folder' | 'withService'> &
  Pick<Asked, 'workers' | 'inFlight' | 'rows'> & { readonly server: RunningPostgres }): Promise<number> {
  const home = join(folder, `fleet-of-${workers}`);
  mkdirSync(home);
  const { user, host, port, database, password = '' } = place;
  const ledger = `postgres://${user}@${host}:${port}/${database}?schema=fleet_of_${workers}`;
  const asked = { ledger, folder: home, password, workers, inFlight, rows };
  return withService(50, (service) => rateOf(asked, service));
}

/** The service is in this process, which does nothing else meanwhile: it writes down when each request arrives. */
export async function fleetPace({ folder, isSmall, print }: Omit<Bench, 'withService'>): Promise<void> {
  const [rate, workers] = [100, 4];
  const arrivals: { readonly at: number; readonly isTransfer: boolean }[] = [];
  const looks: { readonly at: number; readonly aheadMs: number }[] = [];
  const sandbox = await startSandbox({
    latencyMs: 50,
    scenario: parseScenario('plain-accounts'),
    log: (line) => arrivals.push({ at: performance.now(), isTransfer: line.startsWith('POST /v1/transfer') }),
  });
  const server = await startPostgres();
  const home = join(folder, 'fleet-pace');
  mkdirSync(home);
  const { user, host, port, database, password = '' } = server.place;
  const ledger = `postgres://${user}@${host}:${port}/${database}?schema=bench_pace`;
  const { baseUrl, authUrl, credentials } = sandbox;
  try {
    // So many that the pace is what holds them back, also on a busy machine.
    const asked = { ledger, password, folder: home, workers, rate, inFlight: 16 };
    const rows = isSmall ? 3_000 : 8_000;
    const paying = pay({ ...asked, rows }, JSON.stringify({ baseUrl, authUrl, ...credentials }));
    await watchPace({ ledger, password }, looks, paying);
  } finally {
    await server.stop();
    await sandbox.close();
  }
  const sent = arrivals.filter(({ isTransfer }) => isTransfer).map(({ at }) => at);
  const [from = 0, to = 0] = [sent[Math.floor(sent.length * 0.2)], sent[Math.floor(sent.length * 0.8)]];
  const middle = arrivals.map(({ at }) => at).filter((at) => at >= from && at <= to);
  const [tens, ones] = [windows(middle, 10_000), windows(middle, 1_000)];
  const looked = looks.filter(({ at }) => at >= from && at <= to);
  const idle = looked.filter(({ aheadMs }) => aheadMs <= 0).length / looked.length;
  const worst = Math.max(...tens.map((count) => Math.abs(count / (10 * rate) - 1)));
  print(
    `pace of ${rate}/s over four workers: farthest from it in any ten seconds`,
    worst,
    '≤ 0.02',
    worst <= 0.02,
    `ten seconds ${Math.min(...tens)} to ${Math.max(...tens)}, one second ${Math.min(...ones)} to ${Math.max(...ones)}, over ${((to - from) / 1_000).toFixed(0)} s; in ${(100 * idle).toFixed(0)} % of the looks nobody had asked for the next turn`,
  );
}

/** How far ahead turns are given away. Where none is, the workers ask for fewer than the pace allows. */
async function watchPace(
  server: Pick<Asked, 'ledger' | 'password'>,
  looks: { at: number; aheadMs: number }[],
  paying: Promise<void>,
): Promise<void> {
  const client = clientOf(server);
  await client.connect();
  const ended = paying.then(() => true);
  try {
    while (!(await Promise.race([ended, setTimeout(100, false)]))) {
      const ahead = `SELECT (state ->> 'nextAt')::float8 - extract(epoch FROM clock_timestamp()) * 1000 AS ms FROM pace`;
      // Until the ledger is made there is no such table.
      const { rows } = await client.query(ahead).catch(() => ({ rows: [] }));
      for (const { ms } of rows) looks.push({ at: performance.now(), aheadMs: Number(ms) });
    }
  } finally {
    await client.end();
  }
}

interface Asked {
  readonly ledger: string;
  readonly password: string;
  readonly folder: string;
  /** 0: the command sends by itself. */
  readonly workers: number;
  readonly inFlight: number;
  readonly rows: number;
  /** Requests a second while it is sent; names and prices are asked for as fast as they come. */
  readonly rate?: number;
}

async function rateOf(asked: Asked, serviceJson: string): Promise<number> {
  await pay(asked, serviceJson);
  return middleRate(await answersOf(asked));
}

async function pay(asked: Asked, serviceJson: string): Promise<void> {
  const { ledger, folder, workers, inFlight, rows, rate } = asked;
  const service = JSON.parse(serviceJson);
  writeFileSync(join(folder, 'password'), asked.password, { mode: 0o600 });
  writeFileSync(join(folder, 'pay.csv'), payoutFile(rows));
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
    ...{ PAYFILE_BASE_URL: service.baseUrl, PAYFILE_AUTH_URL: service.authUrl, PAYFILE_ID: service.id },
    ...{ PAYFILE_PASSWORD: service.password, PAYFILE_SOURCE: 'GB', PAYFILE_LEDGER: ledger },
    ...{ PAYFILE_LANES: String(Math.max(1, workers)), PAYFILE_CONCURRENCY: String(inFlight) },
    ...(ledger.startsWith('postgres') ? { PAYFILE_LEDGER_PASSWORD_FILE: 'password' } : {}),
  };
  const start = (...words: string[]) =>
    spawn(process.execPath, [BIN, ...words], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  await ended(start('init'));
  const names = 'match=ok,close_match=ok,no_match=ok,not_found=ok,unavailable=ok';
  await ended(start('plan', 'pay.csv', '--batch', 'bench', '--names', names));
  const paced = rate === undefined ? [] : ['--rate', String(rate)];
  const approved = ['--max-total', `GHS=${rows * 1_000}`, ...paced];
  const working: ChildProcess[] = [];
  for (let index = 0; index < workers; index += 1) working.push(start('worker', '--lanes', '1', ...paced));
  await setTimeout(workers === 0 ? 0 : 2_500);
  await ended(start('run', 'pay.csv', '--batch', 'bench', '--names', names, ...approved));
  for (const child of working) child.kill('SIGTERM');
  await Promise.all(working.map((child) => new Promise((resolve) => child.once('exit', resolve))));
}

function ended(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (data: Buffer) => {
    said += data.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`It ended with ${code}: ${said}`)),
    );
  });
}

const ANSWERS = "SELECT at FROM journal WHERE kind = 'accept' ORDER BY at";

async function answersOf({ ledger, password }: Asked): Promise<readonly number[]> {
  if (!ledger.startsWith('postgres')) {
    const db = new DatabaseSync(ledger, { readOnly: true });
    const rows = db.prepare(ANSWERS).all();
    db.close();
    return rows.map(({ at }) => Number(at));
  }
  const client = clientOf({ ledger, password });
  await client.connect();
  const { rows } = await client.query(ANSWERS);
  await client.end();
  return rows.map(({ at }) => Number(at));
}

function clientOf({ ledger, password }: Pick<Asked, 'ledger' | 'password'>): pg.Client {
  const url = new URL(ledger);
  return new pg.Client({
    ...{
      host: url.hostname,
      port: Number(url.port),
      user: url.username,
      database: url.pathname.slice(1),
      password,
    },
    options: `-c search_path=${url.searchParams.get('schema')}`,
  });
}

function middleRate(at: readonly number[]): number {
  const [from, to] = [Math.floor(at.length * 0.2), Math.floor(at.length * 0.8)];
  return (to - from) / (((at[to] ?? 0) - (at[from] ?? 0)) / 1_000);
}

function payoutFile(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, index) => `P-${index},GH,GCB Bank,10111300${String(10_000 + index).padStart(5, '0')},100.00`,
  );
  return `${['Reference,Country,Institution,Account,Amount', ...lines].join('\n')}\n`;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const shown = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(', ');
