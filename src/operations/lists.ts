/** Single requests to the service, and a template workbook with its lists. They move no money and open no ledger. */
import { z } from 'zod';
import { currencyOfCountry } from '../domain/money/currency.ts';
import { command, plainPath } from '../domain/next-steps/command.ts';
import { counted, printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Asking } from '../use-cases/look-up.ts';
import { aside, line, number, table } from './block.ts';
import type { Context } from './context.ts';
import { commaSeparated, nonEmptyText, optionalWord, output, overwrite, textList, word } from './fields.ts';
import { templateIsWorkbook, templateNeedsFile } from './messages.ts';
import { field, operation } from './operation.ts';

const LOOK = ['look'] as const;

export const countries = operation({
  name: 'countries',
  needs: LOOK,
  input: z.strictObject({}),
  run: (_, context) =>
    askService(context, async (service, asking) => ({ countries: await service.listCountries(asking) })),
  view: (result) => [
    table(
      ['Country', 'ISO', 'Calling', 'Id'],
      result.countries.map(({ name, iso, callingCode, id }) => [
        printable(name),
        iso,
        callingCode === '' ? '' : `+${callingCode}`,
        id,
      ]),
    ),
  ],
  json: (result) => result,
});

export const institutions = operation({
  name: 'institutions',
  needs: LOOK,
  input: z.strictObject({ country: word('country') }),
  run: ({ country }, context) =>
    askService(context, (service, asking) => service.listInstitutions(country, asking)),
  view: ({ institutions: listed }) => [
    table(
      ['Institution', 'Currency', number('Charges'), 'Id'],
      listed.map(({ name, currency, charges = '', id }) => [printable(name), currency, charges, id]),
    ),
  ],
  json: (result) => result,
});

export const rate = operation({
  name: 'rate',
  needs: LOOK,
  input: z.strictObject({
    from: word('from'),
    to: word('to'),
    amount: optionalWord('amount'),
  }),
  run: (question, context) => askService(context, (service, asking) => service.askRate(question, asking)),
  view({ from, to, ...said }) {
    const [paid, received] = [from, to].map(({ iso }) => currencyOfCountry(iso) ?? iso);
    if (said.kind === 'rate') return [line(`1 ${paid} = ${said.rate} ${received}`)];
    const { rate: estimated, fee, speedSeconds } = said.estimate;
    return [line(`1 ${paid} = ${estimated} ${received}; fee ${fee} ${paid}; takes about ${speedSeconds} s`)];
  },
  json({ environment, from, to, ...said }) {
    const between = { environment, from: from.iso, to: to.iso };
    if (said.kind === 'rate') return { ...between, rate: said.rate };
    return { ...between, amount: said.amount, estimate: said.estimate };
  },
});

export const accountName = operation({
  name: 'name',
  needs: LOOK,
  input: z.strictObject({
    institution: word('institution'),
    account: word('account'),
  }),
  run: (question, context) =>
    askService(context, (service, asking) => service.askAccountName(question, asking)),
  view: (said) => [
    line(printable(said.name ?? `The service gives no name for this account: ${said.declined}`)),
  ],
  json: ({ environment, institutionId: institution, name = null }) => ({ environment, institution, name }),
});

export const transaction = operation({
  name: 'transaction',
  needs: LOOK,
  input: z.strictObject({ id: field(nonEmptyText, { value: 'id', isPositional: true }) }),
  run: ({ id }, context) =>
    askService(context, async (service, asking) => ({
      transaction: await service.askTransaction(id, asking),
    })),
  view: ({ transaction: { id, ...facts } }) => [
    table(
      ['transfer', printable(id)],
      Object.entries(facts).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, printable(value)]],
      ),
    ),
  ],
  json: (result) => result,
});

export const profile = operation({
  name: 'profile',
  needs: LOOK,
  input: z.strictObject({}),
  run: (_, context) =>
    askService(context, async (service, asking) => {
      const said: unknown = JSON.parse(await service.askProfile(asking));
      return { profile: said };
    }),
  view: (result) =>
    JSON.stringify(result.profile, undefined, 2)
      .split('\n')
      .map((each) => line(each)),
  json: (result) => result,
});

export const template = operation({
  name: 'template',
  needs: LOOK,
  input: z.strictObject({
    output: output(),
    overwrite: overwrite(),
    /** Empty: all countries of the service. */
    country: textList({
      ...commaSeparated('GH,KE'),
      value: 'countries',
      help: 'countries to list, such as GH,KE (all of the service)',
    }),
  }),
  async run({ output: path, overwrite: isReplaced, country: named }, context) {
    if (path === undefined || (path !== '-' && !/\.xlsx$/i.test(path)))
      throw new RequestRefused(
        path === undefined ? templateNeedsFile : templateIsWorkbook(path),
        command('template', [], [['-o', 'payroll.xlsx']]),
      );
    const { makeTemplate } = await import('../use-cases/intake/template.ts');
    const { environment, outputs, writeTemplate } = context;
    const asked = { path, isReplaced, named, environment, madeAt: context.now() };
    const made = await makeTemplate(asked, { ...(await context.servicePorts()), outputs, writeTemplate });
    return { environment, path, ...made };
  },
  view: ({ environment, path, countries: listed, empty }) => [
    { kind: 'environment', environment },
    line(
      `Template: ${path} (${counted(listed.length, 'country', 'countries')}, ${counted(
        listed.reduce((sum, each) => sum + each.institutions.length, 0),
        'institution',
      )}, as the service lists them now)`,
    ),
    ...empty.map(({ name, iso }) =>
      aside(`${printable(name)} (${iso}) is left out: the service lists no institution there.`),
    ),
    aside('Fill in the sheet Payments.'),
  ],
  json: ({ environment, path, countries: listed, empty }) => ({
    environment,
    template: {
      path,
      countries: listed.map(({ country: { iso, name }, institutions: { length } }) => ({
        iso,
        name,
        institutions: length,
      })),
      empty: empty.map(({ iso }) => iso),
    },
  }),
  next: ({ path }) => ({ next: command('check', [plainPath(path)]) }),
});

type Service = typeof import('../use-cases/look-up.ts');

/** Loads the code late, because most commands do not need it. */
async function askService<Answer extends object>(
  { environment, servicePorts }: Context,
  ask: (service: Service, asking: Asking) => Promise<Answer>,
) {
  return { environment, ...(await ask(await import('../use-cases/look-up.ts'), await servicePorts())) };
}
