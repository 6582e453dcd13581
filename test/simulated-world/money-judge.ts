/**
 * Judges money by the rules of `money-rules.md`, from outside: what left for the service must be what somebody saw and
 * agreed to. It knows what was shown (shown-plan.ts), what the service answered (market.ts) and which payout did what
 * (durable-watch.ts), and uses no rule of the application.
 *
 * Units:   amounts as numbers in major units, compared to half a minor unit; virtual milliseconds.
 */
import type { Concern } from '../../src/domain/payouts/concern.ts';
import type { PayoutState, Status } from '../../src/domain/payouts/payout.ts';
import type { Limits } from '../../src/domain/plan/limits.ts';
import type { FileRow } from '../builders/payout-file.ts';
import type { DurableWatch, Known, Moved } from './durable-watch.ts';
import { COUNTRIES, type GivenAnswer, type Market } from './market.ts';
import type { Execution } from './oracle.ts';
import { releasedTexts, type ShownPlan, type ShownRow } from './shown-plan.ts';
import type { TransferRequest } from './wire.ts';

/** What somebody agreed to. */
export interface Agreement {
  readonly rows: readonly ShownRow[];
  /** The principal that was agreed to beforehand; what counts is the price that was first asked. undefined: a plan was read. */
  readonly maxTotal: number | undefined;
}

/** Which concerns a release was about. `names`, `fees`: of every row that is released. */
export type ReleaseScope =
  | { readonly kind: 'named_rows' }
  | { readonly kind: 'all_rows' }
  | { readonly kind: 'kind'; readonly of: string }
  | { readonly kind: 'repeats_of'; readonly batch: number };

/** What the person at a process does; set before it is done. */
export interface Deed {
  agreement?: Agreement;
  release?: ReleaseScope | undefined;
  isCancel?: boolean;
  /** Of the settings when the process began. */
  limits?: Limits;
  /** At most this may be taken for the batch, in the currency that pays. */
  maxDebit?: number | undefined;
  /** The file that the process read last. */
  read?: readonly FileRow[];
}

interface ReleaseSeen {
  readonly scope: ReleaseScope;
  /** Payments that counted then or that the row was held for, by payout; true: one in doubt. */
  readonly others: ReadonlyMap<number, boolean>;
  readonly feeMost: number;
  /** Names that the service had given for the account. */
  readonly holders: readonly string[];
}

export interface MoneyWorld {
  readonly nowMs: () => number;
  readonly market: Market;
  readonly watch: DurableWatch;
  readonly executions: (transferId: string) => Execution | undefined;
  readonly violation: (text: string) => void;
  readonly rules: MoneyRules;
}

export interface MoneyRules {
  readonly driftPercent: number;
  readonly feePercentMax: number;
  readonly quoteMs: number;
  readonly approvalMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Between the commit of the intent and the first byte. */
const SLACK_MS = 2 * MINUTE;
const NAME_MS = DAY;
const LIST_MS = HOUR;
const REPEAT_MS = 20 * HOUR;
/** A day less than the window of 14 days: at its edge either is right. */
const WINDOW_MS = 13 * DAY;
const HALF_MINOR = 0.0051;
/** The shortest time after which an office pays again what the service called unpaid. */
const UNPAID_MS = HOUR;
const UNKNOWN: readonly Status[] = ['sending', 'in_doubt'];
const ON_ITS_WAY: readonly Status[] = ['approved', 'sending', 'in_doubt', 'accepted'];

/** The prices that count where nobody looks at a plan. */
interface Base {
  /** The process that made the first plan. */
  readonly process: string;
  rate: number;
  /** By amount. */
  readonly prices: Map<string, { readonly rate: number; readonly fee: number }>;
}

export class MoneyJudge {
  readonly #world: MoneyWorld;
  readonly #deeds = new Map<string, Deed>();
  readonly #agreements = new Map<number, { readonly agreement: Agreement; readonly atMs: number }>();
  /** Which payouts each row that was agreed to has let go. */
  readonly #used = new Map<Agreement, Map<string, Set<number>>>();
  readonly #releases = new Map<number, ReleaseSeen[]>();
  readonly #namesReleased = new Set<string>();
  /** Payouts that somebody edited in the table, and those that a person agreed to or released after that, as they are. */
  readonly #edited = new Set<number>();
  readonly #agreedEdited = new Set<number>();
  readonly #sentMs = new Map<number, number>();
  readonly #calledUnpaidMs = new Map<number, number>();
  readonly #approvedOrder = new Map<number, number>();
  readonly #bases = new Map<number, Base>();
  /** What was shown, by its digest. */
  readonly #plans = new Map<string, string>();
  #orders = 0;
  /** Judges only where people agree through `Deed`. */
  isOn = false;

