/** The rows of a batch that a person has to look at, the most pressing first. */
import type { Batch } from '../../domain/batches/batch.ts';
import type { Step } from '../../domain/next-steps/command.ts';
import {
  type Commands,
  commandsFor,
  type IncidentOfRow,
  incidentOfRow,
  incidentStep,
  stepsOf,
} from '../../domain/next-steps/next-step.ts';
import { type ConcernKind, kindsToName } from '../../domain/payouts/concern.ts';
import { type FamilyMember, standsInstead } from '../../domain/payouts/family.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { hasEndedUnpaid, isIn, type Payout, type Status } from '../../domain/payouts/payout.ts';
import type { TriesByPayout } from '../../domain/payouts/turned-away.ts';
import { TO_LOOK_AT } from '../../domain/reporting/exceptions.ts';
import { marksOf } from '../../domain/reporting/marks.ts';
import { reasonOf } from '../../domain/reporting/reason.ts';
import { reasonWith } from '../../domain/reporting/report-line.ts';
import { flagsOf, type RowFlags } from '../../domain/reporting/row-label.ts';
import { printable } from '../../domain/text/printable.ts';
import type { LookingPorts } from '../ports.ts';
import { triesOf } from '../turned-away-tries.ts';
import type { Standing } from './batch-standing.ts';
import { endedElsewhereIn, isEndedElsewhere, type PaidAgain } from './paid-again.ts';
import { reportHeader } from './report-batch.ts';

export interface ToLookAt {
  readonly attention: readonly Attention[];
  /** Rows that need a look but are not listed. */
  readonly attentionLeft: number;
  /** For all held rows at once, where they are alike. */
  readonly releaseAll: Step | undefined;
}

export interface Attention extends RowFlags {
  readonly row: number;
  readonly status: Status;
  readonly reason: string;
  readonly steps: readonly Step[];
}

const SHOWN_MAX = 20;

/** The first rows that a person has to look at, and how many more there are. */
export async function toLookAt(
  batch: Batch,
  seen: Pick<Standing, 'counts' | 'incidents' | 'beside' | 'besideStatus' | 'paidAgain'>,
  ports: LookingPorts,
): Promise<ToLookAt> {
  const commands = commandsFor(await reportHeader(batch, ports));
  const triesOfIncidents = await triesOf(
    seen.incidents.map(({ payout }) => payout),
    ports,
  );
  const found: Attention[] = [];
  for (const { rowNumber: row, payout, noted, isOver } of seen.incidents) {
    const loud = noted === undefined ? '' : `INCIDENT: ${printable(noted)}. `;
    const reason = loud + reasonOf(payout, [], triesOfIncidents);
    const paidAgain = seen.paidAgain.get(payout.id) ?? (isOver ? await otherNow(payout, ports) : undefined);
    const steps = isOver
      ? stepsOf(payout, { incident: 'came_back', paidAgain }, commands)
      : incidentStep(row, commands);
    found.push({ row, status: payout.state.status, reason, steps });
  }
  const withIncident = new Set<PayoutId>(seen.incidents.map(({ payout }) => payout.id));
  const incidentOf = (row: number) =>
    incidentOfRow(seen.incidents.filter(({ rowNumber }) => rowNumber === row).map(({ isOver }) => isOver));
  // Nobody would look at a row on its way or settled otherwise.
  const besideStatus = seen.beside.rows.filter(({ id }) => !withIncident.has(id));
  const look = async (payouts: readonly Payout[]) => {
    const tries = await triesOf(payouts, ports);
    return payouts.map((payout) => lookAt(payout, { known: seen.paidAgain, incidentOf, tries }, commands));
  };
  const held: Payout[] = [];
  let most = SHOWN_MAX;
  for (const status of TO_LOOK_AT) {
    const room = most - found.length;
    // By gravity: behind what may have been paid, before what was not.
    if (status === 'failed') found.push(...(await look(besideStatus.slice(0, room))));
    if (found.length >= most) break;
    const first = await firstOpen(batch.id, status, { room: most - found.length, ...seen }, ports);
    found.push(...(await look(first.filter(({ id }) => !withIncident.has(id)))));
    if (status === 'held') held.push(...first);
    // They are told all at once, so they take no other row's place.
    if (status === 'in_doubt') most += first.length;
  }
  const ofStatus = TO_LOOK_AT.reduce((sum, status) => sum + seen.counts[status], 0);
  const all = ofStatus - (await endedElsewhereIn(seen.paidAgain, ports.ledger)) + seen.besideStatus;
  const releaseAll = held.length === seen.counts.held ? releaseAllOf(held, commands) : undefined;
  return { attention: found, attentionLeft: Math.max(0, all - found.length), releaseAll };
}

/** The other payment that stands for the row; undefined if it ended unpaid as well. */
async function otherNow(
  { id }: Payout,
  { ledger }: Pick<LookingPorts, 'ledger'>,
): Promise<FamilyMember | undefined> {
  const other = standsInstead(id, await ledger.family(id));
  return other === undefined || hasEndedUnpaid(other.status) ? undefined : other;
}

/** What a person can find out for many rows with one question. */
const RELEASED_TOGETHER: ReadonlySet<ConcernKind> = new Set(['name', 'fee', 'over_limit']);

function releaseAllOf(held: readonly Payout[], { forBatch, readFirst }: Commands): Step | undefined {
  const states = held.flatMap((payout) => (isIn(payout, 'held') ? [payout.state] : []));
  const reasons = states.flatMap((state) => state.reasons);
  if (states.some((state) => kindsToName(state).length > 0)) return undefined;
  if (held.length < 2 || readFirst !== undefined) return undefined;
  if (!reasons.every(({ concern }) => RELEASED_TOGETHER.has(concern.kind))) return undefined;
  const text = `All ${held.length} held rows at once, once each of them is known to be right`;
  return { text, command: forBatch('release', ['--all'], ['--reason', { fillIn: 'TEXT' }]) };
}

/** The first payouts in a status that nobody pays again in another batch. */
export async function firstOpen(
  id: BatchId,
  status: Status,
  { room, paidAgain }: { readonly room: number; readonly paidAgain: PaidAgain },
  { ledger }: Pick<LookingPorts, 'ledger'>,
): Promise<readonly Payout[]> {
  const found: Payout[] = [];
  for (let after: number | undefined, isMore = true; isMore && found.length < room; ) {
    const page = await ledger.page(id, { statuses: [status], after, limit: room });
    found.push(...page.payouts.filter((payout) => !isEndedElsewhere(payout, paidAgain)));
    after = page.next;
    isMore = page.next !== undefined;
  }
  return found.slice(0, room);
}

interface LookFacts {
  readonly known: PaidAgain;
  readonly incidentOf: (row: number) => IncidentOfRow;
  readonly tries: TriesByPayout;
}

function lookAt(payout: Payout, { known, incidentOf, tries }: LookFacts, commands: Commands): Attention {
  const { rowNumber: row } = payout;
  const { status } = payout.state;
  const paidAgain = known.get(payout.id);
  return {
    row,
    status,
    ...flagsOf(marksOf(payout)),
    reason: reasonWith({ payout, tries }, { paidAgain: known }),
    steps: stepsOf(payout, { incident: incidentOf(row), paidAgain }, commands),
  };
}
