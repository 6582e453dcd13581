/**
 * One place of work for the kill harness: a folder, a payout file, a ledger, and the compiled command in child
 * processes that meet a blow.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compiled, NODE } from './compiled.ts';
import type { Blow } from './plan.ts';
import type { Service } from './service.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Office {
  readonly folder: string;
  readonly ledgerPath: string;
  readonly knownPath: string;
  readonly env: Record<string, string>;
  start(words: readonly string[], blow?: Blow): Running;
  run(words: readonly string[], blow?: Blow): Promise<Ended>;
  /** What the blows and the commits left behind, in order. */
  trace(): readonly string[];
  close(): void;
}

export function openOffice(compiled: Compiled, service: Service, env: Record<string, string> = {}): Office {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-kill-'));
  const tracePath = join(folder, 'trace');
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    TMPDIR: folder,
    PAYFILE_POLL_MIN_MS: '10',
    NODE_OPTIONS: compiled.preload,
    KILL_TRACE: tracePath,
    NODE_COMPILE_CACHE: compiled.cache,
    ...service.env,
    ...env,
  };
  // Blows leave rows in doubt, which is not what is looked at here; a pause would only cost time.
  writeFileSync(join(folder, 'payfile.config.json'), JSON.stringify({ maxInDoubt: 100_000 }));
  const start = (words: readonly string[], blow?: Blow): Running => {
    const plan = blow === undefined ? {} : { KILL_PLAN: JSON.stringify(blow) };
    const child = spawn(NODE, [compiled.bin, ...words], { cwd: folder, env: { ...own, ...plan } });
    child.stdin.end();
    if (blow?.kind === 'time') {
      const timer = setTimeout(() => child.kill('SIGKILL'), blow.ms);
      child.once('close', () => clearTimeout(timer));
    }
    return { child, ended: endOf(child) };
  };
  return {
    folder,
    ledgerPath: join(folder, 'state/payfile/ledger.db'),
    knownPath: join(folder, 'config/payfile/known-ledgers.json'),
    env: own,
    start,
    run: (words, blow) => start(words, blow).ended,
    trace: () => (existsSync(tracePath) ? readFileSync(tracePath, 'utf8').split('\n').filter(Boolean) : []),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** The last row is written with a name that its account does not have, so that it is held. */
export function payoutFile(accounts: readonly string[]): string {
  const lines = accounts.map((account, index) => {
    const name = index === accounts.length - 1 ? 'Kofi Boateng' : '';
    return `R-${index + 1},GH,GCB Bank,${account},${name},${50 + index}.00`;
  });
  return `${['Reference,Country,Institution,Account,Name,Amount', ...lines].join('\n')}\n`;
}
