/**
 * The flags as they are typed, with one line of help each. Grouped by who takes them.
 */

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
  option('--quiet', 'print nothing when all went well'),
  option('--no-color', 'no colour (also NO_COLOR)'),
  option(
    '--log-level <level>',
    'error, warn, info or debug',
    oneOf('--log-level', ['error', 'warn', 'info', 'debug']),
  ),
  option('--log-file <file>', 'write the log there, one JSON object a line'),
];

export const OVERWRITE = option(
  '--overwrite',
  'replace a file that is there already; without it only our own reports and metrics are replaced',
);

/** Flags that the host reads itself. Inputs of operations stand beside them, by the names of the inputs. */
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
  // Inputs that the host looks at, too: which files are read and written, which batch it is, how much is shown
  readonly statement?: string;
  readonly evidence?: string;
  readonly report?: readonly string[];
  readonly fixFile?: string | true;
  readonly output?: string;
  readonly batch?: string;
  readonly changes?: boolean;
  // The console and the demo
  readonly port?: number;
  /** False: --no-open. */
  readonly open?: boolean;
  readonly out?: string;
  // Workers
  readonly queues?: readonly string[];
  readonly lanes?: number;
  readonly once?: boolean;
}
