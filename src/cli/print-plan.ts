/**
 * The plan as a person reads it before agreeing, and as a program reads it.
 *
 * --json: plan: {digest, counts: {status: n}, toApprove: [{currency, count, amount, minorUnits, fees, debits,
 * rates, speedSecondsMax}], committed, held: [money], holdReasons: {kind: n}, names (see print-names.ts)}; money is {currency, amount,
 * minorUnits}, decimals and minor units as text.
 */
import type { Batch } from '../domain/batch.ts';
import type { BatchChanges } from '../domain/batch-changes.ts';
import { counted, countText, rowsText } from '../domain/counted.ts';
import { formatDecimal, formatMoney, grouped, type Money } from '../domain/money.ts';
import type { HoldReason } from '../domain/payout.ts';
import type { Plan, PlanLine } from '../domain/plan.ts';
import { printable } from '../domain/printable.ts';
import { type StyleRead, styleText } from '../domain/style-read.ts';
import type { AlikePayments } from '../ports/ledger.ts';
import { alikeLines } from './print-alike.ts';
import { changesLines } from './print-changes.ts';
import { namesJson, namesLines } from './print-names.ts';
import { tableOrBlocks } from './table.ts';
import type { Terminal } from './terminal.ts';

/** For one row and for several. */
const HELD_WORDS: Readonly<Record<HoldReason['kind'], readonly [one: string, many: string]>> = {
  name_close_match: ['name is a close match', 'names are a close match'],
  name_no_match: ['name does not match', 'names do not match'],
  name_not_found: ['account is not there', 'accounts are not there'],
  name_unavailable: ['name could not be checked', 'names could not be checked'],
  account_zero_lost: ['account may have lost a zero', 'accounts may have lost a zero'],
  account_changed: ['account is new for its person', 'accounts are new for their persons'],
  duplicate_in_file: ['is twice in the file', 'are twice in the file'],
  duplicate_payment: ['was possibly paid before', 'were possibly paid before'],
  reference_paid: ['reference pays something else', 'references pay something else'],
  same_row: ['is paid elsewhere too', 'are paid elsewhere too'],
  batch_repeated: ['repeats a batch', 'repeat a batch'],
  fee_too_high: ['fee is too high', 'fees are too high'],
  no_quote: ['has no quote', 'have no quote'],
  hidden_row: ['is a hidden row', 'are hidden rows'],
  amount_misread: ['amount has two readings', 'amounts have two readings'],
  institution_changed: ['institution changed', 'institutions changed'],
  limit: ['is over a limit', 'are over a limit'],
};

export function batchLabel(batch: Pick<Batch, 'id' | 'name'>): string {
  return printable(batch.name ?? batch.id);
}

/** `SANDBOX, no real money` or `LIVE`; stands above every plan and every outcome. */
export function stripe(environment: 'live' | 'sandbox', terminal: Pick<Terminal, 'paint'>): string {
  return environment === 'sandbox'
    ? terminal.paint('SANDBOX — no real money', 'strong')
    : terminal.paint('LIVE — real money', 'bad');
}

export interface PlanShown {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** How the amounts of the file were read just now; else what was kept with the batch counts. */
  readonly amountStyle?: StyleRead | undefined;
  /** Sums of invalid rows whose amount can be read for certain; undefined when nobody counted. */
  readonly invalidSums?: readonly Money[] | undefined;
  /** Since the last batch of the same kind; undefined when there is none. */
  readonly changes?: BatchChanges | undefined;
  /** What looks like payments of other batches. */
  readonly alike?: readonly AlikePayments[] | undefined;
  /** Every change, not the first of each kind. */
  readonly allChanges?: boolean | undefined;
}

