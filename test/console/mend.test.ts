/** Rows that cannot be paid are mended cell by cell, and columns are said, in pages that work without script. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLANNING } from '../../src/console/files/looking.ts';
import { history } from '../../src/operations/status.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { checkFile, readingsOf } from '../builders/library-calls.ts';
import { type AConsole, aConsole, type Visitor } from './a-console.ts';

const HEAD = 'Reference,Country,Institution,Account,Name,Amount';
const ROW = (at: number, bank: string, amount: string) =>
  `R-${at},Ghana,${bank},101113002457${at},,${amount}`;
const csv = (...rows: string[]) => `${[HEAD, ...rows].join('\n')}\n`;
const FILE = csv(
  ROW(1, 'GCB Bank', '100.00'),
  ROW(2, 'GCB Bnak', '200.00'),
  ROW(3, 'GCB Bnak', 'x'),
  ROW(4, 'GCB Bnak', '400.00'),
);

async function brought(ada: Visitor, content = FILE, name = 'may.csv'): Promise<string> {
  return (await ada.upload('/uploads', name, content)).headers.get('location') ?? '';
}

async function look({ idle }: AConsole, ada: Visitor, path: string): Promise<string> {
  await ada.page(path);
  await idle();
  return ada.page(path);
}

const inputOf = (page: string, id: string) =>
  new RegExp(`<input id="${id}" [^>]*?value="([^"]*)"`).exec(page)?.[1];

it('shows each wrong cell as an input, with what was seen, what is expected and an example', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const page = await look(all, ada, `${await brought(ada)}/rows`);
  expect(page).toContain('<legend>Row 3</legend>');
  expect(page).not.toContain('<legend>Row 2</legend>');
  expect(inputOf(page, 'c-4-5')).toBe('x');
  expect(page).toContain('<label for="c-4-5">Amount');
  expect(page).toMatch(/<input id="c-4-5"[^>]*aria-invalid="true" aria-describedby="why-c-4-5"/);
  expect(page).toMatch(/id="why-c-4-5"[^<]*<span class="wrong">“x”; expected/);
  expect(page).toContain('For example <code>1250.00</code>');
  expect(page).toContain('1011130024573');
});

it('keeps a correction with who made it, checks again, and undoes it', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  await look(all, ada, at);
  const kept = await ada.post(`${at}/rows`, {
    'cell-4-2': 'GCB Bank',
    'cell-4-5': '300.00',
    kind: 'amount_unreadable',
  });
  expect(kept.headers.get('location')).toBe(`${at}/rows?kind=amount_unreadable`);
  const page = await look(all, ada, `${at}/rows`);
  expect(page).not.toContain('<legend>Row 4</legend>');
  expect(page).toMatch(/<th scope="row">F4<\/th><td>x<\/td><td>300.00<\/td><td>ada<\/td>/);
  await ada.post(`${at}/rows`, { undo: '4:5' });
  expect(await look(all, ada, `${at}/rows`)).toContain('<legend>Row 4</legend>');
  expect(await ada.page(`${at}/rows`)).not.toContain('300.00');
});

it('puts a value into all rows with the same wrong one, and only when that is pressed', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  expect(await look(all, ada, `${at}/rows`)).toContain('Put it in all 3 rows with this value');
  await ada.post(`${at}/rows`, { 'cell-3-2': 'GCB Bank' });
  expect(await look(all, ada, `${at}/rows`)).toContain('Put it in all 2 rows with this value');
  await ada.post(`${at}/rows`, { 'cell-4-2': 'GCB Bank', 'cell-4-5': 'y', alike: '4-2' });
  const page = await look(all, ada, `${at}/rows`);
  expect(page).not.toContain('<legend>Row 5</legend>');
  expect(inputOf(page, 'c-4-5')).toBe('y');
  expect(
    all.desk.files.waiting('ada')[0]?.edits.map(({ row, column, was, text }) => [row, column, was, text]),
  ).toEqual([
    [3, 2, 'GCB Bnak', 'GCB Bank'],
    [4, 2, 'GCB Bnak', 'GCB Bank'],
    [5, 2, 'GCB Bnak', 'GCB Bank'],
    [4, 5, 'x', 'y'],
  ]);
});

/** The form as a browser sends it: every input, and what the page showed. */
function formOf(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input [^>]*?name="([^"]+)"[^>]*? value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}

