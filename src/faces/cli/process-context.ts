/**
 * What the command line may know of its process: streams, environment, folders, the user, and signals.
 * bin.ts hands in the process's own; a test hands in its own. Nothing else of the command line looks at the process.
 */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../payfile.ts';

export interface ProcessContext {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** As the system says it; undefined: this user has none. */
  readonly home: string | undefined;
  /** For temporary files. */
  readonly temporary: string;
  /** The operating system's name of the user: what maker and approver are compared by. */
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly versions: { readonly node: string; readonly sqlite?: string | undefined };
  /** The system's, unless a test has one of its own. */
  readonly clock?: Clock;
  /** The id of a ledger that is made; random unless a test has one. */
  readonly newLedgerId?: () => string;
  /** Gives back what ends the listening. */
  onSignal(receive: (name: StopSignal) => void): () => void;
  /** An error that nobody caught. Gives back what ends the listening. */
  onBug(receive: (error: unknown) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Milliseconds since 1970. */
export function nowOf({ clock }: Pick<ProcessContext, 'clock'>): number {
  return clock?.now() ?? Date.now();
}

/** The first of each is a clean stop; a closed terminal is SIGHUP. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
