/** The plan as blocks, for the person who approves it. */
import { batchLabel } from '../domain/batches/batch.ts';
import { allChanges, type BatchChanges, shortChanges } from '../domain/batches/batch-changes.ts';
import { type StyleRead, styleText } from '../domain/money/amount-style.ts';
import { formatAmount, formatMoney, type Money } from '../domain/money/money.ts';
import { clipped, NAME_RESULTS, NAME_WORDS } from '../domain/names/name-check.ts';
import type { HeldRow, NameToSee, PlanLine, PlanNames } from '../domain/plan/plan.ts';
import { totalOf } from '../domain/plan/typed-totals.ts';
import { input } from '../domain/text/message.ts';
import { countText, printable, rowsText } from '../domain/text/printable.ts';
import { minuteOf } from '../domain/timestamp.ts';
import type { PlanToSee } from '../use-cases/approve/plan-of-batch.ts';
import { asideOf, BLANK, type Block, joinTexts, line, number, table, toned, when } from './block.ts';
import { holdersMadeUp } from './messages-files.ts';
import { answerBlocks } from './reading.ts';
import { alikeSentences, HELD_WORDS, leftOutOf, nameFate, paysAgainSentences } from './words/plan.ts';

/** A plan to show. Some callers know only the plan, its batch and the environment. */
export type PlanShown = Pick<PlanToSee, 'plan' | 'batch' | 'environment'> & Partial<PlanToSee>;

/** `isWhole` shows every change, not only the first of each kind. */
export function planBlocks(shown: PlanShown, isWhole = false): readonly Block[] {
  const { toApprove, digest } = shown.plan;
  return [...planBody(shown, isWhole), ...(toApprove.length === 0 ? [] : [BLANK, line(`Digest  ${digest}`)])];
}

/** Without the digest. `namesMax`: names to look at that are listed. */
export function planBody(shown: PlanShown, isWhole: boolean, namesMax = ROWS_SHOWN_MAX): readonly Block[] {
  const { plan, batch, environment, amountStyle = batch.file.amountStyle } = shown;
  const { alike, twins } = plan.sameMoney;
  const { unpaidBefore = [] } = shown;
  const rows = Object.values(plan.counts).reduce((sum, count) => sum + (count ?? 0), 0);
  const sheet = batch.file.sheet === undefined ? '' : ` · sheet “${printable(batch.file.sheet)}”`;
  const toSee = [...paysAgainSentences(shown.paysAgain, shown.partReturns), ...alikeSentences(alike)];
  return [
    line(`${printable(batch.file.name)}${sheet} · ${rowsText(rows)} · batch ${batchLabel(batch)}`),
    { kind: 'environment', environment },
    ...when(amountStyle, (style) => [line(`  ${amountsText(style)}`)]),
    ...answerBlocks(plan.answers),
    BLANK,
    ...section(
      leftOutOf(plan, shown.invalidSums ?? []).map(({ symbol, tone, text }) =>
        tone === undefined ? line(`${symbol} ${text}`) : toned(tone, `${symbol} ${text}`),
      ),
    ),
    ...section(heldBlocks(plan.heldRows)),
    ...section([...nameBlocks(plan.names, namesMax), ...nameAge(shown), ...madeUpHint(shown)]),
    ...section(changeBlocks(shown.changes, isWhole)),
    ...section(toSee.map((text) => line(text))),
    ...when(unpaidBefore.length > 0, () => [line('Earlier payments that were not made:')]),
    ...section(unpaidBefore.map((text) => line(`  ${text}`))),
    ...section(twins.map((text) => line(text))),
    plan.toApprove.length === 0 ? line('This plan pays nothing.') : moneyTable(plan.toApprove),
  ];
}

/** Shown if most names do not match, as for a user's own file in the sandbox. */
export function madeUpHint({ environment, plan }: Pick<PlanShown, 'environment' | 'plan'>): readonly Block[] {
  const rows = Object.values(plan.counts).reduce((sum, count) => sum + count, 0);
  const isMostlyMadeUp = environment === 'sandbox' && (plan.holdReasons.get('name') ?? 0) * 2 > rows;
  return isMostlyMadeUp ? [asideOf(holdersMadeUp)] : [];
}

