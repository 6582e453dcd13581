/**
 * Control checks: what the ledger counts by itself beside what this report counts, and whether they tie; and the
 * money per currency, whose groups come to what was asked for.
 */

import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import { formatMoney, grouped } from '../../../../domain/money/money.ts';
import {
  type ControlTotals,
  type CurrencyTotal,
  groupedTotals,
  type Sum,
  unreadableText,
} from '../../../../domain/reporting/control-totals.ts';
import type { DebitReport } from '../../../../domain/reporting/debit-report.ts';
import { GROUPS, groupLabel } from '../../../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../../../domain/text/printable.ts';
import { debitChecks, debitTable } from './debit-table.ts';
import { type Html, html, NOTHING } from './html.ts';
import { type Cell, type Column, plainTable, stackedTable, tying } from './table.ts';
import { moneyText, paymentsText, section } from './words.ts';

export function controlSection(totals: ControlTotals, debits: DebitReport | undefined): Html {
  const { rowsIn, linesOut, parts } = totals;
  const checks = [
    checkRow('Rows of the file', rowsText(rowsIn), rowsText(linesOut)),
    ...ledgerCurrencies(totals).map((currency) => {
      const [ledger, report] = [totals.ledger, totals.byStatus].map((side) => sentSum(side, currency));
      return checkRow(`${currency}, all but invalid rows`, ledger ?? '', report ?? '');
    }),
    ...debitChecks(debits).map(({ name, ledger, report }) => checkRow(name, ledger, report)),
  ];
  const table = plainTable({
    caption: 'What the ledger counts by itself, and what this report counts line by line',
    columns: [{ name: 'Check' }, { name: 'Ledger' }, { name: 'This report' }, { name: 'Result' }],
    groups: [checks],
  });
  const left = unreadableText(totals);
  const unreadable = left === undefined ? NOTHING : html`<p class="note">${left}</p>\n`;
  return section('control', 'Control checks', [parting(parts), table, unreadable]);
}

function parting(parts: readonly string[]): Html {
  if (parts.length === 0) return NOTHING;
  const items = parts.map((part) => html`<li>${part}</li>\n`);
  return html`<div class="alarm"><p><strong>They part here:</strong></p><ul>\n${items}</ul></div>\n`;
}

function checkRow(name: string, ledger: string, report: string): readonly Cell[] {
  return [{ shown: name, isHead: true }, { shown: ledger }, { shown: report }, tying(ledger === report)];
}

function ledgerCurrencies({ ledger, byStatus }: ControlTotals): readonly CurrencyCode[] {
  const found = [...ledger, ...byStatus].flatMap(({ currency, status }) =>
    currency === undefined || status === 'invalid' ? [] : [currency],
  );
  return [...new Set(found)].sort();
}

/** Invalid rows are left out: the ledger keeps no money of theirs. */
function sentSum(side: ControlTotals['ledger'], currency: CurrencyCode): string {
  const sums = GROUPS.filter((group) => group !== 'invalid').map((group) =>
    groupedTotals(side, currency, group),
  );
  const sum = sums.reduce((all, { count, minor }) => ({
    count: all.count + count,
    minor: all.minor + minor,
  }));
  return `${paymentsText(sum.count)}, ${formatMoney({ minor: sum.minor, currency })}`;
}

export function moneySection(totals: ControlTotals, debits: DebitReport | undefined): Html {
  const table = plainTable({
    caption: 'What was asked for, and what became of it',
    columns: [
      { name: 'Currency' },
      { name: 'Group' },
      { name: 'Payments', kind: 'count' },
      { name: 'Amount', kind: 'money' },
      { name: 'Result' },
    ],
    groups: totals.currencies.map(currencyRows),
  });
  const body = totals.currencies.length === 0 ? html`<p>No amount can be read.</p>\n` : table;
  return section('money', 'Money by currency', [body, costs(totals), debitTable(debits)]);
}

function currencyRows(total: CurrencyTotal): readonly (readonly Cell[])[] {
  const { currency, requested, groups } = total;
  const present = GROUPS.filter((group) => groups[group].count > 0);
  const minor = GROUPS.reduce((sum, group) => sum + groups[group].minor, 0n);
  const row = (name: Cell, sum: Sum, result: Cell): readonly Cell[] => [
    { shown: currency, isHead: true },
    name,
    { shown: countText(sum.count) },
    { shown: grouped({ minor: sum.minor, currency }) },
    result,
  ];
  return [
    ...present.map((group) => row({ shown: groupLabel(group) }, groups[group], { shown: '' })),
    row({ shown: html`<strong>Requested</strong>` }, requested, tying(minor === requested.minor)),
  ];
}

export const COST_COLUMNS: readonly Column[] = [
  { name: 'Currency' },
  { name: 'Group' },
  { name: 'Payments', kind: 'count' },
  { name: 'Fees', kind: 'money' },
  { name: 'Debit with fees', kind: 'money' },
];

/** Quoted, not billed: the service shows no account of what it took. */
function costs({ costs: found }: ControlTotals): Html {
  if (found.length === 0) return NOTHING;
  const rows = found.map(({ currency, group, count, feeMinor, debitMinor }): readonly Cell[] => [
    { shown: currency, isHead: true },
    { shown: groupLabel(group) },
    { shown: countText(count) },
    { shown: moneyText({ minor: feeMinor, currency }) },
    { shown: moneyText({ minor: debitMinor, currency }) },
  ]);
  const caption = 'Taken from the account that pays, as quoted: the service shows no account of what it took';
  return stackedTable('costs', { caption, columns: COST_COLUMNS, groups: [rows] });
}
