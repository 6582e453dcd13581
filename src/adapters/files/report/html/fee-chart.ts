/**
 * Fees by corridor, as quoted, of what was sent: what share of the debit they take. A corridor is the currency
 * that pays and the country that is paid.
 */

import type { CurrencyCode } from '../../../../domain/money/currency.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { GROUP_OF } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING } from './html.ts';
import { bars, figure } from './svg-bars.ts';
import { type Cell, type Column, stackedTable } from './table.ts';
import { moneyText } from './words.ts';

const SHOWN_MAX = 40;

export const FEE_COLUMNS: readonly Column[] = [
  { name: 'Corridor' },
  { name: 'Payments', kind: 'count' },
  { name: 'Fees', kind: 'money' },
  { name: 'Debit', kind: 'money' },
  { name: 'Fees in %', kind: 'count' },
];

interface Corridor {
  readonly name: string;
  readonly currency: CurrencyCode;
  count: number;
  feeMinor: bigint;
  debitMinor: bigint;
}

export class CorridorFees {
  readonly #corridors = new Map<string, Corridor>();

  add({ status, fee, debit, country }: ReportLine): void {
    const group = GROUP_OF[status];
    const isSent = group === 'settled' || group === 'on_its_way' || group === 'in_doubt';
    if (!isSent || fee === undefined || debit === undefined) return;
    const { currency } = debit;
    const name = `${currency} → ${country}`;
    const corridor = this.#corridors.get(name) ?? { name, currency, count: 0, feeMinor: 0n, debitMinor: 0n };
    corridor.count += 1;
    corridor.feeMinor += fee.minor;
    corridor.debitMinor += debit.minor;
    this.#corridors.set(name, corridor);
  }

  chart(): Html {
    const all = [...this.#corridors.values()].sort(highestFeeFirst);
    if (all.length === 0) return NOTHING;
    const shown = all.slice(0, SHOWN_MAX);
    const title = 'Fees by corridor';
    const list = shown.map((each) => ({ name: each.name, value: percentOf(each), shown: percentText(each) }));
    const description = `Share of the debit. ${list.map((each) => `${each.name}: ${each.shown}`).join(', ')}.`;
    const left = all.length - shown.length;
    const more =
      left === 0
        ? NOTHING
        : html`<p class="note">The ${countText(shown.length)} most expensive corridors; ${countText(left)} more are not shown.</p>\n`;
    return figure(title, [bars({ id: 'chart-fees', title, description }, list), more], feeTable(shown));
  }
}

function highestFeeFirst(one: Corridor, other: Corridor): number {
  return percentOf(other) - percentOf(one) || (one.name < other.name ? -1 : 1);
}

function feeTable(corridors: readonly Corridor[]): Html {
  const rows = corridors.map((each): readonly Cell[] => [
    { shown: each.name, isHead: true },
    { shown: countText(each.count) },
    { shown: moneyText({ minor: each.feeMinor, currency: each.currency }) },
    { shown: moneyText({ minor: each.debitMinor, currency: each.currency }) },
    { shown: percentText(each) },
  ]);
  return stackedTable('fees', {
    caption: 'Fees by corridor, as quoted',
    columns: FEE_COLUMNS,
    groups: [rows],
  });
}

function percentOf({ feeMinor, debitMinor }: Corridor): number {
  return debitMinor === 0n ? 0 : Number((feeMinor * 10_000n) / debitMinor) / 100;
}

function percentText(corridor: Corridor): string {
  return `${percentOf(corridor).toFixed(2)} %`;
}
