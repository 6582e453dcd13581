/**
 * The library over a simulated process: what a program calls with `createPayfile`, with the ledger, the service, the clock
 * and the files of a history.
 */
import { resolve } from 'node:path';
import type { Policy } from '../../src/domain/policy.ts';
import { type Door, type Payfile, payfileOf } from '../../src/payfile.ts';
import type { LeaseHolder } from '../../src/ports/ledger/leases.ts';
import type { OpenRedoSink, OpenReportSink } from '../../src/ports/outputs.ts';
import type { Dialogue } from '../../src/use-cases/dialogue.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import { createSignedQuestions } from '../../src/use-cases/people/signed-questions.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { withSilenceLimit } from '../../src/use-cases/silent-service.ts';
import { type FileRow, openRowsOf } from '../builders/payout-file.ts';

export interface PayfileWorld {
  readonly ports: Ports;
  readonly holder: LeaseHolder;
  /** The files of the machine, by name. */
  readonly files: Pick<ReadonlyMap<string, readonly FileRow[]>, 'get'>;
  readonly openReportSink?: OpenReportSink;
  readonly openRedoSink?: OpenRedoSink;
}

/** A listener that throws changes nothing of the work, as in the library. */
const tellOf =
  ({ onProgress }: Dialogue): NonNullable<Dialogue['onProgress']> =>
  (event) =>
    onProgress?.(event);

export function simPayfile({ ports, holder, files, ...sinks }: PayfileWorld): Payfile {
  const { ledger, clock, log, policy } = ports;
  const { environment } = ledger.identity;
  const rowsAt = (path: string) => files.get(path) ?? files.get(path.split('/').at(-1) ?? '');
  const parts = {
    ...{ clock, log, ...sinks, aheadMs: () => 0 },
    openRows: async (open: { readonly path: string }) => openRowsOf(rowsAt(open.path) ?? [])(open),
    requireFile: async () => undefined,
    readings: async () => ({
      place: '',
      all: async () => [],
      save: async () => undefined,
      forget: async () => false,
    }),
    fileSha256: async () => undefined,
    outputs: { check: async () => undefined, same: async () => undefined },
    requireReportPlace: async () => undefined,
    readEvidence: async (given: unknown) => String(given),
    paymentService: async () => ports.paymentService,
    ledger: async () => ledger,
    hasLedger: async () => true,
    fleet: async () => ports.fleet?.(),
    close: async () => undefined,
  };
  const within = (deadlineMs = Number.POSITIVE_INFINITY): Policy => ({
    ...policy,
    outageWaitMs: Math.min(policy.outageWaitMs, deadlineMs),
  });
  const settings = { environment, policy, source: 'GB', cwd: '/', people: new Map(), origins: new Map() };
  const door = {
    ...{ settings, parts, holder, user: holder.user, owner: holder.user },
    ...{ entered: undefined, cameWith: undefined, questions: createSignedQuestions() },
    ...{ temporary: '/tmp', place: undefined, at: { env: {}, cwd: resolve('/') } },
    requireService: () => undefined,
    ledger: async () => ledger,
    workingLedger: async () => ledger,
    ports: async (dialogue: Dialogue, deadlineMs?: number) =>
      withSilenceLimit({ ...ports, policy: within(deadlineMs), tell: tellOf(dialogue) }, deadlineMs),
    offlinePorts: async (dialogue: Dialogue) => ({ ...ports, tell: tellOf(dialogue) }),
    batch: (text: string) => findBatch(text, ledger),
    tell: tellOf,
    close: async () => undefined,
  };
  // What is left out belongs to a real machine: folders, passwords, programs.
  return payfileOf(door as unknown as Door);
}
