/** Inputs for work on a batch: reports, bounds and deadlines. */
import { z } from 'zod';
import type { Deed } from '../domain/people/person.ts';
import { formatOfName, REPORT_ENDINGS, showsAccounts } from '../domain/reporting/report.ts';
import { choice, nonEmptyText, wholeNumber } from './fields.ts';
import { amounts } from './money-fields.ts';
import { field, type InputSyntax } from './operation.ts';

const NAMED = `a file name that ends in ${REPORT_ENDINGS}`;

export const reports = {
  report: field(
    z
      .array(
        nonEmptyText.refine((path) => formatOfName(path) !== undefined, { error: NAMED }),
        { error: 'a list of paths' },
      )
      .optional(),
    {
      help: 'write the report to this file (.csv, .json, .xlsx, .html, .xml for pain.002); may be repeated',
      value: 'file',
      read: (typed) => (formatOfName(typed) === undefined ? undefined : typed),
      expected: NAMED,
    },
  ),
  fullAccounts: choice('show full account numbers in formats that mask them'),
};

interface Reports {
  readonly report?: readonly string[] | undefined;
  readonly fullAccounts?: boolean | undefined;
}

/** A report with full account numbers needs the right to see accounts. */
export function withReports(deed: Deed, { report = [], fullAccounts }: Reports): readonly Deed[] {
  return report.some((path) => showsAccounts(path, { fullAccounts })) ? [deed, 'see_accounts'] : [deed];
}

const AT_MOST = 'send nothing if the batch';
export const bounds = {
  /** Principal per destination currency. */
  maxTotal: amounts(
    'maxTotal',
    `${AT_MOST} pays more than this in all its runs; \`run\` approves plans up to it; once per currency`,
  ),
  /** Debit per source currency. */
  maxDebit: amounts(
    'maxDebit',
    `${AT_MOST} costs more than this in all its runs, fees included; approves nothing; once per currency`,
  ),
};

export const canary = wholeNumber([0, 1_000], {
  help: 'send n rows and wait until they settle, then send the rest; later commands keep the number, 0 ends it',
});

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const TIME = 'a number of milliseconds, from 0 to 1,000,000 days';
const MOST_MS = 1_000_000 * 86_400_000;
export const timeMs = z
  .number({ error: TIME })
  .min(0, { error: TIME })
  .max(MOST_MS, { error: TIME })
  .transform(Math.round);

/** Milliseconds. On the command line `90s`, `15m`, `2h`, `0`. */
const time = (about: Pick<InputSyntax, 'help'>) =>
  field(timeMs.optional(), {
    ...about,
    value: 'time',
    read(typed) {
      const [, digits, unit = ''] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(typed) ?? [];
      return typed === '0' ? 0 : digits && Number(digits) * (UNIT_MS[unit] ?? 0);
    },
    expected: 'a time such as 90s, 15m, 2h or 0',
  });

export const deadline = time({
  help: 'how long to wait for final statuses and for the service (15m); transfers in flight may take 3m more',
});
/** Default deadline for final statuses. */
export const DEADLINE_MS = 15 * 60_000;

export const watchReturns = time({
  help: 'look up settled rows up to this age again, such as 14d, to find returns',
});
