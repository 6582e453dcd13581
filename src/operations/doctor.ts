/** Checks settings, service, clock, ledger and machine, and says how to fix problems. Moves no money. */
import { z } from 'zod';
import { exitCodeOfError, stepsAfterError } from '../domain/reporting/error-codes.ts';
import { EXIT, type ExitCode, strongest } from '../domain/reporting/exit-code.ts';
import { type Piece, piecesOf, saidBy, textOf } from '../domain/text/message.ts';
import type { Check } from '../ports/machine-check.ts';
import { aside, type Block, line } from './block.ts';
import type { Context } from './context.ts';
import { choice } from './fields.ts';
import { operation } from './operation.ts';

export interface Examination {
  readonly environment: 'live' | 'sandbox';
  readonly checks: readonly Check[];
}

export const doctor = operation({
  name: 'doctor',
  needs: ['look'],
  input: z.strictObject({
    tryNotify: choice('send a test notification'),
  }),
  async run({ tryNotify }, context): Promise<Examination> {
    const notice = tryNotify ? testNotice(context) : undefined;
    return examination(context.environment, await context.checks(notice));
  },
  view({ checks }) {
    const bad = checks.filter(({ isGood }) => !isGood).length;
    const said = bad === 0 ? 'All checks passed.' : `${bad} of ${checks.length} checks failed.`;
    return [...checks.flatMap(checkBlocks), aside(said)];
  },
  json: ({ environment, checks }, wording) => ({
    environment,
    checks: checks.map((check) => {
      const { what, isGood } = check;
      const fix = fixOf(check);
      return {
        what,
        isGood,
        text: textOf(textIn(check), wording),
        ...(fix.length > 0 && { mend: textOf(fix, wording) }),
        ...(codeIn(check) !== undefined && { code: codeIn(check) }),
      };
    }),
  }),
  exit: ({ checks }) =>
    strongest(checks.filter(({ isGood }) => !isGood).map((check) => codeIn(check) ?? EXIT.config)),
  withoutSettings: (error, environment) =>
    examination(environment, [{ what: 'Settings', isGood: false, text: saidBy(error) }]),
});

function examination(environment: 'live' | 'sandbox', checks: readonly Check[]): Examination {
  const { node, ['sqlite']: sqlite = 'unknown' } = process.versions;
  const program = { what: 'Program', isGood: true, text: `Node ${node}, SQLite ${sqlite}` };
  return { environment, checks: [program, ...checks] };
}

function checkBlocks(check: Check): readonly Block[] {
  const { what, isGood } = check;
  const fix = fixOf(check);
  const lines = [
    line(`${isGood ? '✔' : '✖'} ${what}: `, ...textIn(check)),
    ...(fix.length === 0 ? [] : [line('    ', ...fix)]),
  ];
  return isGood ? lines.map((each) => ({ ...each, isExpected: true as const })) : lines;
}

function textIn({ text, error }: Check): readonly Piece[] {
  if (error === undefined) return piecesOf(text);
  const message = piecesOf(saidBy(error));
  return exitCodeOfError(error) === undefined ? ['This is a bug of payfile: ', ...message] : message;
}

const codeIn = ({ code, error }: Check): ExitCode | undefined =>
  error === undefined ? code : (exitCodeOfError(error) ?? EXIT.bug);

/** How to fix the problem: a text, a command, or both. */
function fixOf({ what, fix, fixBy, error }: Check): readonly Piece[] {
  if (fix !== undefined) return [...piecesOf(fix), ...(fixBy === undefined ? [] : [': ', fixBy])];
  if (fixBy !== undefined) return [fixBy];
  const { next, andThen } = stepsAfterError(error);
  // The person has just typed `doctor`.
  if (what !== 'Ledger' || next === undefined || next.verb === 'doctor') return [];
  return andThen === undefined ? [next] : [next, '; if you accept what it shows: ', andThen];
}

/** Has the form of a real notification. `isTest` lets receivers ignore it. */
function testNotice({ environment, holder, now }: Context): string {
  return JSON.stringify({
    schemaVersion: 1,
    isTest: true,
    command: 'doctor',
    environment,
    exitCode: EXIT.done,
    needsAttention: false,
    outcome: 'test',
    sentence: 'This is a test of the notification. Nothing is wrong and nothing was paid.',
    next: null,
    andThen: null,
    batch: null,
    counts: null,
    differing: null,
    totals: [],
    error: null,
    host: holder.host,
    endedAt: new Date(now()).toISOString(),
  });
}
