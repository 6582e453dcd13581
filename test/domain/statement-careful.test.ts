/**
 * What `--accept` may rule by a statement is a part of what a careful person would accept who reads the same lines by
 * eye. The person's rules stand here a second time, on the written text, and share no code with the program.
 *
 * Paid: the row is in doubt and its run has ended. One line of money that went out has its tag, and nobody else's, one
 * id that no other row has, and its amount. No other line has its tag, but for a fee. Nothing speaks of a return, and no
 * other line at that time has the same account and amount, unless it may be a row's that has no line yet.
 *
 * Not paid: the row is in doubt and its run has ended. The statement reaches from before the request to four days after
 * it, and shows a payment of another row in the currency by its tag. No line has the row's tag, or the beginning of it;
 * no line from its time has its amount, or one that cannot be told; none has its account and amount at a later time.
 * Every payment that the service made before the statement ends stands in it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { isAcceptable } from '../../src/domain/statement/findings.ts';
import { aRow, doubt, judged, type Line, refused, ruledUnpaid } from '../builders/judged-statement.ts';
import { money } from '../builders/payouts.ts';

/** SOAK=1 tries many more. */
const RUNS = { numRuns: process.env['SOAK'] === '1' ? 60_000 : 2_000, seed: 20261122 };

type Written = Required<Line>;
type Payments = 'minus' | 'plus';

const SMALL = { amount: money('GHS 70.00'), debit: money('GBP 4.60'), account: '0201112223' };

const rowOf = (rowNumber: number) =>
  fc
    .tuple(
      fc.constantFrom(
        'in_doubt',
        'in_doubt',
        'settled',
        'accepted',
        'returned',
        'refused',
        'ruled',
        'sending',
      ),
      fc.constantFrom(20, 20, 21, 24),
      fc.constantFrom({}, {}, SMALL),
    )
    .map(([status, date, changes]): StatementEntry => {
      if (status === 'refused') return { ...refused(rowNumber, date), ...changes };
      if (status === 'ruled') return { ...ruledUnpaid(rowNumber, date), ...changes };
      return status === 'in_doubt' || status === 'sending'
        ? doubt(rowNumber, date, { ...changes, status })
        : aRow(rowNumber, date, { ...changes, status });
    });
const anyRows = fc
  .tuple(rowOf(2), rowOf(3), rowOf(4))
  .chain((all) => fc.integer({ min: 1, max: 3 }).map((count) => all.slice(0, count)));
const oneDoubt = [doubt(2, 20), aRow(3, 20), aRow(4, 20)];
const someRows = fc.oneof(anyRows, anyRows, anyRows, fc.constant(oneDoubt));

const trap: fc.Arbitrary<Written> = fc.record({
  amount: fc.constantFrom(
    '1200.00',
    '-1200.00',
    '1.200,00',
    '-5.00',
    '7.00',
    'x',
    '',
    '78.44',
    '84.10',
    '70.00',
    '1,200',
    ...['2E4', '20k', '1200.00*', '€1,210.55', 'USD 1,315.79'],
  ),
  text: fc.constantFrom(
    ...[
      'PF-2AAAAAAA',
      'PF-2AAAAAAA salary',
      'RETURN PF-2AAAAAAA',
      'PF-2AAAAAAA refund',
      'PF-3AAAAAAA',
      'PF-4AAAAAAA',
    ],
    ...['PF-3AAAAAAA PF-2AAAAAAA', '', 'PF-2AAA', 'PF-', 'salary', 'PF-2AAAAAAA tr-3', 'VIR tr-3'],
  ),
  date: fc.constantFrom(
    '2026-11-12',
    '2026-11-18',
    '2026-11-20',
    '2026-11-22',
    '2026-11-26',
    '2026-11-29',
    '',
  ),
  id: fc.constantFrom('', 'tr-9', 'tr-8', 'tr-3'),
  currency: fc.constantFrom('GHS', 'GHS', '', 'GBP', 'USD'),
  account: fc.constantFrom('0244123456', '', '****3456', '0001112223'),
  status: fc.constantFrom('', 'Finished', 'Failed', 'Reversed'),
});
const plain: fc.Arbitrary<Written> = fc.record({
  amount: fc.constantFrom('1200.00', '1200.00', '-1200.00', '70.00'),
  text: fc.constantFrom('PF-2AAAAAAA', 'PF-3AAAAAAA', 'PF-4AAAAAAA', ''),
  date: fc.constantFrom('2026-11-12', '2026-11-20', '2026-11-28'),
  id: fc.constantFrom('tr-9', 'tr-8', ''),
  currency: fc.constant('GHS'),
  account: fc.constantFrom('0244123456', '', '9'),
  status: fc.constant(''),
});
/** What is paid stands there; some of it may be missing, and something else beside it. */
const proper = [2, 3, 4].map((row): Written => {
  const amount = { amount: '-1200.00', currency: 'GHS', account: '0244123456' };
  return { ...amount, text: `PF-${row}AAAAAAA`, date: '2026-11-20', id: `B-${row}`, status: '' };
});
const someLines = fc.oneof(
  fc.array(trap, { maxLength: 7 }),
  fc.array(plain, { minLength: 1, maxLength: 6 }),
  fc.tuple(fc.subarray(proper), fc.array(trap, { maxLength: 1 })).map((lists) => lists.flat()),
  fc.subarray(proper),
);

