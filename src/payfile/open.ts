/**
 * Opens the door for a face: reads the settings, opens the log, and decides which files may be written. Closing the door
 * closes them all.
 */
import { isAbsolute } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Log, LogFields, LogLevel } from '../ports/log.ts';
import type { OutputGuard } from '../ports/outputs.ts';
import type { SandboxOptions } from '../sandbox/server.ts';
import { openLogFile } from '../setup/compose.ts';
import { ConfigError } from '../setup/config-file.ts';
import { loadSettings, type Settings, type SettingsAsked } from '../setup/load-settings.ts';
import { type Locations, locationsOf, outputGuard, pathFrom } from '../setup/places.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { requireOwnPlaces } from '../use-cases/own-places.ts';
import { type CallerContext, type Door, openDoor } from './door.ts';

/** What is asked for, as far as opening needs it. */
export interface OpenRequest extends SettingsAsked {
  readonly overwrite?: boolean | undefined;
  /** Files that are read: no output may take their place. */
  readonly reads: readonly string[];
  /** Files that are written, beside the log and the metrics: each has a place of its own. */
  readonly writes: readonly string[];
  /** How the embedded sandbox behaves. */
  readonly scenario?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly logFile?: string | undefined;
}

/** The caller, with the folders of a face. */
export interface HostContext
  extends Omit<CallerContext, 'namedBy' | 'log' | 'sandbox' | 'outputs' | 'createLedger' | 'onProgress'> {
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** As the system says it; undefined: this user has none. */
  readonly home: string | undefined;
}

/** Where a face receives what happens. */
export interface Listeners {
  readonly onProgress: NonNullable<Dialogue['onProgress']>;
  /** Something about the settings that the person should know. */
  readonly warn: (sentence: string) => void;
  /** A line of the log, where no file was named for it. */
  readonly say: (line: string) => void;
  /** Registers what to close at the end, in reverse order. */
  readonly onEnd: (close: () => Promise<void>) => void;
}

export async function openFor(
  request: OpenRequest,
  context: HostContext,
  { onProgress, warn, say, onEnd }: Listeners,
): Promise<Door> {
  const settings = settingsFor(request, context);
  for (const warning of settings.warnings) warn(warning);
  const sandbox = await scenarioOf(request, settings);
  const outputs = outputsFor(request, context, settings);
  const { logFile, logLevel, writes } = request;
  const reports = [...writes, logFile, settings.metricsFile].filter((path) => path !== undefined);
  await requireOwnPlaces({ reports }, { outputs });
  if (logFile !== undefined) await outputs.check(logFile, 'log');
  const file = logFile === undefined ? undefined : pathFrom(settings.cwd, logFile);
  const log = lazyLog({ level: logLevel, file, say });
  onEnd(log.close);
  if (file !== undefined) await log.load();
  const door = openDoor(settings, { ...context, namedBy: undefined, log, sandbox, outputs, onProgress });
  onEnd(() => door.parts.close());
  return door;
}

/** Errors: ConfigError. */
export function settingsFor(request: SettingsAsked, context: HostContext): Settings {
  return loadSettings(request, { ...context, home: homeFolder(context) });
}

/** Which files may be written. Without settings, only files that flags and environment name are protected. */
export function outputsFor(
  { ledger, config, overwrite = false, reads }: OpenRequest,
  context: HostContext,
  settings: Settings | undefined,
): OutputGuard {
  const read = reads.map((path) => ({ path, what: 'a file that this call reads' }));
  const files = [...read, ...(settings?.files ?? [])];
  if (settings !== undefined) return outputGuard({ ...settings, files, overwrite });
  const { cwd, env } = context;
  const ledgerPath = ledger ?? env['PAYFILE_LEDGER'];
  const locations = locationsOrNothing(context);
  const configPath = config ?? (env['PAYFILE_CONFIG'] || locations?.userConfig);
  const named = configPath === undefined ? [] : [{ path: configPath, what: 'the configuration' }];
  return outputGuard({ ledgerPath, locations, files: [...files, ...named], overwrite, cwd });
}

function locationsOrNothing(context: HostContext): Locations | undefined {
  try {
    return locationsOf({ ...context, home: homeFolder(context) });
  } catch {
    return undefined;
  }
}

/**
 * A user without a home folder, as in a container, needs none when the XDG folders are set. A relative HOME counts as
 * none: from another working folder the ledger would not be found, and every payment would be forgotten.
 */
function homeFolder({ env, home }: HostContext): string {
  if (home !== undefined && isAbsolute(home)) return home;
  const { XDG_STATE_HOME: state = '', XDG_CONFIG_HOME: config = '', HOME } = env;
  if (isAbsolute(state) && isAbsolute(config)) return '/';
  const what =
    home === undefined
      ? 'This user has no home folder.'
      : `HOME is “${HOME ?? ''}”, which is not an absolute path.`;
  throw new ConfigError(`${what} Set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME, to folders of its own.`);
}

async function scenarioOf({ scenario }: OpenRequest, settings: Settings): Promise<SandboxOptions> {
  if (scenario === undefined) return {};
  if (settings.environment === 'live')
    throw new RequestRefused(
      said`${input('scenario')} changes the embedded sandbox; it needs ${input('sandbox')} beside it.`,
    );
  const { parseScenario } = await import('../sandbox/scenarios.ts');
  return { scenario: parseScenario(scenario) };
}

interface LazyLog extends Log {
  load(): Promise<void>;
  close(): Promise<void>;
}

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Loads the log with its first line: most short commands never write one. */
function lazyLog(options: Parameters<typeof openLogFile>[0]): LazyLog {
  const { level: asked, file } = options;
  const least = RANK[asked ?? (file === undefined ? 'warn' : 'info')];
  const isForPeople = asked === undefined && file === undefined;
  let opening: ReturnType<typeof openLogFile> | undefined;
  const opened = () => {
    opening ??= openLogFile(options);
    return opening;
  };
  return {
    write(level: LogLevel, event: string, fields?: LogFields) {
      // The progress line reports it instead, with the row number, which the adapter does not know.
      if (event === 'transfer_outcome_not_known' && isForPeople) return;
      if (RANK[level] <= least) void opened().then((log) => log.write(level, event, fields));
    },
    async load() {
      await opened();
    },
    close: async () => {
      await opening?.then((log) => log.close());
    },
  };
}
