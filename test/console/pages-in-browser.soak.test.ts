/** Every page in a real browser: for a screen reader, on a phone, in the dark, at four times its size, by keyboard alone. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/console/routes.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { planFile } from '../builders/library-calls.ts';
import { aChromium } from '../files/report/a-browser.ts';
import { HTML_PAYLOADS } from '../fixtures/html-payloads.ts';
import { addressIn, aServedConsole, onPage, press } from './a-served-console.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = aChromium();
/** Four times the size of 1280 pixels leaves 320. */
const DESK = { width: 1280, height: 800 };
const MAGNIFIED = { width: 320, height: 640 };

/** A page of work that just ended is made anew while it is looked at: then it is looked at again. */
async function still<T>(look: () => Promise<T>): Promise<T> {
  return look().catch((error: unknown) => {
    if (!/context was destroyed/.test(String(error))) throw error;
    return look();
  });
}

/** `axe` itself comes with every page. Without `rules`: all that it knows. */
async function broken(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Of each page that is looked at: where it is. Whatever a person sends is a page of these, or leads to one. */
const PAGES: Readonly<Record<string, string>> = {
  '/': '/',
  '/left': '/left',
  '/enter': '/enter',
  '/new': '/new',
  '/lists': '/lists?country=GH',
  '/uploads/:upload': '/uploads/UPLOAD',
  '/batches/:batch': '/batches/BATCH',
  '/batches/:batch/plan': '/batches/BATCH/plan',
  '/batches/:batch/held': '/batches/BATCH/held',
  '/batches/:batch/statement': '/batches/BATCH/statement',
  '/batches/:batch/reports': '/batches/BATCH/reports',
  '/batches/:batch/history': '/batches/BATCH/history',
  '/batches/:batch/rows/:row': `/batches/BATCH/rows/${ROWS.doubtPaid}`,
  '/reports': '/reports?from=2020-01-01&to=2099-12-31',
  '/people': '/people',
  '/passkeys/:ticket': '/passkeys/none',
  '/health': '/health',
};
/** Nothing to look at: files, parts, and what leads on. */
const NO_PAGES = /^\/(assets|enter\/:ticket|template)|\.xlsx$|\.csv$|^\/report$|sandbox-statement/;

const FAULTY = `Reference,Country,Institution,Account,Name,Amount
X-1,Ghana,GCB Bnak,1011130024576,${HTML_PAYLOADS[0]},oops
X-2,Ghana,GCB Bank,1011130024576,Yaw Acheampong,10.00
`;

async function everything() {
  const place = aPlace();
  const served = await aServedConsole(browser(), { ledger: place.ledger });
  await sendDoubtful(served.payfile, place);
  const { batch: waiting } = await planFile(served.payfile, 'samples/suppliers.csv', { batch: 'waiting' });
  const [batch] = (await batchesOf(served.payfile)).filter(({ name }) => name === 'may');
  const ada = await served.ada();
  await ada.goto(addressIn(ada, '/new'));
  await ada
    .locator('input[type=file]')
    .setInputFiles({ name: 'faulty <b>.csv', mimeType: 'text/csv', buffer: Buffer.from(FAULTY) });
  await press(ada, /^Upload$/);
  await onPage(ada, 'faulty <b>.csv');
  const upload = ada.url().split('/').at(-1) ?? '';
  const fill = (path: string) =>
    path
      .replace('UPLOAD', upload)
      .replace('BATCH', batch?.id ?? '')
      .replace('WAITING', waiting.id);
  // Pages for anyone have no session in their address.
  const pages = Object.values(PAGES).map((path) => [path, addressIn(ada, fill(path))] as const);
  return { served, ada, pages };
}

/** Work that goes on ends, and its page is made anew. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('#again[hx-trigger]').waitFor({ state: 'detached' });
}

it('knows every page that there is', () => {
  const paths = ROUTES.filter(({ method, path }) => method === 'GET' && !NO_PAGES.test(path)).map(
    ({ path }) => path,
  );
  expect([...new Set(paths)].toSorted()).toEqual(Object.keys(PAGES).toSorted());
});

/** What other colours can break; all else of a page is the same in the dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const LOOKS = [
  { how: 'desk', size: DESK, colorScheme: 'light', rules: undefined },
  { how: 'dark', size: DESK, colorScheme: 'dark', rules: OF_COLOURS },
  { how: 'phone', size: { width: 390, height: 844 }, colorScheme: 'light', rules: undefined },
  { how: 'magnified', size: MAGNIFIED, colorScheme: 'light', rules: [] },
] as const;

it('breaks no rule, is used by the keyboard alone, is never wider than the screen, and asks for nothing from elsewhere', async () => {
  const { served, ada, pages } = await everything();
  await ada.context().addInitScript({ content: AXE });
  const found: string[] = [];
  for (const [path, address] of pages) {
    await ada.setViewportSize(DESK);
    await visit(ada, address);
    const faults = await still(() => ada.evaluate<readonly string[]>(FAULTS));
    found.push(...[...faults, ...(await notReached(ada))].map((what) => `${path}: ${what}`));
    for (const { how, size, colorScheme, rules } of LOOKS) {
      await ada.setViewportSize(size);
      await ada.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const wide = await still(() => ada.evaluate<number>('document.documentElement.scrollWidth'));
      if (wide > size.width) found.push(`${path} on ${how}: ${wide} wide`);
      if (rules?.length !== 0)
        found.push(...(await still(() => broken(ada, rules))).map((what) => `${path} on ${how}: ${what}`));
    }
  }
  expect(found).toEqual([]);
  expect(served.complaints).toEqual([]);
}, 180_000);

/** By the keyboard alone: each thing to press has to be reached, and seen when it is. */
async function notReached(page: Page): Promise<readonly string[]> {
  const count = await still(() => page.evaluate<number>(TO_REACH));
  // A field for a day is three stops.
  const left = await still(async () => {
    await page.evaluate(KEEP_REACHED);
    // A key that is held down.
    await Promise.all(Array.from({ length: 2 * count + 10 }, () => page.keyboard.down('Tab')));
    await page.keyboard.up('Tab');
    return page.evaluate<number>('(document.activeElement.blur(), reached.size)');
  });
  return left < count ? [`${left} of ${count} are reached by the keyboard`] : [];
}

/** One thing to do first; tables and the tab say what they are; nothing moves. */
const FAULTS = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const heading = document.querySelector('h1').textContent;
  return [
    ...(new Set(all('.main:is(button, a)').map((each) => each.textContent)).size > 1 ? ['more than one main button'] : []),
    ...(document.title.startsWith(heading) ? [] : ['its title is another']),
    ...all('table').filter((each) => !each.caption && !each.closest('[aria-label]')).map(() => 'a table without a name'),
    ...(document.getAnimations().length > 0 ? ['something moves'] : []),
  ];
})()`;
const REACHABLE = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')].filter((each) => each.checkVisibility())`;
/** Of radio buttons with one name only one is in the order of the keyboard. */
const TO_REACH = `(() => { const all = ${REACHABLE}; const radios = new Set(); return all.filter((each) => each.type !== 'radio' || (!radios.has(each.name) && radios.add(each.name))).length; })()`;
const KEEP_REACHED = `var reached = new Set(); addEventListener('focusin', ({ target }) => { if (${REACHABLE}.includes(target) && getComputedStyle(target).outlineStyle !== 'none') reached.add(target); });`;
