/**
 * What a statement means for a row in doubt. A proposal may be ruled by --accept only where it has no weakness.
 *
 * Only a line of money that went out speaks for “paid”. What came back, and a line that may be either, rules
 * nothing: a person decides.
 */

import { counted } from '../text/printable.ts';
import { alikeText, besideOf } from './alike.ts';
import { BOOKING_DAYS } from './attempt-window.ts';
import { amountFits, type StatementEntry } from './entry.ts';
import type { Finding } from './findings.ts';
import type { Judging } from './judge.ts';
import type { StatementLine } from './line.ts';
import type { EntryLines, MatchedLine } from './match.ts';
import { backText, lineNumbers, rolesOf } from './roles.ts';
import { signsText } from './signs.ts';
import { similarText } from './similar.ts';
import { covers } from './span.ts';

const UNENDED = 'its run has not ended; send or settle the batch first';

export function judgeDoubt(entry: StatementEntry, lines: EntryLines, judging: Judging): Finding {
  const { matched, candidates } = lines;
  const { paying, back, open } = rolesOf(matched, judging.words);
  const stays = (seen: readonly StatementLine[], why: string) =>
    ({ kind: 'still_in_doubt', entry, lines: seen, why }) as const;
  const all = matched.map(({ line }) => line);
  if (open.length > 0) {
    const seen = lineNumbers(open.map(({ line }) => line));
    return stays(all, `${seen} may be the payment or its coming back: ${signsText(judging.signs)}`);
  }
  const [returned] = back;
  const [found] = paying;
  if (returned !== undefined) return stays(all, cameBackText(found, returned));
  if (found !== undefined) {
    const { line, by } = found;
    const weakness = weaknessOf(entry, found, { lines, judging });
    return { kind: 'propose_paid', entry, line, by, transferId: line.ids[0], weakness };
  }
  if (candidates.length > 0) return stays(candidates, candidatesText(lines));
  return judgeUnseen(entry, lines, judging);
}

export function candidatesText({ candidates, isOutnumbered }: EntryLines): string {
  const rows = candidates.map(({ rowNumber }) => rowNumber).join(', ');
  const more = isOutnumbered ? '; there are more such lines than rows: one may have been paid twice' : '';
  return `line ${rows} may be it, or another payment like it${more}`;
}

function cameBackText(paid: MatchedLine | undefined, { line }: MatchedLine): string {
  if (paid === undefined)
    return `${backText(line)}, and no line shows it as paid: that rules nothing, a person decides`;
  return `line ${paid.line.rowNumber} shows it as paid and ${backText(line)}: it seems paid and not kept; a person decides`;
}

/** No line is known as its own. */
function judgeUnseen(entry: StatementEntry, lines: EntryLines, judging: Judging): Finding {
  const { similar, alike } = lines;
  const [near] = similar;
  const mayBe = near && `${similarText(entry, near)}: it may be this one`;
  const seen = [...(near === undefined ? [] : [near.line]), ...alike.map(({ line }) => line)];
  const beside = alike.map((each) => `; ${alikeText(each)}`).join('');
  const stays = (why: string) => ({ kind: 'still_in_doubt', entry, lines: seen, why: why + beside }) as const;
  if (mayBe !== undefined && near?.by === 'cut_tag') return stays(mayBe);
  if (entry.window === undefined || !covers(judging.span, entry.window)) {
    const why =
      judging.span.doubt ??
      `the statement does not reach from before the request to ${BOOKING_DAYS} days after it`;
    const hint = mayBe === undefined ? '' : `; ${mayBe}`;
    return stays(`not in the statement, which proves nothing: ${why}${hint}`);
  }
  if (mayBe !== undefined) return stays(mayBe);
  const weakness = absenceWeakness(entry, lines, judging);
  const note = alike.length === 0 ? undefined : alike.map(alikeText).join('; ');
  return { kind: 'propose_not_paid', entry, lines: seen, note, weakness };
}

function weaknessOf(
  entry: StatementEntry,
  { line, by, idHolder }: MatchedLine,
  { lines, judging }: { readonly lines: EntryLines; readonly judging: Judging },
): string | undefined {
  if (entry.status === 'sending') return UNENDED;
  if (idHolder !== undefined) return `the line ${holderText(idHolder)}`;
  if (lines.candidates.length > 0) return `${lineNumbers(lines.candidates)} may be about it as well`;
  const [beside] = besideOf(lines.alike);
  if (beside !== undefined) return alikeText(beside);
  if (by === 'masked_account') return 'the account is shown in part only';
  const [cut] = line.cutTags;
  const isOther = cut !== undefined && !line.cutTags.some((each) => entry.tag.startsWith(each));
  if (judging.isTagged && by !== 'tag' && isOther)
    return `the line shows the beginning of another tag (${cut})`;
  if (line.ids.length === 0) return 'the line names no transfer id; look it up in the dashboard';
  if (line.ids.length > 1) return `the line names several ids: ${line.ids.join(', ')}`;
  if (line.amounts.length > 0 && !amountFits(entry, line)) return `the line shows ${line.amountText}`;
  if (line.returnWord !== undefined) return `its text speaks of a return (“${line.returnWord}”)`;
  return undefined;
}

/** One of two rows has the other's transfer: a ruling may have been wrong. */
export function holderText({ rowNumber, transferId = '' }: StatementEntry): string {
  return `names transfer ${transferId}, which row ${rowNumber} has: find out which row it paid`;
}

function absenceWeakness(
  entry: StatementEntry,
  { alike }: EntryLines,
  { shows, unreadableLines, isTagged, signs }: Judging,
): string | undefined {
  if (entry.status === 'sending') return UNENDED;
  if (signs === 'unclear') return signsText(signs);
  // A payment may be booked later than any bank should.
  const later = alike.find(({ away }) => away >= 0);
  if (later !== undefined) return alikeText(later);
  if (isTagged && shows.tags > 0) return undefined;
  if (shows.accounts === 0) return 'no other row of this batch was recognised: is it the right statement?';
  if (unreadableLines > 0)
    return `${counted(unreadableLines, 'line shows', 'lines show')} no tag and no account and amount that can be read`;
  return undefined;
}
