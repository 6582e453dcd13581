/** What an operation works with, over the parts of a caller. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Context, FilesContext, WorkersContext } from '../operations/context.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import { openWorkQueue, serverOf } from '../setup/work-queue.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import { proveWith } from '../use-cases/people/sign-approval.ts';
import { type Door, knownLedger, signingParts, withFileFromHere } from './door.ts';
import { endPorts, readingPorts } from './reports.ts';

export function contextOf(door: Door, dialogue: Dialogue): Context {
  const { parts, user, owner, holder, settings } = door;
  const { outputs, writeTemplate, openRedoSink, openAdviceSink } = parts;
  return {
    user,
    signedInPerson: door.entered,
    isTerminal: door.isTerminal,
    people: { roster: settings.people, user: owner },
    environment: settings.environment,
    holder,
    dialogue: { ...dialogue, onProgress: door.tell(dialogue) },
    outputs,
    writeTemplate,
    openRedoSink,
    openAdviceSink,
    openRows: parts.openRows,
    ledgerPath: settings.ledgerPath,
    authUrl: settings.service?.authUrl,
    store: parts,
    now: () => parts.clock.now(),
    requireService: () => door.requireService(),
    files: filesOf(door),
    saver: { by: user, cameWith: door.cameWith },
    ledger: (options) => door.ledger(options),
    ledgerIfAny: () => ledgerIfAny(door),
    existingLedger: () => knownLedger(door),
    workingLedger: (create) => door.workingLedger(dialogue, create || undefined),
    batch: door.batch,
    asking: () => door.asking(dialogue),
    ports: (deadlineMs) => door.ports(dialogue, deadlineMs),
    offlinePorts: (opened) => door.offlinePorts(dialogue, opened),
    readingPorts: () => readingPorts(door),
    async checks(notice) {
      const { examine } = await import('../setup/checks.ts');
      const { parts: checked, user, at: programContext } = door;
      return examine({ parts: checked, user, programContext }, { signal: dialogue.signal, notice });
    },
    endPorts: () => endPorts(door),
    requireReportPlace: parts.requireReportPlace,
    passkeys: () => parts.passkeys(),
    signingPorts: () => signingParts(door),
    sandbox: parts.ownSandbox,
    proofOf: async (passkey) => proveWith(passkey, await signingParts(door)),
    readEvidence: parts.readEvidence,
    workers: workersOf(door, dialogue),
    relativeToFolder: (shown) => withFileFromHere(shown, door),
  };
}

function workersOf({ parts, settings }: Door, { signal }: Dialogue): WorkersContext {
  const { requestsPerSecond: rate, lanes } = settings;
  return {
    requireServer: () => void serverOf(settings),
    seen: async () => (await parts.fleet())?.seen(),
    open: () => openWorkQueue(settings, signal),
    ...{ rate, lanes },
  };
}

async function ledgerIfAny(door: Door): Promise<Ledger | undefined> {
  try {
    return await knownLedger(door);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'ledger_missing') return undefined;
    throw error;
  }
}

function filesOf(door: Door): FilesContext {
  const { parts, settings } = door;
  const { cwd, origins, source: country } = settings;
  return {
    require: parts.requireFile,
    requireOwnPlaces: ({ file: reads, fixFile }) =>
      requireOwnPlaces({ reads, fixFile: typeof fixFile === 'string' ? fixFile : undefined }, parts),
    openFixSink: parts.openFixSink,
    freeFixPath: (source) => freeFixPath(source, cwd),
    folderOf: (path) => (path === '-' ? undefined : dirname(resolve(cwd, path))),
    mappings: () => parts.mappings(),
    savedMappings: () => door.savedMappings(),
    source: { country, isTyped: origins.get('source') === 'flag' },
  };
}

/** A fix file that is there already may be half corrected. */
function freeFixPath(source: string, cwd: string): string {
  const stem = basename(source)
    .replace(/\.[^.]+$/, '')
    .replace(/\.fix(-\d+)?$/, '');
  for (let number = 1; ; number += 1) {
    const path = join(dirname(source), `${stem}.fix${number === 1 ? '' : `-${number}`}.xlsx`);
    if (lstatSync(resolve(cwd, path), { throwIfNoEntry: false }) === undefined) return path;
  }
}
