/**
 * The library over a simulated process: what a program calls with `createPayfile`, with the ledger, the service, the clock
 * and the files of a history.
 */
import { type Door, type Payfile, payfileOf } from '../../src/payfile.ts';
import type { LeaseHolder } from '../../src/ports/ledger/leases.ts';
import type { OpenRedoSink, OpenReportSink } from '../../src/ports/outputs.ts';
import { createSignedQuestions } from '../../src/use-cases/people/signed-questions.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { type FileRow, openRowsOf } from '../builders/payout-file.ts';

export interface PayfileWorld {
  readonly ports: Ports;
  readonly holder: LeaseHolder;
  /** The files of the machine, by name. */
  readonly files: Pick<ReadonlyMap<string, readonly FileRow[]>, 'get'>;
  readonly openReportSink?: OpenReportSink;
  readonly openRedoSink?: OpenRedoSink;
}

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
    mappings: async () => ({ all: async () => [] }),
    paymentService: async () => ports.paymentService,
    ledger: async () => ledger,
    hasLedger: async () => true,
    fleet: async () => ports.fleet?.(),
    close: async () => undefined,
  };
  const settings = {
    ...{ environment, policy, source: 'GB', cwd: '/', people: new Map(), origins: new Map() },
    // Whoever works here has an own login.
    ...{ ledgerServer: ports.hasOwnLogin === true ? {} : undefined, service: {} },
  };
  const door = {
    ...{ settings, parts, holder, owner: holder.user, entered: undefined, cameWith: undefined },
    caller: { ...holder, namedBy: undefined, temporary: '/tmp', env: {} },
    questions: createSignedQuestions(),
  };
  // What is left out belongs to a real machine: folders, passwords, programs.
  return payfileOf(door as unknown as Door);
}
