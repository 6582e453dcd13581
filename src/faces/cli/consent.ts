/**
 * Agreeing to a plan inside `run`: the typed total on a terminal; without one, a ceiling on a live service or
 * --yes in the sandbox.
 */

import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { formatMoney, type Money, parseDecimal } from '../../domain/money/money.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { type Command, command } from '../../domain/steps/command.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { Consent, Consented } from '../../use-cases/run-batch.ts';
import { type Call, userName } from './call.ts';
import { totalOf } from './show/plan.ts';
import { askText, mayAsk } from './terminal/ask.ts';

export interface ConsentOptions {
  readonly environment: 'live' | 'sandbox';
  /** Whether four eyes keep this person from agreeing. */
  readonly isSamePerson: (batch: Batch, by: string) => Promise<boolean>;
  /** Shows the plan that is agreed to. */
  readonly show: (plan: Plan) => Promise<void>;
}

export function consentFor(call: Call, options: ConsentOptions): Consent {
  return async (plan, batch): Promise<Consented> => {
    await options.show(plan);
    const by = userName(call);
    const approve = command('approve', [batchLabel(batch)]);
    if (await options.isSamePerson(batch, by)) {
      return refuse(fourEyesSentence(by, batch), approve);
    }
    const { yes, maxTotal } = call.flags;
    if (options.environment === 'sandbox' && yes === true) return { kind: 'agreed', how: 'sandbox_yes', by };
    if (mayAsk(call)) return askTotals(plan, by, call);
    // Every currency of the file was compared with its ceiling before anyone was asked.
    if (options.environment === 'live' && maxTotal !== undefined)
      return { kind: 'agreed', how: 'ceiling', by };
    return refuse(
      options.environment === 'sandbox'
        ? 'Nobody agreed to this plan. Add --yes (sandbox), or approve it.'
        : `Nobody agreed to this plan. Add ${ceilingsFor(plan)}, or approve it.`,
      approve,
    );
  };
}

/** Who brought a revision, or asked to pay a row again, made a part of the plan. */
export function fourEyesSentence(by: string, batch: Pick<Batch, 'maker'>): string {
  const what = by === batch.maker ? 'made this plan' : 'changed this plan or asked to pay a row of it again';
  return `Four eyes: ${by} ${what}, another person has to approve it.`;
}

function refuse(reason: string, next?: Command): Consented {
  return { kind: 'not_agreed', reason, next };
}

/** What the person types: the debit per currency that pays, and the principal where no debit is known. */
export function totalsToType({ toApprove }: Pick<Plan, 'toApprove'>): readonly Money[] {
  const unknown = toApprove.filter(({ debits }) => debits.length === 0);
  return [...totalOf(toApprove, 'debits'), ...unknown.map(({ sum }) => sum)];
}

/** Each total in its turn. False when the person did not agree to all of them. */
export async function typesTotals(
  plan: Plan,
  verb: 'pay' | 'approve',
  call: Pick<Call, 'stopping' | 'surroundings'>,
): Promise<boolean> {
  const { signal } = call.stopping;
  const totals = totalsToType(plan);
  for (const [index, total] of totals.entries()) {
    const shown = formatMoney(total);
    const which = totals.length === 1 ? '' : ` (${index + 1} of ${totals.length} totals)`;
    const answer = await askText(
      call,
      `Type the total to ${verb} ${rowsText(plan.counts.quoted ?? 0)}: ${shown}${which}`,
      (text) =>
        isSameTotal(text, total)
          ? undefined
          : `That is not ${shown}. Type the total, or press Ctrl-C to stop.`,
    );
    if (answer === undefined || signal.aborted) return false;
  }
  return totals.length > 0;
}

async function askTotals(plan: Plan, by: string, call: Call): Promise<Consented> {
  if (await typesTotals(plan, 'pay', call)) return { kind: 'agreed', how: 'typed_total', by };
  return refuse('You did not agree.');
}

/** With or without thousands marks and the currency's letters; the number itself has to be exact. */
export function isSameTotal(text: string, total: Money): boolean {
  const number = text
    .toUpperCase()
    .replace(total.currency, '')
    .trim()
    .replace(/(?<=\d)[\s,'’](?=\d{3}(?!\d))/g, '');
  return parseDecimal(number, total.currency)?.minor === total.minor;
}

function ceilingsFor(plan: Plan): string {
  return plan.toApprove.map(({ currency }) => `--max-total ${currency}=AMOUNT`).join(' ');
}
