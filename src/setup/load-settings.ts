/**
 * Settings: flags win over the environment, and the environment wins over one file. --config or PAYFILE_CONFIG names
 * the file; otherwise it is the user's own.
 *
 * Secrets become Sensitive as they enter. Errors: ConfigError, exit code 78, naming the setting, where it
 * came from, what was seen and what was expected.
 */
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseCurrency } from '../domain/money/currency.ts';
import { type Money, parseTyped } from '../domain/money/money.ts';
import { NAME_RESULTS, type NameResult } from '../domain/names/name-check.ts';
import type { Roster } from '../domain/people/person.ts';
import { DEFAULT_POLICY, type NamePolicyWord, type Policy } from '../domain/policy.ts';
import {
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
  VARIABLES,
  type ValueOf,
} from '../domain/settings.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { ConfigError, readConfigFile, readPasswordFile, settingIn } from './config-file.ts';
import { type LedgerServer, ledgerServerOf } from './ledger-server.ts';
import { type Locations, locationsOf, pathFrom } from './places.ts';
import { withOneMeaning } from './status-lists.ts';

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly id: string;
  readonly password: Sensitive;
}

/** `problem`: only when the exit code is not 0. */
export type NotifyOn = 'problem' | 'always';

export interface Settings {
  readonly environment: 'live' | 'sandbox';
  /** undefined in the sandbox, or when nothing is configured. */
  readonly service: ServiceSettings | undefined;
  /** Which of the four service settings are missing, by the names of their variables; empty when complete. */
  readonly missing: readonly string[];
  readonly ledgerPath: string;
  /** undefined: the ledger is in a file. */
  readonly ledgerServer: LedgerServer | undefined;
  /** For a ledger on a server; undefined: as in PGPASSFILE or ~/.pgpass, where there is one. */
  readonly ledgerPassword: Sensitive | undefined;
  /** The id that the live ledger must have; undefined: any id. */
  readonly ledgerId: string | undefined;
  readonly locations: Locations;
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** The configuration file that was read; undefined if there is none. */
  readonly configPath: string | undefined;
  /** What the settings were read from: configuration and password. */
  readonly files: readonly { readonly path: string; readonly what: string }[];
  readonly source: string | undefined;
  readonly policy: Policy;
  /** Who may do what, besides the user of the machine. */
  readonly people: Roster;
  /** How many parts of sendings all workers together have at a time, each with `concurrency` transfers in flight. */
  readonly lanes: number;
  readonly requestsPerSecond: number | undefined;
  readonly answersRefused: readonly { readonly httpStatus: number; readonly code: string }[];
  /** Written at the end of every command that works on a batch. */
  readonly metricsFile: string | undefined;
  readonly notify: { readonly to: string | undefined; readonly on: NotifyOn };
  /** Where each setting that is not a default came from, for doctor. Never a secret's value. */
  readonly origins: ReadonlyMap<string, string>;
  /** Things to tell the person: a password file that others can read. */
  readonly warnings: readonly string[];
}

export interface SettingFlags {
  readonly sandbox?: boolean | undefined;
  readonly config?: string | undefined;
  readonly ledger?: string | undefined;
  readonly source?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly timeZone?: string | undefined;
  readonly names?: Readonly<Record<string, NamePolicyWord>> | undefined;
  /** A person sees the plan before it is paid. */
  readonly isAttended?: boolean | undefined;
}

export interface SettingsContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'a whole number')
  .transform(Number);

function variableSchema({ is }: Setting): z.ZodType {
  if (is.kind !== 'whole') return z.string().optional();
  const least = z.number().min(is.least);
  return WholeNumber.pipe(is.most === undefined ? least : least.max(is.most)).optional();
}

const VARIABLE_SETTINGS = Object.values(SETTINGS).flatMap((setting: Setting) =>
  setting.variable === undefined ? [] : [[setting.variable, setting] as const],
);
const Environment = z.object(
  Object.fromEntries(
    [...VARIABLE_SETTINGS, ...Object.entries<Setting>(VARIABLES)].map(
      ([name, setting]) => [name, variableSchema(setting)] as const,
    ),
  ),
);

