/**
 * What happens outside the office: time passes, prices move, accounts get other holders, lists are changed.
 */
import type { ListedInstitution } from '../../simulated-world/market.ts';
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
const holderChanges: Happening = ({ random }, { scene, sheets }) => {
  if (sheets.length === 0) return;
  const { account = '' } = random.pick(random.pick(sheets).rows);
  scene.oracle.market.holders.set(account, random.pick(['AMA MENSAH', 'Ama Mensah', 'KOFI BOATENG']));
};
const banksChange: Happening = ({ random }, { scene }) => {
  const { market } = scene.oracle;
  market.institutions = random.chance(0.5) ? swapped(market.institutions) : renamed(market.institutions);
};
const countryIsRenamed: Happening = (_hand, { scene }) => {
  const { market } = scene.oracle;
  market.countries = market.countries.map((one) =>
    one.iso === 'gh' ? { ...one, name: one.name === 'Ghana' ? 'Republic of Ghana' : 'Ghana' } : one,
  );
};

/** The likelier ones more than once. */
const HAPPENINGS: readonly Happening[] = [
  ...[rateMoves, rateMoves, rateMoves, feeMoves, feeMoves, feeMoves],
  ...[holderChanges, holderChanges, banksChange, banksChange, countryIsRenamed],
];

export function somethingChanges(hand: Hand, office: Office): void {
  hand.random.pick(HAPPENINGS)(hand, office);
}

/** Somebody with access to the ledger's tables changes an approved row there, and no entry of the journal. */
export function editTable({ random }: Hand, office: Office): void {
  const { watch, store } = office.scene;
  const approved = [...watch.payouts.values()].filter(({ payout }) => payout.state.status === 'approved');
  if (approved.length === 0) return;
  const { id } = random.pick(approved);
  const change = random.pick(["account = '0244999000'", 'minor = minor * 3', "phone = '+233209990000'"]);
  const { db } = store.connect();
  db.prepare(`UPDATE payouts SET ${change} WHERE id = ?`).run(id);
  db.close();
  office.scene.money.edited(id);
  office.isTampered = true;
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
