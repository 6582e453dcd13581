/**
 * Moves a ledger from its file to a server: recovers and verifies it, copies it, verifies the copy, closes the file
 * permanently, and only then activates the copy. If the process is killed, the same call continues the move or starts
 * it again.
 *
 * Errors:  LedgerError. Until the file is closed permanently, it stays the ledger, even after an error.
 */
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { ActivatedLedger, LedgerMove } from '../../ports/ledger/moving.ts';
import type { Dialogue, MoveStep } from '../dialogue.ts';
import { type OfflinePorts, withLease } from '../ports.ts';
import { recoverBatch } from '../send/recover-batch.ts';

export interface MovedLedger extends ActivatedLedger {
  readonly from: string;
  readonly to: string;
  /** Rows that were on the wire when a process ended; they are in doubt now. */
  readonly recovered: number;
  /** An earlier call had already closed the file permanently. */
  readonly wasLeft: boolean;
}

interface MoveOptions extends Pick<Dialogue, 'signal' | 'onProgress'> {
  readonly holder: LeaseHolder;
}

export async function moveLedger(
  move: LedgerMove,
  ports: OfflinePorts,
  { holder, signal, onProgress }: MoveOptions,
): Promise<MovedLedger> {
  const tell = (step: MoveStep) => onProgress?.({ kind: 'move', step });
  const from = move.from.identity.path;
  let recovered = 0;
  if (!move.isLeft) {
    tell({ doing: 'recover' });
    recovered = await recoverAll(move.from, ports, holder);
    tell({ doing: 'verify' });
    const { problems } = await move.from.verify();
    if (problems.length > 0) throw damagedError(from, problems);
    signal?.throwIfAborted();
    tell({ doing: 'copy' });
    await move.copy((copied) => tell({ doing: 'copy', ...copied }), signal);
    tell({ doing: 'verify_copy' });
    const copyProblems = await move.verifyCopy();
    if (copyProblems.length > 0) throw damagedError(`the copy at ${move.to}`, copyProblems);
    signal?.throwIfAborted();
    tell({ doing: 'leave' });
    await move.leave(holder.user);
  }
  tell({ doing: 'arrive' });
  const arrived = await move.arrive();
  tell({ doing: 'arrived' });
  return { from, to: move.to, ...arrived, recovered, wasLeft: move.isLeft };
}

/** A process may have left rows in flight. Puts them in doubt, because nobody knows their outcome. */
async function recoverAll(ledger: Ledger, ports: OfflinePorts, holder: LeaseHolder): Promise<number> {
  let recovered = 0;
  for (const { id } of await ledger.batches())
    if ((await ledger.counts(id)).sending > 0)
      recovered += await withLease(id, holder, { ledger }, () =>
        recoverBatch(id, holder, { ...ports, ledger }),
      );
  return recovered;
}

function damagedError(what: string, [first = '', ...more]: readonly string[]): LedgerError {
  const rest = more.length === 0 ? '' : ` And ${more.length} more.`;
  const text = `The move stopped, because ${what} is damaged: ${first}.${rest} Check the ledger with payfile verify.`;
  return new LedgerError('ledger_damaged', text);
}
