/**
 * The sandbox's own book of what was really executed: append-only, found by transfer id.
 */
import { type BookEntry, openBookFile, readBookFile, type Transition, transitionsOf } from './book-file.ts';
import type { AccountScenario } from './scenarios.ts';
import { seededText } from './seeded.ts';

export {
  type BookEntry,
  SandboxBookError,
  statusAt,
  type TransferStatus,
  type Transition,
} from './book-file.ts';

export interface Book {
  /** Undefined for a book in memory. */
  readonly path: string | undefined;
  readonly size: number;
  /** Everything that executed, in order. */
  entries(): readonly BookEntry[];
  find(transferId: string): BookEntry | undefined;
}

/** What the caller knows of a transfer that is about to execute. */
export interface Execution extends Omit<BookEntry, 'id' | 'transitions'> {
  readonly speedMs: number;
  readonly scenario: AccountScenario | undefined;
}

export interface OpenBook extends Book {
  readonly isFull: boolean;
  /** Executes: the entry is durable when the promise resolves. Never the same id twice. */
  execute(execution: Execution): Promise<BookEntry>;
  close(): Promise<void>;
}

interface BookOptions {
  readonly path: string | undefined;
  readonly newSeed: string;
  readonly entriesMax: number;
}

export async function openBook(options: BookOptions): Promise<OpenBook> {
  const file = options.path === undefined ? undefined : await openBookFile(options.path, options.newSeed);
  const seed = file?.contents.seed ?? options.newSeed;
  const entries: BookEntry[] = [...(file?.contents.entries ?? [])];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  // Counts those that are being written, too.
  let numbered = entries.length;
  return {
    path: options.path,
    get size() {
      return entries.length;
    },
    get isFull() {
      return numbered >= options.entriesMax;
    },
    entries: () => [...entries],
    find: (transferId) => byId.get(transferId),
    execute: async (execution) => {
      numbered += 1;
      const entry = entryOf(`trf-${seededText(20, seed, 'transfer', numbered)}`, execution);
      await file?.append(entry);
      entries.push(entry);
      byId.set(entry.id, entry);
      return entry;
    },
    close: async () => {
      await file?.close();
    },
  };
}

/** A book for reading only: for listings, also while a sandbox uses the file. */
export function readBook(path: string): Book {
  const { entries } = readBookFile(path);
  return {
    path,
    size: entries.length,
    entries: () => entries,
    find: (transferId) => entries.find((entry) => entry.id === transferId),
  };
}

function entryOf(id: string, execution: Execution): BookEntry {
  const { speedMs, scenario, ...what } = execution;
  const transitions: readonly Transition[] = transitionsOf(what.at, speedMs, scenario);
  return { id, ...what, transitions };
}
