/**
 * Work on a batch that a person begins on a page: send what is approved and ask what became of it, ask again, pause and
 * resume. Nothing is sent that nobody approved; the door holds the batch's lease for as long as it works.
 */
import { type Answer, address, see, type Visit } from '../server/route.ts';

/** How long a page's work waits for transfers to become final; asked again by a press. */
const SETTLE_MS = 60 * 60_000;

/** Of jobs.ts: what the work is about. */
export function aboutBatch(batch: string): string {
  return `batch:${batch}`;
}

export async function sendBatch({ desk, person, payfile, part, form }: Visit): Promise<Answer> {
  const batch = part('batch');
  const canary = canaryOf((await form()).text('canary'));
  if (canary === 'unreadable')
    return see(
      address`/batches/${batch}`,
      'Write how many rows go first as a whole number, such as 3. Nothing was sent.',
    );
  const isBegun = desk.jobs.begin(
    { about: aboutBatch(batch), doing: 'Sending', by: person.name },
    async (dialogue) => {
      const sent = await payfile.send(batch, { ...dialogue, canary, deadlineMs: SETTLE_MS });
      // What stopped the sending is said at once; what is on its way is asked about until it is final.
      const settled = await payfile.settle(batch, { ...dialogue, forMs: SETTLE_MS });
      return { sent, settled };
    },
  );
  return see(address`/batches/${batch}`, isBegun ? undefined : BUSY);
}

const BUSY = 'Something is being done with this batch already; see below.';

function canaryOf(text: string): number | undefined | 'unreadable' {
  if (text === '') return undefined;
  return /^\d{1,6}$/.test(text) ? Number(text) : 'unreadable';
}

export async function priceBatch({ desk, person, payfile, part }: Visit): Promise<Answer> {
  const batch = part('batch');
  const isBegun = desk.jobs.begin(
    { about: aboutBatch(batch), doing: 'Asking for names and fees', by: person.name },
    async (dialogue) => ({ priced: await payfile.price(batch, dialogue) }),
  );
  return see(address`/batches/${batch}`, isBegun ? undefined : BUSY);
}

export async function settleBatch({ desk, person, payfile, part }: Visit): Promise<Answer> {
  const batch = part('batch');
  const isBegun = desk.jobs.begin(
    { about: aboutBatch(batch), doing: 'Asking what became of the payments', by: person.name },
    async (dialogue) => ({ settled: await payfile.settle(batch, { ...dialogue, forMs: SETTLE_MS }) }),
  );
  return see(address`/batches/${batch}`, isBegun ? undefined : BUSY);
}

export async function pauseBatch({ payfile, part, form }: Visit): Promise<Answer> {
  const batch = part('batch');
  const reason = (await form()).text('reason');
  const { wasPaused } = await payfile.pause(batch, reason === '' ? undefined : reason);
  const said = wasPaused
    ? 'It was paused before.'
    : 'Paused: nothing new is sent. What is on its way ends by itself.';
  return see(address`/batches/${batch}`, said);
}

export async function resumeBatch({ payfile, part }: Visit): Promise<Answer> {
  const batch = part('batch');
  const { batch: now } = await payfile.resume(batch);
  const said =
    now.pause === undefined
      ? 'No longer paused. Send when you are ready.'
      : `Still paused: ${now.pause.reason}`;
  return see(address`/batches/${batch}`, said);
}
