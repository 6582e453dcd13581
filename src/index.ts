/**
 * The public library. What is not listed here is not public.
 */

// The words
export type { Batch, BatchStatus } from './domain/batches/batch.ts';
export type { StyleRead } from './domain/money/amount-style.ts';
export { type CurrencyCode, parseCurrency } from './domain/money/currency.ts';
export { formatDecimal, formatMoney, type Money, parseDecimal } from './domain/money/money.ts';
export {
  type Payout,
  type PayoutState,
  STATE_SENTENCE,
  STATUSES,
  type Status,
} from './domain/payouts/payout.ts';
export type { Plan, PlanLine } from './domain/plan/plan.ts';
export { DEFAULT_POLICY, type Policy } from './domain/policy.ts';
export type { RowIssue } from './domain/rows/row.ts';
// Opening
export {
  createPayfile,
  type FileOptions,
  type Payfile,
  type PayfileOptions,
  type RunFileOptions,
} from './payfile.ts';
export { LedgerError } from './ports/ledger/errors.ts';
export type { Log, LogFields, LogLevel } from './ports/log.ts';
export { ReportUnwritable } from './ports/outputs.ts';
export { CredentialsRefused } from './ports/payment-service.ts';
export { FileRefused } from './ports/row-source.ts';
export { ConfigError } from './setup/config-file.ts';
// What comes back
export type { Approved } from './use-cases/approve/approve-batch.ts';
export type { Resolved } from './use-cases/decide/resolve-doubt.ts';
export type { Dialogue, News } from './use-cases/dialogue.ts';
// What can be thrown
export { BatchNotFound } from './use-cases/find-batch.ts';
export type { CheckedFile } from './use-cases/intake/check-file.ts';
export type { PlacedFile } from './use-cases/intake/place-file.ts';
export { ServiceUnavailable, SettingRefused } from './use-cases/intake/read-rows.ts';
export { BatchBusy } from './use-cases/ports.ts';
export type { Reported } from './use-cases/report/report-batch.ts';
export type { Consent, Consented, NotAgreed, Run } from './use-cases/run-batch.ts';
export type { PlannedBatch } from './use-cases/run-file.ts';
export type { SendBatchResult } from './use-cases/send/send-batch.ts';
export type { SettleResult } from './use-cases/settle/settle-batch.ts';
export type { Answers, Ask, Question } from './use-cases/user-questions.ts';
