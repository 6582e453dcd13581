/**
 * The two readings of a statement. The first finds how far it reaches, whether a person has to say which amounts are
 * payments, and the lines that name a payment. The second looks for lines that may be one. Only lines that fit a
 * payment are kept in memory.
 *
 * Errors:  FileRefused for a statement with too many lines.
 */
import { asTag, asTransferId } from '../../domain/payouts/instruction.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { BalanceCheck, type Completeness } from '../../domain/statement/balances.ts';
import { dateOf, SpanFinder, type StatementSpan } from '../../domain/statement/dates.ts';
import { type Payments, SignCounter, type SignsSeen } from '../../domain/statement/direction.ts';
import { entryOf, type StatementEntry } from '../../domain/statement/entry.ts';
import { isContrary } from '../../domain/statement/figures.ts';
import type { Finding } from '../../domain/statement/findings.ts';
import { outOfCapitals, readStatementLine, type StatementLine } from '../../domain/statement/line.ts';
import type { StatementIndex } from '../../domain/statement/match.ts';
import { OtherLines, type OtherSum } from '../../domain/statement/other-lines.ts';
import type { KeptLine } from '../../domain/statement/reconciliation-tables.ts';
import { RepeatFinder } from '../../domain/statement/repeats.ts';
import type { StatementColumns } from '../../domain/statement/statement-columns.ts';
import type { DateOrder } from '../../domain/text/written-date.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { FileRefused, type RowSource, type StatementFile } from '../../ports/row-source.ts';
import { triesOf } from '../turned-away-tries.ts';

const STATEMENT_LINES_MAX = 1_000_000;
const NO_DATE_COLUMN = 'none of its columns is known as the date; say which column holds it';
const FOREIGN_KEPT = 1_000;

