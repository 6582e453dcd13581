/**
 * One round: a batch, some blows, then runs until nothing is left to do, then the verdict.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../builders/office.ts';
import type { Compiled } from './compiled.ts';
import type { Blow } from './plan.ts';
import { FAULTS, type Service } from './service.ts';
import { openTarget, payoutFile, type Target } from './target.ts';
import { linesOf, violations } from './verdict.ts';

export interface RoundPlan {
  readonly accounts: readonly string[];
  readonly concurrency: number;
  readonly blows: readonly Blow[];
}

export interface RoundResult {
  readonly violations: readonly string[];
  /** Where processes died, e.g. `J4 after`; a process that was killed by the clock is `TIME`. */
  readonly deaths: readonly string[];
  /** What one whole run did to the world, for aiming. */
  readonly events: number;
  readonly doubts: number;
  /** The files, kept when something is wrong. */
  readonly folder: string;
}

const REPORT = 'may.json';
const RUNS_MAX = 5;
export const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=9999999', '--new-ledger'];
const WORDS = [...RUN, '--report', REPORT, '--deadline', '20s'];

export async function playRound(plan: RoundPlan, compiled: Compiled, service: Service): Promise<RoundResult> {
  const target = openTarget(compiled, service, { PAYFILE_CONCURRENCY: String(plan.concurrency) });
  const found: string[] = [];
  let deaths = 0;
  writeFileSync(join(target.folder, 'may.csv'), payoutFile(plan.accounts));
  for (const blow of plan.blows) {
    const isRuling = blow.kind === 'boundary' && blow.label === 'J7';
    const ended = await (isRuling ? rule(target, service, plan, blow) : target.run(WORDS, blow));
    if (ended?.signal === 'SIGKILL') deaths += 1;
    else if (ended !== undefined && !isGood(ended))
      found.push(`a run ended ${ended.code}: ${ended.stderr.slice(-400)}`);
  }
  found.push(...(await finish(target)));
  if (found.length === 0) {
    const seen = await service.seen(plan.accounts);
    const faulty = plan.accounts.filter((account) =>
      Object.values(FAULTS).some((end) => account.endsWith(end)),
    );
    const doubtsMax = deaths * plan.concurrency + faulty.length;
    found.push(...(await violations(target, { accounts: plan.accounts, seen, doubtsMax, report: REPORT })));
  }
  return resultOf(target, found, deaths);
}

function resultOf(target: Target, found: readonly string[], deaths: number): RoundResult {
  const trace = target.trace();
  const named = trace.filter((line) => line.startsWith('kill ')).map((line) => line.slice(5));
  const byClock = Array.from({ length: Math.max(0, deaths - named.length) }, () => 'TIME');
  const events = Math.max(
    0,
    ...trace.filter((line) => line.startsWith('events ')).map((line) => Number(line.slice(7))),
  );
  const doubts =
    found.length > 0 ? 0 : linesOf(target, REPORT).filter(({ status }) => status === 'in_doubt').length;
  if (found.length === 0) target.close();
  return { violations: found, deaths: [...named, ...byClock], events, doubts, folder: target.folder };
}

/** 0 settled, 3 some held or refused, 4 on their way, 5 some in doubt, 6 run again. */
const isGood = ({ code }: Ended) => code !== null && [0, 3, 4, 5, 6].includes(code);
const isDone = ({ code, stderr }: Ended) => [0, 3, 5].includes(code ?? 1) && !stderr.includes('run again');

/** As a person would: run again, and lift a pause. */
async function finish(target: Target): Promise<string[]> {
  let last: Ended | undefined;
  for (let runs = 0; runs < RUNS_MAX; runs += 1) {
    last = await target.run(WORDS);
    const waiting = linesLeft(target);
    if (isDone(last) && waiting === 0) return [];
    if (!isGood(last)) return [`the last run ended ${last.code}: ${last.stderr.slice(-600)}`];
    if (last.stderr.includes('paused')) await target.run(['resume', 'may']);
  }
  return [`nothing more to do is not reached: ${last?.code} ${last?.stderr.slice(-600)}`];
}

function linesLeft(target: Target): number {
  const left = ['planned', 'quoted', 'approved', 'sending', 'accepted'];
  return linesOf(target, REPORT).filter(({ status }) => left.includes(status)).length;
}

/** A person rules on the first row in doubt, with what the service's own book says, and is killed meanwhile. */
async function rule(
  target: Target,
  service: Service,
  plan: RoundPlan,
  blow: Blow,
): Promise<Ended | undefined> {
  await target.run(WORDS);
  const line = linesOf(target, REPORT).find(({ status }) => status === 'in_doubt');
  if (line === undefined) return undefined;
  const seen = await service.seen(plan.accounts);
  const id = seen.find(({ account, executed }) => account === line.original.Account && executed)?.id;
  const [said, accept] = id === undefined ? [['--not-paid'], 'not-paid'] : [['--paid', id], 'paid'];
  const evidence = ['--evidence', 'the book of the service'];
  const words = ['resolve', 'may', String(line.row), ...said, ...evidence, '--accept', accept];
  const ended = await target.run(words, blow);
  await target.run(words);
  return ended.signal === 'SIGKILL' ? ended : undefined;
}
