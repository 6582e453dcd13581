/**
 * What an operation works with: the user, the time, the ledger and the service. Ledger and service open on first use.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { Command } from '../domain/next-steps/command.ts';
import type { PeopleHere } from '../domain/people/person.ts';
import type { Mapping, Saver } from '../domain/rows/mapping.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { FleetSeen, WorkQueue } from '../ports/fleet.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { LedgerStore, OpenLedgerOptions } from '../ports/ledger/store.ts';
import type { Check } from '../ports/machine-check.ts';
import type { MachineParts } from '../ports/machine-parts.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { Asking } from '../use-cases/look-up.ts';
import type { PasskeyAnswer, ProveApproval, SigningPorts } from '../use-cases/people/sign-approval.ts';
import type { OfflinePorts, Ports } from '../use-cases/ports.ts';
import type { EndPorts } from '../use-cases/report/batch-end.ts';
import type { ReportingPorts } from '../use-cases/report/batch-view.ts';

export interface Context extends MachineParts {
  /** The user. The journal keeps the name. */
  readonly user: string;
  /** People and their roles. An empty roster allows everything. */
  readonly people: PeopleHere;
  /** The person who signed in; undefined: the user who started payfile. */
  readonly signedInPerson: string | undefined;
  /** The request comes from the terminal of this machine. */
  readonly isTerminal: boolean;
  readonly environment: 'live' | 'sandbox';
  /** The name on the lease while the operation works on a batch. */
  readonly holder: LeaseHolder;
  readonly dialogue: Dialogue;
  /** Path of the ledger file, or address of its server without the password. */
  readonly ledgerPath: string;
  /** Login address of the service, as configured. */
  readonly authUrl: string | undefined;
  readonly store: LedgerStore;
  now(): Timestamp;
  /** Errors: ConfigError if no service is configured for real money. */
  requireService(): void;
  readonly files: FilesContext;
  /** Who saves a mapping. */
  readonly saver: Saver;
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  /** undefined if no ledger exists yet. */
  ledgerIfAny(): Promise<Ledger | undefined>;
  /** For work that starts batches. `create` makes a missing live ledger; without it, payfile asks the user. */
  workingLedger(create: boolean): Promise<Ledger>;
  /** The existing ledger. Errors: LedgerError if there is none. */
  existingLedger(): Promise<Ledger>;
  /** By id, name or a unique beginning. Errors: BatchNotFound. */
  batch(text: string): Promise<Batch>;
  /** Ports for requests that need no ledger. Errors: ConfigError. */
  servicePorts(): Promise<Asking>;
  /** `deadlineMs`: how long the service may stay silent. */
  ports(deadlineMs?: number): Promise<Ports>;
  /** `opened`: a ledger to use in place of the configured one. */
  offlinePorts(opened?: Ledger): Promise<OfflinePorts>;
  /** Ports for reading. They also accept a rolled-back ledger and one that is not known here. */
  readingPorts(): Promise<ReportingPorts>;
  /** Checks this machine and changes nothing. `notice`: a test notification to send. */
  checks(notice: string | undefined): Promise<readonly Check[]>;
  /** Ports for the result of a batch and its reports. */
  endPorts(): Promise<EndPorts>;
  /** Ports for passkeys and signatures. */
  signingPorts(): Promise<SigningPorts>;
  /** Proves that this person signed exactly this approval. */
  proofOf(passkey: PasskeyAnswer): Promise<ProveApproval>;
  readonly workers: WorkersContext;
  /** Makes the file path of a command relative to the working folder; FILE if the file is missing. */
  relativeToFolder(shown: Command): Command;
}

/** Machines that share a ledger on a server. */
export interface WorkersContext {
  /** Errors: LedgerError if the ledger is in a file. */
  requireServer(): void;
  /** undefined if no worker ever ran. */
  fleet(): Promise<FleetSeen | undefined>;
  /** Opens the queue, and creates it if it is missing. */
  open(): Promise<WorkQueue>;
  /** Maximum requests per second in the settings of this process. */
  readonly rate: number | undefined;
  /** How many parts all workers send at a time. */
  readonly lanes: number;
}

export interface FilesContext {
  /** Errors: RequestRefused if two outputs share a path, ReportUnwritable if an output is also an input. */
  requireOwnPlaces(asked: {
    readonly file: string;
    readonly fixFile?: string | true | undefined;
  }): Promise<void>;
  /** An unused path beside this file. */
  freeFixPath(source: string): string;
  /** undefined for standard input. */
  folderOf(path: string): string | undefined;
  /** The mappings that people saved for this environment. */
  savedMappings(): Promise<readonly Mapping[]>;
  /** The source country. `isTyped`: a flag of this call sets it. */
  readonly source: { readonly country: string | undefined; readonly isTyped: boolean };
}
