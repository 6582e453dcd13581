/**
 * What a batch came to: one sentence, control totals per currency, whether they tie, and the rows that a
 * person has to look at.
 *
 * --json: outcome (word), sentence, totals: [{currency, status, count, amount, minorUnits}],
 * notAccountedFor: [{currency, count, amount, minorUnits}] (left out where nothing is), staysTaken:
 * [{currency, amount, fees, ofEarlier}], ties, parts,
 * attention: [{row, status, differs, over, accepted, suspected, stuck, reason, nextStep}]. The marks are left out where they
 * do not hold. `over` (true): more went out than was asked. `differs` (true): it differs from what was asked, and nobody
 * accepted that. `accepted` (true): a person accepted it. `suspected` (true): the service called it failed or returned, not
 * confirmed yet. `stuck` (missing, unknown_word, late): it is on its way, and a person has to ask the service about it.
 */
import type { BatchOutcome } from '../../../domain/batches/batch.ts';
import { formatAmount, formatDecimal, formatMoney } from '../../../domain/money/money.ts';
import type { ShownStep } from '../../../domain/next-steps/command.ts';
import type { Status } from '../../../domain/payouts/payout.ts';
import {
  type ControlTotals,
  type CostTotal,
  staysTaken,
  unreadableText,
} from '../../../domain/reporting/control-totals.ts';
import { type Sum, UNACCOUNTED, unaccountedTexts } from '../../../domain/reporting/currency-totals.ts';
import { labelText, type RowFlags, type RowLabel, rowLabel } from '../../../domain/reporting/row-label.ts';
import {
  BOOKED_GROUPS,
  GROUP_OF,
  GROUP_WORDS,
  GROUPS,
  type Group,
} from '../../../domain/reporting/status-words.ts';
import { counted, countText, rowsText } from '../../../domain/text/printable.ts';
import { fits, tableOf, wrapped } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Attention extends RowFlags {
  readonly row: number;
  readonly status: Status;
  readonly reason: string;
  readonly nextStep: string;
}

interface OutcomeShown {
  readonly title: string;
  readonly environment: 'live' | 'sandbox';
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  readonly attention: readonly Attention[];
  /** Rows that need a look but are not listed. */
  readonly attentionLeft: number;
  /** The first rows that differ. */
  readonly discrepant?: readonly { readonly rowNumber: number }[];
  /** The first of them stand for incidents, whatever their state is. */
  readonly incidents?: readonly unknown[];
  /** In place of the rows in doubt one by one. */
  readonly doubt?: DoubtShown | undefined;
  /** What lists the rows that are only counted here; undefined: all that are known are listed. */
  readonly listedBy?: string | undefined;
  /** For all held rows at once, as it is typed here. */
  readonly releaseAll?: string | undefined;
}

/** With its commands as they are typed here. */
export interface DoubtShown {
  readonly rows: number;
  readonly sentences: readonly string[];
  readonly steps: readonly ShownStep[];
}

type Screen = Pick<Terminal, 'paint' | 'columns' | 'tableColumns'>;

export function printOutcome(shown: OutcomeShown, terminal: Screen): string {
  const { outcome, totals } = shown;
  const isGood = outcome.exitCode === 0;
  const differs = differsText(shown);
  const tone = isGood ? 'good' : outcome.exitCode === 5 ? 'bad' : 'doubt';
  const symbol = isGood ? '✔' : outcome.exitCode === 5 ? '?' : '!';
  return [
    `${terminal.paint(symbol, tone)} ${shown.title}: ${outcome.sentence}.`,
    environmentLine(shown.environment, terminal),
    '',
    ...totalsTable(totals, terminal.tableColumns),
    ...costLines(totals),
    ...costlessLines(totals),
    ...(differs === undefined ? [] : [`! ${differs}`]),
    '',
    ...tieLines(totals),
    ...attentionLines(shown, terminal),
  ].join('\n');
}

/** `SANDBOX, no real money` or `LIVE`; stands above every plan and every outcome. */
export function environmentLine(environment: 'live' | 'sandbox', terminal: Pick<Terminal, 'paint'>): string {
  return environment === 'sandbox'
    ? terminal.paint('SANDBOX — no real money', 'strong')
    : terminal.paint('LIVE — real money', 'bad');
}

