/**
 * A year of batches with late returns, doubts over month ends, payments made again, payments that the service shows with
 * less than was asked, and statements of the bank: its months add up to it, for every account, whenever they are made.
 * What the year must come to is counted from the service's own book and the bank's own figures.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { restNow } from '../../src/domain/payouts/difference.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { type Payout, REST_FOUND, type RestFound, type Status } from '../../src/domain/payouts/payout.ts';
import { ACCOUNT_ROLES, type AccountRole } from '../../src/domain/reporting/journal-accounts.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { acceptDifference, whyNotAccepted } from '../../src/use-cases/decide/accept-difference.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { compareWithStatement } from '../../src/use-cases/reconcile/compare-with-statement.ts';
import { type PeriodReported, reportPeriod } from '../../src/use-cases/report/report-period.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { aRow } from '../builders/payout-file.ts';
import { type Random, randomOf } from '../builders/random.ts';
import { type Line, openStatement } from '../builders/statement-file.ts';
import { utcDays } from '../builders/utc-days.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;
/** Each payment takes 1,200.00 ÷ 15.5, rounded up, and a fee of 1.02. */
const [PRINCIPAL, FEE] = [7742n, 102n];
/** What it takes more where its approved quote was old at the sending: at 15.4 it is 77.92. */
const DEARER = 50n;
/** GHS 600.00 of the 1,200.00, where the service shows only the others. */
const MISSING = 3871n;
/** The bank takes a dearer one in one line, with its fee: 0.20 more than agreed to. Any other has a line for its fee. */
const BANK = { dearer: '78.64', principal: '77.42', fee: '1.50' } as const;
const [BANK_FX, BANK_FEE] = [20n, 150n];

const MONTHS = Array.from({ length: 12 }, (_, at) => {
  const [year, month] = [at < 8 ? 2026 : 2027, String(((at + 4) % 12) + 1).padStart(2, '0')];
  const last = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
  return { from: `${year}-${month}-01`, to: `${year}-${month}-${last}` };
});
const YEAR = { from: '2026-05-01', to: '2027-04-30' };

