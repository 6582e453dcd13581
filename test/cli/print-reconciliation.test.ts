/** What a statement says is text of a stranger: a command that is printed to be typed runs nothing of it. */
import { expect, it } from 'vitest';
import { draw } from '../../src/cli/show/blocks.ts';
import { entryOf } from '../../src/domain/statement/entry.ts';
import type { Finding } from '../../src/domain/statement/findings.ts';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import { findingBlocks } from '../../src/operations/reconciliation-blocks.ts';
import { reconcileEnd } from '../../src/use-cases/reconcile/reconcile-end.ts';
import { aPayoutIn } from '../builders/payouts.ts';

const entry = entryOf(aPayoutIn('in_doubt', { rowNumber: 14 }), { ledgerId: 'l-1', tries: undefined });
if (entry === undefined) throw new TypeError('A row in doubt has a tag');
const line = readStatementLine({ rowNumber: 2, cells: [] }, { at: new Map(), currencies: new Map() });
const batches = [{ batch: { id: entry.batchId, name: 'may' } }];
const text = (finding: Finding) => {
  const reconciled = { findings: [finding], keptIncidents: [] };
  const end = reconcileEnd({ batches, reconciled, accepted: [], accept: undefined });
  const lines: string[] = [];
  const screen = {
    ...{ print: (said: string) => lines.push(said), result: () => undefined, talk: () => undefined },
    ...{ paint: (said: string) => said, columns: 120, tableColumns: 80 },
  };
  for (const block of findingBlocks({ reconciled, accepted: [], end })) draw(block, {}, 'print', screen);
  return lines.join('\n');
};

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
  expect(text(finding)).toContain(`payfile resolve may 14 --paid 'tr-1; rm '\\-'rf ~ $(x) '\\''y'\\'`);
});

it('offers “not paid” only where nothing speaks against it', () => {
  const finding = { kind: 'propose_not_paid', entry, lines: [], text: 'not there' } as const;
  expect(text({ ...finding, weakness: undefined })).toContain('payfile resolve may 14 --not-paid');
  expect(text({ ...finding, weakness: 'it shows no other payment in GHS' })).not.toContain('--not-paid');
});
