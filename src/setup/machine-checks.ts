/**
 * Checks of the machine: whether ledger, metrics and notification are writable, who may open the files, and free disk
 * space. Creates and changes nothing.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { plainPath, shellWord } from '../domain/next-steps/command.ts';
import { input, said, saidBy } from '../domain/text/message.ts';
import { LEDGER_ENDS } from '../ledger/place.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Check } from '../ports/machine-check.ts';
import { type OutputGuard, ReportUnwritable } from '../ports/outputs.ts';
import type { Settings, SettingsContext } from './load-settings.ts';
import { bookBeside, pathFrom } from './places.ts';

export const good = (what: string, text: Check['text']): Check => ({ what, isGood: true, text });

export const bad = (what: string, text: Check['text'], more: Partial<Check> = {}): Check => ({
  ...{ what, isGood: false, text },
  ...more,
});

/** With less space, a large batch with its reports may not fit. */
const FREE_MIN_MIB = 256;
const MIB = 1_048_576;

/** Checks the folder of the ledger and its free space. */
export function placeChecks(settings: Settings): readonly Check[] {
  if (settings.ledgerServer !== undefined) return [];
  return [checkLedgerFolder(settings), ...diskSpaceChecks(settings.ledgerPath)];
}

/** Warns if others can write the configuration, because it decides where money goes. */
export function configurationModeChecks({ configPath: path, people }: Settings): readonly Check[] {
  if (path === undefined || process.geteuid === undefined || ((modeOf(path) ?? 0) & 0o022) === 0) return [];
  const decides = people.size === 0 ? 'where money goes' : 'where money goes and who may approve';
  const text = `others can write ${path}, which decides ${decides}`;
  const fix = `chmod go-w ${shellWord(plainPath(path))}`;
  return [bad('Settings', text, { fix })];
}

/**
 * A user without all roles must not be able to write or replace the file of roles. Skips root, which can write
 * everything.
 */
export function roleFileChecks({ people, origins }: Settings, user: string): readonly Check[] {
  const path = origins.get('people');
  const roles = people.get(user);
  const mayChangeRoles = roles === undefined || roles.includes('administrator') || process.geteuid?.() === 0;
  if (path === undefined || mayChangeRoles || !(mayWriteFile(path) || mayWrite(dirname(path)))) return [];
  const text = `${user} can write ${path}, which gives roles to ${user}`;
  const fix = said`Give the file and its folder to another user, and name the file with ${input('config')}.`;
  return [bad('People', text, { fix })];
}

function checkLedgerFolder({ ledgerPath, environment }: Settings): Check {
  const what = 'Ledger folder';
  if (ledgerPath === ':memory:') return good(what, 'kept in memory');
  const folder = nearestFolder(ledgerPath);
  if (!mayWrite(folder)) {
    const fix = said`Give the user of payfile the right to write there, or choose another place with ${input('ledger')}.`;
    return bad(what, `${folder} is not writable`, { fix });
  }
  const isOwn = folder === dirname(resolve(ledgerPath));
  const isOpen = (statSync(folder).mode & 0o022) !== 0;
  if (isOwn && isOpen && environment === 'live') {
    const fix = `chmod 700 ${folder}`;
    return bad(what, `others can change files in ${folder}`, { fix });
  }
  return good(what, `${folder} is writable`);
}

function diskSpaceChecks(ledgerPath: string): readonly Check[] {
  if (ledgerPath === ':memory:') return [];
  const what = 'Disk';
  const bytes = freeBytesIn(nearestFolder(ledgerPath));
  if (bytes === undefined) return [good(what, 'the system does not report free space')];
  const free = Math.floor(bytes / MIB);
  const text = `${free.toLocaleString('en')} MiB free where the ledger is`;
  if (free >= FREE_MIN_MIB) return [good(what, text)];
  return [bad(what, text, { fix: 'Free some space: a full disk stops sending.' })];
}

/** undefined if the system does not answer, or denies access. */
function orUndefined<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Free bytes for this user. */
function freeBytesIn(folder: string): number | undefined {
  return orUndefined(() => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  });
}

/** Opening a ledger needs this space in addition to its rows. */
const OPEN_BYTES_MIN = 2 * MIB;
/** SQLite codes of a full disk: SQLITE_FULL, and SQLITE_IOERR for a file that cannot grow. */
const FULL_DISK_CODES: readonly unknown[] = [13, 10];

/** Explains an error of opening a ledger as a full disk, if that is the cause. */
export function explainFullDisk(error: unknown, ledgerPath: string, free = freeBytesIn): unknown {
  if (!(error instanceof LedgerError) || error.code !== 'ledger_unwritable') return error;
  const { cause } = error;
  const kind = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
  const folder = nearestFolder(ledgerPath);
  const bytes = free(folder);
  if (!FULL_DISK_CODES.includes(kind) || bytes === undefined || bytes >= OPEN_BYTES_MIN) return error;
  const text =
    `The ledger ${ledgerPath} cannot be opened, because the disk is full. ${folder} has ${Math.floor(bytes / 1_024)} KiB free; ` +
    'expected at least 2 MiB. Delete or move files on that disk, but not the ledger and the files beside it. ' +
    'Then run the command again.';
  return new LedgerError('ledger_unwritable', text, { cause: error });
}

export async function checkMetricsPlace(path: string, outputs: OutputGuard, cwd: string): Promise<Check> {
  const what = 'Metrics file';
  const refused = await outputs.check(path, 'metrics').catch((error: unknown) => error);
  if (refused instanceof ReportUnwritable) return bad(what, saidBy(refused));
  const place = resolve(cwd, path);
  const folder = dirname(place);
  const isFile = !existsSync(place) || statSync(place).isFile();
  if (mayWrite(folder) && isFile) return good(what, `${path} is writable`);
  const text = isFile ? `${folder} does not exist or is not writable` : `${path} is not a file`;
  const fix = 'Create the folder, owned by the user of payfile. The collector only needs to read it.';
  return bad(what, text, { fix });
}

/** Finds a program as the system does: by path, or by name in PATH. */
export function isProgramThere(program: string, { env, cwd }: Pick<SettingsContext, 'env' | 'cwd'>): boolean {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isProgram(pathFrom(cwd, join(folder, program))));
}

const isProgram = (path: string) => mayUse(path, constants.X_OK) && statSync(path).isFile();

/** The folder of a path, or its nearest existing parent. */
function nearestFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

const mayWriteFile = (path: string) => mayUse(path, constants.W_OK);

const mayWrite = (folder: string) =>
  mayUse(folder, constants.W_OK | constants.X_OK) && statSync(folder).isDirectory();

function mayUse(path: string, mode: number): boolean {
  const isAllowed = orUndefined(() => {
    accessSync(path, mode);
    return true;
  });
  return isAllowed === true;
}

/** Warns if others may open the ledger or the files beside it. */
export function modeChecks({ ledgerPath, ledgerServer, environment }: Settings): readonly Check[] {
  if (ledgerPath === ':memory:' || ledgerServer !== undefined) return [];
  const beside = LEDGER_ENDS.map((end) => `${ledgerPath}${end}`);
  const paths = environment === 'sandbox' ? [...beside, bookBeside(ledgerPath)] : beside;
  const open = paths.filter((path) => ((modeOf(path) ?? 0) & 0o177) !== 0);
  if (open.length === 0) return [];
  const fix = `chmod 600 ${open.map((path) => shellWord(plainPath(path))).join(' ')}`;
  return [bad('Ledger files', `other users can read ${open.join(', ')}`, { fix })];
}

const modeOf = (path: string) => orUndefined(() => statSync(path).mode);
