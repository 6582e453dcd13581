/**
 * On a terminal: which institution is meant by each unknown name of the file, asked once per name and remembered
 * when a person chooses. Suggestions stand best first, then the rest of the country's list; the answer of mere
 * Enter accepts none of them.
 */

import {
  type AcceptedValue,
  fileHeaders,
  type Mapping,
  mappingNameFault,
  withValues,
} from '../../../domain/rows/mapping.ts';
import type { Field } from '../../../domain/rows/row.ts';
import { command } from '../../../domain/steps/command.ts';
import type { MappingStore } from '../../../ports/row-source.ts';
import { findUnknownInstitutions, type InstitutionNames } from '../../../use-cases/intake/check-file.ts';
import { type Call, typed } from '../call.ts';
import type { Opened } from '../open-parts.ts';
import { askChoice, askText, mayAsk } from '../terminal/ask.ts';
import { acceptedValue, institutionText, layoutOf, unknownText } from './mapping.ts';

/** More names than this are no slip of the pen; they belong in a list. */
const MOST_QUESTIONS = 20;
const NONE = '';

/** What a person accepted; empty when nobody can be asked, or nothing was accepted. */
export async function askForValues(
  { unknown, directory }: InstitutionNames,
  call: Call,
  environment: AcceptedValue['environment'],
): Promise<readonly AcceptedValue[]> {
  const accepted: AcceptedValue[] = [];
  if (!mayAsk(call)) return accepted;
  for (const each of unknown.slice(0, MOST_QUESTIONS)) {
    const { suggestions } = each;
    const others = directory
      .institutionsOf(each.country.id)
      .filter((item) => !suggestions.includes(item))
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
    const listed = [...suggestions, ...others];
    if (listed.length === 0) continue;
    const choices = listed.map((institution) => ({
      value: institution.id as string,
      label: institutionText(institution),
    }));
    const none = { value: NONE, label: 'None of these: leave it unknown' };
    const id = await askChoice(call, `${unknownText(each)} is not in the list. Which institution is it?`, [
      none,
      ...choices,
    ]);
    if (id === undefined) return [];
    const chosen = listed.find((institution) => institution.id === id);
    if (chosen !== undefined) accepted.push(acceptedValue(each, chosen, environment));
  }
  return accepted;
}

/** After a check that found unknown names: asks, and remembers the answers under a name. true: something was. */
export async function proposeValues(call: Call, opened: Opened): Promise<boolean> {
  if (!mayAsk(call)) return false;
  const world = { paymentService: await opened.parts.paymentService(), tell: () => undefined };
  const { open, signal } = await layoutOf(call, opened);
  const names = await findUnknownInstitutions(opened.parts.openRows, { open, signal }, world);
  const values = await askForValues(names, call, opened.settings.environment);
  if (values.length === 0) return false;
  const store = await opened.parts.mappings();
  const mapping = await mappingToKeep(names, store, { ...opened, call });
  if (mapping === undefined) {
    call.terminal.talk('Nothing was remembered.');
    return false;
  }
  await store.save(withValues(mapping, values));
  call.terminal.talk(
    `Remembered in the mapping “${mapping.name}”; see it with: ${typed(call, command('mapping', ['show', mapping.name]))}`,
  );
  return true;
}

async function mappingToKeep(
  names: InstitutionNames,
  store: MappingStore,
  { parts, call }: Opened & { readonly call: Call },
): Promise<Mapping | undefined> {
  const all = await store.all();
  const known = all.find(({ name }) => name === names.mapping?.name);
  if (known !== undefined) return known;
  const name = await askText(call, 'Remember it for files with these columns, under which name?', (text) => {
    const fault = mappingNameFault(text.trim());
    if (fault !== undefined) return `Write ${fault}.`;
    return all.some((mapping) => mapping.name === text.trim())
      ? 'There is a mapping of this name.'
      : undefined;
  });
  return name === undefined ? undefined : newMapping(name.trim(), names, parts.clock.now());
}

export function newMapping(
  name: string,
  { headers, columns }: Pick<InstitutionNames, 'headers' | 'columns'>,
  savedAt: Mapping['savedAt'],
): Mapping {
  return { name, headers: fileHeaders(headers), columns: columnsOf(headers, columns), values: [], savedAt };
}

/** Which payout a row replaces is our own column, and found by its own name. */
function columnsOf(
  headers: readonly string[],
  columns: ReadonlyMap<Field, number>,
): ReadonlyMap<Field, string> {
  return new Map(
    [...columns]
      .filter(([field]) => field !== 'replaces')
      .map(([field, index]) => [field, headers[index] ?? ''] as const),
  );
}
