/**
 * One round of a fleet: a batch is asked for, faults happen, everything comes back, the batch is run until nothing is left
 * to do, and the service's book judges:
 *
 * A        at most one request per row that executed, and none for a row that is said to be unpaid.
 * B        every row of the file once in the report, in one named state; the books tie.
 * D        no more rows in doubt than transfers that those who were hit had in flight.
 */
import { writeFileSync } from 'node:fs';
import type { Ended, Running } from '../builders/office.ts';
import { type Line, linesOf, rowViolations } from '../kill/verdict.ts';
import type { Fault, FleetRound, Moment } from './draw-faults.ts';
import { CONCURRENCY, OWN_LANES, SETTINGS, type Site, within } from './site.ts';

export interface RoundResult {
  readonly violations: readonly string[];
  /** What really happened, in order. */
  readonly happened: readonly string[];
  readonly doubts: number;
  readonly doubtsMax: number;
  /** From the end of the last fault until nothing was left to do; undefined where nothing happened. */
  readonly recoveryMs: number | undefined;
  readonly ms: number;
  readonly codes: readonly (number | null)[];
}

/** What a worker has in flight at the most. */
const IN_FLIGHT = OWN_LANES * CONCURRENCY;
/** For what hangs: a busy machine takes long. */
const ROUND_MS = 400_000;
const BUSY = 75;
const TRIES_MAX = 60;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is known of a round that is being played. Others may be played at the same site beside it. */
interface Played {
  readonly site: Site;
  readonly round: FleetRound;
  readonly number: number;
  readonly startedMs: number;
  readonly faulty: string[];
  readonly codes: (number | null)[];
  isAskerHit: boolean;
}

const batchOf = ({ number }: Pick<Played, 'number'>) => `b${number}`;

export async function playFleetRound(round: FleetRound, number: number, site: Site): Promise<RoundResult> {
  const startedMs = performance.now();
  const played: Played = { site, round, number, startedMs, faulty: [], codes: [], isAskerHit: false };
  const accounts = accountsOf(number, round.rows);
  site.office.file(`${batchOf(played)}.csv`, payoutFile(accounts, number));
  let lines: readonly Line[] = [];
  try {
    await site.fillUp();
    if (round.blow !== undefined) await site.replace(round.blow.worker, round.blow.blow);
    await within(ROUND_MS, 'it did not come to an end', play(played));
    lines = linesOf(site.office, `${batchOf(played)}.json`);
    played.faulty.push(...judge(played, accounts, lines));
  } catch (error) {
    played.faulty.push(String(error));
  }
  const endedMs = performance.now();
  if (played.faulty.length > 0) await keepTraces(played);
  const hits = hitsOf(played);
  const last = hits.at(-1);
  return {
    ...{ violations: played.faulty, codes: played.codes, happened: hits.map(({ what }) => what) },
    doubts: lines.filter(({ status }) => status === 'in_doubt').length,
    doubtsMax: doubtsMaxOf(played),
    recoveryMs: last === undefined ? undefined : endedMs - last.atMs,
    ms: endedMs - startedMs,
  };
}

const hitsOf = ({ site, startedMs }: Played) => site.hits.filter(({ atMs }) => atMs >= startedMs);
const doubtsMaxOf = (played: Played) =>
  IN_FLIGHT * hitsOf(played).reduce((sum, { workers }) => sum + workers, 0);

async function play(played: Played): Promise<void> {
  const { site, round } = played;
  const asker = ask(played);
  let isOver = false;
  let isEnded = false;
  void asker.ended.then(() => {
    isEnded = true;
  });
  const keeping = keepWorkers(played, () => isOver);
  const faults = round.faults.map(async (fault) => {
    if (await comes(fault.at, played, () => isEnded)) await befall(fault, asker, played);
  });
  try {
    const first = await asker.ended;
    await Promise.all(faults);
    played.codes.push(first.code);
    if (!played.isAskerHit && first.code === null)
      played.faulty.push(`whoever asked ended by ${first.signal}`);
    if (!isDone(first) || rowsLeft(played) > 0) await finish(played);
  } finally {
    isOver = true;
    await keeping;
  }
  const fallen = hitsOf(played).filter(({ what }) => / ended \d+:/.test(what));
  // A worker may give up where the server went away for long, and only there.
  const isServerHit = site.hits.some(({ what }) => /server|cut|partition|stop/.test(what));
  if (!isServerHit) played.faulty.push(...fallen.map(({ what }) => what));
}

