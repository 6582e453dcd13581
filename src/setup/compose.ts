/**
 * The one place where parts are wired together: settings in, ports out, and how they are closed.
 *
 * Why:     parts are loaded when they are first used, so that a command pays only for what it needs.
 * Order of closing: service first (nothing new), then ledger, then the sandbox.
 */
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { NotifyTarget } from '../domain/reporting/notify-target.ts';
import { input, said } from '../domain/text/message.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { systemClock } from '../outside/system-clock.ts';
import type { ClosableLog, LogOptions } from '../outside/winston-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReadEvidence } from '../ports/evidence.ts';
import type { Fleet, WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { LedgerStore, OpenLedgerOptions } from '../ports/ledger/store.ts';
import type { Log } from '../ports/log.ts';
import type {
  OpenAdviceSink,
  OpenFixSink,
  OpenRedoSink,
  OpenReportSink,
  OutputGuard,
  WriteTemplate,
} from '../ports/outputs.ts';
import type { OwnSandbox } from '../ports/own-sandbox.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import type { PaymentService } from '../ports/payment-service.ts';
import type { MappingStore, OpenRows } from '../ports/row-source.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { ConfigError } from './config-file.ts';
import { ledgerCopies } from './ledger-copies.ts';
import type { ServiceSettings, Settings, SettingsContext } from './load-settings.ts';
import { openServerAccess, openServerLedger } from './open-server.ts';
import { createOwnSandbox } from './own-sandbox.ts';
import { bookPathOf, outputGuard, pathFrom } from './places.ts';
import { clockByServer, type SharedClock } from './shared-clock.ts';

export interface Parts extends LedgerStore {
  readonly settings: Settings;
  /** By the server of the ledger, where it is on one. */
  readonly clock: Clock;
  /** How far the server's is ahead of this machine's. */
  readonly aheadMs: SharedClock['aheadMs'];
  readonly log: Log;
  readonly openRows: OpenRows;
  /** Throws FileRefused when a file cannot be opened: said before the service is asked anything. */
  readonly requireFile: (path: string) => Promise<void>;
  /** Which files may be written at all. */
  readonly outputs: OutputGuard;
  readonly openReportSink: OpenReportSink;
  /** Throws ReportUnwritable where no report can be put. Changes nothing. */
  readonly requireReportPlace: (path: string) => Promise<void>;
  readonly openRedoSink: OpenRedoSink;
  readonly openFixSink: OpenFixSink;
  readonly openAdviceSink: OpenAdviceSink;
  readonly writeTemplate: WriteTemplate;
  readonly readEvidence: ReadEvidence;
  passkeys(): Promise<Passkeys>;
  /** Mappings remembered on this machine. */
  mappings(): Promise<MappingStore>;
  /** Opened on first use; then shared. Throws ConfigError when no service is configured. */
  paymentService(): Promise<PaymentService>;
  /**
   * Opened on first use; then shared, apart for reading and for work. `create` makes a ledger that is not there (the
   * sandbox's always may).
   */
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  sandbox(): Sandbox | undefined;
  /** The sandbox as a service of its own, and what it executed. */
  readonly ownSandbox: OwnSandbox;
  /** Who shares a live ledger on a server; undefined where no worker was ever there. */
  fleet(): Promise<Fleet | undefined>;
  /** Ledgers that were used on this machine, each with the file that remembers it. */
  knownLedgers(): Promise<readonly { readonly path: string; readonly file: string }[]>;
  close(): Promise<void>;
}

/** What the parts need from whoever calls, besides settings. */
export interface ComposeOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  /** Aborts when a person stops the process: a server that gives no answer is then waited for no longer. */
  readonly stop?: AbortSignal | undefined;
  /** The id of a ledger that is made; random unless told. */
  readonly newLedgerId?: (() => string) | undefined;
  /** Of the embedded sandbox. */
  readonly sandbox?: SandboxOptions | undefined;
  /** Of a call that reads files; without it only what the settings name is kept. */
  readonly outputs?: OutputGuard | undefined;
  /** What `-` stands for, reading and writing; the process's own unless told. */
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
}

const SANDBOX_BINDING = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;

