/**
 * Why a payout stands where it stands, in plain words for one report line.
 */
import { ordinalText } from './counted.ts';
import type { DoubtReason, Payout, StateIn } from './payout.ts';
import { STATE_SENTENCE } from './payout.ts';
import { printable } from './printable.ts';
import type { RowIssue } from './row-issue.ts';
import { STATUS_WORDS } from './status-word.ts';
import { formatTimestamp, minuteOf } from './timestamp.ts';

/** The reason of the newest instruction, then one sentence for each that it replaced. */
export function reasonOf(payout: Payout, replaced: readonly Payout[]): string {
  const now = printable(ownReason(payout));
  if (replaced.length === 0) return now;
  const before = replaced.map((earlier, at) => printable(earlierReason(earlier, at + 1)));
  return [now, ...before].filter((text) => text !== '').join(' ');
}

function ownReason(payout: Payout): string {
  const { state } = payout;
  switch (state.status) {
    case 'invalid':
      return state.issues.map(issueText).join('; ');
    case 'held':
      return state.reasons.map((reason) => reason.text).join('; ');
    case 'quoted':
      return [STATE_SENTENCE.quoted, ...state.pricing.notes].join(' ');
    case 'approved':
      return [`Approved by ${state.approvedBy}, not sent yet.`, ...state.pricing.notes].join(' ');
    case 'in_doubt':
      return doubtText(state);
    case 'accepted':
      return acceptedText(state);
    case 'settled':
      return settledText(state);
    case 'failed':
      return failedText(state);
    case 'returned':
      return withDifferences(
        `It was paid and came back on ${day(state.returnedAt)}: ${saying(state.serviceStatus)}.`,
        state.discrepancies,
      );
    case 'canceled':
      return `Withdrawn by ${state.by}: ${state.reason}`;
    default:
      return STATE_SENTENCE[state.status];
  }
}

/** `Amount (F): saw “1,250.0”, expected a number such as 1250.00. Write it without the comma.` */
export function issueText(issue: RowIssue): string {
  const letter = issue.columnLetter === undefined ? '' : ` (${issue.columnLetter})`;
  const where = `${issue.column ?? issue.field}${letter}`;
  const seen = issue.seen.trim() === '' ? 'saw nothing' : `saw “${issue.seen}”`;
  const advice = issue.suggestion === undefined ? '' : `. ${issue.suggestion.replace(/[.\s]+$/, '')}`;
  return `${where}: ${seen}, expected ${issue.expected}${advice}`;
}

/** Without its full stop. */
export const DOUBTS: Readonly<Record<DoubtReason, string>> = {
  no_answer: 'The request went out and no answer came',
  answer_incomplete: 'The answer broke off',
  answer_unreadable: 'The answer could not be read',
  answer_contradictory: 'The answer contradicts itself',
  answer_inconclusive: 'The answer proves neither that it was paid nor that it was not',
  turned_away:
    'The service turned the request away three times, and may have carried one of them out all the same',
  id_seen_before: 'The answer named a transfer that belongs to another payment',
  crash: 'The program ended while the request was on its way',
};

function doubtText(state: StateIn<'in_doubt'>): string {
  const { httpStatus, message, errorCode } = state.evidence;
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, message ?? errorCode ?? '']
    .filter((fact) => fact !== '')
    .join(', ');
  const why = `${DOUBTS[state.reason]}${facts === '' ? '' : ` (${facts})`}`;
  return `${why}: the money may have moved. If your dashboard or statement shows the narration, search it for ${state.tag}.`;
}

function acceptedText(state: StateIn<'accepted'>): string {
  const word =
    state.serviceStatus === undefined
      ? state.discrepancies.length > 0
        ? 'The service has it, but shows somebody else’s payment for it.'
        : 'The service has it and was not asked yet how it stands.'
      : `The service has it: ${saying(state.serviceStatus)}.`;
  const suspicion =
    state.suspicion === undefined
      ? ''
      : ` It said “${state.suspicion.word}” first on ${minuteOf(state.suspicion.firstAt)} UTC; that counts when it says so again later.`;
  return withDifferences(word + suspicion, state.discrepancies);
}

function settledText(state: StateIn<'settled'>): string {
  const loud = state.incident
    ? `INCIDENT: it was called failed and then ${saying(state.serviceStatus ?? 'Finished')}.`
    : '';
  return withDifferences(loud, state.discrepancies);
}

function failedText(state: StateIn<'failed'>): string {
  switch (state.basis) {
    case 'refused':
      return `The service refused it: ${state.reason}`;
    case 'ruled':
      return `A person ruled that it was not paid, on this evidence: ${state.reason}`;
    case 'service_status':
      return state.serviceStatus === undefined
        ? `The service took it and later called it failed: ${state.reason}`
        : `The service took it and later called it failed: ${saying(state.serviceStatus)}.`;
  }
}

function earlierReason(payout: Payout, place: number): string {
  const { state } = payout;
  const transfer =
    'transferId' in state && state.transferId !== undefined ? `, transfer ${state.transferId}` : '';
  const word = STATUS_WORDS[state.status].counted;
  return `The ${ordinalText(place)} attempt (${word}${transfer}): ${ownReason(payout)}`;
}

function withDifferences(text: string, discrepancies: readonly string[]): string {
  if (discrepancies.length === 0) return text;
  const listed = `What the service shows differs from what was asked: ${discrepancies.join('; ')}`;
  return text === '' ? listed : `${text} ${listed}`;
}

function saying(word: string | undefined): string {
  return word === undefined ? 'the service gave no word' : `the service says “${word}”`;
}

function day(at: Parameters<typeof formatTimestamp>[0]): string {
  return formatTimestamp(at).slice(0, 10);
}
