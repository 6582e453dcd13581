/**
 * What stands beside a row without being its line: the same account and amount at another time, a payment that is on
 * its way, a transfer id in the middle of a narration. Tables by hand; the days are those of November 2026.
 */
import { describe, expect, it } from 'vitest';
import type { StatementEntry } from '../../src/domain/statement/entry.ts';
import { aRow, day, doubt, judged, type Line, told } from '../builders/judged-statement.ts';
import { money } from '../builders/payouts.ts';

/** Another row, whose line shows that the statement has tags. */
const shown: Line = { date: '2026-11-12', text: 'PF-5AAAAAAA', account: '' };
const onTheWay = (rowNumber: number, changes: Partial<StatementEntry> = {}) =>
  aRow(rowNumber, 20, { status: 'accepted', ...changes });

describe('a line with the account and the amount of a row at another time', () => {
  it.each([
    ['2026-11-26', 'not there; line 2 has its account and amount, later'],
    ['20/12/2026', 'not there; line 2 has its account and amount, later'],
    ['2026-11-18', 'not there'],
    ['2026-10-20', 'not there'],
  ])('is told beside it where it is later, and never matched: %s', (date, text) => {
    expect(judged([aRow(2, 20)], [{ date }])).toMatchObject([{ kind: 'ours_only', text }]);
  });

  it('lets nobody call a row in doubt unpaid without looking, when it is later', () => {
    const rows = [doubt(2, 20), aRow(5, 12)];
    expect(judged(rows, [{ date: '2026-11-28' }, shown])[0]).toMatchObject({
      kind: 'still_in_doubt',
      text: 'line 2 has its account and amount, later: it may be this one',
    });
    expect(judged(rows, [{ date: '2026-11-10' }, shown])[0]).toMatchObject({
      kind: 'propose_not_paid',
      weakness: undefined,
    });
  });

  it('is nothing to a row that has its own line', () => {
    const found = judged(
      [aRow(2, 20)],
      [{ text: 'PF-2AAAAAAA', date: '2026-11-20' }, { date: '2026-11-28' }],
    );
    expect(told(found)).toEqual(['matched 2@2']);
  });

  it('at the time of a row that has its own line may be a second payment', () => {
    const lines = [{ text: 'PF-2AAAAAAA', id: 'tr-9', date: '2026-11-20' }, { date: '2026-11-21' }];
    expect(told(judged([aRow(2, 20)], lines))).toEqual(['unclear 2@2,3']);
    expect(judged([doubt(2, 20)], lines)).toMatchObject([
      { kind: 'propose_paid', weakness: 'line 3 has its account and amount, at its time' },
    ]);
  });
});