it('saves all that is typed on the page at once, and nothing that was not typed', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  const page = await look(all, ada, `${at}/rows`);
  expect(page).toContain('Save these corrections');
  const form = { ...formOf(page), 'cell-4-5': '300.00', 'cell-5-2': 'GCB Bank' };
  // Another window mended row 3 meanwhile; this page shows it as it was.
  await ada.post(`${at}/rows`, { 'cell-3-2': 'GCB Bank' });
  await ada.post(`${at}/rows`, form);
  const edited = all.desk.files.waiting('ada')[0]?.edits.map(({ row, column, text }) => [row, column, text]);
  expect(edited).toEqual([
    [3, 2, 'GCB Bank'],
    [4, 5, '300.00'],
    [5, 2, 'GCB Bank'],
  ]);
});

it('loses nothing that was typed when it cannot be saved, and says at the cell why', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  const long = 'x'.repeat(501);
  await look(all, ada, `${at}/rows`);
  await ada.post(`${at}/rows`, { 'cell-3-2': long, 'cell-4-5': '300.00', undo: '9:9' });
  const page = await ada.page(`${at}/rows`);
  expect(inputOf(page, 'c-3-2')).toBe(long);
  expect(page).toMatch(/id="why-c-3-2"[^<]*<span class="wrong">Not saved: it is longer than 500/);
  expect(page).toContain('1 cell saved. 1 cell not saved');
  expect(all.desk.files.waiting('ada')[0]?.edits.map(({ text }) => text)).toEqual(['300.00']);
  await ada.post(`${at}/rows`, { ...formOf(page), 'cell-3-2': 'GCB Bank' });
  expect(all.desk.files.waiting('ada')[0]?.drafts.size).toBe(0);
});

it('takes no correction of a cell that is not wrong', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  await look(all, ada, at);
  await ada.post(`${at}/rows`, { 'cell-3-3': '999', 'cell-3-40': 'x' });
  await ada.post(`${at}/rows`, { 'cell-2-5': '999.00' });
  expect(all.desk.files.waiting('ada')[0]?.edits).toEqual([]);
});

it('lets nobody change on a page which payment a row pays again', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const [head, row] = [`${HEAD},payfile_replaces`, 'R-1,Ghana,GCB Bank,1011130024571,,x,zzz'];
  const at = await brought(ada, `${head}\n${row}\n`, 'redo.csv');
  const page = await look(all, ada, `${at}/rows`);
  expect([inputOf(page, 'c-2-5'), inputOf(page, 'c-2-6')]).toEqual(['x', undefined]);
  expect(page).toContain('“zzz”; expected the id of the payout');
  expect(page).toContain('This cell cannot be corrected here.');
  await ada.post(`${at}/rows`, { 'cell-2-5': '5.00', 'cell-2-6': '' });
  expect(await look(all, ada, `${at}/rows`)).toContain('“zzz”; expected the id of the payout');
  const columns = await ada.page(`${at}/columns`);
  expect([columns.includes('id="field-5"'), columns.includes('id="field-6"')]).toEqual([true, false]);
  const said = {
    ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`field-${n}`, ''])),
    'field-6': 'note',
  };
  await ada.post(`${at}/columns`, { ...said, shownRow: '1' });
  expect(await look(all, ada, `${at}/plan`)).not.toContain('name="batch"');
});

