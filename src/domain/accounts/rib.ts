/**
 * The RIB of the banks of two currency unions: code of the bank, code of the branch, number, and a key that is made of them.
 *
 * Source:  BCEAO, instruction on the RIB in the UEMOA (5 + 5 + 12 characters and 2 of the key); BEAC, the same in the CEMAC
 *          (5 + 5 + 11 and 2).
 */

const UEMOA = new Set(['BJ', 'BF', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG']);
const CEMAC = new Set(['CM', 'CF', 'CG', 'GA', 'GQ', 'TD']);
export const UEMOA_LENGTH = 24;
const CEMAC_LENGTH = 23;
const KEY_DIGITS = 2;
// A, J, S are 1 or 2; so on to the ninth letter of each row.
const LETTER_ROWS = ['ABCDEFGHI', 'JKLMNOPQR', '.STUVWXYZ'];

/** Digits behind the letters of the own country: no other account is written so. An IBAN has letters further on. */
export function isUemoaRib(text: string, iso: string | undefined): boolean {
  return iso !== undefined && UEMOA.has(iso) && text.startsWith(iso) && /^..\d{10,}$/.test(text);
}

/** Whether the key is the one that the rest gives; undefined where the account is no whole RIB. */
export function hasRibKey(text: string, iso: string | undefined): boolean | undefined {
  const isWhole =
    (isUemoaRib(text, iso) && text.length === UEMOA_LENGTH) ||
    (CEMAC.has(iso ?? '') && text.length === CEMAC_LENGTH && /^\d+$/.test(text));
  if (!isWhole) return undefined;
  const rest = [...text.slice(0, -KEY_DIGITS)].map(digitOf).join('');
  const key = 97n - ((BigInt(rest) * 100n) % 97n);
  return key.toString().padStart(KEY_DIGITS, '0') === text.slice(-KEY_DIGITS);
}

function digitOf(character: string): string {
  const row = LETTER_ROWS.find((letters) => letters.includes(character) && character !== '.');
  return row === undefined ? character : String(row.indexOf(character) + 1);
}
