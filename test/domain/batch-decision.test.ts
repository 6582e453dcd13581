import { expect, it } from 'vitest';
import { type DecisionEntry, decisionsOf } from '../../src/domain/batches/decisions.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { NO_MATCH, NOW } from '../builders/payouts.ts';

function entry(kind: DecisionEntry['kind'], body: object, rowNumber?: number): DecisionEntry {
  return { at: NOW, kind, rowNumber, body: body as DecisionEntry['body'] };
}

/** As the journal has it. */
const SAW = [NO_MATCH, { kind: 'other_account', from: 'm1', to: 'm2' }, NO_MATCH];
const released = (reason: string) => ({ release: { saw: SAW, by: 'ama', reason } });

it('tells one decision on many rows once, with its rows', () => {
  const told = decisionsOf([
    entry('release', released('asked her'), 7),
    entry('release', released('asked her'), 9),
    entry('release', released('seen the card'), 12),
  ]);
  expect(told.map(({ what, rows, by, why }) => [what, rows, by, why])).toEqual([
    ['Released', [7, 9], 'ama', 'asked her (held for: name, other account)'],
    ['Released', [12], 'ama', 'seen the card (held for: name, other account)'],
  ]);
});

it('keeps two equal decisions on the whole batch apart', () => {
  const pause = { set: { pause: { by: 'ama', reason: 'lunch' } } };
  expect(decisionsOf([entry('paused', pause), entry('paused', pause)]).length).toBe(2);
});

it.each([
  [
    'approved',
    { set: { approval: { by: 'kofi', how: 'ceiling', count: 1, digest: 'd1' } } },
    'Approved',
    'kofi',
    '1 payment, by a ceiling given beforehand; digest d1',
  ],
  [
    'rule_paid',
    { transferId: 'tr-9', ruling: { by: 'ama', evidence: 'statement' } },
    'Decided: paid',
    'ama',
    'transfer tr-9; statement',
  ],
  [
    'rule_not_paid',
    { ruling: { by: 'ama', evidence: 'ticket 12' } },
    'Decided: not paid',
    'ama',
    'ticket 12',
  ],
  ['cancel', { by: 'ama', reason: 'left the company' }, 'Withdrawn', 'ama', 'left the company'],
  [
    'replacement',
    { by: 'ama', replaces: '7' },
    'Planned again',
    'ama',
    'in place of the earlier payment of the row',
  ],
  [
    'lines_left_out',
    {
      rows: [
        { row: 2, why: 'no_payment' },
        { row: 5, why: 'total' },
        { row: 6, why: 'no_payment' },
      ],
      more: 4,
    },
    'Lines left out',
    '',
    'rows 2, 6: no account, no institution and no amount; row 5: a total; 4 more rows',
  ],
  ['reissue_evidence', { by: 'ama', evidence: 'letter' }, 'Evidence for paying again', 'ama', 'letter'],
  [
    'late_acceptance_not_applied',
    { transferId: 'tr-9' },
    'Late answer',
    '',
    'the service accepted it late, as tr-9',
  ],
  ['repeats_released', { of: '12', by: 'ama' }, 'Repeats released', 'ama', 'they repeat batch 12 on purpose'],
  [
    'terms_moved',
    { currency: 'GHS', what: 'cost', was: 'GBP 78.44', now: 'GBP 86.73' },
    'Terms moved',
    '',
    'GHS: cost from GBP 78.44 to GBP 86.73',
  ],
  [
    'emergency_not_applied',
    { event: 'accept', status: 'settled' },
    'Emergency record not applied',
    '',
    'it says “accept”, and the row was settled already',
  ],
  ['resumed', { by: 'ama' }, 'Resumed', 'ama', ''],
] as const)('says in words who decided what and why: %s', (kind, body, what, by, why) => {
  expect(decisionsOf([entry(kind, body, 7)])).toEqual([{ at: NOW, kind, what, rows: [7], by, why }]);
});

it('says what it knows of an entry without names', () => {
  expect(decisionsOf([entry('release', { release: 'yes' }, 7)])[0]).toMatchObject({
    what: 'Released',
    by: '',
    why: '',
  });
});

it('lets no control character of a reason through', () => {
  const [told] = decisionsOf([entry('cancel', { by: 'a\u001b[31m', reason: 'line\nbreak\u202e' }, 7)]);
  expect([told?.by, told?.why]).toEqual(['a�[31m', 'line break�']);
});

it('tells a row that a newer file does not have from a withdrawal', () => {
  const typed = entry('cancel', { by: 'ben', reason: 'left out of revision 2' }, 7);
  expect(decisionsOf([typed])).toMatchObject([{ what: 'Withdrawn', why: 'left out of revision 2' }]);
  expect(decisionsOf([{ ...typed, leftOutOf: 2 }])).toMatchObject([
    { what: 'Not in the newer file', by: 'ben', why: 'revision 2 of the file does not have this row' },
  ]);
});

it('tells a correction before the reading of the file that it was made for', () => {
  const corrected = {
    ...entry('cell_corrected', { column: 'Amount', was: 'x', text: '6' }, 3),
    at: timestampOf(NOW - 3_000),
  };
  const told = decisionsOf([entry('import_begun', {}), corrected, entry('resumed', { by: 'ama' })]);
  expect(told.map(({ what }) => what)).toEqual(['Cell corrected', 'File read', 'Resumed']);
});
