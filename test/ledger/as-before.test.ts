/**
 * The old ledger and the new one are asked the same, move by move: their answers, their journals and what is stored of each
 * payout are the same. Goes with the old code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { Concern } from '../../src/domain/payouts/concern.ts';
import { asPayoutId, asTransferId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { tagOf } from '../../src/domain/payouts/narration.ts';
import { leafOf } from '../../src/domain/payouts/order.ts';
import { isIn, type Payout } from '../../src/domain/payouts/payout.ts';
import type { EventKind, PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { MOVES, mayFollow } from '../../src/domain/payouts/payout-machine.ts';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import { encodeBody } from '../../src/ledger/codec-json.ts';
import { ids, q } from '../../src/ledger/sql.ts';
import type { StagedRow } from '../../src/ports/ledger/imports.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { Recorded } from '../../src/ports/ledger/moves.ts';
import { openAt } from '../adapters/ledger/ledger-files.ts';
import { all, batchOf, moveOf, NARRATION, row } from '../builders/ledger-batches.ts';
import { anEvent, aPricing, aReason, evidence, NOW, OVER_LIMIT } from '../builders/payouts.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { onBoth } from './both-databases.ts';
import { batchIn, type Opened, payoutsIn } from './new-ledgers.ts';

const HISTORIES = process.env['SOAK'] === '1' ? 200 : 6;
const LIMIT_MS = 90_000 + HISTORIES * 2_000;
const STEPS = 160;
const DAY_MS = 86_400_000;
const ON: readonly string[] = ['price', 'release', 'approve', 'begin_attempt', 'accept', 'settle', 'fail'];
/** What both tables have. */
const COLUMNS = `id, batch, position, row_number, status, version, attempts, state, account, minor, reference, name, phone, note,
  replaces, root, cells, tag, transfer_id, memory_at, living_root, incident_root, quoted_at, due_at, look, due_check, other_id`;

interface Both {
  readonly old: Ledger;
  readonly oldPath: string;
  readonly opened: Opened;
  readonly random: Random;
  /** So many times each kind of event was recorded. */
  readonly seen: Map<string, number>;
}

/** Some rows of a file are equal, or have no reference, or pay another payment again. */
function someRows(random: Random, count: number, payouts: number): StagedRow[] {
  return Array.from({ length: count }, () => {
    const n = random.below(3 * count);
    const reference = random.chance(0.2) ? undefined : `R-${random.below(2 * count)}`;
    const replaces = payouts > 0 && random.chance(0.25) ? String(1 + random.below(payouts)) : undefined;
    return row(n, { reference, replaces: replaces === undefined ? undefined : asPayoutId(replaces) });
  });
}

async function bring({ old, opened, random }: Both, name: string, payouts: number): Promise<BatchId> {
  const rows = someRows(random, 8, payouts).map((one, at) => ({ ...one, rowNumber: at + 2 }));
  const id = await batchOf(old, rows, name);
  expect(await batchIn(opened, rows, name)).toBe(id);
  return id;
}

function eventFor(payout: Payout, { random, old }: Both, at: Timestamp): PayoutEvent | undefined {
  const kinds = Object.keys(MOVES[payout.state.status]) as EventKind[];
  const may = kinds.filter((kind) => mayFollow(payout.state, kind));
  if (may.length === 0) return undefined;
  // What leads on is more likely, so that histories become long.
  const on = may
    .filter((kind) => kind !== 'price' || payout.state.status === 'planned')
    .filter((kind) => ON.includes(kind));
  const kind = on.length > 0 && random.chance(0.7) ? random.pick(on) : random.pick(may);
  const event = { ...anEvent(kind), at } as PayoutEvent;
  const name = () => asTransferId(`tr-${random.below(12)}`);
  const other = random.chance(0.3) ? { otherId: name() } : {};
  switch (event.kind) {
    case 'approve': {
      if (!isIn(payout, 'quoted')) return undefined;
      const leaf = random.chance(0.05) ? 'f'.repeat(64) : leafOf(payout, NARRATION);
      const of = random.chance(0.05) ? asPayoutId('1') : payout.id;
      return { ...event, leaf, tag: tagOf(old.identity.id, of) };
    }
    case 'begin_attempt':
      return { ...event, attempt: payout.attempts + 1 };
    case 'accept':
      return {
        ...event,
        transferId: name(),
        evidence: evidence({
          attempt: payout.attempts,
          startedAt: at,
          endedAt: at,
          fragment: '§0 “Ama”',
          message: 'ok',
        }),
      };
    case 'rule_paid':
      return { ...event, transferId: name() };
    case 'progress':
    case 'suspect':
    case 'fail':
    case 'return':
      return { ...event, ...other, discrepancies: random.chance(0.3) ? ['receiver: Ama'] : [] };
    case 'settle': {
      const found = payout.state.status === 'failed' && payout.state.basis === 'ruled';
      return { ...event, ...other, ...(found ? { transferId: name() } : {}) };
    }
    case 'price':
      return {
        ...event,
        pricing: aPricing({ nameCheckedAt: at, wireName: random.pick(['Ama Mensah', '§1']) }),
      };
    case 'hold': {
      const repeat: Concern = { kind: 'repeat', of: asPayoutId('2'), isUnknown: false };
      const concern = random.pick<Concern>([OVER_LIMIT, repeat, { kind: 'maybe_paid', evidence: 'line 7' }]);
      return { ...event, reasons: [aReason(concern)], pricing: undefined };
    }
    case 'release': {
      const saw = payout.state.status === 'held' ? payout.state.reasons.map(({ concern }) => concern) : [];
      return { ...event, release: { ...event.release, saw, at } };
    }
    default:
      return event;
  }
}

