/** The operations on batches, rows and files: methods of `payfile.batches`, `.rows`, `.files` and `.readings`. */
import { operationsIn } from './listed.ts';

const advices = operationsIn(() => import('./advice.ts'));
const approvals = operationsIn(() => import('./approve.ts'));
const explanations = operationsIn(() => import('./explain.ts'));
const files = operationsIn(() => import('./file.ts'));
const heldRows = operationsIn(() => import('./held.ts'));
const readings = operationsIn(() => import('./reading.ts'));
const pauses = operationsIn(() => import('./pause.ts'));
const plans = operationsIn(() => import('./plan.ts'));
const statements = operationsIn(() => import('./reconciliation.ts'));
const rowLists = operationsIn(() => import('./row-list.ts'));
const rows = operationsIn(() => import('./rows.ts'));
const rulings = operationsIn(() => import('./ruling.ts'));
const states = operationsIn(() => import('./status.ts'));

export const ROWS = {
  /**
   * Lists rows of a batch in file order, at most 200 at a time. Account numbers are masked.
   *
   * Errors: BatchNotFound.
   * @example
   * const { rows, after } = await payfile.rows.list({ batch: 'suppliers-2026-05', statuses: ['failed'] });
   * console.log(rows.length, after);
   */
  list: rowLists('rowList', 'list rows of a batch, a page at a time'),
  /**
   * Releases held rows. The next run prices them, and they wait for approval again.
   *
   * Errors: BatchNotFound, RowNotFound, BatchHalfRead.
   * Exit codes: 0, 10, 64.
   * @example
   * const { released, refused } = await payfile.rows.release({
   *   batch: 'suppliers-2026-05',
   *   rows: ['6'],
   *   reason: 'HR confirmed the name',
   * });
   * console.log(released, refused);
   */
  release: rows('release', 'release held rows', 'Decide'),
  /**
   * Withdraws rows that are not sent. A withdrawn row is never sent.
   *
   * Errors: BatchNotFound, RowNotFound, BatchHalfRead.
   * Exit codes: 0, 10, 64.
   * @example
   * await payfile.rows.cancel({ batch: 'suppliers-2026-05', all: true, reason: 'ordered twice' });
   */
  cancel: rows('cancel', 'withdraw rows that are not sent', 'Decide'),
  /**
   * Rules on a row in doubt: it was paid by this transfer, or it was not paid. It also accepts a difference.
   * A transfer that you name is looked up and compared first. `accept` confirms the ruling.
   *
   * Errors: BatchNotFound, RowNotFound, BatchBusy, ServiceUnavailable, CredentialsRefused.
   * Exit codes: 0, 5, 10.
   * @example
   * await payfile.rows.resolve({
   *   batch: 'suppliers-2026-05',
   *   row: '3',
   *   notPaid: true,
   *   evidence: 'The service wrote on 3 May: no such transfer',
   *   accept: 'not_paid',
   * });
   */
  resolve: rulings('resolve', 'rule on a row in doubt, or accept a difference', 'Decide'),
  /**
   * Plans a new payment of rows that failed, came back, or were ruled “not paid”. The next run pays them.
   *
   * Errors: BatchNotFound, RowNotFound, BatchHalfRead.
   * Exit codes: 0, 10, 64.
   * @example
   * const { done, refused } = await payfile.rows.reissue({ batch: 'suppliers-2026-05', allFailed: true });
   * console.log(done, refused);
   */
  reissue: rows('reissue', 'pay again what is proven unpaid', 'Decide'),
  /**
   * Lists the rows that wait for a person, with both names and the reasons. At most 200 at a time.
   *
   * Errors: BatchNotFound.
   * @example
   * const { rows } = await payfile.rows.held({ batch: 'suppliers-2026-05' });
   * for (const { row, name, holder, reasons } of rows) console.log(row, name, holder, reasons);
   */
  held: heldRows('held', 'list rows that wait for a person'),
  /**
   * Returns the full account number of a row. The journal records who requested it.
   *
   * Errors: BatchNotFound, RowNotFound.
   * @example
   * const { account } = await payfile.rows.showAccount({ batch: 'suppliers-2026-05', row: '4' });
   * console.log(account);
   */
  showAccount: explanations('showAccount', 'show the full account number of a row; the journal records it'),
};

