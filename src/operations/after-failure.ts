/**
 * When an error stops work: reports the state of the money, then the error, then the next steps. Short mails keep this
 * order. Only hosts call these operations.
 */
import { z } from 'zod';
import type { Batch } from '../domain/batches/batch.ts';
import type { Command, NextSteps } from '../domain/next-steps/command.ts';
import type { ExitCode } from '../domain/reporting/exit-code.ts';
import { counted, rowsText } from '../domain/text/printable.ts';
import type { AfterFailure } from '../use-cases/report/batch-end.ts';
import type { MoneySent } from '../use-cases/work-of-error.ts';
import { presentBatchEnd } from './batch-end-blocks.ts';
import { joinTexts } from './block.ts';
import { operation } from './operation.ts';
import { reports, withReports } from './working-fields.ts';

/** An error as a host shows it. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly steps: NextSteps;
}

interface FailedWork extends Failure {
  /** Command that repeats the request when the service answers. */
  readonly again: Command;
  /** The batch, if the work itself ended and only the display of its result failed. */
  readonly batch: Batch | undefined;
}

const input = z.strictObject({
  error: z.unknown(),
  failure: z.custom<FailedWork>((given) => typeof given === 'object' && given !== null),
  ...reports,
});

/** The state of the money after an error; undefined if the error says everything. */
export const moneyAfterFailure = operation({
  name: 'moneyAfterFailure',
  needs: (given) => withReports('look', given),
  input,
  async run({ error, failure, report, fullAccounts }, context): Promise<AfterFailure | undefined> {
    const { endAfterFailure } = await import('../use-cases/report/batch-end.ts');
    const options = { reports: report, fullAccounts };
    return endAfterFailure(error, failure, { options, open: () => context.endPorts() });
  },
  json: () => ({}),
});

interface FailedBatch {
  readonly batchEnd: Extract<AfterFailure, { kind: 'ended' }>['end'];
  readonly failure: Failure;
}

/** Presents the batch of failed work. */
export const presentFailedBatch = presentBatchEnd(({ batchEnd: { money }, failure }: FailedBatch) => ({
  sentence: [`${moneySentence(money)} ${failure.message}`],
  error: failure,
}));

/** The sentence about the money if the host shows no batch. */
export function moneyText(after: Exclude<AfterFailure, { kind: 'ended' }>): string {
  switch (after.kind) {
    case 'nothing_sent':
      return 'Nothing was sent.';
    case 'sent_before':
      return moneySentence(after.money);
    case 'unreported': {
      const { begun, mayBeMore } = after;
      if (mayBeMore)
        return 'Workers may have sent rows. The ledger knows the state of each row. payfile sends none of them again automatically.';
      if (begun === 0) return 'This command sent nothing.';
      return `${counted(begun, 'transfer was', 'transfers were')} started before that. The ledger knows the state of ${begun === 1 ? 'it' : 'each'}. payfile starts none again automatically.`;
    }
  }
}

/** The state of a batch's money in the ledger, independent of the error. */
function moneySentence({ sent, perhapsSent: unknown, notSent, begun }: MoneySent): string {
  const sentBefore =
    begun === 0
      ? `Earlier commands sent ${rowsText(sent)}.`
      : `${counted(sent, 'row was', 'rows were')} sent.`;
  const it = unknown === 1 ? 'it' : 'them';
  return joinTexts([
    begun === 0 && 'This command sent nothing.',
    sent > 0 && sentBefore,
    unknown > 0 &&
      `${counted(unknown, 'row', 'rows')} may have been paid. The ledger has no outcome for ${it} yet, and payfile does not send ${it} again.`,
    notSent > 0 && `${counted(notSent, 'row was', 'rows were')} not sent.`,
  ]);
}
