/**
 * 24 payments beside statements in five forms: camt.053, MT940, a bank's CSV with debits, a workbook with two columns of
 * amounts, and one booking for the batch. Row n + 1 asks for GHS 100.00 × n. By the rate 10 and a fee of GBP 0.50 it costs
 * GBP 10.00 × n + 0.50. All cost 10.00 × (1 + … + 24) + 24 × 0.50 = 3,000.00 + 12.00 = 3,012.00. A customer pays 500.00
 * and the bank takes 7.25, so 10,000.00 becomes 10,000.00 − 3,012.00 + 500.00 − 7.25 = 7,480.75.
 */
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { compareByCurrency } from '../../src/domain/statement/comparison.ts';
import { openRows } from '../../src/files/payout-file.ts';
import { reconcileBatches, type StatementOptions } from '../../src/use-cases/reconcile/reconcile-batches.ts';
import { type BankStatement, type Booking, camt, mt940 } from '../builders/bank-files.ts';
import { aRow } from '../builders/payout-file.ts';
import { sentBatch, told } from '../builders/statement-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';
import { withFile } from '../files/read-file.ts';

const COUNT = 24;
const DAY = 24 * 3_600_000;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);

async function paid() {
  const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0 } });
  const quote = { rate: '10', fee: '0.50', speedSeconds: 30 };
  place.service.estimateAnswer = { kind: 'answered', answer: quote };
  place.service.rateAnswer = { kind: 'answered', answer: '10' };
  const rows = numbers.map((number) => aRow(number, { amount: `${number}00.00` }));
  const batch = await place.approved(rows, 'may');
  const day = new Date(place.clock.now()).toISOString().slice(0, 10);
  await place.send(batch);
  await place.settle(batch);
  expect(await place.stand(batch)).toEqual({ settled: COUNT });
  place.clock.advance(8 * DAY);
  const tags: string[] = [];
  for (const number of numbers) {
    const { state } = await place.row(batch, number + 1);
    tags.push('tag' in state ? state.tag : '');
  }
  return { place, batch, day, tags };
}

const costOf = (number: number) => `${number}0.50`;
const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

function statementOf(day: string, payments: readonly Booking[]): BankStatement {
  const bookings = [
    { amount: '500.00', text: 'customer', date: later(day, -1), bankReference: 'B-901' },
    ...payments,
    { amount: '-7.25', text: 'account keeping', date: later(day, 6), bankReference: 'B-902' },
  ];
  return { opening: '10000.00', closing: '7480.75', bookings, from: later(day, -3), until: later(day, 7) };
}

const bookingsOf = (day: string, tags: readonly string[]): readonly Booking[] =>
  numbers.map((number) => ({
    amount: `-${costOf(number)}`,
    text: `${tags[number - 1]} May salary`,
    date: day,
    bankReference: `B-${number}`,
  }));

/** The balance after each line, by hand in pence. */
function withBalances({ bookings }: BankStatement): readonly (Booking & { readonly balance: string })[] {
  let pence = 1_000_000;
  return bookings.map((booking) => {
    pence += Math.round(Number(booking.amount) * 100);
    return { ...booking, balance: (pence / 100).toFixed(2) };
  });
}

function csvOf(statement: BankStatement): string {
  const lines = withBalances(statement).map(({ date, text, amount, balance }) =>
    [date, text, ...(amount.startsWith('-') ? [amount.slice(1), ''] : ['', amount]), balance].join(','),
  );
  // The newest line stands first.
  return `Transaction Date,Remarks,Debits,Credits,Balance (GBP)\n${lines.toReversed().join('\n')}\n`;
}

async function workbookOf(statement: BankStatement): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Movements');
  sheet.addRow(['Account 60161331926819']);
  sheet.addRow([]);
  sheet.addRow(['Date', 'Details', 'Withdrawal(Dr)', 'Deposit(Cr)', 'Currency', 'Balance']);
  for (const { date = '', text, amount, balance } of withBalances(statement)) {
    const size = Math.abs(Number(amount));
    const [out, came] = amount.startsWith('-') ? [size, undefined] : [undefined, size];
    sheet.addRow([new Date(date), text, out, came, 'GBP', Number(balance)]);
  }
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

function compare(
  place: Workplace,
  batch: BatchId,
  bytes: Buffer | string,
  more: Partial<StatementOptions> = {},
) {
  return withFile(bytes, async (path) => {
    const options = { open: { path }, fileName: 'bank', map: new Map(), dateOrder: undefined, ...more };
    return reconcileBatches([await place.batch(batch)], { openRows, options }, place.world);
  });
}

