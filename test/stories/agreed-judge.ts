/**
 * The judge of a history: what somebody saw and agreed to, against the book of the service. It knows nothing of payfile's
 * states. Where two readings of a history are possible, it takes the one that allows more.
 */
import type { Paid } from '../fakes/changing-service.ts';

/** A line as the file has it. */
export interface WrittenLine {
  readonly note: string;
  readonly account: string;
  readonly amount: string;
  readonly name: string;
  readonly phone: string;
  readonly reference: string;
}

/** What the service says at a moment. */
export interface WorldSeen {
  readonly rate: number;
  readonly fee: number;
  readonly bank: string;
  readonly holders: Readonly<Record<string, string | undefined>>;
}

/** Somebody, or a ceiling, agreed to these lines. `most`: what a line may take, in hundredths. */
export interface Agreement {
  readonly batch: string;
  readonly lines: readonly WrittenLine[];
  readonly world: WorldSeen;
  readonly most: (amount: number) => number;
  readonly at: number;
}

/** A payment by its batch and its line: `may N3`. */
export type PaymentId = string;

/** Somebody released a line, and saw this. */
export interface ReleaseSeen {
  readonly of: PaymentId;
  readonly fee: number;
  readonly amount: string;
  /** Payments that it may repeat, and which of them were in doubt. */
  readonly repeats: ReadonlySet<PaymentId>;
  readonly doubtful: ReadonlySet<PaymentId>;
  readonly at: number;
}

/** One executed transfer, with what the test knows of it. */
export interface Execution extends Paid {
  readonly batch: string;
  readonly line: WrittenLine | undefined;
  /** Who held the account when it was paid. */
  readonly holder: string | undefined;
  /** The number of the command that sent it. */
  readonly command: number;
}

export interface Evidence {
  readonly book: readonly Execution[];
  readonly agreements: readonly Agreement[];
  readonly releases: readonly ReleaseSeen[];
  /** `account|name as written|holder`. */
  readonly namesReleased: ReadonlySet<string>;
  readonly canceled: readonly { readonly of: PaymentId; readonly line: WrittenLine; readonly at: number }[];
  /** The person behind an account; spellings that differ by marks or country code are one. */
  readonly sameAccount: (one: string, other: string) => boolean;
}

const DRIFT = 1.01;
const WINDOW_MS = 14 * 86_400_000 - 3_600_000;
export const idOf = (batch: string, note: string): PaymentId => `${batch} ${note}`;
const idOfPaid = ({ batch, line }: Execution) => idOf(batch, line?.note ?? '?');

/** Sentences about what should not have been paid; none when all is well. */
export function faultsOf(evidence: Evidence): string[] {
  const { book } = evidence;
  return book.flatMap((paid, index) => {
    const who = `${idOfPaid(paid)} (${paid.account}, ${paid.amount})`;
    return [
      ...agreedFault(paid, evidence),
      ...releasedFaults(paid, evidence),
      ...book.slice(0, index).flatMap((before) => twiceFault(paid, before, evidence)),
    ].map((fault) => `${who}: ${fault}`);
  });
}

function agreedFault(paid: Execution, { agreements, canceled }: Evidence): string[] {
  const { line } = paid;
  if (line === undefined) return ['no line of any file has its note'];
  const gone = canceled.some((one) => one.of === idOfPaid(paid) && one.at <= paid.at && isAs(one.line, paid));
  if (gone) return ['it was cancelled'];
  const said = agreements.filter(({ batch, at }) => batch === paid.batch && at <= paid.at);
  const exact = said.filter(({ lines }) => lines.some((one) => one.note === line.note && isAs(one, paid)));
  if (exact.length === 0) return ['nobody agreed to this account, amount and phone'];
  const named = exact.filter(({ world, lines }) => {
    const written = lines.find((one) => one.note === line.note)?.name;
    return paid.name === written || paid.name === world.holders[paid.account];
  });
  if (named.length === 0) return [`nobody agreed to the name ${paid.name}`];
  const meant = named.filter(({ world }) => world.bank === paid.institutionName);
  if (meant.length === 0) return [`nobody agreed to ${paid.institutionName}`];
  const held = meant.filter(({ world }) => world.holders[paid.account] === paid.holder);
  if (held.length === 0) return [`nobody agreed to pay ${paid.holder ?? 'somebody unknown'}`];
  const most = Math.max(...held.map((one) => one.most(Number(paid.amount))));
  return paid.debit > most * DRIFT + 1 ? [`it took ${paid.debit}, and ${most} was agreed to`] : [];
}

const isAs = (line: WrittenLine, paid: Execution) =>
  line.account === paid.account && Number(line.amount) === Number(paid.amount) && line.phone === paid.phone;

/** A name that differs and a fee above a fifth are paid only when a person released them. */
function releasedFaults(paid: Execution, { releases, namesReleased, agreements }: Evidence): string[] {
  const { line } = paid;
  if (line === undefined) return [];
  const faults: string[] = [];
  const own = releases.filter(({ of, at }) => of === idOfPaid(paid) && at <= paid.at);
  const isFeeSeen = own.some(({ fee, amount }) => fee >= paid.fee && Number(amount) === Number(paid.amount));
  if (paid.fee / paid.debit > 0.2 && !isFeeSeen) faults.push('nobody released its fee');
  const isGood = agreements.some(({ batch, at, lines, world: { holders } }) => {
    const agreed = lines.find((one) => one.note === line.note && isAs(one, paid));
    if (batch !== paid.batch || at > paid.at || agreed === undefined) return false;
    const holder = holders[paid.account];
    return holder === agreed.name || namesReleased.has(nameKey(agreed, holder));
  });
  if (!isGood) faults.push('nobody released its name');
  return faults;
}

export const nameKey = ({ account, name }: WrittenLine, holder: string | undefined): string =>
  [account, name, holder ?? ''].join('|');

function twiceFault(paid: Execution, before: Execution, evidence: Evidence): string[] {
  const [own, other] = [idOfPaid(paid), idOfPaid(before)];
  if (own === other) return ['it was paid before'];
  // Its outcome was not known when the later one was sent.
  const isDoubtful = before.isAnswerLost && before.command < paid.command;
  if (!mayBeOne(paid, before, isDoubtful, evidence)) return [];
  if (!isDoubtful && paid.at - before.at > WINDOW_MS) return [];
  const saw = (of: PaymentId, which: PaymentId) =>
    evidence.releases.filter((one) => one.of === of && one.at <= paid.at && one.repeats.has(which));
  const released = saw(own, other);
  if (released.some(({ doubtful }) => !isDoubtful || doubtful.has(other))) return [];
  if (!isDoubtful && saw(other, own).length > 0) return [];
  return [`nobody agreed that it is paid beside ${other}${isDoubtful ? ', which is in doubt' : ''}`];
}

function mayBeOne(
  paid: Execution,
  before: Execution,
  isDoubtful: boolean,
  { sameAccount }: Evidence,
): boolean {
  const [one, other] = [paid.line?.reference ?? '', before.line?.reference ?? ''];
  if (one !== '' && one === other) return true;
  const isSameMoney =
    sameAccount(paid.account, before.account) && Number(paid.amount) === Number(before.amount);
  return isSameMoney && (one === '' || other === '' || isDoubtful);
}
