/**
 * What a row costs in each step, and how fast rows go, on a ledger file and on PostgreSQL; then what the simulation says of the
 * same. Rows are read before, and the server has counted them (ANALYZE), as one with earlier batches has in the end. The units
 * are printed as JSON; scale-units.json has those that the guide goes by.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type RunningPostgres, startPostgres } from '../builders/servers.ts';
import { fleetRate } from './fleet-figures.ts';
import { type Bench, median, type WithService } from './in-turns.ts';
import { othersCpu } from './machine-cpu.ts';
import { csvFile } from './payout-data.ts';
import { rateOf } from './scale-model.ts';
import { type Kind, type Point, STAGES, type Stage, type StageUnits, type Units } from './scale-units.ts';
import type { Result } from './work-result.ts';

interface ScaleBench extends Bench {
  readonly withService: WithService;
}

/**
 * Latency in ms, transfers at once, rows. The first two give what sending costs, because few rows share a commit in one, and
 * many in the other. The last one gives the other steps and the sizes.
 */
const RUNS = [
  [50, 8, 2_000],
  [50, 64, 6_000],
  [50, 16, 2_000],
  [0, 64, 20_000],
] as const;
const FLEETS = [1, 4];
const PROBES = 200;

interface Run {
  readonly on: Kind;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly rows: number;
  readonly result: Result;
  /** Of each stage. */
  readonly commits: Readonly<Record<Stage, number>>;
  readonly bytes: Units['bytes'][Kind];
  readonly others: readonly (readonly [string, Result])[];
}

