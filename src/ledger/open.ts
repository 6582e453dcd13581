/**
 * Opens a ledger over a database, in a file and on a server alike, and puts its rooms together. A ledger that nobody accepted
 * is refused first. What a person accepted goes into the journal, then the outcomes that an earlier process could not commit,
 * and then it is remembered how far the ledger has come.
 */
import { resolve } from 'node:path';
import type { BatchId } from '../domain/payouts/instruction.ts';
import { WallClock } from '../domain/time-zone.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger, LedgerIdentity, TellChain, VerifyResult } from '../ports/ledger/ledger.ts';
import type { Log } from '../ports/log.ts';
import { answersBefore } from './answers-before.ts';
import { batchesOf } from './batches.ts';
import { moving } from './begin.ts';
import { type Head, ledgerHead } from './chain.ts';
import { acceptLedger, comparisonOf, isDistrusted } from './comparison.ts';
import { differing } from './differences.ts';
import { applyEmergencies, EmergencyFile } from './emergency.ts';
import { erasing } from './erase.ts';
import { familiesOf } from './families.ts';
import { type Binding, BOUND, newLedgerId, ownEntry, readIdentity, writeIdentity } from './identity.ts';
import { importsOf } from './imports.ts';
import { journal } from './journal.ts';
import { Known } from './known.ts';
import { describeHolders, Leases } from './leases.ts';
import { type Machine, THIS_MACHINE, writerOf } from './machine.ts';
import { comparing } from './match.ts';
import { remembering } from './memory.ts';
import { paging } from './pages.ts';
import type { LedgerParts } from './parts.ts';
import { payeeHistory } from './payees.ts';
import { reading } from './payouts.ts';
import { revising } from './revise.ts';
import { Routes } from './routes.ts';
import { batchNumber } from './rows.ts';
import type { Watch } from './server-watch.ts';
import { type Database, q, type Sql } from './sql.ts';
import { summing } from './sums.ts';
import { type Acceptances, refuseWhatNobodyAccepted, type Trust, trustOf } from './trust.ts';
import { verifyLedger } from './verify.ts';
import { Writer } from './writer.ts';

/** What opens a ledger wherever it is. */
export interface OpenOptions extends Acceptances {
  /** Make the ledger when there is none. */
  readonly create: boolean;
  /** The id in the configuration. Opens no ledger with another id and makes no new one. */
  readonly namedId?: string | undefined;
  /** The folder that remembers how far each ledger has come. undefined: no such memory. */
  readonly knownLedgersPath?: string;
  /** Who accepts; kept in the journal. */
  readonly by?: string | undefined;
  /** Only look; a ledger that was set back, or is not known here, may be looked at too. */
  readonly readOnly?: boolean;
  /** Of a ledger that is made; random if undefined. */
  readonly newId?: (() => string) | undefined;
  /** In which a new ledger cuts days; undefined: that of the machine. */
  readonly timeZone?: string | undefined;
  readonly log?: Log;
  /** undefined: this one. */
  readonly machine?: Machine | undefined;
}

/** A ledger that is there, before this process may work with it. */
export interface Found extends Pick<Opened, 'db' | 'clock'> {
  readonly path: string;
  /** The real path of a file, or which tables of which server it is; undefined: in memory. */
  readonly place: string | undefined;
  /** This process made it just now. */
  readonly isMade: boolean;
  /** Where the ledger with this id is remembered; undefined: nowhere. */
  readonly folderOf: (id: string) => string | undefined;
  /** Where outcomes go that no commit takes, by the ledger's id; undefined: nowhere. */
  readonly emergencyOf: (id: string) => string | undefined;
  /** Of a server. */
  readonly watch?: Watch;
}

/** An open ledger and what it is made of. */
export interface OpenLedger {
  readonly ledger: Ledger;
  readonly parts: Assembled;
}