export function compose(settings: Settings, options: ComposeOptions): Parts {
  const { log, stop } = options;
  const ownClock = options.clock ?? systemClock;
  const { clock, clockAhead, aheadMs } = clockByServer(ownClock);
  const sandbox = once(() => openSandbox(settings, { clock: clock.now, ...options.sandbox }));
  const needs = { clock, ownClock, clockAhead, log, stop, newId: options.newLedgerId };
  const service = once(() => openService(settings, needs, sandbox.open));
  const openedWith = (open: OpenLedgerOptions = {}) => openLedger(settings, needs, open);
  const [working, reading] = [once(openedWith), once(openedWith)];
  const queue = once(() => openQueue(settings, stop));
  const { stdout = process.stdout } = options;
  const ownSandbox = createOwnSandbox(settings, options.sandbox, { now: clock.now, stdout });
  const outputs = options.outputs ?? outputGuard({ ...settings, overwrite: false });
  return {
    settings,
    clock,
    aheadMs,
    log,
    ...files(settings, options, outputs),
    paymentService: () => service.open(),
    // Who only looked may work later. A ledger in memory is one alone.
    async hasLedger() {
      if (settings.ledgerServer === undefined)
        return settings.ledgerPath === ':memory:' || existsSync(settings.ledgerPath);
      return reading.open({ readOnly: true }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof LedgerError && error.code === 'ledger_missing') return false;
          throw error;
        },
      );
    },
    ledger(open) {
      if (open?.readOnly !== true || settings.ledgerPath === ':memory:')
        return working.open({ ...open, readOnly: false });
      const opened = working.opened();
      return opened === undefined ? reading.open(open) : Promise.resolve(opened);
    },
    mappings: async () =>
      (await import('../files/mapping-file.ts')).createMappingFile(settings.locations.mappings),
    passkeys: async () => (await import('../outside/webauthn-passkeys.ts')).createWebAuthnPasskeys(),
    sandbox: () => sandbox.opened(),
    ownSandbox,
    fleet: async () => (await queue.open())?.fleet,
    ...ledgerCopies(settings, bindingOf(settings), { clock, log, outputs }),
    knownLedgers: () => ledgersKnown(settings),
    async close() {
      await service.close();
      await queue.close();
      await reading.close();
      await working.close();
      await sandbox.close();
      await ownSandbox.close();
    },
  };
}

async function ledgersKnown({ locations, environment }: Settings) {
  const { knownFile, knownLedgers } = await import('../ledger/known.ts');
  const folder = locations.knownLedgers;
  return knownLedgers(folder)
    .filter((ledger) => ledger.environment === environment)
    .map((ledger) => ({ path: ledger.path, file: knownFile(folder, ledger) }));
}

function files({ cwd }: Settings, options: ComposeOptions, outputs: OutputGuard) {
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const at = <Named extends { readonly path: string }>(named: Named): Named => ({
    ...named,
    path: pathFrom(cwd, named.path),
  });
  return {
    openRows: async (open) => (await import('../files/payout-file.ts')).openRowsFrom(at(open), stdin),
    requireFile: async (path) =>
      (await import('../files/opened-file.ts')).requireFile(pathFrom(cwd, path), path),
    outputs,
    openReportSink: async (target) => (await openSinks()).openReportSink(at(target), stdout, outputs),
    requireReportPlace: async (path) => (await openSinks()).requireReportPlace(path, outputs, cwd),
    openRedoSink: async (target) => (await openSinks()).openRedoSink(at(target), stdout, outputs),
    openFixSink: async (path) => (await openSinks()).openFixSink(pathFrom(cwd, path), outputs),
    openAdviceSink: async (target) =>
      (await import('../files/report/advice-file.ts')).openAdviceSink(at(target), outputs),
    readEvidence: async (given) => (await import('../files/evidence.ts')).evidenceOf(given, cwd),
    writeTemplate: async (path, content, isReplaced) => {
      const { writeTemplate } = await import('../files/template/write-template.ts');
      const check: OutputGuard['check'] = (at, kind) => outputs.check(at, kind, isReplaced);
      return writeTemplate(pathFrom(cwd, path), content, stdout, { ...outputs, check });
    },
  } satisfies Partial<Parts>;
}

interface Closable {
  readonly isLost?: boolean;
  close(): Promise<void>;
}

/** Opens a part when it is first needed, or again when it was lost, and closes it if it was. What could not be opened needs no closing. */
function once<Part extends Closable | undefined, Arguments extends unknown[]>(
  make: (...given: Arguments) => Promise<Part>,
) {
  let opening: Promise<Part> | undefined;
  let part: Part | undefined;
  return {
    /** Looked for again as long as nothing is there. */
    open(...given: Arguments): Promise<Part> {
      if (part?.isLost === true) {
        void part.close().catch(() => undefined);
        [part, opening] = [undefined, undefined];
      }
      opening ??= make(...given).then(
        (made) => {
          if (made === undefined) opening = undefined;
          part = made;
          return made;
        },
        (error: unknown) => {
          // What was missing may be there at the next try: a ledger that a person just agreed to create.
          opening = undefined;
          throw error;
        },
      );
      return opening;
    },
    opened: () => (part?.isLost === true ? undefined : part),
    close: async () => {
      await opening?.catch(() => undefined);
      await part?.close();
    },
  };
}

/** Loaded only when it is used, never by a live run. */
async function openSandbox(settings: Settings, options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/server.ts');
  // Where the ledger is in no file, the book is gone with the process.
  const isInFile = settings.ledgerPath !== ':memory:' && settings.ledgerServer === undefined;
  const bookPath = isInFile ? bookPathOf(settings.ledgerPath) : undefined;
  return startSandbox({ bookPath, ...options });
}

interface Needs extends Pick<SharedClock, 'clockAhead'> {
  readonly clock: Clock;
  readonly ownClock: Clock;
  readonly log: Log;
  readonly newId: (() => string) | undefined;
  readonly stop: AbortSignal | undefined;
}

