/**
 * The ledgers that this user worked with on this machine: a folder with one small file for each, which holds its id, its path,
 * its service and how far it has come; and, while a live one is open, one file for each process that has it open. It shows
 * when a ledger was replaced by an older state, and keeps two copies of one from being at work at a time.
 *
 * How far a ledger has come is written after every commit without waiting for the disk (microseconds), so that it outlives
 * a process that is killed; for a machine that loses its power it is synced at opening, at closing and once a second.
 * Units:   instants in milliseconds.
 * Errors:  LedgerError `ledger_damaged` for a file that cannot be understood: protection is never lost silently;
 *          `ledger_busy` naming the other copy; `ledger_unwritable`. During work none: opening and closing report it.
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerIdentity } from '../ports/ledger/ledger.ts';
import type { Head } from './chain.ts';
import type { Machine } from './machine.ts';
import type { History } from './server-watch.ts';

export interface KnownLedger extends Pick<LedgerIdentity, 'id' | 'path' | 'environment' | 'baseUrl'> {
  /** The real path of a file, or which tables of which server it is. */
  readonly place: string;
  readonly head: Head;
  readonly updatedAt: number;
  /** Of a server. */
  readonly history?: History | undefined;
}

const SYNC_MS = 1_000;
/** Nobody can see whether a process of another machine lives; after this long it surely ended. */
const ELSEWHERE_MS = 12 * 3_600_000;
/** Of the folder beside a ledger (file.ts says when). */
export const KNOWN_END = '.known';
const [KNOWN, OPEN, MAKING] = ['.json', '.open', '.making'];
/** The first line, which alone changes with each commit: one write of one length, within one sector of a disk. */
const HEAD_WIDTH = 240;

/** Empty when nothing was ever remembered. */
export function knownLedgers(folder: string): readonly KnownLedger[] {
  return namesIn(folder, '', KNOWN).map((name) => readKnown(join(folder, name)));
}

/** undefined: this user has not worked with it. */
export function knownLedger(folder: string, id: string): KnownLedger | undefined {
  const file = knownFile(folder, { id });
  return existsSync(file) ? readKnown(file) : undefined;
}

/** What is remembered of this ledger. */
export const knownFile = (folder: string, { id }: Pick<KnownLedger, 'id'>) => join(folder, stem(id) + KNOWN);

/** Asked before a ledger is made: one that is remembered nowhere could be lost unnoticed, so it is not made at all. */
export function requireKnownPlace(folder: string): void {
  kept(folder, () => {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  });
}

export interface KnownParts {
  readonly folder: string;
  readonly identity: LedgerIdentity;
  readonly place: string;
  readonly now: () => number;
  readonly machine: Machine;
  /** Of a server, as it was seen last. */
  readonly history?: (() => History | undefined) | undefined;
}

/** What is remembered of one open ledger. */
export class Known {
  readonly #parts: KnownParts;
  #file: number | undefined;
  /** Says that this process has the ledger open. */
  #taken: string | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #newest = 0;

  constructor(parts: KnownParts) {
    this.#parts = parts;
  }

