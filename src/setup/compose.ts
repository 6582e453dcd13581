/**
 * Only this file connects the parts: it takes settings, returns ports, and closes them.
 *
 * Why:     parts load on first use, so that a command loads only what it needs.
 * Closing: the service first, so that nothing new starts, then the ledger, then the sandbox.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { NotifyTarget } from '../domain/reporting/notify-target.ts';
import { input, said } from '../domain/text/message.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { systemClock } from '../outside/system-clock.ts';
import type { ClosableLog, LogOptions } from '../outside/winston-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Fleet, WorkQueue } from '../ports/fleet.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { LedgerStore, OpenLedgerOptions } from '../ports/ledger/store.ts';
import type { Log } from '../ports/log.ts';
import type { MachineParts } from '../ports/machine-parts.ts';
import type { OpenReportSink, OutputGuard } from '../ports/outputs.ts';
import type { PaymentService } from '../ports/payment-service.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { ConfigError } from './config-file.ts';
import { ledgerCopies } from './ledger-copies.ts';
import type { ServiceSettings, Settings, SettingsContext } from './load-settings.ts';
import { openServerAccess, openServerLedger } from './open-server.ts';
import { createOwnSandbox } from './own-sandbox.ts';
import { bookPathOf, outputGuard, pathFrom } from './places.ts';
import { clockByServer, type SharedClock } from './shared-clock.ts';

export interface Parts extends LedgerStore, MachineParts {
  readonly settings: Settings;
  /** Uses the time of the ledger's server, if there is one. */
  readonly clock: Clock;
  /** How far the server's clock is ahead of this machine. */
  readonly aheadMs: SharedClock['aheadMs'];
  readonly log: Log;
  readonly openReportSink: OpenReportSink;
  /** Opens on first use, then shared. Errors: ConfigError if no service is configured. */
  paymentService(): Promise<PaymentService>;
  /**
   * Opens on first use, then shared. Reading and work have separate connections. `create` creates a missing ledger. The
   * sandbox may always create its own.
   */
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  sandbox(): Sandbox | undefined;
  /** Workers of a live ledger on a server; undefined if none ever ran. */
  fleet(): Promise<Fleet | undefined>;
  /** Ledgers used on this machine, with the file that lists each. */
  knownLedgers(): Promise<readonly { readonly path: string; readonly file: string }[]>;
  close(): Promise<void>;
}

/** What the caller provides besides settings. */
export interface ComposeOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  /** Aborts when a person stops the process. Then payfile stops waiting for a silent server. */
  readonly stop?: AbortSignal | undefined;
  /** Creates the id of a new ledger; default: random. */
  readonly newLedgerId?: (() => string) | undefined;
  /** Options of the embedded sandbox. */
  readonly sandbox?: SandboxOptions | undefined;
  /** Guard of a call that reads files. Without it, only files of the settings are protected. */
  readonly outputs?: OutputGuard | undefined;
  /**
   * Streams for `-`; default: those of the process. Programs that use the library need no types of Node for them.
   * @internal
   */
  readonly stdin?: Readable | undefined;
  /** @internal */
  readonly stdout?: Writable | undefined;
}

const SANDBOX_BINDING = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;

