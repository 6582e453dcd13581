/**
 * What people are told once the money has moved, compared with what the service said last. A batch that ends with 0 has
 * every row paid, once and as asked; of everything else its exit code, its rows and its sums say that somebody has to look.
 */
import type { Status } from '../../src/domain/payouts/payout.ts';
import type { ReportLine } from '../../src/domain/reporting/report-line.ts';
import type { Told } from './oracle.ts';

/** A payment that the service has, as it stands in the last report. */
export interface ToldPayout {
  readonly payout: number;
  /** Payments of one row have the same. */
  readonly root: number;
  readonly status: Status;
  /** In minor units. */
  readonly asked: number;
  /** In the last report; undefined: another payment has the row's place. */
  readonly line: Pick<ReportLine, 'isDiffering' | 'stuck' | 'isSuspected'> | undefined;
  /** What the service said in the last two rounds of looks, a day apart, the newer one last. `not_asked`: nobody asked. */
  readonly said: readonly [Answer, Answer];
  /** All that it ever said. */
  readonly ever: readonly Told['status'][];
  /** The service calls institution and country as the payment does: a word may count. */
  readonly isAlike: boolean;
  /** A person accepted just what the service said last. */
  readonly isAccepted: boolean;
}

export type Answer = Told['status'] | 'not_asked';

const FAILED = ['failed', 'declined', 'rejected'];
const RETURNED = ['reversed', 'returned'];

type Meaning = 'not_asked' | 'not_found' | 'finished' | 'failed' | 'returned' | 'pending' | 'unknown_word';

function meaningOf(answer: Answer): Meaning {
  if (answer === 'not_asked') return answer;
  if (answer === undefined) return 'not_found';
  const word = answer.word.toLowerCase();
  if (word === 'finished') return 'finished';
  if (FAILED.includes(word)) return 'failed';
  if (RETURNED.includes(word)) return 'returned';
  return ['processing', 'pending'].includes(word) ? 'pending' : 'unknown_word';
}

function shownMinor(answer: Answer): number | undefined {
  return answer === undefined || answer === 'not_asked' ? undefined : Math.round(Number(answer.amount) * 100);
}

/** Sentences about the batch; none where people are told the truth. `exitCode`: of its report. */
export function untruths(exitCode: number, payouts: readonly ToldPayout[]): readonly string[] {
  return [
    ...payouts.flatMap((one) => untruthsOf(exitCode, one).map((text) => `payout ${one.payout} ${text}`)),
    ...paidTwice(exitCode, payouts),
  ];
}

function untruthsOf(exitCode: number, one: ToldPayout): string[] {
  const { asked, isAccepted, isAlike, line, said, status } = one;
  const [before, last] = said;
  const [meaning, shown] = [meaningOf(last), shownMinor(last)];
  if (line === undefined || meaning === 'not_asked') return [];
  const isMoved = status === 'accepted' || status === 'settled';
  const isEqual = shown === undefined || shown === asked;
  const found: string[] = [];
  const isQuiet = exitCode === 0 && !isAccepted;
  // One such answer proves nothing.
  const isMissing = meaning === 'not_found' && meaningOf(before) === 'not_found';
  const isFirstMiss = status === 'settled' && meaning === 'not_found' && !isMissing;
  if (isQuiet && !isFirstMiss && (meaning !== 'finished' || !isEqual))
    found.push(`was last called ${wordOf(last)}, and its batch ends with 0`);
  // Under a word for failed or returned the amount is not what went out.
  const isOut = meaning !== 'failed' && meaning !== 'returned';
  const wasOver = one.ever.some((each) => isOutWord(each) && (shownMinor(each) ?? 0) > asked);
  if (isMoved && isOut && !isAccepted && (shown ?? 0) > asked && exitCode !== 5)
    found.push(`shows ${shown} of ${asked}, and its batch ends with ${exitCode}`);
  if (status === 'accepted' && isMissing && exitCode !== 5)
    found.push(`was not found for a day, and its batch ends with ${exitCode}`);
  if (isAlike && isEqual && !wasOver && isSaidTwice(said, 'failed') && isMoved)
    found.push(`was called ${wordOf(last)} twice, a day apart, and is ${status}`);
  if (isAlike && isEqual && !wasOver && meaning === 'returned' && status !== 'returned')
    found.push(`was called ${wordOf(last)}, and is ${status}`);
  const isOther =
    (meaning === 'finished' && !isEqual) || meaning === 'unknown_word' || meaning === 'returned';
  if (status === 'settled' && (isOther || isMissing) && !line.isDiffering)
    found.push(`was last called ${wordOf(last)}, and does not differ`);
  if (status === 'accepted' && meaning === 'unknown_word' && line.stuck === undefined)
    found.push(`is called ${wordOf(last)}, and nobody is told to look`);
  if (line.isDiffering && isAlike && !isMissing && one.ever.every((each) => isAsAsked(each, asked)))
    found.push('differs, and the service never said anything else than was asked');
  return found;
}

const wordOf = (answer: Answer) =>
  typeof answer === 'object' ? `${answer.word} ${answer.amount}` : (answer ?? 'unknown');

function isSaidTwice([before, last]: ToldPayout['said'], meaning: Meaning): boolean {
  return meaningOf(last) === meaning && wordOf(before).toLowerCase() === wordOf(last).toLowerCase();
}

const isOutWord = (answer: Answer) => !['failed', 'returned', 'not_found'].includes(meaningOf(answer));

function isAsAsked(answer: Told['status'], asked: number): boolean {
  const isFine = ['finished', 'pending', 'not_found'].includes(meaningOf(answer));
  return isFine && (shownMinor(answer) ?? asked) === asked;
}

/** Two payments of one row that the service calls finished. */
function paidTwice(exitCode: number, payouts: readonly ToldPayout[]): string[] {
  if (exitCode === 5) return [];
  const paid = payouts.filter(({ said: [, last] }) => meaningOf(last) === 'finished');
  return paid.flatMap(({ payout, root }, at) =>
    paid.slice(0, at).some((other) => other.root === root)
      ? [
          `payout ${payout} is the second one that is finished of its row, and its batch ends with ${exitCode}`,
        ]
      : [],
  );
}

/**
 * What has settled, in minor units, as the service shows it; undefined where it was not asked of all, or showed the amount of
 * what came back.
 */
export function settledMinor(payouts: readonly ToldPayout[]): number | undefined {
  let sum = 0;
  for (const { ever, line, said, status } of payouts) {
    if (status !== 'settled' || line === undefined) continue;
    const [, last] = said;
    const shown = shownMinor(last);
    if (shown === undefined || !isOutWord(last)) return undefined;
    if (ever.some((each) => meaningOf(each) === 'returned')) return undefined;
    sum += shown;
  }
  return sum;
}
