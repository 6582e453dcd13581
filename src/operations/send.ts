/** Sends the approved rows of a batch and nothing else. Accepted transfers are on their way until they settle. */
import { z } from 'zod';
import { command } from '../domain/next-steps/command.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { requireReports } from '../use-cases/own-places.ts';
import type { SentBatch } from '../use-cases/send/send-approved.ts';
import type { WithEnd } from '../use-cases/with-end.ts';
import { presentBatchEnd } from './batch-end-blocks.ts';
import type { Context } from './context.ts';
import { batch } from './fields.ts';
import { changedTermsBlocks, LIFT_CANARY, overCeilingPieces, stopPieces } from './messages-sending.ts';
import { operation } from './operation.ts';
import { bounds, canary, DEADLINE_MS, deadline, reports, withReports } from './working-fields.ts';

const input = z.strictObject({ batch: batch(), ...reports, canary, deadline, ...bounds });

export const send = operation({
  name: 'send',
  needs: (given) => withReports('send', given),
  changesData: true,
  input,
  run: sendRows,
  ...presentBatchEnd((result: WithEnd<SentBatch>) => ({
    before: changedTermsBlocks(result),
    hasTable: result.hasTable,
    sentence:
      result.overCeiling === undefined
        ? stopPieces(result, LIFT_CANARY)
        : overCeilingPieces(result.overCeiling),
  })),
  again: ({ batch: named }) => command('send', [named]),
});

async function sendRows(given: z.output<typeof input>, context: Context): Promise<WithEnd<SentBatch>> {
  const [{ sendApproved }, { NOTHING_BEGUN, rememberWorkOnError }, { withEnd }] = await Promise.all([
    import('../use-cases/send/send-approved.ts'),
    import('../use-cases/work-of-error.ts'),
    import('../use-cases/with-end.ts'),
  ]);
  const { report, fullAccounts, maxTotal: ceilings, maxDebit: maxDebits } = given;
  const intended = async () => findBatch(given.batch, await context.existingLedger());
  const done = await rememberWorkOnError(
    () => ({ begun: NOTHING_BEGUN, intended }),
    async () => {
      context.requireService();
      await requireReports({ reports: report }, context);
      const found = await context.batch(given.batch);
      const { holder, dialogue } = context;
      const waits = { deadlineMs: given.deadline ?? DEADLINE_MS, signal: dialogue.signal };
      return sendApproved(
        found,
        { holder, ceilings, maxDebits, canary: given.canary, ...waits },
        { ...(await context.offlinePorts()), open: () => context.ports(given.deadline) },
      );
    },
  );
  return withEnd(done, { ...done, reports: report, fullAccounts }, context);
}
