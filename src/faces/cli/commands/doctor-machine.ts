/**
 * What doctor looks at on the machine: whether ledger, metrics and notification have a place that can be written
 * to, and whether there is room. Nothing is created or changed; a notification is sent only where that is asked for.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { NotifyTarget } from '../../../domain/reporting/notify-target.ts';
import { type OutputGuard, ReportUnwritable } from '../../../ports/outputs.ts';
import type { NotifyOn, Settings } from '../../../setup/settings.ts';
import { type Call, fromFolder } from '../call.ts';
import { outputsOf } from '../open-parts.ts';
import { outsideOf } from '../outside/after-work.ts';
import { testNoticeText } from '../outside/notice.ts';
import { nowOf } from '../surroundings.ts';
import type { Check } from './doctor.ts';

/** Below this a large batch with its reports may not fit. */
const ROOM_MIN_MIB = 256;

export async function machineChecks(call: Call, settings: Settings): Promise<readonly Check[]> {
  const { metricsFile, notify, on } = outsideOf(call);
  return [
    ledgerFolder(settings),
    ...room(settings.ledgerPath),
    ...(metricsFile === undefined ? [] : [await metricsPlace(metricsFile, outputsOf(call, settings))]),
    ...(notify === undefined ? [] : [await notification(notify, on, call)]),
  ];
}

function ledgerFolder({ ledgerPath, ledgerGroup, environment }: Settings): Check {
  const what = 'Ledger folder';
  if (ledgerPath === ':memory:') return { what, isGood: true, text: 'kept in memory' };
  const folder = nearestFolder(ledgerPath);
  if (!mayWrite(folder)) {
    const mend = 'Give the user who runs payfile the right to write there, or choose a place with --ledger.';
    return { what, isGood: false, text: `${folder} cannot be written to`, mend };
  }
  const isOwn = folder === dirname(resolve(ledgerPath));
  const isOpen = (statSync(folder).mode & (ledgerGroup ? 0o002 : 0o022)) !== 0;
  if (isOwn && isOpen && environment === 'live') {
    const mend = `chmod ${ledgerGroup ? '2770' : '700'} ${folder}`;
    return { what, isGood: false, text: `others can change what is in ${folder}`, mend };
  }
  return { what, isGood: true, text: `${folder} can be written to` };
}

function room(ledgerPath: string): readonly Check[] {
  if (ledgerPath === ':memory:') return [];
  const what = 'Disk';
  const folder = nearestFolder(ledgerPath);
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = Math.floor((bavail * bsize) / 1_048_576);
    const text = `${free.toLocaleString('en')} MiB free where the ledger is`;
    if (free >= ROOM_MIN_MIB) return [{ what, isGood: true, text }];
    return [{ what, isGood: false, text, mend: 'Make room: a disk that fills up stops the sending.' }];
  } catch {
    return [{ what, isGood: true, text: 'the system does not tell how much is free' }];
  }
}

async function metricsPlace(path: string, outputs: OutputGuard): Promise<Check> {
  const what = 'Metrics file';
  const refused = await outputs.check(path, 'metrics').catch((error: unknown) => error);
  if (refused instanceof ReportUnwritable) return { what, isGood: false, text: refused.message };
  const folder = dirname(resolve(path));
  const isFile = !existsSync(path) || statSync(path).isFile();
  const isGood = mayWrite(folder) && isFile;
  if (isGood) return { what, isGood, text: `${path} can be written` };
  const text = isFile ? `${folder} is not there or cannot be written to` : `${path} is not a file`;
  const mend = 'Make the folder, owned by the user who runs payfile; the collector only has to read it.';
  return { what, isGood, text, mend };
}

async function notification(target: NotifyTarget, on: NotifyOn, call: Call): Promise<Check> {
  const what = 'Notification';
  const { shown } = target;
  if (target.kind === 'program' && programAt(target.program, call) === undefined) {
    const mend = 'Write its whole path behind exec:, and make it executable (chmod +x).';
    return { what, isGood: false, text: `${target.program} is not a program that can be run`, mend };
  }
  const when = on === 'always' ? 'after every call' : 'when something is wrong';
  if (call.flags.tryNotify !== true)
    return { what, isGood: true, text: `${shown}, ${when} (not tried: add --try-notify)` };
  const { sendNotice } = await import('../../../setup/compose.ts');
  const environment = call.flags.sandbox === true ? 'sandbox' : 'live';
  const { surroundings } = call;
  const text = testNoticeText({ environment, host: surroundings.host, at: nowOf(surroundings) });
  const problem = await sendNotice(target, text, surroundings);
  if (problem === undefined) return { what, isGood: true, text: `${shown}, ${when}; a test was taken` };
  const mend = 'Mend the address or the program, then run payfile doctor --try-notify again.';
  return { what, isGood: false, text: `${shown}: ${problem}`, mend };
}

/** As the system finds it: a path as it stands, a bare name along PATH. */
function programAt(program: string, call: Call): string | undefined {
  const folders = program.includes('/') ? [''] : (call.surroundings.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => fromFolder(call, join(folder, program))).find(isProgram);
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

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
