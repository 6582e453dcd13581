/**
 * A disk whose k-th write fails, below everything that writes: commits of SQLite, and files that are opened for
 * writing, written, synced, put in place. Once or from then on; before the write took effect, or after it.
 */
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';

export interface DiskFault {
  readonly name: string;
  readonly effect: 'none' | 'whole';
  readonly lasts: 'once' | 'from_then_on';
}

export const DISK_FAULTS: readonly DiskFault[] = [
  { name: 'a disk that is full from then on', effect: 'none', lasts: 'from_then_on' },
  { name: 'a disk that is full for a moment', effect: 'none', lasts: 'once' },
  { name: 'a disk that fails after the write', effect: 'whole', lasts: 'once' },
];

export interface FailingDisk {
  /** The k-th write from now on fails; undefined: none. */
  arm(fault: DiskFault | undefined, at: number): void;
  /** Writes since it was armed. */
  counted(): number;
  /** What was hit; undefined while nothing was. */
  struck(): string | undefined;
  restore(): void;
}

const WRITING = /^(w|a|r\+)/;
const FULL = 13;
const IO_ERROR = 10;

/** Changes this process. Must be restored. */
export function failingDisk(): FailingDisk {
  let fault: DiskFault | undefined;
  let at = 0;
  let writes = 0;
  let struck: string | undefined;

  /** `undo`: what nobody is given, nobody closes. */
  function written<Result>(
    what: string,
    run: () => Result,
    error: (isAfter: boolean) => Error,
    undo: (result: Result) => unknown = () => undefined,
  ): Result {
    writes += 1;
    const isHit = fault !== undefined && (writes === at || (writes > at && fault.lasts === 'from_then_on'));
    if (!isHit || fault === undefined) return run();
    struck ??= what;
    if (fault.effect === 'whole') undo(run());
    throw error(fault.effect === 'whole');
  }
  const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const sqliteError = (isAfter: boolean) => {
    const [errcode, text] = isAfter
      ? ([IO_ERROR, 'disk I/O error'] as const)
      : ([FULL, 'database or disk is full'] as const);
    return Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode, errstr: text });
  };
  const back: (() => void)[] = [];
  function replace<Owner extends object, Name extends keyof Owner>(
    owner: Owner,
    name: Name,
    by: (real: Owner[Name]) => Owner[Name],
  ): void {
    const real = owner[name];
    owner[name] = by(real);
    back.push(() => {
      owner[name] = real;
    });
  }
  const simple = ['writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'mkdirSync', 'ftruncateSync'] as const;
  for (const name of simple) {
    replace(fs, name, (real) => {
      const call = real as (...given: unknown[]) => unknown;
      return ((...given: unknown[]) => written(name, () => call(...given), noSpace)) as typeof real;
    });
  }
  replace(fs, 'openSync', (real) => (path, flags, mode) => {
    const open = () => real(path, flags, mode);
    return WRITING.test(String(flags)) ? written('openSync', open, noSpace, fs.closeSync) : open();
  });
  replace(
    fsPromises,
    'rename',
    (real) => async (from, to) => written('rename', () => real(from, to), noSpace),
  );
  replace(fsPromises, 'open', (real) => async (path, flags, mode) => {
    const open = () => real(path, flags, mode);
    const close = (handle: ReturnType<typeof open>) => handle.then((file) => file.close());
    return WRITING.test(String(flags)) ? written('open', open, noSpace, close) : open();
  });
  const sqlite = process.getBuiltinModule('node:sqlite');
  replace(sqlite.DatabaseSync.prototype, 'exec', (real) => {
    return function exec(this: DatabaseSync, sql: string) {
      if (sql !== 'COMMIT') return real.call(this, sql);
      return written('COMMIT', () => real.call(this, sql), sqliteError);
    };
  });
  syncBuiltinESMExports();
  return {
    arm(next, nth) {
      fault = next;
      at = nth;
      writes = 0;
      struck = undefined;
    },
    counted: () => writes,
    struck: () => struck,
    restore() {
      for (const put of back) put();
      syncBuiltinESMExports();
    },
  };
}
