/** Status of all batches or of one, and the decisions of people about one. Changes nothing, and works during a run. */
import { z } from 'zod';
import { type Batch, batchLabel, countsTextOf } from '../domain/batches/batch.ts';
import { moneyJson } from '../domain/money/money.ts';
import { beforeResuming, pausePieces } from '../domain/next-steps/batch-steps.ts';
import { asBatchId } from '../domain/payouts/instruction.ts';
import { totalsJson } from '../domain/reporting/control-totals.ts';
import { textOf, type Wording } from '../domain/text/message.ts';
import { countText, printable, rowsText } from '../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../domain/timestamp.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { BatchState } from '../use-cases/report/batch-view.ts';
import type { DecisionsPage } from '../use-cases/report/decisions-page.ts';
import type { BatchLook } from '../use-cases/report/look-at-batch.ts';
import type { Overview } from '../use-cases/report/overview.ts';
import { batchJson, timeJson } from './batch-json.ts';
import { aside, type Block, joinTexts, line, number, stepPieces, table, when } from './block.ts';
import type { Context } from './context.ts';
import { batch, choice, optionalWord, pageFields, text } from './fields.ts';
import { operation } from './operation.ts';
import { otherDoubts, outcomeBlocks } from './outcome-blocks.ts';
import { planJson } from './plan-json.ts';
import { type KeptReadings, keptReadings, readingsJson, readingsSteps, readingsView } from './reading.ts';
import { rowFields, rowsJson } from './row-list.ts';

export type { BatchState } from '../use-cases/report/batch-view.ts';
export type { BatchLook } from '../use-cases/report/look-at-batch.ts';
export type { Overview } from '../use-cases/report/overview.ts';

type Status =
  | ({ readonly kind: 'all' } & Overview)
  | ({ readonly kind: 'one' } & BatchState)
  | ({ readonly kind: 'readings' } & KeptReadings);

interface ByKind<Shown> {
  readonly all: (all: Overview) => Shown;
  readonly one: (state: BatchState) => Shown;
  readonly readings: (kept: KeptReadings) => Shown;
}

function byKind<Shown>(result: Status, show: ByKind<Shown>): Shown {
  if (result.kind === 'readings') return show.readings(result);
  return result.kind === 'all' ? show.all(result) : show.one(result);
}

export const status = operation({
  name: 'status',
  needs: ['look'],
  input: z.strictObject({
    batch: optionalWord('batch'),
    readings: choice('list what is kept of files with the same columns'),
  }),
  async run({ batch: named, readings }, context): Promise<Status> {
    if (readings) return { kind: 'readings', ...(await keptReadings(context)) };
    if (named === undefined) return { kind: 'all', ...(await allBatches({}, context)) };
    const { statusOf } = await import('../use-cases/report/batch-view.ts');
    return { kind: 'one', ...(await statusOf(named, await context.readingPorts())) };
  },
  view: (result) => byKind(result, { all: allView, one: oneView, readings: readingsView }),
  json: (result, wording) =>
    byKind<object>(result, { all: allJson, one: (state) => oneJson(state, wording), readings: readingsJson }),
  next: (result) =>
    byKind(result, { all: () => ({}), one: ({ need }) => need.steps, readings: readingsSteps }),
});

export const overview = operation({
  name: 'overview',
  needs: ['look'],
  input: z.strictObject({
    /** The `after` of the last page. */
    after: text.optional(),
    limit: pageFields().limit,
  }),
  run: allBatches,
  json: allJson,
});

