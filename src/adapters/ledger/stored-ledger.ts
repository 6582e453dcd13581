/**
 * The ledger over an open database: passes each method of the port to the file that does it.
 */

import type { PaidBefore } from '../../domain/batches/paid-before.ts';
import { asPayoutId, type BatchId, type PayoutId } from '../../domain/payouts/instruction.ts';
import type { LastLook } from '../../domain/payouts/payout.ts';
import type { PayoutEvent, Writer } from '../../domain/payouts/payout-event.ts';
import type { ImportHeader, Seal, StagedRow } from '../../ports/ledger/imports.ts';
import type * as port from '../../ports/ledger/ledger.ts';
import type { Move } from '../../ports/ledger/moves.ts';
import type { NoteKind, Notes } from '../../ports/ledger/notes.ts';
import type { PageQuestion, PayoutFilter } from '../../ports/ledger/payouts.ts';
import { Batches, doubtsIn, LEDGER_CHAIN } from './batches/batches.ts';
import { Imports } from './batches/imports.ts';
import { holderHere, Leases } from './batches/leases.ts';
import { RowMatches } from './batches/match-rows.ts';
import { encodeNote } from './batches/note-codec.ts';
import { addPeopleFact, peopleEntries } from './batches/people-entries.ts';
import { Revisions } from './batches/revisions.ts';
import { begunSince, lastAttempt, lastEntry } from './payouts/attempts.ts';
import { failedReferencesOf } from './payouts/failed-references.ts';
import { familiesAcross, familyOf } from './payouts/families.ts';
import { movedAccountsOf } from './payouts/moved-accounts.ts';
import { Moves } from './payouts/moves.ts';
import { PaymentMemory, relativeOf } from './payouts/payment-memory.ts';
import { Payouts, type PayoutsParts } from './payouts/payouts.ts';
import { scheduledIn } from './payouts/scheduled.ts';
import { Routes } from './payouts/stored-payout.ts';
import { ChainDraft } from './proof/event-chain.ts';
import { verifyLedger } from './proof/verify-ledger.ts';
import { decisionsBefore, decisionsIn } from './reports/decisions.ts';
import { type DifferenceParts, differenceOf } from './reports/differences.ts';
import { keptSums } from './reports/kept-sums.ts';
import { PayoutSums } from './reports/payout-sums.ts';
import { hasMoved, planMoves } from './reports/plan-moves.ts';
import { RowPages } from './reports/row-pages.ts';
import { sentPayoutsOf } from './reports/sent-payouts.ts';
import type { Database } from './storage/database.ts';
import { applyEmergencies, type EmergencyFile } from './storage/emergency.ts';
import { GroupCommit } from './storage/group-commit.ts';
import { retryWhileBusy } from './storage/open-file.ts';
import { ledgerErrorOf, prepareOnce } from './storage/sql-statements.ts';
import { THIS_MACHINE, writerOf } from './storage/this-machine.ts';
import { type Told, toldOf } from './storage/told.ts';
import type { FastMoves, StoredLedgerOptions } from './stored-ledger-options.ts';
import {
  type Accepted,
  acceptLedger,
  bindLogin,
  endComparison,
  KnownHead,
  resumeBatch,
} from './trust/known-head.ts';
import { inodeAt } from './trust/ledger-mark.ts';

export class StoredLedger implements port.Ledger {
  readonly identity: port.LedgerIdentity;
  readonly writer: Writer;
  readonly #db: Database;
  readonly #options: StoredLedgerOptions;
  readonly #sql;
  readonly #read: Told['read'];
  readonly #each: Told['each'];
  readonly #chain: ChainDraft;
  readonly #queue: GroupCommit;
  readonly #batches: Batches;
  readonly #routes: Routes;
  readonly #memory: PaymentMemory;
  readonly #payouts: Payouts;
  readonly #sums: PayoutSums;
  readonly #pages: RowPages;
  readonly #comparing: DifferenceParts & PayoutsParts;
  readonly #imports: Imports;
  readonly #matches: RowMatches;
  readonly #revisions: Revisions;
  readonly #moves: Moves;
  readonly #fast: FastMoves | undefined;
  readonly #leases: Leases;
  readonly #emergency: EmergencyFile;
  readonly #known: KnownHead | undefined;
  #accepted: string | undefined;
  #isClosed = false;

