/**
 * The configuration file: JSON with the settings below and no others, so that a misspelt name is found.
 *
 * It holds no secret: the password is in a file of its own or in the environment. A file that was found in the working
 * folder, and that nobody named, is trusted less, because an unpacked archive may have brought it. It must be the user's
 * own and may not say where money and passwords go, who is told, who may do what, which words or answers mean “not
 * paid”, or which payments are remembered. The rest is allowed, because the plan shows what it lets through. The
 * permissions of its folder do not matter: a file that somebody else puts there has another owner.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { z } from 'zod';
import { contradictionIn } from '../adapters/files/report/json-report.ts';
import { plainPath, shellWord } from '../domain/next-steps/command.ts';
import { ROLES } from '../domain/people/person.ts';
import { NOTIFY_EXPECTED, notifyTargetOf } from '../domain/reporting/notify-target.ts';
import {
  type Kind,
  partsOfName,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
} from '../domain/settings.ts';
import { Sensitive } from '../domain/text/sensitive.ts';

/** Currency → plain amount; read as money by load-settings.ts. */
const Amounts = z.record(z.string(), z.string());
const Answers = z.array(
  z.strictObject({ status: z.int().min(200).max(499), code: z.union([z.string(), z.int()]) }),
);
/** A name is shown on pages and in reports, and stands in the ledger for ever. */
const People = z.record(z.string().min(1).max(64).refine(isOneLine), z.array(z.enum(ROLES)));
const Schedules = z.record(z.string(), z.strictObject({ maxTotal: Amounts }));
const Target = z.string().refine((text) => notifyTargetOf(text) !== undefined, `expected ${NOTIFY_EXPECTED}`);

export function schemaOf(is: Kind): z.ZodType {
  switch (is.kind) {
    case 'text':
      return textSchema(is);
    case 'switch':
      return z.boolean();
    case 'whole':
      return is.most === undefined ? z.int().min(is.least) : z.int().min(is.least).max(is.most);
    case 'number': {
      const lower = is.above === undefined ? z.number().min(is.least ?? 0) : z.number().positive();
      return is.most === undefined ? lower : lower.max(is.most);
    }
    case 'choice':
      return z.enum(is.of);
    case 'words':
      return z.array(z.string().min(1));
    case 'amounts':
      return Amounts;
    case 'answers':
      return Answers;
    case 'people':
      return People;
    case 'schedules':
      return Schedules;
    case 'target':
      return Target;
  }
}

function textSchema({ notEmpty, most, orNull }: Extract<Kind, { kind: 'text' }>): z.ZodType {
  const text = notEmpty === true ? z.string().min(1) : z.string();
  if (orNull === true) return text.nullable();
  return most === undefined
    ? text
    : text.max(most).refine(isOneLine, 'expected one line of visible characters');
}

function isOneLine(text: string): boolean {
  return text === text.trim() && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** `ledger` holds `path` and `group`; every other name stands by itself. */
function configSchema() {
  const groups = new Map<string, Record<string, z.ZodType>>();
  for (const name of NAMES) {
    const [group, key] = partsOfName(name);
    const schema = schemaOf(SETTINGS[name].is).optional();
    groups.set(group ?? key, { ...groups.get(group ?? key), [group === undefined ? '' : key]: schema });
  }
  const shape = [...groups].map(([name, { '': alone, ...members }]) => [
    name,
    alone ?? z.strictObject(members).optional(),
  ]);
  return z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodType>);
}

const ConfigFile = configSchema();
type ConfigFile = Readonly<Record<string, unknown>>;

/** What the file says; it was checked against the list of settings. */
export function settingIn<Name extends SettingName>(
  values: ConfigFile,
  name: Name,
): SettingValue<Name> | undefined {
  const [group, key] = partsOfName(name);
  const holder = group === undefined ? values : (values[group] as ConfigFile | undefined);
  return holder?.[key] as SettingValue<Name> | undefined;
}

interface ConfigFileOptions {
  /** The user named the file. */
  readonly isRequired: boolean;
  /** The file was found in the working folder; the user's own file is at this path. */
  readonly foundBesideOwn?: string;
}

