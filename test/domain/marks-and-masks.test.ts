/** What goes out in front of a narration, and what never gets out: tags, notes, masked accounts. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asPayoutId, asTag } from '../../src/domain/payouts/instruction.ts';
import { narrationOf, tagOf } from '../../src/domain/payouts/narration.ts';
import { maskOf, Sensitive } from '../../src/domain/text/sensitive.ts';

const tag = (ledgerId: string, id: number) => tagOf(ledgerId, asPayoutId(String(id)));
/** Numbers from here on are of a ledger that was set back. */
const LONG = 2 ** 39;

it('gives every payout a mark that can be read aloud: no I, L, O or U', () => {
  fc.assert(
    fc.property(fc.string(), fc.maxSafeNat(), (ledger, id) => {
      expect(tag(ledger, id)).toMatch(/^PF-[0-9A-HJKMNP-TV-Z]{8}$/);
    }),
  );
});

it('gives a payout the same mark for ever, and other ones in other ledgers', () => {
  expect(tag('ledger-1', 7)).toBe(tag('ledger-1', 7));
  expect([tag('ledger-1', 1), tag('ledger-1', 2), tag('ledger-2', 1)]).toEqual([
    'PF-K9C6ANAR',
    'PF-9QCTMN4Z',
    'PF-1S7M5MMW',
  ]);
});

it('gives no two of a million payouts of a ledger the same mark', () => {
  const tags = new Set<string>();
  for (let id = 1; id <= 1_000_000; id += 1) tags.add(tag('ledger-1', id));
  expect(tags.size).toBe(1_000_000);
});

it('gives no two payouts the same mark, however far apart their numbers are', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: LONG - 1 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(fc.string(), ids, (ledger, some) => {
      expect(new Set(some.map((id) => tag(ledger, id))).size).toBe(some.length);
    }),
  );
});

it('gives the payouts of a ledger that was set back no mark of those before', () => {
  const setBackAt = Date.UTC(2026, 4, 25) * 100;
  const before = Array.from({ length: 100_000 }, (_, at) => tag('ledger-1', at + 1));
  const after = Array.from({ length: 100_000 }, (_, at) => tag('ledger-1', setBackAt + at + 1));
  expect(new Set([...before, ...after]).size).toBe(200_000);
});

it('gives the payouts of two ledgers no mark in common, among the first ten thousand', () => {
  const some = Array.from({ length: 10_000 }, (_, at) => at + 1);
  const tags = new Set(['ledger-1', 'ledger-2'].flatMap((ledger) => some.map((id) => tag(ledger, id))));
  expect(tags.size).toBe(20_000);
});

it.each(['', ' 7', '7.5', '-1', '1e3', '0x10', '07', 'p7', '9007199254740992'])(
  'gives no mark to what is no number of a payout: “%s”',
  (id) => {
    expect(() => tagOf('ledger-1', asPayoutId(id))).toThrow(RangeError);
  },
);

it.each([
  ['May salary', 100, true, 'PF-00000001 May salary'],
  [undefined, 100, true, 'PF-00000001'],
  ['', 100, true, 'PF-00000001'],
  ['May salary', 15, true, 'PF-00000001 May'],
  ['May salary', 12, true, 'PF-00000001'],
  ['May salary', 100, false, 'May salary'],
  [undefined, 100, false, ''],
])('writes the note “%s” in %i characters, tag %s, as “%s”', (note, noteMax, noteTag, narration) => {
  expect(narrationOf(asTag('PF-00000001'), note, { noteMax, noteTag })).toBe(narration);
});

it('cuts no letter in half', () => {
  expect(narrationOf(asTag('PF-00000001'), '💶💶💶', { noteMax: 14, noteTag: true })).toBe(
    'PF-00000001 💶💶',
  );
});

it('shows of a secret at most its last four characters, however it is printed', () => {
  const account = new Sensitive('0241234567');
  for (const shown of [String(account), `${account}`, JSON.stringify({ account }), inspect({ account })]) {
    expect(shown).not.toContain('024123');
    expect(shown).toContain('4567');
  }
  expect(account.reveal()).toBe('0241234567');
});

it('shows nothing of a short secret', () => {
  expect(maskOf('123456')).toBe('••••');
  expect(String(new Sensitive('pass'))).toBe('••••');
});
