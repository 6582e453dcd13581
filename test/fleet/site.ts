/**
 * A site of the fleet harness: a PostgreSQL server of its own, the service with its book in this process, an office where
 * a person asks, and workers as real processes. The first worker is on a machine of its own, behind a proxy that can cut it
 * off from the ledger.
 */
import { chmodSync } from 'node:fs';
import pg from 'pg';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type CuttingProxy, startProxy } from '../builders/cutting-proxy.ts';
import { type Ended, type Office, openOffice, type Running } from '../builders/office.ts';
import { TestServer } from '../builders/servers.ts';
import { type Compiled, NODE } from '../kill/compiled.ts';
import type { Blow } from '../kill/plan.ts';

/** Lanes of one worker, and transfers that each has in flight. */
export const OWN_LANES = 2;
export const CONCURRENCY = 2;
const START_MS = 60_000;
const SCHEMA = 'payfile';
export const SETTINGS = ['max_connections=200'];

export interface SiteOptions {
  readonly workers: number;
  readonly latencyMs: number;
}

export interface Worker {
  readonly index: number;
  readonly running: Running;
  /** undefined while it lives. */
  ended: Ended | undefined;
  said: string;
  /** A fault of the round struck it. */
  isHit: boolean;
}

/** Something that happened at a site, and how many workers it hit. */
export interface Hit {
  readonly what: string;
  readonly workers: number;
  readonly atMs: number;
}

/** None outlives whoever started it. */
const started = new Set<Running>();
process.on('exit', () => {
  for (const { child } of started) child.kill('SIGKILL');
});

export class Site {
  readonly server: TestServer;
  readonly sandbox: Sandbox;
  readonly office: Office;
  readonly workers: Worker[] = [];
  readonly hits: Hit[] = [];
  /** Workers that ended for another reason than a blow, a signal or a server that is away. */
  readonly bugs: string[] = [];
  readonly size: number;
  proxy: CuttingProxy | undefined;
  #apart: Office | undefined;
  #isClosing = false;
  /** What is done to the server, to the way there and to the number of workers is done one after another. */
  #alone: Promise<unknown> = Promise.resolve();
  readonly #executed = new Map<string, number>();
  #entriesSeen = 0;

  private constructor(server: TestServer, sandbox: Sandbox, office: Office, size: number) {
    this.server = server;
    this.sandbox = sandbox;
    this.office = office;
    this.size = size;
  }

  static async open(compiled: Compiled, { workers, latencyMs }: SiteOptions): Promise<Site> {
    const server = await TestServer.made();
    await server.start(SETTINGS);
    const sandbox = await startSandbox({ latencyMs, speedFactor: 1_000 });
    const office = officeAt(compiled, sandbox, server, server.port);
    office.env['PAYFILE_LANES'] = String(workers * OWN_LANES);
    // Blows leave rows in doubt, which is not what is looked at here; a pause would only cost time.
    office.configure({ maxInDoubt: 100_000 });
    const site = new Site(server, sandbox, office, workers);
    const made = await office.start(['init']).ended;
    if (made.code !== 0) throw new Error(`There is no ledger: ${made.stderr}`);
    await site.#openApart(compiled);
    return site;
  }

