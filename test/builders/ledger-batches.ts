/**
 * Batches in a ledger for tests: stages rows, walks payouts to a state through real moves.
 */
import { batchDigest } from '../../src/domain/batches/batch.ts';
import type { StyleRead } from '../../src/domain/money/amount-style.ts';
import type { Concern, Release } from '../../src/domain/payouts/concern.ts';
import {
  asTag,
  asTransferId,
  type BatchId,
  type Instruction,
  type PayoutId,
} from '../../src/domain/payouts/instruction.ts';
import { tagOf } from '../../src/domain/payouts/narration.ts';
import { leafOf, type Narration } from '../../src/domain/payouts/order.ts';
import type { Payout, Pricing } from '../../src/domain/payouts/payout.ts';
import type { EventOf, PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { advance } from '../../src/domain/payouts/payout-machine.ts';
import { repeatKeys } from '../../src/domain/payouts/repeat.ts';
import { rowKey } from '../../src/domain/rows/row-key.ts';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import type { ImportHeader, StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { Move, MoveRules, Recorded } from '../../src/ports/ledger/moves.ts';
import { anInstruction, aPricing, aReason, evidence, NOW } from './payouts.ts';

export const HEADER = {
  name: 'may',
  file: {
    name: 'may.csv',
    format: 'csv',
    sheet: undefined,
    headers: ['Reference', 'Account', 'Amount'],
    columns: new Map([
      ['reference', 0],
      ['account', 1],
      ['amount', 2],
    ] as const),
  },
  maker: 'ama',
  at: NOW,
} as const;

export const HOLDER = { pid: process.pid, host: 'here', user: 'ama', command: 'payfile run' };

/** Row n of a file: its own reference and account, unless told otherwise. */
export function row(n: number, changes: Parameters<typeof anInstruction>[0] = {}): StagedRow {
  const instruction = anInstruction({
    reference: `R-${n}`,
    account: `0244${String(n).padStart(6, '0')}`,
    ...changes,
  });
  return {
    rowNumber: n + 1,
    cells: [
      instruction.reference ?? '',
      instruction.account.reveal(),
      String(instruction.amount.minor),
      `row ${n}`,
    ],
    state: { status: 'planned', releases: [] },
    instruction,
    keys: { ...repeatKeys(instruction, ''), rowKey: rowKey(instruction, PLACES, '') },
  };
}

export function invalidRow(n: number): StagedRow {
  const issue = {
    kind: 'amount_unreadable',
    field: 'amount',
    column: 'Amount',
    columnLetter: 'C',
    seen: 'abc',
    expected: 'a number',
    suggestion: undefined,
  } as const;
  return {
    rowNumber: n + 1,
    cells: [`R-${n}`, '0244', 'abc'],
    state: { status: 'invalid', issues: [issue] },
    instruction: undefined,
    keys: { rowKey: new Uint8Array(16).fill(n % 256) },
  };
}

const PLACES = { source: '', country: 'Ghana', institution: 'MTN Mobile Money' };

let imports = 0;
const ownName = () => {
  imports += 1;
  return `import ${imports}`;
};

/** `name`: undefined where nothing depends on it; then no other import has it. */
export async function importOf(
  ledger: Ledger,
  rows: readonly StagedRow[],
  file: Partial<ImportHeader['file']> = {},
  name = ownName(),
): Promise<BatchId> {
  const id = await ledger.beginImport({ ...HEADER, name, file: { ...HEADER.file, ...file } });
  for (let at = 0; at < rows.length; at += 1_000) await ledger.stage(id, rows.slice(at, at + 1_000));
  return id;
}

/** How the amounts of the file were read, where nothing depends on it. */
export const STYLE_READ: StyleRead = {
  decimal: 'comma',
  basis: 'proven',
  example: { row: 3, text: '27.500', read: '27500' },
};

export async function sealOf(ledger: Ledger, id: BatchId) {
  const digest = await batchDigest(ledger.rowKeys(id));
  return { fileSha256: 'f'.repeat(64), digest, at: NOW, amountStyle: STYLE_READ };
}

export async function batchOf(ledger: Ledger, rows: readonly StagedRow[], name?: string): Promise<BatchId> {
  const id = await importOf(ledger, rows, {}, name);
  await ledger.seal(id, await sealOf(ledger, id));
  return id;
}

export async function all(ledger: Ledger, id: BatchId): Promise<Payout[]> {
  const payouts: Payout[] = [];
  for await (const page of ledger.payouts(id)) payouts.push(...page);
  return payouts;
}

export async function only(ledger: Ledger, id: BatchId, rowNumber: number): Promise<Payout> {
  const found = (await all(ledger, id)).find((payout) => payout.rowNumber === rowNumber);
  if (found === undefined) throw new TypeError(`Batch ${id} has no row ${rowNumber}`);
  return found;
}

export async function again(ledger: Ledger, id: PayoutId): Promise<Payout> {
  const payout = await ledger.payout(id);
  if (payout === undefined) throw new TypeError(`No payout ${id}`);
  return payout;
}

export function moveOf(before: Payout, event: PayoutEvent, options: Partial<Move> = {}): Move {
  return { before, event, after: advance(before, event), ...rulesOf(before, event), ...options };
}

/** Without a tag in the narration a leaf is the same in every ledger. */
export const NARRATION: Narration = { ledgerId: 'any', salt: '', noteMax: 100, noteTag: false };
const DAY_MS = 86_400_000;

/** As usual, where the service says of the payout what it said when it was priced. */
export function rulesOf(
  { instruction, state }: Payout,
  { kind, at }: PayoutEvent,
  narration = NARRATION,
): { rules?: MoveRules } {
  const repeatWindow = { settledSince: at - 14 * DAY_MS, unpaidSince: at - DAY_MS };
  if (kind === 'approve') return { rules: { repeatWindow, narration } };
  if (kind !== 'begin_attempt' || instruction === undefined || !('tag' in state)) return {};
  const { sourceName, countryName, institutionName: name, ...priced } = state.pricing;
  const { currency } = instruction.amount;
  const live = {
    ...{ place: { sourceName, countryName, institution: { name, currency } }, nameCheck: priced.nameCheck },
    ...{ nameCheckedAt: at, quote: priced.quote && { ...priced.quote, quotedAt: at } },
  };
  const policy = { driftPercent: 1, approvalMs: 30 * DAY_MS, quoteMs: DAY_MS, nameMs: DAY_MS };
  return { rules: { repeatWindow, narration, sending: { live, policy } } };
}

/** An approval of a payout as it is priced. */
export function approvalOf(
  payout: Payout & { readonly instruction: Instruction | undefined },
  ledger: Ledger,
  { pricing = aPricing(), releases = [], at = NOW }: Partial<Approving> = {},
): EventOf<'approve'> {
  const { id, instruction } = payout;
  if (instruction === undefined) throw new TypeError('Nobody approves a row that cannot be paid');
  const leaf = leafOf({ id, instruction, state: { pricing, releases } }, NARRATION);
  return { kind: 'approve', tag: tagOf(ledger.identity.id, id), leaf, by: 'ama', at };
}

interface Approving {
  readonly pricing: Pricing;
  readonly releases: readonly Release[];
  readonly at: Timestamp;
}

export async function moved(
  ledger: Ledger,
  payout: Payout,
  ...events: readonly PayoutEvent[]
): Promise<Payout> {
  let now = payout;
  for (const event of events) {
    const recorded: Recorded = await ledger.record(moveOf(now, event));
    if (recorded.kind !== 'recorded') throw new TypeError(`${event.kind}: ${JSON.stringify(recorded)}`);
    now = recorded.payout;
  }
  return now;
}

/** A planned payout that was held for these concerns, until a person saw them and let it go. */
export async function released(ledger: Ledger, payout: Payout, ...saw: readonly Concern[]): Promise<Payout> {
  const reasons = saw.map((concern) => aReason(concern));
  const release = { saw, by: 'ben', reason: 'it is meant', at: NOW };
  const hold: PayoutEvent = { kind: 'hold', reasons, pricing: undefined, at: NOW };
  return moved(ledger, payout, hold, { kind: 'release', release, at: NOW });
}

/** The events that lead a planned payout as far as wanted. */
export function eventsTo(
  goal:
    | 'quoted'
    | 'approved'
    | 'sending'
    | 'in_doubt'
    | 'accepted'
    | 'settled'
    | 'failed'
    | 'returned'
    | 'refused',
  payout: Payout,
  ledger: Ledger,
  at = NOW,
): PayoutEvent[] {
  const transferId = asTransferId(`tr-${payout.id}`);
  const told = { serviceStatus: 'Finished', discrepancies: [], at };
  const proof = evidence({ startedAt: at, endedAt: at });
  const price: PayoutEvent = { kind: 'price', pricing: aPricing(), at };
  const releases = 'releases' in payout.state ? payout.state.releases : [];
  const approve: PayoutEvent = approvalOf(payout, ledger, { at, releases });
  const sender = { ...ledger.writer, patienceMs: 120_000 };
  const begin: PayoutEvent = { kind: 'begin_attempt', attempt: 1, bodyDigest: 'd', sender, at };
  const accept: PayoutEvent = { kind: 'accept', transferId, evidence: proof, at };
  const ways: Record<typeof goal, PayoutEvent[]> = {
    quoted: [price],
    approved: [price, approve],
    sending: [price, approve, begin],
    in_doubt: [price, approve, begin, { kind: 'doubt', reason: 'no_answer', evidence: proof, at }],
    accepted: [price, approve, begin, accept],
    settled: [price, approve, begin, accept, { kind: 'settle', ...told }],
    failed: [price, approve, begin, accept, { kind: 'fail', ...told, serviceStatus: 'Failed' }],
    returned: [price, approve, begin, accept, { kind: 'return', ...told, serviceStatus: 'Returned' }],
    refused: [price, approve, begin, { kind: 'refuse', code: '51', message: 'no', evidence: proof, at }],
  };
  return ways[goal];
}

export async function walkedTo(
  ledger: Ledger,
  payout: Payout,
  goal: Parameters<typeof eventsTo>[0],
  at = NOW,
) {
  return moved(ledger, payout, ...eventsTo(goal, payout, ledger, at));
}

export const later = (ms: number) => timestampOf(NOW + ms);
export const someTag = asTag('PF-ZZZZZZZZ');
export type { Instruction };