  constructor(world: MoneyWorld) {
    this.#world = world;
  }

  /** What the person at this process does. */
  deedOf(process: string): Deed {
    const deed = this.#deeds.get(process) ?? {};
    this.#deeds.set(process, deed);
    return deed;
  }

  /** Somebody wrote into the row of the ledger. Until it is agreed to anew, nothing of it may be sent. */
  edited(payout: number): void {
    this.#edited.add(payout);
    this.#agreedEdited.delete(payout);
  }

  moved(moved: Moved, known: Known, process: string): void {
    if (!this.isOn) return;
    const { payout, kind } = moved;
    const deed = this.deedOf(process);
    if (kind === 'price' || kind === 'hold') this.#keepBase(known, process);
    if (kind === 'hold') this.#judgeHold(known);
    if (kind === 'release') this.#released(known, moved.before, deed);
    if (kind === 'approve') this.#approved(known, deed);
    if (moved.from === 'approved' && ['quoted', 'held', 'canceled'].includes(moved.to))
      this.#agreements.delete(payout);
    if (kind === 'begin_attempt') this.#judgeRepeats(known, 'sent');
    if (kind === 'fail' || kind === 'return') {
      this.#calledUnpaidMs.set(payout, this.#world.nowMs());
      this.#judgeWord(known);
    }
  }

  /**
   * A plan was shown: its digest stands for nothing else; the service named each holder for just this account; of rows that may
   * be one payment, all but the first wait, or were released.
   */
  shown({ batch, digest, rows }: ShownPlan): void {
    // Of a name that matches, the holder's is what counts: spaces and letter case tell no two plans apart.
    const asMeant = rows.map((row) =>
      row.nameCheck === 'match' ? { ...row, name: lettersOf(row.name) } : row,
    );
    const text = JSON.stringify(asMeant.toSorted((a, b) => (a.payout ?? 0) - (b.payout ?? 0)));
    const before = this.#plans.get(digest) ?? text;
    this.#plans.set(digest, before);
    if (before !== text)
      this.#world.violation(`money: two plans of ${batch} have one digest: ${before} and ${text}`);
    for (const { payout, holder, shownAccount = '' } of rows)
      if (holder !== '' && this.#wasAsked(payout) && !this.#holdersOf(shownAccount).includes(holder))
        this.#world.violation(
          `money: the plan of ${batch} shows ${holder} as the holder of ${shownAccount}, payout ${payout}`,
        );
    const isReleased = ({ released }: ShownRow) => released.some((text) => text.includes('"repeat"'));
    for (const [at, row] of rows.entries())
      for (const above of rows.slice(0, at)) {
        const isAlike =
          Number(row.amount) === Number(above.amount) &&
          foldedGhana(row.shownAccount ?? '') === foldedGhana(above.shownAccount ?? '');
        const isTold = row.reference !== '' && above.reference !== '' && row.reference !== above.reference;
        // Somebody may pay a row again while others are priced; the approval sees it.
        if (!isAlike || isTold || isReleased(row) || isReleased(above) || this.#isPaidAgain(above)) continue;
        this.#world.violation(
          `money: the plan of ${batch} shows payouts ${above.payout} and ${row.payout} as two`,
        );
      }
  }

  #isPaidAgain({ payout = 0 }: ShownRow): boolean {
    const known = this.#world.watch.payouts.get(payout);
    return known !== undefined && known.root !== known.id;
  }

