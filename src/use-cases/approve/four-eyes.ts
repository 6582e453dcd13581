/**
 * Four eyes: whoever made what waits for approval cannot approve it. Makers are the person who brought the file, who
 * revised it, who corrected a cell of it, who said how it is read, and who asked to pay one of its rows again: each of them decided that money goes somewhere. Whoever releases a row made nothing: the release is a
 * checker's look at what others made.
 *
 * Who approves is proven by a signature, or by a login of the operating system (lasting-rules.ts).
 *
 * Why:     whoever makes the ticket of a passkey can register it, and is then two people. So nobody approves with a passkey
 *          that goes back to a link of a maker, whether he came in with it or signs with it; and nobody approves what
 *          was made by somebody who came in with a passkey of his ticket.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { mayDo } from '../../domain/people/person.ts';
import type { Excluded, Made, SamePerson } from '../../domain/plan/typed-totals.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { BroughtRevision } from '../../ports/ledger/batches.ts';
import type { Notes } from '../../ports/ledger/notes.ts';
import { type KnownPerson, lettersIn, passkeysKnown } from '../people/passkeys-known.ts';
import type { Ports } from '../ports.ts';
import { isUnder } from './lasting-rules.ts';

type Brought = Pick<Batch, 'id' | 'maker' | 'approval'>;
type Reading = Pick<Ports, 'ledger'>;
type Watching = Pick<Ports, 'ledger' | 'policy'> & Partial<Pick<Ports, 'cameWith'>>;

/** Why this rule forbids this person to approve what waits, with the passkey that he came in with or another one. */
export async function whyNotApprove(
  batch: Brought,
  by: string,
  { cameWith, ...ports }: Watching,
  passkey = cameWith,
): Promise<SamePerson | undefined> {
  if (!(await isUnder('four_eyes', batch.id, ports))) return undefined;
  const shapers = await shapersOf(batch, ports);
  const own = await madeBy(by, { batch, shapers }, ports);
  if (own !== undefined) return { kind: 'same_person', ...own };
  const known = await passkeysKnown(ports);
  if (passkey !== undefined) {
    if (!known.passkeys.some(({ credentialId, person }) => credentialId === passkey && person === by))
      throw new RequestRefused(`${printable(by)} came in with what is no passkey of ${printable(by)} here.`);
    for (const letter of lettersIn(passkey, known)) {
      const made = await madeBy(letter, { batch, shapers }, ports);
      if (made !== undefined) return { kind: 'let_in_by_maker', ...made, by };
    }
  }
  for (const { by: maker, passkey } of shapers.noted) {
    if (passkey === undefined || !lettersIn(passkey, known).includes(by)) continue;
    const made = await madeBy(maker, { batch, shapers }, ports);
    if (made !== undefined) return { kind: 'let_maker_in', ...made, by };
  }
  return undefined;
}

/** People with the right to approve who may not approve what waits, whichever of their passkeys they come in with. */
export async function excludedFrom(
  batch: Brought,
  people: readonly KnownPerson[],
  ports: Omit<Watching, 'cameWith'>,
): Promise<readonly Excluded[]> {
  const found: Excluded[] = [];
  for (const { id: person, passkeys } of people.filter((each) => mayDo(each, 'approve'))) {
    const ways = passkeys.length === 0 ? [undefined] : passkeys.map(({ credentialId }) => credentialId);
    const reasons = await Promise.all(ways.map((passkey) => whyNotApprove(batch, person, ports, passkey)));
    const [why] = reasons;
    if (why !== undefined && reasons.every((reason) => reason !== undefined)) found.push({ person, why });
  }
  return found;
}

/** With which a second person approves: a login of their own, where the ledger is open to others, or the console's passkey. */
export function secondPersonsCommand(
  batch: Pick<Batch, 'id' | 'name'>,
  { hasOwnLogin }: Pick<Ports, 'hasOwnLogin'>,
): Command {
  return hasOwnLogin === true ? command('approve', [batchLabel(batch)]) : command('console');
}

interface Shapers {
  readonly noted: readonly Notes['shaped'][];
  /** What they did to the file, also where its rows were approved since: what it pays is theirs as long as it is. */
  readonly how: ReadonlyMap<string, NonNullable<Made['as']>>;
}

async function shapersOf({ id }: Brought, { ledger }: Reading): Promise<Shapers> {
  const noted = (await ledger.notes(id, 'shaped')).map(({ body }) => body);
  const others = noted
    .filter(({ passkey, how }) => passkey === undefined || how !== undefined)
    .map(({ by, how }) => [by, how === undefined ? 'program' : 'reader'] as const);
  const corrected = await ledger.notes(id, 'cell_corrected');
  return {
    noted,
    how: new Map([...others, ...corrected.map(({ body }) => [body.by, 'corrector'] as const)]),
  };
}

/** undefined: this person made nothing of what waits. */
async function madeBy(
  by: string,
  { batch, shapers }: { readonly batch: Brought; readonly shapers: Shapers },
  ports: Reading,
): Promise<Made | undefined> {
  if (await hasBrought(batch, by, ports)) return { maker: by };
  const as = shapers.how.get(by);
  return as === undefined ? undefined : { maker: by, as };
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
