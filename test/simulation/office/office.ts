/**
 * An office: people who pay files through the library, each command in a process of its own, and what they know.
 */

import { RequestRefused } from '../../../src/domain/text/request-refused.ts';
import type { Payfile } from '../../../src/payfile.ts';
import type { OpenRedoSink } from '../../../src/ports/outputs.ts';
import { BatchNotFound } from '../../../src/use-cases/find-batch.ts';
import { OtherFileRead } from '../../../src/use-cases/intake/half-read.ts';
import type { FileRow } from '../../builders/payout-file.ts';
import type { Random } from '../../builders/random.ts';
import { told } from '../../simulated-world/commands.ts';
import type { Known } from '../../simulated-world/durable-watch.ts';
import type { Deed } from '../../simulated-world/money-judge.ts';
import type { Told } from '../../simulated-world/oracle.ts';
import type { Scene } from '../../simulated-world/scene.ts';
import { type Actor, sleep } from '../../simulated-world/scheduler.ts';
import type { Onlooker, ShownPlan } from '../../simulated-world/shown-plan.ts';
import { simPayfile } from '../../simulated-world/sim-payfile.ts';
import type { Habits } from './habits.ts';

/** A file that somebody pays under the name of a batch. */
export interface Sheet {
  readonly batch: string;
  readonly file: string;
  rows: readonly FileRow[];
}

export interface Office {
  readonly scene: Scene;
  readonly habits: Habits;
  readonly onlooker: Onlooker;
  readonly sheets: Sheet[];
  /** By name, as they lie on the disk. */
  readonly files: Map<string, readonly FileRow[]>;
  /** Every file that was ever read, by the SHA-256 of its bytes. */
  readonly filesBySha: Map<string, readonly FileRow[]>;
  /** Plans that somebody looked at, oldest first. */
  readonly shown: ShownPlan[];
  /** How often somebody began, or ended, to pay rows again or to bring a file. */
  paidAgain: number;
  brought: number;
  /** By batch: how many of each row were withdrawn, and how often somebody had paid rows again when that was seen. */
  readonly withdrawn: Map<string, { readonly paidAgain: number; readonly counts: Map<string, number> }>;
  /** What the service had said last of a payment when a person accepted that it differs. */
  readonly accepted: Map<number, Told['status']>;
  /** Somebody wrote into the tables of the ledger by hand. */
  isTampered: boolean;
}

/** Somebody at work. */
export interface Hand {
  readonly user: string;
  readonly random: Random;
}

export const PERSON: Actor = { name: 'person', isAlive: () => true, isStopped: () => false };

/** What a person says to a request that cannot be meant is no bug. */
const REFUSALS = [RequestRefused, BatchNotFound, OtherFileRead];

/** Resolves with the result, or undefined when the command failed or died. */
export async function command<Result>(
  { scene, files }: Pick<Office, 'scene' | 'files'>,
  user: string,
  work: (payfile: Payfile, deed: Deed) => Promise<Result>,
  openRedoSink?: OpenRedoSink,
): Promise<Result | undefined> {
  const process = scene.start(user);
  const deed = scene.money.deedOf(process.name);
  const disk = {
    get(name: string) {
      const rows = files.get(name);
      if (rows !== undefined) deed.read = rows;
      return rows;
    },
  };
  const ended = await process.run(async (ports) => {
    const holder = { ...process.holder, user };
    const sinks = openRedoSink === undefined ? {} : { openRedoSink };
    const { limits } = scene.policy;
    deed.limits = limits;
    const policy = { ...ports.policy, limits };
    return work(simPayfile({ ports: { ...ports, policy }, holder, files: disk, ...sinks }), deed);
  });
  const isRefused = ended.kind === 'failed' && REFUSALS.some((kind) => ended.error instanceof kind);
  if (isRefused) scene.trace.add(scene.scheduler.nowMs, 'ended', `refused: ${String(ended.error)}`);
  else told(scene, ended);
  return ended.kind === 'done' ? ended.result : undefined;
}

export function pass(scene: Scene, milliseconds: number): Promise<void> {
  return sleep(PERSON, scene.scheduler, milliseconds);
}

/** The number of a batch in the ledger; undefined: there is none of this name. */
export function batchNumber(name: string, { onlooker }: Office): number | undefined {
  return onlooker.batches().find((each) => each.name === name)?.number;
}

/** The payments of the rows of a batch's file as they stand. */
export function payoutsOf(name: string, office: Office): readonly Known[] {
  const number = batchNumber(name, office);
  return [...office.scene.watch.payouts.values()].filter(
    ({ batch, isInFile }) => batch === number && isInFile,
  );
}