export interface OpenStatement {
  readonly source: RowSource;
  readonly fileName: string;
  readonly columns: StatementColumns;
  readonly payments: Payments | undefined;
  /** Its balances prove that lines which look alike are entries of their own. */
  readonly hasNoRepeats?: boolean;
  readonly ownBookEnd: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function* linesOf(
  { source, columns, payments, signal }: OpenStatement,
  index: StatementIndex,
): AsyncIterable<StatementLine> {
  for await (const rows of source.rows(signal))
    for (const row of rows) yield index.restoreTag(readStatementLine(row, columns, payments));
}

export interface FirstReading {
  readonly span: StatementSpan;
  /** What its signs leave open; undefined when nothing. */
  readonly signs: SignsSeen | undefined;
  /** Lines that name payments of the batch. */
  readonly named: number;
  /** `line 12 shows “20k”, which cannot be compared`; undefined where every amount was read. */
  readonly unreadable: string | undefined;
  /** Lines that show an entry again; they count nowhere. */
  readonly repeats: RepeatFinder;
  /** Of all lines and balances; undefined: an amount has none beside it. */
  readonly currencies: ReadonlySet<string> | undefined;
}

interface Reading {
  readonly dateOrder: DateOrder | undefined;
  readonly now: number;
}

export async function readFirst(
  statement: OpenStatement,
  index: StatementIndex,
  { dateOrder, now }: Reading,
): Promise<FirstReading> {
  const finder = new SpanFinder(dateOrder, now);
  const signs = new SignCounter();
  const repeats = new RepeatFinder({ isOff: statement.hasNoRepeats === true });
  let [lines, named] = [0, 0];
  let wholeUntil: number | undefined;
  let unreadable: string | undefined;
  const currencies = new Set<string | undefined>();
  for await (const line of linesOf(statement, index)) {
    if (endsBook(line, statement)) {
      finder.add(...line.dateTexts);
      wholeUntil = dateOf(line, 'day_first')?.from;
      continue;
    }
    if (repeats.add(line)) continue;
    lines += 1;
    if (lines + repeats.count > STATEMENT_LINES_MAX)
      throw new FileRefused(
        `${statement.fileName} has more than ${STATEMENT_LINES_MAX} lines. Split it, or export a shorter time.`,
      );
    finder.add(...line.dateTexts);
    signs.add(line);
    unreadable ??= unreadableText(line);
    if (line.amountText !== '') currencies.add(line.currency);
    if (index.placeNamed(line)) named += 1;
  }
  for (const { dates, openedOn, currency } of statement.source.statement?.parts() ?? []) {
    for (const date of dates) finder.add(date);
    if (openedOn !== undefined) finder.addOpening(openedOn);
    if (currency !== '') currencies.add(currency);
  }
  const span = { ...finder.result(), lines, wholeUntil };
  const isUndated = !statement.columns.at.has('date') && lines > 0;
  return {
    span: isUndated ? { ...span, doubt: NO_DATE_COLUMN } : span,
    signs: statement.payments === undefined ? signs.result() : undefined,
    named,
    unreadable,
    repeats,
    currencies: currencies.has(undefined) ? undefined : (currencies as ReadonlySet<string>),
  };
}

/** Of an amount that is not empty. It may be any amount. */
function unreadableText({ rowNumber, amountText, amounts }: StatementLine): string | undefined {
  if (amountText === '' || amounts.length > 0) return undefined;
  return `line ${rowNumber} shows “${amountText}”, which cannot be compared`;
}

/** The sandbox's own book says in its last line until when it is whole. No money moved there. */
function endsBook({ bookEnd, tags, ids }: StatementLine, { ownBookEnd }: OpenStatement): boolean {
  return bookEnd !== undefined && bookEnd === ownBookEnd && tags.length === 0 && ids.length === 0;
}

export interface SecondReading {
  /** Lines that may be about payments of the batch. */
  suggested: number;
  otherBatches: number;
  /** Numbers of those lines that may be a row's of this batch all the same. */
  readonly othersHinted: Set<number>;
  foreign: number;
  readonly foreignFirst: StatementLine[];
  /** Rows of a table that show a balance and no entry. */
  onlyBalance: number;
  /** Lines with a tag of ours that no payment of this batch has. */
  readonly theirs: Finding[];
  readonly otherSums: readonly OtherSum[];
  readonly completeness: Completeness;
  /** All lines, where they are wanted. */
  readonly kept: readonly KeptLine[];
}

type Counts = Omit<SecondReading, 'completeness' | 'kept' | 'otherSums'> & { readonly others: OtherLines };

interface Second {
  readonly index: StatementIndex;
  readonly first: FirstReading;
  /** `row 4`; undefined for a payment of a batch that is not compared. */
  readonly rowOf: (payout: Payout) => string | undefined;
  readonly keepsLines: boolean;
}

export async function readSecond(
  statement: OpenStatement,
  { index, first, rowOf, keepsLines }: Second,
  ledger: Ledger,
): Promise<SecondReading> {
  const { order } = first.span;
  const { source } = statement;
  const kept: (KeptLine & { kind: KeptLine['kind'] })[] = [];
  const check = new BalanceCheck(source.statement && partOf(source.statement));
  const seen: Counts = {
    ...{ suggested: 0, otherBatches: 0, othersHinted: new Set<number>() },
    ...{ foreign: 0, foreignFirst: [], onlyBalance: 0, others: new OtherLines(), theirs: [] },
  };
  for await (const line of linesOf(statement, index)) {
    if (endsBook(line, statement)) continue;
    const isRepeat = first.repeats.has(line);
    check.add(line, isRepeat);
    if (keepsLines) keepLine(line, isRepeat, kept);
    if (isRepeat || index.hintNamed(line, order)) continue;
    const holder = await holderOf(line, index, ledger);
    const [tag] = line.tags;
    const others = seen.otherBatches;
    const ownRow = holder && rowOf(holder);
    const isOthers = holder !== undefined && ownRow === undefined;
    const theirs = isOthers ? await entryNamed(holder, line, ledger) : undefined;
    if (tag !== undefined || isOthers) index.hintBeside(line, order, theirs === undefined ? [] : [theirs]);
    if (tag !== undefined && theirs === undefined && index.placeUnsent(line, order)) seen.suggested += 1;
    else if (isOthers) countOthers(line, index, seen);
    else if (tag !== undefined)
      seen.theirs.push(unknownTag(line, tag, holder && { ...holder, row: ownRow ?? '' }));
    else countLoose(line, { index, order }, seen);
    const last = kept.at(-1);
    if (last !== undefined && seen.otherBatches > others) last.kind = 'of_other_batch';
  }
  const otherSums = seen.others.result();
  return { ...seen, otherSums, kept, completeness: check.result(source.statement?.parts()) };
}

const LINES_KEPT_MAX = 200_000;

function keepLine(line: StatementLine, isRepeat: boolean, kept: KeptLine[]): void {
  if (kept.length >= LINES_KEPT_MAX)
    throw new FileRefused(
      `The statement has more than ${LINES_KEPT_MAX} lines; a reconciliation file holds no more. Split the statement.`,
    );
  kept.push({ line, kind: isRepeat ? 'repeated' : 'read' });
}

/** The number of the last statement of a file that begins at the line or before it. */
function partOf({ parts }: StatementFile): (rowNumber: number) => number | undefined {
  return (rowNumber) => parts().findLastIndex(({ firstRow }) => firstRow <= rowNumber);
}

function countLoose(
  line: StatementLine,
  { index, order }: { readonly index: StatementIndex; readonly order: DateOrder },
  seen: Counts,
): void {
  const whose = index.placeLoose(line, order);
  if (whose === 'row') seen.suggested += 1;
  else if (whose === 'elsewhere') countOthers(line, index, seen);
  else if (line.amountText === '' && line.balanceText !== '') seen.onlyBalance += 1;
  else {
    seen.foreign += 1;
    if (!index.isHinted(line)) seen.others.add(line);
    if (seen.foreignFirst.length < FOREIGN_KEPT) seen.foreignFirst.push(line);
  }
}

function countOthers(line: StatementLine, index: StatementIndex, seen: Counts): void {
  seen.otherBatches += 1;
  if (index.isHinted(line)) seen.othersHinted.add(line.rowNumber);
}

/**
 * Whose a line is that names no payment of this batch: by its tag, else by its ids. A word of the narration is taken
 * for an id only where the line may else be taken for a row's.
 */
async function holderOf(
  line: StatementLine,
  index: StatementIndex,
  ledger: Ledger,
): Promise<Payout | undefined> {
  const [tag] = line.tags;
  if (tag !== undefined) return ledger.payoutOfTag(asTag(tag));
  for (const loose of line.looseTags) {
    const holder = await ledger.payoutOfTag(asTag(loose));
    if (holder !== undefined) return holder;
  }
  // A number alone may be an invoice's.
  const words = index.isLikeARow(line) ? line.words.filter((word) => /\D/.test(word)) : [];
  for (const id of [...line.ids, ...words]) {
    for (const written of [id, outOfCapitals(id)]) {
      const holder = written === undefined ? undefined : await ledger.payoutOfTransfer(asTransferId(written));
      if (holder !== undefined && (await entryNamed(holder, line, ledger)) !== undefined) return holder;
    }
  }
  return undefined;
}

/**
 * The payment with the tag or the id. undefined where account and amount are not the holder's: another ledger may have
 * given the tag to another payment, and an id may be the bank's own number.
 */
async function entryNamed(
  holder: Payout,
  line: StatementLine,
  ledger: Ledger,
): Promise<StatementEntry | undefined> {
  const tries = (await triesOf([holder], { ledger })).get(holder.id);
  const entry = entryOf(holder, { ledgerId: ledger.identity.id, tries });
  return entry === undefined || isContrary(entry, line) ? undefined : entry;
}

/** A tag of a row that was withdrawn, or of nobody here. */
function unknownTag(
  line: StatementLine,
  tag: string,
  holder: (Payout & { readonly row: string }) | undefined,
): Finding {
  const why =
    holder === undefined
      ? 'this ledger gave no payment that tag; perhaps it was made with another ledger'
      : `${holder.row} has that tag and is ${holder.state.status}: it was never sent`;
  const text = `Line ${line.rowNumber}, ${line.amountText}, ${tag}: ${why}`;
  return { kind: 'theirs_only', entry: undefined, lines: [line], text };
}
