/**
 * Nigerian account numbers (NUBAN): ten digits, the last of which proves the others and the bank together.
 *
 * Source:  Central Bank of Nigeria, Nigeria Uniform Bank Account Number standard (2011) and its bank codes.
 */

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

/** Of a folded institution name; undefined for banks that are not in the table, and for mobile money. */
export function nubanCode(institution: string): string | undefined {
  return CODES.get(institution.replace(/(?:plc|nigeria|limited|ltd)+$/, ''));
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
