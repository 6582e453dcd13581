/**
 * The end of a history: all faults stop, people do what is left to do, and then everything has to be final, in
 * doubt or held, with a reason; every row of every file in the report once; and no transfer id forgotten.
 */
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { type PayoutState, placeNames } from '../../src/domain/payouts/payout.ts';
import { hoursMs } from '../../src/domain/policy.ts';
import type { ReportLine } from '../../src/domain/reporting/report-line.ts';
import type { Placed } from '../../src/use-cases/intake/place-import.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { type Reported, reportBatch } from '../../src/use-cases/report/report-batch.ts';
import { placedAs, run, runOf, stageOf, told } from './commands.ts';
import type { Known } from './durable-watch.ts';
import { isPaid, neverEnds } from './oracle.ts';
import type { Paper, Scene } from './scene.ts';
import { type Actor, sleep } from './scheduler.ts';

/** A service that asked to wait, heard under a clock that stood days ahead, is asked nothing until then. */
const ROUNDS_MAX = 16;
/** What was put off under a clock that somebody had set wrongly is due a day later. */
const DAY_MS = 25 * 3_600_000;
const JUMPS_MS = [30_000, 30_000, 30_000, 600_000, 600_000, 3_600_000] as const;
const UNFINISHED = ['planned', 'quoted', 'approved', 'sending', 'accepted'] as const;
const PEOPLE: Actor = { name: 'people', isAlive: () => true, isStopped: () => false };
/** Made anew each time: what listens to a signal that stays would be kept with it. */
const neverStopped = () => new AbortController().signal;
const PATIENT = { agrees: true, skipsInvalid: true, deadlineMs: 0 };

export interface Finishing {
  /** Whether each file is brought once more, although it is known what became of it. */
  readonly bringsAgain: boolean;
  /** The batch that this one repeats on purpose. */
  readonly repeated?: (paper: Paper) => BatchId | undefined;
}

/** Nothing fails any more; everyone comes back and finishes the work. */
export async function finishWork(scene: Scene, finishing: Finishing): Promise<void> {
  const { scheduler, papers } = scene;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    scheduler.jump(JUMPS_MS[round] ?? DAY_MS);
    // A jump is silence of all; workers that lead a sending come to themselves first.
    if (scene.fleet !== undefined) await sleep(PEOPLE, scheduler, 60_000);
    const bringsAgain = finishing.bringsAgain && round === 0;
    for (const paper of papers) await finish(paper, { ...finishing, bringsAgain }, scene);
    if (!someIncidentToCome(scene) && papers.every((paper) => isFinal(paper, scene))) break;
  }
  scheduler.jump(DAY_MS);
  for (const paper of papers) await watchReturns(paper, scene);
}

/** Somebody asks about settled rows once more, where one of them came back. */
async function watchReturns({ batchId }: Paper, scene: Scene): Promise<void> {
  const { watch, oracle, start } = scene;
  if (batchId === undefined) return;
  const someReturned = [...watch.payouts.values()].some(({ batch, payout: { state } }) => {
    if (batch !== Number(batchId) || state.status !== 'settled') return false;
    return oracle.byId(state.transferId)?.fate.kind === 'returns';
  });
  if (someReturned)
    told(scene, await start('watches').run(stageOf(batchId, 'settle', neverStopped(), { deadlineMs: 0 })));
}

async function finish(paper: Paper, { bringsAgain, repeated }: Finishing, scene: Scene): Promise<void> {
  const { batchId, trying } = paper;
  const rows = trying ?? paper.rows;
  const brings = bringsAgain || trying !== undefined || batchId === undefined;
  const options = { ...PATIENT, signal: neverStopped(), newPeriod: repeated?.(paper) };
  const onPlaced = (placed: Placed) => placedAs(paper, scene.papers, rows, placed);
  const ended = await scene.start('finishes').run(async (world, process) => {
    if (batchId !== undefined) await resume(batchId, world);
    // A file that was read in part is read to its end; until then nothing of the batch goes on.
    const isHalfRead = batchId !== undefined && (await world.ledger.batch(batchId))?.halfRead !== undefined;
    if (!brings && !isHalfRead) return runOf(batchId, options)(world, process);
    const onImported = (id: BatchId) => void scene.imported.set(Number(id), rows);
    return run({ ...options, rows, name: paper.name, onImported, onPlaced })(world, process);
  });
  told(scene, ended);
}

async function resume(batchId: BatchId, { ledger, clock }: Ports): Promise<void> {
  if ((await ledger.batch(batchId))?.pause !== undefined) await ledger.resume(batchId, 'ama', clock.now());
}

/** The service has finished what it had called failed; the ledger sees it at its next look. */
function someIncidentToCome({ watch, oracle }: Scene): boolean {
  return [...watch.payouts.values()].some(({ payout: { state } }) => {
    if (state.status !== 'failed' || state.basis !== 'service_status') return false;
    const execution = oracle.byId(state.transferId ?? '');
    return execution !== undefined && isPaid(execution);
  });
}

