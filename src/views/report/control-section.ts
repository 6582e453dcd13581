/**
 * Control checks: what the ledger counts by itself beside what this report counts, and whether they tie; and the
 * money per currency, whose groups come to what was asked for.
 *
 * Planned and actual debit, per currency paid and debited: the total that was agreed to comes from the ledger, its parts are
 * counted by this report.
 */
import type { CurrencyCode } from '../../domain/money/currency.ts';
import { formatAmount, formatMoney } from '../../domain/money/money.ts';
import {
  type ControlTotals,
  costsKept,
  type EarlierTotal,
  groupChecks,
  staysTaken,
  unreadableText,
} from '../../domain/reporting/control-totals.ts';
import {
  addSums,
  type CurrencyTotal,
  groupsMinor,
  type Sum,
  UNACCOUNTED,
  unaccountedTexts,
} from '../../domain/reporting/currency-totals.ts';
import {
  atSendOf,
  DEBIT_WORDS,
  type DebitCheck,
  type DebitChecks,
  debitChange,
} from '../../domain/reporting/debit-checks.ts';
import type { PlannedSum } from '../../domain/reporting/debits.ts';
import { GROUPS, groupLabel } from '../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { type Html, html, moneyText, NOTHING, type Piece, paymentsText, section } from '../html.ts';
import { type Column, plainTable, stackedTable, type Tie, tieCell } from '../table.ts';

/** What the ledger and the report say of one thing, in words. */
interface Check {
  readonly name: string;
  readonly ledger: string;
  readonly report: string;
}

const CHECK_COLUMNS: readonly Column<Check>[] = [
  { header: 'Check', shown: ({ name }) => name },
  { header: 'Ledger', shown: ({ ledger }) => ledger },
  { header: 'This report', shown: ({ report }) => report },
  { header: 'Result', shown: ({ ledger, report }) => tieCell(ledger === report) },
];

export function controlSection(totals: ControlTotals, debits: DebitChecks | undefined): Html {
  const { rowsIn, linesOut } = totals;
  const rows = { name: 'Rows of the file', ledger: rowsText(rowsIn), report: rowsText(linesOut) };
  const table = plainTable({
    caption: 'What the ledger counts by itself, and what this report counts line by line',
    columns: CHECK_COLUMNS,
    groups: [[rows, ...currencyChecks(totals)]],
  });
  const left = unreadableText(totals);
  const unreadable = left === undefined ? NOTHING : html`<p class="note">${left}</p>\n`;
  return section('control', 'Control checks', [table, unreadable, debitTable(debits)]);
}

/** Where report and ledger part; it stands above everything else. */
export function parting({ parts, isMoving }: ControlTotals): Html {
  if (parts.length === 0) return NOTHING;
  const items = parts.map((part) => html`<li>${part}</li>\n`);
  return html`<div class="alarm"><p><strong>${isMoving === true ? 'Why not' : 'They differ here'}:</strong></p><ul>\n${items}</ul></div>\n`;
}

function currencyChecks(totals: ControlTotals): readonly Check[] {
  const checks = groupChecks(totals);
  return [...new Set(checks.map(({ currency }) => currency))].map((currency) => {
    const mine = checks.filter((check) => check.currency === currency);
    const text = (side: 'ledger' | 'report') => {
      const { count, minor } = mine.map((check) => check[side]).reduce(addSums);
      return `${paymentsText(count)}, ${formatMoney({ minor, currency })}`;
    };
    return { name: `${currency}, all but invalid rows`, ledger: text('ledger'), report: text('report') };
  });
}

/** One line of the tables of money: of a currency or corridor, what became of it. */
interface Part {
  readonly of: string;
  readonly group: Piece;
  readonly count: number | undefined;
  readonly amount: string;
  readonly result?: Tie | string;
}

function partColumns(of: string, amount: string): readonly Column<Part>[] {
  return [
    { header: of, shown: (part) => part.of },
    { header: 'Group', shown: ({ group }) => group },
    {
      header: 'Payments',
      kind: 'count',
      shown: ({ count }) => (count === undefined ? '' : countText(count)),
    },
    { header: amount, kind: 'money', shown: (part) => part.amount },
    { header: 'Result', shown: ({ result = '' }) => result },
  ];
}

type Costs = Pick<ControlTotals, 'costs' | 'earlier'>;

/** A page that counts nothing anew knows of no costs. */
export function moneySection(totals: Pick<ControlTotals, 'currencies'> & Costs): Html {
  const caption = 'What was asked for, and what became of it';
  const groups = totals.currencies.map(currencyParts);
  const table = plainTable({ caption, columns: partColumns('Currency', 'Amount'), groups });
  const body = groups.length === 0 ? html`<p>No amount can be read.</p>\n` : table;
  const notes = unaccountedTexts(totals).map((text) => html`<p class="note">${text}</p>\n`);
  return section('money', 'Money by currency', [body, notes, costs(totals)]);
}

