/**
 * Checks of reports and other outputs before anything is done.
 */

import { sameOutputsSentence } from '../payfile.ts';
import { type Call, type Opened, UsageError } from './call.ts';

/** Of two outputs with one place the second would replace the first. */
export async function refuseSameOutputs(
  { payfile }: Pick<Opened, 'payfile'>,
  { flags }: Pick<Call, 'flags'>,
): Promise<void> {
  const { report = [], fixFile, output, logFile, metricsFile } = flags;
  const named = [...report, fixFile === true ? undefined : fixFile, output, logFile];
  const paths = named.filter((path) => path !== undefined);
  const same = await payfile.sameOutputs({ paths, metricsFile });
  if (same !== undefined) throw new UsageError(sameOutputsSentence(same));
}
