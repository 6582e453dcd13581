/**
 * Stands between payfile and a server, and cuts the line when it is told to. In a thread of its own, because payfile stands
 * still while it waits for the server.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface CuttingProxy {
  readonly port: number;
  /**
   * The next request that holds this text goes through, and its answer does not: both sides are cut. With `after`, the next one
   * behind a request of the same connection that holds that.
   */
  swallowAnswerTo(text: string, after?: string): Promise<void>;
  /** While it is frozen nothing goes through, and nobody is told: a partition. Later all of it goes on its way. */
  freeze(isFrozen: boolean): Promise<void>;
  /** The line of the next request that holds this text hangs with it until `release`; other lines are served. */
  hang(text: string): Promise<void>;
  release(): Promise<void>;
  /** How often an answer was swallowed, or hung. */
  cuts(): Promise<number>;
  close(): Promise<unknown>;
}

export async function startProxy(to: number): Promise<CuttingProxy> {
  const worker = new Worker(new URL(import.meta.url), { workerData: to });
  const ask = async (asked: unknown) => {
    worker.postMessage(asked);
    return Number((await once(worker, 'message'))[0]);
  };
  const port = Number((await once(worker, 'message'))[0]);
  return {
    port,
    swallowAnswerTo: async (text, after) => {
      await ask({ text, after });
    },
    freeze: async (isFrozen) => {
      await ask({ isFrozen });
    },
    hang: async (text) => {
      await ask({ hanging: text });
    },
    release: async () => {
      await ask({ isReleased: true });
    },
    cuts: () => ask({}),
    close: () => worker.terminate(),
  };
}

interface Asked {
  readonly text?: string;
  readonly after?: string | undefined;
  readonly hanging?: string;
  readonly isReleased?: boolean;
  readonly isFrozen?: boolean;
}

function listen(to: number): void {
  let wanted: string | undefined;
  let before: string | undefined;
  let hanging: string | undefined;
  const held = new Set<Socket>();
  let cuts = 0;
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const joined = (client: Socket) => {
    const upstream = connect(to, '127.0.0.1');
    let [isCut, isBehind] = [false, false];
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => {
      if (wanted !== undefined && (before === undefined || isBehind) && data.includes(wanted)) {
        [wanted, isCut] = [undefined, true];
        cuts += 1;
      }
      isBehind = wanted !== undefined && (isBehind || (before !== undefined && data.includes(before)));
      if (hanging !== undefined && data.includes(hanging)) {
        hanging = undefined;
        cuts += 1;
        for (const socket of [client, upstream]) held.add(socket.pause());
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => (isCut ? client.destroy() : client.write(data)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    if (!isFrozen) return;
    client.pause();
    upstream.pause();
  };
  const server = createServer(joined).listen(0, '127.0.0.1', () => {
    const address = server.address();
    parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
  });
  parentPort?.on('message', ({ text, after, hanging: hangs, isReleased, isFrozen: frozen }: Asked) => {
    if (text !== undefined) [wanted, before] = [text, after];
    hanging = hangs ?? hanging;
    if (isReleased === true) {
      for (const socket of held) socket.resume();
      held.clear();
    }
    if (frozen !== undefined && frozen !== isFrozen) {
      isFrozen = frozen;
      for (const socket of sockets) isFrozen ? socket.pause() : socket.resume();
    }
    parentPort?.postMessage(cuts);
  });
}

if (!isMainThread && typeof workerData === 'number') listen(workerData);