export function printPlan(
  shown: PlanShown,
  terminal: Pick<Terminal, 'paint' | 'columns' | 'tableColumns'>,
): string {
  const { plan, batch, environment, amountStyle = batch.file.amountStyle } = shown;
  const rows = Object.values(plan.counts).reduce((sum, count) => sum + (count ?? 0), 0);
  const name = batch.name === undefined ? '' : ` · batch ${batchLabel(batch)}`;
  const sheet = batch.file.sheet === undefined ? '' : ` · sheet “${printable(batch.file.sheet)}”`;
  return [
    `${printable(batch.file.name)}${sheet} · ${rowsText(rows)}${name}`,
    stripe(environment, terminal),
    ...(amountStyle === undefined ? [] : [`  ${amountsLine(amountStyle)}`]),
    '',
    ...leftOut(shown, terminal),
    ...namesLines(plan.names, terminal.columns),
    ...changesLines(shown),
    ...alikeLines(shown.alike ?? []),
    ...planTable(plan.toApprove, terminal.tableColumns),
    ...(plan.toApprove.length === 0 ? ['Nothing waits for approval.'] : ['', `Digest  ${plan.digest}`]),
  ].join('\n');
}

export function amountsLine(style: StyleRead): string {
  return printable(`amounts: ${styleText(style)}`);
}

/** What is not in the table below it, above the total: nobody should have to find out afterwards. */
function leftOut({ plan, invalidSums }: PlanShown, terminal: Pick<Terminal, 'paint'>): string[] {
  const lines: string[] = [];
  const { invalid = 0, held = 0, planned = 0, settled = 0, accepted = 0, approved = 0 } = plan.counts;
  const sums = (money: readonly Money[]) =>
    money.length === 0 ? '' : `, ${money.map(formatMoney).join(', ')}`;
  if (invalid > 0)
    lines.push(
      `${terminal.paint('✖', 'bad')} ${rowsText(invalid)} invalid${sums(invalidSums ?? [])}: left out`,
    );
  if (held > 0) {
    const reasons = [...plan.holdReasons]
      .map(([kind, count]) => counted(count, ...HELD_WORDS[kind]))
      .join(', ');
    lines.push(`${terminal.paint('–', 'doubt')} ${rowsText(held)} held${sums(plan.held)}: ${reasons}`);
  }
  if (planned > 0) lines.push(`– ${rowsText(planned)} not priced: the service gave no quote`);
  if (approved > 0) lines.push(`→ ${rowsText(approved)} approved before`);
  const sent = settled + accepted;
  if (sent > 0) lines.push(`→ ${rowsText(sent)} sent before`);
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
    grouped(line.sum),
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

/** What the account that pays is debited, per source currency; empty when no source currency is known. */
export function totalOf(lines: readonly PlanLine[], what: 'debits' | 'fees'): Money[] {
  const sums = new Map<string, Money>();
  for (const money of lines.flatMap((line) => line[what])) {
    const sum = sums.get(money.currency);
    sums.set(money.currency, { ...money, minor: money.minor + (sum?.minor ?? 0n) });
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

export function planJson(plan: Plan): Readonly<Record<string, unknown>> {
  return {
    digest: plan.digest,
    counts: plan.counts,
    toApprove: plan.toApprove.map((line) => ({
      ...moneyJson(line.sum),
      count: line.count,
      fees: line.fees.map(moneyJson),
      debits: line.debits.map(moneyJson),
      rates: line.rates,
      speedSecondsMax: line.speedSecondsMax,
    })),
    committed: plan.committed.map(moneyJson),
    held: plan.held.map(moneyJson),
    holdReasons: Object.fromEntries(plan.holdReasons),
    names: namesJson(plan.names),
  };
}

export function moneyJson(money: Money): Readonly<Record<string, string>> {
  return { currency: money.currency, amount: formatDecimal(money), minorUnits: money.minor.toString() };
}

function moneyText(money: readonly Money[]): string {
  return money.length === 0 ? 'not known' : money.map(formatMoney).join(' + ');
}

function rateText(rates: readonly string[]): string {
  const [first] = rates;
  return first === undefined ? '' : rates.length === 1 ? first : `${first} …`;
}
