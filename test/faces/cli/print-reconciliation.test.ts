/** What a statement says is text of a stranger: a command that is printed to be typed runs nothing of it. */
import { expect, it } from 'vitest';
import { entryOf } from '../../../src/domain/statement/entry.ts';
import type { Finding } from '../../../src/domain/statement/findings.ts';
import { readStatementLine } from '../../../src/domain/statement/line.ts';
import { command, commandText, type Flag, type Verb } from '../../../src/domain/steps/command.ts';
import { printFindings } from '../../../src/faces/cli/show/reconciliation.ts';
import { aPayoutIn } from '../../builders/payouts.ts';

const entry = entryOf(aPayoutIn('in_doubt', { rowNumber: 14 }), true);
if (entry === undefined) throw new TypeError('A row in doubt has a tag');
const line = readStatementLine({ rowNumber: 2, cells: [] }, new Map());
const forRow = (verb: Verb, row: number, ...flags: readonly Flag[]) =>
  commandText(command(verb, ['may', row], flags), {});
const printed = (finding: Finding) =>
  printFindings({ findings: [finding], accepted: [], width: 80, forRow }).join('\n');

it('quotes a transfer id that holds a command', () => {
  const transferId = "tr-1; rm -rf ~ $(x) 'y'";
  const finding = {
    kind: 'propose_paid',
    entry,
    lines: [line],
    text: 'line 2',
    by: 'tag',
    transferId,
  } as const;
  expect(printed(finding)).toContain(`payfile resolve may 14 --paid 'tr-1; rm -rf ~ $(x) '\\''y'\\'''`);
});

it('offers “not paid” only where nothing speaks against it', () => {
  const finding = { kind: 'propose_not_paid', entry, lines: [], text: 'not there' } as const;
  expect(printed({ ...finding, weakness: undefined })).toContain('payfile resolve may 14 --not-paid');
  expect(printed({ ...finding, weakness: 'it shows no other payment in GHS' })).not.toContain('--not-paid');
});
