/** Whether a row that comes again is the same row: every value counts, exactly as it is written and sent. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { asPayoutId, type Instruction } from '../../src/domain/payouts/instruction.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import { invalidRowKey, rowKey } from '../../src/domain/rows/row-key.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';

const [GHS, KES] = [parseCurrency('GHS'), parseCurrency('KES')];
if (GHS === undefined || KES === undefined) throw new Error('GHS, KES');
const ROW: Instruction = {
  sourceId: asCountryId('gb1'),
  sourceName: 'United Kingdom',
  destinationId: asCountryId('gh1'),
  destinationIso: 'GH',
  destinationName: 'Ghana',
  institutionId: asInstitutionId('gcb'),
  institutionName: 'GCB Bank',
  account: new Sensitive('0244123456'),
  amount: { minor: 120_000n, currency: GHS },
  reference: 'MAY-1',
  name: 'Ama Mensah',
  phone: undefined,
  note: 'Salary',
  replaces: undefined,
};
const WRITTEN = { source: '', country: 'Ghana', institution: 'GCB Bank' };
const keyOf = (changes: Partial<Instruction> = {}, written: Partial<typeof WRITTEN> = {}) =>
  Buffer.from(rowKey({ ...ROW, ...changes }, { ...WRITTEN, ...written }, '')).toString('hex');
const account = (text: string) => keyOf({ account: new Sensitive(text) });

describe('another row', () => {
  it.each([
    ['0244123456', '233244123456'],
    ['0244123456', '+233244123456'],
    ['john.doe', 'johndoe'],
    ['ama-k', 'amak'],
    ['Ama_K', 'AMA_K'],
    ['12-34-567890', '1234567890'],
    ['1011130024576', '01011130024576'],
  ])('pays %s or %s: marks, zeros and letter case of an account count', (one, other) => {
    expect(account(one)).not.toBe(account(other));
  });

  const CHANGES: readonly (readonly [string, Partial<Instruction>, Partial<typeof WRITTEN>])[] = [
    ['a source of another id', { sourceId: asCountryId('us1') }, {}],
    ['a source that is written', {}, { source: 'gb1' }],
    ['a country of another id', { destinationId: asCountryId('gh2') }, {}],
    ['a country written otherwise', {}, { country: 'GH' }],
    ['an institution of another id', { institutionId: asInstitutionId('mtn') }, {}],
    ['an institution written otherwise', {}, { institution: 'gcb bank' }],
    ['an amount of one minor unit more', { amount: { minor: 120_001n, currency: GHS } }, {}],
    ['another currency', { amount: { minor: 120_000n, currency: KES } }, {}],
    ['a name in capitals', { name: 'AMA MENSAH' }, {}],
    ['no name', { name: undefined }, {}],
    ['a phone', { phone: '0244123456' }, {}],
    ['a reference in capitals', { reference: 'may-1' }, {}],
    ['no reference', { reference: undefined }, {}],
    ['a note with a dot', { note: 'Salary.' }, {}],
    ['a payment that it replaces', { replaces: asPayoutId('7') }, {}],
    ['the same text in the next field', { phone: 'MAY-1', reference: undefined }, {}],
  ];
  it.each(CHANGES)('has %s', (_, changes, written) => {
    expect(keyOf(changes, written)).not.toBe(keyOf());
  });
});

describe('the same row', () => {
  it('is the same whatever the service calls its country and institution now', () => {
    expect(keyOf({ destinationName: 'Republic of Ghana', institutionName: 'Ghana Commercial Bank' })).toBe(
      keyOf(),
    );
  });

  it('has the same key for ever, because ledgers keep it', () => {
    expect(keyOf()).toBe('9166ab37df3898f619f92feb755517eb');
  });
});

describe('a row that cannot be paid', () => {
  const columns = new Map<Field, number>([
    ['reference', 0],
    ['amount', 2],
  ]);
  const invalid = (...cells: readonly string[]) =>
    Buffer.from(invalidRowKey(cells, columns, '', [])).toString('hex');

  it('is the same row whatever stands in columns of its own, and another one with another cell', () => {
    expect(invalid('A-1', 'mine', 'abc')).toBe(invalid('A-1', 'yours', 'abc'));
    expect(invalid('A-1', 'mine', 'abc ')).not.toBe(invalid('A-1', 'mine', 'abc'));
  });

  it('is another row when something else is wrong with it', () => {
    const keyOf = (kind: string) =>
      Buffer.from(
        invalidRowKey(['A-1', '', 'abc'], columns, '', [{ kind, field: 'amount', expected: 'a number' }]),
      ).toString('hex');
    expect(keyOf('amount_unclear')).toBe(keyOf('amount_unclear'));
    expect(keyOf('amount_unclear')).not.toBe(keyOf('amount_other_currency'));
  });
});
