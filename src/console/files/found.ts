/**
 * What was found in a file: how it was read, what can be paid, and what is wrong, by kind.
 */
import { styleText } from '../../domain/money/amount-style.ts';
import { issueGroups } from '../../domain/rows/issue-groups.ts';
import type { RowIssues } from '../../domain/rows/row.ts';
import { counted, countText, rowsText } from '../../domain/text/printable.ts';
import type { CheckedRows } from '../../operations/check.ts';
import { type Html, html, moneyText, NOTHING } from '../../views/html.ts';
import { workEvents, workPanel } from '../batches/live.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import type { KeptFile } from './kept-files.ts';
import { jobOf, lookAt, pathOf, withFile } from './looking.ts';
import { questionsPage } from './questions.ts';
import { readingForm } from './reading.ts';

const RELOAD_SECONDS = 3;

export async function found(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file) => {
    const looked = await lookAt(file, visit);
    if (looked.kind === 'under_way') return underWay(file, visit);
    if (looked.kind === 'refused' && looked.questions.length > 0)
      return questionsPage(file, looked.questions);
    if (looked.kind === 'refused' && looked.isAboutColumns) return see(`${pathOf(file)}/columns`);
    if (looked.kind === 'refused')
      return page(
        file.name,
        html`<p class="alarm">${looked.why}</p>\n<p>Say below how it is read, or mend the file and bring it again.</p>\n<p><a class="button" href="${pathOf(file)}/columns">Look at its first rows and columns</a></p>\n${undoing(file)}${readingForm(file, true)}`,
      );
    return page(
      file.name,
      html`${planned(file)}${whatWasFound(looked.checked)}${next(file, looked.checked)}${wrong(file, looked.checked)}${held(looked.checked)}${noted(looked.checked.notes)}${readingForm(file)}`,
    );
  });
}

/** The page while the file is being read or planned. It is made anew when that is done. */
export function underWay(file: KeptFile, { desk }: Visit): Answer {
  const job = desk.jobs.about(jobOf(file));
  const again = html`<p><a href="">Look again</a></p>\n`;
  const body = html`${workPanel(job, `${pathOf(file)}/events`)}${again}`;
  return page(file.name, body, { reloadSeconds: RELOAD_SECONDS });
}

export async function fileEvents(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk }) => workEvents(desk, jobOf(file)));
}

function undoing(file: KeptFile): Html {
  if (file.edits.length === 0) return NOTHING;
  return html`<p><a class="button" href="${pathOf(file)}/rows">Look at what was corrected</a></p>\n`;
}

function planned({ plan }: KeptFile): Html {
  if (plan?.kind !== 'planned') return NOTHING;
  return html`<p>This file became a batch. <a class="button" href="${address`/batches/${plan.batchId}`}">Look at the batch</a></p>\n`;
}

function whatWasFound({
  rows,
  invalid,
  held: waiting,
  blankRows,
  totals,
  sheet,
  amountStyle,
}: CheckedRows): Html {
  const ready = rows - invalid;
  const counts: readonly (readonly [string, number, string])[] = [
    ['good', ready, 'can be paid'],
    ['bad', invalid, 'cannot be paid as written'],
    ['doubt', waiting, 'of these will be held for a person'],
  ];
  const sums = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sums.map(([currency, { count, minor }]) => [
    currency,
    countText(count),
    moneyText({ currency, minor }),
  ]);
  const place = sheet === undefined ? '' : `Sheet “${sheet}”. `;
  const blank = blankRows > 0 ? `, and ${countText(blankRows)} blank` : '';
  return html`<p>${place}${rowsText(rows)}${blank}. Amounts: ${styleText(amountStyle)}.</p>
<ul class="counts">${counts.filter(([, count], at) => at === 0 || count > 0).map(([tone, count, what]) => html`<li class="${tone}"><b>${countText(count)}</b> <span>${counted(count, 'row').replace(/^\S+ /, '')} ${what}</span></li>\n`)}</ul>
${
  sums.length === 0
    ? NOTHING
    : wideTable({
        label: 'Sums',
        caption: 'What beneficiaries get, of rows that can be paid. Fees come with the plan.',
        heads: ['Currency', { count: 'Rows' }, { count: 'Sum' }],
        rows: lines,
      })
}`;
}

const NOTES_SHOWN = 20;

function noted(notes: readonly string[]): Html {
  if (notes.length === 0) return NOTHING;
  const left = notes.length - NOTES_SHOWN;
  return html`<h2>How it was read</h2>
<ul>${notes.slice(0, NOTES_SHOWN).map((note) => html`<li>${note}</li>\n`)}</ul>
${left > 0 ? html`<p class="note">… and ${counted(left, 'more note')}.</p>\n` : NOTHING}`;
}

function next(file: KeptFile, { rows, invalid, issues }: CheckedRows): Html {
  // What became a batch leads there, unless it is planned once more.
  const plan = `${pathOf(file)}/plan${file.plan?.kind === 'planned' ? '?again=1' : ''}`;
  const mend =
    invalid > 0
      ? html`<a class="button main" href="${pathOf(file)}/rows">Mend the ${rowsText(invalid)}</a> `
      : NOTHING;
  const planning =
    rows > invalid
      ? html`<a class="button${invalid > 0 ? '' : ' main'}" href="${plan}">${invalid > 0 ? 'Plan without them' : 'Plan it'}</a> `
      : NOTHING;
  const hasUnknown = issues.some((row) => row.issues.some(({ kind }) => kind === 'institution_unknown'));
  const banks = hasUnknown
    ? html`<a class="button" href="${pathOf(file)}/values">Say which banks are meant</a> `
    : NOTHING;
  const edits = invalid === 0 ? undoing(file) : NOTHING;
  return html`${edits}<p>${mend}${banks}${planning}<a class="button" href="${pathOf(file)}/columns">Columns</a></p>\n`;
}

/** `institution_unknown` as people say it. */
export function kindText(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function asRowIssues({ issues }: Pick<CheckedRows, 'issues'>): readonly RowIssues[] {
  return issues.map(({ row: rowNumber, issues: each }) => ({ rowNumber, issues: each }));
}

function wrong(file: KeptFile, checked: CheckedRows): Html {
  if (checked.invalid === 0) return NOTHING;
  const lines = issueGroups(asRowIssues(checked)).flatMap((values) => {
    const [first] = values;
    if (first === undefined) return [];
    const { kind, column, field, expected } = first.issue;
    const count = values.reduce((sum, { others }) => sum + 1 + others.length, 0);
    const where = `${pathOf(file)}/rows?kind=${encodeURIComponent(kind)}`;
    return [
      [
        html`<a href="${where}">${kindText(kind)}</a>`,
        column ?? field,
        countText(count),
        countText(values.length),
        expected,
      ],
    ];
  });
  const heads = ['What', 'Column', { count: 'Rows' }, { count: 'Values' }, 'Expected, for example'];
  return html`<h2>What is wrong</h2>\n${wideTable({ label: 'What is wrong', heads, rows: lines })}`;
}

const HOLDS_SHOWN = 20;

function held({ holds, held: count }: CheckedRows): Html {
  if (count === 0) return NOTHING;
  const lines = holds
    .slice(0, HOLDS_SHOWN)
    .map(({ row, reasons }) => html`<li>Row ${row}: ${reasons.join('; ')}</li>\n`);
  return html`<h2>Rows that will wait for a person</h2>
<ul>${lines}</ul>
${count > HOLDS_SHOWN ? html`<p class="note">… and ${rowsText(count - HOLDS_SHOWN)} more. All of them stand in the plan.</p>\n` : NOTHING}`;
}
