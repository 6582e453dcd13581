/**
 * What the lines found for one payout mean for it, or that there are none. Pure; it proposes and never rules.
 *
 * What may be ruled without a person is narrow: paid, by a tag or a transfer id and with an id that the service can
 * confirm; not paid, where the statement covers the time for certain and is known to show such payments.
 */
import { counted } from './counted.ts';
import type { Policy } from './policy.ts';
import { meaningOf } from './poll-answer.ts';
import { amountFits, type StatementEntry } from './statement-entry.ts';
import type { Finding } from './statement-findings.ts';
import type { StatementLine } from './statement-line.ts';
import type { MatchedLine } from './statement-match.ts';
import { covers, type StatementSpan } from './statement-span.ts';

export interface Judging {
  readonly span: StatementSpan;
  /** How often lines were recognised by tag, and by a whole account number. */
  readonly shows: { readonly tags: number; readonly accounts: number };
  /** Lines without an account or an amount that can be read: any of them may be the payment. */
  readonly unreadableLines: number;
  /** Tags are written in front of the narration of this batch's transfers. */
  readonly isTagged: boolean;
  readonly words: Pick<Policy, 'failedWords' | 'returnedWords' | 'failConfirmMs'>;
}

export interface EntryLines {
  readonly matched: readonly MatchedLine[];
  readonly candidates: readonly StatementLine[];
  /** Lines that may be about it by their amount alone. */
  readonly similar: readonly StatementLine[];
}

export function judge(entry: StatementEntry, lines: EntryLines, judging: Judging): readonly Finding[] {
  // A line of a transfer that failed or came back is no payment, but the row's own words may say so as well.
  const paying = lines.matched.filter(({ line }) => isPayment(line, judging));
  const [first, second] = paying;
  if (entry.status === 'approved') return paying.map(({ line }) => sentByNobody(entry, line));
  if (first !== undefined && second !== undefined)
    return [{ kind: 'duplicate', entry, lines: paying.map(({ line }) => line) }];
  if (entry.status === 'in_doubt' || entry.status === 'sending')
    return [judgeDoubt(entry, { ...lines, matched: first === undefined ? lines.matched : paying }, judging)];
  if (first !== undefined) return [judgePaid(entry, first, lines)];
  const [other] = lines.matched;
  if (other !== undefined) return judgeUnpaidLine(entry, other);
  const isOurs = entry.status === 'accepted' || entry.status === 'settled';
  if (!isOurs || lines.candidates.length > 0 || entry.window === undefined) return [];
  return covers(judging.span, entry.window) ? [{ kind: 'ours_only', entry }] : [];
}

/**
 * Absence is weighed against the whole batch: an export that lacks payments which the service made, or shows none of
 * this currency, may be filtered, and then what it lacks proves nothing.
 */
export function weighAbsences(findings: readonly Finding[]): readonly Finding[] {
  const lacking = findings.filter(({ kind }) => kind === 'ours_only').length;
  const shown = new Set<string>();
  for (const finding of findings) if (finding.kind === 'matched') shown.add(finding.entry.amount.currency);
  return findings.map((finding) => {
    if (finding.kind !== 'propose_not_paid' || finding.weakness !== undefined) return finding;
    const { currency } = finding.entry.amount;
    if (lacking > 0)
      return {
        ...finding,
        weakness: `it also lacks ${counted(lacking, 'payment')} that the service calls made`,
      };
    if (!shown.has(currency)) return { ...finding, weakness: `it shows no other payment in ${currency}` };
    return finding;
  });
}

/** The ledger may have been set back, or somebody copied a narration. */
function sentByNobody(entry: StatementEntry, line: StatementLine): Finding {
  const why = `row ${entry.rowNumber} has that tag and is approved, but was never sent`;
  return { kind: 'theirs_only', line, tag: entry.tag, why, unsent: entry };
}

function isPayment(line: StatementLine, { words }: Judging): boolean {
  const meaning = meaningOf(line.status, words);
  return line.direction === 'out' && meaning !== 'failed' && meaning !== 'returned';
}

