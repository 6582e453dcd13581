/**
 * The line of a payment as it stood at the end of some days. What became known later is not in it: no later status, reason
 * or id. It has no next steps, because nobody acts on a past day; the report of its batch has them.
 */

import { formatTimestamp } from '../timestamp.ts';
import type { SentPayout, Standing } from './booking.ts';
import { partBackIn, partsOf } from './payment-costs.ts';
import type { ReportLine } from './report-line.ts';

export function lineAsAt(line: ReportLine, sent: SentPayout, standing: Standing): ReportLine {
  const now = { ...line, steps: [], texts: { ...line.texts, next_step: '' } };
  const reason = OPEN_WORDS[standing.status];
  const shown = standing.isNow ? now : asItStood(now, sent, standing);
  // What the service shows beside what was asked has to be said.
  const isToldAnew = reason !== undefined && !shown.isDiffering;
  return isToldAnew ? { ...shown, texts: { ...shown.texts, reason } } : shown;
}

/** The same whenever the report is made. */
const OPEN_WORDS: Readonly<Partial<Record<Standing['status'], string>>> = {
  accepted: 'On its way at the end of these days.',
  in_doubt: 'Its outcome was not known at the end of these days.',
};

function asItStood(line: ReportLine, { payout }: SentPayout, { status, at, back }: Standing): ReportLine {
  const settledAt = status === 'settled' ? at : undefined;
  const parts = partsOf(payout);
  const returned = status === 'returned' ? parts.principal?.minor : partBackIn(payout, parts, back);
  return {
    ...line,
    ...{ status, settledAt, returnedAt: status === 'returned' ? at : undefined },
    ...{ incident: false, isSuspected: false, stuck: undefined, isDiffering: false },
    ...{ difference: undefined, moved: undefined, backMinor: returned ?? 0n, reasonCode: 'NARR' },
    texts: {
      ...line.texts,
      status,
      reason: '',
      service_status: '',
      transfer_id: status === 'in_doubt' ? '' : line.texts.transfer_id,
      settled_at: settledAt === undefined ? '' : formatTimestamp(settledAt),
    },
  };
}
