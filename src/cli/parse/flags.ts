/**
 * The flags as they are typed, with one line of help each. Grouped by who takes them.
 */

import type { Money } from '../../domain/money/money.ts';
import type { ConcernKind } from '../../domain/payouts/concern.ts';
import type { NamePolicyWord } from '../../domain/policy.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../domain/reporting/report.ts';
import type { Field } from '../../domain/rows/row.ts';
import { type Kind, SETTINGS, type Setting } from '../../domain/settings.ts';
import type { LogLevel } from '../../payfile.ts';
import {
  namePolicies,
  notifyTarget,
  oneFile,
  oneOf,
  positiveNumber,
  repeatedBatch,
  wholeNumber,
} from './flag-values.ts';

export interface OptionSpec {
  readonly flags: string;
  readonly text: string;
  /** `before` is the value from an earlier use of the same flag. */
  readonly parse?: (text: string, before: never) => unknown;
  /** What it means without a word behind it. */
  readonly alone?: string;
}

const option = (flags: string, text: string, parse?: OptionSpec['parse']): OptionSpec =>
  parse === undefined ? { flags, text } : { flags, text, parse };

/** Words, help and limits of a flag that stands for a setting come from the list of settings. */
function settingOption(name: keyof typeof SETTINGS): OptionSpec {
  const { flag, is }: Setting = SETTINGS[name];
  if (flag === undefined) throw new TypeError(`${name} has no flag`);
  const [typed = ''] = flag.words.split(' ');
  return option(flag.words, flag.help, parserOf(typed, is));
}

function parserOf(flag: string, is: Kind): OptionSpec['parse'] {
  switch (is.kind) {
    case 'whole':
      return wholeNumber(flag, is.least, is.most ?? Number.MAX_SAFE_INTEGER);
    case 'number':
      return positiveNumber(flag);
    case 'target':
      return notifyTarget(flag);
    default:
      return undefined;
  }
}

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  option('--sandbox', 'use the service on your own machine; no real money'),
  option('--scenario <name>', 'how the embedded sandbox behaves (payfile sandbox --list-scenarios)'),
  option('--config <file>', 'configuration file in place of ~/.config/payfile/config.json'),
  settingOption('ledger.path'),
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

export const NAMES = option(
  '--names <outcome=policy,…>',
  'ok, warn or hold for match, close_match, no_match, not_found, unavailable',
  namePolicies,
);
export const CONCURRENCY = settingOption('concurrency');
export const RATE = settingOption('rate');
export const FULL_ACCOUNTS = option(
  '--full-accounts',
  'whole account numbers where they are masked otherwise',
);

export const PRICING_OPTIONS: readonly OptionSpec[] = [CONCURRENCY, RATE, NAMES];
export const MONITORING_OPTIONS: readonly OptionSpec[] = [
  settingOption('metricsFile'),
  settingOption('notify.to'),
];
/** Settings of a command that works on a batch. */
export const SETTING_OPTIONS: readonly OptionSpec[] = [CONCURRENCY, RATE, ...MONITORING_OPTIONS];
export const REPEATS = option(
  '--repeats <batch>',
  'these rows pay that finished batch for a new period, or the file is that of the other batch on purpose',
  repeatedBatch,
);
export const OUTPUT = option(
  '-o, --output <file>',
  'where to write; - is standard output',
  oneFile('--output'),
);
export const FORMAT = option(
  '--format <format>',
  REPORT_FORMATS.join(', '),
  oneOf('--format', REPORT_FORMATS),
);

/**
 * The flags of all commands, as they are after parsing. Which command takes which is in command-table.ts;
 * a flag that was not given is undefined.
 */

export interface Flags {
  // Everywhere
  readonly sandbox?: boolean;
  readonly scenario?: string;
  readonly config?: string;
  readonly ledger?: string;
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
  readonly source?: string;
  readonly expectCount?: number;
  readonly expectTotal?: readonly Money[];
  readonly skipInvalid?: boolean;
  readonly fixFile?: string | true;
  readonly batch?: string;
  readonly repeats?: string;
  // Working
  readonly concurrency?: number;
  readonly rate?: number;
  readonly deadline?: number;
  readonly canary?: number;
  readonly report?: readonly string[];
  readonly overwrite?: boolean;
  readonly names?: Readonly<Record<string, NamePolicyWord>>;
  readonly maxTotal?: readonly Money[];
  readonly maxDebit?: readonly Money[];
  readonly kind?: readonly ConcernKind[];
  readonly yes?: boolean;
  readonly newLedger?: boolean;
  readonly metricsFile?: string;
  readonly notify?: string;
  readonly tryNotify?: boolean;
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
  readonly format?: ReportFormat;
  readonly only?: 'unpaid';
  readonly include?: 'canceled';
  readonly from?: string;
  readonly to?: string;
  readonly asInput?: boolean;
  readonly fullAccounts?: boolean;
  // The sandbox and the demo
  readonly port?: number;
  /** False: --no-open. */
  readonly open?: boolean;
  readonly book?: boolean;
  readonly listScenarios?: boolean;
  readonly out?: string;
  // Workers
  readonly queues?: readonly string[];
  readonly lanes?: number;
  readonly once?: boolean;
}
