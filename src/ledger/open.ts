/**
 * Puts the rooms of the ledger together over an open database, and starts it: what a person accepted goes into the journal
 * first, then the outcomes that an earlier process could not commit, and then it is remembered how far the ledger has come.
 */

import type { BatchId } from '../domain/payouts/instruction.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger, LedgerIdentity, VerifyResult } from '../ports/ledger/ledger.ts';
import type { Log } from '../ports/log.ts';
import { batchesOf } from './batches.ts';
import { moving } from './begin.ts';
import { type Head, ledgerHead } from './chain.ts';
import { acceptLedger, comparisonOf } from './comparison.ts';
import { differing } from './differences.ts';
import { applyEmergencies, type EmergencyFile } from './emergency.ts';
import { familiesOf } from './families.ts';
import { type Binding, BOUND, ownEntry } from './identity.ts';
import { importsOf } from './imports.ts';
import { journal } from './journal.ts';
import type { Known, OpenHere } from './known.ts';
import { describeHolders, Leases, type LeasesParts } from './leases.ts';
import { type Machine, writerOf } from './machine.ts';
import { comparing } from './match.ts';
import { remembering } from './memory.ts';
import { paging } from './pages.ts';
import type { LedgerParts } from './parts.ts';
import { payeeHistory } from './payees.ts';
import { reading } from './payouts.ts';
import { revising } from './revise.ts';
import { Routes } from './routes.ts';
import { batchNumber } from './rows.ts';
import type { Database } from './sql.ts';
import { summing } from './sums.ts';
import type { Trust } from './trust.ts';
import { verifyLedger } from './verify.ts';
import { Writer } from './writer.ts';

export interface Opened extends Pick<LeasesParts, 'objection' | 'isOneClock'> {
  readonly db: Database;
  readonly identity: LedgerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  readonly machine: Machine;
  readonly isReadOnly?: boolean;
  readonly committed?: (head: Head) => void;
  readonly kept?: Kept;
}

/** What is kept of a ledger beside its database, and closed with it. */
export interface Kept {
  readonly known?: Known | undefined;
  readonly openHere?: OpenHere | undefined;
  readonly emergency?: EmergencyFile | undefined;
  /** Of a server (server-watch.ts). */
  readonly watch?: { end(): void } | undefined;
}

export interface Assembled extends LedgerParts {
  readonly db: Database;
  readonly leases: Leases;
  readonly kept: Kept;
  readonly isReadOnly: boolean;
}

export function partsOf({ db, identity, clock, machine, kept = {}, ...more }: Opened): Assembled {
  const { isReadOnly = false, committed, objection, isOneClock } = more;
  const { read, pulse, still, settled } = db;
  const routes = new Routes();
  const writer = new Writer({
    ...{ db, path: identity.path, machine, isReadOnly },
    holders: () => describeHolders(read),
    committed: (head) => {
      kept.known?.worked(head);
      committed?.(head);
    },
    undone: () => routes.forget(),
  });
  const released = async () => kept.known?.write(await ledgerHead(read));
  const leases = new Leases({ read, writer, pulse, clock, machine, objection, isOneClock, released });
  return {
    read,
    still,
    settled,
    writer,
    routes,
    identity,
    clock,
    machine,
    holding: leases,
    leases,
    db,
    kept,
    isReadOnly,
  };
}

/** What there is of the port so far. `trust`: what was found at opening. */
export function ledgerOf(parts: Assembled, trust?: Trust) {
  const { identity, machine, kept, db } = parts;
  const { lease, leasePart, stopWork, holderOf, approvalTurn } = parts.leases;
  const emergency: Ledger['emergency'] = (...outcome) => kept.emergency?.write(...outcome);
  const close = closing(parts);
  return {
    ...{ identity, writer: writerOf(machine), emergency, close },
    verify: (id?: BatchId) => verified(parts, trust, id),
    get isLost(): boolean {
      return db.isLost;
    },
    atOneMoment: <T>(work: (still: Ledger) => Promise<T>): Promise<T> =>
      db.still((sql) => work(ledgerOf(stillOf(parts, sql)) as unknown as Ledger)),
    ...{ lease, leasePart, stopWork, holderOf, approvalTurn },
    ...reading(parts),
    ...moving(parts),
    ...batchesOf(parts),
    ...comparisonOf(parts),
    ...importsOf(parts),
    ...comparing(parts),
    ...revising(parts),
    ...journal(parts),
    ...differing(parts),
    ...familiesOf(parts),
    ...payeeHistory(parts),
    ...paging(parts),
    ...remembering(parts),
    ...summing(parts, { holderOf }),
  };
}

