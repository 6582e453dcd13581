/**
 * Decisions about single rows as part of an approval: `--withdraw` takes rows out of the plan, `--release` lets held
 * rows go on. Both are kept for ever with who and why. All rows are looked at first: one that cannot be decided
 * stops everything, and nothing is done.
 *
 * What is withdrawn leaves the ledger's plan together with the approval, not before. A release comes first and stays, because
 * only a released row can be asked for its name and fee, without which there is no plan to agree to.
 * Errors:  UsageError for a row that stands elsewhere.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import type { PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import { command, type Flag } from '../../domain/steps/command.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { choosePayout } from '../../use-cases/decide/choose-payouts.ts';
import { releaseHeld } from '../../use-cases/decide/release-held.ts';
import { whyNotBeside } from '../../use-cases/decide/same-row.ts';
import { type Priced, pricePayouts } from '../../use-cases/price/price-payouts.ts';
import { repeatsReleasedBefore } from './ask-repeats.ts';
import { type Call, UsageError, userName } from './call.ts';
import type { Opened } from './open-parts.ts';
import { requireService } from './run-usage.ts';

export interface RowDecisions {
  readonly reason: string;
  /** As they were named. */
  readonly release: readonly string[];
  readonly withdraw: readonly { readonly id: PayoutId; readonly rowNumber: number }[];
}

/** What was asked for, checked whole; undefined when nothing was. Nothing is done yet. */
export async function rowDecisions(
  batch: Batch,
  call: Call,
  opened: Opened,
): Promise<RowDecisions | undefined> {
  const { release = [], withdraw = [] } = call.flags;
  if (release.length + withdraw.length === 0) return undefined;
  const reason = reasonAtApproval(batch, call);
  const ledger = await opened.ledger();
  const seen = new Set<PayoutId>();
  const leaving = await checked(withdraw, { batch, ledger, seen, kind: 'cancel' });
  for (const payout of await checked(release, { batch, ledger, seen, kind: 'release' })) {
    const beside = isIn(payout, 'held') ? await whyNotBeside(payout, { ledger }) : undefined;
    if (beside !== undefined)
      throw new UsageError(
        `Row ${payout.rowNumber} cannot be released: ${beside.text}. Nothing was done to any row.`,
      );
  }
  if (release.length > 0) requireService(opened.settings);
  return { reason, release, withdraw: leaving.map(({ id, rowNumber }) => ({ id, rowNumber })) };
}

/** Releases and asks for names and fees, as of every released row; under the batch's lease. Gives the rows let go. */
export async function releaseAndPrice(
  batch: Batch,
  { release: rows, reason }: RowDecisions,
  { call, opened }: { readonly call: Call; readonly opened: Opened },
): Promise<readonly number[]> {
  if (rows.length === 0) return [];
  const world = await opened.world();
  const { terminal, stopping } = call;
  const { done, refused } = await releaseHeld(
    batch.id,
    { kind: 'rows', rows },
    { by: userName(call), reason },
    world,
  );
  opened.progress.clear();
  if (done.length > 0)
    terminal.result(
      `Released: ${rowsText(done.length)} (${done.join(', ')}). This is kept even when you do not agree to the plan.`,
    );
  for (const { rowNumber, status } of refused)
    terminal.talk(`Row ${rowNumber} was left as it is: ${status}.`);
  const repeatsReleased = await repeatsReleasedBefore(batch.id, world);
  tellUnpriced(await pricePayouts(batch.id, world, { signal: stopping.signal, repeatsReleased }), call);
  opened.progress.clear();
  return done;
}

/** Rows that an earlier version of payfile read otherwise get their new quote before anybody looks at the plan. */
export async function priceReadAnew(
  batch: Batch,
  { call, opened }: { readonly call: Call; readonly opened: Opened },
): Promise<void> {
  requireService(opened.settings);
  const world = await opened.world();
  const repeatsReleased = await repeatsReleasedBefore(batch.id, world);
  tellUnpriced(await pricePayouts(batch.id, world, { signal: call.stopping.signal, repeatsReleased }), call);
  opened.progress.clear();
}

interface Checking {
  readonly batch: Batch;
  readonly ledger: Ledger;
  readonly seen: Set<PayoutId>;
  readonly kind: 'cancel' | 'release';
}

async function checked(rows: readonly string[], { batch, ledger, seen, kind }: Checking): Promise<Payout[]> {
  const found: Payout[] = [];
  const verb = kind === 'cancel' ? 'withdrawn' : 'released';
  for (const row of rows) {
    const payout = await choosePayout(batch.id, row, { ledger });
    const { id, rowNumber, state } = payout;
    if (!mayFollow(state, kind))
      throw new UsageError(
        `Row ${rowNumber} cannot be ${verb}: it is ${state.status}. Nothing was done to any row.`,
      );
    if (seen.has(id)) throw new UsageError(`Row ${rowNumber} is named twice. Nothing was done to any row.`);
    seen.add(id);
    found.push(payout);
  }
  return found;
}

function tellUnpriced({ unpriced, reason }: Priced, { terminal }: Call): void {
  if (unpriced === 0) return;
  terminal.talk(
    `${counted(unpriced, 'row has no quote and waits', 'rows have no quote and wait')}: ${reason ?? 'no usable answer'}.`,
  );
}

/** Why rows are released or withdrawn; refused without. */
function reasonAtApproval(batch: Batch, call: Call): string {
  const reason = call.flags.reason?.trim() ?? '';
  if (reason !== '') return reason;
  throw new UsageError(
    'To release or withdraw rows at approval say why: it is kept with your name, for whoever asks later.',
    command('status', [batchLabel(batch)]),
    command('approve', [batchLabel(batch)], [...rowFlags(call), ['--reason', { fillIn: 'TEXT' }]]),
  );
}

/** The flags that were given, as they are typed; which plan was seen and which rows are let go, a person fills in. */
export function rowFlags({ flags }: Pick<Call, 'flags'>): readonly Flag[] {
  const { digest, release = [], withdraw = [] } = flags;
  return [
    ...(digest === undefined ? [] : [['--digest', { fillIn: 'DIGEST' }] as const]),
    ...(release.length === 0 ? [] : [['--release', { fillIn: 'ROW' }] as const]),
    ...withdraw.map((row): Flag => ['--withdraw', row]),
  ];
}
