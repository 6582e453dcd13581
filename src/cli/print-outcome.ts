/**
 * What a batch came to: one sentence, control totals per currency, whether they tie, and the rows that a
 * person has to look at.
 *
 * --json: outcome (word), sentence, totals: [{currency, status, count, amount, minorUnits}], ties, parts,
 * attention: [{row, status, reason, nextStep}].
 */
import type { BatchOutcome } from '../domain/batch-outcome.ts';
import { type ControlTotals, GROUPS, type Group } from '../domain/control-totals.ts';
import { countText, rowsText } from '../domain/counted.ts';
import { formatDecimal, formatMoney, grouped } from '../domain/money.ts';
import type { Status } from '../domain/payout.ts';
import { STATUS_WORDS } from '../domain/status-word.ts';
import { tableOf, wrapped } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface Attention {
  readonly row: number;
  readonly status: Status;
  readonly reason: string;
  readonly nextStep: string;
}

export interface OutcomeShown {
  readonly title: string;
  readonly stripe: string;
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  readonly attention: readonly Attention[];
  /** Rows that need a look but are not listed. */
  readonly attentionLeft: number;
}

const GROUP_WORDS: Readonly<Record<Group, string>> = {
  settled: 'Settled',
  on_its_way: 'On its way',
  in_doubt: 'In doubt',
  failed: 'Failed',
  returned: 'Returned',
  held: 'Held',
  canceled: 'Canceled',
  invalid: 'Invalid',
  not_yet_sent: 'Not sent yet',
};

export function printOutcome(shown: OutcomeShown, terminal: Pick<Terminal, 'paint' | 'columns'>): string {
  const { outcome, totals } = shown;
  const tone = outcome.exitCode === 0 ? 'good' : outcome.exitCode === 5 ? 'bad' : 'doubt';
  const symbol = outcome.exitCode === 0 ? '✔' : outcome.exitCode === 5 ? '?' : '!';
  return [
    `${terminal.paint(symbol, tone)} ${shown.title}: ${outcome.sentence}.`,
    shown.stripe,
    '',
    ...totalsTable(totals),
    ...costLines(totals),
    '',
    ...tieLines(totals),
    ...attentionLines(shown, terminal.columns),
  ].join('\n');
}

/** One line per currency; only the groups that occur get a column. */
export function totalsTable(totals: ControlTotals): string[] {
  const used = GROUPS.filter((group) => totals.currencies.some((total) => total.groups[group].count > 0));
  const columns = [
    { title: 'Currency' },
    { title: 'Rows', right: true },
    { title: 'Requested', right: true },
    ...used.map((group) => ({ title: GROUP_WORDS[group], right: true })),
  ];
  const rows = totals.currencies.map(({ currency, requested, groups }) => [
    currency,
    countText(requested.count),
    grouped({ minor: requested.minor, currency }),
    ...used.map((group) => {
      const { count, minor } = groups[group];
      return count === 0 ? '–' : grouped({ minor, currency });
    }),
  ]);
  const unreadable =
    totals.amountUnreadable === 0
      ? []
      : [`${rowsText(totals.amountUnreadable)} without an amount that can be read for certain.`];
  return [...tableOf(columns, rows), ...unreadable];
}

/** `Debited, by the quotes: USD 1,234.50 (fees USD 20.00)`. */
function costLines({ costs }: ControlTotals): string[] {
  const currencies = [...new Set(costs.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const mine = costs.filter((cost) => cost.currency === currency);
    const sum = (of: 'debitMinor' | 'feeMinor') => mine.reduce((total, cost) => total + cost[of], 0n);
    const debit = formatMoney({ minor: sum('debitMinor'), currency });
    return `We pay, by the quotes: ${debit}, of which fees ${formatMoney({ minor: sum('feeMinor'), currency })}`;
  });
}

function tieLines(totals: ControlTotals): string[] {
  if (totals.ties) {
    return [
      `Control totals tie: ${rowsText(totals.rowsIn)} in, ${countText(totals.linesOut)} accounted for.`,
    ];
  }
  return ['Control totals DO NOT TIE:', ...totals.parts.map((part) => `  ${part}`)];
}

function attentionLines({ attention, attentionLeft }: OutcomeShown, columns: number): string[] {
  if (attention.length === 0) return [];
  const width = Math.min(Math.max(columns, 60), 120);
  const lines = attention.flatMap(({ row, status, reason, nextStep }) => [
    ...wrapped(
      `Row ${row}  ${STATUS_WORDS[status].symbol} ${STATUS_WORDS[status].word}. ${reason}`,
      width,
      '    ',
    ),
    ...(nextStep === '' ? [] : wrapped(nextStep, width - 4, '').map((line) => `    ${line}`)),
  ]);
  const left = attentionLeft > 0 ? [`… and ${countText(attentionLeft)} more: they are in the report.`] : [];
  return ['', 'To look at:', ...lines, ...left];
}

export function totalsJson(totals: ControlTotals): readonly unknown[] {
  return totals.byStatus.map(({ status, currency, count, minor }) => ({
    currency: currency ?? null,
    status,
    count,
    amount: currency === undefined ? null : formatDecimal({ minor, currency }),
    minorUnits: currency === undefined ? null : minor.toString(),
  }));
}
