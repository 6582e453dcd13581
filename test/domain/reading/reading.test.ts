/** Kept readings: recognised by their headers alone, and never binding more than a person said. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../../src/domain/money/currency.ts';
import { type Said, withNewer } from '../../../src/domain/reading/answer.ts';
import {
  headerFingerprint,
  type Reading,
  readingFor,
  readingNameFault,
} from '../../../src/domain/reading/reading.ts';
import { withSaidWords } from '../../../src/domain/reading/said-words.ts';
import {
  asCountryId,
  asInstitutionId,
  createDirectory,
  type Institution,
} from '../../../src/domain/rows/directory.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';

const GHANA = { id: asCountryId('gh'), name: 'Ghana', iso: 'GH', callingCode: '233' };
const KENYA = { id: asCountryId('ke'), name: 'Kenya', iso: 'KE', callingCode: '254' };

function institution(id: string, name: string): Institution {
  const currency = parseCurrency('GHS');
  if (currency === undefined) throw new TypeError('GHS is a currency');
  return { id: asInstitutionId(id), name, currency, charges: undefined };
}

const BY = { by: 'ada', at: timestampOf(Date.UTC(2026, 4, 25)) };

function meaning(written: string, means: string): Said {
  return { kind: 'value', field: 'institution', country: 'GH', written, means, ...BY };
}

function directoryWith(institutions: readonly Institution[], values: readonly Said[]) {
  const directory = createDirectory([GHANA, KENYA]);
  directory.addInstitutions(GHANA.id, institutions);
  directory.addInstitutions(KENYA.id, [institution('k1', 'KCB Bank Kenya')]);
  return withSaidWords(directory, values);
}

describe('[F27] a reading is recognised', () => {
  it.each([
    ['in another order', ['Amount', 'Who', 'Bank'], true],
    ['with other capitals, spaces and accents', [' who ', 'BANK', 'amóunt'], true],
    ['with empty columns between', ['Who', '', 'Bank', 'Amount', ''], true],
    [
      'with the columns of a report of ours',
      ['Who', 'Bank', 'Amount', 'payfile_row', 'payfile_status'],
      true,
    ],
    ['in a fix file', ['Who', 'Bank', 'Amount', 'What to fix'], true],
    ['in a file of rows to be paid again', ['Who', 'Bank', 'Amount', 'payfile_replaces'], true],
    ['not with a column more', ['Who', 'Bank', 'Amount', 'Team'], false],
    ['not with a column less', ['Who', 'Bank'], false],
    ['not with a column twice', ['Who', 'Bank', 'Amount', 'Amount'], false],
    ['not with another word', ['Who', 'Banks', 'Amount'], false],
  ])('%s', (_, headers, isSame) => {
    expect(headerFingerprint(headers) === headerFingerprint(['Who', 'Bank', 'Amount'])).toBe(isSame);
  });

  it('by every order of the same headers and by no others', () => {
    const headers = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(headers, fc.infiniteStream(fc.nat()), (list, numbers) => {
        const shuffled = [...list]
          .map((header) => ({ header, at: numbers.next().value ?? 0 }))
          .sort((one, other) => one.at - other.at)
          .map(({ header }) => header);
        expect(headerFingerprint(shuffled)).toBe(headerFingerprint(list));
        expect(headerFingerprint([...list, 'zzzzzzz'])).not.toBe(headerFingerprint(list));
      }),
      { numRuns: 50 },
    );
  });

  it('among others, and signs that fold to nothing still count', () => {
    const kept = (name: string, headers: readonly string[]): Reading => ({ name, headers, answers: [] });
    const all = [kept('one', ['№', 'Bank']), kept('two', ['§', 'Bank'])];
    expect(readingFor(['Bank', '§'], { kept: all })?.name).toBe('two');
    expect(readingFor(['Bank'], { kept: all })).toBeUndefined();
    expect(readingFor(['Bank', '§', 'Cell comments'], { kept: all })?.name).toBe('two');
    expect(readingFor(['Bank'], { kept: all, use: 'one' })?.name).toBe('one');
  });

  it('by the same order alone, where an answer names a column by its letter', () => {
    const by = { by: 'ada', at: timestampOf(0) } as const;
    const answers = [{ kind: 'map', field: 'amount', headers: ['C'], ...by }] as const;
    const kept: readonly Reading[] = [{ name: 'one', headers: ['Bank', 'Amount', 'Amount'], answers }];
    expect(readingFor(['BANK', 'Amount', 'Amount'], { kept })?.name).toBe('one');
    expect(readingFor(['Amount', 'Bank', 'Amount'], { kept })).toBeUndefined();
    expect(readingFor(['Bank', '', 'Amount', 'Amount'], { kept })).toBeUndefined();
  });
});

describe('[F27] an accepted name', () => {
  const LIST = [institution('68', 'GCB Bank'), institution('70', 'Zenith Bank')];

  it('means the institution that was chosen, however it is written', () => {
    const directory = directoryWith(LIST, [meaning('G.C.B.', 'GCB Bank')]);
    for (const written of ['G.C.B.', 'gcb', 'G C B'])
      expect(directory.findInstitution(GHANA.id, written)).toMatchObject({
        kind: 'found',
        item: { id: '68' },
      });
  });

  it.each([
    ['KE/KCB', undefined],
    ['GH/GCB', undefined],
    ['GCB', 'Ghana'],
  ])('means what was said last, also with the country written as in %s (%s)', (written, country) => {
    const now: Said = { kind: 'value', field: 'institution', written, means: 'Zenith Bank', country, ...BY };
    const directory = directoryWith(LIST, [meaning('GCB', 'GCB Bank'), now]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'found',
      item: { id: written === 'KE/KCB' ? '68' : '70' },
    });
  });

  it('means nothing in another country, and nothing that is merely like it', () => {
    const directory = directoryWith(LIST, [meaning('GCB', 'GCB Bank')]);
    expect(directory.findInstitution(KENYA.id, 'GCB').kind).toBe('unknown');
    expect(directory.findInstitution(GHANA.id, 'GCBB').kind).toBe('unknown');
  });

  it('binds nothing when the institution left the list, and says so', () => {
    const directory = directoryWith([institution('70', 'Zenith Bank')], [meaning('GCB', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'unknown',
      since: 'ada said on 2026-05-25 that it means GCB Bank, which Ghana does not list now',
    });
  });

  it('binds nothing when the institution has another name now', () => {
    const directory = directoryWith([institution('68', 'Zenith Bank')], [meaning('GCB', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'unknown',
      since: expect.stringContaining('it means GCB Bank, which Ghana does not list now'),
    });
  });

  it('is asked about when the list itself has an institution of that name by now', () => {
    const directory = directoryWith([...LIST, institution('99', 'GCB')], [meaning('GCB', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ id: '99' }, { id: '68' }],
    });
  });

  it('settles which of two institutions of one name is meant', () => {
    const twins = [institution('1', 'Rural Bank'), institution('2', 'Rural Bank')];
    const directory = directoryWith(twins, [meaning('Rural Bank', '2')]);
    expect(directory.findInstitution(GHANA.id, 'rural bank')).toMatchObject({
      kind: 'found',
      item: { id: '2' },
    });
  });

  it('is suggested best first: what the text begins with comes before a shared name of the country', () => {
    const directory = createDirectory([KENYA]);
    const names = ['KCB Bank Kenya', 'Absa Bank Kenya', 'M-PESA'];
    directory.addInstitutions(
      KENYA.id,
      names.map((name, at) => institution(String(at), name)),
    );
    const found = directory.findInstitution(KENYA.id, 'MPESA Kenya');
    expect(found.kind === 'unknown' && found.suggestions[0]?.name).toBe('M-PESA');
  });

  it('is taken over by a later choice for the same name and country only', () => {
    const elsewhere = { ...meaning('GCB', 'GCB Kenya'), country: 'KE' };
    const later = [meaning('gcb', 'Zenith Bank'), elsewhere];
    expect(withNewer([meaning('GCB', 'GCB Bank')], later)).toEqual(later);
  });

  it('may be said of a country in front of it', () => {
    const { country: _, ...anywhere } = meaning('GH/GCB', 'GCB Bank') as Said & { readonly country: string };
    const directory = directoryWith(LIST, [anywhere as Said]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({ kind: 'found', item: { id: '68' } });
    expect(directory.findInstitution(KENYA.id, 'GCB').kind).toBe('unknown');
  });

  it('is known for countries, too', () => {
    const word: Said = { kind: 'value', field: 'country', written: 'Gold Coast', means: 'GH', ...BY };
    expect(directoryWith(LIST, [word]).findCountry('gold coast')).toMatchObject({ item: { id: 'gh' } });
  });
});

it.each([
  ['acme', true],
  ['Acme payroll v3', true],
  ['folha-salários.2026', true],
  ['', false],
  ['-x', false],
  ['a/b', false],
  ['a\nb', false],
  ['x'.repeat(61), false],
])('“%s” may name a reading: %s', (name, isGood) => {
  expect(readingNameFault(name) === undefined).toBe(isGood);
});
