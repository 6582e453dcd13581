/**
 * `payfile check FILE`: reads and validates against the live lists. Asks for no names and no quotes, keeps
 * nothing, moves no money.
 *
 * --json: {file: {name, sheet, rows, invalid, held, blankRows, sha256}, totals: [{currency, count, amount,
 * minorUnits}], issues: [...], holds: [{row, reasons}], notes, exitCode}.
 */
import { basename } from 'node:path';
import { type CheckedFile, checkFile } from '../../application/check-file.ts';
import { countText } from '../../domain/batch-outcome.ts';
import { grouped } from '../../domain/money.ts';
import { printable } from '../../domain/printable.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { argument, type Call, shellWord, typed } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { readOptions, unexpected } from '../place-file.ts';
import { issueKinds, issuesJson, printIssues, type RowIssues } from '../print-issues.ts';
import { moneyJson, rowsText, stripe } from '../print-plan.ts';
import { requireFile, requireService } from '../run-usage.ts';
import { tableOf } from '../table.ts';

interface Findings {
  readonly issues: RowIssues[];
  readonly holds: { readonly row: number; readonly reasons: readonly string[] }[];
}

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
  const checked = await checkFile(opened.parts.openRows, readOptions(call, opened), listener, questions);
  opened.progress.clear();
  const sums = new Map([...checked.totals].map(([currency, { minor }]) => [currency, minor]));
  const problem = unexpected(call, { rows: checked.rows, sums });
  if (problem !== undefined) throw new FileRefused(problem);
  return show(checked, findings, { call, opened });
}

function show(
  checked: CheckedFile,
  findings: Findings,
  { call, opened }: { readonly call: Call; readonly opened: Opened },
): ExitCode {
  const { terminal, flags } = call;
  const { environment } = opened.settings;
  for (const line of printIssues(findings.issues, findings.issues.length, terminal.columns))
    terminal.result(line);
  for (const line of issueKinds(findings.issues)) terminal.talk(line);
  for (const { row, reasons } of findings.holds)
    terminal.result(`Row ${row}: will be held. ${reasons.map(printable).join('; ')}`);
  terminal.result(summaryOf(checked, call, environment));
  const isGood = checked.invalid === 0 || flags.skipInvalid === true;
  const exitCode = isGood ? EXIT.done : EXIT.badFile;
  const file = shellWord(argument(call, 0));
  const next = typed(call, isGood ? `plan ${file}` : `check ${file}`);
  terminal.talk(
    isGood ? `Next: ${next}` : `Correct these rows (or leave them out with --skip-invalid). Next: ${next}`,
  );
  const { sheet, rows, invalid, held, blankRows, fileSha256: sha256 } = checked;
  terminal.answer({
    schemaVersion: 1,
    command: 'check',
    environment,
    exitCode,
    file: { name: basename(argument(call, 0)), sheet: sheet ?? null, rows, invalid, held, blankRows, sha256 },
    totals: [...checked.totals].map(([currency, { count, minor }]) => ({
      count,
      ...moneyJson({ currency, minor }),
    })),
    issues: issuesJson(findings.issues, sheet),
    holds: findings.holds,
    notes: checked.notes,
    next,
  });
  return exitCode;
}

function summaryOf(checked: CheckedFile, call: Call, environment: 'live' | 'sandbox'): string {
  const { rows, invalid, held, blankRows, notes, sheet } = checked;
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
    ...notes.map((note) => `  ${printable(note)}`),
    '',
    `✔ ${rowsText(ready)} can be paid${held > 0 ? `, ${countText(held)} of them held for a person` : ''}`,
    ...(invalid > 0 ? [`✖ ${rowsText(invalid)} cannot be paid as written: left out of the sums`] : []),
    '',
    ...tableOf(columns, lines),
  ].join('\n');
}
