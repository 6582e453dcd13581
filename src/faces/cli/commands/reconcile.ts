/**
 * `payfile reconcile BATCH --statement FILE`: what a statement or dashboard export says about a batch. It proposes
 * rulings for rows in doubt. `--accept` rules “paid” and `--accept not-paid` rules “not paid”, only where nothing is
 * left open.
 *
 * --json: {batch, statement: {name, sha256, lines, from, to, doubt, dates, signs, bookingDays}, lines: {ofRows,
 * ofUnknownTags, ofOtherBatches, foreign, unnamed}, findings, counts, sums, accepted, otherBatches, otherLines,
 * otherLineNumbers (1,000 at most), exitCode}. Exit code 0 when all agrees, 5 for doubt, incidents and duplicates,
 * 10 when proposals wait, 3 when the statement lacks a payment, 4 for one on its way or not there yet; 65 and 66 for the
 * file.
 */

import { batchLabel } from '../../../domain/batches/batch.ts';
import {
  type Command,
  command,
  type Flag,
  nextSteps,
  plainPath,
  type Word,
} from '../../../domain/next-steps/command.ts';
import type { ExitCode } from '../../../domain/reporting/exit-code.ts';
import { BOOKING_DAYS } from '../../../domain/statement/dates.ts';
import type { Payments } from '../../../domain/statement/direction.ts';
import { statementNotes } from '../../../domain/statement/finding-words.ts';
import type { Finding } from '../../../domain/statement/findings.ts';
import { counted, countText, printable } from '../../../domain/text/printable.ts';
import { batchJson } from '../../../operations/batch-json.ts';
import { line } from '../../../operations/block.ts';
import { doubtBlocks } from '../../../operations/outcome-blocks.ts';
import type { ReconciledBatch, ReconcileOptions } from '../../../payfile.ts';
import { argument, type Call, placeOf, tellSteps, typed, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { layoutFlags } from '../parse/file-flags.ts';
import { draw, environmentLine } from '../show/blocks.ts';
import { findingJson, printFindings, sumsJson, sumsTable } from '../show/reconciliation.ts';
import { askerFor } from '../terminal/questions.ts';
import { wrapped } from '../terminal/table.ts';

const WIDTH_MAX = 80;

export async function reconcile(call: Call): Promise<ExitCode> {
  const { statement } = call.flags;
  if (statement === undefined)
    throw new UsageError(
      'Which statement? Name the file (.csv or .xlsx) with --statement FILE.',
      undefined,
      command('reconcile', [argument(call, 0)], statementFlags(call, call.flags.payments, FILE)),
    );
  const options = optionsOf(call);
  const { payfile, progress } = await openParts(call);
  const found = await payfile.reconcile(argument(call, 0), statement, options);
  progress.clear();
  return show(found, call);
}

function optionsOf(call: Call): ReconcileOptions {
  const { sheet, headerRow, delimiter, encoding, map, dateOrder, payments, accept } = call.flags;
  if (typeof payments === 'object' && payments.column === '')
    throw new UsageError('--payments column needs the name of the column: --payments column "Paid out".');
  return {
    ...{ sheet, headerRow, delimiter, encoding, payments },
    // The option table gives this command's --map a parser of its own.
    map: map as unknown as ReconcileOptions['map'],
    dateOrder: dateOrder === undefined ? undefined : dateOrder === 'day' ? 'day_first' : 'month_first',
    accept,
    signal: call.stopping.signal,
    ask: askerFor(call),
  };
}

const FILE = { fillIn: 'FILE' } as const;

/** A statement, read in the same way. */
function statementFlags(call: Call, payments: Payments | undefined, file: Word): readonly Flag[] {
  const { dateOrder } = call.flags;
  const which = typeof payments === 'object' ? `column=${payments.column}` : payments;
  return [
    ['--statement', file],
    ...layoutFlags(call),
    ...(dateOrder === undefined ? [] : [['--date-order', dateOrder] as const]),
    ...(which === undefined ? [] : [['--payments', which] as const]),
  ];
}

function show(found: ReconciledBatch, call: Call): ExitCode {
  const { batch, environment, reconciled, accepted, doubt, end } = found;
  const { exitCode } = end;
  const { terminal } = call;
  const { findings, span, lines, keptIncidents } = reconciled;
  const width = Math.min(terminal.columns, WIDTH_MAX);
  terminal.result(
    [
      ...headLines(found, width),
      environmentLine(environment, terminal),
      '',
      ...bodyLines(found, { call, width }),
    ].join('\n'),
  );
  const isOpen = doubt !== undefined && end.mayAccept === undefined && end.byHand === undefined;
  if (isOpen)
    for (const block of [line(), ...doubtBlocks(doubt)]) draw(block, placeOf(call), 'result', terminal);
  const commands = nextSteps(end.next, againCommand(found, call));
  const steps = typedSteps(call, commands);
  tellSteps(steps, terminal);
  const counts: Record<string, number> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  const document = {
    command: 'reconcile',
    environment,
    exitCode,
    batch: batchJson(batch),
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
    },
    lines,
    counts,
    sums: sumsJson(reconciled),
    findings: findings.filter(({ kind }) => kind !== 'matched' && kind !== 'not_expected').map(findingJson),
    accepted: accepted.map(({ finding, outcome, reason }) => ({ ...findingJson(finding), outcome, reason })),
    otherBatches: lines.ofOtherBatches,
    otherLines: lines.foreign,
    otherLineNumbers: reconciled.foreignFirst.map(({ rowNumber }) => rowNumber),
    keptIncidents: keptIncidents.map(({ rowNumber, what }) => ({ row: rowNumber, text: what })),
    ...steps,
  };
  terminal.answer(document, { batch, steps: commands });
  return exitCode;
}

