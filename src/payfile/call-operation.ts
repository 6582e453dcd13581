/** Does an operation for a caller: checks what was given and who asks, then runs it. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { type Deed, mayDo, personCalled } from '../domain/people/person.ts';
import type { Context, FilesContext } from '../operations/context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { proveWith } from '../use-cases/people/sign-approval.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { type Door, knownLedger, withFileFromHere } from './door.ts';
import { requireOwnPlaces } from './outputs.ts';
import { signingParts } from './people.ts';
import { NotAllowed } from './permissions.ts';
import { lookingPorts, withEnd } from './reports.ts';
import { problemOf } from './value-kinds.ts';

/** Errors: RequestRefused, NotAllowed, and those of the operation. */
export type CallOperation = <Given extends Input, Result, Json extends object>(
  operation: Operation<Given, Result, Json>,
  given: z.input<Given>,
  dialogue?: Dialogue,
) => Promise<Result>;

export const callOperation =
  (door: Door): CallOperation =>
  async (operation, given, dialogue = {}) => {
    const { name, input, needs } = operation;
    const parsed = input.safeParse(given);
    if (!parsed.success)
      throw new RequestRefused(`${name}: ${problemOf(parsed.error, given, '')} Nothing was done.`);
    requireAllowed(door, typeof needs === 'function' ? needs(parsed.data) : needs);
    return operation.run(parsed.data, contextOf(door, dialogue));
  };

function requireAllowed({ settings: { people: roster }, user, owner }: Door, deeds: readonly Deed[]): void {
  if (roster.size === 0) return;
  const person = personCalled(user, { roster, user: owner }) ?? { roles: [] };
  const missing = deeds.find((deed) => !mayDo(person, deed));
  if (missing !== undefined) throw new NotAllowed(user, missing);
}

export function contextOf(door: Door, dialogue: Dialogue): Context {
  const { parts, user, holder, settings } = door;
  const { outputs, writeTemplate } = parts;
  return {
    user,
    environment: settings.environment,
    holder,
    dialogue: { ...dialogue, onProgress: door.tell(dialogue) },
    outputs,
    writeTemplate,
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
    workingLedger: (create) => door.workingLedger(dialogue, create || undefined),
    batch: door.batch,
    asking: () => door.asking(dialogue),
    ports: () => door.ports(dialogue),
    offlinePorts: (opened) => door.offlinePorts(dialogue, opened),
    lookingPorts: () => lookingPorts(door),
    passkeys: () => parts.passkeys(),
    proofOf: async (passkey) => proveWith(passkey, await signingParts(door)),
    endOf: async (batch, options) => (await withEnd({ batch }, options, door)).batchEnd,
    ownBookEnd: async ({ identity: { environment, path } }) =>
      environment === 'sandbox' ? (await import('./sandbox.ts')).ownBookEnd(path) : undefined,
    readEvidence: parts.readEvidence,
    fromHere: (shown) => withFileFromHere(shown, door),
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
      requireOwnPlaces({ reads, fixFile: typeof fixFile === 'string' ? fixFile : undefined }, door),
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
