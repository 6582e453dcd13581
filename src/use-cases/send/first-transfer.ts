/**
 * The first live batch of a ledger sends one row and looks it up before it goes on: a service that cannot be
 * asked what became of a transfer must not be given a whole payroll.
 */

import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { isShown } from '../../domain/payouts/shown.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { pollAgain } from '../settle/settle-batch.ts';
import { type FirstRows, sendNext, whyBad } from './first-rows.ts';

const NOTE_KIND = 'first_transfer_found';
const LOOKS_MAX = 5;

/** Only a live ledger in which no transfer was ever looked up well needs the proof. */
export async function needsProof({ ledger }: Pick<Ports, 'ledger'>): Promise<boolean> {
  return ledger.identity.environment === 'live' && (await ledger.notesOfAll(NOTE_KIND)).length === 0;
}

/**
 * Sends rows one at a time until one is accepted, and asks for it. Stops the gate when it cannot be found, or is
 * not as asked. A transfer that an earlier run left unproven is asked for instead of sending another one.
 */
export async function proveFirstTransfer(batchId: BatchId, ports: Ports, first: FirstRows): Promise<void> {
  const sent = { statuses: ['accepted', 'settled'], after: undefined, limit: 1 } as const;
  do {
    const [payout] = (await ports.ledger.page(batchId, sent)).payouts;
    if (payout !== undefined) return lookUp(payout, ports, first);
  } while (await sendNext(batchId, ports, first));
}

async function lookUp(payout: Payout, ports: Ports, first: FirstRows): Promise<void> {
  const { gate, signal, deadline } = first;
  const { clock, silence } = ports;
  const looking = deadline && silence?.lookUntil(clock.monotonicMs() + deadline() - clock.now());
  const ending = AbortSignal.any([signal, looking?.signal].filter((each) => each !== undefined));
  try {
    await lookOften(payout, ports, { ...first, signal: ending });
  } finally {
    looking?.end();
  }
  if (looking?.signal.aborted === true && !signal.aborted)
    gate.deadlineCame({ kind: 'outage', reason: NOT_LOOKED_UP });
}

const NOT_LOOKED_UP = 'the first transfer could not be looked up before the deadline';

/** Decides nothing when its signal aborts: the next run asks for this transfer before it sends another. */
async function lookOften(payout: Payout, ports: Ports, first: FirstRows): Promise<void> {
  const { gate, signal } = first;
  let why: string | undefined = 'cannot be looked up at the service';
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const found = await whyNoProof(payout, ports, first);
    if (found.isProven) {
      await ports.ledger.note(payout.batchId, NOTE_KIND, { payout: payout.id }, ports.clock.now());
      return;
    }
    if (signal.aborted) return;
    why = found.why ?? why;
    if (ports.silence?.ended() !== undefined) break;
    await ports.clock.sleep(ports.policy.pollMinMs, signal).catch(() => undefined);
  }
  if (signal.aborted) return;
  const silence = ports.silence?.ended();
  if (silence !== undefined) return gate.stop({ kind: 'outage', reason: silence });
  gate.stop({ kind: 'paused', reason: `the first transfer (row ${payout.rowNumber}) ${why}` });
}

/** Looks once, as settling does. `why` is undefined where the service did not show the transfer. */
async function whyNoProof(
  { id }: Payout,
  ports: Ports,
  { signal, incidents }: FirstRows,
): Promise<{ readonly isProven: boolean; readonly why?: string | undefined }> {
  const before = await ports.ledger.payout(id);
  if (before === undefined) return { isProven: false };
  let asked: Asked<Transaction> | undefined;
  const looked = await pollAgain(before, ports, signal, (answer) => {
    asked = answer;
  });
  if (looked.kind === 'incident') incidents.push(before.rowNumber);
  const why = whyBad((await ports.ledger.payout(id)) ?? before);
  if (why !== undefined || looked.kind === 'unknown' || asked?.kind !== 'answered')
    return { isProven: false, why };
  const nothing = whyNothingShown(asked.answer, ports.policy);
  return { isProven: nothing === undefined, why: nothing };
}

/** Such a look-up may be about anybody’s transfer. */
function whyNothingShown(seen: Transaction, { lookUpFields }: Policy): string | undefined {
  if (lookUpFields.length === 0 || lookUpFields.some((field) => isShown(seen, field))) return undefined;
  return `is shown without ${lookUpFields.join(', ')}. If the service never shows them, take them out of the setting answers.lookup`;
}
