/**
 * Why a payout has its status, in plain words for one report line.
 */
import { differenceOf, isAccepted, saysTheSame, unclearText } from '../payouts/difference.ts';
import { lookText } from '../payouts/last-look.ts';
import {
  type AcceptedDifference,
  type DoubtReason,
  type OnItsWay,
  type Payout,
  type RestFound,
  STATE_SENTENCE,
  type StateIn,
  type Suspicion,
} from '../payouts/payout.ts';
import {
  stateSentence,
  type TriesByPayout,
  type TurnedAwayTries,
  turnedAwayText,
} from '../payouts/turned-away.ts';
import type { RowIssue } from '../rows/row.ts';
import { ordinalText, printable } from '../text/printable.ts';
import { formatTimestamp, minuteOf } from '../timestamp.ts';
import { STATUS_WORDS } from './status-words.ts';

const NO_TRIES: TriesByPayout = new Map();

/**
 * The reason of the newest instruction, then one sentence for each that it replaced. `tries`: of those that the service
 * turned away.
 */
export function reasonOf(
  payout: Payout,
  replaced: readonly Payout[],
  tries: TriesByPayout = NO_TRIES,
): string {
  const now = printable(triedReason(payout, tries.get(payout.id)));
  if (replaced.length === 0) return now;
  const before = replaced.map((each, at) => printable(earlierReason(each, at + 1, tries.get(each.id))));
  return [now, ...before].filter((text) => text !== '').join(' ');
}

