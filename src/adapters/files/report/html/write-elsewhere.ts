/** The command that gives the whole list where a page does not hold all of it. */

import type { ReportHeader } from '../../../../domain/reporting/report.ts';
import { commandText } from '../../../../domain/steps/command.ts';
import { commandsFor } from '../../../../domain/steps/next-step.ts';

export function csvCommand(header: ReportHeader): string {
  const { forBatch, place } = commandsFor(header);
  return commandText(forBatch('report', ['-o', 'report.csv']), place);
}
