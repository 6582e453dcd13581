/**
 * What the service says now of a payout that was priced before: what its ids mean, what it costs, and whose account it is.
 * Only what has grown old is asked for again. One answer serves all rows that have the same question.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { LiveTerms } from '../../domain/payouts/objection.ts';
import type { PayoutIn } from '../../domain/payouts/payout.ts';
import { checkName } from '../../domain/payouts/price-decision.ts';
import { hoursMs } from '../../domain/policy.ts';
import { isYoung } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';
import type { PriceQuestions } from './ask-name-and-quote.ts';

type Asking = Pick<Ports, 'clock' | 'policy'>;
type Priced = Pick<PayoutIn<'approved'> | PayoutIn<'quoted'>, 'instruction' | 'state'>;
type Unavailable = { readonly unavailable: string };

/** Whether a quote or a name of a row in this status has to be asked for again. */
export async function areTermsOld(
  batchId: BatchId,
  status: 'quoted' | 'approved',
  { ledger, clock, policy }: Asking & Pick<Ports, 'ledger'>,
): Promise<boolean> {
  const now = clock.now();
  const quotedAt = await ledger.oldestQuote(batchId, status);
  if (quotedAt !== undefined && now - quotedAt > policy.quoteMinutes * 60_000) return true;
  const batch = await ledger.batch(batchId);
  // No name is older than its batch.
  return batch === undefined || now - batch.createdAt > hoursMs(policy.nameHours);
}

/** `unavailable`: no usable answer; the payout stays as it is and waits. */
export async function liveTermsOf(
  payout: Priced,
  questions: PriceQuestions,
  ports: Asking,
): Promise<LiveTerms | Unavailable> {
  const [place, quoted, named] = await Promise.all([
    questions.placeOf(payout),
    liveQuote(payout, questions, ports),
    liveName(payout, questions, ports),
  ]);
  if ('unavailable' in place) return place;
  if ('unavailable' in quoted) return quoted;
  return 'unavailable' in named ? named : { place, ...quoted, ...named };
}

/** A service that declines to quote says no cost: nothing is sent at the old one. */
async function liveQuote(
  payout: Priced,
  questions: PriceQuestions,
  { clock, policy }: Asking,
): Promise<Pick<LiveTerms, 'quote'> | Unavailable> {
  const { quote } = payout.state.pricing;
  // A person agreed to a payment without one.
  if (quote === undefined) return { quote };
  if (isYoung(quote.quotedAt, clock.now(), policy.quoteMinutes * 60_000)) return { quote };
  const asked = await questions.quoteOf(payout);
  if ('unavailable' in asked) return asked;
  if ('declined' in asked) return { unavailable: `no quote: ${asked.declined}` };
  return { quote: asked };
}

async function liveName(
  payout: Priced,
  questions: PriceQuestions,
  { clock, policy }: Asking,
): Promise<Pick<LiveTerms, 'nameCheck' | 'nameCheckedAt'> | Unavailable> {
  const { nameCheck, nameCheckedAt } = payout.state.pricing;
  if (isYoung(nameCheckedAt, clock.now(), hoursMs(policy.nameHours))) return { nameCheck, nameCheckedAt };
  const { answer, at } = await questions.nameOf(payout);
  const isNameless = nameCheck.result === 'unavailable' || policy.names.unavailable === 'ok';
  // It was agreed to without a name, or may be.
  if (answer.kind === 'unavailable')
    return isNameless ? { nameCheck, nameCheckedAt: at } : { unavailable: answer.reason };
  return { nameCheck: checkName(payout.instruction, answer), nameCheckedAt: at };
}
