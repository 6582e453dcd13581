/**
 * Prices planned payouts: asks for the account holder's name and for a quote, and records what was decided. Payouts that
 * wait for approval are looked at again: old quotes are asked for anew, and a concern that came up since holds the row.
 */
import { afterQuestion, isDown, type Missed, NONE_MISSED } from '../../domain/payouts/circuit-breaker.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { decideAs, decidePrice, type Findings, type Place } from '../../domain/payouts/price-decision.ts';
import { hoursMs } from '../../domain/policy.ts';
import { plusMs } from '../../domain/timestamp.ts';
import { type PeriodAnswer, releaseHeldRepeats, releaseRepeats } from '../decide/repeats.ts';
import { eachDuePayout } from '../each-due-payout.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { createPriceQuestions, type PriceQuestions } from './ask-name-and-quote.ts';
import { type Baseline, baselineOf } from './baseline.ts';
import { besideOf, type Compared, comparedRows, holdConcerned, isNameRemembered } from './hold-concerned.ts';
import { areTermsOld, liveTermsOf } from './live-terms.ts';

interface PriceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Somebody said that the batch pays another one's rows for a new period. */
  readonly newPeriod?: PeriodAnswer | undefined;
}

export interface Priced {
  /** Rows still planned because the service gave no usable quote, with its last words. */
  readonly unpriced: number;
  readonly reason: string | undefined;
}

