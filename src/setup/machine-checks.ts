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

export const good = (what: string, text: Check['text']): Check => ({ what, isGood: true, text });

export const bad = (what: string, text: Check['text'], more: Partial<Check> = {}): Check => ({
  ...{ what, isGood: false, text },
  ...more,
});

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
  return [bad('Settings', text, { mend })];
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
  return [bad('People', text, { mend })];
}

function ledgerFolder({ ledgerPath, environment }: Settings): Check {
  const what = 'Ledger folder';
  if (ledgerPath === ':memory:') return good(what, 'kept in memory');
  const folder = nearestFolder(ledgerPath);
  if (!mayWrite(folder)) {
    const mend = said`Give the user who runs payfile the right to write there, or choose a place with ${input('ledger')}.`;
    return bad(what, `${folder} cannot be written to`, { mend });
  }
  const isOwn = folder === dirname(resolve(ledgerPath));
  const isOpen = (statSync(folder).mode & 0o022) !== 0;
  if (isOwn && isOpen && environment === 'live') {
    const mend = `chmod 700 ${folder}`;
    return bad(what, `others can change what is in ${folder}`, { mend });
  }
  return good(what, `${folder} can be written to`);
}

function room(ledgerPath: string): readonly Check[] {
  if (ledgerPath === ':memory:') return [];
  const what = 'Disk';
  const bytes = freeIn(nearestFolder(ledgerPath));
  if (bytes === undefined) return [good(what, 'the system does not tell how much is free')];
  const free = Math.floor(bytes / MIB);
  const text = `${free.toLocaleString('en')} MiB free where the ledger is`;
  if (free >= ROOM_MIN_MIB) return [good(what, text)];
  return [bad(what, text, { mend: 'Make room: a disk that fills up stops the sending.' })];
}

/** undefined where the system does not tell, or nobody may look. */
function asked<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Bytes that this user may still write. */
function freeIn(folder: string): number | undefined {
  return asked(() => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  });
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
  if (refused instanceof ReportUnwritable) return bad(what, saidBy(refused));
  const place = resolve(cwd, path);
  const folder = dirname(place);
  const isFile = !existsSync(place) || statSync(place).isFile();
  if (mayWrite(folder) && isFile) return good(what, `${path} can be written`);
  const text = isFile ? `${folder} is not there or cannot be written to` : `${path} is not a file`;
  const mend = 'Make the folder, owned by the user who runs payfile; the collector only has to read it.';
  return bad(what, text, { mend });
}

/** As the system finds it: a path as it stands, a bare name along PATH. */
export function isProgramThere(program: string, { env, cwd }: Pick<SettingsContext, 'env' | 'cwd'>): boolean {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isProgram(pathFrom(cwd, join(folder, program))));
}

const isProgram = (path: string) => mayUse(path, constants.X_OK) && statSync(path).isFile();

/** The folder of a path, or the first above it that is there. */
function nearestFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

const mayWriteFile = (path: string) => mayUse(path, constants.W_OK);

const mayWrite = (folder: string) =>
  mayUse(folder, constants.W_OK | constants.X_OK) && statSync(folder).isDirectory();

function mayUse(path: string, mode: number): boolean {
  const isRefused = asked(() => {
    accessSync(path, mode);
    return false;
  });
  return isRefused === false;
}

/** Only the owner may open the ledger and the files beside it. */
export function modeChecks({ ledgerPath, ledgerServer, environment }: Settings): readonly Check[] {
  if (ledgerPath === ':memory:' || ledgerServer !== undefined) return [];
  const beside = LEDGER_ENDS.map((end) => `${ledgerPath}${end}`);
  const paths = environment === 'sandbox' ? [...beside, bookPathOf(ledgerPath)] : beside;
  const open = paths.filter((path) => ((modeOf(path) ?? 0) & 0o177) !== 0);
  if (open.length === 0) return [];
  const mend = `chmod 600 ${open.map((path) => shellWord(plainPath(path))).join(' ')}`;
  return [bad('Ledger files', `other users can read ${open.join(', ')}`, { mend })];
}

const modeOf = (path: string) => asked(() => statSync(path).mode);
