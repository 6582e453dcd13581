/** The name check against names as they are written: two people are never one, one person is found again. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames } from '../../src/domain/names/name-check.ts';
import { whyNotWholeName } from '../../src/domain/names/partial-name.ts';

/** Written by hand, each with the word it should get; `people` says whether they are one person or may be two. */
const PAIRS = readFileSync(new URL('../fixtures/name-pairs.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [tradition = '', written = '', resolved = '', expected = '', people = '', note = ''] =
      line.split(';');
    return { tradition, written, resolved, expected, people, note };
  });
const TRADITIONS = [...new Set(PAIRS.map(({ tradition }) => tradition))];
/** Where the name behind is the father's, the country says so. */
const ISO: Readonly<Record<string, string>> = { Ethiopia: 'ET', 'Somalia and Mauritania': 'SO' };

const check = (written: string, resolved: string, iso?: string) =>
  compareNames(written, resolved, iso).result;

describe.each(TRADITIONS)('names of %s', (tradition) => {
  const pairs = PAIRS.filter((pair) => pair.tradition === tradition);

  it.each(pairs)(
    '[E13] “$written” and “$resolved” are $expected: $note',
    ({ written, resolved, expected }) => {
      expect(check(written, resolved, ISO[tradition])).toBe(expected);
      expect(check(resolved, written, ISO[tradition])).toBe(expected);
    },
  );
});

it('[E13] has three hundred pairs and more to be judged by, and calls no two people one', () => {
  expect(PAIRS.length).toBeGreaterThan(500);
  expect(new Set(PAIRS.map(({ written, resolved }) => `${written}|${resolved}`)).size).toBe(PAIRS.length);
  const taken = PAIRS.filter(({ people }) => people === 'different').filter(
    ({ written, resolved, tradition }) => check(written, resolved, ISO[tradition]) === 'match',
  );
  expect(taken).toEqual([]);
});

it.each([
  ['Ama Mensah', 'Akua Mensah', 'another first name: “Ama” is not “Akua”'],
  ['Kofi Mensah', 'Kofi Owusu', 'another last name: “Mensah” is not “Owusu”'],
  ['Kojo Mensa', 'Kojo Mensah', '“Mensa” and “Mensah” are spelt differently'],
  ['Ama Mensah', 'Mensah', 'only “Mensah” in common'],
  ['Grace Mwangi', 'Mwangi Grace Njeri', 'family name first; the name “Njeri” only in the account'],
  ['Grace Njeri Mwangi', 'GRACE MWANGI', 'middle name “Njeri” only in the file'],
  ['Dr Kofi A. Owusu', 'OWUSU KOFI ASANTE', 'family name first; a middle name as an initial; title left out'],
  ['K. Asante Mensah', 'Kofi Asante Mensah', '“K” is only the initial of “Kofi”'],
  ['Sam Adjei', 'Samuel Adjei', '“Sam” may be short for “Samuel”'],
  ['Oluwaseun Adebayo Oladipo', 'OLUWASEUN ADEBAYO OL', '“Ol” may be “Oladipo” cut off'],
  ['Maria dos Santos', 'Maria Santos', '“dos” only in the file'],
  ['Mr Kofi Mensah', 'MRS KOFI MENSAH', '“Mr” is not “Mrs”'],
  ['Accra Foods Ltd', 'Accra Foods', 'company form left out'],
  ['Accra Foods Ltd', 'Accra Foods Plc', '“Ltd” is not “Plc”'],
  ['Kofi Mensah Enterprise', 'Kofi Mensah', 'the word “Enterprise” only in the file'],
])('says why in words: “%s” and “%s”: %s', (written, resolved, reason) => {
  expect(compareNames(written, resolved).reason).toBe(reason);
});

it.each([
  ['OK', 'none'],
  ['', 'none'],
  [' - ', 'none'],
  ['0244123456', 'none'],
  ['******', 'none'],
  ['Account found', 'none'],
  ['N/A', 'none'],
  ['K*** M*****', 'part'],
  ['Kofi Mxxxxx', 'part'],
  ['Kofi Mensah', undefined],
  ['Ok Chukwu', undefined],
  ['Shop #3 Ltd', undefined],
])('knows that the answer “%s” is %s of a name', (answer, lack) => {
  expect(whyNotWholeName(answer)).toBe(lack);
});

