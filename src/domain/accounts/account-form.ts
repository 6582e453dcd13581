/**
 * What form the accounts of an institution have, where that is known: phone numbers at wallets, ten digits with a check
 * digit in Nigeria. Of other institutions nothing is known: their accounts may have letters and marks.
 *
 * Source:  names that wallets trade under; Central Bank of Nigeria, Nigeria Uniform Bank Account Number standard (2011) and
 *          its bank codes.
 */

export interface AccountPlace {
  readonly iso: string | undefined;
  /** Folded institution name; undefined when it is not known. */
  readonly institution: string | undefined;
}

export type AccountForm = 'phone' | 'ten_digits' | 'unknown';

const WALLET =
  /money(?!gram)|momo|pesa|mtn|airtel|tigo|telecel|mpamba|^wave(?!.*bank)|moov|flooz|mixxbyyas|celtiis|(?:vodafone|orange)cash|lumicash|ecocash|telebirr|mvola|emola|mkesh|myzaka|smega|^d17$/;
const WALLET_NUMBER_NG = /momo|mtn|airtel/;
// 0 and nine digits for wallets of these countries.
const TEN_DIGIT_WALLETS = new Set(['GH', 'KE', 'UG', 'TZ', 'RW', 'ZM', 'MW']);
const BANK = /ban(?:k|que|co|ca)/;

export function accountForm({ iso, institution }: AccountPlace): AccountForm {
  if (institution === undefined) return 'unknown';
  if (iso === 'NG') return WALLET_NUMBER_NG.test(institution) ? 'phone' : 'ten_digits';
  return WALLET.test(institution) && !BANK.test(institution) ? 'phone' : 'unknown';
}

/** Banks have no user names. */
export function isCalledBank(institution: string): boolean {
  return BANK.test(institution);
}

/** How many digits an account has here; undefined where that is not known. */
export function knownLength(place: AccountPlace): number | undefined {
  const form = accountForm(place);
  if (form === 'phone') return TEN_DIGIT_WALLETS.has(place.iso ?? '') ? 10 : undefined;
  return form === 'ten_digits' ? NUBAN_DIGITS : undefined;
}

// Folded names, without `plc`, `nigeria` and `limited` behind them.
const CODES: ReadonlyMap<string, string> = new Map([
  ['accessbank', '044'],
  ['citibank', '023'],
  ['ecobank', '050'],
  ['fidelitybank', '070'],
  ['firstbankof', '011'],
  ['firstbank', '011'],
  ['firstcitymonumentbank', '214'],
  ['fcmb', '214'],
  ['guarantytrustbank', '058'],
  ['gtbank', '058'],
  ['gtb', '058'],
  ['jaizbank', '301'],
  ['keystonebank', '082'],
  ['polarisbank', '076'],
  ['stanbicibtcbank', '221'],
  ['standardcharteredbank', '068'],
  ['sterlingbank', '232'],
  ['unionbankof', '032'],
  ['unionbank', '032'],
  ['unitedbankforafrica', '033'],
  ['uba', '033'],
  ['unitybank', '215'],
  ['wemabank', '035'],
  ['zenithbank', '057'],
]);

export const NUBAN_DIGITS = 10;

/** undefined for banks that are not in the table, for mobile money, and outside of Nigeria. */
export function nubanCode({ iso, institution }: AccountPlace): string | undefined {
  return iso === 'NG'
    ? CODES.get(institution?.replace(/(?:plc|nigeria|limited|ltd)+$/, '') ?? '')
    : undefined;
}

const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/** Whether the last of the ten digits is the one that the bank's code and the other nine give. */
export function hasNubanCheckDigit(account: string, code: string): boolean {
  if (!/^\d{10}$/.test(account)) return false;
  const digits = [...code, ...account.slice(0, 9)];
  const sum = WEIGHTS.reduce(
    (total, weight, at) => total + weight * Number.parseInt(digits[at] ?? '0', 10),
    0,
  );
  return String((10 - (sum % 10)) % 10) === account.slice(9);
}
