/**
 * The configuration file: JSON with the settings below and no others, so that a misspelt name is found.
 *
 * It has no secret: the password is in its own file or in the environment.
 */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { isPersonId, PERSON_ID_RULE, ROLES } from '../domain/people/person.ts';
import { NOTIFY_EXPECTED, notifyTargetOf } from '../domain/reporting/notify-target.ts';
import { type Kind, partsOfName, SETTINGS, type SettingName, type SettingValue } from '../domain/settings.ts';
import { isSeenWhole } from '../domain/text/printable.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { contradictionIn } from '../files/report/json-report.ts';

/** Currency → plain amount; read as money by load-settings.ts. */
const Amounts = z.record(z.string(), z.string());
const Answers = z.array(
  z.strictObject({ status: z.int().min(200).max(499), code: z.union([z.string(), z.int()]) }),
);
const People = z.record(z.string(), z.array(z.enum(ROLES))).superRefine((people, { addIssue }) => {
  for (const id of Object.keys(people))
    if (!isPersonId(id))
      addIssue({ code: 'custom', path: [id], message: `the name is no id: expected ${PERSON_ID_RULE}` });
});
const Target = z.string().refine((text) => notifyTargetOf(text) !== undefined, `expected ${NOTIFY_EXPECTED}`);

const Zone = z.string().refine(isTimeZone, 'expected a time zone, such as Africa/Nairobi');

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
    case 'choices':
      return z.array(z.enum(is.of));
    case 'words':
      return z.array(z.string().trim().min(1));
    case 'amounts':
      return Amounts;
    case 'answers':
      return Answers;
    case 'people':
      return People;
    case 'zone':
      return Zone;
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
  return text === text.trim() && isSeenWhole(text);
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** A name with a dot, such as `ledger.id`, is a key inside an object. */
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

/** `namedBy` undefined: the user's own file, or undefined if it does not exist. Errors: ConfigError. */
export function readConfigFile(
  path: string,
  namedBy?: '--config' | 'PAYFILE_CONFIG',
): { readonly path: string; readonly values: ConfigFile } | undefined {
  const text = textOf(path, namedBy);
  if (text === undefined) return undefined;
  const parsed = ConfigFile.safeParse(jsonOf(path, text));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`,
    );
    throw new ConfigError(`${path} cannot be used:\n${lines.join('\n')}`);
  }
  return { path, values: parsed.data };
}

function textOf(path: string, namedBy: string | undefined): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && namedBy === undefined) return undefined;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    const text =
      namedBy === undefined
        ? `The configuration file ${path} ${problem}. Let this user read it, or name another file with --config.`
        : `The configuration file ${path} ${problem}. ${namedBy} names it. Name a file that this user can read.`;
    throw new ConfigError(text, { cause: error });
  }
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