function judgePaid(
  entry: StatementEntry,
  { line, by, idHolder }: MatchedLine,
  { matched }: EntryLines,
): Finding {
  if (matched.length > 1)
    return { kind: 'differs', entry, line, what: 'another line shows it as failed or coming back' };
  if (entry.status === 'failed') {
    const transferId = line.ids[0];
    const said = { refused: 'refused', service_status: 'failed', ruled: 'ruled not paid' } as const;
    const what = `${said[entry.basis ?? 'refused']}, but the statement shows it as paid (line ${line.rowNumber})`;
    return { kind: 'incident', entry, line, by, transferId, what };
  }
  if (entry.status === 'returned') return { kind: 'matched', entry, line, by };
  if (line.amounts.length > 0 && !amountFits(entry, line))
    return { kind: 'differs', entry, line, what: `the statement shows ${line.amountText}` };
  if (idHolder !== undefined) return { kind: 'differs', entry, line, what: `it ${holderText(idHolder)}` };
  // Another id is no difference: a bank numbers its bookings by itself.
  return { kind: 'matched', entry, line, by };
}

function judgeUnpaidLine(entry: StatementEntry, { line, by }: MatchedLine): readonly Finding[] {
  if (entry.status === 'failed' || entry.status === 'returned') return [{ kind: 'matched', entry, line, by }];
  const how = line.direction === 'in' ? 'as money that came back' : `as “${line.status}”`;
  return [{ kind: 'differs', entry, line, what: `the statement shows it ${how}` }];
}

/** One of two rows has the other's transfer: a ruling may have been wrong. */
function holderText({ rowNumber, transferId = '' }: StatementEntry): string {
  return `names transfer ${transferId}, which row ${rowNumber} has: find out which row it paid`;
}

function judgeDoubt(
  entry: StatementEntry,
  { matched, candidates, similar }: EntryLines,
  judging: Judging,
): Finding {
  const [found] = matched;
  if (found !== undefined) {
    const { line, by } = found;
    const transferId = line.ids[0];
    return { kind: 'propose_paid', entry, line, by, transferId, weakness: weaknessOf(entry, found) };
  }
  if (candidates.length > 0) {
    const rows = candidates.map(({ rowNumber }) => rowNumber).join(', ');
    return { kind: 'still_in_doubt', entry, why: `line ${rows} may be it, or another payment like it` };
  }
  if (entry.window === undefined || !covers(judging.span, entry.window)) {
    const why =
      judging.span.doubt ?? 'the statement does not reach from before the request to a day after it';
    return { kind: 'still_in_doubt', entry, why: `not in the statement, which proves nothing: ${why}` };
  }
  const [near] = similar;
  if (near !== undefined) {
    const why = `line ${near.rowNumber} shows the same amount and nothing that tells whose it is: it may be this one`;
    return { kind: 'still_in_doubt', entry, why };
  }
  return { kind: 'propose_not_paid', entry, weakness: absenceWeakness(entry, judging) };
}

function weaknessOf(entry: StatementEntry, { line, by, idHolder }: MatchedLine): string | undefined {
  if (entry.status === 'sending') return 'its run has not ended; send or settle the batch first';
  if (idHolder !== undefined) return `the line ${holderText(idHolder)}`;
  if (by === 'masked_account') return 'the account is shown in part only';
  if (line.ids.length === 0) return 'the line names no transfer id; look it up in the dashboard';
  if (line.ids.length > 1) return `the line names several ids: ${line.ids.join(', ')}`;
  if (line.amounts.length > 0 && !amountFits(entry, line)) return `the line shows ${line.amountText}`;
  return undefined;
}

function absenceWeakness(entry: StatementEntry, judging: Judging): string | undefined {
  if (entry.status === 'sending') return 'its run has not ended; send or settle the batch first';
  const { shows, unreadableLines, isTagged } = judging;
  if (isTagged && shows.tags > 0) return undefined;
  if (shows.accounts === 0) return 'no other row of this batch was recognised: is it the right statement?';
  if (unreadableLines > 0)
    return `${counted(unreadableLines, 'line shows', 'lines show')} no tag and no account and amount that can be read`;
  return undefined;
}
