/**
 * Kinds of values that a setting or an option takes. The error of each schema is the rest of “… is X; expected”.
 */
import { z } from 'zod';
import { type CurrencyCode, parseCurrency } from './money/currency.ts';
import { type Money, parseTyped } from './money/money.ts';
import { isPersonId, PERSON_ID_RULE, ROLES } from './people/person.ts';
import { ACCOUNT_ROLES, type AccountRole } from './reporting/journal-accounts.ts';
import { NOTIFY_EXPECTED, notifyTargetOf } from './reporting/notify-target.ts';
import { countText, isSeenWhole } from './text/printable.ts';
import type { ValueIssue } from './text/value-fault.ts';
import { isTimeZone } from './time-zone.ts';

export const text = z.string({ error: 'text' });
export const filled = text.min(1, 'text that is not empty');
export const yesOrNo = z.boolean({ error: 'true or false' });

export function wholeText(least: number, most = Number.MAX_SAFE_INTEGER): string {
  if (most === Number.MAX_SAFE_INTEGER) return `a whole number from ${least}`;
  return `a whole number from ${least} to ${most < 1_000_000 ? most : countText(most)}`;
}

export function whole(least: number, most?: number) {
  const error = wholeText(least, most);
  return z
    .int({ error })
    .min(least, { error })
    .max(most ?? Number.MAX_SAFE_INTEGER, { error });
}

export function number(least: number, most: number) {
  const error = `a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

export function above0(most = Number.MAX_VALUE) {
  const error = most === Number.MAX_VALUE ? 'a number above 0' : `a number above 0, up to ${most}`;
  return z.number({ error }).positive({ error }).max(most, { error });
}

export function choice<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, { error: listed(words) });
}

export function choices<const Words extends readonly string[]>(words: Words) {
  return z.array(choice(...words), { error: `a list of ${words.join(', ')}` });
}

export const zone = z
  .string({ error: 'a time zone, such as Africa/Nairobi' })
  .refine(isTimeZone, 'a time zone, such as Africa/Nairobi');

const listed = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Words of the service. */
export const words = z.array(text.trim().min(1, 'a word'), { error: 'a list of words' });

const LINE = 'one line of 1 to 100 visible characters';
export const visibleLine = z
  .string({ error: LINE })
  .refine((line) => line.length > 0 && line.length <= 100 && line === line.trim() && isSeenWhole(line), LINE);

export const people = z.record(text.refine(isPersonId, PERSON_ID_RULE), z.array(choice(...ROLES)), {
  error: 'names with lists of roles, such as {"eve": ["approver"]}',
});

export const notifyTarget = text.refine((target) => notifyTargetOf(target) !== undefined, NOTIFY_EXPECTED);

const ACCOUNT = 'a code and a name, such as "2100 Net wages"';
const account = z
  .string({ error: ACCOUNT })
  .regex(/^\S{1,20} \S.{0,99}$/u, ACCOUNT)
  .transform((typed) => {
    const [code = ''] = typed.split(' ', 1);
    return { code, name: typed.slice(code.length + 1).trim() };
  })
  .optional();

const CURRENCY = 'a currency that pays, such as EUR';
const payingCurrency = z
  .string({ error: CURRENCY })
  .refine((code) => parseCurrency(code) === code, CURRENCY)
  .transform((code) => code as CurrencyCode);

const RULE = 'accounts, such as {"batches": "payroll", "owed": "2100 Net wages"}';
/** Accounts of the books, by role. */
export const accountRules = z.array(
  z.strictObject(
    {
      batches: filled.optional(),
      currency: payingCurrency.optional(),
      ...(Object.fromEntries(ACCOUNT_ROLES.map((role) => [role, account])) as Record<
        AccountRole,
        typeof account
      >),
    },
    { error: RULE },
  ),
  { error: `a list of ${RULE}` },
);

const ANSWER = 'an answer, such as {"status": 400, "code": "51"}';
/** Answers of the service that prove a refusal. */
export const refusedAnswers = z.array(
  z
    .strictObject(
      { status: whole(200, 499), code: z.union([text, z.int()], { error: 'text or a whole number' }) },
      { error: ANSWER },
    )
    .transform(({ status, code }) => ({ httpStatus: status, code: String(code) })),
  { error: 'a list of answers' },
);

const AMOUNTS = 'a currency and a plain amount, such as {"GHS": "12500.00"}';
/** `{"GHS": "12500.00"}` becomes money. */
export const amounts = z
  .record(z.string(), z.string({ error: AMOUNTS }), { error: AMOUNTS })
  .transform((written, { addIssue }): Money[] => {
    const money = Object.entries(written).flatMap(([code, amount]) => {
      const currency = parseCurrency(code);
      const limit = currency === undefined ? undefined : parseTyped(amount, currency);
      if (limit === undefined) addIssue({ code: 'custom', path: [code], message: AMOUNTS });
      return limit ?? [];
    });
    if (new Set(money.map(({ currency }) => currency)).size < money.length)
      addIssue({ code: 'custom', message: 'each currency once' });
    return money;
  });

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
/** Money as a program gives it. */
export const sums = z
  .array(money, { error: 'a list of money' })
  .refine((list) => new Set(list.map(({ currency }) => currency)).size === list.length, {
    error: 'each currency once',
  });

type Read = { readonly value: unknown } | { readonly issue: ValueIssue };

/** A value from typed text: a flag or a variable. */
export function fromText(is: z.ZodType, typed: string): Read {
  const parsed = is.safeParse(valueTyped(is, typed));
  const [issue] = parsed.error?.issues ?? [];
  return issue === undefined ? { value: parsed.data } : { issue };
}

function valueTyped(is: z.ZodType, typed: string): unknown {
  const isNumber = is instanceof z.ZodNumber && /^\d{1,9}(\.\d{1,6})?$/.test(typed);
  const isWhole = is instanceof z.ZodNumberFormat;
  if (isNumber && !(isWhole && typed.includes('.'))) return Number(typed);
  if (is instanceof z.ZodBoolean && (typed === 'true' || typed === 'false')) return typed === 'true';
  return typed;
}