export const BATCHES = {
  /**
   * Asks again for names and fees of rows that have none, such as after a release. Reads no file.
   *
   * Errors: BatchNotFound, BatchBusy, BatchHalfRead, CredentialsRefused.
   * @example
   * const { unpriced, reason } = await payfile.batches.price({ batch: 'suppliers-2026-05' });
   * console.log(unpriced, reason);
   */
  price: plans('price', 'ask for names and fees again'),
  /**
   * Returns the plan that waits for approval. The journal records that you saw it.
   *
   * Errors: BatchNotFound, BatchHalfRead.
   * @example
   * const { plan } = await payfile.batches.planToAgree({ batch: 'suppliers-2026-05' });
   * console.log(plan.digest, plan.toApprove);
   */
  planToAgree: approvals('planToAgree', 'show the plan that waits for approval'),
  /**
   * Compares batches with a statement, and proposes rulings for rows in doubt. `accept` applies the unambiguous ones.
   * `from` and `to` instead of `batches` mean all batches with payments in these days. Each line counts once.
   *
   * Errors: BatchNotFound, BatchBusy, FileRefused, ServiceUnavailable, CredentialsRefused.
   * Exit codes: 0, 3, 4, 5, 10.
   * @example
   * const { counts, findings } = await payfile.batches.reconcile({
   *   batches: ['suppliers-2026-05'],
   *   statement: 'statement.csv',
   *   payments: 'minus',
   * });
   * console.log(counts, findings.length);
   */
  reconcile: statements('reconcile', 'compare batches with a statement of the bank', 'Decide'),
  /**
   * Pauses a batch: no process starts a new transfer of it. Transfers in flight end normally.
   *
   * Errors: BatchNotFound.
   * @example
   * await payfile.batches.pause({ batch: 'suppliers-2026-05', reason: 'a supplier called' });
   */
  pause: pauses('pause', 'start no new transfer of a batch', 'Decide'),
  /**
   * Ends the pause of a batch. With `all`, ends every pause that waits for a statement after a restore.
   *
   * Errors: BatchNotFound.
   * @example
   * await payfile.batches.resume({ batch: 'suppliers-2026-05' });
   */
  resume: pauses('resume', 'end the pause', 'Decide'),
  /**
   * Makes a page, or a message in a CSV, for the beneficiary of each settled payment. Sends none of it. Accounts are masked.
   *
   * Errors: BatchNotFound, BatchHalfRead, ReportUnwritable.
   * @example
   * await payfile.batches.advice({ batch: 'suppliers-2026-05', output: 'advice.html' });
   */
  advice: advices('advice', 'make a page or a message for each beneficiary', 'Look'),
  /**
   * Lists all batches, newest first, at most 200 at a time. Give the `after` of one page to get the next.
   *
   * @example
   * const first = await payfile.batches.list({ limit: 50 });
   * if (first.after !== null) await payfile.batches.list({ limit: 50, after: first.after });
   */
  list: states('overview', 'list all batches, newest first, a page at a time'),
  /**
   * Shows the status of a batch without reading its rows. It is fast even for a million.
   *
   * Errors: BatchNotFound.
   * @example
   * const { sentence, counts } = await payfile.batches.look({ batch: 'suppliers-2026-05' });
   * console.log(sentence, counts);
   */
  look: states('look', 'show the status of a batch, fast even for a million rows'),
  /**
   * Lists what people decided about a batch, newest first, at most 200 at a time.
   *
   * Errors: BatchNotFound.
   * @example
   * const { decisions } = await payfile.batches.history({ batch: 'suppliers-2026-05' });
   * for (const { at, by, what } of decisions) console.log(at, by, what);
   */
  history: states('history', 'list the decisions of people about a batch, newest first'),
};

export const FILES = {
  /**
   * Shows how the columns of a file are read, with its first rows. Missing columns are no error here.
   *
   * Errors: FileRefused, ReadingsUnusable.
   * @example
   * const { columns } = await payfile.files.columns({ file: 'samples/suppliers.csv' });
   * for (const { letter, header, field } of columns) console.log(letter, header, field);
   */
  columns: files('columns', 'show how the columns of a file are read'),
  /**
   * Writes a workbook of all rows with their corrections. Cells that are still wrong are marked.
   *
   * Errors: FileRefused, SettingRefused, ReadingsUnusable, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * @example
   * const { path, rows } = await payfile.files.writeCorrected({
   *   file: 'samples/suppliers.csv',
   *   output: 'corrected.xlsx',
   * });
   * console.log(path, rows);
   */
  writeCorrected: files('writeCorrected', 'write a workbook of the file with its corrections'),
  /**
   * Proposes a batch name that is not used yet, from the file name and the month.
   *
   * @example
   * const { name } = await payfile.files.proposedName({ fileName: 'suppliers.csv' });
   * console.log(name);
   */
  proposedName: files('proposedName', 'propose a name for the batch of a file'),
};

export const READINGS = {
  /**
   * Lists what is kept of files with the same headers, and the file that has it.
   *
   * Errors: ReadingsUnusable.
   * @example
   * const { readings } = await payfile.readings.list();
   * for (const { name, headers, answers } of readings) console.log(name, headers, answers);
   */
  list: readings('readings', 'list what is kept of files with the same columns'),
  /**
   * Keeps what you say of a file, for all files with the same headers. Saving again adds to it.
   *
   * Errors: FileRefused, ReadingsUnusable, ServiceUnavailable, CredentialsRefused.
   * @example
   * const { reading } = await payfile.readings.save({
   *   name: 'suppliers',
   *   file: 'samples/suppliers.csv',
   *   set: new Map([['note', 'Invoice']]),
   * });
   * console.log(reading.answers);
   */
  save: readings('saveReading', 'keep what is said of a file'),
  /**
   * Forgets a kept reading. No payment is touched.
   *
   * Errors: ReadingsUnusable.
   * @example
   * await payfile.readings.forget({ name: 'suppliers' });
   */
  forget: readings('forgetReading', 'forget what is kept of a file'),
};
