/**
 * What happens outside the office: time passes, prices move, accounts get other holders, lists are changed.
 */

import { parseCurrency } from '../../../src/domain/money/currency.ts';
import { tagOf } from '../../../src/domain/payouts/narration.ts';
import type { PayoutState, Status } from '../../../src/domain/payouts/payout.ts';
import { type Limits, NO_LIMITS } from '../../../src/domain/plan/limits.ts';
import { encodeState } from '../../../src/ledger/codec.ts';
import type { Random } from '../../builders/random.ts';
import { START_MS } from '../../simulated-world/disk.ts';
import type { ListedInstitution } from '../../simulated-world/market.ts';
import type { Habits } from './habits.ts';
import { type Hand, type Office, pass } from './office.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export async function timePasses({ random }: Hand, { scene }: Office): Promise<void> {
  const spans = [10_000, MINUTE, 6 * MINUTE, 31 * MINUTE, 3 * HOUR, 21 * HOUR, 25 * HOUR, 15 * DAY];
  await pass(scene, random.pick(spans));
}

type Happening = (hand: Hand, office: Office) => void;

const rateMoves: Happening = ({ random }, { scene }) => {
  const { market } = scene.oracle;
  const moved = market.rate * random.pick([0.99, 1.005, 0.97, 0.97, 1 / 3, 3]);
  market.rate = moved < 4 || moved > 60 ? 15.5 : moved;
};
const feeMoves: Happening = ({ random }, { scene }) => {
  const { market } = scene.oracle;
  // A fee that is high already may become higher: that is what a release must not cover.
  market.fee = market.fee > 10 ? random.pick([1.02, 250, 250]) : random.pick([1.02, 1.03, 4, 60, 60]);
};
const HOLDERS = ['AMA MENSAH', 'Ama Mensah', 'KOFI BOATENG', 'KOFI BOATENG', 'ESI OWUSU', 'YAW DARKO'];
const holderChanges: Happening = ({ random }, { scene, sheets }) => {
  if (sheets.length === 0) return;
  const { account = '' } = random.pick(random.pick(sheets).rows);
  scene.oracle.market.holders.set(account, random.pick(HOLDERS));
};
const banksChange: Happening = ({ random }, { scene }) => {
  const { market } = scene.oracle;
  market.institutions = random.chance(0.7) ? swapped(market.institutions) : renamed(market.institutions);
};
const countryIsRenamed: Happening = (_hand, { scene }) => {
  const { market } = scene.oracle;
  market.countries = market.countries.map((one) =>
    one.iso === 'gh' ? { ...one, name: one.name === 'Ghana' ? 'Republic of Ghana' : 'Ghana' } : one,
  );
};

/** Somebody sets another limit for one row; it holds for whoever starts from now on. */
const limitChanges: Happening = ({ random }, { scene }) => {
  scene.policy.limits = someLimits(random);
};

export function someLimits(random: Random): Limits {
  const GHS = parseCurrency('GHS');
  if (GHS === undefined) return NO_LIMITS;
  return {
    ...NO_LIMITS,
    rowMax: [{ minor: BigInt(random.pick([900_00, 1_300_00, 1_700_00])), currency: GHS }],
  };
}

/** The likelier ones more than once. */
const HAPPENINGS: readonly Happening[] = [
  ...[rateMoves, rateMoves, rateMoves, feeMoves, feeMoves, feeMoves],
  ...[holderChanges, holderChanges, banksChange, banksChange, countryIsRenamed, limitChanges],
];

/** What happens mostly where that changes all the time. */
const MOSTLY: Readonly<Record<Habits['restless'], readonly Happening[]>> = {
  nothing: HAPPENINGS,
  prices: [rateMoves, feeMoves],
  holders: [holderChanges],
  lists: [banksChange, banksChange, banksChange, countryIsRenamed],
  limits: [limitChanges],
  tables: [editTable],
};

export function somethingChanges(hand: Hand, office: Office): void {
  const { scene, habits } = office;
  const happening = hand.random.pick(hand.random.chance(0.7) ? MOSTLY[habits.restless] : HAPPENINGS);
  scene.trace.add(scene.scheduler.nowMs, 'outside', happening.name);
  happening(hand, office);
}

/**
 * Somebody with access to the ledger's tables changes a row there, and no entry of the journal: the cells of an approved row, or
 * a waiting row so that it looks approved.
 */
function editTable({ random, user }: Hand, office: Office): void {
  const { scene } = office;
  const rows = [...scene.watch.payouts.values()].filter(({ isInFile }) => isInFile);
  const inState = (status: Status) => rows.filter(({ payout }) => payout.state.status === status);
  const [approved, quoted] = [inState('approved'), inState('quoted')];
  if (random.chance(0.15)) {
    if (quoted.length > 0) makeApproved(random.pick(quoted).id, office);
    return;
  }
  if (approved.length === 0) return;
  const { id } = random.pick(approved);
  // Always another value than before.
  const digits = random.between(100, 999);
  const account = `account = '0244999${digits}'`;
  const change = random.pick([
    account,
    account,
    account,
    'minor = minor * 3',
    `phone = '+233209990${digits}'`,
  ]);
  scene.trace.add(scene.scheduler.nowMs, user, `edits #${id}: ${change}`);
  if (write(`UPDATE payouts SET ${change} WHERE id = ?`, [id], office)) scene.money.edited(id);
}

/** A row that waits looks approved, and its journal does not say so. */
function makeApproved(id: number, office: Office): void {
  const { identity, scheduler, watch } = { ...office.scene };
  const known = watch.payouts.get(id);
  if (known?.payout.state.status !== 'quoted') return;
  const tag = tagOf(identity.id, known.payout.id);
  const at = START_MS + Math.round(scheduler.nowMs);
  const { pricing, releases } = known.payout.state;
  const state = { status: 'approved', pricing, releases, tag, approvedAt: at, approvedBy: 'eve' };
  const text = encodeState(state as unknown as PayoutState);
  const change = `UPDATE payouts SET status = 'approved', state = ?, tag = ?, memory_at = ?, remembered = 1, living_root = root WHERE id = ?`;
  if (write(change, [text, tag, at, id], office)) watch.forged.add(id);
}

/** False: a commit is under way, or the ledger's own rules refuse it, such as a second payment of one row that lives. */
function write(statement: string, values: readonly (string | number)[], office: Office): boolean {
  const { store } = office.scene;
  const connection = store.connect();
  try {
    connection.db.prepare(statement).run(...values);
    office.isTampered = true;
    return true;
  } catch (error) {
    if (/UNIQUE constraint failed|database is locked/.test(String(error))) return false;
    throw error;
  } finally {
    store.giveBack(connection);
  }
}

/** Each of the two banks has the id that the other had. */
function swapped(list: readonly ListedInstitution[]): readonly ListedInstitution[] {
  const names = list.map(({ name }) => name).toReversed();
  return list.map((one, index) => ({ ...one, name: names[index] ?? one.name }));
}

function renamed(list: readonly ListedInstitution[]): readonly ListedInstitution[] {
  return list.map((one) =>
    one.id === 'i-gcb' ? { ...one, name: one.name === 'GCB Bank' ? 'GCB Bank Plc' : 'GCB Bank' } : one,
  );
}