describe('a line with the account of a row in doubt, and with another amount', () => {
  const doubtful = (line: Line, rows: readonly StatementEntry[] = [doubt(2, 20)]) =>
    judged([...rows, aRow(5, 12)], [{ date: '2026-11-20', ...line }, shown])[0];
  const pounds = { amount: '78.44', currency: 'GBP' };

  it.each<[string, Line, string]>([
    [
      'the debit, in the currency that pays, later',
      { ...pounds, date: '2026-11-28' },
      'has its account and 78.44, later',
    ],
    ['half of the amount', { amount: '600.00' }, 'has its account and 600.00, at its time'],
    ['much more', { amount: '135000' }, 'has its account and 135000, at its time'],
    ['nothing', { amount: '0.00' }, 'has its account and 0.00, at its time'],
    ['no amount, later', { amount: '', date: '2026-11-28' }, 'has its account, later'],
    [
      'a debit that came in',
      { ...pounds, amount: '78.44 CR' },
      'has its account and 78.44 CR, coming in, at its time',
    ],
    [
      'another currency, on the end of the account',
      { amount: '90.00', currency: 'USD', account: '****3456', date: '2026-11-28' },
      'has its account and 90.00, later',
    ],
  ])('leaves it in doubt: %s', (_, line, why) => {
    expect(doubtful(line)).toMatchObject({
      kind: 'still_in_doubt',
      text: `line 2 ${why}: it may be this one`,
    });
  });

  it.each<[string, Line]>([
    ['the tag of nobody', { text: 'PF-9AAAAAAA' }],
    ['a tag that another row contradicts', { text: 'PF-5AAAAAAA' }],
    ['the transfer id of another row', { id: 'tr-5' }],
  ])('leaves it in doubt beside %s', (_, line) => {
    const account = '0559876543';
    const found = doubtful({ amount: '600.00', account, ...line }, [doubt(2, 20, { account })]);
    expect(found?.kind).toBe('still_in_doubt');
  });

  it('leaves it in doubt although account, amount and date suggest another row', () => {
    const larger = doubt(2, 20, { amount: money('GHS 9000.00') });
    expect(doubtful({}, [larger, aRow(3, 20)])?.kind).toBe('still_in_doubt');
  });

  it.each<[string, Line]>([
    ['before the request', { amount: '600.00', date: '2026-11-10' }],
    ['of another account', { amount: '600.00', account: '0559876543' }],
    ['too short to tell', { amount: '600.00', account: '56' }],
    ['named by the tag of another row with this account', { text: 'PF-3AAAAAAA', amount: '910.00' }],
    ['that has tag, account and amount of another row', { text: 'PF-3AAAAAAA', amount: '900.00' }],
    ['that has id, account and amount of another row', { id: 'tr-3', amount: '900.00' }],
  ])('does not: %s', (_, line) => {
    const other = aRow(3, 20, { amount: money('GHS 900.00') });
    const own = { date: '2026-11-20', text: 'PF-3AAAAAAA', amount: '900.00' };
    const rows = [doubt(2, 20), other, aRow(5, 12)];
    expect(judged(rows, [{ date: '2026-11-20', ...line }, shown, own])[0]).toMatchObject({
      kind: 'propose_not_paid',
    });
  });

  it('weakens no payment that has a line of its own', () => {
    const lines = [
      { date: '2026-11-20', text: 'PF-2AAAAAAA', id: 'tr-9' },
      { date: '2026-11-21', amount: '15.00' },
    ];
    expect(judged([doubt(2, 20)], lines)).toMatchObject([{ kind: 'propose_paid', weakness: undefined }]);
    expect(told(judged([aRow(2, 20)], lines))).toEqual(['matched 2@2']);
  });
});

describe('a line with the debit of a row in doubt without its fee, and with no account', () => {
  /** A fee of a fifth of the debit. */
  const small = doubt(2, 20, {
    ...{ amount: money('GHS 100.00'), debit: money('GBP 8.06'), principal: money('GBP 6.45') },
  });
  const paid = (amount: string, currency = 'GBP') =>
    judged([small, aRow(5, 12)], [{ date: '2026-11-20', account: '', amount, currency }, shown])[0];

  it.each(['6.45', '5.81', '7.20', '8.86'])('leaves it in doubt: %s', (amount) => {
    expect(paid(amount)).toMatchObject({
      kind: 'still_in_doubt',
      text: expect.stringMatching(/^line 2 shows an amount near its debit/),
    });
  });

  it.each<[string, string]>([
    ['5.80', 'GBP'],
    ['8.87', 'GBP'],
    ['6.45', 'GHS'],
  ])('does not if it is far from both: %s %s', (amount, currency) => {
    expect(paid(amount, currency)).toMatchObject({ kind: 'propose_not_paid' });
  });
});

describe('a payment that the service calls under way', () => {
  it('is on its way, not missing', () => {
    expect(judged([onTheWay(2)], [])).toMatchObject([{ kind: 'on_its_way', isCovered: true }]);
    expect(judged([onTheWay(2)], [], { last: '2026-11-22' })).toMatchObject([
      { kind: 'on_its_way', isCovered: false },
    ]);
    expect(told(judged([onTheWay(2)], [{ text: 'PF-2AAAAAAA' }]))).toEqual(['matched 2@2']);
  });

  it.each<[string, StatementEntry, string | undefined]>([
    [
      'in the same currency, booked as late',
      onTheWay(3),
      'it also lacks payments in GHS on the way: so may this one be',
    ],
    [
      'in another currency',
      onTheWay(3, { amount: money('KES 500.00'), debit: money('GBP 3.00') }),
      undefined,
    ],
    ['settled, and not in it', aRow(3, 20), 'it also lacks 1 payment that the service calls made'],
    ['sent too late to be booked', onTheWay(3, { window: { from: day(28), until: day(28) } }), undefined],
  ])(
    'weakens “not paid” of another row only if the statement may miss this row too: %s',
    (_, other, weakness) => {
      const found = judged([doubt(2, 20), other, aRow(5, 12)], [shown]);
      expect(found[0]).toMatchObject({ kind: 'propose_not_paid', weakness });
    },
  );
});

