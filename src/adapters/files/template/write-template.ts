/**
 * Writes the input template: Payments to fill in, Check that counts along, Example, and the Lists behind the
 * drop-downs.
 *
 * Errors:  ReportUnwritable, also when a file is there already: it may be filled in.
 */
import type { Writable } from 'node:stream';
import type { OutputGuard, TemplateContent } from '../../../ports/outputs.ts';
import { createOutputGuard, NOTHING_KEPT } from '../output-guard.ts';
import { openReportFile } from '../report/report-file.ts';
import { addCheck } from './check-sheet.ts';
import { addExample } from './example-sheet.ts';
import { addLists } from './lists-sheet.ts';
import { addPayments } from './payments-sheet.ts';
import { newTemplateBook } from './template-workbook.ts';

export async function writeTemplate(
  path: string,
  content: TemplateContent,
  stdout?: Writable,
  guard: OutputGuard = createOutputGuard(NOTHING_KEPT),
): Promise<void> {
  await guard.check(path, 'template');
  const book = newTemplateBook({ title: 'Payments', madeAt: content.madeAt });
  addPayments(book);
  await addCheck(book, content);
  addExample(book, content);
  await addLists(book, content);
  const bytes = await book.bytes();
  const written = { what: 'template', advice: 'name another place: payfile template -o FILE' };
  const file = await openReportFile(path, stdout, written, (place) => guard.check(place, 'template'));
  try {
    await file.write(bytes);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}
