/**
 * Sends the first rows one at a time, to prove that the service works. A row that needs a person proves nothing and
 * stops sending. The other rows stay approved.
 *
 * First transfer:  a live ledger without a proven look-up sends one transfer and looks it up. A service without working
 *                  look-ups must not get a whole payroll.
 * Canary:          the first rows of a batch must settle before the rest is sent. A journal entry records how many. The
 *                  canary rows are the first ones sent after this entry. So a run after a crash still waits for them,
 *                  and rows of earlier runs do not count. `--canary 0` ends it. A replacement takes the place of its
 *                  row in the canary.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type LookConcern, type Payout, type Status } from '../../domain/payouts/payout.ts';
import { isShown } from '../../domain/payouts/shown.ts';
import { isToLookAt, marksOf } from '../../domain/reporting/marks.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { pollAgain, settleBatch } from '../settle/settle-batch.ts';
import { createLedgerPoll, type Sending, sendOne } from './send-rows.ts';

export interface CanaryOptions {
  /** undefined keeps the number of an earlier run; 0 ends the canary. */
  readonly rows: number | undefined;
  /** Who set or ended the canary, for the journal. */
  readonly by: string | undefined;
  readonly deadline: () => Timestamp;
}

export interface Canary {
  /** How many rows; 0: none. */
  readonly rows: number;
  /** Journal entry after which the canary starts. */
  readonly since: number;
}

interface FirstRowsContext extends Pick<Sending, 'batchId' | 'ports' | 'gate' | 'skippedRows' | 'incidents'> {
  readonly canary: Canary;
  readonly deadline: (() => Timestamp) | undefined;
  readonly signal: AbortSignal;
  /** Sends one row and waits for it. False if no row may be sent. */
  readonly sendNext: () => Promise<boolean>;
}

/** Sends the first rows. Stops the gate if the rest must not follow. */
export async function sendFirstRows(sending: Sending, canary: Canary, signal: AbortSignal): Promise<void> {
  const { deadline } = sending.options;
  const pollLedger = createLedgerPoll(sending);
  const sendNext = async () => {
    await pollLedger();
    if (!(await sending.gate.enter())) return false;
    const next = await nextApproved(sending);
    if (next === undefined) sending.gate.leave(undefined);
    // The other rows wait for these: they are looked at as soon as they may be finished.
    else await sendOne(next, { ...sending, usualMs: () => undefined });
    return next !== undefined;
  };
  const first: FirstRowsContext = { ...sending, canary, deadline, signal, sendNext };
  await proveFirstTransfer(first);
  await sendCanary(first);
}

/** The first approved row that payfile may send now. */
async function nextApproved({ batchId, ports: { ledger }, gate, skippedRows }: Sending) {
  for await (const page of ledger.payouts(batchId, { statuses: ['approved'] }))
    for (const payout of page)
      if (
        isIn(payout, 'approved') &&
        !skippedRows.has(payout.id) &&
        !gate.isSetAside(payout.instruction.institutionId)
      )
        return payout;
  return undefined;
}

const FIRST_TRANSFER_FOUND = 'first_transfer_found';

/**
 * Sends rows until one is accepted, then looks it up. Stops the gate if the transfer is missing or differs. If an
 * earlier run left an unproven transfer, looks that one up first.
 */
async function proveFirstTransfer(first: FirstRowsContext): Promise<void> {
  const { batchId, ports } = first;
  const { ledger } = ports;
  const sent = { statuses: ['accepted', 'settled'], after: undefined, limit: 1 } as const;
  while (!(await stopAtBadCanary(first))) {
    if (ledger.identity.environment !== 'live' || (await ledger.notesOfAll(FIRST_TRANSFER_FOUND)).length > 0)
      return;
    const [payout] = (await ledger.page(batchId, sent)).payouts;
    if (payout !== undefined) return lookUp(payout, first);
    if (!(await first.sendNext())) return;
  }
}

