/**
 * One row's whole story: what was asked, everything that happened in order, and the evidence collected. The service may
 * have repeated the account in its answers: it is masked wherever it stands.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type BatchDecision, decisionsOf } from '../../domain/batches/decisions.ts';
import type { Step } from '../../domain/next-steps/command.ts';
import {
  commandsFor,
  type IncidentOfRow,
  incidentOfRow,
  stepsOf,
} from '../../domain/next-steps/next-step.ts';
import { type Family, type FamilyMember, standsInstead } from '../../domain/payouts/family.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import {
  mayHaveTries,
  stateSentence,
  type TurnedAwayTries,
  turnedAwayTries,
} from '../../domain/payouts/turned-away.ts';
import { marksOf } from '../../domain/reporting/marks.ts';
import { reasonOf } from '../../domain/reporting/reason.ts';
import { paidAgainText } from '../../domain/reporting/report-line.ts';
import { type Echo, echoesOfAccount, withoutEchoes, withoutEchoesIn } from '../../domain/text/sensitive.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { JournalEntry } from '../../ports/ledger/payouts.ts';
import { findPayoutByText } from '../decide/choose-payouts.ts';
import { withReasonsNow } from '../decide/held-now.ts';
import { type OpenDecisions, openDecisions } from '../decide/open-decisions.ts';
import { notPaidFrom } from '../decide/resolve-doubt.ts';
import { findBatch } from '../find-batch.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { triesOf } from '../turned-away-tries.ts';
import type { ReportingPorts } from './batch-view.ts';
import { reportHeader } from './report-batch.ts';

export interface Story extends PayoutHistory {
  /** Instructions of the same row before this one, oldest first. */
  readonly earlier: readonly Earlier[];
  /** The payment of another batch that stands for the row, or that has this one's place in its own batch. */
  readonly paidAgain: FamilyMember | undefined;
  /** Whether one of the row's payments, in any batch, was called unpaid and is paid. */
  readonly incident: IncidentOfRow;
  /** Instructions that pay it again, in any batch, oldest first. */
  readonly replacedBy: readonly Replacement[];
  /** Cells of the row that were corrected beside the file. */
  readonly corrections: readonly BatchDecision[];
  /** What showed that one of these instructions was paid although it was called unpaid. */
  readonly incidents: readonly string[];
}

/** An instruction with everything that happened to it. */
export interface PayoutHistory {
  readonly payout: Payout;
  /** What its state means. */
  readonly sentence: string;
  /** Why it stands where it does. */
  readonly reason: string;
  readonly entries: readonly JournalEntry[];
}

interface Earlier extends PayoutHistory {
  /** What people call its batch. */
  readonly batch: string;
}

interface Replacement {
  readonly payout: Payout;
  readonly reason: string;
  /** What people call its batch. */
  readonly batch: string;
}

function incidentIn(family: Family): IncidentOfRow {
  const incidents = family.filter(({ isIncident, wasIncident }) => isIncident || wasIncident);
  return incidentOfRow(incidents.map(({ isIncident }) => !isIncident));
}

export interface Explained {
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly story: Story;
  readonly steps: readonly Step[];
  /** What a person may decide about it now. */
  readonly open: OpenDecisions;
}

/** `row`: its number, reference or tag, or a part of the beneficiary's name. Errors: BatchNotFound, RowNotFound. */
export async function explainRow(
  { batch: text, row }: { readonly batch: string; readonly row: string },
  ports: ReportingPorts,
): Promise<Explained> {
  const batch = await findBatch(text, ports.ledger);
  const payout = await findPayoutByText(batch, row, ports);
  const story = await explainPayout(payout, ports);
  const commands = {
    ...commandsFor(await reportHeader(batch, ports)),
    notPaidFrom: await notPaidFrom(payout, ports),
  };
  return {
    batch,
    environment: ports.ledger.identity.environment,
    story,
    steps: stepsOf(payout, story, commands),
    open: await openDecisions(story.payout, ports),
  };
}

const EARLIER_MAX = 50;

