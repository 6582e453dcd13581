/** Text from outside on every page and in the headers of every file. It makes no tag, no attribute and no header. */
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/console/routes.ts';
import { aConsole } from './a-console.ts';
import { aHostileConsole, FILES, MARK, PAGES, REPORTS } from './hostile-pages.ts';

/** Tags without the text between quotes, which no text from outside can end. */
const tagsOf = (page: string) =>
  (page.match(/<[^>"]*(?:"[^"]*"[^>"]*)*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
const HOSTILE = /^<(img|iframe|svg onload)|\son\w+=/i;

it('shows text from outside as text on every page', async () => {
  const gets = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path);
  expect([...Object.keys(PAGES), ...FILES, '/report'].sort()).toEqual([...gets].sort());
  const { ada, idle, addressOf } = await aHostileConsole(async (options) => {
    const opened = aConsole(options);
    const ada = opened.visitor();
    const upload = async (at: string, name: string, text: string) => {
      const to = at === '/new' ? '/uploads' : at;
      return (await ada.upload(to, name, text)).headers.get('location') ?? '';
    };
    return { ...opened, ada, upload };
  });
  const [unmet, found]: [string[], string[]] = [[], []];
  for (const [route, [at, isMet]] of Object.entries(PAGES)) {
    await ada.page(addressOf(at));
    await idle();
    const page = await ada.page(addressOf(at));
    if (isMet && !page.includes(MARK)) unmet.push(route);
    const tags = tagsOf(page).filter((tag) => HOSTILE.test(tag));
    found.push(...tags.map((tag) => `${route}: ${tag}`));
    if (/href="javascript/i.test(page)) found.push(`${route}: a link that runs`);
  }
  expect([unmet, found]).toEqual([[], []]);
  expect(tagsOf(`<p>${MARK}<img src=x ${MARK}></p>`).some((tag) => HOSTILE.test(tag))).toBe(true);
  for (const route of [...FILES, ...REPORTS]) {
    const { headers, body } = await ada.get(addressOf(route.replace('/uploads/:upload', 'UPLOAD')));
    await body?.cancel();
    const isShown = route.endsWith('=html');
    const how = isShown ? 'inline' : 'attachment';
    expect(headers.get('content-security-policy')?.startsWith('sandbox;')).toBe(isShown);
    expect([route, headers.get('content-disposition'), headers.get('x-content-type-options')]).toEqual([
      route,
      expect.stringMatching(`^${how}; filename="[\\w.-]+"; filename\\*=UTF-8''[\\w.%~!*()'-]+$`),
      'nosniff',
    ]);
  }
});
