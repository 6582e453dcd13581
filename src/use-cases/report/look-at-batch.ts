/**
 * What a page shows of a batch before anybody asked for more, however many rows it has: what it came to, its money, what to
 * look at first and who may do what. Nothing here reads all rows: the ledger adds them up over an index.
 *
 * Proof stays the matter of reports, which count every row anew.
 */

import { type Batch, countsIn, type StatusCounts } from '../../domain/batches/batch.ts';
import type { Digest } from '../../domain/payouts/instruction.ts';
import type { PeopleHere } from '../../domain/people/person.ts';
import type { Excluded, SamePerson } from '../../domain/plan/typed-totals.ts';
import type { CurrencyTotal, LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import { maskedLine } from '../../domain/reporting/hidden-accounts.ts';
import { lineContext, type ReportLine, reportLineOf } from '../../domain/reporting/report-line.ts';
import type { RowsQuestion } from '../../ports/ledger/reports.ts';
import { excludedFrom, whyNotApprove } from '../approve/four-eyes.ts';
import { digestStillSeen } from '../approve/plan-of-batch.ts';
import { passkeysKnown, peopleKnown } from '../people/passkeys-known.ts';
import type { LookingPorts } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { withTries } from '../turned-away-tries.ts';
import { type Standing, standingOf } from './batch-standing.ts';
import { type BatchView, viewOf } from './batch-view.ts';
import { invalidMoney } from './invalid-money.ts';
import { paidAgainIn } from './paid-again.ts';
import { reportHeader } from './report-batch.ts';

export interface BatchLook extends BatchView {
  /** Money by currency, as the ledger adds it up; a report counts it row by row and proves it. */
  readonly currencies: readonly CurrencyTotal[];
  /** Invalid rows that are in none of these sums: their amount cannot be read for certain, or there are too many of them. */
  readonly invalidWithoutMoney: number;
  /** What waits for approval; undefined when nothing does. */
  readonly waits: WaitingPlan | undefined;
  /** The rows that were asked for with it. */
  readonly rows: RowsPage | undefined;
  /** Four eyes: why whoever asks may not approve what waits. */
  readonly whyNotApprove: SamePerson | undefined;
  /** Others who may not either, where whoever asks may not. */
  readonly alsoExcluded: readonly Excluded[];
}

interface WaitingPlan {
  readonly rows: number;
  /** Of the plan that somebody was shown, where it still stands; undefined: it has to be looked at first (`planOf`). */
  readonly digest: Digest | undefined;
}

interface Looking {
  /** Who asks. */
  readonly user: string;
  readonly people: PeopleHere;
  /** Rows to look at in the same reading of the ledger. */
  readonly rows?: RowsAsked | undefined;
}

/** All of it is of one moment, so that no figure on a page contradicts another. */
export function lookAt(found: Batch, asked: Looking, ports: LookingPorts): Promise<BatchLook> {
  return ports.ledger.atOneMoment(async (ledger) =>
    lookNow((await ledger.batch(found.id)) ?? found, asked, { ...ports, ledger }),
  );
}

async function lookNow(
  batch: Batch,
  { user, people, rows }: Looking,
  ports: LookingPorts,
): Promise<BatchLook> {
  const { ledger } = ports;
  const sums = await ledger.totals(batch.id);
  const standing = await standingOf(batch, ledger, { counts: countsIn(sums) });
  const { quoted } = standing.counts;
  const why = await whyNotApprove(batch, user, ports);
  return {
    ...(await viewOf(batch, standing, ports)),
    ...(await moneyOf(batch, { sums, standing }, ports)),
    waits: quoted === 0 ? undefined : { rows: quoted, digest: await digestOf(batch, ports) },
    rows: rows && (await rowsOf(batch, ports, { ...rows, counts: standing.counts })),
    whyNotApprove: why,
    alsoExcluded:
      why === undefined || quoted === 0 ? [] : await othersExcluded(batch, { user, people }, ports),
  };
}

async function othersExcluded(batch: Batch, { user, people }: Looking, ports: LookingPorts) {
  const known = peopleKnown(people, await passkeysKnown(ports), ports.policy);
  const { ledger, policy } = ports;
  return excludedFrom(
    batch,
    known.filter(({ id }) => id !== user),
    { ledger, policy },
  );
}

/** Of a batch with rows of two files there is no plan. */
async function digestOf(batch: Batch, ports: LookingPorts): Promise<Digest | undefined> {
  return batch.halfRead === undefined ? digestStillSeen(batch.id, ports) : undefined;
}

/** More are not read for a page that has to come at once. */
const INVALID_READ_MAX = 200;

async function moneyOf(
  batch: Batch,
  { sums, standing }: { readonly sums: readonly LedgerTotal[]; readonly standing: Standing },
  ports: LookingPorts,
): Promise<Pick<BatchLook, 'currencies' | 'invalidWithoutMoney'>> {
  const { invalid } = standing.counts;
  const read = invalid === 0 || invalid > INVALID_READ_MAX ? [] : await invalidMoney(batch, ports);
  const { moves } = standing.beside;
  for (const sum of [...sums, ...read]) moves.addSum(sum);
  const invalidWithoutMoney = read.reduce((left, { count }) => left - count, invalid);
  return { currencies: moves.totals(), invalidWithoutMoney };
}

export interface RowsAsked extends Omit<RowsQuestion, 'limit'> {
  /** 200, unless told, and at most. */
  readonly limit?: number | undefined;
  /** The `counts` of a look just before: they are not counted once more. */
  readonly counts?: StatusCounts | undefined;
}

export interface RowsPage {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** In file order, accounts masked. */
  readonly lines: readonly ReportLine[];
  /** `after` of the next page; undefined at the end. A page of a search may have fewer lines, or none, and a next one. */
  readonly next: number | undefined;
  /** Of all rows, whatever was asked for. */
  readonly counts: StatusCounts;
}

const ROWS_MAX = 200;

export async function rowsOf(
  batch: Batch,
  ports: LookingPorts,
  { statuses, search, after, limit = ROWS_MAX, counts: known }: RowsAsked = {},
): Promise<RowsPage> {
  const { ledger } = ports;
  const { id, file } = batch;
  const sought = search?.trim() === '' ? undefined : search;
  const { rows, next } = await ledger.reportPage(id, { statuses, search: sought, after, limit });
  const [incidents, paidAgain] = [await notedIncidents(id, { ledger }), await paidAgainIn(id, ledger)];
  const facts = { incidents, paidAgain };
  const context = lineContext({ ...(await reportHeader(batch, ports)), ...facts });
  const tried = await withTries(rows, { ledger });
  const lines = tried.map((row) => maskedLine(reportLineOf(row, context), file));
  const counts = known ?? (await ledger.counts(id));
  return { batch, environment: ledger.identity.environment, lines, next, counts };
}
