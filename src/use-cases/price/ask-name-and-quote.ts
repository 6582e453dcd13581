/**
 * The questions asked about a payout before it is sent: whose account is it, and what will it cost. Each
 * account, and each amount of a corridor, is asked about once while a stage runs.
 */
import { type CurrencyCode, currencyOfCountry } from '../../domain/money/currency.ts';
import { sourceAmountOf } from '../../domain/money/decimal.ts';
import { formatDecimal } from '../../domain/money/money.ts';
import type { Instruction, Quote } from '../../domain/payouts/instruction.ts';
import type { NameAnswer } from '../../domain/payouts/price-decision.ts';
import type { Directory } from '../../domain/rows/directory.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Asked, Estimate } from '../../ports/payment-service.ts';
import { loadDirectory } from '../intake/read-rows.ts';
import type { Ports } from '../ports.ts';

type Payable = { readonly instruction: Instruction };

type QuoteAnswer = Quote | { readonly declined: string } | { readonly unavailable: string };

export interface PriceQuestions {
  nameOf(payout: Payable): Promise<NameAnswer>;
  quoteOf(payout: Payable): Promise<QuoteAnswer>;
  /** Whether a person released these two names for this account before. */
  isNameReleased(payout: Payable, answer: NameAnswer): Promise<boolean>;
}

export async function createPriceQuestions(
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<PriceQuestions> {
  const { paymentService, ledger } = ports;
  const quotes = createQuoter(await loadDirectory(ports, signal), ports, signal);
  const names = createAnswerCache<NameAnswer>();
  return {
    quoteOf: ({ instruction }) => quotes(instruction),
    nameOf({ instruction }) {
      const { institutionId, account } = instruction;
      return names.ask(`${institutionId}\n${account.reveal()}`, async () =>
        nameAnswerOf(await paymentService.accountName({ institutionId, account }, signal)),
      );
    },
    async isNameReleased({ instruction }, answer) {
      if (answer.kind !== 'name' || instruction.name === undefined) return false;
      const { institutionId, account, name } = instruction;
      const names = { writtenName: name, resolvedName: answer.name };
      return ledger.isNameReleased({ institutionId, account: account.reveal(), ...names });
    },
  };
}

function createQuoter(directory: Directory, ports: Ports, signal: AbortSignal | undefined) {
  const { paymentService, clock, policy } = ports;
  const estimates = createAnswerCache<{ readonly asked: Asked<Estimate>; readonly at: Timestamp }>();
  const rates = createAnswerCache<Asked<string>>();

  /** What endpoint 4 is asked about, in the currency that the configuration says it counts in. */
  async function amountToAsk(
    instruction: Instruction,
    sourceCurrency: CurrencyCode | undefined,
  ): Promise<Asked<string>> {
    const { sourceId, destinationId, amount } = instruction;
    const asIs = { kind: 'answered', answer: formatDecimal(amount) } as const;
    if (policy.amountIn === 'destination' || sourceCurrency === undefined) return asIs;
    const rate = await rates.ask(`${sourceId}\n${destinationId}`, () =>
      paymentService.rate(sourceId, destinationId, signal),
    );
    if (rate.kind !== 'answered') return rate;
    const answer = sourceAmountOf(amount, rate.answer, sourceCurrency);
    if (answer === undefined) return { kind: 'declined', code: '', message: 'no usable exchange rate' };
    return { kind: 'answered', answer };
  }

  return async (instruction: Instruction): Promise<QuoteAnswer> => {
    const { sourceId, destinationId } = instruction;
    const iso = directory.countryById(sourceId)?.iso;
    const sourceCurrency = iso === undefined ? undefined : currencyOfCountry(iso);
    const amountAsked = await amountToAsk(instruction, sourceCurrency);
    const { asked, at } =
      amountAsked.kind === 'answered'
        ? await estimateOf(amountAsked.answer)
        : { asked: amountAsked, at: clock.now() };
    if (asked.kind === 'unavailable') return { unavailable: asked.reason };
    if (asked.kind === 'declined') return { declined: `${asked.message} (code ${asked.code})` };
    return { ...asked.answer, sourceCurrency, quotedAt: at };

    function estimateOf(amount: string) {
      const key = `${sourceId}\n${destinationId}\n${instruction.amount.currency}\n${amount}`;
      return estimates.ask(key, async () => {
        const at = clock.now();
        return { asked: await paymentService.estimate({ sourceId, destinationId, amount }, signal), at };
      });
    }
  };
}

function nameAnswerOf(asked: Asked<string | undefined>): NameAnswer {
  switch (asked.kind) {
    case 'answered':
      return asked.answer === undefined ? { kind: 'not_found' } : { kind: 'name', name: asked.answer };
    case 'declined':
      return { kind: 'not_found' };
    case 'unavailable':
      return { kind: 'unavailable', reason: asked.reason };
  }
}

/**
 * Remembers answers to equal questions while a stage runs: two rows for one account ask once. Bounded: the
 * oldest answers are forgotten first.
 */
const ANSWERS_MAX = 20_000;

interface AnswerCache<Answer> {
  ask(key: string, question: () => Promise<Answer>): Promise<Answer>;
}

function createAnswerCache<Answer>(): AnswerCache<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return {
    ask(key, question) {
      const known = answers.get(key);
      if (known !== undefined) return known;
      const oldest = answers.keys().next();
      if (answers.size >= ANSWERS_MAX && oldest.done !== true) answers.delete(oldest.value);
      const asked = question();
      answers.set(key, asked);
      // A question that failed is asked again by the next row.
      asked.catch(() => answers.delete(key));
      return asked;
    },
  };
}
