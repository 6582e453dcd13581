/** Questions and wrong values of a file are answered and fixed on its page, which works without script. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLANNING } from '../../src/console/files/looking.ts';
import { dayText } from '../../src/domain/reading/answer-text.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { history } from '../../src/operations/status.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { checkFile, readingsOf, saveReading } from '../builders/library-calls.ts';
import { type AConsole, aConsole, type Visitor } from './a-console.ts';

const HEAD = 'Reference,Country,Institution,Account,Name,Amount';
const ROW = (at: number, bank: string, amount: string) =>
  `R-${at},Ghana,${bank},101113002457${at},,${amount}`;
const csv = (...rows: string[]) => `${[HEAD, ...rows].join('\n')}\n`;
const FILE = csv(
  ROW(1, 'GCB Bank', '100.00'),
  ROW(2, 'GCB Bank', 'x'),
  ROW(3, 'GCB Bank', 'x'),
  ROW(4, 'GCB Bank', 'y'),
);
/** “GCB Bank” for “GCB Bnak”, of the one question. */
const GCB = { 'code-0': 'institution_unknown', 'answer-0': '0' };

async function uploaded(ada: Visitor, content = FILE, name = 'may.csv'): Promise<string> {
  return (await ada.upload('/uploads', name, content)).headers.get('location') ?? '';
}

async function look({ idle }: Pick<AConsole, 'idle'>, ada: Visitor, path: string): Promise<string> {
  const page = await ada.page(path);
  await idle();
  return page.includes('id="panel"') ? ada.page(path) : page;
}

async function opened(content = FILE) {
  const all = aConsole();
  const ada = all.visitor();
  const at = await uploaded(ada, content);
  const page = await look(all, ada, at);
  const fix = async (fields: Record<string, string>) => {
    const answer = await ada.post(`${at}/answers`, fields);
    expect(answer.headers.get('location')).toBe(at);
    return look(all, ada, at);
  };
  const kept = () => all.desk.files.waiting('ada')[0];
  return { all, ada, at, page, fix, kept };
}

const inputOf = (page: string, id: string) =>
  new RegExp(`<input id="to-${id}" [^>]*?value="([^"]*)"`).exec(page)?.[1];
const titles = (page: string) => [...page.matchAll(/<legend>([^<]*)<\/legend>/g)].map(([, title]) => title);

it('shows each wrong value once, with its rows, what is expected, and an input', async () => {
  const { page } = await opened();
  expect(titles(page).slice(0, 2)).toEqual(['Amount: rows 3–4', 'Amount: row 5']);
  expect(inputOf(page, '3-5')).toBe('x');
  expect(page).toMatch(/<input id="to-3-5"[^>]*aria-invalid="true" aria-describedby="why-3-5"/);
  expect(page).toMatch(/id="why-3-5">“x”; expected an amount/);
  expect(page).toContain('Leave these 2 rows out');
  expect(page).toContain('Leave this row out');
});

it('lists every row with its account masked, a hundred a page', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `R-${at},Ghana,GCB Bank,10111300${at + 10_000},,1.00`);
  const { ada, at, page } = await opened(csv(...rows));
  expect(page.match(/name="row"/g)).toHaveLength(100);
  expect(page).toContain('120 rows, page 1 of 2.');
  expect(page).toContain('••••0000');
  expect(page).not.toContain('1011130010000');
  const second = await ada.page(`${at}?page=2`);
  expect([second.match(/name="row"/g)?.length, second.includes('••••0119')]).toEqual([20, true]);
});

it('keeps what is ticked and typed when the page of rows is turned', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `R-${at},Ghana,GCB Bank,10111300${at + 10_000},,1.00`);
  const { ada, at, page, kept } = await opened(csv(...rows));
  const [, to = ''] = /<button form="say" name="to" value="([^"]*)">Next</.exec(page) ?? [];
  const turned = await ada.post(`${at}/answers`, {
    to: to.replaceAll('&amp;', '&'),
    row: '5',
    batch: 'may-b',
  });
  expect(turned.headers.get('location')).toMatch(/\?page=2#rows$/);
  expect(kept()?.reading.answers).toEqual([{ kind: 'leave_out_row', row: 5 }]);
  const second = await ada.page(`${at}?page=2`);
  expect(second).toContain('1 row left out. The file was checked again.');
  expect(second).toContain('value="may-b"');
  expect(second).toContain('Continue with 119 rows');
  const elsewhere = await ada.post(`${at}/answers`, { to: '//example.org/#rows' });
  expect(elsewhere.headers.get('location')).not.toContain('example');
});

