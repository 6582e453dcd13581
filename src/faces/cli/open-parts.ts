/**
 * From a call's flags to the parts it works with: settings, log, service, ledger. Everything is closed when
 * the call is over.
 */
import { isAbsolute } from 'node:path';
import { command, type Place } from '../../domain/steps/command.ts';
import { type Door, openDoor, type Payfile, payfileOf } from '../../payfile.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import type { Log, LogFields, LogLevel } from '../../ports/log.ts';
import type { OutputGuard } from '../../ports/outputs.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import type { OpenLedgerOptions, Parts } from '../../setup/compose.ts';
import { ConfigError } from '../../setup/config-file.ts';
import { type Locations, locationsOf, outputGuard, pathFrom } from '../../setup/places.ts';
import { loadSettings, type Settings } from '../../setup/settings.ts';
import type { World } from '../../use-cases/world.ts';
import { type Call, leaseHolder, placeOf, typed, UsageError } from './call.ts';
import { listenerFor } from './show/news.ts';
import type { Surroundings } from './surroundings.ts';
import { mayAsk } from './terminal/ask.ts';
import { createProgress, type Progress } from './terminal/progress-line.ts';

export interface Opened {
  /** Everything that can be done; what stands below goes away as the commands move behind it. */
  readonly payfile: Payfile;
  readonly settings: Settings;
  readonly parts: Parts;
  readonly progress: Progress;
  /** Which service and ledger, for commands that are shown. */
  readonly place: Place;
  savedMappings: Door['savedMappings'];
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  world(): Promise<World>;
  /** What decisions about rows need: a world in which nobody asks the service anything. */
  quietWorld(): Promise<Omit<World, 'paymentService'>>;
}

export interface OpenOptions {
  readonly sandbox?: SandboxOptions;
  /** Beside the flags, for the demo. */
  readonly ledgerPath?: string;
}

export async function openParts(call: Call, options: OpenOptions = {}): Promise<Opened> {
  const settings = settingsOf(call, options.ledgerPath);
  for (const warning of settings.warnings) call.terminal.talk(`Warning: ${warning}`);
  const scenario = await scenarioOf(call, settings);
  const outputs = outputsOf(call, settings);
  const { logFile } = call.flags;
  if (logFile !== undefined) await outputs.check(logFile, 'log');
  const log = openLog(call);
  call.onEnd(log.close);
  if (logFile !== undefined) await log.load();
  const progress = createProgress(call.terminal);
  const sandbox = { ...scenario, ...options.sandbox };
  const onProgress = listenerFor(call, progress);
  const door = openDoor(settings, {
    ...call.surroundings,
    ...leaseHolder(call),
    log,
    sandbox,
    outputs,
    onProgress,
  });
  call.onEnd(() => door.close());
  const { parts } = door;
  call.stopping.onFirst(() => {
    progress.clear();
    call.terminal.talk(
      'Stopping: nothing new is started; waiting for what is in flight. Press Ctrl-C again to stop at once.',
    );
  });
  call.stopping.countInFlight(() => progress.inFlight());
  call.stopping.countBegun(() => progress.begun());
  call.stopping.nextWouldBe(() => {
    const batch = progress.batch();
    return batch === undefined ? undefined : typed(call, command('status', [batch]));
  });
  return {
    settings,
    parts,
    progress,
    place: placeOf(call),
    payfile: payfileOf(door),
    savedMappings: door.savedMappings,
    ledger: door.ledger,
    world: () => door.world({}, call.flags.deadline),
    quietWorld: () => door.quietWorld({}),
  };
}

export function settingsOf(call: Call, ledgerPath?: string): Settings {
  const { sandbox, config, ledger, source, concurrency, rate, names } = call.flags;
  return loadSettings(
    {
      ...{ sandbox, config, ledger: ledgerPath ?? ledger, source, concurrency, rate, names },
      isAttended: mayAsk(call),
    },
    { ...call.surroundings, home: homeFolder(call.surroundings) },
  );
}

/** Which files this call may write; without settings, those that can be told without them are kept. */
export function outputsOf(
  call: Pick<Call, 'command' | 'args' | 'flags' | 'surroundings'>,
  settings: Settings | undefined,
): OutputGuard {
  const { ledger, config, overwrite = false } = call.flags;
  const files = [...filesReadBy(call), ...(settings?.files ?? [])];
  if (settings !== undefined) return outputGuard({ ...settings, files, overwrite });
  const named = config === undefined ? [] : [{ path: config, what: 'the configuration' }];
  const { cwd, env } = call.surroundings;
  const ledgerPath = ledger ?? env['PAYFILE_LEDGER'];
  const locations = locationsOrNothing(call.surroundings);
  return outputGuard({ ledgerPath, locations, files: [...files, ...named], overwrite, cwd });
}

function filesReadBy({ command, args, flags }: Pick<Call, 'command' | 'args' | 'flags'>) {
  const { statement, evidence } = flags;
  const isReader = command === 'run' || command === 'plan' || command === 'check';
  const input = isReader ? args[0] : command === 'mapping' ? args[2] : undefined;
  const read = [input === '-' ? '/dev/stdin' : input, statement, evidence];
  return read.flatMap((path) => (path === undefined ? [] : [{ path, what: 'a file that this call reads' }]));
}

function locationsOrNothing(surroundings: Surroundings): Locations | undefined {
  try {
    return locationsOf({ ...surroundings, home: homeFolder(surroundings) });
  } catch {
    return undefined;
  }
}

/**
 * A user without an entry in the system's list has none, and needs none where the places are named. One that depends on
 * the working folder is none either: in another folder no ledger would be found, and every payment forgotten.
 */
function homeFolder({ env, home }: Surroundings): string {
  if (home !== undefined && isAbsolute(home)) return home;
  const { XDG_STATE_HOME: state = '', XDG_CONFIG_HOME: config = '', HOME } = env;
  if (isAbsolute(state) && isAbsolute(config)) return '/';
  const what =
    home === undefined ? 'This user has no home folder.' : `HOME is “${HOME ?? ''}”, which is no whole path.`;
  throw new ConfigError(`${what} Set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME, to folders of its own.`);
}

async function scenarioOf(call: Call, settings: Settings): Promise<SandboxOptions> {
  const { scenario } = call.flags;
  if (scenario === undefined) return {};
  if (settings.environment === 'live')
    throw new UsageError('--scenario changes the embedded sandbox; it needs --sandbox beside it.');
  const { parseScenario } = await import('../../sandbox/scenarios.ts');
  return { scenario: parseScenario(scenario) };
}

interface LazyLog extends Log {
  load(): Promise<void>;
  close(): Promise<void>;
}

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Loads the log with its first line: most short commands never write one. */
function openLog(call: Call): LazyLog {
  const { logLevel, logFile: written } = call.flags;
  const logFile = written === undefined ? undefined : pathFrom(call.surroundings.cwd, written);
  const least = RANK[logLevel ?? (logFile === undefined ? 'warn' : 'info')];
  const isForPeople = logLevel === undefined && logFile === undefined;
  const say = (line: string) => call.terminal.talk(line);
  const open = async () => {
    const { createWinstonLog } = await import('../../adapters/log/winston-log.ts');
    return createWinstonLog({ level: logLevel, file: logFile, say });
  };
  let opening: ReturnType<typeof open> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  return {
    write(level: LogLevel, event: string, fields?: LogFields) {
      // The progress names the row instead, which whoever asks the service does not know.
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
