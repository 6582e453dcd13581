/**
 * What the lines found for one payout mean for it, or that there are none. Pure; it proposes and never rules.
 *
 * What may be ruled without a person is narrow (statement-doubt.ts): paid, by a tag or a transfer id and with an id
 * that the service can confirm; not paid, where the statement covers the time for certain and is known to show such
 * payments.
 */
import { counted } from '../text/printable.ts';
import { alikeText, besideOf } from './alike.ts';
import { candidatesText, holderText, judgeDoubt } from './doubt.ts';
import { amountFits, isFarBelow, type StatementEntry } from './entry.ts';
import { type Finding, linesOf } from './findings.ts';
import type { StatementLine } from './line.ts';
import { type EntryLines, LINES_KEPT, type MatchedLine } from './match.ts';
import { backText, type LineRoles, lineNumbers, rolesOf, type StatusWords } from './roles.ts';
import { type SignRule, signsText } from './signs.ts';
import { similarText } from './similar.ts';
import { covers, type StatementSpan } from './span.ts';

export interface Judging {
  readonly span: StatementSpan;
  readonly signs: SignRule;
  /** How often lines were recognised by tag, and by a whole account number. */
  readonly shows: { readonly tags: number; readonly accounts: number };
  /** Lines without an account or an amount that can be read: any of them may be the payment. */
  readonly unreadableLines: number;
  /** Tags are written in front of the narration of this batch's transfers. */
  readonly isTagged: boolean;
  readonly words: StatusWords;
}

/** Every line that was found for the row stands in one of its findings. */
export function judge(entry: StatementEntry, lines: EntryLines, judging: Judging): readonly Finding[] {
  const fees = feesAmong(entry, lines.matched, judging);
  const matched = lines.matched.filter((each) => !fees.includes(each));
  const found = judgeLines(entry, { ...lines, matched }, judging).map((each) => besideFees(each, fees));
  found.push(...fees.map(({ line }) => ({ kind: 'fee_line', entry, line }) as const));
  const told = new Set(found.flatMap(linesOf));
  const all = new Set([...lines.matched.map(({ line }) => line), ...lines.candidates]);
  const further = [...all].filter((line) => !told.has(line));
  if (further.length > 0) found.push({ kind: 'further_lines', entry, lines: further });
  return found;
}

/**
 * A bank may book its fee by itself and name the payment with it. Only beside the payment's own line, and only far
 * below its amount, is a line taken for that: a second payment at another rate must stay one.
 */
function feesAmong(
  entry: StatementEntry,
  matched: readonly MatchedLine[],
  { words }: Judging,
): readonly MatchedLine[] {
  // A line that was not kept may be a second payment.
  if (entry.status === 'approved' || matched.length >= LINES_KEPT) return [];
  const { paying, open } = rolesOf(matched, words);
  const isShown = paying.some(({ line }) => line.amounts.length > 0 && amountFits(entry, line));
  if (!isShown) return [];
  return [...paying, ...open].filter(({ line }) => !amountFits(entry, line) && isFarBelow(entry, line));
}

/** A bank charges for a return as well: then the payment's line is no proof that it was kept. */
function besideFees(finding: Finding, fees: readonly MatchedLine[]): Finding {
  const speaking = fees.find(({ line }) => line.returnWord !== undefined)?.line;
  if (finding.kind !== 'propose_paid' || finding.weakness !== undefined || speaking === undefined)
    return finding;
  const { rowNumber, returnWord } = speaking;
  const weakness = `line ${rowNumber} is a fee that speaks of a return (“${returnWord}”)`;
  return { ...finding, weakness };
}

function judgeLines(entry: StatementEntry, lines: EntryLines, judging: Judging): readonly Finding[] {
  const roles = rolesOf(lines.matched, judging.words);
  const { paying, back, open } = roles;
  const [first, second] = paying;
  // What failed or came back was sent as well.
  if (entry.status === 'approved' && lines.matched.length > 0)
    return lines.matched.map(({ line }) => sentByNobody(entry, line));
  if (first !== undefined && second !== undefined)
    return [{ kind: 'duplicate', entry, lines: paying.map(({ line }) => line) }];
  if (entry.status === 'in_doubt' || entry.status === 'sending') return [judgeDoubt(entry, lines, judging)];
  if (open.length > 0) return [judgeOpen(entry, roles, judging)];
  if (first !== undefined) return judgePaid(entry, first, { back, lines });
  const [other] = back;
  if (other !== undefined) return [judgeUnpaidLine(entry, other)];
  return judgeUnshown(entry, lines, judging);
}

/** Lines that may be payments or what came back. */
function judgeOpen(entry: StatementEntry, { paying, open }: LineRoles, { signs }: Judging): Finding {
  const lines = [...paying, ...open].map(({ line }) => line);
  const isMinus = new Set(open.map(({ line }) => line.sign === 'minus'));
  // One of two lines with different signs came back, whichever it is.
  const mayBeTwice = paying.length > 0 || open.length > isMinus.size;
  const isPressing = mayBeTwice || entry.status === 'failed' || entry.status === 'approved';
  const seen = lineNumbers(open.map(({ line }) => line));
  const why = `${seen} may be the payment or its coming back: ${signsText(signs)}`;
  return { kind: 'unclear', entry, lines, why, isPressing };
}

