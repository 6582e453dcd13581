/**
 * Agreeing to a plan inside a run: a person types its totals. Where nobody can, a ceiling agrees; in the sandbox yes does
 * too. Under four eyes nobody agrees to it in the run that makes it.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { command } from '../../domain/next-steps/command.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import {
  areTotalsOf,
  passkeySentence,
  samePersonSentence,
  totalsToType,
} from '../../domain/plan/typed-totals.ts';
import type { Dialogue } from '../dialogue.ts';
import type { Ports } from '../ports.ts';
import type { Consent, Consented, NobodyAgreed } from '../run-batch.ts';
import { untilStopped } from '../user-questions.ts';
import { secondPersonsCommand, whyNotApprove } from './four-eyes.ts';
import { isUnder, needsPasskey } from './lasting-rules.ts';

interface ConsentRequest extends Dialogue {
  readonly by: string;
  /** Agrees to sandbox payments; ignored with a live service. */
  readonly yes?: boolean | undefined;
  /** The payments of the whole batch were compared with their ceilings before anyone was asked. */
  readonly hasCeilings: boolean;
}

export function consentFor(
  request: ConsentRequest,
  ports: Pick<Ports, 'ledger' | 'policy' | 'cameWith' | 'hasOwnLogin'>,
): Consent {
  const { by, yes, hasCeilings } = request;
  const isSandbox = ports.ledger.identity.environment === 'sandbox';
  return async (plan, batch): Promise<Consented> => {
    const next = command('approve', [batchLabel(batch)]);
    const second = secondPersonsCommand(batch, ports);
    const samePerson = await whyNotApprove(batch, by, ports);
    if (samePerson !== undefined)
      return notAgreed({ why: 'same_person', reason: samePersonSentence(samePerson, batch), next: second });
    if (await needsPasskey(batch.id, ports))
      return notAgreed({
        why: 'passkey_missing',
        reason: passkeySentence(batch),
        next: command('console'),
      });
    if (await isUnder('four_eyes', batch.id, ports))
      return notAgreed({ why: 'second_person', reason: SECOND_PERSON, next: second });
    if (isSandbox && yes === true) return { kind: 'agreed', how: 'sandbox_yes' };
    if (request.ask !== undefined) {
      if (await typesTotals(plan, 'pay', request)) return { kind: 'agreed', how: 'typed_total' };
      return notAgreed({ why: 'declined', reason: 'You did not agree.', next });
    }
    if (hasCeilings) return { kind: 'agreed', how: 'ceiling' };
    return notAgreed({ why: 'nobody', reason: 'Nobody agreed to this plan.', next });
  };
}

const SECOND_PERSON = 'Four eyes: a second person approves this plan, with a command of their own.';

function notAgreed(said: Omit<NobodyAgreed, 'kind'>): NobodyAgreed {
  return { kind: 'not_agreed', ...said };
}

/** False when the person did not agree to every total. */
export async function typesTotals(
  plan: Plan,
  verb: 'pay' | 'approve',
  { ask, signal }: Dialogue,
): Promise<boolean> {
  const totals = totalsToType(plan);
  const rows = plan.counts.quoted ?? 0;
  const answer = untilStopped(ask, signal);
  const typed = totals.length === 0 ? undefined : await answer?.({ kind: 'totals', verb, rows, totals });
  if (typed === undefined || signal?.aborted === true) return false;
  return areTotalsOf(plan, typed);
}
