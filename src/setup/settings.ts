/**
 * Settings: flags over environment over payfile.config.json here (or --config FILE) over the user's own file.
 *
 * The file in the working folder is trusted less than one that the user named or keeps (config-file.ts).
 * Secrets become Sensitive as they enter. Errors: ConfigError, exit code 78, naming the setting, where it
 * came from, what was seen and what was expected.
 */
import { z } from 'zod';
import { parseCurrency } from '../domain/money/currency.ts';
import { type Money, parseTyped } from '../domain/money/money.ts';
import { NAME_RESULTS, type NameResult } from '../domain/names/name-check.ts';
import { DEFAULT_POLICY, type NamePolicyWord, type Policy } from '../domain/policy.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { ConfigError, type ConfigFile, readConfigFile, readPasswordFile } from './config-file.ts';
import { type Locations, locationsOf, pathFrom } from './places.ts';

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
  readonly ledgerGroup: boolean;
  readonly locations: Locations;
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** What the settings were read from: configuration and password. */
  readonly files: readonly { readonly path: string; readonly what: string }[];
  readonly source: string | undefined;
  readonly policy: Policy;
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
  readonly names?: Readonly<Record<string, NamePolicyWord>> | undefined;
  /** Somebody is there who sees the plan before it is paid. */
  readonly isAttended?: boolean | undefined;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'a whole number')
  .transform(Number);

const Environment = z.object({
  PAYFILE_BASE_URL: z.string().optional(),
  PAYFILE_AUTH_URL: z.string().optional(),
  PAYFILE_ID: z.string().optional(),
  PAYFILE_PASSWORD: z.string().optional(),
  PAYFILE_PASSWORD_FILE: z.string().optional(),
  PAYFILE_LEDGER: z.string().optional(),
  PAYFILE_SOURCE: z.string().optional(),
  PAYFILE_CONCURRENCY: WholeNumber.pipe(z.number().min(1).max(1024)).optional(),
  PAYFILE_POST_TIMEOUT_MS: WholeNumber.pipe(z.number().min(1_000).max(600_000)).optional(),
  PAYFILE_POLL_MIN_MS: WholeNumber.pipe(z.number().min(10).max(600_000)).optional(),
});

export function loadSettings(flags: SettingFlags, surroundings: Surroundings): Settings {
  const env = readEnvironment(surroundings.env);
  const locations = locationsOf(surroundings);
  const path = (written: string) => pathFrom(surroundings.cwd, written);
  const files = [
    flags.config === undefined
      ? readConfigFile(locations.projectConfig, { isRequired: false, foundBesideOwn: locations.userConfig })
      : readConfigFile(path(flags.config), { isRequired: true }),
    readConfigFile(locations.userConfig, { isRequired: false }),
  ];
  const origins = new Map<string, string>();
  const pick = picker(files, origins);
  const isSandbox = flags.sandbox === true;
  const service = isSandbox ? { settings: undefined, missing: [], warnings: [] } : serviceOf(env, pick, path);
  return {
    environment: isSandbox ? 'sandbox' : 'live',
    service: service.settings,
    missing: service.missing,
    warnings: service.warnings,
    locations,
    cwd: surroundings.cwd,
    files: filesOf(flags, env, files),
    ledgerPath: path(
      pick('ledger', flags.ledger, env.PAYFILE_LEDGER, (file) => file.ledger?.path) ??
        (isSandbox ? locations.sandboxLedger : locations.ledger),
    ),
    ledgerGroup: pick('ledger.group', undefined, undefined, (file) => file.ledger?.group) ?? false,
    source:
      pick('source', flags.source, env.PAYFILE_SOURCE, (file) => file.source) ??
      (isSandbox ? SANDBOX_SOURCE : undefined),
    requestsPerSecond: pick('rate', flags.rate, undefined, (file) => file.rate),
    answersRefused: (
      pick('answers.refused', undefined, undefined, (file) => file.answers?.refused) ?? []
    ).map(({ status, code }) => ({ httpStatus: status, code: String(code) })),
    policy: policyOf(flags, env, pick, isSandbox),
    metricsFile: pick('metricsFile', undefined, undefined, (file) => file.metricsFile),
    notify: {
      to: pick('notify.to', undefined, undefined, (file) => file.notify?.to),
      on: pick('notify.on', undefined, undefined, (file) => file.notify?.on) ?? 'problem',
    },
    origins,
  };
}

function filesOf(
  { config }: SettingFlags,
  { PAYFILE_PASSWORD_FILE: inEnvironment }: EnvironmentValues,
  files: readonly ReturnType<typeof readConfigFile>[],
): Settings['files'] {
  const passwords = [inEnvironment, ...files.map((file) => file?.values.passwordFile)];
  return [
    ...passwords.flatMap((path) => (path === undefined ? [] : [{ path, what: 'the password file' }])),
    ...(config === undefined ? [] : [{ path: config, what: 'the configuration' }]),
  ];
}

