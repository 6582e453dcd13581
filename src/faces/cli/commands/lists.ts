/**
 * `payfile countries` and `payfile institutions COUNTRY`: the service's own lists, as they are now.
 *
 * --json: {countries: [{id, iso, name, callingCode}]} or {country, institutions: [{id, name, currency,
 * charges}]}.
 */

import type { Country } from '../../../domain/rows/directory.ts';
import { command } from '../../../domain/steps/command.ts';
import { printable } from '../../../domain/text/printable.ts';
import { loadDirectory } from '../../../use-cases/intake/read-rows.ts';
import { argument, type Call, UsageError } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { requireService } from '../run-usage.ts';
import { tableOf } from '../terminal/table.ts';
import { answerOrThrow } from './questions.ts';

export async function countries(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  requireService(opened.settings);
  const list = answerOrThrow(
    await (await opened.parts.paymentService()).countries(call.stopping.signal),
    'the list of countries',
  );
  const sorted = [...list].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const columns = [{ title: 'Country' }, { title: 'ISO' }, { title: 'Calling' }, { title: 'Id' }];
  const rows = sorted.map(({ name, iso, callingCode, id }) => [
    printable(name),
    iso,
    callingCode === '' ? '' : `+${callingCode}`,
    id,
  ]);
  call.terminal.print(tableOf(columns, rows).join('\n'));
  call.terminal.answer({
    schemaVersion: 1,
    command: 'countries',
    environment: opened.settings.environment,
    exitCode: EXIT.done,
    countries: sorted,
  });
  return EXIT.done;
}

export async function institutions(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  requireService(opened.settings);
  const country = await countryNamed(argument(call, 0), opened, call);
  const service = await opened.parts.paymentService();
  const what = `the institutions of ${country.name}`;
  const list = answerOrThrow(await service.institutions(country.id, call.stopping.signal), what);
  const sorted = [...list].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const columns = [
    { title: 'Institution' },
    { title: 'Currency' },
    { title: 'Charges', right: true },
    { title: 'Id' },
  ];
  const rows = sorted.map(({ name, currency, charges, id }) => [
    printable(name),
    currency,
    charges ?? '',
    id,
  ]);
  call.terminal.print(tableOf(columns, rows).join('\n'));
  call.terminal.answer({
    schemaVersion: 1,
    command: 'institutions',
    environment: opened.settings.environment,
    exitCode: EXIT.done,
    country,
    institutions: sorted,
  });
  return EXIT.done;
}

/** By name, ISO code or id. Throws UsageError with proposals. */
export async function countryNamed(written: string, opened: Opened, call: Call): Promise<Country> {
  const { tell } = opened.progress;
  const paymentService = await opened.parts.paymentService();
  const directory = await loadDirectory({ paymentService, tell }, call.stopping.signal);
  const found = directory.findCountry(written);
  if (found.kind === 'found') return found.item;
  const names = found.kind === 'unknown' ? found.suggestions : found.candidates;
  const hint =
    names.length === 0
      ? ''
      : ` Did you mean ${names.map(({ name, iso }) => `${name} (${iso})`).join(' or ')}?`;
  throw new UsageError(`The service has no country “${printable(written)}”.${hint}`, command('countries'));
}