it('weakens “not paid” if the statement shows no payment in the currency', () => {
  const shillings = doubt(2, 20, { amount: money('KES 500.00'), debit: money('GBP 3.00') });
  expect(judged([shillings, aRow(5, 12)], [shown])[0]).toMatchObject({
    kind: 'propose_not_paid',
    weakness: expect.stringContaining('no other payment of this batch in KES'),
  });
});

describe('a settled payment without a line', () => {
  it.each([
    ['ends on its day', '2026-11-01', '2026-11-20', 'not_yet', 'not there by 2026-11-20'],
    [
      'ends four days after it, by the hour',
      '2026-11-01',
      '2026-11-25',
      'not_yet',
      'not there by 2026-11-25',
    ],
    ['ends later', '2026-11-01', '2026-11-26', 'ours_only', 'not there'],
    ['begins on its day', '2026-11-20', '2026-11-30', 'not_yet', 'not there from 2026-11-20 on'],
    [
      'may begin on its day, in another zone',
      '2026-11-21',
      '2026-11-30',
      'not_yet',
      'not there from 2026-11-21 on',
    ],
    ['begins after it in any zone', '2026-11-22', '2026-11-30', 'not_expected', ''],
    ['is of a month before', '2026-10-01', '2026-10-31', 'not_yet', 'not there by 2026-10-31'],
    ['is of one day', '2026-11-20', '2026-11-20', 'not_yet', 'not there by 2026-11-20'],
  ])('is named where the statement %s, or expected in another one', (_, first, last, kind, text) => {
    expect(judged([aRow(2, 20)], [], { first, last })).toMatchObject([{ kind, text }]);
  });

  it('is named where the dates of the statement prove nothing', () => {
    expect(judged([aRow(2, 20)], [], { first: '01/02/2026', last: '03/12/2026' })).toMatchObject([
      {
        kind: 'not_yet',
        text: expect.stringMatching(/^not there, which proves nothing: .*say which comes first$/),
      },
    ]);
  });

  it('is told with a line that has its account and amount later', () => {
    const found = judged([aRow(2, 10)], [{ date: '2026-11-28' }], { first: '2026-11-10' });
    expect(found).toMatchObject([
      { kind: 'not_yet', text: 'not there from 2026-11-10 on; line 2 has its account and amount, later' },
    ]);
  });

  it('is not missed where it came back, failed, or was withdrawn', () => {
    const rows = [aRow(2, 20, { status: 'returned' }), aRow(3, 20, { status: 'failed', basis: 'refused' })];
    expect(told(judged(rows, [], { last: '2026-11-20' }))).toEqual([]);
  });
});

