/**
 * What happened to a plan since a person saw it: rows that joined what waits for approval, rows that left it, and rows
 * that cost something else or have another name now. Pure: what the ledger found comes in, sentences go out.
 *
 * No plan is stored twice: the journal notes by its digest what was shown, and the rows that moved since are found by
 * their entries.
 */

import { debitOf } from '../money/decimal.ts';
import { formatMoney } from '../money/money.ts';
import { isIn, type Payout, type Pricing } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { maskOf } from '../text/sensitive.ts';

/** One payout as it stands, and its pricing when it was shown; undefined: it did not wait for approval then. */
export interface PlanMove {
  readonly payout: Payout;
  readonly before: Pricing | undefined;
}

export interface PlanChanges {
  readonly moves: readonly PlanMove[];
  /** Beyond the listed ones. */
  readonly more: number;
}

export interface PlanChangeLine {
  readonly row: number;
  readonly kind: 'changed' | 'added' | 'removed';
  readonly text: string;
}

/** In file order. */
export function planChangeLines({ moves }: PlanChanges): readonly PlanChangeLine[] {
  return moves.flatMap(lineOf).sort((one, other) => one.row - other.row || (one.kind < other.kind ? -1 : 1));
}

function lineOf({ payout, before }: PlanMove): readonly PlanChangeLine[] {
  const row = payout.rowNumber;
  const waits = isIn(payout, 'quoted');
  if (!waits) return before === undefined ? [] : [{ row, kind: 'removed', text: whyGone(payout) }];
  if (before === undefined)
    return [{ row, kind: 'added', text: `waits for approval now${orderText(payout)}` }];
  const facts = factsOf(payout, before);
  const now = factsOf(payout, payout.state.pricing);
  const text = now.flatMap(([what, is], at) => {
    const was = facts[at]?.[1] ?? '';
    return was === is ? [] : [`${what} ${was} → ${is}`];
  });
  return text.length === 0 ? [] : [{ row, kind: 'changed', text: text.join(', ') }];
}

type Fact = readonly [what: string, is: string];

function factsOf({ instruction }: Payout, pricing: Pricing): readonly Fact[] {
  const { quote, nameCheck, sourceName, countryName, institutionName, wireName } = pricing;
  const debit =
    quote === undefined || instruction === undefined ? undefined : debitOf(instruction.amount, quote);
  const quoted = (text: string) => `“${printable(text)}”`;
  return [
    ['cost', debit === undefined ? 'unknown' : formatMoney(debit)],
    ['rate', quote?.rate ?? 'none'],
    ['fee', quote?.fee ?? 'none'],
    ['name', quoted(wireName)],
    ['account holder', quoted(nameCheck.resolved ?? nameCheck.result.replace('_', ' '))],
    ['institution', quoted(institutionName)],
    ['country', quoted(countryName)],
    ['source country', quoted(sourceName)],
  ];
}

/** What would be sent, so that a row that left the plan can be compared with one that joined it. */
function orderText({ instruction }: Payout): string {
  if (instruction === undefined) return '';
  const { amount, account, institutionName, name, phone, reference, note } = instruction;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['account', `${maskOf(account.reveal())} at ${institutionName}`],
    ['name', name],
    ['phone', phone],
    ['reference', reference],
    ['note', note],
  ];
  const texts = facts.flatMap(([what, is]) => (is === undefined ? [] : [`${what} ${printable(is)}`]));
  return `: ${[formatMoney(amount), ...texts].join(', ')}`;
}

function whyGone(payout: Payout): string {
  const { state } = payout;
  const why =
    state.status === 'held'
      ? `is held now (${state.reasons.map(({ text }) => printable(text)).join('; ')})`
      : state.status === 'canceled'
        ? `was withdrawn by ${printable(state.by)} (${printable(state.reason)})`
        : state.status === 'planned'
          ? 'is being planned again'
          : `is ${state.status} now`;
  return `${why}${orderText(payout)}`;
}
