/**
 * What the lines found for one payout mean for it, or that there are none: one finding for each payout. Pure; it
 * proposes and never rules.
 *
 * What `--accept` may rule is narrow. Paid: one line of money that went out has the row's tag and one transfer id, for
 * the service to confirm. Not paid: the statement covers the time for certain, shows other payments of the batch by
 * their tags, and has no line that may be this one. A line of money that came back, or may have, leads to no ruling.
 */
import { isUnsent } from '../payouts/payout.ts';
import { meaningOf, type Words } from '../payouts/service-status.ts';
import { turnedAwayText } from '../payouts/turned-away.ts';
import type { Policy } from '../policy.ts';
import { compareRow, differenceText, isDifferent } from './comparison.ts';
import { BOOKING_DAYS, gapOf, type StatementSpan } from './dates.ts';
import { isCalledUnpaid, isDoubt, type StatementEntry } from './entry.ts';
import { amountFits, isCharge, isContrary } from './figures.ts';
import type { Finding, FindingKind } from './findings.ts';
import type { HintLine } from './hints.ts';
import type { StatementLine } from './line.ts';
import { absentIn, backText, holderText, lineNumbers, numbers, openText, textOfHint } from './line-words.ts';
import { type EntryLines, LINES_KEPT } from './match.ts';
import type { LineRoles, MatchedBy, MatchedLine } from './matched-line.ts';

export interface Judging {
  readonly span: StatementSpan;
  /** A line whose amount may be any; undefined: there is none. */
  readonly unreadable: string | undefined;
  /** Why it is not proven complete; undefined: it is. */
  readonly incomplete: string | undefined;
  /** Each line and balance is in one of these; undefined: not every line says its currency. */
  readonly currencies?: ReadonlySet<string> | undefined;
  /** Tags are written in front of the narration of this batch's transfers. */
  readonly isTagged: boolean;
  /** What failed and returned are called; which share of a payment a charge may be. */
  readonly words: Words & Pick<Policy, 'feePercentMax'>;
}

/** One payout, with its lines by what they mean. */
interface Case extends LineRoles {
  readonly entry: StatementEntry;
  readonly lines: EntryLines;
  readonly judging: Judging;
  /** Payment or coming back, it cannot be told which. */
  readonly open: readonly MatchedLine[];
  /** Not booked yet. */
  readonly pending: readonly MatchedLine[];
  /** With the row's tag or transfer id, and with the account and the amount of something else: proves nothing. */
  readonly contrary: readonly MatchedLine[];
}

const BY: Readonly<Record<MatchedBy, string>> = {
  tag: 'by its tag',
  transfer_id: 'by its transfer id',
  account: 'by account, amount and date',
  masked_account: 'by the end of the account, amount and date',
  total: 'in a total of payments',
};

export function judgePayout(entry: StatementEntry, lines: EntryLines, judging: Judging): Finding {
  const found = caseOf(entry, lines, judging);
  return besideContrary(judgeCase(found), found);
}

function judgeCase(found: Case): Finding {
  const { entry, lines, paying, back, open } = found;
  const [paid] = paying;
  // What failed or came back was sent as well.
  if (isUnsent(entry) && lines.matched.length > 0) return sentByNobody(found);
  if (paying.length > 1)
    return isCalledUnpaid(entry)
      ? paidAfterAll(found)
      : tell(found, 'duplicate', paying, `${numbers(paying)} each show it as paid`);
  if (isDoubt(entry)) return judgeDoubt(found);
  if (open.length > 0) return judgeOpen(found);
  if (paid !== undefined) return judgePaid(found, paid);
  return back.length > 0 ? judgeBack(found) : judgeUnshown(found);
}

