/**
 * Compares batches with a statement or dashboard export, all at once, and proposes rulings for rows in doubt. A line counts
 * once over all batches. It never rules by itself; what leaves no doubt may then be accepted (accept-findings.ts).
 *
 * Errors:  FileRefused for a statement that cannot be used as a whole.
 */

import { type Batch, batchLabel, isPausedForStatement, STANDARD_INPUT } from '../../domain/batches/batch.ts';
import type { BatchId, PayoutId } from '../../domain/payouts/instruction.ts';
import { isTagged } from '../../domain/payouts/narration.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { weighAbsences } from '../../domain/statement/absences.ts';
import type { Completeness } from '../../domain/statement/balances.ts';
import {
  isPayments,
  type Payments,
  type SignsSeen,
  signRuleOf,
  signsText,
} from '../../domain/statement/direction.ts';
import { entryOf, rowText } from '../../domain/statement/entry.ts';
import { type RowSum, rowTotals } from '../../domain/statement/finding-sums.ts';
import type { StatementCompared } from '../../domain/statement/finding-words.ts';
import type { Finding } from '../../domain/statement/findings.ts';
import { judgePayout } from '../../domain/statement/judge.ts';
import type { StatementLine } from '../../domain/statement/line.ts';
import { SENT_MAX, StatementIndex, UNSENT_MAX } from '../../domain/statement/match.ts';
import { PaidElsewhere, type PaymentElsewhere } from '../../domain/statement/paid-elsewhere.ts';
import type { KeptLine } from '../../domain/statement/reconciliation-tables.ts';
import {
  bindStatement,
  type StatementMap,
  statementFieldOf,
} from '../../domain/statement/statement-columns.ts';
import { input, type Message, said } from '../../domain/text/message.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { DateOrder } from '../../domain/text/written-date.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import {
  FileRefused,
  type OpenRows,
  type OpenRowsOptions,
  type StatementFile,
} from '../../ports/row-source.ts';
import type { Ports } from '../ports.ts';
import { notedIncidents } from '../settle/noted-incidents.ts';
import { pagesWithTries } from '../turned-away-tries.ts';
import type { Ask } from '../user-questions.ts';
import { bankFiguresOf } from './bank-figures.ts';
import {
  type FirstReading,
  type OpenStatement,
  readFirst,
  readSecond,
  type SecondReading,
} from './read-statement.ts';