export async function scaleFigures(bench: ScaleBench): Promise<void> {
  const server = await startPostgres();
  try {
    const runs: Run[] = [];
    for (const [latencyMs, inFlight, rows] of RUNS)
      for (const on of ['file', 'server'] as const)
        runs.push(
          await measured(bench, server, { on, latencyMs, inFlight, rows: bench.isSmall ? rows / 4 : rows }),
        );
    const points = runs.flatMap(pointsOf);
    let connections = 0;
    for (const workers of FLEETS) {
      const rows = (bench.isSmall ? 400 : 1_000) * workers;
      const fleet = fleetRate({ ...bench, server, workers, inFlight: 4, rows });
      const { most, others } = await watched(server, fleet);
      // The command that asks has as many as a worker.
      connections = Math.max(connections, Math.ceil(most / (workers + 1)));
      const rate = round(await fleet);
      points.push({ on: 'server', stage: 'send', workers, inFlight: 4, latencyMs: 50, others, rate });
    }
    const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`;
    const units = { machine, ...unitsOf(runs, flushMs(bench.folder)), connections, points };
    const path = join(tmpdir(), 'payfile-scale-units.json');
    writeFileSync(path, `${JSON.stringify(units, null, 2)}\n`);
    for (const point of points) tell(bench, point, units);
    console.log(`        units: ${path}; ${runs.map(shownOf).join('; ')}`);
  } finally {
    await server.stop();
  }
}

/** Most connections to the server while something works, and how many cores something else used meanwhile. */
async function watched({ place }: RunningPostgres, work: Promise<unknown>) {
  const client = new pg.Client(place);
  await client.connect();
  const count = `SELECT count(*) AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  const ended = work.then(() => true);
  let [most, ms, othersMs] = [0, 0, 0];
  let last = { at: performance.now(), ...othersCpu(process.pid) };
  while (!(await Promise.race([ended, setTimeout(500, false)]))) {
    most = Math.max(most, Number((await client.query(count)).rows[0]?.n));
    const now = { at: performance.now(), ...othersCpu(process.pid) };
    const ours = now.server + now.beside - last.server - last.beside;
    // What a process used that has ended is no longer seen.
    if (ours >= 0) ms += now.at - last.at;
    if (ours >= 0) othersMs += Math.max(0, now.machine - last.machine - ours);
    last = now;
  }
  await client.end();
  return { most, others: round(othersMs / ms) };
}

function tell({ print }: Bench, point: Point, units: Units): void {
  const { on, stage, workers, inFlight, latencyMs, others = 0, rate } = point;
  const { rate: simulated } = rateOf(point, units);
  const ratio = simulated / rate;
  const name = `scale: ${stage} on a ${on}, ${workers} × ${inFlight} at ${latencyMs} ms, simulated ÷ measured`;
  const detail = `${simulated.toFixed(0)}/s and ${rate.toFixed(0)}/s; others used ${others} cores`;
  print(name, ratio, '0.75 to 1.33', ratio >= 0.75 && ratio <= 1.33, detail);
}

async function measured(
  { folder, work, withService }: ScaleBench,
  server: RunningPostgres,
  asked: Pick<Run, 'on' | 'latencyMs' | 'inFlight' | 'rows'>,
): Promise<Run> {
  const { on, latencyMs, inFlight, rows } = asked;
  const name = `scale_${latencyMs}_${inFlight}`;
  const path = join(folder, `${name}.db`);
  const ledger = on === 'file' ? path : JSON.stringify({ ...server.place, schema: name });
  const staged = work('stage', await csvFile(rows), ledger);
  const ask = on === 'file' ? await askFile(path) : await askServer(server, name);
  const before = await ask.wal();
  const result = await withService(latencyMs, (service) =>
    work('whole-run', service, ledger, rows, inFlight),
  );
  if (result.rows !== rows) throw new Error(`${result.rows} of ${rows} rows were settled`);
  const wal = ((await ask.wal()) - before) / rows;
  const others = [
    ['check', staged],
    ['report', work('report', ledger, join(folder, 'scale.csv'))],
    ['verify', work('verify', ledger)],
  ] as const;
  const commits = await ask.commits();
  await ask.compact();
  const sizes = await ask.sizes();
  const of = (table: string) => Math.round((sizes.get(table) ?? 0) / rows);
  const all = Math.round([...sizes.values()].reduce((sum, size) => sum + size, 0) / rows);
  const copy = on === 'file' ? await copyOf(path, rows) : all;
  await ask.close();
  if (on === 'file') rmSync(path);
  const bytes = { row: all, journal: of('journal'), wal: Math.round(wal), copy };
  return { ...asked, result, commits, bytes, others };
}

/** What a backup takes, a row: SQLite's own copy. */
async function copyOf(path: string, rows: number): Promise<number> {
  const db = new DatabaseSync(path, { readOnly: true });
  await backup(db, `${path}.copy`);
  db.close();
  const { size } = statSync(`${path}.copy`);
  rmSync(`${path}.copy`);
  return Math.round(size / rows);
}

interface Asking {
  commits(): Promise<Readonly<Record<Stage, number>>>;
  /** Room that older versions of rows took is used again by later rows. */
  compact(): Promise<unknown>;
  sizes(): Promise<ReadonlyMap<string, number>>;
  wal(): Promise<number>;
  close(): Promise<void>;
}

/** Of each commit, what its first entry is. */
const COMMITS = `SELECT j.kind AS name, count(*) AS n FROM commits c JOIN journal j ON j.seq = c.first GROUP BY j.kind`;
const FILE_SIZES = `SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS n FROM dbstat s
  LEFT JOIN sqlite_schema m ON m.name = s.name GROUP BY 1`;
const STAGE_OF: Readonly<Record<string, Stage>> = {
  ...{ price: 'price', 'note:baseline': 'price', route: 'price' },
  ...{ begin_attempt: 'send', accept: 'send', settle: 'settle' },
};

type Counted = readonly { readonly name?: unknown; readonly n?: unknown }[];
const mapOf = (rows: Counted) => new Map(rows.map(({ name, n }) => [String(name), Number(n)]));

function stagesOf(rows: Counted): Record<Stage, number> {
  const counts = { price: 0, send: 0, settle: 0 };
  for (const [kind, count] of mapOf(rows)) {
    const stage = STAGE_OF[kind];
    if (stage !== undefined) counts[stage] += count;
  }
  return counts;
}

async function askFile(path: string): Promise<Asking> {
  const all = (text: string) => {
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare(text).all();
    db.close();
    return rows;
  };
  return {
    commits: async () => stagesOf(all(COMMITS)),
    compact: async () => undefined,
    sizes: async () => mapOf(all(FILE_SIZES)),
    wal: async () => 0,
    close: async () => undefined,
  };
}

async function askServer({ place }: RunningPostgres, schema: string): Promise<Asking> {
  const client = new pg.Client({ ...place, options: `-c search_path=${schema}` });
  await client.connect();
  await client.query('ANALYZE');
  const all = async (text: string) => (await client.query(text)).rows;
  const sizes = `SELECT relname AS name, pg_total_relation_size(oid) AS n FROM pg_class
    WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`;
  const written = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS n`;
  return {
    commits: async () => stagesOf(await all(COMMITS)),
    compact: () => client.query('VACUUM FULL'),
    sizes: async () => mapOf(await all(sizes)),
    wal: async () => Number((await all(written))[0]?.n),
    close: () => client.end(),
  };
}

function pointsOf({ on, latencyMs, inFlight, rows, result, commits }: Run): Point[] {
  return STAGES.map((stage) => {
    const cost = result.costs?.[stage];
    if (cost === undefined) throw new TypeError(`Nothing was measured of ${stage}`);
    const { ms, cpuMs, serverMs, besideMs, machineMs } = cost;
    const others = round(Math.max(0, (machineMs - cpuMs - serverMs - besideMs) / ms));
    const measured = { rate: round(rows / (ms / 1_000)), commits: round(commits[stage] / rows) };
    return { on, stage, workers: 1, inFlight, latencyMs, others, ...measured };
  });
}

function unitsOf(runs: readonly Run[], flush: number): Omit<Units, 'points' | 'connections' | 'machine'> {
  const of = (on: Kind): Record<Stage, StageUnits> => {
    const [few, many] = runs.filter((run) => run.on === on);
    if (few === undefined || many === undefined) throw new TypeError('Nothing was measured');
    return Object.fromEntries(STAGES.map((stage) => [stage, stageUnits(stage, few, many)])) as never;
  };
  const largest = (on: Kind) => runs.findLast((run) => run.on === on) as Run;
  const steps = (on: Kind) =>
    Object.fromEntries(
      largest(on).others.map(([name, { ms }]) => [name, round(ms / largest(on).rows)]),
    ) as never;
  const all = Object.values(largest('file').result.costs ?? {});
  const sum = (key: 'besideMs' | 'requests') => all.reduce((total, cost) => total + cost[key], 0);
  return {
    flushMs: flush,
    serviceMs: round(sum('besideMs') / sum('requests')),
    file: of('file'),
    server: of('server'),
    bytes: { file: largest('file').bytes, server: largest('server').bytes },
    steps: { file: steps('file'), server: steps('server') },
  };
}

/** What a row costs is what is left when its share of the commits is taken off. */
function stageUnits(stage: Stage, few: Run, many: Run): StageUnits {
  const each = (run: Run, key: 'cpuMs' | 'serverMs' | 'requests') =>
    (run.result.costs?.[stage]?.[key] ?? Number.NaN) / run.rows;
  const shared = (run: Run) => run.commits[stage] / run.rows;
  const split = (key: 'cpuMs' | 'serverMs') => {
    const commit = Math.max(0, (each(few, key) - each(many, key)) / (shared(few) - shared(many)));
    return [round(Math.max(0, each(many, key) - commit * shared(many))), round(commit)] as const;
  };
  const [[rowMs, commitMs], [serverRowMs, serverCommitMs]] = [split('cpuMs'), split('serverMs')];
  return { rowMs, commitMs, serverRowMs, serverCommitMs, requests: round(each(many, 'requests')) };
}

const round = (value: number) => Number(value.toPrecision(3));

/** How long the disk takes until a small write is durable, in ms. */
function flushMs(folder: string): number {
  const file = openSync(join(folder, 'flush'), 'w');
  const times = Array.from({ length: PROBES }, () => {
    writeSync(file, Buffer.alloc(4_096));
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return round(median(times));
}

function shownOf({ on, latencyMs, inFlight, rows, result, others }: Run): string {
  const steps = others.map(([name, { ms }]) => `${name} ${((ms * 1_000) / rows).toFixed(0)} µs`);
  return `${on} ${inFlight} at ${latencyMs} ms: ${result.note}, ${steps.join(', ')}`;
}
