/** The end of work on a batch: the wanted reports are written, and the journal keeps who was given whole accounts. */
import type { Batch } from '../domain/batches/batch.ts';
import { showsAccounts } from '../domain/reporting/report.ts';
import { type BatchEnd, type EndOptions, type EndPorts, endBatch } from './report/batch-end.ts';
import { noteAccountsShown } from './report/show-account.ts';
import { rememberWorkOnError } from './work-of-error.ts';

/** What a batch came to when work on it is over. */
export type WithEnd<Done> = Done & { readonly batchEnd: BatchEnd };

interface Ending {
  readonly user: string;
  /** The configuration names people. Where it names nobody, everything is the caller's. */
  readonly namesPeople: boolean;
  endPorts(): Promise<EndPorts>;
}

export async function withEnd<Done extends { readonly batch: Batch }>(
  done: Done,
  options: EndOptions,
  { user: by, namesPeople, endPorts }: Ending,
): Promise<WithEnd<Done>> {
  const { batch } = done;
  const end = async () => {
    const { reports = [], fullAccounts } = options;
    const ports = await endPorts();
    if (namesPeople && reports.some((path) => showsAccounts(path, { fullAccounts })))
      await noteAccountsShown(batch.id, { by, where: 'in a report at the end of a command' }, ports);
    return endBatch(batch, options, ports);
  };
  return { ...done, batchEnd: await rememberWorkOnError(() => ({ batch }), end) };
}
