/**
 * A batch beside a statement: it is brought, compared, and what leaves no doubt is ruled by whoever looked. Comparing changes
 * nothing; accepting rules on the very payments that were shown.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import type { SignsSeen } from '../../domain/statement/direction.ts';
import { doubtBlocks } from '../../operations/outcome-blocks.ts';
import { type Reconciliation, reconcile } from '../../operations/reconciliation.ts';
import { comparisonBlocks } from '../../operations/reconciliation-blocks.ts';
import { type BatchLook, look } from '../../operations/status.ts';
import { type Ask, askWith } from '../../payfile.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { aboutBatch, batchMeant } from '../batches/work.ts';
import { drawBlocks } from '../page/blocks.ts';
import { codeOf, problemText } from '../page/errors.ts';
import { refusal } from '../page/fields.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import type { KeptStatement } from './kept-statements.ts';
import {
  acceptForms,
  backToComparison,
  daysForm,
  optionsOf,
  otherReading,
  paymentsQuestion,
  readingIn,
  type StatementReading,
  stillProposed,
  uploadForm,
} from './statement-forms.ts';

/** One that was brought, as it is read now. */
interface Brought {
  readonly statement: KeptStatement;
  readonly reading: StatementReading;
}

export async function statementPage(visit: Visit): Promise<Answer> {
  const { query, payfile, part } = visit;
  const seen = await payfile.call(look, { batch: part('batch') });
  const title = `Compare ${batchLabel(seen.batch)} with a statement`;
  const statement = keptBy(visit, query.get('upload') ?? '', seen.batch.id);
  if (statement === undefined) return page(title, before(seen, visit), { way: { at: 'send' } });
  const reading = readingIn((name) => (query.get(name) ?? '').trim());
  return page(title, await compared(visit, { statement, reading }));
}

/** Rows in doubt: what happened, what to get, and where to upload it. */
function before({ batch, doubt }: BatchLook, { person, query }: Visit): Html {
  const gone = html`<p class="doubtful">The statement is gone. Upload it again.</p>\n`;
  const upload = mayDo(person, 'rule')
    ? uploadForm(batch.id)
    : html`<p>A person with the role investigator uploads it here.</p>\n`;
  const tag = doubt?.facts.tag;
  const search = html`<p>The statement may show the tag of a payment, such as <code>${tag}</code>.</p>\n`;
  const links = doubt?.facts.rows
    .slice(0, ROWS_LINKED)
    .map((row) => html`<li><a href="${address`/batches/${batch.id}/rows/${row}`}">Row ${row}</a></li>\n`);
  return html`${query.has('upload') ? gone : NOTHING}${doubt === undefined ? BEFORE : drawBlocks(doubtBlocks(doubt), 'Rows in doubt')}${tag === undefined ? NOTHING : search}<ul class="rows">${links}</ul>
${section('bring', 'Upload the statement', upload)}`;
}

const ROWS_LINKED = 100;

const BEFORE = html`<p>A statement says what really happened to the payments of this batch. One that is too short can show that a row was paid; only one that covers the time of a row can show that it was not.</p>
`;

function keptBy({ desk, person }: Visit, id: string, batch: string): KeptStatement | undefined {
  return desk.statements.find(id, { batch, by: person.id });
}

async function compared(visit: Visit, { statement, reading }: Brought): Promise<Html> {
  let asked: SignsSeen | undefined;
  const ask = askWith({
    payments: async ({ signs }) => {
      asked = signs;
      return undefined;
    },
  });
  const said = [reading.get('from'), reading.get('to')];
  const again = (days: readonly (string | undefined)[] = said) =>
    html`${section('days', 'All batches of these days', daysForm(statement, reading, days))}${otherReading(statement, reading)}${another(statement)}`;
  try {
    const found = await comparison(visit, { statement, reading }, ask);
    return html`${comparisonShown(found)}${decisions(found, { statement, reading })}${again(daysOf(found, reading))}`;
  } catch (error) {
    if (asked !== undefined) return html`${paymentsQuestion(asked, statement, reading)}${again()}`;
    if (codeOf(error) === undefined) throw error;
    return html`${refusal(problemText(error))}${again()}`;
  }
}

