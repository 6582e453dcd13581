/**
 * The sandbox's own book of what was really executed: append-only, found by transfer id.
 */
import { randomUUID } from 'node:crypto';
import {
  type BookEntry,
  type NamedHolder,
  openBookFile,
  readBookFile,
  type Transition,
  transitionsOf,
} from './book-file.ts';
import type { AccountScenario } from './scenarios.ts';
import { seededText } from './seeded.ts';

export {
  type BookEntry,
  type NamedHolder,
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
  /** Durable when the promise resolves. */
  know(holders: readonly NamedHolder[]): Promise<void>;
  /** Those that came since the last call. */
  newHolders(): readonly NamedHolder[];
  close(): Promise<void>;
}

interface BookOptions {
  readonly path: string | undefined;
  readonly newSeed: string;
  readonly entriesMax: number;
}

export async function openBook({ path, newSeed, entriesMax }: BookOptions): Promise<OpenBook> {
  const file = path === undefined ? undefined : await openBookFile(path, newSeed);
  const { seed = newSeed } = file ?? {};
  // Other processes number their transfers, too, each in a series of its own.
  const series = file === undefined ? [] : [randomUUID()];
  const entries: BookEntry[] = [];
  const byId = new Map<string, BookEntry>();
  const take = (more: readonly BookEntry[]) => {
    for (const entry of more) {
      entries.push(entry);
      byId.set(entry.id, entry);
    }
  };
  const known = () => {
    if (!isClosed) take(file?.added() ?? []);
    return entries;
  };
  let numbered = 0;
  let writing = 0;
  let isClosed = false;
  known();
  return {
    path,
    get size() {
      return known().length;
    },
    get isFull() {
      return known().length + writing >= entriesMax;
    },
    entries: () => [...known()],
    find(transferId) {
      if (!byId.has(transferId)) known();
      return byId.get(transferId);
    },
    async execute(execution) {
      numbered += 1;
      writing += 1;
      const entry = entryOf(`trf-${seededText(20, seed, 'transfer', ...series, numbered)}`, execution);
      try {
        if (file === undefined) take([entry]);
        else await file.append([entry]);
      } finally {
        writing -= 1;
      }
      return entry;
    },
    ...holdersIn(file, known),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      take((await file?.close()) ?? []);
    },
  };
}

/** `read`: takes what other processes added. */
function holdersIn(
  file: Awaited<ReturnType<typeof openBookFile>> | undefined,
  read: () => unknown,
): Pick<OpenBook, 'know' | 'newHolders'> {
  const named: NamedHolder[] = [];
  return {
    async know(holders) {
      if (file === undefined) named.push(...holders);
      else if (holders.length > 0) await file.know(holders);
    },
    newHolders() {
      read();
      return file?.holders() ?? named.splice(0);
    },
  };
}

/** A book for reading only: for listings, also while a sandbox uses the file. */
export function readBook(path: string): Book & { readonly seed: string | undefined } {
  const { seed, entries } = readBookFile(path);
  return {
    path,
    seed,
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
