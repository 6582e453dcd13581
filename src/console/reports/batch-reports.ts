/**
 * The reports of one batch. Account numbers are masked; a form gives the full ones, and the journal keeps who asked.
 */
import { batchLabel, countsTextOf } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import { look } from '../../operations/status.ts';
import { html, NOTHING, section } from '../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Route, type Visit } from '../server/route.ts';
import { download, fileOf, REPORT_KINDS, type ReportKind } from './made-file.ts';

export const REPORT_ROUTES: readonly Route[] = REPORT_KINDS.map((kind) => ({
  method: 'GET',
  path: `/batches/:batch/${fileOf('report', kind)}`,
  may: 'look',
  handle: (visit) => masked(visit, kind),
}));

function masked(visit: Visit, { ending, format, suffix = '' }: ReportKind): Promise<Answer> {
  const { payfile, part, signal } = visit;
  const make = async (path: string) => {
    const asked = { batch: part('batch'), output: path, format, maskAccounts: true };
    return labelOf(await payfile.report(asked, { signal })) + suffix;
  };
  return download(visit, ending, make, ending === 'html');
}

const labelOf = ({ batch }: { readonly batch?: { readonly name: string } }) =>
  batchLabel({ name: batch?.name ?? 'report' });

const UNPAID = { 'unpaid-xlsx': 'xlsx', 'unpaid-csv': 'csv' } as const;

export async function fullReport(visit: Visit): Promise<Answer> {
  const { payfile, part, signal } = visit;
  const wanted = (await visit.form()).text('format');
  const full = REPORT_KINDS.find(({ format, also }) => format === wanted && also.includes('full'));
  const [, unpaid] = Object.entries(UNPAID).find(([name]) => name === wanted) ?? [];
  const ending = unpaid ?? full?.ending;
  if (ending === undefined) return refusedPage('no_such_page');
  const kind = full
    ? { format: full.format, fullAccounts: true }
    : ({ only: 'unpaid', asInput: true } as const);
  const make = async (path: string) => {
    const asked = { batch: part('batch'), output: path, noteAccounts: true, ...kind };
    return `${labelOf(await payfile.report(asked, { signal }))}-${full ? 'full-accounts' : 'unpaid'}`;
  };
  return download(visit, ending, make);
}

export async function batchReports({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, outcome, counts } = await payfile.call(look, { batch: part('batch') });
  const mayFull = mayDo(person, 'see_accounts');
  const rows = REPORT_KINDS.map((kind) => {
    const path = address`/batches/${batch.id}/` + fileOf('report', kind);
    const target = kind.ending === 'html' ? html` target="_blank"` : html` download`;
    return [
      html`<a href="${path}"${target}>${kind.title}</a>`,
      kind.about,
      ...(mayFull
        ? [
            kind.also.includes('full')
              ? html`<button name="format" value="${kind.format}" aria-label="Download: ${kind.title} with full account numbers">Download</button>`
              : NOTHING,
          ]
        : []),
    ];
  });
  const action = address`/batches/${batch.id}/report`;
  const form = html`<form method="post" action="${action}">${wideTable({ label: 'Reports', heads: ['Report', 'What it is for', ...(mayFull ? ['With full account numbers'] : [])], rows })}</form>\n`;
  const note = mayFull
    ? 'The history of the batch keeps who took full account numbers.'
    : 'Makers, approvers and investigators can also take full account numbers.';
  const isUnpaid = counts.failed + counts.returned + counts.canceled + counts.invalid > 0;
  const unpaid = html`<form method="post" action="${action}"><p>Correct the rows in this file and upload it as a new batch. It has full account numbers.</p>
<button name="format" value="unpaid-xlsx">Download .xlsx</button> <button name="format" value="unpaid-csv">Download .csv</button></form>
`;
  return page(
    `Reports of ${batchLabel(batch)}`,
    html`<p>${countsTextOf(outcome)}.</p>
${form}<p class="note">Account numbers are masked in these files. CSV and JSON from a terminal have full account numbers. ${note}</p>
${mayFull && isUnpaid ? section('unpaid', 'Rows that were not paid', unpaid) : NOTHING}`,
  );
}
