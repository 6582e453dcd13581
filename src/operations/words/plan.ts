/** Sentences about rows that a plan leaves out, and about similar payments. All hosts use these words. */
import { batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney, type Money } from '../../domain/money/money.ts';
import type { ConcernKind } from '../../domain/payouts/concern.ts';
import { type AlikePayments, type NameToSee, type Plan, sentBefore } from '../../domain/plan/plan.ts';
import { counted, printable, rowsText } from '../../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../../domain/timestamp.ts';
import type { PlanToSee } from '../../use-cases/approve/plan-of-batch.ts';

/** Singular and plural. */
export const HELD_WORDS: Readonly<Record<ConcernKind, readonly [one: string, many: string]>> = {
  name: ['name to look at', 'names to look at'],
  zero_lost: ['account may have lost a zero', 'accounts may have lost a zero'],
  other_account: ['account is new for its person', 'accounts are new for their persons'],
  repeat: ['possible duplicate', 'possible duplicates'],
  same_row: ['has another payment', 'have other payments'],
  maybe_paid: ['may have been sent before', 'may have been sent before'],
  fee: ['fee is too high', 'fees are too high'],
  no_quote: ['has no quote', 'have no quote'],
  hidden_row: ['is hidden or struck through', 'are hidden or struck through'],
  institution: ['institution changed', 'institutions changed'],
  over_limit: ['is over a limit', 'are over a limit'],
};

/** `9 names to look at`. */
export const heldText = (kind: ConcernKind, count: number): string => counted(count, ...HELD_WORDS[kind]);

/** Whether a row with a name to look at is held or in the plan. */
export const NAME_FATE: Readonly<Record<NameToSee['status'], string>> = {
  held: 'held, not in this plan',
  quoted: 'in this plan',
};

/** The same, with the person who released it and the reason. */
export function nameFate({ status, released }: Pick<NameToSee, 'status' | 'released'>): string {
  if (released === undefined || status === 'held') return NAME_FATE[status];
  const why = released.reason === undefined ? '' : ` (“${printable(released.reason)}”)`;
  return `${NAME_FATE[status]}; ${printable(released.by)} released it on ${formatTimestamp(released.at).slice(0, 10)}${why}`;
}

export interface LeftOut {
  readonly symbol: '✖' | '–' | '→' | '?';
  readonly tone: 'bad' | 'doubt' | undefined;
  readonly text: string;
}

type Left = readonly [count: number, symbol: LeftOut['symbol'], tone: LeftOut['tone'], text: string];

const sumsText = (money: readonly Money[]) =>
  money.length === 0 ? '' : `, ${money.map(formatMoney).join(', ')}`;

/** Rows that a plan does not pay. `invalidSums`: sums of invalid rows with a readable amount. */
export function leftOutOf(plan: Plan, invalidSums: readonly Money[]): readonly LeftOut[] {
  const { invalid = 0, held = 0, planned = 0 } = plan.counts;
  const reasons = [...plan.holdReasons].map(([kind, count]) => heldText(kind, count)).join(', ');
  const lines: readonly Left[] = [
    [invalid, '✖', 'bad', `${rowsText(invalid)} invalid${sumsText(invalidSums)}: left out`],
    [held, '–', 'doubt', `${rowsText(held)} held${sumsText(plan.held)}: ${reasons}`],
    [planned, '–', undefined, `${rowsText(planned)} not priced yet, not in this plan`],
    ...doneBefore(plan),
  ];
  return lines.filter(([count]) => count > 0).map(([, symbol, tone, text]) => ({ symbol, tone, text }));
}

/** Payments finished earlier. Failed and withdrawn rows may be in the plan again, as new payments. */
function doneBefore(plan: Plan): readonly Left[] {
  const {
    approved = 0,
    canceled = 0,
    failed = 0,
    in_doubt: inDoubt = 0,
    returned = 0,
    sending = 0,
  } = plan.counts;
  const [sent, unknown, unpaid] = [sentBefore(plan), sending + inDoubt, failed + returned];
  return [
    [approved, '→', undefined, `${rowsText(approved)} approved before`],
    [sent, '→', undefined, `${rowsText(sent)} sent before`],
    [unknown, '?', 'doubt', `${counted(unknown, 'payment')} of unknown outcome: not sent again`],
    [unpaid, '✖', undefined, `${counted(unpaid, 'payment')} failed or came back before`],
    [canceled, '–', undefined, `${counted(canceled, 'payment')} withdrawn`],
  ];
}

const BATCHES_MAX = 5;

/** Payments that look like those of another batch under other references. */
export function alikeSentences(alike: readonly AlikePayments[]): readonly string[] {
  const lines = alike.slice(0, BATCHES_MAX).map(({ batch, count, rows, lastAt }) => {
    const named = `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
    const what = counted(count, 'row pays', 'rows pay');
    const day = formatTimestamp(lastAt).slice(0, 10);
    return `To look at: ${what} the same amount to the same account as batch ${printable(batch.name)} on ${day}, under other references (${named})`;
  });
  const more = alike.length - lines.length;
  return more > 0 ? [...lines, `… and as ${counted(more, 'more batch', 'more batches')}`] : lines;
}

/** Tells the approver why rows are paid again. Only the maker answered that question. */
export function paysAgainSentences(
  paysAgain: PlanToSee['paysAgain'],
  partReturns: PlanToSee['partReturns'] = [],
): readonly string[] {
  const ofRows = partReturns.map((text) => `To look at: ${text}`);
  if (paysAgain === undefined) return ofRows;
  const { of, by, at } = paysAgain;
  return [
    `To look at: this batch pays batch ${batchLabel(of)} again, as ${printable(by)} confirmed at ${minuteOf(at)} UTC`,
    ...ofRows,
  ];
}
