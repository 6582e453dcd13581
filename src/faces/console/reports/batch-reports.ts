/**
 * The reports of one batch, as downloads. Account numbers are masked in all of them; whole ones come only by a form, and the
 * journal keeps who asked.
 */
import { batchLabel, becameOf } from '../../../domain/batches/batch.ts';
import { mayDo } from '../../../domain/people/person.ts';
import type { ReportFormat } from '../../../domain/reporting/report.ts';
import { type Html, html, section } from '../../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { type Answer, address, page, type Route, type Visit } from '../server/route.ts';
import { download, type Ending } from './made-file.ts';

interface Kind {
  /** The last part of its address. */
  readonly file: string;
  readonly ending: Ending;
  readonly format: ReportFormat;
  /** What stands behind the batch in its name. */
  readonly suffix: string;
  readonly title: string;
  readonly about: string;
}

const KINDS: readonly Kind[] = [
  {
    file: 'report.xlsx',
    ending: 'xlsx',
    format: 'xlsx',
    suffix: '',
    title: 'Workbook',
    about: 'Every payment, control totals, fees, decisions, and a journal to import.',
  },
  {
    file: 'report.html',
    ending: 'html',
    format: 'html',
    suffix: '',
    title: 'Page',
    about: 'To read, print and file.',
  },
  {
    file: 'report.csv',
    ending: 'csv',
    format: 'csv',
    suffix: '',
    title: 'CSV',
    about: 'Your own columns, and what became of each row.',
  },
  {
    file: 'report.json',
    ending: 'json',
    format: 'json',
    suffix: '',
    title: 'JSON',
    about: 'For programs.',
  },
  {
    file: 'report.xml',
    ending: 'xml',
    format: 'pain002',
    suffix: '.pain002',
    title: 'Status report (pain.002)',
    about: 'For treasury systems, ISO 20022.',
  },
  {
    file: 'report-journal.csv',
    ending: 'csv',
    format: 'journal',
    suffix: '-journal',
    title: 'Journal',
    about: 'For an accounting program: each payment and event.',
  },
  {
    file: 'report-journal-by-day.csv',
    ending: 'csv',
    format: 'journal-by-day',
    suffix: '-journal-by-day',
    title: 'Journal by day',
    about: 'The same, summed by day, account and currency.',
  },
];

export const REPORT_ROUTES: readonly Route[] = KINDS.map((kind) => ({
  method: 'GET',
  path: `/batches/:batch/${kind.file}`,
  may: 'look',
  handle: (visit) => masked(visit, kind),
}));

function masked(visit: Visit, { ending, format, suffix }: Kind): Promise<Answer> {
  const { payfile, part, signal } = visit;
  return download(visit, ending, async (path) => {
    const { batch } = await payfile.report(part('batch'), path, { format, maskAccounts: true, signal });
    return batchLabel(batch) + suffix;
  });
}

interface WholeKind {
  readonly value: string;
  readonly ending: Ending;
  /** undefined: rows that are proven unpaid, as a file to be run. */
  readonly format: ReportFormat | undefined;
  readonly title: string;
}

const WHOLE: readonly WholeKind[] = [
  {
    value: 'unpaid-xlsx',
    ending: 'xlsx',
    format: undefined,
    title: 'Rows that were not paid, to correct and bring again (.xlsx)',
  },
  { value: 'unpaid-csv', ending: 'csv', format: undefined, title: 'The same as .csv' },
  { value: 'xlsx', ending: 'xlsx', format: 'xlsx', title: 'Workbook with whole accounts' },
  { value: 'html', ending: 'html', format: 'html', title: 'Page with whole accounts' },
  { value: 'csv', ending: 'csv', format: 'csv', title: 'CSV with whole accounts' },
  { value: 'json', ending: 'json', format: 'json', title: 'JSON with whole accounts' },
];

export async function wholeReport(visit: Visit): Promise<Answer> {
  const { payfile, part, signal } = visit;
  const wanted = (await visit.form()).text('format');
  const kind = WHOLE.find(({ value }) => value === wanted);
  if (kind === undefined) return refusedPage('no_such_page');
  const { ending, format } = kind;
  return download(visit, ending, async (path) => {
    const options = { notesAccounts: true, signal } as const;
    if (format === undefined) {
      const { batch } = await payfile.writeUnpaid(part('batch'), path, options);
      return `${batchLabel(batch)}-unpaid`;
    }
    const { batch } = await payfile.report(part('batch'), path, { ...options, format, fullAccounts: true });
    return `${batchLabel(batch)}-whole-accounts`;
  });
}

export async function batchReports({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, outcome } = await payfile.look(part('batch'));
  const name = batchLabel(batch);
  const mayWhole = mayDo(person, 'see_accounts');
  const whole = mayWhole
    ? wholeForm(batch.id)
    : html`<p class="note">For makers, approvers and investigators.</p>\n`;
  return page(
    `Reports of ${name}`,
    html`<p><a href="${address`/batches/${batch.id}`}">Batch ${name}</a>: ${becameOf(outcome)}.</p>
${reportLinks(batch.id)}${section('whole', 'With whole account numbers', whole)}`,
  );
}

/** Also for the page of the batch. */
export function reportLinks(batch: string): Html {
  const lines = KINDS.map(
    ({ file, title, about }) =>
      html`<li><a href="${address`/batches/${batch}/`}${file}" download>${title}</a> <span class="under">${about}</span></li>\n`,
  );
  return html`<ul class="downloads">${lines}</ul>
<p class="note">Account numbers are masked in all of these.</p>
`;
}

function wholeForm(batch: string): Html {
  const choices = WHOLE.map(
    ({ value, title }, at) =>
      html`<label class="choice"><input type="radio" name="format" value="${value}"${at === 0 ? html` checked` : ''}>${title}</label>\n`,
  );
  return html`<form method="post" action="${address`/batches/${batch}/report`}">
<fieldset><legend>Which file?</legend>
${choices}</fieldset>
<p class="note">The journal of the batch keeps that you took it.</p>
<button>Download with whole account numbers</button>
</form>
`;
}
