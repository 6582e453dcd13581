/** The result of a batch as blocks: a sentence, totals by currency, the balance, and rows to look at. */

import type { BatchOutcome } from '../domain/batches/batch.ts';
import { formatAmount, formatMoney } from '../domain/money/money.ts';
import { type Doubts, doubtsStep } from '../domain/next-steps/batch-steps.ts';
import { type Command, command, type Step } from '../domain/next-steps/command.ts';
import type { DoubtGuide } from '../domain/next-steps/doubt-guide.ts';
import { type ControlTotals, staysTaken, unreadableText } from '../domain/reporting/control-totals.ts';
import {
  type CurrencyTotal,
  type Sum,
  UNACCOUNTED,
  unaccountedTexts,
} from '../domain/reporting/currency-totals.ts';
import type { AccountMovement } from '../domain/reporting/journal-accounts.ts';
import { ACCOUNT_USES, BOOKED_TITLE } from '../domain/reporting/journal-checks.ts';
import { labelText, rowLabel } from '../domain/reporting/row-label.ts';
import {
  BOOKED_GROUPS,
  GROUP_OF,
  GROUP_WORDS,
  GROUPS,
  type Group,
} from '../domain/reporting/status-words.ts';
import { IN_A_PROGRAM, type Piece, textOf } from '../domain/text/message.ts';
import { counted, countText, rowsText } from '../domain/text/printable.ts';
import type { Attention } from '../use-cases/report/attention.ts';
import { BLANK, type Block, line, number, stepPieces, type Table, table, toned, when } from './block.ts';

export interface OutcomeShown {
  readonly title: string;
  readonly environment: 'live' | 'sandbox';
  readonly outcome: BatchOutcome;
  readonly totals: ControlTotals;
  readonly attention: readonly Attention[];
  /** How many rows need attention but are not listed. */
  readonly attentionLeft: number;
  /** The first rows that differ. */
  readonly discrepant?: readonly { readonly rowNumber: number }[];
  /** The incidents. Their rows come first in `attention`, whatever their status. */
  readonly incidents?: readonly unknown[];
  /** Replaces the list of rows in doubt. */
  readonly doubt?: DoubtGuide | undefined;
  /** Command that lists all rows; undefined: this view lists all rows. */
  readonly listedBy?: Command | undefined;
  /** Step that releases all held rows. */
  readonly releaseAll?: Step | undefined;
}

export function outcomeBlocks(shown: OutcomeShown): readonly Block[] {
  const { title, environment, outcome, totals } = shown;
  const [symbol, tone] =
    outcome.exitCode === 0
      ? (['✔', 'good'] as const)
      : outcome.exitCode === 5
        ? (['?', 'bad'] as const)
        : (['!', 'doubt'] as const);
  return [
    toned(tone, `${symbol} ${title}: ${outcome.sentence}.`),
    { kind: 'environment', environment },
    BLANK,
    ...totalsBlocks(totals),
    ...costBlocks(totals),
    ...when(differsText(shown), (text) => [{ ...toned('doubt', `! ${text}`), isAlways: true }]),
    BLANK,
    ...balanceBlocks(totals),
    ...attentionBlocks(shown),
  ];
}

export function totalsBlocks(totals: ControlTotals): readonly Block[] {
  return [
    totalsTable(totals.currencies),
    ...unaccountedTexts(totals).map((text) => line(text)),
    ...when(unreadableText(totals), (text) => [line(text)]),
  ];
}

