/**
 * A report line: everything a report says about one input row. Pure: the same row gives the same line.
 *
 * Units:   `texts` are the payfile_ columns as text, empty when not known; instants are UTC ISO 8601.
 */
import type { BatchFile } from '../batches/batch.ts';
import { parseCurrency } from '../money/currency.ts';
import { withoutMarks } from '../money/currency-words.ts';
import { formatDecimal, type Money, parseDecimal } from '../money/money.ts';
import { nameTold } from '../names/name-check.ts';
import { type ShownStep, shownSteps, shownText } from '../next-steps/command.ts';
import {
  type CommandContext,
  type Commands,
  commandsFor,
  incidentOfRow,
  stepsOf,
} from '../next-steps/next-step.ts';
import { type FamilyMember, standsInsteadText } from '../payouts/family.ts';
import { cameBackAfter, type NotedIncident } from '../payouts/incident.ts';
import type { BatchId, PayoutId, Quote } from '../payouts/instruction.ts';
import {
  hasEndedUnpaid,
  type Payout,
  placeNames,
  pricingIn,
  type Status,
  sentAtOf,
} from '../payouts/payout.ts';
import type { TriesByPayout } from '../payouts/turned-away.ts';
import { nameColumnsOf } from '../rows/column-names.ts';
import { type Field, nameIn } from '../rows/row.ts';
import { printable } from '../text/printable.ts';
import { Sensitive } from '../text/sensitive.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import { debitAtSendOf } from './debits.ts';
import { reasonCodeOf } from './iso-codes.ts';
import { type Marks, marksOf } from './marks.ts';
import { bookedBack, costsOf } from './payment-costs.ts';
import { isInDays, type Period } from './period.ts';
import { reasonOf } from './reason.ts';
import type { ReportColumn } from './report-columns.ts';

export interface ReportLine extends Marks {
  /** The place of the row in the file; grows from line to line. */
  readonly position: number;
  readonly row: number;
  readonly status: Status;
  /** The payment was called unpaid and then turned out to be paid. */
  readonly incident: boolean;
  /** An earlier payment of the row failed or came back; `texts.reason` says why. */
  readonly isLaterTry: boolean;
  /** The row as it was read, one text per column of the file. */
  readonly cells: readonly string[];
  readonly texts: Readonly<Record<ReportColumn, string>>;
  readonly reference: string;
  readonly country: string;
  readonly institution: string;
  readonly account: Sensitive;
  readonly name: string;
  /** undefined for an invalid row whose amount or currency cannot be read for certain. */
  readonly amount: Money | undefined;
  readonly fee: Money | undefined;
  readonly debit: Money | undefined;
  /** What came back of the debit. */
  readonly backMinor: bigint;
  /** At the rate of sending, where it was sent for certain. */
  readonly debitAtSend: Money | undefined;
  /** Of a payment status report; it goes with the text of the reason. */
  readonly reasonCode: ReturnType<typeof reasonCodeOf>;
  readonly attempts: number;
  readonly sentAt: Timestamp | undefined;
  readonly settledAt: Timestamp | undefined;
  /** Whose row it is, in a report over several batches. */
  readonly batch?: { readonly id: BatchId; readonly name: string } | undefined;
  readonly returnedAt: Timestamp | undefined;
  /** What a person may do about the row; the same as `texts.next_step`, in its parts. */
  readonly steps: readonly ShownStep[];
  /** In a report over days: its payment was sent in them. undefined elsewhere. */
  readonly isOfDays?: boolean | undefined;
  /** In a report over days: the row was paid again since. */
  readonly isReplaced?: boolean | undefined;
  /** The payment of another batch that stands for the row. */
  readonly paidAgain?: FamilyMember | undefined;
}

/** What the ledger tells about one row. */
export interface LineSource {
  readonly position: number;
  readonly payout: Payout;
  readonly cells: readonly string[];
  /** Earlier instructions of the same row, oldest first. */
  readonly replaced: readonly Payout[];
  /** Of those of these payouts that the service turned away. */
  readonly tries?: TriesByPayout;
}

interface LineContext {
  readonly columns: BatchFile['columns'];
  readonly nameColumns: readonly number[];
  readonly commands: Commands;
  readonly incidents: ReadonlyMap<PayoutId, NotedIncident>;
  readonly paidAgain: ReadonlyMap<PayoutId, FamilyMember>;
  readonly period: Period | undefined;
}

/** What lines are made from beside the rows. */
export interface LineFacts {
  /** Payouts that a statement or a late answer showed as paid although they were ruled not paid; why, in words. */
  readonly incidents?: ReadonlyMap<PayoutId, NotedIncident> | undefined;
  /** Payouts for whose rows a payment of another batch stands. */
  readonly paidAgain?: ReadonlyMap<PayoutId, FamilyMember> | undefined;
  /** Set when the lines are those of a span of days instead of one batch; `batch` then only names the columns. */
  readonly period?: Period | undefined;
}

/** Made once per report. */
export function lineContext(context: CommandContext & LineFacts): LineContext {
  const { incidents = new Map(), paidAgain = new Map(), period } = context;
  const { columns } = context.batch.file;
  const nameColumns = nameColumnsOf(context.batch.file);
  const commands = commandsFor(context);
  return { columns, nameColumns, commands, incidents, paidAgain, period };
}

