/**
 * What a batch was to cost, and what it cost at the rates of the day: per currency paid and currency debited.
 *
 * Planned is the debit of the quote that was agreed to. At sending the rate is the one that was quoted, unless the quote
 * was old by then and the service named another: the ledger keeps that. What the account was really debited stands
 * in its statement alone.
 */
import type { CurrencyCode } from './currency.ts';
import { debitOf } from './decimal.ts';
import type { Money } from './money.ts';
import type { Payout } from './payout.ts';
import type { Timestamp } from './timestamp.ts';

/** A corridor's rate just before sending, where it was not the quoted one any more. */
export interface RateAtSend {
  readonly sourceId: string;
  readonly destinationId: string;
  readonly currency: string;
  readonly quoted: string;
  readonly now: string;
  readonly at: Timestamp;
}

export interface DebitTotal {
  readonly currency: CurrencyCode;
  /** Payments that were agreed to and are not known unpaid. */
  readonly count: number;
  readonly planned: Money;
  /** Of these, the ones that the service has or had. */
  readonly sent: { readonly count: number; readonly planned: Money; readonly atSend: Money };
  /** By how much the sent ones cost more than planned, `0.42`; undefined when nothing was sent. */
  readonly driftPercent: string | undefined;
}

const SENT: readonly string[] = ['accepted', 'settled', 'returned'];

interface Draft {
  count: number;
  planned: bigint;
  sentCount: number;
  sentPlanned: bigint;
  atSend: bigint;
}

export class DebitTotals {
  readonly #rates: readonly RateAtSend[];
  readonly #drafts = new Map<string, Draft & { readonly of: CurrencyCode; readonly from: CurrencyCode }>();

  constructor(rates: readonly RateAtSend[]) {
    this.#rates = rates;
  }

  add({ instruction, state }: Payout): void {
    if (instruction === undefined || !('tag' in state) || state.status === 'failed') return;
    const { quote } = state.pricing;
    const planned = quote === undefined ? undefined : debitOf(instruction.amount, quote);
    if (quote === undefined || planned === undefined) return;
    const draft = this.#draft(instruction.amount.currency, planned.currency);
    draft.count += 1;
    draft.planned += planned.minor;
    if (!SENT.includes(state.status) || !('sentAt' in state) || state.sentAt === undefined) return;
    const { sentAt } = state;
    const moved = this.#rates.findLast(
      (rate) =>
        rate.at <= sentAt &&
        rate.sourceId === instruction.sourceId &&
        rate.destinationId === instruction.destinationId &&
        rate.currency === instruction.amount.currency &&
        rate.quoted === quote.rate,
    );
    const atSend = moved === undefined ? planned : debitOf(instruction.amount, { ...quote, rate: moved.now });
    draft.sentCount += 1;
    draft.sentPlanned += planned.minor;
    draft.atSend += (atSend ?? planned).minor;
  }

  finish(): readonly DebitTotal[] {
    return [...this.#drafts.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { of, from, count, planned, sentCount, sentPlanned, atSend }]) => {
        const money = (minor: bigint) => ({ minor, currency: from });
        return {
          currency: of,
          count,
          planned: money(planned),
          sent: { count: sentCount, planned: money(sentPlanned), atSend: money(atSend) },
          driftPercent: sentPlanned === 0n ? undefined : driftText(sentPlanned, atSend),
        };
      });
  }

  #draft(of: CurrencyCode, from: CurrencyCode) {
    const key = `${of} ${from}`;
    const nothing = { count: 0, planned: 0n, sentCount: 0, sentPlanned: 0n, atSend: 0n };
    const draft = this.#drafts.get(key) ?? { of, from, ...nothing };
    this.#drafts.set(key, draft);
    return draft;
  }
}

/** Hundredths of a percent, cut toward nothing. */
function driftText(planned: bigint, atSend: bigint): string {
  const hundredths = ((atSend - planned) * 10_000n) / planned;
  const size = hundredths < 0n ? -hundredths : hundredths;
  return `${hundredths < 0n ? '-' : ''}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}
