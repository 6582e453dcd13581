/**
 * `payfile mapping list | show NAME | save NAME FILE | forget NAME`: what was said once of the columns and the
 * names of institutions in files with the same headers, so that it need not be said again.
 *
 * --json: list {mappings: [{name, fingerprint, …}]}; show and save {mapping}; save also {unknown: [{country,
 * written, rows, firstRow, suggestions}]}; forget {forgotten: name}. Always {place, exitCode}.
 */
import type { Mapping } from '../../domain/mapping.ts';
import { printable } from '../../domain/printable.ts';
import { closest } from '../../domain/suggest.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { MappingStore } from '../../ports/mapping-store.ts';
import { argument, type Call, shellWord, stepsOf, tellSteps, typed } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';
import { mappingJson, printMapping } from '../print-mapping.ts';
import { saveMapping } from '../save-mapping.ts';
import { tableOf } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const USAGE: Readonly<Record<string, string>> = {
  list: 'mapping list',
  show: 'mapping show NAME',
  save: 'mapping save NAME FILE',
  forget: 'mapping forget NAME',
};

export async function mapping(call: Call): Promise<ExitCode> {
  const [action = '', ...words] = call.args;
  const usage = USAGE[action];
  if (usage === undefined) {
    const all = Object.keys(USAGE).join(', ');
    throw new UsageError(
      `“${printable(action)}” cannot be done to a mapping; expected ${all}.`,
      'payfile mapping --help',
    );
  }
  if (words.length !== usage.split(' ').length - 2)
    throw new UsageError(`Expected: payfile ${usage}`, typed(call, usage));
  const opened = await openParts(call);
  const store = await opened.parts.mappings();
  if (action === 'list') return list(store, call);
  const name = argument(call, 1);
  if (action === 'show') return show(await named(name, store, call), store, call);
  if (action === 'forget') return forget(await named(name, store, call), store, call);
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
  if (all.length === 0) tellSteps(stepsOf(typed(call, 'mapping save NAME FILE')), call.terminal);
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

async function named(name: string, store: MappingStore, call: Call): Promise<Mapping> {
  const all = await store.all();
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const near = closest(name, all, (each) => each.name);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((each) => `“${each.name}”`).join(' or ')}?`;
  const [first] = near;
  throw new UsageError(
    `There is no mapping “${printable(name)}”.${hint}`,
    typed(call, first === undefined ? 'mapping list' : `mapping show ${shellWord(first.name)}`),
  );
}
