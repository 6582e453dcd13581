/**
 * A console that is served, and people before browsers of their own. What a browser complains of is kept: a page that
 * asks for something from elsewhere, or runs something of its own, is caught by the policy and heard here.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startConsole } from '../../src/console/console.ts';
import { partedPath, pathWithin } from '../../src/console/server/own-path.ts';
import { ROLES } from '../../src/domain/people/person.ts';
import { createPayfile, type Payfile, type PayfileOptions } from '../../src/payfile.ts';

export interface ServedConsole {
  readonly payfile: Payfile;
  readonly origin: string;
  /** Must stay empty. */
  readonly complaints: readonly string[];
  /** Lets ada in, once. */
  link(): string;
  /** A browser whose owner has not come in. */
  somebody(how?: BrowserContextOptions): Promise<Page>;
  /** One whose owner is the user of the machine, on the first page. */
  ada(how?: BrowserContextOptions): Promise<Page>;
}

export async function aServedConsole(
  browser: Browser,
  options: Partial<PayfileOptions> = {},
): Promise<ServedConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-served-'));
  const own = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB', ...options };
  const payfile = createPayfile(own, { env: { HOME: folder } });
  const running = await startConsole({
    port: 0,
    environment: payfile.environment,
    person: { id: 'ada', name: 'ada', roles: ROLES },
    payfile,
    temporary: folder,
    now: () => Date.now(),
    say: () => undefined,
  });
  const origin = `http://localhost:${running.port}`;
  const complaints: string[] = [];
  const pages: Page[] = [];
  onTestFinished(async () => {
    for (const page of pages) await page.context().close();
    await running.close();
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const somebody = async (how: BrowserContextOptions = {}) => {
    const page = await (await browser.newContext(how)).newPage();
    pages.push(page);
    page.on('console', (message) => {
      // What the browser says of an answer that is refused on purpose.
      if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) complaints.push(`asked for ${request.url()}`);
    });
    return page;
  };
  return {
    ...{ payfile, origin, complaints, somebody, link: running.link },
    async ada(how) {
      const page = await somebody(how);
      await page.goto(running.link());
      await onPage(page, 'Batches');
      return page;
    },
  };
}

/** An address of the console, in the session of whoever looks at this page. */
export function addressIn(page: Pick<Page, 'url'>, path: string): string {
  const { origin, pathname } = new URL(page.url());
  return origin + pathWithin(partedPath(pathname).own, path);
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
export const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();
export const onPage = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
