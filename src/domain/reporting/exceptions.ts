/** Rows of a report that a person has to look at, the most serious first: a payment that was called failed and is paid. */
import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import { isOpenDifference } from '../payouts/difference.ts';
import { isPaid } from '../payouts/family.ts';
import { hasEndedUnpaid, isUnknown, type Status } from '../payouts/payout.ts';
import type { Sum } from './currency-totals.ts';
import type { ReportLine } from './report-line.ts';
import { rowLabel, STUCK_WORDS } from './row-label.ts';
import { STATUS_WORDS } from './status-words.ts';
import { type Mutable, Tallies } from './tallies.ts';

/** Whatever else is known of the row. On a terminal invalid rows are listed by what is wrong with them. */
export const TO_LOOK_AT: readonly Status[] = ['in_doubt', 'sending', 'failed', 'returned', 'held'];

const { in_doubt, sending, failed, returned, held, invalid } = STATUS_WORDS;

/** Each kind with its word, the most serious first. A mark that only one status can have uses the label of such a row. */
const EXCEPTIONS = {
  incident: 'Incident',
  in_doubt: in_doubt.word,
  sending: sending.word,
  over: 'More than was asked',
  missing: STUCK_WORDS.missing,
  suspected: 'Called failed or returned',
  unknown_word: STUCK_WORDS.unknown_word,
  late: STUCK_WORDS.late,
  failed: failed.word,
  returned: returned.word,
  held: held.word,
  invalid: invalid.word,
  differing_on_its_way: rowLabel('accepted', { differs: true }).word,
  differing: rowLabel('settled', { differs: true }).word,
} as const;
type ExceptionKind = keyof typeof EXCEPTIONS;

const EXCEPTION_KINDS = Object.keys(EXCEPTIONS) as readonly ExceptionKind[];

type LookedAt = Omit<ReportLine, 'account'>;

/** undefined for a row that nobody has to look at. */
function exceptionKind(line: LookedAt): ExceptionKind | undefined {
  if (line.incident) return 'incident';
  if (line.difference === 'over') return line.difference;
  if (line.stuck === 'missing') return line.stuck;
  if (line.isSuspected) return 'suspected';
  if (line.stuck !== undefined) return line.stuck;
  const differs = isOpenDifference(line.difference);
  if (isShownElsewhere(line) && !differs) return undefined;
  // One that failed or came back stands there as that; its reason has the difference.
  if (differs && !hasEndedUnpaid(line.status))
    return line.status === 'settled' ? 'differing' : 'differing_on_its_way';
  return EXCEPTION_KINDS.find((kind) => kind === line.status);
}

/**
 * Another payment or batch stands for the row and shows it. Whether the row was paid is a question of this batch too while
 * the other payment is in doubt.
 */
function isShownElsewhere({ status, paidAgain, isReplaced }: LookedAt): boolean {
  if (!hasEndedUnpaid(status)) return false;
  return isReplaced === true || (paidAgain !== undefined && !isUnknown(paidAgain));
}

/** undefined for a row that nobody has to look at. */
export function lookWord(line: LookedAt): string | undefined {
  const kind = exceptionKind(line);
  return kind === undefined ? undefined : EXCEPTIONS[kind];
}

/** What became of a payment that failed or came back, where nobody has to do anything about it here. */
export const STORIES = {
  paid_elsewhere: 'Paid again in another batch',
  open_elsewhere: 'Taken over by another batch',
  settled_later: 'Settled at a later try',
  canceled_later: 'Tried, then canceled',
  later: 'Being tried again',
} as const;
type StoryKind = keyof typeof STORIES;

const WORDS = { ...EXCEPTIONS, ...STORIES };
const KINDS = Object.keys(WORDS) as readonly (ExceptionKind | StoryKind)[];

function storyKind(line: ReportLine): StoryKind | undefined {
  const { status, paidAgain } = line;
  if (line.isReplaced === true) return undefined;
  if (isShownElsewhere(line))
    return paidAgain !== undefined && isPaid(paidAgain) ? 'paid_elsewhere' : 'open_elsewhere';
  if (!line.isLaterTry) return undefined;
  return status === 'settled' ? 'settled_later' : status === 'canceled' ? 'canceled_later' : 'later';
}

/** How many rows of a kind and currency there are, and what they come to. */
export interface LookSum extends Sum {
  readonly word: string;
  /** undefined: rows whose amount cannot be read. */
  readonly currency: CurrencyCode | undefined;
  /** Nobody has to do anything about them. */
  readonly isStory: boolean;
}

/**
 * Keeps what is shown of each exception, at most so many of a kind, so that a broken file of a million rows does not
 * fill the memory; and counts how many more there are.
 */
export class Exceptions<Shown> {
  readonly #kept = new Map<ExceptionKind, Shown[]>(EXCEPTION_KINDS.map((kind) => [kind, []]));
  readonly #more = new Map<ExceptionKind, number>();
  readonly #sums = new Tallies<Mutable<LookSum>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the line is among those kept. */
  add(line: ReportLine, show: () => Shown): boolean {
    const kind = exceptionKind(line);
    const kept = kind === undefined ? undefined : this.#kept.get(kind);
    this.#count(kind ?? storyKind(line), line.amount);
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

  /** By kind, the gravest first, then by currency. */
  sums(): readonly LookSum[] {
    return this.#sums.all();
  }

  #count(kind: ExceptionKind | StoryKind | undefined, amount: Money | undefined): void {
    if (kind === undefined) return;
    const { currency, minor = 0n } = amount ?? {};
    const isStory = kind in STORIES;
    // Two digits, so that the keys are in the order of the kinds.
    const key = `${KINDS.indexOf(kind) + 10} ${currency ?? ''}`;
    const sum = this.#sums.of(key, () => ({ word: WORDS[kind], isStory, currency, count: 0, minor: 0n }));
    sum.count += 1;
    sum.minor += minor;
  }

  kept(): readonly Shown[] {
    return EXCEPTION_KINDS.flatMap((kind) => this.#kept.get(kind) ?? []);
  }

  /** Of each kind that has more than were kept: its word, and how many. */
  more(): readonly (readonly [word: string, count: number])[] {
    return [...this.#more].map(([kind, count]) => [EXCEPTIONS[kind], count]);
  }
}
