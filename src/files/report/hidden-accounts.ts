/** Reports for programs that must not have whole account numbers, also in the user's own columns. */
import { maskedLine } from '../../domain/reporting/hidden-accounts.ts';
import type { BeginReport } from './report-sink.ts';

export function withoutAccounts(begin: BeginReport): BeginReport {
  return async (header, file) => {
    const form = await begin(header, file);
    const masked = (lines: Parameters<typeof form.write>[0]) =>
      form.write(lines.map((line) => maskedLine(line, header.batch.file)));
    return { write: masked, end: (summary) => form.end(summary) };
  };
}
