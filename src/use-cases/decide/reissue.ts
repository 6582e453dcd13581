/**
 * Paying again: a new instruction that names the one it replaces, in its place in the file. It is priced and
 * approved like any other. Only what is proven unpaid can be paid again.
 */
import { standsInstead, whyNotBeside } from '../../domain/payouts/family.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import {
  type PartReturn,
  partReturnOf,
  partReturnText,
  saysWholeBack,
  wholeBackWords,
} from '../../domain/payouts/part-return.ts';
import {
  calledUnpaidAt,
  isIn,
  isShownAsPaid,
  needsNewPayment,
  type Payout,
  type PayoutIn,
  type PayoutState,
} from '../../domain/payouts/payout.ts';
import { placeOf } from '../../domain/payouts/repeat.ts';
import { meaningOf } from '../../domain/payouts/service-status.ts';
import { hoursMs, type Policy } from '../../domain/policy.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { minuteAfter, plusMs, type Timestamp } from '../../domain/timestamp.ts';
import { NotReplaceable } from '../../ports/ledger/moves.ts';
import { keepShapers } from '../intake/keep-shapers.ts';
import type { OfflinePorts, Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import type { Choice } from './choose-payouts.ts';
import { type Decided, decideEach, type Objection } from './release-held.ts';

interface ReissueOptions {
  readonly by: string;
  /** Needed to pay again soon after the service reported a failure. */
  readonly evidence: string | undefined;
}

export async function reissue(
  batchId: BatchId,
  choice: Choice,
  options: ReissueOptions,
  ports: OfflinePorts,
): Promise<Decided> {
  const { by, evidence } = options;
  const partReturns: (PartReturn & { readonly rowNumber: number })[] = [];
  // A payment that takes a row's place is a new one: of an edited row it would look as if it had been read so.
  const { problems } = await ports.ledger.verify(batchId);
  const chosen = { batchId, choice, statuses: ['failed'] } as const;
  const decided = await decideEach(chosen, ports, async (payout) => {
    const at = ports.clock.now();
    const objection =
      (problems.length > 0 ? EDITED : undefined) ??
      (await familyObjection(payout, evidence, ports)) ??
      ownObjection(payout, evidence, at, ports);
    if (objection !== undefined) return objection;
    const partReturn = partReturnOf(payout);
    if (evidence !== undefined) {
      const against = partReturn === undefined ? {} : { against: partReturnText(partReturn) };
      await ports.ledger.note(
        batchId,
        'reissue_evidence',
        { payout: payout.id, by, evidence, ...against },
        at,
      );
    }
    await keepShapers(batchId, { by, answers: undefined }, ports);
    const isCalledPaid = isIn(payout, 'accepted') || isIn(payout, 'settled');
    if (isCalledPaid && !(await believeWord(payout, at, ports))) return CHANGED;
    try {
      await ports.ledger.addReplacement(payout.id, by, at);
    } catch (error) {
      if (!(error instanceof NotReplaceable)) throw error;
      return CHANGED;
    }
    if (partReturn !== undefined) partReturns.push({ rowNumber: payout.rowNumber, ...partReturn });
    return undefined;
  });
  return partReturns.length === 0 ? decided : { ...decided, partReturns };
}

const CAME_BACK =
  'it was called unpaid, then paid, and came back: prove that the money is back, with evidence';

const EDITED: Objection = {
  status: 'the ledger was changed by hand: payfile verify says where',
  isNotYet: true,
};

const CHANGED: Objection = {
  status: 'changed by somebody else just now, or its file was not read to the end',
  isNotYet: true,
};

/** With the person's evidence the service's word counts. False: the row changed meanwhile. */
async function believeWord(
  payout: PayoutIn<'accepted' | 'settled'> & Payout,
  at: Timestamp,
  ports: OfflinePorts,
): Promise<boolean> {
  const { status, suspicion, serviceStatus: lastWord = '', discrepancies, shown = {} } = payout.state;
  if (suspicion === undefined && shown.back === undefined) return false;
  const serviceStatus = suspicion?.word ?? lastWord;
  const isReturn =
    status === 'settled' || suspicion === undefined || meaningOf(serviceStatus, ports.policy) === 'returned';
  // Keeps the part, because the service shows that the rest was paid.
  const event = { kind: isReturn ? 'return' : 'fail', serviceStatus, discrepancies, shown, at } as const;
  return (await recordEvent(payout, event, ports, { dueAt: at })).kind === 'recorded';
}

/**
 * Another payment of the row that was paid, or may be, rules out one more; so does a statement or a late answer that
 * showed one of them as paid, unless that one came back since: then it takes evidence. One that only waits, or was tried later, is the one to go on with.
 */
export async function familyObjection(
  { id, state }: Payout,
  evidence: string | undefined,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<Objection | undefined> {
  const family = await ledger.family(id);
  const incident = family.find(({ isIncident }) => isIncident);
  if (incident !== undefined) {
    const noted = (await notedIncidents(incident.batchId, { ledger })).get(incident.payoutId);
    const what = noted?.what ?? `${placeOf(incident)} was called unpaid first and is settled`;
    return {
      status: `incident: ${what}; paying it again would pay twice`,
      ...(isOpen(state) ? { isNotYet: true } : {}),
    };
  }
  const wasIncident = family.some((member) => member.wasIncident);
  if (wasIncident && evidence === undefined && needsNewPayment(state.status))
    return { status: CAME_BACK, isNotYet: true };
  const other = standsInstead(id, family);
  if (other === undefined) return undefined;
  const status = whyNotBeside(other);
  return { status, isElsewhere: true, ...(other.status === 'settled' ? {} : { isNotYet: true }) };
}

function ownObjection(
  payout: Payout,
  evidence: string | undefined,
  at: Timestamp,
  { policy }: Pick<OfflinePorts, 'policy'>,
): Objection | undefined {
  const status = whyNotPaidAgain(payout, evidence, { at, policy }) ?? whyNotWhole(payout, evidence);
  if (status === undefined) return undefined;
  return { status, ...(isOpen(payout.state) ? { isNotYet: true } : {}) };
}

/** Evidence is free text. Only fixed words prove that the person knows that the whole payment came back. */
function whyNotWhole(payout: Payout, evidence: string | undefined): string | undefined {
  const part = partReturnOf(payout);
  return part === undefined || saysWholeBack(evidence ?? '', part) ? undefined : wholeNeeded(part);
}

function wholeNeeded(part: PartReturn): string {
  const asked = `begin the evidence with “${wholeBackWords(part)}” and say how it is known, with evidence`;
  return `${partReturnText(part)}. payfile can pay only the whole amount again. If all of it came back, ${asked}`;
}

/** Time, evidence or a ruling may allow it. */
function isOpen({ status, ...state }: Payout['state']): boolean {
  const isCalledUnpaid = 'suspicion' in state && state.suspicion !== undefined;
  const isPartBack = 'shown' in state && state.shown?.back !== undefined;
  return (
    status === 'failed' || status === 'returned' || status === 'in_doubt' || isCalledUnpaid || isPartBack
  );
}

/** undefined when the payout may be paid again; else why not, in words. */
export function whyNotPaidAgain(
  payout: Payout,
  evidence: string | undefined,
  moment: { readonly at: Timestamp; readonly policy: Pick<Policy, 'reissueAfterHours'> },
): string | undefined {
  const { state } = payout;
  if (isIn(payout, 'canceled')) {
    const isDoubted = isShownAsPaid(payout.state) && evidence === undefined;
    return isDoubted
      ? 'canceled, and shown as paid before: prove that it was not paid, with evidence'
      : undefined;
  }
  if (state.status === 'in_doubt') return 'in doubt: rule on it first';
  if (isIn(payout, 'accepted') || isIn(payout, 'settled')) {
    const why = whyNotBelieved(payout);
    if (why !== undefined) return evidence === undefined ? why : undefined;
  }
  if (state.status !== 'failed' && state.status !== 'returned')
    return `${STATUS_WORDS[state.status].counted}: only what is proven unpaid can be paid again`;
  if (state.unclear !== undefined && evidence === undefined)
    return `${state.status}, but the service ${state.unclear}; say how it is known that nobody was paid, with evidence`;
  const from = failureTrustedFrom(state, moment.policy);
  if (from === undefined || evidence !== undefined || moment.at >= from) return undefined;
  return `the service's answer is recent: wait until ${minuteAfter(from)} UTC, or prove that no money moved, with evidence`;
}

/** From when on the service's “failed” or “returned” is believed; undefined: the service did not say it. */
export function failureTrustedFrom(
  state: PayoutState,
  { reissueAfterHours }: Pick<Policy, 'reissueAfterHours'>,
): Timestamp | undefined {
  const calledAt = calledUnpaidAt(state);
  return calledAt === undefined ? undefined : plusMs(calledAt, hoursMs(reissueAfterHours));
}

/** undefined where the service never called the payment unpaid, or its word has only to be seen again. */
function whyNotBelieved(payout: PayoutIn<'accepted' | 'settled'> & Payout): string | undefined {
  const { status, suspicion } = payout.state;
  const where = status === 'settled' ? status : 'on its way';
  const part = partReturnOf(payout);
  if (part !== undefined) return `${where}: ${wholeNeeded(part)}`;
  if (suspicion?.unproven === undefined) return undefined;
  return (
    `${where}: the service’s word does not count, because the service ${suspicion.unproven.join(' and ')}; ` +
    'say how it is known that nobody was paid, with evidence'
  );
}
