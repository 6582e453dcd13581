/**
 * The plan that waits for somebody to agree: what it pays and costs, what it leaves out, both names of each row that
 * does not match, and what changed since the last batch. Showing it is noted, so that a later approval can be told
 * what changed since.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { styleText } from '../../domain/money/amount-style.ts';
import { formatAmount, formatMoney, type Money } from '../../domain/money/money.ts';
import { clipped, NAME_RESULTS, NAME_WORDS } from '../../domain/names/name-check.ts';
import { DEEDS, mayDo, type Person } from '../../domain/people/person.ts';
import type { NameToSee, Plan, PlanLine, PlanNames } from '../../domain/plan/plan.ts';
import { samePersonSentence, totalOf } from '../../domain/plan/typed-totals.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { planToAgree } from '../../operations/approve.ts';
import { look } from '../../operations/status.ts';
import {
  alikeSentences,
  leftOutOf,
  NAME_FATE,
  nameFate,
  paysAgainSentences,
} from '../../operations/words/plan.ts';
import type { PlanToSee } from '../../payfile.ts';
import { type Html, html, instant, NOTHING, type Piece } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { whatChanged } from './plan-changes.ts';

export async function batchPlan({ payfile, part, person }: Visit): Promise<Answer> {
  const seen = await payfile.call(planToAgree, { batch: part('batch') });
  const { batch, plan } = seen;
  const path = address`/batches/${batch.id}`;
  const waits = (plan.counts.quoted ?? 0) > 0;
  const { whyNotApprove: why } = await payfile.call(look, { batch: batch.id });
  const agree = agreeing(why && samePersonSentence(why, batch), { person, path });
  const nothing = html`<p>Nothing waits for approval.</p>\n`;
  return page(`Plan of ${batchLabel(batch)}`, html`${planShown(seen)}${waits ? agree : nothing}`);
}

/** The door refuses it all the same. */
function agreeing(
  whyNot: string | undefined,
  { person, path }: { readonly person: Person; readonly path: string },
): Html {
  if (!mayDo(person, 'approve'))
    return html`<p>Somebody with the role ${DEEDS.approve.join(' or ')} has to agree to it.</p>\n`;
  if (whyNot !== undefined) return html`<p>${whyNot}</p>\n`;
  return html`<p><a class="button main" href="${path}/approval">Agree to this plan</a></p>\n`;
}

/** The same for a page on which somebody agrees. */
export function planShown(seen: PlanToSee): Html {
  const { batch, plan, amountStyle = batch.file.amountStyle, changes, paysAgain } = seen;
  const { alike, twins } = plan.sameMoney;
  const sheet = batch.file.sheet === undefined ? '' : `, sheet “${batch.file.sheet}”`;
  const rows = Object.values(plan.counts).reduce((sum, count) => sum + (count ?? 0), 0);
  const style = amountStyle === undefined ? NOTHING : html` Amounts: ${styleText(amountStyle)}.`;
  return html`<p>${batch.file.name}${sheet}: ${rowsText(rows)}.${style}</p>
${brought(seen)}${paysAgainSentences(paysAgain, seen.partReturns).map((text) => html`<p class="doubtful">${text}.</p>\n`)}${totals(plan)}${leftOut(seen)}${names(seen)}${whatChanged(changes)}${listed('Not paid the last time', seen.unpaidBefore)}${listed('Payments that look alike', [...alikeSentences(alike), ...twins])}${plan.toApprove.length === 0 ? NOTHING : html`<p class="note">Fingerprint of this plan, another as soon as one payment changes: <code>${plan.digest}</code></p>\n`}`;
}

/** Whoever agrees knows whose file it is, and that others came before it. */
function brought({ batch, revisions }: PlanToSee): Html {
  const { maker: by, createdAt: at } = batch;
  const last = revisions.length + 1;
  const lines = [{ by, at }, ...revisions].map(
    (each, index) =>
      html`<li>${last === 1 ? 'The file' : `Revision ${index + 1}`} was brought by ${each.by}, ${instant(each.at)}.${last > 1 && index + 1 === last ? ' This is the file that the plan is of.' : ''}</li>\n`,
  );
  return html`<ul class="lines">${lines.toReversed()}</ul>\n`;
}

function totals({ toApprove }: Plan): Html {
  if (toApprove.length === 0) return NOTHING;
  const rows = toApprove.map((line) => [
    line.currency,
    countText(line.count),
    formatAmount(line.sum),
    sums(line.debits),
    sums(line.fees),
    rates(line),
    speed(line),
  ]);
  const count = toApprove.reduce((sum, line) => sum + line.count, 0);
  const [debits, fees] = [sums(totalOf(toApprove, 'debits')), sums(totalOf(toApprove, 'fees'))];
  const heads = ['Rows', 'Beneficiaries get', 'We pay, with fees', 'Of that, fees', 'Rate', 'Takes up to'];
  const table = wideTable({
    label: 'What would be paid',
    heads: ['Currency', ...heads.map((each) => ({ count: each }))],
    rows,
    foot: toApprove.length < 2 ? [] : [['Total', countText(count), '', debits, fees, '', '']],
  });
  return html`<h2>What would be paid</h2>\n${table}`;
}