type EnvironmentValues = z.infer<typeof Environment>;
type Pick = <Value>(
  name: string,
  flag: Value | undefined,
  variable: Value | undefined,
  inFile: (file: ConfigFile) => Value | undefined,
) => Value | undefined;

/** The strongest source that has the setting, noted for doctor. */
function picker(files: readonly ReturnType<typeof readConfigFile>[], origins: Map<string, string>): Pick {
  return (name, flag, variable, inFile) => {
    const found = (value: NonNullable<typeof flag>, origin: string) => {
      origins.set(name, origin);
      return value;
    };
    if (flag !== undefined && flag !== null) return found(flag, 'flag');
    if (variable !== undefined && variable !== null) return found(variable, 'environment');
    for (const file of files) {
      const value = file === undefined ? undefined : inFile(file.values);
      if (file !== undefined && value !== undefined && value !== null) return found(value, file.path);
    }
    return undefined;
  };
}

function readEnvironment(env: Surroundings['env']): EnvironmentValues {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(set);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  throw new ConfigError(`${name} is “${set[name] ?? ''}”; expected ${issue?.message ?? 'another value'}.`);
}

function serviceOf(env: EnvironmentValues, pick: Pick, path: (written: string) => string) {
  const warnings: string[] = [];
  const passwordFile = pick(
    'password file',
    undefined,
    env.PAYFILE_PASSWORD_FILE,
    (file) => file.passwordFile,
  );
  const baseUrl = pick('baseUrl', undefined, env.PAYFILE_BASE_URL, (file) => file.baseUrl);
  const authUrl = pick('authUrl', undefined, env.PAYFILE_AUTH_URL, (file) => file.authUrl);
  const id = pick('id', undefined, env.PAYFILE_ID, (file) => file.id);
  const password =
    env.PAYFILE_PASSWORD !== undefined
      ? new Sensitive(env.PAYFILE_PASSWORD)
      : passwordFile === undefined
        ? undefined
        : readPasswordFile(path(passwordFile), warnings);
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

function policyOf(flags: SettingFlags, env: EnvironmentValues, pick: Pick, isSandbox: boolean): Policy {
  const base = isSandbox ? { ...DEFAULT_POLICY, ...SANDBOX_POLICY } : DEFAULT_POLICY;
  const setting = <Key extends keyof ConfigFile & keyof Policy>(key: Key) =>
    pick(key, undefined, undefined, (file) => file[key] as Policy[Key] | undefined) ?? base[key];
  return {
    ...base,
    concurrency:
      pick('concurrency', flags.concurrency, env.PAYFILE_CONCURRENCY, (file) => file.concurrency) ??
      base.concurrency,
    duplicateWindowDays: setting('duplicateWindowDays'),
    names: namesFrom(
      base.names,
      pick('names', undefined, undefined, (file) => file.names),
      flags.names,
    ),
    amountIn: pick('quote.amountIn', undefined, undefined, (file) => file.quote?.amountIn) ?? base.amountIn,
    quoteMinutes: setting('quoteMinutes'),
    driftPercent: setting('driftPercent'),
    feePercentMax: setting('feePercentMax'),
    jumpPercent: setting('jumpPercent'),
    accountChanges:
      pick('accountChanges', undefined, undefined, (file) => file.accountChanges) ??
      (flags.isAttended === true ? 'warn' : base.accountChanges),
    approvalHours: setting('approvalHours'),
    fourEyes: setting('fourEyes'),
    limits: limitsFrom(pick),
    maxInDoubt: setting('maxInDoubt'),
    failedWords:
      pick('statuses.failed', undefined, undefined, (file) => file.statuses?.failed) ?? base.failedWords,
    returnedWords:
      pick('statuses.returned', undefined, undefined, (file) => file.statuses?.returned) ??
      base.returnedWords,
    failConfirmMs:
      (pick('statuses.confirmMinutes', undefined, undefined, (file) => file.statuses?.confirmMinutes) ??
        base.failConfirmMs / 60_000) * 60_000,
    noteMax: setting('noteMax'),
    noteTag: setting('noteTag'),
    pollMinMs: env.PAYFILE_POLL_MIN_MS ?? base.pollMinMs,
    postTimeoutMs: env.PAYFILE_POST_TIMEOUT_MS ?? base.postTimeoutMs,
  };
}

function limitsFrom(pick: Pick): Policy['limits'] {
  const limit = (key: keyof Policy['limits']) => {
    const name = `limits.${key}`;
    return limitMoney(
      name,
      pick(name, undefined, undefined, (file) => file.limits?.[key]),
    );
  };
  return { rowMax: limit('rowMax'), batchMax: limit('batchMax'), dayMax: limit('dayMax') };
}

/** Where money in a rehearsal comes from when nobody says; a live run has no such default. */
const SANDBOX_SOURCE = 'GB';

/** The sandbox's transfers end within seconds, so its looks and its patience are short. */
const SANDBOX_POLICY = { pollMinMs: 200, failConfirmMs: 1_000, outageWaitMs: 10_000 } as const;

/** Flags over the file over the defaults, word by word. */
function namesFrom(
  base: Policy['names'],
  file: ConfigFile['names'],
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
