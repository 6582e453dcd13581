/**
 * Checks of the machine: whether ledger, metrics and notification have a place that can be written to, who may open the
 * files there, and whether the disk has room. Nothing is created or changed.
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
import { bookPathOf, pathFrom } from './places.ts';

/** Below this a large batch with its reports may not fit. */
const ROOM_MIN_MIB = 256;
const MIB = 1_048_576;

/** The folder of the ledger, and the room in it. */
export function placeChecks(settings: Settings): readonly Check[] {
  if (settings.ledgerServer !== undefined) return [];
  return [ledgerFolder(settings), ...room(settings.ledgerPath)];
}

/** Anyone who can write the configuration file decides where money goes. */
export function openConfiguration({ configPath: path, people }: Settings): readonly Check[] {
  if (path === undefined || process.geteuid === undefined || ((modeOf(path) ?? 0) & 0o022) === 0) return [];
  const decides = people.size === 0 ? 'where money goes' : 'where money goes and who may approve';
  const text = `others can write ${path}, which says ${decides}`;
  const mend = `chmod go-w ${shellWord(plainPath(path))}`;
  return [{ what: 'Settings', isGood: false, text, mend }];
}

/**
 * The file that gives a user some roles and not all must not be one that this user can write, nor replace. Whoever is
 * root can write everything: of root nothing is said.
 */
export function ownRoster({ people, origins }: Settings, user: string): readonly Check[] {
  const path = origins.get('people');
  const roles = people.get(user);
  const isFree = roles === undefined || roles.includes('administrator') || process.geteuid?.() === 0;
  if (path === undefined || isFree || !(mayWriteFile(path) || mayWrite(dirname(path)))) return [];
  const text = `${user} can write ${path}, which says what ${user} may do`;
  const mend = said`Let another user own the file and its folder, and name it with ${input('config')}.`;
  return [{ what: 'People', isGood: false, text, mend }];
}

function ledgerFolder({ ledgerPath, environment }: Settings): Check {
  const what = 'Ledger folder';
  if (ledgerPath === ':memory:') return { what, isGood: true, text: 'kept in memory' };
  const folder = nearestFolder(ledgerPath);
  if (!mayWrite(folder)) {
    const mend = said`Give the user who runs payfile the right to write there, or choose a place with ${input('ledger')}.`;
    return { what, isGood: false, text: `${folder} cannot be written to`, mend };
  }
  const isOwn = folder === dirname(resolve(ledgerPath));
  const isOpen = (statSync(folder).mode & 0o022) !== 0;
  if (isOwn && isOpen && environment === 'live') {
    const mend = `chmod 700 ${folder}`;
    return { what, isGood: false, text: `others can change what is in ${folder}`, mend };
  }
  return { what, isGood: true, text: `${folder} can be written to` };
}

function room(ledgerPath: string): readonly Check[] {
  if (ledgerPath === ':memory:') return [];
  const what = 'Disk';
  const bytes = freeIn(nearestFolder(ledgerPath));
  if (bytes === undefined) return [{ what, isGood: true, text: 'the system does not tell how much is free' }];
  const free = Math.floor(bytes / MIB);
  const text = `${free.toLocaleString('en')} MiB free where the ledger is`;
  if (free >= ROOM_MIN_MIB) return [{ what, isGood: true, text }];
  return [{ what, isGood: false, text, mend: 'Make room: a disk that fills up stops the sending.' }];
}

/** Bytes that this user may still write; undefined where the system does not tell. */
function freeIn(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** A ledger needs more than this beside its rows to be opened. */
const ROOM_TO_OPEN_BYTES = 2 * MIB;
/** SQLite's words for a disk without room: it is full, or a file beside the ledger cannot be made longer. */
const WITHOUT_ROOM: readonly unknown[] = [13, 10];

/** The error of opening a ledger; where the disk has no room, with the folder in which to make some. */
export function namingFullDisk(error: unknown, ledgerPath: string, free = freeIn): unknown {
  if (!(error instanceof LedgerError) || error.code !== 'ledger_unwritable') return error;
  const { cause } = error;
  const kind = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
  const folder = nearestFolder(ledgerPath);
  const bytes = free(folder);
  if (!WITHOUT_ROOM.includes(kind) || bytes === undefined || bytes >= ROOM_TO_OPEN_BYTES) return error;
  const text =
    `The ledger ${ledgerPath} cannot be opened: the disk is full. ${folder} has room for ${Math.floor(bytes / 1_024)} KiB; ` +
    'expected 2 MiB at the least. Delete or move away what is not needed on that disk (not the ledger and the files ' +
    'beside it), then run the command again.';
  return new LedgerError('ledger_unwritable', text, { cause: error });
}

export async function metricsPlace(path: string, outputs: OutputGuard, cwd: string): Promise<Check> {
  const what = 'Metrics file';
  const refused = await outputs.check(path, 'metrics').catch((error: unknown) => error);
  if (refused instanceof ReportUnwritable) return { what, isGood: false, text: saidBy(refused) };
  const place = resolve(cwd, path);
  const folder = dirname(place);
  const isFile = !existsSync(place) || statSync(place).isFile();
  const isGood = mayWrite(folder) && isFile;
  if (isGood) return { what, isGood, text: `${path} can be written` };
  const text = isFile ? `${folder} is not there or cannot be written to` : `${path} is not a file`;
  const mend = 'Make the folder, owned by the user who runs payfile; the collector only has to read it.';
  return { what, isGood, text, mend };
}

/** As the system finds it: a path as it stands, a bare name along PATH. */
export function isProgramThere(program: string, { env, cwd }: Pick<SettingsContext, 'env' | 'cwd'>): boolean {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isProgram(pathFrom(cwd, join(folder, program))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The folder of a path, or the first above it that is there. */
function nearestFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

function mayWriteFile(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** Only the owner may open the ledger and the files beside it. */
export function modeChecks({ ledgerPath, ledgerServer, environment }: Settings): readonly Check[] {
  if (ledgerPath === ':memory:' || ledgerServer !== undefined) return [];
  const beside = LEDGER_ENDS.map((end) => `${ledgerPath}${end}`);
  const paths = environment === 'sandbox' ? [...beside, bookPathOf(ledgerPath)] : beside;
  const open = paths.filter((path) => ((modeOf(path) ?? 0) & 0o177) !== 0);
  if (open.length === 0) return [];
  const mend = `chmod 600 ${open.map((path) => shellWord(plainPath(path))).join(' ')}`;
  return [{ what: 'Ledger files', isGood: false, text: `other users can read ${open.join(', ')}`, mend }];
}

/** undefined where there is no such file, or nobody may look. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  } catch {
    return undefined;
  }
}
