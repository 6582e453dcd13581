/**
 * Work on a batch that a person starts on a page: names and fees, sending, outcomes, pause and resume. Nothing is sent that
 * nobody approved.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { IN_A_PROGRAM, textOf } from '../../domain/text/message.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { stopPieces } from '../../operations/messages-sending.ts';
import { pause } from '../../operations/pause.ts';
import { price } from '../../operations/plan.ts';
import { send } from '../../operations/send.ts';
import { settle } from '../../operations/settle.ts';
import { history } from '../../operations/status.ts';
import { html } from '../../views/html.ts';
import type { Work } from '../jobs.ts';
import { saidOnPage } from '../page/words.ts';
import { type Answer, address, see, seeWhyNot, type Visit } from '../server/route.ts';

/** How long the work of a page waits for transfers to become final. */
const SETTLE_MS = 60 * 60_000;

/** Of jobs.ts: what the work is about. By the id alone: a batch has one piece of work, whatever an address calls it. */
export function aboutBatch(batch: BatchId): string {
  return `batch:${batch}`;
}

export async function sendBatch(visit: Visit): Promise<Answer> {
  const { payfile, part, form } = visit;
  const batch = part('batch');
  const typed = (await form()).text('canary');
  if (!/^\d{0,6}$/.test(typed))
    return seeWhyNot(
      address`/batches/${batch}`,
      'Enter how many rows go first as a whole number, such as 3. Nothing was sent.',
    );
  const canary = typed === '' ? undefined : Number(typed);
  return begun(visit, 'Sending', async (dialogue, onlyAsks) => {
    const sent = await payfile.call(send, { batch, canary, deadline: SETTLE_MS }, dialogue);
    // Said at once: outcomes may take an hour.
    const why = stopPieces(sent, ['enter 0 as “How many rows first” to send them']);
    if (why !== undefined) dialogue.onProgress({ kind: 'warning', text: textOf(why, IN_A_PROGRAM) });
    onlyAsks();
    await payfile.call(settle, { batch, deadline: SETTLE_MS }, dialogue);
    return undefined;
  });
}

async function begun(visit: Visit, doing: string, work: Work): Promise<Answer> {
  const id = await batchMeant(visit);
  const at = address`/batches/${id}`;
  const isBegun = visit.desk.jobs.begin({ about: aboutBatch(id), doing, by: visit.person.name }, work);
  return isBegun ? see(at) : seeWhyNot(at, 'payfile works on this batch already. Wait until that has ended.');
}

/** An address may name it, too. Asked with what adds nothing up. */
export async function batchMeant({ payfile, part }: Pick<Visit, 'payfile' | 'part'>): Promise<BatchId> {
  const { batch } = await payfile.call(history, { batch: part('batch'), limit: 1 });
  return batch.id;
}

/** Also after a release, and where rows are paid again: nobody presses a second time. */
export function priceBatch(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  return begun(visit, 'Asking for names and fees', async (dialogue) => {
    const { unpriced, reason = 'the service gave no usable answer' } = await payfile.call(
      price,
      { batch: part('batch') },
      dialogue,
    );
    return unpriced === 0
      ? undefined
      : html`<p class="doubt">${rowsText(unpriced)} got no fee: ${saidOnPage(reason)}.</p>\n`;
  });
}

export function settleBatch(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  return begun(visit, 'Waiting for outcomes', async (dialogue, onlyAsks) => {
    onlyAsks();
    await payfile.call(settle, { batch: part('batch'), deadline: SETTLE_MS }, dialogue);
    return undefined;
  });
}

export async function pauseBatch({ payfile, part, form }: Visit): Promise<Answer> {
  const batch = part('batch');
  const reason = (await form()).text('reason');
  const { wasPaused } = await payfile.call(pause, { batch, ...(reason && { reason }) });
  const said = wasPaused
    ? 'The batch was paused before.'
    : 'Paused: payfile sends nothing new. Payments on the way go on.';
  return see(address`/batches/${batch}`, said);
}

export async function resumeBatch({ payfile, part }: Visit): Promise<Answer> {
  const batch = part('batch');
  const { pause: left } = await payfile.batches.resume({ batch });
  const said = left == null ? 'The batch is no longer paused.' : `Still paused: ${left.reason}`;
  return see(address`/batches/${batch}`, said);
}
