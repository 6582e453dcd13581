/**
 * The end of an office's history: what was approved is sent, what is on its way is looked up, and nothing more is agreed
 * to. Then every row of every file stands in its report once, the totals tie, and the journal fits.
 */

import { randomOf } from '../../builders/random.ts';
import { checkIds, checkJournal, isForAPerson } from '../../simulated-world/end-check.ts';
import { isWholeFile, linesOf } from '../../simulated-world/shown-plan.ts';
import { resumeBatch, sendBatch, settleBatch } from './decisions.ts';
import { batchNumber, type Hand, type Office, pass, payoutsOf } from './office.ts';

const DAY_MS = 25 * 3_600_000;
/** A lease that was taken over, or a worker that stood still, costs a day more. */
const JUMPS_MS = [60_000, 11 * 60_000, DAY_MS, DAY_MS, DAY_MS] as const;
/** After so many nothing is awaited any more where all has ended. */
const JUMPS_LEAST = 3;

export async function finishOffice(office: Office): Promise<void> {
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

export async function checkOffice(office: Office): Promise<void> {
  const { scene, sheets } = office;
  if (!office.isTampered) for (const { batch } of sheets) await checkBatch(batch, office);
  for (const known of scene.watch.payouts.values()) {
    const { status } = known.payout.state;
    if (['sending', 'accepted'].includes(status) && !isForAPerson(known, scene))
      scene.judge.violation(`payout ${known.id} is still ${status} although nothing fails any more`);
  }
  checkIds(scene);
  if (!office.isTampered) await checkJournal(scene);
}

async function checkBatch(name: string, office: Office): Promise<void> {
  const number = batchNumber(name, office);
  if (number === undefined) return;
  const { onlooker, scene, filesBySha } = office;
  const { judge } = scene;
  const summary = await onlooker.payfile.report(name);
  const { file, halfRead } = summary.batch;
  // Whoever brings the file again has it read to its end.
  if (halfRead !== undefined) return;
  if (!summary.ties) judge.violation(`B: the report of ${name} does not tie: ${summary.parts.join('; ')}`);
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
  const sent = new Set(scene.oracle.book.flatMap(({ tag }) => rootOf(tag, number, office)));
  const shown = lines.filter(({ attempts, texts }) => attempts > 0 || texts.replaces !== '').length;
  if (shown < sent.size)
    judge.violation(`B: ${sent.size} rows of ${name} were sent, the report shows ${shown}`);
}

function rootOf(tag: string, batch: number, { scene }: Office): number[] {
  const known = scene.watch.ofTag(tag);
  return known?.batch === batch ? [known.root] : [];
}
