/** What goes out in front of a narration, and what never gets out: tags, notes, masked accounts. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asPayoutId, asTag } from '../../src/domain/payouts/instruction.ts';
import { narrationOf, tagOf } from '../../src/domain/payouts/narration.ts';
import { maskOf, Sensitive } from '../../src/domain/text/sensitive.ts';

it('gives every instruction a mark that can be read aloud: no I, L, O or U', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), (ledger, id, salt) => {
      expect(tagOf(ledger, asPayoutId(id), salt)).toMatch(/^PF-[0-9A-HJKMNP-TV-Z]{8}$/);
    }),
  );
});

it('gives the same instruction the same mark for ever, and another one after a collision', () => {
  expect(tagOf('ledger-1', asPayoutId('7'))).toBe(tagOf('ledger-1', asPayoutId('7'), 0));
  expect(tagOf('ledger-1', asPayoutId('7'), 1)).not.toBe(tagOf('ledger-1', asPayoutId('7')));
  expect(tagOf('ledger-2', asPayoutId('7'))).not.toBe(tagOf('ledger-1', asPayoutId('7')));
});

it('gives twenty thousand payouts of a ledger marks of their own', () => {
  const tags = new Set(Array.from({ length: 20_000 }, (_, id) => tagOf('ledger-1', asPayoutId(String(id)))));
  expect(tags.size).toBe(20_000);
});

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
