/**
 * The name of a new batch.
 *
 * Errors:  RequestRefused.
 */
import { BATCH_NAME_RULE, type Batch, batchLabel, isBatchName } from '../../domain/batches/batch.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { RequestRefused } from '../request-refused.ts';

/** A file may be given the name of a batch that is there: it is a revision of it, or the same. */
export async function requireBatchName(
  name: string,
  batchesOf: () => Promise<Pick<Ledger, 'batches'> | undefined>,
): Promise<void> {
  if (!isBatchName(name)) throw notAName(name);
  if (!/^\d+$/.test(name)) return;
  const batches = (await (await batchesOf())?.batches()) ?? [];
  if (batches.some((batch) => batch.name === name)) return;
  refuseId(name, batches);
}

/** Such a name would mean either batch wherever one of them is typed. */
function refuseId(name: string, batches: readonly Batch[]): void {
  const other = batches.find(({ id }) => id === name);
  if (other !== undefined) throw nameIsId(name, other);
}

export function nameIsId(name: string, other?: Batch): RequestRefused {
  const called = other?.name === undefined ? 'another batch' : `batch ${batchLabel(other)}`;
  return new RequestRefused(
    `No batch can be called “${name}”, because that is the id of ${called}. Give it another name. Nothing was sent.`,
  );
}

/** `may` for the file `may.xlsx`, or `may-2` where a batch has that name. `ledger`: undefined where there is none yet. */
export async function proposedName(
  fileName: string,
  ledger: Pick<Ledger, 'isNameTaken'> | undefined,
): Promise<string> {
  const own = fileName.replace(/\.\w{1,5}$/, '').replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ');
  const bare = own.trim().slice(0, PROPOSED_MAX).trim() || 'payments';
  let proposed = bare;
  for (let count = 2; (await ledger?.isNameTaken(proposed)) === true; count += 1)
    proposed = `${bare}-${count}`;
  return proposed;
}

/** With room for a number. */
const PROPOSED_MAX = 80;

/** The answer to a question for the name of a new batch. */
export async function freeBatchName(answer: string, ledger: Pick<Ledger, 'batches'>): Promise<string> {
  const name: unknown = typeof answer === 'string' ? answer.trim() : answer;
  if (!isBatchName(name)) throw notAName(answer);
  const batches = await ledger.batches();
  refuseId(name, batches);
  if (batches.some((batch) => batch.name === name))
    throw new RequestRefused(
      `A batch is called “${printable(name)}” already. Give the new one another name. Nothing was sent.`,
    );
  return name;
}

const SHOWN_MAX = 60;

function notAName(name: unknown): RequestRefused {
  const shown = printable(String(name).slice(0, SHOWN_MAX));
  return new RequestRefused(
    `No batch can be called “${shown}”; expected ${BATCH_NAME_RULE}. Nothing was sent.`,
  );
}
