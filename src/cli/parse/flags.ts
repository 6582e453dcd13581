/** Flags with one line of help each, grouped by their commands. */

import type { SettingFlags } from '../../domain/settings.ts';
import type { LogLevel } from '../../payfile.ts';
import { oneOf } from './flag-values.ts';
import type { OptionSpec } from './option-spec.ts';
import { settingFlags } from './setting-flags.ts';

const option = (flags: string, text: string, parse?: OptionSpec['parse']): OptionSpec =>
  parse === undefined ? { flags, text } : { flags, text, parse };

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  option('--sandbox', 'use the service on your own machine; no real money'),
  option('--scenario <name>', 'how the embedded sandbox behaves (payfile sandbox --list-scenarios)'),
  ...settingFlags('all'),
  option('--json', 'answer with one JSON document on stdout'),
  option('--quiet', 'print nothing on success'),
  option('--no-color', 'no colour (also NO_COLOR)'),
  option(
    '--log-level <level>',
    'error, warn, info or debug',
    oneOf('--log-level', ['error', 'warn', 'info', 'debug']),
  ),
  option('--log-file <file>', 'write the log to this file, one JSON object per line'),
];

export const OVERWRITE = option(
  '--overwrite',
  'replace an existing file; without it payfile replaces only its own reports and metrics',
);

/** Flags that the host reads itself. The object also holds the inputs of operations by name. */
export interface Flags extends SettingFlags {
  // Everywhere
  readonly sandbox?: boolean;
  readonly scenario?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  readonly overwrite?: boolean;
  // Inputs that the host reads too: input and output files, the batch, the amount of output
  readonly statement?: string;
  readonly evidence?: string;
  readonly report?: readonly string[];
  readonly fixFile?: string | true;
  readonly output?: string;
  readonly batch?: string;
  readonly changes?: boolean;
  readonly once?: boolean;
  // For commands that only the terminal has
  readonly port?: number;
  /** False: --no-open. */
  readonly open?: boolean;
  readonly install?: boolean;
  readonly out?: string;
}
