/**
 * What was paid in a span of days, over all batches: the totals on the page, and files to download. Accounts are masked.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { type Period, periodOf } from '../../domain/reporting/period.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { type DaysReport, report } from '../../operations/report.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { moneySection } from '../../views/report/money-section.ts';
import { refusal, wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Route, type Visit } from '../server/route.ts';
import { download, REPORT_KINDS, type ReportKind } from './made-file.ts';

const KINDS = REPORT_KINDS.filter(({ isOverDays }) => isOverDays);

export const PERIOD_ROUTES: readonly Route[] = KINDS.map((kind) => ({
  method: 'GET',
  path: `/reports/${fileOf(kind)}`,
  may: 'look',
  handle: (visit) => downloaded(visit, kind),
}));

function fileOf({ suffix, ending }: ReportKind): string {
  return `payments${suffix}.${ending}`;
}

async function downloaded(visit: Visit, { ending, format, suffix }: ReportKind): Promise<Answer> {
  const period = periodIn(visit.query);
  if (period === undefined || typeof period === 'string') return periodForm(visit, period ?? MISSING);
  const { payfile, signal } = visit;
  return download(visit, ending, async (path) => {
    const { from, to } = period;
    await payfile.report({ from, to, output: path, format, maskAccounts: true }, { signal });
    return `payments-${from}-to-${to}${suffix}`;
  });
}

const MISSING = 'Give the first and the last day.';

/** undefined: nothing was given; a text: what is wrong with it. */
function periodIn(query: URLSearchParams): Period | string | undefined {
  const [from, to] = [query.get('from')?.trim() ?? '', query.get('to')?.trim() ?? ''];
  if (from === '' && to === '') return undefined;
  const wanted = 'write days as 2026-05-01, the first not after the last';
  return periodOf(from, to) ?? `“${from}” to “${to}” is no span of days; ${wanted}.`;
}

/** Days are of UTC, as everywhere. */
function monthLinks(now: number): Html {
  const today = new Date(now);
  const day = (months: number, date: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, date)).toISOString().slice(0, 10);
  const link = (name: string, away: number) =>
    html`<a class="button" href="${address`/reports?from=${day(away, 1)}&to=${day(away + 1, 0)}`}">${name}</a>`;
  return html`<p>${link('This month', 0)} ${link('Last month', -1)}</p>\n`;
}

export async function reports(visit: Visit): Promise<Answer> {
  const { payfile, query, signal, desk, person } = visit;
  const period = periodIn(query);
  if (period === undefined || typeof period === 'string') return periodForm(visit, period);
  const { from, to } = period;
  const made = await desk.making.take(person.id, () => payfile.call(report, { from, to }, { signal }));
  return periodForm(visit, undefined, made.kind === 'days' ? shown(made) : undefined);
}

function periodForm({ query, desk }: Visit, wrong: string | undefined, body = NOTHING): Answer {
  const day = (name: 'from' | 'to', label: string) =>
    html`<div><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${query.get(name) ?? ''}" required${wrong === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="wrong"`}></div>
`;
  const said = wrong === undefined ? NOTHING : refusal(wrong);
  const form = html`<p>Payments that were sent, settled, returned or ended in these days, over all batches. The reports of one batch are on its own page.</p>
${said}<form method="get" action="/reports" class="line">
${day('from', 'First day (UTC)')}${day('to', 'Last day (UTC)')}<button class="main">Show these days</button>
</form>
${monthLinks(desk.now())}`;
  return page('Reports', html`${form}${body}`, wrong === undefined ? {} : { status: 422 });
}

function shown({ period: { from, to }, outcome, totals, batches }: DaysReport): Html {
  const span = address`?from=${from}&to=${to}`;
  const links = KINDS.map(
    (kind) => html`<li><a href="/reports/${fileOf(kind)}${span}" download>${kind.title}</a></li>\n`,
  );
  const title = `From ${from} to ${to}`;
  if (totals.linesOut === 0)
    return section(
      'days',
      title,
      html`<p>No payment was sent, settled, returned or ended in these days.</p>\n`,
    );
  const lines = batches.map(({ batch, rows }) => [
    html`<a href="${address`/batches/${batch.id}`}">${batchLabel(batch)}</a>`,
    countText(rows),
  ]);
  const ties = totals.ties
    ? html`<p class="good">✔ The sums agree, and every row is accounted for: ${rowsText(totals.linesOut)}.</p>\n`
    : html`<p class="alarm">✖ The sums do not agree. Do not rely on this report.</p>\n`;
  return section(
    'days',
    title,
    html`<p>${outcome.sentence}</p>
${ties}${moneySection(totals)}
<h3>Batches</h3>
${wideTable({ label: 'Batches', heads: ['Batch', { count: 'Rows' }], rows: lines })}<h3>Download</h3>
<ul class="downloads">${links}</ul>
<p class="note">Account numbers are masked.</p>
`,
  );
}
