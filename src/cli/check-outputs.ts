/**
 * Checks of reports and other outputs before anything is done.
 */

import { formatOfName, REPORT_ENDINGS } from '../domain/reporting/report.ts';
import { sameOutputsSentence } from '../payfile.ts';
import { type Call, type Opened, UsageError } from './call.ts';

/** Before anything is done: an unknown format is a usage error, not a surprise at the end. */
export function refuseUnknownFormats(call: Pick<Call, 'flags'>): void {
  for (const path of call.flags.report ?? []) {
    if (formatOfName(path) === undefined)
      throw new UsageError(
        `--report ${path}: expected a file name that ends in ${REPORT_ENDINGS} (payfile report has --format).`,
      );
  }
}

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