function caseOf(entry: StatementEntry, lines: EntryLines, judging: Judging): Case {
  const roleOf = ({ line }: MatchedLine) => {
    if (line.isPending) return 'pending';
    const meaning = meaningOf(line.status, judging.words);
    return meaning === 'failed' || meaning === 'returned' ? 'in' : line.direction;
  };
  const charges = chargesAmong(entry, [...lines.matched, ...lines.contrary], { judging, roleOf });
  const others = lines.matched.filter((each) => !charges.includes(each));
  return {
    ...{ entry, lines, judging, charges },
    contrary: lines.contrary.filter((each) => !charges.includes(each)),
    paying: others.filter((each) => roleOf(each) === 'out'),
    back: others.filter((each) => roleOf(each) === 'in'),
    open: others.filter((each) => roleOf(each) === 'open'),
    pending: others.filter((each) => roleOf(each) === 'pending'),
  };
}

/** A bank may name the payment in a line of its fee. Such a line is never the payment, nor a second one. */
function chargesAmong(
  entry: StatementEntry,
  matched: readonly MatchedLine[],
  { judging, roleOf }: { readonly judging: Judging; readonly roleOf: (each: MatchedLine) => string },
): readonly MatchedLine[] {
  // A line that was not kept may be a second payment.
  if (isUnsent(entry) || matched.length >= LINES_KEPT) return [];
  const { feePercentMax } = judging.words;
  return matched.filter(
    (each) =>
      each.part === undefined &&
      ['out', 'open'].includes(roleOf(each)) &&
      isCharge(entry, each.line, feePercentMax),
  );
}

/** A finding has all lines of the payout; those that its text does not name follow at the end of it. */
function tell(
  { entry, lines, charges, paying, back }: Case,
  kind: FindingKind,
  main: readonly { readonly line: StatementLine }[],
  text: string,
  more: Partial<Finding> = {},
): Finding {
  const named = new Set([...main, ...charges].map(({ line }) => line));
  const others = [...lines.matched.map(({ line }) => line), ...lines.candidates].filter(
    (line) => !named.has(line),
  );
  const parts = [text];
  if (charges.length > 0)
    parts.push(`${numbers(charges)} ${charges.length === 1 ? 'is a charge' : 'are charges'}`);
  if (others.length > 0) parts.push(`see also ${lineNumbers([...new Set(others)])}`);
  const all = [...new Set([...named, ...others])];
  const roles = { paying, back, charges };
  return { kind, entry, roles, lines: all, text: parts.filter((part) => part !== '').join('; '), ...more };
}

/** The ledger was set back, somebody copied a narration, or the service paid a request that it turned away. */
function sentByNobody(found: Case): Finding {
  const { entry, lines, paying } = found;
  const by = lines.matched.some((each) => each.by === 'tag') ? 'tag' : lines.matched[0]?.by;
  const what = by === 'tag' ? `its tag (${entry.tag})` : 'its account and amount';
  const sent =
    entry.turnedAway === 0 ? ', but it was never sent from here' : `; ${turnedAwayText(entry.turnedAway)}`;
  const text = `${numbers(lines.matched)} with ${what}${sent}`;
  const isPressing = paying.some((each) => each.by === 'tag' && !isContrary(entry, each.line));
  return tell(found, 'theirs_only', lines.matched, text, by && { by, isPressing });
}

/** Such a line is shown and rules nothing. A ruling that another line allows waits for a person. */
function besideContrary(finding: Finding, { entry, contrary }: Case): Finding {
  if (contrary.length === 0) return finding;
  const each = contrary.map(({ line, by }) => {
    const what = by === 'tag' ? `tag (${entry.tag})` : `transfer id (${entry.transferId})`;
    return `line ${line.rowNumber} has its ${what}`;
  });
  const shows = contrary.map(({ line }, at) => `${each[at]}, but another account and ${line.amountText}`);
  const { kind, lines, weakness = each[0] } = finding;
  const beside = {
    ...finding,
    lines: [...lines, ...contrary.map(({ line }) => line)],
    text: [finding.text, ...shows].filter((text) => text !== '').join('; '),
  };
  if (kind === 'propose_paid') return { ...beside, weakness };
  if (kind === 'propose_not_paid') return { ...beside, kind: 'still_in_doubt' };
  const isQuiet = ['matched', 'not_expected', 'ours_only', 'on_its_way', 'not_yet'].includes(kind);
  const isPressing = finding.isPressing === true || isCalledUnpaid(entry);
  return isQuiet ? { ...beside, kind: 'unclear', isPressing } : beside;
}

