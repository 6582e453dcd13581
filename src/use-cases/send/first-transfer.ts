/**
 * The first live batch of a ledger sends one row and looks it up before it goes on: a service that cannot be
 * asked what became of a transfer must not be given a whole payroll.
 */

import { amountDifference } from '../../domain/payouts/difference.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { isAnotherPayment, meaningOf } from '../../domain/payouts/service-status.ts';
import { echoesOfAccount, withoutEchoes } from '../../domain/text/sensitive.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { whyAnotherRow } from '../settle/raise-incident.ts';
import { keepEmptyLook } from '../settle/settle-batch.ts';
import { wordIn } from '../settle/still-unpaid.ts';
import type { SendGate } from './send-gate.ts';

const NOTE_KIND = 'first_transfer_found';
const LOOKS_MAX = 5;
const PAGE_ROWS = 500;
const BATCHES_AT_ONCE = 50;

/** Only a live ledger in which no transfer was ever looked up needs the proof. */
export async function needsProof(ports: Ports): Promise<boolean> {
  if (ports.ledger.identity.environment !== 'live') return false;
  if ((await ports.ledger.notesOfAll(NOTE_KIND)).length > 0) return false;
  let after: BatchId | undefined;
  do {
    const { batches, next } = await ports.ledger.batchPage({ after, limit: BATCHES_AT_ONCE });
    for (const { id } of batches) {
      const { settled, returned } = await ports.ledger.counts(id);
      if (settled + returned > 0) return false;
    }
    after = next;
  } while (after !== undefined);
  return true;
}

interface Proving {
  readonly gate: SendGate;
  readonly send: (payout: PayoutIn<'approved'> & Payout) => Promise<void>;
  readonly signal: AbortSignal | undefined;
  /** Rows that nothing may be done with. */
  readonly odd: ReadonlyMap<PayoutId, unknown>;
  /** How long the look-ups may take; undefined: as long as they do. */
  readonly deadline?: (() => Timestamp) | undefined;
}

/**
 * Sends rows one at a time until one is accepted, and asks for it. Stops the gate when it cannot be found. A
 * transfer that an earlier run left unproven is asked for instead of sending another one.
 */
export async function proveFirstTransfer(batchId: BatchId, ports: Ports, proving: Proving): Promise<void> {
  const { gate, send } = proving;
  const { ledger } = ports;
  const [before] = (await ledger.page(batchId, { statuses: ['accepted'], after: undefined, limit: 1 }))
    .payouts;
  if (before !== undefined && isIn(before, 'accepted')) return lookUp(before, ports, proving);
  while (await gate.enter()) {
    const first = await nextApproved(batchId, ports, proving);
    if (first === undefined) return gate.leave(undefined);
    await send(first);
    const now = await ledger.payout(first.id);
    if (now !== undefined && isIn(now, 'accepted')) return lookUp(now, ports, proving);
  }
}

/** The first approved row that may be sent, and whose institution is not set aside. */
export async function nextApproved(
  batchId: BatchId,
  ports: Pick<Ports, 'ledger'>,
  { gate, odd }: Pick<Proving, 'gate' | 'odd'>,
) {
  let after: number | undefined;
  do {
    const page = await ports.ledger.page(batchId, { statuses: ['approved'], after, limit: PAGE_ROWS });
    for (const payout of page.payouts) {
      if (!isIn(payout, 'approved') || odd.has(payout.id)) continue;
      if (!gate.isSetAside(payout.instruction.institutionId)) return payout;
    }
    after = page.next;
  } while (after !== undefined);
  return undefined;
}

async function lookUp(payout: PayoutIn<'accepted'> & Payout, ports: Ports, proving: Proving): Promise<void> {
  const { gate, signal, deadline } = proving;
  const { clock, silence } = ports;
  const looking = deadline && silence?.lookUntil(clock.monotonicMs() + deadline() - clock.now());
  const ending = AbortSignal.any([signal, looking?.signal].filter((each) => each !== undefined));
  try {
    await lookOften(payout, ports, { ...proving, signal: ending });
  } finally {
    looking?.end();
  }
  if (looking?.signal.aborted === true && signal?.aborted !== true)
    gate.deadlineCame({ kind: 'outage', reason: NOT_LOOKED_UP });
}

const NOT_LOOKED_UP = 'the first transfer could not be looked up before the deadline';

/** Decides nothing when its signal aborts: the next run asks for this transfer before it sends another. */
async function lookOften(
  payout: PayoutIn<'accepted'> & Payout,
  ports: Ports,
  { gate, signal }: Proving,
): Promise<void> {
  let why = 'cannot be looked up at the service';
  let looked = payout;
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const asked = await ports.paymentService
      .transaction(payout.state.transferId, signal)
      .catch((error: unknown) => {
        if (signal?.aborted === true) return undefined;
        throw error;
      });
    if (asked === undefined) return;
    if (asked.kind === 'answered') {
      const wrong = await whyNotAsAsked(payout, asked.answer, ports);
      if (wrong === undefined) {
        await ports.ledger.note(payout.batchId, NOTE_KIND, { payout: payout.id }, ports.clock.now());
        return;
      }
      why = wrong;
    } else looked = await keepEmptyLook(looked, asked, ports);
    if (ports.silence?.ended() !== undefined) break;
    await ports.clock.sleep(ports.policy.pollMinMs, signal).catch(() => undefined);
  }
  if (signal?.aborted === true) return;
  const silence = ports.silence?.ended();
  if (silence !== undefined) return gate.stop({ kind: 'outage', reason: silence });
  gate.stop({
    kind: 'paused',
    reason: `the first transfer (row ${payout.rowNumber}) ${why}`,
  });
}

/** Why the look-up does not fit the payment; undefined: it fits. Every word fits that means neither failed nor returned. */
async function whyNotAsAsked(
  payout: PayoutIn<'accepted'> & Payout,
  seen: Transaction,
  ports: Ports,
): Promise<string | undefined> {
  const { instruction, state } = payout;
  if (isAnotherPayment(instruction, state.pricing, seen) || (await whyAnotherRow(payout, seen, ports)))
    return 'is shown by the service as somebody else’s payment';
  const [amount] = amountDifference(instruction, state.pricing, seen.amount);
  // A service may repeat the account in any field.
  if (amount !== undefined)
    return `differs from what was asked: ${withoutEchoes(amount, echoesOfAccount(instruction.account.reveal()))}`;
  const isUnpaid = ['failed', 'returned'].includes(meaningOf(seen.status, ports.policy));
  return isUnpaid ? `is called “${wordIn(payout, seen)}” by the service` : undefined;
}
