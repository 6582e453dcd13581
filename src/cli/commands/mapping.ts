/**
 * `payfile mapping list | show NAME | save NAME FILE | forget NAME`: remembers the columns
 * and institution names of files with the same headers.
 *
 * --json: list {mappings: [{name, fingerprint, …}]}; show and save {mapping}; save also {unknown: [{country,
 * written, rows, firstRow, suggestions}]}; forget {forgotten: name}. Always {place, exitCode}.
 */

import {
  type Command,
  command,
  commandText,
  helpOn,
  nextSteps,
  shellWord,
  type Word,
} from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { usedColumns } from '../../domain/rows/column-names.ts';
import { headerFingerprint, institutionText, type Mapping } from '../../domain/rows/mapping.ts';
import { counted, printable, rowsText } from '../../domain/text/printable.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { layoutFlags } from '../../operations/file-commands.ts';
import type { Payfile, UnknownInstitution } from '../../payfile.ts';
import { argument, type Call, tellSteps, typed, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { tableOf } from '../terminal/table.ts';

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
  const { payfile, progress } = await openParts(call);
  if (action === 'list') return list(await payfile.mappings(), call);
  const name = argument(call, 1);
  if (action === 'show') return show(await payfile.mapping(name), call);
  if (action === 'forget') return forget(await payfile.forgetMapping(name), call);
  const { sheet, headerRow, map, delimiter, encoding, value: values } = call.flags;
  const saved = await payfile.saveMapping(name, argument(call, 2), {
    ...{ sheet, headerRow, map, delimiter, encoding, values },
    layout: layoutFlags(call.flags),
    signal: call.stopping.signal,
  });
  progress.clear();
  return tellSaved(saved, { ...call, args: [argument(call, 2)] }, payfile.environment);
}

function list({ mappings, place }: Awaited<ReturnType<Payfile['mappings']>>, call: Call): ExitCode {
  const columns = [
    { title: 'Mapping' },
    { title: 'Columns', right: true },
    { title: 'Names', right: true },
    { title: 'Saved' },
  ];
  const rows = mappings.map(({ name, columns: { size }, values, savedAt }) => [
    name,
    String(size),
    String(values.length),
    formatTimestamp(savedAt).slice(0, 10),
  ]);
  const isEmpty = mappings.length === 0;
  call.terminal.print(isEmpty ? 'No mapping is saved.' : tableOf(columns, rows).join('\n'));
  if (isEmpty) tellSteps(typedSteps(call, nextSteps(USAGE.get('save'))), call.terminal);
  return answer(call, { mappings: mappings.map(mappingJson), place });
}

function show({ mapping: found, place }: Awaited<ReturnType<Payfile['mapping']>>, call: Call): ExitCode {
  call.terminal.print(printMapping(found));
  return answer(call, { mapping: mappingJson(found), place });
}

function forget({ forgotten, place }: Awaited<ReturnType<Payfile['forgetMapping']>>, call: Call): ExitCode {
  call.terminal.result(`Forgot the mapping “${forgotten}”. No payment is touched by that.`);
  return answer(call, { forgotten, place });
}

function answer(call: Call, document: Readonly<Record<string, unknown>>): ExitCode {
  call.terminal.answer({ command: 'mapping', exitCode: EXIT.done, ...document });
  return EXIT.done;
}

/**
 * `payfile mapping save NAME FILE [--map field=Header…] [--value "WRITTEN=INSTITUTION"…]`: what was saved, and the
 * names that still mean nothing. `call` has the file as its first word.
 */

const UNKNOWN_SHOWN = 20;

function tellSaved(
  { mapping: saved, unknown, place }: Awaited<ReturnType<Payfile['saveMapping']>>,
  call: Call,
  environment: 'live' | 'sandbox',
): ExitCode {
  const { terminal } = call;
  terminal.print(printMapping(saved));
  for (const each of unknown.slice(0, UNKNOWN_SHOWN)) terminal.talk(unknownLine(each, call));
  if (unknown.length > UNKNOWN_SHOWN)
    terminal.talk(`… and ${counted(unknown.length - UNKNOWN_SHOWN, 'more name')}.`);
  const next = typed(call, fileCommand(call, 'check'));
  tellSteps({ next }, terminal);
  terminal.answer({
    command: 'mapping',
    environment,
    exitCode: EXIT.done,
    mapping: mappingJson(saved),
    place,
    unknown: unknown.map(unknownJson),
    next,
  });
  return EXIT.done;
}

function unknownLine(
  { country, countryCode, written, rows, firstRow, suggestions }: UnknownInstitution,
  call: Call,
): string {
  const where = `“${printable(written)}” in ${printable(country.name)} (${rowsText(rows)}, first on row ${firstRow})`;
  const near =
    suggestions.length === 0
      ? `See: ${typed(call, command('institutions', [countryCode]))}.`
      : `Did you mean ${suggestions.map(institutionText).join(' or ')}?`;
  // A suggestion is never put into the command: copying it must not be all that it takes.
  const flag = shellWord(`${countryCode}/${printable(written)}=INSTITUTION`);
  return `Not in the list: ${where}. ${near} To accept one, save again with --value ${flag}`;
}

/**
 * One saved mapping, for people and as JSON.
 */

function printMapping({ name, headers, columns, values, savedAt }: Mapping): string {
  const used = usedColumns({
    headers,
    columns: new Map([...columns].map(([field, header]) => [field, headers.indexOf(header)])),
  });
  const others = headers.filter((_, at) => !used.has(at));
  const fields = [...Map.groupBy(used, ([, field]) => field)].map(([field, places]) => [
    field,
    places.map(([at]) => printable(headers[at] ?? '')).join(' + '),
  ]);
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

function mappingJson(mapping: Mapping): Readonly<Record<string, unknown>> {
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

function unknownJson({ country, written, rows, firstRow, suggestions }: UnknownInstitution) {
  return {
    country: { iso: country.iso, name: country.name },
    written,
    rows,
    firstRow,
    suggestions: suggestions.map(({ id, name }) => ({ id, name })),
  };
}
