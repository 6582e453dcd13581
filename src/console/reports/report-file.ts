/**
 * Reports as files, of one batch or of days. Account numbers are masked; a form gives the full ones, and the journal keeps
 * who asked.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { PROFILES_OF_JOURNAL, type ReportFormat } from '../../domain/reporting/report.ts';
import type { InputOf } from '../../operations/operation.ts';
import { report } from '../../operations/report.ts';
import { FormRefused } from '../server/form.ts';
import type { Answer, Visit } from '../server/route.ts';
import { download, type Ending } from './made-file.ts';

export interface ReportKind {
  readonly format: ReportFormat | 'audit';
  readonly ending: Ending;
  readonly title: string;
  readonly about: string;
  /** What else it can be: of days and all batches, or with full account numbers. */
  readonly also: readonly ('days' | 'full')[];
}

export const REPORT_KINDS: readonly ReportKind[] = [
  {
    ...{ format: 'html', ending: 'html', title: 'Page to print', also: ['full'] },
    about: 'Totals, a place to sign, and the list. Opens in the browser.',
  },
  {
    ...{ format: 'xlsx', ending: 'xlsx', title: 'Workbook', also: ['days', 'full'] },
    about: 'Every payment, totals, fees, decisions, and a journal to import.',
  },
  {
    ...{ format: 'csv', ending: 'csv', title: 'CSV', also: ['days', 'full'] },
    about: 'Your own columns, and the result of each row.',
  },
  {
    ...{ format: 'json', ending: 'json', title: 'JSON', also: ['days', 'full'] },
    about: 'For programs.',
  },
  {
    ...{ format: 'pain002', ending: 'xml', title: 'Status report (pain.002)', also: [] },
    about: 'For treasury systems, ISO 20022.',
  },
  {
    ...{ format: 'journal', ending: 'csv', title: 'Journal', also: ['days'] },
    about: 'For an accounting program: each payment and event.',
  },
  {
    ...{ format: 'journal-by-day', ending: 'csv', title: 'Journal by day', also: ['days'] },
    about: 'The same, summed by day, account and currency.',
  },
  {
    ...{ format: 'audit', ending: 'zip', title: 'Audit file', also: ['full'] },
    about: 'For an auditor: the reports, the chain of the journal, and how to check them.',
  },
];

/** Formats whose files are told apart by their ending alone. */
const PLAIN: readonly string[] = ['html', 'xlsx', 'csv', 'json'];

/** `?batch=1&format=csv`, or `?from=2026-05-01&to=2026-05-31&format=csv`. Errors: those of the operation, FormRefused. */
export async function maskedReport(visit: Visit): Promise<Answer> {
  const { format: wanted, batch, from, to, journalProfile } = Object.fromEntries(visit.query);
  const asked = { batch, from, to, ...(journalProfile && { journalProfile: profileOf(journalProfile) }) };
  const { ending, format } = REPORT_KINDS.find((kind) => kind.format === wanted) ?? unknownFormat();
  const suffix = PLAIN.includes(format) ? '' : `-${format}`;
  const how = format === 'audit' ? { audit: true } : { format, maskAccounts: true };
  const make = (output: string) => written(visit, { ...asked, output, ...how }, suffix);
  return download(visit, ending, make, ending === 'html');
}

/** With full account numbers, or rows that were not paid as a file to upload. */
export async function fullReport(visit: Visit): Promise<Answer> {
  const form = await visit.form();
  const [wanted, batch] = [form.text('format'), form.text('batch')];
  const isUnpaid = wanted.startsWith('unpaid-');
  const { ending, format } =
    REPORT_KINDS.find(
      (kind) => kind.also.includes('full') && wanted === (isUnpaid ? `unpaid-${kind.ending}` : kind.format),
    ) ?? unknownFormat();
  const kind = isUnpaid
    ? ({ only: 'unpaid', asInput: true } as const)
    : { ...(format === 'audit' ? { audit: true } : { format }), fullAccounts: true };
  const suffix = isUnpaid ? '-unpaid' : '-full-accounts';
  return download(visit, ending, (output) =>
    written(visit, { batch, output, noteAccounts: true, ...kind }, suffix),
  );
}

const profileOf = (name: string) => PROFILES_OF_JOURNAL.find((known) => known === name) ?? unknownFormat();

function unknownFormat(): never {
  throw new FormRefused('There is no report of this kind. Choose one on the page of reports.');
}

/** The name of the file. */
async function written(
  { payfile, signal }: Visit,
  asked: InputOf<typeof report>,
  suffix: string,
): Promise<string> {
  const made = await payfile.call(report, asked, { signal });
  const stem =
    made.kind === 'days' ? `payments-${made.period.from}-to-${made.period.to}` : batchLabel(made.batch);
  return stem + suffix;
}
