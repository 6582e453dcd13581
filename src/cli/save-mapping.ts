/**
 * `payfile mapping save NAME FILE [--map field=Header…] [--value "WRITTEN=INSTITUTION"…]`: remembers which column
 * of such files holds which field, and what their names of institutions mean. Saving again adds to it.
 */

import { findUnknownInstitutions, type InstitutionNames } from '../application/unknown-institutions.ts';
import { counted } from '../domain/counted.ts';
import { isSameHeader } from '../domain/header-alias.ts';
import {
  headerFingerprint,
  type Mapping,
  mappingNameFault,
  recognisedMapping,
  withValues,
} from '../domain/mapping.ts';
import { printable } from '../domain/printable.ts';
import { pathWord } from '../domain/shell-word.ts';
import { acceptValues } from './accept-values.ts';
import { argument, type Call, shellWord, tellSteps, typed } from './call.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { layoutWords, typedForFile } from './file-words.ts';
import type { Opened } from './open-parts.ts';
import { readOptions } from './place-file.ts';
import { mappingJson, printMapping } from './print-mapping.ts';
import { askForValues, newMapping } from './propose-values.ts';
import { requireFile, requireService } from './run-usage.ts';
import { institutionText, savedMappings, unknownJson, unknownText } from './saved-mappings.ts';
import { UsageError } from './usage-error.ts';

const UNKNOWN_SHOWN = 20;

/** `call` has the file as its first word. */
export async function saveMapping(name: string, call: Call, opened: Opened): Promise<ExitCode> {
  const fault = mappingNameFault(name);
  if (fault !== undefined)
    throw new UsageError(`“${printable(name)}” cannot name a mapping; expected ${fault}.`);
  requireService(opened.settings);
  await requireFile(call);
  const { environment } = opened.settings;
  const store = await opened.parts.mappings();
  const all = await store.all();
  const world = { paymentService: await opened.parts.paymentService(), tell: opened.progress.tell };
  const { open, signal } = readOptions(call, opened, await savedMappings(opened));
  const names = await findUnknownInstitutions(opened.parts.openRows, { open, signal }, world);
  opened.progress.clear();
  const before = earlier(name, names, { all, call });
  const said = await acceptValues(call.flags.value ?? [], names, { ...world, call, environment });
  const answered = await askForValues(left(names, said), call, environment);
  const fresh = newMapping(name, names, opened.parts.clock.now());
  const mapping = withValues({ ...fresh, values: before?.values ?? [] }, [...said, ...answered]);
  await store.save(mapping);
  const unknown = left(names, [...said, ...answered]).unknown;
  tellSaved(mapping, unknown, call);
  const next = typedForFile(call, 'check');
  tellSteps({ next }, call.terminal);
  call.terminal.answer({
    schemaVersion: 1,
    command: 'mapping',
    environment,
    exitCode: EXIT.done,
    mapping: mappingJson(mapping),
    place: store.place,
    unknown: unknown.map(unknownJson),
    next,
  });
  return EXIT.done;
}

/** Throws UsageError where the name or the headers are taken: two mappings of the same headers would be a riddle. */
function earlier(
  name: string,
  { headers }: InstitutionNames,
  { all, call }: { readonly all: readonly Mapping[]; readonly call: Call },
): Mapping | undefined {
  const known = recognisedMapping(headers, all);
  if (known !== undefined && known.name !== name) {
    throw new UsageError(
      `Files with these columns are known already, as “${known.name}”. Save them under that name, or forget it first: ${typed(call, `mapping forget ${shellWord(known.name)}`)}`,
      typed(call, `mapping save ${shellWord(known.name)} ${pathWord(argument(call, 0))}${layoutWords(call)}`),
    );
  }
  const named = all.find((mapping) => mapping.name === name);
  if (named !== undefined && headerFingerprint(named.headers) !== headerFingerprint(headers)) {
    throw new UsageError(
      `“${name}” is a mapping of files with other columns: ${named.headers.map(printable).join(', ')}. Choose another name.`,
      typed(call, `mapping show ${shellWord(name)}`),
    );
  }
  return named;
}

/** Without the names that were just accepted. */
function left(names: InstitutionNames, accepted: Mapping['values']): InstitutionNames {
  const isAccepted = (iso: string, written: string) =>
    accepted.some((value) => value.country === iso && isSameHeader(value.written, written));
  return { ...names, unknown: names.unknown.filter((each) => !isAccepted(each.country.iso, each.written)) };
}

function tellSaved(mapping: Mapping, unknown: InstitutionNames['unknown'], call: Call): void {
  const { terminal } = call;
  terminal.print(printMapping(mapping));
  for (const each of unknown.slice(0, UNKNOWN_SHOWN)) {
    const { country, written, suggestions } = each;
    const near =
      suggestions.length === 0
        ? `See: ${typed(call, `institutions ${country.iso}`)}.`
        : `Did you mean ${suggestions.map(institutionText).join(' or ')}?`;
    // A suggestion is never put into the command: copying it must not be all that it takes.
    const flag = shellWord(`${country.iso}/${printable(written)}=INSTITUTION`);
    terminal.talk(
      `Not in the list: ${unknownText(each)}. ${near} To accept one, save again with --value ${flag}`,
    );
  }
  if (unknown.length > UNKNOWN_SHOWN)
    terminal.talk(`… and ${counted(unknown.length - UNKNOWN_SHOWN, 'more name')}.`);
}
