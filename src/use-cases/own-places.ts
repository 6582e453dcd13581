/**
 * The files of one call: of two outputs with one place the second would replace the first, and a report from last month
 * that is read as input would be replaced by this month's.
 *
 * Errors:  RequestRefused for two outputs with one place, ReportUnwritable for an output that is read.
 */
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { type OutputGuard, ReportUnwritable } from '../ports/outputs.ts';

interface CallFiles {
  readonly reports?: readonly string[] | undefined;
  readonly fixFile?: string | undefined;
  /** What is read; `-` is no file. */
  readonly reads?: string;
}

/** Before anything is sent: each report can be written where it is wanted. Errors: ReportUnwritable, too. */
export async function requireReports(
  files: CallFiles,
  checks: { readonly outputs: OutputGuard; requireReportPlace(path: string): Promise<void> },
): Promise<void> {
  for (const path of files.reports ?? []) await checks.requireReportPlace(path);
  await requireOwnPlaces(files, checks);
}

export async function requireOwnPlaces(
  { reports = [], fixFile, reads = '-' }: CallFiles,
  { outputs }: { readonly outputs: OutputGuard },
): Promise<void> {
  const written = fixFile === undefined ? reports : [...reports, fixFile];
  const same = await outputs.same(written);
  if (same !== undefined) throw new RequestRefused(sameOutputsSentence(same));
  if (reads === '-') return;
  for (const path of written)
    if ((await outputs.same([reads, path])) !== undefined)
      throw new ReportUnwritable(
        `Cannot write “${printable(path)}”: it is a file that this call reads. Name another file.`,
      );
}

function sameOutputsSentence([first, second]: readonly [string, string]): string {
  return first === second
    ? `${printable(first)} is named for two outputs. Give each a file of its own.`
    : `${printable(first)} and ${printable(second)} are the same file. Give each output a file of its own.`;
}
