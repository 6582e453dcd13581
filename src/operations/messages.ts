/** Messages of refused requests. */
import { formatMoney } from '../domain/money/money.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import { TEXT_PLACES } from '../domain/reporting/advice.ts';
import { closest, didYouMean } from '../domain/text/likeness.ts';
import { type InputName, input, message } from '../domain/text/message.ts';
import { cutText, printable, rowsText } from '../domain/text/printable.ts';

export const templateNeedsFile = message(
  'output_missing',
)`Say where the template goes with ${input('output', 'FILE')}. The name ends in .xlsx.`;

export const templateIsWorkbook = (path: string) =>
  message(
    'output_unusable',
  )`A template is a workbook, not “${printable(path)}”. Name a file that ends in .xlsx: ${input('output', 'FILE')}.`;

export const nameBatch = message(
  'batch_missing',
)`Name a batch. After a restore, ${input('all')} resumes all of them.`;

export const reasonMissing = message(
  'reason_missing',
)`The decision needs ${input('reason', 'TEXT')}. payfile keeps the reason with your name.`;

export const rowsMissing = (all: InputName) =>
  message('rows_missing')`Name the rows by spreadsheet row number, reference or tag, or choose ${all}.`;

export const rowsAndAll = (all: InputName) => message('rows_and_all')`Name rows or choose ${all}, not both.`;

export const addMayBePaid = message(
  'may_be_paid_missing',
)`To release a row that may be paid twice, name it again with ${input('mayBePaid')}.`;

export const planChanged = message(
  'plan_changed',
)`The plan changed since it was shown. Look at it again before you sign.`;

// The sandbox

export const outputWithBook = message(
  'output_with_book',
)`Use ${input('output')} together with ${input('book')}. It writes the executed transfers as a statement.`;

export const sandboxOnly = message(
  'sandbox_only',
)`This command works only with the sandbox. For a live service, ask your bank for a statement.`;

export const workersNeedService = message(
  'workers_need_service',
)`The embedded sandbox runs in one process. Workers cannot share its work.`;

type RulingWord = 'paid' | 'not_paid';
/** The input of each ruling, and the input that confirms it. */
const RULING = { paid: input('paid'), not_paid: input('notPaid') };
const CONFIRMED = { paid: input('accept', 'paid'), not_paid: input('accept', 'not-paid') };

export const rulingMissing = message(
  'ruling_missing',
)`Give ${input('paid', 'TRANSFER_ID')}, or ${input('notPaid')} with ${input('evidence', 'TEXT')}.`;

export const evidenceMissing = message(
  'evidence_missing',
)`${input('notPaid')} needs ${input('evidence', 'TEXT')}. Give proof that no money moved, such as a statement or an answer from the service.`;

export const acceptContradicts = (accept: RulingWord, ruling: RulingWord) =>
  message('accept_contradicts')`${CONFIRMED[accept]} contradicts ${RULING[ruling]}. Both must say the same.`;

export const yesIsForSandbox = (ruling: RulingWord) =>
  message(
    'yes_is_for_sandbox',
  )`${input('yes')} agrees to sandbox payments only. To rule on real money, give ${CONFIRMED[ruling]}.`;

export const acceptMissing = ({ rowNumber, instruction }: Payout, ruling: RulingWord) => {
  const amount = instruction === undefined ? '' : ` (${formatMoney(instruction.amount)})`;
  const ruled = ruling === 'paid' ? 'was paid' : 'was NOT paid';
  return message(
    'accept_missing',
  )`To rule without a terminal that row ${rowNumber}${amount} ${ruled}, add ${CONFIRMED[ruling]}. Look at the row first.`;
};

export const differenceNeedsReason = message(
  'difference_needs_reason',
)`Give ${input('difference')} (accepted, delivered, lost or open) with ${input('reason', 'TEXT')}, and without ${input('paid')} and ${input('notPaid')}. Say how you know.`;

// Erasing

export const eraseTooEarly = (before: string, last: string, years: number) =>
  message(
    'erase_too_early',
  )`${input('before', before)} is too late a day: payfile keeps names and accounts for ${years} years. The latest day is ${last}.`;

export const otherRowsToErase = (given: number, rows: number) =>
  message(
    'other_rows_to_erase',
  )`${input('rows', String(given))} is not what would be erased now: ${rowsText(rows)}. Look at the plan again.`;

// Reports

export const batchOrDays = message(
  'batch_or_days',
)`Name a batch, or the days with ${input('from', 'DAY')} and ${input('to', 'DAY')}.`;

