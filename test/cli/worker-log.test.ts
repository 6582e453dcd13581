/** What the log of a worker says: batches by name, what it sent itself, and no line twice. */
import { expect, it } from 'vitest';
import type { Call } from '../../src/cli/call.ts';
import { workerLog } from '../../src/cli/show/worker-log.ts';
import type { ServeEvent } from '../../src/payfile.ts';

type OfJob = Extract<ServeEvent, { readonly kind: 'took' }>;
type Heard = Parameters<ReturnType<typeof workerLog>['hear']>[0];

function aLog() {
  let nowMs = 0;
  const talk: string[] = [];
  const parts = {
    terminal: { talk: (line: string) => talk.push(line) },
    context: { clock: { now: () => nowMs } },
  };
  const log = workerLog({ flags: {}, ...parts } as unknown as Call);
  const served = (queue: OfJob['queue'], index: number): Omit<OfJob, 'kind'> =>
    ({ queue, batch: 'may', job: { work: { batchId: '17' }, part: { index, of: 4 } } }) as unknown as OfJob;
  const sent = (status: string, rowNumber = 2) => {
    const state = { status, reason: 'no_answer' };
    log.hear({
      kind: 'moved',
      from: 'sending',
      payout: { batchId: '17', rowNumber, state },
    } as unknown as Heard);
  };
  return {
    ...log,
    told: (event: ServeEvent) => log.hear({ kind: 'worker', event }),
    talk,
    served,
    sent,
    later: (ms: number) => {
      nowMs += ms;
    },
  };
}

it('names the batch and says what this worker sent of it', () => {
  const { isAtWork, told, served, sent, talk } = aLog();
  const part = served('send', 1);
  told({ kind: 'took', ...part });
  expect(isAtWork()).toBe(true);
  for (const status of ['accepted', 'accepted', 'approved', 'in_doubt']) sent(status);
  told({ kind: 'finished', ...part });
  expect(talk).toEqual([
    'Sending may, part 2 of 4: taken.',
    expect.stringMatching(/^Warning: row 2 of may is in doubt\./),
    'Sending may, part 2 of 4: ended. This worker’s share of may until now: 2 on its way, 1 in doubt.',
  ]);
  expect(isAtWork()).toBe(false);
});

it('names the batch of a row in doubt, and leaves out the fourth of a batch', () => {
  const { told, served, sent, talk } = aLog();
  told({ kind: 'took', ...served('send', 1) });
  for (const row of [2, 3, 4, 5, 6]) sent('in_doubt', row);
  expect(talk.slice(1).map((line) => line.replace(/is in doubt\. .*/, 'is in doubt.'))).toEqual([
    'Warning: row 2 of may is in doubt.',
    'Warning: row 3 of may is in doubt.',
    'Warning: row 4 of may is in doubt.',
    'Warning: more rows of may are in doubt. payfile status shows all of them.',
  ]);
});

it('says once that a recovery waits, however many parts and tries there are', () => {
  const { told, served, later, talk } = aLog();
  const reason = 'process 7 on desk still has it';
  const tried = () => {
    talk.length = 0;
    for (const index of [0, 1, 2]) {
      const job = served('recover', index);
      told({ kind: 'took', ...job });
      told({ kind: 'gave_back', ...job, reason });
    }
    return [...talk];
  };
  expect(tried()).toEqual([
    'Recovering may: taken.',
    `Recovering may: waits, because ${reason}. payfile tries again.`,
  ]);
  later(60_000);
  expect(tried()).toEqual([]);
});
