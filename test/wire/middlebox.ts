/**
 * A middlebox on loopback: carries bytes both ways, and breaks the connection after so many bytes of one of them.
 * It breaks what no server can break itself: a TLS handshake, at any byte.
 */
import { once } from 'node:events';
import net from 'node:net';
import type { Ending } from '../fakes/fault-server/fault.ts';

export interface Middlebox {
  readonly port: number;
  /** How the next connections break. */
  breaks: { readonly side: 'client' | 'server'; readonly atByte: number; readonly by: Ending } | undefined;
  /** Bytes that the server has said on the connection before. */
  readonly said: () => number;
  close(): void;
}

export async function startMiddlebox(toPort: number): Promise<Middlebox> {
  const open = new Set<net.Socket>();
  let said = 0;
  const keep = (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const listening = net.createServer((client) => {
    const server = net.connect(toPort, '127.0.0.1');
    keep(client);
    keep(server);
    const { breaks } = box;
    said = 0;
    const carry = (from: net.Socket, to: net.Socket, side: 'client' | 'server') => {
      let left = breaks?.side === side ? breaks.atByte : Number.POSITIVE_INFINITY;
      const end = () => {
        if (breaks?.by === 'reset') client.resetAndDestroy();
        if (breaks?.by === 'end') client.end();
        if (breaks?.by !== 'stall') server.destroy();
        from.removeAllListeners('data');
      };
      from.on('data', (bytes: Buffer) => {
        if (side === 'server') said += bytes.length;
        const some = bytes.subarray(0, left);
        left -= some.length;
        if (left > 0) return void to.write(some);
        to.write(some, end);
      });
      if (left === 0) from.once('connect', end);
      from.on('end', () => to.end());
    };
    carry(client, server, 'client');
    carry(server, client, 'server');
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const box: Middlebox = {
    port: (listening.address() as net.AddressInfo).port,
    breaks: undefined,
    said: () => said,
    close: () => {
      listening.close();
      for (const socket of open) socket.destroy();
    },
  };
  return box;
}
