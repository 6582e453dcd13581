/**
 * `payfile mapping list | show NAME | save NAME FILE | forget NAME`: what was said once of the columns and the
 * names of institutions in files with the same headers, so that it need not be said again.
 *
 * --json: list {mappings: [{name, fingerprint, …}]}; show and save {mapping}; save also {unknown: [{country,
 * written, rows, firstRow, suggestions}]}; forget {forgotten: name}. Always {place, exitCode}.
 */

import { isSameHeader } from '../../../domain/rows/columns.ts';
import type { Institution } from '../../../domain/rows/directory.ts';
import {
  type AcceptedValue,
  headerFingerprint,
  type Mapping,
  mappingNameFault,
  recognisedMapping,
  withValues,
} from '../../../domain/rows/mapping.ts';
import {
  type Command,
  command,
  commandText,
  helpOn,
  nextSteps,
  plainPath,
  shellWord,
  type Word,
} from '../../../domain/steps/command.ts';
import { closest } from '../../../domain/text/likeness.ts';
import { counted, printable, rowsText } from '../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { MappingStore } from '../../../ports/row-source.ts';
import {
  findUnknownInstitutions,
  type InstitutionNames,
  type UnknownInstitution,
} from '../../../use-cases/intake/check-file.ts';
import { argument, type Call, tellSteps, typed, typedSteps, UsageError } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { requireService } from '../run-usage.ts';
import { tableOf } from '../terminal/table.ts';
import { fileCommand, layoutFlags } from '../words/file-words.ts';
import { acceptValues } from './accept-values.ts';
import { askForValues, newMapping } from './propose-values.ts';

const NAME: Word = { fillIn: 'NAME' };
const USAGE: ReadonlyMap<string, Command> = new Map([
  ['list', command('mapping', ['list'])],
  ['show', command('mapping', ['show', NAME])],
  ['save', command('mapping', ['save', NAME, { fillIn: 'FILE' }])],
  ['forget', command('mapping', ['forget', NAME])],
]);

export async function mapping(call: Call): Promise<ExitCode> {
  const [action = '', ...words] = call.args;
  const usage = USAGE.get(action);
  if (usage === undefined) {
    const all = [...USAGE.keys()].join(', ');
    throw new UsageError(
      `“${printable(action)}” cannot be done to a mapping; expected ${all}.`,
      helpOn('mapping'),
    );
  }
  if (words.length !== usage.words.length - 1)
    throw new UsageError(`Expected: ${commandText(usage, {})}`, usage);
  const opened = await openParts(call);
  const store = await opened.parts.mappings();
  if (action === 'list') return list(store, call);
  const name = argument(call, 1);
  if (action === 'show') return show(await named(name, store), store, call);
  if (action === 'forget') return forget(await named(name, store), store, call);
  return saveMapping(name, { ...call, args: [argument(call, 2)] }, opened);
}

async function list(store: MappingStore, call: Call): Promise<ExitCode> {
  const all = await store.all();
  const columns = [
    { title: 'Mapping' },
    { title: 'Columns', right: true },
    { title: 'Names', right: true },
    { title: 'Saved' },
  ];
  const rows = all.map(({ name, columns: { size }, values, savedAt }) => [
    name,
    String(size),
    String(values.length),
    formatTimestamp(savedAt).slice(0, 10),
  ]);
  call.terminal.print(all.length === 0 ? 'No mapping is saved.' : tableOf(columns, rows).join('\n'));
  if (all.length === 0) tellSteps(typedSteps(call, nextSteps(USAGE.get('save'))), call.terminal);
  return answer(call, store, { mappings: all.map(mappingJson) });
}

async function show(found: Mapping, store: MappingStore, call: Call): Promise<ExitCode> {
  call.terminal.print(printMapping(found));
  return answer(call, store, { mapping: mappingJson(found) });
}

async function forget({ name }: Mapping, store: MappingStore, call: Call): Promise<ExitCode> {
  await store.forget(name);
  call.terminal.result(`Forgot the mapping “${name}”. No payment is touched by that.`);
  return answer(call, store, { forgotten: name });
}

function answer(call: Call, { place }: MappingStore, document: Readonly<Record<string, unknown>>): ExitCode {
  call.terminal.answer({ schemaVersion: 1, command: 'mapping', exitCode: EXIT.done, ...document, place });
  return EXIT.done;
}

