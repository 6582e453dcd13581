/**
 * The plan as a person reads it before agreeing, and as a program reads it.
 *
 * --json: plan: {digest, counts: {status: n}, toApprove: [{currency, count, amount, minorUnits, fees, debits,
 * rates, speedSecondsMax}], committed, held: [money], holdReasons: {kind: n}, names}; money is {currency, amount,
 * minorUnits}, decimals and minor units as text.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import {
  allChanges,
  type BatchChanges,
  type Listed,
  shortChanges,
} from '../../domain/batches/batch-changes.ts';
import { type StyleRead, styleText } from '../../domain/money/amount-style.ts';
import { formatAmount, formatMoney, type Money, moneyJson } from '../../domain/money/money.ts';
import { clipped, NAME_RESULTS, NAME_WORDS } from '../../domain/names/name-check.ts';
import type { NameToSee, Plan, PlanLine, PlanNames } from '../../domain/plan/plan.ts';
import { totalOf } from '../../domain/plan/typed-totals.ts';
import { countText, printable, rowsText } from '../../domain/text/printable.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { alikeSentences, leftOutOf, nameFate, paysAgainSentences } from '../../operations/words/plan.ts';
import type { AlikePayments, PlanToSee } from '../../payfile.ts';
import { tableOrBlocks, wrapped } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { environmentLine } from './blocks.ts';

interface PlanShown {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** How the amounts of the file were read just now; else what was kept with the batch counts. */
  readonly amountStyle?: StyleRead | undefined;
  /** Sums of invalid rows whose amount can be read for certain; undefined when nobody counted. */
  readonly invalidSums?: readonly Money[] | undefined;
  /** Since the last batch of the same kind; undefined when there is none. */
  readonly changes?: BatchChanges | undefined;
  /** Which batch it pays once more, as somebody said. */
  readonly paysAgain?: PlanToSee['paysAgain'];
  /** Rows that are paid again in full although the service shows that only a part came back. */
  readonly partReturns?: PlanToSee['partReturns'] | undefined;
  /** What looks like payments of other batches. */
  readonly alike?: readonly AlikePayments[] | undefined;
  /** Rows of this batch that look like one payment. */
  readonly twins?: readonly string[] | undefined;
  readonly unpaidBefore?: readonly string[] | undefined;
  /** Every change, not the first of each kind. */
  readonly allChanges?: boolean | undefined;
}

export function printPlan(
  shown: PlanShown,
  terminal: Pick<Terminal, 'paint' | 'columns' | 'tableColumns'>,
): string {
  const { plan, batch, environment, amountStyle = batch.file.amountStyle } = shown;
  const rows = Object.values(plan.counts).reduce((sum, count) => sum + (count ?? 0), 0);
  const name = ` · batch ${batchLabel(batch)}`;
  const sheet = batch.file.sheet === undefined ? '' : ` · sheet “${printable(batch.file.sheet)}”`;
  return [
    `${printable(batch.file.name)}${sheet} · ${rowsText(rows)}${name}`,
    environmentLine(environment, terminal),
    ...(amountStyle === undefined ? [] : [`  ${amountsLine(amountStyle)}`]),
    '',
    ...leftOut(shown, terminal),
    ...namesLines(plan.names, terminal.columns),
    ...changesLines(shown),
    ...alikeLines(shown.plan.sameMoney.alike, shown.paysAgain, shown.partReturns),
    ...unpaidLines(shown.unpaidBefore),
    ...(shown.plan.sameMoney.twins.length === 0 ? [] : [...shown.plan.sameMoney.twins, '']),
    ...planTable(plan.toApprove, terminal.tableColumns),
    ...(plan.toApprove.length === 0 ? ['Nothing waits for approval.'] : ['', `Digest  ${plan.digest}`]),
  ].join('\n');
}

export function amountsLine(style: StyleRead): string {
  return printable(`amounts: ${styleText(style)}`);
}

