/**
 * The console's folder for files on their way: whole account numbers lie there. It is gone with the console; what a killed
 * one left is removed by the next. A socket in it answers as long as its console lives, whatever numbers processes have.
 */
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const PREFIX = 'payfile-console-';
const ALIVE = 'alive';

export interface OwnFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** `temporary`: where it is made. */
export async function makeOwnFolder(temporary: string): Promise<OwnFolder> {
  // mkdtemp makes it for this user alone.
  const path = await mkdtemp(join(temporary, PREFIX));
  const server = createServer((socket) => socket.destroy()).unref();
  // Where it cannot be made, nobody takes this folder for one that was left.
  server.on('error', () => undefined);
  server.listen(join(path, ALIVE));
  await once(server, 'listening').catch(() => undefined);
  await removeLeft(temporary, path);
  return {
    path,
    async remove() {
      server.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeLeft(temporary: string, own: string): Promise<void> {
  const { uid } = await lstat(own);
  for (const entry of await readdir(temporary, { withFileTypes: true })) {
    const path = join(temporary, entry.name);
    if (!entry.name.startsWith(PREFIX) || !entry.isDirectory() || path === own) continue;
    const isLeft = (await lstat(path).catch(() => undefined))?.uid === uid && (await isDead(path));
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

/** Only where its socket is there and nobody answers. */
async function isDead(folder: string): Promise<boolean> {
  const socket = connect(join(folder, ALIVE));
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