function headLines({ batch, reconciled }: ReconciledBatch, width: number): string[] {
  const { span, fileName } = reconciled;
  const reach = span.first === undefined ? '' : `, ${span.first} to ${span.last ?? span.first}`;
  const text = `Batch ${batchLabel(batch)} and ${fileName}: ${counted(span.lines, 'line')}${reach}`;
  return wrapped(printable(text), width, '  ');
}

interface Showing {
  readonly call: Call;
  readonly width: number;
}

function bodyLines(
  { batch, reconciled, accepted, end }: ReconciledBatch,
  { call, width }: Showing,
): string[] {
  const { findings, keptIncidents } = reconciled;
  const explain = (row: number) => typed(call, command('explain', [batchLabel(batch), row]));
  const stepOf = (finding: Finding) => {
    const step = end.steps.get(finding);
    return step && typed(call, step);
  };
  const isEmpty = findings.every(({ kind }) => kind === 'not_expected' || kind === 'not_yet');
  return [
    ...(isEmpty ? ['The statement shows no payment of this batch.'] : []),
    ...sumsTable(reconciled, accepted),
    '',
    ...statementNotes(reconciled).flatMap((note) => wrapped(printable(note), width, '  ')),
    ...printFindings({ findings, accepted, width, stepOf }),
    ...keptIncidentLines(keptIncidents, width, explain),
  ];
}

const INCIDENTS_SHOWN = 20;

function keptIncidentLines(
  kept: ReconciledBatch['reconciled']['keptIncidents'],
  width: number,
  explain: (row: number) => string,
): string[] {
  if (kept.length === 0) return [];
  const left = kept.length - INCIDENTS_SHOWN;
  return [
    '',
    'INCIDENT, kept in the ledger; this statement does not show it so:',
    ...kept
      .slice(0, INCIDENTS_SHOWN)
      .flatMap(({ rowNumber, what }) => [
        ...wrapped(printable(`Row ${rowNumber}: ${what}.`), width - 2, '  ').map((line) => `  ${line}`),
        `    ${explain(rowNumber)}`,
      ]),
    ...(left > 0 ? [`  … and ${countText(left)} more (--json).`] : []),
  ];
}

/** To be typed after a look, for it agrees to something; or with a later statement. */
function againCommand({ batch, reconciled, end }: ReconciledBatch, call: Call): Command | undefined {
  const { mayAccept, byHand, isTooShort } = end;
  if (byHand !== undefined) return byHand;
  const { statement } = call.flags;
  const again = (file: Word, accept: readonly Flag[]) =>
    command(
      'reconcile',
      [batchLabel(batch)],
      [...statementFlags(call, reconciled.payments, file), ...accept],
    );
  if (mayAccept === undefined || statement === undefined) return isTooShort ? again(FILE, []) : undefined;
  return again(plainPath(statement), [mayAccept === 'paid' ? ['--accept'] : ['--accept', 'not-paid']]);
}
