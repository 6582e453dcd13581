/** What an operation works with: who asks, when, and the ledger and service that are opened when they are needed. */
import type { Batch } from '../domain/batches/batch.ts';
import type { Command } from '../domain/next-steps/command.ts';
import type { PeopleHere } from '../domain/people/person.ts';
import type { Mapping, Saver } from '../domain/rows/mapping.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { EvidenceGiven } from '../ports/evidence.ts';
import type { FleetSeen, WorkQueue } from '../ports/fleet.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { LedgerStore, OpenLedgerOptions } from '../ports/ledger/store.ts';
import type { Check } from '../ports/machine-check.ts';
import type {
  OpenAdviceSink,
  OpenFixSink,
  OpenRedoSink,
  OutputGuard,
  WriteTemplate,
} from '../ports/outputs.ts';
import type { OwnSandbox } from '../ports/own-sandbox.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import type { MappingStore, OpenRows } from '../ports/row-source.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { Asking } from '../use-cases/look-up.ts';
import type { PasskeyAnswer, ProveApproval, SigningPorts } from '../use-cases/people/sign-approval.ts';
import type { OfflinePorts, Ports } from '../use-cases/ports.ts';
import type { EndPorts } from '../use-cases/report/batch-end.ts';
import type { ReportingPorts } from '../use-cases/report/batch-view.ts';

export interface Context {
  /** Who asks: kept in the journal. */
  readonly user: string;
  /** Who has which role. An empty roster: everything is allowed. */
  readonly people: PeopleHere;
  /** Who signed in; undefined: whoever opened payfile. */
  readonly entered: string | undefined;
  /** Whoever asks is the user at the terminal of this machine. */
  readonly isTerminal: boolean;
  readonly environment: 'live' | 'sandbox';
  /** Who holds a batch while the operation works on it. */
  readonly holder: LeaseHolder;
  readonly dialogue: Dialogue;
  readonly outputs: OutputGuard;
  readonly writeTemplate: WriteTemplate;
  readonly openRedoSink: OpenRedoSink;
  readonly openAdviceSink: OpenAdviceSink;
  /** Opens a table: a file, or `-` for standard input. Errors: FileRefused. */
  readonly openRows: OpenRows;
  /** Path of the ledger file, or address of its server without the password. */
  readonly ledgerPath: string;
  /** Login address of the service, as configured. */
  readonly authUrl: string | undefined;
  readonly store: LedgerStore;
  now(): Timestamp;
  /** Errors: ConfigError if no service is configured for real money. */
  requireService(): void;
  /** Of files that are read. */
  readonly files: FilesContext;
  /** Who saves what a file means. */
  readonly saver: Saver;
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  /** undefined: there is no ledger yet. */
  ledgerIfAny(): Promise<Ledger | undefined>;
  /** For work that begins batches. `create`: a live ledger that does not exist; else the person is asked. */
  workingLedger(create: boolean): Promise<Ledger>;
  /** That is there already. Errors: LedgerError. */
  knownLedger(): Promise<Ledger>;
  /** By id, name or a unique beginning. Errors: BatchNotFound. */
  batch(text: string): Promise<Batch>;
  /** For questions to the service that need no ledger. Errors: ConfigError. */
  asking(): Promise<Asking>;
  /** `deadlineMs`: how long the service may give no answer. */
  ports(deadlineMs?: number): Promise<Ports>;
  /** `opened`: another ledger than the configured one. */
  offlinePorts(opened?: Ledger): Promise<OfflinePorts>;
  /** For questions that change nothing. Also of a ledger that is older than it was, or not known here. */
  lookingPorts(): Promise<ReportingPorts>;
  /** What payfile needs here. `notice`: a test notification to send. Changes nothing. */
  checks(notice: string | undefined): Promise<readonly Check[]>;
  /** For the end of work on a batch, with its reports. */
  endPorts(): Promise<EndPorts>;
  /** Errors: ReportUnwritable, if no report can be written there. */
  requireReportPlace(path: string): Promise<void>;
  passkeys(): Promise<Passkeys>;
  /** For passkeys, and questions that wait for a signature. */
  signing(): Promise<SigningPorts>;
  /** That this person signed exactly this approval. */
  proofOf(passkey: PasskeyAnswer): Promise<ProveApproval>;
  /** The sandbox on this machine, beside the ledger. */
  readonly sandbox: OwnSandbox;
  /** Words, or a file whose name, size and SHA-256 are kept. Errors: EvidenceRefused. */
  readEvidence(given: EvidenceGiven): Promise<string>;
  readonly workers: WorkersContext;
  /** The command with the path of its file from the working folder; FILE if the file is not there. */
  fromHere(shown: Command): Command;
}

/** Machines that share a ledger on a server. */
export interface WorkersContext {
  /** Errors: LedgerError if the ledger is in a file. */
  requireServer(): void;
  /** undefined: no worker ever ran. */
  seen(): Promise<FleetSeen | undefined>;
  /** The queue, which is made if it is not there. */
  open(): Promise<WorkQueue>;
  /** Requests a second, as this process has set them. */
  readonly rate: number | undefined;
  /** Parts of sendings at a time, over all workers. */
  readonly lanes: number;
}

export interface FilesContext {
  /** Errors: FileRefused if there is no such file. */
  require(path: string): Promise<void>;
  /** Errors: RequestRefused for two outputs with one place, ReportUnwritable for an output that is read. */
  requireOwnPlaces(asked: {
    readonly file: string;
    readonly fixFile?: string | true | undefined;
  }): Promise<void>;
  readonly openFixSink: OpenFixSink;
  /** A free path beside this file. */
  freeFixPath(source: string): string;
  /** undefined: standard input. */
  folderOf(path: string): string | undefined;
  mappings(): Promise<MappingStore>;
  /** How files with the same columns were read before, in this environment. */
  savedMappings(): Promise<readonly Mapping[]>;
  /** The configured country that the money comes from. `isTyped`: for this call only. */
  readonly source: { readonly country: string | undefined; readonly isTyped: boolean };
}
