/**
 * The rows of an approval: each one that waits and is as it was when the plan was made becomes approved. What moved or came
 * since, nobody has seen: it is passed over and told. What must not go out beside another instruction of its row is held.
 */
import type { BatchId } from '../domain/instruction.ts';
import type { Payout } from '../domain/payout.ts';
import { tagOf } from '../domain/tag.ts';
import type { Recorded } from '../ports/ledger.ts';
import { whyReadAnew } from './read-anew.ts';
import { recordEvent, recordEvents } from './record-event.ts';
import { reasonOfSameRow } from './same-row.ts';
import type { World } from './world.ts';

export interface Agreement {
  readonly by: string;
  /** Where the journal ended before the plan was made. */
  readonly unchangedSince: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ApprovedRows {
  readonly count: number;
  /** Rows of the plan that now wait for a person, because another instruction of them lives: the first of them. */
  readonly held: readonly Payout[];
  /** Rows that wait for approval and were not approved, because they changed or came after the plan was made. */
  readonly unseen: { readonly count: number; readonly rows: readonly number[] };
}

const TAG_SALTS_MAX = 20;
const SHOWN_MAX = 20;

type Approving = Omit<World, 'paymentService'>;

export async function approveRows(
  batchId: BatchId,
  agreement: Agreement,
  world: Approving,
): Promise<ApprovedRows> {
  const done: Done = { count: 0, held: [], unseen: { count: 0, rows: [] } };
  for await (const page of world.ledger.payouts(batchId, { statuses: ['quoted'] })) {
    agreement.signal?.throwIfAborted();
    await approvePage(page, { agreement, done }, world);
  }
  return done;
}

interface Done {
  count: number;
  readonly held: Payout[];
  readonly unseen: { count: number; readonly rows: number[] };
}

async function approvePage(
  page: readonly Payout[],
  { agreement, done }: { readonly agreement: Agreement; readonly done: Done },
  world: Approving,
): Promise<void> {
  const { by, unchangedSince } = agreement;
  const at = world.clock.now();
  const event = (payout: Payout, salt: number) =>
    ({ kind: 'approve', tag: tagOf(world.ledger.identity.id, payout.id, salt), by, at }) as const;
  const readAnew = page.filter((payout) => whyReadAnew(payout) !== undefined);
  for (const { rowNumber } of readAnew) addUnseen(done, rowNumber);
  const changes = page
    .filter((payout) => !readAnew.includes(payout))
    .map((payout) => ({ payout, event: event(payout, 0) }));
  const results = await recordEvents(changes, world, { unchangedSince });
  for (const [index, { payout }] of changes.entries()) {
    let recorded = results[index];
    for (let salt = 1; recorded !== undefined && isTagTaken(recorded) && salt < TAG_SALTS_MAX; salt += 1)
      recorded = await recordEvent(payout, event(payout, salt), world, { unchangedSince });
    if (recorded?.kind === 'recorded') done.count += 1;
    if (recorded?.kind === 'stale') addUnseen(done, payout.rowNumber);
    if (recorded?.kind !== 'taken' || recorded.what !== 'root') continue;
    const held = await holdSameRow(payout, recorded, world);
    if (held.kind === 'recorded' && done.held.length < SHOWN_MAX) done.held.push(held.payout);
  }
}

function addUnseen({ unseen }: Done, rowNumber: number): void {
  unseen.count += 1;
  if (unseen.rows.length < SHOWN_MAX) unseen.rows.push(rowNumber);
}

function isTagTaken(recorded: Recorded): boolean {
  return recorded.kind === 'taken' && recorded.what === 'tag';
}

async function holdSameRow(
  payout: Payout,
  { by }: Extract<Recorded, { kind: 'taken' }>,
  world: Approving,
): Promise<Recorded> {
  const reasons = [await reasonOfSameRow(by, world)];
  const pricing = 'pricing' in payout.state ? payout.state.pricing : undefined;
  return recordEvent(payout, { kind: 'hold', reasons, pricing, at: world.clock.now() }, world);
}
