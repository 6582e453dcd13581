/**
 * What the command line may use of its process: streams, environment, folders, user and signals. bin.ts passes the real
 * process, tests pass their own. No other file of the command line reads the process.
 */
import type { Readable, Writable } from 'node:stream';
import type { HostContext } from '../payfile.ts';

export interface ProcessContext extends Omit<HostContext, 'command'> {
  /** User id, if the system has one. */
  readonly uid?: number | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** How this program was started, and what starts programs here. */
  readonly program?: {
    readonly words: readonly string[];
    readonly platform: string;
    readonly hasSystemd: boolean;
  };
  readonly versions: { readonly node: string; readonly sqlite?: string | undefined };
  /** Whether the parent process has ended, so that nobody can answer. */
  readonly isAbandoned?: () => boolean;
  /** Returns a function that stops listening. */
  onSignal(receive: (name: StopSignal) => void): () => void;
  /** Reports uncaught errors. Returns a function that stops listening. */
  onBug(receive: (error: unknown) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Milliseconds since 1970. */
export function nowOf({ clock }: Pick<ProcessContext, 'clock'>): number {
  return clock?.now() ?? Date.now();
}

/** The first signal stops cleanly. A closed terminal sends SIGHUP. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