/** One line per currency, with the groups that occur; where that is too wide, one line per currency and group. */
export function totalsTable(totals: ControlTotals, width = Number.POSITIVE_INFINITY): string[] {
  const used = GROUPS.filter((group) => totals.currencies.some((total) => !isNothing(total.groups[group])));
  const isMissing = totals.currencies.some(({ unaccounted }) => !isNothing(unaccounted));
  const columns = [
    { title: 'Currency' },
    { title: 'Rows', right: true },
    { title: 'Requested', right: true },
    ...used.map((group) => ({ title: GROUP_WORDS[group].word, right: true })),
    ...(isMissing ? [{ title: UNACCOUNTED, right: true }] : []),
  ];
  const rows = totals.currencies.map(({ currency, requested, groups, unaccounted }) => {
    const amount = (sum: Sum) => (isNothing(sum) ? '–' : formatAmount({ minor: sum.minor, currency }));
    return [
      currency,
      countText(requested.count),
      formatAmount({ minor: requested.minor, currency }),
      ...used.map((group) => amount(groups[group])),
      ...(isMissing ? [amount(unaccounted)] : []),
    ];
  });
  const wide = tableOf(columns, rows);
  const unreadable = unreadableText(totals);
  return [
    ...(fits(wide, width) ? wide : longTable(totals)),
    ...unaccountedTexts(totals).flatMap((text) => wrapped(text, Math.min(width, 120), '  ')),
    ...(unreadable === undefined ? [] : [unreadable]),
  ];
}

/** A part that came back adds an amount, and no row. */
function isNothing({ count, minor }: Sum): boolean {
  return count === 0 && minor === 0n;
}

function longTable({ currencies }: ControlTotals): string[] {
  const columns = [
    { title: 'Currency' },
    { title: 'State' },
    { title: 'Rows', right: true },
    { title: 'Amount', right: true },
  ];
  const rows = currencies.flatMap(({ currency, requested, groups, unaccounted }) => [
    [currency, 'Requested', countText(requested.count), formatAmount({ minor: requested.minor, currency })],
    ...[
      ...GROUPS.map((group) => [GROUP_WORDS[group].word, groups[group]] as const),
      [UNACCOUNTED, unaccounted] as const,
    ]
      .filter(([, sum]) => !isNothing(sum))
      .map(([word, { count, minor }]) => ['', word, countText(count), formatAmount({ minor, currency })]),
  ]);
  return tableOf(columns, rows);
}

/** A sum of settled rows says nothing of one that was paid in part. Counts all rows, and names the first. */
export function differsText({
  totals: { differing, counts },
  discrepant = [],
}: Pick<OutcomeShown, 'totals' | 'discrepant'>): string | undefined {
  if (differing === 0) return undefined;
  const what = counts.accepted + counts.failed + counts.returned === 0 ? 'settled row' : 'row';
  const count = counted(differing, `${what} differs`, `${what}s differ`);
  const [numbers, s] = [discrepant.map(({ rowNumber }) => rowNumber).join(', '), differing === 1 ? '' : 's'];
  const where =
    discrepant.length === 0
      ? ': see the report'
      : discrepant.length < differing
        ? `; the first are rows ${numbers}`
        : `: see row${s} ${numbers}`;
  return `${count} from what was asked${where}`;
}

/** `We pay, by the quotes: USD 1,234.50, of which fees USD 20.00`; of what came back the fees alone are paid. */
function costLines(totals: ControlTotals): string[] {
  return staysTaken(totals).flatMap(({ currency, minor, feeMinor, earlierMinor }) => {
    const mine = totals.costs.filter((cost) => cost.currency === currency);
    const text = (of: (cost: CostTotal) => bigint) =>
      formatMoney({ minor: mine.reduce((total, cost) => total + of(cost), 0n), currency });
    const [all, fees, before] = [minor, feeMinor, earlierMinor].map((each) =>
      formatMoney({ minor: each, currency }),
    );
    const paid = [
      `We pay, by the quotes: ${all}, of which fees ${fees}`,
      ...(earlierMinor === 0n
        ? []
        : [`  In it ${before} for earlier payments of rows that were paid again since`]),
    ];
    if (mine.every(({ count, daysCount }) => count === daysCount)) return paid;
    const days = text(({ daysMinor }) => daysMinor);
    const other = text(({ debitMinor, daysMinor }) => debitMinor - daysMinor);
    return [...paid, `  Sent in these days: ${days} with fees; of these rows, on other days: ${other}`];
  });
}

/** Rows that were sent without a quote: no sum includes their cost. */
function costlessLines({ byStatus, costs }: ControlTotals): string[] {
  const countOf = (sum: number, { count }: { readonly count: number }) => sum + count;
  const sent = byStatus.filter(({ status }) =>
    (BOOKED_GROUPS as readonly Group[]).includes(GROUP_OF[status]),
  );
  const count = sent.reduce(countOf, 0) - costs.reduce(countOf, 0);
  return count === 0 ? [] : [`! The cost of ${rowsText(count)} is not known; no sum includes it`];
}

