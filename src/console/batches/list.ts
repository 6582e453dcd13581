/**
 * The first page: rows in doubt of all batches, files that wait to become one, then the batches, the newest first.
 */
import { batchLabel, countsTextOf } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { overview as allBatches, type Overview } from '../../operations/status.ts';
import { type Html, html, instant, NOTHING } from '../../views/html.ts';
import { isNothingSent, OUTCOME_MARKS } from '../../views/report/outcome.ts';
import { pathOf } from '../files/looking.ts';
import { offeredSample, TEMPLATE } from '../files/upload.ts';
import { wideTable } from '../page/fields.ts';
import { passkeyOffer } from '../people/passkeys.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';

export async function batchList(visit: Visit): Promise<Answer> {
  const { payfile, query } = visit;
  const after = query.get('after') ?? undefined;
  const overview = await payfile.call(allBatches, { after });
  return page(
    'Batches',
    html`${await passkeyOffer(visit)}${doubts(overview)}${waiting(visit)}${overview.count === 0 ? nothingYet(visit) : batches(overview)}`,
  );
}

function doubts({ doubts: all }: Overview): Html {
  if (all.length === 0) return NOTHING;
  const lines = all.map(({ batchId, name, inDoubt, leftInFlight }) => {
    const what = [
      inDoubt > 0 ? `${rowsText(inDoubt)} in doubt` : '',
      leftInFlight > 0 ? `${rowsText(leftInFlight)} on the wire when their process ended` : '',
    ];
    const said = what.filter((text) => text !== '').join(', ');
    return html`<li><a href="${address`/batches/${batchId}`}">${name}</a>: ${said}</li>`;
  });
  return html`<section class="doubtful" aria-labelledby="doubts"><h2 id="doubts">It is not known whether these were paid</h2>
<ul>${lines}</ul></section>
`;
}

/** Brought, and not planned: whoever comes back here finds them again. */
function waiting({ desk, person }: Visit): Html {
  const files = desk.files.waiting(person.id);
  if (files.length === 0) return NOTHING;
  const links = files.map((file) => html`<li><a href="${pathOf(file)}">${file.name}</a></li>\n`);
  return html`<h2>Files that are no batch yet</h2>\n<ul>${links}</ul>\n`;
}

function nothingYet({ desk, person }: Visit): Html {
  if (!mayDo(person, 'bring')) return html`<p>There are no batches yet.</p>\n`;
  return html`<p>There are no batches yet. Bring a file of payments: it is checked first, and nothing is paid before somebody agrees.</p>
<p><a class="button main" href="/new">Bring a file</a> ${TEMPLATE}</p>
${offeredSample(desk)}`;
}

function batches({ batches: shown, count, next }: Overview): Html {
  const rows = shown.map(({ batch, counts, outcome }) => {
    const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
    const { symbol, word, tone } = isNothingSent(outcome.word, counts)
      ? { ...OUTCOME_MARKS.stopped, word: 'Nothing sent yet' }
      : OUTCOME_MARKS[outcome.word];
    return [
      html`<a href="${address`/batches/${batch.id}`}">${batchLabel(batch)}</a>`,
      instant(batch.createdAt),
      batch.maker,
      countText(all),
      html`<span class="badge ${tone}">${symbol} ${word}</span>`,
      countsTextOf(outcome),
    ];
  });
  const heads = ['Batch', 'Made', 'By', { count: 'Rows' }, 'State', 'What became of them'];
  return html`${wideTable({ label: 'Batches', heads, rows })}<p>${count > shown.length ? html`${countText(count)} in all. ` : NOTHING}${next === undefined ? NOTHING : html`<a rel="next" href="/?after=${encodeURIComponent(next)}">Older ones</a>`}</p>
`;
}
