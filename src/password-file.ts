/**
 * The password from a file: its first line, without the line end.
 */
import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import { Sensitive } from './domain/sensitive.ts';

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
