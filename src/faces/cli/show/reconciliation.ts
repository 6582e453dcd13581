/**
 * What a statement and a batch tell of each other, grouped by what a person has to do; and the exit code.
 *
 * --json: findings: [{kind, row, payout, status, currency, amount, line, by, transferId, weakness, text, next}],
 * counts: {kind: n}, sums: [{kind, currency, count, amount, minorUnits}]; rows that match are counted only.
 */

import { formatDecimal, formatMoney, type Money } from '../../../domain/money/money.ts';
import { BOOKING_DAYS } from '../../../domain/statement/attempt-window.ts';
import type { StatementEntry } from '../../../domain/statement/entry.ts';
import {
  type Finding,
  type FindingKind,
  linesOf,
  type MatchedBy,
} from '../../../domain/statement/findings.ts';
import type { StatementLine } from '../../../domain/statement/line.ts';
import { lineNumbers } from '../../../domain/statement/roles.ts';
import { type SignRule, signsText } from '../../../domain/statement/signs.ts';
import type { Flag, Verb } from '../../../domain/steps/command.ts';
import { counted, countText, printable } from '../../../domain/text/printable.ts';
import type { Accepted } from '../../../use-cases/reconcile/accept-findings.ts';
import type { Reconciled } from '../../../use-cases/reconcile/reconcile-batch.ts';
import { EXIT, type ExitCode, strongest } from '../exit-code.ts';
import { tableOf, wrapped } from '../terminal/table.ts';
import { moneyJson } from './plan.ts';

/** Most pressing first. */
const TITLES: Readonly<Record<FindingKind, string>> = {
  incident: 'INCIDENT: called unpaid, and the statement shows it as paid',
  duplicate: 'May have been paid twice: more than one line for one row',
  theirs_only: 'In the statement with a tag of ours, but never sent from here',
  still_in_doubt: 'Still in doubt',
  propose_paid: 'In doubt, and the statement shows it as paid',
  propose_not_paid: 'In doubt, and not in a statement that covers its time',
  differs: 'The statement says something else',
  unclear: 'Not told apart: lines that may be this row’s or another’s',
  ours_only: 'Paid according to the service, but not in the statement',
  on_its_way: 'On its way, and not yet in the statement',
  fee_line: 'Much smaller lines beside a payment that name it: taken for its fees',
  further_lines: 'Further lines of rows that are told above or matched',
  matched: 'Matched',
};
const ORDER = Object.keys(TITLES) as readonly FindingKind[];
/** About lines; their row is counted under what is told of it. */
const IS_NOTE: ReadonlySet<FindingKind> = new Set(['fee_line', 'further_lines']);
const SHOWN_MAX = 20;

/** Commands to type, made for this call. */
export interface ReconcileCommands {
  readonly forRow: (verb: Verb, rowNumber: number, ...flags: readonly Flag[]) => string;
}

export interface Shown {
  readonly findings: readonly Finding[];
  readonly accepted: readonly Accepted[];
  readonly width: number;
  readonly commands: ReconcileCommands;
}

export function printFindings({ findings, accepted, width, commands }: Shown): string[] {
  const outcomes = new Map(accepted.map((each) => [each.finding, each]));
  const lines: string[] = [];
  for (const kind of ORDER) {
    const group = findings.filter((finding) => finding.kind === kind);
    if (group.length === 0 || kind === 'matched') continue;
    lines.push('', `${TITLES[kind]}:`);
    for (const finding of group.slice(0, SHOWN_MAX)) {
      lines.push(...indented(findingText(finding), width, '  '));
      const done = outcomes.get(finding);
      if (done !== undefined) lines.push(...indented(outcomeText(done), width, '    '));
      const next = done === undefined || done.outcome === 'refused' ? nextOf(finding, commands) : '';
      if (next !== '') lines.push(`    ${next}`);
    }
    if (group.length > SHOWN_MAX) lines.push(`  … and ${countText(group.length - SHOWN_MAX)} more (--json).`);
  }
  return lines;
}

function indented(text: string, width: number, indent: string): string[] {
  return wrapped(text, width - indent.length, '  ').map((line) => indent + line);
}

/** One line per kind and currency. */
export function sumsTable(findings: readonly Finding[]): string[] {
  const columns = [{ title: 'What' }, { title: 'Rows', right: true }, { title: 'Sum', right: true }];
  const rows = sumsOf(findings).map(({ kind, count, sum }) => [
    SHORT[kind],
    countText(count),
    sum === undefined ? '' : formatMoney(sum),
  ]);
  return tableOf(columns, rows);
}

const SHORT: Readonly<Record<FindingKind, string>> = {
  incident: 'Incident',
  duplicate: 'Twice',
  theirs_only: 'Theirs only',
  still_in_doubt: 'Still in doubt',
  propose_paid: 'Proposed: paid',
  propose_not_paid: 'Proposed: not paid',
  differs: 'Differs',
  unclear: 'Not told apart',
  ours_only: 'Ours only',
  on_its_way: 'On its way',
  fee_line: 'Fee lines',
  further_lines: 'Further lines',
  matched: 'Matched',
};

