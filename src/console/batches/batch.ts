/**
 * A batch: how it stands, what it needs next, its money and its rows. All figures come from one reading of the ledger. While
 * work goes on, the page asks again, and all figures change together.
 */
import { batchLabel, countsTextOf, halfReadText, type StatusCounts } from '../../domain/batches/batch.ts';
import { pausePieces } from '../../domain/next-steps/batch-steps.ts';
import { STATUSES, type Status } from '../../domain/payouts/payout.ts';
import { mayDo, type Person } from '../../domain/people/person.ts';
import { unaccountedTexts } from '../../domain/reporting/currency-totals.ts';
import { rowLabel } from '../../domain/reporting/row-label.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { counted, countText, rowsText } from '../../domain/text/printable.ts';
import { totalsTable } from '../../operations/outcome-blocks.ts';
import type { RowsPage } from '../../operations/row-list.ts';
import { type BatchLook, look } from '../../operations/status.ts';
import { badge, type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { statusCounts } from '../../views/report/outcome.ts';
import { rowsTable } from '../../views/report/rows-section.ts';
import { isUnderWay, type Job } from '../jobs.ts';
import { drawBlocks } from '../page/blocks.ts';
import { wideTable } from '../page/fields.ts';
import { pieceOnPage } from '../page/words.ts';
import { workPanel } from '../page/work-panel.ts';
import { type Answer, address, type Page, page, type Visit } from '../server/route.ts';
import { batchWay, needNow, nextAction, otherActions } from './actions.ts';
import { aboutBatch } from './work.ts';

export const ROWS_SHOWN = 100;
/** What work changes on the page. Nothing typed is in it. */
const CHANGING = ['steps', 'now', 'spoken', 'look-now', 'money-now', 'rows-now', 'bar'];

export async function batchPage(visit: Visit): Promise<Answer> {
  const { desk, person, part, query, isAgain } = visit;
  const key = JSON.stringify([part('batch'), query.toString(), person.roles]);
  return desk.watching(key, { id: person.id, isAgain }, () => pageNow(visit));
}

async function pageNow({ payfile, desk, person, part, query }: Visit): Promise<Page> {
  const began = performance.now();
  const seen = await payfile.call(look, { batch: part('batch'), rows: askedRows(query) });
  const path = address`/batches/${seen.batch.id}`;
  const job = desk.jobs.about(aboutBatch(seen.batch.id));
  const isGoing = isUnderWay(job) || seen.atWork !== undefined;
  const reloadSeconds = isGoing ? desk.pace(performance.now() - began) : undefined;
  const around = { person, path, need: needNow(seen, job), isGoing };
  const body = html`<div id="now">${stands(seen, { job, isGoing, path })}</div>
<p id="spoken" class="unseen" role="status">${isGoing ? spoken(seen.counts) : seen.need.state}</p>
<div id="look-now">${toLookAt(seen, { path, isGoing })}</div>
<div id="money-now">${money(seen)}</div>
${rowsShown(seen.rows, { path, query, isGoing })}<div id="others-now">${otherActions(seen, around)}</div>
${more(person, seen.batch.id, path)}`;
  return page(batchLabel(seen.batch), body, {
    ...{
      reloadSeconds,
      changing: CHANGING,
      changedAtEnd: ['others-now'],
      way: batchWay(seen, around.need),
      bar: nextAction(seen, around),
      // Who may not approve what they brought is told so.
      isOnlyFor: around.need.kind === 'approve' ? person.id : undefined,
    },
  });
}

function askedRows(query: URLSearchParams) {
  const statuses = query.getAll('status').filter(isStatus);
  const after = Number(query.get('after') ?? Number.NaN);
  return {
    limit: ROWS_SHOWN,
    statuses: statuses.length === 0 ? undefined : statuses,
    search: query.get('search')?.trim() || undefined,
    after: Number.isSafeInteger(after) && after >= 0 ? after : undefined,
  };
}

function isStatus(text: string): text is Status {
  return STATUSES.some((status) => status === text);
}

interface Work {
  readonly job: Job | undefined;
  readonly isGoing: boolean;
  readonly path: string;
}

function stands(seen: BatchLook, { job, isGoing, path }: Work): Html {
  const { batch, outcome, counts, need } = seen;
  const half = halfReadText(batch);
  const [first] = isGoing ? progressOf(counts).filter(({ done, total }) => done < total) : [];
  const headline =
    first === undefined
      ? need.state
      : `${first.doing}: ${countText(first.done)} of ${countText(first.total)}`;
  return html`<p class="outcome${outcome.exitCode === 5 && !isGoing ? ' bad' : ''}">${headline}</p>
<p>${countsTextOf(outcome)}.</p>
${isGoing ? progressOf(counts).map(bar) : NOTHING}${working(seen, job)}${agreed(seen)}${half === undefined ? NOTHING : html`<p class="alarm">${half}</p>\n`}${paused(seen)}${statusCounts(counts, (status) => `${path}?status=${status}#rows`)}`;
}

interface Progress {
  readonly doing: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** How far each stage is, by the rows alone. */
function progressOf(counts: StatusCounts): readonly Progress[] {
  const { planned, quoted, held, approved, accepted, sending } = counts;
  const { settled, failed, returned, in_doubt: inDoubt } = counts;
  const known = settled + failed + returned;
  const sent = known + inDoubt + accepted + sending;
  const all: readonly Progress[] = [
    {
      doing: 'Asking for names and fees',
      what: 'Names and fees',
      done: quoted + held + approved + sent,
      total: planned === 0 ? 0 : planned + quoted + held + approved + sent,
    },
    { doing: 'Sending', what: 'Sent', done: sent, total: sent + approved },
    { doing: 'Outcomes known', what: 'Outcomes known', done: known, total: sent },
  ];
  return all.filter(({ total }) => total > 0);
}

function bar({ what, done, total }: Progress): Html {
  return html`<p class="progress"><progress max="${total}" value="${done}" aria-label="${what}"></progress> <span>${what}: ${countText(done)} of ${rowsText(total)}</span></p>\n`;
}

/** Changes ten times at most, so that a screen reader is not spoken to all the time. */
function spoken(counts: StatusCounts): string {
  const { doing, done, total } = progressOf(counts).find((each) => each.done < each.total) ?? {};
  return total === undefined || done === undefined
    ? ''
    : `${doing}: at least ${Math.floor((10 * done) / total) * 10} %`;
}

/** The work under way, here or in another process, and how the last work of this console ended. */
function working({ atWork }: BatchLook, job: Job | undefined): Html {
  const isHere = isUnderWay(job);
  const other = atWork === undefined || isHere ? NOTHING : elsewhere(atWork);
  // How far it is, the rows themselves say.
  return html`${other}${workPanel(job && { ...job, stages: [] })}`;
}

function elsewhere({ holder, since }: NonNullable<BatchLook['atWork']>): Html {
  const { user, host, pid, command } = holder;
  return html`<p class="doubtful">${user} works on this batch, since ${instant(since)}.</p>
<details class="note"><summary>For support</summary><p>${command}, process ${pid} on ${host}</p></details>
`;
}

function agreed({ batch: { approval } }: BatchLook): Html {
  if (approval === undefined) return NOTHING;
  const { by, at, count } = approval;
  return html`<p>${by} approved ${counted(count, 'payment')}, ${instant(at)}.</p>\n`;
}

function paused({ batch: { pause } }: BatchLook): Html {
  if (pause === undefined) return NOTHING;
  return html`<p class="doubtful"><strong>Paused</strong> by ${pause.by}, ${instant(pause.at)}: payfile sends nothing new. Reason: ${pausePieces(pause.reason).map(pieceOnPage)}</p>\n`;
}

/** While work goes on, nobody has to look at what is on the wire for a moment. */
function toLookAt({ attention: all, attentionLeft }: BatchLook, { path, isGoing }: Omit<Work, 'job'>): Html {
  const attention = all.filter(({ status }) => !(isGoing && status === 'sending'));
  if (attention.length === 0) return NOTHING;
  const rows = attention.map((seen) => [
    html`<a href="${path}${address`/rows/${seen.row}`}">Row ${seen.row}</a>`,
    badge(rowLabel(seen.status, seen)),
    seen.reason,
  ]);
  const table = wideTable({
    label: 'Rows to look at',
    heads: ['Row', 'Status', 'Reason'],
    rows,
  });
  const left = html`<p class="note">… and ${rowsText(attentionLeft)} more.</p>\n`;
  return section('look', 'Rows to look at', [table, attentionLeft > 0 ? left : NOTHING]);
}

function money({ currencies, invalidWithoutMoney: rows, counts }: BatchLook): Html {
  if (currencies.length === 0) return NOTHING;
  const note =
    rows === 0
      ? NOTHING
      : html`<p class="note">${rowsText(rows)} that cannot be paid as written ${rows === 1 ? 'is' : 'are'} in none of these sums.</p>\n`;
  const { sending } = STATUS_WORDS;
  const alsoSending = counts.in_doubt === 0 ? sending.word : `In doubt or ${sending.word.toLowerCase()}`;
  const notes = unaccountedTexts({ currencies }).map((text) => html`<p class="note">${text}</p>\n`);
  const table = drawBlocks(
    [totalsTable(currencies, counts.sending > 0 ? alsoSending : undefined)],
    'Money by currency',
  );
  return section('money', 'Money', [table, notes, note]);
}

interface RowsAsked {
  readonly path: string;
  readonly query: URLSearchParams;
}

function rowsShown(
  rows: RowsPage | undefined,
  { path, query, isGoing }: RowsAsked & Pick<Work, 'isGoing'>,
): Html {
  if (rows === undefined) return NOTHING;
  const { lines, next, counts } = rows;
  const search = query.get('search') ?? '';
  const chosen = query.getAll('status').filter(isStatus);
  const boxes = STATUSES.filter((status) => counts[status] > 0 || isGoing).map(
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
      ? html`<p>No row matches.</p>\n`
      : rowsTable(lines, 'In the order of the file', ({ row }) => `${path}${address`/rows/${row}`}`);
  const isSome = chosen.length > 0 || search !== '';
  return section('rows', isSome ? 'Matching rows' : 'All rows', [
    filter,
    html`<div id="rows-now">${table}</div>\n`,
    rowPages(next, { path, query }),
  ]);
}

/** Links to the first and to the next page of rows. */
export function rowPages(next: number | undefined, { path, query }: RowsAsked): Html {
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

function more(person: Pick<Person, 'roles'>, batch: string, path: string): Html {
  const places = [
    [`/report?batch=${batch}&format=xlsx`, 'Report as a workbook'],
    [`/report?batch=${batch}&format=html`, 'Report to print'],
    [`${path}/reports`, 'All reports'],
    [`${path}/history`, 'Decisions, and who made them'],
    ...(mayDo(person, 'rule') ? [[`${path}/statement`, 'Compare with a statement']] : []),
  ];
  const links = places.map(([to, name]) => html`<li><a href="${to}">${name}</a></li>`);
  return section('more', 'Reports and statements', html`<ul>${links}</ul>\n`);
}