export function reportLineOf(source: LineSource, context: LineContext): ReportLine {
  const { payout, cells, position } = source;
  const { state, instruction } = payout;
  const pricing = pricingIn(state);
  const places = instruction && placeNames(instruction, pricing);
  const amount = instruction?.amount ?? readableAmount(source, context);
  const sentAt = sentAtOf(state);
  const settledAt = state.status === 'settled' ? state.settledAt : undefined;
  const costs = costsOf(amount, pricing);
  const paidAgain = context.paidAgain.get(payout.id);
  const incidents = incidentsOf(source, context.incidents);
  const cameBack = incidents.map((each) => cameBackAfter(each, context.incidents.get(each.id)));
  const toDo = stepsOf(payout, { incident: incidentOfRow(cameBack), paidAgain }, context.commands);
  const steps = shownSteps(toDo, context.commands.place);
  const cell = (field: Field) => cellOf(cells, context.columns, field);
  return {
    position,
    row: payout.rowNumber,
    status: state.status,
    incident: incidents.length > 0,
    ...marksOf(payout),
    isLaterTry: source.replaced.some(({ state: { status } }) => hasEndedUnpaid(status)),
    cells,
    reference: instruction?.reference ?? cell('reference'),
    ...(places ?? { country: cell('country'), institution: cell('institution') }),
    account: instruction?.account ?? new Sensitive(cell('account')),
    name: instruction?.name ?? (cell('name') || nameIn(cells, context.nameColumns)),
    amount,
    ...{ ...costs, backMinor: bookedBack(payout) },
    debitAtSend: debitAtSendOf(payout, costs.debit),
    reasonCode: reasonCodeOf(payout),
    isOfDays: isSentIn(sentAt, context.period),
    attempts: payout.attempts,
    sentAt,
    settledAt,
    returnedAt: state.status === 'returned' ? state.returnedAt : undefined,
    paidAgain,
    steps,
    texts: {
      row: payout.rowNumber.toString(),
      status: state.status,
      reason: reasonWith(source, context),
      next_step: shownText(steps),
      transfer_id: 'transferId' in state ? printable(state.transferId ?? '') : '',
      service_status: 'serviceStatus' in state ? printable(state.serviceStatus ?? '') : '',
      name_check: pricing === undefined ? '' : nameTold(pricing.nameCheck, instruction?.name),
      account_name: printable(pricing?.nameCheck.resolved ?? ''),
      currency: amount?.currency ?? '',
      amount: amount === undefined ? '' : formatDecimal(amount),
      ...priceTexts(pricing?.quote, costs.debit),
      attempts: payout.attempts.toString(),
      sent_at: sentAt === undefined ? '' : formatTimestamp(sentAt),
      settled_at: settledAt === undefined ? '' : formatTimestamp(settledAt),
      tag: 'tag' in state ? state.tag : '',
      replaces: instruction?.replaces ?? (instruction === undefined ? printable(cell('replaces')) : ''),
    },
  };
}

function priceTexts(quote: Quote | undefined, debit: Money | undefined) {
  return {
    rate: quote?.rate ?? '',
    fee: quote?.fee ?? '',
    fee_currency: quote?.sourceCurrency ?? '',
    debit: debit === undefined ? '' : formatDecimal(debit),
  };
}

/**
 * The instructions of a row that were called failed or ruled not paid and are paid after all; the row stays one to
 * look at, whatever became of its newer instruction.
 */
export function incidentsOf(
  { payout, replaced }: Pick<LineSource, 'payout' | 'replaced'>,
  noted: ReadonlyMap<PayoutId, NotedIncident> = new Map(),
): readonly Payout[] {
  return [...replaced, payout].filter(
    ({ id, state }) => noted.has(id) || (state.status === 'settled' && state.incident),
  );
}

/** What was noted comes first, where the payout's own state does not know of it. */
export function reasonWith(
  { payout, replaced = [], tries }: Partial<LineSource> & Pick<LineSource, 'payout'>,
  { incidents, paidAgain }: LineFacts,
): string {
  const noted = [...replaced, payout].flatMap((each) => notedOf(each, incidents) ?? []);
  const loud = noted.map((what) => `INCIDENT: ${printable(what)}.`);
  const again = paidAgainText(payout, paidAgain?.get(payout.id));
  return [...loud, again, reasonOf(payout, replaced, tries)].filter((text) => text !== '').join(' ');
}

/** Empty where nothing is to be said, or the reason of the hold says it. */
export function paidAgainText({ state }: Payout, other: FamilyMember | undefined): string {
  const isSaid = state.status === 'held' && state.reasons.some(({ concern }) => concern.kind === 'same_row');
  return other === undefined || isSaid ? '' : printable(standsInsteadText(other));
}

export function notedOf(
  { id, state }: Payout,
  incidents: ReadonlyMap<PayoutId, NotedIncident> | undefined,
): string | undefined {
  return state.status === 'settled' && state.incident ? undefined : incidents?.get(id)?.what;
}

export function cellOf(cells: readonly string[], columns: BatchFile['columns'], field: Field): string {
  const at = columns.get(field);
  return at === undefined ? '' : (cells[at] ?? '').trim();
}

function isSentIn(sentAt: Timestamp | undefined, period: Period | undefined): boolean | undefined {
  return period === undefined ? undefined : sentAt !== undefined && isInDays(sentAt, period);
}

/**
 * The money of a row that could not become an instruction, only where the cells leave no choice: no issue on
 * either cell, and no `1.500`, which is a thousand and a half in one country and one and a half in another
 * (amount-style.ts).
 */
function readableAmount(source: LineSource, context: LineContext): Money | undefined {
  const { state } = source.payout;
  if (state.status !== 'invalid') return undefined;
  if (state.issues.some((issue) => issue.field === 'amount' || issue.field === 'currency')) return undefined;
  const currency = parseCurrency(cellOf(source.cells, context.columns, 'currency'));
  const text = withoutMarks(cellOf(source.cells, context.columns, 'amount'), currency);
  if (/\.\d{3}$/.test(text)) return undefined;
  return currency === undefined ? undefined : parseDecimal(text, currency);
}
