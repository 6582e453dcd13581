/**
 * Loaded into the real command before anything else (node --import): does something to the process at a named
 * boundary, without a line of product code. It watches the doors to the world: SQL that is run and committed, the
 * bytes of a transfer, the answer to it, files that are synced and put in place.
 *
 * What a commit is, is told by the events that went into the journal since its BEGIN.
 * Trace:   one line per thing worth knowing, appended at once: it survives a SIGKILL.
 */
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Blow, Label, When } from './plan.ts';

const plan: Blow | undefined = JSON.parse(process.env['KILL_PLAN'] ?? 'null') ?? undefined;
const { writeSync } = fs;
const trace = fs.openSync(process.env['KILL_TRACE'] ?? '/dev/null', 'a');
/** The write-ahead log, whose length at each transfer is wanted. */
const logPath = process.env['KILL_LOG_PATH'];
const counts = new Map<string, number>();
let events = 0;
let isFailing = false;

const LABELS: Readonly<Record<string, Label>> = {
  sealed: 'J0',
  revised: 'J0',
  hold: 'J1',
  invalidate: 'J1',
  price: 'J2',
  approve: 'J3',
  approved: 'J3',
  begin_attempt: 'J4',
  accept: 'J5',
  refuse: 'J5',
  doubt: 'J5',
  not_sent: 'J5',
  turn_away: 'J5',
  progress: 'J6',
  settle: 'J6',
  fail: 'J6',
  rule_paid: 'J7',
  rule_not_paid: 'J7',
  recover: 'RECOVER',
};