interface Page {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

async function allBatches({ after, limit }: Page, context: Context): Promise<Overview> {
  const { overviewOf } = await import('../use-cases/report/overview.ts');
  const page = { limit, after: after === undefined ? undefined : asBatchId(after) };
  return overviewOf({ ...(await context.readingPorts()), user: context.user }, page);
}

const WAITS = 'waits for a person';

/** A finished batch still waits for a person if it has held rows. */
function statusText(word: BatchState['status'], { held }: BatchState['totals']['counts']): string {
  return word === 'finished' && held > 0 ? WAITS : word;
}

function allView({ environment, ledgerPath, batches, count, doubts }: Overview): readonly Block[] {
  return [
    { kind: 'environment', environment },
    table(
      ['Batch', 'Name', 'Created', number('Rows'), 'Status', 'Outcome'],
      batches.map(({ batch: { id, name, createdAt, halfRead }, counts, status: word, outcome }) => [
        id,
        printable(name),
        formatTimestamp(createdAt).slice(0, 10),
        countText(Object.values(counts).reduce((sum, each) => sum + each, 0)),
        statusText(word, counts),
        countsTextOf(outcome) + (halfRead === undefined ? '' : ' A file was read only in part.'),
      ]),
    ),
    ...when(count === 0, () => [line(`No batches in ${ledgerPath} yet.`)]),
    ...when(count > batches.length, () => [line(`… and ${count - batches.length} older ones.`)]),
    ...otherDoubts(doubts, undefined).map((pieces) => line(...pieces)),
  ];
}

function allJson({ environment, ledgerPath, doubts, batches, count, next }: Overview) {
  return {
    environment,
    ledger: ledgerPath,
    doubts,
    batches: batches.map(({ batch: of, counts, status: word, outcome, need, amounts }) => ({
      ...batchJson(of),
      status: word,
      createdAt: formatTimestamp(of.createdAt),
      maker: of.maker,
      file: of.file.name,
      counts,
      outcome: outcome.word,
      needs: need.kind,
      amounts: amounts.map(moneyJson),
    })),
    count,
    after: next ?? null,
  };
}

function oneView(state: BatchState): readonly Block[] {
  const { batch: of, totals, status: word, plan, doubt, onItsWay, doubts, compared } = state;
  const { approval, pause, file, revision, maker, createdAt } = of;
  const stands = statusText(word, totals.counts);
  const title = `Batch ${batchLabel(of)} ${stands === WAITS ? '' : 'is '}${stands}`;
  // Resuming resets the count of rows in doubt, so it comes after the other steps.
  const first = doubt === undefined ? beforeResuming(of) : undefined;
  return [
    ...outcomeBlocks({ ...state, title }),
    line(
      `File ${printable(file.name)}, revision ${revision}, created by ${maker} ${minuteOf(createdAt)} UTC`,
    ),
    ...when(approval, ({ by, at, how, count }) => [
      line(`Last approved by ${by} ${minuteOf(at)} UTC: ${rowsText(count)} (${how.replaceAll('_', ' ')})`),
    ]),
    ...when(plan, ({ digest }) => [
      line(`Waits for approval: ${rowsText(totals.counts.quoted)}, digest ${digest}`),
    ]),
    ...when(onItsWay, (rows) => [line(onItsWayText(rows))]),
    ...when(compared, ({ at, body }) => [
      line(printable(`Compared with ${body.name} on ${formatTimestamp(at).slice(0, 10)} by ${body.by}`)),
    ]),
    ...when(pause, ({ by, at, reason }) => [
      line(`PAUSED by ${by} ${minuteOf(at)} UTC: `, ...pausePieces(printable(reason))),
    ]),
    ...when(first, (step) => [aside(...stepPieces([step]))]),
    ...otherDoubts(doubts, of.id).map((pieces) => line(...pieces)),
  ];
}

function oneJson(state: BatchState, wording: Wording) {
  const { batch: of, environment, outcome, totals, status: word, plan, attention } = state;
  return {
    environment,
    batch: batchJson(of),
    status: word,
    outcome: outcome.word,
    sentence: outcome.sentence,
    counts: totals.counts,
    totals: totalsJson(totals),
    ties: totals.ties,
    parts: totals.parts,
    attention: attentionJson(attention, wording),
    pause: of.pause ?? null,
    approval: approvalJson(of),
    fileDigest: of.digest ?? null,
    planDigest: plan?.digest ?? null,
    onItsWay: onItsWayJson(state.onItsWay),
    compared: comparedJson(state.compared),
    plan: plan === undefined ? null : planJson(plan, of.file),
  };
}

/** The rows that need attention, with their next steps in the host's wording. */
export function attentionJson(attention: BatchState['attention'], wording: Wording) {
  return attention.map(({ steps, ...row }) => ({ ...row, nextStep: textOf(stepPieces(steps), wording) }));
}

function onItsWayText({ rows, firstSentAt, lastAskedAt, neverAsked }: NonNullable<BatchState['onItsWay']>) {
  const sent = firstSentAt === undefined ? '' : `, the first sent at ${minuteOf(firstSentAt)} UTC`;
  return joinTexts([
    `On its way: ${rowsText(rows)}${sent}.`,
    lastAskedAt !== undefined && `payfile last asked for a status at ${minuteOf(lastAskedAt)} UTC.`,
    neverAsked > 0 && `payfile has not asked about ${rowsText(neverAsked)} yet.`,
  ]);
}

/** The last comparison with a statement. */
/** Its sums stand in the audit file. */
function approvalJson({ approval }: BatchState['batch']) {
  if (approval === undefined) return null;
  const { sums, debits, ...agreed } = approval;
  return agreed;
}

function comparedJson(compared: BatchState['compared']) {
  if (compared === undefined) return null;
  const { by, name, sha256, isComplete, matched, open } = compared.body;
  return { at: timeJson(compared.at), by, statement: name, sha256, isComplete, matched, open };
}

function onItsWayJson(onItsWay: BatchState['onItsWay']) {
  if (onItsWay === undefined) return null;
  const { rows, neverAsked, firstSentAt, lastAskedAt } = onItsWay;
  return { rows, neverAsked, firstSentAt: timeJson(firstSentAt), lastAskedAt: timeJson(lastAskedAt) };
}

export const look = operation({
  name: 'look',
  needs: ['look'],
  input: z.strictObject({ batch: batch(), rows: z.strictObject(rowFields()).optional() }),
  async run({ batch: named, rows }, context): Promise<BatchLook> {
    const { lookAt } = await import('../use-cases/report/look-at-batch.ts');
    const ports = await context.readingPorts();
    return lookAt(
      await findBatch(named, ports.ledger),
      { user: context.user, people: context.people, rows },
      ports,
    );
  },
  json: (
    { batch: of, environment, status: word, outcome, counts, waits, attention, attentionLeft, need, rows },
    wording,
  ) => ({
    environment,
    batch: batchJson(of),
    status: word,
    outcome: outcome.word,
    sentence: outcome.sentence,
    counts,
    planDigest: waits?.digest ?? null,
    attention: attentionJson(attention, wording),
    attentionLeft,
    needs: need.kind,
    rows: rows === undefined ? null : rowsJson(rows),
  }),
});

export interface BatchHistory extends DecisionsPage {
  readonly batch: Batch;
}

export const history = operation({
  name: 'history',
  needs: ['look'],
  input: z.strictObject({ batch: batch(), ...pageFields() }),
  async run({ batch: named, ...page }, context): Promise<BatchHistory> {
    const { decisionsPage } = await import('../use-cases/report/decisions-page.ts');
    const ports = await context.readingPorts();
    const of = await findBatch(named, ports.ledger);
    return { batch: of, ...(await decisionsPage(of.id, ports, page)) };
  },
  json: ({ batch: of, decisions, next, head }) => ({
    batch: batchJson(of),
    decisions: decisions.map(({ at, ...decision }) => ({ at: formatTimestamp(at), ...decision })),
    head,
    after: next ?? null,
  }),
});
