/**
 * Compares the agreed debit with the debit sent, per currency paid and debited. It also compares the ledger's sums with
 * the sums of the report's lines.
 *
 * Source:  service interface 2.6 and 2.7: no answer of the service shows the real debit, its rate or its fee. So the
 *          debit sent is the debit at the rate of sending.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { counted } from '../text/printable.ts';
import { verdictOf } from './control-totals.ts';
import type { Sum } from './currency-totals.ts';
import { type Debits, type DebitTotal, noDebit, type PlannedSum } from './debits.ts';
import { GROUP_WORDS } from './status-words.ts';

/** The check of one currency paid and one currency debited. */
export interface DebitCheck {
  readonly currency: CurrencyCode;
  readonly from: CurrencyCode;
  /** `GHS from GBP`. */
  readonly name: string;
  /** The ledger's sum. */
  readonly agreed: PlannedSum;
  /** The sums of the report's lines. */
  readonly report: DebitTotal;
  /** `ties`, or how much more the report has than the ledger. */
  readonly verdict: string;
}

export interface DebitChecks {
  readonly lines: readonly DebitCheck[];
  /** Of the notes, those of payments that no sum has. */
  readonly unpriced: readonly string[];
  /** Notes for the reader; empty if there is nothing to show. */
  readonly notes: readonly string[];
  /** One sentence per difference between ledger and report. */
  readonly parts: readonly string[];
}

/** The title and the headings of the table. */
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

const NOTES: readonly string[] = [
  'The real debit is not known here: the service reports neither the debit, nor its rate, nor its fee.',
  'Sent: settled, on its way and returned. No sum includes canceled rows. The newest payment of a row counts.',
];

export function debitChecks(ledger: Debits, report: Debits): DebitChecks {
  const keyOf = ({ currency, planned }: DebitTotal) => `${currency} from ${planned.currency}`;
  const [ours, theirs] = [ledger, report].map(
    ({ totals }) => new Map(totals.map((total) => [keyOf(total), total])),
  );
  const every = new Map([...ledger.totals, ...report.totals].map((total) => [keyOf(total), total]));
  const checked = [...every]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { currency, planned }]) => {
      const none = noDebit(currency, planned.currency);
      return checkOf(name, ours?.get(name) ?? none, theirs?.get(name) ?? none);
    });
  const unpriced = report.unpriced.map(
    ({ currency, count }) =>
      `${currency}: ${counted(count, 'payment')} without a known debit, not in these sums.`,
  );
  return {
    lines: checked.map(({ line }) => line),
    unpriced,
    notes: checked.length + unpriced.length === 0 ? [] : [...unpriced, ...NOTES],
    parts: checked.flatMap(({ parts }) => parts),
  };
}

function checkOf(name: string, ledger: DebitTotal, report: DebitTotal) {
  const { currency, planned } = ledger;
  const { currency: from } = planned;
  const compared = [
    { what: 'agreed debit', sides: [agreedOf(ledger), agreedOf(report)] },
    { what: 'debit at the rate of sending', sides: [atSendOf(ledger), atSendOf(report)] },
  ] as const;
  const verdicts = compared.map(({ sides }) => verdictOf(gapOf(...sides), from));
  const parts = compared.flatMap(({ what, sides }, at) => {
    if (verdicts[at] === 'ties') return [];
    const [held, written] = sides.map(sumText);
    return [`${name}, ${what}: the ledger has ${held}, the report ${written}.`];
  });
  const verdict = verdicts.find((each) => each !== 'ties') ?? 'ties';
  const line: DebitCheck = { currency, from, name, agreed: agreedOf(ledger), report, verdict };
  return { line, parts };
}

/** All debits that were agreed to and not withdrawn. */
export function agreedOf({ count, planned, failed }: DebitTotal): PlannedSum {
  const { minor, currency } = planned;
  return { count: count + failed.count, planned: { minor: minor + failed.planned.minor, currency } };
}

/** The debits sent, at the rates of sending. */
export function atSendOf({ sent: { count, atSend } }: DebitTotal): PlannedSum {
  return { count, planned: atSend };
}

/** How much the rates of sending raised the debits sent. */
export function debitChange({ sent }: DebitTotal): Money {
  return { ...sent.planned, minor: sent.atSend.minor - sent.planned.minor };
}

function gapOf(ledger: PlannedSum, report: PlannedSum): Sum {
  return { count: report.count - ledger.count, minor: report.planned.minor - ledger.planned.minor };
}

/** `3 payments, GBP 10.00`. */
function sumText({ count, planned }: PlannedSum): string {
  return `${counted(count, 'payment')}, ${formatMoney(planned)}`;
}