it('plans the file as it was corrected, and gives it as a workbook', async () => {
  const all = aConsole();
  const { payfile, idle, desk } = all;
  const ada = all.visitor();
  const at = await brought(ada);
  await look(all, ada, at);
  await ada.post(`${at}/rows`, { 'cell-4-2': 'GCB Bank', alike: '4-2' });
  await look(all, ada, at);
  await ada.post(`${at}/rows`, { 'cell-4-5': '300.00' });
  expect(await look(all, ada, `${at}/rows`)).toContain('Every row can be paid');
  const download = await ada.get(`${at}/corrected.xlsx`);
  expect(download.headers.get('content-disposition')).toContain('may-corrected.xlsx');
  const path = join(desk.uploads, 'again.xlsx');
  writeFileSync(path, new Uint8Array(await download.arrayBuffer()));
  expect(await checkFile(payfile, path)).toMatchObject({ rows: 4, invalid: 0 });
  await ada.post(`${at}/plan`, { batch: 'may' });
  await idle();
  expect((await ada.get(`${at}/plan`)).status).toBe(303);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ quoted: 4, invalid: 0 });
  const kept = (await payfile.call(history, { batch: 'may' })).decisions.filter(
    ({ kind }) => kind === 'cell_corrected',
  );
  expect(kept.map(({ by, rows }) => [by, rows])).toEqual([
    ['ada', [4]],
    ['ada', [3, 4, 5]],
  ]);
  expect(await ada.page(at)).toContain(`${at}/plan?again=1`);
  expect(await ada.page(`${at}/plan?again=1`)).toContain('name="batch"');
});

it('shows what is typed and what stands in cells as text', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const bad = `"><script>x</script><img src=x onerror=1>`;
  const at = await brought(ada, csv(`R-1,Ghana,"${bad.replaceAll('"', '""')}",1011130024571,,"<b>1"`));
  await look(all, ada, at);
  await ada.post(`${at}/rows`, { 'cell-2-5': `'${bad}` });
  const page = await look(all, ada, `${at}/rows`);
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page).not.toMatch(/<img|<b>1/);
  expect(page).toContain('&lt;b&gt;1');
});

it('checks a large file again when that is asked for, and plans no correction that is not checked', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(ROW(1, 'GCB Bank', '1.00'), ROW(2, 'GCB Bnak', '5.00')));
  expect(await look(all, ada, `${at}/rows`)).toContain('<legend>Row 3</legend>');
  // As if it had so many rows.
  const id = at.split('/').at(-1) ?? '';
  const found = all.desk.files.found(id);
  if (found?.kind !== 'rows') return expect.unreachable();
  all.desk.files.setFound(id, { ...found, checked: { ...found.checked, rows: 20_001 } });
  await ada.post(`${at}/rows`, { 'cell-3-2': 'GCB Bank' });
  const open = await ada.page(`${at}/rows`);
  expect(open).toContain('1 change not checked yet');
  expect(inputOf(open, 'c-3-2')).toBe('GCB Bank');
  const early = await ada.post(`${at}/plan`, { batch: 'may', leaveOut: '1' });
  expect(early.headers.get('location')).toBe(`${at}/rows`);
  await ada.post(`${at}/rows`, { check: 'yes' });
  expect(await look(all, ada, `${at}/rows`)).toContain('Every row can be paid');
});

it('lets a person say what columns hold, and saves it for the next file', async () => {
  const all = aConsole();
  const { payfile } = all;
  const ada = all.visitor();
  const own = `Ref,Where,Bank,Account,Team,Amount\nR-1,Ghana,GCB Bank,1011130024576,<b>red,5.00\n`;
  const at = await brought(ada, own);
  await look(all, ada, at);
  expect(await ada.page(at)).toContain('There is no column for country');
  const page = await ada.page(`${at}/columns`);
  expect(page).toContain('There is no column for country');
  expect(page).toContain('<code>&lt;b&gt;red</code>');
  expect(page).toContain('••••4576');
  expect(page).not.toContain('1011130024576');
  const now = { 'field-0': 'reference', 'field-2': 'institution', 'field-3': 'account', 'field-5': 'amount' };
  const twice = await ada.post(`${at}/columns`, { ...now, 'field-1': 'country', 'field-4': 'country' });
  expect([twice.status, (await twice.text()).includes('cannot both hold country')]).toEqual([422, true]);
  const said = await ada.post(`${at}/columns`, { ...now, 'field-1': 'country' });
  expect(said.headers.get('location')).toBe(at);
  expect(await look(all, ada, at)).toContain('<b>1</b>');
  const unsaved = await brought(ada, own);
  await look(all, ada, unsaved);
  expect(await ada.page(`${unsaved}/columns`)).toContain('There is no column for country');
  expect((await ada.post(`${at}/keep`, { name: 'ours' })).headers.get('location')).toBe(at);
  expect((await readingsOf(payfile)).readings.map(({ name }) => name)).toEqual(['ours']);
  expect(await look(all, ada, await brought(ada, own))).toContain('<b>1</b>');
});

