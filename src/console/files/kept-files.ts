/**
 * Uploaded files that are not a batch yet: each in a folder of its own, with how it is read and what came of it. A file
 * belongs to the person who uploaded it, so that this person is the maker of its batch. All end with the console.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Question } from '../../domain/reading/question.ts';
import type { CellEdit } from '../../domain/rows/cell-edit.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { CheckedRows, check } from '../../operations/check.ts';
import type { InputOf } from '../../operations/operation.ts';
import type { Html } from '../../views/html.ts';

export interface KeptFile {
  readonly id: string;
  readonly path: string;
  /** As it was called when it was uploaded. */
  readonly name: string;
  readonly bytes: number;
  /** Who uploaded it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reading: Reading;
  /** Corrections of cells, the oldest first; one for each cell. */
  readonly edits: readonly Edit[];
  /** What the last plan came to. */
  readonly plan: PlanMade | undefined;
  /** As the batch was called when it was last planned. */
  readonly batch: string;
  /** How many rows the person left out then; empty: none. */
  readonly leaveOut: string;
}

/** What a person said about how the file is read. */
export type Reading = Pick<
  InputOf<typeof check>,
  'sheet' | 'headerRow' | 'delimiter' | 'decimal' | 'source' | 'answers'
>;

/** A correction, and whose it is. */
export interface Edit extends CellEdit {
  readonly by: string;
  readonly at: Timestamp;
}

/** What became of the last plan of a file. `batchId`: the batch that was made of it. */
export type PlanMade =
  | { readonly kind: 'planned'; readonly batchId: string }
  | {
      readonly kind: 'stopped';
      readonly batchId?: string;
      readonly said: Html;
      /** A person may create the ledger. */
      readonly isLedgerMissing?: boolean;
    }
  /** A person has to say what this file is to another batch. */
  | {
      readonly kind: 'repeats' | 'same_file' | 'name_taken';
      readonly batchId?: string;
      readonly said: string;
      readonly of: { readonly id: string; readonly label: string };
    };

export function cellKey({ row, column }: Pick<Edit, 'row' | 'column'>): string {
  return `${row}:${column}`;
}

/** What a check found of a file as it is read now. */
export type Found =
  | { readonly kind: 'rows'; readonly checked: CheckedRows }
  /** The file cannot be used as a whole. */
  | {
      readonly kind: 'refused';
      readonly why: string;
      /** What has to be answered first. */
      readonly questions: readonly Question[];
    };

/** What changes of a file as it stands: another request may have changed it since this one began. */
type Change = Partial<Pick<KeptFile, 'reading' | 'edits' | 'plan' | 'batch' | 'leaveOut'>>;

export interface KeptFiles {
  /** A file that lies in the desk's folder, moved. */
  keep(path: string, name: string, by: string): Promise<KeptFile>;
  /** A file of the package, copied. */
  keepCopy(path: string, by: string): Promise<KeptFile>;
  /** undefined: there is none, or somebody else uploaded it. */
  of(id: string, by: string): KeptFile | undefined;
  /** Those that are not a batch yet, the newest first. */
  waiting(by: string): readonly KeptFile[];
  /** Whether this person's files that wait are too many, or those of all; undefined: there is room. */
  fullOf(by: string): 'own' | 'all' | undefined;
  /** Nothing where the file is gone meanwhile. */
  change(id: string, next: (now: KeptFile) => Change): void;
  remove(id: string): Promise<void>;
  /** undefined: not looked at yet, or read in another way now. */
  found(id: string): Found | undefined;
  setFound(id: string, found: Found): void;
  /** The file is to be checked again; all files, when a plan kept answers for files with the same columns. */
  forgetFound(id?: string): void;
}

/** Of one person, and of all. */
export const FILES_MAX = { own: 20, all: 100 } as const;
/** Findings of a large file take memory; the others are checked again when somebody looks. */
const FINDINGS_MAX = 5;

const NOTHING_SAID = {
  reading: {},
  edits: [],
  plan: undefined,
  batch: '',
  leaveOut: '',
} as const satisfies Partial<KeptFile>;

export function createKeptFiles(folder: string, now: () => number): KeptFiles {
  const files = new Map<string, KeptFile>();
  const findings = new Map<string, Found>();
  const isWaiting = ({ plan }: KeptFile) => plan?.kind !== 'planned';
  const put = async (name: string, by: string, bring: (path: string) => Promise<void>) => {
    const oldest = [...files.values()].find((file) => !isWaiting(file));
    if (files.size >= FILES_MAX.all && oldest !== undefined) await remove(oldest.id);
    const id = randomBytes(12).toString('hex');
    await mkdir(join(folder, id), { mode: 0o700 });
    const path = join(folder, id, nameOnDisk(name));
    await bring(path);
    const { size: bytes } = await stat(path);
    const file: KeptFile = { id, path, name, bytes, by, at: now(), ...NOTHING_SAID };
    files.set(id, file);
    return file;
  };
  const remove = async (id: string) => {
    files.delete(id);
    findings.delete(id);
    await rm(join(folder, id), { recursive: true, force: true });
  };
  return {
    keep: (path, name, by) => put(name, by, (to) => rename(path, to)),
    keepCopy: (path, by) => put(basename(path), by, (to) => copyFile(path, to)),
    of(id, by) {
      const file = files.get(id);
      return file?.by === by ? file : undefined;
    },
    waiting: (by) => [...files.values()].filter((file) => file.by === by && isWaiting(file)).reverse(),
    fullOf(who) {
      const waiting = [...files.values()].filter(isWaiting);
      if (waiting.length >= FILES_MAX.all) return 'all';
      return waiting.filter(({ by }) => by === who).length >= FILES_MAX.own ? 'own' : undefined;
    },
    change(id, next) {
      const file = files.get(id);
      if (file === undefined) return;
      const change = next(file);
      files.set(id, { ...file, ...change });
      if (change.reading !== undefined || change.edits !== undefined) findings.delete(id);
    },
    remove,
    found: (id) => findings.get(id),
    setFound(id, found) {
      if (!files.has(id)) return;
      findings.delete(id);
      findings.set(id, found);
      const [oldest] = findings.keys();
      if (findings.size > FINDINGS_MAX && oldest !== undefined) findings.delete(oldest);
    },
    forgetFound(id) {
      if (id === undefined) findings.clear();
      else findings.delete(id);
    },
  };
}

/** Of any letters, within what a file system takes. */
const NAME_LENGTH_MAX = 60;

/** The file's own name where every system can have it so: messages and batches name the file by it. */
export function nameOnDisk(name: string): string {
  const plain = name.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} ._()+-]/gu, '_');
  const letters = Array.from(plain.replace(/^[. ]+/, '_'));
  return letters.slice(-NAME_LENGTH_MAX).join('');
}