it('leaves ticked rows out before it makes a batch, and shows the result first', async () => {
  const { all, ada, at, kept } = await opened(
    csv(...['R-1', 'R-2'].map((row, at) => `${row},Ghana,GCB Bank,101113001000${at},,1.00`)),
  );
  await ada.post(`${at}/plan`, { batch: 'may', row: '2' });
  expect(await ada.page(at)).toContain(
    '1 row left out. The file was checked again. Look at the result, then continue.',
  );
  expect(kept()?.reading.answers).toEqual([{ kind: 'leave_out_row', row: 2 }]);
  expect(await batchesOf(all.payfile)).toEqual([]);
});

it('fixes a value in all its rows, keeps who did it, and undoes it in one', async () => {
  const { page, fix, kept } = await opened();
  expect(page).not.toContain('Your changes');
  const fixed = await fix({ 'to-3-5': '300.00', 'was-3-5': 'x' });
  expect(titles(fixed)[0]).toBe('Amount: row 5');
  expect(kept()?.edits.map(({ row, column, was, text, by }) => [row, column, was, text, by])).toEqual([
    [3, 5, 'x', '300.00', 'ada'],
    [4, 5, 'x', '300.00', 'ada'],
  ]);
  expect(fixed).toContain('“x” → “300.00”');
  const undone = await fix({ undo: '4:5' });
  expect(titles(undone)[0]).toBe('Amount: row 4');
  expect(kept()?.edits.map(({ row }) => row)).toEqual([3]);
});

it('saves all that is typed at once, and nothing that was not typed', async () => {
  const { fix, kept } = await opened();
  // Another window fixed the first value; this page shows it as it was.
  await fix({ 'to-3-5': '300.00', 'was-3-5': 'x' });
  await fix({ 'to-3-5': 'x', 'was-3-5': 'x', 'to-5-5': '500.00', 'was-5-5': 'y' });
  expect(kept()?.edits.map(({ row, text }) => [row, text])).toEqual([
    [3, '300.00'],
    [4, '300.00'],
    [5, '500.00'],
  ]);
});

it('leaves rows out, of one value or ticked in the list, until that is undone', async () => {
  const { fix, kept } = await opened();
  const left = await fix({ out: '3-5', row: '5' });
  expect(left).toContain('left out, because a person said so: rows 3–5');
  expect(left).toContain('Continue with 1 row');
  expect(kept()?.reading.answers).toEqual([3, 4, 5].map((row) => ({ kind: 'leave_out_row', row })));
  expect(titles(await fix({ undo: '{"kind":"leave_out_row","row":4}' }))[0]).toBe('Amount: row 4');
});

it('fixes a cell as it stands in the file, also where an answer changes how it is read', async () => {
  const { ada, at, fix, kept, all } = await opened(csv(ROW(1, 'GCB Bank', '5'), ROW(2, 'GCB Bank', '-7')));
  const id = at.split('/').at(-1) ?? '';
  all.desk.files.change(id, ({ reading }) => ({
    reading: { ...reading, answers: [{ kind: 'scale', header: 'Amount', factor: 1000 }] },
  }));
  expect(inputOf(await look(all, ada, at), '3-5')).toBe('-7');
  expect(await fix({ 'to-3-5': '7', 'was-3-5': '-7' })).toContain('7,000.00 GHS');
  expect(kept()?.edits).toMatchObject([{ was: '-7', text: '7' }]);
});

it('takes no correction of a cell that is not wrong, and none that is too long', async () => {
  const { fix, kept } = await opened();
  await fix({ 'to-3-3': '999', 'to-2-5': '999.00', 'to-3-40': 'x' });
  expect(await fix({ 'to-3-5': 'x'.repeat(501) })).toContain('A value has at most 500 characters.');
  expect(kept()?.edits).toEqual([]);
});

it('lets nobody change on a page which payment a row pays again', async () => {
  const head = `${HEAD},payfile_replaces`;
  const { page, fix, ada, at } = await opened(`${head}\nR-1,Ghana,GCB Bank,1011130024571,,x,zzz\n`);
  expect([inputOf(page, '2-5'), inputOf(page, '2-6')]).toEqual(['x', undefined]);
  expect(page).toContain('“zzz”; expected the id of the payout');
  expect(await fix({ 'to-2-5': '5.00', 'to-2-6': '' })).toContain('“zzz”; expected the id of the payout');
  expect([page.includes('id="field-5"'), page.includes('id="field-6"')]).toEqual([true, false]);
  await ada.post(`${at}/columns`, { 'field-6': 'note', shownRow: '1' });
  expect(await ada.page(at)).not.toContain('Continue with');
});

