/**
 * Stops and allows new transfers of a batch, also while another process works on it. Transfers in flight end normally. A run
 * never resumes a paused batch.
 */
import { z } from 'zod';
import { type Batch, batchLabel, isPausedForStatement } from '../domain/batches/batch.ts';
import { command } from '../domain/next-steps/command.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import { batchJson } from './batch-json.ts';
import { line } from './block.ts';
import type { Context } from './context.ts';
import { batch, choice, reason, wordIfAny } from './fields.ts';
import { nameBatch } from './messages.ts';
import { operation } from './operation.ts';

export const pause = operation({
  name: 'pause',
  needs: ['send'],
  acts: true,
  input: z.strictObject({
    batch: batch(),
    reason: reason(),
  }),
  run: ({ batch: text, reason: said }, context) =>
    changePause(text, context, ({ id }, ledger) => {
      const { user: by } = context;
      return ledger.pause(id, { reason: said ?? `asked for by ${by}`, by, at: context.now() });
    }),
  view: ({ batch: changed }) => [
    line(
      `Batch ${batchLabel(changed)} is paused: no new transfer is started. Transfers in flight end normally.`,
    ),
  ],
  json: pauseJson,
  next: ({ batch: changed }) => ({ andThen: command('resume', [batchLabel(changed)]) }),
});

export const resume = operation({
  name: 'resume',
  needs: ({ all }) => (all ? ['rule'] : ['send']),
  acts: true,
  input: z.strictObject({
    batch: wordIfAny('batch'),
    all: choice('after a restore: all was compared with a statement; new batches too'),
  }),
  async run({ batch: text, all }, context) {
    if ((text === undefined) !== all) throw new RequestRefused(nameBatch, command('status'));
    if (text === undefined) return resumeAll(context);
    // In a ledger that was accepted and not compared yet, a batch stays paused for that after a pause of its own.
    const changed = await changePause(text, context, async ({ id, pause: before }, ledger) => {
      if (before !== undefined) await ledger.resume(id, context.user, context.now());
    });
    return { kind: 'one' as const, ...changed };
  },
  view(result) {
    if (result.kind === 'all')
      return [
        ...result.batches.map((each) => line(`Batch ${batchLabel(each)} is no longer paused.`)),
        line('New batches are not paused.'),
      ];
    const { pause: left } = result.batch;
    const label = batchLabel(result.batch);
    if (!result.wasPaused) return [line(`Batch ${label} was not paused.`)];
    return left === undefined
      ? [line(`Batch ${label} is no longer paused.`)]
      : [line(`Batch ${label} is still paused: ${printable(left.reason)}.`)];
  },
  json: (result): ResumedJson =>
    result.kind === 'all'
      ? { environment: result.environment, batches: result.batches.map(batchJson) }
      : pauseJson(result),
  next(result) {
    if (result.kind === 'all') return { next: command('status') };
    return {
      next: command(result.batch.pause === undefined ? 'send' : 'status', [batchLabel(result.batch)]),
    };
  },
});

export interface PauseChanged {
  /** As it is now. */
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly wasPaused: boolean;
}

type PausedJson = ReturnType<typeof pauseJson>;
/** `batches` after `all`, else `batch` and `pause`. */
export interface ResumedJson extends Partial<Omit<PausedJson, 'environment'>> {
  readonly environment: PausedJson['environment'];
  readonly batches?: readonly PausedJson['batch'][];
}

function pauseJson({ batch: changed, environment }: PauseChanged) {
  return { environment, batch: batchJson(changed), pause: changed.pause ?? null };
}

async function changePause(
  text: string,
  context: Context,
  change: (found: Batch, ledger: Ledger) => Promise<void>,
): Promise<PauseChanged> {
  const ledger = await context.ledger();
  const before = await context.batch(text);
  await change(before, ledger);
  return {
    batch: (await ledger.batch(before.id)) ?? before,
    environment: ledger.identity.environment,
    wasPaused: before.pause !== undefined,
  };
}

async function resumeAll(context: Context) {
  const ledger = await context.ledger();
  const batches = (await ledger.batches()).filter(isPausedForStatement);
  await ledger.resumeAll(context.user, context.now());
  return { kind: 'all' as const, batches, environment: ledger.identity.environment };
}
