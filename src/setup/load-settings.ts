/**
 * Settings: flags override the environment, and the environment overrides one file. --config or PAYFILE_CONFIG names
 * the file. The default is the user's own file.
 *
 * Secrets become Sensitive when they are read. Errors: ConfigError, exit code 78. It names the setting, its source, the
 * value and the expected value.
 */
import { dirname } from 'node:path';
import type { Roster } from '../domain/people/person.ts';
import { POLICY_SETTINGS, type Policy } from '../domain/policy.ts';
import {
  defaultOf,
  inUnit,
  type NamedSetting,
  type Use,
  type ValuesOf,
  valuesOf,
} from '../domain/setting.ts';
import { fromText } from '../domain/setting-kinds.ts';
import { ALL_SETTINGS, PLACE_SETTINGS, RUN_SETTINGS, type SettingFlags } from '../domain/settings.ts';
import { input } from '../domain/text/message.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { faultText } from '../domain/text/value-fault.ts';
import type { HttpPaymentServiceSettings } from '../service/http-payment-service.ts';
import { ConfigError, type ConfigFile, readConfigFile, readPasswordFile } from './config-file.ts';
import { type LedgerServer, ledgerServerOf } from './ledger-server.ts';
import { type Locations, locationsOf, pathFrom } from './places.ts';
import { requireOneMeaning } from './status-lists.ts';

export type ServiceSettings = Pick<HttpPaymentServiceSettings, 'baseUrl' | 'authUrl' | 'id' | 'password'>;

/** Settings that need no conversion have the types of the setting table. */
export interface Settings extends Omit<ValuesOf<typeof RUN_SETTINGS>, 'people'> {
  readonly environment: 'live' | 'sandbox';
  /** undefined in the sandbox, or without a configured service. */
  readonly service: ServiceSettings | undefined;
  /** Variables of missing service settings; empty if complete. */
  readonly missing: readonly string[];
  readonly ledgerPath: string;
  /** undefined: the ledger is in a file. */
  readonly ledgerServer: LedgerServer | undefined;
  /** Password of a server ledger; undefined: from PGPASSFILE or ~/.pgpass, if present. */
  readonly ledgerPassword: Sensitive | undefined;
  /** The id that the live ledger must have; undefined: any id. */
  readonly ledgerId: string | undefined;
  readonly locations: Locations;
  /** Base folder of relative paths. */
  readonly cwd: string;
  /** The configuration file that was read; undefined if there is none. */
  readonly configPath: string | undefined;
  /** Files that the settings came from: configuration and passwords. */
  readonly files: readonly { readonly path: string; readonly what: string }[];
  readonly policy: Policy;
  /** Who may do what, besides the user of the machine. */
  readonly people: Roster;
  /** Source of each non-default setting, for doctor. Never contains a secret. */
  readonly origins: ReadonlyMap<string, string>;
  /** Warnings for the user, such as a password file that others can read. */
  readonly warnings: readonly string[];
}

/** Settings in the flags of a call. */
export interface SettingsAsked extends SettingFlags {
  readonly sandbox?: boolean | undefined;
}

export interface SettingsContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

type Variables = ReadonlyMap<string, unknown>;
type OptionalConfig = ConfigFile | undefined;

export function loadSettings(asked: SettingsAsked, context: SettingsContext): Settings {
  const variables = readVariables(context.env);
  const locations = locationsOf(context);
  const path = (written: string) => pathFrom(context.cwd, written);
  const file = withFullPasswordPath(configFileOf(asked, variables, { locations, path }));
  const origins = new Map<string, string>();
  const { sandbox: isSandbox = false } = asked;
  const pick = createPicker({ asked, variables, file, origins }, { isSandbox });
  const place = valuesOf(PLACE_SETTINGS, pick);
  // If a password is set, payfile reads no password file. So the file is no source of settings.
  if (place.password !== undefined) origins.delete('passwordFile');
  const warnings: string[] = [];
  const service = isSandbox ? { settings: undefined, missing: [] } : serviceOf(place, path, warnings);
  const { people, ...run } = valuesOf(RUN_SETTINGS, pick);
  return {
    ...run,
    environment: isSandbox ? 'sandbox' : 'live',
    service: service.settings,
    missing: service.missing,
    ...ledgerSettingsOf(place.ledger, path, warnings, isSandbox ? locations.sandboxLedger : locations.ledger),
    locations,
    cwd: context.cwd,
    configPath: file?.path,
    files: filesOf(variables, file),
    policy: requireOneMeaning(
      valuesOf(POLICY_SETTINGS, pick),
      `${file?.path ?? 'The configuration'} cannot be used`,
      (list) => `statuses.${list}`,
    ),
    people: new Map(Object.entries(people ?? {})),
    origins,
    warnings,
  };
}

/** Values of environment variables by name. Errors: ConfigError. */
function readVariables(env: SettingsContext['env']): Variables {
  const values = new Map<string, unknown>();
  for (const { variable = '', is } of ALL_SETTINGS) {
    const { [variable]: typed = '' } = env;
    if (typed === '') continue;
    const read = fromText(is, typed);
    if ('issue' in read) throw new ConfigError(faultText(read.issue, { value: typed, whole: variable }));
    values.set(variable, read.value);
  }
  return values;
}

