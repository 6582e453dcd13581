/** Bugs of workers that share a batch: a part that two send, a job that is done again, a stop that was none. */
import type { PlantedBug } from '../planted-bug.ts';

const LEASES = 'src/adapters/ledger/batches/leases.ts';
const COMMIT_MOVES = 'src/adapters/ledger/postgres/commit-moves.ts';
const FAST = 'src/adapters/ledger/postgres/fast-moves.ts';
const ON_FILE = 'test/adapters/ledger/sqlite-ledger.test.ts';
const ON_SERVER = 'test/adapters/ledger/postgres-ledger.test.ts';
const SIDE_BY_SIDE = 'test/adapters/ledger/side-by-side.test.ts';
const QUEUES = 'src/adapters/work-queue/fleet-on-boss.ts';
const WORKERS = 'test/use-cases/workers.test.ts';
const MOVING = "const moving = { retryLimit: 0, deadLetter: 'recover' } as const;";

export const FLEET_BUGS: readonly PlantedBug[] = [
  {
    id: 'lost-part-begins',
    bug: 'A worker that slept while its part was taken over wakes up and goes on beginning transfers.',
    file: LEASES,
    find: '    if (!this.#isLost(held) && this.#isOurs(held)) return true;',
    replace: '    if (held.part !== undefined || (!this.#isLost(held) && this.#isOurs(held))) return true;',
    caughtBy: [
      { test: ON_FILE, title: 'lets another process take a part over only when its holder was silent' },
    ],
  },
  {
    id: 'lost-part-begins-on-server',
    bug: 'On a server, a worker whose part another one has taken over goes on beginning transfers.',
    file: COMMIT_MOVES,
    find: 'AND token = m.token AND m.id % parts = part',
    replace: 'AND m.id % parts = part',
    caughtBy: [
      { test: ON_SERVER, title: 'lets another process take a part over only when its holder was silent' },
    ],
  },
  {
    id: 'part-of-another-begun',
    bug: 'A worker that has one part begins payouts of a part that another one has.',
    file: LEASES,
    find: '    if (held === undefined) return !this.#held.has(batch);',
    replace: '    if (held === undefined) return true;',
    caughtBy: [{ test: ON_FILE, title: 'lets the holder of a part begin payouts of that part alone' }],
  },
  {
    id: 'part-of-another-begun-on-server',
    bug: 'On a server, a worker that has one part begins payouts of a part that another one has.',
    file: LEASES,
    find: '    if (held === undefined) return this.#held.has(batch) ? LOST : undefined;',
    replace: '    if (held === undefined) return undefined;',
    caughtBy: [{ test: ON_SERVER, title: 'lets the holder of a part begin payouts of that part alone' }],
  },
  {
    id: 'whole-taken-from-under-a-part',
    bug: 'A batch is taken over while a worker sends a part of it: what that one has in flight is in doubt.',
    file: LEASES,
    find: '      const atWork = parts.find((part) => this.#isAlive(batch, part, holder));',
    replace: '      const atWork = parts.find((part) => part.token === token);',
    caughtBy: [
      {
        test: ON_FILE,
        title: 'lets another process take the whole over only when nobody is at work on a part',
      },
    ],
  },
  {
    id: 'server-intent-not-awaited',
    bug: 'On a server, a transfer leaves before the server has its intent, or has refused it.',
    file: FAST,
    find: '    const isDone = await this.#send(this.#wireOf(move));',
    replace:
      "    const sent = this.#send(this.#wireOf(move));\n    const isDone = event.kind === 'begin_attempt' || (await sent);",
    caughtBy: [
      { test: SIDE_BY_SIDE, title: 'begins nothing more in a process whose batch another one has taken' },
    ],
  },
  {
    id: 'sending-tried-again',
    bug: 'The queue gives the sending of a part that was cut off to the next worker, and nobody recovers it.',
    file: QUEUES,
    find: MOVING,
    replace: MOVING.replace('0', '1'),
    caughtBy: [{ test: WORKERS, title: 'is not tried again: it is recovered' }],
  },
  {
    id: 'lane-not-asked-for',
    bug: 'A worker takes a part without a lane: more transfers are in flight than the service account may have.',
    file: 'src/use-cases/fleet/serve.ts',
    find: '    const lane = await member.takeLane();',
    replace: '    const lane = { number: 1, release: async () => undefined };',
    caughtBy: [
      {
        test: WORKERS,
        title: 'has no more parts in flight than there are lanes, over all workers and batches',
      },
    ],
  },
  {
    id: 'end-of-a-worker-stops-the-batch',
    bug: 'A worker that is told to end says that its part was stopped, and the whole sending stops.',
    file: 'src/use-cases/fleet/do-work.ts',
    find: '    const isLeft = hands.signal.aborted && ',
    replace: '    const isLeft = !hands.signal.aborted && hands.signal.aborted && ',
    caughtBy: [
      { test: WORKERS, title: 'a worker that is told to end leaves its part open, for others to go on' },
    ],
  },
  {
    id: 'asker-does-not-withdraw',
    bug: 'Whoever asked does the work itself, and a worker that comes later does it too.',
    file: 'src/use-cases/fleet/at-workers.ts',
    find: '      if (!(await fleet.withdraw(id))) continue;\n',
    replace: '',
    caughtBy: [{ test: WORKERS, title: 'nobody can begin a work any more that its asker does by itself' }],
  },
];
