/**
 * The flags as they are typed, with one line of help each. Grouped by who takes them.
 */

import type { Money } from '../../domain/money/money.ts';
import type { ConcernKind } from '../../domain/payouts/concern.ts';
import type { Field } from '../../domain/rows/row.ts';
import type { SettingFlags } from '../../domain/settings.ts';
import type { LogLevel } from '../../payfile.ts';
import { oneOf, repeatedBatch } from './flag-values.ts';
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

export const REPEATS = option(
  '--repeats <batch>',
  'these rows pay that finished batch for a new period, or the file is that of the other batch on purpose',
  repeatedBatch,
);

/**
 * The flags of all commands, as they are after parsing. Which command takes which is in command-table.ts;
 * a flag that was not given is undefined.
 */

export interface Flags extends SettingFlags {
  // Everywhere
  readonly sandbox?: boolean;
  readonly scenario?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  // Reading a file
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly map?: ReadonlyMap<Field, string>;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly decimal?: 'point' | 'comma';
  readonly expectCount?: number;
  readonly expectTotal?: readonly Money[];
  readonly skipInvalid?: boolean;
  readonly fixFile?: string | true;
  readonly batch?: string;
  readonly repeats?: string;
  // Working
  readonly deadline?: number;
  readonly canary?: number;
  readonly report?: readonly string[];
  readonly overwrite?: boolean;
  readonly maxTotal?: readonly Money[];
  readonly maxDebit?: readonly Money[];
  readonly kind?: readonly ConcernKind[];
  readonly yes?: boolean;
  readonly newLedger?: boolean;
  // Deciding
  readonly reason?: string;
  readonly mayBePaid?: boolean;
  readonly all?: boolean;
  readonly changes?: boolean;
  readonly allFailed?: boolean;
  readonly paid?: string;
  readonly notPaid?: boolean;
  readonly difference?: 'accepted';
  readonly evidence?: string;
  readonly statement?: string;
  // Looking
  readonly output?: string;
  readonly fullAccounts?: boolean;
  // The sandbox and the demo
  readonly port?: number;
  /** False: --no-open. */
  readonly open?: boolean;
  readonly out?: string;
  // Workers
  readonly queues?: readonly string[];
  readonly lanes?: number;
  readonly once?: boolean;
}
