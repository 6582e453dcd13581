/** Rows of a report that a person has to look at, the most serious first: a payment that was called failed and is paid. */
import type { Status } from '../payouts/payout.ts';
import type { ReportLine } from './report-line.ts';
import { STATUS_WORDS } from './status-words.ts';

/** Whatever else is known of the row. On a terminal invalid rows are listed by what is wrong with them. */
export const TO_LOOK_AT: readonly Status[] = ['in_doubt', 'sending', 'failed', 'returned', 'held'];

const EXCEPTION_KINDS = [
  'incident',
  'in_doubt',
  'sending',
  'suspected',
  'failed',
  'returned',
  'held',
  'invalid',
  'differing',
] as const;
type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

/** undefined for a row that nobody has to look at. */
function exceptionKind(line: ReportLine): ExceptionKind | undefined {
  if (line.incident) return 'incident';
  if (line.isSuspected) return 'suspected';
  // Shown by the other batch; here it is no row to act on.
  const isElsewhere = line.paidAgain !== undefined && ['failed', 'returned'].includes(line.status);
  if (isElsewhere) return undefined;
  if (line.status === 'settled') return line.texts.reason === '' ? undefined : 'differing';
  return EXCEPTION_KINDS.find((kind) => kind === line.status);
}

function exceptionWord(kind: ExceptionKind): string {
  if (kind === 'incident') return 'Incident';
  if (kind === 'suspected') return 'Called failed, not confirmed';
  return kind === 'differing' ? 'Settled, with a difference' : STATUS_WORDS[kind].word;
}

/**
 * Keeps what is shown of each exception, at most so many of a kind, so that a broken file of a million rows does not
 * fill the memory; and counts how many more there are.
 */
export class Exceptions<Shown> {
  readonly #kept = new Map<ExceptionKind, Shown[]>(EXCEPTION_KINDS.map((kind) => [kind, []]));
  readonly #more = new Map<ExceptionKind, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the line is among those kept. */
  add(line: ReportLine, show: () => Shown): boolean {
    const kind = exceptionKind(line);
    const kept = kind === undefined ? undefined : this.#kept.get(kind);
    if (kind === undefined || kept === undefined) return false;
    if (kept.length < this.#most) {
      kept.push(show());
      return true;
    }
    this.#more.set(kind, (this.#more.get(kind) ?? 0) + 1);
    return false;
  }

  /** All of them, also those that were not kept. */
  get count(): number {
    return [...this.#more.values()].reduce((sum, count) => sum + count, this.kept().length);
  }

  kept(): readonly Shown[] {
    return EXCEPTION_KINDS.flatMap((kind) => this.#kept.get(kind) ?? []);
  }

  /** Of each kind that has more than were kept: its word, and how many. */
  more(): readonly (readonly [word: string, count: number])[] {
    return [...this.#more].map(([kind, count]) => [exceptionWord(kind), count]);
  }
}
