/**
 * What happened to a payment, in words: one event of its journal, and what is known about each request that it made.
 */

import { type Body, partOf } from '../batches/decisions.ts';
import { NOT_KNOWN } from '../payouts/last-look.ts';
import type { Payout } from '../payouts/payout.ts';
import type { EventKind } from '../payouts/payout-event.ts';
import { cutText } from '../text/printable.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import { formatTimestamp, secondOf, type Timestamp, timestampOf } from '../timestamp.ts';
import { DOUBTS } from './reason.ts';

/** An entry of a payment's journal. */
export interface ToldEvent {
  readonly at: Timestamp;
  readonly kind: string;
  readonly body: Body;
}

/** How far a request came. */
const REACHED: Readonly<Record<string, string>> = {
  login: 'the login; nothing of the request was sent',
  connect: 'the connection; nothing of the request was sent',
  journal: 'the ledger; nothing of the request was sent',
  ready: 'an open connection; nothing of the request was sent',
  write: 'writing the request',
  wait: 'the request was written; no answer had begun',
  answer: 'an answer had begun or was complete',
  unknown: 'not known: the program ended meanwhile',
};

const HAPPENED: Readonly<Record<EventKind, string>> = {
  hold: 'held',
  price: 'name checked and fee known',
  invalidate: 'found invalid',
  release: 'released',
  approve: 'approved',
  unapprove: 'has to be approved again',
  cancel: 'withdrawn',
  begin_attempt: 'request written down',
  not_sent: 'not sent',
  turn_away: 'turned away',
  refuse: 'refused',
  doubt: 'in doubt',
  recover: 'found on the wire of a run that ended: in doubt',
  accept: 'accepted',
  rule_paid: 'ruled paid',
  rule_not_paid: 'ruled not paid',
  accept_difference: 'difference ruled on',
  progress: 'asked how it stands',
  suspect: 'called failed or returned for the first time',
  settle: 'settled',
  fail: 'failed',
  return: 'returned',
};

const WORDS: Readonly<Record<string, string>> = {
  ...HAPPENED,
  imported: 'read from the file',
  joined: 'new in a newer file of the batch',
  kept: 'unchanged in a newer file of the batch',
  rewritten: 'written in another way in a newer file of the batch',
  left_out: 'left out by a newer file of the batch',
  replaced: 'another payment of this row took its place',
  put_back: 'stands for its row again: the payment in its place was withdrawn or refused',
  replacement: 'planned again, in place of the payment before',
};

const TURNED_AWAY: Readonly<Record<string, string>> = {
  rate_limited: 'too many requests at once',
  token_refused: 'the session had ended',
};

/** `in doubt`, and its facts: `attempt 1`, `The request went out and no answer came`. */
export function eventWords({ kind, body }: ToldEvent): {
  readonly what: string;
  readonly facts: readonly string[];
} {
  const what = WORDS[kind] ?? kind.replaceAll('_', ' ');
  // Its `by` is a payment, not a person.
  return { what, facts: kind === 'replaced' ? [] : factsOf(body) };
}

/** How each short fact is said; an order of its own, whatever the journal's. */
const SAID: Readonly<Record<string, (value: string) => string>> = {
  by: (value) => `by ${value}`,
  reason: (value) => (value in DOUBTS ? DOUBTS[value as keyof typeof DOUBTS] : value),
  proof: (value) => `on this evidence: ${value}`,
  attempt: (value) => `attempt ${value}`,
  transferId: (value) => `transfer ${value}`,
  serviceStatus: (value) => `the service says “${value}”`,
  unclear: (value) => `the service ${value}`,
  code: (value) => `code ${value}`,
  message: (value) => `“${value}”`,
  phase: (value) => `reached: ${REACHED[value] ?? value}`,
  why: (value) => TURNED_AWAY[value] ?? value.replaceAll('_', ' '),
  until: (value) => `not again before ${secondOf(timestampOf(Number(value)))} UTC`,
};

function factsOf(whole: Body): string[] {
  // How far the request came stands with the other evidence, below the events.
  const { phase: _phase, ...evidence } = partOf(whole['evidence']);
  const body: Body = {
    ...evidence,
    ...partOf(whole['release']),
    ...partOf(whole['ruling']),
    ...withoutNested(whole),
  };
  const facts = Object.entries(SAID).flatMap(([key, say]) => {
    const value = body[key];
    return typeof value === 'string' || typeof value === 'number' ? [say(String(value))] : [];
  });
  return [...facts, ...differencesOf(body)];
}