function judgeDoubt(found: Case): Finding {
  const { entry, lines, paying, back, open } = found;
  const [paid] = paying;
  const [returned] = back;
  if (open.length > 0) return tell(found, 'still_in_doubt', open, openText(open));
  if (returned !== undefined && paid !== undefined) {
    const text = `line ${paid.line.rowNumber} shows it as paid and ${backText(returned)}: it seems paid and not kept; a person decides`;
    return tell(found, 'still_in_doubt', [paid, returned], text);
  }
  if (returned !== undefined) {
    const text = `${backText(returned)}, and no line shows it as paid: that rules nothing, a person decides`;
    return tell(found, 'still_in_doubt', back, text);
  }
  if (paid !== undefined) {
    const { line, by } = paid;
    const id = line.ids[0] === undefined ? '' : `, transfer ${line.ids[0]}`;
    const text = `line ${line.rowNumber}${id}, found ${BY[by]}`;
    const weakness = paidWeakness(found, paid);
    return tell(found, 'propose_paid', [paid, ...besideOf(lines.hints)], text, {
      ...{ by, weakness, transferId: line.ids[0] },
    });
  }
  if (lines.candidates.length > 0) return tellCandidates(found, 'still_in_doubt');
  return judgeUnseenDoubt(entry, found);
}

function judgeUnseenDoubt(entry: StatementEntry, found: Case): Finding {
  const { lines, judging, charges, pending } = found;
  if (pending.length > 0)
    return tell(
      found,
      'still_in_doubt',
      pending,
      `${numbers(pending)} may be it, and the bank has not booked it`,
    );
  if (charges.length > 0)
    return tell(found, 'still_in_doubt', lines.hints, 'its payment is not there, and a charge for it is');
  const { hints } = lines;
  const abroad = currenciesBeside(entry, judging);
  const hintText = hints.map(textOfHint).join('; ');
  const mayBe = hints.length === 0 ? '' : `${hintText}: it may be this one`;
  if (abroad !== undefined && hints.length === 0)
    return tell(
      found,
      'still_in_doubt',
      [],
      `not in the statement, which proves nothing: it is in ${abroad}`,
    );
  const isCovered = entry.window !== undefined && gapOf(judging.span, entry.window) === undefined;
  if (isCovered && hints.length > 0) return tell(found, 'still_in_doubt', hints, mayBe);
  if (isCovered) return tell(found, 'propose_not_paid', [], 'not there');
  const why =
    judging.span.wholeUntil === undefined
      ? (judging.span.doubt ??
        `the statement does not reach from before the request to ${BOOKING_DAYS} days after it`)
      : 'the sandbox wrote its book before the request had ended; write it again';
  const text = `not in the statement, which proves nothing: ${why}`;
  return tell(found, 'still_in_doubt', hints, hints.length === 0 ? text : `${text}; ${mayBe}`);
}

export const UNENDED = 'its run has not ended; send or settle the batch first';

/** Why `--accept` does not rule “paid” by this line. */
function paidWeakness(
  { entry, lines, judging, charges }: Case,
  { line, by, idHolder }: MatchedLine,
): string | undefined {
  if (entry.status === 'sending') return UNENDED;
  if (idHolder !== undefined) return `the line ${holderText(idHolder)}`;
  if (by !== 'tag' && by !== 'transfer_id') {
    const [cut] = line.cutTags;
    const isOther = cut !== undefined && !line.cutTags.some((each) => entry.tag.startsWith(each));
    return judging.isTagged && isOther
      ? `the line shows the beginning of another tag (${cut})`
      : 'only a tag or a transfer id proves it; look the transfer up';
  }
  if (line.restoredTag === entry.tag) return 'the line shows only the beginning of its tag';
  if (line.tags.length > 1) return `the line has several tags: ${line.tags.join(', ')}`;
  if (lines.candidates.length > 0) return `${lineNumbers(lines.candidates)} may be about it as well`;
  const [beside] = besideOf(lines.hints);
  if (beside !== undefined) return textOfHint(beside);
  if (line.ids.length === 0) return 'the line names no transfer id; look it up in the dashboard';
  if (line.ids.length > 1) return `the line names several ids: ${line.ids.join(', ')}`;
  if (!amountFits(entry, line)) return `the line shows ${line.amountText || 'no amount'}`;
  if (line.returnWord !== undefined) return `its text speaks of a return (“${line.returnWord}”)`;
  // A bank charges for a return as well: then the payment's line is no proof that it was kept.
  const fee = charges.find((each) => each.line.returnWord !== undefined)?.line;
  return fee && `line ${fee.rowNumber} is a fee that speaks of a return (“${fee.returnWord}”)`;
}

