/**
 * What the simulation says of many rows a day, as the guide to the fleet has it; and beside what was measured.
 *
 * Usage:   node test/bench/scale-page.ts
 */
import { type Machines, rateOf } from './scale-model.ts';
import { type Case, type Kind, type Point, STAGES, type Stage, UNITS } from './scale-units.ts';

/** Each worker on a machine of its own; the ledger's server has four cores, and answers over a network in half a millisecond. */
const APART: Machines = { cores: 4, isShared: false, networkMs: 0.5 };
const LATENCY_MS = 50;
const HOURS_MAX = 8;
const WORKERS = [1, 2, 4, 8, 16, 32];
const DAYS = 365;

interface Scale {
  readonly rows: number;
  readonly on: Kind;
  readonly workers: number;
  readonly inFlight: number;
}
const ON_PAPER: readonly Scale[] = [
  { rows: 1e5, on: 'file', workers: 1, inFlight: 8 },
  { rows: 1e6, on: 'file', workers: 1, inFlight: 64 },
  { rows: 1e6, on: 'server', workers: 4, inFlight: 16 },
  enough({ rows: 1e7, on: 'server', inFlight: 32 }),
];

/** As few workers as end within the hours. */
function enough(scale: Omit<Scale, 'workers'>): Scale {
  const all = WORKERS.map((workers) => ({ ...scale, workers }));
  return all.find((one) => foundOf(one).hours.all <= HOURS_MAX) ?? (all.at(-1) as Scale);
}

function foundOf(scale: Scale) {
  const { rows, on, workers } = scale;
  const { steps, bytes, connections } = UNITS;
  const stages = STAGES.map((stage) => ({
    ...{ stage, requests: UNITS[on][stage].requests },
    ...rateOf({ ...scale, stage, latencyMs: LATENCY_MS }, UNITS, APART),
  }));
  const hoursOf = (name: Stage) => rows / (stages.find(({ stage }) => stage === name)?.rate ?? 0) / 3_600;
  const alone = (ms: number, count: number) => (count * ms) / 3_600_000;
  const [read, report] = [alone(steps[on].check, rows), alone(steps[on].report, rows)].map(
    (h) => h / workers,
  );
  const hours = {
    read: read ?? 0,
    price: hoursOf('price'),
    send: hoursOf('send'),
    settle: hoursOf('settle'),
    report: report ?? 0,
  };
  const most = (of: (stage: (typeof stages)[number]) => number) => Math.max(...stages.map(of));
  return {
    hours: { ...hours, all: Object.values(hours).reduce((sum, each) => sum + each, 0) },
    requests: most(({ rate, requests }) => rate * requests),
    connections: on === 'server' ? connections * workers : 0,
    commits: most(({ rate, commits }) => rate * commits),
    cores: most(({ serverCores }) => serverCores),
    day: {
      all: rows * bytes[on].row,
      journal: rows * bytes[on].journal,
      wal: rows * bytes[on].wal,
      copy: rows * bytes[on].copy,
    },
    verify: alone(steps[on].verify, rows),
  };
}

function hours(value: number): string {
  if (value < 0.01) return '< 0.01';
  return value.toFixed(value < 0.995 ? 2 : value < 99.5 ? 1 : 0);
}
function size(bytes: number): string {
  if (bytes === 0) return '–';
  const [unit, by] = bytes < 1e12 ? ['GB', 1e9] : ['TB', 1e12];
  const value = bytes / by;
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${unit}`;
}
const whole = (value: number) => Math.round(value).toLocaleString('en');
const orNone = (value: number, shown: string) => (value === 0 ? '–' : shown);

/** The table of the guide, and how far the simulation is from what was measured. */
export function scaleText(): string {
  const found = ON_PAPER.map((scale) => ({ ...scale, ...foundOf(scale) }));
  type Found = (typeof found)[number];
  const lines: readonly (readonly [string, (of: Found) => string])[] = [
    ['Rows a day', ({ rows }) => whole(rows)],
    ['Ledger', ({ on }) => on],
    ['Workers × transfers at once', ({ workers, inFlight }) => `${workers} × ${inFlight}`],
    ['Hours: read the files', (of) => hours(of.hours.read)],
    ['Hours: names and fees', (of) => hours(of.hours.price)],
    ['Hours: send', (of) => hours(of.hours.send)],
    ['Hours: look up once', (of) => hours(of.hours.settle)],
    ['Hours: reports', (of) => hours(of.hours.report)],
    ['Hours in all', (of) => hours(of.hours.all)],
    ['Requests a second, at most', (of) => whole(of.requests)],
    ['Transfer connections, at most', ({ workers, inFlight }) => whole(2 * workers * inFlight)],
    ['Connections to PostgreSQL', (of) => orNone(of.connections, whole(of.connections))],
    ['Commits a second, at most', (of) => whole(of.commits)],
    ['Cores of PostgreSQL, at most', (of) => orNone(of.cores, of.cores.toFixed(1))],
    ['Ledger, a day', (of) => size(of.day.all)],
    ['– of that the journal', (of) => size(of.day.journal)],
    ['Ledger, a year', (of) => size(of.day.all * DAYS)],
    ['– of that the journal', (of) => size(of.day.journal * DAYS)],
    ['Log of PostgreSQL, a day', (of) => size(of.day.wal)],
    ['One backup after a day', (of) => size(of.day.copy)],
    ['One backup after a year', (of) => size(of.day.copy * DAYS)],
    ['Hours: verify a day’s rows', (of) => hours(of.verify)],
    ['Hours: verify a year’s rows', (of) => hours(of.verify * DAYS)],
  ];
  return lines
    .map(([name, of]) => `    ${name.padEnd(30)}${found.map((one) => of(one).padStart(13)).join('')}`)
    .join('\n');
}

export interface Compared extends Point {
  readonly simulated: number;
  /** 0.1: a tenth more or less than measured. */
  readonly error: number;
}

export function comparedPoints(): readonly Compared[] {
  return UNITS.points.map((point) => {
    const { rate } = rateOf(point satisfies Case, UNITS);
    return { ...point, simulated: rate, error: rate / point.rate - 1 };
  });
}

/** The nearer half; then all where one core of the two was free, and all where it was not. */
export function errorText(): string {
  const errorsOf = (points: readonly Compared[]) =>
    points.map(({ error }) => Math.abs(error)).sort((one, other) => one - other);
  const points = comparedPoints();
  const free = points.filter(({ others = 0 }) => others <= 1);
  const busy = points.filter((point) => !free.includes(point));
  const within = (error = 0) => `within ${Math.ceil(100 * error)} %`;
  const half = errorsOf(points)[Math.ceil(points.length / 2) - 1];
  return (
    `${points.length} rates were measured. The simulation finds half of them ${within(half)}. Where other work left one of ` +
    `the two cores free, it finds all ${within(errorsOf(free).at(-1))}, elsewhere ${within(errorsOf(busy).at(-1))}.`
  );
}

if (import.meta.main) {
  for (const { on, stage, workers, inFlight, latencyMs, others, rate, simulated, error } of comparedPoints())
    console.log(
      `${on.padEnd(7)} ${stage.padEnd(7)} ${workers} × ${String(inFlight).padEnd(3)} ${String(latencyMs).padStart(3)} ms, others ` +
        `${others?.toFixed(2) ?? '–'} cores: measured ${rate.toFixed(0)}/s, simulated ${simulated.toFixed(0)}/s (${(100 * error).toFixed(0)} %)`,
    );
  console.log(`${errorText()}\n${scaleText()}`);
}
