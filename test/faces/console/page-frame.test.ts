/** What stands around every page: where one is, the way up, and where the keyboard goes on after a form was sent. */
import { expect, it } from 'vitest';
import { aPlace, sendDoubtful } from '../../builders/doubtful-batch.ts';
import { aConsole } from './a-console.ts';

const HERE = /<a href="([^"]+)" aria-current="true">/g;
const FOCUSED = /<(?:div|p) class="(\w+)"[^>]* tabindex="-1" autofocus>([^<]+)/g;

const ABOVE = /<p class="back"><a href="([^"]+)">([^<]+)<\/a><\/p>/g;

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...found]) => found);

it('marks in which part of the console a page is', async () => {
  const served = aConsole();
  const [ada, place] = [served.visitor(), aPlace()];
  await sendDoubtful(served.payfile, place);
  const file = 'Country,Institution,Account,Amount\nGH,GCB Bank,1011130024576,1.00\n';
  const upload = (await ada.upload('/uploads', 'may.csv', file)).headers.get('location');
  await served.idle();
  const batch = `/batches/${(await served.payfile.batches())[0]?.id}`;
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
  const served = aConsole();
  const [ada, place] = [served.visitor(), aPlace()];
  await sendDoubtful(served.payfile, place);
  const batch = `/batches/${(await served.payfile.batches())[0]?.id}`;
  for (const [path, above] of [
    ['/', []],
    ['/health', []],
    ['/enter', []],
    ['/lists', [['/new', 'New batch']]],
    [batch, [['/', 'Batches']]],
    [`${batch}/statement/accepted`, [[batch, 'The batch']]],
    [`${batch}/rows/4`, [[batch, 'The batch']]],
    [`${batch}/rows/4/ruling`, [[`${batch}/rows/4`, 'The row']]],
  ] as const)
    expect(all(await ada.page(path), ABOVE), path).toEqual(above);
});

it('puts the keyboard where it says what became of a form', async () => {
  const served = aConsole();
  const [ada, place] = [served.visitor(), aPlace()];
  await sendDoubtful(served.payfile, place);
  const batch = `/batches/${(await served.payfile.batches())[0]?.id}`;
  const paused = await ada.post(`${batch}/pause`, { reason: 'wait' });
  expect(all(await ada.page(paused.headers.get('location') ?? ''), FOCUSED)).toEqual([
    ['said', 'Paused: nothing new is sent. What is on its way ends by itself.'],
  ]);
  const refused = await ada.post(`${batch}/rows/3/release`, { reason: '' });
  expect(all(await refused.text(), FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  const days = await ada.page('/reports?from=2026-02-30&to=x');
  expect(all(days, FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  expect(all(await ada.page('/no-such-page'), FOCUSED).map(([kind]) => kind)).toEqual(['alarm']);
  expect(all(await ada.page(batch), FOCUSED)).toEqual([]);
});
