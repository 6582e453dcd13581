/**
 * Rules what a statement leaves no doubt about, through the same checks as `resolve`, and writes incidents down.
 * The caller holds the batch's lease and has recovered it.
 */
import { isIn, type Payout, type PayoutIn, pricingIn } from '../../domain/payouts/payout.ts';
import { mayFollow } from '../../domain/payouts/payout-machine.ts';
import type { StatementSpan } from '../../domain/statement/dates.ts';
import { type Finding, isAcceptable, isProposal } from '../../domain/statement/findings.ts';
import { counted } from '../../domain/text/printable.ts';
import { type RulingRequest, resolveDoubt } from '../decide/resolve-doubt.ts';
import type { Ports } from '../ports.ts';
import { recordEvent } from '../record-event.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { raiseIncident } from '../settle/raise-incident.ts';

/** Which proposals are accepted; incidents are written down with either. */
export type Accept = 'paid' | 'not_paid';

export interface Accepted {
  readonly finding: Finding;
  readonly outcome: 'ruled' | 'noted' | 'refused';
  /** Why nothing was ruled, or what was noted. */
  readonly reason: string;
}

export interface Accepting {
  readonly accept: Accept;
  /** Proposals about other payments are left; undefined: all are meant. */
  readonly only?: readonly string[] | undefined;
  readonly by: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly span: StatementSpan;
  /** What else proves that the statement is complete; undefined: its balances do. */
  readonly evidence?: string | undefined;
}

type Done = Omit<Accepted, 'finding'>;

export async function acceptFindings(
  findings: readonly Finding[],
  accepting: Accepting,
  ports: Ports,
): Promise<readonly Accepted[]> {
  const accepted: Accepted[] = [];
  const meant = accepting.only && new Set(accepting.only);
  for (const finding of findings) {
    const isLeft = isProposal(finding) && meant?.has(finding.entry?.payoutId ?? '') === false;
    if (isLeft) continue;
    const payout = finding.entry && (await ports.ledger.payout(finding.entry.payoutId));
    const done = payout && (await acceptOne(finding, payout, { accepting, ports }));
    if (done !== undefined) accepted.push({ finding, ...done });
  }
  return accepted;
}

interface Work {
  readonly accepting: Accepting;
  readonly ports: Ports;
}

async function acceptOne(finding: Finding, payout: Payout, work: Work): Promise<Done | undefined> {
  const { accept } = work.accepting;
  switch (finding.kind) {
    case 'incident':
      return acceptIncident(payout, finding, work);
    case 'theirs_only':
      return holdUnsent(payout, finding, work);
    case 'propose_paid':
      return accept === 'paid' ? rule(payout, finding, paidBy(finding, work), work) : undefined;
    case 'propose_not_paid':
      return accept === 'not_paid' ? rule(payout, finding, notPaidBy(work), work) : undefined;
    default:
      return undefined;
  }
}

function paidBy({ transferId = '', lines }: Finding, work: Work): RulingRequest {
  const shownBy = `${statementText(work)}, line ${lines[0]?.rowNumber}`;
  return { kind: 'paid', by: work.accepting.by, transferId, evidence: undefined, shownBy };
}

function notPaidBy(work: Work): RulingRequest {
  const { by, span, evidence } = work.accepting;
  const reach = `${counted(span.lines, 'line')} from ${span.first ?? '?'} to ${span.last ?? '?'}`;
  const complete = evidence === undefined ? '' : `; it is complete by ${evidence}`;
  return { kind: 'not_paid', by, evidence: `not in ${statementText(work)}, ${reach}${complete}` };
}

function statementText({ accepting }: Work): string {
  return `statement ${accepting.fileName} (SHA-256 ${accepting.sha256})`;
}

async function rule(
  payout: Payout,
  finding: Finding,
  request: RulingRequest,
  { ports }: Work,
): Promise<Done | undefined> {
  if (!isAcceptable(finding)) return undefined;
  const resolved = await resolveDoubt(payout, request, ports);
  if (resolved.kind === 'ruled') return { outcome: 'ruled', reason: '' };
  const differences = resolved.differences.length === 0 ? '' : ` (${resolved.differences.join('; ')})`;
  return { outcome: 'refused', reason: resolved.reason + differences };
}

/**
 * The state becomes settled only where the service confirms the transfer; else the incident is a note, made once. Either
 * way the row is not paid again.
 */
async function acceptIncident(payout: Payout, finding: Finding, work: Work): Promise<Done> {
  const { transferId, text } = finding;
  const isRuled = isIn(payout, 'failed') && payout.state.basis === 'ruled';
  if (isRuled && transferId !== undefined) {
    const resolved = await resolveDoubt(payout, paidBy(finding, work), work.ports);
    if (resolved.kind === 'incident') return { outcome: 'noted', reason: resolved.reason };
  }
  const isNoted = (await notedIncidents(payout.batchId, work.ports)).has(payout.id);
  if (!isNoted) await raiseIncident(payout, `${text}, ${statementText(work)}`, work.ports);
  return { outcome: 'noted', reason: text };
}

/** A payment that this ledger believes unsent must not go out while a statement shows it. */
async function holdUnsent(payout: Payout, finding: Finding, work: Work): Promise<Done> {
  if (isIn(payout, 'held')) return besideHold(payout, finding, work);
  const { state } = payout;
  const { lines, by } = finding;
  if (!mayFollow(state, 'hold')) return { outcome: 'refused', reason: `it is ${state.status} now` };
  const { ports } = work;
  const what = by === 'tag' ? 'it as paid already' : 'a payment with its account and amount';
  const text = `A statement shows ${what}: ${statementText(work)}, line ${lines[0]?.rowNumber}`;
  const reasons = [{ concern: { kind: 'maybe_paid', evidence: text } as const, text }];
  const pricing = pricingIn(state);
  const event = { kind: 'hold', reasons, pricing, at: ports.clock.now() } as const;
  const recorded = await recordEvent(payout, event, ports);
  return recorded.kind === 'recorded'
    ? { outcome: 'noted', reason: 'held: it is not sent while a person has not looked' }
    : { outcome: 'refused', reason: 'The row changed just now; look again.' };
}

/** Whoever releases it would be asked about its own reason alone. An incident stops it once more before it is sent. */
async function besideHold(payout: Payout & PayoutIn<'held'>, finding: Finding, work: Work): Promise<Done> {
  const isRepeat = payout.state.reasons.some(({ concern }) => concern.kind === 'maybe_paid');
  if (finding.isPressing === true && !isRepeat) return acceptIncident(payout, finding, work);
  const why = isRepeat
    ? ''
    : ' for another reason; do not release it before somebody has looked at this line';
  return { outcome: 'refused', reason: `it is held already${why}` };
}
