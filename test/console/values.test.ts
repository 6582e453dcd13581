/** Names of banks that the service does not list: a person says what they mean, and the next file is read so. */

import { expect, it } from 'vitest';
import { dayText } from '../../src/domain/reading/answer-text.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { history } from '../../src/operations/status.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { readingsOf, saveReading } from '../builders/library-calls.ts';
import { aConsole, type Visitor } from './a-console.ts';

const HEAD = 'Reference,Country,Institution,Account,Amount';
const WITH = (bank: string) => `${HEAD}\nR-1,Ghana,"${bank}",1011130024576,5.00\n`;

/** Read to its end: only then its names are known. */
async function brought({ ada, idle }: Console, content: string): Promise<string> {
  const at = (await ada.upload('/uploads', 'may.csv', content)).headers.get('location') ?? '';
  await ada.page(at);
  await idle();
  return at;
}

interface Console {
  readonly ada: Visitor;
  readonly idle: () => Promise<unknown>;
}

it('saves what a person says that a name means, and reads the next file of these columns so', async () => {
  const { visitor, payfile, idle } = aConsole();
  const ada = visitor();
  const at = await brought({ ada, idle }, `${WITH('GCB Bnak')}R-2,Ghana,gcb bnak,1011130024577,6.00\n`);
  const page = await ada.page(`${at}/values`);
  expect(page).toContain('<label for="means-0">GCB Bnak</label>');
  expect(page).not.toContain('means-1');
  expect(page).toContain('<option value="" selected>Not said yet</option>');
  const [, id = ''] = /<option value="([^"]+)">GCB Bank \(GHS\)/.exec(page) ?? [];
  const nothing = await ada.post(`${at}/values`, {
    name: 'ours',
    'written-0': 'GCB Bnak',
    'country-0': 'GH',
    'means-0': '',
  });
  expect(nothing.headers.get('location')).toBe(`${at}/values`);
  expect((await readingsOf(payfile)).readings).toEqual([]);
  const saved = await ada.post(`${at}/values`, {
    name: 'ours',
    'written-0': 'GCB Bnak',
    'country-0': 'GH',
    'means-0': id,
  });
  expect(saved.headers.get('location')).toBe(at);
  await ada.page(at);
  await idle();
  expect(await ada.page(at)).not.toContain('Institution unknown');
  expect(await ada.page('/new')).toContain('<strong>ours</strong>');
  const next = await brought({ ada, idle }, WITH('gcb bnak'));
  expect(await ada.page(`${next}/values`)).toContain('Every bank and provider');
});

it('tells whoever agrees what names of banks were said to mean, by whom and when, and keeps it in the history', async () => {
  const { visitor, payfile, idle } = aConsole();
  const ada = visitor();
  const at = await brought({ ada, idle }, WITH('GCB Bnak').replace(',5.00', ',500.00'));
  const [, id = ''] = /<option value="([^"]+)">GCB Bank \(GHS\)/.exec(await ada.page(`${at}/values`)) ?? [];
  await ada.post(`${at}/values`, { name: 'ours', 'written-0': 'GCB Bnak', 'country-0': 'GH', 'means-0': id });
  await ada.page(at);
  await idle();
  await ada.post(`${at}/plan`, { batch: 'may' });
  await idle();
  const [may] = await batchesOf(payfile);
  const said = `institution: “GCB Bnak” (GH) means GCB Bank (ada, ${dayText(timestampOf(Date.now()))})`;
  const eve = visitor('eve', ['viewer', 'approver']);
  for (const page of ['approval', 'history'])
    expect(await eve.page(`/batches/${may?.id}/${page}`)).toContain(said);
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(decisions.find(({ kind }) => kind === 'answers_said')).toMatchObject({ why: said });
});

it('refuses a name of a reading that no reading can have, and saves nothing', async () => {
  const { visitor, payfile, idle } = aConsole();
  const ada = visitor();
  const at = await brought({ ada, idle }, WITH('GCB Bnak'));
  const name = '<b>ours</b>';
  const answer = await ada.post(`${at}/values`, {
    name,
    'written-0': 'GCB Bnak',
    'country-0': 'GH',
    'means-0': 'GCB Bank',
  });
  expect(answer.status).toBe(422);
  const text = await answer.text();
  expect(text).toContain('cannot name a reading');
  expect(text).not.toContain('<b>ours');
  expect((await readingsOf(payfile)).readings).toEqual([]);
});

it('shows a name as text, wherever it stands in the page', async () => {
  const { visitor, idle } = aConsole();
  const ada = visitor();
  const at = await brought({ ada, idle }, WITH('""><script>x</script>'));
  const page = await ada.page(`${at}/values`);
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page).toContain('&quot;&gt;&lt;script&gt;x');
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