export async function openFound(found: Found, options: OpenOptions): Promise<OpenLedger> {
  const { db, path, place, clock, watch } = found;
  const { binding, readOnly: isReadOnly = false, namedId, machine = THIS_MACHINE } = options;
  const identity = await readIdentity(db.read, path, binding);
  const folder = found.folderOf(identity.id);
  const trust = () => trustOf(db.read, identity, { ...found, folder, namedId, history: watch?.history });
  const isKept = place !== undefined && !isReadOnly;
  const known =
    isKept && folder !== undefined ? knownOf(found, { folder, place, identity, machine }) : undefined;
  // Sandbox ledgers may be copied freely, and a server has one of each.
  const guard = identity.environment === 'live' && watch === undefined ? known : undefined;
  let emergency: EmergencyFile | undefined;
  try {
    if (!isReadOnly) await requireAccepted(found, options, { identity, trust: await trust(), guard });
    guard?.take();
    emergency = new EmergencyFile(isKept ? found.emergencyOf(identity.id) : undefined, identity.id, machine);
    const kept = { known, emergency, watch };
    const parts = partsOf({ db, identity, clock, machine, isReadOnly, kept });
    // Asked again: until it was taken, another copy could be at work.
    const taken = await trust();
    if (!isReadOnly) {
      refuseWhatNobodyAccepted(path, taken, options);
      await start(parts, taken, { ...options, place });
    }
    watch?.begin((head) => known?.worked(head));
    return { parts, ledger: ledgerOf(parts, taken) };
  } catch (error) {
    watch?.end();
    known?.close();
    emergency?.close();
    throw error;
  }
}

function knownOf(
  { path, clock, watch }: Found,
  parts: Pick<ConstructorParameters<typeof Known>[0], 'folder' | 'place' | 'identity' | 'machine'>,
): Known {
  // It is read again from another folder.
  const identity = { ...parts.identity, path: watch === undefined ? resolve(path) : path };
  return new Known({ ...parts, identity, now: () => clock.now(), history: () => watch?.history });
}

interface Judged {
  readonly identity: LedgerIdentity;
  readonly trust: Trust;
  readonly guard: Known | undefined;
}

/**
 * A copy that nobody accepted must not keep the ledger itself from work, not even for a moment. While another file of the
 * ledger is at work, that is what a person has to know first.
 */
async function requireAccepted(found: Found, options: OpenOptions, judged: Judged): Promise<void> {
  const { identity, trust, guard } = judged;
  if (found.watch !== undefined && options.acceptRollback !== true)
    await pauseForOthers(found, identity, trust);
  try {
    refuseWhatNobodyAccepted(found.path, trust, options);
  } catch (error) {
    guard?.requireNoOther();
    throw error;
  }
}

/** Other machines do not know what a server forgot, and would pay it again. Once, until a person has seen to it. */
async function pauseForOthers(found: Found, identity: LedgerIdentity, trust: Trust): Promise<void> {
  const { setBack: why, rememberedAt = 0 } = trust;
  const { db, clock, place } = found;
  if (why === undefined || (await isDistrusted(db.read, rememberedAt))) return;
  const { writer } = partsOf({ db, identity, clock });
  const seen = { kind: 'rollback_found', why, by: undefined, place } as const;
  await writer.write((commit) => acceptLedger(commit, seen, clock.now()));
}

/** Whose ledger it is, in empty tables. False: another process was first, or a copy waits for the end of its move. */
export async function makeLedger(
  { db, path, place, clock }: Pick<Found, 'db' | 'path' | 'place' | 'clock'>,
  {
    binding,
    newId = newLedgerId,
    timeZone = new WallClock().zone,
    machine,
  }: Pick<OpenOptions, 'newId' | 'machine' | 'timeZone'> & { readonly binding: Binding },
): Promise<boolean> {
  const { writer } = partsOf({
    db,
    identity: { ...binding, id: '', path, salt: '', timeZone },
    clock,
    machine,
  });
  if (!(await isFree(db.read))) return false;
  return writer.write(async (commit) => {
    if (!(await isFree(commit.sql))) return false;
    await writeIdentity(commit, binding, { at: clock.now(), newId, place, timeZone });
    return true;
  });
}

