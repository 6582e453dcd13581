/**
 * A batch that pays another one's rows for a new period, such as the payroll of the next month. When most rows repeat one
 * earlier batch, that is one question about the batch and not one hold per row.
 *
 * The answer is no mode: it releases, row by row, the repeats that are found, and only those of settled payments of that
 * batch. A repeat that is found later waits for a person.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Concern, seenOf } from '../../domain/payouts/concern.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { hoursMs } from '../../domain/policy.ts';
import { minuteOf, plusMs, type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Overlap } from '../../ports/ledger/imports.ts';
import { findBatch } from '../find-batch.ts';
import type { OfflinePorts } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import type { Ask, Repeats } from '../user-questions.ts';

export type RepeatAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'released'; readonly newPeriod: PeriodAnswer }
  /** Nobody answered; the rows are held with pointers to what they repeat. */
  | { readonly kind: 'open'; readonly repeats: Repeats }
  /** The other batch is not finished, or was sent just now: it may be this very payment. `why`: sentences. */
  | { readonly kind: 'too_early'; readonly of: Batch; readonly why: string }
  | { readonly kind: 'show_report'; readonly of: Batch }
  | { readonly kind: 'canceled' };

/** Somebody said that a batch pays the rows of `of` for a new period. */
export interface PeriodAnswer {
  readonly of: BatchId;
  readonly by: string;
}

const SHARE_PERCENT = 80;
const ROWS_LEAST = 5;
const NOTE = 'repeats_released';

interface RepeatQuestion {
  readonly batch: Batch;
  readonly rows: number;
  readonly overlaps: readonly Overlap[];
  /** The batch that a person said is paid once more: asked when the file was placed, or named with the request. */
  readonly said: Batch | string | undefined;
  readonly by: string;
  readonly ask: Ask | undefined;
}

/** Errors: BatchNotFound. */
export async function askRepeats(question: RepeatQuestion, ports: OfflinePorts): Promise<RepeatAnswer> {
  const { batch, said, by, ask, rows } = question;
  const named = typeof said === 'string' ? await findBatch(said, ports.ledger) : said;
  // A file of other payments repeats nothing: there is nothing to say about it.
  if (named !== undefined) {
    const overlap = await overlapWith(named, batch, ports);
    return overlap === undefined ? { kind: 'none' } : answered(batch, overlap, by, ports);
  }
  const repeats = mostRepeated(question);
  if (repeats === undefined || rows < ROWS_LEAST || repeats.repeated * 100 < rows * SHARE_PERCENT)
    return { kind: 'none' };
  if (ask === undefined) return { kind: 'open', repeats };
  const overlap = question.overlaps.find((each) => each.batch.id === repeats.of.id);
  const early = overlap && (await tooEarly(overlap, ports));
  const choice = await ask({ kind: 'repeats', repeats, tooEarly: early && notYetText(early) });
  if (choice === 'report') return { kind: 'show_report', of: repeats.of };
  if (choice !== 'again' || overlap === undefined) return { kind: 'canceled' };
  return answered(batch, overlap, by, ports);
}

/** A payment that is not settled counts whatever its age. */
async function overlapWith(of: Batch, batch: Batch, { ledger }: OfflinePorts): Promise<Overlap | undefined> {
  return (await ledger.overlaps(batch.id, timestampOf(0))).find((overlap) => overlap.batch.id === of.id);
}

async function answered(
  batch: Batch,
  overlap: Overlap,
  by: string,
  ports: OfflinePorts,
): Promise<RepeatAnswer> {
  const of = overlap.batch;
  const early = await tooEarly(overlap, ports);
  if (early !== undefined) return { kind: 'too_early', of, why: refusalText(early) };
  const newPeriod = { of: of.id, by };
  // Kept for whoever reads the plan.
  const notes = await ports.ledger.notes(batch.id, NOTE);
  if (notes.at(-1)?.body.of !== of.id)
    await ports.ledger.note(batch.id, NOTE, { of: of.id, by }, ports.clock.now());
  return { kind: 'released', newPeriod };
}

/** Why a batch is not paid for a new period yet. */
interface TooEarly {
  /** Sentences. */
  readonly reason: string;
  /** undefined: when somebody has finished that batch. */
  readonly until: Timestamp | undefined;
}

const NOT_YET = 'Its rows are not paid for a new period yet.';

function refusalText({ reason, until }: TooEarly): string {
  const rows =
    until === undefined
      ? ''
      : ` The rows that repeat it are held. The same command releases them from ${minuteOf(until)} UTC.`;
  return `${reason} If this file is that batch, give it the name of that batch.${rows}`;
}

function notYetText({ reason, until }: TooEarly): string {
  return until === undefined ? reason : `${reason} You can pay a new period from ${minuteOf(until)} UTC.`;
}

/** Sentences for a person who is asked what a file of `of` is; undefined: a new period can be paid. */
export async function whyNoNewPeriod(of: Batch, ports: OfflinePorts): Promise<string | undefined> {
  const early = (await unfinished(of, ports)) ?? (await begunJustNow(of, ports));
  return early && notYetText(early);
}

