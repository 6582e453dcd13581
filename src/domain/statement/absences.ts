/**
 * What a statement lacks is weighed against the whole batch: an export that lacks payments which the service made, or
 * shows none of this currency, may be filtered, and then what it lacks proves nothing.
 */
import { counted } from '../text/printable.ts';
import type { StatementEntry } from './entry.ts';
import { type Finding, isAcceptable } from './findings.ts';
import { type Judging, UNENDED } from './judge.ts';

export function weighAbsences(
  findings: readonly Finding[],
  { isTagged, unreadable, incomplete, span }: Judging,
): readonly Finding[] {
  const count = (isIt: (finding: Finding) => boolean) => findings.filter(isIt).length;
  const lacking = count(({ kind }) => kind === 'ours_only');
  const unclear = count(({ kind }) => kind === 'unclear');
  const currencies = (isIt: (finding: Finding) => boolean) =>
    new Set(findings.filter(isIt).map(({ entry }) => entry?.amount.currency));
  const ofBatch = ({ batchId, amount }: StatementEntry) => `${batchId} ${amount.currency}`;
  const isMade = ({ entry }: Finding) => entry?.status === 'settled' || entry?.status === 'accepted';
  // Of the batch itself: comparing several at once proves no more than comparing one.
  const shown = new Set(
    findings
      .filter((each) => each.kind === 'matched' && each.by === 'tag' && isMade(each))
      .map(({ entry }) => entry && ofBatch(entry)),
  );
  // Where other payments are missing days after they were made, this one may have been made too.
  const unbooked = currencies(({ kind, isCovered }) => kind === 'on_its_way' && isCovered === true);
  const weaknessOf = (entry: StatementEntry): Pick<Finding, 'weakness' | 'isByHand'> => {
    const { status } = entry;
    const { currency } = entry.amount;
    if (status === 'sending') return { weakness: UNENDED };
    if (unreadable !== undefined) return { weakness: unreadable };
    const untagged = 'payments of this batch have no tag, so no line of them can be known for certain';
    if (!isTagged) return { weakness: untagged, isByHand: lacking === 0 };
    if (lacking > 0)
      return { weakness: `it also lacks ${counted(lacking, 'payment')} that the service calls made` };
    if (unbooked.has(currency))
      return { weakness: `it also lacks payments in ${currency} on the way: so may this one be` };
    if (unclear > 0) return { weakness: `${counted(unclear, 'other row')} cannot be told apart in it` };
    // The sandbox's own book says itself that it is whole.
    if (shown.has(ofBatch(entry)))
      return { weakness: span.wholeUntil === undefined ? incomplete : undefined };
    const alone = `it shows no other payment of this batch in ${currency} by its tag; check that it is the right statement`;
    return { weakness: alone, isByHand: true };
  };
  return findings.map((finding) => {
    const isAbsent = finding.kind === 'propose_not_paid' && isAcceptable(finding);
    return isAbsent && finding.entry ? { ...finding, ...weaknessOf(finding.entry) } : finding;
  });
}
