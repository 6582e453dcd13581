/** Why an operation on a file is refused, and what it says of one. */
import { input, message } from '../domain/text/message.ts';
import { printable } from '../domain/text/printable.ts';

export const fixFileUnnamed = message`Standard input has no name. Name the fix file: ${input('fixFile', 'FILE.xlsx')}.`;

export const fixFileIsWorkbook = (path: string) =>
  message`${input('fixFile')} is “${printable(path)}”; a fix file is a workbook: a name that ends in .xlsx.`;

export const fixFileIsInput = (source: string) =>
  message`${input('fixFile')} names ${printable(source)}, the file that is read. Name another one.`;

export const yesIsForSandboxFile = message`${input('yes')} agrees to sandbox payments only. With a live service, say how much you agree to: ${input('maxTotal', 'CUR=AMOUNT')}.`;

export const nameNeeded = message`Without a terminal, a live service needs ${input('batch', 'NAME')}: which period or purpose does the file pay?`;

export const correctRows = message`Correct these rows, or leave them out with ${input('skipInvalid')}.`;

export const correctNumbers = message`Correct the file, or the numbers that you expect of it.`;

export const correctAndPlan = (rows: string) =>
  message`${rows} cannot be paid as written. Correct them and plan again, or leave them out with ${input('skipInvalid')}.`;

export const namesStayHeld = (held: string) =>
  message`${held} before. ${input('names')} does not change rows that are held already. To let one go on: `;

export const passkeyNeedsDigest = message`A passkey approves the plan of one digest. Name it: ${input('digest', 'DIGEST')}.`;

export const saveWithValue = (meaning: string) =>
  message`To accept one, save again with ${input('value', meaning)}`;