/** It reads the whole statement, and walks the batches. */
function comparison({ desk, person, payfile, signal }: Visit, brought: Brought, ask?: Ask) {
  const asked = askedOf(brought);
  return desk.making.take(person.id, () => payfile.call(reconcile, asked, { signal, ...(ask && { ask }) }));
}

const askedOf = ({ statement: { batch, path, name }, reading }: Brought) => ({
  ...{ statement: path, fileName: name },
  ...optionsOf(batch, reading),
});

/** As they were said, else those of the statement. */
function daysOf({ reconciled: { span } }: Reconciliation, reading: StatementReading) {
  if (reading.has('from') || span.first === undefined) return [reading.get('from'), reading.get('to')];
  return [span.from, span.until].map((at) => new Date(at).toISOString().slice(0, 10));
}

/** Findings of a kind that a page lists. */
const SHOWN_MAX = 200;

const comparisonShown = (found: Reconciliation): Html =>
  drawBlocks(comparisonBlocks(found, SHOWN_MAX), 'Rows of the batch and lines of the statement');

function decisions(found: Reconciliation, { statement, reading }: Brought): Html {
  const forms = acceptForms(found, statement, reading);
  if (forms.text !== '') return section('decide', 'Decide', forms);
  const text = found.batches.every(({ doubt }) => doubt === undefined)
    ? 'No row is in doubt. There is nothing to decide.'
    : 'The statement decides nothing more. Look at each row, or upload a later statement.';
  return section('decide', 'What to do', html`<p>${text}</p>\n`);
}

function another({ batch }: KeptStatement): Html {
  return section('another', 'Another statement', uploadForm(batch));
}

export async function bring(visit: Visit): Promise<Answer> {
  const batch = await batchMeant(visit);
  const { file } = await visit.form();
  if (file === undefined)
    return seeWhyNot(address`/batches/${batch}/statement`, 'No file was chosen. Nothing was compared.');
  const { id } = await visit.desk.statements.keep(file, { batch, by: visit.person.id });
  return see(`${address`/batches/${batch}/statement`}?upload=${encodeURIComponent(id)}`);
}

/** Rules on the payments that were shown, and on no other that a later look would propose. */
export async function accept(visit: Visit): Promise<Answer> {
  const { desk, person, payfile } = visit;
  const batch = await batchMeant(visit);
  const form = await visit.form();
  const statement = keptBy(visit, form.text('upload'), batch);
  const back = address`/batches/${batch}/statement`;
  if (statement === undefined)
    return seeWhyNot(back, 'The statement is gone. Upload it again. Nothing was decided.');
  if (form.text('sure') !== 'yes') return seeWhyNot(back, 'Nothing was decided. Tick the box first.');
  const what: 'paid' | 'not_paid' = form.text('accept') === 'not_paid' ? 'not_paid' : 'paid';
  const reading = readingIn(form.text);
  const brought = { statement, reading };
  const seen = stillProposed(await comparison(visit, brought), what, form.text('shown'));
  if (seen === undefined)
    return seeWhyNot(back, 'The page was too old. Look at it again. Nothing was decided.');
  const asked = { ...askedOf(brought), accept: what, acceptOnly: [...seen] };
  const isBegun = desk.jobs.begin(
    { about: aboutBatch(batch), doing: RULING, by: person.name },
    async (dialogue) => {
      const found = await payfile.call(reconcile, asked, dialogue);
      return html`<details><summary>What was decided by the statement</summary>${comparisonShown(found)}</details>\n${backToComparison(statement, reading)}`;
    },
  );
  // Back to the forms, so that the same can be pressed again.
  return isBegun
    ? see(address`/batches/${batch}`)
    : see(
        `${back}?upload=${encodeURIComponent(statement.id)}`,
        'Nothing was decided. payfile works on this batch. Try again when that has ended.',
      );
}

const RULING = 'Deciding by a statement';
