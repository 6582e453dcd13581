/** What was paid from one day to another, over all batches: totals on the page, and files to download. */
import { batchLabel } from '../../domain/batches/batch.ts';
import { report } from '../../operations/report.ts';
import { overview } from '../../operations/status.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { drawn } from '../page/blocks.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { refusal } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { REPORT_KINDS } from './report-file.ts';

export async function reports(visit: Visit): Promise<Answer> {
  const { payfile, query, signal, desk, person } = visit;
  const [from, to] = [query.get('from')?.trim() || undefined, query.get('to')?.trim() || undefined];
  if (from === undefined && to === undefined) return periodPage(visit, await ofBatches(visit));
  try {
    const make = () => payfile.call(report, { from, to }, { signal });
    const totals = drawn(report, await desk.making.take(person.id, make), 'Totals by currency');
    return periodPage(visit, html`${section('days', `From ${from} to ${to}`, totals)}${files(from, to)}`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return periodPage(visit, NOTHING, problemText(error));
  }
}

/** The newest batches: who looks for a report of one comes here first. */
async function ofBatches({ payfile }: Visit): Promise<Html> {
  const { batches, next } = await payfile.call(overview, { limit: BATCHES_SHOWN });
  if (batches.length === 0) return NOTHING;
  const links = batches.map(
    ({ batch }) =>
      html`<li><a href="${address`/batches/${batch.id}/reports`}">${batchLabel(batch)}</a></li>\n`,
  );
  const older = next === undefined ? NOTHING : html`<p><a href="/">All batches</a></p>\n`;
  return section('batches', 'Reports of one batch', [html`<ul>${links}</ul>\n`, older]);
}

const BATCHES_SHOWN = 20;

function files(from = '', to = ''): Html {
  const links = REPORT_KINDS.filter(({ also }) => also.includes('days')).map(
    ({ format, title, about }) =>
      html`<li><a href="${address`/report?from=${from}&to=${to}&format=${format}`}" download>${title}</a> <span class="under">${about}</span></li>\n`,
  );
  return section(
    'files',
    'Download',
    html`<ul>${links}</ul>\n<p class="note">Account numbers are masked.</p>\n`,
  );
}

function monthLink(name: string, now: number, months: number): Html {
  const today = new Date(now);
  const day = (month: number, date: number) =>
    new Date(Date.UTC(today.getFullYear(), today.getMonth() + month, date)).toISOString().slice(0, 10);
  const path = address`/reports?from=${day(months, 1)}&to=${day(months + 1, 0)}`;
  return html`<a class="button" href="${path}">${name}</a>`;
}

function periodPage({ query, desk }: Visit, body: Html, wrong?: string): Answer {
  const day = (name: 'from' | 'to', label: string) =>
    html`<div><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${query.get(name) ?? ''}" required${wrong === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="wrong"`}></div>
`;
  const now = desk.now();
  const form = html`<p>All payments that were sent, settled, returned or ended in these days.</p>
${wrong === undefined ? NOTHING : refusal(wrong)}<form method="get" action="/reports" class="line">
${day('from', 'First day')}${day('to', 'Last day')}<button class="main">Show</button>
${monthLink('This month', now, 0)}${monthLink('Last month', now, -1)}
</form>
`;
  return page('Reports', html`${form}${body}`, wrong === undefined ? {} : { status: 422 });
}
