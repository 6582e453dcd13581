/**
 * What a person agrees to: the order, exactly as it goes on the wire, with its terms and the concerns that were released.
 * The leaf is the digest of them all. It has values only: no instant, and not who released.
 */
import { hash } from 'node:crypto';
import { debitOf } from '../money/decimal.ts';
import type { Money } from '../money/money.ts';
import type { Policy } from '../policy.ts';
import type { CountryId, InstitutionId } from '../rows/directory.ts';
import type { Sensitive } from '../text/sensitive.ts';
import { concernText, type Release } from './concern.ts';
import type { Instruction, PayoutId } from './instruction.ts';
import { narrationOf, tagOf } from './narration.ts';
import type { Pricing } from './payout.ts';

/** What goes on the wire, every value as it goes. */
export interface Order {
  readonly sourceId: CountryId;
  readonly destinationId: CountryId;
  readonly institutionId: InstitutionId;
  readonly account: Sensitive;
  readonly amount: Money;
  readonly name: string;
  readonly phone: string;
  /** With the tag in front. */
  readonly note: string;
}

/** What decides about the narration, and the leaf, of every payment of a ledger. */
export interface Narration extends Pick<Policy, 'noteMax' | 'noteTag'> {
  readonly ledgerId: string;
  /** Of the ledger; the leaf is salted with it. */
  readonly salt: string;
}

interface Agreeable {
  readonly id: PayoutId;
  readonly instruction: Instruction;
  readonly state: { readonly pricing: Pricing; readonly releases: readonly Release[] };
}

export function orderOf(
  { id, instruction, state }: Pick<Agreeable, 'id' | 'instruction'> & { state: { pricing: Pricing } },
  narration: Narration,
): Order {
  const { sourceId, destinationId, institutionId, account, amount, phone, note } = instruction;
  return {
    sourceId,
    destinationId,
    institutionId,
    account,
    amount,
    name: state.pricing.wireName,
    phone: phone ?? '',
    note: narrationOf(tagOf(narration.ledgerId, id), note, narration),
  };
}

/** SHA-256 in hex over everything that a person agrees to for one payout. */
export function leafOf(payout: Agreeable, narration: Narration): string {
  const order = orderOf(payout, narration);
  const { pricing, releases } = payout.state;
  const { sourceName, countryName, institutionName, nameCheck, quote } = pricing;
  const debit = quote && debitOf(order.amount, quote);
  const released = [...new Set(releases.flatMap(({ saw }) => saw.map(concernText)))].sort();
  return hash(
    'sha256',
    narration.salt +
      JSON.stringify([
        order.sourceId,
        order.destinationId,
        order.institutionId,
        order.account.reveal(),
        order.amount.minor.toString(),
        order.amount.currency,
        order.name,
        order.phone,
        order.note,
        // Its terms: what the ids mean, whose account it is, and what it costs. Empty where the service gave none.
        sourceName,
        countryName,
        institutionName,
        nameCheck.result,
        nameCheck.resolved ?? '',
        quote?.rate ?? '',
        quote?.fee ?? '',
        debit?.minor.toString() ?? '',
        quote?.sourceCurrency ?? '',
        payout.instruction.replaces ?? '',
        released,
      ]),
  );
}
