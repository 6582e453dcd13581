/**
 * Planned and actual cost of a batch, per currency paid and currency debited.
 *
 * Planned is the debit of the quote that was agreed to. At sending it is that quote, unless it was old by then and the
 * service named another: the ledger keeps that. Only the account's statement shows what was
 * really debited.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { debitOf } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import type { Payout, Status } from '../payouts/payout.ts';

export interface PlannedSum {
  readonly count: number;
  readonly planned: Money;
}

export interface DebitTotal {
  readonly currency: CurrencyCode;
  /** Payments that were agreed to and are not known unpaid. */
  readonly count: number;
  readonly planned: Money;
  /** Of these, the ones that the service has or had. */
  readonly sent: PlannedSum & { readonly atSend: Money };
  /** By how much the sent ones cost more than planned, `0.42`; undefined when nothing was sent. */
  readonly driftPercent: string | undefined;
  /** Of these, the ones that may have been sent, and the ones that were not. */
  readonly inDoubt: PlannedSum;
  readonly unsent: PlannedSum;
  /** Agreed to as well, and known unpaid. */
  readonly failed: PlannedSum;
}

export interface Debits {
  readonly totals: readonly DebitTotal[];
  /** Payments agreed to whose debit is not known, per currency paid; they are in no total. */
  readonly unpriced: readonly { readonly currency: CurrencyCode; readonly count: number }[];
}

type Part = 'sent' | 'inDoubt' | 'unsent' | 'failed';

/** Withdrawn rows are missing: with the approval their price went. */
const PART_OF: Readonly<Partial<Record<Status, Part>>> = {
  approved: 'unsent',
  sending: 'inDoubt',
  in_doubt: 'inDoubt',
  accepted: 'sent',
  settled: 'sent',
  returned: 'sent',
  failed: 'failed',
};

type Tally = { count: number; planned: bigint; atSend: bigint };
interface Draft {
  readonly of: CurrencyCode;
  readonly from: CurrencyCode;
  readonly parts: Readonly<Record<Part, Tally>>;
}

/** What is added up of a payment: of one in the ledger, or of one line of a report. */
interface Added {
  readonly status: Status;
  readonly amount: Money | undefined;
  readonly debit: Money | undefined;
  readonly debitAtSend: Money | undefined;
}

export class DebitTotals {
  readonly #drafts = new Map<string, Draft>();
  readonly #unpriced = new Map<CurrencyCode, number>();

  addPayout(payout: Payout): void {
    const { instruction, state } = payout;
    if (instruction === undefined || !('tag' in state)) return;
    const { quote } = state.pricing;
    const { amount } = instruction;
    const debit = quote === undefined ? undefined : debitOf(amount, quote);
    const debitAtSend = debitAtSendOf(payout, debit);
    this.add({ status: state.status, amount, debit, debitAtSend });
  }

  add({ status, amount, debit, debitAtSend }: Added): void {
    const part = PART_OF[status];
    if (part === undefined || amount === undefined) return;
    if (debit === undefined) {
      this.#unpriced.set(amount.currency, (this.#unpriced.get(amount.currency) ?? 0) + 1);
      return;
    }
    const tally = this.#draft(amount.currency, debit.currency).parts[part];
    tally.count += 1;
    tally.planned += debit.minor;
    tally.atSend += (debitAtSend ?? debit).minor;
  }

  finish(): Debits {
    const totals = [...this.#drafts].sort(byKey).map(([, draft]) => totalOf(draft));
    const unpriced = [...this.#unpriced].sort(byKey).map(([currency, count]) => ({ currency, count }));
    return { totals, unpriced };
  }

  #draft(of: CurrencyCode, from: CurrencyCode): Draft {
    const key = `${of} ${from}`;
    const draft = this.#drafts.get(key) ?? newDraft(of, from);
    this.#drafts.set(key, draft);
    return draft;
  }
}

/** By the quote of the sending; undefined where nothing was sent for certain, or the planned debit is not known. */
export function debitAtSendOf({ instruction, state }: Payout, planned: Money | undefined): Money | undefined {
  if (planned === undefined || instruction === undefined) return undefined;
  if (PART_OF[state.status] !== 'sent') return undefined;
  const quote = 'quoteAtSend' in state ? state.quoteAtSend : undefined;
  return (quote && debitOf(instruction.amount, quote)) ?? planned;
}

/** Of a corridor of which one side knows nothing. */
export function noDebit(of: CurrencyCode, from: CurrencyCode): DebitTotal {
  return totalOf(newDraft(of, from));
}

function newDraft(of: CurrencyCode, from: CurrencyCode): Draft {
  const nothing = () => ({ count: 0, planned: 0n, atSend: 0n });
  return { of, from, parts: { sent: nothing(), inDoubt: nothing(), unsent: nothing(), failed: nothing() } };
}

function totalOf({ of, from, parts }: Draft): DebitTotal {
  const money = (minor: bigint) => ({ minor, currency: from });
  const sum = ({ count, planned }: Tally) => ({ count, planned: money(planned) });
  const { sent, inDoubt, unsent, failed } = parts;
  return {
    currency: of,
    count: sent.count + inDoubt.count + unsent.count,
    planned: money(sent.planned + inDoubt.planned + unsent.planned),
    sent: { ...sum(sent), atSend: money(sent.atSend) },
    driftPercent: sent.planned === 0n ? undefined : driftText(sent.planned, sent.atSend),
    inDoubt: sum(inDoubt),
    unsent: sum(unsent),
    failed: sum(failed),
  };
}

/** Hundredths of a percent, rounded half up as a sheet shows them. */
function driftText(planned: bigint, atSend: bigint): string {
  const moved = atSend - planned;
  const size = ((moved < 0n ? -moved : moved) * 20_000n + planned) / (2n * planned);
  const sign = moved < 0n && size > 0n ? '-' : '';
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}

function byKey(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : 1;
}