function currentOf(batchId: BatchId, { watch }: Scene): Known[] {
  return [...watch.payouts.values()].filter(({ batch }) => batch === Number(batchId));
}

function isFinal({ batchId, trying }: Paper, scene: Scene): boolean {
  if (batchId === undefined || trying !== undefined) return false;
  return currentOf(batchId, scene).every((known) => !isUnfinished(known, scene));
}

function isUnfinished(known: Known, scene: Scene): boolean {
  const { status } = known.payout.state;
  if (status === 'approved' && isHeldByFirst(known.batch, scene)) return false;
  return (UNFINISHED as readonly string[]).includes(status) && !isForAPerson(known, scene);
}

/** The service shows the first transfer otherwise than it was asked for: a person has to accept that, or the rest waits. */
function isHeldByFirst(batch: number, { eyes }: Scene): boolean {
  const row = eyes
    .prepare(`SELECT facts ->> '$.pause.reason' AS reason FROM batches WHERE id = ?`)
    .get(batch);
  return String(row?.reason ?? '').startsWith('the first transfer ');
}

/**
 * The service called it unpaid and showed another payment's transfer, or the name that the place has since it was asked
 * about last: only a person can say what became of it.
 */
export function isForAPerson({ payout: { instruction, state } }: Known, { oracle }: Scene): boolean {
  if (state.status !== 'accepted' || instruction === undefined) return false;
  const execution = oracle.byId(state.transferId);
  if (execution === undefined) return false;
  if (neverEnds(execution)) return true;
  // A part that came back may be the whole of another payment, which has the same id.
  if (state.suspicion?.unproven === undefined && state.shown?.back === undefined) return false;
  const { country, institution } = placeNames(instruction, state.pricing);
  return (
    execution.tag !== state.tag || execution.country !== country || execution.institution !== institution
  );
}

/** Everything that must be true when all is over. */
export async function checkEnd(scene: Scene): Promise<void> {
  for (const paper of scene.papers) await checkPaper(paper, scene);
  checkStates(scene);
  checkIds(scene);
  await checkJournal(scene);
}

/** As `payfile verify` does. */
export async function checkJournal(scene: Scene): Promise<void> {
  const ended = await scene.start('verifies').run(async ({ ledger }) => (await ledger.verify()).problems);
  if (ended.kind === 'done') for (const problem of ended.result) scene.judge.violation(`verify: ${problem}`);
  else told(scene, ended);
}

async function checkPaper(paper: Paper, scene: Scene): Promise<void> {
  const { judge } = scene;
  const { batchId } = paper;
  // A file of which not even the import worked has no batch; the one in `trying` is brought in the first round.
  if (batchId === undefined) {
    judge.violation(`B: the file ${paper.name} never became a batch`);
    return;
  }
  const ended = await scene.start('reports').run((world) => report(batchId, world));
  if (ended.kind !== 'done') return told(scene, ended);
  const { lines, reported } = ended.result;
  const { ties, parts } = reported.totals;
  if (!ties) judge.violation(`B: the report does not tie: ${parts.join('; ')}`);
  const rows = lines.map(({ row }) => row);
  const expected = filesOf(paper, batchId, scene).map((file) => file.map((_, index) => index + 2).join());
  const stored = scene.eyes
    .prepare(
      'SELECT row_number, status, position FROM payouts WHERE batch = ? AND position IS NOT NULL ORDER BY position',
    )
    .all(Number(batchId));
  if (!expected.includes(rows.join())) {
    const places = stored.map(({ row_number, position }) => `${row_number} at ${position}`).join();
    judge.violation(
      `B: the file has rows ${expected.join(' or ')}, the report has ${rows.join()}, stored are ${places}`,
    );
  }
  const inFile = stored.map((row) => `${row.row_number} ${row.status}`).join();
  const inReport = lines.map(({ row, status }) => `${row} ${status}`).join();
  if (inFile !== inReport) judge.violation(`B: stored is ${inFile}, reported is ${inReport}`);
  for (const { row, status, texts } of lines) {
    const needsReason = status !== 'settled' && status !== 'canceled';
    if (needsReason && texts.reason === '')
      judge.violation(`B: row ${row} is ${status}, and no reason is given`);
  }
}

/** What the batch was made of; also the file of a revision that broke off, for its rows may all have moved by then. */
function filesOf(paper: Paper, batchId: BatchId, { watch, imported }: Scene): readonly Paper['rows'][] {
  const files = watch.importsOf(Number(batchId)).map((id) => imported.get(id) ?? paper.rows);
  return files.length === 0 ? [paper.rows] : files;
}

