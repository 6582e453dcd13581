/**
 * Bringing a file: what it needs to have, where it is dropped, and the files that wait to become batches.
 */
import { rm } from 'node:fs/promises';
import { batchLabel } from '../../domain/batches/batch.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { forgetReading as forget, readings } from '../../operations/reading.ts';
import { look } from '../../operations/status.ts';
import { SAMPLE_PAYROLL } from '../../payfile.ts';
import { type Html, html, instant, NOTHING } from '../../views/html.ts';
import { isUnderWay } from '../jobs.ts';
import { refusedPage } from '../page/errors.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, see, seeWhyNot, type Visit } from '../server/route.ts';
import { offeredSample, TEMPLATE } from './first-file.ts';
import { FILES_MAX, type KeptFile } from './kept-files.ts';
import { jobOf, pathOf, withFile } from './looking.ts';

export async function newBatch({ desk, person, payfile }: Visit): Promise<Answer> {
  const waiting = desk.files.waiting(person.id);
  const { readings: saved } = await payfile.call(readings, {});
  const known = saved.map(
    ({ name, headers }) =>
      html`<li><strong>${name}</strong>: ${headers.join(', ')} <form class="inline" method="post" action="${address`/readings/${name}/forget`}"><button aria-label="Forget ${name}">Forget</button></form></li>\n`,
  );
  return page(
    'New batch',
    html`${waitingFiles(waiting)}${DROP}${offeredSample(desk)}
<h2>What the file needs</h2>
<p>One table, with the names of its columns in one row. Other columns may stand beside; they are kept and not used. Names in French and Portuguese are known too, and other names can be said on the next page.</p>
${COLUMNS}<p>${TEMPLATE} <a href="/lists">Countries and institutions of the service</a></p>
<h2>Columns that are known</h2>
${known.length === 0 ? html`<p>None was saved yet. What you say about the columns of a file can be saved under a name; the next file with the same columns is then read in the same way.</p>\n` : html`<ul>${known}</ul>\n`}`,
  );
}

export async function forgetReading({ payfile, part }: Visit): Promise<Answer> {
  const { forgotten } = await payfile.call(forget, { name: part('name') });
  return see('/new', `What was said about the columns of ${forgotten} is forgotten.`);
}

const DROP = html`<form class="drop" method="post" action="/uploads" enctype="multipart/form-data">
<label for="file">Drop a payment file here, or choose it <span class="under">.xlsx or .csv, at most 64 MiB. Nothing is paid by this.</span></label>
<input id="file" name="file" type="file" accept=".xlsx,.csv" required>
<button class="main">Bring the file</button>
</form>
`;

const NEEDED: readonly (readonly [column: string, need: string, example: string, what: string])[] = [
  ['Country', 'needed', 'Kenya', 'Where the money goes: a name, or letters such as KE.'],
  [
    'Institution',
    'needed',
    'KCB Bank Kenya',
    'Bank or mobile money provider of that country, as the service lists it.',
  ],
  [
    'Account',
    'needed',
    '0112345678',
    'Account or wallet number, with its leading zeros: format the column as text.',
  ],
  ['Amount', 'needed', '1250.00', 'What the beneficiary gets, in the currency of the institution.'],
  [
    'Name',
    'better with it',
    'Amina Wanjiru',
    'Who holds the account. The service is asked whether it is so.',
  ],
  ['Reference', 'may be left out', 'PAY-0042', 'Your own number for the payment, different in each row.'],
  ['Currency', 'may be left out', 'KES', 'Has to be the currency of the institution.'],
  ['Phone', 'may be left out', '+254712345678', 'Of the beneficiary.'],
  ['Note', 'may be left out', 'Salary May', 'What the payment is for.'],
  [
    'Source',
    'may be left out',
    'GB',
    'The country that the money comes from, where it is not the usual one.',
  ],
];

const COLUMNS = wideTable({
  label: 'Columns',
  heads: ['Column', 'Needed', 'Example', 'What it holds'],
  rows: NEEDED.map(([column, need, example, what]) => [column, need, html`<code>${example}</code>`, what]),
});

function waitingFiles(files: readonly KeptFile[]): Html {
  if (files.length === 0) return NOTHING;
  const rows = files.map((file) => [
    html`<a href="${pathOf(file)}">${file.name}</a>`,
    instant(timestampOf(file.at)),
    sizeText(file.bytes),
    html`<form class="inline" method="post" action="${pathOf(file)}/remove"><button aria-label="Throw away ${file.name}">Throw away</button></form>`,
  ]);
  const what = html`<span class="under">What to do</span>`;
  const heads = ['File', 'Brought', { count: 'Size' }, what];
  return html`<h2>Files that are no batch yet</h2>
<p class="note">They are thrown away when the console is ended. At most ${FILES_MAX.own} are kept at a time.</p>
${wideTable({ label: 'Files that are no batch yet', heads, rows })}`;
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${countText(Math.ceil(bytes / 1_000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export async function bring(visit: Visit): Promise<Answer> {
  const { desk, person } = visit;
  const full = desk.files.fullOf(person.id);
  if (full !== undefined) return tooMany(full);
  const { file } = await visit.upload();
  if (file === undefined) return seeWhyNot('/new', 'Choose a file first.');
  const fullNow = desk.files.fullOf(person.id);
  if (fullNow === undefined) return see(pathOf(await desk.files.keep(file.path, file.name, person.id)));
  await rm(file.path, { force: true });
  return tooMany(fullNow);
}

export async function bringSample({ desk, person }: Visit): Promise<Answer> {
  if (desk.environment !== 'sandbox') return refusedPage('no_such_page');
  const full = desk.files.fullOf(person.id);
  if (full !== undefined) return tooMany(full);
  return see(pathOf(await desk.files.keepCopy(SAMPLE_PAYROLL, person.id)));
}

function tooMany(whose: 'own' | 'all'): Answer {
  const text =
    whose === 'own'
      ? `${FILES_MAX.own} of your files wait already. Plan one of them, or throw one away, and bring this one again.`
      : `${FILES_MAX.all} files of all people wait already. Bring this one again when some of them are planned.`;
  return page(
    'Too many files',
    html`<p>${text}</p>\n<p><a class="button" href="/new">The files that wait</a></p>\n`,
    { status: 409 },
  );
}

export async function throwAway(visit: Visit): Promise<Answer> {
  return withFile(visit, async (file, { desk, payfile }) => {
    if (isUnderWay(desk.jobs.about(jobOf(file))))
      return seeWhyNot(pathOf(file), 'It is being read or planned just now. Wait until that is done.');
    await desk.files.remove(file.id);
    const said = `${file.name} was thrown away.`;
    const { plan } = file;
    if (plan?.kind !== 'repeats_open' && plan?.kind !== 'unpriced') return see('/new', said);
    const { batch, counts } = await payfile.call(look, { batch: plan.batchId });
    const held = counts.held === 0 ? '' : `, with ${rowsText(counts.held)} held`;
    return see(
      address`/batches/${batch.id}`,
      `${said} The batch that was made of it, ${batchLabel(batch)}, stays${held}. Nothing of it is sent unless somebody agrees to it; an approver can withdraw its rows.`,
    );
  });
}
