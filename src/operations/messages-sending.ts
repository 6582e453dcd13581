/** Messages about sending that stopped or left rows out. Every host uses the same words. */
import { formatMoney } from '../domain/money/money.ts';
import { pausePieces } from '../domain/next-steps/batch-steps.ts';
import type { OverCeiling } from '../domain/plan/limits.ts';
import { input, type Piece } from '../domain/text/message.ts';
import { counted, printable } from '../domain/text/printable.ts';
import { secondOf } from '../domain/timestamp.ts';
import type { MoneyMoved } from '../use-cases/run.ts';
import type { SendBatchResult } from '../use-cases/send/send-batch.ts';
import { aside, type Block } from './block.ts';

/** The command that sends the remaining rows after sending stopped at the canary. */
export const LIFT_CANARY: readonly Piece[] = [input('canary', '0'), ' sends them'];

/** Why sending stopped, or which institutions payfile set aside; undefined if all rows were sent. */
export function stopPieces(
  { stop, setAside }: Pick<SendBatchResult, 'stop' | 'setAside'>,
  sendRest: readonly Piece[],
): readonly Piece[] | undefined {
  switch (stop?.kind) {
    case undefined:
      if (setAside.length === 0) return undefined;
      return [
        `Institution ${setAside.join(', ')} refused several rows, so payfile set it aside. Its rows stay approved. The next run tries one row first.`,
      ];
    case 'paused':
      return ['The batch is paused: ', ...pausePieces(stop.reason)];
    case 'outage':
      return [`The service does not answer (${stop.reason}). Rows not sent stay approved. Run again later.`];
    case 'limited':
      return [
        `The service limits requests (HTTP 429). payfile sends nothing before ${secondOf(stop.until)} UTC. Rows not sent stay approved. Run again after that time.`,
      ];
    case 'canary':
      return [
        `Sending stopped at the canary: ${stop.reason}. The remaining rows stay approved and were not sent. After you looked at the canary, `,
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
      return ['Stopped as you asked. No transfer is in flight.'];
  }
}

/** Approved rows that were not sent because their terms changed. */
export function changedTermsBlocks({ moved }: Pick<SendBatchResult, 'moved'>): readonly Block[] {
  return moved.map(({ currency, what, was, now, rows }) =>
    aside(
      `The ${what} of rows in ${currency} changed from ${printable(was)} to ${printable(now)}. ${counted(rows, 'row needs', 'rows need')} approval again.`,
    ),
  );
}

/** Nothing was sent, because the batch exceeds the ceiling of this command. */
export function overCeilingPieces({ total, ceiling, of }: OverCeiling): readonly Piece[] {
  const name = of === 'debit' ? 'maxDebit' : 'maxTotal';
  const pays = `The batch ${of === 'debit' ? 'costs' : 'pays'} ${formatMoney(total)}, all runs together, and `;
  const limit =
    ceiling === undefined
      ? ['there is no ', input(name), ` for ${total.currency}`]
      : [input(name), ` allows ${formatMoney(ceiling)}`];
  const amend =
    ceiling === undefined ? ['Add ', input(name, `${total.currency}=AMOUNT`)] : ['Raise ', input(name)];
  const orNot = ceiling === undefined ? [', or give no ', input(name)] : [', or leave it out'];
  return [
    pays,
    ...limit,
    '. This command sent nothing. ',
    ...amend,
    ...orNot,
    ' to send what a person approved.',
  ];
}

/** How much a stopped command sent. Follows the sentence about why it stopped. */
export function sentText({ isMoved, begun }: MoneyMoved): string {
  if (begun > 0) return `This command sent ${counted(begun, 'row', 'rows')} approved earlier.`;
  return isMoved ? 'This command sent nothing.' : 'Nothing was sent.';
}
