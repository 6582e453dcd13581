/**
 * The configuration file: JSON with names of settings only. Other names are errors, so that payfile finds misspelt
 * names.
 *
 * It contains no secret. The password is in a separate file or in the environment.
 */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../domain/reporting/error-codes.ts';
import type { NamedSetting } from '../domain/setting.ts';
import { accountRules } from '../domain/setting-kinds.ts';
import { ALL_SETTINGS } from '../domain/settings.ts';
import { type InputName, input, SaidError, said } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { didYouMean, faultText, pathText } from '../domain/text/value-fault.ts';
import { contradictionIn } from '../files/report/json-report.ts';

const IN_FILE: ReadonlyMap<string, NamedSetting> = new Map(
  ALL_SETTINGS.filter(({ file }) => file !== false).map((setting) => [setting.name, setting]),
);

const AN_OBJECT = { error: 'an object' };

/** A setting with a dot, such as `ledger.id`, is a key of an object. */
function configSchema() {
  const shape: Record<string, z.ZodType> = {};
  const groups: Record<string, Record<string, z.ZodType>> = {};
  for (const [name, { is }] of IN_FILE) {
    const [first = '', key] = name.split('.');
    if (key === undefined) shape[first] = is.optional();
    else groups[first] = { ...groups[first], [key]: is.optional() };
  }
  for (const [group, members] of Object.entries(groups))
    shape[group] = z.strictObject(members, AN_OBJECT).optional();
  return z.strictObject(shape, AN_OBJECT);
}

export interface ConfigFile {
  readonly path: string;
  /** Values by setting name. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Reads the file. Without `namedBy`, a missing file gives undefined. Errors: ConfigError. */
export function readConfigFile(path: string, namedBy?: InputName | 'PAYFILE_CONFIG'): ConfigFile | undefined {
  const text = textOf(path, namedBy);
  if (text === undefined) return undefined;
  const written = jsonOf(path, text);
  const parsed = configSchema().safeParse(written);
  if (!parsed.success) {
    const lines = parsed.error.issues.flatMap((issue) => faultsOf(issue, written));
    throw new ConfigError(`${path} cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  const values = [...IN_FILE.keys()].map((name) => {
    const [first = '', key] = name.split('.');
    const held = parsed.data[first];
    return [name, key === undefined ? held : (held as Record<string, unknown> | undefined)?.[key]] as const;
  });
  return { path, values: new Map(values) };
}

const ACCOUNT_KEYS = Object.keys(accountRules.element.shape);

function faultsOf(issue: z.core.$ZodIssue, written: unknown): readonly string[] {
  if (issue.code !== 'unrecognized_keys') {
    const isSecret = IN_FILE.get(issue.path.join('.'))?.isSecret === true;
    return [faultText(issue, { value: written, whole: 'the file', isSecret })];
  }
  return issue.keys.map((key) => {
    const name = pathText([...issue.path, key]);
    if (issue.path[0] === 'journalAccounts')
      return `${printable(name)}: no such account; expected one of ${ACCOUNT_KEYS.join(', ')}.${didYouMean(key, ACCOUNT_KEYS)}`;
    return `${printable(name)}: no such setting.${didYouMean(name, [...IN_FILE.keys()])}`;
  });
}

function textOf(path: string, namedBy: InputName | string | undefined): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    if (code === 'ENOENT' && namedBy === undefined) return undefined;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    const text =
      namedBy === undefined
        ? said`The configuration file ${path} ${problem}. Let this user read it, or name another file with ${input('config')}.`
        : said`The configuration file ${path} ${problem}. ${namedBy} names it. Name a file that this user can read.`;
    throw new ConfigError(text, { cause: error });
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    const values: unknown = JSON.parse(text);
    // If a name appears twice, the last value would win silently. A limit in the first would be lost.
    const contradiction = contradictionIn(text);
    if (contradiction === undefined) return values;
    throw new ConfigError(`${path} cannot be used: ${contradiction}.`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConfigError(`${path} is not JSON: ${error.message}.`, { cause: error });
  }
}

/** Reads a password: the first line of its file, without the line end. */

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
    const code = codeOf(error) ?? 'unknown';
    throw new ConfigError(`The password file ${path} cannot be read (${code}).`, { cause: error });
  }
}

/** An unusable setting. The message names setting, source, value and expected value. Exit code 78. */
export class ConfigError extends SaidError {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}
