/** Inputs of money: one amount for each currency. */
import { z } from 'zod';
import { parseCurrency } from '../domain/money/currency.ts';
import { type Money, parseTyped } from '../domain/money/money.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import { currencyTwice } from './messages.ts';
import { field } from './operation.ts';

const MINOR = 'a bigint of minor units, from 0n';
const money = z.strictObject(
  {
    minor: z.bigint({ error: MINOR }).min(0n, { error: MINOR }),
    currency: z.custom<Money['currency']>(
      (code) => typeof code === 'string' && parseCurrency(code) === code,
      { error: 'the code of a currency, such as GHS' },
    ),
  },
  { error: "money, such as {minor: 125000n, currency: 'GHS'}" },
);
export const sums = z
  .array(money, { error: 'a list of money' })
  .refine((list) => new Set(list.map(({ currency }) => currency)).size === list.length, {
    error: 'each currency once',
  });

/** `GHS=1200.50`, once for each currency. */
export const amounts = (name: string, label: string, help: string) =>
  field(sums.readonly().optional(), {
    label,
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
    expected: 'CURRENCY=AMOUNT without thousands marks, such as GHS=12500.00',
  });