  /** A request leaves. */
  sent(payout: number, request: TransferRequest, process: string): void {
    const known = this.#world.watch.payouts.get(payout);
    if (!this.isOn || known === undefined) return;
    if (!this.#sentMs.has(payout)) this.#sentMs.set(payout, this.#world.nowMs());
    const agreed = this.#agreements.get(payout);
    if (agreed === undefined) {
      this.#says(payout, 'is sent, and nobody agreed to it');
      return;
    }
    const { agreement, atMs } = agreed;
    if (this.#world.nowMs() - atMs > this.#world.rules.approvalMs + 10 * MINUTE)
      this.#says(payout, 'is sent after its approval had ended');
    const row = this.#agreedRow(payout, request, agreement);
    if (row === undefined) return;
    const { maxTotal } = agreement;
    this.#judgeMeaning(payout, maxTotal === undefined ? row : this.#asListed(row), request, process);
    this.#judgeHolder(payout, row, request);
    this.#judgeCost(known, row, request, agreement);
    this.#judgeBound(known, this.deedOf(process));
  }

  #says(payout: number, text: string): void {
    this.#world.violation(`money: payout ${payout} ${text}`);
  }

  // What was agreed to

  #approved(known: Known, deed: Deed): void {
    const { id, batch } = known;
    const { agreement } = deed;
    this.#orders += 1;
    this.#approvedOrder.set(id, this.#orders);
    if (this.#edited.has(id) && agreement?.maxTotal === undefined) this.#agreedEdited.add(id);
    if (agreement === undefined) {
      this.#says(id, 'is approved, and nobody agreed to anything');
      return;
    }
    this.#agreements.set(id, { agreement, atMs: this.#world.nowMs() });
    this.#judgeRepeats(known, 'approved');
    this.#judgeLimit(known, deed);
    const { maxTotal, rows } = agreement;
    if (maxTotal === undefined) {
      this.#judgeSeen(known, agreement);
      this.#agreedPrices(batch, rows);
      return;
    }
    this.#judgeWritten(known, rows);
    const total = this.#principalOf(batch);
    if (total > maxTotal + HALF_MINOR)
      this.#says(id, `makes the batch pay ${total.toFixed(2)}, and ${maxTotal} was the ceiling`);
  }

  /** What a person agreed to is this payout, at this price, for this holder, with these releases. */
  #judgeSeen({ id, payout: { state, instruction } }: Known, { rows }: Agreement): void {
    const row = rows.find(({ payout }) => payout === id);
    if (row === undefined) {
      this.#says(id, 'is approved, and the plan that was shown did not have it');
      return;
    }
    if (instruction !== undefined && 'pricing' in state) {
      const { nameCheck, quote } = state.pricing ?? {};
      const cost = quote && Number(row.amount) / Number(quote.rate) + Number(quote.fee);
      if (Math.abs((cost ?? 0) - (row.cost?.debit ?? 0)) > 2 * HALF_MINOR)
        this.#says(id, `is approved at a cost of ${cost?.toFixed(2)}, and ${row.cost?.debit} was shown`);
      if ((nameCheck?.resolved ?? '') !== row.holder)
        this.#says(id, `is approved for ${nameCheck?.resolved}, and ${row.holder} was shown`);
      this.#judgeName(id, row, instruction.institutionId);
    }
    const released = 'releases' in state ? releasedTexts(state.releases) : [];
    if (released.join() !== row.released.join())
      this.#says(id, `is approved with releases that nobody saw: ${released.join() || 'none'}`);
  }

