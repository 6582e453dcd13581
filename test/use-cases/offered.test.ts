/** What a row's line, its story and the summary of its batch offer to pay the row again is never refused. */
import { describe, expect, it } from 'vitest';
import { commandText } from '../../src/domain/next-steps/command.ts';
import { commandsFor, stepsOf } from '../../src/domain/next-steps/next-step.ts';
import { asPayoutId, type BatchId } from '../../src/domain/payouts/instruction.ts';
import { lineContext, reportLineOf } from '../../src/domain/reporting/report-line.ts';
import { openDecisions } from '../../src/use-cases/decide/open-decisions.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { relativesOf } from '../../src/use-cases/decide/relatives.ts';
import { cancelUnsent } from '../../src/use-cases/decide/release-held.ts';
import { summaryOf } from '../../src/use-cases/report/batch-view.ts';
import { explainPayout } from '../../src/use-cases/report/explain-payout.ts';
import { reportHeader } from '../../src/use-cases/report/report-batch.ts';
import { notedIncidents } from '../../src/use-cases/settle/noted-incidents.ts';
import { settleSent } from '../../src/use-cases/settle/settle-sent.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, readingPorts, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const row2 = { kind: 'rows', rows: ['2'] } as const;

interface Story {
  readonly place: Workplace;
  readonly batch: BatchId;
}

/** Every command about the batch's one row, wherever it is offered. */
async function offered({ place, batch: id }: Story): Promise<readonly string[]> {
  const ports = readingPorts(place);
  const batch = await place.batch(id);
  const header = await reportHeader(batch, ports);
  const context = lineContext({ ...header, incidents: await notedIncidents(id, place) });
  const texts: (string | undefined)[] = [];
  for await (const page of place.ledger.reportRows(id))
    for (const row of page) texts.push(...reportLineOf(row, context).steps.map(({ command }) => command));
  const row = await place.row(id, 2);
  const { attention } = await summaryOf(batch, ports);
  const stories = await Promise.all(
    [row, ...(await relativesOf(row, place.world))].map((each) => explainPayout(each, place.world)),
  );
  const steps = [
    ...stories.flatMap((story) => stepsOf(story.payout, story, commandsFor(header))),
    ...attention.flatMap((each) => each.steps),
  ];
  return [...texts, ...steps.map(({ command }) => command && commandText(command, {}))].filter(
    (text) => text !== undefined,
  );
}

async function payAgain({ place, batch }: Story, evidence?: string) {
  return reissue(batch, row2, { by: 'ben', evidence }, place.world);
}

/** A payment that came back, and is to be paid again. */
async function cameBack(environment: 'live' | 'sandbox' = 'live'): Promise<Story> {
  const place = await aWorkplace({ environment });
  const batch = await place.approved(someRows(1), 'may');
  place.service.statusOf = () => 'Returned';
  await place.send(batch);
  await place.settle(batch, HOUR);
  place.clock.advance(DAY);
  expect((await payAgain({ place, batch })).done).toEqual([2]);
  await place.agree(batch);
  return { place, batch };
}

async function isPaidAfterAll({ place, batch }: Story): Promise<void> {
  place.service.statusOf = () => 'Finished';
  place.clock.advance(HOUR);
  expect(await place.settle(batch, HOUR)).toMatchObject({ incidents: [2] });
}

const WATCH = { holder: HOLDER, deadlineMs: 0, watchReturnsMs: 14 * DAY };
const LOOK = 'payfile explain may 2';

