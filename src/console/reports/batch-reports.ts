/** The reports of one batch. */
import { batchLabel, countsTextOf } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import { PROFILES_OF_JOURNAL } from '../../domain/reporting/report.ts';
import { look } from '../../operations/status.ts';
import { html, NOTHING, section } from '../../views/html.ts';
import { field, form, hidden, wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { REPORT_KINDS } from './report-file.ts';

export async function batchReports({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, outcome, counts } = await payfile.call(look, { batch: part('batch') });
  const mayFull = mayDo(person, 'see_accounts');
  const rows = REPORT_KINDS.map(({ format, ending, title, about, also }) => [
    html`<a href="${address`/report?batch=${batch.id}&format=${format}`}"${ending === 'html' ? html` target="_blank"` : html` download`}>${title}</a>`,
    about,
    mayFull && also.includes('full')
      ? html`<button name="format" value="${format}" aria-label="Download: ${title} with full account numbers">Download</button>`
      : NOTHING,
  ]);
  const heads = [
    'Report',
    'What it is for',
    mayFull ? 'With full account numbers' : html`<span class="unseen">None</span>`,
  ];
  const table = wideTable({ label: 'Reports', heads, rows });
  const all = form({ action: '/report', isShort: true, fields: [hidden('batch', batch.id), table] });
  const note = mayFull
    ? 'The history of the batch keeps who took full account numbers.'
    : 'Makers, approvers and investigators can also take full account numbers.';
  const choices = PROFILES_OF_JOURNAL.map((name) => [name, name] as const);
  const program = field({ name: 'journalProfile', label: 'Columns of this program', choices });
  const journal = form({
    ...{ method: 'get', action: '/report', className: 'line', button: 'Download' },
    fields: html`${hidden('batch', batch.id)}${hidden('format', 'journal')}<div>${program}</div>`,
  });
  const isUnpaid = counts.failed + counts.returned + counts.canceled + counts.invalid > 0;
  const unpaid = html`<form method="post" action="/report">${hidden('batch', batch.id)}<p>Correct the rows in this file and upload it as a new batch. It has full account numbers.</p>
<button name="format" value="unpaid-xlsx">Download .xlsx</button> <button name="format" value="unpaid-csv">Download .csv</button></form>
`;
  return page(
    `Reports of ${batchLabel(batch)}`,
    html`<p>${countsTextOf(outcome)}.</p>
${all}<p class="note">Account numbers are masked in these files. CSV and JSON from a terminal have full account numbers. ${note}</p>
${section('journal', 'Journal for an accounting program', journal)}${mayFull && isUnpaid ? section('unpaid', 'Rows that were not paid', unpaid) : NOTHING}`,
  );
}
