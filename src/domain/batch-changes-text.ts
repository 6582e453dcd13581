/**
 * What changed since the last batch, in words: at most eight lines of at most 80 letters, or all of it.
 */

import type {
  AmountJump,
  BatchChanges,
  ChangedRow,
  CurrencyChange,
  Difference,
  Listed,
  NewAccount,
} from './batch-changes.ts';
import { countText } from './counted.ts';
import { formatMoney, grouped } from './money.ts';
import { printable } from './printable.ts';
import { formatTimestamp } from './timestamp.ts';

const WIDTH = 80;
const CURRENCIES_SHOWN = 2;

export function shortChanges(changes: BatchChanges): readonly string[] {
  const { difference } = changes;
  if (difference === undefined) return [`${sinceText(changes)} too many rows to compare one by one.`];
  const found = kindsOf(difference, changes).filter(({ count }) => count > 0);
  const { totals } = difference;
  const hidden = totals.length - CURRENCIES_SHOWN;
  const lines = [
    sinceText(changes),
    ...totals.slice(0, CURRENCIES_SHOWN).map(totalText),
    ...(hidden > 0 ? [`… and ${hidden} more ${hidden === 1 ? 'currency' : 'currencies'}`] : []),
    ...found.map(({ title, first, count }) => `${title}: ${first}${count > 1 ? ', …' : ''}`),
    ...(found.length === 0 ? ['the same beneficiaries, accounts and about the same amounts'] : []),
  ];
  return lines.map((line, at) => clip(at === 0 ? line : `  ${line}`));
}

/** Every listed row. */
export function allChanges(changes: BatchChanges): readonly string[] {
  const { difference } = changes;
  if (difference === undefined) return shortChanges(changes);
  const lines = [sinceText(changes), ...difference.totals.map((total) => `  ${totalText(total)}`)];
  for (const { title, count, texts } of kindsOf(difference, changes)) {
    if (count === 0) continue;
    lines.push(`  ${title}:`, ...texts().map((text) => `    ${text}`));
    if (count > texts().length) lines.push(`    … and ${countText(count - texts().length)} more`);
  }
  return lines;
}

interface Kind {
  readonly title: string;
  readonly count: number;
  readonly first: string;
  readonly texts: () => readonly string[];
}

function kindsOf(
  { newAccounts, added, missing, jumps }: Difference,
  { jumpPercent }: BatchChanges,
): readonly Kind[] {
  const people = ({ count }: { readonly count: number }) => `beneficiar${count === 1 ? 'y' : 'ies'}`;
  const moved = `${countText(jumps.count)} amount${jumps.count === 1 ? '' : 's'} moved by over ${jumpPercent} %`;
  const accounts = newAccounts.count === 1 ? 'a new account' : 'new accounts';
  return [
    kindOf(
      newAccounts,
      `! ${countText(newAccounts.count)} ${people(newAccounts)} with ${accounts}`,
      accountText,
    ),
    kindOf(jumps, moved, jumpText),
    kindOf(added, `${countText(added.count)} new ${people(added)}`, rowText),
    kindOf(
      missing,
      `${countText(missing.count)} missing ${people(missing)}`,
      (row) => `then ${rowText(row)}`,
    ),
  ];
}

function kindOf<Item>({ count, list }: Listed<Item>, title: string, textOf: (item: Item) => string): Kind {
  const [first] = list;
  return {
    title,
    count,
    first: first === undefined ? '' : textOf(first),
    texts: () => list.map(textOf),
  };
}

function sinceText({ previous }: BatchChanges): string {
  const day = formatTimestamp(previous.createdAt).slice(0, 10);
  return `Since batch ${printable(previous.name ?? previous.id)} of ${day}:`;
}

function totalText({ currency, rows, rowsBefore, before, now }: CurrencyChange): string {
  const amounts = `${grouped(before)} → ${grouped(now)}${percentText(before.minor, now.minor)}`;
  return `${currency} ${amounts}, ${countText(rowsBefore)} → ${countText(rows)} rows`;
}

function accountText(change: NewAccount): string {
  const { row, name, account, accountBefore, institution, institutionBefore, amount, amountBefore } = change;
  const where = institution === institutionBefore ? '' : `, ${printable(institution)}`;
  const isSame = amount.minor === amountBefore.minor && amount.currency === amountBefore.currency;
  const sum = isSame ? formatMoney(amount) : `${formatMoney(amountBefore)} → ${formatMoney(amount)}`;
  return `row ${row} ${accountBefore} → ${account}${where}, ${sum}${named(name)}`;
}

function jumpText({ row, name, before, now }: AmountJump): string {
  const moved = `${formatMoney(before)} → ${grouped(now)}`;
  return `row ${row} ${moved}${percentText(before.minor, now.minor)}${named(name)}`;
}

function rowText({ row, name, amount }: ChangedRow): string {
  return `row ${row} ${formatMoney(amount)}${named(name)}`;
}

function named(name: string | undefined): string {
  return name === undefined ? '' : `, ${printable(name)}`;
}

/** ` (+12.5 %)`; nothing where there was nothing before. */
function percentText(before: bigint, now: bigint): string {
  if (before === 0n || before === now) return '';
  const thousandths = ((now - before) * 1_000n) / before;
  const sign = now < before ? '−' : '+';
  const size = thousandths < 0n ? -thousandths : thousandths;
  return ` (${sign}${size / 10n}.${size % 10n} %)`;
}

function clip(line: string): string {
  const letters = [...line];
  return letters.length > WIDTH ? `${letters.slice(0, WIDTH - 1).join('')}…` : line;
}
