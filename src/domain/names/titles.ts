/**
 * Words around a name that are not the name: titles, company forms, trades, small words, junior and senior. Data;
 * a word that is missing here is added here. All folded: letters a–z without accents.
 *
 * Source: usage in the countries served, in English, French, Portuguese, Arabic, Amharic, Swahili and Nigerian titles.
 */

const wordsOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Several words that are read as one, the longest first where one begins another. */
export const PHRASES: readonly (readonly [written: readonly string[], read: string])[] = (
  [
    ['public limited company', 'plc'],
    ['private limited company', 'ltd'],
    ['private limited', 'ltd'],
    ['societe a responsabilite limitee', 'sarl'],
    ['societe anonyme', 'sa'],
    ['sociedade anonima', 'sa'],
    ['share company', 'sc'],
    ['s a r l', 'sarl'],
    ['s a s', 'sas'],
    ['p l c', 'plc'],
    ['l t d', 'ltd'],
    ['l l c', 'llc'],
    ['l d a', 'lda'],
    ['s a', 'sa'],
    ['s l', 'sl'],
    ['b v', 'bv'],
    ['w ro', 'wro'],
    ['w rt', 'wrt'],
    ['w ro t', 'wrt'],
    ['ph d', 'phd'],
    ['el hadj', 'elhadj'],
    ['el hadji', 'elhadj'],
    ['el haj', 'elhadj'],
    ['al haji', 'alhaji'],
    ['al haj', 'alhaji'],
    ['al hajj', 'alhaji'],
  ] as const
).map(([written, read]) => [written.split(' '), read] as const);

/** Never part of a name. */
export const TITLES = wordsOf(
  'mr mrs ms miss mister messrs madam dr doctor prof professor engr eng ing arch arq barr adv advocate esq hon',
  'honourable honorable rev revd reverend fr bro evangelist evang deaconess cde chief',
  'otunba oloye olori ogbeni togbe togbui oba phd mba fca',
  'alhaji alhaj alhaja alh hajia hajiya hajj mallam malam sheikh shaykh',
  'capt col colonel gen maj lt lieutenant sgt sergeant',
  'mme mlle monsieur madame mademoiselle maitre me mgr senhor senhora srta sra exmo exma dra enga',
  'wro wrt woizero weizero weyzero woizerit bwana mzee mwalimu ndugu bi',
);
/** Titles in front of two names at least; elsewhere family names. */
export const TITLES_IN_FRONT = wordsOf(
  'pastor bishop father sister brother elder deacon apostle prophet comrade captain advocate',
);

/** Husband and wife, brother and sister may share the names behind these. */
export const TITLES_OF_MEN = wordsOf(
  'mr mister sir father fr bro brother m monsieur senhor sr bwana alhaji alhaj alh oba prince king ato dom',
);
export const TITLES_OF_WOMEN = wordsOf(
  'mrs ms miss madam sister deaconess mme mlle madame mademoiselle sra srta senhora dra bi alhaja hajia hajiya princess',
  'queen lady wro wrt woizero weizero weyzero woizerit dona',
);

/** In front of a name a title, elsewhere perhaps a name: left out, it makes a close match at the most. */
export const TITLES_OR_NAMES = wordsOf(
  'nana nii naa prince princess king queen sir lady major general justice haji hajj elhadj ato dom dona igwe nze',
  'imam mama baba abba lij',
);

/** Written differently, the same form. */
const FORM_OF: ReadonlyMap<string, string> = new Map(
  [
    ['ltd', 'limited ltee'],
    ['plc', ''],
    ['inc', 'incorporated'],
    ['corp', 'corporation'],
    ['co', 'company'],
    ['llc', ''],
    ['llp', ''],
    ['pty', 'proprietary'],
    ['pvt', ''],
    ['gmbh', ''],
    ['sarl', ''],
    ['sarlu', 'suarl'],
    ['sasu', ''],
    ['gie', ''],
    ['eirl', ''],
    ['ets', 'etablissement etablissements'],
    ['lda', 'limitada'],
    ['sc', ''],
  ].flatMap(([form = '', others = '']) => [form, ...others.split(' ')].map((word) => [word, form] as const)),
);
/** Forms that are also people's names (Maria Sá). */
const AMBIGUOUS_FORMS = wordsOf('sa sas co sl bv sc');