it('asks once what a bank of a wrong name means, and shows the whole list', async () => {
  const { page, fix, kept } = await opened(csv(ROW(1, 'GCB Bnak', '1.00'), ROW(2, 'gcb bnak', '2.00')));
  expect(titles(page)[0]).toContain('The service does not list “GCB Bnak” (Ghana, 2 rows)');
  expect(page).toContain('Use GCB Bank for “GCB Bnak”');
  expect(page).toMatch(/<select id="more-0"[^>]*>(?:<option[^>]*>[^<]*<\/option>\s*){5}/);
  expect(await fix({ 'code-0': 'institution_unknown' })).toContain('Nothing was changed.');
  const further = /<option value="(\d+)">Use Absa[^<]*<\/option>/.exec(page)?.[1] ?? '';
  expect(await fix({ ...GCB, 'answer-0': '', 'more-0': further })).toContain('Continue with 2 rows');
  expect(kept()?.reading.answers).toMatchObject([{ kind: 'value', written: 'GCB Bnak' }]);
});

it('asks for one country for every row, and takes it from the list without a press more', async () => {
  const { page, fix } = await opened(
    'Reference,Team,Institution,Account,Amount\nR-1,N,GCB Bank,1011130024576,5.00\n',
  );
  expect(page).toContain('may.csv has 1 question that only you can answer.');
  expect(page).toContain('<option value="GH">Ghana</option>');
  expect(page).not.toContain(' --');
  const name = /<select name="(text-0-\d+)"/.exec(page)?.[1] ?? '';
  expect(await fix({ 'code-0': 'no_country', [name]: 'GH' })).toContain('Continue with 1 row');
});

it('reads a file by the answer to a question about its columns', async () => {
  const { page, fix } = await opened(
    'Reference,Place,Institution,Account,Amount\nR-1,Ghana,GCB Bank,1011130024576,5.00\n',
  );
  expect(page).toContain('B “Place” (Ghana)');
  expect(await fix({ 'code-0': 'no_country', 'answer-0': '0' })).toContain('Continue with 1 row');
});

it('plans the file as it was corrected, and gives it as a workbook', async () => {
  const { all, ada, at, fix } = await opened();
  const { payfile, idle, desk } = all;
  await fix({ 'to-3-5': '300.00', 'was-3-5': 'x', 'to-5-5': '500.00', 'was-5-5': 'y' });
  const download = await ada.get(`${at}/corrected.xlsx`);
  expect(download.headers.get('content-disposition')).toContain('may-corrected.xlsx');
  const path = join(desk.uploads, 'again.xlsx');
  writeFileSync(path, new Uint8Array(await download.arrayBuffer()));
  expect(await checkFile(payfile, path)).toMatchObject({ rows: 4, invalid: 0 });
  await ada.post(`${at}/plan`, { batch: 'may' });
  await idle();
  expect((await ada.get(at)).status).toBe(303);
  expect((await stateOf(payfile, 'may')).totals.counts).toMatchObject({ quoted: 4, invalid: 0 });
  const { decisions } = await payfile.call(history, { batch: 'may' });
  const corrected = decisions.filter(({ kind }) => kind === 'cell_corrected');
  expect(corrected.map(({ by, rows }) => [by, rows])).toEqual([
    ['ada', [5]],
    ['ada', [3, 4]],
  ]);
});

it('remembers answers for the next file under the name in the form, and not without one', async () => {
  const { all, ada, at, fix } = await opened(csv(ROW(1, 'GCB Bnak', '1.00')));
  expect(await fix(GCB)).toContain('id="saveReading" name="saveReading" value="may"');
  const unsaved = await uploaded(ada, csv(ROW(2, 'GCB Bnak', '1.00')));
  expect(await look(all, ada, unsaved)).toContain('The service does not list');
  await ada.post(`${at}/plan`, { batch: 'may', saveReading: 'ours' });
  await all.idle();
  expect((await readingsOf(all.payfile)).readings.map(({ name }) => name)).toEqual(['ours']);
  expect(await ada.page('/new')).toContain('Forget ours');
  expect(await look(all, ada, unsaved)).toContain('Continue with 1 row');
});

