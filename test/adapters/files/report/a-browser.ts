/** A real browser for pages that payfile writes; one per test file, gone when the file is done. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { folder } from './written.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenPage {
  readonly page: Page;
  /** What the page asked for besides itself, and what it complained of. Both must stay empty. */
  readonly asked: readonly string[];
  /** What it asked for and got. */
  readonly got: readonly string[];
  readonly complaints: readonly string[];
}

export type OpenInBrowser = (file: string, how?: BrowserContextOptions) => Promise<OpenPage>;

/** Called at the top of a test file. Scripts of the page are left on: a page that holds one must be caught. */
export function aBrowser(): OpenInBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath(), args: QUIET, timeout: 60_000 });
  }, 90_000);
  afterAll(() => browser?.close());
  const opened: Page[] = [];
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  return async (file, how = {}) => {
    if (browser === undefined) throw new TypeError('The browser is started before the first test');
    const page = await (await browser.newContext(how)).newPage();
    opened.push(page);
    const address = pathToFileURL(join(folder, file)).href;
    const asked: string[] = [];
    const got: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) asked.push(request.url());
    });
    page.on('requestfinished', (request) => {
      if (!request.url().startsWith(address)) got.push(request.url());
    });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, asked, got, complaints };
  };
}

function chromiumPath(): string {
  const places = (process.env['PATH'] ?? '').split(delimiter).filter((place) => place !== '');
  const found = NAMES.flatMap((name) => places.map((place) => join(place, name))).find(isProgram);
  if (found !== undefined) return found;
  const text = `No browser found: none of ${NAMES.join(', ')} is on the PATH. The HTML report is checked in a real one: apt-get install chromium`;
  throw new Error(text);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