const dayOf = ({ date }: Written) => (date === '' ? undefined : Number(date.slice(-2)));
const sentOn = ({ window }: StatementEntry) => new Date(window?.from ?? 0).getUTCDate();
/** NaN: no amount in cedis or pounds that can be read for certain. */
const sizeOf = ({ amount }: Written) => {
  if (amount === '1.200,00' || amount === '1,200') return 1200;
  return /^-?\d+\.\d\d$/.test(amount) ? Math.abs(Number.parseFloat(amount)) : Number.NaN;
};
const isMoney = ({ minor }: { readonly minor: bigint }, size: number) =>
  Math.round(size * 100) === Number(minor);

/** By eye: the amount asked for, or the debit, or the debit without its fee. */
function hasAmount(row: StatementEntry, line: Written): boolean {
  const size = sizeOf(line);
  if (Number.isNaN(size)) return false;
  const { amount, debit, principal } = row;
  if (line.currency !== 'GBP' && isMoney(amount, size)) return line.currency !== 'USD';
  const isDebit = [debit, principal].some((money) => money !== undefined && isMoney(money, size));
  return ['GBP', ''].includes(line.currency) && isDebit;
}

function wentOut(line: Written, pays: Payments): boolean {
  if (/failed|reversed/i.test(line.status) || Number.isNaN(sizeOf(line))) return false;
  return line.amount.startsWith('-') === (pays === 'minus');
}

const tagsOf = ({ text }: Written): readonly string[] => text.match(/PF-\w{8}/g) ?? [];
const isReturn = ({ text }: Written) => /return|refund/i.test(text);
const isAlike = (row: StatementEntry, line: Written) =>
  line.account !== '' &&
  row.account.endsWith(line.account.replaceAll('*', '')) &&
  ['GHS', ''].includes(line.currency) &&
  isMoney(row.amount, sizeOf(line));
/** A line of the row's days, up to the fourth after it; the zone is not known. */
const isOfItsTime = (row: StatementEntry, line: Written) => {
  const day = dayOf(line);
  return day === undefined || (day >= sentOn(row) - 1 && day <= sentOn(row) + 4);
};

interface Reading {
  readonly rows: readonly StatementEntry[];
  readonly lines: readonly Written[];
  readonly pays: Payments;
  /** The statement's last day. */
  readonly last: number;
}

/** Lines with the transfer of another row. */
const namesOther = (row: StatementEntry, rows: readonly StatementEntry[]) => (line: Written) =>
  rows.some(
    ({ rowNumber, transferId }) =>
      rowNumber !== row.rowNumber &&
      transferId !== undefined &&
      `${line.id} ${line.text}`.split(' ').includes(transferId),
  );

