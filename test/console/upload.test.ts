/** From a file that is dropped to a batch that waits for approval, as a browser without script goes there. */

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { approvePlan } from '../builders/library-calls.ts';
import { HTML_PAYLOADS } from '../fixtures/html-payloads.ts';
import { type AConsole, aConsole, type Visitor } from './a-console.ts';

const HEAD = 'Reference,Country,Institution,Account,Name,Amount,Currency';
const GOOD = 'G-1,Ghana,GCB Bank,1011130024576,Yaw Acheampong,120.50,GHS';
const BAD = 'G-2,Ghana,GCB Bnak,1011130024577,Ama Mensah,oops,GHS';
const csv = (...rows: string[]) => `${[HEAD, ...rows].join('\n')}\n`;

const placeOf = (answer: Response) => answer.headers.get('location') ?? '';

async function brought(ada: Visitor, content: string, name = 'may.csv'): Promise<string> {
  const answer = await ada.upload('/uploads', name, content);
  expect(answer.status).toBe(303);
  return placeOf(answer);
}

/** The page of a file, once it was read. */
async function look({ idle }: AConsole, ada: Visitor, at: string): Promise<string> {
  await ada.page(at);
  await idle();
  return ada.page(at);
}

/** The page to which a plan of this file leads. */
async function planned(
  { idle }: AConsole,
  ada: Visitor,
  at: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  expect((await ada.post(`${at}/plan`, fields)).status).toBe(303);
  await idle();
  return ada.get(at);
}

/** The same, of a newer file of a batch that is there. */
async function plannedAgain(all: AConsole, ada: Visitor, at: string, batch: string): Promise<Response> {
  const asked = await (await planned(all, ada, at, { batch })).text();
  const [, newer = ''] = /name="newer" value="([^"]+)"/.exec(asked) ?? [];
  return planned(all, ada, at, { batch, newer });
}

it('takes a file, says what is in it, and plans it under a name', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(GOOD));
  expect(at).toMatch(/^\/uploads\/[0-9a-f]{24}$/);
  const found = await look(all, ada, at);
  expect(found).toContain('<h1>may.csv</h1>');
  expect(found).toContain('120.50 GHS');
  expect(await ada.page('/new')).toContain(`<a href="${at}">may.csv</a>`);
  expect(await batchesOf(all.payfile)).toEqual([]);
  expect(found).toMatch(/name="batch" value="may"/);
  const done = await planned(all, ada, at, { batch: 'may' });
  const [batch] = await batchesOf(all.payfile);
  expect([done.status, placeOf(done)]).toEqual([303, `/batches/${batch?.id}/plan`]);
  expect([batch?.name, batch?.maker, batch?.file.name]).toEqual(['may', 'ada', 'may.csv']);
  expect(await ada.page('/new')).not.toContain('may.csv');
  expect((await stateOf(all.payfile, 'may')).totals.counts.quoted).toBe(1);
});

it('leaves rows out only when that was said, and of the number that was shown', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(GOOD, BAD));
  const found = await look(all, ada, at);
  expect(found).toContain('The service does not list “GCB Bnak”');
  expect(found).toContain('name="leaveOut" value="1">Continue without 1 row</button>');
  for (const [fields, why] of [
    [{ batch: 'may' }, '1 row cannot be paid as written now.'],
    [{ batch: 'may', leaveOut: '2' }, '1 row cannot be paid as written now.'],
    [{ batch: '', leaveOut: '1' }, 'Give the batch a name.'],
  ] as const) {
    expect(placeOf(await ada.post(`${at}/plan`, fields))).toBe(at);
    expect(await ada.page(at)).toContain(why);
  }
  expect(await batchesOf(all.payfile)).toEqual([]);
  const done = await planned(all, ada, at, { batch: 'may', leaveOut: '1' });
  expect(placeOf(done)).toMatch(/^\/batches\/.+\/plan$/);
  const { counts } = (await stateOf(all.payfile, 'may')).totals;
  expect([counts.quoted, counts.invalid]).toEqual([1, 1]);
});

it('says why a batch cannot be called so', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(GOOD));
  const done = await planned(all, ada, at, { batch: 'may\u200b!' });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('No batch can be called');
});

const SIX = Array.from(
  { length: 6 },
  (_, at) => `R-${at},Ghana,GCB Bank,101113002457${at},,${100 + at}.00,GHS`,
);

/** A batch of six rows that was sent. */
async function paid(all: AConsole, ada: Visitor, name: string): Promise<void> {
  await planned(all, ada, await brought(ada, csv(...SIX)), { batch: name });
  const { plan } = await stateOf(all.payfile, name);
  await approvePlan(all.payfile, name, plan?.digest);
  await all.payfile.send({ batch: name });
  await all.payfile.settle({ batch: name });
}