interface Sources {
  readonly asked: SettingsAsked;
  readonly variables: Variables;
  readonly file: OptionalConfig;
  readonly origins: Map<string, string>;
}

/** Picks the value from the strongest source, and notes the source for doctor. Without a source, picks the default. */
function createPicker({ asked, variables, file, origins }: Sources, use: Use) {
  return (setting: NamedSetting): unknown => {
    const { name, variable = '' } = setting;
    const isUsed = setting.isLive !== true || use.isSandbox !== true;
    const sources = [
      { value: flagValue(setting, asked), origin: 'flag' },
      { value: variables.get(variable), origin: 'environment' },
      { value: file?.values.get(name), origin: file?.path ?? '' },
    ];
    const found = sources.find(({ value }) => isUsed && value !== undefined && value !== null);
    if (found === undefined) return defaultOf(setting, use);
    origins.set(name, found.origin);
    return inUnit(setting, found.value);
  };
}

/** Value of the setting's own flag, or of a group flag such as `names`. */
function flagValue({ name, flag }: NamedSetting, asked: SettingsAsked): unknown {
  const flags = asked as Readonly<Record<string, unknown>>;
  if (flag !== undefined) return flags[flag.name];
  const [group = '', key = ''] = name.split('.');
  const { [group]: held } = flags;
  return typeof held === 'object' && held !== null ? (held as typeof flags)[key] : undefined;
}

/** The ledger in a file or on a server. */
function ledgerSettingsOf(
  { path: named, passwordFile, id }: ValuesOf<typeof PLACE_SETTINGS.ledger>,
  path: (written: string) => string,
  warnings: string[],
  defaultPlace: string,
): Pick<Settings, 'ledgerPath' | 'ledgerServer' | 'ledgerPassword' | 'ledgerId'> {
  const written = named ?? defaultPlace;
  const ledgerPassword =
    passwordFile === undefined ? undefined : readPasswordFile(path(passwordFile), warnings);
  const ledgerServer = ledgerServerOf(written, ledgerPassword);
  const ledgerPath = ledgerServer === undefined ? path(written) : written;
  return { ledgerPath, ledgerServer, ledgerPassword, ledgerId: id ?? undefined };
}

function configFileOf(
  { config }: SettingsAsked,
  variables: Variables,
  { locations, path }: { locations: Locations; path: (written: string) => string },
): OptionalConfig {
  if (config !== undefined) return readConfigFile(path(config), input('config'));
  const named = variables.get('PAYFILE_CONFIG');
  return typeof named === 'string'
    ? readConfigFile(path(named), 'PAYFILE_CONFIG')
    : readConfigFile(locations.userConfig);
}

/** Resolves the password path from the folder of the file, because cron starts in another folder. */
function withFullPasswordPath(file: OptionalConfig): OptionalConfig {
  const written = file?.values.get('passwordFile');
  if (file === undefined || typeof written !== 'string') return file;
  const path = pathFrom(dirname(file.path), written);
  return { ...file, values: new Map([...file.values, ['passwordFile', path]]) };
}

function filesOf(variables: Variables, file: OptionalConfig): Settings['files'] {
  const passwordsIn = (variable: string, name: string, what: string) =>
    [variables.get(variable), file?.values.get(name)].flatMap((path) =>
      typeof path === 'string' ? [{ path, what }] : [],
    );
  const { passwordFile, ledger } = PLACE_SETTINGS;
  return [
    ...passwordsIn(passwordFile.variable, 'passwordFile', 'the password file'),
    ...passwordsIn(ledger.passwordFile.variable, 'ledger.passwordFile', "the ledger's password file"),
    ...(file === undefined ? [] : [{ path: file.path, what: 'the configuration' }]),
  ];
}

function serviceOf(
  { baseUrl, authUrl, id, password: secret, passwordFile }: ValuesOf<typeof PLACE_SETTINGS>,
  path: (written: string) => string,
  warnings: string[],
): { readonly settings: ServiceSettings | undefined; readonly missing: readonly string[] } {
  const inFile =
    secret === undefined && passwordFile !== undefined
      ? readPasswordFile(path(passwordFile), warnings)
      : undefined;
  const password = secret === undefined ? inFile : new Sensitive(secret);
  const missing = [
    ...(baseUrl === undefined ? ['PAYFILE_BASE_URL'] : []),
    ...(authUrl === undefined ? ['PAYFILE_AUTH_URL'] : []),
    ...(id === undefined ? ['PAYFILE_ID'] : []),
    ...(password === undefined ? ['PAYFILE_PASSWORD or PAYFILE_PASSWORD_FILE'] : []),
  ];
  if (baseUrl === undefined || authUrl === undefined || id === undefined || password === undefined)
    return { settings: undefined, missing };
  return { settings: { baseUrl, authUrl, id, password }, missing };
}
