/**
 * Rules about who approves, and how. A batch that was planned, revised or approved under one of them keeps it for ever,
 * whatever a later configuration says: otherwise the person whom the rule controls could switch it off. It is kept in the
 * batch's journal.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Ports } from '../ports.ts';

type Rule = 'four_eyes' | 'approval_passkey';
const RULES: readonly Rule[] = ['four_eyes', 'approval_passkey'];

const isInPolicy = (rule: Rule, { fourEyes, approvalPasskey }: Policy) =>
  rule === 'four_eyes' ? fourEyes : approvalPasskey;

export async function isUnder(
  rule: Rule,
  id: BatchId,
  { ledger, policy }: Pick<Ports, 'ledger' | 'policy'>,
): Promise<boolean> {
  return isInPolicy(rule, policy) || (await ledger.notes(id, rule)).length > 0;
}

/** Written before the rows it protects, so that no crash leaves a batch without it. */
export async function keepRules(
  id: BatchId,
  by: string,
  { ledger, policy, clock }: Pick<Ports, 'ledger' | 'policy' | 'clock'>,
): Promise<void> {
  for (const rule of RULES)
    if (isInPolicy(rule, policy) && (await ledger.notes(id, rule)).length === 0)
      await ledger.note(id, rule, { by }, clock.now());
}

/**
 * Whether an approval without a passkey is refused. Under four eyes a signature says who approves, or a login of their own;
 * a text that a caller gives does not. For the other rule the sandbox's payments do not matter.
 */
export async function needsPasskey(
  id: BatchId,
  ports: Pick<Ports, 'ledger' | 'policy' | 'hasOwnLogin'>,
): Promise<boolean> {
  if (ports.hasOwnLogin !== true && (await isUnder('four_eyes', id, ports))) return true;
  return ports.ledger.identity.environment === 'live' && isUnder('approval_passkey', id, ports);
}
