/**
 * Rows that are sent before all others, one at a time, as a proof of the service. A row that somebody has to look at proves
 * nothing, and stops the sending; the rest stays approved.
 *
 * First transfer:  a live ledger in which no transfer was ever looked up sends one and looks it up. A service that cannot be
 *                  asked what became of a transfer must not be given a whole payroll.
 * Canary:          the first rows of a batch have to settle before the rest goes. Their number is kept in the journal; they
 *                  are the rows whose sending began first after that entry. So a run after a crash, with or without the
 *                  flag, still holds the rest back, and rows of earlier runs do not count. A person who looked says
 *                  `--canary 0`. A row that is paid again is replaced in the canary, too.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type LookConcern, type Payout, type Status } from '../../domain/payouts/payout.ts';
import { isShown } from '../../domain/payouts/shown.ts';
import { isToLookAt, marksOf } from '../../domain/reporting/marks.ts';
import { plusMs, type Timestamp } from '../../domain/timestamp.ts';
import type { Asked, Transaction } from '../../ports/payment-service.ts';
import type { Ports } from '../ports.ts';
import { pollAgain, settleBatch } from '../settle/settle-batch.ts';
import { lookAround, type Sending, sendOne } from './send-rows.ts';

export interface CanaryOptions {
  /** undefined: as many as an earlier run of the batch asked for; 0: none, whatever was asked for. */
  readonly rows: number | undefined;
  /** Who asked for so many, or lifted it; kept with it. */
  readonly by: string | undefined;
  readonly deadline: () => Timestamp;
}

export interface Canary {
  /** How many rows; 0: none. */
  readonly rows: number;
  /** The entry of the journal behind which they are. */
  readonly since: number;
}

interface FirstRows extends Pick<Sending, 'batchId' | 'ports' | 'gate' | 'odd' | 'incidents'> {
  readonly canary: Canary;
  readonly deadline: (() => Timestamp) | undefined;
  readonly signal: AbortSignal;
  /** One row at a time: the first bad answer is the last. False when no row is left that may be sent. */
  readonly sendNext: () => Promise<boolean>;
}

/** Stops the gate when the rest may not follow. */
export async function sendFirstRows(sending: Sending, canary: Canary, signal: AbortSignal): Promise<void> {
  const { deadline } = sending.options;
  const look = lookAround(sending);
  const sendNext = async () => {
    await look();
    if (!(await sending.gate.enter())) return false;
    const next = await nextApproved(sending);
    if (next === undefined) sending.gate.leave(undefined);
    else await sendOne(next, sending);
    return next !== undefined;
  };
  const first: FirstRows = { ...sending, canary, deadline, signal, sendNext };
  await proveFirstTransfer(first);
  await sendCanary(first);
}

/** The first approved row that may be sent, and whose institution is not set aside. */
async function nextApproved({ batchId, ports: { ledger }, gate, odd }: Sending) {
  for await (const page of ledger.payouts(batchId, { statuses: ['approved'] }))
    for (const payout of page)
      if (
        isIn(payout, 'approved') &&
        !odd.has(payout.id) &&
        !gate.isSetAside(payout.instruction.institutionId)
      )
        return payout;
  return undefined;
}

const FIRST_FOUND = 'first_transfer_found';

/**
 * Sends rows until one is accepted, and asks for it. Stops the gate when it cannot be found, or is not as asked. A transfer
 * that an earlier run left unproven is asked for instead of sending another one.
 */
async function proveFirstTransfer(first: FirstRows): Promise<void> {
  const { batchId, ports } = first;
  const { ledger } = ports;
  const sent = { statuses: ['accepted', 'settled'], after: undefined, limit: 1 } as const;
  while (!(await stopAtBadCanary(first))) {
    if (ledger.identity.environment !== 'live' || (await ledger.notesOfAll(FIRST_FOUND)).length > 0) return;
    const [payout] = (await ledger.page(batchId, sent)).payouts;
    if (payout !== undefined) return lookUp(payout, first);
    if (!(await first.sendNext())) return;
  }
}

