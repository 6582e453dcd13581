/** Watchers of one live page: how often the ledger is read for them, and what nobody is given of another. */
import { afterEach, expect, it, vi } from 'vitest';
import { createWatching } from '../../src/console/page/watching.ts';
import { page } from '../../src/console/server/route.ts';
import type { Role } from '../../src/domain/people/person.ts';
import { look } from '../../src/operations/status.ts';
import type { Payfile } from '../../src/payfile.ts';
import { html } from '../../src/views/html.ts';
import { planFile } from '../builders/library-calls.ts';
import { aConsole, shared } from './a-console.ts';

afterEach(() => void vi.useRealTimers());

const BOTH = ['maker', 'approver'] as const;

/**
 * May waits for approval by another person than its maker ada, and nobody has to approve June, which is paused. `looks`: who
 * read the ledger for a page.
 */
const opened = shared(async (atEnd) => {
  const people: Readonly<Record<string, readonly Role[]>> = {
    ...{ ada: BOTH, bob: BOTH, ann: ['operator'], ben: ['operator'], vic: ['viewer'] },
  };
  const open = aConsole({ policy: { fourEyes: true }, people }, { atEnd });
  await planFile(open.payfile, 'samples/suppliers.csv', { batch: 'may' });
  await planFile(open.payfile, 'samples/payroll.xlsx', { batch: 'june' });
  await open.payfile.as('ann').batches.pause({ batch: 'june' });
  const looks: string[] = [];
  const payfileAs = ({ id }: { readonly id: string }): Payfile => {
    const own = open.payfile.as(id);
    const call: Payfile['call'] = (operation, ...given) => {
      if (operation.name === look.name) looks.push(id);
      return own.call(operation, ...given);
    };
    return { ...own, call };
  };
  Object.assign(open.desk, { payfileAs });
  const visitor = (id: string) => open.visitor(id, people[id] ?? []);
  return { ...open, looks, visitor };
});

const AT = '/batches/june';
const AGAIN = `${AT}?reloaded=`;

let minutes = 0;

/** No page of a test before is given to this one. */
function aNewMinute() {
  const { looks, visitor } = opened();
  looks.length = 0;
  minutes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 * minutes });
  return { looks, visitor };
}

it('reads the ledger once for all who ask again within a second, and anew for whoever opens the page', async () => {
  const { looks, visitor } = aNewMinute();
  const watchers = Array.from({ length: 16 }, (_, nth) => visitor(nth % 2 === 0 ? 'ann' : 'ben'));
  const pages = await Promise.all(watchers.map((watcher) => watcher.page(AGAIN)));
  expect(looks).toEqual(['ann']);
  const [ofAnn = '', ofBen = ''] = pages;
  expect(ofBen).toContain('id="rows-now"');
  expect(ofBen.replace('<span>ben</span>', '<span>ann</span>')).toBe(ofAnn);
  vi.setSystemTime(Date.now() + 899);
  await visitor('ben').page(AGAIN);
  await visitor('ben').page(AT);
  expect(looks).toEqual(['ann', 'ben']);
  vi.setSystemTime(Date.now() + 900);
  await visitor('ann').page(AGAIN);
  expect(looks).toEqual(['ann', 'ben', 'ann']);
});

it('gives no page to a person of other rights, of another question or of another session', async () => {
  const { looks, visitor } = aNewMinute();
  const ann = visitor('ann');
  expect(await ann.page(AGAIN)).toContain('>Resume the batch<');
  expect(await visitor('vic').page(AGAIN)).not.toContain('>Resume the batch<');
  expect(await visitor('ben').page(`${AGAIN}&search=R-`)).toContain('value="R-"');
  expect(looks).toEqual(['ann', 'vic', 'ben']);
  expect(await visitor('ben').page(AGAIN)).not.toContain(ann.own);
  expect(looks).toHaveLength(3);
});

it('tells the maker alone why they may not approve, though others have the same rights', async () => {
  const { looks, visitor } = aNewMinute();
  const why = 'another person has to approve it';
  const [ada, bob] = [visitor('ada'), visitor('bob')];
  const asked = [ada, bob, ada, bob];
  const told = [];
  for (const one of asked) told.push((await one.page('/batches/may?reloaded=')).includes(why));
  expect(told).toEqual([true, false, true, false]);
  expect(looks).toEqual(['ada', 'bob', 'ada', 'bob']);
});

it('makes one page for all who ask while it is being made, and a new one where that failed a second ago', async () => {
  let nowMs = 0;
  const watching = createWatching(() => nowMs);
  const ends: ((error?: Error) => void)[] = [];
  const make = () =>
    new Promise<ReturnType<typeof page>>((resolve, reject) =>
      ends.push((error) => (error === undefined ? resolve(page('Now', html``)) : reject(error))),
    );
  const again = () => watching('key', { id: 'ann', isAgain: true }, make);
  const slow = [again(), again()];
  nowMs = 5_000;
  slow.push(again());
  expect(ends).toHaveLength(1);
  ends[0]?.(new Error('The ledger is busy'));
  for (const each of slow) await expect(each).rejects.toThrow('The ledger is busy');
  nowMs = 6_000;
  const next = again();
  ends[1]?.();
  await expect(next).resolves.toMatchObject({ title: 'Now' });
});

it('keeps the pages of fifty questions, and none longer than a second', async () => {
  let [nowMs, made] = [0, 0];
  const watching = createWatching(() => nowMs);
  const ask = (key: string) =>
    watching(key, { id: 'ann', isAgain: true }, async () => {
      made += 1;
      return page(key, html``);
    });
  for (let nth = 0; nth <= 50; nth += 1) await ask(`key ${nth}`);
  await ask('key 50');
  expect(made).toBe(51);
  await ask('key 0');
  expect(made).toBe(52);
  nowMs = 900;
  await ask('key 50');
  expect(made).toBe(53);
});
