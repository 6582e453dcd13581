/**
 * The console's figures: its first page, pages of very large batches, an upload, those who watch a sending, and memory. One
 * console answers all of them, over the ledger of works/console-ledger.ts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, browse } from '../builders/browser.ts';
import type { ConsolePlace } from './console-place.ts';
import { csvFile, HEADERS, rowOf } from './payout-data.ts';
import type { Used } from './works/console.ts';

interface Bench extends ConsolePlace {
  readonly isSmall: boolean;
  readonly work: (
    name: string,
    ...given: (string | number)[]
  ) => { readonly ms: number; readonly rows?: number; readonly peakMb: number; readonly note?: string };
  readonly print: (name: string, ratio: number, target: string, isMet: boolean, detail: string) => void;
}

interface Opened {
  readonly browser: Browser;
  readonly used: () => Promise<Used>;
  /** Plans a file and approves it; gives back the batch. */
  readonly approved: (plan: string, batch: string) => Promise<string>;
}

const PAGES = 5;
const BATCHES = 10_000;

export async function consoleFigures(bench: Bench): Promise<void> {
  const { folder, service, isSmall, work } = bench;
  const sizes = isSmall ? [100_000] : [100_000, 1_000_000];
  const made = work('console-ledger', folder, service, BATCHES, ...(await Promise.all(sizes.map(csvFile))));
  await withConsole(bench, async (opened) => {
    await firstPage(opened, bench);
    for (const [at, batch] of (made.note ?? '').split(' ').entries())
      await pageOfLarge(opened, { rows: sizes[at] ?? 0, batch }, bench);
    await upload(opened, bench);
    await memory(opened, bench);
  });
}

/** In a ledger of its own: each sending needs a new batch. */
export async function livePageFigures(bench: Bench): Promise<void> {
  bench.work('console-ledger', bench.folder, bench.service, 0);
  await withConsole(bench, async (opened) => {
    await watchers(opened, bench);
    await memory(opened, bench);
    await livePage(opened, bench);
  });
}

