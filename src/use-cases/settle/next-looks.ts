/**
 * When payfile asks about the rows of a batch next, and which rows got no status. Silence must not read like “nothing
 * changed”.
 */
import { type Timestamp, timestampOf } from '../../domain/timestamp.ts';
import type { Scheduled } from '../../ports/ledger/payouts.ts';
import type { Ports } from '../ports.ts';
import type { LeftDue } from './look-queue.ts';
import type { FinalRows } from './rows-to-look-at.ts';

/** Rows whose status is not known: the service could not be asked, or showed none. */
export interface NotShown {
  readonly count: number;
  /** The first thousand, in the order in which they are due. */
  readonly rows: readonly NotShownRow[];
}

interface NotShownRow {
  readonly rowNumber: number;
  /** When its next look is due; undefined: now. */
  readonly dueAt: Timestamp | undefined;
}

type Followed = Pick<FinalRows, 'batchId' | 'isFollowed'>;
type LookPorts = Pick<Ports, 'clock' | 'ledger'>;

const ROWS_MAX = 1_000;

/** Without transfers that the service has not shown for a day: those are reported as missing. */
export async function notShown(rows: Followed, { unasked }: LeftDue, ports: LookPorts): Promise<NotShown> {
  const now = ports.clock.now();
  let { count } = unasked;
  const found: NotShownRow[] = unasked.rows.map((rowNumber) => ({ rowNumber, dueAt: undefined }));
  for await (const { payout, dueAt } of scheduled(rows, { isSilent: true, from: timestampOf(0) }, ports)) {
    if (payout.look?.concern === 'missing') continue;
    count += 1;
    found.push({ rowNumber: payout.rowNumber, dueAt: dueAt > now ? dueAt : undefined });
    if (found.length > ROWS_MAX) found.pop();
  }
  return { count, rows: found };
}

/** undefined: no row is looked at again. */
export async function nextLookAt(rows: Followed, ports: LookPorts): Promise<Timestamp | undefined> {
  const later = { isSilent: false, from: ports.clock.now() };
  for await (const { dueAt } of scheduled(rows, later, ports)) return dueAt;
  return undefined;
}

interface Later {
  readonly isSilent: boolean;
  readonly from: Timestamp;
}

async function* scheduled(
  { batchId, isFollowed }: Followed,
  { isSilent, from }: Later,
  { ledger }: LookPorts,
): AsyncGenerator<Scheduled> {
  let after: Parameters<typeof ledger.scheduled>[1]['after'] | undefined = { dueAt: from };
  while (after !== undefined) {
    const page: readonly Scheduled[] = await ledger.scheduled(batchId, { isSilent, after, limit: PAGE_ROWS });
    for (const each of page) if (isFollowed(each.payout)) yield each;
    const last = page.at(-1);
    after = last && { dueAt: last.dueAt, id: last.payout.id };
  }
}

const PAGE_ROWS = 200;