/** Two months are not paid on one day: until the other batch is over, the file is more likely that batch once more. */
async function tooEarly(
  { batch: of, lastSentAt }: Overlap,
  ports: OfflinePorts,
): Promise<TooEarly | undefined> {
  const early = (await unfinished(of, ports)) ?? (await begunJustNow(of, ports));
  if (early !== undefined || !isRecent(lastSentAt, ports)) return early;
  // A row that was added to an old batch, or paid again by another one.
  return justNow(`A payment of batch ${batchLabel(of)} that this file repeats was`, lastSentAt, ports);
}

async function unfinished(of: Batch, { ledger }: OfflinePorts): Promise<TooEarly | undefined> {
  const { approved, sending, in_doubt, accepted, held } = await ledger.counts(of.id);
  const open = { approved, sending, 'in doubt': in_doubt, 'on their way': accepted, held };
  const [first] = Object.entries(open).filter(([, count]) => count > 0);
  if (first === undefined) return undefined;
  const mend = held > 0 ? `${await heldText(of, held, ledger)} ` : '';
  const reason = `Batch ${batchLabel(of)} is not finished: ${first[1]} ${first[0]}. ${mend}${NOT_YET}`;
  return { reason, until: undefined };
}

async function begunJustNow(of: Batch, ports: OfflinePorts): Promise<TooEarly | undefined> {
  const begun = (await ports.ledger.notes(of.id, 'sending_begun'))[0]?.at;
  const isEarly = begun !== undefined && isRecent(begun, ports);
  return isEarly ? justNow(`Batch ${batchLabel(of)} was first`, begun, ports) : undefined;
}

function justNow(what: string, at: Timestamp, { policy: { repeatHours } }: OfflinePorts): TooEarly {
  const reason = `${what} sent at ${minuteOf(at)} UTC, less than ${repeatHours} h ago (the setting repeatHours). ${NOT_YET}`;
  return { reason, until: plusMs(at, hoursMs(repeatHours)) };
}

function isRecent(at: Timestamp, { clock, policy }: OfflinePorts): boolean {
  return clock.now() - at < hoursMs(policy.repeatHours);
}

const NAMED_MAX = 5;

async function heldText(of: Batch, held: number, ledger: OfflinePorts['ledger']): Promise<string> {
  const page = await ledger.page(of.id, { statuses: ['held'], after: undefined, limit: NAMED_MAX });
  const rows = page.payouts.map(({ rowNumber }) => rowNumber);
  const more = held > rows.length ? ` and ${held - rows.length} more` : '';
  return `Release or cancel ${held === 1 ? 'row' : 'rows'} ${rows.join(', ')}${more} of that batch first.`;
}

/** A row that another batch paid again is repeated as a row of its own batch, too. */
function mostRepeated({ batch, rows, overlaps }: RepeatQuestion): Repeats | undefined {
  const [most] = overlaps
    .filter((overlap) => overlap.batch.id !== batch.id)
    .map((each) => ({ ...each, repeated: each.rows + each.again }))
    .sort((one, other) => other.repeated - one.repeated);
  return most && { batch, of: most.batch, repeated: most.repeated, again: most.again, rows };
}

/** Rows of a batch that are held for what the answer covers. */
export async function releaseHeldRepeats(
  id: BatchId,
  answer: PeriodAnswer,
  ports: OfflinePorts,
): Promise<void> {
  for await (const page of ports.ledger.payouts(id, { statuses: ['held'] }))
    for (const payout of page) await releaseRepeats(payout, answer, ports);
}

/** The payout as it is planned after its release; undefined where the answer covers nothing that it is held for. */
export async function releaseRepeats(
  payout: Payout,
  { of, by }: PeriodAnswer,
  ports: OfflinePorts,
): Promise<(PayoutIn<'planned'> & Payout) | undefined> {
  if (!isIn(payout, 'held')) return undefined;
  const saw: Concern[] = [];
  for (const { concern } of payout.state.reasons) {
    if (concern.kind !== 'repeat') continue;
    const other = await ports.ledger.payout(concern.of);
    // Whatever the reason says: it may have come back, or be in doubt by now.
    if (other?.state.status !== 'settled' || other.batchId === payout.batchId) continue;
    if (isRecent(other.state.sentAt, ports)) continue;
    if ((await ports.ledger.batchesPaidBy(other.id)).includes(of)) saw.push({ ...concern, isUnknown: false });
  }
  if (saw.length === 0) return undefined;
  const at = ports.clock.now();
  const all = payout.state.reasons.map(({ concern }) => concern);
  const release = { ...seenOf(saw, all), by, reason: `pays the rows of batch ${of} for a new period`, at };
  const recorded = await recordEvent(payout, { kind: 'release', release, at }, ports);
  return recorded.kind === 'recorded' && isIn(recorded.payout, 'planned') ? recorded.payout : undefined;
}
