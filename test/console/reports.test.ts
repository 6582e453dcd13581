/** Reports as downloads: masked unless the journal keeps who took whole accounts; spans of days; the template; history; health. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { batchesOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, sendDoubtful } from '../builders/doubtful-batch.ts';
import { aConsole, shared } from './a-console.ts';

const opened = shared(async (atEnd) => {
  const place = aPlace(undefined, atEnd);
  const console = aConsole({ ledger: place.ledger }, { atEnd });
  await sendDoubtful(console.payfile, place);
  const [batch] = await batchesOf(console.payfile);
  return { ...console, place, batch, path: `/batches/${batch?.id}`, ada: console.visitor() };
});

const fileOf = async (answer: Response) => {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return { status: answer.status, name, text: bytes.toString('utf8'), head: bytes.toString('latin1', 0, 2) };
};
async function textOfWorkbook(bytes: Buffer): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(new Uint8Array(bytes).buffer as never);
  return JSON.stringify(workbook.worksheets.map((sheet) => sheet.getSheetValues()));
}
const filesIn = (folder: string) =>
  readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());

it('gives every report of a batch with masked accounts, and keeps no copy of it', async () => {
  const { ada, path, desk } = opened();
  const listed = [...(await ada.page(`${path}/reports`)).matchAll(/href="([^"]+)" (?:download|target)/g)].map(
    ([, href]) => href ?? '',
  );
  expect(listed).toHaveLength(8);
  for (const href of listed) {
    const { status, name, text, head } = await fileOf(await ada.get(href.replaceAll('&amp;', '&')));
    expect([href, status, text.includes(ACCOUNT)]).toEqual([href, 200, false]);
    expect(name).toMatch(/^may/);
    expect(head).toBe(/=(xlsx|audit)$/.test(href) ? 'PK' : head);
  }
  await expect.poll(() => filesIn(desk.uploads)).toEqual([]);
});

it('says in each file what to do on the pages, and no command of a terminal', async () => {
  const { ada, batch } = opened();
  for (const format of ['html', 'csv', 'json', 'xlsx']) {
    const answer = await ada.get(`/report?batch=${batch?.id}&format=${format}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = format === 'xlsx' ? await textOfWorkbook(bytes) : bytes.toString('utf8');
    expect([
      format,
      /payfile (?:run|plan|check|approve|send|settle|status|held|release|cancel|explain|reissue|resolve|reconcile|report|verify) /.exec(
        text,
      )?.[0],
    ]).toEqual([format, undefined]);
    expect(text).toContain('row 3 of batch may in the console');
  }
});

it('gives whole accounts only for a form, to who may see them, and the history says who took them', async () => {
  const { ada, path, visitor } = opened();
  const viewer = visitor('vic', ['viewer']);
  expect((await viewer.post('/report', { batch: 'may', format: 'csv' })).status).toBe(403);
  expect(await viewer.page(`${path}/reports`)).not.toContain('<button name="format"');
  const eve = visitor('eve', ['investigator']);
  const csv = await fileOf(await eve.post('/report', { batch: 'may', format: 'csv' }));
  expect([csv.name, csv.text.includes(ACCOUNT)]).toEqual(['may-full-accounts.csv', true]);
  const unpaid = await fileOf(await ada.post('/report', { batch: 'may', format: 'unpaid-csv' }));
  expect(unpaid.name).toBe('may-unpaid.csv');
  expect(unpaid.text).toContain('1011130990020');
  expect((await ada.post('/report', { batch: 'may', format: 'exe' })).status).toBe(400);
  const history = await ada.page(`${path}/history`);
  expect(history).toMatch(
    /Whole accounts shown<\/th><td>whole batch<\/td><td>eve<\/td><td>in a report \(csv\)/,
  );
  expect(history).toMatch(
    /Whole accounts shown<\/th><td>whole batch<\/td><td>ada<\/td><td>in a file of unpaid rows/,
  );
  expect(history).toMatch(/Approved[\s\S]*File read/);
});

it('shows a span of days with its batches, and gives it as files', async () => {
  const { ada } = opened();
  const day = new Date().toISOString().slice(0, 10);
  const span = `?from=2026-01-01&to=${day}`;
  const page = await ada.page(`/reports${span}`);
  expect(page).toContain('Control totals are balanced');
  expect(page).toMatch(/Batch may: /);
  for (const [, href] of page.matchAll(/href="([^"]+)" download/g)) {
    const answer = await fileOf(await ada.get((href ?? '').replaceAll('&amp;', '&')));
    expect([href, answer.status, answer.text.includes(ACCOUNT)]).toEqual([href, 200, false]);
  }
  const empty = await ada.page('/reports');
  expect(empty).toContain('First day');
  const months = [
    ...empty.matchAll(
      /href="\/reports\?from=(\d{4}-\d{2})-01&amp;to=(\d{4}-\d{2})-\d{2}">(This|Last) month/g,
    ),
  ];
  expect(months.map(([, from, to, name]) => [name, from === to])).toEqual([
    ['This', true],
    ['Last', true],
  ]);
  expect(months[0]?.[1]).toBe(day.slice(0, 7));
  expect(page).toMatch(/Fees of transfers/);
  const wrong = await ada.get('/reports?from=2026-05-31&to=2026-05-01');
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringContaining('“First day: 2026-05-31” is after “Last day: 2026-05-01”'),
  ]);
  expect((await ada.get('/report?format=xlsx')).status).toBe(422);
});

it('gives a workbook to fill in, of some countries', async () => {
  const { ada } = opened();
  const made = await fileOf(await ada.get('/template.xlsx?country=GH,KE'));
  expect([made.status, made.name, made.head]).toEqual([200, 'payments.xlsx', 'PK']);
  const unknown = await ada.get('/template.xlsx?country=Atlantis');
  expect([unknown.status, await unknown.text()]).toEqual([422, expect.stringContaining('Atlantis')]);
});

it('gives the statement of the sandbox, to try with', async () => {
  const { ada } = opened();
  const made = await fileOf(await ada.get('/sandbox-statement.csv'));
  expect([made.status, made.name]).toEqual([200, 'sandbox-statement.csv']);
  expect(made.text).toContain('PF-');
});

it('shows what doctor finds and where the ledger is, and proves the journal on a press', async () => {
  const { ada, idle, place } = opened();
  await ada.page('/health');
  await idle();
  const checked = await ada.page('/health');
  expect(checked).toContain(place.ledger);
  expect(checked).toMatch(/✔ Service: /);
  expect(checked).toContain('Batch may has 2 rows in doubt');
  await ada.post('/health/verify');
  await idle();
  expect(await ada.page('/health')).toContain('No problem found');
});
