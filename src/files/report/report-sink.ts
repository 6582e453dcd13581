/** The one sink of all files of rows: a form says what stands before its lines, in them and after them. */
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import type { Sink } from '../../ports/outputs.ts';
import type { ReportFile } from './report-file.ts';

/** Made when a file begins. */
interface Form<Line, Summary> {
  write(lines: readonly Line[]): Promise<void> | void;
  end(summary: Summary): Promise<void> | void;
}

export type Begin<Header, Line, Summary = void> = (
  header: Header,
  file: ReportFile,
) => Promise<Form<Line, Summary>> | Form<Line, Summary>;

export type BeginReport = Begin<ReportHeader, ReportLine, ReportSummary>;

export function sinkOf<Header, Line, Summary>(
  file: ReportFile,
  begin: Begin<Header, Line, Summary>,
): Sink<Header, Line, Summary> {
  let form: Form<Line, Summary> | undefined;
  const begun = () => {
    if (form === undefined) throw new TypeError('A file is begun before lines are written');
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
