/**
 * The public library. What is not listed here is not public.
 */

// What comes back
export type { Approved } from './application/approve-batch.ts';
export type { CheckedFile } from './application/check-file.ts';
export type { PlacedFile, PlannedBatch } from './application/plan-file.ts';
export type { ProgressEvent } from './application/progress.ts';
// What can be thrown
export { ServiceUnavailable, SettingRefused } from './application/read-rows.ts';
export type { Reported } from './application/report-batch.ts';
export type { Resolved } from './application/resolve-doubt.ts';
export type { Consent, Consented, NotAgreed, Run } from './application/run-batch.ts';
export type { SendBatchResult } from './application/send-batch.ts';
export type { SettleResult } from './application/settle-batch.ts';
export { BatchBusy } from './batch-busy.ts';
export { ConfigError } from './config-error.ts';
// Opening
export {
  createPayfile,
  type FileOptions,
  type Payfile,
  type PayfileOptions,
  type RunFileOptions,
} from './create-payfile.ts';
// The words
export type { Batch, BatchStatus } from './domain/batch.ts';
export { type CurrencyCode, parseCurrency } from './domain/currency.ts';
export { formatDecimal, formatMoney, type Money, parseDecimal } from './domain/money.ts';
export { type Payout, type PayoutState, STATE_SENTENCE, STATUSES, type Status } from './domain/payout.ts';
export type { Plan, PlanLine } from './domain/plan.ts';
export { DEFAULT_POLICY, type Policy } from './domain/policy.ts';
export type { RowIssue } from './domain/row-issue.ts';
export type { StyleRead } from './domain/style-read.ts';
export { LedgerError } from './ports/ledger-error.ts';
export type { Log, LogFields, LogLevel } from './ports/log.ts';
export { CredentialsRefused } from './ports/payment-service.ts';
export { ReportUnwritable } from './ports/report-sink.ts';
export { FileRefused } from './ports/row-source.ts';
