/**
 * The reports of one batch, as downloads. Account numbers are masked in all of them; whole ones come only by a form, and the
 * journal keeps who asked.
 */
import { batchLabel, countsTextOf } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import type { ReportFormat } from '../../domain/reporting/report.ts';
import { look } from '../../operations/status.ts';
import { type Html, html, section } from '../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { type Answer, address, page, type Route, type Visit } from '../server/route.ts';
import { download, type Ending, REPORT_KINDS, type ReportKind } from './made-file.ts';

export const REPORT_ROUTES: readonly Route[] = REPORT_KINDS.map((kind) => ({
  method: 'GET',
  path: `/batches/:batch/${fileOf(kind)}`,
  may: 'look',
  handle: (visit) => masked(visit, kind),
}));

/** The last part of its address. */
function fileOf({ suffix, ending }: ReportKind): string {
  return `report${suffix}.${ending}`;
}

function masked(visit: Visit, { ending, format, suffix }: ReportKind): Promise<Answer> {
  const { payfile, part, signal } = visit;
  return download(visit, ending, async (path) => {
    const asked = { batch: part('batch'), output: path, format, maskAccounts: true };
    return labelOf(await payfile.report(asked, { signal })) + suffix;
  });
}

const labelOf = ({ batch }: { readonly batch?: { readonly name: string } }) =>
  batchLabel({ name: batch?.name ?? 'report' });

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
    const asked = { batch: part('batch'), output: path, noteAccounts: true };
    const isUnpaid = format === undefined;
    const kind = isUnpaid ? ({ only: 'unpaid', asInput: true } as const) : { format, fullAccounts: true };
    return `${labelOf(await payfile.report({ ...asked, ...kind }, { signal }))}-${isUnpaid ? 'unpaid' : 'whole-accounts'}`;
  });
}

export async function batchReports({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, outcome } = await payfile.call(look, { batch: part('batch') });
  const name = batchLabel(batch);
  const mayWhole = mayDo(person, 'see_accounts');
  const whole = mayWhole
    ? wholeForm(batch.id)
    : html`<p class="note">For makers, approvers and investigators.</p>\n`;
  return page(
    `Reports of ${name}`,
    html`<p>${countsTextOf(outcome)}.</p>
${reportLinks(batch.id)}${section('whole', 'With whole account numbers', whole)}`,
  );
}

function reportLinks(batch: string): Html {
  const lines = REPORT_KINDS.map(
    (kind) =>
      html`<li><a href="${address`/batches/${batch}/`}${fileOf(kind)}" download>${kind.title}</a> <span class="under">${kind.about}</span></li>\n`,
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