  /** A ceiling agrees to the institution that is written in the file, and to the country as the file was read. */
  #judgeWritten({ id, payout: { instruction, state } }: Known, rows: readonly ShownRow[]): void {
    if (instruction === undefined || !('pricing' in state) || state.pricing === undefined) return;
    const { countryName, institutionName } = state.pricing;
    const account = instruction.account.reveal();
    const written = rows.filter((row) => row.account === account).map(({ institution }) => institution);
    const differing = [
      ...(written.length === 0 || written.includes(institutionName)
        ? []
        : [[institutionName, written.join(' or ')]]),
      ...(countryName === instruction.destinationName ? [] : [[countryName, instruction.destinationName]]),
    ];
    for (const [is, said] of differing)
      this.#says(id, `is approved by a ceiling for ${is}, and the file says ${said}`);
  }

  /** A row above the limit waits until somebody released it for this limit. */
  #judgeLimit({ id, payout: { instruction, state } }: Known, { limits }: Deed): void {
    const max = limits?.rowMax[0]?.minor;
    const minor = instruction?.amount.minor ?? 0n;
    if (max === undefined || minor <= max) return;
    const saw = 'releases' in state ? state.releases.flatMap((each) => each.saw) : [];
    if (!saw.some((one) => one.kind === 'over_limit' && one.limit === max && one.minor >= minor))
      this.#says(id, `is approved above the limit of ${max}, and nobody released that`);
  }

  /** What is taken for the batch by all processes together. */
  #judgeBound({ id, batch }: Known, { maxDebit }: Deed): void {
    if (maxDebit === undefined) return;
    const taken: readonly Status[] = [...UNKNOWN, 'accepted', 'settled'];
    let total = 0;
    for (const { batch: of, payout } of this.#world.watch.payouts.values()) {
      const { state, instruction } = payout;
      if (of !== batch || !taken.includes(state.status) || !('tag' in state)) continue;
      const quote = state.quoteAtSend ?? state.pricing.quote;
      if (quote !== undefined)
        total +=
          Number(instruction?.amount.minor ?? 0n) / 100 / Number(quote.rate) +
          Number(quote.fee) -
          2 * HALF_MINOR;
    }
    if (total > maxDebit)
      this.#says(id, `makes the batch cost ${total.toFixed(2)}, and ${maxDebit} was the bound`);
  }

  #principalOf(batch: number): number {
    const counts: readonly Status[] = [...ON_ITS_WAY, 'settled'];
    let minor = 0n;
    for (const { batch: of, payout } of this.#world.watch.payouts.values())
      if (of === batch && counts.includes(payout.state.status))
        minor += payout.instruction?.amount.minor ?? 0n;
    return Number(minor) / 100;
  }

  /** The one row that was shown with exactly these values. */
  #agreedRow(payout: number, request: TransferRequest, agreement: Agreement): ShownRow | undefined {
    const { rows } = agreement;
    const isReleased = this.#releasesOf(payout).some(({ scope }) => coversNames(scope));
    const { Fi, AccountNo, Name } = request;
    const isRemembered = ({ name }: ShownRow) => this.#namesReleased.has(nameKey(Fi, AccountNo, name, Name));
    const isEdited = this.#agreedEdited.has(payout);
    const differing = (row: ShownRow) =>
      differences(row, request, { isNameReleased: isReleased || isRemembered(row), isEdited });
    const fits = rows.filter((row) => differing(row).length === 0);
    // Two rows may look alike and cost another fee, since they were priced at different times.
    const own = fits.filter((one) => one.payout === payout);
    const shown = own.length > 0 ? own : fits;
    const row = shown.find((one) => this.#isCalled(one.institution, request.Fi)) ?? shown[0];
    if (row === undefined) {
      const best = rows.map(differing).sort((one, other) => one.length - other.length)[0];
      this.#says(payout, `is sent otherwise than it was shown: ${best?.join(', ') ?? 'no row was shown'}`);
      return undefined;
    }
    const key = JSON.stringify([
      request.AccountNo,
      request.Amount,
      request.Name,
      request.Phone,
      request.Note.slice(NOTE_AT),
    ]);
    const used = this.#used.get(agreement) ?? new Map<string, Set<number>>();
    this.#used.set(agreement, used);
    const payouts = (used.get(key) ?? new Set<number>()).add(payout);
    used.set(key, payouts);
    if (payouts.size > fits.length)
      this.#says(
        payout,
        `is sent for a row that was shown ${fits.length} times, with ${payouts.size - 1} other payouts`,
      );
    return row;
  }

  // What the ids meant, whose account it is, what it costs

  #answers<Kind extends GivenAnswer['kind']>(kind: Kind, forMs: number, process?: string) {
    const since = this.#world.nowMs() - forMs - SLACK_MS;
    return this.#world.market.answers.filter(
      (answer): answer is Extract<GivenAnswer, { kind: Kind }> =>
        answer.kind === kind && (answer.atMs >= since || answer.to === process),
    );
  }

  #judgeMeaning(payout: number, row: ShownRow, request: TransferRequest, process: string): void {
    const lists = [
      ['country', request.Destination, row.country, this.#answers('countries', LIST_MS, process)],
      ['institution', request.Fi, row.institution, this.#answers('institutions', LIST_MS, process)],
    ] as const;
    for (const [what, id, name, answers] of lists) {
      const names = answers.flatMap(({ list }) => [...list].find((one) => one.id === id)?.name ?? []);
      if (names.length === 0) this.#says(payout, `is sent, and nobody asked what its ${what} is now`);
      else if (!names.includes(name))
        this.#says(payout, `goes to the ${what} ${names.at(-1)}, and ${name} was shown`);
    }
  }

  /** Whether the service gave the id this name when it was asked last. */
  #isCalled(name: string, id: string): boolean {
    const last = this.#world.market.answers.findLast((one) => one.kind === 'institutions');
    return last?.kind === 'institutions' && last.list.some((each) => each.id === id && each.name === name);
  }

  /** Nobody saw what the service calls the country that is written there: whatever it calls it, it is the one meant. */
  #asListed(row: ShownRow): ShownRow {
    const listed = this.#world.market.answers.flatMap((one) =>
      one.kind === 'countries' ? [...one.list] : [],
    );
    const meant = [...COUNTRIES, ...listed].find(({ name }) => name === row.country)?.iso;
    return { ...row, country: listed.findLast(({ iso }) => iso === meant)?.name ?? row.country };
  }

  #judgeHolder(payout: number, row: ShownRow, { Fi, AccountNo }: TransferRequest): void {
    if (row.holder === '') return;
    const asked = this.#answers('name', NAME_MS).filter(({ account }) => account === AccountNo);
    if (asked.length === 0) {
      this.#says(payout, 'is sent, and its holder was not asked for a day or more');
      return;
    }
    if (!asked.some(({ holder = '' }) => lettersOf(holder) === lettersOf(row.holder)))
      this.#says(payout, `is sent to ${asked.at(-1)?.holder}, and ${row.holder} was shown`);
    this.#judgeName(payout, row, Fi);
  }

  /** Where the holder is somebody else, a person released just that. */
  #judgeName(payout: number, { nameCheck, account, name, holder }: ShownRow, institutionId: string): void {
    if (nameCheck !== 'no_match') return;
    const isSeen = this.#releasesOf(payout).some(
      ({ scope, holders }) => coversNames(scope) && holders.includes(holder),
    );
    if (!isSeen && !this.#namesReleased.has(nameKey(institutionId, account, name, holder)))
      this.#says(payout, `goes to ${holder} for ${name}, and nobody released that`);
  }

  #judgeCost(known: Known, row: ShownRow, request: TransferRequest, { maxTotal }: Agreement): void {
    const { rules } = this.#world;
    const amount = Number(row.amount);
    const fees = this.#feesOf(amount);
    const asked = [...this.#answers('rate', rules.quoteMs), ...this.#answers('estimate', rules.quoteMs)];
    const rates = asked.map(({ rate }) => rate);
    if (rates.length === 0 || fees.length === 0) {
      this.#says(known.id, 'is sent at a price that is older than allowed');
      return;
    }
    const fee = Math.min(...fees);
    const cost = amount / Math.max(...rates) + fee;
    // Where nobody saw a price, it may be any of these: the dearest is the one of which the fee is the least part.
    this.#judgeFee(known.id, row.cost ?? { fee, debit: amount / Math.min(...rates) + fee });
    const base = this.#bases.get(known.batch);
    const mine = base?.prices.get(amountKey(request.Amount));
    const first = base && amount / (mine?.rate ?? base.rate) + (mine?.fee ?? fee);
    const agreed =
      maxTotal === undefined
        ? row.cost?.debit
        : first && Math.max(first, ...this.#consentedTo(known.batch, amount));
    if (agreed !== undefined && cost > agreed * (1 + rules.driftPercent / 100) + 2 * HALF_MINOR)
      this.#says(
        known.id,
        `costs ${cost.toFixed(2)}, and ${agreed.toFixed(2)} was ${maxTotal === undefined ? 'agreed to' : 'first asked'}`,
      );
  }

  /**
   * What people agreed to pay for this amount in this batch, also where their approval then came to nothing: that moves
   * what counts, for each row of the amount.
   */
  #consentedTo(batch: number, amount: number): readonly number[] {
    const agreements = [...this.#deeds.values()].flatMap(({ agreement }) => agreement ?? []);
    const seen = agreements.filter(({ maxTotal }) => maxTotal === undefined).flatMap(({ rows }) => rows);
    const isMeant = ({ payout, amount: shown }: ShownRow) =>
      this.#world.watch.payouts.get(payout ?? 0)?.batch === batch && Number(shown) === amount;
    return seen.flatMap((row) => (row.cost !== undefined && isMeant(row) ? [row.cost.debit] : []));
  }

  /** Fees of the day; where only those of other amounts were asked, the last one that was. */
  #feesOf(amount: number): readonly number[] {
    const today = this.#answers('estimate', DAY);
    const mine = today.filter((one) => Number(one.amount) === amount);
    if (mine.length > 0 || today.length === 0) return mine.map(({ fee }) => fee);
    const last = this.#world.market.answers.findLast(
      (one) => one.kind === 'estimate' && Number(one.amount) === amount,
    );
    return last?.kind === 'estimate' ? [last.fee] : [];
  }

  #judgeFee(payout: number, { fee, debit }: NonNullable<ShownRow['cost']>): void {
    if (fee * 100 <= debit * this.#world.rules.feePercentMax + HALF_MINOR) return;
    const released = this.#releasesOf(payout).filter(({ scope }) => coversFees(scope));
    const most = Math.max(0, ...released.map(({ feeMost }) => feeMost));
    if (fee > most + HALF_MINOR) this.#says(payout, `has a fee of ${fee}, and at most ${most} was released`);
  }

  /** The price that was first asked for the batch, at its dearest. */
  #keepBase({ batch, payout }: Known, process: string): void {
    const amount = Number(payout.instruction?.amount.minor ?? 0n) / 100;
    const asked = this.#world.market.answers.filter(({ to }) => to === process);
    const estimates = asked.flatMap((one) => (one.kind === 'estimate' ? [one] : []));
    const mine = estimates.filter((one) => Number(one.amount) === amount);
    if (mine.length === 0) return;
    const dearest = {
      rate: Math.min(...mine.map(({ rate }) => rate)),
      fee: Math.max(...mine.map(({ fee }) => fee)),
    };
    const base = this.#bases.get(batch) ?? { process, rate: dearest.rate, prices: new Map() };
    this.#bases.set(batch, base);
    // The rate may move while the first plan is made. An amount that joins later has no rate of its own.
    const isFirst = base.process === process;
    if (isFirst) base.rate = Math.min(base.rate, dearest.rate);
    const key = amountKey(amount);
    if (!base.prices.has(key))
      base.prices.set(key, isFirst ? dearest : { rate: base.rate, fee: dearest.fee });
  }

  /** A person who agrees to a plan agrees to its prices. */
  #agreedPrices(batch: number, rows: readonly ShownRow[]): void {
    const base = this.#bases.get(batch);
    if (base === undefined) return;
    const rates: number[] = [];
    for (const { amount, cost } of rows) {
      if (cost === undefined) continue;
      const rate = Number(amount) / (cost.debit - cost.fee + HALF_MINOR);
      rates.push(rate);
      base.prices.set(amountKey(Number(amount)), { rate, fee: cost.fee });
    }
    if (rates.length > 0) base.rate = Math.min(...rates);
  }

  // Releases and repeats

  #releasesOf(payout: number): readonly ReleaseSeen[] {
    return this.#releases.get(payout) ?? [];
  }

  /** What somebody said at another process, where a worker does it: the release names the batch. */
  #saidElsewhere({ payout: { state } }: Known): ReleaseScope | undefined {
    const reason = 'releases' in state ? (state.releases.at(-1)?.reason ?? '') : '';
    return [...this.#deeds.values()]
      .map(({ release }) => release)
      .find((scope) => scope?.kind === 'repeats_of' && reason.includes(`batch ${scope.batch} `));
  }

  #released(known: Known, before: PayoutState, deed: Deed): void {
    const { id, payout } = known;
    if (this.#edited.has(id)) this.#agreedEdited.add(id);
    const scope = deed.release ?? this.#saidElsewhere(known);
    if (scope === undefined) {
      this.#says(id, 'is released, and nobody released it');
      return;
    }
    const { instruction } = payout;
    const amount = Number(instruction?.amount.minor ?? 0n) / 100;
    const { answers } = this.#world.market;
    // Of a row that somebody edited, the amount that was shown is the one in the table.
    const isOfRow = (asked: number) => asked === amount || this.#edited.has(id);
    const fees = answers.flatMap((one) =>
      one.kind === 'estimate' && isOfRow(Number(one.amount)) ? [one.fee] : [],
    );
    if (scope.kind === 'repeats_of') this.#judgeAnswered(known, scope.batch);
    this.#judgeKinds(known, scope);
    const account = instruction?.account.reveal() ?? '';
    const holders = this.#holdersOf(account);
    const seen = {
      scope,
      feeMost: Math.max(0, ...fees),
      holders,
      others: this.#others(known, before, scope),
    };
    this.#releases.set(id, [...this.#releasesOf(id), seen]);
    if (!coversNames(scope)) return;
    for (const holder of holders)
      this.#namesReleased.add(
        nameKey(instruction?.institutionId ?? '', account, instruction?.name ?? '', holder),
      );
  }

  /** Everybody whom the service ever named for the account. */
  #holdersOf(account: string): readonly string[] {
    return this.#world.market.answers.flatMap((one) =>
      one.kind === 'name' && one.account === account ? (one.holder ?? []) : [],
    );
  }

  /** False: the name of the row has to be asked for before anything is sent. */
  #wasAsked(payout: number | undefined): boolean {
    const state = this.#world.watch.payouts.get(payout ?? 0)?.payout.state;
    return state !== undefined && 'pricing' in state && (state.pricing?.nameCheckedAt ?? 0) > 0;
  }

  /** Whoever releases everything has looked at no possible repeat and no changed account. */
  #judgeKinds({ id, payout: { state } }: Known, scope: ReleaseScope): void {
    const saw = 'releases' in state ? (state.releases.at(-1)?.saw ?? []) : [];
    const isMeant = ({ kind }: Concern) => {
      if (scope.kind === 'all_rows') return !['repeat', 'other_account', 'maybe_paid'].includes(kind);
      if (scope.kind === 'repeats_of') return kind === 'repeat';
      return scope.kind === 'named_rows' || scope.of === kind;
    };
    for (const concern of saw)
      if (!isMeant(concern)) this.#says(id, `is released for ${concern.kind}, and nobody meant that`);
  }

  /** Payments that a person sees beside this one: those that it is held for, and those that it may repeat now. true: in doubt. */
  #others(known: Known, before: PayoutState, { kind }: ReleaseScope): ReadonlyMap<number, boolean> {
    const found = new Map<number, boolean>();
    // “A new period” answers for what is found when it is said, not for what the row was held for before.
    for (const { concern } of before.status === 'held' ? before.reasons : [])
      if (concern.kind === 'repeat')
        found.set(Number(concern.of), concern.isUnknown && kind !== 'repeats_of');
    for (const other of this.#world.watch.payouts.values()) {
      if (other.id === known.id || other.root === known.root) continue;
      const { status } = other.payout.state;
      const isAbove =
        other.batch === known.batch &&
        other.payout.rowNumber < known.payout.rowNumber &&
        ['planned', 'held', 'quoted', 'approved'].includes(status);
      if (isAbove || this.#counts(other))
        found.set(
          other.id,
          found.get(other.id) === true || UNKNOWN.includes(status) || this.#isCalledUnpaid(other),
        );
    }
    return found;
  }

  /** Whether a repeat of this payment has to be asked about. */
  #counts(known: Known): boolean {
    const { id, payout } = known;
    const { status } = payout.state;
    if (ON_ITS_WAY.includes(status) || this.#isCalledUnpaid(known)) return true;
    return status === 'settled' && this.#world.nowMs() - (this.#sentMs.get(id) ?? 0) < WINDOW_MS;
  }

  /** The service said a short time ago that it failed or came back: it may be Finished tomorrow. */
  #isCalledUnpaid({ id, payout }: Known): boolean {
    if (payout.state.status !== 'failed' && payout.state.status !== 'returned') return false;
    const calledMs = this.#calledUnpaidMs.get(id) ?? Number.NEGATIVE_INFINITY;
    return this.#world.nowMs() - calledMs < UNPAID_MS - SLACK_MS;
  }

  /** “A new period” of a batch is refused while that batch has something open, or was sent just now. */
  #judgeAnswered({ id, batch: own }: Known, batch: number): void {
    const rows = [...this.#world.watch.payouts.values()].filter((one) => one.batch === batch);
    // A colleague may approve a row of it while the rows that were answered for are priced.
    const isJustApproved = (row: number) =>
      this.#world.nowMs() - (this.#agreements.get(row)?.atMs ?? 0) < SLACK_MS;
    const isOpen = rows.some(
      ({ id: row, payout: { state } }) =>
        [...ON_ITS_WAY, 'held'].includes(state.status) &&
        !(state.status === 'approved' && isJustApproved(row)),
    );
    // Of a batch of which nothing went out, rows that were planned again elsewhere may be paid: they have times of their own.
    const sent = rows.flatMap((one) => this.#sentMs.get(one.id) ?? []);
    if (batch !== own && isOpen)
      this.#says(id, `is released as a new period of batch ${batch}, which is open`);
    if (sent.length > 0 && this.#world.nowMs() - Math.min(...sent) < REPEAT_MS - SLACK_MS)
      this.#says(id, `is released as a new period of batch ${batch}, which was first sent just now`);
  }

  #judgeRepeats(known: Known, done: 'approved' | 'sent'): void {
    for (const other of this.#world.watch.payouts.values()) {
      if (other.id === known.id || other.root === known.root || !this.#counts(other)) continue;
      const { status } = other.payout.state;
      const isUnknown = UNKNOWN.includes(status) || this.#isCalledUnpaid(other);
      const why = repeatOf(known, other, isUnknown);
      if (why === undefined) continue;
      const order = (id: number) => this.#approvedOrder.get(id) ?? 0;
      if (status === 'approved' && order(other.id) > order(known.id)) continue;
      if (this.#names(known, other, isUnknown) || this.#names(other, known, false)) continue;
      this.#says(
        known.id,
        `is ${done} beside payout ${other.id} (${status}): ${why}, and nobody released that`,
      );
    }
  }

  /** Held as a repeat: there is a payment that it may repeat. */
  #judgeHold(known: Known): void {
    const { state } = known.payout;
    if (state.status !== 'held' || !state.reasons.some(({ concern }) => concern.kind === 'repeat')) return;
    const others = [...this.#world.watch.payouts.values()].filter((other) => other.id !== known.id);
    if (!others.some((other) => repeatOf(known, other, false) !== undefined || this.#isUnknown(other, known)))
      this.#says(known.id, 'is held as a repeat, and repeats nothing');
  }

  /** Whatever went out once may be paid, with whatever reference. */
  #isUnknown(other: Known, known: Known): boolean {
    return other.payout.attempts > 0 && repeatOf(known, other, true) !== undefined;
  }

  /** Whether somebody who released the one saw the other. */
  #names(one: Known, other: Known, isUnknown: boolean): boolean {
    return this.#releasesOf(one.id).some(({ scope, others }) => {
      const wasUnknown = others.get(other.id);
      if (wasUnknown === undefined || (isUnknown && !wasUnknown)) return false;
      if (scope.kind !== 'repeats_of') return coversRepeats(scope);
      return other.batch === scope.batch && one.batch !== scope.batch && !wasUnknown;
    });
  }

  /** A word that ends a payment counts only if the transfer that shows it is this payment. */
  #judgeWord({ id, payout }: Known): void {
    const { state, instruction } = payout;
    const transferId = 'transferId' in state ? state.transferId : undefined;
    const execution = transferId === undefined ? undefined : this.#world.executions(transferId);
    if (execution === undefined || !('tag' in state) || execution.tag === state.tag) return;
    if (execution.account === instruction?.account.reveal()) return;
    this.#says(id, `is ${state.status} by a transfer to ${execution.name}`);
  }
}