it('says that a column is read by its name, where nobody chose another for it', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  await look(all, ada, at);
  const refused = await ada.post(`${at}/columns`, {
    'field-1': 'country',
    'field-2': 'institution',
    'field-3': 'account',
  });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('is read as reference by its name');
});

it('keeps each of two corrections that come at once, and each of two that are undone', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada);
  await look(all, ada, at);
  const edited = () => all.desk.files.waiting('ada')[0]?.edits.map(({ row, text }) => [row, text]);
  await Promise.all([
    ada.post(`${at}/rows`, { 'cell-3-2': 'GCB Bank' }),
    ada.post(`${at}/rows`, { 'cell-4-5': '300.00' }),
  ]);
  expect(edited()?.sort()).toEqual([
    [3, 'GCB Bank'],
    [4, '300.00'],
  ]);
  await Promise.all([ada.post(`${at}/rows`, { undo: '3:2' }), ada.post(`${at}/rows`, { undo: '4:5' })]);
  expect(edited()).toEqual([]);
});

it('takes nothing that is said of a file while it is planned', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(ROW(1, 'GCB Bank', '1.250'), ROW(2, 'GCB Bnak', '1.250')));
  await ada.post(`${at}/reading`, { decimal: 'comma' });
  await look(all, ada, at);
  const names = ['reference', 'country', 'institution', 'account', 'name', 'amount'];
  const columns = Object.fromEntries(names.map((name, at) => [`field-${at}`, name]));
  const planning = Promise.withResolvers<undefined>();
  const work = { about: at.replace('/uploads/', 'file:'), doing: PLANNING, by: 'ada' };
  all.desk.jobs.begin(work, () => planning.promise);
  const before = all.desk.files.waiting('ada')[0];
  for (const [path, fields] of [
    ['reading', { decimal: 'point' }],
    ['rows', { undo: '3:2' }],
    ['rows', { 'cell-3-2': 'GCB Bank' }],
    ['columns', columns],
    ['keep', { name: 'ours' }],
    ['values', { name: 'ours', 'written-0': 'GCB Bnak', 'country-0': 'GH', 'means-0': 'x' }],
  ] as const) {
    expect(all.desk.jobs.underWay()).toHaveLength(1);
    const answer = await ada.post(`${at}/${path}`, fields);
    expect([path, answer.headers.get('location')]).toEqual([path, at]);
    expect({ ...all.desk.files.waiting('ada')[0], drafts: before?.drafts }).toEqual(before);
  }
  expect(await ada.page('/new')).toContain('It is being planned just now. Nothing of this was kept.');
  planning.resolve(undefined);
  await all.idle();
  expect(inputOf(await ada.page(`${at}/rows`), 'c-3-2')).toBe('GCB Bank');
  expect(await ada.page(`${at}/rows`)).toContain('Not saved: the file was being planned');
  expect((await readingsOf(all.payfile)).readings).toEqual([]);
});

it('plans a file only as it was looked at, whatever is said of it at the same moment', async () => {
  const all = aConsole();
  const ada = all.visitor();
  for (const name of ['one', 'two', 'three']) {
    const at = await brought(ada, csv(ROW(1, 'GCB Bank', '1.250')), `${name}.csv`);
    const id = at.split('/').at(-1) ?? '';
    await ada.post(`${at}/reading`, { decimal: 'comma' });
    await look(all, ada, at);
    const plan = () => ada.post(`${at}/plan`, { batch: name });
    const say = () => ada.post(`${at}/reading`, { decimal: 'point' });
    await Promise.all(name === 'two' ? [say(), plan()] : [plan(), say()]);
    await all.idle();
    const isPlanned = (await batchesOf(all.payfile)).some((batch) => batch.name === name);
    expect([name, all.desk.files.of(id, 'ada')?.reading.decimal]).toEqual([
      name,
      isPlanned ? 'comma' : 'point',
    ]);
  }
});

