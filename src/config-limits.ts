/** Limits as they stand in the configuration: `{"GHS": "12500.00"}` becomes money. Errors: ConfigError. */
import { ConfigError } from './config-error.ts';
import { parseCurrency } from './domain/currency.ts';
import { type Money, parseTyped } from './domain/money.ts';

export function limitMoney(
  name: string,
  written: Readonly<Record<string, string>> | undefined,
): readonly Money[] {
  const money = Object.entries(written ?? {}).map(([code, amount]) => {
    const currency = parseCurrency(code);
    const limit = currency === undefined ? undefined : parseTyped(amount, currency);
    if (limit !== undefined) return limit;
    throw new ConfigError(
      `${name} has “${code}: ${amount}”; expected a currency and a plain amount, such as {"GHS": "12500.00"}.`,
    );
  });
  const codes = new Set(money.map(({ currency }) => currency));
  if (codes.size < money.length) throw new ConfigError(`${name} names a currency twice.`);
  return money;
}
