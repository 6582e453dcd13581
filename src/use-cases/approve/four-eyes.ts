/**
 * Four eyes: whoever made what waits for approval cannot approve it. Makers are the person who brought the file, who
 * revised it, and who asked to pay one of its rows again: each of them decided that money goes somewhere.
 *
 * Why:     whoever makes the ticket of a passkey can register it, and is then two people. So nobody approves with a passkey
 *          that goes back to a ticket of a maker, whether he came in with it or signs with it.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { printable } from '../../domain/text/printable.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import { lettersIn, passkeysKnown } from '../people/passkeys-known.ts';
import type { Ports } from '../ports.ts';
import { RequestRefused } from '../request-refused.ts';
import { isUnder } from './lasting-rules.ts';

type Brought = Pick<Batch, 'id' | 'maker' | 'approval'>;
type Reading = Pick<Ports, 'ledger'>;
type Watching = Pick<Ports, 'ledger' | 'policy' | 'cameWith'>;

export type SamePerson =
  | { readonly kind: 'same_person'; readonly maker: string }
  /** May be the same: the passkey of `by` goes back to a ticket of this maker. */
  | { readonly kind: 'let_in_by_maker'; readonly maker: string; readonly by: string };

/** Why this rule forbids this person to approve what waits, with the passkey that he came in with or another one. */
export async function whyNotApprove(
  batch: Brought,
  by: string,
  { cameWith, ...ports }: Watching,
  passkey = cameWith,
): Promise<SamePerson | undefined> {
  if (!(await isUnder('four_eyes', batch.id, ports))) return undefined;
  if (await hasBrought(batch, by, ports)) return { kind: 'same_person', maker: by };
  if (passkey === undefined) return undefined;
  const known = await passkeysKnown(ports);
  if (!known.passkeys.some(({ credentialId, person }) => credentialId === passkey && person === by))
    throw new RequestRefused(`${printable(by)} came in with what is no passkey of ${printable(by)} here.`);
  for (const maker of lettersIn(passkey, known))
    if (await hasBrought(batch, maker, ports)) return { kind: 'let_in_by_maker', maker, by };
  return undefined;
}

export interface FourEyes {
  readonly isOn: boolean;
  /** Of those who brought the file, who revised it, and who asks: whoever may not approve what waits. */
  readonly mayNotApprove: readonly string[];
  /** Why whoever asks may not. */
  readonly why?: SamePerson | undefined;
}

export async function fourEyesOf(batch: Brought, asking: string, ports: Watching): Promise<FourEyes> {
  if (!(await isUnder('four_eyes', batch.id, ports))) return { isOn: false, mayNotApprove: [] };
  const why = await whyNotApprove(batch, asking, ports);
  const revised = await ports.ledger.revisions(batch.id);
  const mayNotApprove: string[] = why === undefined ? [] : [asking];
  for (const person of new Set([batch.maker, ...revised.map(({ by }) => by)]))
    if (person !== asking && (await hasBrought(batch, person, ports))) mayNotApprove.push(person);
  return { isOn: true, mayNotApprove, why };
}

/** Whether this person brought something that still waits: the file, a revision, or a payment made again. */
async function hasBrought({ id, maker, approval }: Brought, by: string, ports: Reading): Promise<boolean> {
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
