/**
 * Names from Arabic in the spellings of the countries served; data, read as name-variants.ts says.
 *
 * Source: transliterations in English, French, Hausa, Swahili and Somali usage.
 */
import { linesOf } from './titles.ts';

/** Given to men and used as the father's name; “Musa Ibrahim” and “Ibrahim Musa” may be father and son. */
export const ARABIC_MEN = linesOf(`
  mohammed mohamed muhammad mohammad muhammed mohamad mouhamed mouhammed muhammadu mahamat mohamedi maxamed mouhamadou
  mamadou mamadu mahmadou
  ahmed ahmad ahmadu ahmadou amadou amadu axmed
  mahmud mahmoud mahamud mamoud
  abubakar abubakr abubakari abubaker aboubacar aboubakar boubacar abubacar
  usman ousmane othman uthman osman usmane ousman cusmaan
  umar omar oumar umaru omari cumar oumarou
  ali aliyu alli cali aly
  ibrahim ibrahima ibraheem ebrahim brahim ibrahimu
  ismail ismaila ismael smail ismaili
  yusuf youssouf yusufu youssef yusif yousuf joussouf
  musa moussa musah muse mousa
  isa issa eisa ciise
  sulaiman suleiman souleymane sulayman suleman sulemana sulaimon souleiman
  idris idriss driss idrissa idrisu
  yakubu yacouba yaqub yakub yacoub
  yahaya yahya yahia yaya
  haruna haroun harun harouna
  dauda daouda daud dawud daoud
  adamu adam
  adama
  hassan hasan lassana xasan hassane
  hussein hussain husain houssein husseini hussaini husaini usaini xuseen
  abdullah abdullahi abdallah abdalla abdulahi abdoulaye abdulai abdoulahi cabdullaahi
  abdulrahman abdurrahman abdurahman abderrahmane abderahmane abdourahmane abdulrahaman abdirahman
  abdulaziz abdoulaziz abdelaziz abdulazeez
  abdulkadir abdelkader abdoulkader abdulqadir abdikadir
  abdulrazak abdulrazaq abdelrazak abdoulrazak abdirazak
  abdulkarim abdelkrim abdoulkarim abdulkareem
  abdulsalam abdusalam abdussalam abdelsalam abdesalam
  abdulhamid abdelhamid abdoulhamid
  abdulmalik abdelmalek abdoulmalik
  abdullatif abdellatif abdulateef
  abdulrahim abdurrahim abdulraheem
  abdi cabdi
  rahman rahmane rahaman
  rahim raheem
  aziz azeez
  karim kareem
  mustapha mustafa moustapha mustafah
  salisu salihu saleh salih
  salim saleem selim
  salem
  salum saloum
  sani saani
  bashir bachir basheer beshir
  nasir nasser nasiru naser
  farouk farouq faruk faruq farooq
  kabir kabiru kabeer
  jamil jamilu djamil
  jamal djamal gamal
  rashid rashidi rachid rasheed
  hamid hameed
  hamza hamzah hamsa
  hamisi khamis hamis
  juma jumah
  jumanne
  aminu amin amine
  sadiq sadik saddique sadio
  tijani tidiane tidjani
  bilal bilali
  garba
  danjuma
  bello
  lawal lawan
  shehu sheu
  tanko
  balarabe
  sule
  badamasi badamassi
  buhari bukhari boukhari
  muazu
  lamido
  nura
  nuru nur nour noor
  mansur mansour mansoor
  anas
  bala
  audu
  dogara
  gambo
  ladan
  magaji
  maigari
  rabiu rabi
  sambo
  suraj
  yunusa yunus younous younoussa
  zakari zakariya zakaria zakariyya
  said saeed saidi sayed
  sidi
  farah faarax
  jama jaamac djama
  dahir daahir
  guled
  hersi xirsi
  roble rooble
  elmi cilmi
  warsame warsama
`);

export const ARABIC_WOMEN = linesOf(`
  fatima fatimah fatma fatouma fatoumata fatimata fatoumatta fatu fatou faduma fadumo
  aisha aicha aishat aissata aissatou aishatu ayisha aysha caasha
  asha
  khadija hadiza khadijah khadijat hadija khadidja kadija hadijatu khadidiatou
  zainab zaynab zeinab zeynab sainabou zeinabou
  mariam maryam mariama meriem
  maimuna maimouna maymuna
  amina aminah aminata amnatou aminatu
  hauwa hawa hawwa hauwau xaawo
  hassana hasana
  husseina hussaina
  halima halimah halimatu alimatou
  rahma rahmah
  rukayya rokia rukia roqia rukayat rokiatou rukayyatu
  safiya safia safiatou safiyya
  salamatu salamata salama
  habiba habibah habibatu
  ramatu ramata ramatou rahmatu
  asma asmaa asmau
  zahra zara zahara
  saadatu saadatou saadiya
`);