async function report(
  batchId: BatchId,
  { ledger, clock, policy }: Ports,
): Promise<{ lines: ReportLine[]; reported: Reported }> {
  const batch = await ledger.batch(batchId);
  if (batch === undefined) throw new TypeError('The batch is gone');
  const lines: ReportLine[] = [];
  const sink = {
    begin: async () => undefined,
    write: async (page: readonly ReportLine[]) => void lines.push(...page),
    end: async () => undefined,
    abort: async () => undefined,
  };
  const header = {
    ...{ batch, environment: ledger.identity.environment, madeAt: clock.now() },
    reissueAfterMs: hoursMs(policy.reissueAfterHours),
  };
  const target = { path: '-', format: undefined, fullAccounts: true };
  const reported = await reportBatch(header, { ledger, openSink: async () => sink }, { target });
  return { lines, reported };
}

function checkStates(scene: Scene): void {
  const { watch, judge, papers } = scene;
  const batches = new Set(papers.map(({ batchId }) => Number(batchId)));
  for (const known of watch.payouts.values()) {
    const { id, batch, payout } = known;
    const { state } = payout;
    if (!batches.has(batch)) continue;
    if (isUnfinished(known, scene))
      judge.violation(`payout ${id} is still ${state.status} although nothing fails any more`);
    const isExplained =
      judge.unclear.has(id) ||
      (state.status === 'in_doubt' &&
        (isIdTaken(state, scene) || isTokenUnchecked(id, state, scene) || isTriedOut(id, state, scene)));
    if (state.status === 'in_doubt' && !isExplained)
      judge.violation(`payout ${id} is in doubt (${state.reason}) without a cause`);
    if (state.status === 'settled' && !known.isRuledPaid) checkSettled(known, state.transferId, scene);
    if (state.status === 'failed' && state.basis === 'service_status')
      checkFailed(id, state.transferId, scene);
  }
}

/** A wrong ruling, or a service that repeats itself, gave this row's id to another one. */
function isIdTaken({ reason }: Extract<PayoutState, { status: 'in_doubt' }>, { faults }: Scene): boolean {
  const struck = faults.struck();
  return reason === 'id_seen_before' && (struck.has('rules_wrong') || struck.has('duplicate_id'));
}

/** The answer may have meant the token alone, and the profile, which could have told, was never answered. */
function isTokenUnchecked(
  id: number,
  { reason }: Extract<PayoutState, { status: 'in_doubt' }>,
  { faults }: Scene,
): boolean {
  if (reason !== 'answer_inconclusive' || !faults.struck().has('questions_unavailable')) return false;
  const hits = faults.hitsOf(id);
  return ASK_TOKEN.some((kind) => hits.has(kind));
}

/**
 * A refused token turns a row away as a 429 does; three of either, or one of them before a refusal, and nobody knows whether
 * one was executed.
 */
function isTriedOut(
  id: number,
  { reason }: Extract<PayoutState, { status: 'in_doubt' }>,
  { judge, faults }: Scene,
): boolean {
  if (reason !== 'turned_away') return false;
  const hits = faults.hitsOf(id);
  const isRefused = REFUSES.some((kind) => hits.has(kind));
  return judge.postsOfRow(id) >= (isRefused ? 2 : 3);
}

const REFUSES = ['refused', 'refuses_after_executing', 'code_one_refusal'] as const;

const ASK_TOKEN = ['token_revoked', 'code_one_refusal', 'unauthorized_though_good'] as const;

function checkSettled({ id }: Known, transferId: string, { judge, oracle, faults }: Scene): void {
  const execution = oracle.byId(transferId);
  if (execution === undefined) {
    judge.violation(`payout ${id} is settled by a transfer nobody made`);
    return;
  }
  if (!judge.executionsOf(id).includes(execution) && !faults.hitsOf(id).has('duplicate_id'))
    judge.violation(`payout ${id} is settled by another row's transfer`);
}

/** What the service finished after all has to be an incident; it was watched all the time. */
function checkFailed(id: number, transferId: string | undefined, { judge, oracle }: Scene): void {
  const execution = oracle.byId(transferId ?? '');
  if (execution !== undefined && isPaid(execution))
    judge.violation(`payout ${id} was called failed, is finished at the service, and is no incident`);
}

/** Each id that came in a whole answer is in the ledger, or its process died with it and the row is in doubt. */
export function checkIds({ judge, watch }: Scene): void {
  for (const { id, payout, to } of judge.delivered) {
    if (watch.idsNamed.has(id)) continue;
    const isSaid = judge.said.some((line) => line.includes(`"${id}"`) || line.includes(`\\"${id}\\"`));
    const status = watch.payouts.get(payout)?.payout.state.status;
    const wasInDoubt = judge.unclear.has(payout);
    if ((to.isDead() || isSaid) && wasInDoubt) continue;
    judge.violation(`the id ${id} of payout ${payout} (${status}) came in a whole answer and is lost`);
  }
}
