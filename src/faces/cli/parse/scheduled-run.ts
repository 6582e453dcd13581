/**
 * The `run` of a schedule: the words behind `--`, read as when they are typed, and refused where nobody would sit there.
 *
 * Why:     schedules stand in a database that others may write. What a run may pay, who is told, which service and ledger
 *          it is about and what it may replace come from the worker and its configuration alone.
 * Errors:  UsageError.
 */
import { isAbsolute } from 'node:path';
import { helpOn } from '../../../domain/next-steps/command.ts';
import type { Flags } from './flags.ts';
import { parseWords, refuseSecretFlags } from './program.ts';
import { UsageError } from './usage-error.ts';

export interface RunWords {
  readonly file: string;
  readonly batch: string;
  readonly flags: Flags;
}

const ELSEWHERE: Readonly<Partial<Record<keyof Flags, string>>> = {
  maxTotal:
    'what a schedule may pay stands in the configuration: "schedules": {"NAME": {"maxTotal": {"GHS": "40000"}}}',
  yes: 'what a schedule may pay stands in the configuration: "schedules": {"NAME": {"maxTotal": {"GHS": "40000"}}}',
  notify: 'who is told stands in the configuration of the worker, or behind payfile worker',
  config: 'the worker has a configuration of its own',
  ledger: 'the worker has a ledger of its own',
  sandbox: 'it stands behind payfile worker',
  scenario: 'it stands behind payfile worker',
  json: 'the worker says what came of a run',
  quiet: 'the worker says what came of a run',
  logFile: 'it stands behind payfile worker',
  logLevel: 'it stands behind payfile worker',
  overwrite: 'a schedule replaces only reports and metrics of payfile',
  newLedger: 'a schedule makes no ledger',
  changes: 'nobody looks at the plan',
};
const PATHS = ['fixFile', 'metricsFile'] as const;

export function scheduledRun(words: readonly string[]): RunWords {
  refuseSecretFlags(words);
  if (words[0] !== 'run' || words.includes('--'))
    throw refused('Behind -- a schedule has a run: run FILE --batch NAME and its flags.');
  const parsed = parseWords(words, '');
  const [file] = parsed.kind === 'call' ? parsed.args : [];
  if (parsed.kind === 'help' || file === undefined)
    throw refused('Behind -- a schedule has a run: run FILE --batch NAME and its flags.');
  const { flags } = parsed;
  for (const [name, why] of Object.entries(ELSEWHERE))
    if (flags[name as keyof Flags] !== undefined) throw refused(`${typed(name)}: ${why}.`);
  if (flags.batch === undefined)
    throw refused('A schedule needs --batch with a period, such as --batch payroll-{yyyy-mm}.');
  const paths = [file, ...(flags.report ?? []), ...PATHS.map((name) => flags[name])];
  const relative = paths.find((path) => typeof path === 'string' && !isAbsolute(path));
  if (relative !== undefined)
    throw refused(`“${relative}” is no whole path. A worker starts in another folder: write it from / on.`);
  return { file, batch: flags.batch, flags };
}

/** `maxTotal` → `--max-total`. */
function typed(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function refused(text: string): UsageError {
  return new UsageError(`${text} Nothing was done.`, helpOn('schedule'));
}
