/**
 * People who decide about rows: release, withdraw, pay again, rule; about the rows that they name, or all of a kind.
 */

import type { Batch } from '../../../src/domain/batches/batch.ts';
import { parseCurrency } from '../../../src/domain/money/currency.ts';
import type { Money } from '../../../src/domain/money/money.ts';
import type { ConcernKind } from '../../../src/domain/payouts/concern.ts';
import { differenceOf, isOpenDifference } from '../../../src/domain/payouts/difference.ts';
import type { Payout, Status } from '../../../src/domain/payouts/payout.ts';
import type { Choice } from '../../../src/use-cases/decide/choose-payouts.ts';
import type { Deed } from '../../simulated-world/money-judge.ts';
import { isPaid } from '../../simulated-world/oracle.ts';
import { command, type Hand, type Office, payoutsOf, type Sheet } from './office.ts';

const UNSENT = ['planned', 'held', 'quoted', 'approved'] as const;

/** The answer to the question whether a file pays a batch once more. */
export async function answerRepeats(of: Batch, deed: Deed, { random }: Hand): Promise<'again' | 'stop'> {
  if (random.chance(0.4)) return 'stop';
  deed.release = { kind: 'repeats_of', batch: Number(of.id) };
  return 'again';
}

export async function releaseRows(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const choice = chosen(sheet, ['held'], hand, office);
  if (choice === undefined) return;
  const kind = choice.kind === 'all' && hand.random.chance(0.6) ? someKind(sheet, hand, office) : undefined;
  await command(office, hand.user, async (payfile, deed) => {
    const all = kind === undefined ? ({ kind: 'all_rows' } as const) : ({ kind: 'kind', of: kind } as const);
    deed.release = choice.kind === 'all' ? all : { kind: 'named_rows' };
    const mayBePaid = hand.random.chance(0.5);
    const kinds = kind === undefined ? {} : { kind: [kind] };
    const rows = rowsOf(choice);
    const done = await payfile.rows.release({
      ...rows,
      batch: sheet.batch,
      ...kinds,
      reason: 'I asked',
      mayBePaid,
    });
    return `let go ${done.done.join()}`;
  });
}

function rowsOf(choice: ReturnType<typeof chosen> & object, all: 'all' | 'allFailed' = 'all') {
  if (choice.kind === 'all') return { [all]: true };
  return choice.kind === 'rows' ? { rows: [...choice.rows] } : { payouts: [...choice.payouts] };
}

/** A kind of concern that rows of the batch wait for. */
function someKind({ batch }: Sheet, { random }: Hand, office: Office): ConcernKind | undefined {
  const kinds = payoutsOf(batch, office).flatMap(({ payout: { state } }) =>
    state.status === 'held' ? state.reasons.map(({ concern }) => concern.kind) : [],
  );
  return kinds.length === 0 ? undefined : random.pick(kinds);
}

export async function withdrawRows(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const choice = chosen(sheet, UNSENT, hand, office);
  if (choice === undefined || (choice.kind === 'all' && hand.random.chance(0.8))) return;
  await command(office, hand.user, async (payfile, deed) => {
    deed.isCancel = true;
    const done = await payfile.rows.cancel({
      ...rowsOf(choice),
      batch: sheet.batch,
      reason: 'not this month',
    });
    return `withdrew ${done.done.join()}`;
  });
}

export async function payAgain(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const choice = chosen(sheet, ['failed', 'returned', 'canceled'], hand, office);
  if (choice === undefined) return;
  const evidence = hand.random.chance(0.6) ? 'the statement does not show it' : undefined;
  office.paidAgain += 1;
  await command(office, hand.user, async (payfile) => {
    const done = await payfile.rows.reissue({ ...rowsOf(choice, 'allFailed'), batch: sheet.batch, evidence });
    return `pays again ${done.done.join()}`;
  });
  office.paidAgain += 1;
}