async function withConsole(
  { folder, service }: Bench,
  use: (opened: Opened) => Promise<void>,
): Promise<void> {
  const child = fork(fileURLToPath(new URL('works/console.ts', import.meta.url)), [folder, service], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    await use(await openedBy(child));
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

async function openedBy(child: ChildProcess): Promise<Opened> {
  const ask = async <Told>(asked: object): Promise<Told> => {
    const told = once(child, 'message', { signal: AbortSignal.timeout(600_000) });
    child.send(asked);
    const [answer] = await told;
    return answer as Told;
  };
  const [link] = (await once(child, 'message')) as [string];
  const { origin, pathname } = new URL(link);
  const browser = browse(origin);
  await page(browser, pathname);
  return { browser, used: () => ask({}), approved: (plan, batch) => ask({ plan, batch }) };
}

async function page(browser: Browser, path: string): Promise<string> {
  const { status, text } = await browser.get(path);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  return text;
}

interface Timed extends Cost {
  readonly text: string;
}

/** Warm; median of wall times, mean of CPU times. */
async function timedPage({ browser, used }: Opened, path: string): Promise<Timed> {
  let text = await page(browser, path);
  const { cpuMs } = await used();
  const times: number[] = [];
  for (let nth = 0; nth < PAGES; nth += 1) {
    const started = performance.now();
    text = await page(browser, path);
    times.push(performance.now() - started);
  }
  return { ms: median(times), cpuMs: ((await used()).cpuMs - cpuMs) / PAGES, text };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const [low = 0, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

const kb = (text: string) => Buffer.byteLength(text) / 1_000;
const times = ({ ms, cpuMs }: Timed) => `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU`;

async function firstPage(opened: Opened, { print }: Bench): Promise<void> {
  const first = await timedPage(opened, '/');
  print(`console: first page with ${BATCHES} batches, ms`, first.ms, '≤ 100', first.ms <= 100, times(first));
  const paths = first.text.matchAll(/<(?:link|script)[^>]* (?:href|src)="(\/assets\/[^"]+)"/g);
  const names = ['/', ...[...paths].map(([, path = '']) => path)];
  const parts = await Promise.all(names.map((path) => opened.browser.get(path)));
  const sent = parts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000;
  const whole = parts.reduce((sum, { text }) => sum + kb(text), 0);
  const each = parts.map(({ bytes, text }, at) => {
    const name = at === 0 ? 'HTML' : names[at]?.replace(/^.*\/|-\w+/g, '');
    return `${name} ${(bytes / 1_000).toFixed(1)} of ${kb(text).toFixed(1)}`;
  });
  print(
    'console: bytes sent for the first page with style and scripts, kB',
    sent,
    '≤ 60',
    sent <= 60,
    `of ${whole.toFixed(1)} uncompressed: ${each.join('; ')}`,
  );
}

async function pageOfLarge(
  opened: Opened,
  { rows, batch }: { readonly rows: number; readonly batch: string },
  { print }: Bench,
): Promise<void> {
  const path = `/batches/${batch}`;
  const first = await timedPage(opened, path);
  const middle = await timedPage(opened, `${path}?after=${rows / 2}`);
  const doubts = await timedPage(opened, `${path}?status=in_doubt`);
  const sought = await timedPage(opened, `${path}?search=R-${rows - 5}`);
  const msMax = rows > 100_000 ? 300 : 50;
  print(
    `console: page of a batch of ${rows} rows, ms`,
    first.ms,
    `≤ ${msMax}`,
    first.ms <= msMax,
    `${times(first)}, ${kb(first.text).toFixed(0)} kB; from the middle ${times(middle)}; rows in doubt ${times(doubts)}; a reference near the end ${times(sought)}`,
  );
}

/** Every hundredth amount cannot be read. */
async function faultyFile(rows: number, folder: string): Promise<string> {
  const path = join(folder, `faulty-${rows}.csv`);
  const lines = createInterface({ input: createReadStream(await csvFile(rows)) });
  const text: string[] = [];
  for await (const line of lines)
    text.push(text.length % 100 === 50 ? line.replace(/,\d+\.\d\d,/, ',about 20,') : line);
  await writeFile(path, `${text.join('\n')}\n`);
  return path;
}

/** As a browser does: the file, and its page until it is read. */
async function uploaded(browser: Browser, path: string): Promise<string> {
  const { status, location } = await browser.upload('/uploads', 'faulty.csv', await readFile(path));
  if (status !== 303) throw new Error(`The upload answers ${status}`);
  for (;;) {
    const text = await page(browser, location);
    const [, seconds] = /hx-trigger="every (\d+)s"/.exec(text) ?? [];
    if (seconds === undefined) return text;
    await setTimeout(Number(seconds) * 1_000);
  }
}

const ROUNDS = 3;

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

function medianCost(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}

const seconds = (costs: readonly Cost[]) => costs.map(({ ms }) => (ms / 1_000).toFixed(1)).join(' ');

async function upload({ browser, used }: Opened, bench: Bench): Promise<void> {
  const { folder, service, isSmall, work, print } = bench;
  const rows = isSmall ? 10_000 : 100_000;
  const [few, path] = [await faultyFile(1_000, folder), await faultyFile(rows, folder)];
  await uploaded(browser, few);
  const [checks, uploads]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms: checkMs, note } = work('check', folder, service, few, path);
    checks.push({ ms: checkMs, cpuMs: Number.parseInt(note ?? '', 10) });
    const [cpu, started] = [(await used()).cpuMs, performance.now()];
    const text = await uploaded(browser, path);
    const ms = performance.now() - started;
    if (!text.includes('To answer and fix')) throw new Error('No list of issues');
    uploads.push({ ms, cpuMs: (await used()).cpuMs - cpu });
  }
  const [ours, check] = [medianCost(uploads), medianCost(checks)];
  const say = ({ ms, cpuMs }: Cost) => `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU`;
  print(
    `console: upload of ${rows} rows until its issues are shown ÷ payfile.check`,
    ours.ms / check.ms,
    '≤ 1.5',
    ours.ms <= 1.5 * check.ms,
    `upload ${say(ours)} (${seconds(uploads)} s); check ${say(check)} (${seconds(checks)} s); CPU ÷ ${(ours.cpuMs / check.cpuMs).toFixed(2)}`,
  );
}

const WATCHERS = 50;
const AMOUNT = HEADERS.indexOf('Amount');

/** Each takes two files that are planned, approved and sent whole. */
const PAIRS = 3;

interface Pair {
  readonly watched: Cost;
  readonly alone: Cost;
}

async function watchers(opened: Opened, bench: Bench): Promise<void> {
  const rows = bench.isSmall ? 500 : 3_000;
  const asked: number[] = [];
  const beside = (batch: string) =>
    Array.from({ length: WATCHERS }, () => openPage(opened.browser, batch, asked));
  const title = `console: sending ${rows} rows with ${WATCHERS} watchers ÷ with none`;
  const seen = () => `they asked ${asked.length} times, ${median(asked).toFixed(0)} ms each`;
  await sendingBeside(opened, { title, rows, fileRows: rows, firstRow: 2_000_000, beside, seen }, bench);
}

/** Of a large batch: all but the rows that are sent cannot be read, so that nobody has to ask for their fees first. */
async function livePage(opened: Opened, bench: Bench): Promise<void> {
  const [rows, fileRows] = bench.isSmall ? [1_000, 10_000] : [5_000, 50_000];
  const asked: number[] = [];
  const beside = (batch: string) => [openPage(opened.browser, batch, asked)];
  const title = `console: sending ${rows} rows of ${fileRows} beside a live page ÷ with none`;
  const seen = () => `it asked ${asked.length} times, ${median(asked).toFixed(0)} ms each`;
  await sendingBeside(opened, { title, rows, fileRows, firstRow: 3_000_000, beside, seen }, bench);
}

/** As a browser has it open: the page asks again as often as it says itself. */
function openPage(browser: Browser, path: string, asked: number[]): () => void {
  const closed = new AbortController();
  const { signal } = closed;
  const live = async () => {
    for (;;) {
      const began = performance.now();
      const text = await page(browser, `${path}?reloaded=`);
      const [, seconds] = /hx-trigger="every (\d+)s"/.exec(text) ?? [];
      if (seconds !== undefined) asked.push(performance.now() - began);
      // Not under way yet, or over.
      await setTimeout(Number(seconds ?? 1) * 1_000, undefined, { signal });
    }
  };
  live().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return () => closed.abort();
}

interface Beside {
  readonly title: string;
  /** Rows that are sent, of a file of so many. */
  readonly rows: number;
  readonly fileRows: number;
  /** So that no row is sent twice. */
  readonly firstRow: number;
  /** What goes on beside it; gives back what ends it. */
  readonly beside: (batch: string) => readonly (() => void)[];
  /** What came of that. */
  readonly seen: () => string;
}

async function sendingBeside(
  opened: Opened,
  { title, rows, fileRows, firstRow, beside, seen }: Beside,
  { folder, print }: Bench,
): Promise<void> {
  let nth = 0;
  const sending = async (isBeside: boolean): Promise<Cost> => {
    const name = `sent-${firstRow}-${nth}`;
    const first = firstRow + nth * fileRows;
    nth += 1;
    const path = join(folder, `${name}.csv`);
    const lines = Array.from({ length: fileRows }, (_, at) => {
      const cells = rowOf(first + at);
      return (at < rows ? cells : cells.with(AMOUNT, 'unknown')).join(',');
    });
    await writeFile(path, `${[HEADERS.join(','), ...lines].join('\n')}\n`);
    const batch = `/batches/${await opened.approved(path, name)}`;
    return sent(opened, batch, rows, () => (isBeside ? beside(batch) : []));
  };
  // The first of a process is slow, watched or not.
  await sending(false);
  const pairs: Pair[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // In the order 0 1 1 0 0 1: a machine that gets slower by and by is in favour of neither.
    const before = pair % 2 === 0 ? await sending(false) : undefined;
    const watched = await sending(true);
    pairs.push({ watched, alone: before ?? (await sending(false)) });
  }
  const wall = pairs.map(({ watched, alone }) => watched.ms / alone.ms);
  const cpu = pairs.map(({ watched, alone }) => watched.cpuMs / alone.cpuMs);
  const say = (costs: readonly Cost[]) => {
    const { ms, cpuMs } = medianCost(costs);
    return `${((rows * 1_000) / ms).toFixed(0)} rows/s, ${((cpuMs * 1_000) / rows).toFixed(0)} µs CPU a row (${seconds(costs)} s)`;
  };
  const both = `watched ${say(pairs.map(({ watched }) => watched))}; not ${say(pairs.map(({ alone }) => alone))}`;
  print(
    `${title}, median of ${PAIRS} pairs`,
    median(wall),
    '≤ 1.03',
    median(wall) <= 1.03,
    `${spread(wall)}; ${both}; ${seen()}`,
  );
  print(`${title}, CPU of its process`, median(cpu), '≤ 1.03', median(cpu) <= 1.03, spread(cpu));
}

function spread(ratios: readonly number[]): string {
  return `each ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`;
}

async function sent(
  { browser, used }: Opened,
  path: string,
  rows: number,
  watch: () => readonly (() => void)[],
): Promise<Cost> {
  // They are there already when somebody presses Send: opening their pages is no part of sending.
  const ends = watch();
  await setTimeout(OPENED_MS);
  const { status } = await browser.post(`${path}/send`);
  if (status !== 303) throw new Error(`Sending answers ${status}`);
  // The settling that follows has to be over as well, before the next one begins.
  do await setTimeout(LOOK_MS);
  while ((await page(browser, path)).includes('hx-trigger='));
  for (const end of ends) end();
  const { sending } = await used();
  if (sending?.accepted !== rows) throw new Error(`${sending?.accepted} of ${rows} rows were sent`);
  return sending;
}

const OPENED_MS = 1_000;
/** Rarely: each look at the page costs the console as well. */
const LOOK_MS = 2_000;

async function memory({ used }: Opened, { folder, service, work, print }: Bench): Promise<void> {
  const { rssMb } = await used();
  const status = work('status', folder, service);
  const more = rssMb - status.peakMb;
  print(
    'console: memory of its process after all this, MB more than payfile status',
    more,
    '≤ 150',
    more <= 150,
    `console ${rssMb.toFixed(0)} MB; status ${status.peakMb} MB at its peak, ${status.note}`,
  );
}