/** Lines of a row that is not in doubt, which may be payments or what came back. */
function judgeOpen(found: Case): Finding {
  const { entry, paying, open } = found;
  const isMinus = new Set(open.map(({ line }) => line.sign === 'minus'));
  // One of two lines with different signs came back, whichever it is.
  const mayBeTwice = paying.length > 0 || open.length > isMinus.size;
  const isPressing = mayBeTwice || isCalledUnpaid(entry);
  return tell(found, 'unclear', [...paying, ...open], openText(open), { isPressing });
}

function judgePaid(found: Case, paid: MatchedLine): Finding {
  const { entry, lines, back } = found;
  const { line, by, idHolder } = paid;
  const beside = besideOf(lines.hints);
  const [returned] = back;
  const matched = (also: readonly { readonly line: StatementLine }[]) => {
    const main = [paid, ...also];
    return tell(found, 'matched', main, `${numbers(main)}, ${BY[by]}`, { by });
  };
  const at = `line ${line.rowNumber}`;
  if (entry.status === 'returned' && !isDifferent(entry, found))
    return matched([...back, ...beside.filter((each) => each.line.direction === 'in')]);
  // The service called it failed, and the bank took it and gave it back, to the penny.
  if (
    returned !== undefined &&
    entry.basis === 'service_status' &&
    compareRow(entry, found)?.explanation === ''
  )
    return matched(back);
  if (returned !== undefined)
    return tell(found, 'differs', [paid, ...back], `${at} shows it as paid, and ${backText(returned)}`);
  if (isCalledUnpaid(entry)) return paidAfterAll(found);
  if (isDifferent(entry, found)) return tell(found, 'differs', [paid, ...back], differsText(found, paid));
  if (idHolder !== undefined) return tell(found, 'differs', [paid], `${at} ${holderText(idHolder)}`);
  // Another id is no difference: a bank numbers its bookings by itself.
  if (beside.length === 0) return matched([]);
  const text = `${at} is it; ${beside.map(textOfHint).join('; ')}: look whether it was paid twice or came back`;
  return tell(found, 'unclear', [paid, ...beside], text, { isPressing: false });
}

/** `line 4 shows 77.42: GBP 1.02 less than booked (GBP 78.44)`. */
function differsText(found: Case, { line }: MatchedLine): string {
  const shown = `line ${line.rowNumber} shows ${line.amountText || 'no amount'}`;
  if (line.amounts.length === 0) return `${shown}, which cannot be compared`;
  const compared = compareRow(found.entry, found);
  if (compared === undefined || compared.booked === 0n) return shown;
  return `${shown}: ${differenceText(compared)}`;
}

/**
 * The row must not be paid again, however often the statement shows it. Account, amount and date prove no incident,
 * because another payment may have them and an incident is kept for ever.
 */
function paidAfterAll(found: Case): Finding {
  const { entry, paying } = found;
  const [first] = paying;
  const by = first?.by ?? 'account';
  const said = { refused: 'refused', service_status: 'failed', ruled: 'ruled not paid' } as const;
  const called = entry.status === 'canceled' ? 'withdrawn' : said[entry.basis ?? 'refused'];
  if (by !== 'tag' && by !== 'transfer_id') {
    // Somebody may have paid a withdrawn row by hand.
    const text =
      entry.status === 'canceled'
        ? `${numbers(paying)}, found ${BY[by]}; ${turnedAwayText(entry.turnedAway)}`
        : `${called}, and ${numbers(paying)} may be its payment, found ${BY[by]}: look before it is paid again`;
    return tell(found, 'unclear', paying, text, { by, isPressing: true });
  }
  const text = `${called}, but the statement shows it as paid (${numbers(paying)}), found ${BY[by]}`;
  const transferId = paying.length === 1 ? first?.line.ids[0] : undefined;
  return tell(found, 'incident', paying, text, { by, transferId });
}