describe('a transfer id in a narration', () => {
  const named = (transferId: string, text: string, changes: Line = {}) =>
    told(judged([aRow(2, 20, { transferId })], [{ date: '2026-11-27', account: '', text, ...changes }]));

  it.each([
    ['tr-20001', 'VIR tr-20001 salary', ['matched 2@2']],
    ['tr-20001', 'Transfer (tr-20001).', ['matched 2@2']],
    ['tr-20001', 'tr-200010 salary', ['ours_only 2']],
    ['tr-20001', 'xtr-20001 salary', ['ours_only 2']],
    ['20001234', 'VIR 20001234', ['matched 2@2']],
    ['2026', 'salary 2026', ['ours_only 2']],
    ['tr-20001', 'TRF:tr-20001', ['matched 2@2']],
    ['tr-20001', 'Ref/tr-20001/EUR', ['matched 2@2']],
    ['tr-20001', 'TRANSFER ID=tr-20001.', ['matched 2@2']],
    ['tr-20001', '#tr-20001', ['matched 2@2']],
    ['tr-20001', 'SALARY[tr-20001]', ['matched 2@2']],
    ['tr-20001', '<id>tr-20001</id>', ['matched 2@2']],
    ['tr-20001', '"tr-20001"', ['matched 2@2']],
    ['tr-20001', 'VIR/TR-20001 SALARY', ['matched 2@2']],
    ['tr-20001', 'Ref/tr-200010/EUR', ['ours_only 2']],
    ['tr-20001', 'Ref-tr-20001', ['ours_only 2']],
    ['tr-20001', 'VIR Tr-20001', ['ours_only 2']],
    ['tr-2B001', 'TR-2B001', ['matched 2@2']],
    ['20001234', 'REF:20001234', ['matched 2@2']],
    ['tr-1', 'REF:tr-1', ['ours_only 2']],
  ])('is read where a word, or a part of it between marks, is %s: “%s”', (id, text, expected) => {
    expect(named(id, text)).toEqual(expected);
  });

  it('that is a number alone needs the amount too', () => {
    expect(named('20001234', 'invoice 20001234', { amount: '3.00' })).toEqual(['ours_only 2']);
    expect(named('20001234', 'INV/20001234', { amount: '3.00' })).toEqual(['ours_only 2']);
    expect(named('tr-20001', 'tr-20001', { amount: '900.00' })).toEqual(['differs 2@2']);
    expect(named('tr-20001', 'fee tr-20001', { amount: '3.00' })).toEqual(['ours_only 2@2']);
  });

  it('in capitals needs the amount too, and is nobody’s where two ids differ in their capitals alone', () => {
    expect(named('tr-20001', 'FEE TR-20001', { amount: '3.00' })).toEqual(['ours_only 2']);
    const rows = [aRow(2, 20, { transferId: 'tr-2000a' }), aRow(3, 20, { transferId: 'tr-2000A' })];
    const lineOf = (text: string) => [{ date: '2026-11-27', account: '', text }];
    expect(told(judged(rows, lineOf('VIR TR-2000A')))).toEqual(['ours_only 2', 'ours_only 3']);
    expect(told(judged(rows, lineOf('VIR tr-2000A')))).toEqual(['ours_only 2', 'matched 3@2']);
  });

  it('of another row in capitals takes no line away from a row in doubt whose amount it has', () => {
    const rows = [
      doubt(2, 20, { amount: money('GHS 900.00') }),
      aRow(3, 20, { transferId: 'tr-2000a' }),
      aRow(5, 12),
    ];
    const line = { date: '2026-11-21', account: '', text: 'VIR TR-2000A', amount: '900.00' };
    expect(judged(rows, [line, shown])[0]).toMatchObject({ kind: 'still_in_doubt' });
  });

  it('of another row, in capitals or in parts, stands against a row in doubt', () => {
    const rows = [doubt(2, 20), aRow(3, 20, { transferId: 'tr-30001' })];
    for (const text of ['PF-2AAAAAAA TRF:tr-30001', 'PF-2AAAAAAA TR-30001'])
      expect(judged(rows, [{ text, id: 'B-1' }])[0]).toMatchObject({
        weakness: expect.stringContaining('names transfer tr-30001'),
      });
  });

  it.each<[string, Line]>([
    ['in its narration', { text: 'PF-2AAAAAAA tr-30001', id: 'B-1' }],
    ['in its own column', { text: 'PF-2AAAAAAA', id: 'tr-30001' }],
  ])('of another row weakens a row in doubt and contradicts a settled row: %s', (_, line) => {
    const other = aRow(3, 20, { transferId: 'tr-30001' });
    const text = expect.stringContaining('names transfer tr-30001, which row 3 has');
    expect(judged([doubt(2, 20), other], [line])[0]).toMatchObject({ kind: 'propose_paid', weakness: text });
    expect(judged([aRow(2, 20), other], [line])[0]).toMatchObject({ kind: 'differs', text });
  });
});