/** What the table does not show, above the total, so that nobody finds it out afterwards. */
function leftOut({ plan, invalidSums = [] }: PlanShown, terminal: Pick<Terminal, 'paint'>): string[] {
  const lines = leftOutOf(plan, invalidSums).map(({ symbol, tone, text }) => {
    return `${tone === undefined ? symbol : terminal.paint(symbol, tone)} ${text}`;
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

function planTable(lines: readonly PlanLine[], width: number): string[] {
  const columns = [
    { title: 'Currency' },
    { title: 'Rows', right: true },
    { title: 'Beneficiaries get', right: true },
    { title: 'We pay', right: true },
    { title: 'Fees', right: true },
    { title: 'Rate', right: true },
  ];
  const rows = lines.map((line) => [
    line.currency,
    countText(line.count),
    formatAmount(line.sum),
    moneyText(line.debits),
    moneyText(line.fees),
    rateText(line.rates),
  ]);
  if (lines.length > 1) {
    const count = lines.reduce((sum, line) => sum + line.count, 0);
    const totals = [totalOf(lines, 'debits'), totalOf(lines, 'fees')].map(moneyText);
    rows.push(['Total', countText(count), '', ...totals, '']);
  }
  return tableOrBlocks(columns, rows, width);
}

function moneyText(money: readonly Money[]): string {
  return money.length === 0 ? 'not known' : money.map(formatMoney).join(' + ');
}

function rateText(rates: readonly string[]): string {
  const [first] = rates;
  return first === undefined ? '' : rates.length === 1 ? first : `${first} …`;
}

/**
 * The names of a plan that are no match, as whoever approves reads them: what the file says above what the account
 * says, and why they differ; and the accounts that the service does not know.
 *
 * --json: names: {counts: {word: n}, noName (of the matches: no name in the file), holders: [{row, status, accountName}]
 * (of those rows, at most 500), rows: [{row, status, nameCheck, name, accountName, reason}]}, at most 100 rows of a kind.
 */

const MOST_ROWS = 10;
/** So many with each name on a line of its own, which is easier to compare. */
const PAIRS = 3;

/** Lines; empty when every row has a name, and every name is a match. */
export function namesLines(
  { counts, unnamed, holders, toSee }: PlanNames,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const numbers = { ...counts, match: (counts.match ?? 0) - unnamed };
  const words = NAME_RESULTS.filter((result) => (numbers[result] ?? 0) > 0);
  if (unnamed === 0 && words.every((result) => result === 'match')) return [];
  const counted = words
    .map((result) => `${countText(numbers[result] ?? 0)} ${NAME_WORDS[result]}`)
    .join(', ');
  const without =
    unnamed === 0
      ? []
      : [
          `${rowsText(unnamed)} ${unnamed === 1 ? 'has' : 'have'} no name in the file: the account holder’s name is used`,
        ];
  // Where nobody answered there is nothing to compare: the count says it.
  const listed = toSee.filter(({ result }) => result !== 'unavailable');
  const all = (counts.close_match ?? 0) + (counts.no_match ?? 0) + (counts.not_found ?? 0);
  const left = all - Math.min(listed.length, MOST_ROWS);
  return [
    `Names: ${[counted, ...without].filter((text) => text !== '').join('; ')}`,
    ...listed
      .slice(0, MOST_ROWS)
      .flatMap((name, at) => (at < PAIRS || listed.length === PAIRS + 1 ? namePair : nameLine)(name, width)),
    ...(left > 0 ? [`  … and ${countText(left)} more; the report names every row.`] : []),
    ...holderLines(holders, unnamed, width),
    '',
  ];
}

/** Nothing else says whom the money goes to. */
function holderLines(holders: PlanNames['holders'], unnamed: number, width: number): string[] {
  const listed = holders.slice(0, MOST_ROWS);
  const left = unnamed - listed.length;
  return [
    ...listed.flatMap(({ rowNumber, resolved = '' }) =>
      wrapped(`Row ${rowNumber}: no name in the file, account “${clipped(resolved)}”`, width - 2, '    ').map(
        (line) => `  ${line}`,
      ),
    ),
    ...(left > 0 ? [`  … and ${countText(left)} more without a name; the report names every row.`] : []),
  ];
}

function namePair(name: NameToSee, width: number): string[] {
  const { head, file, account, why } = nameTexts(name);
  const indent = ' '.repeat(head.length);
  const below = (title: string, text: string) =>
    wrapped(text, width - indent.length - 2 - title.length, ' '.repeat(title.length)).map(
      (line, at) => `${indent}  ${at === 0 ? title : ''}${line}`,
    );
  const [first = '', ...more] = below('file     ', file);
  return [head + first.slice(head.length), ...more, ...below('account  ', account), ...below('', why)];
}

function nameLine(name: NameToSee, width: number): string[] {
  const { head, file, account, why } = nameTexts(name);
  const holder = name.result === 'not_found' ? 'no account name' : `account “${account}”`;
  return wrapped(`${head.trim()}: file “${file}”, ${holder}; ${why}`, width - 2, '    ').map(
    (line) => `  ${line}`,
  );
}

function nameTexts(name: NameToSee) {
  const { rowNumber, result, written, resolved, reason } = name;
  return {
    head: `  Row ${rowNumber}`.padEnd(10),
    file: clipped(written ?? '(no name)'),
    account: result === 'not_found' ? '(none given)' : clipped(resolved ?? '(no name)'),
    why: `${NAME_WORDS[result]}, ${nameFate(name)}: ${printable(reason)}`,
  };
}

/**
 * What changed since the last batch of the same kind, above the plan that somebody is to agree to.
 *
 * --json: changes: null, or {since: {id, name, createdAt}, paysAgain, jumpPercent, tooLarge, totals: [{currency,
 * rowsBefore, rows, before, now}], newAccounts, newHolders, added, missing, jumps: {count, rows: [{row, name, …}]}}; amounts as in the
 * plan. paysAgain: the batch is compared only with the rows of the other one that it pays again.
 */

const WHOLE = '  All of it: --changes, or --json';

function changesLines(shown: {
  readonly changes?: BatchChanges | undefined;
  readonly allChanges?: boolean | undefined;
}): readonly string[] {
  const { changes } = shown;
  if (changes === undefined) return [];
  if (shown.allChanges === true) return [...allChanges(changes), ''];
  const { lines, isWhole } = shortChanges(changes);
  return [...lines, ...(isWhole ? [] : [WHOLE]), ''];
}

export function changesJson(changes: BatchChanges | undefined): unknown {
  if (changes === undefined) return null;
  const { previous, paysAgain, difference, jumpPercent } = changes;
  const { id, name, createdAt } = previous;
  const since = { id, name, createdAt: formatTimestamp(createdAt) };
  if (difference === undefined) return { since, paysAgain, jumpPercent, tooLarge: true };
  const { newAccounts, newHolders, added, missing, jumps, totals } = difference;
  return {
    since,
    paysAgain,
    jumpPercent,
    tooLarge: false,
    totals: totals.map(withMoney),
    newAccounts: listJson(newAccounts),
    newHolders: listJson(newHolders),
    added: listJson(added),
    missing: listJson(missing),
    jumps: listJson(jumps),
  };
}

function listJson(listed: Listed<object>): unknown {
  return { count: listed.count, rows: listed.list.map(withMoney) };
}

/** Money becomes what it is in the plan; what is not known becomes null. */
function withMoney(item: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(item).map(([key, value]: [string, unknown]) => [
    key,
    isMoney(value) ? moneyJson(value) : (value ?? null),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;
}

/**
 * Payments that look like those of another batch but have another reference: they are not held, only shown to whoever
 * agrees to the plan.
 *
 * --json: alike: [{batch: {id, name}, count, rows, lastAt}].
 */

export function alikeLines(
  alike: readonly AlikePayments[],
  paysAgain?: PlanToSee['paysAgain'],
  partReturns?: PlanToSee['partReturns'],
): readonly string[] {
  const lines = [...paysAgainSentences(paysAgain, partReturns), ...alikeSentences(alike)];
  return lines.length === 0 ? [] : [...lines, ''];
}

export function alikeJson(alike: readonly AlikePayments[]): unknown {
  return alike.map(({ batch, count, rows, lastAt }) => ({
    batch: { id: batch.id, name: batch.name },
    count,
    rows,
    lastAt: formatTimestamp(lastAt),
  }));
}

/** Accounts to which the last payment failed or came back. */
function unpaidLines(lines: readonly string[] = []): readonly string[] {
  return lines.length === 0 ? [] : ['Not paid the last time:', ...lines.map((line) => `  ${line}`), ''];
}