async function madeOf({ from, to }: typeof YEAR, { ledger, clock }: Workplace): Promise<PeriodReported> {
  const period = utcDays(from, to);
  if (period === undefined) throw new TypeError('no days');
  const header = { environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  return reportPeriod(ledger, { period, sink: undefined, header });
}

const accountsOf = ({ totals }: PeriodReported) =>
  new Map((totals.accounts ?? []).map((account) => [account.role, account]));
const closing = (made: PeriodReported | undefined, role: AccountRole) =>
  (made && accountsOf(made).get(role)?.closing) ?? 0n;
const moved = (made: PeriodReported, role: AccountRole) => {
  const { debit = 0n, credit = 0n } = accountsOf(made).get(role) ?? {};
  return debit - credit;
};

interface Year {
  readonly place: Workplace;
  /** Each month as it was made when it was over. */
  readonly atOnce: readonly PeriodReported[];
  /** Tags of the payments that were sent at a dearer rate than they were agreed to. */
  readonly dearer: ReadonlySet<string>;
  readonly less: Less;
  /** Transfers whose lines of the bank were compared. */
  readonly banked: ReadonlySet<string>;
}

/** Transfers of which the service shows half, with what a person said last of the other half; undefined: nobody looked. */
type Less = Map<string, RestFound | undefined>;

/** Pays, loses answers, takes money back and pays again, until the year is over. Drawn, and the same each time. */
async function aYear(): Promise<Year> {
  const place = await aWorkplace({ policy: { concurrency: 1, accountChanges: 'warn', maxInDoubt: 10 } });
  const { clock, service } = place;
  const random = randomOf(36);
  const back = new Set<string>();
  service.statusOf = (id) => (back.has(id) ? 'Reversed' : 'Finished');
  const less: Less = new Map();
  const banked = new Set<string>();
  const { transaction } = service;
  service.transaction = async (id, signal) => {
    const said = await transaction(id, signal);
    if (said.kind !== 'answered' || !less.has(id)) return said;
    less.set(id, less.get(id) ?? 'open');
    return answeredWith({ ...said.answer, amount: '600.00' });
  };
  const batches: BatchId[] = [];
  const dearer = new Set<string>();
  const { estimateAnswer, rateAnswer } = service;
  const atOnce: PeriodReported[] = [];
  for (const month of MONTHS) {
    const [begins, ends] = [Date.parse(month.from), Date.parse(month.to) + DAY];
    const days = [3 + random.below(10), 15 + random.below(8)].map((day) => begins + day * DAY);
    // The last batch is sent a minute before midnight, and ends in the next month.
    for (const at of [...days, ends - MINUTE]) {
      clock.advance(Math.max(0, at - clock.now()));
      const rows = [1, 2, 3].map((row) => aRow(3 * batches.length + row));
      const batch = await place.approved(rows, `batch ${batches.length + 1}`);
      service.turns.push(...rows.map(() => random.pick(ANSWERS)));
      if (batches.length % 3 === 1) {
        clock.advance(QUOTE_LASTS);
        service.estimateAnswer = answeredWith({ rate: '15.4', fee: '1.02', speedSeconds: 30 });
        service.rateAnswer = answeredWith('15.4');
      }
      await place.send(batch);
      for (const { state } of await place.payouts(batch))
        if ('quoteAtSend' in state && 'tag' in state) dearer.add(state.tag);
      Object.assign(service, { estimateAnswer, rateAnswer });
      if (at !== ends - MINUTE)
        for (const each of [...batches, batch]) await followUp(each, place, { random, back, less });
      if (at !== ends - MINUTE)
        for (const each of batches)
          if (random.chance(0.1)) await compareLines(each, place, { dearer, banked });
      batches.push(batch);
    }
    clock.advance(ends - clock.now());
    atOnce.push(await madeOf(month, place));
  }
  return { place, atOnce, dearer, less, banked };
}

const MINUTE = 60_000;
const QUOTE_LASTS = 31 * MINUTE;
const answeredWith = <Answer>(answer: Answer) => ({ kind: 'answered', answer }) as const;
const ANSWERS = ['accept', 'accept', 'lose_after', 'lose_before'] as const;

/** Some of what was settled comes back, some doubts are ruled on, and some of what came back is paid again. */
async function followUp(
  batch: BatchId,
  place: Workplace,
  { random, back, less }: { readonly random: Random; readonly back: Set<string>; readonly less: Less },
): Promise<void> {
  const { world, clock, service } = place;
  // An answer may be late for some minutes; nobody rules on a doubt before.
  clock.advance(10 * MINUTE);
  const settle = () =>
    settleBatch(batch, world, { deadline: plusMs(clock.now(), MINUTE), watchReturnsMs: 400 * DAY });
  await settle();
  for (const payout of await place.payouts(batch)) {
    const { state } = payout;
    if (state.status === 'settled' && !less.has(state.transferId) && random.chance(0.1))
      back.add(state.transferId);
    else if (state.status === 'settled' && !back.has(state.transferId) && random.chance(0.05))
      less.set(state.transferId, undefined);
    await sayWhereItIs(payout, place, { random, less });
    if (state.status !== 'in_doubt' || random.chance(0.85)) continue;
    const made = service.book.find(({ note }) => note.includes(state.tag));
    const said = { by: 'ben', evidence: 'as the bank says' } as const;
    const ruling =
      made === undefined
        ? ({ kind: 'not_paid', ...said } as const)
        : ({ kind: 'paid', transferId: made.transferId, ...said } as const);
    const resolved = await resolveDoubt(payout, ruling, world);
    expect(resolved.kind, 'reason' in resolved ? resolved.reason : '').toBe('ruled');
  }
  await settle();
  const rows = (await place.payouts(batch)).filter(({ state }) => state.status === 'returned');
  if (rows.length === 0 || random.chance(0.5)) return;
  const chosen = { kind: 'rows', rows: rows.map(({ rowNumber }) => String(rowNumber)) } as const;
  await reissue(batch, chosen, { by: 'ben', evidence: 'they wrote' }, world);
  await place.agree(batch);
  await place.send(batch);
}

/** The bank's lines of all settled payments of a batch are compared. */
async function compareLines(
  id: BatchId,
  place: Workplace,
  { dearer, banked }: { readonly dearer: ReadonlySet<string>; readonly banked: Set<string> },
): Promise<void> {
  const lines: Line[] = [];
  for (const { state } of await place.payouts(id)) {
    if (state.status !== 'settled') continue;
    const { tag, transferId } = state;
    const about = { Date: new Date(state.sentAt).toISOString().slice(0, 19), Currency: 'GBP' };
    const line = (Amount: string, words = '') => ({ ...about, Amount, Narration: `${words}${tag}` });
    if (dearer.has(tag)) lines.push(line(BANK.dearer));
    else lines.push(line(BANK.principal), line(BANK.fee, 'Fee '));
    banked.add(transferId);
  }
  if (lines.length === 0) return;
  const open = { path: 'bank.csv' };
  const options = { open, map: new Map(), dateOrder: undefined, payments: 'plus' } as const;
  const statement = { openRows: openStatement(lines), options };
  await compareWithStatement([await place.batch(id)], statement, { by: 'ada', ports: place.world });
}

/** Now and then somebody finds out what became of the half that is not shown, or takes that back. */
async function sayWhereItIs(
  payout: Payout,
  { world, ledger }: Workplace,
  { random, less }: { readonly random: Random; readonly less: Less },
): Promise<void> {
  const { state } = payout;
  const batch = await ledger.batch(payout.batchId);
  if (state.status !== 'settled' || restNow(payout).rest === 0n || batch === undefined) return;
  const rest = random.pick(['delivered', 'lost', 'open', undefined] as const);
  const said = { batch, row: state.tag, by: 'ben', reason: 'the bank wrote' };
  if (rest === undefined || whyNotAccepted(payout, undefined, rest) !== undefined) return;
  expect((await acceptDifference({ ...said, rest }, world)).kind).toBe('ruled');
  less.set(state.transferId, rest);
}

describe('a year', () => {
  let [place, atOnce, dearer, less, banked, months, year] = [] as unknown as [
    Workplace,
    readonly PeriodReported[],
    ReadonlySet<string>,
    Less,
    ReadonlySet<string>,
    PeriodReported[],
    PeriodReported,
  ];
  beforeAll(async () => {
    ({ place, atOnce, dearer, less, banked } = await aYear());
    months = [];
    for (const month of MONTHS) months.push(await madeOf(month, place));
    year = await madeOf(YEAR, place);
  }, 90_000);

  it('has what makes a year hard: returns, doubts and second payments over the ends of months', () => {
    const open = months.filter(({ openItems }) => openItems.sums.some(({ inSuspense }) => inSuspense > 0n));
    expect(open.length).toBeGreaterThan(8);
    expect(months.filter(({ totals }) => totals.counts.returned > 0).length).toBeGreaterThan(3);
    expect(place.service.book.length).toBeGreaterThan(90);
  });

  it('has months that are the same whenever they are made', () => {
    for (const [at, made] of months.entries()) {
      const then = atOnce[at];
      expect(made.totals.accounts).toEqual(then?.totals.accounts);
      expect(made.openItems).toEqual(then?.openItems);
      expect(made.totals.counts).toEqual(then?.totals.counts);
      expect(made.totals.differing).toBe(then?.totals.differing);
      expect(made.totals.currencies).toEqual(then?.totals.currencies);
      expect(made.totals.ties).toBe(true);
    }
  });

  it.each(ACCOUNT_ROLES)('has months that add up to it: %s', (role) => {
    for (const [at, made] of months.entries()) {
      const opening = accountsOf(made).get(role)?.opening ?? 0n;
      expect(opening).toBe(at === 0 ? 0n : closing(months[at - 1], role));
    }
    expect(months.reduce((sum, made) => sum + moved(made, role), 0n)).toBe(moved(year, role));
    expect(closing(months.at(-1), role)).toBe(closing(year, role));
  });

  it('closes each month with accounts that its open items add up to', () => {
    for (const made of [...months, year]) {
      const [sum = { count: 0, minor: 0n, inSuspense: 0n }] = made.openItems.sums;
      expect(sum.minor).toBe(-closing(made, 'on_its_way'));
      expect(sum.inSuspense).toBe(closing(made, 'suspense'));
      expect(made.openItems.listed).toHaveLength(sum.count);
    }
  });

  it('comes to what the service’s own book has', async () => {
    const payouts = (
      await Promise.all(
        (await place.ledger.batches()).map(({ id }) => Array.fromAsync(place.ledger.sentPayouts(id))),
      )
    ).flat(2);
    const tags = (status: Status) =>
      payouts.flatMap(({ payout: { state } }) =>
        state.status === status && 'tag' in state ? [state.tag] : [],
      );
    const doubts = tags('in_doubt');
    const [onWay, returned] = [tags('accepted'), tags('returned')];
    const isOf = (some: Iterable<string>, note: string) => [...some].some((tag) => note.includes(tag));
    const sums = Object.fromEntries(ACCOUNT_ROLES.map((role) => [role, 0n])) as Record<AccountRole, bigint>;
    // Nobody can know of the transfers whose answers were lost.
    for (const tag of doubts) {
      const debit = PRINCIPAL + FEE + (dearer.has(tag) ? DEARER : 0n);
      sums.suspense += debit;
      sums.on_its_way -= debit;
    }
    const known = place.service.book.filter(({ note }) => !isOf(doubts, note));
    for (const { note, transferId } of known) {
      const [isDearer, isBanked] = [isOf(dearer, note), banked.has(transferId)];
      const from = isOf(onWay, note) ? 'on_its_way' : 'paying';
      const fee = isBanked && !isDearer ? BANK_FEE : FEE;
      sums.fees += fee;
      sums[from] -= fee;
      if (isOf(returned, note)) continue;
      const fx = isDearer ? (isBanked ? BANK_FX : DEARER) : 0n;
      sums.fx_difference += fx;
      sums[from] -= PRINCIPAL + fx;
      const found = less.get(transferId);
      const missing = found === undefined || found === 'delivered' ? 0n : MISSING;
      sums.owed += PRINCIPAL - missing;
      sums[found === 'lost' ? 'lost' : 'suspense'] += missing;
    }
    expect(Object.fromEntries(ACCOUNT_ROLES.map((role) => [role, closing(year, role)]))).toEqual(sums);
    // Each of them happened, and is not undone.
    const stay = known.filter(({ note }) => !isOf([...onWay, ...returned], note));
    expect(new Set(stay.map(({ transferId }) => less.get(transferId)))).toEqual(
      new Set([undefined, ...REST_FOUND]),
    );
    const ofBank = stay.filter(({ transferId }) => banked.has(transferId));
    expect(ofBank.filter(({ note }) => isOf(dearer, note)).length).toBeGreaterThan(1);
    expect(ofBank.filter(({ note }) => !isOf(dearer, note)).length).toBeGreaterThan(5);
    expect(doubts.filter((tag) => dearer.has(tag)).length).toBeGreaterThan(0);
  });
});
