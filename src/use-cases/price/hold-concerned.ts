/**
 * Rows that wait for approval and about which a concern came up since they were priced: a limit that was set, a payment that
 * may be the same, a person who was paid elsewhere before, a fee limit that was lowered.
 */

import type { NameCheck } from '../../domain/names/name-check.ts';
import type { BatchId, Instruction, PayoutId } from '../../domain/payouts/instruction.ts';
import type { HoldReason } from '../../domain/payouts/payout.ts';
import { isIn, type Payout, type PayoutIn } from '../../domain/payouts/payout.ts';
import { type Beside, openConcerns, type Place } from '../../domain/payouts/price-decision.ts';
import type { Repeat } from '../../domain/payouts/repeat.ts';
import { accountChanges } from '../approve/changes-since-last.ts';
import type { OfflinePorts } from '../ports.ts';
import { recordEvents } from '../record-event.ts';

/** What the rows of a batch are compared with: it takes a while to find. */
export interface Compared {
  /** Rows whose person was paid to another account before. */
  readonly changes: ReadonlyMap<PayoutId, HoldReason>;
  /** Unsent rows above a row that may be the same payment. */
  readonly above: ReadonlyMap<PayoutId, readonly Repeat[]>;
}

export async function comparedRows(batchId: BatchId, ports: OfflinePorts): Promise<Compared> {
  const changes = await accountChanges(batchId, ports);
  return { changes, above: await ports.ledger.rowsAbove(batchId) };
}

/** Holds them. How many there were. */
export async function holdConcerned(
  batchId: BatchId,
  compared: Compared,
  ports: OfflinePorts,
): Promise<number> {
  const { ledger, clock, policy } = ports;
  let held = 0;
  for await (const page of ledger.payouts(batchId, { statuses: ['quoted'] })) {
    const now = clock.now();
    const holds = [];
    for (const payout of page) {
      if (!isIn(payout, 'quoted')) continue;
      const { state } = payout;
      const beside = await besideOf(payout, placeAsPriced(payout), compared, ports);
      const isRemembered = await isNameRemembered(payout, state.pricing.nameCheck, ports);
      const reasons = openConcerns(payout, { ...beside, isNameRemembered: isRemembered }, policy);
      if (reasons.length > 0)
        holds.push({ payout, event: { kind: 'hold', reasons, pricing: state.pricing, at: now } as const });
    }
    const results = await recordEvents(holds, ports);
    held += results.filter(({ kind }) => kind === 'recorded').length;
  }
  return held;
}

/** What is not the payout's own. Whether its name is remembered is asked apart. */
export async function besideOf(
  { id }: Pick<Payout, 'id'>,
  place: Place,
  { changes, above }: Compared,
  { ledger, clock }: Pick<OfflinePorts, 'ledger' | 'clock'>,
): Promise<Beside> {
  const repeats = [...(await ledger.repeatsOf(id)), ...(above.get(id) ?? [])];
  return { place, repeats, otherAccount: changes.get(id), isNameRemembered: false, now: clock.now() };
}

/** The lists are not asked for again: what they said is part of what is approved, and is compared before sending. */
function placeAsPriced({ instruction, state }: PayoutIn<'quoted'>): Place {
  const { sourceName, countryName, institutionName: name } = state.pricing;
  return { sourceName, countryName, institution: { name, currency: instruction.amount.currency } };
}

/** Whether a person released these two names for this account before. Names that match need nobody's release. */
export async function isNameRemembered(
  { instruction }: { readonly instruction: Instruction },
  { result, resolved: resolvedName }: NameCheck,
  { ledger }: Pick<OfflinePorts, 'ledger'>,
): Promise<boolean> {
  const { name: writtenName, institutionId, account } = instruction;
  if (result === 'match' || writtenName === undefined || resolvedName === undefined) return false;
  const names = { institutionId, account: account.reveal(), writtenName, resolvedName };
  return (await ledger.nameRelease(names)) !== undefined;
}
