/**
 * What an approval came to, in one sentence, wherever somebody agreed.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { overLimitSentence } from '../../domain/plan/limits.ts';
import {
  passkeyRefusedSentence,
  passkeySentence,
  samePersonSentence,
} from '../../domain/plan/typed-totals.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { Approval } from '../../use-cases/approve/agree-to-plan.ts';

export type ShownApproval = Exclude<Approval['result'], { kind: 'not_agreed' }> & { readonly batch: Batch };

export function approvalSentence(result: ShownApproval): string {
  switch (result.kind) {
    case 'approved': {
      const sentence = `Approved ${rowsText(result.count)} of batch ${batchLabel(result.batch)}.`;
      const { count, rows } = result.unseen;
      if (count === 0) return sentence;
      const which = `${rows.join(', ')}${count > rows.length ? ', …' : ''}`;
      return `${sentence} ${rowsText(count)} (${which}) changed or were added while you agreed: not approved, because you did not see them.`;
    }
    case 'nothing_to_approve':
      return 'Nothing waits for approval.';
    case 'changed': {
      const known =
        result.changes === undefined
          ? 'No plan of this batch with that digest was shown before.'
          : 'Since then:';
      return `The plan is not the one you named: its digest is ${result.digest}. Nothing was approved; look at it again. ${known}`;
    }
    case 'over_limit':
      return `${overLimitSentence(result)} Nothing was approved; withdraw rows, or raise the limit in the configuration.`;
    case 'same_person':
    case 'let_in_by_maker':
    case 'let_maker_in':
      return `${samePersonSentence(result, result.batch)} Nothing was approved.`;
    case 'passkey_missing':
      return `${passkeySentence(result.batch)} Nothing was approved.`;
    case 'passkey_refused':
      return passkeyRefusedSentence(result);
  }
}