/** A row that is not in doubt and has no line for certain. */
function judgeUnshown(entry: StatementEntry, lines: EntryLines, { span }: Judging): readonly Finding[] {
  const { candidates, similar, alike, isOutnumbered } = lines;
  const isCalledUnpaid = entry.status === 'failed' || entry.status === 'approved';
  const isPressing = isCalledUnpaid || isOutnumbered;
  if (candidates.length > 0)
    return [{ kind: 'unclear', entry, lines: candidates, why: candidatesText(lines), isPressing }];
  const [cut] = similar;
  if (cut !== undefined) {
    const why = `${similarText(entry, cut)}: it may be this one`;
    return [{ kind: 'unclear', entry, lines: [cut.line], why, isPressing }];
  }
  if (entry.window === undefined) return [];
  const isCovered = covers(span, entry.window);
  const note = alike.length === 0 ? undefined : alike.map(alikeText).join('; ');
  const near = { lines: alike.map(({ line }) => line), note };
  if (entry.status === 'accepted') return [{ kind: 'on_its_way', entry, ...near, isCovered }];
  return entry.status === 'settled' && isCovered ? [{ kind: 'ours_only', entry, ...near }] : [];
}

/**
 * Absence is weighed against the whole batch: an export that lacks payments which the service made, or shows none of
 * this currency, may be filtered, and then what it lacks proves nothing.
 */
export function weighAbsences(findings: readonly Finding[]): readonly Finding[] {
  const lacking = findings.filter(({ kind }) => kind === 'ours_only').length;
  const unclear = findings.filter(({ kind }) => kind === 'unclear').length;
  const shown = new Set<string>();
  const unbooked = new Map<string, number>();
  for (const finding of findings) {
    const { currency } = finding.kind === 'theirs_only' ? { currency: '' } : finding.entry.amount;
    if (finding.kind === 'matched' && finding.line.direction === 'out') shown.add(currency);
    if (finding.kind === 'on_its_way' && finding.isCovered)
      unbooked.set(currency, (unbooked.get(currency) ?? 0) + 1);
  }
  return findings.map((finding) => {
    if (finding.kind !== 'propose_not_paid' || finding.weakness !== undefined) return finding;
    const { currency } = finding.entry.amount;
    if (lacking > 0)
      return {
        ...finding,
        weakness: `it also lacks ${counted(lacking, 'payment')} that the service calls made`,
      };
    // What is not booked days after it was made shows that this one may be made as well, and not booked.
    const onTheWay = unbooked.get(currency) ?? 0;
    if (onTheWay > 0)
      return {
        ...finding,
        weakness: `it also lacks ${counted(onTheWay, 'payment')} in ${currency} on the way: so may this one be`,
      };
    if (unclear > 0)
      return { ...finding, weakness: `${counted(unclear, 'other row')} cannot be told apart in it` };
    if (!shown.has(currency)) return { ...finding, weakness: `it shows no other payment in ${currency}` };
    return finding;
  });
}

/** The ledger may have been set back, or somebody copied a narration. */
function sentByNobody(entry: StatementEntry, line: StatementLine): Finding {
  const why = `row ${entry.rowNumber} has that tag and is approved, but was never sent`;
  return { kind: 'theirs_only', line, tag: entry.tag, why, unsent: entry };
}

function judgePaid(
  entry: StatementEntry,
  { line, by, idHolder }: MatchedLine,
  { back, lines }: { readonly back: readonly MatchedLine[]; readonly lines: EntryLines },
): readonly Finding[] {
  const beside = besideOf(lines.alike);
  const [returned] = back.map((each) => each.line);
  const others = back.map((each) => each.line);
  if (entry.status === 'returned') {
    others.push(...beside.map((each) => each.line).filter(({ direction }) => direction === 'in'));
    return [{ kind: 'matched', entry, line, others, by }];
  }
  const differs = (what: string) => [{ kind: 'differs', entry, line, others, what } as const];
  if (returned !== undefined) return differs(`it shows it as paid, and ${backText(returned)}`);
  if (entry.status === 'failed') {
    const transferId = line.ids[0];
    const said = { refused: 'refused', service_status: 'failed', ruled: 'ruled not paid' } as const;
    const what = `${said[entry.basis ?? 'refused']}, but the statement shows it as paid (line ${line.rowNumber})`;
    return [{ kind: 'incident', entry, line, by, transferId, what }];
  }
  if (line.amounts.length > 0 && !amountFits(entry, line))
    return differs(`the statement shows ${line.amountText}`);
  if (idHolder !== undefined) return differs(`it ${holderText(idHolder)}`);
  // Another id is no difference: a bank numbers its bookings by itself.
  const matched = { kind: 'matched', entry, line, others, by } as const;
  if (beside.length === 0) return [matched];
  const why = `line ${line.rowNumber} is it; ${beside.map(alikeText).join('; ')}: look whether it was paid twice or came back`;
  return [
    matched,
    { kind: 'unclear', entry, lines: beside.map((each) => each.line), why, isPressing: false },
  ];
}

function judgeUnpaidLine(entry: StatementEntry, { line, by }: MatchedLine): Finding {
  if (entry.status === 'failed' || entry.status === 'returned')
    return { kind: 'matched', entry, line, others: [], by };
  const how = line.direction === 'in' ? 'as money that came back' : `as “${line.status}”`;
  return { kind: 'differs', entry, line, others: [], what: `the statement shows it ${how}` };
}
