/**
 * What each line of a row says of it: that it was paid, that it failed or came back, or that cannot be told which.
 */

import { meaningOf } from '../payouts/poll-answer.ts';
import type { Policy } from '../policy.ts';
import type { StatementLine } from './line.ts';
import type { MatchedLine } from './match.ts';

export type StatusWords = Pick<Policy, 'failedWords' | 'returnedWords' | 'failConfirmMs'>;

export interface LineRoles {
  readonly paying: readonly MatchedLine[];
  /** Of a transfer that failed or came back: no payment. */
  readonly back: readonly MatchedLine[];
  readonly open: readonly MatchedLine[];
}

export function rolesOf(matched: readonly MatchedLine[], words: StatusWords): LineRoles {
  const roleOf = ({ line }: MatchedLine) => {
    if (line.direction === 'in' || isEnded(line, words)) return 'in';
    return line.direction;
  };
  return {
    paying: matched.filter((each) => roleOf(each) === 'out'),
    back: matched.filter((each) => roleOf(each) === 'in'),
    open: matched.filter((each) => roleOf(each) === 'open'),
  };
}

function isEnded({ status }: StatementLine, words: StatusWords): boolean {
  const meaning = meaningOf(status, words);
  return meaning === 'failed' || meaning === 'returned';
}

/** `line 6 shows 45.00 coming back`, `line 6 shows it as “Failed”`. */
export function backText(line: StatementLine): string {
  const how = line.direction === 'in' ? `${line.amountText} coming back` : `it as “${line.status}”`;
  return `line ${line.rowNumber} shows ${how}`;
}

/** `line 5`, `lines 5, 6`. */
export function lineNumbers(lines: readonly StatementLine[]): string {
  return `line${lines.length === 1 ? '' : 's'} ${lines.map(({ rowNumber }) => rowNumber).join(', ')}`;
}