it('asks what a file is that repeats an earlier batch, and pays it as well only when that is said', async () => {
  const all = aConsole({ policy: { repeatHours: 0 } });
  const ada = all.visitor();
  await paid(all, ada, 'april');
  const at = await brought(ada, `${csv(...SIX)}\n`);
  const asked = await (await planned(all, ada, at, { batch: 'may' })).text();
  expect(asked).toContain('6 of 6 rows repeat payments of batch april.');
  const [, repeats = ''] = /name="repeats" value="([^"]+)"/.exec(asked) ?? [];
  await ada.post(`${at}/plan`, { batch: 'may', repeats: 'other' });
  expect(await ada.page(at)).toContain('This was not asked.');
  expect((await stateOf(all.payfile, 'may')).totals.counts).toMatchObject({ held: 6, quoted: 0 });
  const done = await planned(all, ada, at, { batch: 'may', repeats });
  expect(placeOf(done)).toMatch(/^\/batches\/.+\/plan$/);
  expect((await stateOf(all.payfile, 'may')).totals.counts).toMatchObject({ held: 0, quoted: 6 });
});

it('does not pay a file for a new period on the day on which the other batch was sent', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  const at = await brought(ada, csv(...SIX));
  const asked = await (await planned(all, ada, at, { batch: 'may' })).text();
  const [, repeats = ''] = /name="repeats" value="([^"]+)"/.exec(asked) ?? [];
  const early = await (await planned(all, ada, at, { batch: 'may', repeats })).text();
  expect(early).toContain(
    'less than 20 h ago (the setting repeatHours). Its rows are not paid for a new period yet.',
  );
  expect(early).toMatch(
    /The rows that repeat it are held\. The same command releases them from \S+ \S+ UTC\./,
  );
  expect((await stateOf(all.payfile, 'may')).totals.counts).toMatchObject({ held: 6, quoted: 0 });
});

it('says which batch stays when the file is discarded as the same payment', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  const at = await brought(ada, `${csv(...SIX)}\n`);
  await planned(all, ada, at, { batch: 'may' });
  const stopped = await ada.post(`${at}/remove`);
  expect(await ada.page(placeOf(stopped))).toContain(
    'is discarded. Its batch may stays with 6 rows held. Nothing of it is sent without approval.',
  );
});

it('withdraws the rows of a file that is the same payment, where an approver says so', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  const at = await brought(ada, `${csv(...SIX)}\n`);
  const asked = await (await planned(all, ada, at, { batch: 'may' })).text();
  expect(asked).toContain('<input type="hidden" name="stop" value="yes"><button');
  const stopped = await ada.post(`${at}/remove`, { stop: 'yes' });
  expect(await ada.page(placeOf(stopped))).toContain('6 rows of its batch withdrawn.');
  expect((await stateOf(all.payfile, 'may')).totals.counts).toMatchObject({ held: 0, canceled: 6 });
});

it('withdraws nothing of a batch that had another file before', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  await planned(all, ada, await brought(ada, csv(GOOD)), { batch: 'may' });
  const at = await brought(ada, `${csv(GOOD, ...SIX)}\n`);
  const taken = await (await planned(all, ada, at, { batch: 'may' })).text();
  const [, newer = ''] = /name="newer" value="([^"]+)"/.exec(taken) ?? [];
  expect(await (await planned(all, ada, at, { batch: 'may', newer })).text()).toContain('repeat payments of');
  const { counts } = (await stateOf(all.payfile, 'may')).totals;
  expect(counts).toMatchObject({ held: 6, quoted: 1 });
  await ada.post(`${at}/remove`, { stop: 'yes' });
  expect((await stateOf(all.payfile, 'may')).totals.counts).toEqual(counts);
});

it('says of a file that was finished before, or changes what was sent, what to do', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  await all.payfile.settle({ batch: 'april' });
  const same = await brought(ada, csv(...SIX));
  const finished = await plannedAgain(all, ada, same, 'april');
  expect(await finished.text()).toContain('is already finished with the same rows');
  const changed = await brought(ada, csv(...SIX).replace('100.00', '999.00'));
  const refused = await (await plannedAgain(all, ada, changed, 'april')).text();
  expect(refused).toContain('is not in this file as it was: GHS 100.00 to ');
  expect(refused).toContain('that was approved or sent before');
  expect(refused).toContain('name="batch" value="april"');
});

it('asks whether a file is a newer version of the batch whose name is typed, and shows that batch', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await planned(all, ada, await brought(ada, csv(...SIX)), { batch: 'may' });
  const at = await brought(ada, csv(...SIX, GOOD));
  const asked = await (await planned(all, ada, at, { batch: 'may' })).text();
  expect(asked).toMatch(/Batch may of \d{4}-\d\d-\d\d has 6 rows, GHS 615\.00\./);
  expect(asked).toContain('This is a newer version of batch may');
  expect((await stateOf(all.payfile, 'may')).batch.revision).toBe(1);
  const wrong = await planned(all, ada, at, { batch: 'may', newer: 'other' });
  expect(await wrong.text()).toContain('This is a newer version of batch may');
  expect((await stateOf(all.payfile, 'may')).batch.revision).toBe(1);
  expect(placeOf(await plannedAgain(all, ada, at, 'may'))).toMatch(/^\/batches\/.+\/plan$/);
  expect((await stateOf(all.payfile, 'may')).batch.revision).toBe(2);
});

