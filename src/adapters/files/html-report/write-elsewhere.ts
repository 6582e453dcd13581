/** The command that gives the whole list where a page does not hold all of it. */
import { commandsFor } from '../../../domain/next-step.ts';
import type { ReportHeader } from '../../../domain/report.ts';

export function csvCommand(header: ReportHeader): string {
  return `${commandsFor(header).forBatch('report')} -o report.csv`;
}
