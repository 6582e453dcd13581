/** Months closed one after another from one ledger: everything is booked once, and no account keeps what is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOutcome } from '../../src/domain/batches/batch.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { type ControlTotals, staysTaken } from '../../src/domain/reporting/control-totals.ts';
import { leftOutText } from '../../src/domain/reporting/left-out.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { openReportSink } from '../../src/files/report/open-report-sink.ts';
import { outcomeBlocks } from '../../src/operations/outcome-blocks.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { reportBatch } from '../../src/use-cases/report/report-batch.ts';
import { reportPeriod } from '../../src/use-cases/report/report-period.ts';
import { settleBatch } from '../../src/use-cases/settle/settle-batch.ts';
import { drawn } from '../builders/drawn.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { utcDays } from '../builders/utc-days.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'payfile-months-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTHING_TO_LOOK_AT = { title: 'May', environment: 'sandbox', attention: [], attentionLeft: 0 } as const;

type Lines = readonly (readonly unknown[])[];
interface Month {
  /** Day, voucher, kind, account, debit, credit. */
  readonly journal: Lines;
  /** How the payment of each line stood then, by day and kind. */
  readonly counted: Lines;
  /** What Summary says of all checks, and of the sums beside payfile's own count. */
  readonly ties: readonly unknown[];
  readonly summary: Lines;
  readonly payments: Lines;
  /** State, amount, in doubt, row. */
  readonly open: Lines;
  /** What the terminal and JSON say stays taken. */
  readonly taken: readonly number[];
  readonly shown: string;
}

const shown = (cell: ExcelJS.Cell): unknown => cell.result ?? cell.value;

function linesOf(book: ExcelJS.Workbook, name: string, columns: readonly string[]): Lines {
  const sheet = book.getWorksheet(name);
  if (sheet === undefined) throw new TypeError(`There is no sheet ${name}`);
  const headers = sheet.getRow(1).values as unknown[];
  return Array.from({ length: sheet.rowCount - 1 }, (_, at) =>
    columns.map((column) => {
      if (!headers.includes(column)) return undefined;
      const value = shown(sheet.getRow(at + 2).getCell(headers.indexOf(column)));
      return value instanceof Date ? value.toISOString().slice(0, 10) : value;
    }),
  );
}

async function readMonth(path: string, totals: ControlTotals): Promise<Month> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  const summary = book.getWorksheet('Summary');
  return {
    journal: linesOf(book, 'Journal', ['Date', 'Voucher', 'Kind', 'Account code', 'Debit', 'Credit']),
    counted: linesOf(book, 'Journal', ['Date', 'Kind', 'Counted as', 'Transfer id']),
    ties: ['A4', 'B4'].map((at) => shown(summary?.getCell(at) ?? ({} as ExcelJS.Cell))),
    summary: Array.from({ length: summary?.rowCount ?? 0 }, (_, at) =>
      Array.from({ length: 11 }, (_none, column) =>
        shown(summary?.getRow(at + 1).getCell(column + 1) ?? ({} as ExcelJS.Cell)),
      ),
    ),
    payments: linesOf(book, 'Payments', ['Row', 'Status', 'Sent in these days', 'Reason']),
    open:
      book.getWorksheet('Open items') === undefined
        ? []
        : linesOf(book, 'Open items', ['State then', 'On its way', 'In suspense', 'Row']).filter(
            ([, amount]) => amount !== null,
          ),
    taken: staysTaken(totals).map(({ minor }) => Number(minor) / 100),
    shown: drawn(outcomeBlocks({ ...NOTHING_TO_LOOK_AT, outcome: batchOutcome(totals.counts), totals })).join(
      '\n',
    ),
  };
}