export async function explainPayout(payout: Payout, ports: Pick<Ports, 'ledger'>): Promise<Story> {
  const { ledger } = ports;
  const earlier: Payout[] = [];
  let replaced = payout.instruction?.replaces;
  while (replaced !== undefined && earlier.length < EARLIER_MAX) {
    const before = await ledger.payout(replaced);
    if (before === undefined) break;
    earlier.unshift(before);
    replaced = before.instruction?.replaces;
  }
  const family = await ledger.family(payout.id);
  const other = standsInstead(payout.id, family);
  const hasPlace = family.some(({ payoutId, isCurrent }) => payoutId === payout.id && isCurrent);
  const paidAgain = hasPlace && other?.batchId === payout.batchId ? undefined : other;
  const noted = await notedIncidents(payout.batchId, { ledger });
  const mine = [...earlier, payout];
  const echoes = mine.flatMap(echoesOf);
  const told = await tell(await withReasonsNow(payout, ports), echoes, ledger);
  const reason = [paidAgainText(payout, paidAgain), told.reason].filter((text) => text !== '').join(' ');
  return {
    ...{ ...told, reason, paidAgain, incident: incidentIn(family) },
    earlier: await Promise.all(
      earlier.map(async (each) => ({
        ...(await tell(each, echoes, ledger)),
        batch: await labelOf(each.batchId, ledger),
      })),
    ),
    replacedBy: await replacementsOf(payout, ledger),
    corrections: await correctionsOf(payout, ledger),
    incidents: mine.flatMap(({ id }) => noted.get(id)?.what ?? []),
  };
}

async function correctionsOf(
  { batchId, rowNumber }: Payout,
  ledger: Ledger,
): Promise<readonly BatchDecision[]> {
  const sha256 = (await ledger.batch(batchId))?.file.sha256;
  const notes = await ledger.notes(batchId, 'cell_corrected');
  const mine = notes.filter(({ body }) => body.file === sha256 && body.row === rowNumber);
  return decisionsOf(
    mine.map(({ body }) => ({ at: body.at, kind: 'cell_corrected', rowNumber, body: { ...body } })),
  );
}

async function tell(payout: Payout, echoes: readonly Echo[], ledger: Ledger): Promise<PayoutHistory> {
  const journal = await ledger.journalOf(payout.id);
  const tries = mayHaveTries(payout) ? turnedAwayTries(journal) : undefined;
  const entries = journal.map((entry) => ({
    ...entry,
    body: withoutEchoesIn(entry.body, echoes) as JournalEntry['body'],
  }));
  const sentence = markedSentence(payout) ?? stateSentence(payout.state.status, tries);
  return { payout, sentence, reason: reasonShown(payout, tries), entries };
}

/** Where the last answer of the service is not what the status says. */
function markedSentence(payout: Payout): string | undefined {
  const { isSuspected, isDiffering, stuck } = marksOf(payout);
  if (stuck === 'missing') return 'The service took it, and does not show the transfer any more.';
  const isOtherNow = payout.state.status === 'settled' && (isSuspected || isDiffering);
  return isOtherNow ? 'The service said Finished once, and its last answer differs.' : undefined;
}

async function replacementsOf({ id }: Payout, ledger: Ledger): Promise<readonly Replacement[]> {
  const found: Replacement[] = [];
  const payouts = await ledger.replacementsOf(id);
  const tries = await triesOf(payouts, { ledger });
  for (const payout of payouts) {
    const reason = reasonShown(payout, tries.get(payout.id));
    found.push({ payout, reason, batch: await labelOf(payout.batchId, ledger) });
  }
  return found;
}

async function labelOf(id: BatchId, ledger: Ledger): Promise<string> {
  const batch = await ledger.batch(id);
  return batch === undefined ? id : batchLabel(batch);
}

function reasonShown(payout: Payout, tries: TurnedAwayTries | undefined): string {
  const known = new Map(tries === undefined ? [] : [[payout.id, tries]]);
  return withoutEchoes(reasonOf(payout, [], known), echoesOf(payout));
}

function echoesOf({ instruction }: Payout): readonly Echo[] {
  return echoesOfAccount(instruction?.account.reveal() ?? '');
}
