/**
 * Given and family names by part of Africa: what a resolved account may be called.
 */

export interface NamePool {
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** How a business is written; `*` stands for a family name. */
  readonly business: readonly string[];
}

const ENGLISH = ['* Trading Ltd', '* & Sons Ltd', '* Enterprises', '* Agro Supplies Ltd', '* Logistics Ltd'];
const FRENCH = ['Ets *', '* et Fils SARL', 'Société * Négoce', '* Transports SARL', 'Groupe * SA'];
const PORTUGUESE = ['* Comercial Lda', '* e Filhos Lda', 'Grupo * SA', '* Transportes Lda'];

const words = (text: string): readonly string[] => text.split(' ');

const GHANA: NamePool = {
  given: words('Kwame Ama Kofi Akosua Yaw Abena Kwesi Efua Kojo Adwoa Kwabena Esi Nana Akua Samuel Grace'),
  family: words(
    'Mensah Owusu Boateng Asante Osei Appiah Agyeman Addo Ofori Amoah Acheampong Darko Tetteh Quaye',
  ),
  business: ENGLISH,
};
const NIGERIA: NamePool = {
  given: words(
    'Chukwuemeka Ngozi Adebayo Folake Ibrahim Aisha Chinedu Amaka Tunde Yetunde Musa Zainab Emeka Ifeoma',
  ),
  family: words(
    'Okafor Adeyemi Bello Eze Okonkwo Balogun Abubakar Nwosu Ogunleye Lawal Onyeka Danjuma Obi Adewale',
  ),
  business: ENGLISH,
};
const SAHEL: NamePool = {
  given: words(
    'Moussa Aminata Ibrahima Fatou Ousmane Awa Mamadou Mariama Cheikh Khady Abdoulaye Aïssatou Modou Ndèye',
  ),
  family: words(
    'Diop Ndiaye Fall Sow Diallo Traoré Keïta Coulibaly Camara Bah Cissé Touré Sarr Gueye Ouédraogo Barry',
  ),
  business: FRENCH,
};
const GULF: NamePool = {
  given: words(
    'Koffi Adjoua Kouassi Affoué Yao Aya Serge Clarisse Didier Nadège Hervé Sandrine Kossi Afi Rodrigue',
  ),
  family: words(
    'Kouamé Konan Kouassi Koné Yao Bamba Adjovi Houngbédji Agbodjan Lawson Amegan Dossou Zinsou Brou',
  ),
  business: FRENCH,
};
const CENTRAL: NamePool = {
  given: words(
    'Jean Marie Patrice Chantal Emmanuel Solange Dieudonné Béatrice Alain Espérance Serge Mireille Guy',
  ),
  family: words(
    'Mbarga Nguema Tchoumi Fotso Kabila Ilunga Mukendi Ondo Essomba Kalala Ngono Tshibanda Moussavou',
  ),
  business: FRENCH,
};
const MANO: NamePool = {
  given: words(
    'Mohamed Fatmata Alhaji Isatu Joseph Hawa Sheku Mariatu Lamin Kadiatu Emmanuel Princess Abu Musu',
  ),
  family: words(
    'Kamara Sesay Conteh Koroma Bangura Jallow Ceesay Johnson Kollie Weah Toe Mansaray Touray Fofanah',
  ),
  business: ENGLISH,
};
const EAST_AFRICA: NamePool = {
  given: words(
    'Wanjiru Kamau Achieng Otieno Njeri Mwangi Grace Brian Amina Juma Neema Baraka Faith Hassan Zawadi',
  ),
  family: words(
    'Kariuki Odhiambo Mutua Wambui Kiprop Cheruiyot Omondi Mwakyusa Massawe Mushi Kimani Njoroge Were',
  ),
  business: ENGLISH,
};
const UGANDA: NamePool = {
  given: words(
    'Nakato Okello Namukasa Mukasa Apio Ssebunya Aine Tumusiime Grace Ronald Sarah Moses Prossy Ivan',
  ),
  family: words(
    'Kato Ochieng Nsubuga Byaruhanga Auma Lubega Mugisha Nabirye Kiggundu Opio Tukahirwa Ssemakula',
  ),
  business: ENGLISH,
};
const LAKES: NamePool = {
  given: words(
    'Uwase Mugisha Ineza Keza Claude Diane Eric Aline Jean-Bosco Solange Innocent Chantal Patrick Alice',
  ),
  family: words(
    'Habimana Uwimana Niyonzima Mukamana Nshimiyimana Ndayisaba Irakoze Nkurunziza Hakizimana Ingabire',
  ),
  business: ENGLISH,
};
const ETHIOPIA: NamePool = {
  given: words(
    'Abebe Tigist Dawit Hanna Bekele Selamawit Yonas Meron Tesfaye Almaz Getachew Rahel Mulugeta Hiwot',
  ),
  family: words(
    'Tadesse Bekele Haile Alemu Kebede Girma Wolde Desta Mekonnen Assefa Negash Tesfaye Worku Demissie',
  ),
  business: ENGLISH,
};
const MADAGASCAR: NamePool = {
  given: words('Hery Voahangy Tiana Rado Fanja Mamy Haingo Lalaina Noro Solofo Miora Toky Vola Njaka'),
  family: words(
    'Rakoto Rasoa Andriamanana Razafy Rakotomalala Randria Ravelo Andrianaivo Rabe Rasolofo Razanaka',
  ),
  business: FRENCH,
};
const SOUTHERN: NamePool = {
  given: words(
    'Thabo Nomsa Sipho Lerato Chanda Mutale Chisomo Thandiwe Bwalya Tumelo Naledi Kagiso Mphatso Zandile',
  ),
  family: words(
    'Dlamini Nkosi Banda Phiri Mwale Zulu Mokoena Tembo Molefe Khumalo Sithole Chirwa Mulenga Ndlovu',
  ),
  business: ENGLISH,
};
const LUSOPHONE: NamePool = {
  given: words(
    'João Maria António Ana Carlos Teresa Manuel Isabel Domingos Lurdes Fernando Celeste Paulo Graça',
  ),
  family: words(
    'Machava Sitoe Cossa Mondlane Chissano Neto Lourenço Kiala Domingos Nhantumbo Macuácua Cardoso',
  ),
  business: PORTUGUESE,
};
const MAGHREB: NamePool = {
  given: words(
    'Mohamed Fatima Ahmed Salma Youssef Khadija Omar Nadia Hassan Amal Karim Leila Mahmoud Hoda Samir',
  ),
  family: words(
    'El-Sayed Benali Mansour Alaoui Hassan Idrissi Trabelsi Farouk Bennani Gharbi Abdelrahman Chraibi',
  ),
  business: FRENCH,
};

const POOLS: Readonly<Record<string, NamePool>> = {
  GH: GHANA,
  NG: NIGERIA,
  CM: CENTRAL,
  GA: CENTRAL,
  CD: CENTRAL,
  KE: EAST_AFRICA,
  TZ: EAST_AFRICA,
  UG: UGANDA,
  RW: LAKES,
  BI: LAKES,
  ET: ETHIOPIA,
  MG: MADAGASCAR,
  MZ: LUSOPHONE,
  AO: LUSOPHONE,
  EG: MAGHREB,
  MA: MAGHREB,
  TN: MAGHREB,
  ...each('SN ML NE GN BF', SAHEL),
  ...each('CI BJ TG', GULF),
  ...each('SL LR GM', MANO),
  ...each('ZA ZM MW BW NA', SOUTHERN),
};

/** The names of a country; every country with institutions has a pool of its own or its neighbours'. */
export function namePoolOf(iso: string): NamePool {
  return POOLS[iso] ?? GHANA;
}

function each(isos: string, pool: NamePool): Record<string, NamePool> {
  return Object.fromEntries(isos.split(' ').map((iso) => [iso, pool]));
}
