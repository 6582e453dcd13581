/**
 * Compares a batch with a statement or dashboard export, and proposes rulings for rows in doubt. `accept` applies the
 * unambiguous ones. Without it no payment changes; the journal keeps each comparison.
 *
 * Exit codes: 0 if all agrees, 3 if the statement lacks a payment, 4 if a payment may still appear. 5 for rows in
 * doubt, incidents and duplicates, 10 if proposals wait. 65 and 66 for the file.
 */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { formatDecimal, formatMoney } from '../domain/money/money.ts';
import {
  command,
  type Flag,
  flagsOf,
  nextSteps,
  plainPath,
  type Word,
} from '../domain/next-steps/command.ts';
import { type CurrencyComparison, compareByCurrency } from '../domain/statement/comparison.ts';
import { BOOKING_DAYS } from '../domain/statement/dates.ts';
import { findingSums } from '../domain/statement/finding-sums.ts';
import {
  AMOUNT_TITLES,
  amountLines,
  FINDING_WORDS,
  findingText,
  outcomeText,
  RULED_WORDS,
  type StatementCompared,
  type SumLine,
  statementNotes,
  sumLines,
} from '../domain/statement/finding-words.ts';
import { FINDING_KINDS, type Finding, type FindingKind, isAcceptable } from '../domain/statement/findings.ts';
import { reconciliationFile, reconciliationFormat } from '../domain/statement/reconciliation-tables.ts';
import { STATEMENT_FIELDS } from '../domain/statement/statement-columns.ts';
import { counted, countText, printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { Accepted } from '../use-cases/reconcile/accept-findings.ts';
import type { ComparedBefore, ReconciledBatch } from '../use-cases/reconcile/compare-with-statement.ts';
import type { StatementOptions } from '../use-cases/reconcile/reconcile-batch.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { saveBankReading, withBankReading } from './bank-reading.ts';
import { batchJson, timeJson } from './batch-json.ts';
import { BLANK, type Block, line, number, type Table, table, when } from './block.ts';
import type { Context } from './context.ts';
import {
  batch,
  columns,
  evidence,
  layout,
  nonEmptyText,
  oneOf,
  output,
  overwrite,
  seenItems,
} from './fields.ts';
import { layoutFlags } from './file-commands.ts';
import { reconciliationUnusable, statementMissing } from './messages.ts';
import { field, operation } from './operation.ts';
import { doubtBlocks } from './outcome-blocks.ts';

export type { ReconciledBatch };

const input = z.strictObject({
  batch: batch(),
  statement: field(nonEmptyText.optional(), {
    help: 'statement or dashboard export: camt.053, MT940, .csv or .xlsx',
    value: 'file',
  }),
  accept: oneOf(['paid', 'not_paid'], {
    expected: 'paid or not-paid; without a value it means paid. Type the batch first',
    help: 'apply unambiguous rulings, paid or not-paid; record incidents',
    value: 'ruling',
    valueIfBare: 'paid',
    // A person looks at the rows ruled paid before ruling others “not paid”.
    isSingleValue: true,
  }),
  payments: oneOf(['minus', 'plus'], {
    help: 'sign of payments, in a column with both signs: minus or plus',
    value: 'sign',
  }),
  evidence: evidence(),
  bank: field(nonEmptyText.max(100).optional(), {
    help: 'reuse the columns saved under this name, and save those you name',
    value: 'name',
  }),
  map: columns(STATEMENT_FIELDS, 'which column holds amount, debit, credit, date, account, narration …'),
  dateOrder: oneOf(['day', 'month'], {
    help: 'day or month, where dates can be read both ways',
    value: 'first',
  }),
  output: output('write the reconciliation: FILE.xlsx, FILE.html or FILE.json'),
  overwrite: overwrite(),
  ...layout,
  /** Display name of the file. payfile keeps it with each ruling. */
  fileName: nonEmptyText.optional(),
  /** The proposed payments that a person saw. payfile rules on no others. */
  acceptOnly: seenItems(),
});
type Asked = z.output<typeof input>;
type Result = ReconciledBatch & { readonly asked: Asked };

export const reconcile = operation({
  name: 'reconcile',
  needs: ['rule'],
  changesData: true,
  input,
  async run(asked, context): Promise<Result> {
    if (asked.output !== undefined && reconciliationFormat(asked.output) === undefined)
      throw new RequestRefused(reconciliationUnusable(asked.output));
    const read = await withBankReading(asked, context);
    const found = await compareOrRule(read, context);
    await writeFile(found, read, context);
    await saveBankReading(found.reconciled, read, context);
    return { ...found, asked };
  },
  view: (result) => [
    ...comparisonBlocks(result),
    ...when(result.asked.output, (path) => [line(`Reconciliation: ${path}`)]),
  ],
  json,
  next: (result) => nextSteps(result.end.next, laterCommandOf(result)),
  exit: ({ end }) => end.exitCode,
});

async function compareOrRule(asked: Asked, context: Context): Promise<ReconciledBatch> {
  const { accept, acceptOnly: only, payments, statement: path } = asked;
  if (path === undefined) {
    const again = command('reconcile', [asked.batch], statementFlags(asked, payments, FILE));
    throw new RequestRefused(statementMissing, undefined, again);
  }
  if (accept !== undefined) context.requireService();
  const ledger = await context.ledger();
  const found = await findBatch(asked.batch, ledger);
  const { environment, path: ledgerPath } = ledger.identity;
  const ownBookEnd = environment === 'sandbox' ? await context.ownSandbox.bookEnd(ledgerPath) : undefined;
  const { evidence: given } = asked;
  const proof = given === undefined ? undefined : await context.readEvidence(given);
  const options = { ...optionsOf(path, asked, context), ownBookEnd, evidence: proof };
  const statement = { openRows: context.openRows, options };
  const { compareWithStatement, ruleByStatement } = await import(
    '../use-cases/reconcile/compare-with-statement.ts'
  );
  const { user: by, holder } = context;
  if (accept === undefined)
    return compareWithStatement(found, statement, { by, ports: await context.offlinePorts(ledger) });
  return ruleByStatement(found, statement, { accept, only, by, holder, ledger }, await context.ports());
}

/** What is filed: the comparison, before anything of it was accepted. */
async function writeFile(
  { batch: of, environment, reconciled }: ReconciledBatch,
  { output: path, overwrite: isReplaced }: Asked,
  context: Context,
): Promise<void> {
  if (path === undefined) return;
  const madeAt = (await context.readingPorts()).clock.now();
  const facts = { batch: batchLabel(of), environment, by: context.user, madeAt };
  await context.writeReconciliation({ path, isReplaced }, reconciliationFile(reconciled, facts));
}

function optionsOf(path: string, asked: Asked, { dialogue: { ask, signal } }: Context): StatementOptions {
  const { sheet, headerRow, delimiter, encoding, fileName, map = new Map(), payments } = asked;
  const order = asked.dateOrder;
  return {
    open: { path, sheet, headerRow, delimiter, encoding },
    fileName,
    map,
    dateOrder: order && (order === 'day' ? 'day_first' : 'month_first'),
    payments,
    keepsLines: asked.output !== undefined,
    ask: untilStopped(ask, signal),
    signal,
  };
}

const FILE = { fillIn: 'FILE' } as const;

/** Flags that read a statement the same way. */
function statementFlags(asked: Asked, payments: Asked['payments'], file: Word): readonly Flag[] {
  const evidenceText = typeof asked.evidence === 'string' ? asked.evidence : undefined;
  const read = flagsOf({
    ...{ '--date-order': asked.dateOrder, '--payments': payments },
    '--evidence': evidenceText,
    '--bank': asked.bank,
  });
  return [['--statement', file], ...layoutFlags(asked), ...read];
}

/** The command after the user looked: accept the proposals, or compare with a later statement. */
function laterCommandOf({ batch: of, reconciled, end, asked }: Result) {
  const { mayAccept, byHand, isTooShort } = end;
  if (byHand !== undefined) return byHand;
  const { statement = '' } = asked;
  const again = (file: Word, accept: readonly Flag[]) =>
    command('reconcile', [batchLabel(of)], [...statementFlags(asked, reconciled.payments, file), ...accept]);
  if (mayAccept === undefined) return isTooShort ? again(FILE, []) : undefined;
  return again(plainPath(statement), [mayAccept === 'paid' ? ['--accept'] : ['--accept', 'not-paid']]);
}

/** The command line counts further findings and incidents. */
const SHOWN_MAX = 20;

/** `most`: how many findings of a kind it lists. */
export function comparisonBlocks(result: ReconciledBatch, most = SHOWN_MAX): readonly Block[] {
  const { batch: of, environment, reconciled, before, accepted, doubt, end } = result;
  const { span, fileName, findings } = reconciled;
  const reach = span.first === undefined ? '' : `, ${dayOf(span.first)} to ${dayOf(span.last ?? span.first)}`;
  const isEmpty = findings.every(({ kind }) => kind === 'not_expected' || kind === 'not_yet');
  const isOpen = doubt !== undefined && end.mayAccept === undefined && end.byHand === undefined;
  return [
    line(printable(`Batch ${batchLabel(of)} and ${fileName}: ${counted(span.lines, 'line')}${reach}`)),
    { kind: 'environment', environment },
    BLANK,
    ...when(before, (same) => [line(printable(comparedText(same)))]),
    ...when(isEmpty, () => [line('The statement shows no payment of this batch.')]),
    sumsTable(reconciled, accepted),
    BLANK,
    ...compareByCurrency(findings).flatMap((compared) => amountBlocks(compared, most)),
    ...statementNotes(reconciled).map((note) => line(printable(note))),
    ...findingBlocks({ reconciled, accepted, end }, most),
    ...incidentBlocks({ batch: of, reconciled }, most),
    ...when(isOpen && doubt, (known) => [BLANK, ...doubtBlocks(known)]),
  ];
}

/** A statement may write times; a person compares days. */
const dayOf = (written: string) => written.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');

/** Counts every row of the batch and every line of the statement once. Totals stand below. */
export function sumsTable(of: StatementCompared, accepted: readonly Accepted[] = []): Table {
  const count = (number: number | undefined) => (number === undefined ? '' : countText(number));
  const cells = ({ what, rows, sum, lines }: SumLine) => [
    what,
    count(rows),
    sum === undefined ? '' : formatMoney(sum),
    count(lines),
  ];
  const ruled = accepted.filter(({ outcome }) => outcome === 'ruled').map(({ finding }) => finding);
  const { parts, totals } = sumLines(of, ruled);
  const titles = ['What', ...['Rows', 'Sum', 'Lines'].map(number)];
  return table(titles, [...parts, ...totals].map(cells));
}

/** The amounts of one currency: each row that differs, and the total. */
function amountBlocks(compared: CurrencyComparison, most: number): readonly Block[] {
  const lines = amountLines(compared);
  const shown = [...lines.slice(0, -1).slice(0, most), ...lines.slice(-1)];
  const titles = [`In ${compared.currency}`, ...AMOUNT_TITLES.map(number), ''];
  const cells = shown.map(({ what, amounts, why }) => [what, ...amounts, why]);
  return [table(titles, cells), ...moreBlocks(lines.length - 1, most), BLANK];
}

interface Findings {
  readonly reconciled: Pick<ReconciledBatch['reconciled'], 'findings'>;
  readonly accepted: readonly Accepted[];
  readonly end: Pick<ReconciledBatch['end'], 'steps'>;
}

/** Findings, grouped by what a person must do. */
export function findingBlocks(
  { reconciled: { findings }, accepted, end }: Findings,
  most = SHOWN_MAX,
): readonly Block[] {
  const outcomes = new Map(accepted.map((each) => [each.finding, each]));
  const titleOf = (kind: FindingKind, group: readonly Finding[]) => {
    const isRuled = group.every((finding) => outcomes.get(finding)?.outcome === 'ruled');
    return (isRuled ? RULED_WORDS[kind] : undefined) ?? FINDING_WORDS[kind][1];
  };
  return FINDING_KINDS.flatMap((kind) => {
    const group = findings.filter((finding) => finding.kind === kind);
    const title = titleOf(kind, group);
    if (group.length === 0 || title === undefined) return [];
    const shown = group
      .slice(0, most)
      .flatMap((finding) => [
        line(`  ${printable(findingText(finding))}`),
        ...when(outcomes.get(finding), (done) => [line(`    ${printable(outcomeText(done))}`)]),
        ...when(end.steps.get(finding), (step) => [line('    ', step)]),
      ]);
    return [BLANK, line(`${title}:`), ...shown, ...moreBlocks(group.length, most)];
  });
}

/** `The same statement was compared before, by ada on 2026-11-30.` */
function comparedText({ by, at }: ComparedBefore): string {
  return `The same statement was compared before, by ${by} on ${formatTimestamp(at).slice(0, 10)}.`;
}

const moreBlocks = (count: number, most: number) =>
  when(count > most, () => [line(`  … and ${countText(count - most)} more in the JSON output.`)]);

function incidentBlocks(
  { batch: of, reconciled: { keptIncidents: kept } }: Pick<ReconciledBatch, 'batch' | 'reconciled'>,
  most: number,
): readonly Block[] {
  if (kept.length === 0) return [];
  return [
    BLANK,
    line('INCIDENT in the ledger that this statement does not confirm:'),
    ...kept
      .slice(0, most)
      .flatMap(({ rowNumber, what }) => [
        line(`  ${printable(`Row ${rowNumber}: ${what}.`)}`),
        line('    ', command('explain', [batchLabel(of), rowNumber])),
      ]),
    ...moreBlocks(kept.length, most),
  ];
}

/** Lists the findings. Rows that match, or that the statement need not show, are only counted. */
function json({ batch: of, environment, reconciled, before, accepted }: Result) {
  const { findings, span, lines, keptIncidents } = reconciled;
  const counts: Partial<Record<FindingKind, number>> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    environment,
    batch: batchJson(of),
    statement: {
      name: reconciled.fileName,
      sha256: reconciled.sha256,
      lines: span.lines,
      from: span.first ?? null,
      to: span.last ?? null,
      doubt: span.doubt ?? null,
      dates: reconciled.dateHeaders,
      signs: reconciled.signs,
      bookingDays: BOOKING_DAYS,
      isComplete: reconciled.completeness.kind === 'proven',
      balances: reconciled.completeness.kind === 'proven' ? reconciled.completeness.balances : [],
      repeatedLines: reconciled.repeats.count,
      comparedBefore: before === undefined ? null : { by: before.by, at: timeJson(before.at) },
    },
    lines,
    counts,
    sums: sumsJson(reconciled),
    amounts: compareByCurrency(findings).map(amountsJson),
    findings: findings.filter(({ kind }) => kind !== 'matched' && kind !== 'not_expected').map(findingJson),
    accepted: accepted.map(({ finding, outcome, reason }) => ({ ...findingJson(finding), outcome, reason })),
    otherBatches: lines.ofOtherBatches,
    otherLines: lines.foreign,
    /** At most 1,000. */
    otherLineNumbers: reconciled.foreignFirst.map(({ rowNumber }) => rowNumber),
    keptIncidents: keptIncidents.map(({ rowNumber, what }) => ({ row: rowNumber, text: what })),
  };
}

