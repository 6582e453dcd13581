/**
 * Every line of a statement is in one list, and the lists together are the lines that were read. What came back is
 * never accepted as a payment.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookEndOf, WHOLE_BOOK } from '../../src/domain/statement/line.ts';
import { FileRefused } from '../../src/ports/row-source.ts';
import { askWith } from '../../src/use-cases/user-questions.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import {
  accept,
  around,
  type Line,
  lineOf,
  reconcileWith,
  sentBatch,
  told,
} from '../builders/statement-file.ts';
import { aWorkplace } from '../builders/workplace.ts';

const DAY = 24 * 3_600_000;

it('are as many as were read, whatever they say', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after', 'accept', 'lose_before'], {
    daysLater: 0,
  });
  const other = await place.approved([aRow(7)], 'june');
  await place.send(other);
  place.clock.advance(12 * DAY);
  const known = place.service.book.map((executed) => lineOf(executed, at));
  expect(lines).toHaveLength(3);
  const stray = { ...known[0], Id: 'tr-77', Narration: 'PF-ZZZZZZZZ salary' };
  const two = { ...known[1], Narration: `${known[0]?.['Narration']} ${known[1]?.['Narration']}` };
  const numbered = known.map((each) => ({ ...known[1], Id: each['Id'] ?? '', Narration: '' }));
  const base = fc.constantFrom<Line>(...known, stray, two, ...numbered);
  const line = fc
    .tuple(
      base,
      fc.constantFrom('', '-', '+'),
      fc.record({
        isTagged: fc.boolean(),
        hasId: fc.boolean(),
        away: fc.constantFrom(0, 1, 8, -20, undefined),
        Status: fc.constantFrom('Finished', 'Failed', 'Reversed'),
        Account: fc.constantFrom(undefined, '', '****3001'),
      }),
    )
    .map(
      ([written, sign, { isTagged, hasId, away, Status, Account }]): Line => ({
        ...written,
        Status,
        ...(Account === undefined ? {} : { Account }),
        ...(isTagged ? {} : { Narration: 'salary' }),
        ...(hasId ? {} : { Id: '' }),
        Amount: `${sign}${written['Amount']}`,
        Date: away === undefined ? '' : new Date(at + away * DAY).toISOString().slice(0, 10),
      }),
    );
  const pays = fc.constantFrom('minus' as const, 'plus' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), pays, async (written, payments) => {
      const found = await reconcileWith(place, batch, written, { payments });
      const { ofRows, ofUnknownTags, ofOtherBatches, foreign, unnamed } = found.lines;
      expect(ofRows + ofUnknownTags + ofOtherBatches + foreign).toBe(written.length);
      const listed = new Set(
        [...found.findings.flatMap(({ lines: each }) => each), ...found.foreignFirst].map(
          ({ rowNumber }) => rowNumber,
        ),
      );
      expect(listed.size + unnamed + ofOtherBatches).toBe(written.length);
    }),
    { numRuns: 60 },
  );
});

it('name a few of very many lines for a row, and count the others', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept'], { daysLater: 0 });
  place.clock.advance(6 * DAY);
  const [first = {}] = lines;
  const many = around(
    at,
    Array.from({ length: 14 }, (_, at) => ({ ...first, Id: `B-${at}` })),
  );
  const { lines: counts } = await reconcileWith(place, batch, many);
  expect(counts).toMatchObject({ ofRows: 14, foreign: 2, unnamed: 4 });
});

it('hold a row that is believed unsent when they show it coming back', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(1), 'may');
  const { state } = await place.row(batch, 2);
  const tag = 'tag' in state ? state.tag : '';
  const at = place.clock.now();
  const line = {
    Date: new Date(at).toISOString().slice(0, 10),
    Debit: '',
    Credit: '1200.00',
    Narration: `RETURN ${tag}`,
  };
  await accept(place, await reconcileWith(place, batch, [line]));
  await place.send(batch);
  expect(place.service.book).toEqual([]);
  expect(await place.stand(batch)).toEqual({ held: 1 });
});

it.each([
  ['as it is', (id: string) => id],
  ['in capitals', (id: string) => id.toUpperCase()],
])('know a payment of another batch by its transfer id in the narration, %s', async (_, written) => {
  const { place, batch, at } = await sentBatch(['accept'], { daysLater: 0 });
  place.service.names.set('0244123007', 'KOFI OWUSU');
  const other = await place.approved([aRow(7, { name: 'Kofi Owusu' })], 'june');
  place.service.turns.push('accept');
  await place.send(other);
  place.clock.advance(6 * DAY);
  const [first, second] = place.service.book;
  if (first === undefined || second === undefined) throw new TypeError('two were executed');
  const untagged = { Id: '', Narration: `VIR ${written(second.transferId)}` };
  const found = await reconcileWith(
    place,
    batch,
    around(at, [lineOf(first, at), lineOf(first, at, untagged)]),
  );
  expect(found.lines).toMatchObject({ ofRows: 1, ofOtherBatches: 1, foreign: 2 });
});

it.each([
  ['of the same batch', 'may', ['matched 2', 'duplicate 3', 'still_in_doubt 4']],
  ['of another batch', 'april', ['matched 2', 'matched 3', 'still_in_doubt 4']],
])(
  'stay with a row in doubt if the bank gives them a number that is a transfer id %s',
  async (_, whose, expected) => {
    const place = await aWorkplace({ policy: { concurrency: 1, outageWaitMs: 0, accountChanges: 'warn' } });
    const april = await place.approved([aRow(8), aRow(9)], 'april');
    await place.send(april);
    const batch = await place.approved(someRows(3), 'may');
    const at = place.clock.now();
    place.service.turns.push('accept', 'accept', 'lose_after');
    await place.send(batch);
    await place.settle(batch);
    place.clock.advance(6 * DAY);
    const [other, , first, second, inDoubt] = place.service.book.map((executed) => lineOf(executed, at));
    const number = (whose === 'may' ? second : other)?.['Id'] ?? '';
    const untold = { ...inDoubt, Id: number, Narration: '' };
    const lines = around(at, [{ ...other }, { ...first }, { ...second }, untold]);
    const found = await reconcileWith(place, batch, lines);
    expect(told(found.findings)).toEqual(expected);
    expect(found.lines).toEqual({
      ofRows: 3,
      ofUnknownTags: 0,
      ofOtherBatches: 1,
      foreign: 2,
      onlyBalance: 0,
      unnamed: 0,
    });
    expect(await accept(place, found, 'not_paid')).toEqual([]);
  },
);

it('are dated by the booking and by the value, and it is said', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept'], { daysLater: 0 });
  place.clock.advance(30 * DAY);
  const iso = (days: number) => new Date(at + days * DAY).toISOString().slice(0, 10);
  const dated = lines.map(({ Date: _, ...rest }) => ({
    'Booking date': iso(12),
    'Value date': iso(2),
    ...rest,
    Narration: '',
    Id: '',
  }));
  const found = await reconcileWith(place, batch, dated);
  expect(told(found.findings)).toEqual(['matched 2']);
  expect(found.dateHeaders).toEqual(['Booking date', 'Value date']);
});

const changed = (lines: readonly Line[], which: number, changes: Line): readonly Line[] =>
  lines.map((line, index) => (index === which ? { ...line, ...changes } : line));

it.each([
  ['has the tag of another payment of ours', { Narration: 'PF-00000001 salary' }],
  ['shows money that came in', { Direction: 'in' }],
])('lets a row in doubt be ruled unpaid if the only line with its amount %s', async (_, changes: Line) => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
  const [first] = lines;
  const row = await place.row(batch, 3);
  const Amount = row.instruction === undefined ? '' : String(Number(row.instruction.amount.minor) / 100);
  const isIn = 'Direction' in changes;
  const written = isIn ? { Debit: '', Credit: Amount } : { Amount };
  const alike = { ...first, Id: '', Account: '', Narration: 'x', ...written, ...changes };
  const apart = ({ Amount: debit = '', ...rest }: Line): Line => ({ Debit: debit, ...rest });
  const shown = around(at, [...lines, alike]);
  const reconciled = await reconcileWith(place, batch, isIn ? shown.map(apart) : shown);
  const [ruling] = reconciled.findings.filter(({ kind }) => kind === 'propose_not_paid');
  expect(ruling).toMatchObject({ weakness: undefined });
});

const UNREADABLE: readonly Line[] = [
  { Amount: '2E4' },
  { Amount: '20k' },
  { Amount: '1,200*' },
  { Amount: '€1,210.55' },
  { Amount: '€1,210.55', Currency: '' },
  { Amount: 'USD 1,315.79' },
  { Amount: 'USD 1,315.79', Currency: '' },
  { Amount: '5.00', Currency: 'pieces' },
];

it.each(UNREADABLE)('rules nobody unpaid while a line at that time shows %j and no tag', async (written) => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
  const [first, second] = lines;
  const lost = { ...second, Id: '', Account: '', Narration: 'x', ...written };
  const reconciled = await reconcileWith(place, batch, around(at, [{ ...first }, lost]));
  expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3']);
  expect(reconciled.findings[1]?.text).toMatch(/^line 4 .+: it may be this one$/);
  expect(await accept(place, reconciled, 'not_paid')).toEqual([]);
});

it('lets nobody be ruled unpaid beside a line that cannot be read, whatever its date says', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
  const [first] = lines;
  const early = { ...first, Date: '2020-01-31', Id: '', Account: '', Narration: 'x', Amount: '20k' };
  const reconciled = await reconcileWith(place, batch, around(at, [early, { ...first }]));
  expect(reconciled.findings).toMatchObject([
    { kind: 'matched' },
    { kind: 'propose_not_paid', weakness: 'line 3 shows “20k”, which cannot be compared' },
  ]);
  expect(await accept(place, reconciled, 'not_paid')).toEqual([]);
});

it('leaves a row in doubt while a line that cannot be read has a tag of nobody: it may be a damaged one', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
  const damaged = changed(lines, 1, { Id: '', Narration: 'PF-00000001 salary', Amount: '20k' });
  const reconciled = await reconcileWith(place, batch, around(at, damaged));
  expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3', 'theirs_only']);
});

it('calls a row with its tag and an amount that cannot be read different, not matched', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
  const both = lines.map((line) => ({ ...line, Amount: '20k' }));
  const reconciled = await reconcileWith(place, batch, around(at, both));
  expect(told(reconciled.findings)).toEqual(['differs 2', 'propose_paid 3']);
  expect(reconciled.findings.map(({ weakness }) => weakness)).toContain('the line shows 20k');
});

it('rules on no row if one line names several rows in doubt', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after', 'lose_before']);
  const tags = [await place.row(batch, 3), await place.row(batch, 4)].map(({ state }) =>
    'tag' in state ? state.tag : '',
  );
  const both = changed(lines, 1, { Narration: `collective order ${tags.join(' ')}` });
  const reconciled = await reconcileWith(place, batch, around(at, both));
  expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3', 'still_in_doubt 4']);
  expect(await accept(place, reconciled)).toEqual([]);
});

it('asks for a date column with an unknown name', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
  const renamed = around(at, lines).map(({ Date: when = '', ...rest }) => ({ ...rest, 'Le jour': when }));
  const { span, findings } = await reconcileWith(place, batch, renamed);
  expect(span.doubt).toContain('say which column holds it');
  expect(told(findings)).toEqual(['matched 2', 'still_in_doubt 3']);
});

it.each([
  ['its own', bookEndOf('ours'), bookEndOf('ours'), 'propose_not_paid'],
  ['another one', bookEndOf('other'), bookEndOf('ours'), 'still_in_doubt'],
  ['nobody knows which', WHOLE_BOOK, bookEndOf('ours'), 'still_in_doubt'],
  ['a live one', bookEndOf('ours'), undefined, 'still_in_doubt'],
])(
  'trusts the last line of the sandbox’s book only in its own ledger (of %s)',
  async (_whose, Narration, ownBookEnd, kind) => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before'], {
      daysLater: 1,
    });
    const end = { Date: new Date(at + 3_600_000).toISOString(), Amount: '0.00', Narration };
    const reconciled = await reconcileWith(place, batch, [...lines, end], { ownBookEnd });
    expect(reconciled.findings[1]).toMatchObject({ kind });
    // The last line of its own book is no movement of money, so nobody has to explain it.
    expect(reconciled.lines.foreign).toBe(kind === 'propose_not_paid' ? 0 : 1);
    expect(reconciled.span.lines).toBe(lines.length + reconciled.lines.foreign);
  },
);

describe('a statement that nothing proves complete', () => {
  it('rules no row unpaid, until it has balances or a person gives evidence', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
    const written = around(at, lines);
    const rulings = async (some: readonly Line[], evidence: string | undefined) =>
      (await reconcileWith(place, batch, some, { evidence })).findings.filter(
        ({ kind }) => kind === 'propose_not_paid',
      );
    expect(await rulings(written, undefined)).toMatchObject([
      {
        weakness:
          'nothing proves that the statement is complete: it has no balances. Get one with balances, or give evidence',
      },
    ]);
    expect(await rulings(written, 'letter of the bank')).toMatchObject([{ weakness: undefined }]);
    // 5.00 + 1,200.00 + 5.00 go out: 10,000.00 becomes 8,790.00.
    const balances = ['9995.00', '8795.00', '8790.00'];
    const withBalances = written.map((line, index) => ({ ...line, Balance: balances[index] ?? '' }));
    expect(await rulings(withBalances, undefined)).toMatchObject([{ weakness: undefined }]);
  });

  it('is refused where its balances say that a line is missing', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
    const balances = ['9995.00', '8700.00', '8695.00'];
    const cut = around(at, lines).map((line, index) => ({ ...line, Balance: balances[index] ?? '' }));
    const refusal = reconcileWith(place, batch, cut);
    await expect(refusal).rejects.toThrow(FileRefused);
    await expect(refusal).rejects.toThrow(
      'may.csv is incomplete: between lines 2 and 3 the balance moves by -95.00 without an entry. Export it again, whole. Nothing was compared.',
    );
  });
});

it('shows a statement that was loaded twice as one', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'accept']);
  const written = around(at, lines);
  const found = await reconcileWith(place, batch, [...written, ...written]);
  expect(told(found.findings)).toEqual(['matched 2', 'matched 3']);
  expect(found.repeats).toEqual({
    count: 2,
    sentences: ['Lines 7 to 8 repeat lines 3 to 4: the export overlaps.'],
  });
});

it('asks which of day and month comes first where no date shows it', async () => {
  const { place, batch, lines } = await sentBatch(['accept']);
  const open = ['05/06/2026', '06/06/2026'].map((written) => ({ ...lines[0], Id: written, Date: written }));
  await expect(reconcileWith(place, batch, open)).rejects.toThrow(
    'may.csv does not show which comes first in 05/06/2026, the day or the month. Say it with dateOrder: day or dateOrder: month. Nothing was compared.',
  );
  const ask = askWith({
    date_order: async ({ example }) => (example === '05/06/2026' ? 'month' : undefined),
  });
  expect((await reconcileWith(place, batch, open, { ask })).span.order).toBe('month_first');
  expect((await reconcileWith(place, batch, open, { dateOrder: 'day_first' })).span.order).toBe('day_first');
  // One date that has no other reading shows it.
  const shown = open.with(1, { ...lines[0], Id: 'x', Date: '25/06/2026' });
  expect((await reconcileWith(place, batch, shown)).span.order).toBe('day_first');
});
