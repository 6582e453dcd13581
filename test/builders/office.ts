/**
 * An office: a home folder of its own, its files, the service that pays and that service's book, and the command as
 * a person or cron calls it. What pays, what is paid and what goes wrong is told by the tests.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';
import { commandPath, compileCache } from './command.ts';
import { callMain } from './process-context.ts';

/** Loaded into a process of its own before the command. */
const LATER = new URL('./later.ts', import.meta.url).href;

export interface Ended {
  readonly code: number | null;
  /** What ended it, where it was a process of its own. */
  readonly signal?: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of --json. */
  readonly json: () => Answer;
}

export interface Answer {
  readonly exitCode?: number;
  readonly outcome?: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly ties?: boolean;
  readonly attention?: readonly { readonly row: number; readonly status: string }[];
  readonly [key: string]: unknown;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when stderr has shown the text. */
  saw(text: string): Promise<void>;
}

export interface Office {
  readonly folder: string;
  readonly env: Record<string, string>;
  at(name: string): string;
  /** Writes a file and gives its name. */
  file(name: string, text: string): string;
  /** Writes the configuration that every later call reads. */
  configure(settings: object): void;
  /** Calls the command in this process; while one is at work, starts it in its own. */
  payfile(...words: string[]): Promise<Ended>;
  /** Starts it in a process of its own. */
  start(words: readonly string[], more?: Readonly<Record<string, string>>): Running;
  close(): void;
}

/** Another program than the command of these sources, for Node. */
export interface Program {
  readonly node: string;
  readonly bin: string;
}

/** Two at once are two processes, as they are for people: a ledger tells them apart by that. */
let isCalling = false;

/** Of all offices and live services. Pauses between two looks or tries cost no time here. */
export const clock = createBriskClock();
/** Shorter than what the program waits for an answer: a look-up is given up after ten seconds at the earliest. */
const PAUSE_MS_MAX = 9_000;
let offices = 0;

export function openOffice(env: Readonly<Record<string, string>> = {}, program?: Program): Office {
  if (offices === 0) clock.reset();
  offices += 1;
  const folder = mkdtempSync(join(tmpdir(), 'payfile-office-'));
  const own: Record<string, string> = {
    ...(program === undefined ? compileCache() : {}),
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    TMPDIR: folder,
    PAYFILE_POLL_MIN_MS: '50',
    ...env,
  };
  const start: Office['start'] = (words, more = {}) => {
    const { node, bin } = program ?? { node: process.execPath, bin: commandPath() };
    const child = spawn(node, [bin, ...words], { cwd: folder, env: { ...own, ...later(), ...more } });
    child.stdin.end();
    return watch(child);
  };
  // A process of its own has its own clock; it begins where this one stands.
  const later = () =>
    program !== undefined || clock.aheadMs() === 0
      ? {}
      : { STORY_AHEAD_MS: String(Math.ceil(clock.aheadMs())), NODE_OPTIONS: `--import=${LATER}` };
  return {
    folder,
    env: own,
    at: (name) => join(folder, name),
    file(name, text) {
      writeFileSync(join(folder, name), text);
      return name;
    },
    configure(settings) {
      own['PAYFILE_CONFIG'] = join(folder, 'payfile.json');
      writeFileSync(own['PAYFILE_CONFIG'], JSON.stringify(settings));
    },
    start,
    async payfile(...words) {
      if (isCalling || program !== undefined) return start(words).ended;
      isCalling = true;
      try {
        const timed = { clock: clock.withPauses(PAUSE_MS_MAX) };
        const said = await callMain(words, { folder, env: own }, timed);
        return { ...said, json: () => JSON.parse(said.stdout) as Answer };
      } finally {
        isCalling = false;
      }
    },
    close() {
      offices -= 1;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  let stdout = '';
  let stderr = '';
  const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const { text, resolve } of waiting) if (stderr.includes(text)) resolve();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout, stderr, json: () => JSON.parse(stdout) as Answer }),
    );
  });
  const shown = (text: string) =>
    new Promise<void>((resolve) => (stderr.includes(text) ? resolve() : waiting.push({ text, resolve })));
  const neverShown = async (text: string) => {
    await ended;
    if (!stderr.includes(text)) throw new Error(`It ended without “${text}”: ${stderr}`);
  };
  const saw = (text: string) => Promise.race([shown(text), neverShown(text)]);
  return { child, ended, saw };
}

export interface LiveService {
  readonly sandbox: Sandbox;
  /** One line per request. */
  readonly requests: string[];
  readonly env: Record<string, string>;
}

/** The sandbox in the place of a real service: payfile is told of it by configuration alone. */
export async function startLiveService(options: SandboxOptions = {}): Promise<LiveService> {
  const requests: string[] = [];
  const settings = { speedFactor: 1_000, clock: clock.now, log: (line: string) => requests.push(line) };
  const sandbox = await startSandbox({ ...settings, ...options });
  const env = {
    PAYFILE_BASE_URL: sandbox.baseUrl,
    PAYFILE_AUTH_URL: sandbox.authUrl,
    PAYFILE_ID: sandbox.credentials.id,
    PAYFILE_PASSWORD: sandbox.credentials.password,
    PAYFILE_SOURCE: 'GB',
  };
  return { sandbox, requests, env };
}

export type Row = readonly [account: string, amount: string, reference?: string];

/** A payout file of GCB Bank, Ghana; names are left to the service. */
export function payrollCsv(rows: readonly Row[]): string {
  const lines = rows.map(
    ([account, amount, reference], index) =>
      `${reference ?? `R-${index + 1}`},GH,GCB Bank,${account},${amount}`,
  );
  return `${['Reference,Country,Institution,Account,Amount', ...lines].join('\n')}\n`;
}

/** Accounts that just work, and those whose ending asks for trouble. */
export const GOOD = ['1011130024501', '1011130024502', '1011130024503', '1011130024504', '1011130024505'];
export const REFUSED = '1011130990020';
export const ANSWER_LOST = '1011130990030';
/** The same, and nothing was executed. */
export const LOST_UNPAID = '1011130990031';
export const NEVER_FINISHES = '1011130990011';