  constructor(db: Database, identity: port.LedgerIdentity, options: StoredLedgerOptions) {
    this.identity = identity;
    this.writer = writerOf(options.machine ?? THIS_MACHINE);
    this.#db = db;
    this.#options = options;
    ({ read: this.#read, each: this.#each } = toldOf(options.path));
    const { path, readOnly: isReadOnly = false, knownLedgersPath, clock, beside } = options;
    const { machine = THIS_MACHINE, objection } = options;
    const fresh = (text: string) => db.prepare(text);
    const exec = (text: string) => db.exec(text);
    const now = () => clock.now();
    const inode = beside?.file.inode ?? inodeAt(path);
    this.#sql = prepareOnce(db);
    const sql = this.#sql;
    this.#known =
      knownLedgersPath === undefined
        ? undefined
        : new KnownHead({ sql, path: knownLedgersPath, identity, now, beside });
    this.#chain = new ChainDraft(sql, db.isServer === true ? 'many' : 'one');
    const chain = this.#chain;
    this.#routes = new Routes(sql);
    const routes = this.#routes;
    this.#queue = new GroupCommit({
      db,
      chain,
      path,
      machine,
      isReadOnly,
      isInPlace: () => db.isServer === true || inodeAt(path) === inode,
      requireFormat: options.requireFormat,
      holders: () => this.#leases.describe(),
      committed: (head) => this.#known?.worked(head),
      rolledBack: () => routes.forgetAll(),
    });
    const queue = this.#queue;
    this.#batches = new Batches(sql, chain);
    const batches = this.#batches;
    this.#memory = new PaymentMemory(sql, { batches, chain });
    const reading = { sql, fresh, routes, batchNumber: (id: BatchId) => batches.numberOf(id) };
    this.#payouts = new Payouts(reading);
    this.#sums = new PayoutSums(reading);
    const payouts = this.#payouts;
    this.#pages = new RowPages(reading, (row) => payouts.reportRowOf(row));
    this.#comparing = { ...reading, exec, payouts };
    this.#imports = new Imports({ sql, chain, queue, batches, routes, machine, fresh });
    this.#matches = new RowMatches({ batches, payouts, exec, fresh });
    const mayBegin = (batch: number, payout?: number) => this.#leases.mayBegin(batch, payout);
    this.#revisions = new Revisions({ sql, chain, queue, batches, payouts, fresh, mayBegin }, this.#matches);
    const of = { sql, queue, now, machine, objection, isOneClock: db.isServer === true };
    this.#leases = new Leases({ ...of, released: () => this.#known?.write() });
    this.#moves = new Moves({ sql, chain, queue, memory: this.#memory, batches, payouts, mayBegin });
    this.#emergency = options.emergency;
    this.#fast = options.fastMoves?.({
      committed: (head) => this.#known?.worked(head),
    });
  }

  /** Outcomes that an earlier process could not commit come first; then the head is remembered. */
  start(mayGoBack: boolean): void {
    const { log } = this.#options;
    const reading = { db: this.#db, sql: this.#sql, payouts: this.#payouts };
    const parts = { ...reading, chain: this.#chain, batches: this.#batches };
    const applied = applyEmergencies(parts, this.#emergency, this.#options.clock.now());
    if (applied > 0) log?.write('warn', 'emergency_outcomes_applied', { count: applied });
    this.#known?.write(mayGoBack);
  }

  accept(accepted: Accepted): void {
    const parts = { db: this.#db, chain: this.#chain, batches: this.#batches, sums: this.#sums };
    acceptLedger(parts, accepted, this.#options.clock.now());
    this.#accepted = accepted.why;
  }

  bindLogin(bound: Parameters<typeof bindLogin>[1]): void {
    bindLogin({ db: this.#db, chain: this.#chain }, bound, this.#options.clock.now());
  }

  /** How far the ledger has come, and which file it is. */
  remember(mayGoBack: boolean): void {
    this.#known?.write(mayGoBack);
  }

  beginImport = (header: ImportHeader) => this.#imports.begin(header);
  stage = (importId: BatchId, rows: readonly StagedRow[]) => this.#imports.stage(importId, rows);
  seal = (importId: BatchId, seal: Seal) => this.#imports.seal(importId, seal);
  dropImport = (importId: BatchId) => this.#imports.drop(importId, this.#options.clock.now());
  rowKeys = (batchId: BatchId) => this.#imports.rowKeys(batchId);
  compare = (batchId: BatchId, importId: BatchId) => this.#matches.compare(batchId, importId);
  revise: port.Ledger['revise'] = (id, importId, how) => this.#revisions.revise(id, importId, how);
  overlaps: port.Ledger['overlaps'] = (batchId, since) => this.#memory.overlaps(batchId, since);
  alike: port.Ledger['alike'] = (...asked) => this.#memory.alike(...asked);
  twins: port.Ledger['twins'] = (...asked) => this.#memory.twins(...asked);

  batches = () => this.#read(() => this.#batches.all());
  batchPage: port.Ledger['batchPage'] = (question) => this.#read(() => this.#batches.page(question));
  findBatch = (text: string) => this.#read(() => this.#batches.find(text));
  isNameTaken = (name: string) => this.#read(() => this.#batches.like(name) !== undefined);
  batchLike = (name: string) => this.#read(() => this.#batches.like(name));
  batchNamed = (name: string) => this.#read(() => this.#batches.named(name));
  batchesOfBytes = (sha256: string) => this.#read(() => this.#batches.ofBytes(sha256));
  batch = (id: BatchId) => this.#read(() => this.#batches.batch(id));

  pause(id: BatchId, pause: Parameters<port.Ledger['pause']>[1]): Promise<void> {
    return this.#change(id, { at: pause.at, kind: 'paused', set: { pause } });
  }

  resume: port.Ledger['resume'] = (id, by, at) =>
    this.#queue.write(() =>
      resumeBatch({ sql: this.#sql, batches: this.#batches }, this.#batches.numberOf(id), { by, at }),
    );

  resumeAll: port.Ledger['resumeAll'] = (by, at) =>
    this.#queue.write(() => endComparison({ chain: this.#chain, batches: this.#batches }, { by, at }));

  recordApproval: port.Ledger['recordApproval'] = (id, approval, passkey) => {
    const more = passkey === undefined ? {} : { more: { passkey } };
    return this.#change(id, { at: approval.at, kind: 'approved', set: { approval, isBound: true }, ...more });
  };
  approvals: port.Ledger['approvals'] = (id) =>
    this.#read(() => this.#batches.approvals(id === undefined ? undefined : this.#batches.numberOf(id)));
  peopleEntries = () => this.#read(() => peopleEntries(this.#sql));
  recordPeople: port.Ledger['recordPeople'] = (fact, at, since) =>
    this.#queue.write(() => addPeopleFact({ sql: this.#sql, chain: this.#chain }, fact, { at, since }));

  async note<Kind extends NoteKind>(id: BatchId, kind: Kind, body: Notes[Kind], at: number): Promise<void> {
    const [batch, text] = [this.#batches.numberOf(id), encodeNote(kind, body)];
    await this.#queue.write(() => this.#batches.note(batch, kind, text, at));
  }

  notes = <Kind extends NoteKind>(id: BatchId, kind: Kind) =>
    this.#read(() => this.#batches.notes(this.#batches.numberOf(id), kind));
  notesOfAll = <Kind extends NoteKind>(kind: Kind) => this.#read(() => this.#batches.notesOfAll(kind));
  revisions = (id: BatchId) => this.#read(() => this.#batches.revisions(this.#batches.numberOf(id)));
  lastEntry = (id?: BatchId) =>
    this.#read(() => {
      const read = () => lastEntry(this.#sql, id === undefined ? undefined : this.#batches.numberOf(id));
      return this.#db.settled?.(read) ?? read();
    });

  counts = (id: BatchId) => this.#read(() => this.#sums.counts(id));
  openDoubts = () =>
    this.#read(() => doubtsIn(this.#sql, (batch) => this.#leases.holderOf(batch) !== undefined));
  sums = (id: BatchId) => this.#read(() => keptSums(this.#comparing, id));
  incidents: port.Ledger['incidents'] = (...asked) => this.#read(() => this.#pages.incidents(...asked));
  besideStatus: port.Ledger['besideStatus'] = (...asked) =>
    this.#read(() => this.#pages.besideStatus(...asked));
  reportPage: port.Ledger['reportPage'] = (...asked) => this.#read(() => this.#pages.page(...asked));
  totals = (id: BatchId) => this.#read(() => this.#sums.totals(id));
  payouts = (id: BatchId, filter?: PayoutFilter) => this.#each(this.#payouts.walk(id, filter));
  page = (id: BatchId, question: PageQuestion) => this.#read(() => this.#payouts.page(id, question));
  payout = (id: PayoutId) => this.#read(() => this.#payouts.byId(id));
  findPayouts = (id: BatchId, text: string) => this.#read(() => this.#payouts.find(id, text));
  payoutOfTransfer = (transferId: string) => this.#read(() => this.#payouts.byTransfer(transferId));
  payoutOfTag = (tag: string) => this.#read(() => this.#payouts.byTag(tag));
  replacedTransfers: port.Ledger['replacedTransfers'] = (id, question) =>
    this.#read(() => this.#payouts.replacedTransfers(id, question));
  scheduled: port.Ledger['scheduled'] = (id, question) =>
    this.#read(() => scheduledIn(this.#comparing, this.#batches.numberOf(id), question));
  record = async (move: Move) => (this.#fast && (await this.#fast.record(move))) ?? this.#moves.record(move);
  recordAll = async (moves: readonly Move[]) => allOf(moves.map((move) => this.record(move)));
  async schedule(id: PayoutId, dueAt: number, look: LastLook): Promise<void> {
    if (!(await this.#fast?.schedule(Number(id) || 0, dueAt, look)))
      await this.#moves.schedule(id, dueAt, look);
  }
  markLate: port.Ledger['markLate'] = (id, at) => this.#moves.markLate(id, at);
  repeatsOf = (id: PayoutId) => this.#read(() => this.#memory.repeatsOf(Number(id) || 0));
  rowsAbove = (id: BatchId) => this.#read(() => this.#memory.rowsAbove(id));
  batchesPaidBy = (id: PayoutId) => this.#read(() => this.#memory.batchesPaidBy(Number(id) || 0));
  addReplacement = (id: PayoutId, by: string, at: number) => this.#moves.addReplacement(id, by, at);
  putBack = (id: PayoutId, at: number) => this.#moves.putBack(id, at);
  livingRelative = (id: PayoutId) =>
    this.#read(() => {
      const other = relativeOf(this.#sql, Number(id) || 0);
      return other === undefined ? undefined : this.#memory.pointer(other);
    });
  begunSince = (id: BatchId, since: number, limit: number) =>
    this.#read(async () => {
      const begun = await begunSince(this.#sql, { batch: this.#batches.numberOf(id), since, limit });
      return begun.flatMap((payout) => this.#payouts.byId(payout) ?? []);
    });
  countBegun = (id: BatchId, since: number) =>
    this.#read(async () => {
      const limit = Number.MAX_SAFE_INTEGER;
      return (await begunSince(this.#sql, { batch: this.#batches.numberOf(id), since, limit })).length;
    });
  family = (id: PayoutId) => this.#read(() => familyOf({ sql: this.#sql, batches: this.#batches }, id));
  familiesAcross = (id?: BatchId) =>
    this.#read(() => familiesAcross({ sql: this.#sql, batches: this.#batches }, id));
  waitingReplacements = (id: BatchId) => this.#read(() => this.#payouts.waitingReplacements(id));
  replacementsOf = (id: PayoutId) => this.#read(() => this.#payouts.replacementsOf(id));
  oldestQuote: port.Ledger['oldestQuote'] = (...asked) => this.#read(() => this.#sums.oldestQuote(...asked));
  oldestOnItsWay = (id: BatchId) => this.#read(() => this.#sums.oldestOnItsWay(id));
  principalSince = (since: number) => this.#read(() => this.#sums.principalSince(since));
  difference: port.Ledger['difference'] = (id, before, asked) =>
    this.#read(() => {
      const [batch, previous] = [this.#batches.numberOf(id), this.#paymentsOf(before)];
      return differenceOf(this.#comparing, { ...asked, batch, previous });
    });
  failedBefore: port.Ledger['failedBefore'] = (id, among) =>
    this.#read(() => {
      const batches = among.map((one) => this.#batches.numberOf(one));
      return failedReferencesOf(this.#comparing, this.#batches.numberOf(id), batches);
    });
  movedAccounts: port.Ledger['movedAccounts'] = (id, { earlier, again }) =>
    this.#read(() => {
      const asked = { earlier: earlier.map((one) => this.#paymentsOf(one)), again };
      return movedAccountsOf(this.#comparing, this.#batches.numberOf(id), asked);
    });
  planMovesSince = (id: BatchId, since: number) =>
    this.#read(() =>
      planMoves(this.#sql, { batch: this.#batches.numberOf(id), since }, (payout) =>
        this.#payouts.byId(asPayoutId(String(payout))),
      ),
    );
  movedSince = (id: BatchId, since: number) =>
    this.#read(() => hasMoved(this.#sql, { batch: this.#batches.numberOf(id), since }));
  journalOf = (id: PayoutId) => this.#read(() => this.#payouts.journalOf(asPayoutId(id)));
  lastAttempt: port.Ledger['lastAttempt'] = (id) => {
    const { clock, machine = THIS_MACHINE } = this.#options;
    return this.#read(() => lastAttempt(this.#sql, id, { machine, now: clock.now() }));
  };
  reportRows = (id: BatchId) => this.#each(this.#payouts.reportRows(id));
  sentPayouts = (id: BatchId) =>
    this.#each(sentPayoutsOf({ sql: this.#sql, routes: this.#routes }, this.#batches.numberOf(id)));
  decisions = (id: BatchId, limit: number) =>
    this.#read(() => decisionsIn(this.#sql, this.#batches.numberOf(id), limit));
  decisionsBefore: port.Ledger['decisionsBefore'] = (id, question) =>
    this.#read(() => decisionsBefore(this.#sql, this.#batches.numberOf(id), question));

  rememberNameRelease: port.Ledger['rememberNameRelease'] = (release) =>
    this.#queue.write(() => this.#memory.rememberName(release));
  isNameReleased: port.Ledger['isNameReleased'] = (release) =>
    this.#read(() => this.#memory.isNameReleased(release));
  nameRelease: port.Ledger['nameRelease'] = (names) => this.#read(() => this.#memory.nameRelease(names));
  lease: port.Ledger['lease'] = (id, holder) => this.#leases.take(this.#batches.numberOf(id), holder);
  leasePart: port.Ledger['leasePart'] = (id, part, holder) =>
    this.#leases.takePart(this.#batches.numberOf(id), part, holder);
  stopWork: port.Ledger['stopWork'] = (id, work) => this.#leases.stopWork(this.#batches.numberOf(id), work);
  holderOf = (id: BatchId) => this.#read(() => this.#leases.holderOf(this.#batches.numberOf(id)));
  approvalTurn = (by: string) => this.#leases.take(LEDGER_CHAIN, holderHere(by, 'approval'));

  async verify(id?: BatchId): Promise<port.VerifyResult> {
    const batch = id === undefined ? undefined : this.#batches.numberOf(id);
    const { setBack, unknown: unknownHere, openReader, verifyLogMax: logMax } = this.#options;
    const reader = openReader && (await retryWhileBusy(this.#options.path, openReader));
    try {
      const parts = { db: reader ?? this.#db, isOwn: reader !== undefined, identity: this.identity, logMax };
      const result = await verifyLedger(parts, batch);
      const standing = { unknownHere, accepted: this.#accepted };
      if (setBack === undefined) return { ...result, ...standing };
      const problem = `It is older than this machine remembers: ${setBack}.`;
      return { ...result, problems: [...result.problems, problem], ...standing };
    } catch (error) {
      throw ledgerErrorOf(error, this.#options.path);
    } finally {
      reader?.close();
    }
  }

  async atOneMoment<T>(work: (still: port.Ledger) => Promise<T>): Promise<T> {
    const { openReader, path } = this.#options;
    if (openReader === undefined) return work(this);
    const db = await retryWhileBusy(path, openReader);
    const own = { readOnly: true, knownLedgersPath: undefined, inUse: undefined, openReader: undefined };
    try {
      return await work(new StoredLedger(db, this.identity, { ...this.#options, ...own }));
    } finally {
      db.close();
    }
  }

  get isLost(): boolean {
    return this.#db.isLost === true || (this.#db.isServer === true && this.#queue.isOver);
  }

  emergency(payoutId: PayoutId, attempt: number, event: PayoutEvent): void {
    this.#emergency.write(payoutId, attempt, event);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      // A lease that cannot be given back is taken over once this process is gone.
      await this.#leases.releaseAll().catch(() => undefined);
      await this.#fast?.close();
      await this.#queue.drain();
      this.#known?.write();
    } finally {
      this.#options.inUse?.giveBack();
      this.#known?.close();
      this.#emergency.close();
      this.#db.close();
    }
  }

  #change(id: BatchId, change: Omit<Parameters<Batches['change']>[0], 'id'>): Promise<void> {
    const batch = this.#batches.numberOf(id);
    return this.#queue.write(() => this.#batches.change({ id: batch, ...change }));
  }

  #paymentsOf(before: PaidBefore) {
    return { ...before, batch: before.batch && this.#batches.numberOf(before.batch) };
  }
}

/** When one fails, the others are waited for: none of them is still to be committed after the error. */
async function allOf<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