it('says of the file of another batch whose it is, and goes on with that batch when a person says so', async () => {
  const all = aConsole();
  const ada = all.visitor();
  await paid(all, ada, 'april');
  await all.payfile.settle({ batch: 'april' });
  const at = await brought(ada, csv(...SIX));
  const asked = await (await planned(all, ada, at, { batch: 'may' })).text();
  expect(asked).toMatch(/Batch april has the same file\. Batch april of \S+ has 6 rows, GHS 615\.00\./);
  const [, newer = ''] = /name="newer" value="([^"]+)"/.exec(asked) ?? [];
  const same = await planned(all, ada, at, { batch: 'april', newer });
  expect(await same.text()).toContain('is already finished with the same rows');
  expect((await batchesOf(all.payfile)).map(({ name }) => name)).toEqual(['april']);
});

it('keeps a file for whoever brought it', async () => {
  const { visitor } = aConsole();
  const ada = visitor();
  const at = await brought(ada, csv(GOOD));
  const bob = visitor('bob');
  for (const path of [at, `${at}/corrected.xlsx`]) expect((await bob.get(path)).status).toBe(404);
  for (const path of [`${at}/plan`, `${at}/remove`, `${at}/answers`, `${at}/columns`])
    expect((await bob.post(path, { batch: 'x' })).status).toBe(404);
  expect(await bob.page('/new')).not.toContain(at);
  expect((await ada.get(at)).status).toBe(200);
});

it('discards a file, and its folder with it', async () => {
  const { desk, visitor } = aConsole();
  const ada = visitor();
  const at = await brought(ada, csv(GOOD));
  expect(readdirSync(desk.uploads)).toHaveLength(1);
  expect(placeOf(await ada.post(`${at}/remove`))).toBe('/new');
  expect(readdirSync(desk.uploads)).toEqual([]);
  expect((await ada.get(at)).status).toBe(404);
});

it('says what is wrong with a file that cannot be used, and takes what a person says about it', async () => {
  const { visitor } = aConsole();
  const ada = visitor();
  const at = await brought(ada, csv(GOOD, 'two,cells'));
  const found = await ada.page(at);
  expect(found).toContain('class="alarm"');
  expect((await ada.post(`${at}/columns`, { headerRow: 'two' })).status).toBe(400);
  expect(placeOf(await ada.post(`${at}/columns`, { headerRow: '2', source: '"><b>x' }))).toBe(at);
  const again = await ada.page(at);
  expect(again).toMatch(/name="headerRow" value="2"/);
  expect(again).toContain('value="&quot;&gt;&lt;b&gt;x"');
  expect(again).not.toContain('<b>x');
});

it('offers a template and the sample on the first page without a batch, and says which files wait', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const empty = await ada.page('/');
  expect(empty).toContain('href="/template.xlsx"');
  expect(empty).toContain('action="/uploads/sample"');
  const at = placeOf(await ada.post('/uploads/sample'));
  const found = await look(all, ada, at);
  expect([found.includes('<h1>payroll.xlsx</h1>'), found.includes('<b>24</b>')]).toEqual([true, true]);
  expect(await ada.page('/')).toContain(`<a href="${at}">payroll.xlsx</a>`);
  const eve = await all.visitor('eve', ['approver']).page('/');
  for (const what of ['payroll.xlsx', '/template.xlsx', '/uploads/sample', '/new'])
    expect(eve).not.toContain(what);
});

it('shows how far a plan is, and asks again until it has ended', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(GOOD));
  await ada.page(at);
  await ada.post(`${at}/plan`, { batch: 'may' });
  const page = await ada.page(at);
  expect(page).toContain('<strong>Planning</strong>');
  expect(page).toContain('hx-select-oob="#main"');
  expect(page).toContain('<noscript><meta http-equiv="refresh"');
  await all.idle();
  expect((await ada.get(at)).headers.get('location')).toMatch(/^\/batches\/\d+\/plan$/);
});

it('shows what is in cells, names of files and columns as text', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  // A file with a NUL is refused as a whole.
  const rows = HTML_PAYLOADS.filter((text) => !text.includes('\0')).map(
    (text, at) => `H-${at},${quoted(text)},${quoted(text)},1${at},${quoted(text)},${quoted(text)},GHS`,
  );
  const at = await brought(
    ada,
    `${HEAD},${quoted('<b>own</b>')}\n${rows.join('\n')}\n`,
    '<img src=x onerror=alert(1)>.csv',
  );
  await look(all, ada, at);
  for (const path of [at, '/new']) {
    const text = await ada.page(path);
    expect(text).not.toMatch(/<(img|svg|iframe|b>own|object|embed|base|video|body onload|math)/i);
    expect(text.match(/<script/g)).toHaveLength(2);
    // Without what stands between quotes, which no text can end.
    expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/i);
  }
});