/** And what was found at opening: one that is only read may be older than is remembered, or unknown here. */
async function verified(
  parts: Assembled,
  trust: Trust | undefined,
  id: BatchId | undefined,
): Promise<VerifyResult> {
  const result = await verifyLedger(parts, id === undefined ? undefined : batchNumber(id));
  const { setBack, unknown } = trust ?? {};
  if (!parts.isReadOnly) return { ...result, unknownHere: undefined, accepted: setBack ?? unknown };
  const older = setBack === undefined ? [] : [`It is older than this machine remembers: ${setBack}.`];
  return { ...result, problems: [...result.problems, ...older], unknownHere: unknown, accepted: undefined };
}

/** The same rooms, for reading: each question is asked of this moment. */
function stillOf(parts: Assembled, sql: LedgerParts['read']): Assembled {
  const { db, identity, machine, clock } = parts;
  const ofMoment = <T>(work: (of: typeof sql) => Promise<T>) => work(sql);
  const writer = new Writer({
    ...{ db, path: identity.path, machine, isReadOnly: true },
    ...{ holders: async () => '', committed: () => undefined, undone: () => undefined },
  });
  const leases = new Leases({ read: sql, writer, clock, machine });
  return { ...parts, read: sql, still: ofMoment, settled: ofMoment, writer, leases, holding: leases };
}

function closing({ leases, writer, kept, db, read }: Assembled): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async () => {
    const { known, openHere, emergency, watch } = kept;
    watch?.end();
    try {
      // A lease that cannot be given back is taken over once this process is gone.
      await leases.releaseAll().catch(() => undefined);
      await writer.idle();
      known?.write(await ledgerHead(read));
    } finally {
      openHere?.giveBack();
      known?.close();
      emergency?.close();
      await db.close();
    }
  };
  return () => {
    closed ??= close();
    return closed;
  };
}

export interface Starting {
  readonly binding: Binding | undefined;
  /** Who accepts; kept in the journal. */
  readonly by?: string | undefined;
  /** Where the ledger is now. */
  readonly place: string | undefined;
  readonly log?: Log | undefined;
}

/** Before the ledger is used. */
export async function start(
  parts: Assembled,
  { setBack, unknown, told }: Trust,
  { binding, by, place, log }: Starting,
): Promise<void> {
  const { writer, clock, kept, identity, read } = parts;
  const at = clock.now();
  const mayGoBack = setBack !== undefined;
  const why = setBack ?? unknown;
  if (why !== undefined) {
    const kind = mayGoBack ? 'rollback_accepted' : 'ledger_accepted';
    await writer.write((commit) => acceptLedger(commit, { kind, why, by, place }, at));
  }
  const remember = async () => kept.known?.write(await ledgerHead(read), mayGoBack);
  const authUrl = identity.environment === 'live' ? binding?.authUrl : undefined;
  if (authUrl !== undefined && authUrl !== told.authUrl) {
    // It is remembered first: after this commit the ledger is no longer new.
    await remember();
    const bound = ownEntry(BOUND, { authUrl, before: told.authUrl, by }, at);
    await writer.write(async ({ add }) => add(bound));
  }
  const applied = kept.emergency === undefined ? 0 : await applyEmergencies(parts, kept.emergency);
  if (applied > 0) log?.write('warn', 'emergency_outcomes_applied', { count: applied });
  await remember();
}
