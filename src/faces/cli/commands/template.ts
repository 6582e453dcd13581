/**
 * `payfile template -o FILE [--country GH,KE]`: a workbook to fill in, with the service's own lists in its
 * drop-downs. A file that is there already may be filled in, and is left alone without --overwrite.
 *
 * --json: {template: {path, countries: [{iso, name, institutions}], empty: [iso]}, exitCode, next}.
 */

import type { Country, Directory } from '../../../domain/rows/directory.ts';
import { command, plainPath } from '../../../domain/steps/command.ts';
import { counted, printable } from '../../../domain/text/printable.ts';
import { loadDirectory } from '../../../use-cases/intake/read-rows.ts';
import { makeTemplate } from '../../../use-cases/intake/template.ts';
import { type Call, tellSteps, typed, UsageError } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openParts } from '../open-parts.ts';
import { requireService } from '../run-usage.ts';
import { stripe } from '../show/plan.ts';

export async function template(call: Call): Promise<ExitCode> {
  const { flags, terminal, stopping } = call;
  const path = flags.output;
  if (path === undefined || (path !== '-' && !/\.xlsx$/i.test(path))) {
    const seen =
      path === undefined ? 'Say where the template goes' : `A template is a workbook, not “${path}”`;
    throw new UsageError(
      `${seen}: -o FILE, a name that ends in .xlsx.`,
      command('template', [], [['-o', 'payroll.xlsx']]),
    );
  }
  const opened = await openParts(call);
  requireService(opened.settings);
  await opened.parts.outputs.check(path, 'template');
  const { environment } = opened.settings;
  const { tell } = opened.progress;
  const questions = { paymentService: await opened.parts.paymentService(), tell };
  const directory = await loadDirectory(questions, stopping.signal);
  const wanted = flags.country === undefined ? directory.countries : countriesNamed(flags.country, directory);
  const made = await makeTemplate(directory, wanted, questions, stopping.signal);
  opened.progress.clear();
  await opened.parts.writeTemplate(path, {
    environment,
    madeAt: opened.parts.clock.now(),
    countries: made.countries,
  });
  if (path === '-') return EXIT.done;
  const institutions = made.countries.reduce((sum, each) => sum + each.institutions.length, 0);
  const next = typed(call, command('check', [plainPath(path)]));
  terminal.print(stripe(environment, terminal));
  terminal.print(
    `Template: ${path} (${counted(made.countries.length, 'country', 'countries')}, ${counted(institutions, 'institution')}, as the service lists them now)`,
  );
  for (const { name, iso } of made.empty)
    terminal.talk(`${printable(name)} (${iso}) is left out: the service lists no institution there.`);
  terminal.talk('Fill in the sheet Payments.');
  tellSteps({ next }, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'template',
    environment,
    exitCode: EXIT.done,
    template: {
      path,
      countries: made.countries.map(({ country: { iso, name }, institutions: { length } }) => ({
        iso,
        name,
        institutions: length,
      })),
      empty: made.empty.map(({ iso }) => iso),
    },
    next,
  });
  return EXIT.done;
}

/** Each once, however often it was named. */
function countriesNamed(written: readonly string[], directory: Directory): readonly Country[] {
  const countries = new Map<string, Country>();
  for (const text of written) {
    const found = directory.findCountry(text);
    if (found.kind === 'found') {
      countries.set(found.item.id, found.item);
      continue;
    }
    const names = found.kind === 'unknown' ? found.suggestions : found.candidates;
    const hint = names.map(({ name, iso }) => `${printable(name)} (${iso})`).join(' or ');
    throw new UsageError(
      `The service has no country “${printable(text)}” (--country).${hint === '' ? '' : ` Did you mean ${hint}?`}`,
      command('countries'),
    );
  }
  return [...countries.values()];
}