/** Only lines of a transfer that failed or came back. */
function judgeBack(found: Case): Finding {
  const { entry, back } = found;
  const [first] = back;
  if (first !== undefined && (isCalledUnpaid(entry) || entry.status === 'returned'))
    return tell(found, 'matched', back, `${numbers(back)}, ${BY[first.by]}`, { by: first.by });
  return tell(found, 'differs', back, back.map(backText).join(', and '));
}

/** A row that is not in doubt and has no line for certain. */
function judgeUnshown(found: Case): Finding {
  const { entry, lines, judging, pending } = found;
  const isPressing = isCalledUnpaid(entry) || lines.isOutnumbered;
  if (pending.length > 0) {
    const text = `${numbers(pending)} is it, and the bank has not booked it`;
    return tell(found, isCalledUnpaid(entry) ? 'unclear' : 'not_yet', pending, text, { isPressing });
  }
  if (lines.candidates.length > 0) return tellCandidates(found, 'unclear', { isPressing });
  const later = lines.hints.filter((hint) => hint.isLater);
  const cut = lines.hints.filter((hint) => !hint.isLater);
  if (cut.length > 0)
    return tell(found, 'unclear', cut, `${cut.map(textOfHint).join('; ')}: it may be this one`, {
      isPressing,
    });
  const { window, status } = entry;
  const abroad = currenciesBeside(entry, judging);
  if (abroad !== undefined && (status === 'accepted' || status === 'settled'))
    return tell(found, 'other_currency', later, `the statement is in ${abroad}`, {
      whyAbsent: 'another statement',
    });
  const gap = window === undefined ? 'begins_after_it' : gapOf(judging.span, window);
  const text = (absent: string) => [absent, ...later.map(textOfHint)].join('; ');
  if (status === 'accepted')
    return tell(found, 'on_its_way', later, text('not there'), {
      isCovered: gap === undefined,
      whyAbsent: 'on its way',
    });
  if (status !== 'settled' || gap === 'begins_after_it')
    return found.charges.length > 0
      ? tell(found, 'differs', [], 'no payment is expected')
      : tell(found, 'not_expected', [], '');
  if (gap === undefined) return tell(found, 'ours_only', later, text('not there'));
  const whyAbsent = gap === 'ends' ? { whyAbsent: 'after the statement' } : {};
  return tell(found, 'not_yet', later, text(absentIn(judging.span, gap)), whyAbsent);
}

/** `GHS`: what the statement is in, where it can show no line of the payment. */
function currenciesBeside({ amount, debit }: StatementEntry, { currencies }: Judging): string | undefined {
  if (currencies === undefined || currencies.size === 0) return undefined;
  const canShow = currencies.has(amount.currency) || (debit !== undefined && currencies.has(debit.currency));
  return canShow ? undefined : [...currencies].join(', ');
}

/** Hints that matter to a row with a line of its own: at its time, or money coming in after it. */
function besideOf(hints: readonly HintLine[]): readonly HintLine[] {
  return hints.filter(({ line, by, isLater }) => by === 'account' && (!isLater || line.direction === 'in'));
}

function tellCandidates(found: Case, kind: FindingKind, more: Partial<Finding> = {}): Finding {
  const { candidates, isOutnumbered } = found.lines;
  const twice = isOutnumbered ? '; there are more such lines than rows: one may have been paid twice' : '';
  const text = `${lineNumbers(candidates)} may be it, or another payment like it${twice}`;
  const main = candidates.map((line) => ({ line }));
  return tell(found, kind, main, text, more);
}
