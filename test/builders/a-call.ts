/**
 * An office: a working folder of one's own, in which commands are called in this process, as bin.ts calls them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callMain } from './surroundings.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of --json. */
  readonly json: () => Readonly<Record<string, unknown>>;
}

export interface Office {
  readonly folder: string;
  readonly env: Record<string, string>;
  at(name: string): string;
  payfile(...words: string[]): Promise<Called>;
  close(): void;
}

/** Also for what payfile keeps. */
export function openOffice(): Office {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-office-'));
  const env: Record<string, string> = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    PAYFILE_SOURCE: 'GB',
    PAYFILE_POLL_MIN_MS: '50',
    CI: 'true',
  };
  return {
    folder,
    env,
    at: (name) => join(folder, name),
    async payfile(...words) {
      const said = await callMain(words, { folder, env });
      return { ...said, json: () => JSON.parse(said.stdout) as Readonly<Record<string, unknown>> };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
