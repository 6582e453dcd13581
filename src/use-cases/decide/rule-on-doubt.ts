/**
 * A person's ruling on a row in doubt: asks for confirmation, rules (“not paid” under the batch's lease), and says what to
 * do next.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { command, type Flag, type NextSteps, nextSteps } from '../../domain/next-steps/command.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { type Ports, withLease } from '../ports.ts';
import { recoverBatch } from '../send/recover-batch.ts';
import type { Ask } from '../user-questions.ts';
import { choosePayout } from './choose-payouts.ts';
import { findMove, type MovedRow, movedText } from './moved-rows.ts';
import { type Resolved, type RulingRequest, resolveDoubt } from './resolve-doubt.ts';

export interface Ruling {
  readonly batch: Batch;
  /** Row number, reference or tag. */
  readonly row: string;
  readonly request: RulingRequest;
}

interface RulingOptions {
  /** False: whoever is asked types the row number first, and where nobody can be asked nothing is ruled. */
  readonly isSure: boolean;
  readonly ask?: Ask | undefined;
  readonly holder: LeaseHolder;
}

/** The person who was asked went away, or (`isAsked` false) nobody could be asked. Nothing was changed. */
export interface Unconfirmed {
  readonly kind: 'unconfirmed';
  readonly isAsked: boolean;
  readonly exitCode: ExitCode;
  readonly payout: Payout;
}

export type Ruled = Resolved & {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly rowNumber: number;
  /** Where the row stands now. */
  readonly status: Status;
  readonly exitCode: ExitCode;
  readonly steps: NextSteps;
};

export async function ruleOnDoubt(
  ruling: Ruling,
  { isSure, ask, holder }: RulingOptions,
  openPorts: () => Promise<Ports>,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<Ruled | Unconfirmed> {
  const { batch, row, request } = ruling;
  const payout = await choosePayout(batch.id, row, { ledger });
  const move = await findMove(payout, row, { ledger });
  // The person may have looked at another payment. The service is not asked, and nothing changes.
  if (move !== undefined)
    return ruled(refusedAsMoved(move), payout, { ruling, steps: stepsByTag(move, ruling) }, ledger);
  if (mayBeRuledOn(payout) && !isSure) {
    const { kind } = request;
    const answer = await ask?.({ kind: 'ruling', ruling: kind, payout });
    if (answer?.trim() !== String(payout.rowNumber))
      return { kind: 'unconfirmed', isAsked: ask !== undefined, exitCode: EXIT.needsPerson, payout };
  }
  const ports = await openPorts();
  const resolved =
    request.kind === 'paid'
      ? await resolveDoubt(payout, request, ports)
      : await ruleUnderLease(payout, ruling, holder, ports);
  return ruled(resolved, payout, { ruling, steps: stepsAfter(resolved, ruling, payout.rowNumber) }, ledger);
}

function ruled(
  resolved: Resolved,
  payout: Payout,
  { ruling: { batch }, steps }: { readonly ruling: Ruling; readonly steps: NextSteps },
  { identity: { environment } }: Pick<Ledger, 'identity'>,
): Ruled {
  const { status } = (resolved.kind === 'refused' ? payout : resolved.payout).state;
  const exitCode = EXIT_OF[resolved.kind];
  return { ...resolved, batch, environment, rowNumber: payout.rowNumber, status, exitCode, steps };
}

function refusedAsMoved(move: MovedRow): Resolved {
  return { kind: 'refused', reason: `Row ${move.rowNumber}: ${movedText(move)}.`, differences: [] };
}

function stepsByTag({ tag }: MovedRow, { batch, request: { kind } }: Ruling): NextSteps {
  const named = [batchLabel(batch), tag];
  const flags: readonly Flag[] =
    kind === 'paid'
      ? [['--paid', { fillIn: 'TRANSFER_ID' }]]
      : [['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]];
  return nextSteps(command('explain', named), command('resolve', named, flags));
}

function mayBeRuledOn({ state }: Payout): boolean {
  if (state.status === 'failed') return state.basis === 'ruled';
  return state.status === 'in_doubt' || state.status === 'sending';
}

/**
 * “Not paid” is ruled while holding the batch: a process that runs it may have the request on the wire, or be about
 * to write its answer down. Rows that a dead process left on the wire are in doubt from here on.
 */
async function ruleUnderLease(
  payout: Payout,
  { batch, request }: Ruling,
  holder: LeaseHolder,
  ports: Ports,
): Promise<Resolved> {
  return withLease(batch.id, holder, ports, async () => {
    await recoverBatch(batch.id, holder, ports);
    // The very payment that was looked at: another file may have given its row number to another row since.
    return resolveDoubt((await ports.ledger.payout(payout.id)) ?? payout, request, ports);
  });
}

const EXIT_OF: Readonly<Record<Resolved['kind'], ExitCode>> = {
  ruled: EXIT.done,
  refused: EXIT.needsPerson,
  incident: EXIT.inDoubt,
};

function stepsAfter({ kind }: Resolved, { batch, request }: Ruling, row: number): NextSteps {
  const label = batchLabel(batch);
  if (kind !== 'ruled') return nextSteps(command('explain', [label, row]));
  return nextSteps(request.kind === 'paid' ? command('settle', [label]) : command('reissue', [label, row]));
}
