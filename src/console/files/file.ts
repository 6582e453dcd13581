/** The page of an uploaded file: what was found, what has to be fixed, every row, and the way to a batch. */
import { leadOf } from '../../domain/reading/question.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { proposedName } from '../../operations/file.ts';
import { type Html, html, moneyText, NOTHING, type Piece } from '../../views/html.ts';
import { isUnderWay } from '../jobs.ts';
import { wideTable } from '../page/fields.ts';
import { actionBar, formButton, postButton } from '../page/way.ts';
import { workPanel } from '../page/work-panel.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { columnsSection } from './columns.ts';
import { fixSection, saidSection } from './fix.ts';
import type { Found, KeptFile } from './kept-files.ts';
import { jobOf, lookAt, pathOf, ROWS_KEPT, withFile } from './looking.ts';
import { planButton, planFields, planSection } from './plan.ts';

const RELOAD_SECONDS = 3;
const WAY = { at: 'check', links: { upload: '/new' } } as const;

export async function filePage(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk }) => {
    if (isUnderWay(desk.jobs.about(jobOf(file)))) return underWay(file, visit);
    if (file.plan?.kind === 'planned') return see(address`/batches/${file.plan.batchId}/plan`);
    const looked = await lookAt(file, visit);
    if (looked.kind === 'under_way') return underWay(file, visit);
    return looked.kind === 'rows' ? checkedPage(file, looked, visit) : refusedPage(file, looked, visit);
  });
}

/** While the file is read or planned. The page is loaded again when that ends. */
function underWay(file: KeptFile, { desk }: Visit): Answer {
  const panel = workPanel(desk.jobs.about(jobOf(file)));
  const body = html`${panel}<p><a href="">Look again</a></p>\n`;
  return page(file.name, body, { way: WAY, reloadSeconds: RELOAD_SECONDS });
}

type Refused = Extract<Found, { kind: 'refused' }>;

async function refusedPage(file: KeptFile, refused: Refused, visit: Visit): Promise<Answer> {
  const { questions, why } = refused;
  const isAsked = questions.length > 0;
  const lead = isAsked ? leadOf(questions, file.name) : why;
  return page(
    file.name,
    html`<p class="${isAsked ? 'doubtful' : 'alarm'}">${lead}</p>
${await sayForm(file, refused, visit, NOTHING)}${await columnsSection(file, !isAsked, visit)}${saidSection(file)}<p>${discardButton(file)}</p>\n`,
    {
      way: WAY,
      bar: actionBar({
        main: isAsked ? formButton('say', 'Save and check again', 'main') : undefined,
      }),
    },
  );
}

const discardButton = (file: KeptFile) => postButton(`${pathOf(file)}/remove`, 'Discard this file');

/**
 * All that is ticked and typed on the page is of this form. What Enter sends is its first button, which saves and pays
 * nothing.
 */
async function sayForm(file: KeptFile, found: Found, { payfile }: Visit, first: Html): Promise<Html> {
  const fields = await fixSection(found, payfile);
  const title = fields.text === '' ? NOTHING : html`<h2 id="fix">To answer and fix</h2>\n`;
  return html`<form id="say" class="mend" method="post" action="${pathOf(file)}/answers" data-keep>
<button class="unseen" tabindex="-1" aria-hidden="true">Save</button>${first}${title}${fields}</form>
`;
}

async function checkedPage(
  file: KeptFile,
  found: Extract<Found, { kind: 'rows' }>,
  visit: Visit,
): Promise<Answer> {
  const { checked } = found;
  const { name: proposed } = await visit.payfile.call(proposedName, { fileName: file.name });
  const canPlan = checked.rows > checked.invalid;
  const save = formButton('say', 'Save and check again', checked.invalid > 0 ? 'main' : 'plain');
  const next = canPlan ? [planButton(file, checked, checked.invalid > 0 ? 'plain' : 'main')] : [];
  return page(
    file.name,
    html`${planSection(file)}${summary(checked)}${sandboxNote(visit)}${await sayForm(file, found, visit, canPlan ? planFields(file, checked, proposed) : NOTHING)}${rowList(checked, visit)}${saidSection(file)}${notes(checked)}${await columnsSection(file, false, visit)}<p><a class="button" href="${pathOf(file)}/corrected.xlsx">Download the file with your corrections</a> ${discardButton(file)}</p>\n`,
    {
      way: WAY,
      bar: actionBar({
        about: `${rowsText(checked.rows - checked.invalid)}${sumsText(checked)}`,
        ...(checked.invalid > 0 ? { main: save, others: next } : { main: next[0] }),
      }),
    },
  );
}

const sumsOf = ({ totals }: CheckedRows) => [...totals].sort(([one], [other]) => (one < other ? -1 : 1));

function sumsText(checked: CheckedRows): string {
  const sums = sumsOf(checked).slice(0, 3);
  return (
    sums.map(([currency, { minor }]) => `, ${moneyText({ currency, minor })}`).join('') +
    (checked.totals.size > 3 ? ' …' : '')
  );
}

