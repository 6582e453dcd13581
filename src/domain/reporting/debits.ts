/**
 * Planned and actual cost of a batch, per currency paid and currency debited, counted over the lines of its report.
 *
 * Planned is the debit of the quote that was agreed to. At sending it is that quote, unless it was old by then and the
 * service named another: the ledger keeps that. Only the account's statement shows what was really debited.
 * Units:   minor units of the currency debited.
 * Source:  service interface 2.6 and 2.7: no answer of the service shows the real debit, its rate or its fee.
 */
import type { CurrencyCode } from '../money/currency.ts';
import type { Money } from '../money/money.ts';
import type { Payout, Status } from '../payouts/payout.ts';
import { counted } from '../text/printable.ts';
import { debitWhenSent } from './payment-costs.ts';
import { type Mutable, Tallies } from './tallies.ts';

interface DebitSum {
  readonly count: number;
  readonly planned: bigint;
  readonly atSend: bigint;
}

/** `sent`: the service has or had them. `inDoubt`: they may have been sent. `failed`: agreed to as well, and known unpaid. */
export type DebitPart = 'sent' | 'inDoubt' | 'unsent' | 'failed';

export interface DebitTotal extends Readonly<Record<DebitPart, DebitSum>> {
  readonly currency: CurrencyCode;
  readonly from: CurrencyCode;
}

export interface Debits {
  readonly totals: readonly DebitTotal[];
  /** Sentences about payments agreed to whose debit is not known; they are in no total. */
  readonly unpriced: readonly string[];
}

/** Withdrawn rows are missing: with the approval their price went. */
const PART_OF: Readonly<Partial<Record<Status, DebitPart>>> = {
  approved: 'unsent',
  sending: 'inDoubt',
  in_doubt: 'inDoubt',
  accepted: 'sent',
  settled: 'sent',
  returned: 'sent',
  failed: 'failed',
};

type Draft = Pick<DebitTotal, 'currency' | 'from'> & Readonly<Record<DebitPart, Mutable<DebitSum>>>;

/** A line of a report. */
interface Counted {
  readonly status: Status;
  readonly amount: Money | undefined;
  readonly debit: Money | undefined;
  readonly debitAtSend: Money | undefined;
}

export class DebitTotals {
  readonly #drafts = new Tallies<Draft>();
  readonly #unpriced = new Tallies<{ readonly currency: CurrencyCode; count: number }>();

  add({ status, amount, debit, debitAtSend = debit }: Counted): void {
    const part = PART_OF[status];
    if (part === undefined || amount === undefined) return;
    const { currency } = amount;
    if (debit === undefined) {
      this.#unpriced.of(currency, () => ({ currency, count: 0 })).count += 1;
      return;
    }
    const sum = this.#drafts.of(`${currency} ${debit.currency}`, () => draftOf(currency, debit.currency))[
      part
    ];
    sum.count += 1;
    sum.planned += debit.minor;
    sum.atSend += debitAtSend?.minor ?? 0n;
  }

  finish(): Debits {
    const unpriced = this.#unpriced
      .all()
      .map(
        ({ currency, count }) =>
          `${currency}: ${counted(count, 'payment')} without a known debit, not in these sums.`,
      );
    return { totals: this.#drafts.all(), unpriced };
  }
}

function draftOf(currency: CurrencyCode, from: CurrencyCode): Draft {
  const none = () => ({ count: 0, planned: 0n, atSend: 0n });
  return { currency, from, sent: none(), inDoubt: none(), unsent: none(), failed: none() };
}

/** Of all that was agreed to and not withdrawn. */
export function agreedSum({ sent, inDoubt, unsent, failed }: DebitTotal): bigint {
  return sent.planned + inDoubt.planned + unsent.planned + failed.planned;
}

/** undefined where nothing was sent for certain, or the planned debit is not known. */
export function debitAtSendOf(payout: Payout, planned: Money | undefined): Money | undefined {
  if (planned === undefined || PART_OF[payout.state.status] !== 'sent') return undefined;
  return debitWhenSent(payout, planned);
}

/** By how much the sent ones cost more than planned, `0.42`: hundredths of a percent, rounded half up as a sheet shows them. */
export function driftPercent({ sent: { planned, atSend } }: DebitTotal): string | undefined {
  if (planned === 0n) return undefined;
  const moved = atSend - planned;
  const size = ((moved < 0n ? -moved : moved) * 20_000n + planned) / (2n * planned);
  const sign = moved < 0n && size > 0n ? '-' : '';
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}
