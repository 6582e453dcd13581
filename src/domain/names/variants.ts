/**
 * Spellings of one name, and names that only look like one. Data; a spelling that is missing here is added here.
 *
 * A line is one name in its spellings. Two words that stand in different lines are known to be two names, however
 * alike they look. A spelling never makes a match: it makes two names worth a person's look.
 * Source: day names of the Akan, Ewe and Baule; transliterations of Arabic, Amharic and Somali names into English,
 *         French, Portuguese, Hausa and Swahili.
 */

import { linesOf } from './titles.ts';
import { ARABIC_MEN, ARABIC_WOMEN } from './variants-arabic.ts';

/** By the day of birth; Akan, Fante, Ewe and Baule forms. */
const DAY_NAMES_OF_MEN = linesOf(`
  kwasi kwesi akwasi kouassi kossi quasi
  kwadwo kojo kwodwo cudjoe kodjo kouadio cojo
  kwabena kobina kobena kwabina komla
  kwaku kweku kouakou kokou quaku
  yaw ekow yao kwaw yawo
  kofi koffi yoofi fiifi cofie
  kwame kwamena kwami kouame kwamina
`);
const DAY_NAMES_OF_WOMEN = linesOf(`
  akosua esi akossiwa akosiwa
  adwoa adjoa ajoa adzo
  abena araba abenaa abla
  akua ekua ekuwa akuwa
  yaa aba yaaba
  afua efua afia efia afi
  ama amma ame amba
`);

const ETHIOPIAN_MEN = linesOf(`
  abebe
  kebede
  bekele
  alemu
  tadesse tadese tadesa
  tesfaye tesfay
  tesfa
  haile hailu
  girma
  bikila
  demissie demisse demise
  desalegn dessalegn
  mulugeta
  getachew
  tekle
  gebre
  worku
  yohannes yohanes
  dawit
  solomon salomon
  gebremichael
  gebreselassie gebrselassie
  gebremariam
  woldemariam
  woldemichael
  hailemariam
  tilahun
  negash
  assefa asefa
  lemma lema
  mengistu
  zewde zewdie
  ayele
  tefera teferra
  negussie nigussie neguse
  yared
  berhanu birhanu
  ashenafi
  asfaw
  belay
  biru
  dereje
  endale
  ephrem efrem
  eshetu
  fikadu fekadu
  fikru fekru
  gashaw
  gebreyes
  getahun
  habte
  habtamu
  kassa kasa
  kassahun
  lakew
  mamo
  mekonnen mekonen
  melaku
  menelik
  mesfin
  molla mola
  mulatu
  seifu
  seyoum
  shiferaw
  sisay
  taye
  teklu
  tewodros tedros tewedros
  tsegaye
  wondimu
  wolde
  workneh
  yonas
  zeleke
  zerihun
  meles
  isaias isayas
  afewerki afwerki
  kidane
  tekeste
  woldu
`);

/** Kikuyu, Luo and Kamba names of men that serve as the father's name; a first-born bears the grandfather's. */
const KENYAN_MEN = linesOf(`
  kamau
  njoroge
  mwangi
  kariuki karuki
  maina
  kimani
  karanja
  macharia
  nganga
  waweru
  ndungu
  mbugua
  irungu
  gitau
  muriithi
  wachira
  otieno
  odhiambo
  ochieng
  omondi
  onyango
  okoth
  owino
  ouma
  okello okelo
  oduor
  opiyo
  odongo
  mutua
  musyoka
  kipkemboi
  kiprono
  kiplagat
  kipchoge
  kibet
  kosgei
  koech
  chege
  gichuru
  gathogo
  kinyua
  kibaki
  muigai
  mburu
  ngugi
  njuguna
  thuo
  wainaina
  ogola
  okumu
  omollo
  opondo
  oloo
  ooko
  odinga
  wambugu
`);

const OTHERS = linesOf(`
  diallo jallow jalloh dialo
  cisse sesay ceesay sisse
  ba bah
  kante conteh
  toure touray turay
  ndiaye njie njai
  sow
  diop jobe
  diouf joof
  keita keitah
  stephen steven stephan stefan
  catherine katherine kathryn katharine
  joao
  jose
  joana joanna
  luis luiz louis
  ann anne
  agyemang agyeman
  wanjiku
  wanjiru
  wanjohi
  wambui
  wambua
  njeri
  njoki
  asare
  asante
`);

const index = (groups: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  new Map(groups.flatMap((group, at) => group.map((word) => [word, at] as const)));

const SPELLINGS = index([
  ...DAY_NAMES_OF_MEN,
  ...DAY_NAMES_OF_WOMEN,
  ...ARABIC_MEN,
  ...ARABIC_WOMEN,
  ...ETHIOPIAN_MEN,
  ...KENYAN_MEN,
  ...OTHERS,
]);
const ETHIOPIAN = index(ETHIOPIAN_MEN);
const FATHERS = index([...DAY_NAMES_OF_MEN, ...ARABIC_MEN, ...ETHIOPIAN_MEN, ...KENYAN_MEN]);

/** Whether the table knows two words as one name or as two; undefined when it does not know both. */
export function knownAsOneName(one: string, other: string): boolean | undefined {
  const [left, right] = [SPELLINGS.get(one), SPELLINGS.get(other)];
  return left === undefined || right === undefined ? undefined : left === right;
}

/** A man's name that stands behind his children's. */
export function isFathersName(word: string): boolean {
  return FATHERS.has(word);
}

export function isEthiopian(word: string): boolean {
  return ETHIOPIAN.has(word);
}