type Step = { readonly payout: Payout; readonly event: PayoutEvent };

async function record(both: Both, steps: readonly Step[], since: number | undefined): Promise<void> {
  const { old, opened, random, seen } = both;
  const due = random.chance(0.3) ? { dueAt: timestampOf(NOW + random.below(1_000_000)) } : {};
  const last = await old.lastEntry();
  const moves = steps.map(({ payout, event }) => moveOf(payout, event, due));
  const unchanged = (seq: number) => (since === undefined ? {} : { unchangedSince: seq });
  const before = await Promise.all(moves.map((move) => old.record({ ...move, ...unchanged(last) })));
  const newest = Number((await opened.parts.read.get(q`SELECT max(seq) AS seq FROM journal`))?.['seq']);
  const now = await Promise.all(moves.map((move) => opened.ledger.record({ ...move, ...unchanged(newest) })));
  for (const [at, { event }] of steps.entries()) {
    // Of two indexes that refuse it, each database names the one that it looks at first.
    if (!isOfTag(before[at]) || now[at]?.kind !== 'taken')
      expect(now[at], `${event.kind}`).toStrictEqual(before[at]);
    const word = `${event.kind}: ${(now[at] as Recorded).kind}`;
    seen.set(word, (seen.get(word) ?? 0) + 1);
  }
}

const isOfTag = (answer: Recorded | undefined) => answer?.kind === 'taken' && answer.what === 'tag';

/** A payment that was called unpaid was paid after all, as a person noted. */
async function note({ old, opened }: Both, payout: Payout, at: Timestamp): Promise<void> {
  const body = { payout: payout.id, row: payout.rowNumber, what: 'was paid after all' };
  await old.note(payout.batchId, 'incident', body, at);
  const kind = 'note:incident';
  await opened.parts.writer.write(async ({ add }) =>
    add({ batch: Number(payout.batchId), payout: null, at, kind, ...encodeBody(kind, body) }),
  );
}

async function compare({ old, oldPath, opened }: Both, batches: readonly BatchId[]): Promise<void> {
  for (const id of batches) {
    const payouts = await all(old, id);
    expect(await payoutsIn(opened, id)).toStrictEqual(payouts);
    for (const payout of payouts) {
      const entry = ({ seq: _seq, ...rest }: { readonly seq: number }) => rest;
      const before = (await old.journalOf(payout.id)).map(entry);
      expect((await opened.ledger.journalOf(payout.id)).map(entry)).toStrictEqual(before);
    }
    const db = new DatabaseSync(oldPath, { readOnly: true, readBigInts: true });
    const stored = db.prepare(`SELECT ${COLUMNS} FROM payouts WHERE batch = ? ORDER BY id`).all(id);
    db.close();
    const list = stored.map((each) => each['id'] as bigint);
    const rows = await opened.parts.read.all(q`SELECT * FROM payouts WHERE id IN ${ids(list)} ORDER BY id`);
    const names = Object.keys(stored[0] ?? {});
    const same = rows.map((each) => Object.fromEntries(names.map((column) => [column, each[column]])));
    expect(same).toEqual(stored.map((each) => ({ ...each })));
  }
}

async function history(both: Both): Promise<void> {
  const { old, random } = both;
  const batches: BatchId[] = [];
  let at = NOW;
  for (let step = 0; step < STEPS; step += 1) {
    if (step % 40 === 0)
      batches.push(await bring(both, `batch ${step}`, step === 0 ? 0 : batches.length * 8));
    at = timestampOf(at + random.below(random.chance(0.05) ? 20 * DAY_MS : 3_600_000));
    const payouts = (await Promise.all(batches.map((id) => all(old, id)))).flat();
    const chosen = new Map<string, Payout>();
    for (let more = random.chance(0.3) ? 5 : 1; more > 0; more -= 1) {
      const payout = random.pick(payouts);
      // An end that is taken back and comes again is tried enough.
      if (['settled', 'returned'].includes(payout.state.status) && random.chance(0.8)) continue;
      chosen.set(payout.id, payout);
    }
    const steps = [...chosen.values()].flatMap((payout) => {
      const event = eventFor(payout, both, at);
      return event === undefined ? [] : [{ payout, event }];
    });
    // Together only what would come out the same in any order: of different payments.
    const alone = steps.some(({ event }) =>
      ['approve', 'begin_attempt', 'accept', 'rule_paid'].includes(event.kind),
    );
    const since = random.chance(0.1) ? 1 : undefined;
    for (const group of alone ? steps.map((one) => [one]) : [steps]) await record(both, group, since);
    if (random.chance(0.03)) await note(both, random.pick(payouts), at);
  }
  await compare(both, batches);
}

onBoth((place) => {
  it(
    'moves payouts as the old ledger did: answers, journal and rows',
    async () => {
      const seen = new Map<string, number>();
      for (let seed = 1; seed <= HISTORIES; seed += 1) {
        const folder = mkdtempSync(join(tmpdir(), 'payfile-as-before-'));
        onTestFinished(() => rmSync(folder, { recursive: true }));
        const oldPath = join(folder, 'ledger.db');
        const old = await openAt(oldPath, { newId: () => 'test' });
        const opened = await (await place()).open();
        await history({ old, oldPath, opened, random: randomOf(seed), seen });
        expect((await old.verify()).problems).toEqual([]);
        await old.close();
      }
      if (process.env['SHOW'] === '1') console.log([...seen].sort());
      for (const answer of [
        'approve: objection',
        'approve: taken',
        'begin_attempt: recorded',
        'begin_attempt: objection',
      ])
        expect(seen.get(answer) ?? 0, answer).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
