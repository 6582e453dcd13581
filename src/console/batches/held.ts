/**
 * The rows that wait for a person, side by side: what the file says, what the account says, and why each waits. Those that
 * are ticked are released or withdrawn together, with one reason.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { clipped, NAME_WORDS } from '../../domain/names/name-check.ts';
import { mayDo } from '../../domain/people/person.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { type HeldRow, type HeldRows, held } from '../../operations/held.ts';
import { cancel, release } from '../../operations/rows.ts';
import { type Html, html, NOTHING, type Piece, smallPrint } from '../../views/html.ts';
import { field, hidden, refusal, wideTable } from '../page/fields.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';

interface Wrong {
  readonly text: string;
  /** Of each row that stays as it is. */
  readonly rows: readonly string[];
  readonly form: Form;
}

export async function heldPage(visit: Visit): Promise<Answer> {
  return shown(visit);
}

async function shown(visit: Visit, wrong?: Wrong): Promise<Answer> {
  const { payfile, part, query, person } = visit;
  const after = Number(query.get('after') ?? Number.NaN);
  const waiting = await payfile.call(held, {
    batch: part('batch'),
    after: Number.isSafeInteger(after) ? after : undefined,
  });
  const { batch, rows, next, count } = waiting;
  const path = address`/batches/${batch.id}`;
  const title = `Held rows of ${batchLabel(batch)}`;
  if (rows.length === 0 && wrong === undefined) return page(title, html`<p>No row is held.</p>\n`);
  const mayDecide = mayDo(person, 'approve');
  const table = heldTable(waiting, mayDecide, wrong?.form);
  const of = count > rows.length ? html`<p>${countText(rows.length)} of ${rowsText(count)}.</p>\n` : NOTHING;
  const more =
    next === undefined
      ? NOTHING
      : html`<p><a rel="next" href="${path}/held?after=${next}">Next page</a></p>\n`;
  const body = mayDecide
    ? decisionForm(table, waiting, { path: `${path}/held`, wrong })
    : html`${table}<p class="note">Releasing and withdrawing rows: a task for an approver.</p>\n`;
  return page(
    title,
    html`${alarm(wrong)}${of}${mending(batch)}${body}${more}`,
    wrong === undefined ? {} : { status: 422 },
  );
}

/** Releasing sends the money where the file says, and withdrawing sends none. */
export function mending(batch: Batch): Html {
  return html`<p>Is an account or a name wrong? Correct it in the file, and <a href="/new">bring it again</a> under the name of this batch, “${batchLabel(batch)}”. It is a newer version then: what was corrected is checked anew.</p>\n`;
}

function alarm(wrong: Wrong | undefined): Html {
  if (wrong === undefined) return NOTHING;
  const rows = wrong.rows.map((text) => html`<li>${text}</li>\n`);
  return refusal(html`<p>${wrong.text}</p>
${rows.length === 0 ? NOTHING : html`<ul>${rows}</ul>\n`}`);
}

function heldTable({ batch, rows }: HeldRows, mayDecide: boolean, sent: Form | undefined): Html {
  const lines = rows.map((row) => {
    const link = html`<a href="${address`/batches/${batch.id}/rows/${row.row}`}">Row ${row.row}</a>`;
    // A row that waits for something else by now is ticked anew.
    const isTicked = sent?.all('payout').includes(row.payout) && sent.all('shown').includes(row.shown);
    const box = html`${hidden('shown', row.shown)}<input type="checkbox" name="payout" value="${row.payout}" aria-label="Row ${row.row}"${isTicked === true ? html` checked` : NOTHING}>`;
    return [
      mayDecide ? [box, link] : link,
      [formatMoney(row.amount), smallPrint(row.reference ?? '')],
      clipped(row.name ?? '(no name)'),
      onAccount(row),
      [clipped(row.institution), smallPrint(row.account)],
      whyHeld(row),
    ];
  });
  const heads = ['Row', { count: 'Amount' }, 'In the file', 'On the account', 'Account', 'Why it is held'];
  return wideTable({ label: 'Held rows', heads, rows: lines });
}