export function compose(settings: Settings, options: ComposeOptions): Parts {
  const { log, stop } = options;
  const ownClock = options.clock ?? systemClock;
  const { clock, setAheadMs, aheadMs } = clockByServer(ownClock);
  const sandbox = openOnce(() => openSandbox(settings, { clock: clock.now, ...options.sandbox }));
  const needs = { clock, ownClock, setAheadMs, log, stop, newId: options.newLedgerId };
  const service = openOnce(() => openService(settings, needs, sandbox.open));
  const openLedgerWith = (open: OpenLedgerOptions = {}) => openLedger(settings, needs, open);
  const [working, reading] = [openOnce(openLedgerWith), openOnce(openLedgerWith)];
  const queue = openOnce(() => openQueue(settings, stop));
  const { stdout = process.stdout } = options;
  const own = createOwnSandbox(settings, options.sandbox, { now: clock.now, stdout, embedded: sandbox.open });
  const outputs = options.outputs ?? outputGuard({ ...settings, overwrite: false });
  return {
    settings,
    clock,
    aheadMs,
    log,
    ...fileParts(settings, options, outputs),
    paymentService: () => service.open(),
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
      // A ledger in memory has one connection for reading and work. A second one would be another ledger.
      if (open?.readOnly !== true || settings.ledgerPath === ':memory:')
        return working.open({ ...open, readOnly: false });
      const opened = working.opened();
      return opened === undefined ? reading.open(open) : Promise.resolve(opened);
    },
    readings: async () =>
      (await import('../files/reading-file.ts')).createReadingFile(settings.locations.readings),
    bankReadings: async () =>
      (await import('../files/reading-file.ts')).createBankReadings(
        join(dirname(settings.locations.readings), 'banks.json'),
      ),
    passkeys: async () => (await import('../outside/webauthn-passkeys.ts')).createWebAuthnPasskeys(),
    sandbox: () => sandbox.opened(),
    ownSandbox: own,
    fleet: async () => (await queue.open())?.fleet,
    ...ledgerCopies(settings, bindingOf(settings), { clock, log, outputs }),
    knownLedgers: () => listKnownLedgers(settings),
    async close() {
      await service.close();
      await queue.close();
      await reading.close();
      await working.close();
      await sandbox.close();
      await own.close();
    },
  };
}

async function listKnownLedgers({ locations, environment }: Settings) {
  const { knownFile, knownLedgers } = await import('../ledger/known.ts');
  const folder = locations.knownLedgers;
  return knownLedgers(folder)
    .filter((ledger) => ledger.environment === environment)
    .map((ledger) => ({ path: ledger.path, file: knownFile(folder, ledger) }));
}