export function sumsJson(findings: readonly Finding[]): readonly unknown[] {
  return sumsOf(findings).map(({ kind, count, sum }) => ({
    kind,
    count,
    ...(sum === undefined ? { currency: null, amount: null, minorUnits: null } : moneyJson(sum)),
  }));
}

function sumsOf(findings: readonly Finding[]) {
  const sums = new Map<string, { kind: FindingKind; count: number; sum: Money | undefined }>();
  for (const kind of ORDER) {
    for (const finding of findings) {
      if (finding.kind !== kind) continue;
      const amount = IS_NOTE.has(kind) ? undefined : entryOf(finding)?.amount;
      const key = `${kind}\n${amount?.currency ?? ''}`;
      const before = sums.get(key) ?? { kind, count: 0, sum: undefined };
      const sum = amount && { ...amount, minor: amount.minor + (before.sum?.minor ?? 0n) };
      sums.set(key, { kind, count: before.count + 1, sum });
    }
  }
  return [...sums.values()];
}

function entryOf(finding: Finding): StatementEntry | undefined {
  return finding.kind === 'theirs_only' ? finding.unsent : finding.entry;
}

function outcomeText({ outcome, reason }: Accepted): string {
  if (outcome === 'ruled') return 'Ruled so.';
  return printable(outcome === 'noted' ? `Noted: ${reason}.` : `Not ruled: ${reason}`);
}

