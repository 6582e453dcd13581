/** Text from outside on every page, in a real browser with script. It runs nothing, requests nothing and hides no page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aChromium } from '../files/report/a-browser.ts';
import { addressIn, aServedConsole } from './a-served-console.ts';
import { aHostileConsole, MARK, PAGES } from './hostile-pages.ts';

const browser = aChromium();

async function uploaded(page: Page, at: string, name: string, text: string): Promise<string> {
  await page.goto(addressIn(page, at));
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.locator('form:has(input[type=file]) button').first().click();
  await page.waitForURL(/uploads\/|upload=/);
  const { pathname, search } = new URL(page.url());
  return pathname.replace(/^\/s-[^/]+/, '') + search;
}

it('runs no text from outside on any page', async () => {
  const dialogs: string[] = [];
  const { page, complaints, addressOf } = await aHostileConsole(async (options) => {
    const served = await aServedConsole(browser(), options);
    const page = await served.ada();
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const upload = (at: string, name: string, text: string) => uploaded(page, at, name, text);
    return { ...served, page, upload };
  });
  const within = addressIn(page, '/');
  const unmet: string[] = [];
  for (const [route, [at, isMet]] of Object.entries(PAGES)) {
    await page.goto(addressIn({ url: () => within }, addressOf(at)));
    const whole = await page.evaluate('document.documentElement.outerHTML');
    if (isMet && !String(whole).includes(MARK)) unmet.push(route);
    const ran = await page.evaluate(
      '[typeof pwned, document.querySelectorAll("img, main svg[onload], [onerror], [onload], [onmouseover], iframe, a[href^=javascript]").length]',
    );
    expect([route, ran]).toEqual([route, ['undefined', 0]]);
  }
  // The browser reports that the address has no valid date for the date field.
  const others = complaints.filter((text) => !text.includes('does not conform to the required format'));
  expect([unmet, dialogs, others]).toEqual([[], [], []]);
});
