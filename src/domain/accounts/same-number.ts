/** Whether two texts are one account or phone number, with or without zeros and a country code in front. */

/** A phone number has at least so many digits behind the zero or the country code. */
const SIGNIFICANT_MIN = 7;

/** `0244123456` and `+233 24 412 3456` are one wallet: only the zero or the country code differs. Both as `significant`. */
export function isSameNumber(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < SIGNIFICANT_MIN) return false;
  return one.endsWith(other) || other.endsWith(one);
}

/** The digits, without zeros in front. */
export function significant(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '');
}
