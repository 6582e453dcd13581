/** Questions about a file on a page: all of them at once, answered by what is chosen, and never by what is left open. */
import { expect, it } from 'vitest';
import { aConsole, type Visitor } from './a-console.ts';

const FILE = 'Reference,Place,Institution,Account,Amount\nR-1,Ghana,GCB Bank,1011130024576,5.00\n';

async function brought(ada: Visitor, content: string): Promise<string> {
  return (await ada.upload('/uploads', 'may.csv', content)).headers.get('location') ?? '';
}

it('asks all questions of a file on one page, and reads it by the answers', async () => {
  const { visitor, idle } = aConsole();
  const ada = visitor();
  const at = await brought(ada, FILE);
  await ada.page(at);
  await idle();
  const page = await ada.page(at);
  expect(page).toContain('may.csv has 1 question that only you can answer.');
  expect(page).toContain('B “Place” (Ghana)');
  expect(page).not.toContain('--map');
  const open = await ada.post(`${at}/answers`, { 'code-0': 'no_country' });
  expect(open.headers.get('location')).toBe(at);
  expect(await ada.page(at)).toContain('Answer all questions.');
  await ada.post(`${at}/answers`, { 'code-0': 'no_country', 'answer-0': '0' });
  await ada.page(at);
  await idle();
  expect(await ada.page(at)).toContain('<b>1</b> <span>row can be paid');
});

it('takes a text for every row that a person types, and asks for it where it is missing', async () => {
  const { visitor, idle } = aConsole();
  const ada = visitor();
  const at = await brought(ada, FILE.replace('Place', 'Team').replace('Ghana', 'North'));
  await ada.page(at);
  await idle();
  const last = [...(await ada.page(at)).matchAll(/name="answer-0" value="(\d+)"/g)].at(-1)?.[1] ?? '';
  const chosen = { 'code-0': 'no_country', 'answer-0': last };
  await ada.post(`${at}/answers`, chosen);
  expect(await ada.page(at)).toContain('Type the text for the choice that you made.');
  await ada.post(`${at}/answers`, { ...chosen, [`text-answer-0-${last}`]: 'Ghana' });
  await ada.page(at);
  await idle();
  expect(await ada.page(at)).toContain('<b>1</b> <span>row can be paid');
});