/** Rows that cannot be priced now stay planned; pricing again asks for them again. */
export async function pricePayouts(batchId: BatchId, ports: Ports, options: PriceOptions): Promise<Priced> {
  const { newPeriod } = options;
  const { planned: asked, quoted, held } = await ports.ledger.counts(batchId);
  if (asked + quoted === 0 && (held === 0 || newPeriod === undefined))
    return { unpriced: 0, reason: undefined };
  const compared = await comparedRows(batchId, ports);
  if (quoted > 0) await holdConcerned(batchId, compared, ports);
  if (newPeriod !== undefined) await releaseHeldRepeats(batchId, newPeriod, ports);
  const { planned } = await ports.ledger.counts(batchId);
  const isOld = await areTermsOld(batchId, 'quoted', ports);
  if (planned === 0 && !isOld) return { unpriced: 0, reason: undefined };
  options.signal?.throwIfAborted();
  const since = plusMs(ports.clock.now(), -hoursMs(ports.policy.nameHours));
  const before = planned === 0 ? [] : await ports.ledger.namesBefore(batchId, since);
  let isNameless = false;
  const pricing: Pricing = {
    questions: createPriceQuestions(ports, options.signal, before),
    ports,
    options,
    ...compared,
    baseline: await baselineOf(batchId, ports),
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
  if (isNameless) await holdConcerned(batchId, await comparedRows(batchId, ports), ports);
  const left = (await ports.ledger.counts(batchId)).planned;
  return { unpriced: left, reason: left === 0 ? undefined : whyStopped(pricing) };
}

interface Pricing extends Compared {
  readonly questions: PriceQuestions;
  readonly ports: Ports;
  readonly options: PriceOptions;
  readonly baseline: Baseline;
  readonly missed: { names: Missed; quotes: Missed };
  /**
   * Their names got no answer. While that may be an outage, nothing is decided: these rows are asked about again by the
   * next run, where one account whose name cannot be had is decided by the policy.
   */
  readonly unnamed: Answered[];
}

interface Answered extends Pick<Findings, 'nameAnswer' | 'nameCheckedAt' | 'quote'> {
  readonly payout: PayoutIn<'planned'>;
  readonly place: Place;
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
    return `no account name can be had: ${missed.names.reason} (the setting names.unavailable = ok goes on without names)`;
  return missed.quotes.reason;
}

async function pricePayout(payout: Payout, pricing: Pricing, answered: () => void): Promise<void> {
  if (isIn(payout, 'planned')) return pricePlanned(payout, pricing, answered);
  if (isIn(payout, 'quoted')) return refreshTerms(payout, pricing);
}

async function pricePlanned(
  payout: PayoutIn<'planned'>,
  pricing: Pricing,
  onAnswer: () => void,
): Promise<void> {
  const { missed, unnamed, questions, ports } = pricing;
  const [named, quote, place] = await Promise.all([
    nameOf(payout, pricing),
    questions.quoteOf(payout),
    questions.placeOf(payout),
  ]);
  const { nameAnswer } = named;
  const isNamed = nameAnswer.kind !== 'unavailable';
  missed.names = afterQuestion(missed.names, isNamed ? undefined : nameAnswer.reason);
  missed.quotes = afterQuestion(missed.quotes, whyUnavailable(quote) ?? whyUnavailable(place));
  onAnswer();
  // The service does give names, so a missing one is a matter of its account.
  if (isNamed) await decideUnnamed(pricing);
  if ('unavailable' in quote || 'unavailable' in place) return;
  const answered = { payout, ...named, quote, place };
  // Kept for an outage only, which is known after a few: the list cannot grow with the batch.
  const mayWait = !isNamed && (needsNames(ports) || !isDown(missed.names));
  if (mayWait) unnamed.push(answered);
  else await decide(answered, pricing);
}

function whyUnavailable(answer: object): string | undefined {
  return 'unavailable' in answer ? String(answer.unavailable) : undefined;
}

async function nameOf(
  payout: PayoutIn<'planned'>,
  { questions, missed, ports }: Pricing,
): Promise<Pick<Findings, 'nameAnswer' | 'nameCheckedAt'>> {
  if (!isDown(missed.names)) {
    const { answer, at } = await questions.nameOf(payout);
    return { nameAnswer: answer, nameCheckedAt: at };
  }
  const reason = missed.names.reason ?? 'no answer';
  return { nameAnswer: { kind: 'unavailable', reason }, nameCheckedAt: ports.clock.now() };
}

async function decideUnnamed(pricing: Pricing): Promise<void> {
  for (const answered of pricing.unnamed.splice(0)) await decide(answered, pricing);
}

async function decide(answered: Answered, pricing: Pricing): Promise<void> {
  const { payout, nameAnswer, nameCheckedAt, quote, place } = answered;
  const { ports, options, baseline } = pricing;
  const beside = await besideOf(payout, place, pricing, ports);
  const findings = { ...beside, nameAnswer, nameCheckedAt, quote };
  if (!('declined' in quote)) await baseline.keep(payout.instruction, quote);
  const eventFor = async (planned: PayoutIn<'planned'>) => {
    const event = decidePrice(planned, findings, ports.policy);
    if (event.kind !== 'hold' || event.pricing === undefined) return event;
    const isRemembered = await isNameRemembered(planned, event.pricing.nameCheck, ports);
    return isRemembered ? decidePrice(planned, { ...findings, isNameRemembered: true }, ports.policy) : event;
  };
  const recorded = await recordEvent(payout, await eventFor(payout), ports);
  if (recorded.kind !== 'recorded' || options.newPeriod === undefined) return;
  const released = await releaseRepeats(recorded.payout, options.newPeriod, ports);
  if (released !== undefined) await recordEvent(released, await eventFor(released), ports);
}

/** What has grown old is asked for again; an answer that is the same changes no digest. */
async function refreshTerms(payout: PayoutIn<'quoted'> & Payout, pricing: Pricing): Promise<void> {
  const { questions, ports, missed, baseline } = pricing;
  const live = await liveTermsOf(payout, questions, ports);
  missed.quotes = afterQuestion(missed.quotes, whyUnavailable(live));
  if ('unavailable' in live) return;
  const { quote, nameCheck, nameCheckedAt, place } = live;
  const { pricing: before } = payout.state;
  if (quote?.quotedAt === before.quote?.quotedAt && nameCheckedAt === before.nameCheckedAt) return;
  if (quote !== undefined) await baseline.keep(payout.instruction, quote);
  const beside = await besideOf(payout, place, pricing, ports);
  const known = { ...beside, isNameRemembered: await isNameRemembered(payout, nameCheck, ports) };
  const learnt = { nameCheck, nameCheckedAt, quote };
  await recordEvent(payout, decideAs(payout, learnt, known, ports.policy), ports);
}
