/**
 * What was paid from one day to another, over all batches: totals on the page, and files to download. Accounts are masked.
 */
import { type Period, periodOf } from '../../domain/reporting/period.ts';
import { report } from '../../operations/report.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { drawn } from '../page/blocks.ts';
import { refusal } from '../page/fields.ts';
import { type Answer, address, page, type Route, type Visit } from '../server/route.ts';
import { download, fileOf, REPORT_KINDS, type ReportKind } from './made-file.ts';

const KINDS = REPORT_KINDS.filter(({ also }) => also.includes('days'));

export const PERIOD_ROUTES: readonly Route[] = KINDS.map((kind) => ({
  method: 'GET',
  path: `/reports/${fileOf('payments', kind)}`,
  may: 'look',
  handle: (visit) => downloaded(visit, kind),
}));

async function downloaded(visit: Visit, { ending, format, suffix = '' }: ReportKind): Promise<Answer> {
  const period = periodIn(visit.query);
  if (period === undefined || typeof period === 'string') return periodPage(visit, period ?? MISSING);
  const { payfile, signal } = visit;
  const { from, to } = period;
  const make = async (path: string) => {
    await payfile.report({ from, to, output: path, format, maskAccounts: true }, { signal });
    return `payments-${from}-to-${to}${suffix}`;
  };
  return download(visit, ending, make);
}

const MISSING = 'Enter the first and the last day.';

/** undefined: nothing was entered; a text: what is wrong with it. */
function periodIn(query: URLSearchParams): Period | string | undefined {
  const [from, to] = [query.get('from')?.trim() ?? '', query.get('to')?.trim() ?? ''];
  if (from === '' && to === '') return undefined;
  const wanted = 'Enter days such as 2026-05-01; the first day cannot be after the last';
  return periodOf(from, to) ?? `“${from}” to “${to}” are not two days of a period. ${wanted}.`;
}

export async function reports(visit: Visit): Promise<Answer> {
  const { payfile, query, signal, desk, person } = visit;
  const period = periodIn(query);
  if (period === undefined || typeof period === 'string') return periodPage(visit, period);
  const { from, to } = period;
  const made = await desk.making.take(person.id, () => payfile.call(report, { from, to }, { signal }));
  return periodPage(visit, undefined, made.kind === 'days' ? shown(period, made) : NOTHING);
}

/** Days are of UTC, as in every file. */
function monthLink(name: string, now: number, months: number): Html {
  const today = new Date(now);
  const day = (month: number, date: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, date)).toISOString().slice(0, 10);
  const path = address`/reports?from=${day(months, 1)}&to=${day(months + 1, 0)}`;
  return html`<a class="button" href="${path}">${name}</a>`;
}

function periodPage({ query, desk }: Visit, wrong: string | undefined, body = NOTHING): Answer {
  const day = (name: 'from' | 'to', label: string) =>
    html`<div><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${query.get(name) ?? ''}" required${wrong === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="wrong"`}></div>
`;
  const now = desk.now();
  const form = html`<p>All payments that were sent, settled, returned or ended in these days. Reports of one batch are on the page of the batch.</p>
${wrong === undefined ? NOTHING : refusal(wrong)}<form method="get" action="/reports" class="line">
${day('from', 'First day (UTC)')}${day('to', 'Last day (UTC)')}<button class="main">Show</button>
${monthLink('This month', now, 0)}${monthLink('Last month', now, -1)}
</form>
`;
  return page('Reports', html`${form}${body}`, wrong === undefined ? {} : { status: 422 });
}

function shown({ from, to }: Period, made: Awaited<ReturnType<typeof report.run>>): Html {
  const links = KINDS.map(
    (kind) =>
      html`<li><a href="/reports/${fileOf('payments', kind)}${address`?from=${from}&to=${to}`}" download>${kind.title}</a> <span class="under">${kind.about}</span></li>\n`,
  );
  const files = html`<ul class="downloads">${links}</ul>\n<p class="note">Account numbers are masked.</p>\n`;
  return html`${section('days', `From ${from} to ${to}`, drawn(report, made, 'Totals by currency'))}${section('files', 'Download', files)}`;
}