describe('paying a row again', () => {
  it('is offered for a row that a person withdrew, and is done', async () => {
    const place = await aWorkplace({ environment: 'live' });
    const story = { place, batch: await place.approved(someRows(1), 'may') };
    await cancelUnsent(story.batch, row2, { by: 'ben', reason: 'left the company' }, place.world);
    expect(new Set(await offered(story))).toEqual(new Set(['payfile reissue may 2']));
    expect(await payAgain(story)).toMatchObject({ done: [2], refused: [] });
  });

  it('is not offered where the payment before it is Finished after all: it would be refused', async () => {
    const story = await cameBack();
    await isPaidAfterAll(story);
    expect(new Set(await offered(story))).toEqual(new Set([LOOK]));
    expect(await payAgain(story, 'the bank says so')).toMatchObject({ done: [] });
  });

  it('is not offered where the payment before it is Finished and this one was refused', async () => {
    const story = await cameBack();
    story.place.service.turns.push({ refuse: 'closed account' });
    await story.place.send(story.batch);
    await isPaidAfterAll(story);
    expect(new Set(await offered(story))).toEqual(new Set([LOOK]));
    expect(await payAgain(story, 'the bank says so')).toMatchObject({ done: [] });
  });

  describe('after a payment that was called unpaid was paid, and came back', () => {
    const paidAndBack = async (environment: 'live' | 'sandbox') => {
      const story = await cameBack(environment);
      await isPaidAfterAll(story);
      story.place.service.statusOf = () => 'Reversed';
      story.place.clock.advance(DAY);
      await settleSent(await story.place.batch(story.batch), WATCH, story.place.world);
      expect(await story.place.stand(story.batch)).toEqual({ returned: 1 });
      story.place.clock.advance(2 * DAY);
      return story;
    };

    it('is offered with evidence, refused without, and the note stays', async () => {
      const story = await paidAndBack('live');
      expect(new Set(await offered(story))).toEqual(new Set(['payfile reissue may 2 --evidence TEXT']));
      const { payAgain: open } = await openDecisions(
        await story.place.row(story.batch, 2),
        story.place.world,
      );
      expect(open).toBe('with_evidence');
      expect(await payAgain(story)).toMatchObject({
        done: [],
        refused: [{ status: expect.stringContaining('prove that the money is back'), isNotYet: true }],
      });
      expect(await payAgain(story, 'statement of 3 June')).toMatchObject({ done: [2], refused: [] });
      expect((await notedIncidents(story.batch, story.place)).size).toBe(1);
    });

    it('goes out once, and never beside a payment that is Finished again', async () => {
      // The first transfer of a live ledger came back: nothing goes out there before a person resumes it.
      const story = await paidAndBack('sandbox');
      await payAgain(story, 'statement of 3 June');
      await story.place.agree(story.batch);
      await story.place.send(story.batch);
      expect(story.place.service.book).toHaveLength(2);
      await isPaidAfterAll(story);
      expect(await payAgain(story, 'once more')).toMatchObject({ done: [] });
    });

    it('is not offered while another payment of the row waits, is on its way or settled', async () => {
      const story = await paidAndBack('sandbox');
      const isOffered = async () => (await offered(story)).some((text) => text.includes('reissue'));
      expect(await isOffered()).toBe(true);
      await payAgain(story, 'statement of 3 June');
      expect(await isOffered()).toBe(false);
      await story.place.agree(story.batch);
      story.place.service.statusOf = (id) => (id === 'tr-2' ? 'Processing' : 'Reversed');
      await story.place.send(story.batch);
      expect(await story.place.stand(story.batch)).toEqual({ accepted: 1 });
      expect(await isOffered()).toBe(false);
      story.place.service.statusOf = (id) => (id === 'tr-2' ? 'Finished' : 'Reversed');
      await story.place.settle(story.batch, HOUR);
      expect(await story.place.stand(story.batch)).toEqual({ settled: 1 });
      expect(await isOffered()).toBe(false);
      expect(await payAgain(story, 'once more')).toMatchObject({ done: [] });
    });

    it('is not offered by the story of a payment that was replaced, for the one that has its place', async () => {
      const story = await cameBack('sandbox');
      story.place.service.turns.push({ refuse: 'closed account' });
      await story.place.send(story.batch);
      expect(await story.place.stand(story.batch)).toEqual({ failed: 1 });
      const [first] = await relativesOf(await story.place.row(story.batch, 2), story.place.world);
      if (first === undefined) throw new TypeError('no payment before');
      const told = await explainPayout(first, story.place.world);
      const header = await reportHeader(await story.place.batch(story.batch), readingPorts(story.place));
      const texts = stepsOf(first, told, commandsFor(header)).map(
        ({ command: c }) => c && commandText(c, {}),
      );
      expect(texts).toEqual([LOOK]);
    });

    it('takes evidence also where a person withdrew the payment that was to pay it again', async () => {
      const story = await paidAndBack('sandbox');
      await payAgain(story, 'statement of 3 June');
      await cancelUnsent(story.batch, row2, { by: 'ben', reason: 'waits' }, story.place.world);
      expect(await story.place.stand(story.batch)).toEqual({ canceled: 1 });
      expect(await offered(story)).not.toContain('payfile reissue may 2');
      expect(await payAgain(story)).toMatchObject({ done: [], refused: [{ isNotYet: true }] });
      expect(await payAgain(story, 'statement of 3 June')).toMatchObject({ done: [2] });
    });

    it('is refused where only a note came after the return', async () => {
      const story = await cameBack();
      await cancelUnsent(story.batch, row2, { by: 'ben', reason: 'waits' }, story.place.world);
      const [first] = (await story.place.row(story.batch, 2)).instruction?.replaces ?? [];
      const payout = await story.place.ledger.payout(asPayoutId(String(first)));
      if (payout === undefined) throw new TypeError('no payout');
      const note = { payout: payout.id, row: 2, what: 'a statement shows it' };
      await story.place.ledger.note(story.batch, 'incident', note, story.place.clock.now());
      expect(await payAgain(story, 'the bank says so')).toMatchObject({ done: [] });
    });
  });
});