  /**
   * Durable when it returns. Never goes backwards by itself: of two processes the one that saw more wins, unless a person
   * accepted the older state.
   */
  write(head: Head, mayGoBack = false): void {
    const { folder, identity, place } = this.#parts;
    const before = knownLedger(folder, identity.id);
    const { id, path, environment, baseUrl } = identity;
    kept(folder, () => {
      const rest = `${JSON.stringify({ id, path, place, environment, baseUrl })}\n`;
      const whole = Buffer.from(this.#headLine(head) + rest);
      const file = this.#opened(whole);
      if (!mayGoBack && before !== undefined && before.head.commits > head.commits) return;
      writeSync(file, whole, 0, whole.length, 0);
      ftruncateSync(file, whole.length);
      fsyncSync(file);
      this.#newest = head.commits;
    });
  }

  /** After each commit that was made or seen, in any order, once it was written whole. What cannot be written must not stop a payment under way. */
  worked(head: Head): void {
    const file = this.#file;
    if (file === undefined || head.commits < this.#newest) return;
    this.#newest = head.commits;
    try {
      writeSync(file, this.#headLine(head), 0);
      const now = this.#parts.machine.monotonicMs();
      if (now - this.#syncedAt < SYNC_MS) return;
      this.#syncedAt = now;
      fsyncSync(file);
    } catch {
      // Written again at the next chance.
    }
  }

  /**
   * From now until `close` no copy of this ledger can be put to work on this machine. Two copies of one ledger know the same
   * approved payments, and each would send them. Several processes on one file are no danger: they share its leases.
   */
  take(): void {
    const { folder, identity, place, now, machine } = this.#parts;
    const { pid, host } = machine;
    const file = join(folder, `${stem(identity.id)}.${randomUUID()}${OPEN}`);
    kept(folder, () => {
      makeFolder(folder);
      const open: Open = { place, host, pid, started: machine.processStart(pid), since: now() };
      writeFileSync(file, JSON.stringify(open), { flag: 'wx', mode: 0o600 });
    });
    this.#taken = file;
    // Written first and looked afterwards: of two that start at the same moment at least one sees the other.
    this.requireNoOther();
  }

  requireNoOther(): void {
    const { folder, identity, place, machine, now } = this.#parts;
    const isAtWork = ({ host, pid, started, since }: Open) =>
      host === machine.host ? machine.isRunning(pid, started) : now() - since < ELSEWHERE_MS;
    for (const name of namesIn(folder, `${stem(identity.id)}.`, OPEN)) {
      const file = join(folder, name);
      const open = readOpen(file);
      if (open === undefined || file === this.#taken) continue;
      if (!isAtWork(open)) rmSync(file, { force: true });
      else if (open.place !== place) throw copyAtWork(identity.path, open);
    }
  }

  close(): void {
    if (this.#taken !== undefined) rmSync(this.#taken, { force: true });
    if (this.#file !== undefined) closeSync(this.#file);
    [this.#taken, this.#file] = [undefined, undefined];
  }

  #headLine({ commits, hash }: Head): string {
    const { now, history } = this.#parts;
    const line = JSON.stringify({ commits, hash, updatedAt: now(), history: history?.() });
    return `${line.padEnd(HEAD_WIDTH - 1)}\n`;
  }

  /** `first`: what stands in a new file. */
  #opened(first: Buffer): number {
    const { folder, identity } = this.#parts;
    if (this.#file === undefined) {
      makeFolder(folder);
      const file = knownFile(folder, identity);
      if (!existsSync(file)) makeWhole(file, first);
      this.#file = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
    }
    return this.#file;
  }
}

/** Which file of a live ledger a process has open. */
interface Open {
  readonly place: string;
  readonly host: string;
  readonly pid: number;
  readonly started: string | null;
  readonly since: number;
}

const makeFolder = (folder: string) => mkdirSync(folder, { recursive: true, mode: 0o700 });

/**
 * A file that a full disk or an end in the middle left empty would stop every ledger of this user. Where another process was
 * first, its file stays.
 */
function makeWhole(file: string, text: Buffer): void {
  const making = `${file}.${randomUUID()}${MAKING}`;
  try {
    const made = openSync(making, 'wx', 0o600);
    try {
      writeSync(made, text);
      fsyncSync(made);
    } finally {
      closeSync(made);
    }
    linkSync(making, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // A disk that knows no second names, as on a stick.
    if (!NO_LINKS.includes(codeOf(error))) throw error;
    renameSync(making, file);
  } finally {
    rmSync(making, { force: true });
  }
}

const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** An id comes from the ledger, and may be anything. */
const stem = (id: string) => encodeURIComponent(id);

function namesIn(folder: string, begin: string, end: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(begin) && name.endsWith(end));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw notKept(folder, error);
  }
}

/** Another process may write to it at this moment: what was read twice was whole. */
function wholeText(file: string): string {
  for (let text = readFileSync(file, 'utf8'); ; ) {
    const again = readFileSync(file, 'utf8');
    if (again === text) return text;
    text = again;
  }
}

function readKnown(file: string): KnownLedger {
  try {
    const [first = '', second = ''] = wholeText(file).split('\n');
    const { commits, hash, updatedAt, history } = JSON.parse(first) as Record<string, unknown>;
    const of = JSON.parse(second) as KnownLedger;
    if (!Number.isSafeInteger(commits) || typeof hash !== 'string') throw new TypeError('no head');
    if (![of.id, of.path, of.place].every((word) => typeof word === 'string')) throw new TypeError('no id');
    const head = { commits: Number(commits), hash };
    return { ...of, head, updatedAt: Number(updatedAt), history: history as History | undefined };
  } catch (error) {
    const words =
      `What is remembered of a ledger cannot be read (${file}). Restore it, or remove it; then nothing shows whether that ` +
      'ledger is an older copy, and a person has to accept it.';
    throw new LedgerError('ledger_damaged', words, { cause: error });
  }
}

/** undefined: not written to its end yet. Its process looks at the others after us. */
function readOpen(file: string): Open | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Open;
  } catch {
    return undefined;
  }
}

function kept(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw notKept(folder, error);
  }
}

function notKept(folder: string, cause: unknown): LedgerError {
  const words =
    `The list of known ledgers ${folder} cannot be kept (${codeOf(cause)}). Make room, or set HOME or XDG_CONFIG_HOME to ` +
    'a folder that this user can write to, the same for every run.';
  return new LedgerError('ledger_unwritable', words, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

function copyAtWork(path: string, { place, pid, host }: Open): LedgerError {
  const words =
    `The ledger ${path} is a copy of ${place}, which process ${pid} on ${host} works ` +
    'with now. Two copies would pay the same rows twice. Use that one alone, and remove ' +
    'the copy.';
  return new LedgerError('ledger_busy', words);
}