/** undefined when there is no such file and none was asked for. */
export function readConfigFile(
  path: string,
  { isRequired, foundBesideOwn: own }: ConfigFileOptions,
): { readonly path: string; readonly values: ConfigFile } | undefined {
  const text = textOf(path, isRequired, (stats) => {
    if (own !== undefined) refuseForeign(path, own, stats);
  });
  if (text === undefined) return undefined;
  const parsed = ConfigFile.safeParse(jsonOf(path, text));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`,
    );
    throw new ConfigError(`${path} cannot be used:\n${lines.join('\n')}`);
  }
  if (own !== undefined) refusePowerful(path, own, parsed.data);
  return { path, values: parsed.data };
}

/** Everything about the file is asked of the one open file, so that nobody can put another in its place meanwhile. */
function textOf(path: string, isRequired: boolean, check: (stats: Stats) => void): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    check(fstatSync(file));
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && !isRequired) return undefined;
    throw new ConfigError(`The configuration file ${path} cannot be read (${code}).`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether somebody else than its owner may write the file. */
export function isOpenToOthers({ mode }: Pick<Stats, 'mode'>): boolean {
  return process.geteuid !== undefined && (mode & 0o022) !== 0;
}

/** Windows has no owner to compare. A link has to be the user's own, too. */
function refuseForeign(path: string, own: string, stats: Stats): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (!stats.isFile()) throw foundRefused(path, own, 'it is not a file');
  const other = [stats.uid, lstatSync(path).uid].find((uid) => uid !== user && uid !== 0);
  if (other !== undefined)
    throw foundRefused(path, own, `it belongs to another user (number ${other}; you are ${user})`);
  if (isOpenToOthers(stats))
    throw foundRefused(
      path,
      own,
      'others can write it',
      `Make it yours alone: chmod go-w ${shellWord(plainPath(path))}. `,
    );
}

/** A group of which nothing may be set is named as one. */
function refusePowerful(path: string, own: string, values: ConfigFile): void {
  const set = NAMES.flatMap((name) => {
    const [group, key] = partsOfName(name);
    if (!isOwnFileOnly(name)) return [];
    const isWhole =
      group !== undefined && NAMES.every((each) => isOwnFileOnly(each) || partsOfName(each)[0] !== group);
    if (isWhole) return values[group] === undefined ? [] : [group];
    return settingIn(values, name) === undefined ? [] : [group === undefined ? key : name];
  });
  if (set.length === 0) return;
  const names = [...new Set(set)].join(', ');
  throw foundRefused(path, own, `it sets ${names}, which a file found there may not set`);
}

function isOwnFileOnly(name: SettingName): boolean {
  const setting: Setting = SETTINGS[name];
  return setting.ownFileOnly === true;
}

function foundRefused(path: string, own: string, why: string, mend = ''): ConfigError {
  return new ConfigError(
    `The configuration ${path} was found in the working folder, but ${why}. Nothing was done. ${mend}` +
      `If you trust it, name it: --config ${shellWord(plainPath(path))}. Your own settings belong in ${own}.`,
  );
}

function jsonOf(path: string, text: string): unknown {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${error instanceof Error ? error.message : 'unreadable'}.`, {
      cause: error,
    });
  }
  // Of two settings with one name the last would win silently, and a limit in the first would not hold.
  const contradiction = contradictionIn(text);
  if (contradiction !== undefined) throw new ConfigError(`${path} cannot be used: ${contradiction}.`);
  return values;
}

/**
 * The password from a file: its first line, without the line end.
 */

const BYTES_MAX = 4096;

export function readPasswordFile(path: string, warnings: string[]): Sensitive {
  try {
    const { mode, size } = statSync(path);
    if (size > BYTES_MAX)
      throw new ConfigError(`The password file ${path} is too large to hold one password.`);
    if ((mode & 0o077) !== 0)
      warnings.push(`Other users can read the password file ${path}: chmod 600 ${path}`);
    const [line = ''] = readFileSync(path, 'utf8').split(/\r?\n/);
    if (line === '') throw new ConfigError(`The password file ${path} is empty.`);
    return new Sensitive(line);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(`The password file ${path} cannot be read (${code}).`, { cause: error });
  }
}

/** A setting that cannot be used: which, where it came from, what was seen, what was expected. Exit code 78. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}
