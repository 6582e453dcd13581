/**
 * What can be done with a batch: approve it, send it, settle it, report on it.
 */
import type { Batch } from '../domain/batches/batch.ts';
import { hoursMs } from '../domain/policy.ts';
import { plusMs } from '../domain/timestamp.ts';
import { type Approved, approveBatch } from '../use-cases/approve/approve-batch.ts';
import { choosePayout } from '../use-cases/decide/choose-payouts.ts';
import { type Resolved, type RulingRequest, resolveDoubt } from '../use-cases/decide/resolve-doubt.ts';
import { type Reported, reportBatch } from '../use-cases/report/report-batch.ts';
import { recoverBatch } from '../use-cases/send/recover-batch.ts';
import { type SendBatchResult, sendBatch } from '../use-cases/send/send-batch.ts';
import { type SettleResult, settleBatch } from '../use-cases/settle/settle-batch.ts';
import type { Dialogue, Door } from './door.ts';

type WithoutBy<Request> = Request extends unknown ? Omit<Request, 'by'> : never;

export interface SettleBatchOptions extends Dialogue {
  readonly forMs: number;
}

export interface BatchMethods {
  /** Agrees to the plan with this digest. */
  approve(batch: string, digest: string, options?: Dialogue): Promise<Approved>;
  send(batch: string, options?: Dialogue): Promise<SendBatchResult>;
  /** Looks transfers up until all are final or the time is over. */
  settle(batch: string, options: SettleBatchOptions): Promise<SettleResult>;
  /**
   * Writes the reconciliation report (csv, json, xlsx, html, or xml for pain.002, by its name); without a path only the
   * totals. A file that is there already is replaced only where it is such a report.
   */
  report(batch: string, path?: string): Promise<Reported>;
  /** A person's ruling on a row in doubt, by row number or reference. */
  resolve(batch: string, row: string, ruling: WithoutBy<RulingRequest>): Promise<Resolved>;
  batches(): Promise<readonly Batch[]>;
}

export function batchMethods(door: Door): BatchMethods {
  return {
    async approve(text, digest, dialogue = {}) {
      const { id } = await door.batch(text);
      const world = await door.quietWorld(dialogue);
      const { signal } = dialogue;
      const agreement = { by: door.user, how: 'library', digest, signal } as const;
      return door.underLease(id, () => approveBatch(id, agreement, world));
    },
    async send(text, dialogue = {}) {
      const { id } = await door.batch(text);
      const world = await door.world(dialogue);
      return door.underLease(id, async (leaseLost) => {
        await recoverBatch(id, world);
        return sendBatch(id, world, { signal: dialogue.signal, leaseLost });
      });
    },
    async settle(text, options) {
      const { id } = await door.batch(text);
      const world = await door.world(options, options.forMs);
      const deadline = plusMs(world.clock.now(), options.forMs);
      return door.underLease(id, () => settleBatch(id, world, { deadline, signal: options.signal }));
    },
    report: async (text, path) => report(await door.batch(text), path, door),
    async resolve(text, row, ruling) {
      const { id } = await door.batch(text);
      const world = await door.world({});
      return door.underLease(id, async () => {
        const payout = await choosePayout(id, row, world);
        return resolveDoubt(payout, { ...ruling, by: door.user } as RulingRequest, world);
      });
    },
    batches: async () => (await door.ledger()).batches(),
  };
}

async function report(batch: Batch, path: string | undefined, door: Door): Promise<Reported> {
  const ledger = await door.ledger();
  const header = {
    batch,
    environment: ledger.identity.environment,
    madeAt: door.parts.clock.now(),
    reissueAfterMs: hoursMs(door.settings.policy.reissueAfterHours),
  };
  const target = path === undefined ? undefined : { path, format: undefined, fullAccounts: false };
  return reportBatch(header, { ledger, openSink: door.parts.openReportSink }, { target });
}
