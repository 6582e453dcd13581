/** What an operation works with: who asks, when, and the ledger and service that are opened when they are needed. */
import type { Batch } from '../domain/batches/batch.ts';
import type { Command } from '../domain/next-steps/command.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import type { EvidenceGiven } from '../ports/evidence.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import type { OfflinePorts, Ports } from '../use-cases/ports.ts';
import type { ReportingPorts } from '../use-cases/report/batch-summary.ts';

export interface Context {
  /** Who asks: kept in the journal. */
  readonly user: string;
  readonly environment: 'live' | 'sandbox';
  /** Who holds a batch while the operation works on it. */
  readonly holder: LeaseHolder;
  readonly dialogue: Dialogue;
  now(): Timestamp;
  ledger(): Promise<Ledger>;
  /** By id, name or a unique beginning. Errors: BatchNotFound. */
  batch(text: string): Promise<Batch>;
  ports(): Promise<Ports>;
  offlinePorts(): Promise<OfflinePorts>;
  /** For questions that change nothing. Also of a live ledger that is older than it was, or not known here. */
  lookingPorts(): Promise<ReportingPorts>;
  /** Words, or a file whose name, size and SHA-256 are kept. Errors: EvidenceRefused. */
  readEvidence(given: EvidenceGiven): Promise<string>;
  /** The command with the path of its file from the working folder; FILE if the file is not there. */
  fromHere(shown: Command): Command;
}