function wouldAcceptPaid(row: StatementEntry, { rows, lines, pays }: Reading): boolean {
  const names = namesOther(row, rows);
  const isTagged = (other: StatementEntry) => lines.some((each) => tagsOf(each).includes(other.tag));
  const own = lines.filter((line) => tagsOf(line).includes(row.tag));
  const paying = own.filter((line) => wentOut(line, pays) && hasAmount(row, line));
  const [line] = paying;
  if (row.status !== 'in_doubt' || line === undefined || paying.length > 1) return false;
  const others = own.filter((each) => each !== line);
  const isFee = (each: Written) =>
    sizeOf(each) * 2 <= Number(row.amount.minor) / 100 && !/failed|reversed/i.test(each.status);
  const isItsAlone = (each: Written) => {
    const mayBeOf = (other: StatementEntry) => other !== row && isAlike(other, each) && !isTagged(other);
    return tagsOf(each).length === 0 && !names(each) && !rows.some(mayBeOf);
  };
  return (
    tagsOf(line).length === 1 &&
    line.id !== '' &&
    !names(line) &&
    others.every(isFee) &&
    !own.some(isReturn) &&
    !lines.some((each) => isItsAlone(each) && isOfItsTime(row, each) && isAlike(row, each))
  );
}

const isAbout = (row: StatementEntry) => (line: Written) =>
  line.text.includes(row.tag.slice(0, 7)) ||
  `${line.id} ${line.text}`.includes(`tr-${row.rowNumber}`) ||
  isAlike(row, line);

function wouldAcceptNotPaid(row: StatementEntry, { rows, lines, pays, last }: Reading): boolean {
  const names = namesOther(row, rows);
  const isShown = (other: StatementEntry) =>
    lines.some((line) => tagsOf(line).includes(other.tag) && wentOut(line, pays));
  const isKnown = (line: Written) => rows.some((other) => other !== row && tagsOf(line).includes(other.tag));
  const mayBeIts = (line: Written) => {
    if (tagsOf(line).includes(row.tag)) return true;
    if (tagsOf(line).length > 0 || isKnown(line) || names(line)) return false;
    if (line.text === row.tag.slice(0, 7)) return true;
    const isLater = (dayOf(line) ?? 0) > sentOn(row);
    if (isLater && isAlike(row, line)) return true;
    return (
      isOfItsTime(row, line) &&
      (Number.isNaN(sizeOf(line)) || line.currency === 'USD' || hasAmount(row, line))
    );
  };
  return (
    row.status === 'in_doubt' &&
    last > sentOn(row) + 4 &&
    rows.some((other) => other !== row && ['settled', 'accepted'].includes(other.status) && isShown(other)) &&
    rows.every(
      (other) => other.status !== 'settled' || last <= sentOn(other) + 5 || lines.some(isAbout(other)),
    ) &&
    !lines.some(mayBeIts)
  );
}

it('is never more than a careful person would accept', () => {
  const ruled = { paid: 0, not_paid: 0 };
  fc.assert(
    fc.property(
      someRows,
      someLines,
      fc.constantFrom<Payments>('minus', 'plus'),
      fc.constantFrom(30, 26, 22),
      (rows, lines, pays, last) => {
        for (const finding of judged(rows, lines, { last: `2026-11-${last}`, payments: pays })) {
          const { entry, kind } = finding;
          if (!isAcceptable(finding) || entry === undefined) continue;
          const reading = { rows, lines, pays, last };
          if (kind === 'propose_paid') expect(wouldAcceptPaid(entry, reading)).toBe(true);
          else expect(wouldAcceptNotPaid(entry, reading)).toBe(true);
          ruled[kind === 'propose_paid' ? 'paid' : 'not_paid'] += 1;
        }
      },
    ),
    RUNS,
  );
  // Else the test shows nothing.
  expect(ruled.paid).toBeGreaterThan(RUNS.numRuns / 300);
  expect(ruled.not_paid).toBeGreaterThan(RUNS.numRuns / 300);
});

it('leaves to a person what only account, amount and date suggest', () => {
  const untagged = { text: '', id: 'tr-9', date: '2026-11-20' };
  fc.assert(
    fc.property(someRows, fc.integer({ min: 1, max: 4 }), (rows, count) => {
      const found = judged(rows, Array<Line>(count).fill(untagged));
      expect(found.filter(isAcceptable)).toEqual([]);
    }),
  );
});
