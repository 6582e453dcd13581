/** Institutions that earlier runs of a batch set aside, kept in its journal: the first row of each is tried alone. */
import { asInstitutionId, type InstitutionId } from '../domain/country.ts';
import type { BatchId } from '../domain/instruction.ts';
import type { World } from './world.ts';

const NOTE_KIND = 'institution_set_aside';

export async function setAsideInstitutions(
  batchId: BatchId,
  world: Pick<World, 'ledger'>,
): Promise<readonly InstitutionId[]> {
  const notes = await world.ledger.notes(batchId, NOTE_KIND);
  return notes.map(({ body }) => asInstitutionId(String(body.institution)));
}

export async function rememberSetAside(
  batchId: BatchId,
  institutions: { readonly now: readonly InstitutionId[]; readonly before: readonly InstitutionId[] },
  world: Pick<World, 'ledger' | 'clock'>,
): Promise<void> {
  for (const institution of institutions.now) {
    if (institutions.before.includes(institution)) continue;
    await world.ledger.note(batchId, NOTE_KIND, { institution }, world.clock.now());
  }
}
