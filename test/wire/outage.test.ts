/**
 * The service goes away in the middle of a batch, and comes back: the real client on real sockets under the real
 * application. No more payments are in doubt than were in flight (G10), nothing new is sent meanwhile, nothing is
 * sent twice, and the batch goes on by itself.
 */
import type net from 'node:net';
import { expect, it } from 'vitest';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { createHttpPaymentService } from '../../src/service/http-payment-service.ts';
import { sendBatch } from '../../src/use-cases/send/send-batch.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, HOLDER, KEPT, type Workplace } from '../builders/workplace.ts';
import type { Fault } from '../fakes/fault-server/fault.ts';
import { type FaultServer, type FaultServerOptions, startFaultServer } from '../fakes/fault-server/server.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';

const ROWS = 40;
const CONCURRENCY = 6;
const RETRY = { triesMax: 1, delayMsFirst: 1, delayMsMax: 1, totalMsMax: 1_000 };

async function sendThrough(server: FaultServer, place: Workplace, postTimeoutMs: number) {
  const batch = await place.approved(someRows(ROWS));
  const clock = createJumpingClock();
  const world = { ...place.world, clock: { ...clock, now: place.clock.now } };
  const paymentService = createHttpPaymentService(
    {
      baseUrl: `${server.url}/v1`,
      authUrl: `${server.url}/auth`,
      id: 'shop',
      password: new Sensitive('secret-secret'),
      postTimeoutMs,
      lateAnswerMs: 0,
      answersRefused: [],
      requestsPerSecond: undefined,
      openAhead: CONCURRENCY,
      retry: RETRY,
    },
    { clock, log: place.log },
  );
  const sent = await sendBatch(batch, { ...world, paymentService }, { holder: HOLDER, leaseLost: KEPT });
  await paymentService.close();
  return { batch, sent };
}

interface Outage {
  /** What a transfer meets that is on the wire when the service goes. */
  readonly fault: Fault;
  /** What a connection meets while the service is gone. */
  readonly refuse: (socket: net.Socket) => void;
}

it.each<[string, Outage]>([
  [
    'resets, having executed what it had',
    {
      fault: { executes: true, answer: () => '', breakAnswer: { atByte: 0, by: 'reset' } },
      refuse: (socket) => socket.resetAndDestroy(),
    },
  ],
  [
    'ends connections, having executed nothing',
    {
      fault: { executes: false, answer: () => '', breakAnswer: { atByte: 0, by: 'end' } },
      refuse: (socket) => void socket.end(),
    },
  ],
  [
    'falls silent',
    {
      fault: { executes: true, answer: () => '', breakAnswer: { atByte: 0, by: 'stall' } },
      refuse: (socket) => socket.resetAndDestroy(),
    },
  ],
])(
  '[N28] a service that %s leaves no more in doubt than were in flight, and is not written to until it is back',
  async (_what, { fault, refuse }) => {
    const place = await aWorkplace({ policy: { concurrency: CONCURRENCY } });
    let isGone = false;
    let knocks = 0;
    let postsWhenGone = 0;
    let postsWhenBack = 0;
    const options: FaultServerOptions = {
      onConnection: (socket) => {
        if (!isGone) return;
        knocks += 1;
        if (knocks >= 6) {
          isGone = false;
          server.answersQuestions = true;
          postsWhenBack = server.book.posts.length;
        } else refuse(socket);
      },
    };
    const server: FaultServer = await startFaultServer(options);
    server.next = () => {
      if (postsWhenBack > 0 || server.book.posts.length < 15) return { executes: true, delayMs: 10 };
      if (!isGone) postsWhenGone = server.book.posts.length;
      isGone = true;
      server.answersQuestions = false;
      return fault;
    };
    const { batch, sent } = await sendThrough(server, place, 1_500);
    const { in_doubt = 0, accepted = 0, ...others } = await place.stand(batch);
    expect(sent.stop).toBeUndefined();
    expect(others).toEqual({});
    expect(in_doubt).toBeGreaterThan(0);
    expect(in_doubt).toBeLessThanOrEqual(CONCURRENCY);
    expect(in_doubt + accepted).toBe(ROWS);
    // Those in flight when the first one met the outage, and none after it.
    expect(postsWhenBack - postsWhenGone).toBeLessThanOrEqual(CONCURRENCY);
    const accounts = server.book.posts.map(({ account }) => account);
    expect(new Set(accounts).size).toBe(accounts.length);
    // A request may be written to a connection that is reset before anyone reads it; then it is in doubt.
    expect(accounts.length).toBeGreaterThanOrEqual(ROWS - in_doubt);
    await server.close();
  },
);

it('[N28] transfers that are lost while questions are answered cost no more doubts than may be', async () => {
  const place = await aWorkplace({ policy: { concurrency: CONCURRENCY, maxInDoubt: CONCURRENCY } });
  const server = await startFaultServer();
  const lost: Fault = { executes: true, answer: () => '', breakAnswer: { atByte: 0, by: 'end' } };
  server.next = () => (server.book.posts.length < 15 ? { executes: true, delayMs: 10 } : lost);
  const { batch, sent } = await sendThrough(server, place, 5_000);
  expect(sent.stop).toMatchObject({ kind: 'paused' });
  const { in_doubt = 0, accepted = 0 } = await place.stand(batch);
  // One more than may be: that one pauses the batch.
  expect(in_doubt).toBe(CONCURRENCY + 1);
  expect(accepted).toBe(15);
  expect(server.book.posts).toHaveLength(15 + in_doubt);
  await server.close();
});
