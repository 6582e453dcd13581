/**
 * The chain of a large file is proven in a thread of its own (chain-thread.ts), while this one replays the payouts. It proves
 * what this one reads, or nothing: of another moment, or where anything is wrong, its work is done here.
 */
import { Worker } from 'node:worker_threads';
import type { Head } from './chain.ts';
import type { Proven } from './verify-chain.ts';

/** What the thread is told. */
export interface ProofAsked {
  readonly path: string;
  /** The newest commit that the other thread reads. */
  readonly moment: Head;
  /** Bytes that the log of the file may grow by. */
  readonly logMax: number;
}

export interface BesideProof {
  /** undefined: nothing was proven. */
  readonly proven: Promise<Proven | undefined>;
  end(): Promise<unknown>;
}

export function proveBeside(workerData: ProofAsked): BesideProof {
  const worker = new Worker(new URL(`./chain-thread.${import.meta.url.slice(-2)}`, import.meta.url), {
    workerData,
  });
  const proven = new Promise<Proven | undefined>((resolve) => {
    worker.once('message', resolve);
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
  return { proven, end: () => worker.terminate() };
}
