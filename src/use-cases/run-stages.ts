/**
 * How the stages of a run are done: one after another under one lease, by this process; or each by the workers of the
 * ledger, where some are at work. A worker takes the lease for its stage, so between two stages nobody has the batch: what
 * was agreed to is bound to what was shown and to the file that was brought, and a ceiling is asked for again before
 * anything is sent.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { requireSameFile } from './intake/half-read.ts';
import { type Ports, tellStage, withLease } from './ports.ts';
import { priceBatch } from './price/price-batch.ts';
import { pricePayouts } from './price/price-payouts.ts';
import type { RunOptions, Stages } from './run-batch.ts';
import { recoverBatch } from './send/recover-batch.ts';
import { sendApproved } from './send/send-approved.ts';
import { sendBatch } from './send/send-batch.ts';
import { settleBatch } from './settle/settle-batch.ts';
import { settleSent } from './settle/settle-sent.ts';

/** Throws BatchBusy. */
export async function withStages<Result>(
  batch: Batch,
  ports: Ports,
  options: Omit<RunOptions, 'consent'>,
  work: (stages: Stages) => Promise<Result>,
): Promise<Result> {
  const fleet = await ports.fleet?.();
  if (fleet !== undefined && (await fleet.workersOf('send-head')) > 0)
    return work(stagesElsewhere(batch, ports, options));
  return withLease(batch.id, options.holder, ports, (lost) =>
    work(stagesHere(batch.id, ports, options, lost)),
  );
}

/** The caller holds the lease. */
export function stagesHere(
  id: BatchId,
  ports: Ports,
  options: Omit<RunOptions, 'consent'>,
  leaseLost: AbortSignal,
): Stages {
  const { holder, signal, newPeriod, maxDebits, deadline } = options;
  return {
    recover: () => recoverBatch(id, holder, ports),
    alone: (work) => work(),
    async price() {
      await tellStage('price', id, ports);
      return pricePayouts(id, ports, { signal, newPeriod });
    },
    async send() {
      await tellStage('send', id, ports);
      const canary = { rows: options.canary, by: holder.user, deadline };
      return sendBatch(id, ports, { holder, signal, leaseLost, maxDebits, canary });
    },
    async settle(until) {
      await tellStage('settle', id, ports);
      return settleBatch(id, ports, { signal, deadline: until });
    },
  };
}

function stagesElsewhere(batch: Batch, ports: Ports, options: Omit<RunOptions, 'consent'>): Stages {
  const { holder, signal, ceilings, maxDebits, newPeriod, canary, deadline } = options;
  const msUntil = (moment: Timestamp) => Math.max(0, moment - ports.clock.now());
  return {
    // Each stage begins with that.
    recover: async () => 0,
    alone: (work) =>
      withLease(batch.id, holder, ports, async () => {
        requireSameFile(batch, await ports.ledger.batch(batch.id));
        return work();
      }),
    price: () => priceBatch(batch, { holder, signal, newPeriod }, ports),
    async send() {
      const request = { holder, signal, ceilings, maxDebits, canary, deadlineMs: msUntil(deadline()) };
      const sent = await sendApproved(batch, request, { ...ports, open: async () => ports });
      return sent.overCeiling ?? sent;
    },
    settle: (until) => settleSent(batch, { holder, signal, deadlineMs: msUntil(until) }, ports),
  };
}
