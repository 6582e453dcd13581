/**
 * Whether a statement is complete by its own balances: opening balance and entries make the closing balance. A table shows
 * it by the balance after each line, in whatever order its lines stand.
 *
 * Units:   amounts are whole numbers of a millionth, so that no currency has to be known.
 */
import type { StatementLine } from './line.ts';

/** One statement of a bank's file, with its own balances. Amounts are decimals, with a minus where the account owes. */
export interface StatementPart {
  /** How people find it in the file: `statement 188`. */
  readonly name: string;
  readonly account: string;
  readonly currency: string;
  /** Number of its first line. */
  readonly firstRow: number;
  readonly opening: string | undefined;
  /** The day of the opening balance, as `2026-10-01`. */
  readonly openedOn?: string | undefined;
  readonly closing: string | undefined;
  /** Dates that the statement covers besides those of its lines, as they are written. */
  readonly dates: readonly string[];
}

export interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly opening: string;
  readonly closing: string;
}

export type Completeness =
  | { readonly kind: 'proven'; readonly balances: readonly Balance[] }
  | { readonly kind: 'unproven'; readonly why: string }
  /** It cannot be used. */
  | { readonly kind: 'broken'; readonly why: string }
  /** It is complete with the lines that seemed to be repeats. */
  | { readonly kind: 'with_repeats' };

const DECIMALS = 6;