async function named(name: string, store: MappingStore): Promise<Mapping> {
  const all = await store.all();
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const near = closest(name, all, (each) => each.name);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((each) => `“${each.name}”`).join(' or ')}?`;
  const [first] = near;
  throw new UsageError(
    `There is no mapping “${printable(name)}”.${hint}`,
    command('mapping', first === undefined ? ['list'] : ['show', first.name]),
  );
}

/**
 * `payfile mapping save NAME FILE [--map field=Header…] [--value "WRITTEN=INSTITUTION"…]`: remembers which column
 * of such files holds which field, and what their names of institutions mean. Saving again adds to it.
 */

const UNKNOWN_SHOWN = 20;

/** `call` has the file as its first word. */
export async function saveMapping(name: string, call: Call, opened: Opened): Promise<ExitCode> {
  const fault = mappingNameFault(name);
  if (fault !== undefined)
    throw new UsageError(`“${printable(name)}” cannot name a mapping; expected ${fault}.`);
  requireService(opened.settings);
  await opened.parts.requireFile(argument(call, 0));
  const { environment } = opened.settings;
  const store = await opened.parts.mappings();
  const all = await store.all();
  const world = { paymentService: await opened.parts.paymentService(), tell: opened.progress.tell };
  const { open, signal } = await layoutOf(call, opened);
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
  const next = typed(call, fileCommand(call, 'check'));
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
      `Files with these columns are known already, as “${known.name}”. Save them under that name, or forget it first: ${typed(call, command('mapping', ['forget', known.name]))}`,
      command('mapping', ['save', known.name, plainPath(argument(call, 0))], layoutFlags(call)),
    );
  }
  const named = all.find((mapping) => mapping.name === name);
  if (named !== undefined && headerFingerprint(named.headers) !== headerFingerprint(headers)) {
    throw new UsageError(
      `“${name}” is a mapping of files with other columns: ${named.headers.map(printable).join(', ')}. Choose another name.`,
      command('mapping', ['show', name]),
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
        ? `See: ${typed(call, command('institutions', [country.iso]))}.`
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

/**
 * One saved mapping, for people and as JSON.
 */

export function printMapping({ name, headers, columns, values, savedAt }: Mapping): string {
  const used = new Set(columns.values());
  const others = headers.filter((header) => !used.has(header));
  const fields = [...columns].map(([field, header]) => [field, printable(header)]);
  const meanings = values.map(({ environment, country, written, institutionName, institutionId }) => [
    `${country}/${printable(written)}`,
    printable(institutionName),
    institutionId,
    environment,
  ]);
  const what = [{ title: 'Written' }, { title: 'Institution' }, { title: 'Id' }, { title: 'Service' }];
  return [
    `Mapping “${name}”, saved ${formatTimestamp(savedAt).slice(0, 10)}`,
    '',
    ...tableOf([{ title: 'Field' }, { title: 'Column' }], fields),
    ...(others.length > 0 ? ['', `Columns of your own: ${others.map(printable).join(', ')}`] : []),
    ...(values.length > 0 ? ['', ...tableOf(what, meanings)] : []),
  ].join('\n');
}

export function mappingJson(mapping: Mapping): Readonly<Record<string, unknown>> {
  const { name, headers, columns, values, savedAt } = mapping;
  return {
    name,
    fingerprint: headerFingerprint(headers),
    savedAt: formatTimestamp(savedAt),
    headers,
    columns: Object.fromEntries(columns),
    values: values.map(({ institutionId, institutionName, ...value }) => ({
      ...value,
      field: 'institution',
      institution: { id: institutionId, name: institutionName },
    })),
  };
}

/**
 * The mappings remembered on this machine, as a file is read with them, and the text of one institution name
 * that a person has to decide on.
 */

/** With the values of this environment only: the ids of the sandbox are its own. */
/** Where things stand in the file of a call, for a reading that looks for nothing but names. */
export async function layoutOf(call: Call, opened: Opened) {
  const { sheet, headerRow, map, delimiter, encoding } = call.flags;
  const mappings = await opened.savedMappings();
  const open = { path: argument(call, 0), sheet, headerRow, map, mappings, delimiter, encoding };
  return { open, signal: call.stopping.signal };
}

export function acceptedValue(
  { country, written }: Pick<UnknownInstitution, 'country' | 'written'>,
  { id, name }: Institution,
  environment: AcceptedValue['environment'],
): AcceptedValue {
  return { environment, country: country.iso, written, institutionId: id, institutionName: name };
}

/** `“GCB” in Ghana (3 rows, first on row 5)` */
export function unknownText({ country, written, rows, firstRow }: UnknownInstitution): string {
  return `“${printable(written)}” in ${printable(country.name)} (${rowsText(rows)}, first on row ${firstRow})`;
}

export function institutionText({ name, id }: Institution): string {
  return `${printable(name)} (id ${id})`;
}

export function unknownJson({ country, written, rows, firstRow, suggestions }: UnknownInstitution) {
  return {
    country: { iso: country.iso, name: country.name },
    written,
    rows,
    firstRow,
    suggestions: suggestions.map(({ id, name }) => ({ id, name })),
  };
}