/** Rules rightly: somebody looked at the statement. */
export async function ruleRows(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { judge } = office.scene;
  const doubts = payoutsOf(sheet.batch, office).filter(({ payout }) => payout.state.status === 'in_doubt');
  for (const { id, payout } of doubts.slice(0, 2)) {
    const [execution] = judge.executionsOf(id);
    const evidence = 'the statement shows it';
    const ruling =
      execution === undefined
        ? ({ notPaid: true, accept: 'not_paid' } as const)
        : ({ paid: execution.id, accept: 'paid' } as const);
    const row = String(payout.rowNumber);
    if (execution !== undefined && !isPaid(execution)) continue;
    await command(office, hand.user, (payfile) =>
      payfile.rows.resolve({ batch: sheet.batch, row, ...ruling, evidence }),
    );
  }
}

export async function sendBatch(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const most = hand.random.chance(0.4) ? debitFor(amountsPaid(sheet, office), hand, office) : undefined;
  await command(office, hand.user, async (payfile, deed) => {
    deed.maxDebit = most;
    await payfile.send({ batch: sheet.batch, deadline: 20_000, maxDebit: debits(most) });
    return 'sent';
  });
}

const PAID: readonly Status[] = ['approved', 'sending', 'in_doubt', 'accepted', 'settled'];

/** Of the rows that were approved. */
function amountsPaid({ batch }: Sheet, office: Office): readonly number[] {
  return payoutsOf(batch, office)
    .filter(({ payout }) => PAID.includes(payout.state.status))
    .map(({ payout }) => Number(payout.instruction?.amount.minor ?? 0n) / 100);
}

/** What somebody allows to be taken for these amounts in all, in the currency that pays. */
export function debitFor(amounts: readonly number[], { random }: Hand, { scene }: Office): number {
  const { market } = scene.oracle;
  const cost = amounts.reduce((sum, amount) => sum + market.costOf(amount), 0);
  return Math.round(cost * random.pick([0.5, 0.8, 1.005, 1.2]) * 100) / 100;
}

const GBP = parseCurrency('GBP');

export function debits(most: number | undefined): Money[] | undefined {
  if (most === undefined || GBP === undefined) return undefined;
  return [{ minor: BigInt(Math.round(most * 100)), currency: GBP }];
}

export async function settleBatch(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  await command(office, hand.user, async (payfile) => {
    await payfile.settle({
      batch: sheet.batch,
      deadline: hand.random.pick([0, 30_000]),
      watchReturns: 14 * 86_400_000,
    });
    return 'settled';
  });
}

/** Somebody asked the service why it shows something else, and knows now. */
export async function acceptDifference(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const row = payoutsOf(sheet.batch, office).find(({ payout }) => isToLookAt(payout));
  if (row === undefined) return;
  const { payout } = row;
  const { told } = office.scene.oracle;
  const id = 'transferId' in payout.state ? payout.state.transferId : undefined;
  office.accepted.set(row.id, told.findLast((each) => each.id === id)?.status);
  await command(office, hand.user, async (payfile) => {
    const asked = { difference: 'accepted', reason: 'their fee' } as const;
    const { outcome } = await payfile.rows.resolve({
      batch: sheet.batch,
      row: String(payout.rowNumber),
      ...asked,
    });
    return `accepted: ${outcome}`;
  });
}

export function isToLookAt(payout: Payout): boolean {
  return isOpenDifference(differenceOf(payout));
}

export async function resumeBatch(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  await command(office, hand.user, async (payfile) => {
    await payfile.batches.resume({ batch: sheet.batch });
    return 'resumed';
  });
}

function chosen(
  { batch }: Sheet,
  statuses: readonly Status[],
  { random }: Hand,
  office: Office,
): Choice | undefined {
  const rows = payoutsOf(batch, office)
    .filter(({ payout }) => statuses.includes(payout.state.status))
    .map(({ payout }) => String(payout.rowNumber));
  const [first] = rows;
  if (first === undefined) return undefined;
  if (random.chance(0.4)) return { kind: 'all' };
  return { kind: 'rows', rows: [...new Set(rows.filter((row) => row === first || random.chance(0.5)))] };
}