function summary(checked: CheckedRows): Html {
  const { rows, invalid, held, sheet, blankRows } = checked;
  const counts: readonly (readonly [tone: string, count: number, what: string, show: string])[] = [
    ['good', rows - invalid, 'can be paid', ''],
    ['bad', invalid, 'to fix', 'fix'],
    ['doubt', held, 'of them will be held for a person', 'held'],
  ];
  const lines = sumsOf(checked).map(([currency, { count, minor }]) => [
    currency,
    countText(count),
    moneyText({ currency, minor }),
  ]);
  const place = sheet === undefined ? '' : `Sheet “${sheet}”: `;
  const blank = blankRows > 0 ? ` and ${countText(blankRows)} blank` : '';
  const tiles = counts
    .filter(([, count], at) => at === 0 || count > 0)
    .map(
      ([tone, count, what, show]) =>
        html`<li class="${tone}"><a href="?show=${show}#rows"><b>${countText(count)}</b> <span>${what}</span></a></li>\n`,
    );
  const heads = ['Currency', { count: 'Rows' }, { count: 'Sum' }];
  return html`<p>${place}${rowsText(rows)}${blank}.</p>
<ul class="counts">${tiles}</ul>
<div class="sums">${lines.length === 0 ? NOTHING : wideTable({ label: 'Sums', caption: 'What beneficiaries get. Fees come with the plan.', heads, rows: lines })}</div>
`;
}

function sandboxNote({ desk }: Visit): Html {
  if (desk.environment !== 'sandbox') return NOTHING;
  return html`<p class="note">In the sandbox, each account belongs to the person whom your file names, except <a href="/lists">accounts that rehearse trouble</a>. With real money the bank gives the name.</p>\n`;
}

const ROWS_A_PAGE = 100;
const SHOWN = { fix: 'Rows to fix', held: 'Rows that will be held' } as const;

function rowList({ firstRows, rows: all }: CheckedRows, { query }: Visit): Html {
  const show = query.get('show') ?? '';
  const wanted = firstRows.filter(({ isInvalid, holds }) =>
    show === 'fix' ? isInvalid : show === 'held' ? holds.length > 0 : true,
  );
  const pages = Math.max(1, Math.ceil(wanted.length / ROWS_A_PAGE));
  const at = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page'))) || 1));
  const shown = wanted.slice((at - 1) * ROWS_A_PAGE, at * ROWS_A_PAGE);
  const hasNotes = firstRows.some(({ note }) => note !== '');
  const stateOf = ({ isInvalid, holds }: CheckedRows['firstRows'][number]): Piece =>
    isInvalid
      ? html`<a class="wrong" href="#fix">to fix</a>`
      : holds.length > 0
        ? `will be held: ${holds.join('; ')}`
        : '';
  const hasStates = shown.some((each) => stateOf(each) !== '');
  const rows = shown.map((each): readonly Piece[] => {
    const { row, name, institution, account, amount, note } = each;
    return [
      ...[String(row), name, institution, account],
      typeof amount === 'string' ? amount : moneyText(amount),
      ...(hasNotes ? [note] : []),
      ...(hasStates ? [stateOf(each)] : []),
      html`<input type="checkbox" form="say" name="row" value="${row}" aria-label="Leave row ${row} out">`,
    ];
  });
  const heads = [
    'Row',
    'Name',
    'Bank',
    'Account',
    { count: 'Amount' },
    ...(hasNotes ? ['Note'] : []),
    ...(hasStates ? ['State'] : []),
    'Leave out',
  ];
  const title = show === 'fix' || show === 'held' ? SHOWN[show] : 'Rows';
  const place = (to: number) =>
    `?${new URLSearchParams({ ...(show !== '' && { show }), page: String(to) })}#rows`;
  const turn = (to: number, text: string) => (to < 1 || to > pages ? NOTHING : turnButton(place(to), text));
  const more =
    all > ROWS_KEPT
      ? html`<p class="note">The first ${countText(ROWS_KEPT)} of ${rowsText(all)}. The plan lists all of them.</p>\n`
      : NOTHING;
  const everything = title === 'Rows' ? NOTHING : turnButton('?#rows', 'All rows');
  return html`<h2 id="rows">${title}</h2>
<p>${rowsText(wanted.length)}${pages > 1 ? `, page ${at} of ${countText(pages)}` : ''}. ${everything}</p>
${wideTable({ label: title, heads, rows })}${more}<p>${turn(at - 1, 'Previous')}${turn(at + 1, 'Next')}${formButton('say', 'Leave the ticked rows out')}</p>
`;
}

/** To other rows of the page. What is ticked on these is kept. */
const turnButton = (to: string, text: string) =>
  html`<button form="say" name="to" value="${to}">${text}</button> `;

const NOTES_SHOWN = 20;

function notes({ notes: all }: CheckedRows): Html {
  if (all.length === 0) return NOTHING;
  const left = all.length - NOTES_SHOWN;
  return html`<h2>How it was read</h2>
<ul>${all.slice(0, NOTES_SHOWN).map((note) => html`<li>${note}</li>\n`)}</ul>
${left > 0 ? html`<p class="note">… and ${countText(left)} more.</p>\n` : NOTHING}`;
}
