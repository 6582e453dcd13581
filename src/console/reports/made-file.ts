/**
 * A file that is made to be downloaded: under a random name in the console's folder, removed once it was read or if it
 * cannot be made.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportFormat } from '../../domain/reporting/report.ts';
import type { Answer, Visit } from '../server/route.ts';

type Ending = 'csv' | 'html' | 'json' | 'xlsx' | 'xml';

const TYPES: Readonly<Record<Ending, string>> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

export interface ReportKind {
  readonly format: ReportFormat;
  readonly ending: Ending;
  /** Behind what the report is about, in its name and its address. */
  readonly suffix?: string;
  readonly title: string;
  readonly about: string;
  /** What else it can be: over days and all batches, or with full account numbers. */
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
    ...{ format: 'pain002', ending: 'xml', suffix: '.pain002', title: 'Status report (pain.002)', also: [] },
    about: 'For treasury systems, ISO 20022.',
  },
  {
    ...{ format: 'journal', ending: 'csv', suffix: '-journal', title: 'Journal', also: ['days'] },
    about: 'For an accounting program: each payment and event.',
  },
  {
    ...{ format: 'journal-by-day', ending: 'csv', suffix: '-journal-by-day', also: ['days'] },
    ...{ title: 'Journal by day', about: 'The same, summed by day, account and currency.' },
  },
];

/** `report.csv`: the last part of its address. */
export const fileOf = (stem: string, { suffix = '', ending }: ReportKind) => `${stem}${suffix}.${ending}`;

/** When it is its turn, `make` writes the file and gives its name without the ending. `isShown`: the browser opens it. */
export async function download(
  { desk, person }: Pick<Visit, 'desk' | 'person'>,
  ending: Ending,
  make: (path: string) => Promise<string>,
  isShown = false,
): Promise<Answer> {
  const path = join(desk.uploads, `${randomBytes(12).toString('hex')}.${ending}`);
  try {
    const name = await desk.making.take(person.id, () => make(path));
    return { kind: 'download', path, name: `${name}.${ending}`, type: TYPES[ending], isShown };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function template(visit: Visit): Promise<Answer> {
  const { payfile, query, signal } = visit;
  const country = (query.get('country') ?? '').split(',').filter((name) => name.trim() !== '');
  return download(visit, 'xlsx', async (path) => {
    await payfile.lists.template({ output: path, country }, { signal });
    return 'payments';
  });
}

export async function sandboxStatement(visit: Visit): Promise<Answer> {
  return download(visit, 'csv', async (path) => {
    await visit.payfile.sandbox.book({ output: path });
    return 'sandbox-statement';
  });
}
