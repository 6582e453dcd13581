/**
 * The end of work that an error broke off: first what became of the money, then the error, then what to do next. A short
 * mail has the same order. For hosts; it is no command.
 */
import { z } from 'zod';
import type { Batch } from '../domain/batches/batch.ts';
import type { Command, NextSteps } from '../domain/next-steps/command.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import type { AfterFailure } from '../use-cases/report/batch-end.ts';
import type { MoneySent } from '../use-cases/work-of-error.ts';
import { endingIn } from './batch-end-blocks.ts';
import { joined } from './block.ts';
import { operation } from './operation.ts';
import { reports, withReports } from './working-fields.ts';

/** An error as a host says it. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly steps: NextSteps;
}

interface BrokenOff extends Failure {
  /** The same request once more, for when the service answers. */
  readonly again: Command;
  /** The batch that was worked on, if only showing the result went wrong. */
  readonly worked: Batch | undefined;
}

const input = z.strictObject({
  error: z.unknown(),
  failure: z.custom<BrokenOff>((given) => typeof given === 'object' && given !== null),
  ...reports,
});

/** undefined: the error says everything. */
export const whatBecame = operation({
  name: 'what became',
  needs: (given) => withReports('look', given),
  input,
  async run({ error, failure, report, fullAccounts }, context): Promise<AfterFailure | undefined> {
    const { endAfterFailure } = await import('../use-cases/report/batch-end.ts');
    const options = { reports: report, fullAccounts };
    return endAfterFailure(error, failure, { options, open: () => context.endPorts() });
  },
  json: () => ({}),
});

interface Broken {
  readonly batchEnd: Extract<AfterFailure, { kind: 'ended' }>['end'];
  readonly failure: Failure;
}

/** How the batch of broken work is shown. */
export const brokenEnd = endingIn(({ batchEnd: { money }, failure }: Broken) => ({
  sentence: [`${moneySentence(money)} ${failure.message}`],
  error: failure,
}));

/** What is said beside the error if no batch is shown. */
export function moneyText(after: Exclude<AfterFailure, { kind: 'ended' }>): string {
  switch (after.kind) {
    case 'nothing_sent':
      return 'Nothing was sent.';
    case 'sent_before':
      return moneySentence(after.money);
    case 'untold': {
      const { begun, mayBeMore } = after;
      if (mayBeMore)
        return 'Workers may have sent rows. The ledger says what became of each, and none is sent again by itself.';
      if (begun === 0) return 'This command sent nothing.';
      return `${counted(begun, 'transfer was', 'transfers were')} begun before that; the ledger says what became of ${begun === 1 ? 'it' : 'them'}, and none is begun again by itself.`;
    }
  }
}

/** What the ledger says about a batch's money, whatever the error was. */
function moneySentence({ sent, perhapsSent: unknown, notSent, begun }: MoneySent): string {
  const sentBefore =
    begun === 0
      ? `Commands before it sent ${rowsText(sent)}.`
      : `${counted(sent, 'row was', 'rows were')} sent.`;
  const it = unknown === 1 ? 'it' : 'them';
  return joined([
    begun === 0 && 'This command sent nothing.',
    sent > 0 && sentBefore,
    unknown > 0 &&
      `${counted(unknown, 'row', 'rows')} may have been paid: the ledger has no outcome of ${it} yet, and does not send ${it} again.`,
    notSent > 0 && `${counted(notSent, 'row was', 'rows were')} not sent.`,
  ]);
}
