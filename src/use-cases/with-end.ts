/** The end of work on a batch: the wanted reports are written. */
import type { Batch } from '../domain/batches/batch.ts';
import { type BatchEnd, type EndOptions, type EndPorts, endBatch } from './report/batch-end.ts';
import { rememberWorkOnError } from './work-of-error.ts';

/** What a batch came to when work on it is over. */
export type WithEnd<Done> = Done & { readonly batchEnd: BatchEnd };

export async function withEnd<Done extends { readonly batch: Batch }>(
  done: Done,
  options: EndOptions,
  { endPorts }: { endPorts(): Promise<EndPorts> },
): Promise<WithEnd<Done>> {
  const { batch } = done;
  const end = async () => endBatch(batch, options, await endPorts());
  return { ...done, batchEnd: await rememberWorkOnError(() => ({ batch }), end) };
}
