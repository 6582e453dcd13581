/** Why an operation on a file is refused, and what it says of one. */
import { input, message } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';

export const fixFileUnnamed = message(
  'fix_file_unnamed',
)`Standard input has no name. Name the fix file: ${input('fixFile', 'FILE.xlsx')}.`;

export const fixFileIsWorkbook = (path: string) =>
  message(
    'fix_file_unusable',
  )`${input('fixFile')} is “${printable(path)}”; a fix file is a workbook: a name that ends in .xlsx.`;

export const fixFileIsInput = (source: string) =>
  message(
    'fix_file_is_input',
  )`${input('fixFile')} names ${printable(source)}, the file that is read. Name another one.`;

export const yesIsForSandboxFile = message(
  'yes_is_for_sandbox',
)`${input('yes')} agrees to sandbox payments only. With a live service, say how much you agree to: ${input('maxTotal', 'CUR=AMOUNT')}.`;

export const nameNeeded = message(
  'batch_name_missing',
)`Without a terminal, a live service needs ${input('batch', 'NAME')}: which period or purpose does the file pay?`;

export const correctRows = message(
  'rows_to_correct',
)`Correct these rows, or leave them out with ${input('skipInvalid')}.`;

export const correctNumbers = message(
  'numbers_to_correct',
)`Correct the file, or the numbers that you expect of it.`;

export const correctAndPlan = (rows: string) =>
  message(
    'rows_to_correct',
  )`${rows} cannot be paid as written. Correct them and plan again, or leave them out with ${input('skipInvalid')}.`;

export const namesStayHeld = (held: string) =>
  message(
    'names_stay_held',
  )`${held} before. ${input('names')} does not change rows that are held already. To let one go on: `;

export const holdersMadeUp = message(
  'holders_made_up',
)`The sandbox makes up a holder for each account. To try a file of your own, leave its column of names empty.`;

export const passkeyNeedsDigest = message(
  'passkey_needs_digest',
)`A passkey approves the plan of one digest. Name it: ${input('digest', 'DIGEST')}.`;

export const saveWithValue = (meaning: string) =>
  message('save_with_value')`To accept one, save again with ${input('value', meaning)}`;
