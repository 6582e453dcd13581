/** Why an operation is refused. */
import { type InputName, input, message } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';

export const templateNeedsFile = message(
  'output_missing',
)`Say where the template goes with ${input('output', 'FILE')}. The name ends in .xlsx.`;

export const templateIsWorkbook = (path: string) =>
  message(
    'output_unusable',
  )`A template is a workbook, not “${printable(path)}”. Name a file that ends in .xlsx: ${input('output', 'FILE')}.`;

export const nameBatch = message('batch_missing')`Name a batch, or after a restore ${input('all')}.`;

export const reasonMissing = message(
  'reason_missing',
)`The decision needs ${input('reason', 'TEXT')}. The reason is kept with your name.`;

export const rowsMissing = (all: InputName) =>
  message('rows_missing')`Name the rows by spreadsheet row number, reference or tag, or choose ${all}.`;

export const rowsAndAll = (all: InputName) => message('rows_and_all')`Name rows or choose ${all}, not both.`;

export const addMayBePaid = message(
  'may_be_paid_missing',
)`To release a row that may be paid twice, name it again with ${input('mayBePaid')}.`;