/** With its sign; undefined for more decimals than any currency has. */
export function millionthsOf(decimal: string): bigint | undefined {
  const [, minus, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(decimal) ?? [];
  if (whole === '') return undefined;
  const size = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return minus === '-' ? -size : size;
}

export function textOf(whole: bigint): string {
  const digits = (whole < 0n ? -whole : whole).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`;
}

/** With its sign; undefined where the line does not say it. An empty amount is nothing. */
function signedOf({ amountText, amounts, direction }: StatementLine): bigint | undefined {
  if (amountText === '') return 0n;
  const [text] = amounts;
  const whole = text === undefined ? undefined : millionthsOf(text);
  if (whole === undefined || whole === 0n) return whole;
  if (direction === 'open') return undefined;
  return direction === 'out' ? -whole : whole;
}

const NO_BALANCES = 'it has no balances';

/** Balances that stand beside each line of a table, in one currency. */
class RunningBalance {
  /** How often a line begins with a balance, less how often one ends with it. */
  readonly #ends = new Map<bigint, number>();
  readonly #breaks = { oldest: 0, newest: 0 };
  readonly #first: { oldest?: string; newest?: string } = {};
  #before: { readonly rowNumber: number; readonly signed: bigint; readonly balance: bigint } | undefined;
  /** The balance moves by each amount, and not always downwards. */
  #isUnsigned = true;
  /** Balances that entries lead to from one another hang below one of them. */
  readonly #above = new Map<bigint, bigint>();
  #groups = 0;

  add({ rowNumber }: StatementLine, signed: bigint, balance: bigint): void {
    this.#count(balance - signed, 1);
    this.#count(balance, -1);
    this.#join(balance - signed, balance);
    const before = this.#before;
    this.#before = { rowNumber, signed, balance };
    if (before === undefined) return;
    this.#break('oldest', before.rowNumber, rowNumber, balance - signed - before.balance);
    this.#break('newest', before.rowNumber, rowNumber, before.balance - before.signed - balance);
    const isStep = (size: bigint) => [size, -size].includes(balance - before.balance);
    this.#isUnsigned &&= isStep(signed) || isStep(before.signed);
  }

  #count(balance: bigint, change: number): void {
    const count = (this.#ends.get(balance) ?? 0) + change;
    if (count === 0) this.#ends.delete(balance);
    else this.#ends.set(balance, count);
  }

  #join(one: bigint, other: bigint): void {
    const [top, below] = [this.#top(one), this.#top(other)];
    if (top === below) return;
    this.#above.set(below, top);
    this.#groups -= 1;
  }

  #top(balance: bigint): bigint {
    let at = balance;
    for (;;) {
      const above = this.#above.get(at);
      if (above === at) return at;
      if (above === undefined) {
        this.#groups += 1;
        this.#above.set(at, at);
        return at;
      }
      this.#above.set(at, this.#above.get(above) ?? above);
      at = above;
    }
  }

  #break(order: 'oldest' | 'newest', from: number, to: number, missing: bigint): void {
    if (missing === 0n) return;
    this.#breaks[order] += 1;
    this.#first[order] ??=
      `between lines ${from} and ${to} the balance moves by ${textOf(missing)} without an entry`;
  }

  /** undefined: not complete. Both are unknown where the account ends as it began. */
  ends(): { readonly opening: string; readonly closing: string } | undefined {
    // Money that went and came back at once hides what is missing before and after it.
    if (this.#groups > 1) return undefined;
    const [one, other, third] = [...this.#ends];
    if (one === undefined) return { opening: '', closing: '' };
    if (other === undefined || third !== undefined || Math.abs(one[1]) !== 1) return undefined;
    const [start, end] = one[1] > 0 ? [one[0], other[0]] : [other[0], one[0]];
    return { opening: textOf(start), closing: textOf(end) };
  }

  get why(): string {
    if (this.#isUnsigned)
      return 'its balance rises with some lines and falls with others, and its amounts do not say which came in; name the columns of payments and of what came in';
    const { oldest, newest } = this.#breaks;
    return (
      (oldest <= newest ? this.#first.oldest : this.#first.newest) ?? 'its balances contradict each other'
    );
  }
}

interface PartSum {
  all: bigint;
  unique: bigint;
  repeats: number;
  entries: number;
}

export class BalanceCheck {
  readonly #running = new Map<string, RunningBalance>();
  readonly #sums = new Map<number, PartSum>();
  readonly #partOf: (rowNumber: number) => number | undefined;
  #lines = 0;
  #unknown: string | undefined;

  /** `partOf`: the number of the statement that the line stands in; undefined in a table. */
  constructor(partOf: (rowNumber: number) => number | undefined = () => undefined) {
    this.#partOf = partOf;
  }

  add(line: StatementLine, isRepeat: boolean): void {
    const { rowNumber, amountText, balanceText, balance, currency = '', isPending } = line;
    if (isPending) return;
    const signed = signedOf(line);
    const part = this.#partOf(rowNumber);
    if (signed === undefined)
      this.#unknown ??= `line ${rowNumber} shows “${amountText}”, which adds to no balance`;
    if (part !== undefined) this.#addToPart(part, signed ?? 0n, isRepeat);
    else if (!isRepeat) {
      this.#lines += 1;
      const after = balance === undefined ? undefined : millionthsOf(balance);
      if (after === undefined)
        this.#unknown ??=
          balanceText === ''
            ? `line ${rowNumber} shows no balance`
            : `the balance of line ${rowNumber} cannot be read`;
      else if (signed !== undefined) this.#runningIn(currency).add(line, signed, after);
    }
  }

  #runningIn(currency: string): RunningBalance {
    const known = this.#running.get(currency) ?? new RunningBalance();
    this.#running.set(currency, known);
    return known;
  }

  #addToPart(part: number, signed: bigint, isRepeat: boolean): void {
    const sum = this.#sums.get(part) ?? { all: 0n, unique: 0n, repeats: 0, entries: 0 };
    sum.all += signed;
    sum.entries += 1;
    if (isRepeat) sum.repeats += 1;
    else sum.unique += signed;
    this.#sums.set(part, sum);
  }

  /** `parts`: of a bank's file; none of a table. */
  result(parts: readonly StatementPart[] = []): Completeness {
    if (parts.length > 0) return this.#resultOf(parts);
    if (this.#running.size === 0) return { kind: 'unproven', why: NO_BALANCES };
    if (this.#unknown !== undefined) return { kind: 'unproven', why: this.#unknown };
    if (this.#lines < 2) return { kind: 'unproven', why: 'one line with a balance proves nothing' };
    const balances: Balance[] = [];
    for (const [currency, running] of this.#running) {
      const ends = running.ends();
      if (ends === undefined) return { kind: 'broken', why: running.why };
      if (ends.opening !== '') balances.push({ account: '', currency, ...ends });
    }
    return { kind: 'proven', balances };
  }

  #resultOf(parts: readonly StatementPart[]): Completeness {
    const chains = new Map<string, { readonly first: string; last: StatementPart & Balance }>();
    const seen = new Set<string>();
    for (const [at, part] of parts.entries()) {
      const { name, account, currency, opening, closing } = part;
      if (opening === undefined || closing === undefined)
        return { kind: 'unproven', why: `${name} lacks its opening or its closing balance` };
      if (millionthsOf(opening) === undefined || millionthsOf(closing) === undefined)
        return { kind: 'unproven', why: `the opening or the closing balance of ${name} cannot be read` };
      const sum = this.#sums.get(at) ?? { all: 0n, unique: 0n, repeats: 0, entries: 0 };
      const same = [account, currency, opening, closing, sum.all, sum.entries].join('\n');
      if (sum.repeats === sum.entries && seen.has(same)) continue;
      seen.add(same);
      const before = chains.get(`${account} ${currency}`);
      const verdict = verdictOf({ ...part, opening, closing }, sum, before?.last.closing);
      if (verdict !== undefined) return verdict;
      chains.set(`${account} ${currency}`, {
        first: before?.first ?? opening,
        last: { ...part, opening, closing },
      });
    }
    if (this.#unknown !== undefined) return { kind: 'unproven', why: this.#unknown };
    const balances = [...chains.values()].map(({ first, last: { account, currency, closing } }) => ({
      ...{ account, currency, opening: first, closing },
    }));
    return { kind: 'proven', balances };
  }
}

/** undefined: the statement agrees with itself, and with the one before it. */
function verdictOf(
  { name, opening, closing }: StatementPart & Balance,
  { all, unique, repeats }: PartSum,
  before: string | undefined,
): Completeness | undefined {
  const [start, end] = [millionthsOf(opening) ?? 0n, millionthsOf(closing) ?? 0n];
  const previous = before === undefined ? undefined : millionthsOf(before);
  // Its first entries stood in the statement before it.
  if (repeats > 0 && start + all === end && previous !== undefined && previous + unique === end)
    return undefined;
  if (start + unique !== end) {
    if (repeats > 0 && start + all === end) return { kind: 'with_repeats' };
    return {
      kind: 'broken',
      why: `${name} opens with ${opening}, its entries add up to ${textOf(unique)}, and it closes with ${closing}: entries of ${textOf(end - start - unique)} are missing`,
    };
  }
  if (previous === undefined || previous === start) return undefined;
  return {
    kind: 'broken',
    why: `${name} opens with ${opening}, and the statement before it closes with ${before}: entries of ${textOf(start - previous)} are missing`,
  };
}