async function month(from: string, to: string, { ledger, clock }: Workplace, name: string): Promise<Month> {
  const period = utcDays(from, to);
  if (period === undefined) throw new TypeError('no days');
  const path = join(folder, `${name}.xlsx`);
  const sink = await openReportSink({ path, format: undefined, fullAccounts: false });
  const header = { environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  const { totals } = await reportPeriod(ledger, { period, sink, header });
  return readMonth(path, totals);
}

async function wholeBatch(batchId: BatchId, { ledger, clock }: Workplace): Promise<Month> {
  const batch = await ledger.batch(batchId);
  if (batch === undefined) throw new TypeError('no batch');
  const path = join(folder, 'whole.xlsx');
  const header = { batch, environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
  const { totals } = await reportBatch(
    header,
    { ledger, openSink: openReportSink },
    { target: { path, format: undefined, fullAccounts: false } },
  );
  return readMonth(path, totals);
}

/** What each account holds when the months are imported one after another. */
function balances(...months: readonly Month[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [, , , code, debit, credit] of months.flatMap(({ journal }) => journal)) {
    const account = String(code);
    sums[account] = Number(((sums[account] ?? 0) + Number(debit ?? 0) - Number(credit ?? 0)).toFixed(2));
  }
  return sums;
}

const TIES = ['ties', 'Balanced against payfile’s own count'];

/** The first line below a heading of Summary, under the name of each column; cells in which nothing is are left out. */
function lineBelow({ summary }: Month, head: string, by = 1): Readonly<Record<string, unknown>> {
  const at = summary.findIndex(([first]) => first === head);
  const cells = (summary[at + by] ?? []).map(
    (cell, column) => [String(summary[at]?.[column]), cell] as const,
  );
  return Object.fromEntries(cells.filter(([, cell]) => cell !== null));
}

/** The lines of a table of Summary, by two of its headings. */
function linesBelow({ summary }: Month, ...heads: readonly string[]): Lines {
  const at = summary.findIndex((cells) => heads.every((head) => cells.includes(head)));
  const end = summary.findIndex(([first], row) => row > at && first === null);
  return summary.slice(at + 1, end);
}

/** What the rows and the payments without a line took, beside the Journal's payments and fees. */
const takenIn = (made: Month) => lineBelow(made, 'Booked in');

/** Of each batch: rows in the ledger, in the report, left out, and whether they tie. */
function sharesIn({ summary }: Month): Lines {
  const at = summary.findIndex(([first, second]) => first === 'Batch' && second === 'In the ledger');
  if (at < 0) return [];
  const end = summary.findIndex(([first], row) => row > at && first === null);
  return summary.slice(at + 1, end).map((cells) => cells.slice(0, 5));
}

const kindsOf = ({ journal }: Month) =>
  journal.filter(([, , , , debit]) => debit !== null).map(([day, , kind, , debit]) => [day, kind, debit]);

// Each payment is GHS 1,200.00: GBP 77.42 and a fee of GBP 1.02.
describe('two payments of 31 May, of which one comes back and is paid again, and one is in doubt until July', () => {
  let [may, mayAgain, june, july, all] = [] as unknown as [Month, Month, Month, Month, Month];

  beforeAll(async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const { clock, service, world } = place;
    clock.advance(6 * DAY);
    const batch = await place.approved(someRows(2), 'may');
    service.turns.push('accept', 'lose_after');
    await place.send(batch);
    await place.settle(batch, 60_000);
    clock.advance(DAY);
    may = await month('2026-05-01', '2026-05-31', place, 'may');
    service.statusOf = (id) => (id === 'tr-1' ? 'Reversed' : 'Finished');
    await settleBatch(batch, world, { deadline: plusMs(clock.now(), 60_000), watchReturnsMs: 30 * DAY });
    await reissue(batch, { kind: 'rows', rows: ['2'] }, { by: 'ben', evidence: 'they wrote' }, world);
    clock.advance(2 * DAY);
    await place.agree(batch);
    await place.send(batch);
    await place.settle(batch, 60_000);
    clock.advance(30 * DAY);
    june = await month('2026-06-01', '2026-06-30', place, 'june');
    const doubt = await place.row(batch, 3);
    await resolveDoubt(doubt, { kind: 'not_paid', evidence: 'no such line', by: 'ben' }, world);
    july = await month('2026-07-01', '2026-07-31', place, 'july');
    mayAgain = await month('2026-05-01', '2026-05-31', place, 'may-again');
    all = await wholeBatch(batch, place);
  }, 60_000);

  it('books what happened in May, the same in June and in July to the day, the amount and the voucher', () => {
    expect(kindsOf(may)).toEqual([
      ['2026-05-31', 'Payment', 77.42],
      ['2026-05-31', 'Fee', 1.02],
      ['2026-05-31', 'Finished', 78.44],
      ['2026-05-31', 'Payment', 77.42],
      ['2026-05-31', 'Fee', 1.02],
    ]);
    const sorted = ({ journal }: Month) => journal.map((line) => JSON.stringify(line)).sort();
    expect(sorted(mayAgain)).toEqual(sorted(may));
  });

  it('books the return and the second payment in June, and the ruling in July', () => {
    expect(kindsOf(june)).toEqual([
      ['2026-06-03', 'Payment', 77.42],
      ['2026-06-03', 'Fee', 1.02],
      ['2026-06-03', 'Finished', 78.44],
      ['2026-06-01', 'Return', 77.42],
    ]);
    expect(kindsOf(july)).toEqual([['2026-07-03', 'Doubt ended, not paid', 78.44]]);
  });

  it('leaves nothing on its way or in suspense when the months are imported one after another', () => {
    const wanted = { '1010': -79.46, '1090': 0, '1999': 0, '2100': 77.42, '6800': 2.04 };
    expect(balances(may)).toMatchObject({ '1090': -78.44, '1999': 78.44 });
    expect(balances(may, june, july)).toEqual(wanted);
    expect(balances(all)).toEqual(wanted);
  });

  it('ties whenever it is made, and every sum of the Summary is the one of the Journal', () => {
    for (const made of [may, mayAgain, june, july, all]) {
      expect(made.ties).toEqual(TIES);
      expect(made.summary.flat()).not.toContainEqual(expect.stringMatching(/^differs/i));
      expect(takenIn(made)).toMatchObject({ 'Booked in': 'GBP', Check: 'ties' });
    }
    // Row 2 came back and was paid again, row 3 was found unpaid: GBP 78.44 each.
    expect(takenIn(all)).toMatchObject({
      'Debits, Payments': 78.44,
      'Paid again since': 78.44,
      'Found unpaid': 78.44,
      'Payments and fees, Journal': 235.32,
    });
    expect(lineBelow(all, 'Currency')).toMatchObject({ Payments: 2, Settled: 1200, Failed: 1200 });
    expect(lineBelow(all, 'Currency')).toMatchObject({ Fees: 2.04, Cost: 79.46 });
    const earlier = 'In the cost: GBP 1.02 for earlier payments of rows that were paid again since.';
    expect(all.summary.flat()).toContain(earlier);
    for (const made of [may, mayAgain, june, july]) expect(made.summary.flat()).not.toContain(earlier);
  });

  it('says of each month how many rows of the batch are in it, and that none is lost', () => {
    expect([may, mayAgain, june, july, all].map(sharesIn)).toEqual([
      [['may', 2, 2, 0, 'ties']],
      // The same, though the row’s payment is that of June by now.
      [['may', 2, 2, 0, 'ties']],
      // Two payments of row 2: the one that came back, and the second.
      [['may', 2, 1, 1, 'ties']],
      [['may', 2, 1, 1, 'ties']],
      // Of one batch all rows are there.
      [],
    ]);
  });

  it('names one sum that stays taken, in the terminal, in JSON and on the Summary', () => {
    expect(all.taken[0]).toBe(lineBelow(all, 'Currency', 2)['Cost']);
    expect(all.shown).toContain('We pay, by the quotes: GBP 79.46, of which fees GBP 2.04');
    expect(all.shown).toContain('  This includes GBP 1.02 for earlier payments of rows that were paid again');
  });

  it('shows each payment as it stood at the end of the month, whenever the report is made', () => {
    const stood = ({ payments }: Month) => payments.map((line) => line.slice(0, 3));
    expect(stood(may)).toEqual([
      [2, '✔ Settled', 'yes'],
      [3, '? In doubt', 'yes'],
    ]);
    expect(stood(mayAgain).toSorted()).toEqual(stood(may).toSorted());
    expect(stood(june)).toEqual([
      [2, '✔ Settled', 'yes'],
      [2, '↩ Returned', 'no: other days'],
    ]);
    expect(stood(july)).toEqual([[3, '✖ Failed', 'no: other days']]);
    // What May shows of the payment that came back later has no reason of June.
    expect(mayAgain.payments.flat()).not.toContainEqual(expect.stringContaining('came back'));
  });

  it('says of each line how its payment stood then, and spends what left the account that pays', () => {
    const sorted = ({ counted }: Month) => counted.map((line) => line.join(' ')).sort();
    expect(sorted(mayAgain)).toEqual(sorted(may));
    expect(new Set(may.counted.map(([, , group]) => group))).toEqual(new Set(['Settled', 'In doubt']));
    const headline = ({ summary: lines }: Month) => lines[1]?.[0];
    expect([may, mayAgain, july].map(headline)).toEqual([
      'GBP 78.44 spent, GBP 78.44 open',
      'GBP 78.44 spent, GBP 78.44 open',
      'Nothing spent',
    ]);
    expect(headline(june)).toBe('GBP 1.02 spent, GBP 78.44 open');
  });

  it('opens each month with what the one before closes with, and lists what is open', () => {
    const accounts = (made: Month) =>
      Object.fromEntries(
        linesBelow(made, 'Account', 'Opening').map(([name, , , ...sums]) => [name, sums.slice(0, 4)]),
      );
    expect(accounts(mayAgain)).toEqual(accounts(may));
    expect(accounts(may)).toEqual({
      'Owed to the payees': [0, 77.42, 0, 77.42],
      'The account that pays': [0, 0, 78.44, -78.44],
      'Fees of transfers': [0, 1.02, 0, 1.02],
      'On its way': [0, 78.44, 156.88, -78.44],
      'In suspense': [0, 78.44, 0, 78.44],
    });
    expect(accounts(june)).toEqual({
      'Owed to the payees': [77.42, 77.42, 77.42, 77.42],
      'The account that pays': [-78.44, 77.42, 78.44, -79.46],
      'Fees of transfers': [1.02, 1.02, 0, 2.04],
      'On its way': [-78.44, 78.44, 78.44, -78.44],
      'In suspense': [78.44, 0, 0, 78.44],
    });
    expect(accounts(july)).toMatchObject({
      'On its way': [-78.44, 78.44, 0, 0],
      'In suspense': [78.44, 0, 78.44, 0],
    });
    expect([may, june, july].map(({ open }) => open)).toEqual([
      [['In doubt', 78.44, 78.44, 3]],
      [['In doubt', 78.44, 78.44, 3]],
      [],
    ]);
  });
});

describe('a payment of 31 May that came back in June and was paid again by a file of its own', () => {
  it('is one line of June, beside which the journal ties to the fee that was paid twice', async () => {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const { clock, service, world } = place;
    clock.advance(6 * DAY);
    const batch = await place.approved(someRows(2), 'may');
    await place.send(batch);
    await place.settle(batch, 60_000);
    clock.advance(DAY);
    service.statusOf = (id) => (id === 'tr-1' ? 'Reversed' : 'Finished');
    await settleBatch(batch, world, { deadline: plusMs(clock.now(), 60_000), watchReturnsMs: 30 * DAY });
    const { id: replaces } = await place.row(batch, 2);
    clock.advance(2 * DAY);
    const redo = await place.approved([aRow(1, { replaces })], 'redo');
    await place.send(redo);
    await place.settle(redo, 60_000);
    expect([await place.stand(batch), await place.stand(redo)]).toEqual([
      { settled: 1, returned: 1 },
      { settled: 1 },
    ]);
    const may = await month('2026-05-01', '2026-05-31', place, 'redo-may');
    const june = await month('2026-06-01', '2026-06-30', place, 'redo-june');
    const both = await month('2026-05-01', '2026-06-30', place, 'redo-both');
    for (const made of [may, june, both]) {
      expect(made.ties).toEqual(TIES);
      expect(takenIn(made)).toMatchObject({ Check: 'ties' });
    }
    expect(takenIn(both)).toMatchObject({ 'Debits, Payments': 235.32, 'Payments and fees, Journal': 235.32 });
    const statuses = ({ payments }: Month) => payments.map(([row, status]) => [row, status]);
    // In May it was settled: it came back in June.
    expect(statuses(may)).toEqual([
      [2, '✔ Settled'],
      [3, '✔ Settled'],
    ]);
    expect(statuses(june)).toEqual([
      [2, '↩ Returned'],
      [2, '✔ Settled'],
    ]);
    expect(statuses(both)).toEqual([
      [2, '↩ Returned'],
      [3, '✔ Settled'],
      [2, '✔ Settled'],
    ]);
    // Each event once, whichever line stands for the row.
    expect(balances(may, june)).toEqual(balances(both));
  }, 60_000);
});

describe('a row of May that was tried in two batches and paid in June', () => {
  /** Row 2 settles; row 3 is refused in May, and in a file of its own three days later. */
  async function triedTwice() {
    const place = await aWorkplace({ policy: { concurrency: 1 } });
    const { clock, service } = place;
    service.statusOf = () => 'Finished';
    const may = await place.approved(someRows(2), 'may');
    service.turns.push('accept', { refuse: 'closed' });
    await place.send(may);
    await place.settle(may, 60_000);
    clock.advance(3 * DAY);
    const redo = await place.approved([aRow(2, { replaces: (await place.row(may, 3)).id })], 'redo');
    service.turns.push({ refuse: 'closed again' });
    await place.send(redo);
    clock.advance(9 * DAY);
    return { place, redo, failed: await place.row(redo, 2) };
  }
  const linesIn = ({ payments }: Month) => payments.map(([row, status]) => [row, status]);
  async function sharesOf(from: string, to: string, { ledger, clock }: Workplace) {
    const period = utcDays(from, to);
    if (period === undefined) throw new TypeError('no days');
    const header = { environment: 'sandbox', madeAt: clock.now(), reissueAfterMs: 0 } as const;
    const { totals, outcome, batches } = await reportPeriod(ledger, { period, sink: undefined, header });
    expect(totals.ties).toBe(true);
    const shares = batches.map((share) => [share.rows, share.allRows, ...share.leftOut.map(leftOutText)]);
    return { shares, sentence: outcome.sentence };
  }

  it('has a line for each try in its month, and is paid in June', async () => {
    const { place, failed } = await triedTwice();
    const last = await place.approved([aRow(2, { replaces: failed.id })], 'redo2');
    await place.send(last);
    await place.settle(last, 60_000);
    const may = await month('2026-05-01', '2026-05-31', place, 'tried-may');
    expect(linesIn(may)).toEqual([
      [2, '✔ Settled'],
      [3, expect.stringContaining('Failed')],
      [2, expect.stringContaining('Failed')],
    ]);
    expect(may.ties).toEqual(TIES);
    expect(sharesIn(may)).toEqual([
      ['may', 2, 2, 0, 'ties'],
      ['redo', 1, 1, 0, 'ties'],
    ]);
    expect(may.payments[2]?.[3]).toBe('The service refused it: closed again');
    expect(await sharesOf('2026-05-01', '2026-05-31', place)).toEqual({
      shares: [
        [2, 2],
        [1, 1],
      ],
      sentence: '3 payments: 1 settled, 2 failed',
    });
    // Days of the first try alone, and days of all three.
    expect((await sharesOf('2026-05-01', '2026-05-26', place)).shares).toEqual([[2, 2]]);
    expect((await sharesOf('2026-05-01', '2026-06-30', place)).shares).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
    ]);
  }, 60_000);

  it('stays failed in May where the second batch itself paid it in June', async () => {
    const { place, redo, failed } = await triedTwice();
    await place.ledger.addReplacement(failed.id, 'ben', place.clock.now());
    await place.agree(redo);
    await place.send(redo);
    await place.settle(redo, 60_000);
    const may = await month('2026-05-01', '2026-05-31', place, 'again-may');
    expect(linesIn(may)).toEqual([
      [2, '✔ Settled'],
      [3, expect.stringContaining('Failed')],
      [2, expect.stringContaining('Failed')],
    ]);
    expect((await sharesOf('2026-05-01', '2026-05-31', place)).shares).toEqual([
      [2, 2],
      [1, 1],
    ]);
  }, 60_000);
});
