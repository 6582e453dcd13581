/**
 * The public library. What is not listed here is not public. `payfile help api` is made from it.
 */

// The words
export type { Batch, BatchStatus } from './domain/batches/batch.ts';
export { type CurrencyCode, parseCurrency } from './domain/money/currency.ts';
export { formatDecimal, formatMoney, type Money, parseDecimal } from './domain/money/money.ts';
export type { Command } from './domain/next-steps/command.ts';
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
export type { Answer, Said } from './domain/reading/answer.ts';
export type { Reading } from './domain/reading/reading.ts';
export type { UnknownInstitution } from './domain/reading/unknown-words.ts';
// Names in the signatures
export type { CellEdit } from './domain/rows/cell-edit.ts';
export type { Country, Institution, InstitutionId } from './domain/rows/directory.ts';
export type { Payments } from './domain/statement/direction.ts';
export { PayfileError } from './domain/text/message.ts';
export { RequestRefused } from './domain/text/request-refused.ts';
export { NotAllowed } from './payfile/call-operation.ts';
// Opening
export {
  createPayfile,
  type Payfile,
  PayfileClosed,
  type PayfileOptions,
} from './payfile.ts';
// What can be thrown
export type { EvidenceGiven } from './ports/evidence.ts';
export { LedgerError } from './ports/ledger/errors.ts';
export type { Log, LogFields, LogLevel } from './ports/log.ts';
export { ReportFormatUnknown, ReportUnwritable } from './ports/outputs.ts';
export type { Transaction } from './ports/payment-service.ts';
export { CredentialsRefused } from './ports/payment-service.ts';
export { FileHasQuestions, FileRefused, ReadingsUnusable } from './ports/row-source.ts';
export { ConfigError } from './setup/config-file.ts';
// What is shown and asked while the work goes on
export type { Consent, Consented } from './use-cases/approve/ask-consent.ts';
export type { PlanToSee } from './use-cases/approve/plan-of-batch.ts';
export { RowNotFound } from './use-cases/decide/choose-payouts.ts';
export type { Dialogue, News } from './use-cases/dialogue.ts';
export { BatchNotFound } from './use-cases/find-batch.ts';
export type { ServeEvent } from './use-cases/fleet/serve.ts';
export { BatchNotNamed } from './use-cases/intake/batch-name.ts';
export { ServiceUnavailable, SettingRefused } from './use-cases/intake/directory-lists.ts';
export type { FileColumns } from './use-cases/intake/file-columns.ts';
export type { FixWritten } from './use-cases/intake/fix-file.ts';
export { BatchHalfRead, OtherFileRead } from './use-cases/intake/half-read.ts';
export type { PasskeyAnswer } from './use-cases/people/sign-approval.ts';
export { BatchBusy, type ProgressEvent } from './use-cases/ports.ts';
export type { Answers, Ask, Question } from './use-cases/user-questions.ts';