/** One line per currency. Shows only groups that occur. `inDoubt`: heads the rows that have no answer yet. */
export function totalsTable(
  currencies: readonly CurrencyTotal[],
  inDoubt: string = GROUP_WORDS.in_doubt.word,
): Table {
  const used = GROUPS.filter((group) => currencies.some((total) => !isNothing(total.groups[group])));
  const isMissing = currencies.some(({ unaccounted }) => !isNothing(unaccounted));
  const wordOf = (group: Group) => (group === 'in_doubt' ? inDoubt : GROUP_WORDS[group].word);
  const numbers = [...used.map(wordOf), ...(isMissing ? [UNACCOUNTED] : [])];
  const rows = currencies.map(({ currency, requested, groups, unaccounted }) => {
    const amount = (sum: Sum) => (isNothing(sum) ? '–' : formatAmount({ minor: sum.minor, currency }));
    const sums = [...used.map((group) => groups[group]), ...(isMissing ? [unaccounted] : [])];
    const asked = [countText(requested.count), formatAmount({ minor: requested.minor, currency })];
    return [currency, ...asked, ...sums.map(amount)];
  });
  return table(['Currency', ...['Rows', 'Requested', ...numbers].map(number)], rows);
}

/** A partial return adds an amount but no row. */
function isNothing({ count, minor }: Sum): boolean {
  return count === 0 && minor === 0n;
}

/** Counts rows that differ and names the first. The sum of settled rows hides a partial payment. */
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

/** `We pay, by the quotes: USD 1,234.50, of which fees USD 20.00`. For returned rows, only the fees count. */
function costBlocks(totals: ControlTotals): readonly Block[] {
  if (totals.accounts !== undefined) return accountBlocks(totals.accounts);
  const paid = staysTaken(totals).flatMap(({ currency, minor, feeMinor, earlierMinor }) => {
    const [all, fees, before] = [minor, feeMinor, earlierMinor].map((each) =>
      formatMoney({ minor: each, currency }),
    );
    return [
      line(`We pay, by the quotes: ${all}, of which fees ${fees}`),
      ...when(earlierMinor !== 0n, () => [
        line(`  This includes ${before} for earlier payments of rows that were paid again`),
      ]),
    ];
  });
  const unknown = countWithoutQuote(totals);
  return [
    ...paid,
    ...when(unknown > 0, () => [
      toned('doubt', `! The cost of ${rowsText(unknown)} is not known. No sum includes it.`),
    ]),
  ];
}

/** What a month is for the books. Debits count up, credits down. */
function accountBlocks(accounts: readonly AccountMovement[]): readonly Block[] {
  if (accounts.length === 0) return [];
  const heads = ['Account', 'Code', 'Currency', ...['Opening', 'Debit', 'Credit', 'Closing'].map(number)];
  const rows = accounts.map(({ role, account: { code }, currency, ...sums }) => {
    const amount = (minor: bigint) => (minor === 0n ? '–' : formatAmount({ minor, currency }));
    const { opening, debit, credit, closing } = sums;
    return [ACCOUNT_USES[role], code, currency, ...[opening, debit, credit, closing].map(amount)];
  });
  return [BLANK, line(`${BOOKED_TITLE}:`), table(heads, rows)];
}

/** Counts rows sent without a quote. No sum includes their cost. */
function countWithoutQuote({ byStatus, costs }: ControlTotals): number {
  const countOf = (sum: number, { count }: { readonly count: number }) => sum + count;
  const sent = byStatus.filter(({ status }) =>
    (BOOKED_GROUPS as readonly Group[]).includes(GROUP_OF[status]),
  );
  return sent.reduce(countOf, 0) - costs.reduce(countOf, 0);
}

function balanceBlocks(totals: ControlTotals): readonly Block[] {
  if (totals.ties) {
    const [rows, lines] = [rowsText(totals.rowsIn), countText(totals.linesOut)];
    return [line(`Control totals are balanced: ${rows} in, ${lines} accounted for.`)];
  }
  const heading =
    totals.isMoving === true
      ? line('payfile did not compare the control totals:')
      : toned('bad', 'Control totals are NOT BALANCED:');
  return [heading, ...totals.parts.map((part) => line(`  ${part}`))];
}