function onAccount({ holder, nameCheck }: HeldRow): Piece {
  if (nameCheck === undefined) return 'not asked yet';
  const word = nameCheck === 'no_name' ? NOTHING : smallPrint(NAME_WORDS[nameCheck]);
  return [holder === undefined ? '(not known)' : clipped(holder), word];
}

function whyHeld({ reasons, objection }: HeldRow): Piece {
  const said = reasons.map((text) => html`<li>${text}</li>`);
  const first = objection === undefined ? NOTHING : html`<p class="wrong">It is ${objection}.</p>`;
  return html`${first}<ul class="lines">${said}</ul>`;
}

interface Deciding {
  readonly path: string;
  readonly wrong: Wrong | undefined;
}

function decisionForm(table: Html, { rows }: HeldRows, { path, wrong }: Deciding): Html {
  const free = rows.filter(({ objection }) => objection === undefined);
  const left = rows.length - free.length;
  const all =
    free.length === 0
      ? NOTHING
      : html`<p>${free.map(({ payout }) => hidden('listed', payout))}<button name="decision" value="release-listed">Release all ${countText(free.length)} listed</button> <button name="decision" value="withdraw-listed">Withdraw all ${countText(free.length)} listed</button></p>\n`;
  const without =
    left === 0
      ? NOTHING
      : html`<p class="note">${rowsText(left)} may be paid already: not one of “all listed”. Such a row is decided on its own.</p>\n`;
  const reason = field({
    name: 'reason',
    label: 'Why, for all these rows',
    hint: 'It is kept for ever, with your name. Rows with another reason are decided on their own pages.',
    value: wrong?.form.text('reason') ?? '',
    isLong: true,
    isRequired: true,
  });
  return html`<form method="post" action="${path}" data-keep>
${table}${reason}<p><button name="decision" value="release">Release the ticked rows</button> <button name="decision" value="withdraw">Withdraw the ticked rows</button></p>
${all}${without}<p class="note">A released row goes on: its name and fee are asked once more, and it waits for approval with the others. A withdrawn row is not sent.</p>
</form>
`;
}

export async function decideHeld(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  const form = await visit.form();
  const [decision, isAll] = form.text('decision').split('-');
  const [payouts, reason] = [form.all(isAll === 'listed' ? 'listed' : 'payout'), form.text('reason')];
  const nothing = (text: string) => shown(visit, { text: `Nothing was done: ${text}.`, rows: [], form });
  if (payouts.length === 0) return nothing('no row is ticked');
  if (reason === '') return nothing('a reason is missing');
  if (decision !== 'release' && decision !== 'withdraw')
    return nothing('neither “release” nor “withdraw” was said');
  const kind = decision === 'release' ? 'release' : 'cancel';
  const asked = { batch: part('batch'), payouts: [...payouts], reason };
  const { done, refused } =
    kind === 'release'
      ? await payfile.call(release, { ...asked, shown: [...form.all('shown')] })
      : await payfile.call(cancel, asked);
  const verb = kind === 'release' ? 'released' : 'withdrawn';
  const said = `${rowsText(done.length)} ${verb}${done.length === 0 ? '' : `: ${done.join(', ')}`}.`;
  if (refused.length > 0 || done.length === 0)
    return shown(visit, {
      text: `${said} ${refused.length === 0 ? 'These rows have changed; look again.' : 'These stay as they are:'}`,
      rows: refused.map(({ rowNumber, status }) => `Row ${rowNumber}: ${status}.`),
      form,
    });
  const then = kind === 'release' ? ' Ask for names and fees: then they wait for approval.' : '';
  const path = address`/batches/${part('batch')}`;
  const { count } = await payfile.call(held, { batch: part('batch') });
  if (count > 0)
    return see(`${path}/held`, `${said} ${rowsText(count)} ${count === 1 ? 'is' : 'are'} left to decide.`);
  return see(path, `${said}${then}`);
}
