/**
 * Accounts whose holders are always the same, whatever the seed: for sample files, demos and tests.
 *
 * Source:  shapes as they are used: ten-digit mobile money numbers (nine in Senegal), NUBAN with its check
 *          digit in Nigeria, RIB with its key in Senegal and Côte d'Ivoire. The people are made up.
 */

export interface FixedAccount {
  readonly iso: string;
  /** Exactly as the directory lists it. */
  readonly institution: string;
  readonly account: string;
  readonly name: string;
}

type Line = readonly [institution: string, account: string, name: string];

const GHANA: readonly Line[] = [
  ['MTN Mobile Money', '0244123456', 'Ama Serwaa Boateng'],
  ['MTN Mobile Money', '0551230987', 'Kwame Owusu-Ansah'],
  ['Telecel Cash', '0201457788', 'Kofi Mensah'],
  ['AirtelTigo Money', '0277310452', 'Abena Darko'],
  ['GCB Bank', '1011130024576', 'Yaw Acheampong'],
  ['Ecobank Ghana', '1441000238715', 'Adom Cold Store Ltd'],
  ['Stanbic Bank Ghana', '9040006712384', 'Efua Quaye'],
];
const KENYA: readonly Line[] = [
  ['M-PESA', '0712345678', 'Wanjiru Kamau'],
  ['M-PESA', '0722904417', 'Brian Otieno Odhiambo'],
  ['Airtel Money', '0733218560', 'Faith Cheruiyot'],
  ['KCB Bank Kenya', '1182345670', 'Peter Mwangi Kariuki'],
  ['Equity Bank Kenya', '0170199384756', 'Amina Hassan Juma'],
  ['Co-operative Bank of Kenya', '01109876543200', 'Rift Valley Packaging Ltd'],
];
const NIGERIA: readonly Line[] = [
  ['Guaranty Trust Bank', '0123456785', 'Chukwuemeka Okafor'],
  ['Guaranty Trust Bank', '0239874514', 'Ngozi Eze'],
  ['Access Bank', '0698123452', 'Adebayo Ogunleye'],
  ['Access Bank', '1433221101', 'Aisha Abubakar'],
  ['Zenith Bank', '1004829134', 'Folake Adeyemi'],
  ['United Bank for Africa', '2045133978', 'Lagos Print Works Ltd'],
  ['First Bank of Nigeria', '3012459875', 'Ibrahim Danjuma'],
  ['OPay', '8031234567', 'Chinedu Nwosu'],
];
const SENEGAL: readonly Line[] = [
  ['Orange Money', '771234567', 'Aminata Diop'],
  ['Orange Money', '785520314', 'Moussa Ndiaye'],
  ['Wave', '764419025', 'Fatou Sarr'],
  ['Free Money', '766802291', 'Cheikh Gueye'],
  ['CBAO Groupe Attijariwafa Bank', 'SN0120102000123456789007', 'Ibrahima Fall'],
  ['Ecobank Sénégal', 'SN0940100100045219873040', 'Ets Baobab Services'],
];
const IVORY_COAST: readonly Line[] = [
  ['Orange Money', '0707123456', 'Adjoua Kouamé'],
  ['MTN MoMo', '0505447812', 'Koffi Konan'],
  ['Moov Money', '0102938475', 'Clarisse Brou'],
  ['Wave', '0748112290', 'Serge Bamba'],
  ["Société Générale Côte d'Ivoire", 'CI0080111101112345678971', 'Aya Yao'],
  ["Ecobank Côte d'Ivoire", 'CI0590101300220984571243', 'Société Cacao du Sud'],
];
const UGANDA: readonly Line[] = [
  ['MTN Mobile Money', '0772123456', 'Sarah Nakato'],
  ['MTN Mobile Money', '0788640917', 'Moses Okello'],
  ['Airtel Money', '0752331805', 'Prossy Namukasa'],
  ['Stanbic Bank Uganda', '9030008812347', 'Ronald Ssemakula'],
  ['Centenary Bank', '3100045671', 'Grace Byaruhanga'],
  ['Equity Bank Uganda', '1001200345672', 'Kampala Fresh Foods Ltd'],
];

export const FIXED_ACCOUNTS: readonly FixedAccount[] = [
  ...inCountry('GH', GHANA),
  ...inCountry('KE', KENYA),
  ...inCountry('NG', NIGERIA),
  ...inCountry('SN', SENEGAL),
  ...inCountry('CI', IVORY_COAST),
  ...inCountry('UG', UGANDA),
];

function inCountry(iso: string, lines: readonly Line[]): readonly FixedAccount[] {
  return lines.map(([institution, account, name]) => ({ iso, institution, account, name }));
}