/** Numbers the steps, so that people can refer to one. */
export function doubtBlocks({ sentences, steps, rehearsed }: DoubtGuide): readonly Block[] {
  const lines = steps.map(({ note: _, ...step }) => stepPieces([step]));
  return [
    ...sentences.map((text) => line(text)),
    { kind: 'list', lines: rehearsed === undefined ? lines : [...lines, rehearsed.pieces] },
  ];
}

function attentionBlocks(shown: OutcomeShown): readonly Block[] {
  const { attentionLeft, doubt, incidents = [], releaseAll } = shown;
  const isCoveredByGuide = ({ status }: Attention, at: number) =>
    doubt !== undefined && at >= incidents.length && status === 'in_doubt';
  const attention = shown.attention.filter((each, at) => !isCoveredByGuide(each, at));
  const inGuide = shown.attention.length - attention.length;
  const more = attentionLeft - Math.max(0, (doubt?.facts.rows.length ?? 0) - inGuide);
  const guide = when(doubt, (known) => [BLANK, ...doubtBlocks(known)]);
  if (attention.length === 0) return guide;
  const list = [
    BLANK,
    line('To look at:'),
    ...rowBlocks(attention, shown),
    ...when(releaseAll, (step) => [line(...stepPieces([step]))]),
    ...when(more > 0, () => [line(`… and ${countText(more)} more in the report.`)]),
  ];
  return incidents.length > 0 ? [...list, ...guide] : [...guide, ...list];
}

const REASONS_SHOWN = 3;

/** Shows a shared next step once, on its first row. A long list gives the reason of only a few rows. */
function rowBlocks(attention: readonly Attention[], shown: OutcomeShown): readonly Block[] {
  const { incidents = [], listedBy } = shown;
  const kinds = Map.groupBy(attention, (seen) => {
    const isAlone = seen.steps.length === 0 || shown.attention.indexOf(seen) < incidents.length;
    return isAlone ? seen : `${labelText(rowLabel(seen.status, seen))} ${withoutRow(seen)}`;
  });
  return [...kinds.values()].flatMap((alike) => {
    const few =
      listedBy === undefined || alike.length <= REASONS_SHOWN + 1 ? alike : alike.slice(0, REASONS_SHOWN);
    const left = alike.length - few.length;
    const first = few[0]?.row;
    return [
      ...few.flatMap((seen, at) => {
        const what = `Row ${seen.row} ${labelText(rowLabel(seen.status, seen))}`;
        if (at > 0) return [line(`${what}. ${sentence(seen.reason)} To do: as for row ${first}.`)];
        return [
          line(`${what}. ${seen.reason}`),
          ...when(seen.steps.length > 0, () => [line('    ', ...stepPieces(seen.steps))]),
        ];
      }),
      ...when(left > 0 && listedBy, (by) => [line(`… and ${countText(left)} more like row ${first}: `, by)]),
    ];
  });
}

/** Ends a reason with a full stop if it has none. */
function sentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** Replaces the row number, so that equal steps of two rows compare as equal. */
function withoutRow({ steps, row }: Attention): string {
  const text = textOf(stepPieces(steps), IN_A_PROGRAM);
  return text.replaceAll(new RegExp(`(?<= )${row}(?= |;|$)`, 'g'), 'ROW');
}

/** Keeps a cron mail short. `doctor` lists more batches. */
const OTHERS_MAX = 2;

/**
 * Rows in doubt of other batches, one line per batch. Commands show them so that nobody forgets a batch that no longer
 * runs.
 */
export function otherDoubts(
  all: readonly Doubts[],
  batchId: string | undefined,
): readonly (readonly Piece[])[] {
  const others = all.filter((doubts) => doubts.batchId !== batchId);
  const shown = others.length > OTHERS_MAX ? OTHERS_MAX - 1 : OTHERS_MAX;
  const lines = others.slice(0, shown).map((doubts) => stepPieces([doubtsStep(doubts)]));
  const left = others.length - lines.length;
  return left === 0
    ? lines
    : [...lines, [`… and ${left} more batches have rows in doubt: `, command('doctor')]];
}