/** The values of our variables, as the list of settings says what they are. */
interface EnvironmentValues {
  readonly of: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined;
  readonly alone: <Name extends keyof typeof VARIABLES>(
    name: Name,
  ) => ValueOf<(typeof VARIABLES)[Name]['is']> | undefined;
}

export function loadSettings(flags: SettingFlags, context: SettingsContext): Settings {
  const env = readEnvironment(context.env);
  const locations = locationsOf(context);
  const path = (written: string) => pathFrom(context.cwd, written);
  const file = withPasswordBeside(configFileOf(flags, env, { locations, path }));
  const origins = new Map<string, string>();
  const pick = picker(file, env, origins);
  const isSandbox = flags.sandbox === true;
  const service = isSandbox
    ? { settings: undefined, missing: [], warnings: [] }
    : serviceOf(env, { pick, origins }, path);
  return {
    environment: isSandbox ? 'sandbox' : 'live',
    service: service.settings,
    missing: service.missing,
    warnings: service.warnings,
    locations,
    cwd: context.cwd,
    configPath: file?.path,
    files: filesOf(env, file),
    ...ledgerIn(flags.ledger, { pick, path, warnings: service.warnings }, isSandbox, locations),
    source: pick('source', flags.source) ?? (isSandbox ? SANDBOX_SOURCE : undefined),
    requestsPerSecond: pick('rate', flags.rate),
    answersRefused: (pick('answers.refused') ?? []).map(({ status, code }) => ({
      httpStatus: status,
      code: String(code),
    })),
    policy: withOneMeaning(
      policyOf(flags, { env, pick, file, origins }, isSandbox),
      `${file?.path ?? 'The configuration'} cannot be used`,
      (list) => `statuses.${list}`,
    ),
    people: new Map(Object.entries(pick('people') ?? {})),
    lanes: pick('lanes') ?? SETTINGS.lanes.default,
    metricsFile: pick('metricsFile'),
    notify: {
      to: pick('notify.to'),
      on: pick('notify.on') ?? SETTINGS['notify.on'].default,
    },
    origins,
  };
}

type InPlace = {
  readonly [Name in 'ledgerPath' | 'ledgerServer' | 'ledgerPassword' | 'ledgerId']: Settings[Name];
};

/** A file, or a server. */
function ledgerIn(
  flag: string | undefined,
  { pick, path, warnings }: { pick: Pick; path: (written: string) => string; warnings: string[] },
  isSandbox: boolean,
  locations: Locations,
): InPlace {
  const written = pick('ledger.path', flag) ?? (isSandbox ? locations.sandboxLedger : locations.ledger);
  const file = pick('ledger.passwordFile');
  const ledgerPassword = file === undefined ? undefined : readPasswordFile(path(file), warnings);
  const ledgerServer = ledgerServerOf(written, ledgerPassword);
  const ledgerId = isSandbox ? undefined : pick('ledger.id');
  const ledgerPath = ledgerServer === undefined ? path(written) : written;
  return { ledgerPath, ledgerServer, ledgerPassword, ledgerId };
}

function configFileOf(
  { config }: SettingFlags,
  env: EnvironmentValues,
  { locations, path }: { locations: Locations; path: (written: string) => string },
): FileRead {
  if (config !== undefined) return readConfigFile(path(config), '--config');
  const named = env.alone('PAYFILE_CONFIG');
  return named === undefined
    ? readConfigFile(locations.userConfig)
    : readConfigFile(path(named), 'PAYFILE_CONFIG');
}

/** Cron starts in another folder than the person who wrote the file. */
function withPasswordBeside(file: FileRead): FileRead {
  const written = file && settingIn(file.values, 'passwordFile');
  if (file === undefined || written === undefined) return file;
  return { ...file, values: { ...file.values, passwordFile: pathFrom(dirname(file.path), written) } };
}

function filesOf(env: EnvironmentValues, file: FileRead): Settings['files'] {
  const passwordsIn = (name: 'passwordFile' | 'ledger.passwordFile', what: string) =>
    [env.of(name), file && settingIn(file.values, name)].flatMap((path) =>
      path === undefined ? [] : [{ path, what }],
    );
  return [
    ...passwordsIn('passwordFile', 'the password file'),
    ...passwordsIn('ledger.passwordFile', "the ledger's password file"),
    ...(file === undefined ? [] : [{ path: file.path, what: 'the configuration' }]),
  ];
}