function tieLines(totals: ControlTotals): string[] {
  if (totals.ties) {
    return [
      `Control totals tie: ${rowsText(totals.rowsIn)} in, ${countText(totals.linesOut)} accounted for.`,
    ];
  }
  const said = totals.isMoving === true ? 'were not compared' : 'DO NOT TIE';
  return [`Control totals ${said}:`, ...totals.parts.map((part) => `  ${part}`)];
}

/** The numbers stand in front, so that a person can say at which step things are. */
export function doubtLines(
  { sentences, steps }: DoubtShown,
  { columns }: Pick<Terminal, 'columns'>,
): string[] {
  const width = Math.min(columns, 120);
  return [
    ...sentences.flatMap((sentence) => wrapped(sentence, width, '')),
    ...steps.flatMap(({ text, command }, at) =>
      wrapped(`${at + 1}. ${text}${command === undefined ? '' : `: ${command}`}`, width, '   '),
    ),
  ];
}

function attentionLines(shown: OutcomeShown, terminal: Screen): string[] {
  const { attentionLeft, doubt, incidents = [] } = shown;
  const width = Math.min(terminal.columns, 120);
  const isTold = ({ status }: Attention, at: number) =>
    doubt !== undefined && at >= incidents.length && status === 'in_doubt';
  const attention = shown.attention.filter((each, at) => !isTold(each, at));
  const told = shown.attention.length - attention.length;
  const more = attentionLeft - Math.max(0, (doubt?.rows ?? 0) - told);
  const block = doubt === undefined ? [] : ['', ...doubtLines(doubt, terminal)];
  if (attention.length === 0) return block;
  const lines = rowLines(attention, { shown, width, terminal });
  const { releaseAll } = shown;
  if (releaseAll !== undefined) lines.push(...wrapped(releaseAll, width, '    '));
  const left = more > 0 ? [`… and ${countText(more)} more: they are in the report.`] : [];
  const list = ['', 'To look at:', ...lines, ...left];
  return incidents.length > 0 ? [...list, ...block] : [...block, ...list];
}

const FEW = 3;

/** Of rows with one and the same thing to do, it is said of the first; of a long list, only a few have their reason. */
function rowLines(
  attention: readonly Attention[],
  {
    shown,
    width,
    terminal,
  }: { readonly shown: OutcomeShown; readonly width: number; readonly terminal: Screen },
): string[] {
  const { incidents = [], listedBy } = shown;
  const kinds = Map.groupBy(attention, (seen) => {
    const isLoud = seen.nextStep === '' || shown.attention.indexOf(seen) < incidents.length;
    return isLoud ? seen : `${paintedLabel(rowLabel(seen.status, seen), terminal)} ${withoutRow(seen)}`;
  });
  return [...kinds.values()].flatMap((alike) => {
    const few = listedBy === undefined || alike.length <= FEW + 1 ? alike : alike.slice(0, FEW);
    const left = alike.length - few.length;
    return [
      ...few.flatMap((seen, at) => [
        ...wrapped(
          `Row ${seen.row} ${paintedLabel(rowLabel(seen.status, seen), terminal)}. ${at > 0 ? `${sentence(seen.reason)} To do: as for row ${few[0]?.row}.` : seen.reason}`,
          width,
          '    ',
        ),
        ...(at > 0 || seen.nextStep === ''
          ? []
          : wrapped(seen.nextStep, width - 4, '').map((line) => `    ${line}`)),
      ]),
      ...(left === 0
        ? []
        : wrapped(`… and ${countText(left)} more like row ${few[0]?.row}: ${listedBy}`, width, '    ')),
    ];
  });
}

/** A reason may be a clause, such as a day. */
function sentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** `payfile release may 4 --reason TEXT` is the same as for row 5. */
function withoutRow({ nextStep, row }: Attention): string {
  return nextStep.replaceAll(new RegExp(`(?<= )${row}(?= |;|$)`, 'g'), 'ROW');
}

/** The heading of a row, the same under “To look at” and in `explain`. */
export function paintedLabel(label: RowLabel, { paint }: Pick<Terminal, 'paint'>): string {
  const { symbol, word, tone } = label;
  return symbol === '!' ? `${paint(symbol, tone === 'bad' ? tone : 'doubt')} ${word}` : labelText(label);
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