function fileParts({ cwd }: Settings, options: ComposeOptions, outputs: OutputGuard) {
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const withFullPath = <Named extends { readonly path: string }>(named: Named): Named => ({
    ...named,
    path: pathFrom(cwd, named.path),
  });
  return {
    openRows: async (open) =>
      (await import('../files/payout-file.ts')).openRowsFrom(withFullPath(open), stdin),
    requireFile: async (path) =>
      (await import('../files/opened-file.ts')).requireFile(pathFrom(cwd, path), path),
    outputs,
    openReportSink: async (target) =>
      (await openSinks()).openReportSink(withFullPath(target), stdout, outputs),
    requireReportPlace: async (path) => (await openSinks()).requireReportPlace(path, outputs, cwd),
    openRedoSink: async (target) => (await openSinks()).openRedoSink(withFullPath(target), stdout, outputs),
    openFixSink: async (path) => (await openSinks()).openFixSink(pathFrom(cwd, path), outputs),
    openAdviceSink: async (target) =>
      (await import('../files/report/advice-file.ts')).openAdviceSink(withFullPath(target), outputs),
    openAuditSink: async (target) =>
      (await import('../files/report/audit-file.ts')).openAuditSink(withFullPath(target), outputs),
    writeReconciliation: async (target, content) =>
      (await import('../files/report/reconciliation-report.ts')).writeReconciliation(
        withFullPath(target),
        content,
        outputs,
      ),
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

/** Opens a part on first use, and again after a lost connection. Closes it only if it opened. */
function openOnce<Part extends Closable | undefined, Arguments extends unknown[]>(
  make: (...given: Arguments) => Promise<Part>,
) {
  let opening: Promise<Part> | undefined;
  let part: Part | undefined;
  return {
    /** Tries again as long as `make` finds nothing. */
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
          // The next try may succeed, for example after a person agreed to create the ledger.
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

/** Loads the sandbox only on use, never in a live run. */
async function openSandbox(settings: Settings, options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/server.ts');
  // Without a ledger file, the book exists only in this process.
  return startSandbox({ bookPath: bookPathOf(settings.ledgerPath), takesHolders: true, ...options });
}

interface OpeningParts extends Pick<SharedClock, 'setAheadMs'> {
  readonly clock: Clock;
  readonly ownClock: Clock;
  readonly log: Log;
  readonly newId: (() => string) | undefined;
  readonly stop: AbortSignal | undefined;
}

async function openService(
  settings: Settings,
  { clock, log, stop }: OpeningParts,
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
  // The embedded sandbox belongs to this process only, even with a ledger on a server.
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
  { ownClock, setAheadMs, stop, ...needs }: OpeningParts,
  open: OpenLedgerOptions,
): Promise<Ledger> {
  const {
    ledgerServer,
    policy: { timeZone },
  } = settings;
  const binding = bindingOf(settings);
  if (ledgerServer !== undefined) {
    const { log, newId } = needs;
    const onServer = { binding, ownClock, setAheadMs, stop, log, newId, timeZone };
    return openServerLedger(settings, ledgerServer, { ...open, ...onServer });
  }
  const { openLedger: openFile } = await import('../ledger/file.ts');
  const opening = openFile({
    ...{ path: settings.ledgerPath, binding },
    ...open,
    create: open.create === true || settings.environment === 'sandbox',
    knownLedgersPath: settings.locations.knownLedgers,
    namedId: settings.ledgerId,
    timeZone,
    ...needs,
  });
  return opening.catch(async (error: unknown) => {
    throw (await import('./machine-checks.ts')).explainFullDisk(error, settings.ledgerPath);
  });
}

/** The embedded sandbox has no workers, even with a ledger on a server. */
async function openQueue(settings: Settings, stop: AbortSignal | undefined): Promise<WorkQueue | undefined> {
  if (settings.ledgerServer === undefined || settings.environment !== 'live') return undefined;
  return (await import('./work-queue.ts')).openQueueForReading(settings, stop);
}

const openSinks = () => import('../files/report/open-report-sink.ts');

/** The service that the ledger belongs to. payfile refuses a ledger of another service. */
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

/** Errors: ConfigError if there is no service to work with. */
export function requireService(settings: Settings): void {
  if (settings.environment === 'live' && settings.service === undefined) throw notConfigured(settings);
}

function notConfigured(settings: Settings): ConfigError {
  return new ConfigError(
    said`No payment service is configured (missing: ${settings.missing.join(', ')}).\nSet these variables (payfile doctor checks them). Or add ${input('sandbox')} to try payfile without a service.`,
  );
}

/**
 * Metrics file and notification. Both load on use. They return errors instead of throwing, so that an error cannot hide
 * the outcome of payments.
 */

/** Why the notification failed; undefined if it was sent. */
export async function sendNotice(
  target: NotifyTarget,
  body: string,
  { env, cwd }: Pick<SettingsContext, 'env' | 'cwd'>,
): Promise<string | undefined> {
  if (target.kind === 'url') return (await import('../outside/send-notice.ts')).postNotice(target.url, body);
  const { runNoticeProgram } = await import('../outside/send-notice.ts');
  return runNoticeProgram(target, body, { env, cwd });
}

/** Returns why nothing was written; undefined if it was. Errors: ReportUnwritable if the file is protected. */
export async function changeMetrics(
  path: string,
  change: (before: string) => string,
  guard: OutputGuard,
  cwd: string,
): Promise<string | undefined> {
  const { changeMetricsFile } = await import('../files/metrics-file.ts');
  return changeMetricsFile(pathFrom(cwd, path), change, () => guard.check(path, 'metrics'));
}

/** Writes the log to a file or, without one, to the user. */
export async function openLogFile(options: LogOptions): Promise<ClosableLog> {
  return (await import('../outside/winston-log.ts')).createWinstonLog(options);
}
