/**
 * Where the service's account of a transfer differs from what was asked. A difference is a line in the
 * report, never a stop: the money has moved, and the interface does not show in which currency the amount
 * of a transaction is counted.
 */
import { debitOf, isEqualDecimal, isWithinPercent } from './decimal.ts';
import type { Instruction } from './instruction.ts';
import { formatDecimal, formatMoney } from './money.ts';
import { compareNames } from './name-check.ts';
import type { Pricing } from './payout.ts';
import { foldText } from './text-fold.ts';
import { echoesOfAccount, withoutEchoes } from './without-echoes.ts';

export interface SeenTransfer {
  readonly amount: string | undefined;
  readonly receiver: string | undefined;
  readonly institution: string | undefined;
  readonly destination: string | undefined;
}

/** Sentences, empty when everything that the service shows agrees. The account is shown whole in none. */
export function discrepanciesOf(
  instruction: Instruction,
  pricing: Pricing,
  seen: SeenTransfer,
): readonly string[] {
  const found = [
    ...amountDifference(instruction, pricing, seen.amount),
    ...textDifference('institution', instruction.institutionName, seen.institution),
    ...textDifference('destination', instruction.destinationName, seen.destination),
    ...receiverDifference(pricing.wireName, seen.receiver),
  ];
  return found.map((text) => withoutEchoes(text, echoesOfAccount(instruction.account.reveal())));
}

/**
 * Whether this is somebody else's transaction: amount, receiver and institution are all shown, and none is what was
 * asked. It says nothing of the payment then. What is not shown differs from nothing.
 */
export function isAnotherPayment(instruction: Instruction, pricing: Pricing, seen: SeenTransfer): boolean {
  return [
    amountDifference(instruction, pricing, seen.amount),
    textDifference('institution', instruction.institutionName, seen.institution),
    receiverDifference(pricing.wireName, seen.receiver),
  ].every((differences) => differences.length > 0);
}

function amountDifference(instruction: Instruction, pricing: Pricing, seen: string | undefined): string[] {
  if (seen === undefined) return [];
  const asked = formatDecimal(instruction.amount);
  const isEqual = isEqualDecimal(seen, asked);
  if (isEqual === undefined) return [`amount: the service shows “${seen}”`];
  if (isEqual) return [];
  const debit = pricing.quote === undefined ? undefined : debitOf(instruction.amount, pricing.quote);
  if (debit !== undefined && isWithinPercent(seen, formatDecimal(debit), 1)) return [];
  const debited = debit === undefined ? '' : ` or ${formatMoney(debit)} debited`;
  return [`amount: the service shows ${seen}, asked was ${formatMoney(instruction.amount)}${debited}`];
}

function textDifference(what: string, asked: string, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || foldText(seen) === foldText(asked)) return [];
  return [`${what}: the service shows “${seen}”, asked was “${asked}”`];
}

function receiverDifference(asked: string, seen: string | undefined): string[] {
  if (seen === undefined || seen.trim() === '' || asked === '') return [];
  if (compareNames(asked, seen).result !== 'no_match') return [];
  return [`receiver: the service shows “${seen}”, asked was “${asked}”`];
}