async function openService(
  settings: Settings,
  { clock, log, stop }: Needs,
  sandbox: () => Promise<Sandbox>,
): Promise<PaymentService> {
  const target = settings.environment === 'sandbox' ? await sandboxSettings(sandbox()) : settings.service;
  if (target === undefined) throw notConfigured(settings);
  const binding = bindingOf(settings);
  const { ledgerServer } = settings;
  const isLive = binding?.environment === 'live';
  if (isLive && ledgerServer === undefined)
    await (await import('../ledger/file.ts')).requireSameLogin(settings.ledgerPath, binding);
  const { policy, answersRefused, requestsPerSecond } = settings;
  const { postTimeoutMs, concurrency } = policy;
  const service = { ...target, postTimeoutMs, answersRefused, requestsPerSecond, openAhead: concurrency };
  const { createHttpPaymentService } = await import('../service/http-payment-service.ts');
  // The embedded sandbox is of this process alone, whatever its ledger.
  const access =
    isLive && ledgerServer !== undefined
      ? await openServerAccess(
          settings,
          ledgerServer,
          { ...target, authUrl: binding.authUrl },
          { clock, stop },
        )
      : undefined;
  return createHttpPaymentService(service, { clock, log, access });
}

async function openLedger(
  settings: Settings,
  { ownClock, clockAhead, stop, ...needs }: Needs,
  open: OpenLedgerOptions,
): Promise<Ledger> {
  const { ledgerServer } = settings;
  const binding = bindingOf(settings);
  if (ledgerServer !== undefined) {
    const { log, newId } = needs;
    const onServer = { binding, ownClock, clockAhead, stop, log, newId };
    return openServerLedger(settings, ledgerServer, { ...open, ...onServer });
  }
  const { openLedger: openFile } = await import('../ledger/file.ts');
  const opening = openFile({
    ...{ path: settings.ledgerPath, binding },
    ...open,
    create: open.create === true || settings.environment === 'sandbox',
    knownLedgersPath: settings.locations.knownLedgers,
    namedId: settings.ledgerId,
    ...needs,
  });
  return opening.catch(async (error: unknown) => {
    throw (await import('./machine-checks.ts')).namingFullDisk(error, settings.ledgerPath);
  });
}

/** Of the embedded sandbox others have none, whatever its ledger. */
async function openQueue(settings: Settings, stop: AbortSignal | undefined): Promise<WorkQueue | undefined> {
  if (settings.ledgerServer === undefined || settings.environment !== 'live') return undefined;
  return (await import('./work-queue.ts')).queueToLookAt(settings, stop);
}

const openSinks = () => import('../files/report/open-report-sink.ts');

/** What the ledger is bound to; a ledger of another service or of the sandbox is refused. */
function bindingOf(settings: Settings) {
  if (settings.environment === 'sandbox') return SANDBOX_BINDING;
  if (settings.service === undefined) return undefined;
  const { baseUrl, authUrl, id } = settings.service;
  const whole = (url: string) => url.replace(/\/+$/, '');
  return { environment: 'live', baseUrl: whole(baseUrl), authUrl: whole(authUrl), loginId: id } as const;
}

async function sandboxSettings(opening: Promise<Sandbox>): Promise<ServiceSettings> {
  const { baseUrl, authUrl, credentials } = await opening;
  return { baseUrl, authUrl, id: credentials.id, password: new Sensitive(credentials.password) };
}

export function notConfigured(settings: Settings): ConfigError {
  return new ConfigError(
    said`No payment service is configured (missing: ${settings.missing.join(', ')}).\nEither set these variables (payfile doctor checks them), or add ${input('sandbox')} to try payfile without a service.`,
  );
}

/**
 * The wiring of metrics file and notification. Each is loaded when it is used, and returns its error instead of throwing
 * it, so that it cannot hide the outcome of the payments.
 */

/** Why the notification failed; undefined when it was sent. */
export async function sendNotice(
  target: NotifyTarget,
  body: string,
  { env, cwd }: Pick<SettingsContext, 'env' | 'cwd'>,
): Promise<string | undefined> {
  if (target.kind === 'url') return (await import('../outside/send-notice.ts')).postNotice(target.url, body);
  const { runNoticeProgram } = await import('../outside/send-notice.ts');
  return runNoticeProgram(target, body, { env, cwd });
}

/** Why nothing was written; throws ReportUnwritable where that file may not be an output. */
export async function changeMetrics(
  path: string,
  change: (before: string) => string,
  guard: OutputGuard,
  cwd: string,
): Promise<string | undefined> {
  const { changeMetricsFile } = await import('../files/metrics-file.ts');
  return changeMetricsFile(pathFrom(cwd, path), change, () => guard.check(path, 'metrics'));
}

/** Lines of the log go into a file or, without one, to the person. */
export async function openLogFile(options: LogOptions): Promise<ClosableLog> {
  return (await import('../outside/winston-log.ts')).createWinstonLog(options);
}
