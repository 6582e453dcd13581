/**
 * Prices planned payouts: asks for the account holder's name and for a quote, and records what was decided.
 * Quotes of payouts that wait for approval are asked again once they are old.
 */

import { isPricedAsBefore } from '../domain/account-reading.ts';
import type { BatchId, PayoutId } from '../domain/instruction.ts';
import { type HoldReason, isIn, type Payout, type PayoutIn } from '../domain/payout.ts';
import { decidePrice, decideRequote } from '../domain/price-decision.ts';
import { createQuestions, type Questions } from './ask-before-sending.ts';
import { accountChanges } from './changes-since-last.ts';
import { eachDuePayout } from './each-due-payout.ts';
import { holdMisread } from './hold-misread.ts';
import { holdOverLimit } from './hold-over-limit.ts';
import { readAnew } from './read-anew.ts';
import { recordEvent } from './record-event.ts';
import type { World } from './world.ts';

export interface PriceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Repeats of this batch's payments were let go by a person. */
  readonly repeatsReleased?: BatchId | undefined;
}

export interface Priced {
  /** Rows still planned because the service gave no usable quote, with its last words. */
  readonly unpriced: number;
  readonly reason: string | undefined;
}

/** A service that cannot be asked about this many rows will not answer a thousand more either. */
const UNPRICED_MAX = 20;

/** Rows that cannot be priced now stay planned; pricing again asks for them again. */
export async function pricePayouts(batchId: BatchId, world: World, options: PriceOptions): Promise<Priced> {
  await holdMisread(batchId, world);
  const isOlder = await readAnew(batchId, world);
  await holdOverLimit(batchId, world);
  const { planned, quoted } = await world.ledger.counts(batchId);
  const changes = planned + quoted === 0 ? NO_CHANGES : await accountChanges(batchId, world);
  if (quoted > 0) await holdChanged(changes, world);
  const isOld = isOlder || (await hasOldQuotes(batchId, world));
  if (planned === 0 && !isOld) return { unpriced: 0, reason: undefined };
  const questions = await createQuestions(world, options.signal);
  let failures = 0;
  let isNameless = false;
  let reason: string | undefined;
  const price = async (payout: Payout) => {
    isNameless ||= payout.instruction?.name === undefined;
    const failure = await pricePayout(payout, { questions, world, options, changes });
    if (failure === undefined) return;
    failures += 1;
    reason = failure;
  };
  const { concurrency } = world.policy;
  const walk = { batchId, concurrency, mayStart: () => failures < UNPRICED_MAX, signal: options.signal };
  if (planned > 0) await eachDuePayout(world, { ...walk, statuses: ['planned'] }, price);
  if (isOld) await eachDuePayout(world, { ...walk, statuses: ['quoted'] }, price);
  // A row without a name in the file has one only now, by which it is known who is paid.
  if (isNameless) await holdChanged(await accountChanges(batchId, world), world);
  const left = (await world.ledger.counts(batchId)).planned;
  return { unpriced: left, reason };
}

interface Pricing {
  readonly questions: Questions;
  readonly world: World;
  readonly options: PriceOptions;
  readonly changes: ReadonlyMap<PayoutId, HoldReason>;
}

const NO_CHANGES: ReadonlyMap<PayoutId, HoldReason> = new Map();

/** Rows that were priced while somebody watched, or before their names were known, wait as well. */
async function holdChanged(changes: ReadonlyMap<PayoutId, HoldReason>, world: World): Promise<void> {
  for (const [id, reason] of changes) {
    const payout = await world.ledger.payout(id);
    if (payout === undefined || !isIn(payout, 'quoted')) continue;
    const { pricing, releases } = payout.state;
    if (releases.some(({ kinds }) => kinds.includes('account_changed'))) continue;
    await recordEvent(payout, { kind: 'hold', reasons: [reason], pricing, at: world.clock.now() }, world);
  }
}

/** undefined when the payout is priced; else why it stays as it was. */
async function pricePayout(payout: Payout, pricing: Pricing): Promise<string | undefined> {
  if (isIn(payout, 'quoted')) {
    if (!isPricedAsBefore(payout)) return refreshQuote(payout, pricing);
    const { releases } = payout.state;
    return priceAs({ ...payout, state: { status: 'planned', releases } }, payout, pricing);
  }
  return isIn(payout, 'planned') ? priceAs(payout, payout, pricing) : undefined;
}

/** `stored` is where the payout stands: a price of an older reading is no price. */
async function priceAs(
  payout: PayoutIn<'planned'>,
  stored: Payout,
  pricing: Pricing,
): Promise<string | undefined> {
  const { questions, world, options, changes } = pricing;
  const [nameAnswer, quote] = await Promise.all([questions.nameOf(payout), questions.quoteOf(payout)]);
  if ('unavailable' in quote) return quote.unavailable;
  const repeats = (await world.ledger.repeatsOf(payout.id)).filter(
    ({ pointer }) => options.repeatsReleased === undefined || pointer.batchId !== options.repeatsReleased,
  );
  const isNameReleased = await questions.isNameReleased(payout, nameAnswer);
  const accountChange = changes.get(payout.id);
  const findings = { nameAnswer, quote, repeats, isNameReleased, accountChange, now: world.clock.now() };
  await recordEvent(stored, decidePrice(payout, findings, world.policy), world);
  return undefined;
}

/** The name stays as it was checked; what is agreed to does not change by an older or newer quote. */
async function refreshQuote(
  payout: PayoutIn<'quoted'> & Payout,
  { questions, world }: Pricing,
): Promise<string | undefined> {
  const { pricing } = payout.state;
  if (pricing.quote === undefined || pricing.quote.quotedAt >= oldSince(world)) return undefined;
  const quote = await questions.quoteOf(payout);
  if ('unavailable' in quote) return quote.unavailable;
  if ('declined' in quote) return undefined;
  const moment = { policy: world.policy, now: world.clock.now() };
  await recordEvent(payout, decideRequote(payout, quote, moment), world);
  return undefined;
}

async function hasOldQuotes(batchId: BatchId, world: World): Promise<boolean> {
  const rates = await world.ledger.quotedRates(batchId, 'quoted');
  return rates.some((rate) => rate.quotedAtOldest < oldSince(world));
}

function oldSince({ clock, policy }: World): number {
  return clock.now() - policy.quoteMinutes * 60_000;
}