export const batchAndDays = message(
  'batch_and_days',
)`A report is about one batch, or about all batches with ${input('from')} and ${input('to')}. Choose one.`;

export const daysTogether = message(
  'days_together',
)`Use ${input('from')} and ${input('to')} together: the first day and the last day.`;

export const daysTurned = (from: string, to: string) =>
  message('days_turned')`${input('from', from)} is after ${input('to', to)}.`;

export const unpaidAsInput = message(
  'unpaid_as_input',
)`Use ${input('only', 'unpaid')} and ${input('asInput')} together. They write the unpaid rows as a file to run.`;

export const includeAlone = message(
  'include_alone',
)`Use ${input('include')} together with ${input('only', 'unpaid')} and ${input('asInput')}.`;

export const unpaidNeedsFile = message(
  'output_missing',
)`Say where the file of unpaid rows goes: ${input('output', 'redo.xlsx')}, or a .csv.`;

export const auditNeedsFile = message(
  'output_missing',
)`Say where the audit file goes: ${input('output', 'audit.zip')}, or a folder.`;

export const auditAlone = message(
  'audit_alone',
)`An audit file is about one batch, and has all its reports. Only ${input('keep')} and ${input('fullAccounts')} go with it.`;

export const profileOfJournal = message(
  'profile_without_journal',
)`${input('journalProfile')} is for a journal. Add ${input('format', 'journal')}, or leave it out.`;

export const formatNeedsFile = message(
  'output_missing',
)`Say where the report goes: ${input('output', 'FILE')}, or - for standard output.`;

export const unpaidOfOneBatch = message(
  'unpaid_of_one_batch',
)`Rows to pay again come from one batch. Name it.`;

// Advice to beneficiaries

export const adviceNeedsFile = message(
  'output_missing',
)`Say where the advice goes with ${input('output')}: a file that ends in .html or .csv, or a folder.`;

export const adviceUnusable = (path: string) =>
  message(
    'output_unusable',
  )`Advice is an .html, a .csv or a folder, not “${printable(path)}”. End the name of a folder with /.`;

export const messagesNeedTable = message(
  'table_missing',
)`${input('contact')} and ${input('text')} go into a table. Name a file that ends in .csv: ${input('output', 'FILE.csv')}.`;

export const placeUnknown = (word: string) => {
  const braces = (place: string) => `{${place}}`;
  const meant = didYouMean(closest(word, TEXT_PLACES, (place) => place).map(braces));
  const seen = /^[{}]$/.test(word) ? word : braces(cutText(printable(word), 40));
  return message(
    'place_unknown',
  )`${input('text')} has ${seen}, which is no placeholder.${meant} The placeholders are ${TEXT_PLACES.map(braces).join(', ')}.`;
};

// The ledger as a whole.
export const acceptWholeLedger = message(
  'accept_whole_ledger',
)`You can only accept the whole ledger, not one batch. Leave the batch out. Nothing was accepted.`;

export const outputMissing = message(
  'output_missing',
)`Say where the backup goes: ${input('output', 'FILE')}.`;

export const addressMissing = message(
  'address_missing',
)`Say where the ledger goes: ${input('to', 'postgres://USER@HOST/DATABASE')}.`;
// Statements

export const reconciliationUnusable = (path: string) =>
  message(
    'reconciliation_unusable',
  )`${input('output', printable(path))} says no format; a reconciliation is a .xlsx, .html or .json file.`;

export const batchesOrDays = message(
  'batches_or_days',
)`Name the batches, or the days with ${input('from', 'DAY')} and ${input('to', 'DAY')}. Choose one.`;

export const noBatchInDays = (from: string, to: string) =>
  message('no_batch_in_days')`No payment was sent, settled, failed or came back from ${from} to ${to}.`;

export const statementMissing = message(
  'statement_missing',
)`Which statement? Name the file (.csv or .xlsx) with ${input('statement', 'FILE')}.`;

// Columns of a file

export const columnUnreadable = (
  typed: string,
  names: readonly string[],
  hint: { readonly name: string; readonly meant: string } | undefined,
) =>
  message(
    'column_unreadable',
  )`${input('map')} is “${printable(typed)}”; expected FIELD=HEADER, where FIELD is one of ${names.join(', ')}.${hint === undefined ? '' : ` Here “${printable(hint.name)}” is called ${hint.meant}.`}`;

export const columnTwice = (name: string) => message('column_twice')`${input('map')} names ${name} twice.`;

// Money

export const currencyTwice = (name: string, currency: string) =>
  message('currency_twice')`${input(name)} names ${currency} twice.`;
