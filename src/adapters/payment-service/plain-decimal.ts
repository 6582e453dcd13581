/**
 * Decimal text without an exponent: a JSON number may come as 1.5e-7, and everyone above reads digits.
 */

const DECIMAL = /^(-?)0*(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** `1.5e-3` → `0.0015`, exactly; undefined stays undefined. */
export function plainDecimal(text: string | undefined): string | undefined {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const wholeText = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const fractionText = padded.slice(at);
  return sign + (fractionText === '' ? wholeText : `${wholeText}.${fractionText}`);
}