/** `rows` counts each row once. `amount` adds all payments of these rows that were sent. */
function sumsJson({ findings, neverSent }: ReconciledBatch['reconciled']) {
  return findingSums(findings, neverSent).map(({ kind, count, rows, lines, sum }) => ({
    ...{ kind, count, rows, lines },
    currency: sum?.currency ?? null,
    amount: sum === undefined ? null : formatDecimal(sum),
    minorUnits: sum?.minor.toString() ?? null,
  }));
}

/** Payments and their lines in one currency, in total and by row. `unexplained`: the part that nothing explains. */
function amountsJson({ currency, rows, open, ...total }: CurrencyComparison) {
  const decimal = (minor: bigint) => formatDecimal({ minor, currency });
  const sumsOf = (of: Pick<CurrencyComparison, 'lines' | 'charges' | 'booked' | 'difference'>) => ({
    lines: decimal(of.lines),
    charges: decimal(of.charges),
    booked: decimal(of.booked),
    difference: decimal(of.difference),
  });
  return {
    ...{ currency, ...sumsOf(total), unexplained: decimal(open) },
    rows: rows.map((row) => ({
      row: row.entry.rowNumber,
      payout: row.entry.payoutId,
      ...sumsOf(row),
      explanation: row.explanation ?? null,
    })),
  };
}

function findingJson(finding: Finding) {
  const { kind, entry, lines, by, transferId } = finding;
  return {
    kind,
    row: entry?.rowNumber ?? null,
    payout: entry?.payoutId ?? null,
    status: entry?.status ?? null,
    currency: entry?.amount.currency ?? null,
    amount: entry === undefined ? null : formatDecimal(entry.amount),
    lines: lines.map(({ rowNumber }) => rowNumber),
    by: by ?? null,
    transferId: transferId ?? null,
    isAcceptable: isAcceptable(finding),
    text: printable(findingText(finding)),
  };
}