/** The boundary is reached: counts it, and does what was planned for this one. */
function at(labels: Iterable<Label>, when: When, half?: () => void): void {
  const isBefore = when === 'before';
  if (isFailing && isBefore && [...labels].some((label) => /^J[0-7]$/.test(label))) throw diskFull();
  for (const label of labels) {
    const key = `${label} ${when}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (plan?.kind !== 'boundary' || plan.label !== label) continue;
    if (plan.when === 'within' && half !== undefined && isBefore && count === plan.nth) {
      half();
      act(`${label} within`);
    }
    if (plan.when === when && count === plan.nth) act(key);
  }
  if (!isBefore) return;
  events += 1;
  if (plan?.kind === 'event' && events === plan.nth) act('EVENT before');
}

function act(where: string): void {
  const { act: deed = 'kill' } = plan ?? {};
  writeSync(trace, `${deed} ${where}\n`);
  if (deed === 'kill') {
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  }
  if (deed === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (deed === 'throw') setImmediate(() => throwIt());
  if (deed === 'out_of_memory') for (const kept: unknown[] = []; ; ) kept.push(new Array(100_000).fill(kept));
  if (deed === 'fsync_error') throw storageError(1034, 'disk I/O error');
  if (!deed.startsWith('disk')) return;
  isFailing = true;
  if (where.startsWith('J8')) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  throw diskFull();
}

const diskFull = () => storageError(13, 'database or disk is full');

function throwIt(): never {
  throw new Error('a bug planted by the test');
}

function storageError(errcode: number, text: string): Error {
  return Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode, errstr: text });
}

watchSqlite();
watchTransfers();
watchFiles();
process.on('exit', () => writeSync(trace, `events ${events}\n`));

function watchSqlite(): void {
  const { emitWarning } = process;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  const sqlite = process.getBuiltinModule('node:sqlite');
  process.emitWarning = emitWarning;
  const { exec } = sqlite.DatabaseSync.prototype;
  const { run } = sqlite.StatementSync.prototype;
  let labels = new Set<Label>();
  let ids: string[] = [];
  sqlite.StatementSync.prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
    if (this.sourceSQL.startsWith('INSERT INTO journal')) {
      for (let first = 0; first + 5 < values.length; first += 6) {
        const label = LABELS[String(values[first + 4])];
        if (label !== undefined) labels.add(label);
        if (values[first + 4] === 'accept') ids.push(JSON.parse(String(values[first + 5])).transferId);
      }
    }
    at([], 'before');
    return (run as (...given: SQLInputValue[]) => unknown).apply(this, values);
  } as typeof run;
  sqlite.DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    if (sql.startsWith('BEGIN')) {
      labels = new Set();
      ids = [];
    }
    const isCommit = sql === 'COMMIT';
    if (isCommit) at(labels, 'before');
    exec.call(this, sql);
    if (!isCommit) return;
    if (ids.length > 0) writeSync(trace, `ids ${ids.join(' ')}\n`);
    at(labels, 'after');
  };
}

/** The first byte of a transfer, and the first byte of its answer. */
function watchTransfers(): void {
  type Write = (
    this: net.Socket,
    many: boolean,
    data: unknown,
    encoding: string,
    done: () => void,
  ) => unknown;
  const prototype = net.Socket.prototype as unknown as { _writeGeneric: Write };
  const { _writeGeneric: write } = prototype;
  prototype._writeGeneric = function (many, data, encoding, done) {
    const head = textOf(data);
    const moved = movesOn(this, head);
    if (moved.length > 0) {
      at(moved, 'before');
      this.prependOnceListener('data', () => at(moved, 'after'));
    }
    if (!/^POST \S*\/transfer /.test(head)) return write.call(this, many, data, encoding, done);
    this.prependListener('data', () => at(['RESPONSE'], 'before'));
    if (logPath !== undefined) writeSync(trace, `post ${accountOf(head)} ${fs.statSync(logPath).size}\n`);
    at(['WRITE'], 'before', () =>
      write.call(this, false, head.slice(0, head.length / 2), 'latin1', () => undefined),
    );
    const result = write.call(this, many, data, encoding, done);
    this.on('data', () => at(['RESPONSE'], 'after'));
    at(['WRITE'], 'after');
    return result;
  };
}

/** What went into the journal since the BEGIN of a connection to a server. */
const moving = new WeakMap<net.Socket, Set<Label>>();
/** The kinds of journal entries, as a value that another one follows: their bodies. */
const KINDS = /\{("\w+"(?:,"\w+")*)\}[\s\S]{4}\{(?:"\{|NULL)/g;

/** What is committed on a server when these bytes are sent. */
function movesOn(socket: net.Socket, bytes: string): Label[] {
  if (/fleet_parts\(work, part, parts\)/.test(bytes)) return ['HAND_OUT'];
  if (/Q[\s\S]{4}BEGIN/.test(bytes)) moving.delete(socket);
  const moved = moving.get(socket) ?? new Set();
  for (const [, kinds = ''] of bytes.matchAll(KINDS)) {
    for (const [kind] of kinds.matchAll(/\w+/g)) {
      const label = LABELS[kind];
      if (label !== undefined) moved.add(label);
    }
  }
  if (moved.size > 0) moving.set(socket, moved);
  if (!/Q[\s\S]{4}COMMIT\0/.test(bytes)) return [];
  moving.delete(socket);
  return [...moved];
}

const accountOf = (head: string) => /"AccountNo":"(\d+)"/.exec(head)?.[1];

function textOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof Uint8Array) return Buffer.from(data).toString('latin1');
  if (Array.isArray(data)) return data.map((part: { chunk: unknown }) => textOf(part.chunk)).join('');
  return '';
}

/** J8: the report is synced, then put in place. J9: what this machine remembers of the ledger is synced. */
function watchFiles(): void {
  const { openSync, closeSync, renameSync, fsyncSync, linkSync, statfsSync } = fs;
  const { rename, open } = fsPromises;
  const remembering = new Set<number>();
  const isRemembered = (path: unknown) => /known-ledgers.[^/\\]+\.json$/.test(String(path));
  fs.openSync = (path, ...how) => {
    const file = openSync(path, ...how);
    if (isRemembered(path)) remembering.add(file);
    return file;
  };
  fs.closeSync = (file) => {
    remembering.delete(file);
    closeSync(file);
  };
  fs.renameSync = (from, to) => {
    at([], 'before');
    renameSync(from, to);
  };
  fs.fsyncSync = (file) => {
    const labels: Label[] = remembering.has(file) ? ['J9'] : [];
    at(labels, 'before');
    fsyncSync(file);
    at(labels, 'after');
  };
  fs.linkSync = (from, to) => {
    const labels: Label[] = isRemembered(to) ? ['J9'] : ['CREATE'];
    at(labels, 'before');
    linkSync(from, to);
    at(labels, 'after');
  };
  const fileSystem = process.env['KILL_FILE_SYSTEM'];
  if (fileSystem !== undefined)
    fs.statfsSync = ((path: string) => ({
      ...statfsSync(path),
      type: Number(fileSystem),
    })) as typeof statfsSync;
  fs.writeSync = ((...given: Parameters<typeof writeSync>) => {
    const isSidecar = given[0] > 2 && isFailing && plan?.act === 'disk_and_sidecar_full';
    if (isSidecar) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return writeSync(...given);
  }) as typeof writeSync;
  fsPromises.rename = async (from, to) => {
    at(['J8'], 'before');
    await rename(from, to);
    at(['J8'], 'after');
  };
  fsPromises.open = async (...given) => {
    const handle = await open(...given);
    const { sync } = handle;
    handle.sync = async () => {
      at(['J8_SYNC'], 'before');
      await sync.call(handle);
      at(['J8_SYNC'], 'after');
    };
    return handle;
  };
  syncBuiltinESMExports();
}