  async #openApart(compiled: Compiled): Promise<void> {
    this.proxy = await startProxy(this.server.port);
    const apart = officeAt(compiled, this.sandbox, this.server, this.proxy.port);
    const [ledger] = await this.ask<{ id: string }>('SELECT id FROM payfile.ledger');
    apart.env['PAYFILE_LANES'] = this.office.env['PAYFILE_LANES'] ?? '';
    const config = { maxInDoubt: 100_000, ledger: { id: ledger?.id } };
    apart.file('own.json', JSON.stringify(config));
    this.#apart = apart;
  }

  get living(): readonly Worker[] {
    return this.workers.filter(({ ended }) => ended === undefined);
  }

  /** Resolves when it takes jobs. The blow is for this process alone. */
  async startWorker(index: number, blow?: Blow): Promise<Worker> {
    const isApart = index === 0 && this.#apart !== undefined;
    const office = isApart && this.#apart !== undefined ? this.#apart : this.office;
    const own = ['--lanes', String(OWN_LANES), '--concurrency', String(CONCURRENCY)];
    const words = ['worker', ...own, ...(isApart ? ['--config', 'own.json'] : [])];
    const running = office.start(words, blow === undefined ? {} : { KILL_PLAN: JSON.stringify(blow) });
    const worker: Worker = { index, running, ended: undefined, said: '', isHit: false };
    running.child.stderr.on('data', (data: Buffer) => {
      worker.said += data.toString();
    });
    this.workers[index] = worker;
    started.add(running);
    void running.ended.then((ended) => {
      worker.ended = ended;
      started.delete(running);
      this.#noteFall(worker, ended, blow);
    });
    const ready = running.saw('Waiting for work.').catch((error: unknown) => {
      // A fault of the round may strike it before it is ready.
      if (!worker.isHit) throw error;
    });
    await within(START_MS, 'a worker did not start', ready);
    return worker;
  }

  /** Starts the workers that are not there. */
  fillUp(): Promise<void> {
    return this.alone(async () => {
      for (let index = 0; index < this.size; index += 1) {
        const worker = this.workers[index];
        const isThere = worker !== undefined && worker.ended === undefined;
        if (!isThere && !this.#isClosing) await this.startWorker(index);
      }
    });
  }

  /** Ends a worker, and starts another with this blow. */
  replace(index: number, blow: Blow): Promise<Worker> {
    return this.alone(async () => {
      const old = this.workers[index];
      old?.running.child.kill('SIGTERM');
      await within(START_MS, 'a worker did not end', Promise.resolve(old?.running.ended));
      return this.startWorker(index, blow);
    });
  }

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#alone.then(work);
    this.#alone = done.catch(() => undefined);
    return done;
  }

  hit(what: string, workers: number): void {
    this.hits.push({ what, workers, atMs: performance.now() });
  }

  /** Died by its blow, or ended by itself; whoever was killed from here is counted there. */
  #noteFall({ index, running }: Worker, { code, signal, stderr }: Ended, blow: Blow | undefined): void {
    if (this.#isClosing || code === 143 || (signal === 'SIGKILL' && running.child.killed)) return;
    const place = blow?.kind === 'boundary' ? `${blow.label} ${blow.when}` : 'killed';
    if (code === 1) this.bugs.push(`worker ${index} ended as by a bug: ${stderr.slice(-600)}`);
    this.hit(
      signal === 'SIGKILL' ? `${place} of ${index}` : `worker ${index} ended ${code}: ${stderr.slice(-300)}`,
      1,
    );
  }

  /** How many rows of a batch the service's book has, by what the accounts begin with. */
  executed(begin: string): number {
    if (this.sandbox.book.size > this.#entriesSeen) {
      const entries = this.sandbox.book.entries();
      for (const { account } of entries.slice(this.#entriesSeen)) {
        const key = account.slice(0, begin.length);
        this.#executed.set(key, (this.#executed.get(key) ?? 0) + 1);
      }
      this.#entriesSeen = entries.length;
    }
    return this.#executed.get(begin) ?? 0;
  }

  /** Who leads the sending that is under way. */
  async leader(): Promise<Worker | undefined> {
    const [row] = await this.ask<{ worker: string | null }>(
      `SELECT worker FROM ${SCHEMA}_jobs.fleet_works WHERE stage = 'send' AND ended_at IS NULL`,
    );
    const pid = Number(row?.worker?.split('/')[1]);
    return this.living.find(({ running }) => running.child.pid === pid);
  }

  async ask<Row>(text: string): Promise<Row[]> {
    const { schema: _schema, ...place } = this.server.place();
    const client = new pg.Client({ ...place, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** `keep`: the folders stay, because something is wrong. */
  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    this.#isClosing = true;
    for (const { running } of this.living) {
      running.child.kill('SIGCONT');
      running.child.kill('SIGKILL');
      await running.ended;
    }
    await this.proxy?.close();
    await this.sandbox.close();
    await this.server.remove();
    if (keep) return;
    this.#apart?.close();
    this.office.close();
  }
}

function officeAt(compiled: Compiled, sandbox: Sandbox, server: TestServer, port: number): Office {
  const { user, host, database, password = '' } = server.place();
  const office = openOffice(
    {
      PAYFILE_BASE_URL: sandbox.baseUrl,
      PAYFILE_AUTH_URL: sandbox.authUrl,
      PAYFILE_ID: sandbox.credentials.id,
      PAYFILE_PASSWORD: sandbox.credentials.password,
      PAYFILE_SOURCE: 'GB',
      PAYFILE_LEDGER: `postgres://${user}@${host}:${port}/${database}?schema=${SCHEMA}`,
      PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
      PAYFILE_CONCURRENCY: String(CONCURRENCY),
      NODE_OPTIONS: compiled.preload,
      NODE_COMPILE_CACHE: compiled.cache,
    },
    { node: NODE, bin: compiled.bin },
  );
  office.env['KILL_TRACE'] = office.at('trace');
  office.file('ledger-password', password);
  chmodSync(office.at('ledger-password'), 0o600);
  return office;
}

export async function within<Value>(ms: number, what: string, value: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${ms} ms`)), ms);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