/** No father's names, so that a turned name is not perhaps the father. */
const FAMILY = ['Boateng', 'Adeyemi', 'Okafor', 'Ndiaye', 'Macuacua', 'Santos', 'Acheampong', 'Nkemelu'];
const FIRST = ['Akosua', 'Folake', 'Ngozi', 'Fatou', 'Aisha', 'Wanjiku', 'Nomvula', 'Chidinma', 'Serwaa'];
const WORDS = [...new Set(PAIRS.flatMap(({ written }) => written.split(/[^\p{L}]+/u)))].filter(
  (word) => word.length > 3,
);
const person = fc.tuple(
  fc.uniqueArray(fc.constantFrom(...FIRST), { minLength: 1, maxLength: 3 }),
  fc.constantFrom(...FAMILY),
);
const names = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 });

/** SOAK=1 draws many more. */
const RUNS = { numRuns: process.env['SOAK'] === '1' ? 10_000 : 400 };

describe('whatever the names', () => {
  it('[E13] finds a person again with the family name first, in capitals, with accents and a title', () => {
    fc.assert(
      fc.property(person, fc.constantFrom('', 'Mrs ', 'Dr. ', 'Mme ', 'Hajia '), ([first, family], title) => {
        const written = `${title}${first.join(' ')} ${family}`;
        const accented = family.replaceAll('a', 'á').normalize('NFD');
        expect(check(written, `${accented} ${first.join(' ')}`.toUpperCase())).toBe('match');
        expect(check(written, `${first.join('-')} ${accented}`)).toBe('match');
      }),
    );
  });

  it('gives the same word whichever of the two names comes first', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(check(one.join(' '), other.join(' '))).toBe(check(other.join(' '), one.join(' ')));
      }),
      RUNS,
    );
  });

  it('hears letter case, accents and double spaces nowhere', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const plain = check(one.join(' '), other.join(' '));
        const dressed = other.join('  ').toUpperCase().replaceAll('E', 'É').normalize('NFD');
        expect(check(one.join(' '), dressed)).toBe(plain);
      }),
    );
  });

  it('[E13] matches nobody who shares one name only, be it long or short', () => {
    fc.assert(
      fc.property(names, names, fc.constantFrom(...FAMILY), (one, other, family) => {
        fc.pre(one.join().toLowerCase() !== other.join().toLowerCase());
        fc.pre(one.every((word) => other.every((it) => it.toLowerCase() !== word.toLowerCase())));
        const written = `${one.join(' ')} ${family}`;
        // Titles and forms are no names: “Mr Boateng” and “Chief Boateng” are the hard case.
        expect(check(written, `${other.join(' ')} ${family}`)).not.toBe('match');
        expect(check(written, family)).not.toBe('match');
      }),
      RUNS,
    );
  });

  it('[E13] matches no initials in the place of the name that tells people apart', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
    fc.assert(
      fc.property(person, fc.array(letter, { minLength: 1, maxLength: 3 }), ([first, family], letters) => {
        const initials = letters.join('. ');
        expect(check(`${initials}. ${family}`, `${first.join(' ')} ${family}`)).not.toBe('match');
        expect(check(`${initials}. ${family}`, `${initials}. ${family}`)).not.toBe('match');
      }),
    );
  });

  it('[E13] takes a name cut off at 20 characters for a close match at the most', () => {
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('', ' Ltd', ' SARL', ' Jnr', ' K.', ' Mrs', ' N’Dri'),
        (words, ending) => {
          const whole = `${words.join(' ')}${ending}`;
          fc.pre(whole.length > 20 && /\p{L}/u.test(whole.slice(20)));
          expect(check(whole, whole.slice(0, 20))).not.toBe('match');
          expect(check(whole.slice(0, 20).toUpperCase(), whole)).not.toBe('match');
        },
      ),
      RUNS,
    );
  });

  it('never throws, and says something, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const { result, reason } = compareNames(one, other);
        expect(['match', 'close_match', 'no_match']).toContain(result);
        expect(reason).not.toBe('');
      }),
    );
  });
});

it.each([
  ['one word', 'a'.repeat(1_000_000)],
  ['words', 'ab '.repeat(333_333)],
  ['initials', 'a '.repeat(500_000)],
  ['accents', '\u0301'.repeat(1_000_000)],
  ['hidden letters', 'x*'.repeat(500_000)],
  ['spaces', ' '.repeat(1_000_000)],
])('takes no time over a megabyte of %s', (_, long) => {
  const before = performance.now();
  expect(compareNames(long, 'Ama Mensah').result).toBe('no_match');
  expect(compareNames('Ama Mensah', long).result).toBe('no_match');
  whyNotWholeName(long);
  expect(performance.now() - before).toBeLessThan(2_000);
});