it('says why answers cannot be remembered under a name, and plans nothing', async () => {
  const { all, ada, at, fix } = await opened(csv(ROW(1, 'GCB Bnak', '1.00')));
  await fix(GCB);
  await ada.post(`${at}/plan`, { batch: 'may', saveReading: '<b>ours</b>' });
  await all.idle();
  const page = await ada.page(at);
  expect(page).toContain('cannot name a reading');
  expect(page).not.toContain('<b>ours');
  expect((await readingsOf(all.payfile)).readings).toEqual([]);
  expect(await batchesOf(all.payfile)).toEqual([]);
});

it('pays the people of an own file in the sandbox under their names, but not where an account rehearses trouble', async () => {
  const rows = ['Zuleika Quagraine,1011130024501', 'Yaw Boateng,1011130990002'].map(
    (person, at) => `R-${at},Ghana,GCB Bank,${person.split(',').reverse().join(',')},50.00`,
  );
  const { all, ada, at, page } = await opened(csv(...rows));
  expect(page).toContain('In the sandbox, each account belongs to the person whom your file names');
  await ada.post(`${at}/plan`, { batch: 'may' });
  await all.idle();
  expect((await stateOf(all.payfile, 'may')).totals.counts).toMatchObject({ quoted: 1, held: 1 });
});

it('tells whoever agrees what a name was said to mean, by whom and when', async () => {
  const { all, ada, at, fix } = await opened(csv(ROW(1, 'GCB Bnak', '500.00')));
  await fix(GCB);
  await ada.post(`${at}/plan`, { batch: 'may' });
  await all.idle();
  const [may] = await batchesOf(all.payfile);
  const said = `institution: “GCB Bnak” (GH) means GCB Bank (ada, ${dayText(timestampOf(Date.now()))})`;
  const eve = all.visitor('eve', ['viewer', 'approver']);
  for (const page of ['plan', 'history'])
    expect(await eve.page(`/batches/${may?.id}/${page}`)).toContain(said);
});

it('shows what is typed and what stands in cells as text', async () => {
  const bad = `"><script>x</script><img src=x onerror=1>`;
  const { fix } = await opened(csv(`R-1,Ghana,"${bad.replaceAll('"', '""')}",1011130024571,,"<i>1"`));
  const page = await fix({ 'to-2-5': `'${bad}`, 'was-2-5': '<i>1' });
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).not.toMatch(/<img|<i>1/);
  expect(page).toContain('&lt;i&gt;1');
});

it('keeps each of two corrections that come at once, and each of two that are undone', async () => {
  const { ada, at, kept } = await opened();
  await Promise.all([
    ada.post(`${at}/answers`, { 'to-3-5': '300.00' }),
    ada.post(`${at}/answers`, { 'to-5-5': '500.00' }),
  ]);
  expect(
    kept()
      ?.edits.map(({ row, text }) => [row, text])
      .sort(),
  ).toEqual([
    [3, '300.00'],
    [4, '300.00'],
    [5, '500.00'],
  ]);
  await Promise.all(['3:5', '4:5', '5:5'].map((undo) => ada.post(`${at}/answers`, { undo })));
  expect(kept()?.edits).toEqual([]);
});

it('takes nothing that is said of a file while it is planned', async () => {
  const { all, ada, at, kept } = await opened();
  const planning = Promise.withResolvers<undefined>();
  const work = { about: at.replace('/uploads/', 'file:'), doing: PLANNING, by: 'ada' };
  all.desk.jobs.begin(work, () => planning.promise);
  const before = kept();
  for (const [path, fields] of [
    ['answers', { undo: '3:2' }],
    ['answers', { 'to-3-5': '300.00' }],
    ['columns', { decimal: 'comma' }],
  ] as const) {
    const answer = await ada.post(`${at}/${path}`, fields);
    expect([path, answer.headers.get('location')]).toEqual([path, at]);
    expect(kept()).toEqual(before);
  }
  expect(await ada.page('/new')).toContain('This file is being planned. Nothing was saved.');
  planning.resolve(undefined);
  await all.idle();
});

