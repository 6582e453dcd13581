/**
 * The door: everything that can be done with payfile, one method each. Every face (command line, console, worker) and
 * every program that uses payfile as a library calls these methods, and nothing below them.
 *
 * Nothing here takes settings from the environment or ends the process, and only an outcome that the ledger could not
 * record is printed. Progress comes as typed events, what needs a person is asked as a typed question, and what becomes of
 * payments are values.
 * Errors:  set-up and files throw the documented errors (ConfigError, LedgerError, FileRefused, BatchNotFound,
 *          ServiceUnavailable, CredentialsRefused, BatchBusy, BatchHalfRead, BatchNotNamed, OtherFileRead, ReportUnwritable); a
 *          wrong value, RequestRefused. After closing every method throws PayfileClosed.
 */

import { hostname, tmpdir, userInfo } from 'node:os';
import { isServerPlace } from './domain/batches/ledger-trust.ts';
import { personOfLogin } from './domain/people/person.ts';
import { defaultPolicy } from './domain/policy.ts';
import { defaultOf, valuesOf } from './domain/setting.ts';
import { RUN_SETTINGS } from './domain/settings.ts';
import { Sensitive } from './domain/text/sensitive.ts';
import {
  BATCHES,
  FILES,
  FLEET,
  FRONT,
  LEDGER,
  LISTS,
  type ListedOperation,
  MACHINE,
  MAPPINGS,
  PEOPLE,
  ROWS,
  SANDBOX,
} from './operations/all.ts';
import { type CallOperation, callOperation } from './payfile/call-operation.ts';
import { checkedDialogue, checkedPerson } from './payfile/check-options.ts';
import { checkedSettings, type PayfileOptions, policyOver } from './payfile/check-settings.ts';
import { untilClosed } from './payfile/closing.ts';
import { type CallerContext, type Door, openDoor } from './payfile/door.ts';
import { type AsWork, methodsOf, type OperationMethods } from './payfile/operation-methods.ts';
import type { Log } from './ports/log.ts';
import { ledgerServerOf } from './setup/ledger-server.ts';
import type { Settings } from './setup/load-settings.ts';
import { locationsOf, pathFrom } from './setup/places.ts';

export { RequestRefused } from './domain/text/request-refused.ts';
export type { PayfileOptions } from './payfile/check-settings.ts';
export { PayfileClosed } from './payfile/closing.ts';
export { type Door, openDoor } from './payfile/door.ts';
export { type Monitoring, monitoringOf, type Waiting } from './payfile/monitoring.ts';
export { type HostContext, type OpenRequest, openFor, settingsFor } from './payfile/open.ts';
export type { LogLevel } from './ports/log.ts';
export type { Check } from './ports/machine-check.ts';
export { ReportUnwritable } from './ports/outputs.ts';
export { PortTaken } from './ports/port-taken.ts';
export { FileRefused } from './ports/row-source.ts';
export { SAMPLE_PAYROLL } from './setup/places.ts';
export type { PlanToSee } from './use-cases/approve/plan-of-batch.ts';
export type { Ruled, Unconfirmed } from './use-cases/decide/rule-on-doubt.ts';
export type { Dialogue, MoveStep, News } from './use-cases/dialogue.ts';
export type { ServeEvent } from './use-cases/fleet/serve.ts';
export { countInFlight, type InFlight, inFlightOf } from './use-cases/in-flight.ts';
export type { UnknownInstitution } from './use-cases/intake/check-file.ts';
export type { FileColumns } from './use-cases/intake/file-columns.ts';
export type { FilePlan } from './use-cases/plan-file.ts';
export type { ProgressEvent, Stage, Tell } from './use-cases/ports.ts';
export type { BatchEnd as Ended } from './use-cases/report/batch-end.ts';
export type { Told } from './use-cases/report/explain-payout.ts';
export {
  afterMove,
  beginStage,
  carriesMoney,
  type StageProgress,
  seenElsewhere,
} from './use-cases/stage-progress.ts';
export { type Ask, askWith } from './use-cases/user-questions.ts';

