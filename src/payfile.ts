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
import { FRONT, GROUPS } from './operations/all.ts';
import type { ListedOperation } from './operations/listed.ts';
import { type CallOperation, callOperation } from './payfile/call-operation.ts';
import { checkedDialogue, checkedPerson } from './payfile/check-options.ts';
import { checkedSettings, type PayfileOptions, policyOver } from './payfile/check-settings.ts';
import { untilClosed } from './payfile/closing.ts';
import { type CallerContext, type Door, doorAs, openDoor } from './payfile/door.ts';
import { type AsWork, methodsOf, type OperationMethods } from './payfile/operation-methods.ts';
import type { Log } from './ports/log.ts';
import { ledgerServerOf } from './setup/ledger-server.ts';
import type { Settings } from './setup/load-settings.ts';
import { locationsOf, pathFrom } from './setup/places.ts';

export type { UnknownInstitution } from './domain/reading/unknown-words.ts';
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
export { FileHasQuestions, FileRefused } from './ports/row-source.ts';
export { requireService } from './setup/compose.ts';
export { SAMPLE_PAYROLL } from './setup/places.ts';
export type { PlanToSee } from './use-cases/approve/plan-of-batch.ts';
export type { Ruled, Unconfirmed } from './use-cases/decide/rule-on-doubt.ts';
export type { Dialogue, MoveStep, News } from './use-cases/dialogue.ts';
export type { ServeEvent } from './use-cases/fleet/serve.ts';
export { countInFlight, type InFlight, inFlightOf } from './use-cases/in-flight.ts';
export type { FileColumns } from './use-cases/intake/file-columns.ts';
export type { FilePlan } from './use-cases/plan-file.ts';
export type { ProgressEvent, Stage, Tell } from './use-cases/ports.ts';
export type { BatchEnd as Ended } from './use-cases/report/batch-end.ts';
export type { PayoutHistory } from './use-cases/report/explain-payout.ts';
export {
  afterMove,
  beginStage,
  carriesMoney,
  type StageProgress,
  seenElsewhere,
} from './use-cases/stage-progress.ts';
export { type Ask, askWith } from './use-cases/user-questions.ts';

type Groups = { readonly [Name in keyof typeof GROUPS]: OperationMethods<(typeof GROUPS)[Name]> };

/**
 * Everything that payfile does, over one ledger and one service. Most methods take their inputs as one object, and a
 * `Dialogue` beside it: a signal, a listener, and who answers questions. What `--json` shows comes back, with `exitCode`.
 *
 * Errors: PayfileClosed, RequestRefused, NotAllowed, ConfigError and LedgerError from every method.
 */
export interface Payfile extends Groups, OperationMethods<typeof FRONT> {
  /** Whether real money moves. */
  readonly environment: 'live' | 'sandbox';
  /** Calls an operation, and gives the result that its view draws. For hosts of ours; programs call the methods. */
  readonly call: CallOperation;
  /**
   * Opens the same ledger and service for another person. Closing one of them leaves the others open.
   * `cameWith`: the passkey that `people.signIn` named. Four eyes ask who made its ticket.
   *
   * Errors: RequestRefused, PayfileClosed.
   * @example
   * const eve = payfile.as('eve');
   * await eve.rows.release({ batch: 'suppliers-2026-05', rows: ['6'], reason: 'HR confirmed the name' });
   * await eve.close();
   */
  as(person: string, entered?: { readonly cameWith?: string | undefined }): Payfile;
  /**
   * Stops the work under way, waits for it, and closes ledger and service. Afterwards every method throws PayfileClosed.
   * It also closes what `as` opened.
   *
   * @example
   * await payfile.close();
   */
  close(): Promise<void>;
}

/** All methods over one door. */
export function payfileOf(door: Door): Payfile {
  const others = new Set<Payfile>();
  const { requireOpen, during, close } = untilClosed({
    closeOthers: () => Promise.all([...others].map((other) => other.close())),
    closeParts: () => (door.entered === undefined ? door.parts.close() : Promise.resolve()),
  });
  const asWork: AsWork = async (name, dialogue, work) => {
    requireOpen();
    return during(checkedDialogue(name, dialogue), work);
  };
  const callNow = callOperation(door);
  const methods = <Operations extends Readonly<Record<string, ListedOperation>>>(
    operations: Operations,
    group = '',
  ) => methodsOf(operations, { group, asWork, call: callNow });
  const groups = Object.fromEntries(
    Object.entries(GROUPS).map(([name, operations]) => [name, methods<typeof operations>(operations, name)]),
  ) as unknown as Groups;
  return {
    ...methods(FRONT),
    ...groups,
    environment: door.settings.environment,
    async call(operation, given, dialogue = {}) {
      requireOpen();
      return asWork(operation.name, dialogue, (stopped) => callNow(operation, given, stopped));
    },
    as(...given) {
      requireOpen();
      const { person, cameWith } = checkedPerson(...given);
      const other = payfileOf(doorAs(door, person, cameWith));
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

/**
 * Opens payfile for a program. Nothing is read or written before a method is called. Amounts are strings and `minorUnits`,
 * times are milliseconds, or text in UTC.
 *
 * Errors: ConfigError.
 * @example
 * const own = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
 * console.log(own.environment);
 * await own.close();
 */
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
