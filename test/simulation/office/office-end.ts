/**
 * The end of an office's history: what was approved is sent, what is on its way is looked up, and nothing more is agreed
 * to. Then every row of every file stands in its report once, the totals tie, and the journal fits.
 */

import { placeNames } from '../../../src/domain/payouts/payout.ts';
import type { ReportLine } from '../../../src/domain/reporting/report-line.ts';
import type { Reported } from '../../../src/use-cases/report/report-batch.ts';
import { summaryOf } from '../../builders/batch-state.ts';
import { randomOf } from '../../builders/random.ts';
import type { Known } from '../../simulated-world/durable-watch.ts';
import { checkIds, checkJournal, isForAPerson } from '../../simulated-world/end-check.ts';
import type { Told } from '../../simulated-world/oracle.ts';
import { isWholeFile, linesOf } from '../../simulated-world/shown-plan.ts';
import { settledMinor, type ToldPayout, untruths } from '../../simulated-world/told-judge.ts';
import { resumeBatch, sendBatch, settleBatch } from './decisions.ts';
import { batchNumber, type Hand, type Office, pass, payoutsOf } from './office.ts';

const DAY_MS = 25 * 3_600_000;
/** A lease that was taken over, or a worker that stood still, costs a day more. */
const JUMPS_MS = [60_000, 11 * 60_000, DAY_MS, DAY_MS, DAY_MS] as const;
/** After so many nothing is awaited any more where all has ended. */
const JUMPS_LEAST = 3;

export async function endOffice(office: Office): Promise<void> {
  await finishOffice(office);
  await checkOffice(office, await lookTwice(office));
}

async function finishOffice(office: Office): Promise<void> {
  const { scene, sheets } = office;
  const hand: Hand = { user: 'eve', random: randomOf(scene.seed) };
  for (const [at, jump] of JUMPS_MS.entries()) {
    const isOpen = [...scene.watch.payouts.values()].some(({ payout }) =>
      ['sending', 'accepted'].includes(payout.state.status),
    );
    if (at >= JUMPS_LEAST && !isOpen) return;
    const isLast = at === JUMPS_LEAST - 1;
    scene.scheduler.jump(jump);
    // A jump is silence of all; workers that lead a sending come to themselves first.
    if (scene.fleet !== undefined) await pass(scene, 60_000);
    for (const sheet of sheets) {
      const payouts = payoutsOf(sheet.batch, office);
      const has = (...statuses: readonly string[]) =>
        payouts.some(({ payout }) => statuses.includes(payout.state.status));
      if (has('approved', 'sending')) {
        await resumeBatch(sheet, hand, office);
        await sendBatch(sheet, hand, office);
      }
      if (has('sending', 'accepted') || (isLast && has('settled'))) await settleBatch(sheet, hand, office);
    }
  }
}

/** What the service said in the last two rounds of looks, by transfer. */
type Looks = readonly [ReadonlyMap<string, Told['status']>, ReadonlyMap<string, Told['status']>];

/** People look at everything once more, and again a day later. */
async function lookTwice(office: Office): Promise<Looks> {
  const { oracle, scheduler, seed } = office.scene;
  const hand: Hand = { user: 'eve', random: randomOf(seed) };
  const round = async () => {
    const from = oracle.told.length;
    scheduler.jump(DAY_MS);
    if (office.scene.fleet !== undefined) await pass(office.scene, 60_000);
    for (const sheet of office.sheets) await settleBatch(sheet, hand, office);
    return new Map(oracle.told.slice(from).map(({ id, status }) => [id, status]));
  };
  return [await round(), await round()];
}

async function checkOffice(office: Office, looks: Looks): Promise<void> {
  const { scene, sheets } = office;
  if (!office.isTampered) for (const { batch } of sheets) await checkBatch(batch, looks, office);
  for (const known of scene.watch.payouts.values()) {
    const { status } = known.payout.state;
    if (['sending', 'accepted'].includes(status) && !isForAPerson(known, scene))
      scene.judge.violation(`payout ${known.id} is still ${status} although nothing fails any more`);
  }
  checkIds(scene);
  if (!office.isTampered) await checkJournal(scene);
}

