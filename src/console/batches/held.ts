/**
 * The rows that wait for a person, grouped by why. A decision takes two steps: the second one says how many rows it is about,
 * how much money, and why each of them was held. Duplicates and new accounts are in no group that is decided at once.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney, MoneySums } from '../../domain/money/money.ts';
import { clipped, NAME_WORDS } from '../../domain/names/name-check.ts';
import { type ConcernKind, DECIDED_ALONE } from '../../domain/payouts/concern.ts';
import { mayDo } from '../../domain/people/person.ts';
import { counted, countText, rowsText } from '../../domain/text/printable.ts';
import { type HeldRow, type HeldRows, held } from '../../operations/held.ts';
import { cancel, release } from '../../operations/rows.ts';
import { heldText } from '../../operations/words/plan.ts';
import { type Html, html, moneyText, NOTHING, type Piece, section, smallPrint } from '../../views/html.ts';
import { drawn } from '../page/blocks.ts';
import { field, hidden, refusal, wideTable } from '../page/fields.ts';
import { actionBar, formButton, linkButton } from '../page/way.ts';
import { pieceOnPage } from '../page/words.ts';
import type { Form } from '../server/form.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { priceBatch } from './work.ts';

const ROWS_SHOWN = 100;
const FORM = 'held';

export async function heldPage(visit: Visit): Promise<Answer> {
  const waiting = await heldAfter(visit, visit.query.get('after') ?? '');
  const { batch, rows, next, count } = waiting;
  const path = address`/batches/${batch.id}`;
  const title = `Held rows of ${batchLabel(batch)}`;
  if (rows.length === 0) return page(title, html`<p>No row is held.</p>\n`);
  const mayDecide = mayDo(visit.person, 'approve');
  const groups = [...Map.groupBy(rows, groupOf)].map(([kind, group]) =>
    groupShown(kind, group, { batch: batch.id, mayDecide }),
  );
  const of = count > rows.length ? html`<p>${countText(rows.length)} of ${rowsText(count)}.</p>\n` : NOTHING;
  const more = next === undefined ? NOTHING : linkButton(`${path}/held?after=${next}`, 'Next page');
  const wrong = html`<p>Is an account or a name wrong? Correct it in the file, and <a href="/new?${String(new URLSearchParams({ batch: batch.name }))}">upload the file again</a> under the name of this batch, “${batchLabel(batch)}”.</p>\n`;
  const after = hidden('after', visit.query.get('after') ?? '');
  const body = html`<p>payfile sends none of these rows before a person decides.</p>
${of}${wrong}<form id="${FORM}" method="post" action="${path}/held">${after}${groups}</form>
${mayDecide ? NOTHING : html`<p class="note">A person with the role approver decides.</p>\n`}`;
  const buttons = mayDecide
    ? {
        main: formButton(FORM, 'Release the selected rows', 'main', 'release'),
        others: [more, formButton(FORM, 'Withdraw the selected rows', 'plain', 'withdraw')],
      }
    : { others: [more] };
  return page(title, body, {
    way: { at: 'review', links: { review: `${path}/plan` } },
    bar: actionBar({ about: `${counted(count, 'row is', 'rows are')} held.`, ...buttons }),
  });
}

function heldAfter({ payfile, part }: Visit, typed: string): Promise<HeldRows> {
  const after = /^\d{1,9}$/.test(typed) ? Number(typed) : undefined;
  return payfile.call(held, { batch: part('batch'), after, limit: ROWS_SHOWN });
}

/** A row with several reasons stands where the gravest is. */
const groupOf = ({ kinds: [first = 'name'] }: HeldRow): ConcernKind => first;

const isAlone = (kind: ConcernKind) => kind === 'same_row' || DECIDED_ALONE.includes(kind);

interface Shown {
  readonly batch: string;
  readonly mayDecide: boolean;
}

function groupShown(kind: ConcernKind, rows: readonly HeldRow[], { batch, mayDecide }: Shown): Html {
  const title = `${heldText(kind, rows.length)}: ${sumOf(rows)}`;
  const lines = rows.map((row) => {
    const link = html`<a href="${address`/batches/${batch}/rows/${row.row}`}">Row ${row.row}</a>`;
    const box = html`${hidden('shown', row.shown)}<input type="checkbox" name="payout" value="${row.payout}" aria-label="Row ${row.row}">`;
    return [
      mayDecide ? html`<label class="pick">${box}${link}</label>` : link,
      [moneyText(row.amount), smallPrint(row.reference ?? '')],
      clipped(row.name ?? '(no name)'),
      onAccount(row),
      [clipped(row.institution), smallPrint(row.account)],
      reasonsOf(row),
    ];
  });
  const heads = ['Row', { count: 'Amount' }, 'In the file', 'On the account', 'Account', 'Reason'];
  const table = wideTable({ label: title, heads, rows: lines });
  const button = (decision: string, verb: string) =>
    html`<button name="decision" value="${decision}-${kind}">${verb} ${allOf(rows.length)}</button> `;
  const releaseAll = isAlone(kind)
    ? html`<span class="note">Release each of these rows by itself.</span> `
    : button('release', 'Release');
  const all = mayDecide ? html`<p>${releaseAll}${button('withdraw', 'Withdraw')}</p>\n` : NOTHING;
  return section(`held-${kind}`, title, [table, all]);
}

const allOf = (count: number) => (count === 1 ? 'this row' : `these ${countText(count)} rows`);

function sumOf(rows: readonly HeldRow[]): string {
  return new MoneySums(rows.map(({ amount }) => amount)).all().map(formatMoney).join(', ');
}

