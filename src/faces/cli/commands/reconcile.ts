/**
 * `payfile reconcile BATCH --statement FILE`: what a statement or dashboard export says about a batch. It proposes
 * rulings for rows in doubt; only with --accept, and only where nothing is left open, are they made.
 *
 * --json: {batch, statement: {name, sha256, lines, from, to, doubt, dates, signs, bookingDays}, lines: {ofRows,
 * ofUnknownTags, ofOtherBatches, foreign, unnamed}, findings, counts, sums, accepted, otherBatches, otherLines,
 * otherLineNumbers (1,000 at most), exitCode}. Exit code 0 when all agrees, 5 for doubt, incidents and duplicates,
 * 10 when proposals wait, 3 when the statement lacks a payment, 4 for one on its way; 65 and 66 for the file.
 */

import { basename } from 'node:path';
import { type Batch, batchLabel } from '../../../domain/batches/batch.ts';
import { BOOKING_DAYS } from '../../../domain/statement/attempt-window.ts';
import type { StatementMap } from '../../../domain/statement/columns.ts';
import { command, type Flag, plainPath, type Verb } from '../../../domain/steps/command.ts';
import { counted, countText, printable } from '../../../domain/text/printable.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { type Accepted, acceptFindings } from '../../../use-cases/reconcile/accept-findings.ts';
import {
  type Reconciled,
  reconcileBatch,
  type StatementOptions,
} from '../../../use-cases/reconcile/reconcile-batch.ts';
import { recoverBatch } from '../../../use-cases/send/recover-batch.ts';
import { orBusy, withLease } from '../../../use-cases/world.ts';
import { argument, type Call, leaseHolder, tellSteps, typed, UsageError, userName } from '../call.ts';
import { EXIT, type ExitCode, strongest } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { requireService } from '../run-usage.ts';
import { batchJson } from '../show/batch.ts';
import { stripe } from '../show/plan.ts';
import {
  findingJson,
  printFindings,
  reconcileCode,
  statementNotes,
  sumsJson,
  sumsTable,
} from '../show/reconciliation.ts';
import { wrapped } from '../terminal/table.ts';
import { layoutFlags } from '../words/file-words.ts';

const WIDTH_MAX = 80;

export async function reconcile(call: Call): Promise<ExitCode> {
  const options = optionsOf(call);
  const opened = await openParts(call);
  const isAccepting = call.flags.accept === true;
  if (isAccepting) requireService(opened.settings);
  const isReading = !isAccepting && opened.settings.environment === 'live';
  const ledger = await opened.ledger(isReading ? { readOnly: true } : {});
  const batch = await findBatch(argument(call, 0), ledger);
  const { openRows } = opened.parts;
  if (!isAccepting) {
    const world = await opened.quietWorld();
    const reconciled = await reconcileBatch(batch.id, { openRows, options }, world);
    return show(reconciled, [], { batch, call, opened, options });
  }
  const world = await opened.world();
  const done = orBusy<{ reconciled: Reconciled; accepted: readonly Accepted[] }>(
    await withLease(batch.id, leaseHolder(call), world, async () => {
      await recoverBatch(batch.id, world);
      const reconciled = await reconcileBatch(batch.id, { openRows, options }, world);
      const { findings, sha256, span } = reconciled;
      const accepting = { by: userName(call), fileName: options.fileName, sha256, span };
      return { reconciled, accepted: await acceptFindings(findings, accepting, world) };
    }),
  );
  return show(done.reconciled, done.accepted, { batch, call, opened, options });
}

function optionsOf(call: Call): StatementOptions {
  const { statement, sheet, headerRow, delimiter, encoding, map, dateOrder } = call.flags;
  if (statement === undefined)
    throw new UsageError(
      'Which statement? Name the file (.csv or .xlsx) with --statement FILE.',
      undefined,
      command('reconcile', [argument(call, 0)], statementFlags(call)),
    );
  return {
    open: { path: statement, sheet, headerRow, delimiter, encoding },
    fileName: statement === '-' ? 'standard input' : basename(statement),
    // The option table gives this command's --map a parser of its own.
    map: (map as unknown as StatementMap | undefined) ?? new Map(),
    dateOrder: dateOrder === undefined ? undefined : dateOrder === 'day' ? 'day_first' : 'month_first',
    signal: call.stopping.signal,
  };
}

/** The statement again, read in the same way. */
function statementFlags(call: Call): readonly Flag[] {
  const { statement, dateOrder } = call.flags;
  return [
    ['--statement', statement === undefined ? { fillIn: 'FILE' } : plainPath(statement)],
    ...layoutFlags(call),
    ...(dateOrder === undefined ? [] : [['--date-order', dateOrder] as const]),
  ];
}