function sums(money: readonly Money[]): string {
  return money.length === 0 ? 'not known' : money.map(formatMoney).join(' + ');
}

function rates({ rates: [first, ...more] }: PlanLine): string {
  return first === undefined ? '' : more.length === 0 ? first : `${first} …`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function speed({ speedSecondsMax: seconds }: PlanLine): string {
  if (seconds <= 0) return '';
  if (seconds < 2 * MINUTE) return `${countText(seconds)} s`;
  if (seconds < 2 * HOUR) return `${countText(Math.ceil(seconds / MINUTE))} min`;
  return seconds < 2 * DAY
    ? `${countText(Math.ceil(seconds / HOUR))} h`
    : `${countText(Math.ceil(seconds / DAY))} days`;
}

function leftOut({ plan, invalidSums = [], batch }: PlanToSee): Html {
  const lines = leftOutOf(plan, invalidSums);
  if (lines.length === 0) return NOTHING;
  const held = (plan.counts.held ?? 0) > 0;
  const decide = held
    ? html`<p><a class="button" href="${address`/batches/${batch.id}/held`}">Look at the held rows and decide</a></p>\n`
    : NOTHING;
  return html`<h2>What is left out</h2>
<ul>${lines.map(({ symbol, text }) => html`<li>${symbol} ${text}</li>`)}</ul>
${decide}`;
}

function names({ plan, batch, changes }: PlanToSee): Html {
  const { counts, unnamed, toSee } = plan.names;
  const numbers = { ...counts, match: (counts.match ?? 0) - unnamed };
  const words = NAME_RESULTS.filter((result) => (numbers[result] ?? 0) > 0);
  if (words.length === 0 && unnamed === 0) return NOTHING;
  const said = words.map((result) => `${countText(numbers[result] ?? 0)} ${NAME_WORDS[result]}`);
  const without = unnamed === 0 ? [] : [`${rowsText(unnamed)} without a name in the file`];
  return html`<h2>Names</h2>
<p>${[...said, ...without].join(', ')}.</p>
${namesTable(toSee, batch.id)}${holdersTable(plan.names, batch.id, changes)}`;
}

function namesTable(toSee: readonly NameToSee[], batch: string): Html {
  if (toSee.length === 0) return NOTHING;
  const rows = toSee.map((name) => [
    rowLink(batch, name.rowNumber),
    clipped(name.written ?? '(no name)'),
    account(name.result, name.resolved),
    `${NAME_WORDS[name.result]}: ${name.reason}`,
    nameFate(name),
  ]);
  const heads = ['Row', 'In the file', 'At the account', 'What differs', 'What becomes of it'];
  return wideTable({ label: 'Names that do not match', heads, rows });
}

/** Of rows without a name the account's holder is all that says who gets the money. */
function holdersTable({ holders, unnamed }: PlanNames, batch: string, changes: PlanToSee['changes']): Html {
  if (holders.length === 0) return NOTHING;
  const { newHolders, newAccounts } = changes?.difference ?? {};
  const others = [...(newAccounts?.list ?? []), ...(newHolders?.list ?? [])];
  const before = new Map(others.map((each) => [each.row, each.holderBefore]));
  const rows = holders.map(({ rowNumber, status, resolved = '' }) => {
    const was = before.get(rowNumber);
    return [
      rowLink(batch, rowNumber),
      clipped(resolved),
      was === undefined ? '' : html`<strong class="doubt">was ${clipped(was)}</strong>`,
      NAME_FATE[status],
    ];
  });
  const left = unnamed - holders.length;
  const more =
    left === 0
      ? NOTHING
      : html`<p>… and ${rowsText(left)} more without a name: <a href="${address`/batches/${batch}`}#rows">all rows</a>.</p>\n`;
  const heads = ['Row', 'The account belongs to', 'In the last batch', 'What becomes of it'];
  return html`<h3>Rows without a name in the file</h3>
<p>Nothing was compared. Look whether these are the people who are to be paid.</p>
${wideTable({ label: 'Rows without a name in the file', heads, rows })}${more}`;
}

function rowLink(batch: string, row: number): Html {
  return html`<a href="${address`/batches/${batch}/rows/${row}`}">Row ${row}</a>`;
}

function account(result: NameToSee['result'], resolved: string | undefined): string {
  return result === 'not_found' ? '(none given)' : clipped(resolved ?? '(no name)');
}

function listed(title: string, lines: readonly string[]): Piece {
  if (lines.length === 0) return NOTHING;
  return html`<h2>${title}</h2>\n<ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>\n`;
}