describe('24 payments and a statement', async () => {
  const { place, batch, day, tags } = await paid();
  const statement = statementOf(day, bookingsOf(day, tags));
  const total = statementOf(day, [{ amount: '-3012.00', text: 'SALARIES', date: day, count: COUNT }]);
  const forms: readonly (readonly [string, () => Buffer | string | Promise<Buffer>])[] = [
    ['camt.053', () => camt([statement], { message: '053.001.08' })],
    ['MT940', () => mt940([statement])],
    ['CSV of a bank with debits', () => csvOf(statement)],
    ['workbook with two columns of amounts', () => workbookOf(statement)],
    ['camt.053 with one booking for the batch', () => camt([total], { message: '053.001.02' })],
    ['MT940 with one booking for the batch', () => mt940([total])],
  ];

  it.each(forms)('%s: all are matched, none is wrong', async (_, write) => {
    const found = await compare(place, batch, await write());
    expect(told(found.findings)).toEqual(numbers.map((number) => `matched ${number + 1}`));
    expect(found.lines).toMatchObject({ foreign: 2, unnamed: 0 });
    expect(found.completeness).toMatchObject({
      kind: 'proven',
      balances: [{ opening: '10000.00', closing: '7480.75' }],
    });
    expect(compareByCurrency(found.findings)).toMatchObject([
      { currency: 'GBP', lines: 301_200n, charges: 0n, booked: 301_200n, difference: 0n, open: 0n },
    ]);
  });

  it.each(forms)('%s: is refused where an entry was taken out', async (form, write) => {
    const cut = form.includes('one booking')
      ? { ...total, bookings: total.bookings.slice(0, -1) }
      : { ...statement, bookings: statement.bookings.toSpliced(5, 1) };
    if (form.startsWith('workbook')) {
      const workbook = new ExcelJS.Workbook();
      await workbook.xlsx.load((await write()) as unknown as ArrayBuffer);
      workbook.worksheets[0]?.spliceRows(9, 1);
      const bytes = Buffer.from(await workbook.xlsx.writeBuffer());
      await expect(compare(place, batch, bytes)).rejects.toThrow(
        'bank is incomplete: between lines 8 and 9 the balance moves by -50.50 without an entry',
      );
      return;
    }
    if (form.startsWith('CSV')) {
      const without = csvOf(statement).replace(/^.*,50\.50,.*\n/m, '');
      await expect(compare(place, batch, without)).rejects.toThrow(
        /bank is incomplete: between lines \d+ and \d+ the balance moves by -50\.50 without an entry/,
      );
      return;
    }
    const bytes = form.startsWith('camt') ? camt([cut]) : mt940([cut]);
    const missing = form.includes('one booking') ? '-7.25' : '-50.50';
    await expect(compare(place, batch, bytes)).rejects.toThrow(
      new RegExp(`bank is incomplete: statement .* closes with 7480\\.75: entries of ${missing} are missing`),
    );
  });

  it('camt.053: what differs is found, and nothing else', async () => {
    // Row 4 costs a penny more, row 6 stands there twice, row 8 lost its line: 30.51, 50.50 twice, 70.50 missing.
    const bookings = bookingsOf(day, tags).flatMap((booking, index) => {
      if (index === 2) return [{ ...booking, amount: '-30.51' }];
      if (index === 4) return [booking, { ...booking, bankReference: 'B-5X' }];
      return index === 6 ? [] : [booking];
    });
    // −0.01 − 50.50 + 70.50 = 19.99 more stay.
    const changed = { ...statementOf(day, bookings), closing: '7500.74' };
    const found = await compare(place, batch, camt([changed]));
    expect(told(found.findings).filter((each) => !each.startsWith('matched'))).toEqual([
      'differs 4',
      'duplicate 6',
      'ours_only 8',
    ]);
    expect(compareByCurrency(found.findings)).toMatchObject([
      { lines: 299_201n, booked: 301_200n, difference: -1_999n, open: -1_999n },
    ]);
  });
});

describe('a row in doubt and a statement without its line', () => {
  const doubtful = async (bytesOf: (lines: readonly Booking[], day: string) => string) => {
    const { place, batch, at } = await sentBatch(['accept', 'lose_before'], { daysLater: 8 });
    const { state } = await place.row(batch, 2);
    const day = new Date(at).toISOString().slice(0, 10);
    const text = 'tag' in state ? state.tag : '';
    // GHS 1,200.00 by the rate 15.5 is GBP 77.42; the fee is 1.02.
    const { findings } = await compare(place, batch, bytesOf([{ amount: '-78.44', text, date: day }], day));
    return findings.find(({ entry }) => entry?.rowNumber === 3);
  };
  const closed = (bookings: readonly Booking[], day: string): BankStatement => ({
    ...{ opening: '100.00', closing: '21.56', bookings, from: later(day, -3), until: later(day, 7) },
  });

  it.each<[string, (lines: readonly Booking[], day: string) => string, object]>([
    [
      'that is proven complete is proposed as unpaid',
      (lines, day) => camt([closed(lines, day)]),
      { kind: 'propose_not_paid' },
    ],
    [
      'of the day proposes nothing that can be accepted',
      (lines, day) => camt([closed(lines, day)], { message: '052.001.08' }),
      {
        kind: 'propose_not_paid',
        weakness: 'a camt.052 file is no closed statement; compare with a camt.053 file',
      },
    ],
    [
      'of single entries proposes nothing that can be accepted',
      (lines, day) => camt([closed(lines, day)], { message: '054.001.08' }),
      { kind: 'propose_not_paid', weakness: expect.stringContaining('camt.054') },
    ],
    [
      'and a pending entry that may be it stays in doubt',
      (lines, day) =>
        camt([closed([...lines, { amount: '-78.44', text: 'PF-', date: day, status: 'PDNG' }], day)]),
      { kind: 'still_in_doubt' },
    ],
  ])('%s', async (_, bytesOf, expected) => {
    const finding = await doubtful(bytesOf);
    expect(finding).toMatchObject(expected);
    if (!('weakness' in expected) && 'kind' in expected && expected.kind === 'propose_not_paid')
      expect(finding?.weakness).toBeUndefined();
  });
});