const coversRepeats = (scope: ReleaseScope) =>
  scope.kind === 'named_rows' || (scope.kind === 'kind' && scope.of === 'repeat');
const coversNames = (scope: ReleaseScope) =>
  scope.kind === 'named_rows' ||
  scope.kind === 'all_rows' ||
  (scope.kind === 'kind' && scope.of.startsWith('name'));
const coversFees = (scope: ReleaseScope) =>
  scope.kind === 'named_rows' || scope.kind === 'all_rows' || (scope.kind === 'kind' && scope.of === 'fee');

const amountKey = (amount: number) => amount.toFixed(2);
const lettersOf = (name: string) => name.toLowerCase().replace(/[^\p{L}]/gu, '');
const wordsOf = (name: string) => name.toLowerCase().split(/\s+/).sort().join(' ');
const nameKey = (institutionId: string, account: string, written: string, holder: string) =>
  JSON.stringify([institutionId, account, wordsOf(written), holder]);

/** The tag of 11 characters and a space stand before the note of the file. */
const NOTE_AT = 12;

/** In which values a request is another than the row that was shown. */
function differences(
  row: ShownRow,
  request: TransferRequest,
  { isNameReleased, isEdited }: { readonly isNameReleased: boolean; readonly isEdited: boolean },
): string[] {
  const names = [row.name, row.holder].filter((name) => name !== '');
  // Where nobody saw the holder, it is the name that was written, in whatever order and letters.
  const isWritten = row.cost === undefined && (isNameReleased || wordsOf(row.name) === wordsOf(request.Name));
  const all = {
    account: [row.account, request.AccountNo],
    'shown account': [row.shownAccount ?? row.account, request.AccountNo],
    amount: [amountKey(Number(row.amount)), amountKey(request.Amount)],
    phone: [row.phone, request.Phone ?? ''],
    note: [row.note, request.Note.slice(NOTE_AT)],
  } as const;
  // Whoever agreed after an edit saw what the row of the ledger says, and not the file.
  const ofFile = ['account', 'phone', ...(row.shownAccount === undefined ? ['shown account', 'amount'] : [])];
  const pairs = Object.entries(all).filter(([what]) => !isEdited || !ofFile.includes(what));
  const found = pairs.filter(([, [shown, sent]]) => shown !== sent);
  const isNamed = isWritten || names.length === 0 || names.some((name) => name === request.Name);
  return [
    ...found.map(([what, [shown, sent]]) => `${what} “${shown}” → “${sent}”`),
    ...(isNamed ? [] : [`name “${names.join('” or “')}” → “${request.Name}”`]),
  ];
}

/** Why two payments may be one; undefined: they are two. */
function repeatOf({ payout: one }: Known, { payout: other }: Known, isUnknown: boolean): string | undefined {
  const [a, b] = [one.instruction, other.instruction];
  if (a === undefined || b === undefined) return undefined;
  const [mine, its] = [a.reference ?? '', b.reference ?? ''];
  if (mine !== '' && mine === its) return 'the same reference';
  if (mine !== '' && its !== '' && !isUnknown) return undefined;
  const isSame =
    a.destinationId === b.destinationId &&
    a.amount.currency === b.amount.currency &&
    a.amount.minor === b.amount.minor &&
    foldedGhana(a.account.reveal()) === foldedGhana(b.account.reveal());
  return isSame ? 'the same money to the same account' : undefined;
}

/** Marks, letter case and the country's calling code make no other account. */
function foldedGhana(account: string): string {
  const plain = account.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return /^\d+$/.test(plain) ? plain.replace(/^(00)?233/, '').replace(/^0+/, '') : plain;
}
