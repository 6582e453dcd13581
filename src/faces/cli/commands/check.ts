/**
 * `payfile check FILE`: reads and validates against the live lists. Asks for no names and no quotes, keeps
 * nothing, moves no money.
 *
 * --json: {file: {name, sheet, rows, invalid, held, blankRows, sha256, amountStyle}, totals: [{currency, count, amount,
 * minorUnits}], unexpected: [sentence], issues: [...], holds: [{row, reasons}], fixFile: {path, rows} | null,
 * notes, exitCode}.
 */

import { basename } from 'node:path';
import { styleJson } from '../../../domain/money/amount-style.ts';
import { grouped } from '../../../domain/money/money.ts';
import { nextSteps } from '../../../domain/steps/command.ts';
import { countText, printable, rowsText } from '../../../domain/text/printable.ts';
import { type CheckedFile, checkFile } from '../../../use-cases/intake/check-file.ts';
import type { FixWritten } from '../../../use-cases/intake/fix-file.ts';
import { argument, type Call, tellSteps, typed, typedSteps } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { readOptions, unexpected } from '../place-file.ts';
import { requireFile, requireService } from '../run-usage.ts';
import { fixFileFor, fixFileJson, fixFileText } from '../show/fix-file.ts';
import { isGrouped, issuesJson, printIssues, type RowIssues } from '../show/issues.ts';
import { amountsLine, moneyJson, stripe } from '../show/plan.ts';
import { tableOf } from '../terminal/table.ts';
import { fileCommand } from '../words/file-words.ts';
import { savedMappings } from './mapping.ts';
import { proposeValues } from './propose-values.ts';

interface Findings {
  readonly issues: RowIssues[];
  readonly holds: { readonly row: number; readonly reasons: readonly string[] }[];
}

/** Issues that a person may settle by saying which institution is meant. */
const NAMES: ReadonlySet<string> = new Set(['institution_unknown', 'institution_gone']);

export async function check(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  requireService(opened.settings);
  await requireFile(call);
  const { tell } = opened.progress;
  const questions = { paymentService: await opened.parts.paymentService(), tell };
  const findings: Findings = { issues: [], holds: [] };
  const listener = {
    invalid: (rowNumber: number, issues: RowIssues['issues']) =>
      void findings.issues.push({ rowNumber, issues }),
    held: (row: number, reasons: readonly string[]) => void findings.holds.push({ row, reasons }),
  };
  const fixing = await fixFileFor(call, opened);
  const world = { ...questions, fixFile: fixing };
  try {
    const checked = await checkFile(
      opened.parts.openRows,
      readOptions(call, opened, await savedMappings(opened)),
      listener,
      world,
    );
    opened.progress.clear();
    const exitCode = show(checked, findings, { call, opened, fixFile: await fixing?.finish() });
    const isUnknown = findings.issues.some(({ issues }) => issues.some(({ kind }) => NAMES.has(kind)));
    if (isUnknown && (await proposeValues(call, opened)))
      tellSteps(typedSteps(call, nextSteps(fileCommand(call, 'check'))), call.terminal);
    return exitCode;
  } catch (error) {
    await fixing?.abort();
    throw error;
  }
}

interface Showing {
  readonly call: Call;
  readonly opened: Opened;
  readonly fixFile: FixWritten | undefined;
}

function show(checked: CheckedFile, findings: Findings, { call, opened, fixFile }: Showing): ExitCode {
  const { terminal, flags } = call;
  const { environment } = opened.settings;
  const path = argument(call, 0);
  const all = flags.all === true;
  for (const line of printIssues(findings.issues, { all, columns: terminal.columns }))
    terminal.result(line.replace(/^Row \d+/, (row) => terminal.paint(row, 'strong')));
  if (!all && isGrouped(findings.issues))
    terminal.talk(`Every row: ${typed(call, fileCommand(call, 'check', { more: [['--all']] }))}`);
  for (const { row, reasons } of findings.holds)
    terminal.result(
      `${terminal.paint(`Row ${row}`, 'strong')}: will be held: ${reasons.map(printable).join('; ')}`,
    );
  if (findings.issues.length + findings.holds.length > 0) terminal.result('');
  terminal.result(summaryOf(checked, call, environment));
  const { sheet, rows, invalid, held, blankRows, amountStyle, fileSha256: sha256 } = checked;
  const sums = new Map([...checked.totals].map(([currency, { minor }]) => [currency, minor]));
  const problems = unexpected(call, { rows, invalid, sums });
  for (const problem of problems) terminal.result(`${terminal.paint('✖', 'bad')} ${problem}`);
  const hasGoodRows = invalid === 0 || flags.skipInvalid === true;
  const exitCode = hasGoodRows && problems.length === 0 ? EXIT.done : EXIT.badFile;
  if (fixFile !== undefined) terminal.talk(fixFileText(fixFile, path));
  const isGood = exitCode === EXIT.done;
  // What was checked is what is planned: without the same rows, and against the same numbers.
  const next = typed(call, fileCommand(call, isGood ? 'plan' : 'check', { mended: fixFile?.path }));
  const advice = !hasGoodRows
    ? 'Correct these rows (or leave them out with --skip-invalid).'
    : problems.length > 0
      ? 'Bring the file and the expected numbers together.'
      : undefined;
  if (advice !== undefined) terminal.talk(advice);
  tellSteps({ next }, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'check',
    environment,
    exitCode,
    file: {
      name: basename(path),
      sheet: sheet ?? null,
      ...{ rows, invalid, held, blankRows, sha256 },
      amountStyle: styleJson(amountStyle),
    },
    totals: [...checked.totals].map(([currency, { count, minor }]) => ({
      count,
      ...moneyJson({ currency, minor }),
    })),
    unexpected: problems,
    issues: issuesJson(findings.issues, sheet),
    holds: findings.holds,
    fixFile: fixFileJson(fixFile),
    notes: checked.notes,
    next,
  });
  return exitCode;
}

function summaryOf(checked: CheckedFile, call: Call, environment: 'live' | 'sandbox'): string {
  const { rows, invalid, held, blankRows, notes, sheet, amountStyle } = checked;
  const ready = rows - invalid;
  const path = argument(call, 0);
  const name = path === '-' ? 'standard input' : printable(basename(path));
  const place = sheet === undefined ? '' : ` · sheet “${printable(sheet)}”`;
  const totals = [...checked.totals].sort(([one], [other]) => (one < other ? -1 : 1));
  const columns = [
    { title: 'Currency' },
    { title: 'Rows', right: true },
    { title: 'Beneficiaries get', right: true },
  ];
  const lines = totals.map(([currency, { count, minor }]) => [
    currency,
    countText(count),
    grouped({ currency, minor }),
  ]);
  return [
    `${name}${place} · ${rowsText(rows)}${blankRows > 0 ? `, ${countText(blankRows)} blank` : ''}`,
    stripe(environment, call.terminal),
    `  ${amountsLine(amountStyle)}`,
    ...notes.map((note) => `  ${printable(note)}`),
    '',
    `✔ ${rowsText(ready)} can be paid${held > 0 ? `, ${countText(held)} of them held for a person` : ''}`,
    ...(invalid > 0 ? [`✖ ${rowsText(invalid)} cannot be paid as written: left out of the sums`] : []),
    '',
    ...tableOf(columns, lines),
  ].join('\n');
}
