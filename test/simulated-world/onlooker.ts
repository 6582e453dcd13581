/**
 * The library of somebody who only looks: the real ledger on a connection of its own, without faults, which sees what was
 * committed. Nothing waits in it, so all that it reads is of one moment.
 */

import type { Policy } from '../../src/domain/policy.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { decodeState } from '../../src/ledger/codec.ts';
import { type Machine, THIS_MACHINE } from '../../src/ledger/machine.ts';
import { ledgerOf, partsOf } from '../../src/ledger/open.ts';
import { sqliteDatabase } from '../../src/ledger/sqlite.ts';
import type { LedgerIdentity } from '../../src/ports/ledger/ledger.ts';
import type { PaymentService } from '../../src/ports/payment-service.ts';
import { readingDatabase, START_MS, type Store } from './disk.ts';
import type { Scheduler } from './scheduler.ts';
import { type Onlooker, ReportMemory, releasedTexts } from './shown-plan.ts';
import { simPayfile } from './sim-payfile.ts';

interface OnlookerWorld {
  readonly store: Store;
  readonly identity: LedgerIdentity;
  readonly policy: Policy;
  readonly scheduler: Scheduler;
}

const NOT_ASKED = {} as PaymentService;

export function onlookerOf({ store, identity, policy, scheduler }: OnlookerWorld): Onlooker & {
  close(): void;
} {
  const db = readingDatabase(store);
  const machine: Machine = {
    ...THIS_MACHINE,
    ...{ pid: 0, host: 'near', every: () => () => undefined, processStart: () => null },
  };
  const clock = {
    now: () => timestampOf(Math.round(START_MS + scheduler.nowMs)),
    monotonicMs: () => scheduler.nowMs,
    random: () => 0,
    sleep: async () => undefined,
  };
  const database = sqliteDatabase({ path: store.path, writer: db, open: undefined });
  const parts = partsOf({ db: database, identity, clock, machine, isReadOnly: true });
  const ledger = ledgerOf(parts);
  const log = { write: () => undefined };
  const report = new ReportMemory();
  const payfile = simPayfile({
    ports: { ledger, paymentService: NOT_ASKED, clock, log, policy, tell: () => undefined },
    holder: { pid: 0, host: 'near', user: 'eve', command: 'looks' },
    files: new Map(),
    openReportSink: report.open,
  });
  // For what is asked all the time, the library would read too much.
  const batches = db.prepare(
    `SELECT id, name, facts ->> '$.file.sha256' AS sha256 FROM batches WHERE state = 'open' AND name IS NOT NULL`,
  );
  const rows = db.prepare(
    'SELECT status FROM payouts WHERE batch = ? AND position IS NOT NULL ORDER BY position',
  );
  const quoted = db.prepare(
    `SELECT id, row_number, state FROM payouts WHERE batch = ? AND position IS NOT NULL AND status = 'quoted'`,
  );
  const waitingRow = ({ id, row_number, state }: Record<string, unknown>) => {
    const decoded = decodeState('quoted', String(state));
    const released = 'releases' in decoded ? releasedTexts(decoded.releases) : [];
    return [Number(row_number), { payout: Number(id), released }] as const;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn(look) {
      const next = last.then(look, look);
      last = next;
      return next;
    },
    waiting: (batch) => new Map(quoted.all(batch).map(waitingRow)),
    ...{ payfile, report, close: () => db.close() },
    batches: () =>
      batches
        .all()
        .map(({ id, name, sha256 }) => ({ number: Number(id), name: String(name), sha256: String(sha256) })),
    statuses: (batch) => rows.all(batch).map(({ status }) => String(status)),
  };
}