function differencesOf({ discrepancies, unproven }: Body): string[] {
  const texts = Array.isArray(discrepancies) ? discrepancies.map(String) : [];
  const why = Array.isArray(unproven) ? unproven.map(String) : [];
  return [
    ...(texts.length === 0 ? [] : [`differs: ${texts.join(', ')}`]),
    ...(why.length === 0 ? [] : [`does not count, because the service ${why.join(' and ')}`]),
  ];
}

/** False: the look showed something else, and the event keeps the word from before. */
function isLastWord({ unclear, discrepancies }: Body): boolean {
  return unclear === undefined && !(Array.isArray(discrepancies) && discrepancies.includes(NOT_KNOWN));
}

/** The reasons of a hold in words; the proof of a ruling as the person gave it. */
function withoutNested(whole: Body): Body {
  const { reasons, release: _release, ruling, evidence: _evidence, serviceStatus, ...rest } = whole;
  const texts = Array.isArray(reasons) ? reasons.flatMap((reason) => partOf(reason)['text'] ?? []) : [];
  const proof = Object.entries(partOf(ruling)).find(([key]) => key === 'evidence')?.[1];
  return {
    ...rest,
    ...(isLastWord(whole) ? { serviceStatus } : {}),
    ...(texts.length > 0 ? { reason: texts.join('; ') } : {}),
    ...(proof === undefined ? {} : { proof }),
  };
}

/**
 * What is known about each request that a payout made: when it was under way, how far it came, how many bytes left,
 * and what came back. This is what a person needs to ask the service, or to find the payment in a statement.
 */

const FRAGMENT_SHOWN = 400;

/** One request: when it was under way, how far it came, what came back. */
export interface AttemptSection {
  readonly attempt: string;
  readonly facts: readonly (readonly [title: string, text: string])[];
}

/** Oldest first; empty when nothing was ever begun. */
export function attemptSections(payout: Payout, entries: readonly ToldEvent[]): readonly AttemptSection[] {
  return attemptsOf(payout, entries).map((facts) => ({
    attempt: String(facts['attempt'] ?? '?'),
    facts: attemptFacts(facts, payout),
  }));
}

/** Each attempt's evidence as it was written down; of a request that a crash cut off, what the state knows. */
function attemptsOf({ state }: Payout, entries: readonly ToldEvent[]): readonly Body[] {
  const found = entries.map(({ body }) => partOf(body['evidence'])).filter((facts) => 'attempt' in facts);
  const last = state.status === 'in_doubt' ? state.evidence : undefined;
  const isTold = found.some((facts) => facts['attempt'] === last?.attempt);
  return last === undefined || isTold ? found : [...found, { ...last }];
}

function attemptFacts(facts: Body, { instruction }: Payout): readonly (readonly [string, string])[] {
  // The service may repeat the account in its answer.
  const echoes = echoesOfAccount(instruction?.account.reveal() ?? '');
  const text = (key: string) => withoutEchoes(String(facts[key] ?? ''), echoes);
  const when = (key: string) => {
    const at = facts[key];
    return typeof at === 'number'
      ? formatTimestamp(at as Timestamp)
          .slice(0, 19)
          .replace('T', ' ')
      : '?';
  };
  const bytes = Number(facts['bytesWritten'] ?? -1);
  const port = text('localPort') === '' ? '' : `, from port ${text('localPort')}`;
  const answer = [
    text('httpStatus') === '' ? '' : `HTTP ${text('httpStatus')}`,
    text('code') === '' ? '' : `code ${text('code')}`,
    text('message'),
    text('errorCode'),
  ].filter((part) => part !== '');
  const fragment = text('fragment');
  const shown = cutText(fragment, FRAGMENT_SHOWN);
  return [
    ['Under way', `${when('startedAt')} to ${when('endedAt')} UTC`],
    ['Reached', REACHED[text('phase')] ?? text('phase')],
    ['Bytes written', bytes < 0 ? 'not known' : `${bytes}${port}`],
    ...(answer.length === 0 ? [] : [['Answer', answer.join(', ')] as const]),
    ...(fragment === '' ? [] : [['Came back', `“${shown}”`] as const]),
  ];
}
