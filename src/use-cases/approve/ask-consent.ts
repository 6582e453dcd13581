/**
 * Agreeing to a plan inside a run: a person types its totals. Where nobody can, a ceiling agrees; in the sandbox yes does
 * too. Under four eyes whoever made the plan does not agree to it.
 */

import { batchLabel } from '../../domain/batches/batch.ts';
import { command } from '../../domain/next-steps/command.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import {
  isSameTotal,
  passkeySentence,
  samePersonSentence,
  totalsToType,
} from '../../domain/plan/typed-totals.ts';
import type { Dialogue } from '../dialogue.ts';
import type { Ports } from '../ports.ts';
import type { Consent, Consented, NobodyAgreed } from '../run-batch.ts';
import { untilStopped } from '../user-questions.ts';
import { whyNotApprove } from './four-eyes.ts';
import { needsPasskey } from './lasting-rules.ts';

interface ConsentRequest extends Dialogue {
  readonly by: string;
  /** Agrees to sandbox payments; ignored with a live service. */
  readonly yes?: boolean | undefined;
  /** The whole batch was compared with its ceilings before anyone was asked. */
  readonly hasCeilings: boolean;
}

export function consentFor(
  request: ConsentRequest,
  ports: Pick<Ports, 'ledger' | 'policy' | 'cameWith'>,
): Consent {
  const { by, yes, hasCeilings } = request;
  const isSandbox = ports.ledger.identity.environment === 'sandbox';
  return async (plan, batch): Promise<Consented> => {
    const next = command('approve', [batchLabel(batch)]);
    const samePerson = await whyNotApprove(batch, by, ports);
    if (samePerson !== undefined)
      return notAgreed({ why: 'same_person', reason: samePersonSentence(samePerson, batch), next });
    if (await needsPasskey(batch.id, ports))
      return notAgreed({
        why: 'passkey_missing',
        reason: passkeySentence(batch),
        next: command('console'),
      });
    if (isSandbox && yes === true) return { kind: 'agreed', how: 'sandbox_yes', by };
    if (request.ask !== undefined) {
      if (await typesTotals(plan, 'pay', request)) return { kind: 'agreed', how: 'typed_total', by };
      return notAgreed({ why: 'declined', reason: 'You did not agree.', next });
    }
    if (hasCeilings) return { kind: 'agreed', how: 'ceiling', by };
    return notAgreed({ why: 'nobody', reason: 'Nobody agreed to this plan.', next });
  };
}

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
  return totals.every((total, at) => isSameTotal(typed[at] ?? '', total));
}