interface Showing {
  readonly batch: Batch;
  readonly call: Call;
  readonly opened: Opened;
  readonly options: StatementOptions;
}

async function show(
  reconciled: Reconciled,
  accepted: readonly Accepted[],
  showing: Showing,
): Promise<ExitCode> {
  const { batch, call, opened, options } = showing;
  const { terminal } = call;
  opened.progress.clear();
  const { environment } = (await opened.ledger()).identity;
  const { findings, span, sha256, otherBatches, foreign } = reconciled;
  const { keptIncidents } = reconciled;
  const kept = keptIncidents.length > 0 ? [EXIT.inDoubt] : [];
  const exitCode = strongest([reconcileCode(findings, accepted), ...kept]);
  terminal.result(
    [
      ...headLines(reconciled, showing),
      stripe(environment, terminal),
      '',
      ...bodyLines(reconciled, accepted, showing),
    ].join('\n'),
  );
  const next = nextOf(reconciled, accepted, showing);
  tellSteps({ next }, terminal);
  const counts: Record<string, number> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  terminal.answer({
    schemaVersion: 1,
    command: 'reconcile',
    environment,
    exitCode,
    batch: batchJson(batch),
    statement: {
      name: options.fileName,
      sha256,
      lines: span.lines,
      from: span.first ?? null,
      to: span.last ?? null,
      doubt: span.doubt ?? null,
      dates: reconciled.dateHeaders,
      signs: reconciled.signs,
      bookingDays: BOOKING_DAYS,
    },
    lines: reconciled.lines,
    counts,
    sums: sumsJson(findings),
    findings: findings.filter(({ kind }) => kind !== 'matched').map(findingJson),
    accepted: accepted.map(({ finding, outcome, reason }) => ({ ...findingJson(finding), outcome, reason })),
    otherBatches,
    otherLines: foreign,
    otherLineNumbers: reconciled.foreignFirst.map(({ rowNumber }) => rowNumber),
    keptIncidents: keptIncidents.map(({ rowNumber, what }) => ({ row: rowNumber, text: what })),
    next,
  });
  return exitCode;
}

function headLines({ span }: Reconciled, { batch, options, call }: Showing): string[] {
  const width = Math.min(call.terminal.columns, WIDTH_MAX);
  const reach = span.first === undefined ? '' : `, ${span.first} to ${span.last ?? span.first}`;
  const name = printable(options.fileName);
  return wrapped(
    printable(`Batch ${batchLabel(batch)} and ${name}: ${counted(span.lines, 'line')}${reach}`),
    width,
    '  ',
  );
}

function bodyLines(
  reconciled: Reconciled,
  accepted: readonly Accepted[],
  { batch, call }: Showing,
): string[] {
  const { findings, keptIncidents } = reconciled;
  const width = Math.min(call.terminal.columns, WIDTH_MAX);
  const forRow = (verb: Verb, row: number, ...flags: readonly Flag[]) =>
    typed(call, command(verb, [batchLabel(batch), row], flags));
  const lines =
    findings.length === 0 ? ['The statement shows no payment of this batch.'] : sumsTable(findings);
  const notes = statementNotes(reconciled);
  return [
    ...lines,
    '',
    ...notes.flatMap((note) => wrapped(printable(note), width, '  ')),
    ...printFindings({ findings, accepted, width, commands: { forRow } }),
    ...keptIncidentLines(keptIncidents, width, forRow),
  ];
}

const INCIDENTS_SHOWN = 20;

function keptIncidentLines(
  kept: Reconciled['keptIncidents'],
  width: number,
  forRow: (verb: Verb, row: number) => string,
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
        `    ${forRow('explain', rowNumber)}`,
      ]),
    ...(left > 0 ? [`  … and ${countText(left)} more (--json).`] : []),
  ];
}

function nextOf({ findings }: Reconciled, accepted: readonly Accepted[], { batch, call }: Showing): string {
  const label = batchLabel(batch);
  if (accepted.some(({ outcome }) => outcome === 'ruled')) return typed(call, command('settle', [label]));
  const waits = findings.some((finding) => 'weakness' in finding && finding.weakness === undefined);
  const isIncident = findings.some(({ kind }) => kind === 'incident');
  if ((waits || isIncident) && call.flags.accept !== true) {
    return typed(call, command('reconcile', [label], [...statementFlags(call), ['--accept']]));
  }
  return typed(call, command('report', [label], [['-o', 'report.xlsx']]));
}
