/** The leaf: everything that a person agrees to for one payout. Each value alone makes another one, and nothing else does. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Concern } from '../../src/domain/payouts/concern.ts';
import { asPayoutId, type Quote } from '../../src/domain/payouts/instruction.ts';
import { leafOf, type Narration, orderOf } from '../../src/domain/payouts/order.ts';
import type { Pricing } from '../../src/domain/payouts/payout.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { anInstruction, aPayoutIn, aPricing, money, NO_MATCH, NOW, OVER_LIMIT } from '../builders/payouts.ts';

const NARRATION: Narration = { ledgerId: 'ledger-1', salt: '', noteMax: 100, noteTag: true };
const CHECK = aPricing().nameCheck;
const QUOTE = aPricing().quote as Quote;
const released = (saw: readonly Concern[], by = 'ben') => ({ saw, by, reason: 'asked her', at: NOW });

interface Changes {
  readonly instruction?: Parameters<typeof anInstruction>[0];
  readonly pricing?: Partial<Pricing>;
  readonly releases?: readonly ReturnType<typeof released>[];
  readonly narration?: Partial<Narration>;
  readonly payout?: { readonly id?: string; readonly rowNumber?: number; readonly version?: number };
}

function leaf({ instruction, pricing, releases = [released([NO_MATCH])], narration, payout }: Changes = {}) {
  const state = { pricing: aPricing(pricing), releases };
  const of = aPayoutIn('quoted', { ...payout, instruction: anInstruction(instruction), state });
  return leafOf(of, { ...NARRATION, ...narration });
}

describe('another leaf has a payout with', () => {
  it.each<[string, Changes]>([
    ['another source', { instruction: { sourceId: asCountryId('c-us') } }],
    ['another country', { instruction: { destinationId: asCountryId('c-ke') } }],
    ['another institution', { instruction: { institutionId: asInstitutionId('i-gcb') } }],
    ['another account', { instruction: { account: '0244123457' } }],
    ['the account with its calling code', { instruction: { account: '233244123456' } }],
    ['a mark in the account', { instruction: { account: '0244-123456' } }],
    ['one minor unit more', { instruction: { amount: money('GHS 1200.01') } }],
    ['as many units of another currency', { instruction: { amount: money('KES 1200.00') } }],
    ['another name on the wire', { pricing: { wireName: 'AMA MENSAH' } }],
    ['a phone', { instruction: { phone: '+233209999999' } }],
    ['another note', { instruction: { note: 'June salary' } }],
    ['no note', { instruction: { note: undefined } }],
    ['a shorter narration', { narration: { noteMax: 15 } }],
    ['no tag in the narration', { narration: { noteTag: false } }],
    ['the tag of another payout', { payout: { id: '8' } }],
    ['the tag of another ledger', { narration: { ledgerId: 'ledger-2' } }],
    ['another name of the source country', { pricing: { sourceName: 'Jersey' } }],
    ['another name of the country', { pricing: { countryName: 'Niger' } }],
    ['another name of the institution', { pricing: { institutionName: 'MTN MoMo' } }],
    ['another result of the name check', { pricing: { nameCheck: { ...CHECK, result: 'close_match' } } }],
    ['another holder', { pricing: { nameCheck: { ...CHECK, resolved: 'Ama K Mensah' } } }],
    ['no holder', { pricing: { nameCheck: { ...CHECK, resolved: undefined } } }],
    ['another rate', { pricing: { quote: { ...QUOTE, rate: '15.4' } } }],
    ['another fee', { pricing: { quote: { ...QUOTE, fee: '1.03' } } }],
    [
      'another currency that pays',
      { pricing: { quote: { ...QUOTE, sourceCurrency: money('ZAR 1').currency } } },
    ],
    ['no currency that pays', { pricing: { quote: { ...QUOTE, sourceCurrency: undefined } } }],
    ['no quote', { pricing: { quote: undefined } }],
    ['a payment that it replaces', { instruction: { replaces: asPayoutId('3') } }],
    ['no released concern', { releases: [] }],
    ['another released concern', { releases: [released([OVER_LIMIT])] }],
    ['one more released concern', { releases: [released([NO_MATCH, OVER_LIMIT])] }],
    [
      'a released concern of other values',
      { releases: [released([{ ...NO_MATCH, holder: 'Yaw' } as Concern])] },
    ],
  ])('%s', (_, changes) => {
    expect(leaf(changes)).not.toBe(leaf());
  });

  it('values that moved from one field to the next', () => {
    const leaves = [
      leaf({ instruction: { phone: 'A', note: 'B' }, narration: { noteTag: false } }),
      leaf({ instruction: { phone: 'AB', note: '' }, narration: { noteTag: false } }),
      leaf({ instruction: { phone: '', note: 'AB' }, narration: { noteTag: false } }),
      leaf({ pricing: { countryName: 'A', institutionName: 'B' }, narration: { noteTag: false } }),
      leaf({ pricing: { countryName: 'B', institutionName: 'A' }, narration: { noteTag: false } }),
      leaf({ pricing: { sourceName: 'A', countryName: 'B' }, narration: { noteTag: false } }),
      leaf({ pricing: { sourceName: 'B', countryName: 'A' }, narration: { noteTag: false } }),
    ];
    expect(new Set(leaves).size).toBe(leaves.length);
  });
});

describe('the same leaf has a payout', () => {
  it.each<[string, Changes]>([
    ['in another row of a newer file', { payout: { rowNumber: 9, version: 12 } }],
    ['whose reference is written otherwise', { instruction: { reference: 'GH-001-B' } }],
    [
      'whose places are written otherwise',
      { instruction: { sourceName: 'GB', destinationName: 'GHANA', institutionName: 'mtn' } },
    ],
    ['whose name in the file is written otherwise', { instruction: { name: 'A. Mensah' } }],
    ['whose name was asked for later', { pricing: { nameCheckedAt: plusMs(NOW, 1) } }],
    [
      'whose name check has other words',
      { pricing: { nameCheck: { ...CHECK, reason: 'the same letters' } } },
    ],
    ['whose quote is newer', { pricing: { quote: { ...QUOTE, quotedAt: plusMs(NOW, 1) } } }],
    ['that arrives faster', { pricing: { quote: { ...QUOTE, speedSeconds: 5 } } }],
    ['with notes', { pricing: { notes: ['the bank has another name'] } }],
    ['that another person released', { releases: [released([NO_MATCH], 'ada')] }],
    [
      'that was released later, for another reason',
      { releases: [{ ...released([NO_MATCH]), at: plusMs(NOW, 1), reason: 'x' }] },
    ],
    ['that was released twice', { releases: [released([NO_MATCH]), released([NO_MATCH], 'ada')] }],
  ])('%s', (_, changes) => {
    expect(leaf(changes)).toBe(leaf());
  });

  it('whose concerns were released in another order, together or one by one', () => {
    const together = leaf({ releases: [released([NO_MATCH, OVER_LIMIT])] });
    expect(leaf({ releases: [released([OVER_LIMIT, NO_MATCH])] })).toBe(together);
    expect(leaf({ releases: [released([OVER_LIMIT]), released([NO_MATCH])] })).toBe(together);
  });
});

it('is the same for ever, because journals keep it', () => {
  const order = ['c-gb', 'c-gh', 'i-mtn', '0244123456', '120000', 'GHS', 'Ama Mensah', '', 'May salary'];
  const meaning = ['United Kingdom', 'Ghana', 'MTN Mobile Money', 'match', 'Ama Mensah'];
  const cost = ['15.5', '1.02', '7844', 'GBP'];
  const expected = hash('sha256', JSON.stringify([...order, ...meaning, ...cost, '', []]));
  expect(leaf({ narration: { noteTag: false }, releases: [] })).toBe(expected);
  const unpriced = [...order, ...meaning, '', '', '', '', '', []];
  expect(leaf({ narration: { noteTag: false }, releases: [], pricing: { quote: undefined } })).toBe(
    hash('sha256', JSON.stringify(unpriced)),
  );
});

it('an order is what goes on the wire, to the last letter', () => {
  const payout = aPayoutIn('quoted', {
    instruction: anInstruction({ phone: '+233209999999' }),
    state: { pricing: aPricing({ wireName: 'AMA MENSAH' }) },
  });
  const order = orderOf(payout, { ...NARRATION, noteMax: 14 });
  expect({ ...order, account: order.account.reveal() }).toEqual({
    sourceId: 'c-gb',
    destinationId: 'c-gh',
    institutionId: 'i-mtn',
    account: '0244123456',
    amount: money('GHS 1200.00'),
    name: 'AMA MENSAH',
    phone: '+233209999999',
    note: expect.stringMatching(/^PF-[0-9A-Z]{8} Ma$/),
  });
  expect(orderOf(aPayoutIn('quoted'), { ...NARRATION, noteTag: false })).toMatchObject({
    phone: '',
    note: 'May salary',
  });
});
