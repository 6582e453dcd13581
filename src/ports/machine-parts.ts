/** What operations use of this machine as it is. */
import type { BankReadings } from './bank-readings.ts';
import type { ReadEvidence } from './evidence.ts';
import type {
  OpenAdviceSink,
  OpenAuditSink,
  OpenFixSink,
  OpenRedoSink,
  OutputGuard,
  WriteReconciliation,
  WriteTemplate,
} from './outputs.ts';
import type { OwnSandbox } from './own-sandbox.ts';
import type { Passkeys } from './passkeys.ts';
import type { OpenRows, ReadingStore } from './row-source.ts';

export interface MachineParts {
  /** Opens a table: a file, or `-` for standard input. Errors: FileRefused. */
  readonly openRows: OpenRows;
  /** Errors: FileRefused if the file cannot be opened. Call it before any request to the service. */
  readonly requireFile: (path: string) => Promise<void>;
  /** Refuses outputs that would replace protected files. */
  readonly outputs: OutputGuard;
  /** Errors: ReportUnwritable if the path cannot take a report. Changes nothing. */
  readonly requireReportPlace: (path: string) => Promise<void>;
  readonly openRedoSink: OpenRedoSink;
  readonly openFixSink: OpenFixSink;
  readonly openAdviceSink: OpenAdviceSink;
  readonly openAuditSink: OpenAuditSink;
  readonly writeReconciliation: WriteReconciliation;
  readonly writeTemplate: WriteTemplate;
  /** Reads text, or a file of which payfile keeps name, size and SHA-256. Errors: EvidenceRefused. */
  readonly readEvidence: ReadEvidence;
  passkeys(): Promise<Passkeys>;
  /** What people said of files before, on this machine. */
  readings(): Promise<ReadingStore>;
  /** How statements of banks are read, saved on this machine. */
  bankReadings(): Promise<BankReadings>;
  /** The sandbox as a separate service, and its book. */
  readonly ownSandbox: OwnSandbox;
}
