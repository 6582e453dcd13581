/**
 * The only place where a payout changes: the machine says what it becomes, the ledger makes it durable.
 */
import type { Payout } from '../domain/payouts/payout.ts';
import type { PayoutEvent } from '../domain/payouts/payout-event.ts';
import { advance } from '../domain/payouts/payout-machine.ts';
import type { Move, Recorded } from '../ports/ledger/moves.ts';
import type { Ports } from './ports.ts';

type RecordOptions = Partial<Pick<Move, 'rules' | 'unchangedSince' | 'dueAt' | 'look'>>;

type Recorder = Pick<Ports, 'ledger' | 'tell'>;

/** Durable when it resolves with `recorded`; any other answer changed nothing. */
export async function recordEvent(
  payout: Payout,
  event: PayoutEvent,
  ports: Recorder,
  options: RecordOptions = {},
): Promise<Recorded> {
  const recorded = await ports.ledger.record(moveOf(payout, event, options));
  if (recorded.kind === 'recorded')
    ports.tell({ kind: 'moved', from: payout.state.status, payout: recorded.payout });
  return recorded;
}

/** Many at once: those that wait at one moment share a commit. */
export async function recordEvents(
  changes: readonly { readonly payout: Payout; readonly event: PayoutEvent }[],
  ports: Recorder,
  options: Pick<RecordOptions, 'unchangedSince' | 'rules'> = {},
): Promise<readonly Recorded[]> {
  const moves = changes.map(({ payout, event }) => moveOf(payout, event, options));
  const results = await Promise.all(moves.map((move) => ports.ledger.record(move)));
  results.forEach((recorded, index) => {
    const from = changes[index]?.payout.state.status;
    if (recorded.kind === 'recorded' && from !== undefined)
      ports.tell({ kind: 'moved', from, payout: recorded.payout });
  });
  return results;
}

function moveOf(before: Payout, event: PayoutEvent, options: RecordOptions): Move {
  const { look } = options;
  const after = advance(before, event);
  return { before, event, after: look === undefined ? after : { ...after, look }, ...options };
}
