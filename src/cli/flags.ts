/**
 * The flags of all commands, as they are after parsing. Which command takes which is in command-table.ts;
 * a flag that was not given is undefined.
 */
import type { Money } from '../domain/money.ts';
import type { NamePolicyWord } from '../domain/policy.ts';
import type { Field } from '../domain/row-issue.ts';
import type { LogLevel } from '../ports/log.ts';
import type { ReportFormat } from '../ports/report-sink.ts';
import type { WrittenValue } from './parse-flags.ts';

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
  readonly yes?: boolean;
  readonly newLedger?: boolean;
  readonly metricsFile?: string;
  readonly notify?: string;
  readonly tryNotify?: boolean;
  // Deciding
  readonly digest?: string;
  readonly reason?: string;
  readonly all?: boolean;
  readonly release?: readonly string[];
  readonly withdraw?: readonly string[];
  readonly changes?: boolean;
  readonly allFailed?: boolean;
  readonly paid?: string;
  readonly notPaid?: boolean;
  readonly evidence?: string;
  readonly statement?: string;
  readonly dateOrder?: 'day' | 'month';
  readonly accept?: boolean;
  readonly watchReturns?: number;
  // Looking
  readonly output?: string;
  readonly format?: ReportFormat;
  readonly only?: 'unpaid';
  readonly from?: string;
  readonly to?: string;
  readonly asInput?: boolean;
  readonly fullAccounts?: boolean;
  readonly acceptRollback?: boolean;
  readonly acceptLedger?: boolean;
  readonly acceptAuthUrl?: boolean;
  readonly replace?: boolean;
  readonly value?: readonly WrittenValue[];
  // Making a template
  readonly country?: readonly string[];
  // The sandbox and the demo
  readonly port?: number;
  readonly book?: boolean;
  readonly listScenarios?: boolean;
  readonly out?: string;
}
