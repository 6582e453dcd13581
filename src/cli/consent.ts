/**
 * Agreeing to a plan inside `run`: the typed total on a terminal; without one, a ceiling on a live service or
 * --yes in the sandbox.
 *
 * Source:  design §9.
 */

import type { Consent, Consented } from '../application/run-batch.ts';
import { rowsText } from '../domain/counted.ts';
import { formatMoney, type Money, parseDecimal } from '../domain/money.ts';
import type { Plan } from '../domain/plan.ts';
import type { Policy } from '../domain/policy.ts';
import { askText, mayAsk } from './ask.ts';
import { type Call, shellWord, typed } from './call.ts';
import { userName } from './person.ts';
import { batchLabel, totalOf } from './print-plan.ts';

export interface ConsentOptions {
  readonly environment: 'live' | 'sandbox';
  readonly policy: Policy;
  /** Shows the plan that is agreed to. */
  readonly show: (plan: Plan) => Promise<void>;
}

export function consentFor(call: Call, options: ConsentOptions): Consent {
  return async (plan, batch): Promise<Consented> => {
    await options.show(plan);
    const by = userName();
    const approve = typed(
      call,
      `approve ${shellWord(batchLabel(batch))} --digest ${plan.digest.slice(0, 16)}`,
    );
    if (options.policy.fourEyes && batch.maker === by) {
      return refuse(`Four eyes: ${by} made this plan, another person has to approve it: ${approve}`);
    }
    const { yes, maxTotal } = call.flags;
    if (options.environment === 'sandbox' && yes === true) return { kind: 'agreed', how: 'sandbox_yes', by };
    if (mayAsk(call)) return askTotal(plan, by, call.stopping.signal);
    // Every currency of the file was compared with its ceiling before anyone was asked.
    if (options.environment === 'live' && maxTotal !== undefined)
      return { kind: 'agreed', how: 'ceiling', by };
    return refuse(
      options.environment === 'sandbox'
        ? `Nobody agreed to this plan. Add --yes (sandbox), or approve it: ${approve}`
        : `Nobody agreed to this plan. Add ${ceilingsFor(plan)}, or approve it: ${approve}`,
    );
  };
}

function refuse(reason: string): Consented {
  return { kind: 'not_agreed', reason };
}

/** The total that the person types: of the debit where a source currency is known, else of the principal. */
export function totalToType(plan: Plan): Money | undefined {
  return totalOf(plan.toApprove, 'debits')[0] ?? plan.toApprove[0]?.sum;
}

async function askTotal(plan: Plan, by: string, signal: AbortSignal): Promise<Consented> {
  const total = totalToType(plan);
  if (total === undefined) return refuse('The plan has no total to agree to.');
  const shown = formatMoney(total);
  const answer = await askText(
    `Type the total to pay ${rowsText(plan.counts.quoted ?? 0)}: ${shown}`,
    (text) =>
      isSameTotal(text, total) ? undefined : `That is not ${shown}. Type the total, or press Ctrl-C to stop.`,
  );
  if (answer === undefined || signal.aborted) return refuse('You did not agree; nothing was sent.');
  return { kind: 'agreed', how: 'typed_total', by };
}

/** With or without separators and the currency's letters; the number itself has to be exact. */
export function isSameTotal(text: string, total: Money): boolean {
  const number = text
    .toUpperCase()
    .replace(total.currency, '')
    .replace(/[\s,'’\u00a0\u202f]/g, '');
  return parseDecimal(number, total.currency)?.minor === total.minor;
}

function ceilingsFor(plan: Plan): string {
  return plan.toApprove.map(({ currency }) => `--max-total ${currency}=AMOUNT`).join(' ');
}