async function lookUp(payout: Payout, first: FirstRowsContext): Promise<void> {
  const { ports, gate, signal, deadline } = first;
  const { clock, silence } = ports;
  const lookUpLimit = deadline && silence?.lookUntil(clock.monotonicMs() + deadline() - clock.now());
  const stopSignal = AbortSignal.any([signal, lookUpLimit?.signal].filter((each) => each !== undefined));
  try {
    await lookUpRepeatedly(payout, { ...first, signal: stopSignal });
  } finally {
    lookUpLimit?.end();
  }
  if (lookUpLimit?.signal.aborted === true && !signal.aborted)
    gate.stopAtDeadline({ kind: 'outage', reason: NOT_LOOKED_UP });
}

const LOOKS_MAX = 5;
const NOT_LOOKED_UP = 'the first transfer could not be looked up before the deadline';

/** Decides nothing after an abort: the next run looks up this transfer before it sends another. */
async function lookUpRepeatedly(payout: Payout, first: FirstRowsContext): Promise<void> {
  const { ports, gate, signal } = first;
  let why: string | undefined = 'cannot be looked up at the service';
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const found = await proveByLookUp(payout, first);
    if (found.isProven) {
      await ports.ledger.note(payout.batchId, FIRST_TRANSFER_FOUND, { payout: payout.id }, ports.clock.now());
      return;
    }
    if (signal.aborted) return;
    why = found.why ?? why;
    if (ports.silence?.ended() !== undefined) break;
    await ports.clock.sleep(ports.policy.pollMinMs, signal).catch(() => undefined);
  }
  if (signal.aborted) return;
  const silence = ports.silence?.ended();
  if (silence !== undefined) return gate.stop({ kind: 'outage', reason: silence });
  gate.stop({ kind: 'paused', reason: `the first transfer (row ${payout.rowNumber}) ${why}` });
}

/** Looks up once, as settling does. `why` is undefined if the service did not show the transfer. */
async function proveByLookUp(
  { id }: Payout,
  { ports, signal, incidents }: FirstRowsContext,
): Promise<{ readonly isProven: boolean; readonly why?: string | undefined }> {
  const before = await ports.ledger.payout(id);
  if (before === undefined) return { isProven: false };
  let asked: Asked<Transaction> | undefined;
  const looked = await pollAgain(before, ports, signal, (answer) => {
    asked = answer;
  });
  if (looked.kind === 'incident') incidents.push(before.rowNumber);
  const why = stopReasonOf((await ports.ledger.payout(id)) ?? before);
  if (why !== undefined || looked.kind === 'unknown' || asked?.kind !== 'answered')
    return { isProven: false, why };
  const { answer: seen } = asked;
  const { lookUpFields } = ports.policy;
  // A look-up that shows none of these fields may be about another transfer.
  const lacksFields = lookUpFields.length > 0 && !lookUpFields.some((field) => isShown(seen, field));
  const setting = 'If the service never shows them, take them out of the setting answers.lookup';
  return lacksFields
    ? { isProven: false, why: `is shown without ${lookUpFields.join(', ')}. ${setting}` }
    : { isProven: true };
}

const CANARY = 'canary';
const DEADLINE_MS = 15 * 60_000;
/** Time between checks of the canary. Settling waits for all rows, and rows outside of the canary may never finish. */
const LOOK_MS = 30_000;
const ROWS_NAMED_MAX = 5;

/**
 * Returns the canary of a batch. Records it before its first row is sent. While a canary has not settled, a request
 * only changes its number of rows. After that, a request starts a new canary.
 */
