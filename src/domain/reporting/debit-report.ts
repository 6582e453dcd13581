/**
 * Planned and actual debit for people: the ledger's side beside the report's, where the two part, and why the actual
 * debit is not the planned one, in words.
 *
 * Source:  service interface 2.6 and 2.7: no answer of the service shows what it debited, at which rate, or which
 *          fee it took. So “actual” is never more than the debit at the rate of sending.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { counted } from '../text/printable.ts';
import type { ControlTotals, Sum } from './control-totals.ts';
import { type Debits, type DebitTotal, noDebit, type PlannedSum } from './debits.ts';
import { GROUP_WORDS } from './status-words.ts';

/** One currency paid from one currency debited, as the ledger's payouts give it and as the report's lines do. */
export interface DebitPair {
  readonly currency: CurrencyCode;
  readonly from: CurrencyCode;
  /** `GHS from GBP`. */
  readonly name: string;
  readonly ledger: DebitTotal;
  readonly report: DebitTotal;
}

export interface DebitReport {
  readonly pairs: readonly DebitPair[];
  readonly unpriced: Debits['unpriced'];
  /** One sentence per place where the two sides part. */
  readonly parts: readonly string[];
}

/** What the columns and lines are called. */
export const DEBIT_WORDS = {
  title: 'Planned and actual debit',
  agreed: 'Agreed to',
  failed: GROUP_WORDS.failed.word,
  inDoubt: GROUP_WORDS.in_doubt.word,
  unsent: GROUP_WORDS.not_yet_sent.word,
  sent: 'Sent, as planned',
  moved: 'Rate moved',
  atSend: 'Sent, at the rate of sending',
} as const;

const DEBIT_NOTES: readonly string[] = [
  'What was really debited is not known here: the service reports neither the debit, nor its rate, nor the fee it took. The statement of the account that pays shows it.',
  'The rate of sending is the quoted one; where a quote had grown old, it is the rate that the service named just before sending. Fees stay as they were quoted.',
  'A rate that raises the debit by more than the budget (driftPercent) is not used before a person approves again.',
  'Sent: settled, on its way and returned. Withdrawn rows are in no sum here; for a row that was paid again, its newest payment counts.',
];

export function debitReport(ledger: Debits, report: Debits): DebitReport {
  const pairs = pairsOf(ledger.totals, report.totals);
  return { pairs, unpriced: report.unpriced, parts: pairs.flatMap(partsOf) };
}

const WHEN_AT_REST =
  'If a command was working on the batch at that time, make the report again when it has ended.';

/** A report whose debits part does not tie, whatever its counts do. */
export function withDebitParts(totals: ControlTotals, debits: DebitReport | undefined): ControlTotals {
  return withParts(totals, debits?.parts ?? []);
}

/** A report whose sums part in one place more. */
export function withParts(totals: ControlTotals, parts: readonly string[]): ControlTotals {
  if (parts.length === 0) return totals;
  return { ...totals, ties: false, parts: [...totals.parts, ...parts, WHEN_AT_REST] };
}

/** Everything that was once agreed to and not withdrawn. */
export function agreedOf({ count, planned, failed }: DebitTotal): PlannedSum {
  const { minor, currency } = planned;
  return { count: count + failed.count, planned: { minor: minor + failed.planned.minor, currency } };
}

/** What was sent, at the rates of sending. */
export function atSendOf({ sent: { count, atSend } }: DebitTotal): PlannedSum {
  return { count, planned: atSend };
}

/** By how much the report has more than the ledger. */
export function debitGap(ledger: PlannedSum, report: PlannedSum): Sum {
  return { count: report.count - ledger.count, minor: report.planned.minor - ledger.planned.minor };
}

/** Whether there is nothing to show. */
export function hasNoDebits({ pairs, unpriced }: DebitReport): boolean {
  return pairs.length === 0 && unpriced.length === 0;
}

/** What stands below the figures: why they differ, and what they mean. */
export function debitTexts(debits: DebitReport): readonly string[] {
  return [...debitSentences(debits), ...DEBIT_NOTES];
}

/** `3 payments, GBP 10.00`. */
export function debitSumText({ count, planned }: PlannedSum): string {
  return `${counted(count, 'payment')}, ${formatMoney(planned)}`;
}

/** By how much the rates of sending raised the debit of what was sent. */
export function debitChange({ sent }: DebitTotal): Money {
  return { ...sent.planned, minor: sent.atSend.minor - sent.planned.minor };
}

/** `GBP 1.00 more (0.64 %)`, `GBP 1.00 less (-0.64 %)`. */
function movedText(total: DebitTotal): string {
  const { minor, currency } = debitChange(total);
  const size = formatMoney({ minor: minor < 0n ? -minor : minor, currency });
  return `${size} ${minor < 0n ? 'less' : 'more'} (${total.driftPercent ?? '0.00'} %)`;
}

/** Why planned and actual differ, at most two lines per corridor; nothing where they do not. */
export function debitSentences({ pairs, unpriced }: DebitReport): readonly string[] {
  const without = unpriced.map(
    ({ currency, count }) =>
      `${currency}: ${counted(count, 'payment')} without a known debit, in no sum here.`,
  );
  const why = pairs.flatMap(({ name, report }) => explained(report).map((text) => `${name}: ${text}`));
  return [...why, ...without];
}

function explained(total: DebitTotal): readonly string[] {
  const { failed, inDoubt, unsent, sent } = total;
  const apart = [
    ...told(failed, 'failed, nothing is taken'),
    ...told(inDoubt, 'in doubt, may have been taken'),
    ...told(unsent, 'not yet sent'),
  ];
  const agreed = agreedOf(total);
  const planned = `${counted(agreed.count, 'payment')} agreed to, ${formatMoney(agreed.planned)} with fees`;
  const left = apart.length === 0 ? [] : [`${planned}. Of these: ${apart.join('; ')}.`];
  if (debitChange(total).minor === 0n) return left;
  const [was, came] = [sent.planned, sent.atSend].map(formatMoney);
  return [
    ...left,
    `${counted(sent.count, 'payment')} sent, planned at ${was}, ${came} at the rate of sending. The rate moved: ${movedText(total)}.`,
  ];
}

function told({ count, planned }: PlannedSum, what: string): readonly string[] {
  return count === 0 ? [] : [`${counted(count, 'payment')} ${what} (${formatMoney(planned)})`];
}

function pairsOf(ledger: readonly DebitTotal[], report: readonly DebitTotal[]): readonly DebitPair[] {
  const keyOf = ({ currency, planned }: DebitTotal) => `${currency} from ${planned.currency}`;
  const sides = [ledger, report].map((side) => new Map(side.map((total) => [keyOf(total), total])));
  const every = new Map([...ledger, ...report].map((total) => [keyOf(total), total]));
  return [...every]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { currency, planned }]) => {
      const [ours, theirs] = sides.map((side) => side.get(name) ?? noDebit(currency, planned.currency));
      const none = noDebit(currency, planned.currency);
      return { currency, from: planned.currency, name, ledger: ours ?? none, report: theirs ?? none };
    });
}

function partsOf({ name, ledger, report }: DebitPair): readonly string[] {
  const agreed = [ledger, report].map((side) => debitSumText(agreedOf(side)));
  const sent = [ledger, report].map((side) => debitSumText(atSendOf(side)));
  return [
    ...parting(`${name}, debit agreed to`, agreed),
    ...parting(`${name}, debit at the rate of sending`, sent),
  ];
}

function parting(what: string, [ledger, report]: readonly string[]): readonly string[] {
  return ledger === report ? [] : [`${what}: the ledger has ${ledger}, the report ${report}.`];
}
