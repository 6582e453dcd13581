/** The operations that are methods of `payfile` itself. The key is the name of the method. */
import { operationsIn } from './listed.ts';

const approvals = operationsIn(() => import('./approve.ts'));
const checks = operationsIn(() => import('./check.ts'));
const explanations = operationsIn(() => import('./explain.ts'));
const plans = operationsIn(() => import('./plan.ts'));
const reports = operationsIn(() => import('./report.ts'));
const runs = operationsIn(() => import('./run.ts'));
const sendings = operationsIn(() => import('./send.ts'));
const settlings = operationsIn(() => import('./settle.ts'));
const states = operationsIn(() => import('./status.ts'));

export const FRONT = {
  /**
   * Does all steps: reads, prices, gets approval, sends, settles and reports. To continue, call it again with the same
   * file and batch. A row that was sent is never sent again. Somebody must approve: give `consent` or `maxTotal`, or `yes`
   * in the sandbox.
   *
   * Errors: FileRefused, SettingRefused, ReadingsUnusable, BatchNotFound, BatchNotNamed, BatchBusy, OtherFileRead,
   * BatchHalfRead, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * Exit codes: 0, 3, 4, 5, 6, 10, 65, 69, 73, 75, 77, 130.
   * @example
   * const { outcome, exitCode, attention } = await payfile.run({
   *   file: 'samples/suppliers.csv',
   *   batch: 'suppliers-2026-05',
   *   consent: async (plan) => {
   *     console.log(plan.counts, plan.toApprove);
   *     return { kind: 'agreed', how: 'library' };
   *   },
   * });
   * console.log(outcome, exitCode, attention);
   */
  run: runs('run', 'do all steps at once; safe to repeat', 'Pay'),
  /**
   * Reads a file and validates every row against the lists of the service. Requests no names and fees, and stores nothing.
   *
   * Errors: FileRefused, SettingRefused, ReadingsUnusable, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * Exit codes: 0, 65.
   * @example
   * const { file, issues } = await payfile.check({ file: 'samples/suppliers.csv' });
   * console.log(file.rows, file.invalid, issues);
   */
  check: checks('check', 'read and validate a file, without names and fees', 'Pay'),
  /**
   * Reads a file into the ledger and requests names and fees. Sends nothing. `plan.digest` identifies the plan.
   *
   * Errors: FileRefused, SettingRefused, ReadingsUnusable, BatchNotFound, BatchNotNamed, BatchBusy, OtherFileRead,
   * BatchHalfRead, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * Exit codes: 0, 3, 5, 10, 65, 69.
   * @example
   * const planned = await payfile.plan({ file: 'samples/suppliers.csv', batch: 'suppliers-2026-05' });
   * console.log(planned.plan?.digest, planned.plan?.toApprove);
   */
  plan: plans('plan', 'add names and fees; shows totals and the digest', 'Pay'),
  /**
   * Approves the plan of a batch, if the plan still has the digest that you give.
   *
   * Errors: BatchNotFound, BatchBusy, BatchHalfRead.
   * Exit codes: 0, 10.
   * @example
   * const { planDigest } = await payfile.batches.look({ batch: 'suppliers-2026-05' });
   * const { outcome, approved } = await payfile.approve({
   *   batch: 'suppliers-2026-05',
   *   digest: planDigest ?? '',
   * });
   * console.log(outcome, approved);
   */
  approve: approvals('approve', 'agree to a plan', 'Pay'),
  /**
   * Sends the approved rows of a batch, each at most once. The service then has them; `settle` waits for their final statuses.
   * `deadline`: how many milliseconds to wait for a service that does not answer. Default: 15 minutes.
   *
   * Errors: BatchNotFound, BatchBusy, BatchHalfRead, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * Exit codes: 0, 3, 4, 5, 6, 10, 69, 73, 75, 77, 130.
   * @example
   * const { outcome, counts } = await payfile.send({ batch: 'suppliers-2026-05', deadline: 60_000 });
   * console.log(outcome, counts.accepted);
   */
  send: sendings('send', 'send what is approved', 'Pay'),
  /**
   * Looks up the transfers at the service, until all are final or `deadline` milliseconds have passed. `watchReturns`, in
   * milliseconds, also looks up rows that settled within this time, because some payments come back.
   *
   * Errors: BatchNotFound, BatchBusy, ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * Exit codes: 0, 3, 4, 5, 6, 69, 73, 75, 77, 130.
   * @example
   * const fourteenDays = 14 * 24 * 3_600_000;
   * const { changes } = await payfile.settle({ batch: 'suppliers-2026-05', watchReturns: fourteenDays });
   * console.log(changes);
   */
  settle: settlings('settle', 'look up transfers until all are final', 'Pay'),
  /**
   * Writes a report of a batch, or of all payments from one day to another (UTC). The file name decides the format.
   * Without a file, it only returns counts and sums.
   *
   * Errors: BatchNotFound, ReportUnwritable, ReportFormatUnknown.
   * @example
   * await payfile.report({ batch: 'suppliers-2026-05', output: 'suppliers.xlsx', overwrite: true });
   * await payfile.report({ from: '2026-05-01', to: '2026-05-31', output: 'may.csv', overwrite: true });
   */
  report: reports('report', 'report the result of every row, or of all batches', 'Look'),
  /**
   * Shows the status of a batch, and counts every row once. Without a batch, lists the newest batches.
   *
   * Errors: BatchNotFound.
   * @example
   * const status = await payfile.status({ batch: 'suppliers-2026-05' });
   * console.log(status);
   */
  status: states('status', 'show all batches, or one', 'Look'),
  /**
   * Shows the whole history of one row: requests, answers, decisions and the next step.
   * The row is a row number of the spreadsheet, a reference, a tag, or a part of the name.
   *
   * Errors: BatchNotFound, RequestRefused.
   * @example
   * const { status, sentence, events } = await payfile.explain({ batch: 'suppliers-2026-05', row: '4' });
   * console.log(status, sentence, events.length);
   */
  explain: explanations('explain', 'show the whole history of one row', 'Look'),
};
