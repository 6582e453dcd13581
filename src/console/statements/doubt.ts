/** Rows of a batch in doubt: what happened, what to fetch, where to upload it, and what comes then. */
import { batchLabel } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import { countText } from '../../domain/text/printable.ts';
import { look } from '../../operations/status.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { wordsOnPage } from '../page/words.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { uploadForm } from './statement-forms.ts';

const ROWS_SHOWN = 100;

export async function doubtPage({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, doubt, environment } = await payfile.call(look, { batch: part('batch') });
  const title = `Rows in doubt of ${batchLabel(batch)}`;
  const way = { at: 'send' } as const;
  if (doubt === undefined) return page(title, html`<p>No row of this batch is in doubt.</p>\n`, { way });
  const [get, , ...goOn] = doubt.steps;
  const { tag } = doubt.facts;
  const search =
    tag === undefined
      ? NOTHING
      : html`<p>The statement may show the tag of a payment, such as <code>${tag}</code>.</p>\n`;
  const upload = mayDo(person, 'rule')
    ? uploadForm(batch.id)
    : html`<p>A person with the role investigator uploads it here.</p>\n`;
  const after = goOn.map(({ text }) => html`<li>${wordsOnPage(text)}.</li>\n`);
  const body = html`${section('happened', 'What happened', [doubt.sentences.map((text) => html`<p class="doubtful">${text}</p>\n`), rowLinks(doubt.facts.rows, batch.id)])}${section('get', '1. Get a statement', [html`<p>${(get?.text ?? '').replace(/\.?$/, '.')}</p>\n`, search, environment === 'sandbox' ? SANDBOX_STATEMENT : NOTHING])}${section('bring', '2. Upload it', upload)}${section('decide', '3. Decide', html`<p>payfile shows what the statement says about each row. Then you confirm which rows were paid, and which were not.</p>\n`)}${section('then', '4. Go on', html`<ul>${after}</ul>\n`)}`;
  return page(title, body, { way });
}

const SANDBOX_STATEMENT = html`<p><a class="button" href="/sandbox-statement.csv">Download the statement of the sandbox</a></p>\n`;

function rowLinks(rows: readonly number[], batch: string): Html {
  const links = rows
    .slice(0, ROWS_SHOWN)
    .map((row) => html`<li><a href="${address`/batches/${batch}/rows/${row}`}">Row ${row}</a></li>\n`);
  const more = rows.length - links.length;
  return html`<ul class="rows">${links}</ul>
${more > 0 ? html`<p class="note">… and ${countText(more)} more.</p>\n` : NOTHING}`;
}
