/**
 * What is known about each request that a payout made: when it was under way, how far it came, how many bytes left,
 * and what came back. This is what a person needs to ask the service, or to find the payment in a statement.
 */
import { cutText } from '../domain/cut-text.ts';
import type { Payout } from '../domain/payout.ts';
import { printable } from '../domain/printable.ts';
import { formatTimestamp, type Timestamp } from '../domain/timestamp.ts';
import { echoesOfAccount, withoutEchoes } from '../domain/without-echoes.ts';
import type { JournalEntry } from '../ports/ledger.ts';
import { REACHED } from './explain-event.ts';
import { wrapped } from './wrapped.ts';

const FRAGMENT_SHOWN = 400;

type Facts = Readonly<Record<string, unknown>>;

/** Lines for every attempt, oldest first; empty when nothing was ever begun. */
export function evidenceLines(payout: Payout, entries: readonly JournalEntry[], width: number): string[] {
  return attemptsOf(payout, entries).flatMap((facts) => [
    '',
    `Attempt ${String(facts['attempt'] ?? '?')}:`,
    ...factLines(facts, payout).flatMap(([title, text]) =>
      wrapped(`${title.padEnd(15)}${printable(text)}`, Math.max(width - 2, 40), ' '.repeat(15)).map(
        (line) => `  ${line}`,
      ),
    ),
  ]);
}

/** Each attempt's evidence as it was written down; of a request that a crash cut off, what the state knows. */
function attemptsOf({ state }: Payout, entries: readonly JournalEntry[]): readonly Facts[] {
  const found = entries.flatMap(({ body }) => (isFacts(body['evidence']) ? [body['evidence']] : []));
  const last = state.status === 'in_doubt' ? state.evidence : undefined;
  const isTold = found.some((facts) => facts['attempt'] === last?.attempt);
  return last === undefined || isTold ? found : [...found, { ...last }];
}

function factLines(facts: Facts, { instruction }: Payout): readonly (readonly [string, string])[] {
  // The service may repeat the account in its answer, and what an older program kept of it is as it came.
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

function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
