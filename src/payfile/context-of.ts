/** What an operation works with, over the parts of a caller. */
import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Command, plainPath } from '../domain/next-steps/command.ts';
import { saidBy } from '../domain/text/message.ts';
import type { Context, FilesContext, WorkersContext } from '../operations/context.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import { requireService } from '../setup/compose.ts';
import { reconnectingLedger } from '../setup/reconnecting-ledger.ts';
import { openWorkQueue, serverOf } from '../setup/work-queue.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import { proveWith } from '../use-cases/people/sign-approval.ts';
import type { Ports } from '../use-cases/ports.ts';
import { withSilenceLimit } from '../use-cases/silent-service.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import type { Door } from './door.ts';
import { harmlessListener } from './listeners.ts';

export function contextOf(door: Door, dialogue: Dialogue): Context {
  const { parts, owner, holder, settings, caller, cameWith } = door;
  const { user, place } = caller;
  const { tell, isTerminal, forUse } = usedWith(door, dialogue);
  const ledger: Context['ledger'] = (options) =>
    parts.ledger({ create: caller.createLedger === true, ...options });
  const existingLedger = () => knownLedger(door, ledger);
  const { policy } = settings;
  const { clock, openReportSink: openSink } = parts;
  const reporting = { clock, policy, place, cameWith, openSink };
  const signingPorts = async () => {
    const { questions } = door;
    return { ledger: await ledger(), clock, policy, passkeys: await parts.passkeys(), questions };
  };
  return {
    ...parts,
    user,
    signedInPerson: door.entered,
    isTerminal,
    people: { roster: settings.people, user: owner },
    environment: settings.environment,
    holder,
    dialogue: { ...dialogue, onProgress: tell },
    ledgerPath: settings.ledgerPath,
    authUrl: settings.service?.authUrl,
    store: parts,
    now: () => clock.now(),
    requireService: () => requireService(settings),
    files: filesOf(door),
    saver: { by: user, cameWith },
    ledger,
    ledgerIfAny: () => existingLedger().catch(unlessMissing),
    existingLedger,
    workingLedger: (create) => workingLedger(ledger, dialogue, create || caller.createLedger === true),
    batch: async (text) => findBatch(text, await ledger()),
    async servicePorts() {
      requireService(settings);
      return { signal: dialogue.signal, tell, paymentService: await parts.paymentService() };
    },
    ports: (deadlineMs) => portsOf(door, { ledger, place, ...forUse }, deadlineMs),
    offlinePorts: async (opened) => ({ ...forUse, policy, ledger: opened ?? (await ledger()) }),
    // A ledger that was set back, or is not known here, may still be looked at.
    readingPorts: async () => ({ ...reporting, ledger: await ledger({ readOnly: true }) }),
    checks: async (notice) => {
      const { examine } = await import('../setup/checks.ts');
      const programContext = { env: caller.env, cwd: settings.cwd };
      return examine({ parts, user, programContext }, { signal: dialogue.signal, notice });
    },
    async endPorts() {
      const about = { temporaryFolder: caller.temporary, user, namesPeople: settings.people.size > 0 };
      return { ...reporting, ledger: await ledger(), ...about };
    },
    signingPorts,
    proofOf: async (passkey) => proveWith(passkey, await signingPorts()),
    workers: workersOf(door, dialogue),
    relativeToFolder: (shown) => withFileFromHere(shown, settings.cwd),
  };
}

/** How whoever calls is known and what that is worth, and what all work is told and timed with. */
function usedWith({ settings, parts, owner, caller, entered, cameWith }: Door, dialogue: Dialogue) {
  const { user, namedBy, onProgress: listener } = caller;
  const { onProgress = listener } = dialogue;
  const tell = harmlessListener(onProgress);
  const isLogin = namedBy === undefined && cameWith === undefined && user === owner;
  const hasOwnLogin = isLogin && settings.ledgerServer !== undefined;
  const { clock, log } = parts;
  // Nobody sits at the terminal where a program names the user, or somebody came in from elsewhere.
  const isTerminal = isLogin && entered === undefined;
  return { tell, isTerminal, forUse: { clock, log, tell, cameWith, namedBy, hasOwnLogin } };
}

/** `deadlineMs`: how long the service may give no answer; undefined: the limit that all silence has. */
async function portsOf(
  { settings, parts }: Door,
  { ledger, ...forUse }: Omit<Ports, 'ledger' | 'policy' | 'paymentService'> & Pick<Context, 'ledger'>,
  deadlineMs?: number,
): Promise<Ports> {
  const first = await ledger();
  const lasting = settings.ledgerServer && reconnectingLedger(first, ledger);
  const { policy } = settings;
  const ports: Ports = {
    ...forUse,
    policy: { ...policy, outageWaitMs: Math.min(policy.outageWaitMs, deadlineMs ?? policy.outageWaitMs) },
    ledger: lasting?.ledger ?? first,
    paymentService: await parts.paymentService(),
    fleet: parts.fleet,
    openAgain: lasting?.reconnect,
  };
  return withSilenceLimit(ports, deadlineMs);
}

/** The path of a batch's file from the working folder. If the file is gone, the person fills it in. */
function withFileFromHere(shown: Command, cwd: string): Command {
  const [file, ...more] = shown.words;
  if (shown.verb !== 'run' || typeof file !== 'string') return shown;
  const path = resolve(cwd, file);
  if (!existsSync(path)) return { ...shown, words: [{ fillIn: 'FILE' }, ...more] };
  const inside = relative(cwd, path);
  return { ...shown, words: [inside.startsWith('../') ? path : plainPath(inside), ...more] };
}

type OpenLedger = Context['ledger'];

/** None is created for a question about it. Errors: LedgerError when there is none. */
async function knownLedger({ settings, parts }: Door, ledger: OpenLedger): Promise<Ledger> {
  const { ledgerPath: path } = settings;
  if (await parts.hasLedger()) return ledger();
  throw new LedgerError('ledger_missing', `There is no ledger ${path}.`);
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof LedgerError) || error.code !== 'ledger_missing') throw error;
}

/** A missing one is created with `create`, or when the person who is asked agrees. */
async function workingLedger(
  ledger: OpenLedger,
  { ask, signal }: Dialogue,
  create: boolean,
): Promise<Ledger> {
  try {
    return await ledger({ create });
  } catch (error) {
    unlessMissing(error);
    const answer = await untilStopped(ask, signal)?.({ kind: 'new_ledger', problem: saidBy(error) });
    if (answer !== 'create') throw error;
    return ledger({ create: true });
  }
}

function workersOf({ parts, settings }: Door, { signal }: Dialogue): WorkersContext {
  const { requestsPerSecond: rate, lanes } = settings;
  return {
    requireServer: () => void serverOf(settings),
    fleet: async () => (await parts.fleet())?.seen(),
    open: () => openWorkQueue(settings, signal),
    ...{ rate, lanes },
  };
}

function filesOf({ parts, settings }: Door): FilesContext {
  const { cwd, origins, source: country } = settings;
  return {
    requireOwnPlaces: ({ file: reads, fixFile }) =>
      requireOwnPlaces({ reads, fixFile: typeof fixFile === 'string' ? fixFile : undefined }, parts),
    freeFixPath: (source) => freeFixPath(source, cwd),
    folderOf: (path) => (path === '-' ? undefined : dirname(resolve(cwd, path))),
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
