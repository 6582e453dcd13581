/**
 * Prices planned payouts: asks for the account holder's name and for a quote, and records what was decided.
 * Quotes of payouts that wait for approval are asked again once they are old.
 */
import { afterQuestion, isDown, type Missed, NONE_MISSED } from '../../domain/payouts/circuit-breaker.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { type HoldReason, isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import {
  decidePrice,
  decideRequote,
  type Findings,
  type NameAnswer,
} from '../../domain/payouts/price-decision.ts';
import type { Repeat } from '../../ports/ledger/moves.ts';
import { accountChanges } from '../approve/changes-since-last.ts';
import { holdOverLimit } from '../approve/hold-over-limit.ts';
import { isRepeatMeant } from '../decide/repeats.ts';
import { eachDuePayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { createPriceQuestions, type PriceQuestions } from './ask-name-and-quote.ts';

interface PriceOptions {
  readonly signal?: AbortSignal | undefined;
  /** A person released repeats of this batch's payments. */
  readonly repeatsReleased?: BatchId | undefined;
}

export interface Priced {
  /** Rows still planned because the service gave no usable quote, with its last words. */
  readonly unpriced: number;
  readonly reason: string | undefined;
}

/** Rows that cannot be priced now stay planned; pricing again asks for them again. */
export async function pricePayouts(batchId: BatchId, ports: Ports, options: PriceOptions): Promise<Priced> {
  await holdOverLimit(batchId, ports);
  const { planned, quoted } = await ports.ledger.counts(batchId);
  const changes = planned + quoted === 0 ? NO_CHANGES : await accountChanges(batchId, ports);
  if (quoted > 0) await holdChanged(changes, ports);
  const isOld = await hasOldQuotes(batchId, ports);
  if (planned === 0 && !isOld) return { unpriced: 0, reason: undefined };
  const questions = await createPriceQuestions(ports, options.signal);
  let isNameless = false;
  const pricing: Pricing = {
    questions,
    ports,
    options,
    changes,
    missed: { names: NONE_MISSED, quotes: NONE_MISSED },
    unnamed: [],
  };
  const price = (payout: Payout, answered: () => void) => {
    isNameless ||= payout.instruction?.name === undefined;
    return pricePayout(payout, pricing, answered);
  };
  const { concurrency } = ports.policy;
  const walk = { batchId, concurrency, mayStart: () => !isStopped(pricing), signal: options.signal };
  if (planned > 0) await eachDuePayout(ports, { ...walk, statuses: ['planned'] }, price);
  if (!isStopped(pricing)) await decideUnnamed(pricing);
  if (isOld) await eachDuePayout(ports, { ...walk, statuses: ['quoted'] }, price);
  // A row without a name in the file has one only now, by which it is known who is paid.
  if (isNameless) await holdChanged(await accountChanges(batchId, ports), ports);
  const left = (await ports.ledger.counts(batchId)).planned;
  return { unpriced: left, reason: left === 0 ? undefined : whyStopped(pricing) };
}

interface Pricing {
  readonly questions: PriceQuestions;
  readonly ports: Ports;
  readonly options: PriceOptions;
  readonly changes: ReadonlyMap<PayoutId, HoldReason>;
  readonly missed: { names: Missed; quotes: Missed };
  /**
   * Their names got no answer. While that may be an outage, nothing is decided: these rows are asked about again by the
   * next run, where one account whose name cannot be had is decided by the policy.
   */
  readonly unnamed: Answered[];
}

interface Answered {
  readonly payout: PayoutIn<'planned'>;
  readonly nameAnswer: NameAnswer;
  readonly quote: Findings['quote'];
}

const NO_CHANGES: ReadonlyMap<PayoutId, HoldReason> = new Map();

/** Rows that were priced while somebody watched, or before their names were known, wait as well. */
async function holdChanged(changes: ReadonlyMap<PayoutId, HoldReason>, ports: Ports): Promise<void> {
  for (const [id, reason] of changes) {
    const payout = await ports.ledger.payout(id);
    if (payout === undefined || !isIn(payout, 'quoted')) continue;
    const { pricing, releases } = payout.state;
    if (releases.some(({ kinds }) => kinds.includes('account_changed'))) continue;
    await recordEvent(payout, { kind: 'hold', reasons: [reason], pricing, at: ports.clock.now() }, ports);
  }
}

function isStopped({ missed, ports }: Pricing): boolean {
  if (ports.silence?.ended() !== undefined || isDown(missed.quotes)) return true;
  return isDown(missed.names) && needsNames(ports);
}

/** If the policy accepts a name that cannot be had, nobody waits for it. */
function needsNames({ policy }: Ports): boolean {
  return policy.names.unavailable !== 'ok';
}

function whyStopped({ missed, ports }: Pricing): string | undefined {
  const silence = ports.silence?.ended();
  if (silence !== undefined) return silence;
  if (isDown(missed.names) && needsNames(ports))
    return `no account name can be had: ${missed.names.reason} (--names unavailable=ok goes on without names)`;
  return missed.quotes.reason;
}

async function pricePayout(payout: Payout, pricing: Pricing, answered: () => void): Promise<void> {
  if (isIn(payout, 'planned')) return pricePlanned(payout, pricing, answered);
  if (isIn(payout, 'quoted')) return refreshQuote(payout, pricing);
}

async function pricePlanned(
  payout: PayoutIn<'planned'>,
  pricing: Pricing,
  onAnswer: () => void,
): Promise<void> {
  const { missed, unnamed, questions, ports } = pricing;
  const [nameAnswer, quote] = await Promise.all([nameOf(payout, pricing), questions.quoteOf(payout)]);
  const isNamed = nameAnswer.kind !== 'unavailable';
  missed.names = afterQuestion(missed.names, isNamed ? undefined : nameAnswer.reason);
  missed.quotes = afterQuestion(missed.quotes, 'unavailable' in quote ? quote.unavailable : undefined);
  onAnswer();
  // The service does give names, so a missing one is a matter of its account.
  if (isNamed) await decideUnnamed(pricing);
  if ('unavailable' in quote) return;
  const answered = { payout, nameAnswer, quote };
  // Kept for an outage only, which is known after a few: the list cannot grow with the batch.
  const mayWait = !isNamed && (needsNames(ports) || !isDown(missed.names));
  if (mayWait) unnamed.push(answered);
  else await decide(answered, pricing);
}

async function nameOf(payout: PayoutIn<'planned'>, { questions, missed }: Pricing): Promise<NameAnswer> {
  if (!isDown(missed.names)) return questions.nameOf(payout);
  return { kind: 'unavailable', reason: missed.names.reason ?? 'no answer' };
}

async function decideUnnamed(pricing: Pricing): Promise<void> {
  for (const answered of pricing.unnamed.splice(0)) await decide(answered, pricing);
}

async function decide({ payout, nameAnswer, quote }: Answered, pricing: Pricing): Promise<void> {
  const { questions, ports, options, changes } = pricing;
  const meant = { of: options.repeatsReleased, batch: payout.batchId };
  const repeats: Repeat[] = [];
  for (const repeat of await ports.ledger.repeatsOf(payout.id))
    if (!(await isRepeatMeant(repeat.pointer, meant, ports))) repeats.push(repeat);
  const accountChange = changes.get(payout.id);
  const findings = {
    nameAnswer,
    quote,
    repeats,
    isNameReleased: false,
    accountChange,
    now: ports.clock.now(),
  };
  const event = decidePrice(payout, findings, ports.policy);
  // Names that match need nobody's release: most rows are spared the question.
  const isReleased = !isMatch(event) && (await questions.isNameReleased(payout, nameAnswer));
  const released = { ...findings, isNameReleased: true };
  await recordEvent(payout, isReleased ? decidePrice(payout, released, ports.policy) : event, ports);
}

function isMatch(event: ReturnType<typeof decidePrice>): boolean {
  return event.kind === 'price' && event.pricing.nameCheck.result === 'match';
}

/** The name stays as it was checked; an older or newer quote does not change what was agreed to. */
async function refreshQuote(
  payout: PayoutIn<'quoted'> & Payout,
  { questions, ports, missed }: Pricing,
): Promise<void> {
  const { pricing } = payout.state;
  if (pricing.quote === undefined || pricing.quote.quotedAt >= oldSince(ports)) return;
  const quote = await questions.quoteOf(payout);
  missed.quotes = afterQuestion(missed.quotes, 'unavailable' in quote ? quote.unavailable : undefined);
  if ('unavailable' in quote || 'declined' in quote) return;
  const moment = { policy: ports.policy, now: ports.clock.now() };
  await recordEvent(payout, decideRequote(payout, quote, moment), ports);
}

async function hasOldQuotes(batchId: BatchId, ports: Ports): Promise<boolean> {
  const rates = await ports.ledger.quotedRates(batchId, 'quoted');
  return rates.some((rate) => rate.quotedAtOldest < oldSince(ports));
}

function oldSince({ clock, policy }: Ports): number {
  return clock.now() - policy.quoteMinutes * 60_000;
}
