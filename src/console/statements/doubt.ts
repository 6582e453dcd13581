/**
 * All rows of a batch that are in doubt, at once: how many, how much, since when, what to get, and where to bring it.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { commandText, type Step } from '../../domain/next-steps/command.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import { mayDo } from '../../domain/people/person.ts';
import { counted, countText } from '../../domain/text/printable.ts';
import { look } from '../../operations/status.ts';
import { type Html, html, NOTHING, type Piece, section } from '../../views/html.ts';
import { factList } from '../page/fields.ts';
import { saidOnPage } from '../page/words.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { bringStatement } from './statement-forms.ts';

const ROWS_SHOWN = 100;

export async function doubtPage({ payfile, part, person }: Visit): Promise<Answer> {
  const { batch, doubt, environment } = await payfile.call(look, { batch: part('batch') });
  const name = batchLabel(batch);
  const title = `Rows in doubt of ${name}`;
  if (doubt === undefined) return page(title, html`<p>No row of this batch is in doubt.</p>\n`);
  const isInvestigator = mayDo(person, 'rule');
  const bring = isInvestigator
    ? bringStatement(batch.id)
    : html`<p>An investigator compares the batch with it, on this page.</p>\n`;
  const [get, compare, ...goOn] = doubt.steps;
  const typed = [get, compare].flatMap((step) =>
    step?.command === undefined ? [] : [commandText(step.command, { sandbox: environment === 'sandbox' })],
  );
  const body = html`<div class="doubtful">${doubt.sentences.map((text) => html`<p>${text}</p>\n`)}</div>
${facts(doubt)}${section('get', 'What to get', html`<p>${(get?.text ?? '').replace(/\.?$/, '.')}</p>\n${environment === 'sandbox' ? SANDBOX_BOOK : NOTHING}`)}${section('bring', 'Compare it', bring)}${section('rows', 'Or rule row by row', rowLinks(doubt, batch.id))}${section(
  'then',
  'Then',
  html`<ul>${goOn.map((step) => html`<li>${stepPiece(step, batch.id)}</li>\n`)}${doubt.rehearsed === undefined ? NOTHING : html`<li>${saidOnPage(doubt.rehearsed)}</li>\n`}</ul>
<details class="note"><summary>On a terminal</summary>${typed.map((text) => html`<p><code>${text}</code></p>\n`)}</details>
`,
)}`;
  return page(title, body);
}

const SANDBOX_BOOK = html`<p><a class="button" href="/sandbox-statement.csv">Download the sandbox’s statement</a></p>\n`;

function facts({ facts: { tag, waiting } }: DoubtGuide): Html {
  return factList([
    ['Tag of the first', tag === undefined ? '' : html`<code>${tag}</code>`],
    ['Waiting behind', waiting === 0 ? '' : counted(waiting, 'approved row')],
  ]);
}

function rowLinks({ facts: { rows } }: DoubtGuide, batch: string): Html {
  const links = rows
    .slice(0, ROWS_SHOWN)
    .map((row) => html`<li><a href="${address`/batches/${batch}/rows/${row}`}">Row ${row}</a></li>\n`);
  const more = rows.length - links.length;
  return html`<ul class="rows">${links}</ul>
${more > 0 ? html`<p class="note">… and ${countText(more)} more.</p>\n` : NOTHING}`;
}

function stepPiece({ text, command }: Step, batch: string): Piece {
  return command === undefined
    ? text
    : [`${text}: `, html`<a href="${address`/batches/${batch}`}">go on with the batch</a>`];
}
