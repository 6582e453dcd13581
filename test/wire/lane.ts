/**
 * A lane: one fault server and one client of it. Cases of a lane run one after another, lanes side by side, so
 * that a sweep over every byte stays fast and each case knows which entry of the book is its own.
 */
import type { SendOutcome } from '../../src/ports/payment-service.ts';
import type { Posted } from '../fakes/fault-server/book.ts';
import type { Fault } from '../fakes/fault-server/fault.ts';
import { type FaultServer, startFaultServer } from '../fakes/fault-server/server.ts';
import { testAuthority } from '../fakes/scripted-service.ts';
import { aClient, sendOnce } from '../service/a-client.ts';

export interface Lane {
  readonly server: FaultServer;
  /** Sends one transfer that meets the fault. */
  send(fault: Fault): Promise<{ readonly outcome: SendOutcome; readonly posts: readonly Posted[] }>;
  close(): Promise<void>;
}

interface LaneOptions {
  readonly secure: boolean;
  readonly postTimeoutMs: number;
}

async function openLane({ secure, postTimeoutMs }: LaneOptions): Promise<Lane> {
  const server = await startFaultServer(secure ? { tls: { certificate: 'test-only' } } : {});
  const { service } = aClient(server, {
    postTimeoutMs,
    lateAnswerMs: 0,
    // A busy machine may take its time over so many handshakes.
    connectTimeoutMs: 20_000,
    openAhead: 0,
    certificateAuthority: testAuthority,
  });
  return {
    server,
    async send(fault) {
      server.next = () => fault;
      const before = server.book.posts.length;
      const outcome = await sendOnce(service);
      // Whoever sends a second time does so at once, or after the first answer.
      await new Promise((resolve) => setImmediate(resolve));
      return { outcome, posts: server.book.posts.slice(before) };
    },
    async close() {
      await service.close();
      await server.close();
    },
  };
}

/** Runs all cases over so many lanes and gives what each says is wrong with it. */
export async function inLanes<Case>(
  cases: readonly Case[],
  lanes: number,
  options: LaneOptions,
  judge: (one: Case, lane: Lane) => Promise<string | undefined>,
): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const work = async () => {
    const lane = await openLane(options);
    let mine = 0;
    for (let one = cases[next++]; one !== undefined; one = cases[next++]) {
      mine += 1;
      const said = await judge(one, lane);
      if (said !== undefined) wrong.push(`${JSON.stringify(one)}: ${said}`);
    }
    if (lane.server.book.posts.length !== mine)
      wrong.push(`${lane.server.book.posts.length} requests for ${mine} attempts`);
    await lane.close();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return wrong;
}
