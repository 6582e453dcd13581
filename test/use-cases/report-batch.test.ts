import { expect, it } from 'vitest';
import type { ReportLine } from '../../src/domain/reporting/report-line.ts';
import type { ReportSink } from '../../src/ports/outputs.ts';
import { type ReportPorts, reportBatch, writeReport } from '../../src/use-cases/report/report-batch.ts';
import {
  aHeader,
  aRowPerState,
  inPages,
  ledgerTotalsOf,
  NOTHING_KEPT,
  rowsIn,
} from '../builders/report-rows.ts';

function keepingSink() {
  const lines: ReportLine[] = [];
  const told: string[] = [];
  const sink: ReportSink = {
    begin: async () => void told.push('begin'),
    write: async (page) => void lines.push(...page),
    end: async ({ totals }) => void told.push(totals.ties ? 'end, ties' : 'end, parts'),
    abort: async () => void told.push('abort'),
  };
  return { lines, told, sink };
}

it('writes every row once, in file order, and proves it against the ledger', async () => {
  const rows = aRowPerState();
  const { sink, lines, told } = keepingSink();
  const ports: ReportPorts = {
    ledger: {
      ...NOTHING_KEPT,
      reportRows: () => inPages(rows),
      totals: async () => ledgerTotalsOf(rows),
    },
    openSink: async () => sink,
  };
  const target = { path: 'x.csv', format: undefined, fullAccounts: false };
  const reported = await reportBatch(aHeader(), ports, { target });
  expect(lines.map((line) => line.row)).toEqual(rows.map((row) => row.payout.rowNumber));
  expect(told).toEqual(['begin', 'end, ties']);
  expect(reported).toMatchObject({
    totals: { linesOut: 12, ties: true, parts: [] },
    outcome: { exitCode: 5 },
  });
});

it('makes the totals alone when nobody wants a file', async () => {
  const rows = rowsIn('settled', 'settled');
  const reported = await writeReport(inPages(rows), aHeader(), {
    sink: undefined,
    ledgerTotals: async () => ledgerTotalsOf(rows),
  });
  expect(reported).toMatchObject({
    totals: { linesOut: 2 },
    outcome: { exitCode: 0, sentence: '2 payments: 2 settled' },
  });
});

it.each([
  ['does not call it a difference when the batch moved while it was read', [1, 2], /^The batch moved while/],
  [
    'names a difference of a batch that did not move',
    [1, 1],
    /^Not sent: approved in .*: the ledger has 0 rows/,
  ],
])('%s', async (_promise, heads, said) => {
  const rows = rowsIn('settled', 'approved');
  const reported = await writeReport(inPages(rows), aHeader(), {
    sink: undefined,
    ledgerTotals: async () => ledgerTotalsOf(rowsIn('settled', 'accepted')),
    head: async () => heads.shift() ?? 0,
  });
  expect(reported.totals.ties).toBe(false);
  expect(
    reported.totals.parts.filter((part) => said.test(part)),
    reported.totals.parts.join('\n'),
  ).toHaveLength(1);
});

it('gives the file up when it is told to stop', async () => {
  const { sink, told } = keepingSink();
  const writing = writeReport(inPages(rowsIn('settled')), aHeader(), {
    sink,
    ledgerTotals: async () => [],
    signal: AbortSignal.abort(new Error('interrupted')),
  });
  await expect(writing).rejects.toThrow('interrupted');
  expect(told).toEqual(['begin', 'abort']);
});
