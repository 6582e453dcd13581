/**
 * Exchange rates, fees and speeds between two countries.
 *
 * Units:   rates are units of the destination currency for one of the source currency, six significant
 *          digits; fees are in the source currency; amounts in the destination currency; speed in seconds.
 */
import type { SandboxCountry } from './directory.ts';

// A quarter of a dollar and one per cent: low enough for a small salary.
const FLAT_USD = 0.25;
const PER_CENT = 1n;
const SCALE = 12;

/** The exchange rate as decimal text. `fellPercent` is how far below usual it is. */
export function rateBetween(
  source: SandboxCountry,
  destination: SandboxCountry,
  fellPercent: number,
): string {
  const rate = (Number(destination.perUsd) / Number(source.perUsd)) * (1 - fellPercent / 100);
  return plainDecimal(rate);
}

/** The flat fee and one per cent of the amount, as decimal text in the source currency. */
export function feesFor(options: {
  readonly source: SandboxCountry;
  readonly amount: string;
  readonly rate: string;
}): string {
  const { source, amount, rate } = options;
  const flat = scaled((FLAT_USD * Number(source.perUsd)).toFixed(SCALE), SCALE);
  const share = (scaled(amount, SCALE) * 10n ** BigInt(SCALE) * PER_CENT) / (scaled(rate, SCALE) * 100n);
  const unit = 10n ** BigInt(SCALE - source.decimals);
  // Rounded half up to the currency's smallest unit.
  return decimalText((flat + share + unit / 2n) / unit, source.decimals);
}

/** How long a transfer takes, in milliseconds, when the sandbox runs `speedFactor` times faster. */
export function durationMs(destination: SandboxCountry, speedFactor: number): number {
  return Math.max(1, Math.round((destination.speed * 1000) / speedFactor));
}

/** `12.5` with three decimals → 12500n. Digits beyond the last decimal are dropped. */
export function scaled(decimal: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** The inverse of scaled, with all its decimals. */
export function decimalText(minor: bigint, decimals: number): string {
  if (decimals === 0) return minor.toString();
  const digits = minor.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function plainDecimal(rate: number): string {
  const decimals = Math.max(0, Math.min(SCALE, 5 - Math.floor(Math.log10(rate))));
  const text = rate.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
