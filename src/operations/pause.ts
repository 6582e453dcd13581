/**
 * Pauses and resumes new transfers of a batch, also during a run of another process. Transfers in flight end normally.
 * A run never resumes a paused batch.
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
import { batch, choice, optionalWord, reason } from './fields.ts';
import { nameBatch } from './messages.ts';
import { operation } from './operation.ts';

export const pause = operation({
  name: 'pause',
  needs: ['send'],
  changesData: true,
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
      `Batch ${batchLabel(changed)} is paused: payfile starts no new transfer. Transfers in flight end normally.`,
    ),
  ],
  json: pauseJson,
  next: ({ batch: changed }) => ({ andThen: command('resume', [batchLabel(changed)]) }),
});

export const resume = operation({
  name: 'resume',
  needs: ({ all }) => (all ? ['rule'] : ['send']),
  changesData: true,
  input: z.strictObject({
    batch: optionalWord('batch'),
    all: choice('resume all batches and new ones; first compare all with statements'),
  }),
  async run({ batch: text, all }, context) {
    if ((text === undefined) !== all) throw new RequestRefused(nameBatch, command('status'));
    if (text === undefined) return resumeAll(context);
    // In an accepted ledger, a batch may stay paused until someone compares it with a statement.
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
  /** The batch after the change. */
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  readonly wasPaused: boolean;
}

type PausedJson = ReturnType<typeof pauseJson>;
/** `batches` with `all`, else `batch` and `pause`. */
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
