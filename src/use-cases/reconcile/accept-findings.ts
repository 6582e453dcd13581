/**
 * Rules what a statement leaves no doubt about, through the same checks as `resolve`, and writes incidents down.
 * The caller holds the batch's lease and has recovered it.
 */

import type { PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import type { Finding, FindingOf } from '../../domain/statement/findings.ts';
import type { StatementSpan } from '../../domain/statement/span.ts';
import { counted } from '../../domain/text/printable.ts';
import { type RulingRequest, resolveDoubt } from '../decide/resolve-doubt.ts';
import { recordEvent } from '../record-event.ts';
import { notedIncidents, raiseIncident } from '../settle/raise-incident.ts';
import type { World } from '../world.ts';

export interface Accepted {
  readonly finding: Finding;
  readonly outcome: 'ruled' | 'noted' | 'refused';
  /** Why nothing was ruled, or what was noted. */
  readonly reason: string;
}

export interface Accepting {
  readonly by: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly span: StatementSpan;
}

type Done = Omit<Accepted, 'finding'>;

export async function acceptFindings(
  findings: readonly Finding[],
  accepting: Accepting,
  world: World,
): Promise<readonly Accepted[]> {
  const accepted: Accepted[] = [];
  for (const finding of findings) {
    const payoutId = payoutOf(finding);
    const payout = payoutId === undefined ? undefined : await world.ledger.payout(payoutId);
    if (payout === undefined) continue;
    const done = await acceptOne(finding, payout, { accepting, world });
    if (done !== undefined) accepted.push({ finding, ...done });
  }
  return accepted;
}

function payoutOf(finding: Finding): PayoutId | undefined {
  return finding.kind === 'theirs_only' ? finding.unsent?.payoutId : finding.entry.payoutId;
}

interface Work {
  readonly accepting: Accepting;
  readonly world: World;
}

async function acceptOne(finding: Finding, payout: Payout, work: Work): Promise<Done | undefined> {
  switch (finding.kind) {
    case 'incident':
      return acceptIncident(payout, finding, work);
    case 'theirs_only':
      return holdUnsent(payout, finding, work);
    case 'propose_paid':
    case 'propose_not_paid':
      return finding.weakness === undefined ? rule(payout, requestOf(finding, work), work.world) : undefined;
    default:
      return undefined;
  }
}

function requestOf(finding: FindingOf<'propose_paid' | 'propose_not_paid'>, work: Work): RulingRequest {
  const { by, span } = work.accepting;
  if (finding.kind === 'propose_paid') {
    const shownBy = `${statementText(work)}, line ${finding.line.rowNumber}`;
    return { kind: 'paid', by, transferId: finding.transferId ?? '', evidence: undefined, shownBy };
  }
  const reach = `${counted(span.lines, 'line')} from ${span.first ?? '?'} to ${span.last ?? '?'}`;
  return { kind: 'not_paid', by, evidence: `not in ${statementText(work)}, ${reach}` };
}

function statementText({ accepting }: Work): string {
  return `statement ${accepting.fileName} (SHA-256 ${accepting.sha256})`;
}

async function rule(payout: Payout, request: RulingRequest, world: World): Promise<Done> {
  const resolved = await resolveDoubt(payout, request, world);
  if (resolved.kind === 'ruled') return { outcome: 'ruled', reason: '' };
  const differences = resolved.differences.length === 0 ? '' : ` (${resolved.differences.join('; ')})`;
  return { outcome: 'refused', reason: resolved.reason + differences };
}

/** The state becomes settled only where the service confirms the transfer; else the incident is a note, made once. */
async function acceptIncident(payout: Payout, finding: FindingOf<'incident'>, work: Work): Promise<Done> {
  const { transferId, what, line } = finding;
  const { accepting, world } = work;
  const isRuled = isIn(payout, 'failed') && payout.state.basis === 'ruled';
  if (isRuled && transferId !== undefined && finding.by !== 'masked_account') {
    const shownBy = `${statementText(work)}, line ${line.rowNumber}`;
    const request = { kind: 'paid', transferId, by: accepting.by, evidence: undefined, shownBy } as const;
    const resolved = await resolveDoubt(payout, request, world);
    if (resolved.kind === 'incident') return { outcome: 'noted', reason: resolved.reason };
  }
  const isNoted = (await notedIncidents(payout.batchId, world)).has(payout.id);
  if (!isNoted) await raiseIncident(payout, `${what}, ${statementText(work)}`, world);
  return { outcome: 'noted', reason: what };
}

/** A payment that this ledger believes unsent must not go out while a statement shows it. */
async function holdUnsent(payout: Payout, { line }: FindingOf<'theirs_only'>, work: Work): Promise<Done> {
  if (!isIn(payout, 'approved')) return { outcome: 'refused', reason: `it is ${payout.state.status} now` };
  const { world } = work;
  const text = `A statement shows it as paid already: ${statementText(work)}, line ${line.rowNumber}`;
  const reasons = [{ kind: 'duplicate_payment', text } as const];
  const event = { kind: 'hold', reasons, pricing: payout.state.pricing, at: world.clock.now() } as const;
  const recorded = await recordEvent(payout, event, world);
  return recorded.kind === 'recorded'
    ? { outcome: 'noted', reason: 'held: it is not sent while a person has not looked' }
    : { outcome: 'refused', reason: 'The row changed just now; look again.' };
}
