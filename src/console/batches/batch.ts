/**
 * A batch: what it came to, what to look at, what can be done, its money, its rows page by page, and who decided what.
 * It is the report's page with buttons; nothing here reads all rows.
 */
import { batchLabel, countsTextOf, halfReadText } from '../../domain/batches/batch.ts';
import { pausePieces } from '../../domain/next-steps/batch-steps.ts';
import { STATUSES, type Status } from '../../domain/payouts/payout.ts';
import { type Deed, mayDo, type Person } from '../../domain/people/person.ts';
import { rowLabel } from '../../domain/reporting/row-label.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { IN_A_PROGRAM, textOf } from '../../domain/text/message.ts';
import { counted, rowsText } from '../../domain/text/printable.ts';
import { type RowsPage, rowList } from '../../operations/row-list.ts';
import { type BatchLook, look as lookNow } from '../../operations/status.ts';
import { badge, type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { stateChart } from '../../views/report/charts.ts';
import { moneySection } from '../../views/report/money-section.ts';
import { isNothingSent, meaningOfWord, statusCounts } from '../../views/report/outcome.ts';
import { auditSection } from '../../views/report/proof.ts';
import { rowsTable } from '../../views/report/rows-section.ts';
import { isUnderWay } from '../jobs.ts';
import { secondsToNext } from '../page/asks-again.ts';
import { wideTable } from '../page/fields.ts';
import { RELOADED } from '../page/layout.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { batchActions } from './actions.ts';
import { workPanel } from './live.ts';
import { aboutBatch } from './work.ts';

const ROWS_SHOWN = 50;

export async function batchPage(visit: Visit): Promise<Answer> {
  const { payfile, desk, person, part, query } = visit;
  const began = performance.now();
  const look = await payfile.call(lookNow, { batch: part('batch') });
  const { id: batch } = look.batch;
  const asked = { ...askedRows(query), limit: ROWS_SHOWN, counts: look.counts };
  const rows = await payfile.call(rowList, { batch, ...asked });
  const tookMs = performance.now() - began;
  const about = aboutBatch(look.batch.id);
  const job = desk.jobs.about(about);
  const path = address`/batches/${look.batch.id}`;
  const isGoing = isUnderWay(job);
  /** While something goes on: the page without script, else the parts of it that change. */
  const reloadSeconds = isGoing ? secondsToNext({ tookMs, watchers: desk.jobs.watchers(about) }) : undefined;
  const body = html`${live('so-far', outcome(look, path, isGoing), asksAgain(query, reloadSeconds))}${workPanel(job, `${path}/events`)}${isGoing ? NOTHING : otherWork(look)}${live('to-look-at', toLookAt(look, path))}${batchActions(look, { person, path, job })}<div id="money-now">${moneySection({ currencies: look.currencies, costs: [], earlier: [] })}</div>
${unreadable(look)}${stateChart(look.counts)}${rowsShown(rows, { path, query })}${decided(look.history, path)}
${more(person, path)}`;
  return page(batchLabel(look.batch), body, { reloadSeconds });
}

/** What work changes is asked for again while it goes on: figures beside a moving bar would be wrong. Nothing typed is lost. */
function live(id: string, content: Html, again: Html = NOTHING): Html {
  return html`<div id="${id}"${again}>${content}</div>\n`;
}

function asksAgain(query: URLSearchParams, seconds: number | undefined): Html {
  if (seconds === undefined) return NOTHING;
  const again = new URLSearchParams([...query, [RELOADED, '']]);
  return html` hx-get="?${again.toString()}" hx-trigger="every ${seconds}s" hx-select="#so-far" hx-swap="outerHTML" hx-select-oob="#to-look-at,#money-now,#rows-now" hx-status:4xx="swap:none" hx-status:5xx="swap:none"`;
}

function askedRows(query: URLSearchParams) {
  const statuses = query.getAll('status').filter(isStatus);
  const after = Number(query.get('after') ?? Number.NaN);
  return {
    statuses: statuses.length === 0 ? undefined : statuses,
    search: query.get('search')?.trim() || undefined,
    after: Number.isSafeInteger(after) && after >= 0 ? after : undefined,
  };
}

function isStatus(text: string): text is Status {
  return STATUSES.some((status) => status === text);
}

function outcome(look: BatchLook, path: string, isGoing: boolean): Html {
  const { batch, outcome: became, counts } = look;
  const sentence = countsTextOf(became);
  const isAlarming = became.exitCode === 5;
  const half = halfReadText(batch);
  const means = meaningOf(look, isGoing);
  return html`<p class="outcome${isAlarming ? ' bad' : ''}">${sentence}.</p>
<p>${means}</p>
${agreed(look)}${half === undefined ? NOTHING : html`<p class="alarm">${half}</p>\n`}${paused(look)}${statusCounts(counts, (status) => `${path}?status=${status}#rows`)}`;
}

/** A report is read when all is over; a page also before anything was sent, and while it is being sent. */
function meaningOf({ outcome: { word }, counts, attention }: BatchLook, isGoing: boolean): string {
  if (isNothingSent(word, counts)) return 'Nothing was sent. Rows that are held wait for a person.';
  if (word === 'finished_with_exceptions' && attention.length === 0) return 'It is finished.';
  if (word !== 'stopped') return meaningOfWord(word, counts);
  if (isGoing) return 'It is being sent now.';
  const { settled, accepted, failed, returned, in_doubt: inDoubt, sending } = counts;
  const everSent = settled + accepted + failed + returned + inDoubt + sending;
  return everSent === 0 ? 'Nothing was sent yet.' : meaningOfWord(word, counts);
}

function agreed({ batch: { approval } }: BatchLook): Html {
  if (approval === undefined) return NOTHING;
  const { by, at, count } = approval;
  return html`<p>${by} agreed to ${counted(count, 'payment')}, ${instant(at)}.</p>\n`;
}

function paused({ batch: { pause } }: BatchLook): Html {
  if (pause === undefined) return NOTHING;
  return html`<p class="doubtful"><strong>Paused</strong> by ${pause.by}, ${instant(pause.at)}: nothing new is sent. Why: ${textOf(pausePieces(pause.reason), IN_A_PROGRAM)}</p>\n`;
}

/** Work that another process does, which this one can only watch. */
function otherWork({ atWork }: BatchLook): Html {
  if (atWork === undefined) return NOTHING;
  const { user, host, pid, command } = atWork.holder;
  return html`<p class="doubtful">${user} works on this batch: ${command}, process ${pid} on ${host}, since ${instant(atWork.since)}.</p>\n`;
}

function toLookAt({ attention, attentionLeft, doubt, counts }: BatchLook, path: string): Html {
  const all = html`<p class="note">… and ${rowsText(attentionLeft)} more.</p>\n`;
  const doubts =
    doubt === undefined
      ? NOTHING
      : html`<p><a class="button main" href="${path}/doubt">Find out about the rows in doubt</a></p>\n`;
  const held =
    counts.held === 0
      ? NOTHING
      : html`<p><a class="button" href="${path}/held">Look at ${rowsText(counts.held)} held and decide</a></p>\n`;
  if (attention.length === 0 && doubt === undefined && counts.held === 0) return NOTHING;
  const rows = attention.map((seen) => [
    html`<a href="${path}${address`/rows/${seen.row}`}">Row ${seen.row}</a>`,
    badge(rowLabel(seen.status, seen)),
    seen.reason,
  ]);
  const table =
    rows.length === 0
      ? NOTHING
      : wideTable({
          label: 'Rows to look at',
          heads: ['Row', 'Status', 'Why, and what to do'],
          rows,
        });
  return section('look', 'What to look at', [doubts, held, table, attentionLeft > 0 ? all : NOTHING]);
}

function unreadable({ invalidWithoutMoney: rows }: BatchLook): Html {
  if (rows === 0) return NOTHING;
  return html`<p class="note">${rowsText(rows)} that cannot be paid as written ${rows === 1 ? 'is' : 'are'} in none of these sums.</p>\n`;
}

function decided({ decisions, next, head }: BatchLook['history'], path: string): Html {
  const cut =
    next === undefined
      ? NOTHING
      : html`Only the newest are shown; the first of them may be about more rows than its line says. `;
  return html`${auditSection({ list: decisions.toReversed(), more: 0, head })}<p>${cut}<a href="${path}/history">All decisions</a></p>`;
}

interface RowsAsked {
  readonly path: string;
  readonly query: URLSearchParams;
}

function rowsShown({ lines, next, counts }: RowsPage, { path, query }: RowsAsked): Html {
  const search = query.get('search') ?? '';
  const chosen = query.getAll('status').filter(isStatus);
  const boxes = STATUSES.filter((status) => counts[status] > 0).map(
    (status) =>
      html`<label class="choice"><input type="checkbox" name="status" value="${status}"${chosen.includes(status) ? html` checked` : NOTHING}>${STATUS_WORDS[status].word}</label>\n`,
  );
  const filter = html`<form method="get" action="${path}#rows" class="filter"><div><label for="search">Row, reference or name</label>
<input id="search" name="search" value="${search}" autocomplete="off"></div>
<fieldset><legend>Status</legend>
${boxes}</fieldset>
<button>Show</button></form>
`;
  const table =
    lines.length === 0
      ? html`<p>No row of this batch is so.</p>\n`
      : rowsTable(lines, 'In the order of the file', ({ row }) => `${path}${address`/rows/${row}`}`);
  const isSome = chosen.length > 0 || search !== '';
  return section('rows', isSome ? 'Payments that were asked for' : 'All payments', [
    filter,
    live('rows-now', table),
    pages(next, { path, query }),
  ]);
}

function pages(next: number | undefined, { path, query }: RowsAsked): Html {
  const first = query.has('after')
    ? html`<a href="${withAfter(path, query, undefined)}">First page</a> `
    : NOTHING;
  const following =
    next === undefined ? NOTHING : html`<a rel="next" href="${withAfter(path, query, next)}">Next page</a>`;
  return html`<p>${first}${following}</p>\n`;
}

function withAfter(path: string, query: URLSearchParams, after: number | undefined): string {
  const asked = new URLSearchParams(query);
  asked.delete('after');
  if (after !== undefined) asked.set('after', String(after));
  return `${path}?${asked.toString()}#rows`;
}

const PLACES: readonly (readonly [deed: Deed, end: string, name: string])[] = [
  ['look', '/report.xlsx', 'Workbook'],
  ['look', '/report.html', 'Page to print'],
  ['look', '/report.csv', 'CSV'],
  ['look', '/reports', 'All reports'],
  ['look', '/history', 'What was decided, and by whom'],
  ['rule', '/statement', 'Compare with a statement'],
];

function more(person: Person, path: string): Html {
  const links = PLACES.filter(([deed]) => mayDo(person, deed)).map(
    ([, end, name]) => html`<li><a href="${path}${end}">${name}</a></li>`,
  );
  return section('more', 'Reports and statements', html`<ul>${links}</ul>\n`);
}
