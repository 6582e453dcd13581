/** Inputs for money: one amount per currency. */
import { parseCurrency } from '../domain/money/currency.ts';
import { type Money, parseTyped } from '../domain/money/money.ts';
import { sums } from '../domain/setting-kinds.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { currencyTwice } from './messages.ts';
import { field } from './operation.ts';

/** Amounts such as `GHS=1200.50`, at most one per currency. */
export const amounts = (name: string, help: string) =>
  field(sums.readonly().optional(), {
    help,
    value: 'cur=amount',
    read(typed, earlier): readonly Money[] | undefined {
      const before: readonly Money[] = Array.isArray(earlier) ? earlier : [];
      const [, code = '', amount = ''] = /^([^=]*)=(.*)$/s.exec(typed) ?? [];
      const currency = parseCurrency(code);
      const read = currency === undefined ? undefined : parseTyped(amount.trim(), currency);
      if (read === undefined) return undefined;
      if (before.some((other) => other.currency === read.currency))
        throw new RequestRefused(currencyTwice(name, read.currency));
      return [...before, read];
    },
    expected: 'CURRENCY=AMOUNT without thousands separators, such as GHS=12500.00',
  });
