/**
 * Reads a file for one thing: which written names of institutions the service's lists do not have, each once,
 * with what they may mean. Nothing is bound here; a person chooses.
 */
import { withAcceptedValues } from '../domain/accepted-values.ts';
import type { Country, Institution } from '../domain/country.ts';
import type { Directory } from '../domain/directory.ts';
import type { Mapping } from '../domain/mapping.ts';
import { createCellReader } from '../domain/row-cells.ts';
import { foldText } from '../domain/text-fold.ts';
import type { OpenRows, OpenRowsOptions, RowSource } from '../ports/row-source.ts';
import { loadDirectory, loadInstitutions } from './read-rows.ts';
import type { World } from './world.ts';

export interface UnknownInstitution {
  readonly country: Country;
  /** As it was written first. */
  readonly written: string;
  readonly firstRow: number;
  readonly rows: number;
  /** Best first. */
  readonly suggestions: readonly Institution[];
}

export interface InstitutionNames {
  readonly headers: readonly string[];
  readonly columns: RowSource['columns'];
  /** The one that was recognised. */
  readonly mapping: Mapping | undefined;
  readonly unknown: readonly UnknownInstitution[];
  /** With the institutions of every country of the file. */
  readonly directory: Directory;
}

/** A hostile file could hold a million different names. */
const MOST = 1_000;

export async function findUnknownInstitutions(
  openRows: OpenRows,
  options: { readonly open: OpenRowsOptions; readonly signal?: AbortSignal | undefined },
  world: Pick<World, 'paymentService' | 'tell'>,
): Promise<InstitutionNames> {
  const file = await openRows(options.open);
  try {
    const { headers, columns, mapping } = file;
    const directory = await loadDirectory(world, options.signal);
    const known = mapping === undefined ? directory : withAcceptedValues(directory, mapping);
    const found = new Map<string, UnknownInstitution>();
    const cellsOf = createCellReader(columns);
    for await (const chunk of file.rows(options.signal)) {
      options.signal?.throwIfAborted();
      for (const row of chunk) {
        const { country: where, institution: written } = cellsOf(row).texts;
        const country = where === '' || written === '' ? undefined : countryOf(directory, where);
        if (country === undefined) continue;
        if (!directory.hasInstitutionsOf(country.id))
          await loadInstitutions(directory, country.id, world, options.signal);
        const listed = known.findInstitution(country.id, written);
        if (listed.kind === 'unknown')
          count(found, {
            country,
            written,
            firstRow: row.rowNumber,
            rows: 1,
            suggestions: listed.suggestions,
          });
      }
    }
    return { headers, columns, mapping, unknown: [...found.values()], directory };
  } finally {
    await file.close();
  }
}

function countryOf(directory: Directory, written: string): Country | undefined {
  const found = directory.findCountry(written);
  return found.kind === 'found' ? found.item : undefined;
}

function count(found: Map<string, UnknownInstitution>, unknown: UnknownInstitution): void {
  const key = `${unknown.country.id}\n${foldText(unknown.written) || unknown.written}`;
  const before = found.get(key);
  if (before !== undefined) found.set(key, { ...before, rows: before.rows + 1 });
  else if (found.size < MOST) found.set(key, unknown);
}