type FileRead = ReturnType<typeof readConfigFile>;
type Pick = <Name extends SettingName>(
  name: Name,
  flag?: SettingValue<Name> | undefined,
) => SettingValue<Name> | undefined;

/** The strongest source that has the setting, noted for doctor. */
function picker(file: FileRead, env: EnvironmentValues, origins: Map<string, string>): Pick {
  return (name, flag) => {
    const { shownAs = name }: Setting = SETTINGS[name];
    const sources = [
      { value: flag, origin: 'flag' },
      { value: env.of(name), origin: 'environment' },
      { value: file && settingIn(file.values, name), origin: file?.path ?? '' },
    ];
    const found = sources.find(({ value }) => value !== undefined && value !== null);
    if (found !== undefined) origins.set(shownAs, found.origin);
    return found?.value;
  };
}

function readEnvironment(env: SettingsContext['env']): EnvironmentValues {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(set);
  if (parsed.success) {
    const values = parsed.data;
    const variableOf = (name: SettingName): string | undefined => (SETTINGS[name] as Setting).variable;
    return {
      of: (name) => values[variableOf(name) ?? ''] as SettingValue<typeof name> | undefined,
      alone: (name) => values[name] as ValueOf<(typeof VARIABLES)[typeof name]['is']> | undefined,
    };
  }
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  throw new ConfigError(`${name} is “${set[name] ?? ''}”; expected ${issue?.message ?? 'another value'}.`);
}

function serviceOf(
  env: EnvironmentValues,
  { pick, origins }: Omit<Sources, 'env' | 'file'>,
  path: (written: string) => string,
) {
  const warnings: string[] = [];
  const baseUrl = pick('baseUrl');
  const authUrl = pick('authUrl');
  const id = pick('id');
  const secret = env.alone('PAYFILE_PASSWORD');
  if (secret !== undefined) origins.set('password', 'environment');
  // A file that is not read is no source of anything.
  const passwordFile = secret === undefined ? pick('passwordFile') : undefined;
  const written = passwordFile === undefined ? undefined : readPasswordFile(path(passwordFile), warnings);
  const password = secret === undefined ? written : new Sensitive(secret);
  const missing = [
    ...(baseUrl === undefined ? ['PAYFILE_BASE_URL'] : []),
    ...(authUrl === undefined ? ['PAYFILE_AUTH_URL'] : []),
    ...(id === undefined ? ['PAYFILE_ID'] : []),
    ...(password === undefined ? ['PAYFILE_PASSWORD or PAYFILE_PASSWORD_FILE'] : []),
  ];
  if (baseUrl === undefined || authUrl === undefined || id === undefined || password === undefined) {
    return { settings: undefined, missing, warnings };
  }
  return { settings: { baseUrl, authUrl, id, password }, missing, warnings };
}

interface Sources {
  readonly env: EnvironmentValues;
  readonly pick: Pick;
  readonly file: FileRead;
  readonly origins: Map<string, string>;
}

