/** Nobody takes the disk, the memory or the place of the others by asking for much at once. */

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTurns } from '../../src/console/turns.ts';
import { planFile } from '../builders/library-calls.ts';
import { aConsole } from './a-console.ts';

it('does so much at once, lets the rest wait in order, and lets nobody fill the row', async () => {
  const turns = createTurns({ atOnce: 2, each: 3 });
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (by: string, name: string) =>
    turns.take(by, async () => {
      await new Promise<void>((resolve) => ends.set(name, resolve));
      done.push(name);
      if (name === 'b') throw new Error('failed');
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const all = [take('ada', 'a'), take('ada', 'b'), take('ada', 'c'), take('eve', 'd')];
  const failing = expect(all[1]).rejects.toThrow('failed');
  await expect(take('ada', 'e')).rejects.toMatchObject({ code: 'too_many_at_once' });
  await settle();
  expect([...ends.keys()]).toEqual(['a', 'b']);
  for (const name of ['b', 'a', 'c', 'd']) {
    ends.get(name)?.();
    await settle();
  }
  await failing;
  expect([done, [...ends.keys()]]).toEqual([
    ['b', 'a', 'c', 'd'],
    ['a', 'b', 'c', 'd'],
  ]);
  const again = take('ada', 'e');
  await settle();
  ends.get('e')?.();
  await again;
});

it('makes a few files for one person at a time, and those of the others', async () => {
  const { visitor, desk } = aConsole();
  const [ada, eve] = [visitor(), visitor('eve', ['viewer'])];
  const answers = await Promise.all([
    ...Array.from({ length: 12 }, () => ada.get('/report?batch=none&format=xlsx')),
    eve.get('/report?batch=none&format=xlsx'),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect([statuses.filter((status) => status === 429).length, statuses.at(-1)]).toEqual([4, 404]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(texts[statuses.indexOf(429)]).toContain('try this again');
  await expect.poll(() => readdirSync(desk.uploads)).toEqual([]);
});

/** A file that never ends to arrive. `begun` is told when somebody reads it. */
const slow = (begun: () => void) =>
  new ReadableStream<Uint8Array>(
    {
      pull() {
        begun();
        return new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' };

it('takes a few uploads of one person at a time, wherever they go', async () => {
  const { payfile, visitor } = aConsole();
  await planFile(payfile, 'samples/suppliers.csv', { batch: 'may' });
  const [ada, eve] = [visitor(), visitor('eve')];
  let begun = 0;
  for (const path of ['/uploads', '/batches/1/statement', '/batches/1/rows/1/ruling']) {
    const body = slow(() => {
      begun += 1;
    });
    void ada.send(path, body, MULTIPART);
  }
  await expect.poll(() => begun).toBe(3);
  for (const path of ['/uploads', '/batches/1/statement', '/batches/1/rows/1/ruling'])
    expect([path, (await ada.upload(path, 'a.csv', 'x')).status]).toEqual([path, 429]);
  expect((await eve.upload('/uploads', 'a.csv', 'x')).status).toBe(303);
});

it('keeps so many files of each person, and so many in all', async () => {
  const { visitor } = aConsole();
  const bring = async (id: string, count: number) => {
    const one = visitor(id);
    let answer = await one.upload('/uploads', 'a.csv', 'x');
    for (let more = 1; more < count; more += 1) answer = await one.upload('/uploads', 'a.csv', 'x');
    return [answer.status, await answer.text()] as const;
  };
  expect((await bring('ada', 20))[0]).toBe(303);
  const [status, text] = await bring('ada', 1);
  expect([status, text]).toEqual([
    409,
    expect.stringContaining('You have 20 files that are not a batch yet'),
  ]);
  for (const id of ['ben', 'cem', 'dan', 'eve']) expect((await bring(id, 20))[0]).toBe(303);
  const [last, why] = await bring('fay', 1);
  expect([last, why]).toEqual([409, expect.stringContaining('have 100 files that are not a batch yet')]);
});