async function isFree(sql: Sql): Promise<boolean> {
  const taken = q`SELECT 1 AS it FROM ledger UNION ALL SELECT 1 FROM commits LIMIT 1`;
  return (await sql.get(taken)) === undefined;
}

export interface Opened {
  readonly db: Database;
  readonly identity: LedgerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  /** undefined: this one. */
  readonly machine?: Machine | undefined;
  readonly isReadOnly?: boolean;
  readonly committed?: (head: Head) => void;
  readonly kept?: Kept;
}

/** What is kept of a ledger beside its database, and closed with it. */
export interface Kept {
  readonly known?: Known | undefined;
  readonly emergency?: EmergencyFile | undefined;
  /** Of a server. */
  readonly watch?: Watch | undefined;
}

export interface Assembled extends LedgerParts {
  readonly db: Database;
  readonly leases: Leases;
  readonly kept: Kept;
  readonly isReadOnly: boolean;
}

export function partsOf({ db, identity, clock, machine = THIS_MACHINE, ...more }: Opened): Assembled {
  const { isReadOnly = false, committed, kept = {} } = more;
  const { read, pulse, still, settled } = db;
  const { watch } = kept;
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
  const isOneClock = watch !== undefined;
  const objection = () => watch?.objection;
  const leases = new Leases({ read, writer, pulse, clock, machine, objection, isOneClock, released });
  const parts = { read, still, settled, writer, routes, identity, clock, machine };
  return { ...parts, holding: leases, ...{ leases, db, kept, isReadOnly } };
}

/** `trust`: what was found at opening. */
export function ledgerOf(parts: Assembled, trust?: Trust): Ledger {
  const { identity, machine, kept, db } = parts;
  const { lease, leasePart, stopWork, holderOf, approvalTurn } = parts.leases;
  const emergency: Ledger['emergency'] = (...outcome) => kept.emergency?.write(...outcome);
  const close = closing(parts);
  return {
    ...{ identity, writer: writerOf(machine), emergency, close },
    verify: (id?: BatchId, tell?: TellChain) => verified(parts, trust, { id, tell }),
    get isLost(): boolean {
      return db.isLost;
    },
    atOneMoment: <T>(work: (still: Ledger) => Promise<T>): Promise<T> =>
      db.still((sql) => work(ledgerOf(stillOf(parts, sql)))),
    ...{ lease, leasePart, stopWork, holderOf, approvalTurn },
    ...reading(parts),
    ...moving(parts),
    ...answersBefore(parts),
    ...batchesOf(parts),
    ...comparisonOf(parts),
    ...importsOf(parts),
    ...comparing(parts),
    ...revising(parts),
    ...journal(parts),
    ...differing(parts),
    ...erasing(parts),
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
  { id, tell }: { readonly id: BatchId | undefined; readonly tell: TellChain | undefined },
): Promise<VerifyResult> {
  const result = await verifyLedger(parts, id === undefined ? undefined : batchNumber(id), { tell });
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
    const { known, emergency, watch } = kept;
    watch?.end();
    try {
      // A lease that cannot be given back is taken over once this process is gone.
      await leases.releaseAll().catch(() => undefined);
      await writer.idle();
      known?.write(await ledgerHead(read));
    } finally {
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

interface Starting extends Pick<OpenOptions, 'binding' | 'by' | 'log'> {
  /** Where the ledger is now. */
  readonly place: string | undefined;
}

/** Before the ledger is used. */
export async function start(
  parts: Assembled,
  { setBack, unknown, standing }: Trust,
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
  if (authUrl !== undefined && authUrl !== standing.authUrl) {
    // It is remembered first: after this commit the ledger is no longer new.
    await remember();
    const bound = ownEntry(BOUND, { authUrl, before: standing.authUrl, by }, at);
    await writer.write(async ({ add }) => add(bound));
  }
  const applied = kept.emergency === undefined ? 0 : await applyEmergencies(parts, kept.emergency);
  if (applied > 0) log?.write('warn', 'emergency_outcomes_applied', { count: applied });
  await remember();
}
