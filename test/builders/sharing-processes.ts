/** Several real processes that share one login of a sandbox over a ledger on PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { SharedLoginResult } from '../bench/works/shared-login.ts';

const WORK = fileURLToPath(new URL('../bench/works/shared-login.ts', import.meta.url));

export interface SharingProcess {
  /** Resolves when it has begun to send. */
  readonly ready: Promise<void>;
  /** Ends its work. */
  end(): Promise<SharedLoginResult>;
}

export function startSharing(
  sandbox: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'credentials'>,
  place: ServerPlace,
  { rate = 0, concurrency = 2 } = {},
): SharingProcess {
  const service = { baseUrl: sandbox.baseUrl, authUrl: sandbox.authUrl, ...sandbox.credentials };
  const args = [WORK, JSON.stringify(service), JSON.stringify(place), String(rate), String(concurrency)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      resolve();
    });
    void ended.then(() => resolve());
  });
  return {
    ready,
    async end() {
      child.stdin.end();
      await ended;
      return JSON.parse(said.trim().split('\n').at(-1) ?? '') as SharedLoginResult;
    },
  };
}
