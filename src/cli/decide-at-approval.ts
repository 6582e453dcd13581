/**
 * Decisions about single rows as part of an approval: `--withdraw` takes rows out of the plan, `--release` lets held
 * rows go on. Both are kept for ever with who and why. All rows are looked at first: one that cannot be decided
 * stops everything, and nothing is done.
 *
 * Errors:  UsageError for a row that stands elsewhere; BatchBusy while another process holds the batch.
 */

import { cancelUnsent } from '../application/cancel-unsent.ts';
import { choosePayout } from '../application/choose-payouts.ts';
import { type Priced, pricePayouts } from '../application/price-payouts.ts';
import { type Decided, releaseHeld } from '../application/release-held.ts';
import { withLease } from '../application/with-lease.ts';
import { orBusy } from '../batch-busy.ts';
import type { Batch } from '../domain/batch.ts';
import { counted, rowsText } from '../domain/counted.ts';
import { mayFollow } from '../domain/payout-machine.ts';
import type { Ledger } from '../ports/ledger.ts';
import { repeatsReleasedBefore } from './ask-repeats.ts';
import { type Call, shellWord, typed } from './call.ts';
import type { Opened } from './open-parts.ts';
import { leaseHolder, userName } from './person.ts';
import { batchLabel } from './print-plan.ts';
import { requireService } from './run-usage.ts';
import { UsageError } from './usage-error.ts';

export interface DecidedAtApproval {
  readonly released: readonly number[];
  readonly withdrawn: readonly number[];
}

/** undefined when nothing was asked for. */
export async function decideAtApproval(
  batch: Batch,
  call: Call,
  opened: Opened,
): Promise<DecidedAtApproval | undefined> {
  const { release = [], withdraw = [] } = call.flags;
  if (release.length + withdraw.length === 0) return undefined;
  const decision = { by: userName(), reason: reasonAtApproval(batch, call) };
  const world = await opened.quietWorld();
  await checkRows(batch, call, world.ledger);
  // A released row is asked about again, as every released row is.
  if (release.length > 0) requireService(opened.settings);
  const asking = release.length > 0 ? await opened.world() : undefined;
  const chosen = (rows: readonly string[]) => ({ kind: 'rows', rows }) as const;
  return orBusy(
    await withLease(batch.id, leaseHolder(call.command), world, async () => {
      const withdrawn = await cancelUnsent(batch.id, chosen(withdraw), decision, world);
      const released = await releaseHeld(batch.id, chosen(release), decision, world);
      tell('Withdrawn', withdrawn, call);
      tell('Released', released, call);
      if (asking !== undefined) {
        const repeatsReleased = await repeatsReleasedBefore(batch.id, asking);
        const { signal } = call.stopping;
        tellUnpriced(await pricePayouts(batch.id, asking, { signal, repeatsReleased }), call);
      }
      opened.progress.clear();
      return { released: released.done, withdrawn: withdrawn.done };
    }),
  );
}

async function checkRows(batch: Batch, { flags }: Call, ledger: Ledger): Promise<void> {
  const { release = [], withdraw = [] } = flags;
  const seen = new Set<string>();
  for (const [rows, kind, verb] of [
    [withdraw, 'cancel', 'withdrawn'],
    [release, 'release', 'released'],
  ] as const) {
    for (const row of rows) {
      const { id, rowNumber, state } = await choosePayout(batch.id, row, { ledger });
      if (!mayFollow(state, kind))
        throw new UsageError(
          `Row ${rowNumber} cannot be ${verb}: it is ${state.status}. Nothing was done to any row.`,
        );
      if (seen.has(id)) throw new UsageError(`Row ${rowNumber} is named twice. Nothing was done to any row.`);
      seen.add(id);
    }
  }
}

function tell(what: string, { done, refused }: Decided, { terminal }: Call): void {
  if (done.length > 0) terminal.result(`${what}: ${rowsText(done.length)} (${done.join(', ')}).`);
  for (const { rowNumber, status } of refused)
    terminal.talk(`Row ${rowNumber} was left as it is: ${status}.`);
}

function tellUnpriced({ unpriced, reason }: Priced, { terminal }: Call): void {
  if (unpriced === 0) return;
  terminal.talk(
    `${counted(unpriced, 'row has no quote and waits', 'rows have no quote and wait')}: ${reason ?? 'no usable answer'}.`,
  );
}

/** Why rows are released or withdrawn; refused without. */
export function reasonAtApproval(batch: Batch, call: Call): string {
  const reason = call.flags.reason?.trim() ?? '';
  if (reason !== '') return reason;
  throw new UsageError(
    'To release or withdraw rows at approval say why: it is kept with your name, for whoever asks later.',
    typed(call, `approve ${shellWord(batchLabel(batch))}${rowWords(call)} --reason TEXT`),
  );
}

/** The plan and the rows that were named, as they are typed. */
export function rowWords({ flags }: Pick<Call, 'flags'>): string {
  const { digest, release = [], withdraw = [] } = flags;
  const named = (flag: string, rows: readonly string[]) => rows.map((row) => ` ${flag} ${shellWord(row)}`);
  const plan = digest === undefined ? '' : ` --digest ${shellWord(digest)}`;
  return [plan, ...named('--release', release), ...named('--withdraw', withdraw)].join('');
}