function onAccount({ holder, nameCheck }: HeldRow): Piece {
  if (nameCheck === undefined) return 'not asked yet';
  const word = nameCheck === 'no_name' ? NOTHING : smallPrint(NAME_WORDS[nameCheck]);
  return [holder === undefined ? '(not known)' : clipped(holder), word];
}

function reasonsOf({ reasons, objection }: HeldRow): Piece {
  const first = objection === undefined ? [] : [html`<strong class="wrong">It is ${objection}.</strong>`];
  const all = [...first, ...reasons.map(pieceOnPage)];
  return all.map((reason, at) => [at === 0 ? NOTHING : html`<br>`, reason]);
}

/** The first press asks once more; the second one, with a reason, decides. */
export async function decideHeld(visit: Visit): Promise<Answer> {
  const form = await visit.form();
  const [decision = '', kind] = form.text('decision').split('-');
  const waiting = await heldAfter(visit, form.text('after'));
  const path = address`/batches/${waiting.batch.id}`;
  if (decision !== 'release' && decision !== 'withdraw')
    return seeWhyNot(`${path}/held`, 'Nothing was done. Choose “Release” or “Withdraw”.');
  const rows = waiting.rows.filter((row) => isChosen(row, kind, form, decision));
  const isSure = form.text('sure') === 'yes';
  if ((isSure ? form.all('payout') : rows).length === 0)
    return seeWhyNot(`${path}/held`, 'Nothing was done. Select a row first.');
  const asked = { path, decision, rows, form } as const;
  if (!isSure) return secondStep(asked);
  if (form.text('reason') === '') return secondStep({ ...asked, wrong: 'Enter a reason. Nothing was done.' });
  return decided(visit, asked);
}

/** A group is what its page showed: a row that waits for something else by now is in none. */
function isChosen(row: HeldRow, kind: string | undefined, form: Form, decision: string): boolean {
  if (kind === undefined) return form.all('payout').includes(row.payout);
  const isOfAll = decision === 'withdraw' || !isAlone(groupOf(row));
  return groupOf(row) === kind && isOfAll && form.all('shown').includes(row.shown);
}

interface Deciding {
  readonly path: string;
  readonly decision: 'release' | 'withdraw';
  readonly rows: readonly HeldRow[];
  readonly form: Form;
  readonly wrong?: string;
}

const WORDS = {
  release: {
    verb: 'Release',
    done: 'released',
    after: 'payfile asks for names and fees again. Then the rows wait for approval.',
  },
  withdraw: { verb: 'Withdraw', done: 'withdrawn', after: 'payfile does not send withdrawn rows.' },
} as const;

function secondStep({ path, decision, rows, form, wrong }: Deciding): Answer {
  const { verb, after } = WORDS[decision];
  const question = `${verb} ${rowsText(rows.length)}, ${sumOf(rows)}?`;
  const groups = [...Map.groupBy(rows, groupOf)].map(([kind, group]) => {
    const each = group.map(
      (row) =>
        html`<li>Row ${row.row}, ${clipped(row.name ?? '(no name)')}, ${moneyText(row.amount)}: ${reasonsOf(row)}</li>\n`,
    );
    return html`<li${isAlone(kind) ? html` class="alarm"` : NOTHING}>${heldText(kind, group.length)}, ${sumOf(group)}<ul>${each}</ul></li>\n`;
  });
  const marks = form.all('shown').filter((mark) => rows.some(({ shown }) => shown === mark));
  const fields = [
    ...rows.map(({ payout }) => hidden('payout', payout)),
    ...marks.map((mark) => hidden('shown', mark)),
    ...[hidden('decision', decision), hidden('after', form.text('after')), hidden('sure', 'yes')],
  ];
  const reason = field({
    ...{ name: 'reason', label: 'Reason, for all these rows', type: 'long', isRequired: true },
    hint: 'payfile keeps it with your name.',
    ...(wrong !== undefined && { wrong }),
  });
  const body = html`${wrong === undefined ? NOTHING : refusal(wrong)}<ul class="kinds">${groups}</ul>
<p>${after}</p>
<form id="${FORM}" method="post" action="${path}/held" data-keep>${fields}${reason}</form>
`;
  const bar = actionBar({
    about: question,
    main: formButton(FORM, `${verb} ${rowsText(rows.length)}`, 'main'),
    others: [linkButton(`${path}/held`, 'Back')],
  });
  return page(question, body, { bar, status: wrong === undefined ? 200 : 422 });
}

async function decided(visit: Visit, { path, decision, form }: Deciding): Promise<Answer> {
  const { payfile, part } = visit;
  // Those that the second step showed: what became of a row since then is said.
  const asked = { batch: part('batch'), payouts: [...form.all('payout')], reason: form.text('reason') };
  const result =
    decision === 'release'
      ? await payfile.call(release, { ...asked, shown: [...form.all('shown')] })
      : await payfile.call(cancel, asked);
  const { done, refused } = result;
  if (decision === 'release' && done.length > 0) await priceBatch(visit);
  if (refused.length > 0)
    return page('Not every row changed', refusal(drawn(release, result, 'Rows')), {
      status: 422,
      bar: actionBar({ others: [linkButton(`${path}/held`, 'Held rows')] }),
    });
  const said = `${rowsText(done.length)} ${WORDS[decision].done}${done.length === 0 ? '' : `: ${done.join(', ')}`}.`;
  const { count } = await payfile.call(held, { batch: part('batch') });
  if (count === 0) return see(path, said);
  return see(
    `${path}/held`,
    `${said} ${rowsText(count)} ${count === 1 ? 'is' : 'are'} left to decide about.`,
  );
}
