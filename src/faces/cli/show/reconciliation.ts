/**
 * What comparing a batch with a statement found, grouped by what a person has to do.
 *
 * --json: findings: [{kind, row, payout, status, currency, amount, lines, by, transferId, isAcceptable, text}],
 * counts: {kind: n}, sums: [{kind, count, rows, lines, currency, amount, minorUnits}]; rows that match, and rows that are
 * not expected in the statement, are counted only. Each row of the batch is in `rows` and in `amount` once.
 */

import { formatDecimal, formatMoney, type Money } from '../../../domain/money/money.ts';
import { BOOKING_DAYS } from '../../../domain/statement/dates.ts';
import { findingSums, rowTotals } from '../../../domain/statement/finding-sums.ts';
import {
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  isAcceptable,
} from '../../../domain/statement/findings.ts';
import { counted, countText, printable } from '../../../domain/text/printable.ts';
import type { Accepted, Reconciled } from '../../../payfile.ts';
import { tableOf, wrapped } from '../terminal/table.ts';
import { moneyJson } from './plan.ts';

/** Of each kind of finding: its name in the table, and the title of its list; without one it has no list. */
const WORDS: Readonly<Record<FindingKind, readonly [short: string, title?: string]>> = {
  incident: ['Incident', 'INCIDENT: called unpaid, and the statement shows it as paid'],
  duplicate: ['Twice', 'May have been paid twice: more than one line for one row'],
  theirs_only: ['Theirs only', 'In the statement, but never sent from here'],
  still_in_doubt: ['Still in doubt', 'Still in doubt'],
  propose_paid: ['Proposed: paid', 'In doubt, and the statement shows it as paid'],
  propose_not_paid: ['Proposed: not paid', 'In doubt, and not in a statement that covers its time'],
  differs: ['Differs', 'The statement says something else'],
  unclear: [
    'Unclear',
    'Unclear: lines that may belong to this row or to another, or that have its tag alone',
  ],
  ours_only: ['Ours only', 'Paid according to the service, but not in the statement'],
  on_its_way: ['On its way', 'On its way, and not yet in the statement'],
  not_yet: ['Not there yet', 'Not in the statement yet, but paid according to the service'],
  not_expected: ['Not expected'],
  matched: ['Matched'],
};
/** What this comparison has just ruled is proposed no more. */
const RULED: Readonly<Partial<Record<FindingKind, string>>> = {
  propose_paid: 'Ruled paid',
  propose_not_paid: 'Ruled not paid',
};
const SHOWN_MAX = 20;

export interface Shown {
  readonly findings: readonly Finding[];
  readonly accepted: readonly Accepted[];
  readonly width: number;
  /** What to type about a finding; undefined: nothing. */
  readonly stepOf: (finding: Finding) => string | undefined;
}

export function printFindings({ findings, accepted, width, stepOf }: Shown): string[] {
  const outcomes = new Map(accepted.map((each) => [each.finding, each]));
  const lines: string[] = [];
  for (const kind of FINDING_KINDS) {
    const [, title] = WORDS[kind];
    const group = findings.filter((finding) => finding.kind === kind);
    if (group.length === 0 || title === undefined) continue;
    const isRuled = group.every((finding) => outcomes.get(finding)?.outcome === 'ruled');
    lines.push('', `${(isRuled ? RULED[kind] : undefined) ?? title}:`);
    for (const finding of group.slice(0, SHOWN_MAX)) {
      lines.push(...indented(findingText(finding), width, '  '));
      const done = outcomes.get(finding);
      if (done !== undefined) lines.push(...indented(outcomeText(done), width, '    '));
      const step = stepOf(finding);
      if (step !== undefined) lines.push(`    ${step}`);
    }
    if (group.length > SHOWN_MAX) lines.push(`  … and ${countText(group.length - SHOWN_MAX)} more (--json).`);
  }
  return lines;
}

function indented(text: string, width: number, indent: string): string[] {
  return wrapped(text, width - indent.length, '  ').map((line) => indent + line);
}

function outcomeText({ outcome, reason }: Accepted): string {
  if (outcome === 'ruled') return 'Ruled so.';
  return printable(outcome === 'noted' ? `Noted: ${reason}.` : `Not ruled: ${reason}`);
}