async function lookUp(payout: Payout, first: FirstRows): Promise<void> {
  const { ports, gate, signal, deadline } = first;
  const { clock, silence } = ports;
  const looking = deadline && silence?.lookUntil(clock.monotonicMs() + deadline() - clock.now());
  const ending = AbortSignal.any([signal, looking?.signal].filter((each) => each !== undefined));
  try {
    await lookOften(payout, { ...first, signal: ending });
  } finally {
    looking?.end();
  }
  if (looking?.signal.aborted === true && !signal.aborted)
    gate.deadlineCame({ kind: 'outage', reason: NOT_LOOKED_UP });
}

const LOOKS_MAX = 5;
const NOT_LOOKED_UP = 'the first transfer could not be looked up before the deadline';

/** Decides nothing when its signal aborts: the next run asks for this transfer before it sends another. */
async function lookOften(payout: Payout, first: FirstRows): Promise<void> {
  const { ports, gate, signal } = first;
  let why: string | undefined = 'cannot be looked up at the service';
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const found = await whyNoProof(payout, first);
    if (found.isProven) {
      await ports.ledger.note(payout.batchId, FIRST_FOUND, { payout: payout.id }, ports.clock.now());
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

/** Looks once, as settling does. `why` is undefined where the service did not show the transfer. */
async function whyNoProof(
  { id }: Payout,
  { ports, signal, incidents }: FirstRows,
): Promise<{ readonly isProven: boolean; readonly why?: string | undefined }> {
  const before = await ports.ledger.payout(id);
  if (before === undefined) return { isProven: false };
  let asked: Asked<Transaction> | undefined;
  const looked = await pollAgain(before, ports, signal, (answer) => {
    asked = answer;
  });
  if (looked.kind === 'incident') incidents.push(before.rowNumber);
  const why = whyBad((await ports.ledger.payout(id)) ?? before);
  if (why !== undefined || looked.kind === 'unknown' || asked?.kind !== 'answered')
    return { isProven: false, why };
  const { answer: seen } = asked;
  const { lookUpFields } = ports.policy;
  // Such a look-up may be about anybody’s transfer.
  const isBare = lookUpFields.length > 0 && !lookUpFields.some((field) => isShown(seen, field));
  const setting = 'If the service never shows them, take them out of the setting answers.lookup';
  return isBare
    ? { isProven: false, why: `is shown without ${lookUpFields.join(', ')}. ${setting}` }
    : { isProven: true };
}

const CANARY = 'canary';
const DEADLINE_MS = 15 * 60_000;
/** The canary is looked at as often as this: other rows of the batch may take longer, or never finish. */
const LOOK_MS = 30_000;
const NAMED_MAX = 5;

/**
 * The canary of a batch. Written down before the first of its rows is sent. Asked for again while it is not
 * settled, the same canary goes on, also with another number; after that it is a new one.
 */
export async function canaryOf(
  batchId: BatchId,
  { rows, by }: Pick<CanaryOptions, 'rows' | 'by'>,
  ports: Pick<Ports, 'ledger' | 'clock'>,
): Promise<Canary> {
  const before = await notedCanary(batchId, ports);
  if (rows === undefined || (rows === 0 && before.rows === 0)) return before;
  const goesOn = before.rows > 0 && (await standOf(before, { batchId, ports })).settled < before.rows;
  const isForNothing = (await ports.ledger.counts(batchId)).approved === 0;
  if (rows === before.rows && (goesOn || isForNothing)) return before;
  const since = goesOn && rows > 0 ? { since: before.since } : {};
  const body = { rows, ...since, ...(by === undefined ? {} : { by }) };
  await ports.ledger.note(batchId, CANARY, body, ports.clock.now());
  return notedCanary(batchId, ports);
}

async function notedCanary(batchId: BatchId, { ledger }: Pick<Ports, 'ledger'>): Promise<Canary> {
  const last = (await ledger.notes(batchId, CANARY)).at(-1);
  return { rows: last?.body.rows ?? 0, since: last?.body.since ?? last?.seq ?? 0 };
}

interface Stand {
  readonly settled: number;
  readonly accepted: number;
  readonly bad: readonly Payout[];
}

async function standOf(
  { since, rows }: Canary,
  { batchId, ports }: { readonly batchId: BatchId; readonly ports: Pick<Ports, 'ledger'> },
): Promise<Stand> {
  const begun = rows === 0 ? [] : await ports.ledger.begunSince(batchId, since, rows);
  const bad = begun.filter((payout) => whyBad(payout) !== undefined);
  const good = begun.filter((payout) => !bad.includes(payout));
  const count = (status: Status) => good.filter(({ state }) => state.status === status).length;
  return { settled: count('settled'), accepted: count('accepted'), bad };
}

/** Sends the canary and waits for it. */
async function sendCanary(first: FirstRows): Promise<void> {
  const { batchId, canary, gate, signal, incidents, deadline, ports } = first;
  const { clock } = ports;
  // Counted on the monotonic clock: a wall clock that is set back must not make this endless.
  let endMs: number | undefined;
  while (gate.stopped() === undefined) {
    const { settled, accepted, bad } = await standOf(canary, first);
    if (settled >= canary.rows || isStopped(bad, first)) break;
    if (settled + accepted < canary.rows) {
      // Where no row is left that may be sent, there is none to hold back either.
      if (await first.sendNext()) continue;
      break;
    }
    if (signal.aborted) break;
    endMs ??= clock.monotonicMs() + (deadline === undefined ? DEADLINE_MS : deadline() - clock.now());
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) {
      const reason = `${settled} of ${canary.rows} settled before the deadline`;
      gate.deadlineCame({ kind: 'canary', reason, row: undefined });
      break;
    }
    const giveUpAt = plusMs(clock.now(), leftMs);
    const lookUntil = plusMs(clock.now(), Math.min(leftMs, LOOK_MS));
    const settling = { deadline: lookUntil, giveUpAt, signal };
    incidents.push(...(await settleBatch(batchId, ports, settling)).incidents);
  }
}

/** True when a row of the canary is bad: nothing more of the batch may be sent. */
async function stopAtBadCanary(first: FirstRows): Promise<boolean> {
  return isStopped((await standOf(first.canary, first)).bad, first);
}

function isStopped(bad: readonly Payout[], { gate }: FirstRows): boolean {
  if (bad.length === 0) return false;
  const named = bad.slice(0, NAMED_MAX);
  const reason = named.map((payout) => `row ${payout.rowNumber} ${whyBad(payout)}`).join(', ');
  gate.stop({ kind: 'canary', reason, row: named[0]?.rowNumber });
  return true;
}

const BAD_WORDS: Readonly<Partial<Record<Status, string>>> = {
  in_doubt: 'is in doubt',
  sending: 'is in doubt',
  failed: 'failed',
  returned: 'was returned',
};
const STUCK_WORDS: Readonly<Record<LookConcern, string>> = {
  missing: 'is not found at the service',
  unknown_word: 'has a status that no setting explains',
  late: 'takes too long',
};

/** Why nothing may follow the row, as the end of a sentence; undefined: it is as asked, on its way or settled. */
function whyBad(payout: Payout): string | undefined {
  const { state } = payout;
  const marks = marksOf(payout);
  if (BAD_WORDS[state.status] !== undefined || !isToLookAt(marks)) return BAD_WORDS[state.status];
  if ('suspicion' in state && state.suspicion !== undefined)
    return `is called “${state.suspicion.word}” by the service`;
  if (marks.stuck !== undefined) return STUCK_WORDS[marks.stuck];
  const differences = 'discrepancies' in state ? state.discrepancies : [];
  return `differs from what was asked: ${differences.join('; ')}`;
}
