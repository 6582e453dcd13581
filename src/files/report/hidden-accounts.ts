/** Reports for programs that must not have whole account numbers, also in the user's own columns. */
import type { BatchFile } from '../../domain/batches/batch.ts';
import { maskedLine } from '../../domain/reporting/hidden-accounts.ts';
import type { ReportSink } from '../../ports/outputs.ts';

export function withoutAccounts(sink: ReportSink): ReportSink {
  let file: Pick<BatchFile, 'columns'> = { columns: new Map() };
  return {
    begin(header) {
      file = header.batch.file;
      return sink.begin(header);
    },
    write: (lines) => sink.write(lines.map((line) => maskedLine(line, file))),
    end: (summary) => sink.end(summary),
    abort: () => sink.abort(),
  };
}
