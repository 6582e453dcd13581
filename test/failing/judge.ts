/**
 * The judge of every history: the service's own book against the ledger and the report. It answers with
 * complaints; none means that nothing was paid twice, nothing was lost, and what is not known is said.
 */

import type { Batch } from '../../src/domain/batches/batch.ts';
import type { Payout, Status } from '../../src/domain/payouts/payout.ts';
import { meaningOf } from '../../src/domain/payouts/poll-answer.ts';
import { hoursMs } from '../../src/domain/policy.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { writeReport } from '../../src/use-cases/report/report-batch.ts';
import type { Executed } from '../fakes/scripted-payment-service.ts';
import type { Strike } from './fault.ts';
import type { Scenario } from './scenario.ts';
import type { Scene } from './scene.ts';

export async function judge(
  scenario: Scenario,
  scene: Scene,
  strike: Strike | undefined,
): Promise<readonly string[]> {
  const ledger = scene.ledger();
  const complaints: string[] = [];
  const batches = await ledger.batches();
  const all: ReportRow[] = [];
  for (const batch of batches) {
    // What an import left behind that died: nothing was ever agreed to in it.
    if (batch.isImporting) continue;
    const rows: ReportRow[] = [];
    for await (const page of ledger.reportRows(batch.id)) rows.push(...page);
    all.push(...rows);
    complaints.push(
      ...endsOtherwise(scenario, batch, rows, strike),
      ...(await reportParts(batch, rows, scene)),
    );
  }
  for (const name of Object.keys(scenario.ends))
    if (!batches.some((batch) => batch.name === name)) complaints.push(`batch ${name} is lost`);
  const payouts = all.flatMap(({ payout, replaced }) => [payout, ...replaced]);
  const { problems } = await ledger.verify();
  return [
    ...complaints,
    ...tooManyDoubts(scenario, payouts, strike),
    ...againstTheBook(payouts, scene.service.book),
    ...paidTwice(scenario, scene),
    ...problems.map((problem) => `verify: ${problem}`),
    ...(await unfinished(batches, ledger)),
  ];
}

/** Each row is where the scenario says, or in doubt, or waits for a person whom the fault itself called. */
function endsOtherwise(
  scenario: Scenario,
  batch: Batch,
  rows: readonly ReportRow[],
  strike: Strike | undefined,
): string[] {
  const ends = scenario.ends[batch.name ?? '']?.split(' ');
  if (ends === undefined) return [`batch ${batch.name ?? batch.id} was not expected`];
  if (ends.length !== rows.length) return [`${batch.name}: ${rows.length} rows, not ${ends.length}`];
  const also: Status[] = strike?.mayHold === true ? ['in_doubt', 'held'] : ['in_doubt'];
  return rows.flatMap(({ payout }, index) => {
    const allowed = [...(ends[index]?.split('|') ?? []), ...also];
    const { status } = payout.state;
    return allowed.includes(status)
      ? []
      : [`${batch.name} row ${payout.rowNumber} is ${status}, not ${ends[index]}`];
  });
}

async function reportParts(batch: Batch, rows: readonly ReportRow[], scene: Scene): Promise<string[]> {
  const ledger = scene.ledger();
  const header = {
    batch,
    environment: ledger.identity.environment,
    madeAt: scene.clock.now(),
    reissueAfterMs: hoursMs(scene.policy.reissueAfterHours),
  };
  const source = ledger.reportRows(batch.id);
  const ledgerTotals = () => ledger.totals(batch.id);
  const reported = await writeReport(source, header, { sink: undefined, ledgerTotals });
  const numbers = new Set(rows.map(({ payout }) => payout.rowNumber));
  return [
    ...(reported.ties ? [] : [`${batch.name}: ${reported.parts.join('; ')}`]),
    ...(reported.lines === rows.length && numbers.size === rows.length
      ? []
      : [`${batch.name}: lines differ`]),
  ];
}

function tooManyDoubts(scenario: Scenario, payouts: readonly Payout[], strike: Strike | undefined): string[] {
  const doubts = payouts.filter(({ state }) => state.status === 'in_doubt').length;
  const because = scenario.isOnDisk === true ? strike?.doubtsMostBesideFile : strike?.doubtsMost;
  const most = (scenario.lost ?? 0) + (because ?? 0);
  return doubts <= most ? [] : [`${doubts} rows in doubt, ${most} at the most`];
}

/** What the ledger says of each instruction, held against what the service executed under its tag. */
function againstTheBook(payouts: readonly Payout[], book: readonly Executed[]): string[] {
  const complaints: string[] = [];
  const unexplained = new Set(book);
  for (const { state, rowNumber } of payouts) {
    const tag = 'tag' in state ? state.tag : undefined;
    const executed = tag === undefined ? [] : book.filter(({ note }) => note.startsWith(tag));
    for (const entry of executed) unexplained.delete(entry);
    const [least, most] = timesOf(state);
    if (executed.length < least || executed.length > most)
      complaints.push(`row ${rowNumber} is ${state.status} and was executed ${executed.length} times`);
    const id = 'transferId' in state ? state.transferId : undefined;
    if (id !== undefined && executed.length > 0 && executed[0]?.transferId !== id)
      complaints.push(`row ${rowNumber} has transfer ${id}, the book has ${executed[0]?.transferId}`);
  }
  return [...complaints, ...[...unexplained].map(({ note }) => `executed and not known: ${note}`)];
}

function timesOf(state: Payout['state']): readonly [least: number, most: number] {
  switch (state.status) {
    case 'accepted':
    case 'settled':
    case 'returned':
      return [1, 1];
    case 'in_doubt':
    case 'sending':
      return [0, 1];
    case 'failed':
      // What a person ruled wrongly is told apart by what the accounts received.
      if (state.basis === 'ruled') return [0, 1];
      return state.basis === 'service_status' ? [1, 1] : [0, 0];
    default:
      return [0, 0];
  }
}

/** What reached each account and stayed there. Knows nothing of instructions, tags or states. */
function paidTwice({ pays = {} }: Scenario, { service, policy }: Scene): string[] {
  const received = new Map<string, number>();
  for (const { account, transferId } of service.book) {
    const word = meaningOf(service.statusOf(transferId), policy);
    if (word === 'failed' || word === 'returned') continue;
    received.set(account, (received.get(account) ?? 0) + 1);
  }
  return [...received]
    .filter(([account, times]) => times > (pays[account] ?? 1))
    .map(([account, times]) => `account …${account.slice(-3)} was paid ${times} times`);
}

/** Every batch is at rest: nothing half-way is left for nobody to look at. */
async function unfinished(batches: readonly Batch[], ledger: Ledger): Promise<string[]> {
  const complaints: string[] = [];
  for (const { id, name, isImporting } of batches) {
    const { planned, quoted, approved, sending, accepted } = await ledger.counts(id);
    if (planned + quoted + approved + sending + accepted > 0 && !isImporting)
      complaints.push(
        `${name} is not finished: ${JSON.stringify({ planned, quoted, approved, sending, accepted })}`,
      );
  }
  return complaints;
}
