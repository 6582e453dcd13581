/**
 * A batch with rows whose outcome is not known and that nobody is working on: what a person has to be told of,
 * whichever batch the command at hand is about.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';

export interface OpenDoubts {
  readonly batchId: BatchId;
  readonly name: string | undefined;
  readonly inDoubt: number;
  /** On the wire when the process at work with them ended; 0 while one is at work. */
  readonly leftInFlight: number;
  /** The first row in doubt; undefined when there is none. */
  readonly firstRow: number | undefined;
}
