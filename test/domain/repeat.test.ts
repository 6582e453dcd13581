/** Repeats: which earlier payments may be the same, whatever the bank is called and however the account is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asBatchId, asPayoutId } from '../../src/domain/payouts/instruction.ts';
import type { PaymentPointer } from '../../src/domain/payouts/payout.ts';
import { STATUSES, type Status } from '../../src/domain/payouts/payout.ts';
import {
  countsAsRepeat,
  type Repeat,
  referenceKey,
  repeatKeys,
  repeatReasons,
  repeatWindow,
  sameRowReason,
} from '../../src/domain/payouts/repeat.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { anInstruction, money, NOW } from '../builders/payouts.ts';

const hex = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString('hex');
const paymentOf = (changes: Parameters<typeof anInstruction>[0]) =>
  hex(repeatKeys(anInstruction(changes), '').paymentKey);
const referenceOf = (reference: string) => hex(repeatKeys(anInstruction({ reference }), '').referenceKey);

describe('the keys of a repeat', () => {
  it('are the same for ever, because ledgers keep them', () => {
    const keys = repeatKeys(anInstruction({ reference: 'MAY-1' }), '');
    expect([hex(keys.paymentKey), hex(keys.referenceKey)]).toEqual([
      '4ee397155938f1c17ba44813e5aa729a',
      '046d6179310000000000000000000000',
    ]);
  });

  it.each<[string, Parameters<typeof anInstruction>[0]]>([
    ['the bank', { institutionId: asInstitutionId('i-gcb'), institutionName: 'GCB Bank' }],
    ['the number that the service gives the country', { destinationId: asCountryId('83') }],
    ['the source', { sourceId: asCountryId('c-us') }],
    ['the reference', { reference: undefined }],
    ['the name', { name: 'A. Mensah' }],
    ['the phone', { phone: '0244123456' }],
    ['the note', { note: undefined }],
    ['the calling code of the account', { account: '+233 244 123 456' }],
    ['what it pays again', { replaces: asPayoutId('7') }],
  ])('are one payment, whatever %s', (_, changes) => {
    expect(paymentOf(changes)).toBe(paymentOf({}));
  });

  it.each<[string, Parameters<typeof anInstruction>[0]]>([
    ['account', { account: '0244123457' }],
    ['amount', { amount: money('GHS 1200.01') }],
    ['currency', { amount: money('KES 1200.00') }],
    ['country', { destinationIso: 'KE' }],
  ])('are two payments with another %s', (_, changes) => {
    expect(paymentOf(changes)).not.toBe(paymentOf({}));
  });

  it.each([
    ['0244123456', '233244123456'],
    ['john.doe', 'johndoe'],
    ['Ama_K', 'AMA_K'],
    ['12-34-567890', '1234567890'],
    ['0244123456', '244123456'],
    ['0244123456', '+233 0244 123456'],
    ['08021234567', '8021234567'],
    ['233123456789', '00233233123456789'],
    ['01109876543200', '1109876543200'],
  ])('are one payment to %s and to %s', (one, other) => {
    expect(paymentOf({ account: one })).toBe(paymentOf({ account: other }));
  });

  it('are one payment in a country that dials no zero, with its calling code and without', () => {
    const keyOf = (account: string) =>
      hex(repeatKeys(anInstruction({ account, destinationIso: 'BW' }), '').paymentKey);
    expect(keyOf('71123456')).toBe(keyOf('+26771123456'));
  });

  it.each([
    ['244', '0244123456'],
    ['000', '0000'],
    ['AB0244123456', 'AB244123456'],
    ['+255244123456', '0244123456'],
  ])('are two payments to %s and to %s', (one, other) => {
    expect(paymentOf({ account: one })).not.toBe(paymentOf({ account: other }));
  });

  it.each([
    ['000123', '123'],
    ['INV-7', 'inv-7'],
    ['INV 8', 'INV  8'],
    ['INV-9', 'INV\u20139'],
    ['MAY\uff11', 'may 1'],
  ])('are one reference, written %s and %s', (one, other) => {
    expect(referenceOf(one)).toBe(referenceOf(other));
  });

  it.each([
    ['INV-7', 'INV-70'],
    ['\u2014', '-'],
    ['0', '-'],
    ['100', '1'],
  ])('are two references, written %s and %s', (one, other) => {
    expect(referenceOf(one)).not.toBe(referenceOf(other));
  });

  it('no two folded references share a key, short or long', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 35 }), fc.string({ maxLength: 35 }), (left, right) => {
        expect(hex(referenceKey(left, '')) === hex(referenceKey(right, ''))).toBe(left === right);
      }),
    );
  });

  it('are one reference in both normal forms of its letters', () => {
    expect(referenceOf('Zo\u00e9-1')).toBe(referenceOf('Zoe\u0301-1'));
  });
});

const pointer = (status: Status, changes: Partial<PaymentPointer> = {}): PaymentPointer => ({
  payoutId: asPayoutId('9'),
  batchId: asBatchId('4'),
  batchName: 'april',
  rowNumber: 3,
  status,
  at: NOW,
  ...changes,
});

describe('how long a payment counts', () => {
  const HOUR_MS = 3_600_000;
  const countsAfter = (status: Status, hours: number, facts: Partial<Repeat> = {}) =>
    countsAsRepeat(
      { pointer: pointer(status), isSamePayment: true, ...facts },
      repeatWindow(NOW + hours * HOUR_MS, { duplicateWindowDays: 14, reissueAfterHours: 24 }),
    );

  it('a settled one as many days as the window has', () => {
    expect(countsAfter('settled', 14 * 24)).toBe(true);
    expect(countsAfter('settled', 14 * 24 + 1)).toBe(false);
  });

  it.each(['failed', 'returned'] as const)(
    'one that the service called %s until its row could be paid again',
    (status) => {
      expect(countsAfter(status, 23)).toBe(true);
      expect(countsAfter(status, 24)).toBe(false);
    },
  );

  it('one that failed and may be paid after all whatever its age', () => {
    expect(countsAfter('failed', 10_000, { mayBePaid: true })).toBe(true);
  });

  it.each(STATUSES.filter((status) => !['settled', 'failed', 'returned'].includes(status)))(
    'one that is %s whatever its age',
    (status) => {
      expect(countsAfter(status, 10_000)).toBe(true);
    },
  );
});

describe('what a person reads', () => {
  const textOf = (status: Status, isSamePayment = true) =>
    repeatReasons([{ pointer: pointer(status), isSamePayment }]).map(({ text }) => text);

  it.each<[Status, string]>([
    ['quoted', 'May be the same payment as row 3 of batch april, above it in this file'],
    ['held', 'May be the same payment as row 3 of batch april, above it in this file'],
    ['approved', 'May be the same payment as row 3 of batch april, approved 2026-05-25'],
    ['sending', 'May be the same payment as row 3 of batch april, being sent (no answer yet) 2026-05-25'],
    ['in_doubt', 'May be the same payment as row 3 of batch april, in doubt 2026-05-25'],
    ['accepted', 'May be the same payment as row 3 of batch april, on its way 2026-05-25'],
    ['settled', 'May be the same payment as row 3 of batch april, settled 2026-05-25'],
  ])('of a repeat that is %s: %s', (status, text) => {
    expect(textOf(status)).toEqual([text]);
  });

  it('tells a reference that another payment has', () => {
    expect(textOf('settled', false)).toEqual([
      'Another payment has its reference, with another account or amount: row 3 of batch april, settled 2026-05-25',
    ]);
  });

  it('tells that a payment which waits, or was called failed, may have been made', () => {
    const reasons = (['quoted', 'failed'] as const).map((status) =>
      repeatReasons([{ pointer: pointer(status), isSamePayment: true, mayBePaid: true }]),
    );
    expect(reasons).toMatchObject([
      [
        {
          concern: { isUnknown: true },
          text: 'May be the same payment as row 3 of batch april, waiting for approval, and perhaps paid already',
        },
      ],
      [
        {
          concern: { isUnknown: true },
          text: 'May be the same payment as row 3 of batch april, failed, and perhaps paid already',
        },
      ],
    ]);
  });

  it('names a row of this file that may have been paid once, as that', () => {
    const repeats = [true, false].map((mayBePaid) => ({
      ...{ pointer: pointer('quoted'), isSamePayment: true },
      ...(mayBePaid ? { mayBePaid } : {}),
    }));
    expect(repeatReasons(repeats).map(({ concern }) => concern)).toEqual([
      { kind: 'repeat', of: '9', isUnknown: true },
    ]);
  });

  it('names each payment and whether it is in doubt, the words of the first three', () => {
    const repeats = ['1', '2', '3', '4', '5'].map((id) => ({
      pointer: pointer(id === '2' ? 'in_doubt' : 'settled', {
        payoutId: asPayoutId(id),
        rowNumber: Number(id),
      }),
      isSamePayment: true,
    }));
    const reasons = repeatReasons(repeats);
    expect(reasons.map(({ concern }) => concern)).toEqual(
      ['1', '2', '3', '4', '5'].map((of) => ({ kind: 'repeat', of, isUnknown: of === '2' })),
    );
    expect(reasons.slice(3).map(({ text }) => text)).toEqual([
      'And row 4 of batch april',
      'And row 5 of batch april',
    ]);
  });

  it('tells of another payment of the row that lives, or was made after all', () => {
    expect(sameRowReason(pointer('approved'), false)).toEqual({
      concern: { kind: 'same_row', of: '9' },
      text: 'Another payment of this row is approved (2026-05-25): row 3 of batch april',
      pointer: pointer('approved'),
    });
    expect(sameRowReason(pointer('settled'), true).text).toBe(
      'This row was paid after all: row 3 of batch april was called unpaid first and is settled (2026-05-25)',
    );
  });
});
