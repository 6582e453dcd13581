/** The one sink of all formats: a format says what stands before its lines, in them and after them. */
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import type { ReportSink } from '../../ports/outputs.ts';
import type { ReportFile } from './report-file.ts';

/** Made when a report begins. */
export interface ReportForm {
  write(lines: readonly ReportLine[]): Promise<void> | void;
  end(summary: ReportSummary): Promise<void> | void;
}

export type BeginReport = (header: ReportHeader, file: ReportFile) => Promise<ReportForm> | ReportForm;

export function reportSink(file: ReportFile, begin: BeginReport): ReportSink {
  let form: ReportForm | undefined;
  const begun = () => {
    if (form === undefined) throw new TypeError('A report is begun before lines are written');
    return form;
  };
  return {
    begin: async (header) => {
      form = await begin(header, file);
    },
    write: async (lines) => begun().write(lines),
    end: async (summary) => {
      await begun().end(summary);
      await file.commit();
    },
    abort: () => file.abort(),
  };
}