it('plans a file only as it was looked at, whatever is said of it at the same moment', async () => {
  const all = aConsole();
  const ada = all.visitor();
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    const at = await uploaded(ada, csv(ROW(index, 'GCB Bank', `${index + 1}.250`)), `${name}.csv`);
    const id = at.split('/').at(-1) ?? '';
    const fields = {
      'field-0': 'reference',
      'field-1': 'country',
      'field-2': 'institution',
      'field-3': 'account',
    };
    const reads = (decimal: string) =>
      ada.post(`${at}/columns`, {
        ...fields,
        'field-4': 'name',
        'field-5': 'amount',
        shownRow: '1',
        decimal,
      });
    await reads('comma');
    await look(all, ada, at);
    const plan = () => ada.post(`${at}/plan`, { batch: name });
    await Promise.all(name === 'two' ? [reads('point'), plan()] : [plan(), reads('point')]);
    await all.idle();
    const isPlanned = (await batchesOf(all.payfile)).some((batch) => batch.name === name);
    expect([name, all.desk.files.of(id, 'ada')?.reading.decimal]).toEqual([
      name,
      isPlanned ? 'comma' : 'point',
    ]);
  }
});

it('plans no file that was changed on the disk since it was looked at', async () => {
  const { all, ada, at, kept } = await opened(csv(ROW(1, 'GCB Bank', '1.00')));
  writeFileSync(kept()?.path ?? '', csv(ROW(1, 'GCB Bank', '100.00')));
  await ada.post(`${at}/plan`, { batch: 'may' });
  await all.idle();
  const page = await look(all, ada, at);
  expect(page).toContain('another than the one that was checked');
  expect(page).toContain('100.00 GHS');
  expect(await batchesOf(all.payfile)).toEqual([]);
});

it('asks what a file with other corrections is, and plans it as that batch or as a new period', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const planned = async (text: string, batch: string) => {
    const at = await uploaded(ada, csv(ROW(1, 'GCB Bank', '100.00'), ROW(2, 'GCB Bank', 'x')));
    await look(all, ada, at);
    await ada.post(`${at}/answers`, { 'to-3-5': text });
    await look(all, ada, at);
    await ada.post(`${at}/plan`, { batch });
    await all.idle();
    return at;
  };
  await planned('200.00', 'may');
  const at = await planned('300.00', 'may-2');
  const asked = await ada.page(at);
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

it('leaves no row out with the answer to what a file is, but those that were left out before', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const rows = csv(ROW(1, 'GCB Bank', '100.00'), ROW(2, 'GCB Bank', 'x'), ROW(3, 'GCB Bank', 'y'));
  const brings = async (batch: string, fields: Record<string, string>) => {
    const at = await uploaded(ada, rows);
    await look(all, ada, at);
    await ada.post(`${at}/answers`, { 'to-3-5': `${batch.length}00.00`, 'to-4-5': fields['cell'] ?? 'y' });
    await look(all, ada, at);
    const { cell: _, ...form } = fields;
    await ada.post(`${at}/plan`, { batch, ...form });
    await all.idle();
    return at;
  };
  await brings('may', { leaveOut: '1' });
  const said = await brings('june', { leaveOut: '1' });
  expect(await ada.page(said)).toContain('<input type="hidden" name="leaveOut" value="1">');
  const unsaid = await brings('autumn', { cell: '300.00' });
  const asked = await ada.page(unsaid);
  const [, repeats = ''] = /name="repeats" value="([^"]+)"/.exec(asked) ?? [];
  expect(asked).not.toContain('name="leaveOut"');
  // Somebody undoes the correction in another window.
  await ada.post(`${unsaid}/answers`, { undo: '4:5' });
  await look(all, ada, unsaid);
  for (const fields of [
    { batch: 'autumn', repeats },
    { batch: 'autumn', repeats, leaveOut: 'all' },
  ]) {
    expect((await ada.post(`${unsaid}/plan`, fields)).headers.get('location')).toBe(unsaid);
    expect(await ada.page(unsaid)).toContain('1 row cannot be paid as written now.');
  }
  expect((await batchesOf(all.payfile)).map(({ name }) => name)).toEqual(['may']);
});

it('forgets a reading when that is pressed, and shows what the service lists', async () => {
  const { visitor, payfile } = aConsole();
  const ada = visitor();
  await saveReading(payfile, 'payroll', 'samples/suppliers.csv', { set: new Map([['note', 'May']]) });
  expect(await ada.page('/new')).toContain('Forget payroll');
  const answer = await ada.post('/readings/payroll/forget');
  expect([answer.status, (await readingsOf(payfile)).readings]).toEqual([303, []]);
  const [ghana] = (await payfile.lists.countries()).countries.filter(({ iso }) => iso === 'GH');
  const lists = await ada.page(`/lists?country=${ghana?.id}`);
  expect(lists).toContain('<option value="');
  expect(lists).toContain('GCB Bank');
  expect(lists).toContain('…990031');
});
