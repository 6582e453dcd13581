/**
 * The questions asked about a payout before it is sent: what its ids mean, whose account it is, and what it will cost. Each
 * list, account and amount of a corridor is asked about once; an answer is asked for again when it has grown old.
 */
import { type CurrencyCode, currencyOfCountry } from '../../domain/money/currency.ts';
import { sourceAmountOf } from '../../domain/money/decimal.ts';
import { formatDecimal } from '../../domain/money/money.ts';
import type { Instruction, Quote } from '../../domain/payouts/instruction.ts';
import { checkName, type NameAnswer, type Place } from '../../domain/payouts/price-decision.ts';
import { hoursMs } from '../../domain/policy.ts';
import type { Country, CountryId, Institution, InstitutionId } from '../../domain/rows/directory.ts';
import { echoesOfAccount, withoutEchoes } from '../../domain/text/sensitive.ts';
import { isYoung, type Timestamp } from '../../domain/timestamp.ts';
import type { NameBefore } from '../../ports/ledger/payment-memory.ts';
import type { Asked, Estimate } from '../../ports/payment-service.ts';
import { askCountries, askInstitutions } from '../ask-lists.ts';
import type { Ports } from '../ports.ts';

type Payable = { readonly instruction: Instruction };
type Unavailable = { readonly unavailable: string };
export type QuoteAnswer = Quote | { readonly declined: string } | Unavailable;

export interface Dated<Answer> {
  readonly answer: Answer;
  readonly at: Timestamp;
}

type Asking = Pick<Ports, 'paymentService' | 'clock' | 'policy'>;

export type PriceQuestions = ReturnType<typeof createPriceQuestions>;

/** `before`: what the service said of accounts before, the newest answers first. */
export function createPriceQuestions(
  ports: Asking,
  signal: AbortSignal | undefined,
  before: readonly NameBefore[] = [],
) {
  const { paymentService, clock, policy } = ports;
  const [listsMs, namesMs] = [policy.quoteMinutes * 60_000, hoursMs(policy.nameHours)];
  const names = createAnswerCache<NameAnswer>(clock, namesMs);
  const countries = createAnswerCache<Asked<readonly Country[]>>(clock, listsMs);
  const institutions = createAnswerCache<Asked<readonly Institution[]>>(clock, listsMs);
  const listed = async (): Promise<{ list: readonly Country[] } | Unavailable> => {
    const { answer: asked } = await countries('', () => askCountries(paymentService, signal));
    if (asked.kind !== 'answered') return { unavailable: whyNone(asked) };
    return { list: asked.answer };
  };
  const sourceCurrencyOf: SourceCurrency = async (instruction) => {
    const found = await listed();
    if ('unavailable' in found) return found;
    const source = found.list.find(({ id }) => id === instruction.sourceId);
    return { currency: source && currencyOfCountry(source.iso) };
  };
  const quotes = createQuoter(ports, sourceCurrencyOf, signal);
  const nameBefore = createNamesBefore(before, ports);
  return {
    quoteOf: ({ instruction }: Payable) => quotes(instruction),
    async placeOf({ instruction }: Payable): Promise<Place | Unavailable> {
      const { sourceId, destinationId, institutionId } = instruction;
      const found = await listed();
      if ('unavailable' in found) return found;
      const { answer: asked } = await institutions(destinationId, () =>
        askInstitutions(paymentService, destinationId, signal),
      );
      if (asked.kind === 'unavailable') return { unavailable: asked.reason };
      const called = (country: CountryId) => found.list.find(({ id }) => id === country)?.name ?? '';
      const names = { sourceName: called(sourceId), countryName: called(destinationId) };
      // When the service declines the question, nothing follows from it.
      if (asked.kind === 'declined') return { ...names, institution: 'unknown' };
      return { ...names, institution: asked.answer.find(({ id }) => id === institutionId) };
    },
    async nameOf({ instruction }: Payable): Promise<Dated<NameAnswer>> {
      const { institutionId, account } = instruction;
      const known = nameBefore(instruction);
      if (known !== undefined) return known;
      return names(accountKey(institutionId, account.reveal()), async () =>
        nameAnswerOf(await paymentService.accountName({ institutionId, account }, signal), account),
      );
    },
  };
}

const accountKey = (institutionId: InstitutionId, account: string) => `${institutionId}\n${account}`;

/**
 * A name that the service gave for another payment of the last `nameHours`, if it is the one in the file. Anything else is
 * asked for again: no row is held for an answer of before, which somebody may have had corrected since.
 */
function createNamesBefore(before: readonly NameBefore[], { clock, policy }: Asking) {
  const oldestFirst = before.toReversed();
  const known = new Map(oldestFirst.map((each) => [accountKey(each.institutionId, each.account), each]));
  return (instruction: Instruction): Dated<NameAnswer> | undefined => {
    const { name, at } = known.get(accountKey(instruction.institutionId, instruction.account.reveal())) ?? {};
    if (name === undefined || at === undefined) return undefined;
    if (!isYoung(at, clock.now(), hoursMs(policy.nameHours))) return undefined;
    const answer = { kind: 'name', name } as const;
    return checkName(instruction, answer).result === 'match' ? { answer, at } : undefined;
  };
}

