/** Why sending stopped or left rows out, in the same words wherever somebody reads them. */
import { formatMoney } from '../domain/money/money.ts';
import { pausePieces } from '../domain/next-steps/batch-steps.ts';
import type { OverCeiling } from '../domain/plan/limits.ts';
import { input, type Piece } from '../domain/text/message.ts';
import { counted, printable } from '../domain/text/printable.ts';
import { secondOf } from '../domain/timestamp.ts';
import type { Moved } from '../use-cases/run.ts';
import type { SendBatchResult } from '../use-cases/send/send-batch.ts';
import { aside, type Block } from './block.ts';

/** How the rest is sent when somebody looked at a canary that stopped the sending. */
export const LIFT_CANARY: readonly Piece[] = [input('canary', '0'), ' sends it'];

/** Why sending stopped, or which institutions were set aside; undefined if all rows went out. */
export function stopPieces(
  { stop, setAside }: Pick<SendBatchResult, 'stop' | 'setAside'>,
  sendRest: readonly Piece[],
): readonly Piece[] | undefined {
  switch (stop?.kind) {
    case undefined:
      if (setAside.length === 0) return undefined;
      return [
        `Set aside for refusing again and again: institution ${setAside.join(', ')}. Its rows stay approved; the next run tries one first.`,
      ];
    case 'paused':
      return ['The batch is paused: ', ...pausePieces(stop.reason)];
    case 'outage':
      return [`The service does not answer (${stop.reason}). Rows not sent stay approved; run again later.`];
    case 'limited':
      return [
        `The service takes no transfers for now (HTTP 429). payfile sends nothing before ${secondOf(stop.until)} UTC. Rows not sent stay approved. Run again after that.`,
      ];
    case 'canary':
      return [
        `The canary stopped the sending: ${stop.reason}. The rest stays approved and was not sent. When you have looked, `,
        ...sendRest,
        '.',
      ];
    case 'over_debit':
      return [
        ...[
          'The next row would cost more than ',
          input('maxDebit'),
          ' allows. Rows not sent stay approved. Raise ',
        ],
        ...[input('maxDebit'), ', or leave it out to send what a person approved.'],
      ];
    case 'lease_lost':
      return [stop.reason];
    case 'interrupted':
      return ['Stopped as asked. Nothing is in flight any more.'];
  }
}

/** Rows that were not sent although they were approved, and why. */
export function movedBlocks({ moved }: Pick<SendBatchResult, 'moved'>): readonly Block[] {
  return moved.map(({ currency, what, was, now, rows }) =>
    aside(
      `The ${what} of rows in ${currency} moved from ${printable(was)} to ${printable(now)}: ${counted(rows, 'row needs', 'rows need')} one more approval.`,
    ),
  );
}

/** Why nothing is sent at all: more than whoever sends has allowed. */
export function overCeilingPieces({ total, ceiling, of }: OverCeiling): readonly Piece[] {
  const name = of === 'debit' ? 'maxDebit' : 'maxTotal';
  const pays = `The batch ${of === 'debit' ? 'costs' : 'pays'} ${formatMoney(total)}, all runs together, and `;
  const limit =
    ceiling === undefined
      ? ['there is no ', input(name), ` for ${total.currency}`]
      : [input(name), ` allows ${formatMoney(ceiling)}`];
  const amend =
    ceiling === undefined ? ['Add ', input(name, `${total.currency}=AMOUNT`)] : ['Raise ', input(name)];
  const orNot = ', or leave it out to send what a person approved.';
  return [pays, ...limit, '. This command sent nothing. ', ...amend, orNot];
}

/** What a command that stopped before the end did send, behind the sentence that says why it stopped. */
export function sentText({ isMoved, begun }: Moved): string {
  if (begun > 0)
    return `${counted(begun, 'row that was approved before was', 'rows that were approved before were')} sent.`;
  return isMoved ? 'This command sent nothing.' : 'Nothing was sent.';
}
