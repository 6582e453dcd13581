/** Uploads a file, and lists the files that are not a batch yet. */
import { batchLabel } from '../../domain/batches/batch.ts';
import { mayDo } from '../../domain/people/person.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { forgetReading as forget, readings } from '../../operations/reading.ts';
import { cancel } from '../../operations/rows.ts';
import { look } from '../../operations/status.ts';
import { SAMPLE_PAYROLL } from '../../payfile.ts';
import { type Html, html, instant, NOTHING } from '../../views/html.ts';
import type { Desk } from '../desk.ts';
import { isUnderWay } from '../jobs.ts';
import { refusedPage } from '../page/errors.ts';
import { hidden, wideTable } from '../page/fields.ts';
import { postButton } from '../page/way.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { FILES_MAX, type KeptFile } from './kept-files.ts';
import { jobOf, pathOf, withFile } from './looking.ts';

export async function newBatch({ desk, person, payfile, query }: Visit): Promise<Answer> {
  const { readings: saved } = await payfile.call(readings, {});
  const known = saved.map(({ name, headers }) => [
    name,
    headers.join(', '),
    html`<form method="post" action="${address`/readings/${name}/forget`}"><button aria-label="Forget ${name}">Forget</button></form>`,
  ]);
  const remembered = wideTable({ label: 'Remembered files', heads: ['Name', 'Columns', WHAT], rows: known });
  return page(
    'New batch',
    html`${waitingFiles(desk.files.waiting(person.id))}${drop(query.get('batch') ?? '')}${offeredSample(desk)}
<h2>What the file needs</h2>
<p>One table with a header row. Each row needs a country, a bank or mobile money provider, an account number with its leading zeros, and an amount. One country for all rows can be chosen on the next page. The name of the account holder is recommended: payfile compares it with the name that the bank gives. A reference, a currency, a phone number, a note and a source country are optional. Other columns may stay.</p>
<p>Headers in English, French and Portuguese are known. You name other columns on the next page.</p>
<p>${TEMPLATE} <a href="/lists">Countries and institutions of the service</a></p>
${known.length === 0 ? NOTHING : html`<h2>Remembered answers</h2>\n<p>What you said about a file counts for the next file with the same columns.</p>\n${remembered}`}`,
    { way: { at: 'upload' } },
  );
}

const WHAT = html`<span class="unseen">What to do</span>`;

export async function forgetReading({ payfile, part }: Visit): Promise<Answer> {
  const { forgotten } = await payfile.call(forget, { name: part('name') });
  return see('/new', `The answers of ${forgotten} are forgotten.`);
}

/** `batch`: the name that the file's batch is to have, where it is known already. */
const drop = (
  batch: string,
) => html`<form class="drop" method="post" action="/uploads" enctype="multipart/form-data">${batch === '' ? NOTHING : hidden('batch', batch)}
<label for="file">Drop a payment file here, or choose it <span class="under">.xlsx or .csv, at most 64 MiB. Nothing is paid by this.</span></label>
<input id="file" name="file" type="file" accept=".xlsx,.csv" required>
<button class="main">Upload</button>
</form>
`;

export const TEMPLATE = html`<a class="button" href="/template.xlsx">Download a workbook to fill in</a>`;

export function offeredSample({ environment }: Pick<Desk, 'environment'>): Html {
  if (environment !== 'sandbox') return NOTHING;
  return html`<p>No file at hand? The sample pays 24 people in five countries, in the sandbox only.</p>
<p>${postButton('/uploads/sample', 'Use the sample payroll')}</p>
`;
}

function waitingFiles(files: readonly KeptFile[]): Html {
  if (files.length === 0) return NOTHING;
  const rows = files.map((file) => [
    html`<a href="${pathOf(file)}">${file.name}</a>`,
    instant(timestampOf(file.at)),
    sizeText(file.bytes),
    html`<form method="post" action="${pathOf(file)}/remove"><button aria-label="Discard ${file.name}">Discard</button></form>`,
  ]);
  return html`<h2>Files that are not a batch yet</h2>
<p class="note">They are discarded when the console stops. It keeps at most ${FILES_MAX.own} of your files.</p>
${wideTable({ label: 'Files that are not a batch yet', heads: ['File', 'Uploaded', { count: 'Size' }, WHAT], rows })}`;
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${countText(Math.ceil(bytes / 1_000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export async function upload(visit: Visit): Promise<Answer> {
  const { desk, person } = visit;
  const full = desk.files.fullOf(person.id);
  if (full !== undefined) return tooMany(full);
  const { file, text } = await visit.form();
  if (file === undefined) return seeWhyNot('/new', 'Choose a file first.');
  // Others may have come meanwhile.
  const fullNow = desk.files.fullOf(person.id);
  if (fullNow !== undefined) return tooMany(fullNow);
  const kept = await desk.files.keep(file.path, file.name, person.id);
  desk.files.change(kept.id, () => ({ batch: text('batch') }));
  return see(pathOf(kept));
}

export async function uploadSample({ desk, person }: Visit): Promise<Answer> {
  if (desk.environment !== 'sandbox') return refusedPage('no_such_page');
  const full = desk.files.fullOf(person.id);
  if (full !== undefined) return tooMany(full);
  return see(pathOf(await desk.files.keepCopy(SAMPLE_PAYROLL, person.id)));
}

function tooMany(whose: 'own' | 'all'): Answer {
  const text =
    whose === 'own'
      ? `You have ${FILES_MAX.own} files that are not a batch yet. Plan or discard one of them, then upload this one again.`
      : `All users together have ${FILES_MAX.all} files that are not a batch yet. Upload this one again later.`;
  return page('Too many files', html`<p>${text}</p>\n<p><a class="button" href="/new">Your files</a></p>\n`, {
    status: 409,
  });
}

export async function discard(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile, person }) => {
    if (isUnderWay(desk.jobs.about(jobOf(file))))
      return seeWhyNot(pathOf(file), 'The file is being read or planned. Wait until that ends.');
    const isStop = (await visit.form()).text('stop') === 'yes';
    await desk.files.remove(file.id);
    const said = `${file.name} is discarded.`;
    const batchId = file.plan?.kind === 'planned' ? undefined : file.plan?.batchId;
    if (batchId === undefined) return see('/new', said);
    const { batch, counts } = await payfile.call(look, { batch: batchId });
    // A later revision has rows of other files, too.
    if (isStop && batch.revision === 1 && mayDo(person, 'approve')) {
      const reason = 'The same payments are in another batch';
      const { done } = await payfile.call(cancel, { batch: batchId, all: true, reason });
      return see(address`/batches/${batch.id}`, `${said} ${rowsText(done.length)} of its batch withdrawn.`);
    }
    const held = counts.held === 0 ? '' : ` with ${rowsText(counts.held)} held`;
    return see(
      address`/batches/${batch.id}`,
      `${said} Its batch ${batchLabel(batch)} stays${held}. Nothing of it is sent without approval. An approver can withdraw its rows.`,
    );
  });
}