/** The warning that it may have been paid comes first. */
function triedReason(payout: Payout, tries: TurnedAwayTries | undefined): string {
  const own = ownReason(payout, tries);
  if (tries === undefined || isHeldForTries(payout)) return own;
  const text = turnedAwayText(tries.times);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. ${own}`;
}

/** The reasons of the hold already say that it was turned away. */
function isHeldForTries({ state }: Payout): boolean {
  return state.status === 'held' && state.reasons.some(({ concern }) => concern.kind === 'maybe_paid');
}

function ownReason(payout: Payout, tries: TurnedAwayTries | undefined): string {
  const { state } = payout;
  switch (state.status) {
    case 'invalid':
      return state.issues.map(issueText).join('; ');
    case 'held':
      return state.reasons.map((reason) => reason.text).join('; ');
    case 'quoted':
      return [
        STATE_SENTENCE.quoted,
        ...(state.isOther ? ['It is not as it was approved.'] : []),
        ...state.pricing.notes,
      ].join(' ');
    case 'approved':
      return [
        `Approved by ${state.approvedBy}${tries === undefined ? ', not sent yet' : ''}.`,
        ...state.pricing.notes,
      ].join(' ');
    case 'in_doubt':
      return doubtText(state);
    case 'accepted':
      return `${overText(payout)}${acceptedText(state, payout)}`;
    case 'settled':
      return `${overText(payout)}${settledText(state)}`;
    case 'failed':
      return withUnclear(failedText(state), state);
    case 'returned':
      return withUnclear(withDifferences(returnedText(state), state.discrepancies), state);
    case 'canceled':
      return `Withdrawn by ${state.by}: ${state.reason}`;
    default:
      return stateSentence(state.status, tries);
  }
}

/** `Amount (F): saw “1,250.0”, expected a number such as 1250.00. Write it without the comma.` */
function issueText(issue: RowIssue): string {
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
  turned_away: 'The service turned the request away three times, and may have carried out one of them anyway',
  id_seen_before: 'The answer named a transfer that belongs to another payment',
  crash: 'The program ended while the request was on its way',
};

function doubtText(state: StateIn<'in_doubt'>): string {
  // The error code of the connection is for support: the evidence keeps it.
  const { httpStatus, message } = state.evidence;
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, message ?? '']
    .filter((fact) => fact !== '')
    .join(', ');
  const why = `${DOUBTS[state.reason]}${facts === '' ? '' : ` (${facts})`}`;
  return `${why}: the money may have moved. Search your statement for ${state.tag}.`;
}

/** Comes before all other sentences about the row. */
function overText(payout: Payout): string {
  return differenceOf(payout) === 'over' ? 'INCIDENT: more went out than was asked. ' : '';
}

function acceptedText(state: StateIn<'accepted'>, payout: Payout): string {
  const { suspicion, discrepancies } = state;
  const said =
    suspicion === undefined
      ? wordOf(state, (payout.look?.times ?? 0) > 0)
      : suspectedText(suspicion, 'on its way');
  const text = [said, lookText(payout, state)].filter((part) => part !== '').join(' ');
  // Each difference is one of the reasons why the word does not count.
  if (suspicion?.unproven !== undefined) return text;
  return withDifferences(text, discrepancies, acceptedIn(state));
}

function suspectedText({ word, firstAt, unproven }: Suspicion, stands: string): string {
  const says = `The service says “${word}”, first at ${minuteOf(firstAt)} UTC`;
  return unproven === undefined
    ? `${says}. That is not confirmed yet, so the row is still ${stands}.`
    : `${says}. That does not count, because the service ${unproven.join(' and ')}. The row is still ${stands}.`;
}

function wordOf({ serviceStatus, discrepancies }: StateIn<'accepted'>, isAsked: boolean): string {
  if (serviceStatus !== undefined) return `The service has it: ${saying(serviceStatus)}.`;
  if (discrepancies.length > 0) return 'The service has it, but shows somebody else’s payment for it.';
  return isAsked ? 'The service has it and has shown no status yet.' : 'The service has it.';
}

function settledText(state: StateIn<'settled'>): string {
  const loud = state.incident
    ? `INCIDENT: it was called unpaid and then ${saying(state.serviceStatus ?? 'Finished')}.`
    : '';
  // This sentence has all differences: the word itself, and the reasons why it does not count.
  if (state.suspicion !== undefined)
    return [loud, suspectedText(state.suspicion, 'settled')].filter((text) => text !== '').join(' ');
  return withDifferences(loud, state.discrepancies, acceptedIn(state));
}

function returnedText({ basis, returnedAt, serviceStatus }: StateIn<'returned'>): string {
  const on = day(returnedAt);
  return basis === undefined
    ? `It was paid and came back on ${on}: ${saying(serviceStatus)}.`
    : `It was paid and then failed on ${on}: ${saying(serviceStatus)} after Finished, for the second time.`;
}

function failedText(state: StateIn<'failed'>): string {
  switch (state.basis) {
    case 'refused':
      return `The service refused it: ${state.reason}`;
    case 'ruled':
      return `A person ruled that it was not paid, on this evidence: ${shortened(state.reason)}`;
    case 'service_status':
      return state.serviceStatus === undefined
        ? `The service took it and later called it failed: ${state.reason}`
        : `The service took it and later called it failed: ${saying(state.serviceStatus)}.`;
  }
}

/** Of a file's hash its beginning, of an instant its minute: the ledger and the list of decisions keep both whole. */
function shortened(evidence: string): string {
  return evidence
    .replaceAll(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1…')
    .replaceAll(/\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z/g, '$1 $2 UTC');
}

function earlierReason(payout: Payout, place: number, tries: TurnedAwayTries | undefined): string {
  const { state } = payout;
  const transfer =
    'transferId' in state && state.transferId !== undefined ? `, transfer ${state.transferId}` : '';
  const word = STATUS_WORDS[state.status].counted;
  return `The ${ordinalText(place)} attempt (${word}${transfer}): ${triedReason(payout, tries)}`;
}

function acceptedIn(state: OnItsWay): AcceptedDifference | undefined {
  const said = state.acceptedDifference;
  const isOpen = said?.rest?.is === 'open' && saysTheSame(said.saw, state.discrepancies);
  return isAccepted(state) || isOpen ? said : undefined;
}

function withUnclear(text: string, state: StateIn<'failed' | 'returned'>): string {
  const unclear = unclearText(state);
  return unclear === undefined ? text : `${text} What the service shows differs from that: ${unclear}.`;
}

function withDifferences(
  text: string,
  discrepancies: readonly string[],
  accepted?: AcceptedDifference,
): string {
  if (discrepancies.length === 0) return text;
  const listed = `What the service shows differs from what was asked: ${discrepancies.join('; ')}`;
  const by = accepted && `${listed}. ${saidOfDifference(accepted)}`;
  return [text, by ?? listed].filter((part) => part !== '').join(' ');
}

/** Empty where nothing differs, or it is neither on its way nor settled. */
export function differencesText({ state }: Payout): string {
  const isMade = state.status === 'accepted' || state.status === 'settled';
  return isMade ? withDifferences('', state.discrepancies, acceptedIn(state)) : '';
}

function saying(word: string | undefined): string {
  return word === undefined ? 'the service gave no word' : `the service says “${word}”`;
}

function day(at: Parameters<typeof formatTimestamp>[0]): string {
  return formatTimestamp(at).slice(0, 10);
}

function saidOfDifference({ by, at, reason, rest }: AcceptedDifference): string {
  const what = rest === undefined ? 'accepted it' : `said that the missing part is ${REST_WORDS[rest.is]}`;
  return `${by} ${what} on ${day(at)}: ${reason}`;
}

const REST_WORDS: Readonly<Record<RestFound, string>> = {
  delivered: 'delivered',
  lost: 'lost',
  open: 'still open',
};

/** `The missing part of row 3 is lost`: what a person said of a difference. */
export function differenceText(row: number, { state }: Payout): string {
  const rest = 'acceptedDifference' in state ? state.acceptedDifference?.rest : undefined;
  return rest === undefined
    ? `The difference of row ${row} is accepted`
    : `The missing part of row ${row} is ${REST_WORDS[rest.is]}`;
}
