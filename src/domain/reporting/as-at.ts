/**
 * The line of a payment as it stood at the end of some days. What became known later is not in it: no later status, reason
 * or id. It has no next steps, because nobody acts on a past day; the report of its batch has them.
 */

import { type Payout, pricingIn } from '../payouts/payout.ts';
import { cameBack, differencesIn } from '../payouts/shown.ts';
import { formatTimestamp } from '../timestamp.ts';
import type { SentPayout, Standing } from './booking.ts';
import { marksOf } from './marks.ts';
import { partBackIn, partsOf } from './payment-costs.ts';
import { differencesText } from './reason.ts';
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

function asItStood(line: ReportLine, { payout }: SentPayout, standing: Standing): ReportLine {
  const { status, at, shown } = standing;
  const settledAt = status === 'settled' ? at : undefined;
  const parts = partsOf(payout);
  const then = payoutThen(payout, standing);
  const back = status === 'returned' ? parts.principal?.minor : partBackIn(payout, parts, cameBack(shown));
  return {
    ...line,
    ...{ status, settledAt, returnedAt: status === 'returned' ? at : undefined },
    ...{ ...marksOf(then), incident: false, stuck: undefined },
    ...{ backMinor: back ?? 0n, reasonCode: 'NARR' },
    texts: {
      ...line.texts,
      status,
      reason: differencesText(then),
      service_status: '',
      transfer_id: status === 'in_doubt' ? '' : line.texts.transfer_id,
      settled_at: settledAt === undefined ? '' : formatTimestamp(settledAt),
    },
  };
}

/** With what had been shown and said of it by then. */
function payoutThen(payout: Payout, { status, shown, ruled }: Standing): Payout {
  const { instruction, state } = payout;
  const pricing = pricingIn(state);
  const isKnown = instruction !== undefined && pricing !== undefined;
  const discrepancies = isKnown ? differencesIn(instruction, pricing, shown) : [];
  const since = { suspicion: undefined, unclear: undefined };
  return {
    ...payout,
    state: { ...state, ...since, status, discrepancies, shown, acceptedDifference: ruled },
  } as Payout;
}