export async function canaryOf(
  batchId: BatchId,
  { rows, by }: Pick<CanaryOptions, 'rows' | 'by'>,
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<Canary> {
  const before = await notedCanary(batchId, ports);
  if (rows === undefined || (rows === 0 && before.rows === 0)) return before;
  const isUnsettled =
    before.rows > 0 && (await canaryStateOf(before, { batchId, ports })).settled < before.rows;
  const hasNoRows = (await ports.ledger.counts(batchId)).approved === 0;
  if (rows === before.rows && (isUnsettled || hasNoRows)) return before;
  const since = isUnsettled && rows > 0 ? { since: before.since } : {};
  const body = { rows, ...since, ...(by === undefined ? {} : { by }) };
  await ports.ledger.note(batchId, CANARY, body, ports.clock.now());
  return notedCanary(batchId, ports);
}

async function notedCanary(batchId: BatchId, { ledger }: Pick<Ports, 'ledger'>): Promise<Canary> {
  const last = (await ledger.notes(batchId, CANARY)).at(-1);
  return { rows: last?.body.rows ?? 0, since: last?.body.since ?? last?.seq ?? 0 };
}

interface CanaryState {
  readonly settled: number;
  readonly accepted: number;
  readonly bad: readonly Payout[];
}

async function canaryStateOf(
  { since, rows }: Canary,
  { batchId, ports }: { readonly batchId: BatchId; readonly ports: Pick<Ports, 'ledger'> },
): Promise<CanaryState> {
  const begun = rows === 0 ? [] : await ports.ledger.begunSince(batchId, since, rows);
  const bad = begun.filter((payout) => stopReasonOf(payout) !== undefined);
  const good = begun.filter((payout) => !bad.includes(payout));
  const count = (status: Status) => good.filter(({ state }) => state.status === status).length;
  return { settled: count('settled'), accepted: count('accepted'), bad };
}

/** Sends the canary rows and waits until they settle. */
async function sendCanary(first: FirstRowsContext): Promise<void> {
  const { batchId, canary, gate, signal, incidents, deadline, ports } = first;
  const { clock } = ports;
  // The monotonic clock ends the wait even if somebody sets the system clock back.
  let endMs: number | undefined;
  while (gate.stopped() === undefined) {
    const { settled, accepted, bad } = await canaryStateOf(canary, first);
    if (settled >= canary.rows || stopAtBadRows(bad, first)) break;
    if (settled + accepted < canary.rows) {
      // Without rows to send, there are no rows to hold back.
      if (await first.sendNext()) continue;
      break;
    }
    if (signal.aborted) break;
    endMs ??= clock.monotonicMs() + (deadline === undefined ? DEADLINE_MS : deadline() - clock.now());
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) {
      const reason = `${settled} of ${canary.rows} settled before the deadline`;
      gate.stopAtDeadline({ kind: 'canary', reason, row: undefined });
      break;
    }
    const giveUpAt = plusMs(clock.now(), leftMs);
    const lookUntil = plusMs(clock.now(), Math.min(leftMs, LOOK_MS));
    const settling = { deadline: lookUntil, giveUpAt, signal };
    incidents.push(...(await settleBatch(batchId, ports, settling)).incidents);
  }
}

/** True if a canary row is bad. Then payfile must send nothing more of the batch. */
async function stopAtBadCanary(first: FirstRowsContext): Promise<boolean> {
  return stopAtBadRows((await canaryStateOf(first.canary, first)).bad, first);
}

function stopAtBadRows(bad: readonly Payout[], { gate }: FirstRowsContext): boolean {
  if (bad.length === 0) return false;
  const named = bad.slice(0, ROWS_NAMED_MAX);
  const reason = named.map((payout) => `row ${payout.rowNumber} ${stopReasonOf(payout)}`).join(', ');
  gate.stop({ kind: 'canary', reason, row: named[0]?.rowNumber });
  return true;
}

const BAD_STATUSES: Readonly<Partial<Record<Status, string>>> = {
  in_doubt: 'is in doubt',
  sending: 'is in doubt',
  failed: 'failed',
  returned: 'was returned',
};
const LOOK_UP_PROBLEMS: Readonly<Record<LookConcern, string>> = {
  missing: 'is not found at the service',
  unknown_word: 'has a status that no setting explains',
  late: 'takes too long',
};

/** Why the row stops the others, as the end of a sentence; undefined if it is fine. */
function stopReasonOf(payout: Payout): string | undefined {
  const { state } = payout;
  const marks = marksOf(payout);
  if (BAD_STATUSES[state.status] !== undefined || !isToLookAt(marks)) return BAD_STATUSES[state.status];
  if ('suspicion' in state && state.suspicion !== undefined)
    return `has the status “${state.suspicion.word}” at the service`;
  if (marks.stuck !== undefined) return LOOK_UP_PROBLEMS[marks.stuck];
  const differences = 'discrepancies' in state ? state.discrepancies : [];
  return `differs from what was asked: ${differences.join('; ')}`;
}