/** One finding in words: which row, which lines, and why. */
function findingText({ entry, text, weakness }: Finding): string {
  const why = weakness === undefined ? text : `${text} – not ruled by --accept: ${weakness}`;
  if (entry === undefined) return printable(`${why}.`);
  const { rowNumber, amount, accountShown, newest, payoutId } = entry;
  const which = newest === payoutId ? '' : ` (earlier instruction ${payoutId})`;
  return printable(`Row ${rowNumber}${which}, ${formatMoney(amount)} to ${accountShown}: ${why}.`);
}

export function sumsJson({ findings, neverSent }: Reconciled): readonly unknown[] {
  return findingSums(findings, neverSent).map(({ kind, count, rows, lines, sum }) => ({
    ...{ kind, count, rows, lines },
    ...(sum === undefined ? { currency: null, amount: null, minorUnits: null } : moneyJson(sum)),
  }));
}

/** Every row of the batch and every line of the statement is in one row of it; the totals stand below. */
export function sumsTable(
  { findings, neverSent, lines, span }: Reconciled,
  accepted: readonly Accepted[] = [],
): string[] {
  const ruled = new Set(accepted.filter(({ outcome }) => outcome === 'ruled').map(({ finding }) => finding));
  const sums = findingSums(findings, neverSent, ruled);
  const columns = [
    { title: 'What' },
    { title: 'Rows', right: true },
    { title: 'Sum', right: true },
    { title: 'Lines', right: true },
  ];
  const number = (count: number) => (count === 0 ? '' : countText(count));
  const money = (sum: Money | undefined) => (sum === undefined ? '' : formatMoney(sum));
  const rows = sums
    .filter((each) => each.rows > 0 || each.lines > 0)
    .map((each) => [
      (each.isRuled ? RULED[each.kind] : undefined) ?? WORDS[each.kind][0],
      countText(each.rows),
      money(each.sum),
      number(each.lines),
    ]);
  const others: readonly (readonly [string, number])[] = [
    ['More lines of these rows', lines.unnamed],
    ['Other batches', lines.ofOtherBatches],
    ['No payment of ours', lines.foreign],
  ];
  for (const [what, count] of others) if (count > 0) rows.push([what, '', '', countText(count)]);
  const totals = rowTotals(sums).map((total, at) => [
    at === 0 ? 'Total' : '',
    countText(total.rows),
    money(total.sum),
  ]);
  return tableOf(columns, [...rows, ...totals, ['Lines read', '', '', countText(span.lines)]]);
}

export function findingJson(finding: Finding): Readonly<Record<string, unknown>> {
  const { kind, entry, lines, by, transferId } = finding;
  return {
    kind,
    row: entry?.rowNumber ?? null,
    payout: entry?.payoutId ?? null,
    status: entry?.status ?? null,
    currency: entry?.amount.currency ?? null,
    amount: entry === undefined ? null : formatDecimal(entry.amount),
    lines: lines.map(({ rowNumber }) => rowNumber),
    by: by ?? null,
    transferId: transferId ?? null,
    isAcceptable: isAcceptable(finding),
    text: findingText(finding),
  };
}

/** How a statement was read, for whoever has to rely on it: which dates count, what signs mean. */
export function statementNotes({
  span,
  signs,
  dateHeaders,
  lines,
  foreignFirst,
}: Reconciled): readonly string[] {
  const notes = [];
  if (lines.foreign > 0) {
    const shown = foreignFirst.slice(0, SHOWN_MAX).map(({ rowNumber }) => rowNumber);
    const more = lines.foreign > shown.length ? ', …' : '';
    notes.push(
      `${counted(lines.foreign, 'line is', 'lines are')} no payment of this ledger, as far as can be told (${shown.join(', ')}${more}).`,
    );
  }
  if (lines.ofRows > 0)
    notes.push(
      `A line belongs to a row for certain if it has the row’s tag (PF-…) or its transfer id. A line with the same account and amount, up to ${BOOKING_DAYS} days after the row was sent, may be the row’s; that is no proof.`,
    );
  if (dateHeaders.length > 1)
    notes.push(
      `It has several dates (${dateHeaders.join(', ')}): a line is of the time from the first of them to the last, and the statement reaches as far as all of them.`,
    );
  if (signs === 'minus_pays')
    notes.push('Amounts with a minus are read as payments, the others as money that came in.');
  if (signs === 'plus_pays')
    notes.push('Amounts with a minus are read as money that came in, the others as payments.');
  if (span.doubt !== undefined) notes.push(`What the statement lacks proves nothing: ${span.doubt}.`);
  return notes;
}