const RUN_MS = '60s';
function ask(played: Played): Running {
  const batch = batchOf(played);
  const words = ['--batch', batch, '--max-total', 'GHS=9999999', '--report', `${batch}.json`];
  return played.site.office.start(['run', `${batch}.csv`, ...words, '--deadline', RUN_MS, '--json']);
}

/** Dead workers are started again while the batch is under way, where the round says so. */
async function keepWorkers({ site, round }: Played, isOver: () => boolean): Promise<void> {
  while (!isOver() && round.isRestarted) {
    await pause(200);
    // The server may be away.
    if (site.living.length < site.size && !isOver()) await site.fillUp().catch(() => undefined);
  }
}

/** False when it never came to that. */
async function comes(at: Moment, played: Played, isOver: () => boolean): Promise<boolean> {
  const { site, startedMs, number } = played;
  while (!isOver()) {
    if (at.kind === 'rows' && site.executed(beginOf(number)) >= at.rows) return true;
    if (at.kind === 'ms' && performance.now() - startedMs >= at.ms) return true;
    if (at.kind === 'led' && (await site.leader().catch(() => undefined)) !== undefined) return true;
    await pause(at.kind === 'led' ? 100 : 5);
  }
  return false;
}

async function befall(fault: Fault, asker: Running, played: Played): Promise<void> {
  const { site } = played;
  const hit = (index: number, signal: NodeJS.Signals) => {
    const worker = site.workers[index];
    if (worker === undefined || worker.ended !== undefined) return undefined;
    worker.isHit = true;
    worker.running.child.kill(signal);
    return worker;
  };
  switch (fault.kind) {
    case 'kill':
    case 'end':
      for (const index of fault.workers)
        if (hit(index, fault.kind === 'kill' ? 'SIGKILL' : 'SIGTERM') !== undefined)
          site.hit(`${fault.kind} ${index}`, fault.kind === 'kill' ? 1 : 0);
      return;
    case 'kill_leader': {
      const leader = await site.leader();
      if (leader !== undefined && hit(leader.index, 'SIGKILL') !== undefined) site.hit('kill_leader', 1);
      return;
    }
    case 'stop': {
      const stopped = fault.workers.flatMap((index) => hit(index, 'SIGSTOP') ?? []);
      await pause(fault.ms);
      for (const { running, index } of stopped) {
        running.child.kill('SIGCONT');
        site.hit(`stop ${index} for ${fault.ms} ms`, 1);
      }
      return;
    }
    case 'kill_asker':
    case 'end_asker':
      played.isAskerHit = true;
      asker.child.kill(fault.kind === 'kill_asker' ? 'SIGKILL' : 'SIGINT');
      return site.hit(fault.kind, 0);
    case 'cut_commit':
      await site.proxy?.swallowAnswerTo('COMMIT', 'begin_attempt');
      return site.hit('cut_commit', 1);
    case 'kill_server':
    case 'partition':
      return site.alone(() => takeAway(fault, site));
  }
}

/** The server, or the way there of one worker, for some time. */
async function takeAway(
  { kind, ms }: Extract<Fault, { readonly kind: 'kill_server' | 'partition' }>,
  site: Site,
): Promise<void> {
  const isServer = kind === 'kill_server';
  site.hit(`${kind} for ${ms} ms`, isServer ? site.size : 1);
  await (isServer ? site.server.kill() : site.proxy?.freeze(true));
  await pause(ms);
  await (isServer ? site.server.start(SETTINGS) : site.proxy?.freeze(false));
  site.hit(`${kind} is over`, 0);
}

/** 0 settled, 3 some held or refused, 5 some in doubt. */
const isDone = ({ code, stderr }: Ended) => [0, 3, 5].includes(code ?? 1) && !stderr.includes('run again');

