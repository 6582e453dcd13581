/** Messages of operations on files. */
import { input, message } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';

export const fixFileUnnamed = message(
  'fix_file_unnamed',
)`Standard input has no name. Name the fix file: ${input('fixFile', 'FILE.xlsx')}.`;

export const fixFileIsWorkbook = (path: string) =>
  message(
    'fix_file_unusable',
  )`${input('fixFile')} is “${printable(path)}”; expected a workbook, a name that ends in .xlsx.`;

export const fixFileIsInput = (source: string) =>
  message(
    'fix_file_is_input',
  )`${input('fixFile')} names the input file ${printable(source)}. Name another file.`;

export const yesIsForSandboxFile = message(
  'yes_is_for_sandbox',
)`${input('yes')} agrees only to sandbox payments. For a live service, give a limit: ${input('maxTotal', 'CUR=AMOUNT')}.`;

export const nameNeeded = message(
  'batch_name_missing',
)`Without a terminal, a live batch needs a name for its period or purpose: ${input('batch', 'NAME')}.`;

export const correctRows = message(
  'rows_to_correct',
)`Correct these rows, or leave them out with ${input('skipInvalid')}.`;

export const correctNumbers = message('numbers_to_correct')`Correct the file or the expected numbers.`;

export const correctAndPlan = (rows: string) =>
  message(
    'rows_to_correct',
  )`${rows} cannot be paid as written. Correct them and plan again, or leave them out with ${input('skipInvalid')}.`;

export const namesStayHeld = (held: string) =>
  message(
    'names_stay_held',
  )`${held} before. ${input('names')} does not release rows that are already held. To release one: `;

export const holdersMadeUp = message(
  'holders_made_up',
)`The sandbox makes up a holder for each account. To try a file of your own, leave its column of names empty.`;

export const passkeyNeedsDigest = message(
  'passkey_needs_digest',
)`A passkey approves one plan. Say which: ${input('digest', 'DIGEST')}.`;