function currencyParts(total: CurrencyTotal): readonly Part[] {
  const { currency, requested, groups, unaccounted } = total;
  const part = (group: Piece, { count, minor }: Sum) => ({
    of: currency,
    group,
    count,
    amount: formatAmount({ minor, currency }),
  });
  const result = tieCell(groupsMinor(total) === requested.minor);
  return [
    ...GROUPS.filter((group) => groups[group].count > 0 || groups[group].minor > 0n).map((group) =>
      part(groupLabel(group), groups[group]),
    ),
    ...(unaccounted.count === 0 ? [] : [part(UNACCOUNTED, unaccounted)]),
    { ...part(html`<strong>Requested</strong>`, requested), result },
  ];
}

interface Cost extends EarlierTotal {
  readonly group: Piece;
}

export const COST_COLUMNS: readonly Column<Cost>[] = [
  { header: 'Currency', shown: ({ currency }) => currency },
  { header: 'Group', shown: ({ group }) => group },
  { header: 'Payments', kind: 'count', shown: ({ count }) => countText(count) },
  {
    header: 'Fees',
    kind: 'money',
    shown: ({ feeMinor: minor, currency }) => moneyText({ minor, currency }),
  },
  {
    header: 'Debit with fees',
    kind: 'money',
    shown: ({ debitMinor: minor, currency }) => moneyText({ minor, currency }),
  },
  {
    header: 'Came back',
    kind: 'money',
    shown: ({ debitMinor, keptMinor, currency }) => moneyText({ minor: debitMinor - keptMinor, currency }),
  },
  {
    header: 'Stays taken',
    kind: 'money',
    shown: ({ keptMinor: minor, currency }) => moneyText({ minor, currency }),
  },
];

/** Quoted, not billed: the service shows no account of what it took. */
function costs(totals: Costs): Html {
  const groups = staysTaken(totals).map(({ currency }) => costsIn(currency, totals));
  if (groups.length === 0) return NOTHING;
  const caption = 'Taken from the account that pays, as quoted: the service shows no account of what it took';
  return stackedTable('costs', { caption, columns: COST_COLUMNS, groups });
}

function costsIn(currency: CurrencyCode, { costs: ofRows, earlier }: Costs): readonly Cost[] {
  const parts = [
    ...ofRows.map((cost) => ({ ...cost, group: groupLabel(cost.group), keptMinor: costsKept(cost) })),
    ...earlier.map((sum) => ({ ...sum, group: 'Paid again since' })),
  ].filter((part) => part.currency === currency);
  const minor = (key: 'feeMinor' | 'debitMinor' | 'keptMinor') =>
    parts.reduce((sum, part) => sum + part[key], 0n);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const sums = {
    feeMinor: minor('feeMinor'),
    debitMinor: minor('debitMinor'),
    keptMinor: minor('keptMinor'),
  };
  return [...parts, { currency, group: html`<strong>Sum</strong>`, count, ...sums }];
}

function debitTable(debits: DebitChecks | undefined): Html {
  if (debits === undefined || debits.notes.length === 0) return NOTHING;
  const { lines } = debits;
  const table = plainTable({
    caption: `${DEBIT_WORDS.title}, with fees`,
    columns: partColumns('Corridor', 'Debit'),
    groups: lines.map(debitParts),
  });
  const notes = debits.notes.map((text) => html`<li>${text}</li>\n`);
  const shown = lines.length === 0 ? NOTHING : table;
  return html`${shown}<ul class="note">\n${notes}</ul>\n`;
}

function debitParts({ name, agreed, report, verdict }: DebitCheck): readonly Part[] {
  const { failed, inDoubt, unsent, sent, driftPercent } = report;
  const part = (group: Piece, sum: PlannedSum): Part => ({
    of: name,
    group,
    count: sum.count,
    amount: moneyText(sum.planned),
  });
  const strong = (word: string) => html`<strong>${word}</strong>`;
  const present = [
    part(groupLabel('failed'), failed),
    part(groupLabel('in_doubt'), inDoubt),
    part(groupLabel('not_yet_sent'), unsent),
  ].filter(({ count }) => count !== 0);
  const change = debitChange(report);
  const moved: Part = {
    of: name,
    group: DEBIT_WORDS.moved,
    count: undefined,
    amount: moneyText(change),
    result: driftPercent === undefined ? '' : `${driftPercent} %`,
  };
  return [
    part(strong(DEBIT_WORDS.agreed), agreed),
    ...present,
    part(DEBIT_WORDS.sent, sent),
    ...(change.minor === 0n ? [] : [moved]),
    { ...part(strong(DEBIT_WORDS.atSend), atSendOf(report)), result: tieCell(verdict === 'ties', verdict) },
  ];
}