/** The company form that a word stands for. An ambiguous word is one only where the reader is sure of a company. */
export function formOf(word: string, isCompany: boolean): string | undefined {
  if (AMBIGUOUS_FORMS.has(word)) return isCompany ? word : undefined;
  return FORM_OF.get(word);
}

/** What a business does or calls itself; says that a name is no person's, and tells two businesses apart by nothing. */
export const TRADES = wordsOf(
  'academy agency agro associates bakery bank bar boutique business cement centre center church clinic college',
  'comercio commerce communications construction construcoes consult consultancy consulting consultants contractors',
  'cooperative cosmetics dairy designs distribution electrical electronics energy engineering ent enterprise',
  'enterprises entreprise equipment export exports fabrics farm farms fashion fashions finance fisheries fishing food',
  'foods fund foundation freight furniture garage gas general global group holding holdings hardware hospital hotel',
  'hotels import imports industries industry insurance international intl investment investments kiosk laboratories',
  'laundry limited logistics machinery manufacturing maritime market marketing media microfinance mills mining',
  'ministry ministries motors oil oils parish peche pharma pharmacy pharmacie plantations plastics poultry press',
  'print printing prints processing produce products properties publishers quincaillerie realty restaurant sacco',
  'salon school schools security service services servicos shop societe sociedade solar solutions station steel store',
  'stores studio studios supermarket supplies supply svcs systems tech technologies technology textile textiles',
  'texteis trade traders trading transport transportes transports travel travels university union venture ventures',
  'village warehouse water wholesale woodworks works workshop branch agence sucursal sugar',
);

/** A country or town in a company's name tells its sisters apart; left out, a person has to look. */
export const PLACES = wordsOf(
  'angola benin botswana burkina burundi cameroon cameroun congo egypt ethiopia gabon gambia ghana gh guinea guinee',
  'kenya ke liberia madagascar malawi mali mauritius mozambique mocambique namibia niger nigeria nig rwanda senegal',
  'sierra leone somalia sudan tanzania tz togo uganda ug zambia zimbabwe ivoire africa afrique west east',
);

/** Between the names; “dos” left out is no other person, and yet not the same name. */
export const SMALL_WORDS_IN_FRONT = wordsOf('de da do dos das del du des di van der den von');
export const SMALL_WORDS = wordsOf(
  ...SMALL_WORDS_IN_FRONT,
  'ter ould wuld ben bin ibn bint al el epouse epse ep nee veuve vve',
);
export const COMPANY_SMALL_WORDS = wordsOf('and et the of de da do dos du des la le les for');

/** Father and son share the rest. */
export const GENERATIONS: ReadonlyMap<string, string> = new Map(
  [
    ['junior', 'jr jnr'],
    ['senior', 'sr snr'],
    ['filho', ''],
    ['neto', ''],
    ['sobrinho', ''],
    ['ii', ''],
    ['iii', ''],
  ].flatMap(([word = '', others = '']) =>
    [word, ...others.split(' ')].filter((each) => each !== '').map((each) => [each, word] as const),
  ),
);

/** Names that so many brothers and sisters share that they tell nobody apart beside an initial. */
export const SHARED_FIRST_NAMES = wordsOf(
  'mohammed mohamed muhammad mohammad mouhamed mouhamadou mamadou abdul abd abdou jean marie maria mary papa mame',
  'cheikh serigne nana nii pape ndeye mouhamed mouhammed muhammed mohamad muhammadu maxamed',
);

/** First names that are joined in either order: José Maria is a man, Maria José a woman. */
export const FIRST_NAMES = wordsOf(
  'maria marie mary jose joseph joao john jean ana anna anne pierre peter paul paulo pedro claude antonio manuel',
  'carlos francisco luis louis louise claire therese teresa rose grace',
);

/** A table of words as it is written down: one group a line, words parted by one space. */
export const linesOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));