/** As a person would: run again until nothing is left. */
async function finish(played: Played): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const ended = await ask(played).ended;
    played.codes.push(ended.code);
    if (isDone(ended) && rowsLeft(played) === 0) return;
    if (ended.code === 70 || ended.code === 1)
      throw new Error(`the last run ended ${ended.code}: ${ended.stderr.slice(-600)}`);
    if (ended.stderr.includes('paused')) throw new Error(`paused: ${ended.stderr.slice(-600)}`);
    await pause(ended.code === BUSY ? 500 : 200);
  }
  throw new Error(`nothing more to do is not reached: ${played.codes.join(' ')}`);
}

function rowsLeft(played: Played): number {
  try {
    const left = ['planned', 'quoted', 'approved', 'sending', 'accepted'];
    return linesOf(played.site.office, `${batchOf(played)}.json`).filter(({ status }) =>
      left.includes(status),
    ).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function judge(played: Played, accounts: readonly string[], lines: readonly Line[]): string[] {
  const { site } = played;
  const own = beginOf(played.number);
  const seen = bookOf(site).filter(({ account }) => account.startsWith(own));
  judged.set(site, [...(judged.get(site) ?? []), ...lines]);
  return rowViolations(lines, { accounts, seen, doubtsMax: doubtsMaxOf(played) });
}

const judged = new WeakMap<Site, readonly Line[]>();

const bookOf = ({ sandbox }: Site) =>
  sandbox.book.entries().map(({ account, id }) => ({ account, executed: true, id, isAnswered: true }));

/** All rounds of a site once more, by what its book says now: nothing may have been paid after its batch was over. */
export function judgeSite(site: Site): string[] {
  const executed = new Map<string, number>();
  for (const { account } of bookOf(site)) executed.set(account, (executed.get(account) ?? 0) + 1);
  const twice = [...executed]
    .filter(([, times]) => times > 1)
    .map(([account]) => `A: ${account} was paid twice`);
  const wrong = (judged.get(site) ?? []).filter(({ original, transfer_id: id, status }) => {
    const times = executed.get(original.Account) ?? 0;
    return id !== null ? times !== 1 : times > 0 && status !== 'in_doubt';
  });
  return [
    ...site.bugs,
    ...twice,
    ...wrong.map(({ original, status }) => `A: ${original.Account} (${status}) is not what the book says`),
  ];
}

async function keepTraces(played: Played): Promise<void> {
  const { site, faulty } = played;
  const batch = batchOf(played);
  const journal = await site
    .ask(
      `SELECT j.* FROM payfile.journal j JOIN payfile.batches b ON b.id = j.batch WHERE b.name = '${batch}' ORDER BY j.seq`,
    )
    .catch((error: unknown) => [String(error)]);
  const works = await site.ask('SELECT * FROM payfile_jobs.fleet_works ORDER BY asked_at').catch(() => []);
  const parts = await site.ask('SELECT * FROM payfile_jobs.fleet_parts').catch(() => []);
  const jobs = await site.ask('SELECT * FROM payfile_jobs.job ORDER BY created_on').catch(() => []);
  const workers = site.workers.map(({ index, said, ended, running }) => ({
    index,
    said,
    code: ended?.code,
    pid: running.child.pid,
  }));
  const text = JSON.stringify(
    { batch, faulty, hits: hitsOf(played), workers, works, parts, jobs, journal },
    bigText,
    1,
  );
  writeFileSync(site.office.at(`found-${batch}.json`), text);
}

const bigText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const beginOf = (round: number) => `1${String(round).padStart(10, '0')}`;

function accountsOf(round: number, rows: number): string[] {
  return Array.from(
    { length: rows },
    (_, row) => `1${String(round).padStart(10, '0')}${String(row).padStart(2, '0')}`,
  );
}

function payoutFile(accounts: readonly string[], round: number): string {
  const lines = accounts.map((account, row) => `R${round}-${row + 1},GH,GCB Bank,${account},${50 + row}.00`);
  return `${['Reference,Country,Institution,Account,Amount', ...lines].join('\n')}\n`;
}
