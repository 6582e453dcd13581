/** The name check against pairs of names written by hand: two people are never one, one person is found again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames, type NameResult } from '../../src/domain/name-check.ts';

type Pairs = readonly (readonly [written: string, resolved: string, result: NameResult])[];

const SAME_PERSON: Pairs = [
  // Ghana
  ['Ama Mensah', 'AMA MENSAH', 'match'],
  ['Ama Mensah', 'Mensah Ama', 'match'],
  ['Mr. Kwame Boateng', 'KWAME BOATENG', 'match'],
  ['Dr Mrs Akosua Agyeman', 'Akosua Agyeman', 'match'],
  ['Kofi A. Owusu', 'Kofi Asante Owusu', 'match'],
  ['Yaa Asantewaa-Darko', 'Yaa Asantewaa Darko', 'match'],
  ['Kojo Mensa', 'Kojo Mensah', 'close_match'],
  ['Ama Serwaa Mensah', 'Ama Mensah', 'close_match'],
  // Nigeria
  ['Chukwuemeka Okafor', 'OKAFOR CHUKWUEMEKA', 'match'],
  ['Ọlúwáṣeun Adébáyọ̀', 'Oluwaseun Adebayo', 'match'],
  ['Alhaji Musa Ibrahim', 'Musa Ibrahim', 'match'],
  ['Engr. Tunde Bakare', 'Bakare Tunde', 'match'],
  ['Ngozi C. Eze', 'Eze Ngozi Chidinma', 'match'],
  ['Fatima Mohammed', 'Fatima Mohamed', 'close_match'],
  ['Ibrahim Abubakar', 'Ibrahim Abubakr', 'close_match'],
  // Kenya
  ['Wanjiku Kamau', 'KAMAU WANJIKU', 'match'],
  ["Mary Ng'ang'a", 'Mary Nganga', 'match'],
  ['Mary Ng’ang’a', 'NGANGA MARY', 'match'],
  ['John Otieno Odhiambo', 'ODHIAMBO, JOHN OTIENO', 'match'],
  ['John O. Odhiambo', 'John Otieno Odhiambo', 'match'],
  ['Grace Njeri Mwangi', 'Grace Mwangi', 'close_match'],
  // Ethiopia
  ['Abebe Bikila', 'ABEBE  BIKILA', 'match'],
  ['Tigist Haile Gebre', 'Tigist Haile Gebre', 'match'],
  ['W/ro Tigist Haile', 'Tigist Haile', 'close_match'],
  ['Dawit Tesfaye', 'Dawit Tesfay', 'close_match'],
  // Senegal
  ['Fatou Ndiaye', "N'Diaye Fatou", 'match'],
  ['Aïssatou Diallo', 'AISSATOU DIALLO', 'match'],
  ['M. Cheikh Tidiane Sy', 'Cheikh Tidiane Sy', 'match'],
  ['Mamadou Lamine Fall', 'Mamadou L. Fall', 'match'],
  ['Ousmane Sembène', 'Ousmane Sembene', 'match'],
  // Mozambique
  ['João Macuácua', 'Joao Macuacua', 'match'],
  ['Sra. Graça Machel', 'GRACA MACHEL', 'match'],
  ['Maria dos Santos', 'Maria Santos', 'close_match'],
  ['Eusébio da Silva Ferreira', 'Eusebio da Silva Ferreira', 'match'],
  // Companies
  ['Accra Foods Ltd', 'ACCRA FOODS LIMITED', 'match'],
  ['Accra Foods', 'Accra Foods Ltd.', 'match'],
  ['Dangote Plc', 'DANGOTE PUBLIC LIMITED COMPANY', 'no_match'],
  ['Jumia Ltd', 'Jumia Limited', 'match'],
  ['Dakar Pêche S.A.R.L.', 'DAKAR PECHE SARL', 'match'],
  ['Sonatel SA', 'Sonatel S.A.', 'match'],
  ['Ets. Diop & Frères', 'Diop et Freres', 'close_match'],
  ['Moçambique Têxteis, Lda', 'Mocambique Texteis', 'match'],
  // One name is all that anyone knows
  ['Madonna', 'MADONNA', 'match'],
];

const DIFFERENT_PEOPLE: Pairs = [
  ['Ama Mensah', 'Akua Mensah', 'no_match'],
  ['Ama Mensah', 'Mensah', 'no_match'],
  ['Mensah', 'Kofi Mensah', 'no_match'],
  ['A. Mensah', 'Ama Mensah', 'close_match'],
  ['A. Mensah', 'Kofi Mensah', 'no_match'],
  ['Mr Mensah', 'Chief Mensah', 'close_match'],
  ['Nana Mensah', 'Mensah', 'close_match'],
  ['Ama Serwaa Mensah', 'Ama Konadu Mensah', 'no_match'],
  ['Kwame Boateng', 'Kwaku Boateng', 'no_match'],
  ['Kwame Boateng', 'Kwame Asante', 'no_match'],
  ['Musa Ibrahim', 'Musa Abdullahi', 'no_match'],
  ['Chinedu Okafor', 'Chinonso Okafor', 'no_match'],
  ['Adamu Bello', 'Adama Bello', 'close_match'],
  ['Wanjiku Kamau', 'Wanjiru Kamau', 'close_match'],
  ['John Otieno', 'John Ochieng', 'no_match'],
  ['Peter Kamau', 'Paul Kamau', 'no_match'],
  ['Abebe Bikila', 'Abebe Kebede', 'no_match'],
  ['Tigist Haile', 'Tirunesh Haile', 'no_match'],
  ['Moussa Diop', 'Awa Diop', 'no_match'],
  ['Moussa Diop', 'Moussa Diouf', 'no_match'],
  ['Maria Sá', 'Maria', 'no_match'],
  ['Maria Silva Sá', 'Maria Silva', 'close_match'],
  ['João Machava', 'José Machava', 'no_match'],
  ['João Machava', 'João Machava Júnior', 'close_match'],
  ['Accra Foods Ltd', 'Accra Farms Ltd', 'no_match'],
  ['Dangote Cement Plc', 'Dangote Sugar Plc', 'no_match'],
  ['Mensah Ltd', 'Mensah', 'close_match'],
  ['Lagos Traders Ltd', 'Tunde Bakare', 'no_match'],
  ['Ama', 'Kofi', 'no_match'],
  ['K M', 'Kofi Mensah', 'no_match'],
  ['123', 'Kofi Mensah', 'no_match'],
  ['—', 'Kofi Mensah', 'no_match'],
];

describe('two ways to write one name', () => {
  it.each(SAME_PERSON)('takes “%s” and “%s” for %s', (written, resolved, result) => {
    expect(compareNames(written, resolved).result).toBe(result);
    expect(compareNames(resolved, written).result).toBe(result);
  });
});

describe('two people', () => {
  it.each(DIFFERENT_PEOPLE)('never takes “%s” and “%s” for one: %s', (written, resolved, result) => {
    expect(compareNames(written, resolved).result).toBe(result);
    expect(compareNames(resolved, written).result).not.toBe('match');
  });
});

const NAMES = [
  'Ama',
  'Kofi',
  'Serwaa',
  'Mensah',
  'Boateng',
  'Wanjiku',
  'Otieno',
  'Diallo',
  'Tesfaye',
  'Macuacua',
];
const fullName = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 4 });

it('finds a person again whatever the order, case and title', () => {
  fc.assert(
    fc.property(fullName, fc.constantFrom('', 'Mr ', 'Dr. ', 'Mme '), (names, title) => {
      const written = `${title}${names.join(' ')}`;
      expect(compareNames(written, names.toReversed().join(' ').toUpperCase()).result).toBe('match');
    }),
  );
});

it('never calls two people one when each has a name in full that the other lacks', () => {
  fc.assert(
    fc.property(fullName, fullName, (one, other) => {
      fc.pre(one.some((name) => !other.includes(name)) && other.some((name) => !one.includes(name)));
      expect(compareNames(one.join(' '), other.join(' ')).result).toBe('no_match');
    }),
  );
});

it('says why in words', () => {
  expect(compareNames('Ama Mensah', 'Akua Mensah').reason).toBe('“ama” is not “akua”');
  expect(compareNames('Kojo Mensa', 'Kojo Mensah').reason).toBe('“mensa” and “mensah” are spelt differently');
  expect(compareNames('Ama Mensah', 'Mensah').reason).toBe('only “mensah” in common');
});
