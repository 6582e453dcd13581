/**
 * Four eyes: whoever made what waits for approval cannot approve it. Makers are the person who brought the file, who
 * revised it, and who asked to pay one of its rows again: each of them decided that money goes somewhere.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import type { Ports } from '../ports.ts';
import { isUnder } from './lasting-rules.ts';

type Reading = Pick<Ports, 'ledger'>;
type Watching = Pick<Ports, 'ledger' | 'policy'>;

/** Whether this rule forbids this person to approve what waits. */
export async function mayNotApprove(
  batch: Pick<Batch, 'id' | 'maker' | 'approval'>,
  by: string,
  ports: Watching,
): Promise<boolean> {
  return (await isUnder('four_eyes', batch.id, ports)) && (await hasBrought(batch, by, ports));
}

export interface FourEyes {
  readonly isOn: boolean;
  /** Of those who brought the file, who revised it, and who asks: whoever may not approve what waits. */
  readonly mayNotApprove: readonly string[];
}

export async function fourEyesOf(
  batch: Pick<Batch, 'id' | 'maker' | 'approval'>,
  asking: string,
  ports: Watching,
): Promise<FourEyes> {
  if (!(await isUnder('four_eyes', batch.id, ports))) return { isOn: false, mayNotApprove: [] };
  const revised = await ports.ledger.revisions(batch.id);
  const mayNotApprove: string[] = [];
  for (const person of new Set([batch.maker, ...revised.map(({ by }) => by), asking]))
    if (await hasBrought(batch, person, ports)) mayNotApprove.push(person);
  return { isOn: true, mayNotApprove };
}

/** Whether this person brought something that still waits: the file, a revision, or a payment made again. */
async function hasBrought(
  { id, maker, approval }: Pick<Batch, 'id' | 'maker' | 'approval'>,
  by: string,
  ports: Reading,
): Promise<boolean> {
  if (maker === by) return true;
  const revised = (await ports.ledger.revisions(id)).filter((revision) => revision.by === by);
  if (revised.some(({ at }) => approval === undefined || at >= approval.at)) return true;
  // Who brought no revision can only have asked for rows to be paid again, and those are few.
  const waiting =
    revised.length === 0
      ? [await ports.ledger.waitingReplacements(id)]
      : ports.ledger.payouts(id, { statuses: ['quoted'] });
  for await (const page of waiting) {
    for (const payout of page) if (await isBroughtIn(payout, { by, revised }, ports)) return true;
  }
  return false;
}

/** A row may have waited while others of its file were approved: its own journal says who brought it. */
async function isBroughtIn(
  payout: Payout,
  { by, revised }: { readonly by: string; readonly revised: readonly BroughtRevision[] },
  { ledger }: Reading,
): Promise<boolean> {
  if (revised.length === 0 && payout.instruction?.replaces === undefined) return false;
  const imports = new Set<unknown>(revised.map(({ importId }) => importId));
  return (await ledger.journalOf(payout.id)).some(
    ({ kind, body }) =>
      (kind === 'replacement' && body['by'] === by) || (kind === 'joined' && imports.has(body['import'])),
  );
}