function policyOf(flags: SettingFlags, { env, pick, file, origins }: Sources, isSandbox: boolean): Policy {
  const base = defaultPolicy(isSandbox);
  const minutes = 60_000;
  return {
    ...base,
    organization: pick('organization') ?? base.organization,
    timeZone: pick('timeZone', flags.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    concurrency: pick('concurrency', flags.concurrency) ?? base.concurrency,
    duplicateWindowDays: pick('duplicateWindowDays') ?? base.duplicateWindowDays,
    names: namesFrom(base.names, namesIn(file, origins), flags.names),
    amountIn: pick('quote.amountIn') ?? base.amountIn,
    quoteMinutes: pick('quoteMinutes') ?? base.quoteMinutes,
    nameHours: pick('nameHours') ?? base.nameHours,
    repeatHours: pick('repeatHours') ?? base.repeatHours,
    driftPercent: pick('driftPercent') ?? base.driftPercent,
    feePercentMax: pick('feePercentMax') ?? base.feePercentMax,
    jumpPercent: pick('jumpPercent') ?? base.jumpPercent,
    accountChanges: pick('accountChanges') ?? (flags.isAttended === true ? 'warn' : base.accountChanges),
    approvalHours: pick('approvalHours') ?? base.approvalHours,
    fourEyes: pick('fourEyes') ?? base.fourEyes,
    approvalPasskey: pick('approvalPasskey') ?? base.approvalPasskey,
    limits: {
      rowMax: limitMoney('limits.rowMax', pick('limits.rowMax')),
      batchMax: limitMoney('limits.batchMax', pick('limits.batchMax')),
      dayMax: limitMoney('limits.dayMax', pick('limits.dayMax')),
    },
    maxInDoubt: pick('maxInDoubt') ?? base.maxInDoubt,
    lookUpFields: pick('answers.lookup') ?? base.lookUpFields,
    finishedWords: pick('statuses.finished') ?? base.finishedWords,
    failedWords: pick('statuses.failed') ?? base.failedWords,
    returnedWords: pick('statuses.returned') ?? base.returnedWords,
    pendingWords: pick('statuses.pending') ?? base.pendingWords,
    failConfirmMs: (pick('statuses.confirmMinutes') ?? base.failConfirmMs / minutes) * minutes,
    watchDays: pick('watchDays') ?? base.watchDays,
    noteMax: pick('noteMax') ?? base.noteMax,
    noteTag: pick('noteTag') ?? base.noteTag,
    pollMinMs: env.alone('PAYFILE_POLL_MIN_MS') ?? base.pollMinMs,
    postTimeoutMs: env.alone('PAYFILE_POST_TIMEOUT_MS') ?? base.postTimeoutMs,
  };
}

function namesIn(file: FileRead, origins: Map<string, string>): SettingFlags['names'] {
  if (file?.values['names'] === undefined) return undefined;
  origins.set('names', file.path);
  const said = NAME_RESULTS.map((result) => [result, settingIn(file.values, `names.${result}`)] as const);
  return Object.fromEntries(said.flatMap(([result, word]) => (word === undefined ? [] : [[result, word]])));
}

/** The sandbox's default source country; a live run has none. */
const SANDBOX_SOURCE = 'GB';

/** The sandbox's transfers end within seconds, so its intervals and timeouts are short. */
const SANDBOX_POLICY = {
  pollMinMs: 200,
  failConfirmMs: 1_000,
  outageWaitMs: 10_000,
  postTimeoutMs: 10_000,
} as const;

export function defaultPolicy(isSandbox: boolean): Policy {
  return isSandbox ? { ...DEFAULT_POLICY, ...SANDBOX_POLICY } : DEFAULT_POLICY;
}

/** Flags over the file over the defaults, word by word. */
function namesFrom(
  base: Policy['names'],
  file: SettingFlags['names'],
  flags: SettingFlags['names'],
): Policy['names'] {
  for (const word of Object.keys(flags ?? {})) {
    if (!(NAME_RESULTS as readonly string[]).includes(word)) {
      throw new ConfigError(
        `--names: “${word}” is not a name check result; expected ${NAME_RESULTS.join(', ')}.`,
      );
    }
  }
  const word = (result: NameResult) => flags?.[result] ?? file?.[result] ?? base[result];
  return {
    match: word('match'),
    close_match: word('close_match'),
    no_match: word('no_match'),
    not_found: word('not_found'),
    unavailable: word('unavailable'),
  };
}

/** Limits as they stand in the configuration: `{"GHS": "12500.00"}` becomes money. Errors: ConfigError. */

export function limitMoney(
  name: string,
  written: Readonly<Record<string, string>> | undefined,
): readonly Money[] {
  const money = Object.entries(written ?? {}).map(([code, amount]) => {
    const currency = parseCurrency(code);
    const limit = currency === undefined ? undefined : parseTyped(amount, currency);
    if (limit !== undefined) return limit;
    throw new ConfigError(
      `${name} has “${code}: ${amount}”; expected a currency and a plain amount, such as {"GHS": "12500.00"}.`,
    );
  });
  const codes = new Set(money.map(({ currency }) => currency));
  if (codes.size < money.length) throw new ConfigError(`${name} names a currency twice.`);
  return money;
}
