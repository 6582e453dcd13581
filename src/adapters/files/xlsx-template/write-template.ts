/**
 * Writes the input template: Payments to fill in, Check that counts along, Example, and the Lists behind the
 * drop-downs.
 *
 * Errors:  ReportUnwritable, also when something stands under the name already: it may be filled in.
 */
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { ReportUnwritable } from '../../../ports/report-sink.ts';
import type { TemplateContent } from '../../../ports/template.ts';
import { openReportFile } from '../write-report-file.ts';
import { addCheck } from './check-sheet.ts';
import { addExample } from './example-sheet.ts';
import { addLists } from './lists-sheet.ts';
import { addPayments } from './payments-sheet.ts';
import { newTemplateBook } from './template-workbook.ts';

export async function writeTemplate(
  path: string,
  content: TemplateContent,
  stdout?: Writable,
): Promise<void> {
  await refuseToReplace(path);
  const book = newTemplateBook({ title: 'Payments', madeAt: content.madeAt });
  addPayments(book);
  await addCheck(book, content);
  addExample(book, content);
  await addLists(book, content);
  const bytes = await book.bytes();
  const file = await openReportFile(path, stdout, {
    what: 'template',
    advice: 'name another place: payfile template -o FILE',
  });
  try {
    await file.write(bytes);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function refuseToReplace(path: string): Promise<void> {
  if (path === '-') return;
  const standing = await stat(path).catch(() => undefined);
  if (standing === undefined || !standing.isFile()) return;
  throw new ReportUnwritable(
    `“${path}” is there already and may be filled in, so it is left as it is. Name another file with -o.`,
  );
}
