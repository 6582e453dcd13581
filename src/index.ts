/**
 * The public library. What is not listed here is not public.
 */

// The words
export type { Batch, BatchStatus } from './domain/batches/batch.ts';
export type { StyleRead } from './domain/money/amount-style.ts';
export { type CurrencyCode, parseCurrency } from './domain/money/currency.ts';
export { formatDecimal, formatMoney, type Money, parseDecimal } from './domain/money/money.ts';
export type { Command, NextSteps, Step } from './domain/next-steps/command.ts';
export {
  type Payout,
  type PayoutState,
  STATE_SENTENCE,
  STATUSES,
  type Status,
} from './domain/payouts/payout.ts';
export type { CreationOptions, RequestOptions } from './domain/people/passkey.ts';
export type { Person, Role } from './domain/people/person.ts';
export type { Plan, PlanLine } from './domain/plan/plan.ts';
export { DEFAULT_POLICY, type Policy } from './domain/policy.ts';
// Names in the signatures
export type { CellEdit } from './domain/rows/cell-edit.ts';
export type { Country, Institution, InstitutionId } from './domain/rows/directory.ts';
export type { Mapping } from './domain/rows/mapping.ts';
export type { RowIssue } from './domain/rows/row.ts';
export type { Payments } from './domain/statement/direction.ts';
export { RequestRefused } from './domain/text/request-refused.ts';
export { NotAllowed } from './payfile/permissions.ts';
// Opening
export {
  createPayfile,
  type Payfile,
  PayfileClosed,
  type PayfileOptions,
} from './payfile.ts';
export type { EvidenceGiven } from './ports/evidence.ts';
export { LedgerError } from './ports/ledger/errors.ts';
export type { Log, LogFields, LogLevel } from './ports/log.ts';
export type { Check } from './ports/machine-check.ts';
export { ReportUnwritable } from './ports/outputs.ts';
export type { Transaction } from './ports/payment-service.ts';
export { CredentialsRefused } from './ports/payment-service.ts';
export { FileRefused, type OpenRowsOptions } from './ports/row-source.ts';
export { ConfigError } from './setup/config-file.ts';
// What comes back
export type { Approved } from './use-cases/approve/approve-batch.ts';
export type { Consent, Consented, NotAgreed } from './use-cases/approve/ask-consent.ts';
export type { PlanToSee } from './use-cases/approve/plan-of-batch.ts';
export type { Choice } from './use-cases/decide/choose-payouts.ts';
export type { RowDecision, RowsDecided } from './use-cases/decide/decide-rows.ts';
export type { Resolved } from './use-cases/decide/resolve-doubt.ts';
export type { Ruled, Unconfirmed } from './use-cases/decide/rule-on-doubt.ts';
export type { Dialogue, News } from './use-cases/dialogue.ts';
// What can be thrown
export { BatchNotFound } from './use-cases/find-batch.ts';
export type { ServeEvent } from './use-cases/fleet/serve.ts';
export { BatchNotNamed } from './use-cases/intake/batch-name.ts';
export type { NoWork } from './use-cases/intake/bring-file.ts';
export type { CheckedFile, UnknownInstitution, WrongRow } from './use-cases/intake/check-file.ts';
export type { FileColumns } from './use-cases/intake/file-columns.ts';
export type { FixWritten } from './use-cases/intake/fix-file.ts';
export { BatchHalfRead, OtherFileRead } from './use-cases/intake/half-read.ts';
export type { PlacedFile } from './use-cases/intake/place-file.ts';
export { ServiceUnavailable, SettingRefused } from './use-cases/intake/read-rows.ts';
export type { PasskeyAnswer } from './use-cases/people/sign-approval.ts';
export type { FilePlan, PlanEnd, PlannedBatch } from './use-cases/plan-file.ts';
export { BatchBusy } from './use-cases/ports.ts';
export type { PricedBatch } from './use-cases/price/price-batch.ts';
export type { BatchEnd, EndOptions } from './use-cases/report/batch-end.ts';
export type { BatchState, BatchSummary } from './use-cases/report/batch-view.ts';
export type { DecisionsTold, HistoryPage } from './use-cases/report/decisions-page.ts';
export type { HeldPage, HeldRow, HeldRows } from './use-cases/report/held-rows.ts';
export type { BatchLook } from './use-cases/report/look-at-batch.ts';
export type { BatchesPage, Overview } from './use-cases/report/overview.ts';
export type { Reported } from './use-cases/report/report-batch.ts';
export type { FileRun, Run, RunEnd } from './use-cases/run.ts';
export type { SentBatch } from './use-cases/send/send-approved.ts';
export type { SendBatchResult } from './use-cases/send/send-batch.ts';
export type { SettleResult } from './use-cases/settle/settle-batch.ts';
export type { SettledBatch } from './use-cases/settle/settle-sent.ts';
export type { Answers, Ask, Question } from './use-cases/user-questions.ts';