async function checkBatch(name: string, looks: Looks, office: Office): Promise<void> {
  const number = batchNumber(name, office);
  if (number === undefined) return;
  const { onlooker, scene, filesBySha } = office;
  const { judge } = scene;
  const summary = await summaryOf(onlooker.payfile, name);
  const { file, halfRead } = summary.batch;
  // Whoever brings the file again has it read to its end.
  if (halfRead !== undefined) return;
  const { ties, parts } = summary.totals;
  if (!ties) judge.violation(`B: the report of ${name} does not tie: ${parts.join('; ')}`);
  const lines = await linesOf(name, onlooker);
  const rows = filesBySha.get(file.sha256);
  if (rows === undefined) judge.violation(`B: ${name} is of a file that nobody brought`);
  else if (!isWholeFile(lines, rows))
    judge.violation(`B: the report of ${name} has not the rows of its file`);
  for (const line of lines) {
    const written = line.cells[file.columns.get('account') ?? -1];
    if (line.status !== 'invalid' && written !== line.account.reveal())
      judge.violation(
        `money: row ${line.row} of ${name} says ${written}, its payment ${line.account.reveal()}`,
      );
  }
  checkTold({ name, number, lines, summary }, looks, office);
  const sent = new Set(scene.oracle.book.flatMap(({ tag }) => rootOf(tag, number, office)));
  const shown = lines.filter(({ attempts, texts }) => attempts > 0 || texts.replaces !== '').length;
  if (shown < sent.size)
    judge.violation(`B: ${sent.size} rows of ${name} were sent, the report shows ${shown}`);
}

interface BatchReport {
  readonly name: string;
  readonly number: number;
  readonly lines: readonly ReportLine[];
  readonly summary: Pick<Reported, 'outcome' | 'totals'>;
}

function checkTold({ name, number, lines, summary }: BatchReport, looks: Looks, office: Office): void {
  const { judge, watch } = office.scene;
  const payouts = [...watch.payouts.values()].flatMap((known) =>
    known.batch === number ? (toldPayout(known, lines, { looks, office }) ?? []) : [],
  );
  for (const text of untruths(summary.outcome.exitCode, payouts)) judge.violation(`told: ${name}: ${text}`);
  const sum = settledMinor(payouts);
  const settled = summary.totals.currencies.reduce(
    (all, { groups }) => all + Number(groups.settled.minor),
    0,
  );
  if (sum !== undefined && sum !== settled)
    judge.violation(`told: ${name}: ${settled} has settled as reported, and ${sum} as the service shows it`);
}

/** undefined where the service has no transfer of it, or gave it the id of another payment's. */
function toldPayout(
  { id, root, isInFile, payout: { instruction, rowNumber, state } }: Known,
  lines: readonly ReportLine[],
  { looks, office }: { readonly looks: Looks; readonly office: Office },
): ToldPayout | undefined {
  const { oracle } = office.scene;
  if (instruction === undefined || !('transferId' in state) || state.transferId === undefined)
    return undefined;
  const { transferId } = state;
  const execution = oracle.byId(transferId);
  if (execution === undefined || execution.tag !== state.tag) return undefined;
  const { country, institution } = placeNames(instruction, state.pricing);
  const said = (map: Looks[number]) => (map.has(transferId) ? map.get(transferId) : 'not_asked');
  const last = said(looks[1]);
  return {
    ...{ payout: id, root, status: state.status, asked: Number(instruction.amount.minor) },
    line: isInFile ? lines.find(({ row }) => row === rowNumber) : undefined,
    said: [said(looks[0]), last],
    ever: oracle.told.filter((each) => each.id === transferId).map(({ status }) => status),
    isAlike: execution.country === country && execution.institution === institution,
    isAccepted: office.accepted.has(id) && JSON.stringify(office.accepted.get(id)) === JSON.stringify(last),
  };
}

function rootOf(tag: string, batch: number, { scene }: Office): number[] {
  const known = scene.watch.ofTag(tag);
  return known?.batch === batch ? [known.root] : [];
}
