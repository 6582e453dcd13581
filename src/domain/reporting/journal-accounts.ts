/**
 * The accounts of your books that the journal uses: one for each role, and others for a currency that pays, or for batches
 * whose names begin alike, such as those of a payroll.
 */

import type { CurrencyCode } from '../money/currency.ts';

export const ACCOUNT_ROLES = [
  'owed',
  'paying',
  'fees',
  'fx_difference',
  'on_its_way',
  'suspense',
  'lost',
] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export interface Account {
  readonly code: string;
  readonly name: string;
}

/** Accounts of all batches, or of those whose names begin with `batches`; of all currencies, or of one that pays. */
export type AccountRule = {
  readonly batches?: string | undefined;
  readonly currency?: CurrencyCode | undefined;
} & {
  readonly [Role in AccountRole]?: Account | undefined;
};

/** Until a bookkeeper writes others. */
const USUAL: Readonly<Record<AccountRole, Account>> = {
  owed: { code: '2100', name: 'Payments owed' },
  paying: { code: '1010', name: 'Account at the payment service' },
  fees: { code: '6800', name: 'Transfer fees' },
  fx_difference: { code: '6810', name: 'Exchange differences' },
  on_its_way: { code: '1090', name: 'Payments on their way' },
  suspense: { code: '1999', name: 'Suspense, outcome not known' },
  lost: { code: '6820', name: 'Amounts lost' },
};

export const ACCOUNT_MEANINGS: Readonly<Record<AccountRole, string>> = {
  owed: 'What was owed and is paid now: salaries, suppliers, other payables.',
  paying: 'Payments and their fees leave it when the service finishes them; returns come back to it.',
  fees: 'The fee that was quoted for each payment; where your bank has a line for it, what that shows.',
  fx_difference: 'What another rate, or the line of your bank, added to a payment or took off it.',
  on_its_way: 'From the day of sending to the day of finishing; also the other side of a payment in doubt.',
  suspense:
    'The money may have moved, or the service shows a part of it only. The day of the answer or of the ruling books it out.',
  lost: 'A part that did not arrive, as a person found out. It is owed again.',
};

/** What was booked to an account in some days, in minor units. Debits count up, credits down. */
export interface AccountMovement {
  readonly role: AccountRole;
  readonly account: Account;
  readonly currency: CurrencyCode;
  readonly opening: bigint;
  /** In the days. */
  readonly debit: bigint;
  readonly credit: bigint;
  readonly closing: bigint;
}

/** An account of the list of all accounts. */
export interface UsedAccount extends Account {
  readonly role: AccountRole;
  /** How the names of the batches begin that use it; undefined: all others. */
  readonly batches: string | undefined;
  /** In which it is booked there; undefined: any. */
  readonly currency: CurrencyCode | undefined;
}

/** The payment that is booked. */
export interface BookedFor {
  /** The name of its batch. */
  readonly batch: string;
  readonly currency: CurrencyCode;
}

export class JournalAccounts {
  /** The usual ones first. */
  readonly all: readonly UsedAccount[];

  /** A later rule counts before an earlier one; one with a currency before one without, and one with `batches` before both. */
  constructor(rules: readonly AccountRule[] = []) {
    const usual = ACCOUNT_ROLES.map((role) => {
      const isOfAll = ({ batches, currency }: AccountRule) => batches === undefined && currency === undefined;
      const rule = rules.findLast((each) => isOfAll(each) && each[role] !== undefined);
      return { ...(rule?.[role] ?? USUAL[role]), role, batches: undefined, currency: undefined };
    });
    const others = rules.flatMap(({ batches, currency, ...accounts }) =>
      ACCOUNT_ROLES.flatMap((role) => {
        const account = accounts[role];
        const isOfAll = batches === undefined && currency === undefined;
        return isOfAll || account === undefined ? [] : [{ ...account, role, batches, currency }];
      }),
    );
    const keyOf = ({ role, batches, currency }: UsedAccount) => JSON.stringify([role, batches, currency]);
    const last = new Map(others.map((used) => [keyOf(used), used]));
    const weight = ({ batches, currency }: UsedAccount) =>
      (batches === undefined ? 0 : 2) + (currency === undefined ? 0 : 1);
    const weighed = others
      .filter((used) => last.get(keyOf(used)) === used)
      .toSorted((one, other) => weight(one) - weight(other));
    this.all = [...usual, ...weighed];
  }

  of(role: AccountRole, { batch, currency }: BookedFor): UsedAccount {
    const isMeant = (used: UsedAccount) =>
      used.role === role &&
      (used.batches === undefined || batch.startsWith(used.batches)) &&
      (used.currency === undefined || used.currency === currency);
    const found = this.all.findLast(isMeant);
    if (found === undefined) throw new TypeError(`There is no account for ${role}`);
    return found;
  }

  /** Its place in the list of all accounts. */
  placeOf(used: UsedAccount): number {
    return this.all.indexOf(used);
  }
}

/** Of a report on one batch. */
export function codesIn({
  accounts: rules,
  batch: { name: batch },
}: {
  readonly accounts?: readonly AccountRule[] | undefined;
  readonly batch: { readonly name: string };
}): (role: AccountRole, currency: CurrencyCode) => string {
  const accounts = new JournalAccounts(rules);
  return (role, currency) => accounts.of(role, { batch, currency }).code;
}
