/** Lists of the service that show which column of a file holds institutions, before any row can be validated. */
import type { Answer } from '../../domain/reading/answer.ts';
import { textsOf } from '../../domain/reading/columns-for.ts';
import type { Look } from '../../domain/reading/look.ts';
import type { Directory } from '../../domain/rows/directory.ts';
import type { Questions } from './read-pass.ts';

interface Asking {
  readonly directory: Directory;
  readonly ports: Questions;
  readonly signal: AbortSignal | undefined;
}

/**
 * Lists of institutions, by which columns of institutions are known: of the countries that the file names, else of all.
 * Without one the person chooses with less to go by.
 */
export async function addListsToKnowBy(
  look: Look,
  answers: readonly Answer[],
  { directory, ports, signal }: Asking,
): Promise<void> {
  const set = answers.flatMap((answer) =>
    answer.kind === 'set' && answer.field === 'country' ? [answer.text] : [],
  );
  const held = look.columns.flatMap((column) => (column.field === 'country' ? textsOf(column) : []));
  const named = [...set, ...held].flatMap((text) => {
    const found = directory.findCountry(text);
    return found.kind === 'found' ? [found.item] : [];
  });
  const missing = (named.length > 0 ? [...new Set(named)] : directory.countries).filter(
    ({ id }) => !directory.hasInstitutionsOf(id),
  );
  for (const { id } of missing) {
    const asked = await ports.paymentService.institutions(id, signal);
    if (asked.kind === 'answered' && asked.answer.length > 0) directory.addInstitutions(id, asked.answer);
    else if (asked.kind === 'unavailable') return;
  }
}
