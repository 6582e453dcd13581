/**
 * The first page: rows in doubt of all batches, files that wait to become one, then the batches, the newest first.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { mayDo, type Person } from '../../domain/people/person.ts';
import { counted, countText } from '../../domain/text/printable.ts';
import { formatTimestamp, type Timestamp } from '../../domain/timestamp.ts';
import { otherDoubts } from '../../operations/outcome-blocks.ts';
import { overview as allBatches, type Overview } from '../../operations/status.ts';
import {
  type Html,
  html,
  instantText,
  moneyText,
  NOTHING,
  type Piece,
  smallPrint,
} from '../../views/html.ts';
import { pathOf } from '../files/looking.ts';
import { offeredSample, TEMPLATE } from '../files/upload.ts';
import { wideTable } from '../page/fields.ts';
import { pieceOnPage } from '../page/words.ts';
import { passkeyOffer } from '../people/passkeys.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { forWhom } from './actions.ts';

export async function batchList(visit: Visit): Promise<Answer> {
  const { payfile, query } = visit;
  const after = query.get('after') ?? undefined;
  const overview = await payfile.call(allBatches, { after });
  return page(
    'Batches',
    html`${await passkeyOffer(visit)}${doubts(overview)}${waiting(visit)}${overview.count === 0 ? nothingYet(visit) : batches(overview, visit)}`,
  );
}

function doubts({ doubts: all }: Overview): Html {
  if (all.length === 0) return NOTHING;
  const lines = otherDoubts(all, undefined).map((pieces) => html`<li>${pieces.map(pieceOnPage)}</li>\n`);
  return html`<section class="doubtful" aria-labelledby="doubts"><h2 id="doubts">It is not known whether these were paid</h2>
<ul>${lines}</ul></section>
`;
}

/** Uploaded, and not planned yet. */
function waiting({ desk, person }: Visit): Html {
  const files = desk.files.waiting(person.id);
  if (files.length === 0) return NOTHING;
  const links = files.map(({ id, name, plan }) => {
    const open = plan?.batchId === undefined ? '' : ': its batch is made, and one question is open';
    return html`<li><a href="${pathOf({ id })}">${name}</a>${open}</li>\n`;
  });
  return html`<h2>Files that wait for you</h2>\n<ul>${links}</ul>\n`;
}

function nothingYet({ desk, person }: Visit): Html {
  if (!mayDo(person, 'bring')) return html`<p>There are no batches yet.</p>\n`;
  return html`<p>There are no batches yet. Upload a payment file: payfile checks it first. Nothing is paid before a person approves.</p>
<p><a class="button main" href="/new">Upload a file</a> ${TEMPLATE}</p>
${offeredSample(desk)}`;
}

function batches({ batches: shown, count, next }: Overview, { person }: Pick<Visit, 'person'>): Html {
  const rows = shown.map(({ batch, counts, need, amounts, mayNotApprove, outcome: { exitCode } }) => {
    const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
    const path = address`/batches/${batch.id}`;
    return [
      [html`<a href="${path}">${batchLabel(batch)}</a>`, smallPrint(`${batch.file.name}, ${batch.maker}`)],
      day(batch.createdAt),
      amountsOf(amounts),
      countText(all),
      exitCode === 5 ? html`<strong class="doubt">${need.state}</strong>` : need.state,
      mayNotApprove ? 'Another person approves it' : nextStep(need, path, person),
    ];
  });
  const heads = ['Batch', 'Day', { count: 'Amount' }, { count: 'Rows' }, 'State', 'Next step'];
  return html`${wideTable({ label: 'Batches', heads, rows })}<p>${count > shown.length ? html`${countText(count)} in all. ` : NOTHING}${next === undefined ? NOTHING : html`<a rel="next" href="/?after=${encodeURIComponent(next)}">Older batches</a>`}</p>
`;
}

function nextStep({ action, deed }: Need, path: string, person: Person): Piece {
  if (action === '') return '';
  if (deed !== undefined && !mayDo(person, deed)) return `${action}, ${forWhom(deed)}`;
  return html`<a href="${path}">${action}</a>`;
}

type Need = Overview['batches'][number]['need'];

const AMOUNTS_SHOWN = 3;

function amountsOf(amounts: Overview['batches'][number]['amounts']): Piece {
  const left = amounts.length - AMOUNTS_SHOWN;
  return [
    ...amounts.slice(0, AMOUNTS_SHOWN).map((money) => html`${moneyText(money)}<br>`),
    left > 0 ? smallPrint(`and ${counted(left, 'more currency', 'more currencies')}`) : NOTHING,
  ];
}

function day(at: Timestamp): Html {
  return html`<time data-day datetime="${formatTimestamp(at)}">${instantText(at).slice(0, 10)}</time>`;
}
