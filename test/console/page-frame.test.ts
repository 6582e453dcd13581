/** What stands around every page: where one is, the way up, and where the keyboard goes on after a form was sent. */

import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { run } from '../../src/operations/run.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { aPlace, sendDoubtful } from '../builders/doubtful-batch.ts';
import { planFile } from '../builders/library-calls.ts';
import { aConsole, shared } from './a-console.ts';

const HERE = /<a href="([^"]+)" aria-current="true">/g;
const FOCUSED = /<(?:div|p) class="(\w+)"[^>]* tabindex="-1" autofocus>([^<]+)/g;

const ABOVE = /<p class="back"><a href="([^"]+)">([^<]+)<\/a><\/p>/g;

const opened = shared(async (atEnd) => {
  const served = aConsole({}, { atEnd });
  const [ada, place] = [served.visitor(), aPlace(undefined, atEnd)];
  await sendDoubtful(served.payfile, place);
  return { served, ada, place };
});

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...found]) => found);

it('marks in which part of the console a page is', async () => {
  const { served, ada } = opened();
  const file = 'Country,Institution,Account,Amount\nGH,GCB Bank,1011130024576,1.00\n';
  const upload = (await ada.upload('/uploads', 'may.csv', file)).headers.get('location');
  await served.idle();
  const batch = `/batches/${(await batchesOf(served.payfile))[0]?.id}`;
  for (const [path, part] of [
    ['/', '/'],
    [batch, '/'],
    [`${batch}/history`, '/'],
    ['/lists', '/new'],
    [upload ?? '', '/new'],
    ['/reports', '/reports'],
    ['/health', '/health'],
  ] as const)
    expect(all(await ada.page(path), HERE), path).toEqual([[part]]);
});

it('leads from each page to the one above it', async () => {
  const { served, ada } = opened();
  const batch = `/batches/${(await batchesOf(served.payfile))[0]?.id}`;
  for (const [path, above] of [
    ['/', []],
    ['/health', []],
    ['/enter', []],
    ['/lists', [['/new', 'New batch']]],
    [batch, [['/', 'Batches']]],
    [`${batch}/statement/accepted`, [[batch, 'The batch']]],
    [`${batch}/rows/4`, [[batch, 'The batch']]],
    [`${batch}/rows/4/account`, [[`${batch}/rows/4`, 'The row']]],
  ] as const)
    expect(all(await ada.page(path), ABOVE), path).toEqual(above);
});

it('puts the keyboard where it says what became of a form', async () => {
  const { served, ada } = opened();
  const batch = `/batches/${(await batchesOf(served.payfile))[0]?.id}`;
  const paused = await ada.post(`${batch}/pause`, { reason: 'wait' });
  expect(all(await ada.page(paused.headers.get('location') ?? ''), FOCUSED)).toEqual([
    ['said', 'Paused: payfile sends nothing new. Payments on the way go on.'],
  ]);
  const refused = await ada.post(`${batch}/rows/3/release`, { reason: '' });
  expect(all(await refused.text(), FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  const days = await ada.page('/reports?from=2026-02-30&to=x');
  expect(all(days, FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  expect(all(await ada.page('/no-such-page'), FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  expect(all(await ada.page(batch), FOCUSED)).toEqual([]);
});

/** What a person at a page cannot type: outside of a command that is shown to be typed at a terminal. */
function flagsOn(page: string): readonly string[] {
  const told = page.replaceAll(/<code>[^<]*<\/code>/g, '').replaceAll(/<[^>]*>/g, ' ');
  return told.match(/(?<![\w-])--[a-z].{0,40}/g) ?? [];
}

const UNDATED = 'Reference,Amount,Amount,Currency\nPF-1,1.00,2.00,GHS\n';
const OPEN_DATES = 'Date,Amount,Currency,Narration\n03/04/2026,1.00,GHS,x\n04/05/2026,-2.00,GHS,y\n';

it('names no flag on any page, but in a command to type at a terminal', async () => {
  const { served, ada, place } = opened();
  await served.payfile.call(run, {
    file: 'samples/suppliers.csv',
    batch: 'yes',
    yes: true,
    deadline: 0,
    canary: 1,
  });
  await planFile(served.payfile, 'samples/payroll.xlsx', { batch: 'held' });
  const found: string[] = [];
  const look = async (path: string) => {
    await ada.page(path);
    await served.idle();
    found.push(...flagsOn(await ada.page(path)).map((flag) => `${path}: ${flag}`));
  };
  for (const { id } of await batchesOf(served.payfile))
    for (const end of ['', '/plan', '/held', '/statement', '/reports', '/history'])
      await look(`/batches/${id}${end}`);
  const may = `/batches/${(await batchesOf(served.payfile)).find(({ name }) => name === 'may')?.id}`;
  for (const row of [2, 3, 4, 5, 6]) {
    await look(`${may}/rows/${row}`);
    const { story } = await served.payfile.call(explain, { batch: 'may', row: String(row) });
    for (const action of ['reissue', 'release', 'withdraw', 'ruling']) {
      const fields = {
        payout: story.payout.id,
        reason: row === 6 ? '' : 'x',
        ruling: 'paid',
        row: String(row),
      };
      const to = `${may}/rows/${row}/${action}`;
      const answer = action === 'ruling' ? await ada.upload(to, '', '', fields) : await ada.post(to, fields);
      found.push(...flagsOn(await answer.text()).map((flag) => `${to}: ${flag}`));
    }
  }
  for (const content of [place.statement(), OPEN_DATES, UNDATED, 'a,b\n1,2\n', 'x']) {
    const at = (await ada.upload(`${may}/statement`, 's.csv', content)).headers.get('location') ?? '';
    for (const more of ['', '&payments=minus', '&column=Amount', '&map_date=Nothing', '&order=month'])
      await look(`${at}${more}`);
  }
  for (const path of ['/', '/new', '/lists', '/lists?country=xx', '/reports', '/people', '/health'])
    await look(path);
  expect(found).toEqual([]);
});
