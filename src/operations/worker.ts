/** A worker: shares the work of runs on a ledger with other workers, until somebody stops it. */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { stopCodes, strongest } from '../domain/reporting/exit-code.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { WORKER_QUEUES } from '../ports/fleet.ts';
import type { ServeEvent } from '../use-cases/fleet/serve.ts';
import type { Context } from './context.ts';
import { choice, wholeNumber } from './fields.ts';
import { workersNeedService } from './messages.ts';
import { field, operation } from './operation.ts';

const input = z.strictObject({
  queues: field(z.array(z.enum(WORKER_QUEUES)).default([...WORKER_QUEUES]), {
    help: `kinds of work (all): ${WORKER_QUEUES.join(', ')}`,
    value: 'names',
    read(typed) {
      const names = typed.split(',').map((name) => WORKER_QUEUES.find((queue) => queue === name.trim()));
      return names.includes(undefined) ? undefined : names;
    },
    expected: `names between commas, each one of ${WORKER_QUEUES.join(', ')}`,
  }),
  lanes: wholeNumber([1, 64], {
    help: 'parts that this worker sends at a time (all lanes)',
  }),
  once: choice('end when no work is left'),
});

export const work = operation({
  name: 'worker',
  needs: ['bring', 'approve', 'send'],
  input,
  async run(given, context) {
    const { workers, environment } = context;
    workers.requireServer();
    if (environment !== 'live') throw new RequestRefused(workersNeedService);
    await context.existingLedger();
    const { serve } = await import('../use-cases/fleet/serve.ts');
    const queue = await workers.open();
    try {
      const { clock, log } = await context.offlinePorts();
      const serving = serveOptionsOf(given, context);
      serving.tell({ kind: 'ready' });
      await serve({ fleet: queue.fleet, clock, log }, serving);
      return { environment, stopped: stopCodes(serving.signal) };
    } finally {
      await queue.close();
    }
  },
  view: () => [],
  json: ({ environment }) => ({ environment }),
  exit: ({ stopped }) => strongest(stopped),
});

function serveOptionsOf({ queues, once, lanes }: z.output<typeof input>, context: Context) {
  const { workers, holder, dialogue } = context;
  const { host, pid, user } = holder;
  const { rate, lanes: all } = workers;
  return {
    worker: { host, pid, user, queues, rate, lanes: { all, own: lanes ?? all } },
    ...{ holder, once, signal: dialogue.signal ?? new AbortController().signal },
    tell: (event: ServeEvent) => dialogue.onProgress?.({ kind: 'worker', event }),
    async labelOf(id: BatchId) {
      const batch = await context
        .ledger()
        .then((ledger) => ledger.batch(id))
        .catch(() => undefined);
      return batch === undefined ? id : batchLabel(batch);
    },
    /** This process does its work itself and asks no other worker. */
    ports: async (deadlineMs?: number) => ({ ...(await context.ports(deadlineMs)), fleet: undefined }),
  };
}
