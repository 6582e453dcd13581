/**
 * Work on a batch that a person begins on a page: send what is approved and ask what became of it, ask again, pause and
 * resume. Nothing is sent that nobody approved; the door holds the batch's lease for as long as it works.
 */

import { batchLabel, countsTextOf } from '../../domain/batches/batch.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { IN_A_PROGRAM, textOf } from '../../domain/text/message.ts';
import { rowsText } from '../../domain/text/printable.ts';
import { stopPieces } from '../../operations/messages-sending.ts';
import { pause } from '../../operations/pause.ts';
import { price } from '../../operations/plan.ts';
import { send } from '../../operations/send.ts';
import { settle } from '../../operations/settle.ts';
import { history } from '../../operations/status.ts';
import type { Ended } from '../../payfile.ts';
import { type Html, html } from '../../views/html.ts';
import type { Work } from '../jobs.ts';
import { type Answer, address, see, seeWhyNot, type Visit } from '../server/route.ts';

/** How long a page's work waits for transfers to become final; asked again by a press. */
const SETTLE_MS = 60 * 60_000;

/** Of jobs.ts: what the work is about. By the id alone: a batch has one piece of work, whatever an address calls it. */
export function aboutBatch(batch: BatchId): string {
  return `batch:${batch}`;
}

export async function sendBatch(visit: Visit): Promise<Answer> {
  const { payfile, part, form } = visit;
  const batch = part('batch');
  const canary = canaryOf((await form()).text('canary'));
  if (canary === 'unreadable')
    return seeWhyNot(
      address`/batches/${batch}`,
      'Write how many rows go first as a whole number, such as 3. Nothing was sent.',
    );
  return begun(visit, 'Sending', async (dialogue, onlyAsks) => {
    const sent = await payfile.call(send, { batch, canary, deadline: SETTLE_MS }, dialogue);
    // Said at once: asking about what is on its way may take an hour.
    const why = stopPieces(sent, ['the rest is sent with 0 as “How many rows first”']);
    if (why !== undefined) dialogue.onProgress({ kind: 'warning', text: textOf(why, IN_A_PROGRAM) });
    onlyAsks();
    return becameText(await payfile.call(settle, { batch, deadline: SETTLE_MS }, dialogue));
  });
}

async function begun(visit: Visit, doing: string, work: Work): Promise<Answer> {
  const { desk, person } = visit;
  const id = await batchMeant(visit);
  const isBegun = desk.jobs.begin({ about: aboutBatch(id), doing, by: person.name }, work);
  const busy = 'Something is being done with this batch already; see below.';
  const at = address`/batches/${id}`;
  return isBegun ? see(at) : seeWhyNot(at, busy);
}

/** An address may name it, too. Asked with what adds nothing up. */
export async function batchMeant({ payfile, part }: Pick<Visit, 'payfile' | 'part'>): Promise<BatchId> {
  const { batch } = await payfile.call(history, { batch: part('batch'), limit: 1 });
  return batch.id;
}

function canaryOf(text: string): number | undefined | 'unreadable' {
  if (text === '') return undefined;
  return /^\d{1,6}$/.test(text) ? Number(text) : 'unreadable';
}

function becameText({ batchEnd: { batch, outcome } }: { readonly batchEnd: Ended }): Html {
  return html`<p>Batch ${batchLabel(batch)}: ${countsTextOf(outcome)}.</p>\n`;
}

export async function priceBatch(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  return begun(visit, 'Asking for names and fees', async (dialogue) => {
    const { unpriced, reason = 'the service gave no usable answer' } = await payfile.call(
      price,
      { batch: part('batch') },
      dialogue,
    );
    return unpriced === 0
      ? html`<p>Every row has its name and fee. The plan can be looked at.</p>\n`
      : html`<p class="doubt">${rowsText(unpriced)} could not be asked about: ${reason}.</p>\n`;
  });
}

export async function settleBatch(visit: Visit): Promise<Answer> {
  const { payfile, part } = visit;
  return begun(visit, 'Asking what became of the payments', async (dialogue, onlyAsks) => {
    onlyAsks();
    return becameText(await payfile.call(settle, { batch: part('batch'), deadline: SETTLE_MS }, dialogue));
  });
}

export async function pauseBatch({ payfile, part, form }: Visit): Promise<Answer> {
  const batch = part('batch');
  const reason = (await form()).text('reason');
  const { wasPaused } = await payfile.call(pause, { batch, ...(reason && { reason }) });
  const said = wasPaused
    ? 'It was paused before.'
    : 'Paused: nothing new is sent. What is on its way ends by itself.';
  return see(address`/batches/${batch}`, said);
}

export async function resumeBatch({ payfile, part }: Visit): Promise<Answer> {
  const batch = part('batch');
  const { pause: left } = await payfile.batches.resume({ batch });
  const said = left == null ? 'No longer paused. Send when you are ready.' : `Still paused: ${left.reason}`;
  return see(address`/batches/${batch}`, said);
}
