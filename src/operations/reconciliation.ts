/**
 * Compares batches with a statement or dashboard export, and proposes rulings for rows in doubt. `accept` applies the
 * unambiguous ones. Without it no payment changes; the journal keeps each comparison.
 *
 * Exit codes: 0 if all agrees, 3 if the statement lacks a payment, 4 if a payment may still appear. 5 for rows in
 * doubt, incidents and duplicates, 10 if proposals wait. 65 and 66 for the file.
 */
import { z } from 'zod';
import { type Batch, batchLabel } from '../domain/batches/batch.ts';
import {
  type Command,
  command,
  type Flag,
  flagsOf,
  nextSteps,
  plainPath,
  type Word,
} from '../domain/next-steps/command.ts';
import { areDays } from '../domain/reporting/period.ts';
import { reconciliationFile, reconciliationFormat } from '../domain/statement/reconciliation-tables.ts';
import { STATEMENT_FIELDS } from '../domain/statement/statement-columns.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { Reconciliation } from '../use-cases/reconcile/compare-with-statement.ts';
import type { StatementOptions } from '../use-cases/reconcile/reconcile-batches.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { saveBankReading, withBankReading } from './bank-reading.ts';
import { line, when } from './block.ts';
import type { Context } from './context.ts';
import {
  columns,
  day,
  evidence,
  layout,
  nonEmptyText,
  oneOf,
  output,
  overwrite,
  seenItems,
  textList,
} from './fields.ts';
import { layoutFlags } from './file-commands.ts';
import * as messages from './messages.ts';
import { field, operation } from './operation.ts';
import { comparisonBlocks, reconciliationJson } from './reconciliation-blocks.ts';

export type { Reconciliation };

const input = z.strictObject({
  batches: textList({ value: 'batch', isPositional: true }),
  from: day('first day: compare all batches with payments in these days'),
  to: day('last day'),
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
type Result = Reconciliation & { readonly asked: Asked };

export const reconcile = operation({
  name: 'reconcile',
  needs: ['rule'],
  changesData: true,
  input,
  async run(asked, context): Promise<Result> {
    if (asked.output !== undefined && reconciliationFormat(asked.output) === undefined)
      throw new RequestRefused(messages.reconciliationUnusable(asked.output));
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
  json: (result: Result) => reconciliationJson(result),
  summarize: ({ batches: [only, second] }) =>
    only === undefined || second !== undefined ? {} : { batch: only.batch },
  next: (result) => nextSteps(result.end.next, laterCommandOf(result)),
  exit: ({ end }) => end.exitCode,
});

async function compareOrRule(asked: Asked, context: Context): Promise<Reconciliation> {
  const { accept, acceptOnly: only, statement: path } = asked;
  if (path === undefined) {
    const again = commandOf(asked, asked.payments, FILE);
    throw new RequestRefused(messages.statementMissing, undefined, again);
  }
  if (accept !== undefined) context.requireService();
  const ledger = await context.ledger();
  const found = await batchesMeant(asked, ledger);
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

/** Those that are named, each once, or all with payments in the days. */
async function batchesMeant({ batches, from, to }: Asked, ledger: Ledger): Promise<readonly Batch[]> {
  const example = command('reconcile', [{ fillIn: 'BATCH' }], [['--statement', FILE]]);
  if (from === undefined && to === undefined) {
    if (batches.length === 0) throw new RequestRefused(messages.batchesOrDays, example);
    const named = new Map<string, Batch>();
    for (const each of batches) {
      const batch = await findBatch(each, ledger);
      named.set(batch.id, batch);
    }
    return [...named.values()];
  }
  if (batches.length > 0) throw new RequestRefused(messages.batchesOrDays, example);
  if (from === undefined || to === undefined) throw new RequestRefused(messages.daysTogether);
  if (!areDays({ from, to })) throw new RequestRefused(messages.daysTurned(from, to));
  const { batchesOfDays } = await import('../use-cases/reconcile/batches-of-days.ts');
  const found = await batchesOfDays({ from, to }, ledger);
  if (found.length === 0) throw new RequestRefused(messages.noBatchInDays(from, to));
  return found;
}

/** What is filed: how all stands, after what was accepted. */
async function writeFile(
  { batches, environment, reconciled }: Reconciliation,
  { output: path, overwrite: isReplaced }: Asked,
  context: Context,
): Promise<void> {
  if (path === undefined) return;
  const { clock, policy } = await context.readingPorts();
  const { organization = '' } = policy;
  const names = batches.map(({ batch }) => batchLabel(batch));
  const facts = { batches: names, environment, organization, by: context.user, madeAt: clock.now() };
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

/** The same comparison, of another file or with a ruling. */
function commandOf(
  asked: Asked,
  payments: Asked['payments'],
  file: Word,
  more: readonly Flag[] = [],
): Command {
  const days = flagsOf({ '--from': asked.from, '--to': asked.to });
  return command('reconcile', asked.batches, [...days, ...statementFlags(asked, payments, file), ...more]);
}

/** The command after the user looked: accept the proposals, or compare with a later statement. */
function laterCommandOf({ batches, reconciled, end, asked }: Result) {
  const { mayAccept, byHand, isTooShort } = end;
  if (byHand !== undefined) return byHand;
  const { statement = '' } = asked;
  const names = asked.batches.length === 0 ? [] : batches.map(({ batch }) => batchLabel(batch));
  const again = (file: Word, accept: readonly Flag[]) =>
    commandOf({ ...asked, batches: names }, reconciled.payments, file, accept);
  if (mayAccept === undefined) return isTooShort ? again(FILE, []) : undefined;
  return again(plainPath(statement), [mayAccept === 'paid' ? ['--accept'] : ['--accept', 'not-paid']]);
}
