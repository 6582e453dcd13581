/** What a row costs on one class of machines, and how fast rows went there: what the simulation goes by, and is compared with. */
import units from './scale-units.json' with { type: 'json' };

export const STAGES = ['price', 'send', 'settle'] as const;
export type Stage = (typeof STAGES)[number];
export type Kind = 'file' | 'server';

/** CPU of payfile and of PostgreSQL, for each row and for each commit; questions a row. */
export interface StageUnits {
  readonly rowMs: number;
  readonly commitMs: number;
  readonly serverRowMs: number;
  readonly serverCommitMs: number;
  readonly requests: number;
}
export interface Units extends Readonly<Record<Kind, Readonly<Record<Stage, StageUnits>>>> {
  readonly machine: string;
  readonly flushMs: number;
  /** CPU of the service for one answer: it is on the same machine. */
  readonly serviceMs: number;
  /** A row: all, of that the journal, what the server writes ahead, and a backup. */
  readonly bytes: Readonly<Record<Kind, Readonly<Record<'row' | 'journal' | 'wal' | 'copy', number>>>>;
  /** A row, one process. */
  readonly steps: Readonly<Record<Kind, Readonly<Record<'check' | 'report' | 'verify', number>>>>;
  /** Of one process to the server of the ledger. */
  readonly connections: number;
  readonly points: readonly Point[];
}
export interface Case {
  readonly on: Kind;
  readonly stage: Stage;
  readonly workers: number;
  /** Of each worker. */
  readonly inFlight: number;
  readonly latencyMs: number;
  /** Cores of the machine that something else used meanwhile. */
  readonly others?: number;
}
export interface Point extends Case {
  readonly rate: number;
  readonly commits?: number;
}

/** Those that the guide goes by: printed by `npm run bench -- scale`. */
export const UNITS = units as Units;
