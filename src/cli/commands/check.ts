/**
 * `payfile check FILE`: reads and validates against the live lists. Asks for no names and no quotes, keeps
 * nothing, moves no money.
 *
 * --json: {file: {name, sheet, rows, invalid, held, blankRows, sha256, amountStyle}, totals: [{currency, count, amount,
 * minorUnits}], unexpected: [sentence], issues: [...], holds: [{row, reasons}], fixFile: {path, rows} | null,
 * notes, exitCode}.
 */

import { basename } from 'node:path';
import { styleJson } from '../../domain/money/amount-style.ts';
import { formatAmount, moneyJson } from '../../domain/money/money.ts';
import { command, nextSteps, plainPath } from '../../domain/next-steps/command.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { textOf } from '../../domain/text/message.ts';
import { countText, printable, rowsText } from '../../domain/text/printable.ts';
import { layoutFlags } from '../../operations/file-commands.ts';
import { firstOfEachKind, issueBlocks, issuesJson, shortIssues } from '../../operations/issue-blocks.ts';
import { fixFileBlocks, fixFileJson } from '../../operations/placed-blocks.ts';
import { amountsText } from '../../operations/plan-blocks.ts';
import { toLookAt } from '../../operations/told.ts';
import type { CheckedRows } from '../../payfile.ts';
import { argument, type Call, tellSteps, typed, typedSteps } from '../call.ts';
import { fileRequest } from '../file-request.ts';
import { openParts } from '../open-parts.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { drawAll, environmentLine, wordingIn } from '../show/blocks.ts';
import { everyIssue } from '../show/run.ts';
import { tableOf } from '../terminal/table.ts';

export async function check(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const checked = await opened.payfile.check(argument(call, 0), await fileRequest(call, opened));
  opened.progress.clear();
  return show(checked, call, opened.payfile.environment);
}

function show(checked: CheckedRows, call: Call, environment: 'live' | 'sandbox'): ExitCode {
  const { terminal } = call;
  const path = argument(call, 0);
  const found = checked.issues.map(({ row: rowNumber, issues }) => ({ rowNumber, issues }));
  drawAll(issueBlocks(found, { all: call.flags.all === true, allBy: everyIssue(call) }), call);
  const holds = checked.holds.map(
    ({ row, reasons }) => `Row ${row}: will be held: ${reasons.map(printable).join('; ')}`,
  );
  for (const text of listed(holds, call)) terminal.result(text);
  if (found.length + checked.holds.length > 0) terminal.result('');
  terminal.result(summaryOf(checked, call, environment));
  const { sheet, rows, invalid, held, blankRows, amountStyle, fileSha256: sha256 } = checked;
  const { fixFile, exitCode, toMend, unexpected: problems } = checked;
  for (const problem of problems) terminal.result(`${terminal.paint('✖', 'bad')} ${problem}`);
  if (fixFile !== undefined) drawAll(fixFileBlocks(fixFile, path), call);
  // What was checked is what is planned: without the same rows, and against the same numbers.
  const again = fileCommand(call, toMend === undefined ? 'plan' : 'check', { mended: fixFile?.path });
  // A file that has to be mended first is not ready to be checked again.
  const commands = toMend === undefined ? nextSteps(again) : { andThen: again };
  const steps = typedSteps(call, commands);
  if (toMend !== undefined) terminal.talk(MENDING[toMend]);
  tellUnknownName(checked, call);
  tellSteps(steps, terminal);
  const document = {
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
    issues: issuesJson(found, sheet),
    holds: checked.holds,
    fixFile: fixFileJson(fixFile),
    notes: checked.notes,
    ...steps,
  };
  terminal.answer(document, { steps: commands, toLookAt: toLookAt(shortIssues(found), (text) => text) });
  return exitCode;
}

/** With --all every line, else at most twenty of a kind. */
function listed(lines: readonly string[], { flags }: Call): readonly string[] {
  return flags.all === true ? lines : firstOfEachKind(lines).map((pieces) => textOf(pieces, wordingIn({})));
}

const MENDING = {
  rows: 'Correct these rows (or leave them out with --skip-invalid).',
  numbers: 'Correct the file, or the numbers that you expect of it.',
} as const;

/** A name that is not in the list may be another name of an institution that is; only a person can say so. */
function tellUnknownName({ issues }: CheckedRows, call: Call): void {
  const unknown = issues.flatMap((row) => row.issues).find(({ kind }) => kind === 'institution_unknown');
  const path = argument(call, 0);
  if (unknown === undefined || path === '-') return;
  const meaning = { before: `${unknown.seen}=`, fillIn: 'INSTITUTION' } as const;
  const save = command(
    'mapping',
    ['save', { fillIn: 'NAME' }, plainPath(path)],
    [...layoutFlags(call.flags), ['--value', meaning]],
  );
  call.terminal.talk(`To say once what a name means that the service does not list: ${typed(call, save)}`);
}

function summaryOf(checked: CheckedRows, call: Call, environment: 'live' | 'sandbox'): string {
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
    formatAmount({ currency, minor }),
  ]);
  return [
    `${name}${place} · ${rowsText(rows)}${blankRows > 0 ? `, ${countText(blankRows)} blank` : ''}`,
    environmentLine(environment, call.terminal),
    `  ${amountsText(amountStyle)}`,
    ...listed(notes.map(printable), call).map((note) => `  ${note}`),
    '',
    `✔ ${rowsText(ready)} can be paid${held > 0 ? `, ${countText(held)} of them held for a person` : ''}`,
    ...(invalid > 0 ? [`✖ ${rowsText(invalid)} cannot be paid as written: left out of the sums`] : []),
    '',
    ...tableOf(columns, lines),
  ].join('\n');
}