const section = (blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [...blocks, BLANK];

export const amountsText = (style: StyleRead) => printable(`amounts: ${styleText(style)}`);

function moneyTable(lines: readonly PlanLine[]): Block {
  const numbers = ['Rows', 'Beneficiaries get', 'We pay', 'Fees', 'Rate'];
  const rows = lines.map((each) => [
    each.currency,
    countText(each.count),
    formatAmount(each.sum),
    moneyText(each.debits),
    moneyText(each.fees),
    rateText(each.rates),
  ]);
  const count = lines.reduce((sum, each) => sum + each.count, 0);
  const [debits, fees] = [moneyText(totalOf(lines, 'debits')), moneyText(totalOf(lines, 'fees'))];
  const total = lines.length > 1 ? [['Total', countText(count), '', debits, fees, '']] : [];
  const columns = ['Currency', ...numbers.map(number)];
  return table(columns, [...rows, ...total]);
}

function moneyText(money: readonly Money[]): string {
  return money.length === 0 ? 'not known' : money.map(formatMoney).join(' + ');
}

function rateText([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} …`;
}

const ROWS_SHOWN_MAX = 10;

/** Rows that are held for more than their name. */
function heldBlocks(rows: readonly HeldRow[]): readonly Block[] {
  const left = rows.length - ROWS_SHOWN_MAX;
  const cells = rows
    .slice(0, ROWS_SHOWN_MAX)
    .map(({ rowNumber, reasons }) => [
      `Row ${rowNumber}`,
      [...new Set(reasons.map(({ kind }) => HELD_WORDS[kind][0]))].join(', '),
      printable(reasons.map(({ text }) => text).join('; ')),
    ]);
  return [
    ...when(cells.length > 0, () => [table(['Row', 'Held', 'Why'], cells)]),
    ...when(left > 0, () => [line(`  … and ${countText(left)} more. The report lists every row.`)]),
  ];
}

/** Empty if every row has a name and every name is a match. */
export function nameBlocks(names: PlanNames, shownMax = ROWS_SHOWN_MAX): readonly Block[] {
  const { counts, unnamed, holders, toSee } = names;
  const numbers = { ...counts, match: (counts.match ?? 0) - unnamed };
  const words = NAME_RESULTS.filter((result) => (numbers[result] ?? 0) > 0);
  if (unnamed === 0 && words.every((result) => result === 'match')) return [];
  const found = words.map((result) => `${countText(numbers[result] ?? 0)} ${NAME_WORDS[result]}`).join(', ');
  const has = unnamed === 1 ? 'has' : 'have';
  const without =
    unnamed > 0 && `${rowsText(unnamed)} ${has} no name in the file: the account holder’s name is used`;
  // An unavailable name has nothing to compare. The count already shows it.
  const listed = toSee.filter(({ result }) => result !== 'unavailable').slice(0, shownMax);
  const left = (counts.close_match ?? 0) + (counts.no_match ?? 0) + (counts.not_found ?? 0) - listed.length;
  const named = holders.slice(0, ROWS_SHOWN_MAX);
  const moreNamed = unnamed - named.length;
  const columns = ['Row', 'In the file', 'On the account', 'Name check'];
  return [
    line(`Names: ${joinTexts([found, without], '; ')}`),
    ...when(listed.length > 0, () => [table(columns, listed.map(nameCells))]),
    ...when(left > 0, () => [line(`  … and ${countText(left)} more. The report lists every row.`)]),
    // Only this line shows who gets the money.
    ...named.map(({ rowNumber, resolved = '' }) =>
      line(`  Row ${rowNumber}: no name in the file, account “${clipped(resolved)}”`),
    ),
    ...when(moreNamed > 0, () => [
      line(`  … and ${countText(moreNamed)} more without a name. The report lists every row.`),
    ]),
  ];
}

/** Shown if a name was asked for before the file was read, for another payment to the account. */
function nameAge({ plan, batch }: PlanShown): readonly Block[] {
  const { askedSince = batch.createdAt } = plan.names;
  if (askedSince >= batch.createdAt) return [];
  return [
    line(
      `Some names were asked for earlier, for other payments. The oldest is of ${minuteOf(askedSince)} UTC.`,
    ),
  ];
}

function nameCells(name: NameToSee): readonly string[] {
  const { rowNumber, result, written, resolved, reason } = name;
  return [
    `Row ${rowNumber}`,
    clipped(written ?? '(no name)'),
    result === 'not_found' ? '(none given)' : clipped(resolved ?? '(no name)'),
    `${NAME_WORDS[result]}, ${nameFate(name)}: ${printable(reason)}`,
  ];
}

/** What changed since the last batch of the same kind. */
function changeBlocks(changes: BatchChanges | undefined, isWhole: boolean): readonly Block[] {
  if (changes === undefined) return [];
  if (isWhole) return allChanges(changes).map((text) => line(text));
  const { lines, isWhole: isAll } = shortChanges(changes);
  return [
    ...lines.map((text) => line(text)),
    ...(isAll ? [] : [line('  All changes: ', input('changes'), ', or the JSON output')]),
  ];
}
