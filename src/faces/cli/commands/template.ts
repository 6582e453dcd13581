/**
 * `payfile template -o FILE [--country GH,KE]`: a workbook to fill in, with the service's own lists in its
 * drop-downs. A file that is there already may be filled in, and is left alone without --overwrite.
 *
 * --json: {template: {path, countries: [{iso, name, institutions}], empty: [iso]}, exitCode, next}.
 */

import { command, plainPath } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { counted, printable } from '../../../domain/text/printable.ts';
import { type Call, tellSteps, typed, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { environmentLine } from '../show/blocks.ts';

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
  const { payfile, progress } = await openParts(call);
  const { environment } = payfile;
  const made = await payfile.template(path, { countries: flags.country, signal: stopping.signal });
  progress.clear();
  if (path === '-') return EXIT.done;
  const institutions = made.countries.reduce((sum, each) => sum + each.institutions.length, 0);
  const next = typed(call, command('check', [plainPath(path)]));
  terminal.print(environmentLine(environment, terminal));
  terminal.print(
    `Template: ${path} (${counted(made.countries.length, 'country', 'countries')}, ${counted(institutions, 'institution')}, as the service lists them now)`,
  );
  for (const { name, iso } of made.empty)
    terminal.talk(`${printable(name)} (${iso}) is left out: the service lists no institution there.`);
  terminal.talk('Fill in the sheet Payments.');
  tellSteps({ next }, terminal);
  terminal.answer({
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
