/**
 * Four eyes: whoever made what waits for approval cannot approve it. Makers are the person who brought the file, who
 * revised it, and who asked to pay one of its rows again: each of them decided that money goes somewhere.
 *
 * A batch that was planned, revised or approved under this rule keeps it for ever, whatever a later configuration says:
 * otherwise the person whom the rule controls could switch it off. It is kept in the batch's journal.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import type { Ports } from '../ports.ts';

type Reading = Pick<Ports, 'ledger'>;
type Watching = Pick<Ports, 'ledger' | 'policy'>;

const NOTE_KIND = 'four_eyes';

async function isUnderFourEyes(id: BatchId, { ledger, policy }: Watching): Promise<boolean> {
  return policy.fourEyes || (await ledger.notes(id, NOTE_KIND)).length > 0;
}

/** Written before the rows it protects, so that no crash leaves a batch without it. */
export async function recordFourEyes(id: BatchId, by: string, ports: Watching & Pick<Ports, 'clock'>) {
  const { ledger, policy, clock } = ports;
  if (!policy.fourEyes || (await ledger.notes(id, NOTE_KIND)).length > 0) return;
  await ledger.note(id, NOTE_KIND, { by }, clock.now());
}

/** Whether this rule forbids this person to approve what waits. */
export async function mayNotApprove(
  batch: Pick<Batch, 'id' | 'maker' | 'approval'>,
  by: string,
  ports: Watching,
): Promise<boolean> {
  return (await isUnderFourEyes(batch.id, ports)) && (await hasBrought(batch, by, ports));
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
  for await (const page of ports.ledger.payouts(id, { statuses: ['quoted'] })) {
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