it('plans no file that was changed on the disk since it was looked at', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const at = await brought(ada, csv(ROW(1, 'GCB Bank', '1.00')));
  await look(all, ada, at);
  writeFileSync(all.desk.files.waiting('ada')[0]?.path ?? '', csv(ROW(1, 'GCB Bank', '100.00')));
  await ada.post(`${at}/plan`, { batch: 'may' });
  await all.idle();
  expect(await ada.page(`${at}/plan`)).toContain('another than the one that was checked');
  expect(await batchesOf(all.payfile)).toEqual([]);
  expect(await look(all, ada, at)).toContain('100.00 GHS');
});

it('asks what a file with other corrections is, and plans it as that batch or as a new period', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const planned = async (text: string, batch: string) => {
    const at = await brought(ada, csv(ROW(1, 'GCB Bank', '100.00'), ROW(2, 'GCB Bank', 'x')));
    await look(all, ada, at);
    await ada.post(`${at}/rows`, { 'cell-3-5': text });
    await look(all, ada, at);
    await ada.post(`${at}/plan`, { batch });
    await all.idle();
    return at;
  };
  await planned('200.00', 'may');
  const at = await planned('300.00', 'may-2');
  const asked = await ada.page(`${at}/plan`);
  expect(asked).toContain('Batch may has the same file.');
  expect(asked).not.toMatch(/ --[a-z]/);
  expect((await batchesOf(all.payfile)).map(({ name }) => name)).toEqual(['may']);
  const [, repeats = ''] = /name="repeats" value="([^"]+)"/.exec(asked) ?? [];
  expect(asked).toContain('name="batch" value="may-2"');
  const [, newer = ''] = /name="newer" value="([^"]+)"/.exec(asked) ?? [];
  await ada.post(`${at}/plan`, { batch: 'may', newer });
  await all.idle();
  expect((await stateOf(all.payfile, 'may')).batch.revision).toBe(2);
  const third = await planned('400.00', 'june');
  await ada.post(`${third}/plan`, { batch: 'june', repeats });
  await all.idle();
  expect((await batchesOf(all.payfile)).map(({ name }) => name).sort()).toEqual(['june', 'may']);
});

it('leaves no row out with the answer to what a file is, but those that were said to be left out before', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const rows = csv(ROW(1, 'GCB Bank', '100.00'), ROW(2, 'GCB Bank', 'x'), ROW(3, 'GCB Bank', 'x'));
  const brings = async (batch: string, fields: Record<string, string>) => {
    const at = await brought(ada, rows);
    await look(all, ada, at);
    await ada.post(`${at}/rows`, { 'cell-3-5': `${batch.length}00.00`, 'cell-4-5': fields['cell'] ?? 'x' });
    await look(all, ada, at);
    const { cell: _, ...form } = fields;
    await ada.post(`${at}/plan`, { batch, ...form });
    await all.idle();
    return at;
  };
  await brings('may', { leaveOut: '1' });
  const said = await brings('june', { leaveOut: '1' });
  expect(await ada.page(`${said}/plan`)).toContain('name="leaveOut" value="1"');
  const unsaid = await brings('autumn', { cell: '300.00' });
  const asked = await ada.page(`${unsaid}/plan`);
  const [, repeats = ''] = /name="repeats" value="([^"]+)"/.exec(asked) ?? [];
  expect(asked).not.toContain('name="leaveOut"');
  // Somebody undoes the correction in another window.
  await ada.post(`${unsaid}/rows`, { undo: '4:5' });
  await look(all, ada, unsaid);
  for (const fields of [
    { batch: 'autumn', repeats },
    { batch: 'autumn', repeats, leaveOut: 'all' },
  ]) {
    const answer = await ada.post(`${unsaid}/plan`, fields);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('name="leaveOut" value="1"');
  }
  expect((await batchesOf(all.payfile)).map(({ name }) => name)).toEqual(['may']);
});