export interface Payfile extends OperationMethods<typeof FRONT> {
  readonly environment: 'live' | 'sandbox';
  /** Rows of a batch, and decisions about them. */
  readonly rows: OperationMethods<typeof ROWS>;
  /** Batches, and decisions about whole ones. */
  readonly batches: OperationMethods<typeof BATCHES>;
  /** What the service says when it is asked, and a template with its lists. */
  readonly lists: OperationMethods<typeof LISTS>;
  /** People and their passkeys. */
  readonly people: OperationMethods<typeof PEOPLE>;
  /** The sandbox: its server, what it executed, and how it may behave. */
  readonly sandbox: OperationMethods<typeof SANDBOX>;
  /** Files that are no batches yet. */
  readonly files: OperationMethods<typeof FILES>;
  /** What the columns and names of files with the same headers mean. */
  readonly mappings: OperationMethods<typeof MAPPINGS>;
  /** The ledger as a whole. */
  readonly ledger: OperationMethods<typeof LEDGER>;
  /** What payfile needs on this machine. */
  readonly machine: OperationMethods<typeof MACHINE>;
  /** Workers on several machines that share a ledger on a server. */
  readonly fleet: OperationMethods<typeof FLEET>;
  /** An operation, with the result that its view draws. For hosts. */
  readonly call: CallOperation;
  /**
   * Another person before the same ledger and service, if several are signed in. `cameWith`: the passkey that
   * `people.signIn` named; four eyes ask who made its ticket. Closing one of them leaves the others open.
   */
  as(person: string, entered?: { readonly cameWith?: string | undefined }): Payfile;
  /** Stops the work under way as its signal would, and that of everybody who came `as` another, waits for it, and closes. Afterwards every method throws PayfileClosed. */
  close(): Promise<void>;
}

/** All methods over one door. */
export function payfileOf(door: Door): Payfile {
  const others = new Set<Payfile>();
  const { requireOpen, during, close } = untilClosed({
    closeOthers: () => Promise.all([...others].map((other) => other.close())),
    closeParts: () => door.close(),
  });
  const asWork: AsWork = async (name, dialogue, work) => {
    requireOpen();
    return during(checkedDialogue(name, dialogue), work);
  };
  const callNow = callOperation(door);
  const group = <Operations extends Readonly<Record<string, ListedOperation>>>(operations: Operations) =>
    methodsOf(operations, { asWork, call: callNow });
  return {
    ...group(FRONT),
    environment: door.settings.environment,
    rows: group(ROWS),
    batches: group(BATCHES),
    lists: group(LISTS),
    files: group(FILES),
    mappings: group(MAPPINGS),
    people: group(PEOPLE),
    sandbox: group(SANDBOX),
    ledger: group(LEDGER),
    machine: group(MACHINE),
    fleet: group(FLEET),
    async call(operation, given, dialogue = {}) {
      requireOpen();
      return asWork(operation.name, dialogue, (stopped) => callNow(operation, given, stopped));
    },
    as(...given) {
      requireOpen();
      const { person, cameWith } = checkedPerson(...given);
      const other = payfileOf(door.as(person, cameWith));
      others.add(other);
      return { ...other, close: () => other.close().finally(() => others.delete(other)) };
    },
    close,
  };
}

const SILENT: Log = { write: () => undefined };

/** Where a library is used; what is left out is the process's own. */
interface LibraryContext extends Partial<Omit<CallerContext, 'user' | 'namedBy' | 'log'>> {
  readonly cwd?: string;
}

export function createPayfile(given: PayfileOptions, context: LibraryContext = {}): Payfile {
  const options = checkedSettings(given);
  const { actor: user, log = SILENT, createLedger, onProgress } = options;
  const machine = { pid: process.pid, host: hostname(), env: process.env, temporary: tmpdir() };
  const settings = settingsOf(options, context);
  const ledger = options.ledger === ':memory:' ? undefined : settings.ledgerPath;
  const own = { ...machine, command: 'library', createLedger, onProgress, place: { ledger } };
  return payfileOf(openDoor(settings, { ...own, ...context, user, namedBy: ownLogin(), log }));
}

/** A container may run as a user id that has no name. */
function ownLogin(): string {
  const uid = process.getuid?.();
  try {
    return personOfLogin(userInfo().username, uid);
  } catch {
    return personOfLogin(undefined, uid);
  }
}

function settingsOf(
  options: PayfileOptions,
  { env = process.env, cwd = process.cwd() }: LibraryContext,
): Settings {
  const { service, source } = options;
  const ledgerPassword =
    options.ledgerPassword === undefined ? undefined : new Sensitive(options.ledgerPassword);
  const isSandbox = options.sandbox === true;
  return {
    ...valuesOf(RUN_SETTINGS, (setting) => defaultOf(setting)),
    environment: isSandbox ? 'sandbox' : 'live',
    service: service === undefined ? undefined : { ...service, password: new Sensitive(service.password) },
    missing: [],
    ledgerPath: isServerPlace(options.ledger) ? options.ledger : pathFrom(cwd, options.ledger),
    ledgerServer: ledgerServerOf(options.ledger, ledgerPassword),
    ledgerPassword,
    ledgerId: undefined,
    cwd,
    locations: locationsOf({ env, home: env['HOME'] ?? '/' }),
    configPath: undefined,
    files: [],
    source,
    policy: policyOver(defaultPolicy({ isSandbox }), options.policy ?? {}),
    people: new Map(Object.entries(options.people ?? {})),
    origins: new Map(),
    warnings: [],
  };
}