function nextOf(finding: Finding, { forRow }: ReconcileCommands): string {
  if (finding.kind === 'theirs_only' || finding.kind === 'matched' || IS_NOTE.has(finding.kind)) return '';
  const { rowNumber } = finding.entry;
  switch (finding.kind) {
    case 'propose_paid':
      // From a cell of somebody's file into a line that is meant to be typed.
      return forRow('resolve', rowNumber, [
        '--paid',
        finding.transferId === undefined ? { fillIn: 'TRANSFER_ID' } : printable(finding.transferId),
      ]);
    case 'propose_not_paid':
      // Where something speaks against it, it is looked at first.
      if (finding.weakness !== undefined) return forRow('explain', rowNumber);
      return forRow('resolve', rowNumber, ['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]);
    default:
      return forRow('explain', rowNumber);
  }
}

export function findingJson(finding: Finding): Readonly<Record<string, unknown>> {
  const entry = entryOf(finding);
  return {
    kind: finding.kind,
    row: entry?.rowNumber ?? null,
    payout: entry?.payoutId ?? null,
    status: entry?.status ?? null,
    currency: entry?.amount.currency ?? null,
    amount: entry === undefined ? null : formatDecimal(entry.amount),
    lines: linesOf(finding).map(({ rowNumber }) => rowNumber),
    by: 'by' in finding ? finding.by : null,
    transferId: 'transferId' in finding ? (finding.transferId ?? null) : null,
    isAcceptable: 'weakness' in finding && finding.weakness === undefined,
    text: findingText(finding),
  };
}

/**
 * Doubt, incidents and duplicates win; a proposal that only waits for a yes is 10, a payment not shown is 3. A payment
 * on its way hides none of them: 4 where there is nothing else.
 */
export function reconcileCode(findings: readonly Finding[], accepted: readonly Accepted[]): ExitCode {
  const outcomes = new Map(accepted.map((each) => [each.finding, each.outcome]));
  const code = strongest(findings.map((finding) => codeOf(finding, outcomes.get(finding))));
  return code === EXIT.done && findings.some(({ kind }) => kind === 'on_its_way') ? EXIT.onItsWay : code;
}

function codeOf(finding: Finding, outcome: Accepted['outcome'] | undefined): ExitCode {
  switch (finding.kind) {
    case 'incident':
    case 'duplicate':
    case 'theirs_only':
    case 'still_in_doubt':
      return EXIT.inDoubt;
    case 'propose_paid':
    case 'propose_not_paid':
      if (outcome === 'ruled') return EXIT.done;
      return finding.weakness !== undefined || outcome === 'refused' ? EXIT.inDoubt : EXIT.needsPerson;
    case 'unclear':
      return finding.isPressing ? EXIT.inDoubt : EXIT.needsPerson;
    case 'differs':
      return EXIT.needsPerson;
    case 'fee_line':
    case 'further_lines':
    case 'on_its_way':
      return EXIT.done;
    case 'ours_only':
      return EXIT.exceptions;
    case 'matched':
      return finding.entry.isIncident ? EXIT.inDoubt : EXIT.done;
  }
}

/** One finding of a statement in words: which row, which lines, and why. */

const BY: Readonly<Record<MatchedBy, string>> = {
  tag: 'by its tag',
  transfer_id: 'by its transfer id',
  account: 'by account, amount and date',
  masked_account: 'by the end of the account, amount and date',
};

function placeText({ rowNumber, amount, accountShown, isCurrent, payoutId }: StatementEntry): string {
  const which = isCurrent ? '' : ` (earlier instruction ${payoutId})`;
  return `Row ${rowNumber}${which}, ${formatMoney(amount)} to ${accountShown}`;
}

export function findingText(finding: Finding): string {
  switch (finding.kind) {
    case 'incident':
      return `${placeText(finding.entry)}: ${finding.what}, found ${BY[finding.by]}.`;
    case 'duplicate': {
      const rows = finding.lines.map(({ rowNumber }) => rowNumber).join(', ');
      return `${placeText(finding.entry)}: lines ${rows}.`;
    }
    case 'theirs_only':
      return printable(
        `Line ${finding.line.rowNumber}, ${finding.line.amountText}, ${finding.tag}: ${finding.why}.`,
      );
    case 'fee_line':
      return printable(
        `${placeText(finding.entry)}: line ${finding.line.rowNumber}, ${finding.line.amountText}.`,
      );
    case 'unclear':
    case 'still_in_doubt':
      return printable(`${placeText(finding.entry)}: ${finding.why}.`);
    case 'propose_paid': {
      const id = finding.transferId === undefined ? '' : `, transfer ${finding.transferId}`;
      const found = `line ${finding.line.rowNumber}${id}, found ${BY[finding.by]}`;
      return printable(`${placeText(finding.entry)}: ${found}${weaknessText(finding.weakness)}.`);
    }
    case 'propose_not_paid': {
      // What weakens it may be what stands beside it.
      const note = finding.weakness === finding.note ? '' : noteText(finding.note);
      return printable(`${placeText(finding.entry)}: not there${note}${weaknessText(finding.weakness)}.`);
    }
    case 'differs':
      return printable(`${placeText(finding.entry)}, line ${finding.line.rowNumber}: ${finding.what}.`);
    case 'ours_only':
    case 'on_its_way':
      return printable(`${placeText(finding.entry)}${noteText(finding.note)}.`);
    case 'further_lines':
      return printable(`${placeText(finding.entry)}: ${finding.lines.map(lineText).join('; ')}.`);
    case 'matched':
      return `${placeText(finding.entry)}: ${lineNumbers([finding.line, ...finding.others])}, ${BY[finding.by]}.`;
  }
}

function weaknessText(weakness: string | undefined): string {
  return weakness === undefined ? '' : ` – not ruled by --accept: ${weakness}`;
}

function noteText(note: string | undefined): string {
  return note === undefined ? '' : `; ${note}`;
}

function lineText({ rowNumber, amountText, direction }: StatementLine): string {
  return `line ${rowNumber}, ${amountText}${direction === 'in' ? ', coming in' : ''}`;
}

/** How a statement was read, for whoever has to rely on it: where each line is, which dates count, what signs mean. */

const FOREIGN_SHOWN = 20;

const SIGNS: Readonly<Record<SignRule, string | undefined>> = {
  list: undefined,
  minus_pays: 'Amounts with a minus are read as payments, the others as money that came in.',
  plus_pays: 'Amounts with a minus are read as money that came in, the others as payments.',
  unclear: `Nothing is made of the amounts of the statement: ${signsText('unclear')}.`,
};

export function statementNotes(reconciled: Reconciled): readonly string[] {
  const { span, signs, dateHeaders, lines } = reconciled;
  const notes = [linesText(reconciled)];
  if (lines.ofUnknownTags + lines.ofRows > 0)
    notes.push(
      `A line without a tag or a transfer id is a row’s only by account, amount and date: from the request to ${BOOKING_DAYS} days after it.`,
    );
  if (dateHeaders.length > 1)
    notes.push(
      `It has several dates (${dateHeaders.join(', ')}): a line is of the time from the first of them to the last, and the statement reaches as far as all of them.`,
    );
  const signsNote = SIGNS[signs];
  if (signsNote !== undefined) notes.push(signsNote);
  if (span.doubt !== undefined) notes.push(`What the statement lacks proves nothing: ${span.doubt}.`);
  return notes;
}

/** The lines of all lists together are those that were read. */
function linesText({ span, lines, foreignFirst }: Reconciled): string {
  const { ofRows, ofUnknownTags, ofOtherBatches, foreign, unnamed } = lines;
  const shown = foreignFirst.slice(0, FOREIGN_SHOWN).map(({ rowNumber }) => rowNumber);
  const more = foreign > shown.length ? ', …' : '';
  const parts = [
    `${countText(ofRows)} about rows of this batch${unnamed > 0 ? ` (${countText(unnamed)} of them beyond what is named for a row)` : ''}`,
    ...(ofUnknownTags > 0 ? [`${countText(ofUnknownTags)} with a tag that no sent row has`] : []),
    ...(ofOtherBatches > 0 ? [`${countText(ofOtherBatches)} of other batches`] : []),
    ...(foreign > 0
      ? [
          `${countText(foreign)} no payment of this ledger, as far as can be told (${shown.join(', ')}${more})`,
        ]
      : []),
  ];
  return `${counted(span.lines, 'line')} read: ${parts.join(' + ')}.`;
}
