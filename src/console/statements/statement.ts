/**
 * A batch beside a statement: it is brought, compared, and what leaves no doubt is ruled by whoever looked. Comparing changes
 * nothing; accepting rules on the very payments that were shown.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import type { SignsSeen } from '../../domain/statement/direction.ts';
import { comparisonBlocks, type ReconciledBatch, reconcile } from '../../operations/reconciliation.ts';
import { look } from '../../operations/status.ts';
import { askWith } from '../../payfile.ts';
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
  optionsOf,
  otherReading,
  paymentsQuestion,
  readingIn,
  type ShownStatement,
  type StatementReading,
  uploadForm,
} from './statement-forms.ts';

/** One that was brought, as it is read now. */
interface Brought {
  readonly statement: KeptStatement;
  readonly reading: StatementReading;
}

export async function statementPage(visit: Visit): Promise<Answer> {
  const { query } = visit;
  const { batch } = await visit.payfile.call(look, { batch: visit.part('batch') });
  const title = `Compare ${batchLabel(batch)} with a statement`;
  const statement = keptBy(visit, query.get('upload') ?? '', batch.id);
  if (statement === undefined) {
    const gone = query.has('upload')
      ? html`<p class="doubtful">The statement is gone. Upload it again.</p>\n`
      : NOTHING;
    return page(title, html`${gone}${BEFORE}${uploadForm(batch.id)}`);
  }
  const reading = readingIn((name) => (query.get(name) ?? '').trim());
  return page(title, await compared(visit, { statement, reading }));
}

const BEFORE = html`<p>A statement says what really happened to the payments of this batch. One that is too short can show that a row was paid; only one that covers the time of a row can show that it was not.</p>
`;

function keptBy({ desk, person }: Visit, id: string, batch: string): KeptStatement | undefined {
  return desk.statements.find(id, { batch, by: person.id });
}

async function compared(visit: Visit, { statement, reading }: Brought): Promise<Html> {
  const { desk, person, payfile, part, signal } = visit;
  let asked: SignsSeen | undefined;
  const ask = askWith({
    payments: async ({ signs }) => {
      asked = signs;
      return undefined;
    },
  });
  const named = { fileName: statement.name, ...optionsOf(reading) };
  try {
    // It reads the whole statement, and walks the batch.
    const found = await desk.making.take(person.id, () =>
      payfile.call(reconcile, { batch: part('batch'), statement: statement.path, ...named }, { signal, ask }),
    );
    const shows = (payouts: readonly string[]) => desk.statements.show(statement, payouts);
    return html`${comparisonShown(found)}${decisions(found, { statement: { ...statement, shows }, reading })}${otherReading(statement, reading)}${another(statement)}`;
  } catch (error) {
    if (asked !== undefined)
      return html`${paymentsQuestion(asked, statement, reading)}${otherReading(statement, reading)}${another(statement)}`;
    if (codeOf(error) === undefined) throw error;
    return html`${refusal(problemText(error))}${otherReading(statement, reading)}${another(statement)}`;
  }
}

/** Findings of a kind that a page lists. */
const SHOWN_MAX = 200;

const comparisonShown = (found: ReconciledBatch): Html =>
  drawBlocks(comparisonBlocks(found, SHOWN_MAX), 'Rows of the batch and lines of the statement');

function decisions(
  found: ReconciledBatch,
  { statement, reading }: Brought & { readonly statement: ShownStatement },
): Html {
  const forms = acceptForms(found, statement, reading);
  if (forms.text !== '') return section('decide', 'Decide', forms);
  const text =
    found.doubt === undefined
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
  const seen = desk.statements.shown(statement, form.text('shown'));
  if (seen === undefined)
    return seeWhyNot(back, 'The page was too old. Look at it again. Nothing was decided.');
  const what: 'paid' | 'not_paid' = form.text('accept') === 'not_paid' ? 'not_paid' : 'paid';
  const reading = readingIn(form.text);
  const asked = {
    batch,
    statement: statement.path,
    fileName: statement.name,
    ...optionsOf(reading),
    accept: what,
    acceptOnly: [...seen],
  };
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
