/** Remembered mappings: recognised by their headers alone, and never binding more than a person said. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import {
  asCountryId,
  asInstitutionId,
  createDirectory,
  type Institution,
} from '../../src/domain/rows/directory.ts';
import {
  type AcceptedValue,
  headerFingerprint,
  type Mapping,
  mappingNameFault,
  recognisedMapping,
  withAcceptedValues,
  withValues,
} from '../../src/domain/rows/mapping.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

const GHANA = { id: asCountryId('gh'), name: 'Ghana', iso: 'GH', callingCode: '233' };
const KENYA = { id: asCountryId('ke'), name: 'Kenya', iso: 'KE', callingCode: '254' };

function institution(id: string, name: string): Institution {
  const currency = parseCurrency('GHS');
  if (currency === undefined) throw new TypeError('GHS is a currency');
  return { id: asInstitutionId(id), name, currency, charges: undefined };
}

function meaning(written: string, id: string, institutionName: string): AcceptedValue {
  return {
    environment: 'live',
    country: 'GH',
    written,
    institutionId: asInstitutionId(id),
    institutionName,
  };
}

function directoryWith(institutions: readonly Institution[], values: readonly AcceptedValue[]) {
  const directory = createDirectory([GHANA, KENYA]);
  directory.addInstitutions(GHANA.id, institutions);
  directory.addInstitutions(KENYA.id, [institution('k1', 'KCB Bank Kenya')]);
  return withAcceptedValues(directory, { name: 'acme', values });
}

describe('[F27] a mapping is recognised', () => {
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
    const saved = (name: string, headers: readonly string[]): Mapping => ({
      name,
      headers,
      columns: new Map(),
      values: [],
      savedAt: timestampOf(0),
      savedBy: [{ by: 'ada' }],
    });
    const all = [saved('one', ['№', 'Bank']), saved('two', ['§', 'Bank'])];
    expect(recognisedMapping(['Bank', '§'], all)?.name).toBe('two');
    expect(recognisedMapping(['Bank'], all)).toBeUndefined();
  });
});

describe('[F27] an accepted name', () => {
  const LIST = [institution('68', 'GCB Bank'), institution('70', 'Zenith Bank')];

  it('means the institution that was chosen, however it is written', () => {
    const directory = directoryWith(LIST, [meaning('G.C.B.', '68', 'GCB Bank')]);
    for (const written of ['G.C.B.', 'gcb', 'G C B'])
      expect(directory.findInstitution(GHANA.id, written)).toMatchObject({
        kind: 'found',
        item: { id: '68' },
      });
  });

  it('means nothing in another country, and nothing that is merely like it', () => {
    const directory = directoryWith(LIST, [meaning('GCB', '68', 'GCB Bank')]);
    expect(directory.findInstitution(KENYA.id, 'GCB').kind).toBe('unknown');
    expect(directory.findInstitution(GHANA.id, 'GCBB').kind).toBe('unknown');
  });

  it('binds nothing when the institution left the list, and says so', () => {
    const directory = directoryWith([institution('70', 'Zenith Bank')], [meaning('GCB', '68', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'unknown',
      since: 'the mapping “acme” takes it for GCB Bank (id 68), which the service no longer lists',
    });
  });

  it('binds nothing when the id is another institution now, and says which', () => {
    const directory = directoryWith([institution('68', 'Zenith Bank')], [meaning('GCB', '68', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'unknown',
      since: expect.stringContaining('which is now Zenith Bank'),
    });
  });

  it('is asked about when the list itself has an institution of that name by now', () => {
    const directory = directoryWith([...LIST, institution('99', 'GCB')], [meaning('GCB', '68', 'GCB Bank')]);
    expect(directory.findInstitution(GHANA.id, 'GCB')).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ id: '99' }, { id: '68' }],
    });
  });

  it('settles which of two institutions of one name is meant', () => {
    const twins = [institution('1', 'Rural Bank'), institution('2', 'Rural Bank')];
    const directory = directoryWith(twins, [meaning('Rural Bank', '2', 'Rural Bank')]);
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

  it('is taken over by a later choice for the same name, country and service only', () => {
    const mapping: Mapping = {
      name: 'acme',
      headers: [],
      columns: new Map(),
      values: [meaning('GCB', '68', 'GCB Bank')],
      savedAt: timestampOf(0),
      savedBy: [{ by: 'ada' }],
    };
    const later = [
      meaning('gcb', '70', 'Zenith Bank'),
      { ...meaning('GCB', 'sb', 'GCB Bank'), environment: 'sandbox' as const },
    ];
    expect(withValues(mapping, later).values.map(({ institutionId }) => institutionId)).toEqual(['70', 'sb']);
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
])('“%s” may name a mapping: %s', (name, isGood) => {
  expect(mappingNameFault(name) === undefined).toBe(isGood);
});