export interface StatementOptions {
  readonly open: OpenRowsOptions;
  /** What people call the file, where it lies under another name. */
  readonly fileName?: string | undefined;
  readonly map: StatementMap;
  readonly dateOrder: DateOrder | undefined;
  /** What a person says proves that the statement is complete; undefined: its balances have to. */
  readonly evidence?: string | undefined;
  /** A file is made of it, with every line. */
  readonly keepsLines?: boolean | undefined;
  /** Which amounts are payments; undefined: the statement has to leave no question. */
  readonly payments?: Payments | undefined;
  /** Of a ledger without real money: how its own book ends, which may say that it is whole. */
  readonly ownBookEnd?: string | undefined;
  /** Left out where nobody can answer. */
  readonly ask?: Ask | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reconciled extends StatementCompared {
  /** Of the statement; for messages and for what is kept with a ruling. */
  readonly fileName: string;
  readonly payments: Payments | undefined;
  readonly sha256: string;
  /** All lines, if they were wanted. */
  readonly kept: readonly KeptLine[];
  /** Each line is in one of these; together they are the lines of the span. */
  readonly lines: {
    /** About rows of these batches. */
    readonly ofRows: number;
    /** With a tag of ours that no row of them has. */
    readonly ofUnknownTags: number;
    readonly ofOtherBatches: number;
    readonly foreign: number;
    /** Rows of a table that show a balance and no entry. */
    readonly onlyBalance: number;
    /** Of those about rows: in no finding by number, because their row has too many. */
    readonly unnamed: number;
  };
  /** The first few lines that are no payment of this ledger as far as can be told. */
  readonly foreignFirst: readonly StatementLine[];
  /** Incidents of the batches that are kept in the ledger and that this statement does not show. */
  readonly keptIncidents: readonly KeptIncident[];
}

interface KeptIncident {
  readonly batch: Batch;
  readonly rowNumber: number;
  /** Only where several batches are compared. */
  readonly batchName?: string;
  readonly what: string;
}

type Compares = Pick<Ports, 'ledger' | 'policy' | 'clock'>;

interface Statement {
  readonly openRows: OpenRows;
  readonly options: StatementOptions;
}

export function reconcileBatches(
  batches: readonly Batch[],
  statement: Statement,
  ports: Compares,
): Promise<Reconciled> {
  return withStatement(batches, statement, ports, (compare) => compare());
}

/** Gives `work` the comparison, which it may make again after it changed payments. Nobody is asked twice. */
export async function withStatement<Result>(
  batches: readonly Batch[],
  { openRows, options }: Statement,
  ports: Compares,
  work: (compare: () => Promise<Reconciled>) => Promise<Result>,
): Promise<Result> {
  const { map, payments, ownBookEnd, signal } = options;
  if (payments !== undefined && !isPayments(payments))
    throw new RequestRefused('Payments are named by their sign, minus or plus.');
  const fileName = options.fileName ?? fileNameOf(options.open.path);
  const words = {
    named: (header: string) => statementFieldOf(header, map),
    expected: 'date, amount, account, narration, transfer id',
    isStatement: true as const,
  };
  const source = await openRows({ ...options.open, words });
  try {
    const bound = bindStatement(source.headers, map);
    if (bound.kind === 'unusable')
      throw new FileRefused(said`${fileName}, header on row ${source.headerRow}: ${bound.why.pieces}.`);
    const { columns } = bound;
    let opened: OpenStatement = { source, fileName, columns, payments, ownBookEnd, signal };
    let reading = options;
    return await work(async () => {
      const { statement, dateOrder, ...read } = await readTwice(batches, { opened, options: reading }, ports);
      [opened, reading] = [statement, { ...reading, dateOrder }];
      signal?.throwIfAborted();
      return compared(batches, { ...read, statement, options }, ports);
    });
  } finally {
    await source.close();
  }
}

type ReadTwice = Omit<Understood, 'dateOrder'> & {
  readonly second: SecondReading;
  readonly options: StatementOptions;
};

async function compared(
  batches: readonly Batch[],
  { statement, index, neverSent, first, second, options }: ReadTwice,
  ports: Compares,
): Promise<Reconciled> {
  const { source, fileName, columns, payments } = statement;
  const { span, unreadable, repeats, currencies } = first;
  const { completeness } = second;
  refuseIncomplete(completeness, fileName);
  const judging = {
    ...{ span, unreadable, currencies, isTagged: isTagged(ports.policy), words: ports.policy },
    incomplete: whyIncomplete(completeness, source.statement?.format, options),
  };
  const judged = index.entries.map((entry) => judgePayout(entry, index.linesOf(entry), judging));
  const findings = [...weighAbsences(judged, judging), ...second.theirs];
  return {
    ...{ findings, neverSent, fileName, span, unreadable, payments, completeness },
    signs: signRuleOf(payments),
    dateHeaders: (columns.at.get('date') ?? []).map((at) => source.headers[at] ?? ''),
    sha256: source.fileSha256(),
    kept: second.kept,
    otherSums: second.otherSums,
    repeats: { count: repeats.count, sentences: repeats.sentences() },
    ...accountFor(first, second, { judged, hinted: index.hintedRows }),
    keptIncidents: await incidentsBeside(judged, batches, ports.ledger),
  };
}

function refuseIncomplete(completeness: Completeness, fileName: string): void {
  if (completeness.kind !== 'broken') return;
  throw new FileRefused(
    `${fileName} is incomplete: ${completeness.why}. Export it again, whole. Nothing was compared.`,
  );
}

/** Why nothing that the statement lacks is ruled unpaid; undefined: it is proven complete. */
function whyIncomplete(
  completeness: Completeness,
  format: StatementFile['format'] | undefined,
  { evidence }: StatementOptions,
): string | undefined {
  if (format === 'camt.052' || format === 'camt.054')
    return `a ${format} file is no closed statement; compare with a camt.053 file`;
  if (completeness.kind !== 'unproven' || evidence !== undefined) return undefined;
  return `nothing proves that the statement is complete: ${completeness.why}. Get one with balances, or give evidence`;
}

function fileNameOf(path: string): string {
  return path === '-' ? STANDARD_INPUT : (path.split(/[\\/]/).at(-1) ?? path);
}

/** Once more with all lines, if only they add up to the closing balance. */
async function readTwice(
  batches: readonly Batch[],
  { opened, options }: { readonly opened: OpenStatement; readonly options: StatementOptions },
  ports: Compares,
): Promise<Understood & { readonly second: SecondReading }> {
  const first = await understood(batches, { opened, options }, ports);
  const keepsLines = options.keepsLines === true;
  const rowOf = ({ batchId, rowNumber }: Payout) => {
    const batch = batches.find(({ id }) => id === batchId);
    return batch && rowText({ rowNumber, ...namedAmong(batch, batches) });
  };
  const second = await readSecond(first.statement, { ...first, rowOf, keepsLines }, ports.ledger);
  if (second.completeness.kind !== 'with_repeats') return { ...first, second };
  const again = { ...first.statement, hasNoRepeats: true };
  // Nobody is asked twice which of day and month comes first.
  return readTwice(batches, { opened: again, options: { ...options, dateOrder: first.dateOrder } }, ports);
}

/** A row is said with its batch if there are several. */
function namedAmong(batch: Batch, batches: readonly Batch[]): { readonly batchName?: string } {
  return batches.length === 1 ? {} : { batchName: batchLabel(batch) };
}

interface Understood extends Compared {
  readonly statement: OpenStatement;
  readonly first: FirstReading;
  /** As it was said, or answered. */
  readonly dateOrder: DateOrder | undefined;
}

/** Reads the statement for the first time, and once more where a person had to say which amounts are payments. */
async function understood(
  batches: readonly Batch[],
  { opened, options }: { readonly opened: OpenStatement; readonly options: StatementOptions },
  ports: Compares,
): Promise<Understood> {
  const { ask } = options;
  const read = async (statement: OpenStatement, dateOrder = options.dateOrder): Promise<Understood> => {
    const found = await comparedRows(batches, ports);
    const now = ports.clock.now();
    const first = await readFirst(statement, found.index, { dateOrder, now });
    return { statement, ...found, first, dateOrder };
  };
  const { fileName } = opened;
  const seen = await read(opened);
  const { openDate } = seen.first.span;
  const order = openDate === undefined ? undefined : await dateOrderOf(openDate, fileName, ask);
  const result = order === undefined ? seen : await read(opened, order);
  const { signs } = result.first;
  if (signs === undefined) return result;
  const payments =
    opened.payments === undefined ? await ask?.({ kind: 'payments', fileName, signs }) : undefined;
  if (isPayments(payments)) return read({ ...opened, payments }, order);
  throw new FileRefused(signsRefusal(opened, signs));
}

/** Nothing is compared by a guess which of day and month comes first. */
async function dateOrderOf(example: string, fileName: string, ask: Ask | undefined): Promise<DateOrder> {
  const answer = await ask?.({ kind: 'date_order', fileName, example });
  if (answer === 'day') return 'day_first';
  if (answer === 'month') return 'month_first';
  const what = `${fileName} does not show which comes first in ${example}, the day or the month.`;
  throw new FileRefused(
    said`${what} Say it with ${input('dateOrder', 'day')} or ${input('dateOrder', 'month')}. Nothing was compared.`,
    { onPage: `${what} Choose it below. Nothing was compared.` },
  );
}

function signsRefusal({ fileName }: OpenStatement, signs: SignsSeen): Message {
  return said`${fileName} does not show which amounts are payments: ${signsText(signs)}. Say which sign a payment has, with ${input('payments', 'minus')} or ${input('payments', 'plus')}, or name the column of the payments with ${input('map', 'debit=COLUMN')}. Nothing was compared.`;
}

/** A line of no row that is shown beside a row counts as the row's; one with an unknown tag does not. */
function accountFor(
  { named }: FirstReading,
  { suggested, theirs, otherBatches, othersHinted, foreign, foreignFirst, onlyBalance }: SecondReading,
  { judged, hinted }: { readonly judged: readonly Finding[]; readonly hinted: ReadonlySet<number> },
): Pick<Reconciled, 'lines' | 'foreignFirst'> {
  const told = rowNumbersOf(judged).difference(rowNumbersOf(theirs));
  const near = hinted.intersection(told);
  const nearOthers = near.intersection(othersHinted);
  const ofRows = named + suggested + near.size;
  return {
    lines: {
      ofRows,
      ofUnknownTags: theirs.length,
      ofOtherBatches: otherBatches - nearOthers.size,
      foreign: foreign - (near.size - nearOthers.size),
      onlyBalance,
      unnamed: ofRows - told.size,
    },
    foreignFirst: foreignFirst.filter(({ rowNumber }) => !near.has(rowNumber)),
  };
}

function rowNumbersOf(findings: readonly Finding[]): Set<number> {
  return new Set(findings.flatMap(({ lines }) => lines.map(({ rowNumber }) => rowNumber)));
}

/** What was an incident stays one, whether the statement shows it or not. */
async function incidentsBeside(
  findings: readonly Finding[],
  batches: readonly Batch[],
  ledger: Ledger,
): Promise<readonly KeptIncident[]> {
  const kept = new Map<PayoutId, string>();
  for (const { entry } of findings)
    if (entry?.isIncident === true) kept.set(entry.payoutId, 'it was called unpaid and is paid');
  for (const { id } of batches)
    for (const [payoutId, { what }] of await notedIncidents(id, { ledger })) kept.set(payoutId, what);
  for (const { kind, entry } of findings)
    if (kind === 'incident' && entry !== undefined) kept.delete(entry.payoutId);
  const incidents: KeptIncident[] = [];
  for (const [payoutId, what] of kept) {
    const payout = await ledger.payout(payoutId);
    const batch = batches.find(({ id }) => id === payout?.batchId);
    if (payout !== undefined && batch !== undefined)
      incidents.push({ batch, rowNumber: payout.rowNumber, what, ...namedAmong(batch, batches) });
  }
  const placeOf = ({ batch }: KeptIncident) => batches.indexOf(batch);
  return incidents.sort((one, other) => placeOf(one) - placeOf(other) || one.rowNumber - other.rowNumber);
}

/** Each row of the batches is in one of the two. */
interface Compared {
  readonly index: StatementIndex;
  readonly neverSent: readonly RowSum[];
}

async function comparedRows(
  batches: readonly Batch[],
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<Compared> {
  const elsewhere = new PaidElsewhere(
    (await Promise.all(batches.map(({ id }) => paymentsElsewhere(id, ledger)))).flat(),
    policy,
  );
  const { id: ledgerId, timeZone } = ledger.identity;
  const now = await Promise.all(batches.map(async (batch) => (await ledger.batch(batch.id)) ?? batch));
  const index = new StatementIndex({ seeksUnsent: now.some(isPausedForStatement), elsewhere, timeZone });
  let neverSent: readonly RowSum[] = [];
  for (const batch of now) {
    const facts = { ledgerId, seeksUnsent: isPausedForStatement(batch), ...namedAmong(batch, batches) };
    const figures = await bankFiguresOf(batch.id, ledger);
    for await (const page of pagesWithTries(ledger.reportRows(batch.id), { ledger })) {
      const unsent: RowSum[] = [];
      for (const { payout, replaced, tries } of page) {
        const entries = [...replaced, payout]
          .map((each) => {
            const bank = figures.get(each.id)?.at(-1);
            return entryOf(each, { ...facts, bank, newest: payout.id, tries: tries?.get(each.id) });
          })
          .filter((entry) => entry !== undefined);
        for (const entry of entries) index.add(entry);
        if (entries.length === 0) unsent.push({ rows: 1, sum: payout.instruction?.amount });
      }
      neverSent = rowTotals([...neverSent, ...unsent]);
      if (index.isOverfull)
        throw new FileRefused(
          `There are more than ${SENT_MAX} payments that were sent, or ${UNSENT_MAX} rows that were not; so many cannot be compared with a statement at once.`,
        );
    }
  }
  return { index, neverSent };
}

const MADE: readonly Status[] = ['accepted', 'settled', 'returned'];

/** Payments of other batches that the service made for rows of this one. */
async function paymentsElsewhere(batchId: BatchId, ledger: Ledger): Promise<readonly PaymentElsewhere[]> {
  const found: PaymentElsewhere[] = [];
  for (const family of await ledger.familiesAcross(batchId)) {
    const rows = family.filter((member) => member.batchId === batchId).map(({ payoutId }) => payoutId);
    for (const member of family) {
      if (member.batchId === batchId || !MADE.includes(member.status)) continue;
      const payout = await ledger.payout(member.payoutId);
      const entry = payout && entryOf(payout, { ledgerId: ledger.identity.id, tries: undefined });
      if (entry !== undefined) found.push({ entry, rows });
    }
  }
  return found;
}