function whyNone(asked: Exclude<Asked<unknown>, { kind: 'answered' }>): string {
  return asked.kind === 'unavailable'
    ? asked.reason
    : `the list of countries was declined: ${wordsOf(asked)}`;
}

type SourceCurrency = (
  instruction: Instruction,
) => Promise<{ readonly currency: CurrencyCode | undefined } | Unavailable>;

function createQuoter(
  { paymentService, clock, policy }: Asking,
  sourceCurrencyOf: SourceCurrency,
  signal: AbortSignal | undefined,
) {
  const maxAgeMs = policy.quoteMinutes * 60_000;
  const estimates = createAnswerCache<Asked<Estimate>>(clock, maxAgeMs);
  const rates = createAnswerCache<Asked<string>>(clock, maxAgeMs);

  /** What endpoint 4 is asked about, in the currency that the configuration says it counts in. */
  async function amountToAsk(
    instruction: Instruction,
    sourceCurrency: CurrencyCode | undefined,
  ): Promise<Asked<string>> {
    const { sourceId, destinationId, amount } = instruction;
    const asIs = { kind: 'answered', answer: formatDecimal(amount) } as const;
    if (policy.amountIn === 'destination' || sourceCurrency === undefined) return asIs;
    const { answer: rate } = await rates(`${sourceId}\n${destinationId}`, () =>
      paymentService.rate(sourceId, destinationId, signal),
    );
    if (rate.kind !== 'answered') return rate;
    const answer = sourceAmountOf(amount, rate.answer, sourceCurrency);
    if (answer === undefined) return { kind: 'declined', code: '', message: 'no usable exchange rate' };
    return { kind: 'answered', answer };
  }

  return async (instruction: Instruction): Promise<QuoteAnswer> => {
    const { sourceId, destinationId } = instruction;
    const source = await sourceCurrencyOf(instruction);
    if ('unavailable' in source) return source;
    const amount = await amountToAsk(instruction, source.currency);
    if (amount.kind !== 'answered') return notQuoted(amount);
    const key = `${sourceId}\n${destinationId}\n${instruction.amount.currency}\n${amount.answer}`;
    const { answer: asked, at } = await estimates(key, () =>
      paymentService.estimate({ sourceId, destinationId, amount: amount.answer }, signal),
    );
    if (asked.kind !== 'answered') return notQuoted(asked);
    return { ...asked.answer, sourceCurrency: source.currency, quotedAt: at };
  };
}

function notQuoted(asked: Exclude<Asked<unknown>, { kind: 'answered' }>): Exclude<QuoteAnswer, Quote> {
  if (asked.kind === 'unavailable') return { unavailable: asked.reason };
  return { declined: wordsOf(asked) };
}

function wordsOf({ message, code }: Extract<Asked<unknown>, { kind: 'declined' }>): string {
  return `${message} (code ${code})`;
}

/** What it said is kept in its own words: nobody knows why it declined. It may repeat the account in them. */
function nameAnswerOf(asked: Asked<string>, account: Instruction['account']): NameAnswer {
  switch (asked.kind) {
    case 'answered':
      return { kind: 'name', name: asked.answer };
    case 'declined':
      return { kind: 'not_found', words: withoutEchoes(wordsOf(asked), echoesOfAccount(account.reveal())) };
    case 'unavailable':
      return { kind: 'unavailable', reason: asked.reason };
  }
}

/**
 * Remembers answers to equal questions: two rows for one account ask once. Bounded: the oldest answers are forgotten
 * first.
 */
const ANSWERS_MAX = 20_000;

function createAnswerCache<Answer>(clock: Asking['clock'], maxAgeMs: number) {
  const answers = new Map<string, { readonly at: Timestamp; readonly asked: Promise<Dated<Answer>> }>();
  return function ask(key: string, question: () => Promise<Answer>): Promise<Dated<Answer>> {
    const at = clock.now();
    const known = answers.get(key);
    const age = at - (known?.at ?? at);
    if (known !== undefined && age >= 0 && age <= maxAgeMs) return known.asked;
    const [oldest] = answers.keys();
    if (answers.size >= ANSWERS_MAX && oldest !== undefined) answers.delete(oldest);
    const asked = question().then((answer) => ({ answer, at }));
    answers.delete(key);
    answers.set(key, { at, asked });
    const forget = () => {
      if (answers.get(key)?.asked === asked) answers.delete(key);
    };
    // A question that failed, or got no usable answer, is asked again by the next row.
    asked.then(({ answer }) => isUnusable(answer) && forget(), forget);
    return asked;
  };
}

function isUnusable(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'unavailable';
}
