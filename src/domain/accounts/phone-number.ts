/**
 * Whether a text is a phone number of a country. Checked, never rewritten.
 *
 * A full parse costs some 8 µs, which is too much for a million rows, so a number that plainly fits the
 * country's pattern for mobiles is accepted without one.
 */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

const ALLOWED = /^\+?[\d\s\u00a0().\-/]{5,30}$/;

/** Written with `+`, it may belong to any country (people move); without, to the given one. */
export function isPhoneNumber(text: string, iso: string): boolean {
  if (!ALLOWED.test(text)) return false;
  if (mobilePatternOf(iso)?.test(text) === true) return true;
  const number = isSupportedCountry(iso)
    ? parsePhoneNumberFromString(text, { defaultCountry: iso, extract: false })
    : parsePhoneNumberFromString(text, { extract: false });
  return number?.isValid() ?? false;
}

/** `233` for GH; empty where none is known. */
export function callingCodeOf(iso: string): string {
  let code = callingCodes.get(iso);
  if (code === undefined) {
    code = isSupportedCountry(iso) ? getCountryCallingCode(iso) : '';
    callingCodes.set(iso, code);
  }
  return code;
}

/** ISO codes of the countries that are dialled so: `+254`, `00254` or `254`. */
export function countriesDialled(written: string): readonly string[] {
  const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(written.replace(/[\s()-]/g, ''))?.[1];
  return code === undefined ? [] : getCountries().filter((iso) => callingCodeOf(iso) === code);
}

const callingCodes = new Map<string, string>();
const patterns = new Map<string, RegExp | undefined>();

function mobilePatternOf(iso: string): RegExp | undefined {
  if (!patterns.has(iso)) patterns.set(iso, isSupportedCountry(iso) ? readPattern(iso) : undefined);
  return patterns.get(iso);
}

// What the metadata has at run time beyond its published types; absent in some release, the parse decides alone.
interface PlanInside {
  readonly callingCode?: () => string;
  readonly type?: (type: 'MOBILE') => { readonly pattern?: () => string } | undefined;
}

function readPattern(iso: CountryCode): RegExp | undefined {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(iso);
  const plan = metadata.numberingPlan as unknown as PlanInside | undefined;
  const mobile = plan?.type?.('MOBILE')?.pattern?.();
  const callingCode = plan?.callingCode?.();
  if (mobile === undefined || callingCode === undefined) return undefined;
  return new RegExp(`^\\+${callingCode}(?:${mobile})$`);
}
