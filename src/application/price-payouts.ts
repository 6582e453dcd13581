/**
 * Prices planned payouts: asks for the account holder's name and for a quote, and records what was decided.
 * Quotes of payouts that wait for approval are asked again once they are old.
 */
import { afterQuestion, isDown, type Missed, NONE_MISSED } from '../domain/breaker.ts';
import type { BatchId } from '../domain/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../domain/payout.ts';
import { decidePrice, decideRequote, type Findings, type NameAnswer } from '../domain/price-decision.ts';
import { createQuestions, type Questions } from './ask-before-sending.ts';
import { eachDuePayout } from './each-due-payout.ts';
import { holdOverLimit } from './hold-over-limit.ts';
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

/** Rows that cannot be priced now stay planned; pricing again asks for them again. */
export async function pricePayouts(batchId: BatchId, world: World, options: PriceOptions): Promise<Priced> {
  await holdOverLimit(batchId, world);
  const planned = (await world.ledger.counts(batchId)).planned;
  const isOld = await hasOldQuotes(batchId, world);
  if (planned === 0 && !isOld) return { unpriced: 0, reason: undefined };
  const questions = await createQuestions(world, options.signal);
  const pricing: Pricing = {
    questions,
    world,
    options,
    missed: { names: NONE_MISSED, quotes: NONE_MISSED },
    unnamed: [],
  };
  const price = (payout: Payout) => pricePayout(payout, pricing);
  const { concurrency } = world.policy;
  const walk = { batchId, concurrency, mayStart: () => !isStopped(pricing), signal: options.signal };
  if (planned > 0) await eachDuePayout(world, { ...walk, statuses: ['planned'] }, price);
  if (!isStopped(pricing)) await decideUnnamed(pricing);
  if (isOld) await eachDuePayout(world, { ...walk, statuses: ['quoted'] }, price);
  const left = (await world.ledger.counts(batchId)).planned;
  return { unpriced: left, reason: left === 0 ? undefined : whyStopped(pricing) };
}

interface Pricing {
  readonly questions: Questions;
  readonly world: World;
  readonly options: PriceOptions;
  readonly missed: { names: Missed; quotes: Missed };
  /**
   * Their names got no answer. While that may be an outage, nothing is decided: these rows are asked about again by the
   * next run, where one account whose name cannot be had is decided by the policy.
   */
  readonly unnamed: Answered[];
}

interface Answered {
  readonly payout: PayoutIn<'planned'> & Payout;
  readonly nameAnswer: NameAnswer;
  readonly quote: Findings['quote'];
}

function isStopped({ missed, world }: Pricing): boolean {
  if (world.patience?.ended() !== undefined || isDown(missed.quotes)) return true;
  return isDown(missed.names) && needsNames(world);
}

/** Who says that a name which cannot be had is fine is not kept from paying, nor made to wait for it. */
function needsNames({ policy }: World): boolean {
  return policy.names.unavailable !== 'ok';
}

function whyStopped({ missed, world }: Pricing): string | undefined {
  const silence = world.patience?.ended();
  if (silence !== undefined) return silence;
  if (isDown(missed.names) && needsNames(world))
    return `no account name can be had: ${missed.names.reason} (--names unavailable=ok goes on without names)`;
  return missed.quotes.reason;
}

async function pricePayout(payout: Payout, pricing: Pricing): Promise<void> {
  if (isIn(payout, 'quoted')) return refreshQuote(payout, pricing);
  if (!isIn(payout, 'planned')) return;
  const { missed, unnamed } = pricing;
  const [nameAnswer, quote] = await Promise.all([nameOf(payout, pricing), pricing.questions.quoteOf(payout)]);
  const isNamed = nameAnswer.kind !== 'unavailable';
  missed.names = afterQuestion(missed.names, isNamed ? undefined : nameAnswer.reason);
  missed.quotes = afterQuestion(missed.quotes, 'unavailable' in quote ? quote.unavailable : undefined);
  // The service gives names: those that it did not give are their accounts' own matter.
  if (isNamed) await decideUnnamed(pricing);
  if ('unavailable' in quote) return;
  if (isNamed) await decide({ payout, nameAnswer, quote }, pricing);
  else unnamed.push({ payout, nameAnswer, quote });
}

async function nameOf(payout: Answered['payout'], { questions, missed }: Pricing): Promise<NameAnswer> {
  if (!isDown(missed.names)) return questions.nameOf(payout);
  return { kind: 'unavailable', reason: missed.names.reason ?? 'no answer' };
}

async function decideUnnamed(pricing: Pricing): Promise<void> {
  for (const answered of pricing.unnamed.splice(0)) await decide(answered, pricing);
}

async function decide({ payout, nameAnswer, quote }: Answered, pricing: Pricing): Promise<void> {
  const { questions, world, options } = pricing;
  const repeats = (await world.ledger.repeatsOf(payout.id)).filter(
    ({ pointer }) => options.repeatsReleased === undefined || pointer.batchId !== options.repeatsReleased,
  );
  const isNameReleased = await questions.isNameReleased(payout, nameAnswer);
  const findings = { nameAnswer, quote, repeats, isNameReleased, now: world.clock.now() };
  await recordEvent(payout, decidePrice(payout, findings, world.policy), world);
}

/** The name stays as it was checked; what is agreed to does not change by an older or newer quote. */
async function refreshQuote(
  payout: PayoutIn<'quoted'> & Payout,
  { questions, world, missed }: Pricing,
): Promise<void> {
  const { pricing } = payout.state;
  if (pricing.quote === undefined || pricing.quote.quotedAt >= oldSince(world)) return;
  const quote = await questions.quoteOf(payout);
  missed.quotes = afterQuestion(missed.quotes, 'unavailable' in quote ? quote.unavailable : undefined);
  if ('unavailable' in quote || 'declined' in quote) return;
  const moment = { policy: world.policy, now: world.clock.now() };
  await recordEvent(payout, decideRequote(payout, quote, moment), world);
}

async function hasOldQuotes(batchId: BatchId, world: World): Promise<boolean> {
  const rates = await world.ledger.quotedRates(batchId, 'quoted');
  return rates.some((rate) => rate.quotedAtOldest < oldSince(world));
}

function oldSince({ clock, policy }: World): number {
  return clock.now() - policy.quoteMinutes * 60_000;
}
