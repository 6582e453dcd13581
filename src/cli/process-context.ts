/**
 * What the command line may know of its process: streams, environment, folders, the user, and signals.
 * bin.ts hands in the process's own; a test hands in its own. Nothing else of the command line looks at the process.
 */
import type { Readable, Writable } from 'node:stream';
import type { FaceContext } from '../payfile.ts';

export interface ProcessContext extends Omit<FaceContext, 'command'> {
  /** Of the user, where the system has numbers for them. */
  readonly uid?: number | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly versions: { readonly node: string; readonly sqlite?: string | undefined };
  /** Whether what started this process has ended since, so that nobody may be left to answer. */
  readonly isAbandoned?: () => boolean;
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
