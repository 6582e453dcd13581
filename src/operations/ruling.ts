/**
 * A person rules on a row in doubt, or says what a difference is about. For “paid”, payfile looks up the transfer, which must
 * match. “Not paid” needs evidence and the batch's lease. Paying again is a separate step.
 *
 * On a terminal, the user confirms with the row number. Elsewhere, `accept` confirms the ruling.
 */
import { z } from 'zod';
import { command, type Flag } from '../domain/next-steps/command.ts';
import { REST_FOUND } from '../domain/payouts/payout.ts';
import { differenceText } from '../domain/reporting/reason.ts';
import { labelText, payoutLabel } from '../domain/reporting/row-label.ts';
import { printable } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { acceptDifference } from '../use-cases/decide/accept-difference.ts';
import type { RulingRequest } from '../use-cases/decide/resolve-doubt.ts';
import { type Ruled, ruleOnDoubt, type Unconfirmed } from '../use-cases/decide/rule-on-doubt.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { batchJson } from './batch-json.ts';
import { aside, type Block, line, toned } from './block.ts';
import type { Context } from './context.ts';
import { batch, choice, evidence, nonEmptyText, oneOf, reason, seenItems, word } from './fields.ts';
import {
  acceptContradicts,
  acceptMissing,
  differenceNeedsReason,
  evidenceMissing,
  rulingMissing,
  yesIsForSandbox,
} from './messages.ts';
import { field, operation } from './operation.ts';

const input = z.strictObject({
  batch: batch(),
  row: word('row'),
  paid: field(nonEmptyText.optional(), {
    value: 'transfer-id',
    help: 'the row was paid by this transfer',
  }),
  notPaid: choice('the row was not paid'),
  difference: oneOf(['accepted', ...REST_FOUND], {
    value: 'word',
    help: 'accepted: you know why the row differs from the request; delivered, lost or open: what became of the part that the service does not show; give a reason',
  }),
  reason: reason(),
  evidence: evidence(),
  accept: oneOf(['paid', 'not_paid'], {
    value: 'ruling',
    valueIfBare: 'paid',
    help: 'confirm the ruling without a terminal: paid, or not-paid',
  }),
  yes: choice('agree without being asked (sandbox only)'),
  /** The differences that the person saw. payfile accepts only these. */
  saw: seenItems(),
});
type Asked = z.output<typeof input>;
type Result = (Ruled | Unconfirmed) & { readonly about: 'difference' | 'paid' | 'not_paid' };

export const resolve = operation({
  name: 'resolve',
  needs: ['rule'],
  changesData: true,
  input,
  async run(asked, context): Promise<Result> {
    if (asked.difference !== undefined)
      return { ...(await acceptRowDifference(asked, context)), about: 'difference' };
    const kind = kindOf(asked);
    return { ...(await ruleOnRow(asked, kind, context)), about: kind };
  },
  view,
  json(result) {
    if (result.kind === 'unconfirmed') return { row: result.payout.rowNumber, outcome: result.kind };
    const { batch: of, environment, rowNumber: row, status, differences } = result;
    return {
      environment,
      batch: batchJson(of),
      row,
      outcome: result.kind,
      status,
      differences,
      reason: result.kind === 'ruled' ? undefined : result.reason,
    };
  },
  next: (result) => (result.kind === 'unconfirmed' ? {} : result.steps),
  exit: ({ exitCode }) => exitCode,
});

function view(result: Result): readonly Block[] {
  if (result.kind === 'unconfirmed')
    return [aside(result.about === 'difference' ? 'Nothing was accepted.' : 'No ruling was made.')];
  const { rowNumber: row, differences, about } = result;
  const shown = differences.map((each) => aside(`  ${printable(each)}`));
  if (result.kind === 'refused') return [...shown, aside(`${result.reason} Nothing was changed.`)];
  if (result.kind === 'incident')
    return [
      ...shown,
      toned('bad', `INCIDENT: row ${row} was ${printable(result.reason)}. It is not paid again.`),
    ];
  const what =
    about === 'difference'
      ? differenceText(row, result.payout)
      : `Row ${row} is ruled ${about.replace('_', ' ')}`;
  return [...shown, line(`${what}: ${labelText(payoutLabel(result.payout))}.`)];
}

/** A refusal whose next steps are the history of the row, and the command with the missing inputs. */
function refusal(
  message: ConstructorParameters<typeof RequestRefused>[0],
  { batch: of, row }: Asked,
  flags?: readonly Flag[],
) {
  const words = [of, row];
  return new RequestRefused(message, command('explain', words), flags && command('resolve', words, flags));
}

function kindOf(asked: Asked): 'paid' | 'not_paid' {
  const { paid, notPaid, evidence: proof, accept } = asked;
  if ((paid === undefined) === !notPaid)
    throw refusal(rulingMissing, asked, [['--paid', { fillIn: 'TRANSFER_ID' }]]);
  if (notPaid && proof === undefined)
    throw refusal(evidenceMissing, asked, [['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]]);
  const kind = notPaid ? 'not_paid' : 'paid';
  if (accept !== undefined && accept !== kind) throw refusal(acceptContradicts(accept, kind), asked);
  return kind;
}

async function ruleOnRow(
  asked: Asked,
  kind: 'paid' | 'not_paid',
  context: Context,
): Promise<Ruled | Unconfirmed> {
  const { row, accept, yes } = asked;
  const { dialogue, user: by, holder } = context;
  if (yes && context.environment === 'live') throw refusal(yesIsForSandbox(kind), asked);
  const request = await requestOf(asked, by, context);
  const { ask: asker, signal } = dialogue;
  const ask = untilStopped(asker, signal);
  const ruling = { batch: await context.batch(asked.batch), row, request };
  const how = { isSure: accept !== undefined || yes, ask, holder };
  const result = await ruleOnDoubt(ruling, how, () => context.ports(), { ledger: await context.ledger() });
  if (result.kind === 'unconfirmed' && !result.isAsked)
    throw refusal(acceptMissing(result.payout, kind), asked);
  return result;
}

async function requestOf(
  { paid, evidence: given }: Asked,
  by: string,
  context: Context,
): Promise<RulingRequest> {
  const proof = given === undefined ? undefined : await context.readEvidence(given);
  if (paid !== undefined) return { kind: 'paid', transferId: paid, by, evidence: proof };
  return { kind: 'not_paid', by, evidence: proof ?? '' };
}

async function acceptRowDifference(asked: Asked, context: Context): Promise<Ruled | Unconfirmed> {
  const { paid, notPaid, difference, reason, row, saw, yes } = asked;
  if (paid !== undefined || notPaid || reason === undefined || reason === '')
    throw refusal(differenceNeedsReason, asked, [
      ['--difference', 'accepted'],
      ['--reason', { fillIn: 'TEXT' }],
    ]);
  const { ask: asker, signal } = context.dialogue;
  const ask = yes ? undefined : untilStopped(asker, signal);
  const ports = await context.offlinePorts();
  const found = await context.batch(asked.batch);
  const rest = difference === 'accepted' ? undefined : difference;
  return acceptDifference({ batch: found, row, by: context.user, reason, rest, ask, saw }, ports);
}
